"""What the addresses of runs and models take and give."""

from __future__ import annotations

from typing import Any, get_args

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from capmodels.cases import cases_of, start_of
from capmodels.papers import checks_in, models_in, papers_behind, papers_of
from capmodels.plans.sliders import Ranges
from capmodels.spec import Basis, Kind, Outcome
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
AGAINST = OpenApiParameter(
    "against", OpenApiTypes.UUID, required=True, description="The id of the run to compare with."
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
    seed = serializers.IntegerField(
        min_value=0,
        max_value=2**53 - 1,
        required=False,
        help_text="Seed of a model's simulations: the same seed, the same answer. Not with a study "
        "alone, which has its own.",
    )


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


_PAPERS = (
    "Ids of the papers of *Method* that it rests on, by its source or by the models named there."
)
_MODELS = "Ids of other models that the source names."


class CitationSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    url = serializers.CharField(allow_null=True)
    section = serializers.CharField(allow_null=True)


class FormulaSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    text = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    symbols = serializers.DictField(child=serializers.CharField())
    papers = serializers.SerializerMethodField(help_text=_PAPERS)
    models = serializers.SerializerMethodField(help_text=_MODELS)

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), help_text=_PAPERS))
    def get_papers(self, formula: Any) -> list[str]:
        """Say which papers stand behind the equation."""
        spec: Any = self.root.instance
        return [paper.id for paper in papers_behind(spec.id, formula.source)]

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), help_text=_MODELS))
    def get_models(self, formula: Any) -> list[str]:
        """Say which other models stand behind the equation."""
        spec: Any = self.root.instance
        return [one for one in models_in(formula.source) if one != spec.id]


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


class PaperOutputSerializer(serializers.Serializer[Any]):
    """A paper that models are from."""

    id = serializers.CharField()
    title = serializers.CharField()
    citation = serializers.CharField(help_text="Who published it, where and when.")
    question = serializers.CharField(help_text="What the paper asks, in a sentence.")
    checks_count = serializers.SerializerMethodField()

    @extend_schema_field(int)
    def get_checks_count(self, paper: Any) -> int:
        """Count the checks that hold its figures."""
        return sum(map(len, checks_in(paper).values()))


class ModelDetailOutputSerializer(ModelOutputSerializer):
    """A model with its schemas and formulas, and inputs to begin with."""

    start = serializers.SerializerMethodField()
    start_source = serializers.CharField(help_text="Where the values to begin with are from.")
    cases = serializers.SerializerMethodField()
    formulas = FormulaSerializer(many=True)
    limits = serializers.ListField(child=serializers.CharField())
    papers = serializers.SerializerMethodField()
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

    @extend_schema_field(
        PaperOutputSerializer(
            many=True, help_text="Papers whose experiment it runs, or whose figures it is held to."
        )
    )
    def get_papers(self, spec: Any) -> Any:
        """Return the papers that the model rests on."""
        return PaperOutputSerializer(papers_of(spec.id), many=True).data

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


CHECK_KINDS = list(get_args(Kind))


@extend_schema_field(_CHECK_VALUE)
class CheckValueField(serializers.JSONField):
    """A number, yes or no, or a word."""


class CheckOutputSerializer(serializers.Serializer[Any]):
    """A figure of a paper, ours beside it."""

    model = serializers.CharField()
    check = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    kind = serializers.ChoiceField(
        choices=CHECK_KINDS,
        help_text="predicted: the figure took no part in making ours. fitted: an input was solved "
        "from the figure of fitted_to. arithmetic: numbers of the source, recombined.",
    )
    fitted_to = serializers.CharField(
        allow_null=True, help_text="Which figure an input was solved from, of a fitted check."
    )
    tests = serializers.CharField(
        help_text="Input, constant or equation whose move by a tenth breaks the check."
    )
    basis = serializers.ChoiceField(choices=list(get_args(Basis)))
    published = CheckValueField()
    printed = serializers.CharField(
        allow_null=True, help_text="The figure as its source prints it; null where none does."
    )
    ours = CheckValueField(allow_null=True)
    tolerance = serializers.FloatField()
    in_print = serializers.FloatField(
        help_text="What print leaves out of the figure: how far off ours may be and be printed so."
    )
    is_apart = serializers.BooleanField(help_text="Whether ours is further off than that.")
    wider = serializers.CharField(
        allow_null=True, help_text="Why more is allowed than what print leaves out."
    )
    unit = serializers.CharField()
    ok = serializers.BooleanField()
    outcome = serializers.ChoiceField(
        choices=list(get_args(Outcome)),
        help_text="holds: ours is as printed. apart: further off, within the tolerance. differs: "
        "further off than that.",
    )
    said = serializers.CharField(help_text="The outcome in words.")
    note = serializers.CharField(allow_null=True)
    measured = serializers.CharField(
        allow_null=True,
        help_text="The day of ours, of a check whose data are not shipped; else it is of now.",
    )


class PaperErrorSerializer(serializers.Serializer[Any]):
    """How far ours is from the printed figures of a kind, of those that are drawn."""

    kind = serializers.ChoiceField(choices=CHECK_KINDS)
    checks_count = serializers.IntegerField(help_text="How many are drawn.")
    apart_count = serializers.IntegerField(help_text="How many are further off than print allows.")
    unit = serializers.CharField(
        help_text="points: differences of shares; fraction: of the printed figure."
    )
    median_off = serializers.FloatField(help_text="How far half of them are off at most.")
    most_off = serializers.FloatField(help_text="How far the worst of them is off.")
    said = serializers.CharField(help_text="The same as a sentence.")


class PaperModelSerializer(serializers.Serializer[Any]):
    """A model that runs a paper's experiment."""

    id = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    limits = serializers.ListField(child=serializers.CharField())


class PaperDetailOutputSerializer(PaperOutputSerializer):
    """A paper, its experiment run now: printed figures and ours."""

    opens = serializers.ChoiceField(
        choices=["tool", "study", "model"], help_text="What takes the planner's own numbers."
    )
    tool = serializers.CharField(help_text="The tool that opens, empty where none does.")
    model = serializers.CharField(help_text="The model that opens, empty where none does.")
    figure = DocumentField(of="Figure", help_text="The chart of printed figures and ours.")
    errors = PaperErrorSerializer(  # type: ignore[assignment]  # a field of the answer
        many=True, help_text="How far ours is off, kind by kind."
    )
    rows = CheckOutputSerializer(many=True)
    behind = PaperModelSerializer(many=True, help_text="The models that run its experiment.")
