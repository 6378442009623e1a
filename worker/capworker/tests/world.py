"""A cluster, a broker, a scheduler and workers of the tests' own, to be killed at will."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from django.core.management import call_command
from django.db import DatabaseError, connections

from accounts.crossing import Account, account_by_email
from accounts.services import workspace_create
from common.tenancy import workspace
from config import celery, env
from config.celery import client, listening_counts
from jobs.models import Chunk, Job
from jobs.services import job_submit
from jobs.testing import RESULT, register
from ops import places
from ops.private import DataServices
from ops.processes import Command, Supervisor, kill_group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from ops.processes import Service

LEASE_S = 2
PATIENCE_S = 60
POLL_S = 0.05
EMAIL = "chaos@example.org"
_URLS = {
    "default": "DATABASE_URL",
    "identity": "DATABASE_IDENTITY_URL",
    "owner": "DATABASE_OWNER_URL",
}


@dataclass
class World:
    """The servers and processes of one chaos test module."""

    folder: Path
    data: DataServices
    processes: Supervisor = field(default_factory=Supervisor)
    more: dict[str, str] = field(default_factory=dict)

    def environment(self) -> dict[str, str]:
        """Return what the processes run with."""
        given = {**os.environ, **self.data.urls(), "JOB_LEASE_S": str(LEASE_S), **self.more}
        given.pop("PYTHONWARNINGS", None)
        return given

    def start(self, name: str, *argv: str) -> Service:
        """Start a process whose output goes to a file of its name."""
        return self.processes.start(
            Command(
                name=name,
                argv=argv,
                env=self.environment(),
                cwd=places.ROOT,
                log=self.folder / f"{name}.log",
                stop_signal=signal.SIGTERM,
                patience_s=5,
            )
        )

    def start_worker(
        self, name: str, queues: str, count: int = 1, *, app: str = "chaos_app"
    ) -> Service:
        """Start a Celery worker for some queues."""
        return self.start(
            name, sys.executable, "-m", "celery", "-A", f"capworker.tests.{app}", "worker",
            "-Q", queues, "-n", f"{name}@chaos", "-c", str(count),
            "--without-gossip", "--without-mingle", "--without-heartbeat",
        )  # fmt: skip

    def start_scheduler(self) -> Service:
        """Start the scheduler, which sends lost jobs again."""
        return self.start("scheduler", sys.executable, str(places.MANAGE), "scheduler")

    def kill(self, service: Service) -> None:
        """SIGKILL a process with all its children."""
        self.processes.services.remove(service)
        kill_group(service.process.pid)
        service.process.wait()

    def end(self, service: Service) -> None:
        """SIGTERM a worker: it finishes what it is at, and ends."""
        self.processes.services.remove(service)
        service.process.terminate()
        service.process.wait(PATIENCE_S)

    def restart_postgres(self) -> None:
        """SIGKILL the cluster in the middle of what it does, and start it again."""
        self.data.kill("postgres")
        self.data.start_created_postgres()

    def restart_valkey(self, signum: int = signal.SIGKILL) -> None:
        """End the broker, and start it again on its append-only file."""
        self.data.kill("valkey", signum)
        self.data.start_valkey()

    def submit(self, kind: str = "test.interactive", **payload: Any) -> UUID:
        """Submit a job through the service."""
        with workspace(account().workspace_id):
            return job_submit(kind=kind, payload=payload).id

    def rows(self, ids: list[UUID]) -> list[Job]:
        """Return the jobs as they stand; nothing while the database is away."""
        try:
            with workspace(account().workspace_id):
                return list(Job.objects.filter(id__in=ids).order_by("submitted_at"))
        except DatabaseError:
            connections.close_all()
            return []

    def results_counts(self, ids: list[UUID]) -> list[int]:
        """Return how many results each job has."""
        with workspace(account().workspace_id), connections["default"].cursor() as cursor:
            cursor.execute("SELECT target FROM accounts_auditentry WHERE action = %s", [RESULT])
            targets = [target for (target,) in cursor.fetchall()]
        return [targets.count(str(job_id)) for job_id in ids]

    def result(self, job_id: UUID) -> Any:
        """Return the result of a job."""
        with workspace(account().workspace_id), connections["default"].cursor() as cursor:
            cursor.execute(
                "SELECT detail::text FROM accounts_auditentry WHERE action = %s AND target = %s",
                [RESULT, str(job_id)],
            )
            return json.loads(cursor.fetchone()[0])

    def chunk_processes(self, job_id: UUID) -> Counter[int]:
        """Return how many chunks of a job each process has stored so far."""
        with workspace(account().workspace_id):
            rows = Chunk.objects.filter(job_id=job_id).exclude(result=None)
            return Counter(json.loads(bytes(row.result or b""))[1] for row in rows)

    def wait(self, ids: list[UUID], true: Callable[[list[Job]], bool]) -> list[Job]:
        """Look at the jobs until something is true of them; fail with their states.

        Processes that end on their own are started again meanwhile.
        """
        give_up_s = monotonic() + PATIENCE_S
        while True:
            self.processes.mend()
            rows = self.rows(ids)
            if rows and true(rows):
                return rows
            if monotonic() > give_up_s:
                states = Counter((row.state, row.attempt, str(row.error)) for row in rows)
                logs = "\n".join(service.last_words() for service in self.processes.services)
                message = f"Waited {PATIENCE_S} s in vain: {states}\n{logs}"
                raise AssertionError(message)
            sleep(POLL_S)

    def wait_present(self, queue: str, count: int) -> None:
        """Look until the broker has so many workers of a queue."""
        sender, give_up_s = client(self.data.broker.url()), monotonic() + PATIENCE_S
        while (listening_counts(sender) or {}).get(queue) != count:
            if monotonic() > give_up_s:
                raise AssertionError(f"Waited {PATIENCE_S} s in vain for {count} of {queue}.")
            sleep(POLL_S)

    def wait_ended(self, ids: list[UUID]) -> list[Job]:
        """Look until every job has ended."""
        return self.wait(ids, lambda rows: all(row.has_ended for row in rows))

    def wait_attempt(self, job_id: UUID, attempt: int) -> None:
        """Look until a job runs for the given time."""
        self.wait([job_id], lambda rows: rows[0].state == "running" and rows[0].attempt == attempt)

    def wait_running(self, ids: list[UUID], *, progress: float = 0.0) -> list[Job]:
        """Look until a job runs and has reported more progress than this."""
        return self.wait(
            ids,
            lambda rows: any(
                row.state == "running" and row.progress_fraction > progress for row in rows
            ),
        )


def account() -> Account:
    """Return whose jobs these are."""
    return account_by_email(EMAIL) or workspace_create(email=EMAIL, name="Chaos")


@contextmanager
def world(django_db_blocker: Any, monkeypatch: Any) -> Iterator[World]:
    """Start a cluster and a broker, point this process at them, and remove all in the end."""
    folder = Path(tempfile.mkdtemp(prefix="ampacity-chaos-"))
    data = DataServices(folder, throwaway=True)
    made = World(folder, data)
    old = {alias: dict(connections[alias].settings_dict) for alias in _URLS}
    try:
        data.start_postgres()
        data.start_valkey()
        urls = data.urls()
        broker = celery.client(urls["BROKER_URL"])
        monkeypatch.setattr(celery, "app", broker)
        register()
        with django_db_blocker.unblock():
            for alias, name in _URLS.items():
                _point(alias, urls[name])
            call_command("migrate", database="owner", verbosity=0)
            account()
            yield made
    finally:
        made.processes.stop()
        for alias, settings in old.items():
            connections[alias].close()
            connections[alias].settings_dict.update(settings)
        data.remove()
        shutil.rmtree(folder, ignore_errors=True)


def _point(alias: str, url: str) -> None:
    os.environ["CHAOS_URL"] = url
    connections[alias].close()
    connections[alias].settings_dict.update(env.database("CHAOS_URL"))
