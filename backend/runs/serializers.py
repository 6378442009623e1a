"""What the addresses of runs and models take and give."""

from __future__ import annotations

from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from capmodels.cases import cases_of, start_of
from capmodels.plans.sliders import Ranges
from common.schema_models import shaped
from common.serializers import StrictSerializer
from jobs.models import Job
from jobs.serializers import JobStateSerializer
from studies.serializers import DocumentField, RangesLeftOfChangeField

STATES = list(Job.State.values)
_PARAMS = (
    "Input of the model; its JSON schema is `params_schema` of `/api/v1/models/{model}`. "
    "Pointers of errors are relative to it."
)
FIGURES = r"^[A-HT]?-[A-HT]?$"
FIGURES_WANTED = "Enter two letters from A to H, as in A-D; T is what runs today."
FIGURES_HELP = (
    "The letters of the two designs that charts hold against each other, as in `A-D`, where "
    "`drawn` is included. A letter left out is that of the design most worth it."
)
SUMMARY = "A comparison in a few kB: verdict, costs, odds, causes, energy, carbon, warnings."
RESULT = (
    "What the model found; its JSON schema is `result_schema` of `/api/v1/models/{model}`. Of a "
    "comparison only with parts of it in `include`, and then without the others."
)
DRAWN = "`pair`, the two designs that are compared, and `figures`; only where it is included."
_CHECK_VALUE: dict[str, Any] = {
    "type": ["number", "boolean", "string"],
    "nullable": True,
}


class EvaluateInputSerializer(StrictSerializer):
    model = serializers.CharField(max_length=100, default="plans.compare")
    params = DocumentField(of="ModelParams", required=False, help_text=_PARAMS)
    draws_count = serializers.IntegerField(
        min_value=0, required=False, help_text="Instead of the number in the params."
    )
    study = serializers.UUIDField(
        required=False,
        help_text="Without params: the study as saved. With params equal to what is saved: "
        "its card keeps the verdict.",
    )
    moves = serializers.DictField(
        child=serializers.FloatField(),
        required=False,
        help_text="Inputs of `plans.compare` to move first: the new value of each, by pointer with "
        "designs by letter. An input of an unknown moves it wherever it stands.",
    )
    before = DocumentField(
        of="StudySpec",
        required=False,
        help_text="Params of before a change: ranges that no longer fit what it changed are told "
        "as `ranges_left`.",
    )
    ranges = serializers.ChoiceField(
        get_args(Ranges),
        required=False,
        help_text="What becomes of the ranges of what is moved: dropped (the default), moved along "
        "by the same ratio, or kept.",
    )


class EvaluateOutputSerializer(serializers.Serializer[Any]):
    model = serializers.CharField()
    version = serializers.CharField()
    inputs_hash = serializers.CharField()
    summary = DocumentField(of="Summary", required=False, help_text=SUMMARY)
    result = DocumentField(of="ModelResult", required=False, help_text=RESULT)
    drawn = DocumentField(of="Drawn", required=False, help_text=DRAWN)
    moved = DocumentField(
        required=False,
        help_text="What `moves` changed in the params, by pointer; only where they are given.",
    )
    ranges_left = RangesLeftOfChangeField(required=False)


class RunCreateInputSerializer(StrictSerializer):
    study = serializers.UUIDField(required=False, help_text="Compare a study as it is saved.")
    model = serializers.CharField(max_length=100, required=False)
    params = DocumentField(of="ModelParams", required=False, help_text=_PARAMS)
    seed = serializers.IntegerField(min_value=0, max_value=2**53 - 1, required=False)


class FirstOfBurstSerializer(serializers.Serializer[Any]):
    """The first of the runs that one burst of editing made."""

    id = serializers.UUIDField()
    submitted_at = serializers.DateTimeField()
    model_version = serializers.CharField()
    winner = serializers.CharField()
    cost_usd = serializers.FloatField(allow_null=True)
    odds = serializers.DictField(child=serializers.FloatField(), allow_null=True)


class BurstSerializer(serializers.Serializer[Any]):
    """The runs that one burst of editing made, of which a folded list shows the last."""

    runs_count = serializers.IntegerField()
    first = FirstOfBurstSerializer()


class RunOutputSerializer(JobStateSerializer):
    """A run and the state of its job, without inputs and result."""

    id = serializers.UUIDField(source="job_id")
    model = serializers.CharField(source="model_id")
    model_version = serializers.CharField()
    study = serializers.UUIDField(source="study_id", allow_null=True)
    inputs_hash = serializers.CharField()
    seed = serializers.IntegerField()
    snapshot = serializers.CharField()
    reused = serializers.SerializerMethodField()
    reused_from = serializers.UUIDField(source="reused_from_id", allow_null=True)
    again_of = serializers.UUIDField(source="again_of_id", allow_null=True)
    winner = serializers.CharField()
    cost_usd = serializers.FloatField(allow_null=True)
    headline = serializers.CharField()
    odds = serializers.DictField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Share of the simulations in which each design is cheapest, by its letter; "
        "null without simulations.",
    )
    moved_count = serializers.IntegerField(
        allow_null=True, help_text="Figures that differ from the run that this computed again."
    )
    moved_fraction = serializers.FloatField(
        allow_null=True, help_text="The largest relative change among them."
    )

    burst = serializers.SerializerMethodField(
        help_text="Of the last run of a burst of editing, in a folded list; else null."
    )

    @extend_schema_field(BurstSerializer(allow_null=True))
    def get_burst(self, run: Any) -> Any:
        """Tell of the runs of its burst that a folded list leaves out."""
        return getattr(run, "burst", None)  # as the database puts it together, 200 a page

    @extend_schema_field(bool)
    def get_reused(self, run: Any) -> bool:
        """Say whether an earlier run answered this one."""
        return run.reused_from_id is not None


