"""Addresses of what a study's design really cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from capmodels.plans.figures.actuals import paid_so_far
from common.api import WorkspaceAPIView
from common.operations import operation
from common.schema_models import shaped
from common.serializers import NumbersField, NumbersReadField, StrictSerializer
from sharing import actuals
from studies.answers import study_seen
from studies.selectors import study_get

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

CSV_LETTERS_MOST = 500_000


class ActualRowSerializer(StrictSerializer):
    month = serializers.CharField(max_length=7, help_text="As 2026-03.")
    cause = serializers.CharField(
        max_length=40, allow_blank=True, default="", help_text="Of the plan; empty: in all."
    )
    cost_usd = serializers.FloatField(
        allow_null=True, default=None, help_text="What the month cost; null where unknown. [USD]"
    )
    energy_kwh = serializers.FloatField(
        allow_null=True, default=None, help_text="What it used; null where unknown. [kWh]"
    )


class ActualsInputSerializer(StrictSerializer):
    letter = serializers.CharField(
        max_length=1, required=False, allow_blank=True, help_text="Empty: the approved winner."
    )
    starts_on = serializers.CharField(
        max_length=7, required=False, allow_null=True, help_text="The plan's first month, 2026-01."
    )
    rows = ActualRowSerializer(many=True, required=False)
    csv = serializers.CharField(
        max_length=CSV_LETTERS_MOST,
        required=False,
        trim_whitespace=False,
        help_text="Instead of rows: month,cause,cost_usd,energy_kwh.",
    )
    numbers = NumbersField()
    bill = serializers.UUIDField(
        required=False, help_text="Instead of rows: an import whose months are put among them."
    )


class ActualBillSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    file_name = serializers.CharField()
    months = serializers.ListField(child=serializers.CharField())


class ActualMonthSerializer(serializers.Serializer[Any]):
    month = serializers.CharField()
    planned_usd = serializers.FloatField()
    actual_usd = serializers.FloatField(allow_null=True)
    difference_usd = serializers.FloatField(allow_null=True)
    planned_kwh = serializers.FloatField(allow_null=True)
    actual_kwh = serializers.FloatField(allow_null=True)
    planned_so_far_usd = serializers.FloatField()
    p10_so_far_usd = serializers.FloatField(allow_null=True)
    p90_so_far_usd = serializers.FloatField(allow_null=True)
    actual_so_far_usd = serializers.FloatField(allow_null=True)
    is_within = serializers.BooleanField(allow_null=True)


class ActualDifferenceSerializer(serializers.Serializer[Any]):
    months_count = serializers.IntegerField()
    planned = serializers.FloatField()
    actual = serializers.FloatField()
    difference = serializers.FloatField()
    difference_fraction = serializers.FloatField(allow_null=True)


class ActualOfferSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField()
    field = serializers.CharField()
    unit = serializers.CharField()
    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ActualCauseSerializer(ActualDifferenceSerializer):
    cause = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name
    offer = ActualOfferSerializer(
        allow_null=True, help_text="The range of a field, if all of the difference were its."
    )


class ActualKnownCauseSerializer(serializers.Serializer[Any]):
    cause = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name


class ActualDesignSerializer(serializers.Serializer[Any]):
    letter = serializers.CharField()
    title = serializers.CharField()


class ActualComparisonSerializer(serializers.Serializer[Any]):
    letter = serializers.CharField()
    title = serializers.CharField()
    starts_on = serializers.CharField()
    sentence = serializers.CharField()
    months = ActualMonthSerializer(many=True)
    total = ActualDifferenceSerializer()
    energy = ActualDifferenceSerializer()
    causes = ActualCauseSerializer(many=True)
    known_causes = ActualKnownCauseSerializer(many=True, help_text="Those a row may name.")
    designs = ActualDesignSerializer(many=True, help_text="Those of the approved version.")
    figure = serializers.SerializerMethodField(help_text="What a chart draws.")

    @extend_schema_field(shaped("Figure"))
    def get_figure(self, found: dict[str, Any]) -> dict[str, Any]:
        """Plan and actual cost so far, by month."""
        return paid_so_far(found).model_dump(mode="json")


class ActualsOutputSerializer(serializers.Serializer[Any]):
    letter = serializers.CharField(source="actuals.letter")
    starts_on = serializers.CharField(source="actuals.starts_on", allow_null=True)
    rows = ActualRowSerializer(source="actuals.rows", many=True)
    approved = serializers.CharField(
        source="approval.name", default=None, allow_null=True, help_text="The version's name."
    )
    comparison = ActualComparisonSerializer(allow_null=True)
    reason = serializers.CharField(help_text="Why there is no comparison.")
    bills = ActualBillSerializer(many=True, help_text="Read bills whose months may be put in.")
    numbers_read = NumbersReadField()


class ActualRangeInputSerializer(StrictSerializer):
    cause = serializers.CharField(max_length=40)


class ActualsApi(WorkspaceAPIView):
    """What a study's design really cost, beside the version that was approved last."""

    @operation("actuals_get", gives=ActualsOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """Return what was entered, and the differences by month, in total and by cause."""
        return actuals.actuals_held(study_get(study_id))

    @operation("actuals_put", takes=ActualsInputSerializer, gives=ActualsOutputSerializer)
    def put(self, request: Request, study_id: UUID) -> Any:
        """Enter what happened, in place of what was entered before.

        409 while no version of the study is approved.
        """
        study = study_get(study_id)
        given = self.given()
        return actuals.actuals_put(principal=self.principal, study=study, given=given)


class ActualsRangeApi(WorkspaceAPIView):
    """Ranges that come of what happened."""

    @operation("actuals_range", takes=ActualRangeInputSerializer, gives=ActualsOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Give the study the range that a cause offers; 409 when it offers none."""
        given = self.given()
        study = study_seen(request, study_id)
        actuals.range_take(principal=self.principal, study=study, cause=given["cause"])
        return actuals.actuals_held(study)
