"""Addresses of what the newest prices and the plan of today would move."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from accounts.services import audit_record
from catalogue.packs import pack_get
from common.api import WorkspaceAPIView
from common.errors import Invalid
from common.operations import operation, starts
from jobs.serializers import JobStateSerializer
from jobs.services import made_cancel
from runs import outlooks
from studies.packs import left_places, pack_refilled
from studies.refilling import study_as_of
from studies.selectors import study_get
from studies.serializers import NewerValueSerializer

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from studies.models import Study
    from studies.refilling import StudyRefill

_LISTED = 10


class OutlookChangeSerializer(NewerValueSerializer):
    """A value that would move, in words."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    unit = serializers.CharField(help_text="Of its values; blank of what is no number.")


class OutlookCurrencySerializer(serializers.Serializer[Any]):
    """The currency that a study is read in."""

    code = serializers.CharField()
    per_usd = serializers.FloatField(help_text="How much of it one US dollar is.")


class StudyOutlookSerializer(serializers.Serializer[Any]):
    """What would move one study."""

    study = serializers.UUIDField()
    title = serializers.CharField()
    currency = OutlookCurrencySerializer(
        required=False,
        help_text="That the study's amounts are read in; here they are US dollars. Not of looks "
        "that were kept by an earlier release.",
    )
    moved = serializers.BooleanField()
    cost_usd = serializers.FloatField(allow_null=True, help_text="As saved, by today's plan.")
    winner = serializers.CharField()
    new_cost_usd = serializers.FloatField(allow_null=True, help_text="At the newest prices.")
    new_winner = serializers.CharField()
    new_headline = serializers.CharField(help_text="What a new run would say.")
    error = serializers.CharField(help_text="Why it has no answer at the newest prices.")
    prices_usd = serializers.FloatField(allow_null=True, help_text="What the prices move.")
    prices_fraction = serializers.FloatField(allow_null=True)
    model_usd = serializers.FloatField(
        allow_null=True,
        help_text="What the plan's version moves of the latest kept run; null where that is of "
        "today's version.",
    )
    model_version = serializers.CharField(help_text="Of that run, where it is an earlier one.")
    prices_count = serializers.IntegerField(help_text="Values that the catalogue has newer.")
    gone_count = serializers.IntegerField(help_text="Values that the catalogue has no more.")
    simulations_count = serializers.IntegerField(
        default=0, help_text="That costs are the mean of; 0 where they are as entered."
    )
    changes = OutlookChangeSerializer(many=True, help_text="The first of these values.")


class OutlookOutputSerializer(JobStateSerializer):
    id = serializers.UUIDField(source="job_id")
    snapshot = serializers.CharField()
    studies_count = serializers.IntegerField()
    moved_count = serializers.IntegerField(allow_null=True)


class OutlookDetailSerializer(OutlookOutputSerializer):
    rows = StudyOutlookSerializer(many=True, allow_null=True)


class OutlookListApi(WorkspaceAPIView):
    """What was looked at."""

    @operation("outlooks_list", gives=OutlookOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List the latest, without what each study would do."""
        return outlooks.outlook_list()[:_LISTED]

    @starts("outlooks_create", gives=OutlookOutputSerializer, may="run")
    def post(self, request: Request) -> Any:
        """Have workers find out which studies would move; 409 while they are at it."""
        outlook = outlooks.outlook_start()
        audit_record(self.principal, "run.outlook", target=outlook.snapshot)
        return outlook


class OutlookApi(WorkspaceAPIView):
    """Which studies would move, and by how much."""

    @operation("outlooks_get", gives=OutlookDetailSerializer)
    def get(self, request: Request, outlook_id: UUID) -> Any:
        """Return every study that was looked at, what moves most first."""
        return outlooks.outlook_get(outlook_id)


class OutlookCancelApi(WorkspaceAPIView):
    """The end of a look before its time."""

    @starts("outlooks_cancel", gives=OutlookOutputSerializer, may="run")
    def post(self, request: Request, outlook_id: UUID) -> Any:
        """Ask for it to stop; 409 when it has ended already."""
        return made_cancel(outlooks.outlook_get(outlook_id))


class StudyOutlookApi(WorkspaceAPIView):
    """Whether one study is as new as prices and plan are."""

    @operation(
        "studies_outlook",
        gives=StudyOutlookSerializer,
        parameters=[
            OpenApiParameter("as_of", OpenApiTypes.DATE, description="The prices of this day."),
            OpenApiParameter("pack", str, description="This pack of assumptions."),
        ],
    )
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return what the newest prices and today's plan would move of it, and a new run say.

        With a day or a pack, what these would move.
        """
        study = study_get(study_id)
        return outlooks.study_outlook(study, _asked(study, request))


def _asked(study: Study, request: Request) -> StudyRefill | None:
    """What somebody asks the outlook of; None for the newest prices."""
    if slug := request.query_params.get("pack"):
        entry = pack_get(slug)
        return pack_refilled(study, entry, left_places(study, entry))
    text = request.query_params.get("as_of")
    if not text:
        return None
    try:
        return study_as_of(study, date.fromisoformat(text).isoformat())
    except ValueError as exc:
        raise Invalid.at("/as_of", "Enter a day, such as 2027-03-31.", "invalid") from exc
