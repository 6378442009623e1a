"""What the addresses of archives give."""

from __future__ import annotations

from rest_framework import serializers

from archives.models import Archive
from jobs.serializers import JobStateSerializer


class ArchiveOutputSerializer(JobStateSerializer):
    """An archive and the state of its job, without its file."""

    id = serializers.UUIDField(source="job_id")
    way = serializers.ChoiceField(
        choices=Archive.Way.values, help_text="Whether it was made here or is read in."
    )
    file_name = serializers.CharField()
    made_by = serializers.CharField()
    bytes_count = serializers.IntegerField(allow_null=True)
    sha256 = serializers.CharField()
    counts = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="How many studies, runs, comments and so on it holds, or brought.",
    )
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="What was taken under another name, and why."
    )
    created_at = serializers.DateTimeField()
