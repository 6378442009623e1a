"""Provisioning by SCIM 2.0 (RFC 7643, 7644): who is in a workspace, as an organisation has it.

All happens inside the entered workspace. A user of SCIM is a person whom a provider told of; they
are *active* while they are a member. Who is deactivated or deleted loses the membership, the tokens
that they made here and all sessions, at once; the account is theirs, and other workspaces are.
Groups give the roles that an owner chose for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError as Unfit
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from scim2_models import (
    ConflictException,
    Context,
    Email,
    ForbiddenException,
    GroupMembership,
    InvalidValueException,
    ListResponse,
    Meta,
    Name,
    NotFoundException,
    PatchOp,
    ResponseParameters,
    Role,
    SearchRequest,
    UniquenessException,
)
from scim2_models.path import CompareOperator, Comparison

from accounts import teams
from accounts.models import (
    ApiToken,
    Member,
    ProvisionedGroup,
    ProvisionedPerson,
    Session,
    SignInCode,
    User,
)
from accounts.scim_resources import PAGE_MOST, POLICY, Group
from accounts.scim_resources import Member as InGroup
from accounts.scim_resources import User as Person
from accounts.services import audit_record, member_new
from common import quotas
from common.errors import existing
from common.principal import OWNER, ROLES, VIEWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from common.principal import Principal

BASE = "/api/v1/scim/v2"
CLOSED = "New accounts are made by whoever runs this service. Ask them for one with {email}."
LAST = "A workspace needs an owner. Make somebody else an owner first."


class Users:
    """The people that a provider told of."""

    resource, page, patch = Person, ListResponse[Person], PatchOp[Person]
    search, parameters = SearchRequest[Person], ResponseParameters[Person]
    model = ProvisionedPerson
    # What is asked for by one column; everything else is looked for among all.
    columns: ClassVar = {"username": "user_name__iexact", "externalid": "external_id"}

    @staticmethod
    def shown(rows: Iterable[ProvisionedPerson]) -> list[Person]:
        """Return people as SCIM has them."""
        rows = list(rows)
        roles = dict(
            Member.objects.filter(user_id__in=[row.user_id for row in rows]).values_list(
                "user_id", "role"
            )
        )
        names = {
            str(id_): name
            for id_, name in ProvisionedGroup.objects.values_list("id", "display_name")
        }
        return [
            Person(
                id=str(row.id),
                external_id=row.external_id or None,
                user_name=row.user_name,
                name=Name.model_validate(row.told["name"]) if row.told.get("name") else None,
                display_name=row.told.get("displayName"),
                emails=[Email.model_validate(one) for one in row.told.get("emails", ())] or None,
                active=row.user_id in roles,
                groups=[
                    GroupMembership.model_validate(
                        {
                            "value": each,
                            "$ref": _location("Groups", each),
                            "display": names[each],
                            "type": "direct",
                        }
                    )
                    for each in row.groups
                    if each in names
                ]
                or None,
                roles=[Role(value=roles[row.user_id])] if row.user_id in roles else None,
                meta=_meta(row, "Users"),
            )
            for row in rows
        ]

    @staticmethod
    def made(given: Person, principal: Principal) -> ProvisionedPerson:
        """Take in a new person: a member of the workspace, with an account where there was none."""
        email = _address(given)
        account = User.objects.filter(email=email).only("id").first()
        if account is None:
            if settings.SIGN_UP == "closed":
                raise ForbiddenException(detail=CLOSED.format(email=email))
            quotas.require("members", 1)
            account = User(email=email)
            account.set_unusable_password()
            try:
                with transaction.atomic():
                    member_new(account, VIEWER)
            except IntegrityError as exc:
                raise UniquenessException(detail="This person is being taken in already.") from exc
        row = ProvisionedPerson(user_id=account.id)
        _tell(row, given)
        audit_record(principal, "member.provision", target=email)
        _activate(row, principal, is_wanted=given.active is not False)
        return row

    @staticmethod
    def changed(row: ProvisionedPerson, given: Person, principal: Principal) -> None:
        """Take over what a provider says of a person now."""
        _tell(row, given)
        _activate(row, principal, is_wanted=given.active is not False)

    @staticmethod
    def gone(row: ProvisionedPerson, principal: Principal) -> None:
        """Forget a person, who is no member any more; the account is theirs."""
        _activate(row, principal, is_wanted=False)
        row.delete()


class Groups:
    """The groups that a provider told of."""

    resource, page, patch = Group, ListResponse[Group], PatchOp[Group]
    search, parameters = SearchRequest[Group], ResponseParameters[Group]
    model = ProvisionedGroup
    columns: ClassVar = {"displayname": "display_name__iexact", "externalid": "external_id"}

    @staticmethod
    def shown(rows: Iterable[ProvisionedGroup]) -> list[Group]:
        """Return groups as SCIM has them."""
        members: dict[str, list[InGroup]] = {}
        people = ProvisionedPerson.objects.exclude(groups=[]).order_by("created_at", "id")
        for id_, groups in people.values_list("id", "groups"):
            one = InGroup.model_validate(
                {
                    "value": str(id_),
                    "$ref": _location("Users", id_),
                    "type": "User",
                }
            )
            for each in groups:
                members.setdefault(each, []).append(one)
        return [
            Group(
                id=str(row.id),
                external_id=row.external_id or None,
                display_name=row.display_name,
                members=members.get(str(row.id)),
                meta=_meta(row, "Groups"),
            )
            for row in rows
        ]

    @staticmethod
    def made(given: Group, principal: Principal) -> ProvisionedGroup:
        """Take in a new group; named as a role it gives that role, but never that of an owner.

        A token that leaked would outlive itself.
        """
        name = (given.display_name or "").lower()
        row = ProvisionedGroup(role=name if name in ROLES and name != OWNER else "")
        Groups.changed(row, given, principal)
        return row

    @staticmethod
    def changed(row: ProvisionedGroup, given: Group, principal: Principal) -> None:
        """Take over a group's name and who is in it."""
        row.display_name = _short(given.display_name, "displayName")
        row.external_id = _short(given.external_id, "externalId")
        _save(row)
        key, wanted = str(row.id), {str(one.value) for one in given.members or ()}
        known = [one for one in wanted if _is_id(one)]
        concerned = ProvisionedPerson.objects.filter(Q(id__in=known) | Q(groups__contains=[key]))
        people = {str(one.id): one for one in concerned.select_for_update().order_by("id")}
        if unknown := wanted - set(people):
            raise InvalidValueException(detail=f"No user has the id {min(unknown)}.")
        moved = [one for id_, one in people.items() if (key in one.groups) != (id_ in wanted)]
        for person in moved:
            others = [each for each in person.groups if each != key]
            person.groups = [*others, key] if str(person.id) in wanted else others
        roles_apply(moved, principal)

    @staticmethod
    def gone(row: ProvisionedGroup, principal: Principal) -> None:
        """Forget a group; roles that it gave go with it."""
        key = str(row.id)
        people = list(ProvisionedPerson.objects.filter(groups__contains=[key]))
        row.delete()
        for person in people:
            person.groups = [each for each in person.groups if each != key]
        roles_apply(people, principal)


