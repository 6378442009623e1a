"""Addresses of a study's undo and redo, of its newest prices, and of the tags of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.response import Response

from common.api import WorkspaceAPIView
from common.operations import operation
from studies import selectors, serializers, services
from studies.answers import study_response, study_seen
from studies.noting import note_change

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from rest_framework.request import Request

    from studies.checking import Checked
    from studies.models import Study


class StudyTagListApi(WorkspaceAPIView):
    """The tags of the workspace's studies."""

    @operation("studies_tags", gives=serializers.StudyTagSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the tags in order of the alphabet."""
        counts = selectors.tag_counts()
        return Response([{"tag": tag, "studies_count": count} for tag, count in counts.items()])


class StudyUndoApi(WorkspaceAPIView):
    """The last edit of a study, taken back."""

    @operation("studies_undo", gives=serializers.StudyOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Undo the last edit of the study or of its designs; 409 when there is none."""
        return _changed(request, study_id, lambda study: services.study_step(study, -1))


class StudyRedoApi(WorkspaceAPIView):
    """An edit that was undone, made again."""

    @operation("studies_redo", gives=serializers.StudyOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Make the edit again that was undone last; 409 when there is none."""
        return _changed(request, study_id, lambda study: services.study_step(study, +1))


class StudyPricesApi(WorkspaceAPIView):
    """The catalogue's present values, in the places of a study that took older ones."""

    @operation("studies_prices_newer", gives=serializers.StudyPricesSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """Say which values these are, whether the study is complete or not; nothing is taken."""
        return Response(selectors.prices_newer(selectors.study_get(study_id)))

    @operation("studies_prices", gives=serializers.StudyOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Take the catalogue's present values; what was typed stays; 409 when it has them."""
        return _changed(request, study_id, services.study_refill)


def _changed(request: Request, study_id: UUID, change: Callable[[Study], Checked]) -> Response:
    study = study_seen(request, study_id)
    checked, left = services.ranges_fit(study, lambda: change(study))
    note_change(request, study)
    return study_response(study, checked, left=left)
