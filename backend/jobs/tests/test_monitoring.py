"""Queue lengths, canaries, the scheduler's rounds."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from config.chores import clear_up
from config.management.commands.scheduler import Chore, run_due
from jobs import monitoring
from jobs.models import Canary
from jobs.tests.test_services import claim, submit

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("database", "outbox")]


def test_metrics_count_jobs_of_all_workspaces(alice: Person, charlie: Person) -> None:
    submit(alice)
    submit(charlie)
    claim(alice, submit(alice))
    text = Client().get("/metrics").content.decode()
    assert 'ampacity_jobs{queue="interactive",state="queued"} 2.0' in text
    assert 'ampacity_jobs{queue="interactive",state="running"} 1.0' in text


def test_a_canary_is_followed_by_another_only_when_it_came_back() -> None:
    assert monitoring.canaries_due() == ["interactive", "batch", "reports"]
    assert monitoring.canaries_due() == []
    monitoring.canary_seen("batch")
    assert monitoring.canaries_due() == ["batch"]
    assert list(monitoring.canary_ages_s()) == ["batch"]
    assert 'ampacity_canary_age_seconds{queue="batch"}' in Client().get("/metrics").content.decode()
    Canary.objects.update(sent_at=timezone.now() - timedelta(minutes=11))
    assert sorted(monitoring.canaries_due()) == ["batch", "interactive", "reports"]


def test_a_broker_out_of_reach_is_told(settings: pytest.FixtureRequest) -> None:
    assert monitoring.broker_fault() is None
    settings.JOB_WAITING_COUNT = "jobs.tests.test_monitoring.unknown"  # type: ignore[attr-defined]
    assert monitoring.broker_fault() == (
        "The broker does not answer; jobs are stored and sent later."
    )


def unknown(_queue: str) -> None:
    return None


def test_a_chore_is_done_when_it_is_due_whatever_the_others_do() -> None:
    done: list[str] = []

    def fail() -> None:
        done.append("failed")
        raise ZeroDivisionError

    plan = [Chore(5, fail), Chore(2, lambda: done.append("worked"))]
    for now_s in (0.0, 1.0, 2.0, 5.0):
        run_due(plan, now_s)
    assert done == ["failed", "worked", "worked", "failed", "worked"]


def test_clearing_up_removes_what_expired_in_every_workspace(alice: Person) -> None:
    alice.post("tokens", {"title": "x"}, headers={"Idempotency-Key": "k"})
    clear_up()
    repeat = alice.post("tokens", {"title": "x"}, headers={"Idempotency-Key": "k"})
    assert repeat["Idempotent-Replayed"] == "true"
