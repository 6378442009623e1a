"""Reads what is kept of a job, inside an entered workspace unless it says otherwise."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, cast

from django.core.files.storage import storages
from django.db.models import Sum

from common.errors import existing
from common.tenancy import workspace
from files.models import File, Upload

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


def file_address(file: File, *, name: str, media: str) -> str | None:
    """Return where a browser may fetch a file for a while, or None where only we have it.

    It is offered to be stored under ``name``.
    """
    if file.storage == "database":
        return None
    given = {
        "ResponseContentDisposition": f'attachment; filename="{name}"',
        "ResponseContentType": media,
    }
    return cast("Any", storages[file.storage]).url(file.name, parameters=given)  # type: ignore[no-any-return]  # a backend is untyped


def file_pieces(job_id: UUID, workspace_id: UUID, kind: str) -> Iterator[bytes]:
    """Yield the bytes of what is kept of a job; to be called outside of any transaction."""
    with workspace(workspace_id):
        file = file_of(job_id, kind)
    if file is None:
        return
    with file_opened(file) as opened:
        while piece := opened.read(_READ_BYTES):
            yield piece


def upload_get(upload_id: UUID, *, lock: bool = False) -> Upload:
    """Return a file that is being sent in parts.

    Raises
    ------
    NotFound
        When the workspace has no such upload.
    """
    rows = Upload.objects.select_related("file")
    return existing((rows.select_for_update() if lock else rows).filter(pk=upload_id).first())


def megabytes_stored() -> float:
    """Return how much the workspace keeps. [MB]"""
    return (File.objects.aggregate(bytes=Sum("bytes_count"))["bytes"] or 0) / 1e6
