"""How a model gets at an uploaded trace: a reference in its params, columns when it runs.

The worker sets a loader around each run that sees the traces of the run's workspace alone;
without one (in the web process, say) a trace cannot be read.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from capmodels.errors import Fault, ParamsError
from capmodels.spec import Params

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.formats.trace_types import (
        BlockRequests,
        InferenceTrace,
        Kind,
        StoredTrace,
        UtilizationTrace,
    )


class TraceRef(Params):
    """An uploaded trace of the workspace.

    ``sha256`` is of the stored columns: with it the hash of a run's inputs sees the content.
    """

    kind: Literal["uploaded"] = "uploaded"
    trace_id: str = Field(
        description="The trace's id.",
        pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    )
    sha256: str = Field(description="Hash of the trace's columns.", pattern=r"^[0-9a-f]{64}$")


_loader: ContextVar[Callable[[str], StoredTrace | None] | None] = ContextVar(
    "trace_loader", default=None
)


@contextmanager
def using(loader: Callable[[str], StoredTrace | None]) -> Iterator[None]:
    """Let models read traces through ``loader``: from an id to the trace, None for no such."""
    token = _loader.set(loader)
    try:
        yield
    finally:
        _loader.reset(token)


def block_pieces(ref: TraceRef, pointer: str = "/trace") -> Iterator[BlockRequests]:
    """Yield a block trace's requests in pieces of at most 65,536, in order.

    Raises
    ------
    ParamsError
        At ``pointer``, when there is no such trace here, it is of another kind, or it is not
        what it was when it was chosen.
    """
    from capmodels.formats.trace_columns import unpack_requests

    stored = _stored(ref, "block", pointer)
    return map(unpack_requests, stored.pieces())


def rows_count(ref: TraceRef) -> int:
    """Return how many rows a trace has: 0 where there is none, or nobody to ask."""
    loader = _loader.get()
    stored = None if loader is None else loader(ref.trace_id)
    return 0 if stored is None else stored.rows_count


def block_requests(ref: TraceRef, pointer: str = "/trace") -> BlockRequests:
    """Return all requests of a block trace: 25 to 29 bytes each.

    Raises
    ------
    ParamsError
        As ``block_pieces``.
    """
    from capmodels.formats.trace_columns import joined

    return joined(block_pieces(ref, pointer))


def utilization(ref: TraceRef, pointer: str = "/trace") -> UtilizationTrace:
    """Return a utilization trace.

    Raises
    ------
    ParamsError
        As ``block_pieces``.
    """
    from capmodels.formats.trace_columns import unpack_utilization

    return unpack_utilization(_stored(ref, "utilization", pointer).pieces())


def inference(ref: TraceRef, pointer: str = "/trace") -> InferenceTrace:
    """Return a log of requests to language models.

    Raises
    ------
    ParamsError
        As ``block_pieces``.
    """
    from capmodels.formats.trace_columns import unpack_prompts

    return unpack_prompts(_stored(ref, "inference", pointer).pieces())


def held(
    traces: Mapping[str, BlockRequests | UtilizationTrace | InferenceTrace],
) -> tuple[Callable[[str], StoredTrace | None], dict[str, TraceRef]]:
    """Return a loader of traces held in memory, by id, and their references."""
    from capmodels.formats.trace_columns import stored_in_memory

    kept = {trace_id: stored_in_memory(trace) for trace_id, trace in traces.items()}
    refs = {name: TraceRef(trace_id=name, sha256=found.sha256) for name, found in kept.items()}
    return kept.get, refs


_NAMES = {
    "block": "block requests",
    "utilization": "utilisation",
    "inference": "requests to language models",
}


def _stored(ref: TraceRef, kind: Kind, pointer: str) -> StoredTrace:
    loader = _loader.get()
    if loader is None:
        message = "A trace is read by a run, not by an instant answer. Submit a run."
        raise ParamsError([Fault(pointer, "needs_a_run", message)])
    stored = loader(ref.trace_id)
    if stored is None:
        message = "There is no such trace here. Choose one from the list, or upload it."
        raise ParamsError([Fault(pointer, "not_a_choice", message)])
    if stored.kind != kind:
        message = f"This trace holds {_NAMES[stored.kind]}; one of {_NAMES[kind]} is needed."
        raise ParamsError([Fault(pointer, "wrong_kind", message)])
    if stored.sha256 != ref.sha256:
        message = "The trace is not what it was when it was chosen. Choose it again."
        raise ParamsError([Fault(f"{pointer}/sha256", "changed", message)])
    return stored