KINDS = {"Users": Users, "Groups": Groups}


def listed(kind: str, query: Any) -> dict[str, Any]:
    """Return a page of users or groups, of those that a filter lets through."""
    of: Any = KINDS[kind]
    with POLICY:
        asked = of.search.model_validate(query, scim_ctx=Context.SEARCH_REQUEST)
    rows = of.model.objects.order_by("created_at", "id")
    first = max(asked.start_index or 1, 1) - 1
    count = min(max(PAGE_MOST if asked.count is None else asked.count, 0), PAGE_MOST)
    if asked.filter is None:
        total, found = rows.count(), of.shown(rows[first : first + count])
    else:
        narrowed = rows.filter(**_column(asked.filter.ast, of.columns))
        matching = [one for one in of.shown(narrowed) if asked.filter.match(one)]
        total, found = len(matching), matching[first : first + count]
    page = of.page(
        total_results=total, start_index=first + 1, items_per_page=len(found), resources=found
    )
    told: dict[str, Any] = page.model_dump(
        scim_ctx=Context.RESOURCE_QUERY_RESPONSE, response_parameters=asked
    )
    return told


def retrieved(kind: str, id_: UUID, query: Mapping[str, str]) -> dict[str, Any]:
    """Return a user or a group."""
    of: Any = KINDS[kind]
    with POLICY:
        asked = of.parameters.model_validate(query)
    return _told(of.shown([_row(of, id_)])[0], asked, Context.RESOURCE_QUERY_RESPONSE)


