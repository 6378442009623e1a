"""What the addresses of reports take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from jobs.models import Job
from reports.models import Report
from runs.serializers import JobErrorSerializer, SecondsLeftField
from studies.serializers import StrictSerializer


class ReportCreateInputSerializer(StrictSerializer):
    study = serializers.UUIDField()
    format = serializers.ChoiceField(choices=Report.Format.values, default=Report.Format.PDF)
    paper = serializers.ChoiceField(
        choices=Report.Paper.values, default=Report.Paper.A4, help_text="For a PDF."
    )


class ReportOutputSerializer(serializers.Serializer[Any]):
    """A report and the state of its job, without its file."""

    id = serializers.UUIDField(source="job_id")
    study = serializers.UUIDField(source="study_id", allow_null=True)
    run = serializers.UUIDField(
        source="run_id", allow_null=True, help_text="The stored run whose result it shows."
    )
    title = serializers.CharField()
    format = serializers.ChoiceField(choices=Report.Format.values)
    paper = serializers.ChoiceField(choices=Report.Paper.values)
    file_name = serializers.CharField()
    bytes_count = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField()
    model = serializers.CharField(source="model_id")
    model_version = serializers.CharField()
    inputs_hash = serializers.CharField()
    snapshot = serializers.CharField()
    state = serializers.ChoiceField(source="job.state", choices=Job.State.values)
    progress_fraction = serializers.FloatField(source="job.progress_fraction")
    progress_message = serializers.CharField(source="job.progress_message")
    seconds_left = SecondsLeftField(source="job", allow_null=True, read_only=True)
    error = JobErrorSerializer(source="job.error", allow_null=True)
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(source="job.submitted_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="job.ended_at", allow_null=True)
