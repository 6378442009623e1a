"""Addresses of runs, models and instant evaluation: each view translates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

import orjson
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from accounts.authentication import principal_now
from accounts.services import audit_record
from capmodels.registry import all_models, get_model
from capmodels.spec import params_schema, result_schema
from common.api import ApiView, WorkspaceAPIView
from common.errors import Invalid
from common.pagination import KeysetPagination
from common.parsers import DOCUMENT_BYTES_MAX
from common.tenancy import workspace
from runs import columns, editing, evaluation, moved, removal, selectors, serializers, services
from studies.answers import yes_or_no
from studies.apis import AnyAccept
from studies.documents import PLAN
from studies.selectors import study_document, study_get
from studies.serializers import validated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request


_RUN = {"POST": "run"}
# Years of measured lives, or a trace typed in, stand in the params of a run.
RUN_BYTES_MAX = 10_000_000


class EvaluateApi(ApiView):
    """Instant answers, computed in the web process."""

    permissions = {"POST": "evaluate"}  # noqa: RUF012 -- as the base declares it
    # but with a study, for which who asks is looked up again
    reads_nothing = True
    body_bytes_max = DOCUMENT_BYTES_MAX

    @extend_schema(
        operation_id="evaluate",
        request=serializers.EvaluateInputSerializer,
        responses=serializers.EvaluateOutputSerializer,
    )
    def post(self, request: Request) -> HttpResponse:
        """Evaluate a model now; 413 when the question is too large for that."""
        # Nothing is stored, so whether it could be is not asked: a slider waits.
        serializer = serializers.EvaluateInputSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        spec = services.model_get(given["model"])
        answer = evaluation.evaluate_now(spec, _params(request, given))
        if "study" in given and spec.id == PLAN:
            with workspace(principal_now(request).workspace_id):
                services.verdict_keep(given["study"], answer)
        timings = ", ".join(f"{name};dur={ms:.2f}" for name, ms in answer.timings_ms.items())
        return HttpResponse(
            answer.body(), content_type="application/json", headers={"Server-Timing": timings}
        )


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


class RunPagination(KeysetPagination):
    """Runs, newest first."""

    ordering = ("-created_at", "-job_id")


def _by_burst(runs: Any, asked: Mapping[str, str]) -> Any:
    burst = asked.get("burst")
    if burst:
        return editing.burst_of(runs, selectors.run_get(_uuid(burst, "/burst")))
    if yes_or_no(asked.get("folded"), "folded") is not True:
        return runs
    study = asked.get("study")
    if not study:
        raise Invalid.at("/study", "Name the study whose runs are folded.", "missing")
    return editing.folded(runs, _uuid(study, "/study"))


class RunListApi(WorkspaceAPIView, ListAPIView[Any]):
    """The workspace's runs."""

    permissions = _RUN
    body_bytes_max = RUN_BYTES_MAX
    query: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "GET": ("study", "state", "model", "moved", "approved", "folded", "burst")
    }
    serializer_class = serializers.RunOutputSerializer
    pagination_class = RunPagination
    filter_backends = ()

    def get_queryset(self) -> Any:
        """Return the runs that the query asks for."""
        if getattr(self, "swagger_fake_view", False):
            return None
        asked = self.request.query_params
        study, state = asked.get("study"), asked.get("state")
        if state is not None and state not in serializers.STATES:
            message = f"Choose one of {', '.join(serializers.STATES)}."
            raise Invalid.at("/state", message, "not_a_choice")
        runs = selectors.run_list(
            study_id=_uuid(study, "/study") if study else None,
            state=state,
            model_id=asked.get("model"),
            moved=yes_or_no(asked.get("moved"), "moved") is True,
            approved=yes_or_no(asked.get("approved"), "approved") is True,
        )
        return _by_burst(runs, asked)

    @extend_schema(
        operation_id="runs_list",
        parameters=[
            OpenApiParameter("study", OpenApiTypes.UUID),
            OpenApiParameter("state", str, enum=serializers.STATES),
            OpenApiParameter("model", str),
            OpenApiParameter(
                "moved", bool, description="Only runs computed again whose figures moved."
            ),
            OpenApiParameter("approved", bool, description="Only runs of approved states."),
            OpenApiParameter(
                "folded",
                bool,
                description="Of a study: the runs of one burst of editing as their last one.",
            ),
            OpenApiParameter(
                "burst",
                OpenApiTypes.UUID,
                description="Only the runs of the burst of editing that ends with this run.",
            ),
        ],
    )
    def get(self, request: Request) -> Response:
        """List runs, newest first."""
        return self.list(request)

    @extend_schema(
        operation_id="runs_create",
        request=serializers.RunCreateInputSerializer,
        responses={202: serializers.RunOutputSerializer},
    )
    def post(self, request: Request) -> Response:
        """Start a run of a study, or of any model; an answered question ends at once."""
        given = validated(serializers.RunCreateInputSerializer(data=request.data))
        if "study" in given and "model" not in given and "params" not in given:
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
        return _run_response(run, status=202)

    def _note(self, run: Any) -> None:
        study = {"study": str(run.study_id)} if run.study_id else {}
        target = run.study.title if run.study else run.model_id
        detail = {**study, "run": str(run.pk)}
        audit_record(self.principal, "run.create", target=target, detail=detail)


