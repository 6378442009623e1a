"""Which of 1,000 studies newer prices would move: computed by two workers, with progress."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg

from bench._lib import Row, Running, at_most, private_stack
from bench.http import Browser
from ops.say import Failure

STUDIES = 1_000  # a multiple of the examples' number
WORKERS = 2
MOST_S = 30
DEARER = 1.1
POLL_S = 0.5
PATIENCE_S = 600
# A copy's id follows from that of what it is a copy of, so that designs find their study.
_COPIES = """
INSERT INTO {table} ({names})
SELECT {values} FROM {table} t CROSS JOIN generate_series(1, {copies}) n
"""
_NEW = {
    "studies_study": {"id": "md5(t.id::text || n)::uuid", "slug": "t.slug || '-' || n"},
    "studies_design": {
        "id": "md5(t.id::text || n)::uuid",
        "study_id": "md5(t.study_id::text || n)::uuid",
    },
}


def rows() -> Iterator[Row]:
    """Measure every row, in a stack of its own."""
    with private_stack() as running:
        running.stack.start_worker("batch", WORKERS - 1, name="batch-second")
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        fill(running, browser)
        started_s = time.monotonic()
        made = browser.json("POST", "/outlooks")
        found = ended(browser, made["id"])
        took_s = time.monotonic() - started_s
        if found["studies_count"] != STUDIES:
            raise Failure(f"{found['studies_count']} of {STUDIES} studies were looked at")
        what = f"which of {STUDIES:,} studies newer prices move ({found['moved_count']:,} do)"
        yield at_most("outlook", f"{what}, {WORKERS} workers", "s", took_s, MOST_S)


def fill(running: Running, browser: Browser) -> None:
    """Copy the examples until there are so many, and make every price dearer."""
    examples = len(browser.json("GET", "/studies?limit=200")["results"])
    with running.past_policies() as connection:
        for table, new in _NEW.items():
            found = connection.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = %s", (table,)
            )
            names = [str(name) for (name,) in found]
            values = ", ".join(new.get(name, f't."{name}"') for name in names)
            listed = ", ".join(f'"{name}"' for name in names)
            text = _COPIES.format(
                table=table, names=listed, values=values, copies=STUDIES // examples - 1
            )
            connection.execute(text.encode())
        workspace = connection.execute("SELECT workspace_id FROM studies_study LIMIT 1").fetchone()
        if workspace is None:
            raise Failure("the workspace has no study")
        dearer(connection, workspace[0])
        connection.execute("VACUUM ANALYZE studies_study")
        connection.execute("VACUUM ANALYZE studies_design")


def dearer(connection: psycopg.Connection[Any], workspace_id: UUID) -> None:
    """Give the workspace entries of its own in the place of the built-in ones, prices raised."""
    names = "kind, title, position, search_text, provider, region, revision"
    found = connection.execute(f'SELECT slug, "values", {names} FROM catalogue_entry')
    for slug, values, *rest in found.fetchall():
        for value in values.values():
            if "USD" in (value["unit"] or "") and isinstance(value["value"], int | float):
                value["value"] *= DEARER
        marks = ", ".join(["%s"] * (len(rest) + 4))
        connection.execute(
            f'INSERT INTO catalogue_entry (id, workspace_id, slug, "values", {names}, created_at,'
            f" updated_at) VALUES ({marks}, now(), now())".encode(),
            (uuid4(), workspace_id, slug, json.dumps(values), *rest),
        )


def ended(browser: Browser, outlook_id: str) -> Any:
    """The look once it has ended, asked for its state alone as the screen does."""
    give_up_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up_s:
        found = next(
            one for one in browser.json("GET", "/outlooks")["results"] if one["id"] == outlook_id
        )
        if found["state"] == "succeeded":
            return found
        if found["state"] in {"failed", "cancelled"}:
            raise Failure(f"it {found['state']}: {found['error']}")
        time.sleep(POLL_S)
    raise Failure(f"not ended after {PATIENCE_S} s")
