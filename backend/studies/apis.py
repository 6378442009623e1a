"""Addresses of studies and designs: each view translates, a service decides."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, ClassVar, cast, get_args

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.response import Response

from accounts.services import audit_record
from capmodels.plans.sliders import Ranges
from common.api import ListApi, WorkspaceAPIView
from common.asked import asked_id, asked_yes_or_no
from common.described import IF_MATCH
from common.download import FileView, download
from common.errors import BadRequest
from common.etags import merged_parts, revised
from common.operations import creates, operation
from common.pagination import KeysetPagination
from common.parsers import DOCUMENT_BYTES_MAX, BodyParser, body_of
from studies import exchange, selectors, serializers, services
from studies.answers import (
    design_response,
    design_seen,
    study_body,
    study_response,
    study_seen,
)
from studies.documents import differences
from studies.noting import note_change, note_design
from studies.proposals.beside import parts_of_designs
from studies.proposals.explored import explored
from studies.proposals.limits import NONE, Limits
from studies.proposals.propose import Option, document_of, propose
from studies.proposals.templates import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from django.http import HttpResponse
    from rest_framework.request import Request


IMPORT_BYTES_MAX = 1_000_000
_MEDIA = {"yaml": "application/yaml", "json": "application/json"}
_RANGES = OpenApiParameter(
    "ranges",
    str,
    enum=get_args(Ranges),
    default="keep",
    description="What becomes of ranges that no longer fit the values that are sent: they are told "
    "as `ranges_left` either way.",
)
_AS = OpenApiParameter("as", str, enum=sorted(_MEDIA), default="yaml")
_AGAINST = OpenApiParameter(
    "against", OpenApiTypes.UUID, required=True, description="Id of a named version or a design."
)


def _choice(request: Request) -> Ranges:
    return cast("Ranges", request.query_params.get("ranges") or "keep")


class FileParser(BodyParser):
    """The body as it came, whatever its type."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the bytes."""
        return body_of(stream, parser_context)


class StudyPagination(KeysetPagination):
    """Studies by last change, by title, by cost."""

    orders: ClassVar[dict[str, tuple[str, ...]]] = {
        "-updated_at": ("-updated_at", "-id"),
        "updated_at": ("updated_at", "id"),
        "title": ("title", "id"),
        "-title": ("-title", "-id"),
        "cost_usd": ("cost_order", "id"),
        "-cost_usd": ("-cost_least", "-id"),
    }

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the columns to sort by."""
        return self.orders[request.query_params.get("sort") or "-updated_at"]


class StudyListApi(ListApi):
    """The workspace's studies."""

    body_bytes_max = DOCUMENT_BYTES_MAX
    pagination_class = StudyPagination

    @operation(
        "studies_list",
        gives=serializers.StudyCardSerializer(many=True),
        parameters=[
            OpenApiParameter("q", str, description="Part of the title."),
            OpenApiParameter("sort", str, enum=list(StudyPagination.orders)),
            OpenApiParameter("tag", str, description="Only studies with this tag."),
            OpenApiParameter("examples", bool, description="Only examples, or none of them."),
        ],
    )
    def get(self, request: Request) -> Any:
        """List the studies as cards, last changed first."""
        asked = request.query_params
        rows = selectors.study_list(
            text=asked.get("q", ""),
            tag=asked.get("tag", ""),
            examples=asked_yes_or_no(asked, "examples"),
        )
        return self.page_of(rows, selectors.study_cards)

    @creates(
        "studies_create",
        takes=serializers.StudyCreateInputSerializer,
        gives=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request) -> Any:
        """Create a study; its documents may be incomplete drafts."""
        study = services.study_create(**self.given())
        audit_record(self.principal, "study.create", target=study.title)
        return study_response(study, status=201)


