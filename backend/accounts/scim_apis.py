"""The addresses of SCIM 2.0 (RFC 7644), which describe themselves, and roles of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import ProvisionedGroup
from common.api import ApiView, ListApi, WorkspaceAPIView
from common.errors import NotFound
from common.operations import Parameter, operation
from common.parsers import OrjsonParser
from common.principal import ROLES
from common.renderers import OrjsonRenderer
from common.serializers import StrictSerializer
from common.tenancy import workspace

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

SCIM = "application/scim+json"
# A group of 10,000 members, each with id, name and reference.
BODY_BYTES_MAX = 4_000_000


class ScimParser(OrjsonParser):
    """JSON under the name that SCIM has for it."""

    media_type = SCIM


class ScimRenderer(OrjsonRenderer):
    """JSON under the name that SCIM has for it."""

    media_type = SCIM
    format = "scim"


class _ScimApi(ApiView):
    """Asks for a token of its own, and says what is wrong in SCIM's form. Loads SCIM when asked."""

    may = "provision"
    schema = None
    parser_classes = (ScimParser, OrjsonParser)
    renderer_classes = (ScimRenderer, OrjsonRenderer)
    body_bytes_max = BODY_BYTES_MAX

    def query_known(self, _method: str) -> dict[str, Parameter]:
        """Pass over what SCIM does not know, as it asks for."""
        return dict.fromkeys(self.request.query_params, Parameter())

    def handle_exception(self, exc: Exception) -> Response:
        """Return an error as RFC 7644, 3.12 has it."""
        from pydantic import ValidationError
        from scim2_models import Error, SCIMException

        if isinstance(exc, SCIMException):
            error = exc.to_error()
        elif isinstance(exc, ValidationError):
            error = Error.from_validation_errors(exc)[0]
        else:
            response = super().handle_exception(exc)
            problem: Any = response.data
            error = Error(status=response.status_code, detail=problem["detail"])
            response.data = error.model_dump()
            response.content_type = SCIM
            return response
        response = Response(error.model_dump(), status=error.status or 400)
        response.exception = True
        return response


class ScimDiscoveryApi(_ScimApi):
    """What the service says of itself."""

    what: ClassVar[str] = ""

    def get(self, request: Request, name: str = "") -> Response:
        """Say what there is, or one thing of it."""
        from accounts import scim, scim_resources

        base = f"{settings.WEB_URL}{scim.BASE}"
        if (found := scim_resources.discovered(self.what, name, base)) is None:
            raise NotFound
        return Response(found)


class ScimListApi(_ScimApi):
    """The users or the groups of the workspace."""

    kind: ClassVar[str] = ""

    def get(self, request: Request) -> Response:
        """List them, by ``filter``, ``startIndex`` and ``count``."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            return Response(scim.listed(self.kind, request.query_params.dict()))

    def post(self, request: Request) -> Response:
        """Take in a new one."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            made = scim.created(self.kind, request.data, self.principal)
        return Response(made, status=201, headers={"Location": made["meta"]["location"]})


class ScimSearchApi(_ScimApi):
    """A list whose filter is sent in the body, where no log of addresses keeps it."""

    kind: ClassVar[str] = ""

    def post(self, request: Request) -> Response:
        """List those that the filter lets through."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            return Response(scim.listed(self.kind, request.data))


class ScimOneApi(_ScimApi):
    """A user or a group of the workspace."""

    kind: ClassVar[str] = ""

    def get(self, request: Request, scim_id: UUID) -> Response:
        """Return it."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            return Response(scim.retrieved(self.kind, scim_id, request.query_params.dict()))

    def put(self, request: Request, scim_id: UUID) -> Response:
        """Take what is sent in place of it."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            found = scim.replaced(self.kind, scim_id, request.data, self.principal)
        return Response(found)

    def patch(self, request: Request, scim_id: UUID) -> Response:
        """Change what is named."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            found = scim.patched(self.kind, scim_id, request.data, self.principal)
        return Response(found)

    def delete(self, request: Request, scim_id: UUID) -> Response:
        """Forget it: who it was is no member any more."""
        from accounts import scim

        with workspace(self.principal.workspace_id):
            scim.deleted(self.kind, scim_id, self.principal)
        return Response(status=204)


class ScimUnknownApi(_ScimApi):
    """Whatever SCIM has besides: bulk, searches among all kinds, oneself."""

    def get(self, request: Request, rest: str) -> Response:
        """Say that there is nothing here."""
        raise NotFound

    put = patch = delete = get

    def post(self, request: Request, rest: str) -> Response:
        """Say that this is not done here."""
        from scim2_models import NotImplementedException

        raise NotImplementedException


class ProvisionedGroupOutputSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    display_name = serializers.CharField(help_text="As the identity provider calls it.")
    role = serializers.ChoiceField(
        choices=ROLES,
        allow_blank=True,
        help_text="What its members are here; empty: it gives none.",
    )


class ProvisionedGroupInputSerializer(StrictSerializer):
    role = serializers.ChoiceField(
        choices=ROLES, allow_blank=True, help_text="What its members are to be; empty: nothing."
    )


class ProvisionedGroupListApi(ListApi):
    """Groups that an identity provider told of, by SCIM."""

    may = "manage"
    ordering = ("display_name", "id")

    @operation("member_groups_list", gives=ProvisionedGroupOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the groups that an identity provider told of, and the role that each gives."""
        return ProvisionedGroup.objects.order_by("display_name", "id")


class ProvisionedGroupApi(WorkspaceAPIView):
    """One group that an identity provider told of."""

    may = "manage"

    @operation(
        "member_groups_change",
        takes=ProvisionedGroupInputSerializer,
        gives=ProvisionedGroupOutputSerializer,
    )
    def patch(self, request: Request, group_id: UUID) -> Any:
        """Choose the role that a group gives; those who are in it have it at once."""
        from accounts import scim

        return scim.group_role(principal=self.principal, group_id=group_id, **self.given())
