"""What the addresses that take a file take, and what they say of its reading."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jobs.models import Job


class FileInputSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        error_messages={
            "required": "Send a file: as the field 'file' of a form, or as the body.",
            "invalid": "This is no file. Send one as the field 'file' of a form, or as the body.",
            "empty": "The file is empty.",
            "no_name": "The file has no name. Give it one.",
        }
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)


class ReadingFaultSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class ReadingErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    faults = ReadingFaultSerializer(many=True)


@extend_schema_field(float)
class SecondsLeftField(serializers.Field):  # type: ignore[type-arg]  # DRF gives no parameters here
    """How long reading the file will still take, estimated from the share done."""

    def to_representation(self, value: Any) -> Any:
        """Return the job's estimate. [s]"""
        return value.seconds_left(timezone.now())


class ReadingSerializer(serializers.Serializer[Any]):
    """A file that was sent, and how far its reading is."""

    id = serializers.UUIDField(source="job_id")
    file_name = serializers.CharField()
    bytes = serializers.IntegerField(source="bytes_count")
    format = serializers.CharField()
    state = serializers.ChoiceField(source="job.state", choices=Job.State.values)
    progress_fraction = serializers.FloatField(source="job.progress_fraction")
    progress_message = serializers.CharField(source="job.progress_message")
    seconds_left = SecondsLeftField(source="job", allow_null=True, read_only=True)
    error = ReadingErrorSerializer(source="job.error", allow_null=True)
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(source="job.submitted_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="job.ended_at", allow_null=True)
