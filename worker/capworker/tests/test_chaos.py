"""Whatever is killed or frozen in mid-run: every job ends once, with one result."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from capworker.tests.world import World, account, world
from common.errors import Conflict
from common.tenancy import workspace
from files.selectors import file_opened
from jobs import chunks, monitoring
from jobs.services import job_cancel
from ops.tests.processes_of import descendants
from runs.sweeps import sweep_file, sweep_get, sweep_start

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

pytestmark = [pytest.mark.worker, pytest.mark.slow]


@pytest.fixture(scope="module")
def patches() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: Any, patches: pytest.MonkeyPatch
) -> Iterator[World]:
    with world(django_db_blocker, patches) as made:
        made.start_scheduler()
        yield made


@pytest.fixture
def here(shared_world: World, django_db_blocker: Any) -> Iterator[World]:
    """Return the world, without the workers of the test before."""
    with django_db_blocker.unblock():
        yield shared_world
        for service in list(shared_world.processes.services):
            if service.name != "scheduler":
                shared_world.kill(service)


def require_one_result_each(here: World, ids: list[UUID]) -> None:
    rows = here.wait_ended(ids)
    assert [row.state for row in rows] == ["succeeded"] * len(ids)
    assert here.results_counts(ids) == [1] * len(ids)


def test_a_worker_is_killed(here: World) -> None:
    worker = here.start_worker("first", "interactive", 2)
    ids = [here.submit(seconds=1) for _ in range(6)]
    here.wait_running(ids, progress=0.2)
    here.kill(worker)
    here.start_worker("second", "interactive", 2)
    require_one_result_each(here, ids)
    assert max(row.attempt for row in here.rows(ids)) == 2


def test_a_worker_that_is_told_to_end_gives_its_place_to_the_next_in_time(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(here.more, "WORKER_GRACE_S", "1")
    worker = here.start_worker("first", "interactive")
    job = here.submit(seconds=600)
    here.wait_running([job])
    here.end(worker)
    assert [row.state for row in here.rows([job])] == ["running"]
    assert "its jobs still run" in worker.command.log.read_text()
    with workspace(account().workspace_id):
        job_cancel(job_id=job)


def test_a_sweep_whose_worker_is_killed_three_times_loses_no_row_and_doubles_none(
    here: World, tmp_path: Path
) -> None:
    asset = {"title": "Owned", "capex_usd": 1.0, "opex_usd_per_year": 1e5, "life_years": 3.0}
    capex, life = "/assets/0/capex_usd", "/assets/0/life_years"
    axes = [
        {"kind": "range", "pointer": capex, "low": 1e5, "high": 3e5, "levels_count": 1000},
        {"kind": "range", "pointer": life, "low": 2.0, "high": 6.0, "levels_count": 25},
    ]
    asked = {"model": "cost.equivalent_annual_cost", "document": {"assets": [asset]}, "axes": axes}
    with workspace(account().workspace_id):
        job = sweep_start(asked=asked).pk

    def stored() -> int:
        with workspace(account().workspace_id):
            return len(chunks.chunks_done(job))

    for number in range(3):
        worker = here.start_worker(f"killed {number}", "batch", 2)
        wanted = stored() + 5
        here.wait([job], partial(lambda most, _rows: stored() > most, wanted))
        here.kill(worker)
    here.start_worker("last", "batch", 2)
    (row,) = here.wait_ended([job])
    assert row.state == "succeeded"
    # A new worker may help with chunks before the job itself is taken up again.
    assert 1 < row.attempt <= 4
    with workspace(account().workspace_id):
        sweep = sweep_get(job)
        with file_opened(sweep_file(sweep)) as table:
            path = tmp_path / "rows.parquet"
            path.write_bytes(table.read())
    text = 'SELECT count(*), count(DISTINCT "row"), count(DISTINCT ("{}", "{}")) FROM \'{}\''
    counts = duckdb.connect().execute(text.format(capex, life, path)).fetchone()
    assert (counts, sweep.faults_count) == ((25_000, 25_000, 25_000), 0)


def test_the_broker_is_killed(here: World) -> None:
    here.start_worker("first", "interactive", 2)
    ids = [here.submit(seconds=1) for _ in range(6)]
    here.wait_running(ids, progress=0.2)
    here.restart_valkey()
    later = [here.submit(seconds=0.1) for _ in range(3)]
    require_one_result_each(here, ids + later)
    # Those were sent at once, over a connection that the restart had cut.
    assert [row.sends_count for row in here.rows(later)] == [1, 1, 1]


def test_jobs_submitted_while_the_broker_is_away_are_done_when_it_is_back(here: World) -> None:
    here.start_worker("first", "interactive")
    here.wait_ended([here.submit()])
    here.data.kill("valkey")
    ids = [here.submit() for _ in range(3)]
    here.data.start_valkey()
    require_one_result_each(here, ids)


def test_the_database_is_killed(here: World) -> None:
    here.start_worker("first", "interactive", 2)
    ids = [here.submit(seconds=2) for _ in range(4)]
    here.wait_running(ids, progress=0.2)
    here.restart_postgres()
    require_one_result_each(here, ids)
    ids = [here.submit() for _ in range(3)]
    require_one_result_each(here, ids)


@pytest.mark.parametrize("silent", [False, True])
def test_a_worker_sleeps_past_its_lease_and_wakes(here: World, silent: bool) -> None:
    sleeper = here.start_worker("sleeper", "interactive")
    job = here.submit(seconds=1.5, silent=silent)
    here.wait([job], lambda rows: rows[0].state == "running")
    os.killpg(sleeper.process.pid, signal.SIGSTOP)
    second = here.start_worker("second", "interactive")
    here.wait_attempt(job, 2)
    # Work that never reports does not hear that it was fenced; it comes with its result.
    os.killpg(sleeper.process.pid, signal.SIGCONT)
    here.wait_ended([job])
    # Told to end, it first brings its own result, so that a second one would be there now.
    here.end(second)
    require_one_result_each(here, [job])
    # The one that woke is of use again.
    require_one_result_each(here, [here.submit()])


def test_a_job_whose_worker_always_dies_fails_in_the_end(here: World) -> None:
    job = here.submit(seconds=30)
    for attempt in (1, 2, 3):
        worker = here.start_worker(f"worker{attempt}", "interactive")
        here.wait_attempt(job, attempt)
        here.kill(worker)
    (row,) = here.wait_ended([job])
    assert row.state == "failed"
    assert row.error == {
        "code": "worker_lost",
        "message": "The worker stopped in the middle of it, 3 times.",
        "faults": [],
    }
    assert here.results_counts([job]) == [0]


@pytest.mark.parametrize("silent", [False, True])
def test_a_running_job_is_cancelled_and_its_worker_takes_the_next(
    here: World, silent: bool
) -> None:
    here.start_worker("first", "interactive")
    seconds = 3 if silent else 600
    job = here.submit(seconds=seconds, silent=silent)
    here.wait([job], lambda rows: rows[0].state == "running")
    following = here.submit()
    with workspace(account().workspace_id):
        job_cancel(job_id=job)
    (row,) = here.wait_ended([job])
    assert row.state == "cancelled"
    require_one_result_each(here, [following])
    assert here.results_counts([job]) == [0]


def test_of_a_long_job_only_the_chunks_at_hand_are_done_again(here: World) -> None:
    workers = [here.start_worker(name, "batch") for name in ("one", "two")]
    names = {("batch", f"{worker.name}@chaos") for worker in workers}
    here.wait([here.submit("test.batch")], lambda _rows: names <= set(monitoring.worker_ages_s()))
    job = here.submit("test.batch", chunks=40, chunk={"seconds": 0.2})
    here.wait([job], lambda _rows: len(here.chunk_processes(job)) == 2)
    died = {pid for worker in workers for pid in descendants(worker.process.pid)}
    for worker in workers:
        here.kill(worker)
    stored = here.chunk_processes(job)
    assert set(stored) <= died
    here.start_worker("last", "batch")
    require_one_result_each(here, [job])
    (row,) = here.rows([job])
    assert row.attempt == 2
    places, processes = zip(*here.result(job)["inputs"], strict=True)
    assert places == tuple(range(40))
    # Nothing that was stored was done again.
    assert sum(process in died for process in processes) == sum(stored.values()) < 40


def test_a_full_batch_queue_does_not_hold_up_an_interactive_job(here: World) -> None:
    here.start_worker("batch", "batch")
    here.start_worker("interactive", "interactive")
    batch = [here.submit("test.batch", seconds=0.5) for _ in range(30)]
    here.wait_running(batch)
    for _ in range(5):
        require_one_result_each(here, [here.submit()])
    waiting = [row for row in here.rows(batch) if row.state == "queued"]
    assert len(waiting) >= 20
    with workspace(account().workspace_id):
        for job_id in batch:
            # Some have ended, and one may be ending now.
            with suppress(Conflict):
                job_cancel(job_id=job_id)
    here.wait_ended(batch)
