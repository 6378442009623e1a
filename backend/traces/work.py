"""A trace's way through the worker: read the file once, keep its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.errors import ModelError
from files.frames import Spool
from files.models import File
from files.selectors import file_pieces
from files.services import file_keep, file_remove
from traces.models import Trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.formats.ingest import Ingested
    from jobs.claims import ClaimedJob
    from jobs.kinds import Report


@dataclass(frozen=True, slots=True)
class FileToRead:
    """What the worker needs to know of the file."""

    file_name: str
    bytes_count: int


@dataclass(frozen=True, slots=True)
class TraceRead:
    """What was found in the file, and its columns."""

    found: Ingested
    spool: Spool


def trace_load(job: ClaimedJob) -> FileToRead:
    """Read which file it is; inside the workspace."""
    name, size = Trace.objects.values_list("file_name", "bytes_count").get(job_id=job.id)
    return FileToRead(name, size)


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
    pieces = file_pieces(job.id, job.workspace_id, File.Kind.UPLOAD)
    chunks = _watched(pieces, file.bytes_count, report)
    try:
        return TraceRead(ingest(chunks, spool.keep, file.file_name), spool)
    except FileRefused as exc:
        raise ModelError(str(exc)) from exc


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
