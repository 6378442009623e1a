"""Reads what is kept of a job, inside an entered workspace unless it says otherwise."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, cast

from django.core.files.storage import storages
from django.db.models import Sum

from common.tenancy import workspace
from files.models import File

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

_READ_BYTES = 1 << 20


def file_of(job_id: UUID, kind: str) -> File | None:
    """Return what is kept of a job, or None."""
    return File.objects.filter(job_id=job_id, kind=kind).first()


def file_opened(file: File) -> IO[bytes]:
    """Open a file for reading; may be read outside of any workspace."""
    return cast("IO[bytes]", storages[file.storage].open(file.name))


def file_pieces(job_id: UUID, workspace_id: UUID, kind: str) -> Iterator[bytes]:
    """Yield the bytes of what is kept of a job; to be called outside of any transaction."""
    with workspace(workspace_id):
        file = file_of(job_id, kind)
    if file is None:
        return
    with file_opened(file) as opened:
        while piece := opened.read(_READ_BYTES):
            yield piece


def bytes_stored() -> int:
    """Return how much the workspace keeps."""
    return File.objects.aggregate(bytes=Sum("bytes_count"))["bytes"] or 0
