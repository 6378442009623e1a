"""Workspaces, their members, invitations to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.middleware.csrf import rotate_token
from rest_framework import serializers
from rest_framework.response import Response

from accounts import authentication, mail, selectors, teams
from accounts.apis import SessionOutputSerializer, session_output
from accounts.crossing import account_by_id, memberships_of
from accounts.own_apis import session_account_of
from common.api import ApiView, ListApi, WorkspaceAPIView
from common.errors import Forbidden, Invalid, NotFound
from common.operations import creates, operation
from common.principal import OWNER, ROLE_WORDS, ROLES, Principal
from common.serializers import StrictSerializer, shown_once

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from accounts.models import Member

_ROLE = "; ".join(f"{role}: {does}" for role, (_, does) in ROLE_WORDS.items()) + "."


class WorkspaceOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, help_text="What the caller is there.")
    created_at = serializers.DateTimeField()


class WorkspaceInputSerializer(StrictSerializer):
    name = serializers.CharField(max_length=100)


class WorkspaceListApi(ApiView):
    """The workspaces that the caller is in."""

    @operation("workspaces_list", gives=WorkspaceOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the caller's workspaces, the first ones first; a token has one."""
        principal = self.principal
        return [
            row
            for row in memberships_of(principal.user_id)
            if principal.token_id is None or row.id == principal.workspace_id
        ]

    @creates(
        "workspaces_create",
        takes=WorkspaceInputSerializer,
        gives=WorkspaceOutputSerializer,
        may="self",
    )
    def post(self, request: Request) -> Any:
        """Make a workspace, and own it; it starts with the examples."""
        principal = self.principal
        made = teams.workspace_add(user_id=principal.user_id, email=principal.email, **self.given())
        return next(row for row in memberships_of(principal.user_id) if row.id == made)


class WorkspaceApi(WorkspaceAPIView):
    """The workspace that the caller works in."""

    @operation(
        "workspaces_rename",
        takes=WorkspaceInputSerializer,
        gives=WorkspaceOutputSerializer,
        may="manage",
    )
    def patch(self, request: Request, workspace_id: UUID) -> Any:
        """Rename the workspace that the session is in."""
        if workspace_id != self.principal.workspace_id:
            raise NotFound
        teams.workspace_rename(principal=self.principal, **self.given())
        rows = memberships_of(self.principal.user_id)
        return next(row for row in rows if row.id == workspace_id)


class LeaveApi(WorkspaceAPIView):
    """An end of one's own membership."""

    @operation("workspaces_leave", may="self")
    def post(self, request: Request, workspace_id: UUID) -> None:
        """Leave the workspace that the session is in; who has no other gets one of their own."""
        if workspace_id != self.principal.workspace_id:
            raise NotFound
        teams.leave(principal=self.principal)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Give who has no workspace any more one of their own, outside of the one they left."""
        if response.status_code == 204:
            teams.home_ensure(self.principal.user_id, self.principal.email)
        return super().finalize_response(request, response, *args, **kwargs)


class EnterInputSerializer(StrictSerializer):
    workspace = serializers.UUIDField()


class EnterApi(ApiView):
    """The workspace that a session works in."""

    @operation(
        "session_enter", takes=EnterInputSerializer, gives=SessionOutputSerializer, may="self"
    )
    def post(self, request: Request) -> Any:
        """Go on in another of one's workspaces."""
        wanted = self.given()["workspace"]
        account = account_by_id(self.principal.user_id, wanted)
        if account is None or account.workspace_id != wanted:
            raise NotFound(wanted)
        authentication.session_enter(request._request, wanted)
        return Response(session_output(account.principal()))


class MemberOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.CharField(source="user.email")
    role = serializers.ChoiceField(choices=ROLES)
    by_group = serializers.BooleanField(
        help_text="Whether a group of the sign-in provider gave the role, and takes it again."
    )
    created_at = serializers.DateTimeField()


class MemberInputSerializer(StrictSerializer):
    role = serializers.ChoiceField(choices=ROLES, help_text=_ROLE)


