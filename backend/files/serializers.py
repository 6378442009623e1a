"""What the addresses that take a file take, and what they say of its reading."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from capmodels.errors import EMPTY_FILE
from jobs.serializers import JobStateSerializer


class FileInputSerializer(serializers.Serializer[Any]):
    file = serializers.FileField(
        error_messages={
            "required": "Send a file: as the field 'file' of a form, or as the body.",
            "invalid": "This is no file. Send one as the field 'file' of a form, or as the body.",
            "empty": EMPTY_FILE,
            "no_name": "The file has no name. Give it one.",
        }
    )
    title = serializers.CharField(required=False, allow_blank=True, max_length=200)


class ReadingSerializer(JobStateSerializer):
    """A file that was sent, and how far its reading is."""

    id = serializers.UUIDField(source="job_id")
    file_name = serializers.CharField()
    bytes = serializers.IntegerField(source="bytes_count")
    format = serializers.CharField()
    created_at = serializers.DateTimeField()
