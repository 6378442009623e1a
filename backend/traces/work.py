"""A trace's way through the worker: read the file once, keep its columns."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import zstandard
from django.utils.timezone import now

from capmodels.errors import ModelError
from common.sealed import Unreadable, unseal
from common.tenancy import workspace
from files.frames import Spool, pieces_of
from files.models import File
from files.selectors import file_of, file_opened, file_pieces
from files.services import file_keep, file_remove
from jobs.kinds import Later
from traces.measured import NotNow, asked, document, share_of, windows
from traces.models import Trace
from traces.services import PURPOSE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from capmodels.formats.ingest import Ingested
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report


# How long a program that does not answer is asked again, and how often.
PATIENCE, WAIT = timedelta(minutes=10), timedelta(seconds=20)
KEPT_EVERY = 8


@dataclass(frozen=True, slots=True)
class FileToRead:
    """What the worker needs to know of the file."""

    file_name: str
    bytes_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class TraceRead:
    """What was found in the file, and its columns."""

    found: Ingested
    spool: Spool


def trace_load(job: ClaimedJob) -> FileToRead:
    """Read which file it is; inside the workspace."""
    known = Trace.objects.values_list("file_name", "bytes_count", "created_at")
    return FileToRead(*known.get(job_id=job.id))


def trace_perform(job: ClaimedJob, report: Report) -> TraceRead:
    """Read the file, a few megabytes at a time; no effect of its own.

    Raises
    ------
    ModelError
        When the file is of no known kind, damaged, or nothing in it can be read.
    """
    from capmodels.formats.chunks import FileRefused
    from capmodels.formats.ingest import ingest

    file: FileToRead = job.inputs
    spool = Spool()
    if "source" in job.payload:
        chunks: Iterator[bytes] = iter((_measured(job, report),))
    else:
        pieces = file_pieces(job.id, job.workspace_id, File.Kind.UPLOAD)
        chunks = _watched(pieces, file.bytes_count, report)
    try:
        return TraceRead(ingest(chunks, spool.keep, file.file_name), spool)
    except FileRefused as exc:
        raise ModelError(str(exc)) from exc


def _measured(job: ClaimedJob, report: Report) -> bytes:
    """Read a span of measurements, window by window; what was read before is not asked again.

    Raises
    ------
    ModelError
        When the program refuses, or knows of no measurement.
    Later
        When it does not answer, for ten minutes from the beginning.
    """
    source = job.payload["source"]
    wanted = windows(source["start_s"], source["end_s"], source["step_s"])
    try:
        secret = json.loads(unseal(job.payload["secret"], PURPOSE))
    except Unreadable as exc:
        raise ModelError("The access cannot be read any more. Enter it again.") from exc
    spool = Spool()
    parts = list(_kept(job))
    for part in parts:
        spool.keep(part)
    for place in range(len(parts), len(wanted)):
        report(share_of(place, len(wanted)), f"Window {place + 1} of {len(wanted)}")
        try:
            rows = asked(source, secret, wanted[place])
        except NotNow as exc:
            _keep(job, spool)
            if now() - job.inputs.created_at < PATIENCE:
                raise Later(str(exc), WAIT) from exc
            raise ModelError(f"{exc} It was tried for ten minutes.") from exc
        parts.append(zstandard.compress(json.dumps(rows).encode()))
        spool.keep(parts[-1])
        if (place + 1) % KEPT_EVERY == 0:
            _keep(job, spool)
    unpacked = (json.loads(zstandard.decompress(part)) for part in parts)
    return document(source, unpacked)


def _kept(job: ClaimedJob) -> Iterator[bytes]:
    """Windows that an earlier try has read."""
    with workspace(job.workspace_id):
        file = file_of(job.id, File.Kind.UPLOAD)
    if file is not None:
        with file_opened(file) as opened:
            yield from pieces_of(opened)


def _keep(job: ClaimedJob, spool: Spool) -> None:
    if not spool.bytes_count:
        return
    with workspace(job.workspace_id):
        file_remove(job.id, File.Kind.UPLOAD)
        file_keep(job_id=job.id, kind=File.Kind.UPLOAD, content=spool.file())
    spool.file().seek(0, 2)


def _watched(pieces: Iterator[bytes], total: int, report: Report) -> Iterator[bytes]:
    """Pass pieces on and say how far they are; stops here when the job was cancelled."""
    done = 0
    report(0.0, "Reading the file")
    for piece in pieces:
        yield piece
        done += len(piece)
        report(0.95 * done / max(total, 1), f"Read {done / 1e6:.0f} of {total / 1e6:.0f} MB")


def _storable(value: Any) -> Any:
    """A document without what the database takes in no text: NUL and halves of characters."""
    if isinstance(value, str):
        return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value


def trace_record(job: ClaimedJob, read: TraceRead) -> None:
    """Keep the columns and what was found; the file as it came is let go."""
    found = read.found
    summary, charts, faults = map(
        _storable,
        (
            found.summary,
            found.charts,
            [{"line": fault.line, "message": fault.message} for fault in found.faults],
        ),
    )
    Trace.objects.filter(job_id=job.id).update(
        kind=found.kind,
        format=found.format,
        rows_count=found.rows_count,
        stored_bytes_count=read.spool.bytes_count,
        sha256=found.sha256,
        summary=summary,
        charts=charts,
        faults=faults,
        faults_count=found.faults_count,
    )
    file_keep(job_id=job.id, kind=File.Kind.TRACE, content=read.spool.file())
    file_remove(job.id, File.Kind.UPLOAD)
