"""The runs of tools that a study refers to, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.services import audit_record
from capmodels.numbers import whole_of
from capmodels.plans.purchase.again import asked_again
from capmodels.plans.purchase.as_design import design_of, held_against, held_before
from capmodels.plans.purchase.of_study import PURCHASE_PLAN, purchase_of
from common.api import WorkspaceAPIView
from common.asked import asked_id, asked_id_if_any
from common.errors import Conflict, Invalid
from common.operations import creates, operation
from common.serializers import FormField, StrictSerializer
from jobs.models import Job
from runs import selectors
from runs.growth import FORECAST, KINDS, growth_take
from runs.references import reference
from runs.series import referred, series_taken
from studies.answers import design_body, study_seen
from studies.noting import note_design
from studies.selectors import study_document, study_get
from studies.serializers import DesignOutputSerializer, DocumentField
from studies.services import design_create
from studies.tool_references import TOOLS
from studies.tool_runs import taken_from, tool_run_add, tool_run_remove

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from runs.models import Run
    from studies.models import Study

# A reference holds its run's whole input, which goes with the study's file.
PARAMS_BYTES_MAX = 200_000
_TEXTS = 50


class ToolRunInputSerializer(StrictSerializer):
    run = serializers.UUIDField(help_text="A run that has a result.")
    tool = serializers.ChoiceField(choices=TOOLS, help_text="Its name in addresses.")
    title = serializers.CharField(max_length=200)
    design = FormField(
        r"^[A-H]$", required=False, help_text="Letter of the design that it speaks of."
    )
    state = DocumentField(required=False, help_text="What the tool's address holds.")
    pointers = serializers.ListField(
        child=FormField(r"^/(designs/[A-H]|workload|assumptions|baseline)(/.+)?$"),
        required=False,
        max_length=_TEXTS,
        help_text="The study's values that the input was taken from.",
    )
    entries = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=_TEXTS,
        help_text="The catalogue's entries that the input was taken from.",
    )


class SeriesSerializer(StrictSerializer):
    """The bill, by its months, or the run that a forecast's values are of."""

    origin = serializers.ChoiceField(choices=("import", "run"))
    id = serializers.UUIDField()
    pointer = serializers.CharField(
        required=False, max_length=300, help_text="Of a run: where the series stands in its result."
    )


class GrowthInputSerializer(StrictSerializer):
    run = serializers.UUIDField(help_text=f"A run of {FORECAST} that has a result.")
    of = serializers.ListField(
        child=serializers.ChoiceField(choices=KINDS),
        required=False,
        allow_empty=False,
        max_length=len(KINDS),
        help_text="What grows so; all of the work unless given.",
    )
    series = SeriesSerializer(required=False)
    state = DocumentField(required=False, help_text="What the tool's address holds.")


class ToolRunOutputSerializer(serializers.Serializer[Any]):
    """A run of a tool, as a study refers to it."""

    run = serializers.CharField()
    tool = serializers.CharField()
    title = serializers.CharField()
    design = serializers.CharField()
    model = serializers.CharField()
    model_version = serializers.CharField()
    params = DocumentField(of="ModelParams")
    state = DocumentField()
    inputs_hash = serializers.CharField()
    headline = serializers.CharField()
    stale = serializers.ListField(
        child=serializers.CharField(), help_text="Why its answer is out of date; empty: it is not."
    )


class ToolRunListOutputSerializer(serializers.Serializer[Any]):
    results = ToolRunOutputSerializer(many=True)


