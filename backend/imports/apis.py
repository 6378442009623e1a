"""Addresses of imports: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, get_args
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from accounts.services import audit_record
from capmodels.imports.names import Names
from common.api import WorkspaceAPIView
from common.errors import NotFound
from common.pagination import KeysetPagination
from files.apis import NAME, REQUEST, UPLOAD, UploadListApi, received
from imports import selectors, serializers, services
from imports.price_changes import price_changes, price_lists

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request


LETTER = OpenApiParameter(
    "letter", OpenApiTypes.STR, description="Of the design; T, the baseline, without it."
)
NAMES = OpenApiParameter(
    "names",
    OpenApiTypes.STR,
    enum=get_args(Names),
    description="Names of people and things, such as tags, accounts and ids of commitments: kept, "
    "hashed (one name has one hash in all imports of the workspace), or left out.",
)


class ImportPagination(KeysetPagination):
    """Imports, newest first."""

    ordering = ("-created_at", "-job_id")


class ImportListApi(UploadListApi):
    """The workspace's imports."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("name", "upload", "names")}
    serializer_class = serializers.ImportOutputSerializer
    pagination_class = ImportPagination

    def get_queryset(self) -> Any:
        """Return the imports."""
        if getattr(self, "swagger_fake_view", False):
            return None
        return selectors.import_list()

    @extend_schema(operation_id="imports_list")
    def get(self, request: Request) -> Response:
        """List imports, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="imports_create",
        parameters=[NAME, UPLOAD, NAMES],
        request=REQUEST,
        responses={202: serializers.ImportDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        sent = received(request)
        names = request.query_params.get("names", "keep")
        row = services.import_create(file=sent.file, file_name=sent.name, names=names)
        audit_record(self.principal, "import.create", target=row.file_name)
        return Response(serializers.ImportDetailSerializer(row).data, status=202)


class ImportAgainApi(WorkspaceAPIView):
    """A file that was read before, by its bytes."""

    @extend_schema(
        operation_id="imports_again",
        request=serializers.KnownFileInputSerializer,
        responses={202: serializers.ImportDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Import a file that was read here before without sending it; 404 where it was not."""
        given = serializers.KnownFileInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        said = given.validated_data
        row = services.import_again(
            sha256=said["sha256"], file_name=said["name"], names=said["names"]
        )
        audit_record(self.principal, "import.create", target=row.file_name)
        return Response(serializers.ImportDetailSerializer(row).data, status=202)


