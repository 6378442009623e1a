"""A study's memory: from a saved change to its stored run, and 1,000 runs as a list and a page."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bench._lib import Row, Running, at_most, median, percentile, private_stack
from bench._people import people
from bench.http import STUDY, Browser
from bench.pages import measured
from bench.week import copy, first_run
from ops import frontend, places
from ops.say import Failure

SAVES = 40
PAUSE_S = 1.5
KEPT_S = 1.0
RUNS = 1_000
# Of one burst of editing.
BURST = 5
REQUESTS = 60
MOST_MS = 50
PAINT_MS, SHOWN_MS = 1_000, 1_000
RUN_SHOWN = '[aria-label="Runs of this study"] tbody tr'
_MADE = """
SET session_replication_role = replica;
CREATE TEMP TABLE made AS
    SELECT gen_random_uuid() AS id, n,
        now() - (n / {burst}) * interval '1 h' - (n % {burst}) * interval '20 s' AS at
    FROM generate_series(1, {runs}) n;
"""
# What differs from the run that is copied, by table and column.
_NEW = {
    "jobs_job": {"id": "m.id", "submitted_at": "m.at", "event_seq": "m.n"},
    "runs_run": {"id": "m.id", "created_at": "m.at", "inputs_hash": "md5(n::text)"},
}


def rows() -> Iterator[Row]:
    """Measure every row, in a stack of its own."""
    with private_stack() as running:
        ((code, another),) = people(running, accounts=1, codes=2)
        browser = Browser(running).sign_in(code)
        # The worker, just started, compiles what it needs first.
        first_run(browser)
        cards = browser.json("GET", "/studies?limit=200")["results"]
        study = next(str(card["id"]) for card in cards if card["slug"] == STUDY)
        saved = {number: save(browser, study, number) for number in range(1, SAVES + 1)}
        runs = kept(running, study, saved)
        waits = [(runs[number] - at).total_seconds() for number, at in saved.items()]
        what = f"{SAVES} saved changes to their stored runs, p95"
        yield at_most("history-kept", what, "s", percentile(waits, 0.95), KEPT_S)
        twice = duplicates(running, study)
        yield at_most("history-twice", "runs of equal inputs", "runs", twice, 0)
        fill(running, study)
        path = f"/runs?study={study}&model=plans.compare&state=succeeded&limit=200"
        browser = browser.again()
        for name, asked in (("history-list", ""), ("history-folded", "&folded=true")):
            times = [browser.timed_ms("GET", path + asked) for _ in range(REQUESTS)]
            what = f"history of {RUNS:,} runs{', folded' if asked else ''}, 200 a page, p95"
            yield at_most(name, what, "ms", percentile(times[10:], 0.95), MOST_MS)
        yield from painted(running, study, another)


def painted(running: Running, study: str, code: str) -> Iterator[Row]:
    """The page of the same runs in a browser with a cold cache."""
    frontend.ensure_packages(places.E2E)
    seen = measured(running.stack.url, code, f"/studies/{study}/history", RUN_SHOWN)
    what = f"page of {RUNS:,} runs, cold cache, median of {len(seen)}"
    first = median([page["paint_ms"] for page in seen])
    yield at_most("history-paint", f"{what}: first paint", "ms", first, PAINT_MS)
    shown = median([page["shown_ms"] for page in seen])
    yield at_most("history-shown", f"{what}: its runs on screen", "ms", shown, SHOWN_MS)


def save(browser: Browser, study: str, number: int) -> datetime:
    """Change the study's seed, which no earlier run had; returns when that was answered."""
    browser.json("PATCH", f"/studies/{study}", {"seed": 1_000 + number})
    at = datetime.now(UTC)
    time.sleep(PAUSE_S)
    return at


def kept(running: Running, study: str, saved: dict[int, Any]) -> dict[int, datetime]:
    """When the run of each saved change was stored."""
    asked = (
        "SELECT (r.seed - 1000)::int, j.ended_at FROM runs_run r JOIN jobs_job j ON j.id = r.id"
        " WHERE r.study_id = %s AND r.seed > 1000 AND j.state = 'succeeded'"
    )
    give_up_s = time.monotonic() + 30
    while True:
        with running.past_policies() as connection:
            found = dict(connection.execute(asked, (study,)).fetchall())
        if found.keys() >= saved.keys():
            return found
        if time.monotonic() > give_up_s:
            raise Failure(f"{len(saved) - len(found)} saved changes have no run")
        time.sleep(0.5)


def duplicates(running: Running, study: str) -> float:
    """How many runs of the study have the inputs of another one."""
    asked = "SELECT count(*) - count(DISTINCT inputs_hash) FROM runs_run WHERE study_id = %s"
    with running.past_policies() as connection:
        row = connection.execute(asked, (study,)).fetchone()
    return float(row[0]) if row else 0.0


def fill(running: Running, study: str) -> None:
    """Copy the study's latest run until there are so many."""
    latest = "SELECT id FROM runs_run WHERE study_id = %s ORDER BY created_at DESC LIMIT 1"
    with running.past_policies() as connection:
        row = connection.execute(latest, (study,)).fetchone()
        if row is None:
            raise Failure("the study has no run")
        for statement in _MADE.format(runs=RUNS, burst=BURST).split(";\n"):
            if statement.strip():
                connection.execute(statement.encode())
        for table, new in _NEW.items():
            copy(connection, table, str(row[0]), new)
        connection.execute("VACUUM ANALYZE runs_run")
        connection.execute("VACUUM ANALYZE jobs_job")
