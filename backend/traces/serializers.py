"""What the addresses of traces take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from common.serializers import FormField, StrictSerializer
from files.serializers import ReadingSerializer
from jobs.models import Job
from traces.models import Trace

KINDS, STATES = list(Trace.Kind.values), list(Job.State.values)


class TraceRenameInputSerializer(StrictSerializer):
    title = serializers.CharField(max_length=200)


class SpanSerializer(StrictSerializer):
    """A span of time, and how far apart its points are."""

    title = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    since = serializers.DateTimeField(help_text="The first point.")
    until = serializers.DateTimeField()
    step_s = serializers.IntegerField(
        min_value=10, max_value=86_400, default=300, help_text="Seconds between two points."
    )


_SECRET: dict[str, Any] = {
    "required": False,
    "allow_blank": True,
    "default": "",
    "write_only": True,
}


class PrometheusInputSerializer(SpanSerializer):
    """A query of a Prometheus server, and the access to it, which is kept sealed until it ends."""

    address = serializers.CharField(
        max_length=300, help_text="As https://prometheus.example.org, without the API's own path."
    )
    query = serializers.CharField(
        max_length=2_000,
        help_text="PromQL of the share of CPU in use, one series for each machine. A metric named "
        "after memory or power is taken as such.",
    )
    token = serializers.CharField(max_length=4_000, help_text="A bearer token.", **_SECRET)
    user = serializers.CharField(max_length=200, **_SECRET)
    password = serializers.CharField(max_length=1_000, **_SECRET)


class CloudWatchInputSerializer(SpanSerializer):
    """A metric of CloudWatch, one series for each value of a dimension, and keys that may read."""

    region = FormField(r"^[a-z]{2}(-[a-z]+)+-\d$", help_text="As eu-west-1.")
    namespace = FormField(r"^[\w./#:-]{1,255}$", default="AWS/EC2")
    metric = FormField(r"^[\w.%/# :-]{1,255}$", default="CPUUtilization")
    dimension = FormField(r"^[\w./#:-]{1,255}$", default="InstanceId")
    access_id = serializers.CharField(max_length=200, write_only=True)
    secret = serializers.CharField(max_length=1_000, write_only=True)
    token = serializers.CharField(max_length=4_000, help_text="Of a session.", **_SECRET)


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


class TraceOutputSerializer(ReadingSerializer):
    """A trace and the state of its job, without charts and faults."""

    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=["", *Trace.Kind.values])
    format_title = serializers.SerializerMethodField(help_text="What lists call the format.")
    stored_bytes = serializers.IntegerField(source="stored_bytes_count", allow_null=True)
    rows_count = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField(help_text="Of the stored columns; blank until it is read.")
    summary = serializers.DictField(
        allow_null=True, help_text="Figures by name, the unit as suffix; they depend on the kind."
    )
    headline = serializers.SerializerMethodField(
        help_text="One sentence of what it holds; blank until it is read."
    )
    faults_count = serializers.IntegerField()

    def get_headline(self, trace: Trace) -> str:
        """Return what the trace holds in one sentence."""
        from capmodels.formats.trace_told import headline

        return headline(trace.kind, trace.summary) if trace.summary else ""

    def get_format_title(self, trace: Trace) -> str:
        """Return the format's title, blank until the file is read."""
        from capmodels.formats.registry import title_of

        return title_of(trace.format)


class TraceDetailSerializer(TraceOutputSerializer):
    """A trace with the lines that could not be read; the first hundred are kept."""

    faults = LineFaultSerializer(many=True)
