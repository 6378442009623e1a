"""Reads traces and their pieces, inside an entered workspace."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import UUID

from capmodels.formats.trace_types import Kind, StoredTrace
from common.errors import Conflict, existing
from common.tenancy import brought, workspace
from files.frames import pieces_of
from files.models import File
from files.selectors import file_of, file_opened
from jobs.models import Job
from traces.models import Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.db.models import QuerySet

    from capmodels.formats.trace_types import UtilizationTrace

# What the other kinds hold is in their charts.
_READ_BY_MODELS: dict[str, Kind] = {
    "block": "block",
    "utilization": "utilization",
    "inference": "inference",
}


def trace_list(*, kind: str | None = None, state: str | None = None) -> QuerySet[Trace]:
    """Return the workspace's traces without charts and faults; one query."""
    wanted = {"kind": kind, "job__state": state}
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value}
    if any("\0" in value for value in given.values()):
        return Trace.objects.none()  # the database takes no NUL, so nothing can have it
    return Trace.objects.filter(**given).select_related("job").defer("charts", "faults")


def trace_get(trace_id: UUID) -> Trace:
    """Return one trace with its job and faults; one that an archive brought by either id.

    Raises
    ------
    NotFound
        When the workspace has no such trace.
    """
    ids = (trace_id, brought(trace_id))
    traces = Trace.objects.select_related("job").defer("charts")
    return existing(traces.filter(job_id__in=ids).first(), trace_id)


def trace_charts(trace: Trace) -> dict[str, Any]:
    """Return the series of a trace's charts.

    Raises
    ------
    Conflict
        When it has not been read, or not yet.
    """
    charts: dict[str, Any] | None = Trace.objects.values_list("charts", flat=True).get(
        job_id=trace.pk
    )
    if charts is None:
        raise Conflict(_NOT_READ.get(trace.job.state, "The trace has not been read yet."))
    return charts


def trace_told(trace: Trace) -> dict[str, Any]:
    """Return what a trace tells, worded and drawn as data (``capmodels.told``).

    Raises
    ------
    Conflict
        When it has not been read, or not yet.
    """
    from capmodels.formats.trace_told import trace_told as told

    charts = trace_charts(trace)
    return told(trace.kind, trace.summary or {}, charts).model_dump(mode="json")


_NOT_READ: dict[str, str] = {
    Job.State.FAILED: "The file could not be read, so there is nothing to show.",
    Job.State.CANCELLED: "Reading the file was cancelled, so there is nothing to show.",
}


def traces_of(workspace_id: UUID) -> Callable[[str], StoredTrace | None]:
    """Return a loader of this workspace's traces for ``trace_store.using``.

    To be called outside of any transaction, by a worker.
    """

    def load(trace_id: str) -> StoredTrace | None:
        key = UUID(trace_id)
        with workspace(workspace_id):
            found = _read(key)
            file = file_of(found.pk, File.Kind.TRACE) if found else None
        kind = None if found is None else _READ_BY_MODELS.get(found.kind)
        if found is None or kind is None or file is None:
            return None
        pieces = partial(_columns, file)
        return StoredTrace(kind, found.sha256, pieces, found.rows_count or 0)

    return load


def trace_utilization(trace_id: UUID) -> tuple[str, UtilizationTrace]:
    """Return a trace of utilization with its title.

    Raises
    ------
    NotFound
        When the workspace has no such trace.
    Conflict
        When it was not read, or holds something else.
    """
    from capmodels.formats.trace_columns import unpack_utilization

    trace = trace_get(trace_id)
    file = file_of(trace.pk, File.Kind.TRACE) if trace.kind == "utilization" else None
    if file is None:
        raise Conflict("Only a trace of utilization that was read says how busy machines are.")
    return trace.title, unpack_utilization(_columns(file))


def trace_sizes(trace_id: str) -> StoredTrace | None:
    """Loader for ``trace_store.using`` in the web: how many rows a trace has, and none of them."""
    found = _read(UUID(trace_id))
    kind = None if found is None else _READ_BY_MODELS.get(found.kind)
    if found is None or kind is None:
        return None
    return StoredTrace(kind, found.sha256, lambda: iter(()), found.rows_count or 0)


def _read(trace_id: UUID) -> Trace | None:
    ids = (trace_id, brought(trace_id))
    return Trace.objects.filter(job_id__in=ids).exclude(sha256="").first()


def _columns(file: File) -> Iterator[bytes]:
    with file_opened(file) as opened:
        yield from pieces_of(opened)
