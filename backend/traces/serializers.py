"""What the addresses of traces take and give."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from files.serializers import ReadingSerializer
from traces.models import Trace


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
    faults_count = serializers.IntegerField()

    def get_format_title(self, trace: Trace) -> str:
        """Return the format's title, blank until the file is read."""
        from capmodels.formats.registry import title_of

        return title_of(trace.format)


class TraceDetailSerializer(TraceOutputSerializer):
    """A trace with the lines that could not be read; the first hundred are kept."""

    faults = LineFaultSerializer(many=True)
