"""What the addresses of reports take and give."""

from __future__ import annotations

from rest_framework import serializers

from common.serializers import StrictSerializer
from jobs.serializers import JobStateSerializer
from reports.models import Report


class ReportCreateInputSerializer(StrictSerializer):
    study = serializers.UUIDField(required=False)
    run = serializers.UUIDField(
        required=False, help_text="A run of any model that has ended, instead of a study; as PDF."
    )
    format = serializers.ChoiceField(choices=Report.Format.values, default=Report.Format.PDF)
    paper = serializers.ChoiceField(
        choices=Report.Paper.values, default=Report.Paper.A4, help_text="For a PDF."
    )
    appendix = serializers.BooleanField(
        default=False,
        help_text="Whether a study's PDF has its inputs with their sources, years, workings and "
        "checks, too.",
    )


class ReportOutputSerializer(JobStateSerializer):
    """A report and the state of its job, without its file."""

    id = serializers.UUIDField(source="job_id")
    study = serializers.UUIDField(source="study_id", allow_null=True)
    run = serializers.UUIDField(
        source="run_id", allow_null=True, help_text="The stored run whose result it shows."
    )
    title = serializers.CharField()
    format = serializers.ChoiceField(choices=Report.Format.values)
    paper = serializers.ChoiceField(choices=Report.Paper.values)
    appendix = serializers.BooleanField(
        source="with_appendix", help_text="Whether a study's PDF has one."
    )
    file_name = serializers.CharField()
    bytes_count = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField()
    model = serializers.CharField(source="model_id")
    model_version = serializers.CharField()
    inputs_hash = serializers.CharField()
    snapshot = serializers.CharField()
    created_at = serializers.DateTimeField()
