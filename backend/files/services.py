"""Keeps and removes large things. Which storage has them, nothing above here knows."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.base import File as Content
from django.core.files.storage import storages
from django.db import connection
from django.utils import timezone

from capmodels.errors import EMPTY_FILE
from common import quotas
from common.errors import Conflict, Invalid
from common.tenancy import current_workspace_id, workspace
from files.models import File, Gone, Upload
from files.selectors import upload_get
from jobs.services import job_submit

if TYPE_CHECKING:
    from datetime import datetime

    from jobs.models import Job

logger = logging.getLogger(__name__)

# Larger uploads are read in the queue of the long jobs.
SHORT_BYTES_MAX = 32 << 20
_GONE_AT_ONCE = 1000


def file_keep(*, job_id: UUID, kind: str, content: IO[bytes]) -> File:
    """Keep what a job was given or has made, in the storage of this installation."""
    file_id = uuid4()
    row = File(
        id=file_id,
        workspace_id=current_workspace_id(),
        job_id=job_id,
        kind=kind,
        storage=settings.LARGE_STORAGE,
        name=f"{current_workspace_id()}/{kind}/{file_id}",
        bytes_count=content.seek(0, 2),
    )
    content.seek(0)
    row.save(force_insert=True)
    storages[row.storage].save(row.name, Content(content, row.name))
    return row


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that a job will read; ``name`` where the upload said it."""

    job: Job
    bytes_count: int
    name: str


def upload_keep(*, file: IO[bytes] | UUID, kind: str) -> Kept:
    """Keep an upload as it came, or one that came in parts, and have a worker read it.

    ``kind`` is of a job for short files; the one for long files ends in ``.long``.

    Raises
    ------
    Invalid
        When the file is empty.
    Full
        When the workspace has no room for it.
    Conflict
        While parts of it are missing.
    """
    if isinstance(file, UUID):
        return _upload_take(file, kind)
    size = file.seek(0, 2)
    if not size:
        raise Invalid.at("/file", EMPTY_FILE, "empty")
    # What a job has made is kept whatever its size: it would have been computed for nothing.
    quotas.require("stored_mb", size / 1e6)
    job = _job_for(kind, size)
    file_keep(job_id=job.id, kind=File.Kind.UPLOAD, content=file)
    return Kept(job, size, "")


def _upload_take(upload_id: UUID, kind: str) -> Kept:
    upload = upload_get(upload_id, lock=True)
    if upload.ended_at is None:
        raise Conflict("Not all of this file is here. Send the rest, and end the upload.")
    size = upload.file.bytes_count
    job = _job_for(kind, size)
    upload.file.job = job
    upload.file.save(update_fields=["job"])
    Upload.objects.filter(pk=upload.pk).delete()
    return Kept(job, size, upload.name)


def _job_for(kind: str, size: int) -> Job:
    return job_submit(kind=kind if size <= SHORT_BYTES_MAX else f"{kind}.long")


def file_remove(job_id: UUID, kind: str) -> None:
    """Let go of what is kept of a job."""
    File.objects.filter(job_id=job_id, kind=kind).delete()


def uploads_prune(now: datetime | None = None) -> None:
    """Let go of the files that were not read and never will be. Crosses workspaces."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT files_uploads_prune(%s)", [now or timezone.now()])


def gone_remove() -> int:
    """Remove from the storages what is gone; return how many files. Crosses workspaces."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT workspace_id, id, storage, name FROM files_gone(%s)", [_GONE_AT_ONCE]
        )
        gone = cursor.fetchall()
    for workspace_id, file_id, storage, name in gone:
        storages[storage].delete(name)
        with workspace(workspace_id):
            Gone.objects.filter(id=file_id).delete()
    return len(gone)