class PriceListApi(WorkspaceAPIView):
    """Price lists as the providers publish them, and those that are kept."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("provider",)}

    @extend_schema(
        operation_id="imports_prices",
        parameters=[OpenApiParameter("provider", str, description="As aws, azure or gcp.")],
        responses=serializers.KeptPriceListSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List the price lists that were read and are kept, newest first."""
        found = price_lists(request.query_params.get("provider", ""))
        return Response(serializers.KeptPriceListSerializer(found, many=True).data)

    @extend_schema(
        operation_id="imports_fetch",
        request=serializers.PriceListInputSerializer,
        responses={202: serializers.ImportDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Fetch the price list of a region from its provider; it is then read as a file is."""
        given = serializers.PriceListInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = services.import_fetch(**given.validated_data)
        audit_record(self.principal, "import.create", target=row.file_name)
        return Response(serializers.ImportDetailSerializer(row).data, status=202)


class PriceChangesApi(WorkspaceAPIView):
    """Two kept price lists beside each other."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("before",)}

    @extend_schema(
        operation_id="imports_price_changes",
        parameters=[
            OpenApiParameter(
                "before", OpenApiTypes.UUID, required=True, description="The list it is set beside."
            )
        ],
        responses=serializers.PriceChangesSerializer,
    )
    def get(self, request: Request, import_id: UUID) -> Response:
        """Return what is new, gone and changed since another list of the same provider."""
        try:
            before = UUID(request.query_params.get("before", ""))
        except ValueError as exc:
            raise NotFound from exc
        found = price_changes(before, import_id)
        return Response(serializers.PriceChangesSerializer(found).data)


class ImportFormatsApi(WorkspaceAPIView):
    """What files are taken."""

    @extend_schema(operation_id="imports_formats", responses=serializers.ImportFormatsSerializer)
    def get(self, request: Request) -> Response:
        """Return every kind of file that can be imported."""
        from capmodels.imports import registry

        known = {"sentence": registry.accepted(), "formats": registry.importers()}
        return Response(serializers.ImportFormatsSerializer(known).data)


class ImportApi(WorkspaceAPIView):
    """One import."""

    @extend_schema(operation_id="imports_get", responses=serializers.ImportDetailSerializer)
    def get(self, request: Request, import_id: UUID) -> Response:
        """Return what the file says."""
        row = selectors.import_get(import_id)
        return Response(serializers.ImportDetailSerializer(row).data)

    @extend_schema(operation_id="imports_delete", responses={204: None})
    def delete(self, request: Request, import_id: UUID) -> Response:
        """Remove an import. What a study took from it stays."""
        row = selectors.import_get(import_id)
        audit_record(self.principal, "import.delete", target=row.file_name)
        services.import_delete(row)
        return Response(status=204)


class ImportMonthsApi(WorkspaceAPIView):
    """A bill by its months."""

    @extend_schema(operation_id="imports_months", responses=serializers.ImportMonthsSerializer)
    def get(self, request: Request, import_id: UUID) -> Response:
        """Return what a bill cost month by month, as a forecast takes it."""
        _name, months, values = selectors.import_months(import_id)
        found = {"months": months, "values": values}
        return Response(serializers.ImportMonthsSerializer(found).data)


class ImportCancelApi(WorkspaceAPIView):
    """Stops the reading of a file."""

    @extend_schema(
        operation_id="imports_cancel", request=None, responses=serializers.ImportDetailSerializer
    )
    def post(self, request: Request, import_id: UUID) -> Response:
        """Ask for the reading to stop."""
        row = services.import_cancel(selectors.import_get(import_id))
        return Response(serializers.ImportDetailSerializer(row).data)


class ImportDraftApi(WorkspaceAPIView):
    """What accepting an import would write."""

    @extend_schema(
        operation_id="imports_draft",
        request=serializers.ImportOptionsInputSerializer,
        responses=serializers.ImportDraftSerializer,
    )
    def post(self, request: Request, import_id: UUID) -> Response:
        """Return what a study, or the catalogue, would take; nothing is written."""
        given = serializers.ImportOptionsInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = selectors.import_get(import_id)
        drafted = services.import_draft(row, given.validated_data)
        return Response(services.drafted_document(drafted))


class ImportAcceptApi(WorkspaceAPIView):
    """Writes an import into a study."""

    @extend_schema(
        operation_id="imports_accept",
        request=serializers.ImportAcceptInputSerializer,
        responses={201: serializers.ImportAcceptedSerializer},
    )
    def post(self, request: Request, import_id: UUID) -> Response:
        """Make a new study of it, or replace the baseline of one; of a quote, a catalogue entry.

        It can be undone as a whole.
        """
        given = serializers.ImportAcceptInputSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        fields = given.validated_data
        row = selectors.import_get(import_id, lock=True)
        made = services.import_accept(
            row,
            fields,
            principal=self.principal,
            title=fields["title"].strip(),
            study_id=fields.get("study_id"),
        )
        audit_record(self.principal, "import.accept", target=made.title)
        return Response(serializers.ImportAcceptedSerializer(made).data, status=201)


class ImportDifferencesApi(WorkspaceAPIView):
    """A bill beside a design."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("letter",)}

    @extend_schema(
        operation_id="imports_differences",
        parameters=[LETTER],
        responses=serializers.ImportTableSerializer,
    )
    def get(self, request: Request, import_id: UUID) -> Response:
        """Explain the difference between a bill and a design of its study, line by line."""
        row = selectors.import_get(import_id)
        return Response(services.import_explain(row, request.query_params.get("letter", "T")))


class ImportUndoApi(WorkspaceAPIView):
    """Takes an import out of its study."""

    @extend_schema(
        operation_id="imports_undo", request=None, responses=serializers.ImportDetailSerializer
    )
    def post(self, request: Request, import_id: UUID) -> Response:
        """Restore what the study was; refused when it was changed since."""
        row = selectors.import_get(import_id, lock=True)
        services.import_undo(row, principal=self.principal)
        audit_record(self.principal, "import.undo", target=row.file_name)
        return Response(serializers.ImportDetailSerializer(row).data)
