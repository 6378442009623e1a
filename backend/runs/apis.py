"""Addresses of runs, models and instant evaluation: each view translates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import orjson
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from orjson import Fragment
from rest_framework.response import Response

from accounts.authentication import principal_now
from accounts.services import audit_record
from capmodels.numbers import Currency
from capmodels.papers import PAPERS, get_paper
from capmodels.plans import sliders
from capmodels.registry import all_models, get_model, model_ids
from capmodels.spec import params_schema, result_schema
from common.api import ApiView, ListApi, WorkspaceAPIView
from common.asked import asked_id, asked_id_if_any, asked_yes_or_no
from common.download import XLSX, FileView, download
from common.errors import Invalid
from common.operations import operation, starts
from common.pagination import NEWEST_JOB, KeysetPagination
from common.parsers import DOCUMENT_BYTES_MAX
from common.seats import leave_seat
from common.tenancy import workspace
from jobs.services import made_cancel
from runs import (
    answering,
    columns,
    drawing,
    editing,
    moved,
    removal,
    selectors,
    serializers,
    services,
)
from studies.documents import PLAN
from studies.selectors import study_document, study_get
from studies.services import study_verdict_keep

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from rest_framework.request import Request

    from common.principal import Principal


# Years of measured lives, or a trace typed in, stand in the params of a run.
RUN_BYTES_MAX = 10_000_000


class EvaluateApi(ApiView):
    """Instant answers, in turn between workspaces."""

    # but with a study, for which who asks is looked up again
    reads_nothing = True
    body_bytes_max = DOCUMENT_BYTES_MAX

    @operation(
        "evaluate",
        takes=serializers.EvaluateInputSerializer,
        gives=serializers.EvaluateOutputSerializer,
        may="evaluate",
        parameters=drawing.PARAMETERS,
    )
    def post(self, request: Request) -> Response:
        """Evaluate a model now; 413 when the question is too large for that."""
        # Nothing is stored, so whether it could be is not asked: a slider waits.
        serializer = serializers.EvaluateInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        asked = drawing.Asked.of(request)
        spec = services.model_get(given["model"])
        params, told = _params(request, given), dict[str, Any]()
        if "moves" in given and spec.id == PLAN:
            ranges = given.get("ranges", "drop")
            told["moved"] = sliders.moved(params, given["moves"], ranges=ranges)
            params = sliders.with_moves(params, told["moved"])
        if "before" in given and spec.id == PLAN:
            told["ranges_left"] = sliders.ranges_left(given["before"], params)
        has_card = "study" in given and spec.id == PLAN
        question = answering.Question(spec.id, params, asked, told, wants_verdict=has_card)
        if not has_card:
            leave_seat(request._request.META)
        answer = answering.answer_in_turn(question, cast("Principal", request.auth).workspace_id)
        if answer.verdict is not None:
            with workspace(principal_now(request).workspace_id):
                study_verdict_keep(given["study"], answer.verdict)
        timings = ", ".join(f"{name};dur={ms:.2f}" for name, ms in answer.timings_ms.items())
        return Response(Fragment(answer.body), headers={"Server-Timing": timings})


def _params(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    params = given.get("params")
    if params is None:
        if "study" not in given:
            raise Invalid.at("/params", "Send params, or the id of a study.", "missing")
        with workspace(principal_now(request).workspace_id):
            params = study_document(study_get(given["study"]))
    if "draws_count" in given:
        params = {**params, "draws_count": given["draws_count"]}
    return params


def _by_burst(runs: Any, asked: Mapping[str, str]) -> Any:
    if asked.get("burst"):
        return editing.burst_of(runs, selectors.run_get(asked_id(asked, "burst")))
    if not asked_yes_or_no(asked, "folded"):
        return runs
    if not asked.get("study"):
        raise Invalid.at("/study", "Name the study whose runs are folded.", "missing")
    return editing.folded(runs, asked_id(asked, "study"))


class RunPages(KeysetPagination):
    """Pages of runs; folded ones with what charts draw of them."""

    request: Request

    def get_paginated_response(self, data: Any) -> Response:
        """Answer with the cursors, and with the figures of folded runs where they are asked for."""
        answer = super().get_paginated_response(data)
        asked = self.request.query_params
        if asked_yes_or_no(asked, "figures") and asked_yes_or_no(asked, "folded"):
            answer.data["figures"] = editing.figures_of(data)
        return answer

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Describe the answer for the API schema."""
        page = super().get_paginated_response_schema(schema)
        about = "Of a study's folded runs: figures of their cost and odds for charts."
        figures = {"type": "array", "items": {"type": "object"}, "description": about}
        return {**page, "properties": {**page["properties"], "figures": figures}}


