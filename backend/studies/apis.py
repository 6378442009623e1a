"""Addresses of studies and designs: each view translates, a service decides."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.response import Response

from accounts.services import audit_record
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.etags import require_match
from common.pagination import KeysetPagination
from common.parsers import DOCUMENT_BYTES_MAX, body_of
from studies import exchange, selectors, serializers, services
from studies.answers import (
    current_design,
    design_response,
    principal,
    study_body,
    study_response,
    uuid,
    yes_or_no,
)
from studies.documents import differences
from studies.noting import note_change, note_design
from studies.proposals.propose import Option, document_of, propose
from studies.proposals.templates import TEMPLATES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request


IMPORT_BYTES_MAX = 1_000_000
_MEDIA = {"yaml": "application/yaml", "json": "application/json"}
_IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, description="ETag of the revision that was edited."
)
_AS = OpenApiParameter("as", str, enum=sorted(_MEDIA), default="yaml")
_AGAINST = OpenApiParameter(
    "against", OpenApiTypes.UUID, required=True, description="Id of a named version or a design."
)


class AnyAccept(BaseContentNegotiation):
    """For files: whatever the client accepts, it gets the file."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """Return the view's parser."""
        return parsers[0]

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        """Return the view's renderer, for errors."""
        return renderers[0], renderers[0].media_type


class FileParser(BaseParser):
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
        "-cost_usd": ("-cost_order", "-id"),
    }

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the columns to sort by; raise Invalid for an order that there is not."""
        wanted = request.query_params.get("sort", "-updated_at")
        if wanted not in self.orders:
            raise Invalid.at("/sort", f"Choose one of {', '.join(self.orders)}.", "not_a_choice")
        return self.orders[wanted]


class StudyListApi(WorkspaceAPIView, ListAPIView[Any]):
    """The workspace's studies."""

    body_bytes_max = DOCUMENT_BYTES_MAX
    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("q", "sort", "tag", "examples")}
    serializer_class = serializers.StudyCardSerializer
    pagination_class = StudyPagination
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the cards, searched by title."""
        if getattr(self, "swagger_fake_view", False):
            return None
        asked = self.request.query_params
        return selectors.study_list(
            text=asked.get("q", ""),
            tag=asked.get("tag", ""),
            examples=yes_or_no(asked.get("examples"), "examples"),
        )

    @extend_schema(
        operation_id="studies_list",
        parameters=[
            OpenApiParameter("q", str, description="Part of the title."),
            OpenApiParameter("sort", str, enum=list(StudyPagination.orders)),
            OpenApiParameter("tag", str, description="Only studies with this tag."),
            OpenApiParameter("examples", bool, description="Only examples, or none of them."),
        ],
    )
    def get(self, request: Request) -> Response:
        """List the studies as cards, last changed first."""
        rows = self.paginate_queryset(self.get_queryset()) or []
        return self.get_paginated_response(selectors.study_cards(rows))

    @extend_schema(
        operation_id="studies_create",
        request=serializers.StudyCreateInputSerializer,
        responses={201: serializers.StudyOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a study; its documents may be incomplete drafts."""
        fields = serializers.validated(serializers.StudyCreateInputSerializer(data=request.data))
        study = services.study_create(**fields)
        audit_record(principal(request), "study.create", target=study.title)
        return study_response(study, status=201)


class StudyProposeApi(WorkspaceAPIView):
    """Designs proposed for some work; nothing is stored."""

    permissions: ClassVar[Mapping[str, str]] = {"POST": "evaluate"}
    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(
        operation_id="studies_propose",
        request=serializers.StudyProposeInputSerializer,
        responses=serializers.StudyProposeOutputSerializer,
    )
    def post(self, request: Request) -> Response:
        """Propose a design for each option, sized, and priced from the catalogue."""
        fields = serializers.validated(serializers.StudyProposeInputSerializer(data=request.data))
        proposal = propose(
            workload=fields["workload"],
            workload_provenance=fields.get("workload_provenance", {}),
            assumptions=fields.get("assumptions", {}),
            options=[Option(**option) for option in fields["options"]],
            currency=fields["currency"],
        )
        return Response({**proposal, "document": document_of(proposal)})


