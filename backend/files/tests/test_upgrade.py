"""From the release before, in mid-run: what its tables have, and still get, is kept."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import psycopg
import pytest

from ops import places
from ops.testing import owner_connection, with_database

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.db, pytest.mark.slow]

# Where every app stood at the release before.
BEFORE = {
    "accounts": "0004_session_keys_hashed",
    "catalogue": "0002_row_level_security",
    "common": "0002_row_level_security",
    "imports": "0002_row_level_security",
    "jobs": "0004_load",
    "reports": "0002_row_level_security",
    "runs": "0003_moved",
    "studies": "0002_row_level_security",
    "traces": "0003_fleet",
}
MIGRATE = """
import json, sys, django
django.setup()
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
executor = MigrationExecutor(connections["owner"])
targets = [tuple(x) for x in json.loads(sys.argv[1])] or executor.loader.graph.leaf_nodes()
executor.migrate(targets)
from common.grants import grant_app_role
from django.conf import settings
grant_app_role("owner", settings.APP_ROLE)
"""
WORKSPACE, USER = uuid4(), uuid4()


def migrate(urls: dict[str, str], targets: dict[str, str]) -> None:
    subprocess.run(
        [str(places.PYTHON), "-c", MIGRATE, json.dumps(list(targets.items()))],
        check=True,
        env={**os.environ, **urls},
        cwd=places.ROOT / "backend",
    )


@contextmanager
def database_of_its_own() -> Iterator[dict[str, str]]:
    """A fresh database, and the addresses of both roles there."""
    name = f"test_upgrade_{os.getpid()}"
    with owner_connection("postgres") as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        try:
            yield {
                key: with_database(os.environ[key], name)
                for key in ("DATABASE_URL", "DATABASE_OWNER_URL")
            }
        finally:
            connection.execute(f"DROP DATABASE {name}")


class Old:
    """Writes as the processes of the release before do."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection
        self.enter()

    def enter(self) -> None:
        self.connection.execute("SELECT set_config('app.workspace', %s, false)", [str(WORKSPACE)])

    def insert(self, table: str, **values: Any) -> None:
        names = ", ".join(values)
        marks = ", ".join(["%s"] * len(values))
        query = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        self.connection.execute(query, list(values.values()))

    def job(self, kind: str, state: str = "succeeded") -> UUID:
        job_id = uuid4()
        self.connection.execute(
            """INSERT INTO jobs_job (id, workspace_id, kind, queue, state, payload, attempt,
               limit_s, sends_count, progress_fraction, progress_message, submitted_at, event_seq)
               VALUES (%s, %s, %s, 'interactive', %s, '{}', 1, 60, 1, 0, '', now(), 0)""",
            [job_id, WORKSPACE, kind, state],
        )
        return job_id

    def trace(self) -> UUID:
        job_id = self.job("trace")
        self.insert(
            "traces_trace", id=job_id, workspace_id=WORKSPACE, created_at="now", title="t",
            file_name="f", bytes_count=6, kind="block", format="spc", sha256="x", faults="[]",
            faults_count=0,
        )  # fmt: skip
        return job_id

    def run(self, *, result: str | None, state: str = "succeeded") -> UUID:
        job_id = self.job("run", state)
        self.insert(
            "runs_run", id=job_id, workspace_id=WORKSPACE, created_at="now", model_id="m",
            model_version="1", params="{}", params_version=1, seed=0, inputs_hash="h" * 64,
            snapshot="", winner="", headline="", result=result,
        )  # fmt: skip
        return job_id

    def audit(self, action: str) -> None:
        self.insert(
            "accounts_auditentry", id=uuid4(), workspace_id=WORKSPACE, actor_email="a",
            action=action, target="", detail="{}", created_at="now",
        )  # fmt: skip

    def results(self, job_id: UUID) -> list[tuple[Any, ...]]:
        """What the release after answers from, and what the one before reads."""
        query = """SELECT s.data, r.result FROM runs_run r
                   JOIN runs_result s ON s.run_id = r.id AND s.month = r.result_month
                   WHERE r.id = %s"""
        return self.connection.execute(query, [job_id]).fetchall()

    def piece(self, table: str, data: bytes, **values: Any) -> None:
        self.insert(table, id=uuid4(), workspace_id=WORKSPACE, data=data, **values)

    def content(self, job_id: UUID, kind: str) -> list[bytes]:
        """What the release after reads of a file."""
        query = """SELECT p.data FROM files_piece p JOIN files_file f ON f.id = p.file_id
                   WHERE f.job_id = %s AND f.kind = %s ORDER BY p.position"""
        return [bytes(data) for (data,) in self.connection.execute(query, [job_id, kind])]


