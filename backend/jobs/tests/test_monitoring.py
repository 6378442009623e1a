"""Queue lengths, canaries, the scheduler's rounds."""

from __future__ import annotations

import re
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string
from prometheus_client import CollectorRegistry, generate_latest

from config.chores import clear_up
from config.management.commands.scheduler import (
    RUNS_IDLE_S,
    RUNS_SOON_S,
    Chore,
    keep_runs,
    run_due,
)
from jobs import kinds, monitoring
from jobs.models import Job, Worker
from jobs.tests.test_services import claim, submit

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("database", "outbox")]


def test_metrics_count_jobs_of_all_workspaces(alice: Person, charlie: Person) -> None:
    submit(alice)
    submit(charlie)
    claim(alice, submit(alice))
    text = measured()
    jobs = 'ampacity_jobs{kind="test.interactive",queue="interactive"'
    assert f'{jobs},state="queued"}} 2.0' in text
    assert f'{jobs},state="running"}} 1.0' in text
    waiting = import_string(settings.JOB_WAITING_COUNT)("batch")
    assert f'ampacity_broker_messages{{queue="batch"}} {float(waiting)}' in text
    # The one that asks, and those of tests that run beside this one.
    active = re.search(r'ampacity_database_connections\{state="active"\} (\S+)', text)
    assert active is not None
    assert float(active[1]) >= 1


def test_metrics_tell_how_long_the_oldest_job_waits(alice: Person) -> None:
    submit(alice)
    job = submit(alice)
    with alice.workspace():
        Job.objects.update(submitted_at=timezone.now())
        Job.objects.filter(id=job.id).update(submitted_at=timezone.now() - timedelta(seconds=500))
    text = measured()
    found = re.search(r'ampacity_queue_age_seconds{queue="interactive"} (\S+)', text)
    assert found is not None
    assert float(found[1]) == pytest.approx(500, abs=60)
    assert 'ampacity_queue_age_seconds{queue="batch"} 0.0' in text


def test_the_pages_port_shows_no_metrics() -> None:
    assert b"ampacity_" not in Client().get("/metrics").content


def measured() -> str:
    registry = CollectorRegistry()
    registry.register(monitoring.LoadCollector())
    return generate_latest(registry).decode()


def test_the_age_of_each_worker_is_shown() -> None:
    monitoring.worker_seen("one", ["batch", "reports"])
    monitoring.worker_seen("two", ["batch"])
    age(name="one", by_s=300)
    assert {key: round(age_s) for key, age_s in monitoring.worker_ages_s().items()} == {
        ("batch", "one"): 300,
        ("reports", "one"): 300,
        ("batch", "two"): 0,
    }
    text = measured()
    assert 'ampacity_worker_age_seconds{queue="batch",worker="one"} 300.' in text
    monitoring.worker_seen("one", ["batch", "reports"])
    assert max(monitoring.worker_ages_s().values()) < 1


def test_a_queue_without_a_working_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monitoring.worker_seen("one", ["batch", "reports"])
    monitoring.worker_seen("two", ["batch"])
    age(name="one", by_s=300)
    monkeypatch.setattr(monitoring, "_STARTED_S", time.monotonic() - 10)
    assert Client().get("/readyz").status_code == 200
    monkeypatch.setattr(monitoring, "_STARTED_S", time.monotonic() - 61)
    answer = Client().get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["faults"] == {
        "workers": "No worker has shown for 60 s that it works on: reports."
    }
    monitoring.worker_left("one")
    assert Client().get("/readyz").status_code == 200


def test_workers_long_gone_are_forgotten_but_not_the_last_of_a_queue() -> None:
    for name, queues in {"one": ["batch", "reports"], "two": ["batch"], "three": ["batch"]}.items():
        monitoring.worker_seen(name, queues)
    age(name="one", by_s=700)
    age(name="two", by_s=500)
    monitoring.workers_forget()
    assert sorted(monitoring.worker_ages_s()) == [
        ("batch", "three"),
        ("batch", "two"),
        ("reports", "one"),
    ]


def age(*, name: str, by_s: float) -> None:
    Worker.objects.filter(name=name).update(seen_at=timezone.now() - timedelta(seconds=by_s))


def test_a_broker_out_of_reach_is_told(settings: pytest.FixtureRequest) -> None:
    assert monitoring.broker_fault() is None
    settings.JOB_WAITING_COUNT = "jobs.tests.test_monitoring.unknown"  # type: ignore[attr-defined]  # not one of the settings
    assert monitoring.broker_fault() == (
        "The broker does not answer; jobs are stored and sent later."
    )


def unknown(_queue: str) -> None:
    return None


@pytest.mark.parametrize(
    ("counts", "away"),
    [
        (None, ["broker"]),
        (dict.fromkeys(kinds.QUEUES, 2), []),
        (dict.fromkeys(kinds.QUEUES, 1) | {"reports": 0}, ["worker-reports"]),
    ],
)
def test_pages_name_the_broker_or_each_queue_without_a_worker(
    counts: dict[str, int] | None, away: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("config.celery.listening_counts", lambda: counts)
    assert [each["part"] for each in monitoring.jobs_away()] == away


def test_nobody_listens_to_the_broker_of_a_test() -> None:
    assert import_string(settings.JOB_LISTENING_COUNTS)() == dict.fromkeys(kinds.QUEUES, 0)


def test_a_chore_is_done_when_it_is_due_whatever_the_others_do() -> None:
    done: list[str] = []

    def fail() -> None:
        done.append("failed")
        raise ZeroDivisionError

    plan = [Chore(5, fail), Chore(2, lambda: done.append("worked"))]
    for now_s in (0.0, 1.0, 2.0, 5.0):
        run_due(plan, now_s)
    assert done == ["failed", "worked", "worked", "failed", "worked"]


def test_saved_changes_are_looked_for_often_only_while_one_settles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    settling = iter([False, True, True, False])

    class Stop(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0.0)
            return len(waits) > 4

    monkeypatch.setattr("config.chores.runs_keep", lambda: next(settling))
    keep_runs(Stop())
    assert waits == [RUNS_IDLE_S, RUNS_IDLE_S, RUNS_SOON_S, RUNS_SOON_S, RUNS_IDLE_S]


def test_clearing_up_removes_what_expired_in_every_workspace(alice: Person) -> None:
    alice.post("tokens", {"title": "x"}, headers={"Idempotency-Key": "k"})
    clear_up()
    repeat = alice.post("tokens", {"title": "x"}, headers={"Idempotency-Key": "k"})
    assert repeat["Idempotent-Replayed"] == "true"
