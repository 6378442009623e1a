"""Users, workspaces, their members and tokens, and what was done by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar
from uuid import uuid4

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models.functions import Lower

from common.models import WorkspaceModel
from common.partitions import this_month
from common.principal import EDITOR, ROLES

if TYPE_CHECKING:
    from django.contrib.sessions.backends.base import SessionBase


# How Django is told of a schema besides the usual one.
_IDENTITY = 'identity"."accounts_{}'


class Identity(models.Model):
    """What is a person's, not a workspace's: read by signing in and by who runs the service.

    In a schema of its own, through a connection and a role of its own (``common.routing``).
    """

    is_identity = True

    class Meta:
        abstract = True


class User(AbstractBaseUser, Identity):
    """A person, who signs in with an e-mail address.

    Of a user the app role sees id and address, of the members of the entered workspace only, and
    may add one there; signing in goes through the functions in ``accounts.crossing``.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    email = models.EmailField(unique=True, max_length=254)
    is_active = models.BooleanField(default=True)
    # When a link that was mailed to the address was opened; None: anybody may have typed it.
    verified_at = models.DateTimeField(null=True)
    # When the account is deleted, unless that is taken back before.
    deletes_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        db_table = _IDENTITY.format("user")


class Workspace(models.Model):
    """A tenant: nothing crosses from one to another."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    name = models.CharField(max_length=100)
    created_at = models.DateTimeField(auto_now_add=True)
    # Where an operator set other limits than ``settings.QUOTAS``, by name; None is without.
    limits = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))
    # When all of it is deleted, unless that is taken back before.
    deletes_at = models.DateTimeField(null=True)


ROLE_CHOICES = [(role, role.capitalize()) for role in ROLES]


class Member(WorkspaceModel):
    """A user's place in a workspace."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=ROLE_CHOICES, default=EDITOR)
    mailed_events = models.JSONField(default=list, db_default=[])
    # Whether a group of the sign-in provider gave the role: it goes when the group goes.
    by_group = models.BooleanField(default=False, db_default=False)
    # A break-even that moves by more is told. [months]
    break_even_months = models.FloatField(default=3.0, db_default=3.0)
    # What decides a number that could be read in two ways (1,234); empty: the browser's language.
    number_format = models.CharField(max_length=10, blank=True, default="", db_default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("workspace", "user"), name="member_once"),)


class Invitation(WorkspaceModel):
    """A link that makes who follows it a member, once; only its hash is kept.

    ``mailed_hash`` is that of the link that was mailed, which shows that the address is theirs.
    """

    email = models.CharField(max_length=254, blank=True)
    role = models.CharField(max_length=10, choices=ROLE_CHOICES)
    token_hash = models.CharField(max_length=64, unique=True)
    mailed_hash = models.CharField(max_length=64, blank=True, db_default="", db_index=True)
    invited_by = models.CharField(max_length=254)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)


class ApiToken(WorkspaceModel):
    """A key to one workspace for programs; only its hash is kept."""

    title = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)


class ProvisionedGroup(WorkspaceModel):
    """A group that an identity provider told of by SCIM; ``role`` is what it gives, if anything."""

    display_name = models.CharField(max_length=255)
    external_id = models.CharField(max_length=255, blank=True)
    role = models.CharField(max_length=10, choices=ROLE_CHOICES, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                "workspace", Lower("display_name"), name="provisioned_group_once"
            ),
        )


class ProvisionedPerson(WorkspaceModel):
    """A person whom an identity provider told of by SCIM; active while they are a member.

    The row goes with the user. ``groups`` are ids of groups, ``role_given`` what these gave last.
    """

    user_id = models.UUIDField()
    user_name = models.CharField(max_length=254)
    external_id = models.CharField(max_length=255, blank=True)
    told = models.JSONField(default=dict)
    groups = models.JSONField(default=list)
    role_given = models.CharField(max_length=10, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("workspace", "user_id"), name="provisioned_once"),
            models.UniqueConstraint("workspace", Lower("user_name"), name="provisioned_name_once"),
        )


class AuditEntry(WorkspaceModel):
    """Something that was done in a workspace; the app role may add and read only.

    In monthly partitions.
    """

    append_only = True

    id = models.UUIDField(default=uuid4, editable=False)
    pk = models.CompositePrimaryKey("id", "month")
    month = models.DateField(default=this_month, editable=False)

    actor_email = models.CharField(max_length=254)
    token = models.ForeignKey(
        ApiToken, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False
    )
    action = models.CharField(max_length=50)
    target = models.CharField(max_length=200, blank=True)
    detail = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = (models.Index(fields=("workspace", "-created_at", "-id"), name="audit_by_time"),)


