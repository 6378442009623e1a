"""Addresses of imports: each view translates, a service decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from accounts.services import audit_record
from capmodels.imports.names import Names
from capmodels.imports.table import Dates
from capmodels.providers import PROVIDERS
from capmodels.written_numbers import MARKS_BY_NAME
from common.api import WorkspaceAPIView
from common.download import FileView, download
from common.errors import NotFound
from common.operations import creates, operation, starts
from common.pagination import NEWEST_JOB
from files.apis import NAME, REQUEST, UPLOAD, UploadListApi, received
from imports import selectors, serializers, services
from imports.fetching import LISTS
from imports.price_changes import price_changes, price_lists
from imports.work import QUOTE
from jobs.services import made_cancel, made_delete

if TYPE_CHECKING:
    from django.http import HttpResponse
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

DATES = OpenApiParameter(
    "dates",
    OpenApiTypes.STR,
    enum=get_args(Dates),
    description="Which number of a date such as 1/8/2026 is the day, where the file leaves it "
    "open: without it such a file is refused.",
)

NUMBERS = OpenApiParameter(
    "numbers",
    OpenApiTypes.STR,
    enum=tuple(MARKS_BY_NAME),
    description="Which sign stands before decimals in a number such as 1,234, where the file "
    "leaves it open: without it such a file is refused.",
)

KIND = OpenApiParameter(
    "kind",
    OpenApiTypes.STR,
    enum=(QUOTE,),
    description="That the file is a quote, where the heads of its columns do not say so: what each "
    "means is then said by `mapping`, and remembered for files with the same heads.",
)


class ImportListApi(UploadListApi):
    """The workspace's imports."""

    ordering = NEWEST_JOB

    @operation("imports_list", gives=serializers.ImportOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List imports, newest first."""
        return selectors.import_list()

    @starts(
        "imports_create",
        takes=REQUEST,
        gives=serializers.ImportDetailSerializer,
        parameters=[NAME, UPLOAD, NAMES, DATES, NUMBERS, KIND],
    )
    def post(self, request: Request) -> Any:
        """Upload a file, as a form or as the body; a worker finds out what it is and reads it."""
        sent = received(request)
        said = request.query_params
        row = services.import_create(
            file=sent.file,
            file_name=sent.name,
            names=said.get("names", "keep"),
            dates=said.get("dates", ""),
            numbers=said.get("numbers", ""),
            kind=said.get("kind", ""),
        )
        audit_record(self.principal, "import.create", target=row.file_name)
        return row


class ImportAgainApi(WorkspaceAPIView):
    """A file that was read before, by its bytes."""

    @starts(
        "imports_again",
        takes=serializers.KnownFileInputSerializer,
        gives=serializers.ImportDetailSerializer,
    )
    def post(self, request: Request) -> Any:
        """Import a file that was read here before without sending it; 404 where it was not."""
        said = self.given()
        row = services.import_again(
            sha256=said["sha256"],
            file_name=said["name"],
            names=said["names"],
            dates=said["dates"],
            numbers=said["numbers"],
        )
        audit_record(self.principal, "import.create", target=row.file_name)
        return row


class PriceListApi(WorkspaceAPIView):
    """Price lists as the providers publish them, and those that are kept."""

    @operation(
        "imports_prices",
        gives=serializers.KeptPriceListSerializer(many=True),
        parameters=[OpenApiParameter("provider", str, enum=list(PROVIDERS))],
    )
    def get(self, request: Request) -> Any:
        """List the price lists that were read and are kept, newest first."""
        return price_lists(request.query_params.get("provider", ""))

    @starts(
        "imports_fetch",
        takes=serializers.PriceListInputSerializer,
        gives=serializers.ImportDetailSerializer,
    )
    def post(self, request: Request) -> Any:
        """Fetch the price list of a region from its provider; it is then read as a file is."""
        row = services.import_fetch(**self.given())
        audit_record(self.principal, "import.create", target=row.file_name)
        return row


class PriceChangesApi(WorkspaceAPIView):
    """Two kept price lists beside each other."""

    @operation(
        "imports_price_changes",
        gives=serializers.PriceChangesSerializer,
        parameters=[
            OpenApiParameter(
                "before", OpenApiTypes.UUID, required=True, description="The list it is set beside."
            )
        ],
    )
    def get(self, request: Request, import_id: UUID) -> Any:
        """Return what is new, gone and changed since another list of the same provider."""
        try:
            before = UUID(request.query_params.get("before", ""))
        except ValueError as exc:
            raise NotFound from exc
        return price_changes(before, import_id)


class ImportFormatsApi(WorkspaceAPIView):
    """What files are taken."""

    @operation("imports_formats", gives=serializers.ImportFormatsSerializer)
    def get(self, request: Request) -> Any:
        """Return every kind of file that can be imported."""
        from capmodels.imports import registry

        return {
            "sentence": registry.accepted(),
            "formats": registry.importers(),
            "price_lists": LISTS.values(),
            "providers": PROVIDERS.values(),
        }


class ImportSampleApi(FileView):
    """A small file of a kind that can be imported."""

    @operation("imports_sample", gives={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, format_id: str) -> HttpResponse:
        """Return a small file of the kind, to import for a try."""
        from capmodels.imports import registry

        try:
            name, content = registry.importer_of(format_id).sample_file()
        except KeyError as exc:
            raise NotFound from exc
        return download(content, name, "application/octet-stream")


class ImportApi(WorkspaceAPIView):
    """One import."""

    @operation("imports_get", gives=serializers.ImportDetailSerializer)
    def get(self, request: Request, import_id: UUID) -> Any:
        """Return what the file says."""
        return selectors.import_get(import_id)

    @operation("imports_delete")
    def delete(self, request: Request, import_id: UUID) -> None:
        """Remove an import. What a study took from it stays."""
        row = selectors.import_get(import_id)
        audit_record(self.principal, "import.delete", target=row.file_name)
        made_delete(row)


class ImportMonthsApi(WorkspaceAPIView):
    """A bill by its months."""

    @operation("imports_months", gives=serializers.ImportMonthsSerializer)
    def get(self, request: Request, import_id: UUID) -> Any:
        """Return what a bill cost month by month, as a forecast takes it."""
        _name, months, values = selectors.import_months(import_id)
        return {"months": months, "values": values}


class ImportCancelApi(WorkspaceAPIView):
    """Stops the reading of a file."""

    @operation("imports_cancel", gives=serializers.ImportDetailSerializer)
    def post(self, request: Request, import_id: UUID) -> Any:
        """Ask for the reading to stop."""
        return made_cancel(selectors.import_get(import_id))


class ImportDraftApi(WorkspaceAPIView):
    """What accepting an import would write."""

    @operation(
        "imports_draft",
        takes=serializers.ImportOptionsInputSerializer,
        gives=serializers.ImportDraftSerializer,
    )
    def post(self, request: Request, import_id: UUID) -> Any:
        """Return what a study, or the catalogue, would take; nothing is written."""
        drafted = services.import_draft(selectors.import_get(import_id), self.given())
        return Response(services.drafted_document(drafted))


class ImportAcceptApi(WorkspaceAPIView):
    """Writes an import into a study."""

    @creates(
        "imports_accept",
        takes=serializers.ImportAcceptInputSerializer,
        gives=serializers.ImportAcceptedSerializer,
    )
    def post(self, request: Request, import_id: UUID) -> Any:
        """Make a new study of it, or replace the baseline of one; of a quote, a catalogue entry.

        It can be undone as a whole.
        """
        fields = self.given()
        row = selectors.import_get(import_id, lock=True)
        made = services.import_accept(
            row,
            fields,
            principal=self.principal,
            title=fields["title"].strip(),
            study_id=fields.get("study_id"),
        )
        audit_record(self.principal, "import.accept", target=made.title)
        return made


class ImportDifferencesApi(WorkspaceAPIView):
    """A bill beside a design."""

    @operation("imports_differences", gives=serializers.ImportTableSerializer, parameters=[LETTER])
    def get(self, request: Request, import_id: UUID) -> Any:
        """Explain the difference between a bill and a design of its study, line by line."""
        row = selectors.import_get(import_id)
        return Response(services.import_explain(row, request.query_params.get("letter", "T")))


class ImportUndoApi(WorkspaceAPIView):
    """Takes an import out of its study."""

    @operation("imports_undo", gives=serializers.ImportDetailSerializer)
    def post(self, request: Request, import_id: UUID) -> Any:
        """Restore what the study was; refused when it was changed since."""
        row = selectors.import_get(import_id, lock=True)
        services.import_undo(row, principal=self.principal)
        audit_record(self.principal, "import.undo", target=row.file_name)
        return row
