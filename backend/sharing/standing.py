"""Where the workspace's studies stand: stale by newer prices, waiting for what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef
from rest_framework import serializers

from catalogue.selectors import entries_present
from catalogue.versions import is_dated
from common.api import WorkspaceAPIView
from common.operations import operation
from sharing.models import Approval, ApprovalRequest
from studies.models import Study
from studies.refilling import slugs_of, study_refilled
from studies.selectors import studies_open

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from catalogue.models import Entry

STUDIES_MOST = 200


def stale_by_prices() -> list[UUID]:
    """Return the studies that took prices, or a pack, of which the catalogue has others now.

    Of those that were changed last; one that is held at the prices of a day is none of them.
    """
    found = Study.objects.filter(faults_count=0, as_of="").order_by("-updated_at")
    studies = studies_open(found[:STUDIES_MOST])
    entries = entries_present(slugs_of(studies))
    return [study.id for study in studies if _is_stale(study, entries)]


def _is_stale(study: Study, entries: Mapping[str, Entry]) -> bool:
    changes = study_refilled(study, entries).changes()
    return any(
        change["entry"] == study.pack or is_dated(change["pointer"].rpartition("/")[2])
        for change in changes
    )


def asked_for() -> list[UUID]:
    """Return the studies whose approval was asked for, and that were not approved since."""
    since = Approval.objects.filter(
        study_id=OuterRef("study_id"), created_at__gte=OuterRef("created_at")
    )
    waiting = ApprovalRequest.objects.filter(~Exists(since))
    return list(waiting.order_by("study_id").values_list("study_id", flat=True).distinct())


class StandingSerializer(serializers.Serializer[Any]):
    stale = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="Studies that newer prices or a newer pack would change, of the last 200.",
    )
    asked = serializers.ListField(
        child=serializers.UUIDField(), help_text="Studies that wait for the approval asked for."
    )


class StandingApi(WorkspaceAPIView):
    """Where studies stand."""

    @operation("studies_standing", gives=StandingSerializer)
    def get(self, request: Request) -> Any:
        """Return which studies are stale by prices, and which wait for approval."""
        return {"stale": stale_by_prices(), "asked": asked_for()}