class StudyTemplateListApi(WorkspaceAPIView):
    """Kinds of work to begin a study with."""

    @extend_schema(
        operation_id="studies_templates",
        responses=serializers.StudyTemplateSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """List the kinds of work."""
        return Response(
            [
                {
                    "slug": template.slug,
                    "title": template.title,
                    "about": template.about,
                    "workload": template.workload(),
                }
                for template in TEMPLATES
            ]
        )


class StudyApi(WorkspaceAPIView):
    """One study."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(operation_id="studies_get", responses=serializers.StudyOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Response:
        """Return the study with its designs and the faults of its drafts."""
        return study_response(selectors.study_get(study_id))

    @extend_schema(
        operation_id="studies_update",
        parameters=[_IF_MATCH],
        request=serializers.StudyUpdateInputSerializer,
        responses=serializers.StudyOutputSerializer,
    )
    def patch(self, request: Request, study_id: UUID) -> Response:
        """Save a draft; what is wrong with it comes back as ``faults``."""
        study = selectors.study_get(study_id, lock=True)
        require_match(request, study.revision, lambda: study_body(study))
        changes = serializers.validated(serializers.StudyUpdateInputSerializer(data=request.data))
        checked = services.study_update(study, changes)
        note_change(request, study)
        return study_response(study, checked)

    @extend_schema(
        operation_id="studies_delete", parameters=[_IF_MATCH], request=None, responses={204: None}
    )
    def delete(self, request: Request, study_id: UUID) -> Response:
        """Delete the study with all that belongs to it."""
        study = selectors.study_get(study_id, lock=True)
        require_match(request, study.revision, lambda: study_body(study))
        audit_record(principal(request), "study.delete", target=study.title)
        services.study_delete(study)
        return Response(status=204)


class StudyDocumentApi(WorkspaceAPIView):
    """A study as the plan takes it."""

    @extend_schema(
        operation_id="studies_document", responses=serializers.StudyDocumentOutputSerializer
    )
    def get(self, request: Request, study_id: UUID) -> Response:
        """Return the params that ``evaluate`` and ``runs`` take for this study."""
        return Response(selectors.study_document(selectors.study_get(study_id)))


class StudyCopyApi(WorkspaceAPIView):
    """A study once more."""

    @extend_schema(
        operation_id="studies_copy",
        request=None,
        responses={201: serializers.StudyOutputSerializer},
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Copy the study with its designs."""
        study = services.study_copy(selectors.study_get(study_id))
        audit_record(principal(request), "study.create", target=study.title)
        return study_response(study, status=201)


class BaselineCsvApi(WorkspaceAPIView):
    """What runs today, as a pasted table."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(
        operation_id="studies_baseline_csv",
        parameters=[_IF_MATCH],
        request=serializers.BaselineCsvInputSerializer,
        responses=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Replace the lines of the baseline by those of a table."""
        study = selectors.study_get(study_id, lock=True)
        require_match(request, study.revision, lambda: study_body(study))
        given = serializers.validated(serializers.BaselineCsvInputSerializer(data=request.data))
        checked = services.baseline_paste(study, text=given["csv"])
        note_change(request, study)
        return study_response(study, checked)


class StudyExportApi(WorkspaceAPIView):
    """A study as a file."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("as",)}
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="studies_export",
        parameters=[_AS],
        responses={(200, media): OpenApiTypes.BINARY for media in _MEDIA.values()},
    )
    def get(self, request: Request, study_id: UUID) -> HttpResponse:
        """Return the whole study as one YAML or JSON file that can be imported again."""
        wanted = request.query_params.get("as", "yaml")
        if wanted not in _MEDIA:
            raise Invalid.at("/as", "Choose yaml or json.", "not_a_choice")
        study = selectors.study_get(study_id)
        audit_record(principal(request), "study.export", target=study.title)
        as_: exchange.Format = "json" if wanted == "json" else "yaml"
        body = exchange.dump(services.study_export(study), as_)
        name = f'attachment; filename="{study.slug}.{wanted}"'
        return HttpResponse(
            body, content_type=_MEDIA[wanted], headers={"Content-Disposition": name}
        )


class StudyImportApi(WorkspaceAPIView):
    """A study from a file."""

    body_bytes_max = IMPORT_BYTES_MAX
    parser_classes = (FileParser,)
    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="studies_import",
        request=dict.fromkeys(_MEDIA.values(), OpenApiTypes.BINARY),
        responses={201: serializers.StudyOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create the study that the body, a file made by ``export``, holds."""
        text = cast("bytes", request.data or b"")
        study = services.study_import(exchange.read(text))
        audit_record(principal(request), "study.import", target=study.title)
        return study_response(study, status=201)


class DesignListApi(WorkspaceAPIView):
    """The designs of a study."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(
        operation_id="studies_designs", responses=serializers.DesignOutputSerializer(many=True)
    )
    def get(self, request: Request, study_id: UUID) -> Response:
        """List the study's designs in their order."""
        return Response(study_body(selectors.study_get(study_id))["designs"])

    @extend_schema(
        operation_id="designs_create",
        request=serializers.DesignCreateInputSerializer,
        responses={201: serializers.DesignOutputSerializer},
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Add a design under the next free letter, at most eight."""
        study = selectors.study_get(study_id, lock=True)
        fields = serializers.validated(serializers.DesignCreateInputSerializer(data=request.data))
        design, checked = services.design_create(study, fields)
        note_design(request, "design.create", design)
        return design_response(design, checked, status=201)


class DesignProposeApi(WorkspaceAPIView):
    """A design proposed for a study's work."""

    @extend_schema(
        operation_id="designs_propose",
        request=serializers.ProposalOptionSerializer,
        responses={201: serializers.DesignOutputSerializer},
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Add a design of an option for the study's work, as a new study would have it."""
        study = selectors.study_get(study_id, lock=True)
        fields = serializers.validated(serializers.ProposalOptionSerializer(data=request.data))
        design, checked = services.design_propose(study, Option(**fields))
        note_design(request, "design.create", design)
        return design_response(design, checked, status=201)


class DesignPagination(KeysetPagination):
    """Last changed first."""

    ordering = ("-updated_at", "-id")


class AllDesignsApi(WorkspaceAPIView, ListAPIView[Any]):
    """The designs of all studies."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("study",)}
    serializer_class = serializers.DesignHeadSerializer
    pagination_class = DesignPagination
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the designs, or those of ``?study=``."""
        if getattr(self, "swagger_fake_view", False):
            return None
        asked = self.request.query_params.get("study")
        return selectors.design_heads(None if asked is None else uuid(asked, "study"))

    @extend_schema(
        operation_id="designs_list",
        parameters=[
            OpenApiParameter("study", OpenApiTypes.UUID, description="Only of this study.")
        ],
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List designs by their heads, last changed first."""
        return super().get(request, *args, **kwargs)


class DesignApi(WorkspaceAPIView):
    """One design."""

    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(operation_id="designs_get", responses=serializers.DesignOutputSerializer)
    def get(self, request: Request, design_id: UUID) -> Response:
        """Return the design with the faults of its draft."""
        return design_response(selectors.design_get(design_id))

    @extend_schema(
        operation_id="designs_update",
        parameters=[_IF_MATCH],
        request=serializers.DesignUpdateInputSerializer,
        responses=serializers.DesignOutputSerializer,
    )
    def patch(self, request: Request, design_id: UUID) -> Response:
        """Save a draft; what is wrong with it comes back as ``faults``."""
        design = selectors.design_get(design_id, lock=True)
        require_match(request, design.revision, current_design(design))
        changes = serializers.validated(serializers.DesignUpdateInputSerializer(data=request.data))
        checked = services.design_update(design, changes)
        note_change(request, design.study)
        return design_response(design, checked)

    @extend_schema(
        operation_id="designs_delete", parameters=[_IF_MATCH], request=None, responses={204: None}
    )
    def delete(self, request: Request, design_id: UUID) -> Response:
        """Remove the design; the others keep their letters."""
        design = selectors.design_get(design_id, lock=True)
        require_match(request, design.revision, current_design(design))
        note_design(request, "design.delete", design)
        services.design_delete(design)
        return Response(status=204)


class DesignCopyApi(WorkspaceAPIView):
    """A design once more."""

    @extend_schema(
        operation_id="designs_copy",
        request=None,
        responses={201: serializers.DesignOutputSerializer},
    )
    def post(self, request: Request, design_id: UUID) -> Response:
        """Copy the design within its study."""
        design = selectors.design_get(design_id, lock=True)
        copy, checked = services.design_copy(design)
        note_design(request, "design.create", copy)
        return design_response(copy, checked, status=201)


class DesignVersionListApi(WorkspaceAPIView):
    """Named versions of a design."""

    @extend_schema(
        operation_id="designs_versions", responses=serializers.VersionOutputSerializer(many=True)
    )
    def get(self, request: Request, design_id: UUID) -> Response:
        """List the design's named versions, oldest first."""
        versions = selectors.version_list(selectors.design_get(design_id))
        return Response(serializers.VersionOutputSerializer(versions, many=True).data)

    @extend_schema(
        operation_id="designs_versions_create",
        request=serializers.VersionCreateInputSerializer,
        responses={201: serializers.VersionOutputSerializer},
    )
    def post(self, request: Request, design_id: UUID) -> Response:
        """Give the design's present state a name."""
        design = selectors.design_get(design_id, lock=True)
        fields = serializers.validated(serializers.VersionCreateInputSerializer(data=request.data))
        version = services.version_create(design, **fields)
        note_design(request, "design.version", design)
        return Response(serializers.VersionOutputSerializer(version).data, status=201)


class DesignDiffApi(WorkspaceAPIView):
    """What changed between two designs."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("against",)}

    @extend_schema(
        operation_id="designs_diff",
        parameters=[_AGAINST],
        responses=serializers.DesignDiffOutputSerializer,
    )
    def get(self, request: Request, design_id: UUID) -> Response:
        """Return what leads from a named version, or another design, to this one."""
        design = selectors.design_get(design_id)
        other = selectors.version_or_design_get(
            uuid(request.query_params.get("against", ""), "against")
        )
        changes = differences(selectors.comparable(other), selectors.comparable(design))
        title = getattr(other, "name", other.title)
        return Response({"against": other.id, "against_title": title, "differences": changes})