def created(kind: str, body: Any, principal: Principal) -> dict[str, Any]:
    """Take in a new user or group."""
    of: Any = KINDS[kind]
    with POLICY:
        given = of.resource.model_validate(body, scim_ctx=Context.RESOURCE_CREATION_REQUEST)
        row = of.made(given, principal)
    return _told(of.shown([row])[0], None, Context.RESOURCE_CREATION_RESPONSE)


def replaced(kind: str, id_: UUID, body: Any, principal: Principal) -> dict[str, Any]:
    """Take what is sent in place of what was."""
    of: Any = KINDS[kind]
    row = _row(of, id_)
    with POLICY:
        given = of.resource.model_validate(body, scim_ctx=Context.RESOURCE_REPLACEMENT_REQUEST)
        given.replace(of.shown([row])[0])
        of.changed(row, given, principal)
    return _told(of.shown([row])[0], None, Context.RESOURCE_REPLACEMENT_RESPONSE)


def patched(kind: str, id_: UUID, body: Any, principal: Principal) -> dict[str, Any]:
    """Change what is named."""
    of: Any = KINDS[kind]
    row = _row(of, id_)
    with POLICY:
        operations = of.patch.model_validate(body, scim_ctx=Context.RESOURCE_PATCH_REQUEST)
        given = of.shown([row])[0]
        operations.patch(given)
        of.changed(row, given, principal)
    return _told(of.shown([row])[0], None, Context.RESOURCE_PATCH_RESPONSE)


def deleted(kind: str, id_: UUID, principal: Principal) -> None:
    """Forget a user or a group."""
    of: Any = KINDS[kind]
    of.gone(_row(of, id_), principal)


def group_role(*, principal: Principal, group_id: UUID, role: str) -> ProvisionedGroup:
    """Have a group give a role, or none; those who are in it have it at once.

    Raises
    ------
    NotFound
        When the workspace has no such group.
    """
    row = existing(ProvisionedGroup.objects.select_for_update().filter(id=group_id).first())
    row.role = role
    row.save(update_fields=["role", "changed_at"])
    audit_record(principal, "member.group_role", target=row.display_name, detail={"is": role})
    people = ProvisionedPerson.objects.filter(groups__contains=[str(group_id)])
    roles_apply(list(people), principal)
    return row


def roles_apply(people: Sequence[ProvisionedPerson], principal: Principal) -> None:
    """Store whose groups are others now, and give each the highest role of theirs.

    Without one, what a group gave ends, and what an owner gave by hand stays. The last owner stays.
    """
    giving = {str(id_): role for id_, role in ProvisionedGroup.objects.values_list("id", "role")}
    members = _members(people)
    for person in people:
        roles = [giving[each] for each in person.groups if giving.get(each)]
        wanted = min(roles, key=ROLES.index, default="")
        given, person.role_given, person.changed_at = person.role_given, wanted, timezone.now()
        member = members.get(person.user_id)
        if member is None:
            continue
        role = wanted or (VIEWER if member.role == given else member.role)
        if role != member.role and not _is_last_owner(member):
            was, member.role, member.by_group = member.role, role, False
            member.save(update_fields=["role", "by_group"])
            detail = {"was": was, "is": role}
            audit_record(principal, "member.group", target=person.user_name, detail=detail)
    fields = ["groups", "role_given", "changed_at"]
    ProvisionedPerson.objects.bulk_update(people, fields, batch_size=500)


