"""Takes files in, and removes traces, inside an entered workspace."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING

from common.tenancy import current_workspace_id
from files.services import upload_keep
from jobs.models import Job
from jobs.services import job_cancel
from traces.models import Trace

if TYPE_CHECKING:
    from uuid import UUID

KIND = "trace"


def trace_create(*, file: IO[bytes] | UUID, file_name: str, title: str = "") -> Trace:
    """Store a file as it came, or take one that came in parts, and have a worker read it.

    Raises
    ------
    Invalid
        When the file is empty.
    """
    kept = upload_keep(file=file, kind=KIND)
    file_name = kept.name or file_name
    trace = Trace(
        workspace_id=current_workspace_id(),
        job=kept.job,
        title=(title.strip() or _title(file_name))[:200],
        file_name=file_name[-200:],
        bytes_count=kept.bytes_count,
    )
    trace.save(force_insert=True)
    return trace


_ENDINGS = (".gz", ".zst", ".tar", ".tgz", ".zip", ".trace", ".csv", ".txt", ".log", ".json")


def _title(file_name: str) -> str:
    """Name a trace after its file, without what only says how it is packed."""
    name = file_name.replace("\\", "/").rpartition("/")[2]
    while (ending := next((e for e in _ENDINGS if name.lower().endswith(e)), "")) and name:
        name = name[: -len(ending)]
    return name or file_name or "Trace"


def trace_rename(trace: Trace, title: str) -> Trace:
    """Give a trace another title."""
    trace.title = title
    trace.save(update_fields=["title"])
    return trace


def trace_cancel(trace: Trace) -> Trace:
    """Ask for the reading of a file to stop; twice is as good as once.

    Raises
    ------
    Conflict
        When it has ended already.
    """
    trace.job = job_cancel(job_id=trace.pk)
    return trace


def trace_delete(trace: Trace) -> None:
    """Remove a trace with all its pieces; a worker that is at it writes nothing more."""
    Job.objects.filter(id=trace.pk).delete()