class RunListApi(ListApi):
    """The workspace's runs."""

    pagination_class = RunPages
    body_bytes_max = RUN_BYTES_MAX
    ordering = NEWEST_JOB

    @operation(
        "runs_list",
        gives=serializers.RunOutputSerializer(many=True),
        parameters=[
            OpenApiParameter("study", OpenApiTypes.UUID),
            OpenApiParameter("state", str, enum=serializers.STATES),
            OpenApiParameter("model", str, enum=model_ids()),
            OpenApiParameter(
                "moved", bool, description="Only runs computed again whose figures moved."
            ),
            OpenApiParameter("approved", bool, description="Only runs of approved states."),
            OpenApiParameter(
                "folded",
                bool,
                description="Of a study: the runs of one burst of editing as their last one, "
                "without those that say again what stood before.",
            ),
            OpenApiParameter(
                "figures", bool, description="Of folded runs: with figures of their cost and odds."
            ),
            OpenApiParameter(
                "burst",
                OpenApiTypes.UUID,
                description="Only the runs of the burst of editing that ends with this run.",
            ),
        ],
    )
    def get(self, request: Request) -> Any:
        """List runs, newest first."""
        asked = request.query_params
        runs = selectors.run_list(
            state=asked.get("state", ""),
            study_id=asked_id_if_any(asked, "study"),
            model_id=asked.get("model"),
            moved=asked_yes_or_no(asked, "moved") is True,
            approved=asked_yes_or_no(asked, "approved") is True,
        )
        return _by_burst(runs, asked)

    @starts(
        "runs_create",
        takes=serializers.RunCreateInputSerializer,
        gives=serializers.RunOutputSerializer,
        may="run",
    )
    def post(self, request: Request) -> Any:
        """Start a run of a study, or of any model; an answered question ends at once."""
        given = self.given()
        if "study" in given and "model" not in given and "params" not in given:
            if "seed" in given:
                raise Invalid.at(
                    "/seed", "A study has its own seed. Change it there.", "unknown_field"
                )
            run = services.run_study(study_get(given["study"]))
        elif "model" in given and "params" in given:
            study = study_get(given["study"]) if "study" in given else None
            run = services.run_submit(
                model_id=given["model"],
                params=given["params"],
                seed=given.get("seed"),
                study=study,
            )
        else:
            raise Invalid.at("", "Send a study, or a model and its params.", "missing")
        self._note(run)
        return run

    def _note(self, run: Any) -> None:
        study = {"study": str(run.study_id)} if run.study_id else {}
        target = run.study.title if run.study else run.model_id
        detail = {**study, "run": str(run.pk)}
        audit_record(self.principal, "run.create", target=target, detail=detail)


class RunApi(WorkspaceAPIView):
    """One run."""

    @operation("runs_get", gives=serializers.RunDetailOutputSerializer)
    def get(self, request: Request, run_id: UUID) -> Any:
        """Return the run's state and its frozen inputs."""
        return selectors.run_get(run_id)

    @operation("runs_delete")
    def delete(self, request: Request, run_id: UUID) -> None:
        """Remove a run with its result; 409 when it was approved."""
        run = selectors.run_get(run_id)
        removal.run_delete(run.pk)
        audit_record(self.principal, "run.delete", target=run.model_id)


class RunCancelApi(WorkspaceAPIView):
    """A run's end before its time."""

    @starts("runs_cancel", gives=serializers.RunOutputSerializer, may="run")
    def post(self, request: Request, run_id: UUID) -> Any:
        """Ask the run to stop; 409 when it has ended already."""
        return made_cancel(selectors.run_get(run_id))


class RunAgainApi(WorkspaceAPIView):
    """A run once more."""

    @starts("runs_again", gives=serializers.RunOutputSerializer, may="run")
    def post(self, request: Request, run_id: UUID) -> Any:
        """Compute the same inputs anew with the model as it is now, to be compared."""
        run = services.run_again(selectors.run_get(run_id))
        about = {"run": str(run.pk)}
        audit_record(self.principal, "run.create", target=run.model_id, detail=about)
        return run


class RunCompareApi(WorkspaceAPIView):
    """What moved between two runs."""

    @operation(
        "runs_compare",
        gives=serializers.RunCompareOutputSerializer,
        parameters=[serializers.AGAINST],
    )
    def get(self, request: Request, run_id: UUID) -> Any:
        """Return the figures that differ from those of another run."""
        after = selectors.run_get(run_id)
        before = selectors.run_get(asked_id(request.query_params, "against"))
        results = (orjson.loads(selectors.result_json(run)) for run in (before, after))
        return Response(
            {
                "before": before.pk,
                "before_version": before.model_version,
                "after": after.pk,
                "after_version": after.model_version,
                **moved.figures_moved(*results),
            }
        )