class StudyProposeApi(WorkspaceAPIView):
    """Designs proposed for some work; nothing is stored."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation(
        "studies_propose",
        takes=serializers.StudyProposeInputSerializer,
        gives=serializers.StudyProposeOutputSerializer,
        may="evaluate",
    )
    def post(self, request: Request) -> Any:
        """Propose a design for each option, sized, and priced from the catalogue."""
        fields = self.given()
        proposal = propose(
            workload=fields["workload"],
            workload_provenance=fields.get("workload_provenance", {}),
            assumptions=fields.get("assumptions", {}),
            baseline=fields.get("baseline"),
            options=[Option(**option) for option in fields["options"]],
            currency=fields["currency"],
        )
        return Response({**proposal, "document": document_of(proposal)})


class StudyTemplateListApi(WorkspaceAPIView):
    """Kinds of work to begin a study with."""

    @operation("studies_templates", gives=serializers.StudyTemplateSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the kinds of work."""
        return Response(
            [
                {
                    "slug": template.slug,
                    "title": template.title,
                    "about": template.about,
                    "workload": template.workload(),
                    "shape": template.shape or "",
                }
                for template in TEMPLATES
            ]
        )


class StudyApi(WorkspaceAPIView):
    """One study."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation("studies_get", gives=serializers.StudyOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return the study with its designs and the faults of its drafts."""
        return study_response(selectors.study_get(study_id))

    @operation(
        "studies_update",
        takes=serializers.StudyUpdateInputSerializer,
        gives=serializers.StudyOutputSerializer,
        parameters=[IF_MATCH, _RANGES],
    )
    def patch(self, request: Request, study_id: UUID) -> Any:
        """Merge into the draft (RFC 7396); what is wrong with it comes back as ``faults``."""
        study = study_seen(request, study_id)
        return self._saved(request, study, merged_parts(study, self.given()))

    @operation(
        "studies_replace",
        takes=serializers.StudyUpdateInputSerializer,
        gives=serializers.StudyOutputSerializer,
        parameters=[IF_MATCH, _RANGES],
    )
    def put(self, request: Request, study_id: UUID) -> Any:
        """Replace each part that is named; what is wrong with it comes back as ``faults``."""
        return self._saved(request, study_seen(request, study_id), self.given())

    def _saved(self, request: Request, study: Any, changes: dict[str, Any]) -> Any:
        checked, left = services.ranges_fit(
            study, lambda: services.study_update(study, changes), _choice(request)
        )
        note_change(request, study)
        return study_response(study, checked, left=left)

    @operation("studies_delete", parameters=[IF_MATCH])
    def delete(self, request: Request, study_id: UUID) -> None:
        """Delete the study with all that belongs to it."""
        study = study_seen(request, study_id)
        audit_record(self.principal, "study.delete", target=study.title)
        services.study_delete(study)


