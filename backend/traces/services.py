"""Takes files in, and removes traces, inside an entered workspace."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any

from common.errors import Invalid
from common.sealed import seal
from files.services import upload_keep
from jobs.services import job_submit
from traces.measured import WINDOWS_MAX, windows
from traces.models import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

KIND = "trace"
# What accesses are sealed for.
PURPOSE = "measurements"


def trace_create(*, file: IO[bytes] | UUID, file_name: str, title: str = "") -> Trace:
    """Store a file as it came, or take one that came in parts, and have a worker read it.

    Raises
    ------
    Invalid
        When the file is empty.
    """
    kept = upload_keep(file=file, kind=KIND)
    file_name = kept.name or file_name
    return Trace.objects.create(
        job=kept.job,
        title=(title.strip() or _title(file_name))[:200],
        file_name=file_name[-200:],
        bytes_count=kept.bytes_count,
    )


def trace_measure(
    *, source: Mapping[str, Any], secret: Mapping[str, str], title: str, name: str
) -> Trace:
    """Have a worker read measurements by API; the access is kept sealed until the job has ended.

    ``source`` says of what (see ``traces.measured``), ``name`` what the trace's file is called.

    Raises
    ------
    Invalid
        When the span is empty, or too long for its step.
    """
    start_s, end_s, step_s = (source[key] for key in ("start_s", "end_s", "step_s"))
    if end_s <= start_s:
        raise Invalid.at("/until", "Enter an end after the beginning.", "not_after")
    if len(windows(start_s, end_s, step_s)) > WINDOWS_MAX:
        raise Invalid.at("/step_s", "The span is too long for this step.", "too_many")
    sealed = seal(json.dumps(dict(secret)), PURPOSE)
    return Trace.objects.create(
        job=job_submit(kind=f"{KIND}.long", payload={"source": dict(source), "secret": sealed}),
        title=(title.strip() or name)[:200],
        file_name=name[:200],
        bytes_count=0,
    )


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