class RunResultApi(WorkspaceAPIView):
    """A run's result."""

    @operation(
        "runs_result",
        gives=serializers.RunResultOutputSerializer,
        parameters=drawing.PARAMETERS,
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """Return what the run found, series reduced to 2,000 points; 409 while there is nothing.

        Of a comparison the `summary`, and of the rest the parts in `include`.
        """
        asked = drawing.Asked.of(request)
        run = selectors.run_get(run_id)
        return Response(
            {
                "model": run.model_id,
                "version": run.model_version,
                "inputs_hash": run.inputs_hash,
                **drawing.told(run.model_id, selectors.result_json(run), asked),
            }
        )


class RunCsvApi(FileView):
    """A run's series as a table."""

    @operation("runs_result_csv", gives={(200, "text/csv"): str})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return every series in full as CSV, one column each, in the study's currency."""
        run = selectors.run_get(run_id)
        text = columns.as_csv(selectors.result_columns(run), Currency.of(run.params))
        return download(text, f"run-{run.pk}.csv")


class RunFocusApi(FileView):
    """A comparison's costs as a bill."""

    @operation("runs_result_focus", gives={(200, "text/csv"): str})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return what each design costs, by year and cause, as rows of FOCUS 1.3 (CSV)."""
        run = selectors.run_get(run_id)
        return download(selectors.result_focus(run), f"focus-{run.pk}.csv")


class RunOrdersCsvApi(FileView):
    """The order list of a plan of purchases, as a table."""

    @operation("runs_orders_csv", gives={(200, "text/csv"): str})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return what to order and commit to, a row each with its latest day (CSV).

        409 when the run is of another model or has no result.
        """
        from capmodels.plans.purchase.order_list import as_csv

        run = selectors.run_get(run_id)
        return download(as_csv(selectors.result_orders(run)), f"orders-{run.pk}.csv")


class RunOrdersXlsxApi(FileView):
    """The order list of a plan of purchases, as a workbook."""

    @operation("runs_orders_xlsx", gives={(200, XLSX): OpenApiTypes.BINARY})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return what to order and commit to, a row each with its latest day (XLSX).

        409 when the run is of another model or has no result.
        """
        from capmodels.plans.purchase.order_list import as_xlsx

        run = selectors.run_get(run_id)
        return download(as_xlsx(selectors.result_orders(run)), f"orders-{run.pk}.xlsx", XLSX)


class RunBinApi(FileView):
    """A run's series as numbers."""

    @operation("runs_result_bin", gives={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return every series in full as little-endian float32 columns behind a JSON head."""
        body = columns.as_float32(selectors.result_columns(selectors.run_get(run_id)))
        return HttpResponse(body, content_type="application/octet-stream")


class ModelListApi(ApiView):
    """The models."""

    @operation("models_list", gives=serializers.ModelOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List every model."""
        return all_models()


class ModelApi(ApiView):
    """One model."""

    @operation("models_get", gives=serializers.ModelDetailOutputSerializer)
    def get(self, request: Request, model_id: str) -> Any:
        """Return the model with the JSON schemas of its input and output, and its formulas."""
        spec = get_model(model_id)
        schemas = {"params_schema": params_schema(spec), "result_schema": result_schema(spec)}
        return Response(serializers.ModelDetailOutputSerializer(spec, context=schemas).data)


class ModelChecksApi(ApiView):
    """A model's published checks."""

    is_done_apart = True

    @operation("models_checks", gives=serializers.CheckOutputSerializer(many=True))
    def get(self, request: Request, model_id: str) -> Any:
        """Return each published figure with the model's own beside it, computed live."""
        return Response(answering.published_checks([model_id])[model_id])


class PaperListApi(ApiView):
    """The papers that models are from."""

    @operation("papers_list", gives=serializers.PaperOutputSerializer(many=True))
    def get(self, request: Request) -> Any:
        """List every paper."""
        return PAPERS


class PaperApi(ApiView):
    """One paper."""

    is_done_apart = True

    @operation("papers_get", gives=serializers.PaperDetailOutputSerializer)
    def get(self, request: Request, paper_id: str) -> Any:
        """Return the paper with its printed figures and the models' own, computed live."""
        paper = get_paper(paper_id)
        head = serializers.PaperOutputSerializer(paper).data
        where = {"opens": paper.opens, "tool": paper.tool, "model": paper.model}
        return Response({**head, **where, **answering.paper_run(paper)})
