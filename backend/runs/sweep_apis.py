"""Addresses of sweeps: many runs over ranges or lists of a model's inputs, as one job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema_field
from rest_framework import serializers

from accounts.services import audit_record
from capmodels.plans.sweep.params import SAMPLINGS, SweepParams
from capmodels.plans.sweep.words import HOLDS
from common.api import ListApi, WorkspaceAPIView
from common.asked import asked_id_if_any
from common.download import FileView
from common.errors import Invalid
from common.operations import operation, starts
from common.pagination import NEWEST_JOB
from common.parsers import DOCUMENT_BYTES_MAX
from common.schema_models import shaped
from common.serializers import StrictSerializer
from files.apis import redirect_to
from files.selectors import file_opened
from jobs.serializers import JobStateSerializer
from jobs.services import made_cancel, made_delete
from runs import sweeps
from studies.selectors import study_get
from studies.serializers import DocumentField

if TYPE_CHECKING:
    from uuid import UUID

    from django.http.response import HttpResponseBase
    from rest_framework.request import Request

_PARQUET = "application/vnd.apache.parquet"


def _of_sweep(name: str) -> dict[str, Any]:
    """What a sweep itself says of one of its inputs."""
    return {"required": False, "help_text": SweepParams.model_fields[name].description}


@extend_schema_field({"type": "array", "items": shaped("SweepAxis")})
class AxesField(serializers.JSONField):
    """Inputs that vary, as a sweep checks them."""


class SweepInputSerializer(StrictSerializer):
    study = serializers.UUIDField(
        required=False, help_text="Sweep the comparison of this study, in place of a model."
    )
    model = serializers.CharField(required=False, max_length=100, help_text="Id of a model.")
    document = DocumentField(of="ModelParams", required=False, help_text="The model's input.")
    axes = AxesField(help_text="Inputs that vary: between two values, or over a list.")
    sampling = serializers.ChoiceField(choices=SAMPLINGS, **_of_sweep("sampling"))
    sample_count = serializers.IntegerField(**_of_sweep("sample_count"))
    simulations_count = serializers.IntegerField(**_of_sweep("simulations_count"))
    seed = serializers.IntegerField(**_of_sweep("seed"))
    title = serializers.CharField(required=False, max_length=200)


class SweepColumnSerializer(serializers.Serializer[Any]):
    """A column of a sweep's table."""

    name = serializers.CharField(help_text="An axis by its pointer, a figure by its way.")
    holds = serializers.ChoiceField(choices=HOLDS, help_text="What its cells are.")
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    unit = serializers.CharField(help_text="Blank of what has none.")
    is_axis = serializers.BooleanField(help_text="Whether the sweep varies it.")
    names = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Of words: what they stand for."
    )
    low = serializers.FloatField(allow_null=True, help_text="Its least number.")
    high = serializers.FloatField(allow_null=True, help_text="Its greatest number.")


class SweepOutputSerializer(JobStateSerializer):
    id = serializers.UUIDField(source="job_id")
    study = serializers.UUIDField(source="study_id", allow_null=True)
    title = serializers.CharField()
    model = serializers.CharField(source="model_id")
    model_version = serializers.CharField()
    rows_count = serializers.IntegerField()
    faults_count = serializers.IntegerField(
        allow_null=True, help_text="Rows without an answer; null until the sweep has ended."
    )
    headline = serializers.CharField()
    columns = SweepColumnSerializer(many=True, allow_null=True)


class SweepDetailSerializer(SweepOutputSerializer):
    params = DocumentField(
        of="ModelParams", help_text="What was asked: `document`, `axes` and how they are sampled."
    )


class SweepPointsSerializer(serializers.Serializer[Any]):
    """The rows that are done, binned by two columns, and a sample of them."""

    x = serializers.ListField(child=serializers.JSONField(), help_text="Values of its bins.")
    y = serializers.ListField(child=serializers.JSONField(), help_text="Values of its bins.")
    cells = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(allow_null=True)),
        help_text="Place in x, place in y, how many rows, their mean or most frequent word.",
    )
    points = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(allow_null=True)),
        help_text="x, y and the figure of at most 2,000 rows.",
    )
    rows_count = serializers.IntegerField(help_text="Rows that are done.")
    columns = SweepColumnSerializer(many=True)
    figure = DocumentField(help_text="The same as a chart: its axes, series and title.")


class SweepInputOfStudySerializer(serializers.Serializer[Any]):
    """A number of a study that may be an axis, and a range to begin with."""

    pointer = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the answer
    unit = serializers.CharField()
    value = serializers.FloatField(help_text="As entered.")
    low = serializers.FloatField()
    high = serializers.FloatField()
    is_ranged = serializers.BooleanField(help_text="Whether it has this range in the study.")


