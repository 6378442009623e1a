"""Makes the bucket of the installation ready: there, and open to parts that pages send."""

from __future__ import annotations

from typing import Any, cast

from django.conf import settings
from django.core.files.storage import storages
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Needs keys that may make buckets and set their rules; the service itself needs neither."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Make what is missing; twice is as good as once."""
        if not settings.OBJECTS:
            raise CommandError("OBJECTS_URL is not set: the database keeps large things.")
        cast("Any", storages["objects"]).prepare(settings.WEB_URL)
        bucket, origin = settings.OBJECTS["bucket_name"], settings.WEB_URL
        self.stdout.write(f"Bucket {bucket} takes parts of uploads from {origin}.")
