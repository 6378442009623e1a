"""Chunks of a long job: each done once, by whoever is there; what is done stays done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.testing.pieces import piece
from capworker.chunks import (
    ASK_AGAIN_S,
    SLICE_S,
    ChunkBeat,
    ChunkLost,
    SharedChunks,
    do_chunk,
    help_with,
)
from jobs import chunks, kinds, services
from jobs.models import Chunk
from jobs.services import Fenced
from jobs.testing import job_row

if TYPE_CHECKING:
    from accounts.testing import Person
    from jobs.chunks import ClaimedChunk
    from jobs.claims import ClaimedJob

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

PIECES = [{"place": place} for place in range(4)]
NAME = "capmodels.testing.pieces.piece"


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def claimed(person: Person) -> ClaimedJob:
    with person.workspace():
        job = services.job_submit(kind="test.batch")
    found = services.job_claim(job_id=job.id, workspace_id=person.workspace_id)
    assert found is not None
    return found


def opened(person: Person) -> ClaimedJob:
    job = claimed(person)
    chunks.chunks_open(job, 0, NAME, PIECES)
    return job


def take(job: ClaimedJob, *, helps: bool = False) -> ClaimedChunk:
    found = chunks.chunk_claim(job_id=job.id, workspace_id=job.workspace_id, helps=helps)
    assert found is not None
    return found


def expire(person: Person) -> None:
    with person.workspace():
        Chunk.objects.update(lease_expires_at="2026-01-01T00:00:00Z")


def sharing(job: ClaimedJob, clock: Clock | None = None, **more: Any) -> SharedChunks:
    clock = clock or Clock()
    return SharedChunks(job, lambda *_told: None, clock=clock, ask=lambda *_asked: None, **more)


def places(found: list[bytes]) -> list[int]:
    return [int(result.decode().strip("[]").split(",")[0]) for result in found]


def test_a_job_does_its_chunks_in_order(alice: Person) -> None:
    job = claimed(alice)
    told: list[float] = []
    run = SharedChunks(job, lambda fraction, _text: told.append(fraction), ask=lambda *_: None)
    assert places(run(piece, [{"place": place, "seconds": 1e-4} for place in range(4)])) == [
        0, 1, 2, 3,
    ]  # fmt: skip
    assert told == sorted(told)
    services.job_succeed(job, {})
    with alice.workspace():
        assert not Chunk.objects.exists()


@pytest.mark.decisive
def test_what_an_earlier_attempt_stored_is_not_done_again(alice: Person) -> None:
    job = opened(alice)
    for _ in range(3):
        assert do_chunk(take(job), lambda *_told: None)
    done: list[int] = []

    def spy(chunk: dict[str, Any], report: kinds.Report) -> bytes:
        done.append(chunk["place"])
        return piece(chunk, report)

    spy.__module__, spy.__qualname__ = piece.__module__, piece.__qualname__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("capmodels.testing.pieces.piece", spy)
        assert places(sharing(job)(spy, PIECES)) == [0, 1, 2, 3]
    assert done == [3]


def test_chunks_of_other_work_are_done_anew(alice: Person) -> None:
    job = opened(alice)
    do_chunk(take(job), lambda *_told: None)
    others = [{"place": place} for place in (7, 8)]
    assert places(sharing(job)(piece, others)) == [7, 8]


def test_a_chunk_is_held_by_one_and_fenced_once_another_has_it(alice: Person) -> None:
    job = opened(alice)
    held = [take(job) for _ in PIECES]
    assert len({chunk.id for chunk in held}) == len(PIECES)
    assert chunks.chunk_claim(job_id=job.id, workspace_id=job.workspace_id) is None
    expire(alice)
    again = take(job)
    late = next(chunk for chunk in held if chunk.id == again.id)
    for write in (chunks.chunk_renew, chunks.chunk_leave):
        with pytest.raises(Fenced):
            write(late)
    with pytest.raises(Fenced):
        chunks.chunk_store(late, b"late")
    chunks.chunk_store(again, b"mine")
    with pytest.raises(Fenced):
        chunks.chunk_store(again, b"twice")
    assert chunks.chunks_left(job, 0) == 3


def test_a_held_chunk_stays_held_and_stops_once_its_job_is_cancelled(alice: Person) -> None:
    job, clock = opened(alice), Clock()
    chunk = take(job)
    beat = ChunkBeat(chunk, clock=clock)
    assert not beat.is_due
    expire(alice)
    clock.now_s += 6
    assert beat.is_due
    beat.beat_safely()
    assert not beat.is_due
    assert take(job).id != chunk.id
    with alice.workspace():
        services.job_cancel(job_id=job.id)
    clock.now_s += 6
    beat.beat_safely()
    assert not beat.is_due
    with pytest.raises(ChunkLost):
        beat.require()
    assert chunks.chunk_claim(job_id=job.id, workspace_id=job.workspace_id) is None


def test_a_helper_does_what_is_left_and_another_workspace_sees_none(
    alice: Person, charlie: Person
) -> None:
    job = opened(alice)
    assert not help_with(job.id, charlie.workspace_id)
    assert chunks.chunks_left(job, 0) == 4
    assert not help_with(job.id, job.workspace_id)
    assert chunks.chunks_left(job, 0) == 0
    assert places(sharing(job)(piece, PIECES)) == [0, 1, 2, 3]


def test_a_helper_goes_to_the_end_of_the_queue_after_a_while(alice: Person) -> None:
    job = opened(alice)
    times = iter([0.0, 0.0, SLICE_S + 1])
    assert help_with(job.id, job.workspace_id, clock=lambda: next(times))
    assert chunks.chunks_left(job, 0) == 3


def test_a_chunk_that_breaks_is_left_to_the_jobs_own_worker(alice: Person) -> None:
    job = claimed(alice)
    broken = [{"place": 0, "bug": True}]
    chunks.chunks_open(job, 0, NAME, broken)
    for _ in range(chunks.HELPERS_ATTEMPTS + 1):
        assert not help_with(job.id, job.workspace_id)
    with pytest.raises(ZeroDivisionError):
        sharing(job)(piece, broken)
    with alice.workspace():
        assert Chunk.objects.get().attempt == chunks.HELPERS_ATTEMPTS + 1


def test_a_function_outside_of_science_is_not_called(alice: Person) -> None:
    job = claimed(alice)
    chunks.chunks_open(job, 0, "os.system", [{"place": 0}])
    with pytest.raises(ValueError, match=r"os\.system"):
        do_chunk(take(job), lambda *_told: None)


def test_others_are_asked_while_more_than_one_is_left(alice: Person) -> None:
    job, clock, asked = claimed(alice), Clock(), []
    run = SharedChunks(
        job, lambda *_told: None, clock=clock, ask=lambda _job, count: asked.append(count)
    )
    run(piece, PIECES)
    assert asked == [3]
    held = opened(alice)
    waiting = [take(held) for _ in PIECES]

    def sleep(_s: float) -> None:
        clock.now_s += ASK_AGAIN_S / 2
        chunks.chunk_store(waiting.pop(), b"[0]")

    run = SharedChunks(
        held, lambda *_told: None, clock=clock, sleep=sleep,
        ask=lambda _job, count: asked.append(count),
    )  # fmt: skip
    run(piece, PIECES)
    assert asked == [3, 3, 1]


def test_a_job_in_chunks_gives_its_turn_away_and_goes_on_later(
    alice: Person, charlie: Person
) -> None:
    job, clock = claimed(alice), Clock()
    run = SharedChunks(
        job,
        lambda *_told: setattr(clock, "now_s", clock.now_s + SLICE_S),
        clock=clock,
        ask=lambda *_asked: None,
    )
    with charlie.workspace():
        his = services.job_submit(kind="test.batch")
    slow = [{"place": place, "seconds": 1e-4} for place in range(4)]
    with pytest.raises(kinds.Later) as later:
        run(piece, slow)
    services.job_give_back(job, later.value)
    assert chunks.chunks_left(job, 0) == 3
    taken = services.job_claim(job_id=his.id, workspace_id=charlie.workspace_id)
    assert taken is not None
    services.job_succeed(taken, {})
    again = services.job_claim(job_id=job.id, workspace_id=job.workspace_id)
    assert again is not None
    assert places(sharing(again)(piece, slow)) == [0, 1, 2, 3]
    assert job_row(alice, job.id).attempt == 2