class StudyDocumentApi(WorkspaceAPIView):
    """A study as the plan takes it."""

    @operation("studies_document", gives=serializers.StudyDocumentOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return the params that ``evaluate`` and ``runs`` take for this study."""
        return Response(selectors.study_document(selectors.study_get(study_id)))


class StudyCopyApi(WorkspaceAPIView):
    """A study once more."""

    @creates("studies_copy", gives=serializers.StudyOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Copy the study with its designs."""
        study = services.study_copy(selectors.study_get(study_id))
        audit_record(self.principal, "study.create", target=study.title)
        return study_response(study, status=201)


class BaselineCsvApi(WorkspaceAPIView):
    """What runs today, as a pasted table."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation(
        "studies_baseline_csv",
        takes=serializers.BaselineCsvInputSerializer,
        gives=serializers.BaselineReadSerializer,
        parameters=[IF_MATCH],
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Replace the lines of the baseline by those of a table."""
        study = study_seen(request, study_id)
        given = self.given()
        text, numbers = given["csv"], given.get("numbers", "")
        notes: list[str] = []
        checked, left = services.ranges_fit(
            study, lambda: services.baseline_paste(study, notes, text=text, numbers=numbers)
        )
        note_change(request, study)
        return revised(study, {**study_body(study, checked, left), "numbers_read": notes})


class StudyExportApi(FileView):
    """A study as a file."""

    @operation(
        "studies_export",
        gives={(200, media): OpenApiTypes.BINARY for media in _MEDIA.values()},
        parameters=[_AS],
    )
    def get(self, request: Request, study_id: UUID) -> HttpResponse:
        """Return the whole study as one YAML or JSON file that can be imported again."""
        wanted = request.query_params.get("as") or "yaml"
        study = selectors.study_get(study_id)
        audit_record(self.principal, "study.export", target=study.title)
        as_: exchange.Format = "json" if wanted == "json" else "yaml"
        body = exchange.dump(services.study_export(study), as_)
        return download(body, f"{study.slug}.{wanted}", _MEDIA[wanted])


class StudyImportApi(FileView):
    """A study from a file."""

    body_bytes_max = IMPORT_BYTES_MAX
    parser_classes = (FileParser,)

    @creates(
        "studies_import",
        takes=dict.fromkeys(_MEDIA.values(), OpenApiTypes.BINARY),
        gives=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request) -> Any:
        """Create the study that the body, a file made by ``export``, holds."""
        if (request.content_type or "").startswith("multipart/"):
            raise BadRequest("Send the file as the body, not as a form.")
        text = cast("bytes", request.data or b"")
        study = services.study_import(exchange.read(text))
        audit_record(self.principal, "study.import", target=study.title)
        return study_response(study, status=201)


class DesignListApi(WorkspaceAPIView):
    """The designs of a study."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation("studies_designs", gives=serializers.DesignOutputSerializer(many=True))
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the study's designs in their order."""
        return Response(study_body(selectors.study_get(study_id))["designs"])

    @creates(
        "designs_create",
        takes=serializers.DesignCreateInputSerializer,
        gives=serializers.DesignOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Add a design under the next free letter, at most eight."""
        study = study_seen(request, study_id)
        design, checked = services.design_create(study, self.given())
        note_design(request, "design.create", design)
        return design_response(design, checked, status=201)


class DesignProposeApi(WorkspaceAPIView):
    """A design proposed for a study's work."""

    @creates(
        "designs_propose",
        takes=serializers.ProposalOptionSerializer,
        gives=serializers.DesignOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Add a design of an option for the study's work, as a new study would have it."""
        study = study_seen(request, study_id)
        design, checked = services.design_propose(study, Option(**self.given()))
        note_design(request, "design.create", design)
        return design_response(design, checked, status=201)


class StudyExploreApi(WorkspaceAPIView):
    """The designs of the whole catalogue for a study's work."""

    @operation("studies_searched", gives=serializers.SearchedOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return how far the designs are from the best that the last search found.

        Empty where the study has changed since, or nobody has searched.
        """
        return Response(selectors.study_searched(selectors.study_get(study_id)))

    @operation(
        "studies_explore",
        takes=serializers.ExploreInputSerializer,
        gives=serializers.ExploreOutputSerializer,
        may="evaluate",
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Search the catalogue: the best designs of each kind, and those that none beats.

        How far the study's designs are from them is kept with the study until it changes.
        """
        study = selectors.study_get(study_id)
        fields = self.given()
        limits = Limits.of(fields["limits"])
        found = explored(
            workload=study.workload,
            assumptions=study.assumptions,
            designs=parts_of_designs(study),
            measures=fields["measures"],
            region=fields["region"],
            baseline=study.baseline,
            limits=limits,
        )
        if not fields["region"] and limits == NONE:
            services.study_search_keep(study, found)
        return Response(found)


class DesignExploredApi(WorkspaceAPIView):
    """A design that a search of the catalogue found."""

    @creates(
        "designs_explored",
        takes=serializers.ExploredKeySerializer,
        gives=serializers.DesignOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Add a design that a search found, by its key, complete as a proposed one."""
        study = study_seen(request, study_id)
        design, checked = services.design_add_explored(study, **self.given())
        note_design(request, "design.create", design)
        return design_response(design, checked, status=201)


class AllDesignsApi(ListApi):
    """The designs of all studies."""

    ordering = ("-updated_at", "-id")

    @operation(
        "designs_list",
        gives=serializers.DesignHeadSerializer(many=True),
        parameters=[
            OpenApiParameter("study", OpenApiTypes.UUID, description="Only of this study.")
        ],
    )
    def get(self, request: Request) -> Any:
        """List designs by their heads, last changed first."""
        asked = request.query_params
        given = "study" in asked
        which = asked_id(asked, "study", "Enter the id of a study.") if given else None
        return selectors.design_heads(which)


class DesignApi(WorkspaceAPIView):
    """One design."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation("designs_get", gives=serializers.DesignOutputSerializer)
    def get(self, request: Request, design_id: UUID) -> Any:
        """Return the design with the faults of its draft."""
        return design_response(selectors.design_get(design_id))

    @operation(
        "designs_update",
        takes=serializers.DesignUpdateInputSerializer,
        gives=serializers.DesignOutputSerializer,
        parameters=[IF_MATCH, _RANGES],
    )
    def patch(self, request: Request, design_id: UUID) -> Any:
        """Merge into the draft (RFC 7396); what is wrong with it comes back as ``faults``."""
        design = design_seen(request, design_id)
        return self._saved(request, design, merged_parts(design, self.given()))

    @operation(
        "designs_replace",
        takes=serializers.DesignUpdateInputSerializer,
        gives=serializers.DesignOutputSerializer,
        parameters=[IF_MATCH, _RANGES],
    )
    def put(self, request: Request, design_id: UUID) -> Any:
        """Replace each part that is named; what is wrong with it comes back as ``faults``."""
        return self._saved(request, design_seen(request, design_id), self.given())

    def _saved(self, request: Request, design: Any, changes: dict[str, Any]) -> Any:
        checked, left = services.ranges_fit(
            design.study, lambda: services.design_update(design, changes), _choice(request)
        )
        note_change(request, design.study)
        return design_response(design, checked, left=left)

    @operation("designs_delete", parameters=[IF_MATCH])
    def delete(self, request: Request, design_id: UUID) -> None:
        """Remove the design; the others keep their letters."""
        design = design_seen(request, design_id)
        note_design(request, "design.delete", design)
        services.design_delete(design)


class DesignCopyApi(WorkspaceAPIView):
    """A design once more."""

    @creates("designs_copy", gives=serializers.DesignOutputSerializer)
    def post(self, request: Request, design_id: UUID) -> Any:
        """Copy the design within its study."""
        design = selectors.design_get(design_id, lock=True)
        copy, checked = services.design_copy(design)
        note_design(request, "design.create", copy)
        return design_response(copy, checked, status=201)


class DesignVersionListApi(WorkspaceAPIView):
    """Named versions of a design."""

    @operation("designs_versions", gives=serializers.VersionOutputSerializer(many=True))
    def get(self, request: Request, design_id: UUID) -> Any:
        """List the design's named versions, oldest first."""
        return selectors.version_list(selectors.design_get(design_id))

    @creates(
        "designs_versions_create",
        takes=serializers.VersionCreateInputSerializer,
        gives=serializers.VersionOutputSerializer,
    )
    def post(self, request: Request, design_id: UUID) -> Any:
        """Give the design's present state a name."""
        design = selectors.design_get(design_id, lock=True)
        version = services.version_create(design, **self.given())
        note_design(request, "design.version", design)
        return version


class DesignDiffApi(WorkspaceAPIView):
    """What changed between two designs."""

    @operation("designs_diff", gives=serializers.DesignDiffOutputSerializer, parameters=[_AGAINST])
    def get(self, request: Request, design_id: UUID) -> Any:
        """Return what leads from a named version, or another design, to this one."""
        design = selectors.design_get(design_id)
        other = selectors.version_or_design_get(
            asked_id(
                request.query_params,
                "against",
                "Enter the id of a named version or of a design.",
            )
        )
        changes = differences(selectors.comparable(other), selectors.comparable(design))
        title = getattr(other, "name", other.title)
        return Response({"against": other.id, "against_title": title, "differences": changes})
