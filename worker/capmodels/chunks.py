"""Long work in chunks, each of which can be done anywhere, and again.

A model hands its chunks to ``Context.run_chunks``. Where nothing else is set up they are done here,
one after the other; a worker shares them with others, and keeps what is done (``serving``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Report = Callable[[float, str], None]
# A function of a module, so that others find it by name. What it gives depends on the chunk
# alone; it has no effect. A chunk is a JSON document.
ChunkFunction = Callable[[dict[str, Any], Report], bytes]
RunChunks = Callable[[ChunkFunction, Sequence[dict[str, Any]]], list[bytes]]

_serving: ContextVar[RunChunks | None] = ContextVar("serving", default=None)


def run_chunks(
    function: ChunkFunction, chunks: Sequence[dict[str, Any]], report: Report
) -> list[bytes]:
    """Return what the function gives for each chunk, in their order."""
    elsewhere = _serving.get()
    return _here(function, chunks, report) if elsewhere is None else elsewhere(function, chunks)


@contextmanager
def serving(run: RunChunks | None) -> Iterator[None]:
    """Have chunks done by this function; by ourselves where it is None."""
    token = _serving.set(run)
    try:
        yield
    finally:
        _serving.reset(token)


def _here(function: ChunkFunction, chunks: Sequence[dict[str, Any]], report: Report) -> list[bytes]:
    def one(place: int) -> bytes:
        return function(
            chunks[place],
            lambda fraction, text: report((place + fraction) / len(chunks), text),
        )

    return [one(place) for place in range(len(chunks))]
