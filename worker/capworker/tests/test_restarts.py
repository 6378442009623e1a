"""A broker that goes away while messages are acknowledged leaves every worker serving."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import pytest

from capworker.tests.world import World, world
from jobs import monitoring

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.worker, pytest.mark.slow]

QUEUES = ("interactive", "batch", "reports", "webhooks")
BURST = 10


@pytest.fixture
def here(
    django_db_setup: None, django_db_blocker: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    with world(django_db_blocker, monkeypatch) as made:
        made.start_scheduler()
        yield made


def submit_and_restart(here: World, signum: signal.Signals) -> list[Any]:
    """Submit a burst to every queue, and end the broker when the first of each have ended."""
    ids = [here.submit(f"test.{queue}") for queue in QUEUES for _ in range(BURST)]
    here.wait(ids, lambda rows: {row.queue for row in rows if row.has_ended} == set(QUEUES))
    here.restart_valkey(signum)
    return ids


@pytest.mark.parametrize("times", [3, pytest.param(10, marks=pytest.mark.deep)])
def test_every_worker_serves_after_restarts_and_kills(here: World, times: int) -> None:
    workers = [here.start_worker(queue, queue, 2) for queue in QUEUES]
    ids = []
    for _ in range(times):
        ids += submit_and_restart(here, signal.SIGTERM)
        ids += submit_and_restart(here, signal.SIGKILL)
    here.wait_ended(ids)
    last = [here.submit(f"test.{queue}") for queue in QUEUES]
    here.wait_ended(last)
    assert here.results_counts(ids + last) == [1] * len(ids + last)
    # None of them had to be ended for that.
    assert not any(worker.restarts_s for worker in workers)


def test_a_worker_that_went_deaf_is_ended_and_started_anew(here: World) -> None:
    here.more["WORKER_PATIENCE_S"] = "3"
    worker = here.start_worker("deaf", "batch", app="deaf_app")
    first = here.submit("test.batch", seconds=0.5)
    here.wait_running([first])
    # It cannot acknowledge what it ends while the broker is away.
    here.data.kill("valkey")
    here.wait_ended([first])
    here.data.start_valkey()
    then = [here.submit("test.batch") for _ in range(3)]
    here.wait_ended(then)
    assert here.results_counts([first, *then]) == [1, 1, 1, 1]
    assert len(worker.restarts_s) == 1
    assert "took no message for 3 s" in worker.command.log.read_text()
    # It showed itself as its own, and a worker that is told to end is not missed.
    assert list(monitoring.worker_ages_s()) == [("batch", "deaf@chaos")]
    here.end(worker)
    assert monitoring.worker_ages_s() == {}


def test_a_worker_is_present_until_it_is_killed_also_after_the_broker_was(here: World) -> None:
    worker = here.start_worker("present", "batch,reports")
    here.wait_present("batch", 1)
    here.restart_valkey()
    here.wait_present("batch", 1)
    here.kill(worker)
    here.wait_present("batch", 0)