def _activate(row: ProvisionedPerson, principal: Principal, *, is_wanted: bool) -> None:
    member = _members([row]).get(row.user_id)
    if is_wanted and member is None:
        quotas.require("members", 1)
        Member.objects.create(user_id=row.user_id, role=VIEWER)
        audit_record(principal, "member.join", target=row.user_name, detail={"role": VIEWER})
        roles_apply([row], principal)
    elif not is_wanted and member is not None:
        if _is_last_owner(member):
            raise ConflictException(detail=LAST)
        member.delete()
        now = timezone.now()
        ApiToken.objects.filter(created_by_id=row.user_id, revoked_at=None).update(revoked_at=now)
        audit_record(principal, "member.deprovision", target=row.user_name)
        user_id = row.user_id
        transaction.on_commit(lambda: _sign_out(user_id))


def _sign_out(user_id: UUID) -> None:
    """End a person's sessions; where all may have an account they keep a place of their own."""
    Session.objects.filter(user_id=user_id).delete()
    SignInCode.objects.filter(user_id=user_id).delete()
    if settings.SIGN_UP == "open":
        email = User.objects.values_list("email", flat=True).get(id=user_id)
        teams.home_ensure(user_id, email)


def _members(people: Sequence[ProvisionedPerson]) -> dict[UUID, Member]:
    found = Member.objects.filter(user_id__in=[one.user_id for one in people])
    if found.filter(role=OWNER).exists():
        # All are held, so that two owners cannot go at the same moment.
        list(Member.objects.select_for_update().filter(role=OWNER).order_by("id"))
    return {one.user_id: one for one in found.select_for_update().order_by("id")}


def _is_last_owner(member: Member) -> bool:
    return member.role == OWNER and not teams.other_owners(member).exists()


def _tell(row: ProvisionedPerson, given: Person) -> None:
    """Store what a provider says of a person; the address that they sign in with is theirs."""
    row.user_name = _short(given.user_name, "userName", 254)
    row.external_id = _short(given.external_id, "externalId")
    told = given.model_dump(scim_ctx=Context.DEFAULT)
    row.told = {name: told[name] for name in ("name", "displayName", "emails") if name in told}
    _save(row)


def _save(row: ProvisionedPerson | ProvisionedGroup) -> None:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as exc:
        raise UniquenessException(detail="There is one of that name already.") from exc


def _short(value: str | None, name: str, most: int = 255) -> str:
    if len(value or "") > most:
        raise InvalidValueException(detail=f"{name} has {most} characters at most.")
    return value or ""


def _is_id(value: str) -> bool:
    try:
        return bool(UUID(value))
    except ValueError:
        return False


def _address(given: Person) -> str:
    emails: Sequence[Email] = given.emails or ()
    first = sorted(emails, key=lambda one: not one.primary)
    found = str((first and first[0].value) or given.user_name).strip().lower()
    try:
        validate_email(found)
        return _short(found, "The address", 254)
    except Unfit as exc:
        message = "Send a mail address, in emails or as userName: people sign in with it."
        raise InvalidValueException(detail=message) from exc


def _row(of: Any, id_: UUID) -> Any:
    found = of.model.objects.select_for_update().filter(id=id_).first()
    if found is None:
        raise NotFoundException(detail="There is nothing here.")
    return found


def _column(node: Any, columns: Mapping[str, str]) -> dict[str, str]:
    """Return the condition of a filter that asks for one column, as providers do at each sync."""
    is_one = isinstance(node, Comparison) and node.op == CompareOperator.eq
    if not is_one or node.attr_path.sub_attr or node.attr_path.uri or type(node.value) is not str:
        return {}
    column = columns.get(node.attr_path.attr.lower())
    return {column: node.value} if column else {}


def _meta(row: ProvisionedPerson | ProvisionedGroup, kind: str) -> Meta:
    return Meta(
        resource_type=kind[:-1],
        created=row.created_at,
        last_modified=row.changed_at,
        location=_location(kind, row.id),
    )


def _location(kind: str, id_: UUID | str) -> str:
    return f"{settings.WEB_URL}{BASE}/{kind}/{id_}"


def _told(one: Person | Group, asked: Any, context: Context) -> dict[str, Any]:
    told: dict[str, Any] = one.model_dump(scim_ctx=context, response_parameters=asked)
    return told