@pytest.fixture(scope="module")
def upgraded(service_urls: Any) -> Iterator[tuple[Old, dict[str, UUID]]]:
    """A database of the release before with rows in it, then migrated while a run is at work."""
    with database_of_its_own() as urls:
        migrate(urls, BEFORE)
        with psycopg.connect(urls["DATABASE_OWNER_URL"]) as owner:
            owner.execute(
                "INSERT INTO accounts_workspace (id, name, created_at) VALUES (%s, 'w', now())",
                [WORKSPACE],
            )
        with closing(psycopg.connect(urls["DATABASE_URL"])) as connection:
            old = Old(connection)
            ids = filled(old)
            migrate(urls, {})
            old.enter()
            yield old, ids


def filled(old: Old) -> dict[str, UUID]:
    ids = {"trace": old.trace(), "ended": old.run(result='{"winner": "A"}')}
    for position, data in enumerate((b"one", b"two")):
        for table in ("traces_traceupload", "traces_tracechunk"):
            old.piece(table, data, trace_id=ids["trace"], position=position)
        old.piece("runs_resultchunk", data, run_id=ids["ended"], position=position, pointer="/a")
    ids["claimed"] = old.run(result=None, state="running")
    old.audit("before")
    old.connection.commit()
    return ids


def test_what_was_stored_is_there(upgraded: tuple[Old, dict[str, UUID]]) -> None:
    old, ids = upgraded
    assert old.content(ids["trace"], "upload") == [b"one", b"two"]
    assert old.content(ids["trace"], "trace") == [b"\0\0\0\3one", b"\0\0\0\3two"]
    assert old.content(ids["ended"], "series") == [b"\0\0\0\6/a\0one", b"\0\0\0\6/a\0two"]
    assert old.results(ids["ended"]) == [({"winner": "A"}, {"winner": "A"})]
    sizes = old.connection.execute("SELECT kind, bytes_count FROM files_file ORDER BY 1").fetchall()
    assert dict(sizes) | {"upload": 6, "trace": 14, "series": 20} == dict(sizes)


def test_what_an_old_worker_ends_after_the_upgrade_is_kept(
    upgraded: tuple[Old, dict[str, UUID]],
) -> None:
    old, ids = upgraded
    for position, data in enumerate((b"late", b"later")):
        old.piece("runs_resultchunk", data, run_id=ids["claimed"], position=position, pointer="/b")
    old.connection.execute(
        'UPDATE runs_run SET result = \'{"winner": "B"}\' WHERE id = %s', [ids["claimed"]]
    )
    old.connection.commit()
    old.enter()
    assert old.results(ids["claimed"]) == [({"winner": "B"}, {"winner": "B"})]
    assert old.content(ids["claimed"], "series") == [b"\0\0\0\7/b\0late", b"\0\0\0\x08/b\0later"]


def test_audit_is_kept_and_written_on_by_the_release_before(
    upgraded: tuple[Old, dict[str, UUID]],
) -> None:
    old, _ = upgraded
    old.audit("after")
    old.connection.commit()
    old.enter()
    query = """SELECT action, tableoid::regclass::text = 'accounts_auditentry_'
               || to_char(created_at AT TIME ZONE 'UTC', 'YYYY_MM')
               FROM accounts_auditentry ORDER BY created_at"""
    assert old.connection.execute(query).fetchall() == [("before", True), ("after", True)]


def test_removing_a_job_takes_what_the_release_before_kept_along(
    upgraded: tuple[Old, dict[str, UUID]],
) -> None:
    old, ids = upgraded
    old.connection.execute("DELETE FROM traces_trace WHERE id = %s", [ids["trace"]])
    old.connection.execute("DELETE FROM jobs_job WHERE id = %s", [ids["trace"]])
    old.connection.commit()
    old.enter()
    gone = old.connection.execute("SELECT count(*) FROM files_gone").fetchone()
    assert gone == (2,)
    assert old.connection.execute("SELECT count(*) FROM traces_tracechunk").fetchone() == (0,)