class SweepInputsSerializer(serializers.Serializer[Any]):
    results = SweepInputOfStudySerializer(many=True)


class StudySweepInputsApi(WorkspaceAPIView):
    """What of a study a sweep may vary."""

    @operation("studies_sweep_inputs", gives=SweepInputsSerializer)
    def get(self, request: Request, study_id: UUID) -> Any:
        """List the numbers of a complete study that may be axes, those with ranges first."""
        return {"results": sweeps.sweep_inputs(study_get(study_id))}


class SweepListApi(ListApi):
    """The workspace's sweeps."""

    body_bytes_max = DOCUMENT_BYTES_MAX
    ordering = NEWEST_JOB

    @operation(
        "sweeps_list",
        gives=SweepOutputSerializer(many=True),
        parameters=[OpenApiParameter("study", OpenApiTypes.UUID)],
    )
    def get(self, request: Request) -> Any:
        """List sweeps, newest first."""
        return sweeps.sweep_list(asked_id_if_any(request.query_params, "study"))

    @starts("sweeps_create", takes=SweepInputSerializer, gives=SweepOutputSerializer, may="run")
    def post(self, request: Request) -> Any:
        """Run a study's comparison, or any model, once for each row of a grid or a sample."""
        given = self.given()
        title = given.pop("title", "")
        if "study" in given and (both := {"model", "document"} & set(given)):
            message = "A study's own comparison is swept. Leave this out, or the study."
            raise Invalid.at(f"/{min(both)}", message, "one_of_two")
        study = study_get(given.pop("study")) if "study" in given else None
        if study is None and not {"model", "document"} <= set(given):
            raise Invalid.at("", "Send a study, or a model and its document.", "missing")
        sweep = sweeps.sweep_start(asked=given, study=study, title=title)
        audit_record(self.principal, "run.sweep", target=sweep.title)
        return sweep


class SweepApi(WorkspaceAPIView):
    """One sweep."""

    @operation("sweeps_get", gives=SweepDetailSerializer)
    def get(self, request: Request, sweep_id: UUID) -> Any:
        """Return the sweep's state, what was asked, and the columns of its table."""
        return sweeps.sweep_get(sweep_id)

    @operation("sweeps_delete")
    def delete(self, request: Request, sweep_id: UUID) -> None:
        """Remove a sweep with its table; workers that are at it write nothing more."""
        made_delete(sweeps.sweep_get(sweep_id))


class SweepCancelApi(WorkspaceAPIView):
    """A sweep's end before its time."""

    @starts("sweeps_cancel", gives=SweepOutputSerializer, may="run")
    def post(self, request: Request, sweep_id: UUID) -> Any:
        """Ask the sweep to stop; what is done is kept. 409 when it has ended already."""
        return made_cancel(sweeps.sweep_get(sweep_id))


class SweepResumeApi(WorkspaceAPIView):
    """A sweep that was stopped, taken up again."""

    @starts("sweeps_resume", gives=SweepOutputSerializer, may="run")
    def post(self, request: Request, sweep_id: UUID) -> Any:
        """Go on with the rows that are left, as a sweep in place of this one.

        409 while it goes on, when it has ended well, or when its model has changed since.
        """
        return sweeps.sweep_resume(sweeps.sweep_get(sweep_id))


class SweepPointsApi(WorkspaceAPIView):
    """What a screen shows of a sweep."""

    @operation(
        "sweeps_points",
        gives=SweepPointsSerializer,
        parameters=[
            OpenApiParameter("x", str, required=True, description="Name of a column."),
            OpenApiParameter("y", str, required=True, description="Name of a column."),
            OpenApiParameter("of", str, required=True, description="Column that is shown."),
        ],
    )
    def get(self, request: Request, sweep_id: UUID) -> Any:
        """Bin the rows that are done by two columns, at most 2,000 points; 409 before the first."""
        asked = request.query_params
        names = [asked.get(name, "") for name in ("x", "y", "of")]
        return sweeps.sweep_points(sweeps.sweep_get(sweep_id), *names)


class SweepRowsApi(FileView):
    """A sweep's table."""

    @operation("sweeps_rows", gives={(200, _PARQUET): OpenApiTypes.BINARY})
    def get(self, request: Request, sweep_id: UUID) -> HttpResponseBase:
        """Return every row as Parquet, or lead to where it is kept (302); 409 before its end."""
        kept = sweeps.sweep_file(sweeps.sweep_get(sweep_id))
        name = f"sweep-{sweep_id}.parquet"
        if elsewhere := redirect_to(kept, name=name, media=_PARQUET):
            return elsewhere
        return FileResponse(
            file_opened(kept), as_attachment=True, filename=name, content_type=_PARQUET
        )