class ToolRunListApi(WorkspaceAPIView):
    """The runs of tools that a study refers to."""

    @operation("tool_runs_list", gives=ToolRunListOutputSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the runs of tools that a study refers to, and which are out of date."""
        return _told(study_get(study_id))

    @creates("tool_runs_add", takes=ToolRunInputSerializer, gives=ToolRunListOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Let a study refer to a run of a tool."""
        given = self.given()
        study = study_seen(request, study_id)
        run = _ended(given["run"])
        letters = {design.letter for design in study.designs.all()}
        if given.get("design", "") not in {"", *letters}:
            raise Invalid.at("/design", "Choose the letter of a design.", "not_a_choice")
        taken = taken_from(study, given.get("pointers", ()), given.get("entries", ()))
        tool_run_add(study, reference(run, given, taken))
        return _told(study)


class ToolRunApi(WorkspaceAPIView):
    """One run of a tool that a study refers to."""

    @operation("tool_runs_remove")
    def delete(self, request: Request, study_id: UUID, run_id: UUID) -> None:
        """Let a study refer to the run no more; the run itself stays."""
        study = study_seen(request, study_id)
        tool_run_remove(study, str(run_id))


class StudyGrowthApi(WorkspaceAPIView):
    """The growth of a study's work."""

    @creates("studies_growth", takes=GrowthInputSerializer, gives=ToolRunListOutputSerializer)
    def post(self, request: Request, study_id: UUID) -> Any:
        """Take a study's growth from a run of the forecast, with its range.

        The study refers to the run from then on, and says when the series has changed.
        """
        given = self.given()
        study = study_seen(request, study_id)
        run = _ended(given["run"])
        taken = series_taken(run, given.get("series"))
        title = f"Forecast of {taken['title']}" if taken.get("title") else "Forecast"
        found = orjson.loads(selectors.result_json(run))
        growth_take(study, run, found, given.get("of", KINDS), title)
        said = {"tool": "forecast", "title": title[:200], "state": given.get("state", {})}
        tool_run_add(study, reference(run, said, {"taken_series": taken}))
        audit_record(self.principal, "study.growth", target=study.title)
        return _told(study)


class StudyPurchaseOutputSerializer(serializers.Serializer[Any]):
    """What a study asks of a plan of purchases."""

    model = serializers.CharField()
    params = DocumentField(
        of="ModelParams", help_text="Input of that model, to be run as it is or changed."
    )
    owned_letter = serializers.CharField(allow_null=True, help_text="Whose machines.")
    rented_letter = serializers.CharField(allow_null=True, help_text="Whose rented prices.")
    pointers = serializers.ListField(
        child=serializers.CharField(), help_text="What of the study the question rests on."
    )
    notes = serializers.ListField(child=serializers.CharField(), help_text="What to know of it.")


class StudyPurchaseApi(WorkspaceAPIView):
    """What to order, commit to and rent for a study's work, and when: the question."""

    @operation(
        "studies_purchase_plan",
        gives=StudyPurchaseOutputSerializer,
        parameters=[
            OpenApiParameter("run", OpenApiTypes.UUID, description="A plan to be made again."),
            OpenApiParameter(
                "passed",
                OpenApiTypes.INT,
                description="With `run`: months that have passed since its first.",
            ),
        ],
    )
    def get(self, request: Request, study_id: UUID) -> Any:
        """Give the input of a plan of purchases from a study's demand, machines and prices.

        The plan itself is a run of the model that is named. With `run` and `passed` the input of
        that run, what it ordered in the months that have passed as placed, and their demand as it
        was expected, to be corrected.
        """
        found = purchase_of(study_document(study_get(study_id)))
        params, asked = found.params, request.query_params
        run_id, passed = asked_id_if_any(asked, "run"), whole_of(asked.get("passed", "0"))
        if passed is None:
            raise Invalid.at("/passed", "Enter a whole number of months.")
        if run_id is None and passed:
            raise Invalid.at("/run", "Name the run whose months have passed.", "missing")
        if run_id is not None:
            run = _ended(run_id)
            if run.model_id != PURCHASE_PLAN:
                raise Conflict("Only a plan of purchases is made again so.")
            if _of_others(found.params, run.params):
                raise Invalid.at("/run", "This plan is of other machines than the study's.")
            if not 1 <= passed < run.params["months_count"]:
                most = run.params["months_count"] - 1
                raise Invalid.at("/passed", f"Enter how many months have passed, 1 to {most}.")
            result = orjson.loads(selectors.result_json(run))
            params = asked_again(run.params, result, passed)
        return {
            "model": PURCHASE_PLAN,
            "params": params,
            "owned_letter": found.owned_letter,
            "rented_letter": found.rented_letter,
            "pointers": list(found.pointers),
            "notes": list(found.notes),
        }


def _of_others(params: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether two plans have no own machine in common, though one has some."""
    names = [{machine["name"] for machine in one["machines"]} for one in (params, before)]
    return any(names) and names[0].isdisjoint(names[1])


class PlannedDesignInputSerializer(StrictSerializer):
    run = serializers.UUIDField(help_text=f"A run of {PURCHASE_PLAN} that has a result.")


class PlannedDesignOutputSerializer(serializers.Serializer[Any]):
    """A plan as a design of its study."""

    design = DesignOutputSerializer()
    held = DocumentField(
        of="HeldAgainst", help_text="What the plan costs by the comparison, beside its own cost."
    )


class PlannedCostOutputSerializer(serializers.Serializer[Any]):
    """What a plan costs by the comparison."""

    held = DocumentField(of="HeldAgainst", help_text="Beside its own cost, cause by cause.")


class StudyPlannedDesignApi(WorkspaceAPIView):
    """A plan of purchases as a design of its study."""

    @operation(
        "designs_planned_cost",
        gives=PlannedCostOutputSerializer,
        parameters=[
            OpenApiParameter(
                "run", OpenApiTypes.UUID, required=True, description=f"Of {PURCHASE_PLAN}."
            )
        ],
    )
    def get(self, request: Request, study_id: UUID) -> Any:
        """Give what a plan costs by the comparison, beside its own cost, without adding it.

        409 when the run is of another model, 422 where the study's designs do not have what the
        plan orders.
        """
        run = _plan_run(asked_id(request.query_params, "run"))
        document = study_document(study_get(study_id))
        held = held_before(document, run.params, orjson.loads(selectors.result_json(run)))
        return {"held": held.model_dump(mode="json")}

    @creates(
        "designs_planned", takes=PlannedDesignInputSerializer, gives=PlannedDesignOutputSerializer
    )
    def post(self, request: Request, study_id: UUID) -> Any:
        """Add what a plan orders and commits to as a design, to be compared with the others.

        The study refers to the run from then on. 409 when the run is of another model or the study
        is full, 422 where its designs do not have what the plan orders.
        """
        run = _plan_run(self.given()["run"])
        study = study_seen(request, study_id)
        result = orjson.loads(selectors.result_json(run))
        planned = design_of(study_document(study), run.params, result)
        fields: dict[str, Any] = {
            "title": planned.title, "kind": planned.kind, "spec": planned.spec,
        }  # fmt: skip
        for design in study.designs.all():
            if design.letter == planned.copy_of:
                fields["provenance"] = design.provenance
        design, checked = design_create(study, fields, copy_of=planned.copy_of or "")
        document = study_document(study)
        named = next(one for one in document["designs"] if one["letter"] == design.letter)
        held = held_against(document, named, result)
        said = {"tool": "purchases", "title": "Purchases", "design": design.letter}
        tool_run_add(study, reference(run, said, taken_from(study, (), ())))
        note_design(request, "design.create", design)
        told = {"design": design_body(design, checked), "held": held.model_dump(mode="json")}
        return Response(told, status=201)


def _plan_run(run_id: UUID) -> Run:
    """Return a run of a plan of purchases."""
    run = _ended(run_id)
    if run.model_id != PURCHASE_PLAN:
        raise Conflict("Only a plan of purchases becomes a design so.")
    return run


def _ended(run_id: UUID) -> Run:
    """Return a run that a study may refer to."""
    run = selectors.run_get(run_id)
    if run.job.state != Job.State.SUCCEEDED:
        message = "The run has no result. Refer to it once it has succeeded."
        raise Conflict(message)
    if len(orjson.dumps(run.params)) > PARAMS_BYTES_MAX:
        message = "The run's input is too long to go with a study's file."
        raise Invalid.at("/run", message, "too_long")
    return run


def _told(study: Study) -> dict[str, Any]:
    return {"results": referred(study)}
