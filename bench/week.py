"""A week of writes: a million runs by SQL, then the lists, and how fast retention removes them.

A fifth of the runs is of one workspace, the rest of 400 others. WEEK_RUNS takes another number.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bench._lib import Row, Running, at_least, at_most, percentile, private_stack
from bench.http import Browser
from ops.say import Failure, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import psycopg

RUNS = 1_000_000
OTHERS = 400
REQUESTS = 60
MOST_MS = 40
WEEK_S = 7 * 86_400
RETENTION_DAYS = 3
_RETAIN = """
import time, django
django.setup()
from config.chores import retain
started_s = time.monotonic()
print(retain(), time.monotonic() - started_s)
"""
# Every row is a copy of one run of its own, but for what tells them apart. Triggers that would
# notify, and keys that would be looked up, are as a restored backup's.
_FILL = """
SET session_replication_role = replica;
INSERT INTO accounts_workspace (id, name, created_at)
    SELECT gen_random_uuid(), 'Workspace ' || n, now() FROM generate_series(1, {others}) n;
CREATE TEMP TABLE others AS
    SELECT id, row_number() OVER () - 1 AS place FROM accounts_workspace WHERE name ~ '^Workspace ';
CREATE TEMP TABLE made AS
    SELECT gen_random_uuid() AS id, n, now() - n * interval '{week} s' / {runs} AS at,
        CASE WHEN n % 5 = 0 THEN j.workspace_id ELSE o.id END AS workspace_id
    FROM generate_series(1, {runs}) n JOIN others o ON o.place = n % {others}
    JOIN jobs_job j ON j.id = '{run}';
"""
_RESULTS = """
INSERT INTO runs_result (workspace_id, run_id, month, data)
    SELECT m.workspace_id, m.id, s.month, s.data
    FROM made m JOIN runs_result s ON s.run_id = '{run}';
"""
# What differs from the run that is copied, by table and column.
_NEW = {
    "jobs_job": {
        "id": "m.id",
        "workspace_id": "m.workspace_id",
        "state": "CASE WHEN n % 1000 = 0 THEN 'failed' ELSE 'succeeded' END",
        "submitted_at": "m.at",
        "started_at": "m.at",
        "ended_at": "m.at + interval '1 s'",
        "event_seq": "m.n",
    },
    "runs_run": {
        "id": "m.id",
        "workspace_id": "m.workspace_id",
        "created_at": "m.at",
        "inputs_hash": "md5(n::text)",
        "model_id": "CASE WHEN n % 2000 = 0 THEN 'cost.npv' ELSE t.model_id END",
        "study_id": "CASE WHEN n % 100 = 0 THEN '{study}'::uuid END",
    },
}


def rows() -> Iterator[Row]:
    """Fill, then time the lists, then let retention work once."""
    count = int(os.environ.get("WEEK_RUNS", RUNS))
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        run = first_run(browser)
        study = browser.json("GET", "/studies")["results"][0]["id"]
        started_s = time.monotonic()
        size_mb = fill(running, count, run, study)
        say(f"{count:,} runs in {time.monotonic() - started_s:.0f} s, {size_mb:,.0f} MB")
        browser = browser.again()
        page = browser.json("GET", "/runs?limit=200")
        cursor = quote(page["next_cursor"])
        asked = {
            "runs": "/runs",
            "next": f"/runs?limit=200&cursor={cursor}",
            "failed": "/runs?state=failed",
            "running": "/runs?state=running",
            "model": "/runs?model=cost.npv",
            "study": f"/runs?study={study}&state=succeeded&limit=200",
            "moved": "/runs?moved=true",
            "studies": "/studies",
            "usage": "/usage",
        }
        for name, path in asked.items():
            times = [browser.timed_ms("GET", path) for _ in range(REQUESTS)]
            what = f"{count:,} runs, {path.split('&cursor')[0][:40]}, p95"
            yield at_most(f"week-{name}", what, "ms", percentile(times[10:], 0.95), MOST_MS)
        removed, taken_s = retained(running)
        a_minute = min(removed, removed / taken_s * 60)
        needed = RUNS / (WEEK_S / 60)
        what = f"runs that retention removes a minute ({removed} in {taken_s:.1f} s)"
        yield at_least("week-retention", what, "runs", a_minute, needed)


def first_run(browser: Browser) -> str:
    """A run of one's own, that ended."""
    run: dict[str, Any] = browser.json(
        "POST", "/runs", {"model": "cost.owned_vs_cloud", "params": {}}
    )
    give_up_s = time.monotonic() + 120
    while run["state"] != "succeeded":
        if time.monotonic() > give_up_s:
            raise Failure(f"the first run did not end: {run}")
        time.sleep(0.2)
        run = browser.json("GET", f"/runs/{run['id']}")
    return str(run["id"])


def fill(running: Running, count: int, run: str, study: str) -> float:
    """Copy the run so many times; returns how large the tables are. [MB]"""
    script = _FILL.format(runs=count, others=OTHERS, week=WEEK_S, run=run)
    with running.past_policies() as connection:
        for statement in script.split(";\n"):
            if statement.strip():
                connection.execute(statement.encode())
        with without_indexes(connection, tuple(_NEW)):
            for table, new in _NEW.items():
                copy(connection, table, run, {k: v.format(study=study) for k, v in new.items()})
        connection.execute(_RESULTS.format(run=run).encode())
        connection.execute("VACUUM ANALYZE jobs_job")
        connection.execute("VACUUM ANALYZE runs_run")
        connection.execute("VACUUM ANALYZE runs_result")
        sizes = (
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class "
            "WHERE relname IN ('jobs_job', 'runs_run') OR relname ~ '^runs_result_'"
        )
        row = connection.execute(sizes).fetchone()
    return float(row[0]) / 1e6 if row else 0.0


def copy(connection: psycopg.Connection[Any], table: str, run: str, new: Mapping[str, str]) -> None:
    """Copy the run's row under each of the made ids, column by column."""
    cursor = connection.execute(f"SELECT * FROM {table} LIMIT 0".encode())
    names = [column.name for column in cursor.description or ()]
    values = ", ".join(new.get(name, f"t.{name}") for name in names)
    statement = (
        f"INSERT INTO {table} ({', '.join(names)})"
        f" SELECT {values} FROM {table} t, made m WHERE t.id = '{run}'"
    )
    connection.execute(statement.encode())


@contextmanager
def without_indexes(connection: psycopg.Connection[Any], tables: Sequence[str]) -> Iterator[None]:
    """Make the tables' indexes anew after they were filled, but for those of constraints."""
    found = connection.execute(
        "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i"
        " WHERE i.indrelid::regclass::text = ANY(%s)"
        " AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)",
        (list(tables),),
    ).fetchall()
    for name, _ in found:
        connection.execute(f"DROP INDEX {name}".encode())
    yield
    for _, definition in found:
        connection.execute(definition.encode())


def retained(running: Running) -> tuple[int, float]:
    """Runs removed by one turn of the scheduler's chore, and how long it took. [s]"""
    env = {**os.environ, **running.environment(), "RETENTION_DAYS": str(RETENTION_DAYS)}
    argv = [sys.executable, "-c", _RETAIN]
    done = subprocess.run(argv, env=env, check=True, stdout=subprocess.PIPE, text=True)
    removed, taken_s = done.stdout.split()[-2:]
    return int(removed), float(taken_s)
