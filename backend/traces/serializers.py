"""What the addresses of traces take and give."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jobs.models import Job
from traces.models import Trace


class TraceUploadInputSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        error_messages={
            "required": "Send a file: as the field 'file' of a form, or as the body.",
            "invalid": "This is no file. Send one as the field 'file' of a form, or as the body.",
            "empty": "The file is empty.",
            "no_name": "The file has no name. Give it one.",
        }
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)


class TraceRenameInputSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=200)


class TraceFormatSerializer(serializers.Serializer[Any]):
    """A format of files that traces are read from."""

    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=Trace.Kind.values)
    sentence = serializers.CharField(help_text="What its files hold.")


class TraceFormatsSerializer(serializers.Serializer[Any]):
    """Every format, and all of them as a sentence."""

    sentence = serializers.CharField()
    formats = TraceFormatSerializer(many=True)


class LineFaultSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    message = serializers.CharField()


class TraceFaultSerializer(serializers.Serializer[Any]):
    pointer = serializers.CharField()
    code = serializers.CharField()
    message = serializers.CharField()


class TraceErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()
    faults = TraceFaultSerializer(many=True)


@extend_schema_field(float)
class TraceSecondsLeftField(serializers.Field):  # type: ignore[type-arg]  # DRF gives no parameters here
    """How long reading the file will still take, estimated from the share done."""

    def to_representation(self, value: Any) -> Any:
        """Return the job's estimate. [s]"""
        return value.seconds_left(timezone.now())


class TraceOutputSerializer(serializers.Serializer[Any]):
    """A trace and the state of its job, without charts and faults."""

    id = serializers.UUIDField(source="job_id")
    title = serializers.CharField()
    file_name = serializers.CharField()
    kind = serializers.ChoiceField(choices=["", *Trace.Kind.values])
    format = serializers.CharField()
    format_title = serializers.SerializerMethodField(help_text="What lists call the format.")
    bytes = serializers.IntegerField(source="bytes_count")
    stored_bytes = serializers.IntegerField(source="stored_bytes_count", allow_null=True)
    rows_count = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField(help_text="Of the stored columns; blank until it is read.")
    summary = serializers.DictField(
        allow_null=True, help_text="Figures by name, the unit as suffix; they depend on the kind."
    )
    faults_count = serializers.IntegerField()
    state = serializers.ChoiceField(source="job.state", choices=Job.State.values)
    progress_fraction = serializers.FloatField(source="job.progress_fraction")
    progress_message = serializers.CharField(source="job.progress_message")
    seconds_left = TraceSecondsLeftField(source="job", allow_null=True, read_only=True)
    error = TraceErrorSerializer(source="job.error", allow_null=True)
    created_at = serializers.DateTimeField()
    submitted_at = serializers.DateTimeField(source="job.submitted_at")
    started_at = serializers.DateTimeField(source="job.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="job.ended_at", allow_null=True)

    def get_format_title(self, trace: Trace) -> str:
        """Return the format's title, blank until the file is read."""
        from capmodels.formats.registry import title_of

        return title_of(trace.format)


class TraceDetailSerializer(TraceOutputSerializer):
    """A trace with the lines that could not be read; the first hundred are kept."""

    faults = LineFaultSerializer(many=True)
