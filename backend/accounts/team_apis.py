"""Workspaces, their members, invitations to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.middleware.csrf import rotate_token
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts import authentication, mail, selectors, teams
from accounts.apis import SessionOutputSerializer, session_output
from accounts.crossing import account_by_id, memberships_of
from accounts.own_apis import session_account_of
from common.api import ApiView, WorkspaceAPIView
from common.errors import Forbidden, Invalid, NotFound
from common.pagination import KeysetPagination
from common.principal import ROLE_WORDS, ROLES, Principal

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet
    from rest_framework.request import Request

    from accounts.models import Member

_ROLE = "; ".join(f"{role}: {does}" for role, (_, does) in ROLE_WORDS.items()) + "."


class WorkspaceOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(choices=ROLES, help_text="What the caller is there.")
    created_at = serializers.DateTimeField()


class WorkspaceInputSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=100)


class WorkspaceListApi(ApiView):
    """The workspaces that the caller is in."""

    permissions = {"POST": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="workspaces_list", responses=WorkspaceOutputSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the caller's workspaces, the first ones first; a token has one."""
        principal = _principal(request)
        rows = [
            row
            for row in memberships_of(principal.user_id)
            if principal.token_id is None or row.id == principal.workspace_id
        ]
        return Response(WorkspaceOutputSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="workspaces_create",
        request=WorkspaceInputSerializer,
        responses={201: WorkspaceOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make a workspace, and own it; it starts with the examples."""
        given = _validated(WorkspaceInputSerializer(data=request.data))
        principal = _principal(request)
        made = teams.workspace_add(
            user_id=principal.user_id, email=principal.email, name=given["name"]
        )
        row = next(row for row in memberships_of(principal.user_id) if row.id == made)
        return Response(WorkspaceOutputSerializer(row).data, status=201)


class WorkspaceApi(WorkspaceAPIView):
    """The workspace that the caller works in."""

    permissions = {"PATCH": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(
        operation_id="workspaces_rename",
        request=WorkspaceInputSerializer,
        responses=WorkspaceOutputSerializer,
    )
    def patch(self, request: Request, workspace_id: UUID) -> Response:
        """Rename the workspace that the session is in."""
        if workspace_id != self.principal.workspace_id:
            raise NotFound
        given = _validated(WorkspaceInputSerializer(data=request.data))
        teams.workspace_rename(principal=self.principal, name=given["name"])
        rows = memberships_of(self.principal.user_id)
        row = next(row for row in rows if row.id == workspace_id)
        return Response(WorkspaceOutputSerializer(row).data)


class LeaveApi(WorkspaceAPIView):
    """An end of one's own membership."""

    permissions = {"POST": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="workspaces_leave", request=None, responses={204: None})
    def post(self, request: Request, workspace_id: UUID) -> Response:
        """Leave the workspace that the session is in; who has no other gets one of their own."""
        if workspace_id != self.principal.workspace_id:
            raise NotFound
        teams.leave(principal=self.principal)
        return Response(status=204)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Give who has no workspace any more one of their own, outside of the one they left."""
        if response.status_code == 204:
            teams.home_ensure(self.principal.user_id, self.principal.email)
        return super().finalize_response(request, response, *args, **kwargs)


class EnterInputSerializer(serializers.Serializer[Any]):
    workspace = serializers.UUIDField()


class EnterApi(ApiView):
    """The workspace that a session works in."""

    permissions = {"POST": "self"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(
        operation_id="session_enter",
        request=EnterInputSerializer,
        responses=SessionOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Go on in another of one's workspaces."""
        wanted = _validated(EnterInputSerializer(data=request.data))["workspace"]
        account = account_by_id(_principal(request).user_id, wanted)
        if account is None or account.workspace_id != wanted:
            raise NotFound
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


class MemberInputSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=ROLES, help_text=_ROLE)


class MemberPagination(KeysetPagination):
    """Members, the first ones first."""

    ordering = ("created_at", "id")


class MemberListApi(WorkspaceAPIView, ListAPIView[Any]):
    """Who belongs to the workspace, and as what."""

    serializer_class = MemberOutputSerializer
    pagination_class = MemberPagination
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Any]:
        """Return the members with their users."""
        return selectors.member_list()