class RunApi(WorkspaceAPIView):
    """One run."""

    @extend_schema(operation_id="runs_get", responses=serializers.RunDetailOutputSerializer)
    def get(self, request: Request, run_id: UUID) -> Response:
        """Return the run's state and its frozen inputs."""
        run = selectors.run_get(run_id)
        return Response(serializers.RunDetailOutputSerializer(run).data)

    @extend_schema(operation_id="runs_delete", responses={204: None})
    def delete(self, request: Request, run_id: UUID) -> Response:
        """Remove a run with its result; 409 when it was approved."""
        run = selectors.run_get(run_id)
        removal.run_delete(run.pk)
        audit_record(self.principal, "run.delete", target=run.model_id)
        return Response(status=204)


class RunCancelApi(WorkspaceAPIView):
    """A run's end before its time."""

    permissions = _RUN

    @extend_schema(
        operation_id="runs_cancel",
        request=None,
        responses={202: serializers.RunOutputSerializer},
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        """Ask the run to stop; 409 when it has ended already."""
        return _run_response(services.run_cancel(selectors.run_get(run_id)), status=202)


class RunAgainApi(WorkspaceAPIView):
    """A run once more."""

    permissions = _RUN

    @extend_schema(
        operation_id="runs_again",
        request=None,
        responses={202: serializers.RunOutputSerializer},
    )
    def post(self, request: Request, run_id: UUID) -> Response:
        """Compute the same inputs anew with the model as it is now, to be compared."""
        run = services.run_again(selectors.run_get(run_id))
        about = {"run": str(run.pk)}
        audit_record(self.principal, "run.create", target=run.model_id, detail=about)
        return _run_response(run, status=202)


class RunCompareApi(WorkspaceAPIView):
    """What moved between two runs."""

    query: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("against",)}

    @extend_schema(
        operation_id="runs_compare",
        parameters=[OpenApiParameter("against", OpenApiTypes.UUID, required=True)],
        responses=serializers.RunCompareOutputSerializer,
    )
    def get(self, request: Request, run_id: UUID) -> Response:
        """Return the figures that differ from those of another run."""
        after = selectors.run_get(run_id)
        before = selectors.run_get(_uuid(request.query_params.get("against", ""), "/against"))
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

    @extend_schema(operation_id="runs_result", responses=serializers.RunResultOutputSerializer)
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return the whole result, series reduced to 2,000 points; 409 while there is none."""
        run = selectors.run_get(run_id)
        result = selectors.result_json(run)
        head = {
            "model": run.model_id,
            "version": run.model_version,
            "inputs_hash": run.inputs_hash,
        }
        body = orjson.dumps(head)[:-1] + b',"result":' + result + b"}"
        return HttpResponse(body, content_type="application/json")


class RunCsvApi(WorkspaceAPIView):
    """A run's series as a table."""

    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="runs_result_csv", responses={(200, "text/csv"): str})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return every series in full as CSV, one column each."""
        run = selectors.run_get(run_id)
        text = columns.as_csv(selectors.result_columns(run))
        name = f'attachment; filename="run-{run.pk}.csv"'
        return HttpResponse(
            text, content_type="text/csv; charset=utf-8", headers={"Content-Disposition": name}
        )


class RunFocusApi(WorkspaceAPIView):
    """A comparison's costs as a bill."""

    content_negotiation_class = AnyAccept

    @extend_schema(operation_id="runs_result_focus", responses={(200, "text/csv"): str})
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return what each design costs, by year and cause, as rows of FOCUS 1.0 (CSV)."""
        run = selectors.run_get(run_id)
        name = f'attachment; filename="focus-{run.pk}.csv"'
        return HttpResponse(
            selectors.result_focus(run),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": name},
        )


class RunBinApi(WorkspaceAPIView):
    """A run's series as numbers."""

    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="runs_result_bin",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, run_id: UUID) -> HttpResponse:
        """Return every series in full as little-endian float32 columns behind a JSON head."""
        body = columns.as_float32(selectors.result_columns(selectors.run_get(run_id)))
        return HttpResponse(body, content_type="application/octet-stream")


class ModelListApi(ApiView):
    """The models."""

    @extend_schema(
        operation_id="models_list", responses=serializers.ModelOutputSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """List every model."""
        return Response(serializers.ModelOutputSerializer(all_models(), many=True).data)


class ModelApi(ApiView):
    """One model."""

    @extend_schema(operation_id="models_get", responses=serializers.ModelDetailOutputSerializer)
    def get(self, request: Request, model_id: str) -> Response:
        """Return the model with the JSON schemas of its input and output, and its formulas."""
        spec = get_model(model_id)
        schemas = {"params_schema": params_schema(spec), "result_schema": result_schema(spec)}
        return Response(serializers.ModelDetailOutputSerializer(spec, context=schemas).data)


class ModelChecksApi(ApiView):
    """A model's published checks."""

    @extend_schema(
        operation_id="models_checks", responses=serializers.CheckOutputSerializer(many=True)
    )
    def get(self, request: Request, model_id: str) -> Response:
        """Return each published figure with the model's own beside it, computed live."""
        return Response(evaluation.checks_of(model_id))


def _uuid(text: str, pointer: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as exc:
        raise Invalid.at(pointer, "Enter an id.") from exc


def _run_response(run: Any, *, status: int) -> Response:
    return Response(serializers.RunOutputSerializer(run).data, status=status)
