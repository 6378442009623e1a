"""Whether one workspace's work slows another's: instant answers and lists beside a flood.

Ten connections of one workspace ask for instant answers with 5,000 simulations without end; a
neighbour moves a slider. A hundred connections of nobody send bodies byte by byte; a neighbour
opens a list. What it waits is held against what it waits alone, on the same machine in the same
minute, in turns: a ratio, which no machine's speed enters.
"""

from __future__ import annotations

import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from bench import _people
from bench._hostile import LIST, ask
from bench._lib import Row, at_most, percentile, private_stack
from bench._players import WHILE_HELD, Seen
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.http import Browser

LENGTH_S = 16.0
FLOOD, FLOOD_DRAWS = 10, 5_000
SLOW = 100
PAUSE_S = 0.1
EVALUATE = "/evaluate?include=designs,break_evens,odds,rows"


def rows() -> Iterator[Row]:
    """A neighbour alone and beside a flood, twice in turn."""
    length_s = min(LENGTH_S, float(os.environ.get("HOLDS_S", LENGTH_S)))
    with private_stack() as running:
        people = _people.signed_in(running, _people.PER_WORKSPACE + 1)
        bad, good = people[0], people[-1]
        alone, beside, flood = Seen(), Seen(), Seen()
        neighbour(good, Seen(), time.monotonic() + 3.0)
        for _ in range(2):
            neighbour(good, alone, time.monotonic() + length_s / 2)
            until_s = time.monotonic() + length_s / 2
            with ThreadPoolExecutor(FLOOD) as pool:
                at_work = [pool.submit(floods, bad, flood, until_s) for _ in range(FLOOD)]
                neighbour(good, beside, until_s)
                for each in at_work:
                    each.result()
        dripping = Seen()
        with ThreadPoolExecutor(1) as pool:
            until_s = time.monotonic() + length_s / 2
            slow = pool.submit(drip, good.address, until_s)
            neighbour(good, dripping, until_s)
            held = slow.result()
    answered = sum(len(each) for each in flood.seconds.values()) - len(flood.errors)
    say(f"{answered} answers of the flood, {len(flood.errors)} refused")
    for error in sorted(set(beside.errors))[:3]:
        say(error)
    for path, what in ((EVALUATE, "a slider's move"), (LIST, "a list")):
        p50_ms = [percentile(seen.seconds[path], 0.5) * 1e3 for seen in (alone, beside)]
        p95_ms = [seen.p95_ms(path) for seen in (alone, beside)]
        say(f"{what}: alone p50 {p50_ms[0]:.0f}, p95 {p95_ms[0]:.0f} ms; "
            f"beside p50 {p50_ms[1]:.0f}, p95 {p95_ms[1]:.0f} ms")  # fmt: skip
        text = f"{what} beside a neighbour's flood, p95 held against alone"
        yield at_most("fair", text, "times", p95_ms[1] / p95_ms[0], 1.5)
    text = f"a list beside {held} connections of {SLOW} that send byte by byte, p95 against alone"
    yield at_most("fair-slow", text, "times", dripping.p95_ms(LIST) / alone.p95_ms(LIST), 2.0)
    beside.errors += dripping.errors
    yield at_most("fair-errors", "requests of the neighbour refused", "requests",
                  len(beside.errors), 0)  # fmt: skip


def floods(browser: Browser, seen: Seen, until_s: float) -> None:
    """Ask for what is dear, again and again."""
    mine = browser.again()
    body, step = with_draws(mine, FLOOD_DRAWS), 0
    while time.monotonic() < until_s:
        step += 1
        body["params"]["assumptions"]["staff_usd_per_fte_year"] = 1e5 + id(mine) % 997 + step
        if ask(seen, mine, ("POST", EVALUATE, body)) is None:
            mine = browser.again()
            time.sleep(PAUSE_S)


def drip(address: str, until_s: float) -> int:
    """Hold connections open, each with a request that never ends; returns how many stayed open."""
    host, _, port = address.partition(":")
    head = f"POST /api/v1/session HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n"
    slow = [socket.create_connection((host, int(port))) for _ in range(SLOW)]
    for each in slow:
        each.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
    while time.monotonic() < until_s:
        for each in list(slow):
            try:
                each.sendall(b" ")
            except OSError:
                slow.remove(each)
                each.close()
        time.sleep(PAUSE_S)
    for each in slow:
        each.close()
    return len(slow)


def neighbour(browser: Browser, seen: Seen, until_s: float) -> None:
    """Move a slider, and look at the list now and then."""
    mine = browser.again()
    body, step = with_draws(mine, WHILE_HELD), 0
    while time.monotonic() < until_s:
        step += 1
        body["params"]["assumptions"]["staff_usd_per_fte_year"] = 1.2e5 + step
        ask(seen, mine, ("POST", EVALUATE, body))
        if step % 2 == 1:
            ask(seen, mine, ("GET", LIST, None))
        time.sleep(PAUSE_S)


def with_draws(browser: Browser, count: int) -> dict[str, Any]:
    """The question of the first shipped study, with so many simulations."""
    cards = browser.json("GET", LIST)["results"]
    study = next(card for card in cards if card["slug"] == "rent-or-own")
    document = browser.json("GET", f"/studies/{study['id']}/document")
    return {"model": "plans.compare", "params": {**document, "draws_count": count}}