class RunDetailOutputSerializer(RunOutputSerializer):
    """A run with its frozen inputs."""

    params = DocumentField(of="ModelParams")
    params_version = serializers.IntegerField()


class RunResultOutputSerializer(serializers.Serializer[Any]):
    model = serializers.CharField()
    version = serializers.CharField()
    inputs_hash = serializers.CharField()
    summary = DocumentField(of="Summary", required=False, help_text=SUMMARY)
    result = DocumentField(of="ModelResult", required=False, help_text=RESULT)
    drawn = DocumentField(of="Drawn", required=False, help_text=DRAWN)


class MovedFigureSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    relative_fraction = serializers.FloatField(
        allow_null=True, help_text="(after - before) / |before|, for numbers."
    )


class RunCompareOutputSerializer(serializers.Serializer[Any]):
    """Which figures of two results differ."""

    before = serializers.UUIDField()
    before_version = serializers.CharField()
    after = serializers.UUIDField()
    after_version = serializers.CharField()
    same = serializers.BooleanField()
    moved_count = serializers.IntegerField()
    largest_relative_fraction = serializers.FloatField(allow_null=True)
    moved = MovedFigureSerializer(many=True)


class CitationSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    url = serializers.CharField(allow_null=True)
    section = serializers.CharField(allow_null=True)


class FormulaSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    symbols = serializers.DictField(child=serializers.CharField())


class ModelOutputSerializer(serializers.Serializer[Any]):
    """A published relation as code."""

    id = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    family = serializers.CharField()
    version = serializers.CharField()
    params_version = serializers.IntegerField()
    instant = serializers.BooleanField()
    stochastic = serializers.BooleanField()
    citations = CitationSerializer(many=True)
    checks_count = serializers.SerializerMethodField()

    @extend_schema_field(int)
    def get_checks_count(self, spec: Any) -> int:
        """Count the published checks."""
        return len(spec.checks)


class CaseSerializer(serializers.Serializer[Any]):
    """The input behind a published figure, whole."""

    check = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    params = DocumentField(of="ModelParams")


class ModelDetailOutputSerializer(ModelOutputSerializer):
    """A model with its schemas and formulas, and inputs to begin with."""

    start = serializers.SerializerMethodField()
    start_source = serializers.CharField(help_text="Where the values to begin with are from.")
    cases = serializers.SerializerMethodField()
    formulas = FormulaSerializer(many=True)
    limits = serializers.ListField(child=serializers.CharField())
    params_schema = serializers.SerializerMethodField()
    result_schema = serializers.SerializerMethodField()

    @extend_schema_field(
        shaped(
            "ModelParams",
            nullable=True,
            description="A whole input that the model answers: its defaults, else its first case.",
        )
    )
    def get_start(self, spec: Any) -> Any:
        """Return an input to begin with, null where the planner has to write one."""
        return start_of(spec)

    @extend_schema_field(CaseSerializer(many=True))
    def get_cases(self, spec: Any) -> Any:
        """Return the inputs of the published checks that carry theirs."""
        return cases_of(spec)

    @extend_schema_field(serializers.DictField(help_text="JSON schema with units and sources."))
    def get_params_schema(self, _spec: Any) -> Any:
        """Return the JSON schema of the input."""
        return self.context["params_schema"]

    @extend_schema_field(serializers.DictField(help_text="JSON schema with units."))
    def get_result_schema(self, _spec: Any) -> Any:
        """Return the JSON schema of the output."""
        return self.context["result_schema"]


@extend_schema_field(_CHECK_VALUE)
class CheckValueField(serializers.JSONField):
    """A number, yes or no, or a word."""


class CheckOutputSerializer(serializers.Serializer[Any]):
    """A figure of a paper, ours beside it."""

    model = serializers.CharField()
    check = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    basis = serializers.ChoiceField(choices=["published", "derived", "regression"])
    published = CheckValueField()
    printed = serializers.CharField(allow_null=True)
    ours = CheckValueField(allow_null=True)
    tolerance = serializers.FloatField()
    unit = serializers.CharField()
    ok = serializers.BooleanField()
    note = serializers.CharField(allow_null=True)
    measured = serializers.CharField(
        allow_null=True,
        help_text="The day of ours, of a check whose data are not shipped; else it is of now.",
    )
