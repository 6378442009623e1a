"""One workspace that asks for the dearest things without end, and another's list beside it."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from bench import _people
from bench._lib import Row, Running, at_most, percentile, private_stack
from bench._players import Seen
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.http import Browser

LENGTH_S = 30.0
HOSTILE = 20
DRAWS = 10_000
LIST = "/studies"


def rows() -> Iterator[Row]:
    """One planner beside a workspace that means harm."""
    length_s = min(LENGTH_S, float(os.environ.get("HOLDS_S", LENGTH_S)))
    with private_stack() as running:
        people = _people.signed_in(running, _people.PER_WORKSPACE + 1)
        yield from hostile_rows(running, people, length_s)


def ask(seen: Seen, browser: Browser, request: tuple[str, str, Any]) -> Any:
    """Ask, note how long it took, and return the answer; None for an error."""
    method, path, body = request
    started_s = time.perf_counter()
    try:
        status, _headers, content = browser.send(method, path, body)
    except OSError as exc:
        status, content = 0, repr(exc).encode()
    good = 200 <= status < 300
    error = None if good else f"{method} {path}: {status} {content[:200]!r}"
    seen.note(path, time.perf_counter() - started_s, error)
    return json.loads(content) if good else None


def hostile_rows(running: Running, people: list[Browser], length_s: float) -> Iterator[Row]:
    """One workspace asks over 20 connections; another's list beside it."""
    bad, good = people[0], people[-1].again()
    attack, seen = Seen(), Seen()
    until = time.monotonic() + length_s
    documents = dearest(bad)

    def work(place: int) -> None:
        mine = bad.again()
        while time.monotonic() < until:
            if ask(attack, mine, documents[place % len(documents)]) is None:
                mine = bad.again()
                time.sleep(0.05)

    def victim() -> None:
        while time.monotonic() < until:
            ask(seen, good, ("GET", LIST, None))
            time.sleep(0.1)

    with ThreadPoolExecutor(HOSTILE + 1) as pool:
        at_work = [pool.submit(victim), *(pool.submit(work, place) for place in range(HOSTILE))]
        while time.monotonic() < until:
            running.stack.mend()
            time.sleep(0.5)
        for each in at_work:
            each.result()
    asked = sum(len(each) for each in attack.seconds.values())
    say(f"{asked} hostile requests, {len(attack.errors)} refused; {len(seen.seconds[LIST])} "
        f"lists beside them, p50 {percentile(seen.seconds[LIST], 0.5) * 1e3:.0f} ms")  # fmt: skip
    text = f"{HOSTILE} connections of the dearest requests: another's list, p95"
    yield at_most("holds-hostile", text, "ms", seen.p95_ms(LIST), 100)
    yield at_most("holds-hostile-errors", "another's errors", "requests", len(seen.errors), 0)


def dearest(browser: Browser) -> list[tuple[str, str, Any]]:
    """What costs most: draws of every study, the longest lists, a document of two megabytes."""
    cards = browser.json("GET", "/studies")["results"]
    found: list[tuple[str, str, Any]] = [("GET", "/studies?limit=200", None)]
    for card in cards:
        document = browser.json("GET", f"/studies/{card['id']}/document")
        params = {**document, "draws_count": DRAWS}
        found.append(("POST", "/evaluate", {"model": "plans.compare", "params": params}))
    wide = {"model": "plans.compare", "params": {"designs": [0] * 900_000}}
    return [*found, ("POST", "/evaluate", json.dumps(wide).encode())]