class SignInCode(Identity):
    """A code that signs its user in once, within ten minutes; only its hash is kept."""

    code_hash = models.CharField(primary_key=True, max_length=64)
    user_id = models.UUIDField()
    expires_at = models.DateTimeField()

    class Meta:
        db_table = _IDENTITY.format("signincode")


class OpenIdSubject(Identity):
    """Whom a sign-in provider means by a subject; the row goes with the user."""

    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    user_id = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = _IDENTITY.format("openidsubject")
        constraints = (
            models.UniqueConstraint(fields=("issuer", "subject"), name="openid_subject_once"),
        )


class SamlAnswer(Identity):
    """What an identity provider said, kept until the browser that asked takes it, which empties it.

    The row stays until its assertion is too old to come again: none is taken twice.
    """

    assertion_hash = models.CharField(primary_key=True, max_length=64)
    code_hash = models.CharField(max_length=64, unique=True)
    request_id = models.CharField(max_length=200)
    said = models.JSONField(null=True)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        db_table = _IDENTITY.format("samlanswer")


class Authenticator(Identity):
    """What makes a person's one-time codes; the row goes with the user.

    The secret is sealed. ``last_step`` is that of the last code taken: none is taken twice.
    """

    user_id = models.UUIDField(primary_key=True)
    sealed_secret = models.CharField(max_length=200)
    confirmed_at = models.DateTimeField(null=True)
    last_step = models.BigIntegerField(default=0)

    class Meta:
        db_table = _IDENTITY.format("authenticator")


class RecoveryCode(Identity):
    """What is taken once instead of a one-time code; only its hash is kept."""

    code_hash = models.CharField(primary_key=True, max_length=64)
    user_id = models.UUIDField(db_index=True)

    class Meta:
        db_table = _IDENTITY.format("recoverycode")


class SecurityKey(Identity):
    """A key that answers instead of a one-time code; the row goes with the user.

    ``credential`` is its id and public key, ``sign_count`` its counter at the last answer.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    user_id = models.UUIDField(db_index=True)
    credential_hash = models.CharField(max_length=64, unique=True)
    credential = models.BinaryField()
    sign_count = models.BigIntegerField(default=0)
    title = models.CharField(max_length=100)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True)

    class Meta:
        db_table = _IDENTITY.format("securitykey")


class KeyChallenge(Identity):
    """What a key is asked to sign, once; only its hash is kept."""

    class Purpose(models.TextChoices):
        REGISTER = "register"
        USE = "use"

    challenge_hash = models.CharField(primary_key=True, max_length=64)
    user_id = models.UUIDField(db_index=True)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    expires_at = models.DateTimeField()

    class Meta:
        db_table = _IDENTITY.format("keychallenge")


class MailedLink(Identity):
    """A link that was mailed, good once: who opens it has the address; only its hash is kept."""

    class Purpose(models.TextChoices):
        SIGN_UP = "sign_up"
        RESET = "reset"
        VERIFY = "verify"

    token_hash = models.CharField(primary_key=True, max_length=64)
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    email = models.CharField(max_length=254)
    expires_at = models.DateTimeField()

    class Meta:
        db_table = _IDENTITY.format("mailedlink")


class Mail(Identity):
    """A message that is to be sent, or was; its words and links are made as it is sent.

    The app role adds one in the transaction that causes it, and reads none.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    kind = models.CharField(max_length=20)
    to = models.CharField(max_length=254)
    about = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        db_table = _IDENTITY.format("mail")
        indexes = (
            models.Index(fields=("due_at",), condition=models.Q(ended_at=None), name="mail_due"),
        )


class SignInFailure(Identity):
    """A refused sign-in, counted to slow down guessing; ``key`` is a hash."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField()

    class Meta:
        db_table = _IDENTITY.format("signinfailure")
        indexes = (models.Index(fields=("key", "at")),)


class Session(AbstractBaseSession, Identity):
    """A browser that was let in, and who is in it once they have signed in, in which workspace.

    ``public_id`` names it in the list of a person's sessions. ``password_mark`` is that of the
    password that it began with: it ends with it.
    """

    user_id = models.UUIDField(null=True, db_index=True)
    workspace_id_chosen = models.UUIDField(null=True)
    public_id = models.UUIDField(null=True)
    began_at = models.DateTimeField(null=True)
    agent = models.CharField(max_length=200, blank=True)
    password_mark = models.CharField(max_length=40, blank=True, default="", db_default="")

    class Meta(AbstractBaseSession.Meta):
        abstract = False
        db_table = _IDENTITY.format("session")

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """Return the store that reads and writes these rows."""
        from accounts.sessions import SessionStore

        return SessionStore
