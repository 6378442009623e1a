"""Whether a backup is whole: dumped and restored by the commands of docs/operations.md.

Everything that writes is ended first, so that what is dumped can be compared with what is there.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from bench._lib import Row, Running, at_least, at_most, private_stack
from bench.http import Browser
from ops import places, postgres
from ops.processes import kill_group
from ops.say import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS = 20
PATIENCE_S = 120.0
RESTORED = "ampacity_restored"
_TABLES = """
SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind = 'r' ORDER BY 1
"""
# As text, in an order of its own: rows need not be stored in the same one.
_DIGEST = "SELECT count(*), md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) FROM {} t"


def rows() -> Iterator[Row]:
    """Dump, restore, prepare, compare, and ask as the web does."""
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        for number in range(RUNS):
            params = {"electricity_usd_per_kwh": 0.05 + number * 1e-5}
            asked = {"model": "cost.owned_vs_cloud", "params": params}
            browser.json("POST", "/runs", asked)
        work_off(browser)
        workspace_id = browser.json("GET", "/session")["workspace"]["id"]
        end_services(running)
        before = contents(running, postgres.DATABASE)
        started_s = time.monotonic()
        restore(running)
        prepare(running)
        taken_s = time.monotonic() - started_s
        after = contents(running, RESTORED)
        lost = sorted(name for name, held in before.items() if after.get(name) != held)
        stored = sum(count for count, _digest in before.values())
        what = f"{len(before)} tables, {stored:,} rows, dumped and restored in {taken_s:.0f} s"
        yield at_most("restore-lost", f"{what}: tables that differ {lost}", "tables", len(lost), 0)
        inside, outside = seen(running, workspace_id)
        yield at_least("restore-seen", "runs that the app role sees", "runs", inside, RUNS)
        yield at_most("restore-shut", "runs seen outside of a workspace", "runs", outside, 0)


def work_off(browser: Browser) -> None:
    """Wait until nothing is at work."""
    give_up_s = time.monotonic() + PATIENCE_S
    while (
        browser.json("GET", "/runs?state=queued&limit=1")["results"]
        or (browser.json("GET", "/runs?state=running&limit=1")["results"])
    ):
        if time.monotonic() > give_up_s:
            raise Failure(f"the runs did not end within {PATIENCE_S:.0f} s")
        time.sleep(0.2)


def end_services(running: Running) -> None:
    """End whatever writes; database and broker stay."""
    services = running.stack.supervisor.services
    for service in [one for one in services if one.name not in {"postgres", "valkey"}]:
        services.remove(service)
        kill_group(service.process.pid)
        service.process.wait()


def contents(running: Running, database: str) -> dict[str, tuple[int, str]]:
    """Rows and their digest of every table, past every policy."""
    with psycopg.connect(running.cluster.url("postgres", database=database)) as connection:
        names = [name for (name,) in connection.execute(_TABLES).fetchall()]
        found = {name: connection.execute(_DIGEST.format(name)).fetchone() for name in names}
    return {name: (row[0], row[1] or "") for name, row in found.items() if row}


def restore(running: Running) -> None:
    """The commands that are written down for an operator."""
    with tempfile.TemporaryDirectory() as folder:
        dump = str(Path(folder) / "ampacity.dump")
        source = running.cluster.url(postgres.BACKUP, database=postgres.DATABASE)
        command("pg_dump", "-Fc", "-d", source, "-f", dump)
        with psycopg.connect(
            running.cluster.url("postgres", database="postgres"), autocommit=True
        ) as connection:
            connection.execute(f"CREATE DATABASE {RESTORED} OWNER {postgres.OWNER}")
        target = running.cluster.url("postgres", database=RESTORED)
        role = f"--role={postgres.OWNER}"
        command("pg_restore", "--exit-on-error", "--no-owner", role, "-d", target, dump)


def prepare(running: Running) -> None:
    """What gives the app role its rights, in the restored database."""
    env = {**os.environ, **running.environment()}
    env["DATABASE_URL"] = running.cluster.url(postgres.APP, database=RESTORED)
    env["DATABASE_IDENTITY_URL"] = running.cluster.url(postgres.IDENTITY, database=RESTORED)
    env["DATABASE_OWNER_URL"] = running.cluster.url(postgres.OWNER, database=RESTORED)
    argv = [str(places.PYTHON), str(places.MANAGE), "prepare"]
    subprocess.run(argv, env=env, check=True, cwd=places.ROOT)


def command(name: str, *args: str) -> None:
    """Run one of PostgreSQL's programs; its words are shown when it fails."""
    done = subprocess.run(
        [str(postgres.binaries() / name), *args], check=False, text=True, capture_output=True
    )
    if done.returncode:
        raise Failure(f"{name} failed: {done.stderr[-2000:]}")


def seen(running: Running, workspace_id: str) -> tuple[int, int]:
    """Runs that the app role sees inside the workspace, and outside of all."""
    count = "SELECT count(*) FROM runs_run"
    with psycopg.connect(running.cluster.url(postgres.APP, database=RESTORED)) as connection:
        outside = connection.execute(count).fetchone()
        connection.execute("SELECT set_config('app.workspace', %s, true)", (workspace_id,))
        inside = connection.execute(count).fetchone()
    return (inside or (0,))[0], (outside or (0,))[0]