class MemberListApi(ListApi):
    """Who belongs to the workspace, and as what."""

    ordering = ("created_at", "id")

    @operation("members_list", gives=MemberOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """Who belongs to the workspace, and as what."""
        return selectors.member_list()


class MemberApi(WorkspaceAPIView):
    """One member."""

    may = "manage"

    removed: Member | None = None

    @operation("members_change", takes=MemberInputSerializer, gives=MemberOutputSerializer)
    def patch(self, request: Request, member_id: UUID) -> Any:
        """Give a member another role; to hand a workspace over, make somebody an owner."""
        return teams.member_change(principal=self.principal, member_id=member_id, **self.given())

    @operation("members_remove")
    def delete(self, request: Request, member_id: UUID) -> None:
        """Remove a member; what they made stays, their tokens end."""
        self.removed = teams.member_remove(principal=self.principal, member_id=member_id)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Give who has no workspace any more one of their own, outside of the one they left."""
        if response.status_code == 204 and self.removed:
            teams.home_ensure(self.removed.user_id, self.removed.user.email)
        return super().finalize_response(request, response, *args, **kwargs)


class InvitationOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    email = serializers.CharField(help_text="Whom it is for; empty: for whoever has the link.")
    role = serializers.ChoiceField(choices=ROLES)
    invited_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationCreatedSerializer(InvitationOutputSerializer):
    link = shown_once("The link")
    mailed = serializers.BooleanField(help_text="Whether a link goes to the address by mail.")


class InvitationInputSerializer(StrictSerializer):
    role = serializers.ChoiceField(choices=ROLES, help_text=_ROLE)
    email = serializers.EmailField(required=False, max_length=254, allow_blank=True)


class InvitationListApi(ListApi):
    """Invitations to the workspace that nobody has taken yet."""

    may = "automate"
    secret_fields = ("link",)

    @operation("invitations_list", gives=InvitationOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """Invitations to the workspace that nobody has taken yet."""
        return selectors.invitation_list()

    @creates(
        "invitations_create", takes=InvitationInputSerializer, gives=InvitationCreatedSerializer
    )
    def post(self, request: Request) -> Any:
        """Invite somebody: the answer is the only place where the link can be read.

        A token invites no owner: it would outlive itself.
        """
        given = self.given()
        if self.principal.token_id is not None and given["role"] == OWNER:
            raise Forbidden("A token invites no owner. Sign in, and do it there.")
        invitation, secret = teams.invitation_create(principal=self.principal, **given)
        link = f"{settings.WEB_URL}/join#{secret}"
        added = {"link": link, "mailed": bool(invitation.email) and mail.is_on()}
        return Response({**InvitationOutputSerializer(invitation).data, **added}, status=201)


class InvitationApi(WorkspaceAPIView):
    """One invitation."""

    @operation("invitations_revoke", may="automate")
    def delete(self, request: Request, invitation_id: UUID) -> None:
        """Withdraw the invitation."""
        teams.invitation_revoke(principal=self.principal, invitation_id=invitation_id)


class JoinLookInputSerializer(StrictSerializer):
    token = serializers.CharField(max_length=100, help_text="What stands after # in the link.")


class JoinLookOutputSerializer(serializers.Serializer[Any]):
    workspace_name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES)
    email = serializers.CharField()
    invited_by = serializers.CharField()
    expires_at = serializers.DateTimeField()


class JoinLookApi(ApiView):
    """What an invitation leads to."""

    permission_classes = ()
    authentication_classes = ()

    @operation("join_look", takes=JoinLookInputSerializer, gives=JoinLookOutputSerializer)
    def post(self, request: Request) -> Any:
        """Say which workspace a link of invitation opens; 404 when it is no longer open."""
        return teams.invitation_get(self.given()["token"])


class JoinInputSerializer(JoinLookInputSerializer):
    """Signed in, the link alone; else an address and a password for a new account."""

    email = serializers.EmailField(required=False, max_length=254)
    password = serializers.CharField(required=False, max_length=200, trim_whitespace=False)


class JoinApi(ApiView):
    """Taking an invitation."""

    permission_classes = ()
    authentication_classes = (authentication.SessionAuthentication,)

    @operation("join", takes=JoinInputSerializer, gives=SessionOutputSerializer)
    def post(self, request: Request) -> Any:
        """Become a member, and go on in that workspace; without a session, make an account."""
        given = self.given()
        if isinstance(request.auth, Principal):
            account = teams.join(account=session_account_of(request), secret=given["token"])
        else:
            account = self._joined_new(given)
            authentication.session_start(request._request, account)
            rotate_token(request._request)
        authentication.session_enter(request._request, account.workspace_id)
        return Response(session_output(account.principal()))

    @staticmethod
    def _joined_new(given: dict[str, Any]) -> Any:
        if settings.SIGN_UP == "closed":
            raise Forbidden("New accounts are made by the operator here. Sign in first.")
        if "password" not in given:
            raise Invalid.at("/password", "Choose a password.", "missing")
        invited, own = teams.invitation_get(given["token"]).email, given.get("email")
        if not (own or invited):
            raise Invalid.at("/email", "Enter your e-mail address.", "missing")
        if own and invited and own.lower() != invited.lower():
            raise Invalid.at("/email", "This invitation is for another address.", "not_invited")
        return teams.join_new(
            secret=given["token"], email=given.get("email", ""), password=given["password"]
        )
