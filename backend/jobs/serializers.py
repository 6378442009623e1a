"""How far a job is, for whatever is made by one: runs, reports, files that are read."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.serializers import FaultSerializer, Told, ToldField
from jobs.models import Job


class JobErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    faults = FaultSerializer(many=True)


@extend_schema_field(float)
class SecondsLeftField(ToldField):
    """How long a running job will still take, estimated from the share done."""

    def told(self, row: Any, _context: Any) -> Any:
        """Return the job's estimate. [s]"""
        return row.job.seconds_left(timezone.now())


class JobStateSerializer(Told):
    """The state of the job that makes a thing."""

    state = serializers.ChoiceField(source="job.state", choices=Job.State.values)
    progress_fraction = serializers.FloatField(source="job.progress_fraction")
    progress_message = serializers.CharField(source="job.progress_message")
    seconds_left = SecondsLeftField(allow_null=True)
    error = JobErrorSerializer(source="job.error", allow_null=True)
    submitted_at = serializers.DateTimeField(source="job.submitted_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="job.ended_at", allow_null=True)