class MemberApi(WorkspaceAPIView):
    """One member."""

    permissions = {"PATCH": "manage", "DELETE": "manage"}  # noqa: RUF012 -- as the base declares it
    removed: Member | None = None

    @extend_schema(
        operation_id="members_change",
        request=MemberInputSerializer,
        responses=MemberOutputSerializer,
    )
    def patch(self, request: Request, member_id: UUID) -> Response:
        """Give a member another role; to hand a workspace over, make somebody an owner."""
        given = _validated(MemberInputSerializer(data=request.data))
        member = teams.member_change(
            principal=self.principal, member_id=member_id, role=given["role"]
        )
        return Response(MemberOutputSerializer(member).data)

    @extend_schema(operation_id="members_remove", request=None, responses={204: None})
    def delete(self, request: Request, member_id: UUID) -> Response:
        """Remove a member; what they made stays, their tokens end."""
        self.removed = teams.member_remove(principal=self.principal, member_id=member_id)
        return Response(status=204)

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
    link = serializers.CharField(help_text="The link; it is shown this once.")
    mailed = serializers.BooleanField(help_text="Whether a link goes to the address by mail.")


class InvitationInputSerializer(serializers.Serializer[Any]):
    role = serializers.ChoiceField(choices=ROLES, help_text=_ROLE)
    email = serializers.EmailField(required=False, max_length=254, allow_blank=True, default="")


class InvitationListApi(WorkspaceAPIView, ListAPIView[Any]):
    """Invitations to the workspace that nobody has taken yet."""

    permissions = {"GET": "manage", "POST": "manage"}  # noqa: RUF012 -- as the base declares it
    secret_fields = ("link",)
    serializer_class = InvitationOutputSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[Any]:
        """Return the open invitations."""
        return selectors.invitation_list()

    @extend_schema(
        operation_id="invitations_create",
        request=InvitationInputSerializer,
        responses={201: InvitationCreatedSerializer},
    )
    def post(self, request: Request) -> Response:
        """Invite somebody: the answer is the only place where the link can be read."""
        given = _validated(InvitationInputSerializer(data=request.data))
        invitation, secret = teams.invitation_create(principal=self.principal, **given)
        link = f"{settings.WEB_URL}/join#{secret}"
        added = {"link": link, "mailed": bool(invitation.email) and mail.is_on()}
        return Response({**InvitationOutputSerializer(invitation).data, **added}, status=201)


class InvitationApi(WorkspaceAPIView):
    """One invitation."""

    permissions = {"DELETE": "manage"}  # noqa: RUF012 -- as the base declares it

    @extend_schema(operation_id="invitations_revoke", request=None, responses={204: None})
    def delete(self, request: Request, invitation_id: UUID) -> Response:
        """Withdraw the invitation."""
        teams.invitation_revoke(principal=self.principal, invitation_id=invitation_id)
        return Response(status=204)


class JoinLookInputSerializer(serializers.Serializer[Any]):
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

    @extend_schema(
        operation_id="join_look",
        request=JoinLookInputSerializer,
        responses=JoinLookOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Say which workspace a link of invitation opens; 404 when it is no longer open."""
        given = _validated(JoinLookInputSerializer(data=request.data))
        return Response(JoinLookOutputSerializer(teams.invitation_get(given["token"])).data)


class JoinInputSerializer(JoinLookInputSerializer):
    """Signed in, the link alone; else an address and a password for a new account."""

    email = serializers.EmailField(required=False, max_length=254)
    password = serializers.CharField(required=False, max_length=200, trim_whitespace=False)


class JoinApi(ApiView):
    """Taking an invitation."""

    permission_classes = ()
    authentication_classes = (authentication.SessionAuthentication,)

    @extend_schema(
        operation_id="join", request=JoinInputSerializer, responses=SessionOutputSerializer
    )
    def post(self, request: Request) -> Response:
        """Become a member, and go on in that workspace; without a session, make an account."""
        given = _validated(JoinInputSerializer(data=request.data))
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
        if not (given.get("email") or teams.invitation_get(given["token"]).email):
            raise Invalid.at("/email", "Enter your e-mail address.", "missing")
        return teams.join_new(
            secret=given["token"], email=given.get("email", ""), password=given["password"]
        )


def _principal(request: Request) -> Principal:
    return cast("Principal", request.auth)


def _validated(serializer: serializers.Serializer[Any]) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    given: dict[str, Any] = serializer.validated_data
    return given
