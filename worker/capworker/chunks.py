"""Shares a long job's chunks between the workers of its queue.

The job's own worker does chunks until none is left. A few messages ask others to do some as well:
each does chunks for some seconds, then goes to the end of the queue, so that it holds up nobody.
"""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from django.db import DatabaseError, close_old_connections
from django.utils.module_loading import import_string

from capmodels.formats.trace_store import using
from capworker.heartbeat import HEART, LEASE_SHARE
from capworker.persistence import persistently
from config import celery
from jobs import chunks, kinds
from jobs.services import Fenced, lease
from jobs.turns import others_wait
from traces.selectors import traces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from uuid import UUID

    from capmodels.chunks import ChunkFunction, Report, RunChunks
    from jobs.chunks import ClaimedChunk
    from jobs.claims import ClaimedJob

# How long a message may keep a worker, and a job go on while others wait for their turn.
SLICE_S = 5.0
HELPERS_MAX = 16
ASK_AGAIN_S = 5.0
LOOK_S = 0.2
WAITING = "Waiting for the last parts"

logger = logging.getLogger(__name__)


class ChunkLost(Exception):
    """The chunk is another's, or nobody waits for it."""


class ChunkBeat:
    """Keeps a chunk's lease while its function runs."""

    def __init__(self, chunk: ClaimedChunk, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare; the first beat comes after a third of the lease."""
        self._chunk = chunk
        self._clock = clock
        self._pause_s = lease().total_seconds() * LEASE_SHARE
        self._due_s = clock() + self._pause_s
        self._lost = False

    def __enter__(self) -> Self:
        """Start beating."""
        HEART.take(self)
        return self

    def __exit__(self, *_error: object) -> None:
        """Stop beating."""
        HEART.let_go(self)

    @property
    def is_due(self) -> bool:
        """Whether to beat."""
        return not self._lost and self._clock() >= self._due_s

    def beat_safely(self) -> None:
        """Renew the lease; what is lost while the database is away comes with the next beat."""
        try:
            chunks.chunk_renew(self._chunk)
        except Fenced:
            self._lost = True
        except DatabaseError as exc:
            logger.warning("a chunk's beat was lost: %s", type(exc).__name__)
            close_old_connections()
        else:
            self._due_s = self._clock() + self._pause_s

    def require(self) -> None:
        """Go on only while the chunk is ours.

        Raises
        ------
        ChunkLost
            When it is not.
        """
        if self._lost:
            raise ChunkLost


def do_chunk(chunk: ClaimedChunk, report: Report) -> bool:
    """Do a chunk and store what came of it; False when another has it."""
    with ChunkBeat(chunk) as beat:

        def told(fraction: float, text: str) -> None:
            beat.require()
            report(fraction, text)

        try:
            result = function_of(chunk)(chunk.payload, told)
            persistently(partial(chunks.chunk_store, chunk, result))
        except (ChunkLost, Fenced):
            return False
    return True


def function_of(chunk: ClaimedChunk) -> ChunkFunction:
    """The function that a row names: one of the science's."""
    if not chunk.function.startswith("capmodels."):
        raise ValueError(chunk.function)
    found: ChunkFunction = import_string(chunk.function)
    return found


class SharedChunks:
    """Runs the chunks of one job; what an earlier attempt stored is not done again."""

    def __init__(
        self,
        job: ClaimedJob,
        report: Report,
        *,
        ask: Callable[[ClaimedJob, int], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Share the work of this job; ``ask`` asks so many others for help."""
        self._job, self._report = job, report
        self._ask = ask or ask_for_help
        self._clock, self._sleep = clock, sleep
        self._turn_s = clock() + SLICE_S
        self._call = -1

    def __call__(self, function: ChunkFunction, payloads: Sequence[dict[str, Any]]) -> list[bytes]:
        """Return what the function gives for each chunk.

        Raises
        ------
        Later
            When another workspace waits for its turn.
        """
        self._call += 1
        name = f"{function.__module__}.{function.__qualname__}"
        chunks.chunks_open(self._job, self._call, name, payloads)
        for left in self._rounds():
            chunk = chunks.chunk_claim(job_id=self._job.id, workspace_id=self._job.workspace_id)
            done = 1 - left / len(payloads)
            if chunk is None:
                self._report(done, WAITING)
                self._sleep(LOOK_S)
            else:
                do_chunk(chunk, partial(self._told, done, 1 / len(payloads)))
        return chunks.chunks_results(self._job, self._call, len(payloads))

    def _told(self, done: float, share: float, fraction: float, text: str) -> None:
        self._report(done + share * fraction, text)

    def _rounds(self) -> Iterator[int]:
        """Yield how many chunks have no result, as long as some have none; ask for help."""
        asked_s = -ASK_AGAIN_S
        while left := chunks.chunks_left(self._job, self._call):
            now_s = self._clock()
            if left > 1 and now_s - asked_s >= ASK_AGAIN_S:
                self._ask(self._job, min(left - 1, HELPERS_MAX))
                asked_s = now_s
            if now_s >= self._turn_s and others_wait(self._job):
                raise kinds.Later("Waiting for its next turn", timedelta())
            yield left


def ask_for_help(job: ClaimedJob, count: int) -> None:
    """Send messages to the job's queue, unless some wait there: they may be ours."""
    queue = kinds.kind_of(job.kind).queue
    if celery.waiting_count(queue) == 0:
        for _ in range(count):
            celery.send_task(celery.HELP_TASK, [str(job.id), str(job.workspace_id)], queue)


def shared(job: ClaimedJob, report: Report) -> RunChunks | None:
    """How the chunks of this job are run: by all workers where it may take long."""
    long = kinds.kind_of(job.kind).queue == kinds.BATCH
    return SharedChunks(job, report) if long else None


def help_with(
    job_id: UUID, workspace_id: UUID, *, clock: Callable[[], float] = time.monotonic
) -> bool:
    """Do chunks of another's job for some seconds; whether there may be more of them."""
    until_s = clock() + SLICE_S
    while clock() < until_s:
        chunk = chunks.chunk_claim(job_id=job_id, workspace_id=workspace_id, helps=True)
        if chunk is None:
            return False
        try:
            with using(traces_of(workspace_id)):
                do_chunk(chunk, lambda _fraction, _text: None)
        except DatabaseError:
            raise
        except Exception:
            # The job's own worker meets the same, and says so.
            logger.exception("a chunk could not be done")
            persistently(partial(chunks.chunk_leave, chunk))
            return False
    return True
