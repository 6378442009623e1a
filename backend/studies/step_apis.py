"""Addresses of a study's undo and redo, of its newest prices, and of the tags of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from common.api import WorkspaceAPIView
from studies import selectors, serializers, services
from studies.answers import study_response
from studies.noting import note_change

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request


class StudyTagListApi(WorkspaceAPIView):
    """The tags of the workspace's studies."""

    @extend_schema(operation_id="studies_tags", responses=serializers.StudyTagSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the tags in order of the alphabet."""
        counts = selectors.tag_counts()
        return Response([{"tag": tag, "studies_count": count} for tag, count in counts.items()])


class StudyUndoApi(WorkspaceAPIView):
    """The last edit of a study, taken back."""

    @extend_schema(
        operation_id="studies_undo",
        request=None,
        responses=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Undo the last edit of the study or of its designs; 409 when there is none."""
        study = selectors.study_get(study_id, lock=True)
        checked = services.study_step(study, -1)
        note_change(request, study)
        return study_response(study, checked)


class StudyRedoApi(WorkspaceAPIView):
    """An edit that was undone, made again."""

    @extend_schema(
        operation_id="studies_redo",
        request=None,
        responses=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Make the edit again that was undone last; 409 when there is none."""
        study = selectors.study_get(study_id, lock=True)
        checked = services.study_step(study, +1)
        note_change(request, study)
        return study_response(study, checked)


class StudyPricesApi(WorkspaceAPIView):
    """The catalogue's present values, in the places of a study that took older ones."""

    @extend_schema(operation_id="studies_prices_newer", responses=serializers.StudyPricesSerializer)
    def get(self, request: Request, study_id: UUID) -> Response:
        """Say which values these are, whether the study is complete or not; nothing is taken."""
        return Response(selectors.prices_newer(selectors.study_get(study_id)))

    @extend_schema(
        operation_id="studies_prices",
        request=None,
        responses=serializers.StudyOutputSerializer,
    )
    def post(self, request: Request, study_id: UUID) -> Response:
        """Take the catalogue's present values; what was typed stays; 409 when it has them."""
        study = selectors.study_get(study_id, lock=True)
        checked = services.study_refill(study)
        note_change(request, study)
        return study_response(study, checked)
