"""Reads archives, inside an entered workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archives.models import Archive
from common.errors import Conflict, existing
from files.models import File
from files.selectors import file_of

if TYPE_CHECKING:
    from uuid import UUID

    from django.db.models import QuerySet


def archive_list() -> QuerySet[Archive]:
    """Return the workspace's archives with their jobs; one query."""
    return Archive.objects.select_related("job")


def archive_get(archive_id: UUID) -> Archive:
    """Return one archive with its job.

    Raises
    ------
    NotFound
        When the workspace has no such archive.
    """
    return existing(archive_list().filter(job_id=archive_id).first())


def archive_file(archive: Archive) -> File:
    """Return the file of an archive that was made here.

    Raises
    ------
    Conflict
        When there is none, or none yet.
    """
    file = file_of(archive.pk, File.Kind.ARCHIVE)
    if file is None:
        raise Conflict("There is no file: it is not ready yet, or was read in and let go.")
    return file
