"""200 people at work, and one workspace that asks for the dearest things without end.

Each person moves a slider every 2.5 s, on the shipped studies in turn, opens the list and a study
every 10 s, and starts a run every 60 s. Times are the client's, from asking to the last byte, the
wait for a free thread included.
"""

from __future__ import annotations

import json
import os
import random
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import _people
from bench._lib import Row, Running, at_most, percentile, private_stack
from bench.http import Browser
from ops.say import say
from ops.tests.processes_of import descendants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SLIDER_S, READ_S, RUN_S = 2.5, 10.0, 60.0
PEOPLE = 200
PER_WORKSPACE = 5
LENGTH_S = 300.0
SETTLED_SHARE = 0.2
HOSTILE = 20
HOSTILE_S = 30.0
HOSTILE_DRAWS = 10_000
STAGGER_S = 5.0


def rows() -> Iterator[Row]:
    """People at work."""
    length_s = float(os.environ.get("HOLDS_S", LENGTH_S))
    count = int(os.environ.get("HOLDS_PEOPLE", PEOPLE))
    with private_stack() as running:
        yield from traffic_rows(running, signed_in(running, count), length_s)


def rows_beside_hostile() -> Iterator[Row]:
    """One planner beside a workspace that means harm."""
    length_s = min(HOSTILE_S, float(os.environ.get("HOLDS_S", HOSTILE_S)))
    with private_stack() as running:
        yield from hostile_rows(running, signed_in(running, PER_WORKSPACE + 1), length_s)


def signed_in(running: Running, count: int) -> list[Browser]:
    """So many people, five to a workspace."""
    made = _people.people(running, accounts=-(-count // PER_WORKSPACE), codes=PER_WORKSPACE)
    say(f"{count} people in {len(made)} workspaces sign in")
    codes = [code for some in made for code in some[:PER_WORKSPACE]][:count]
    return [Browser(running).sign_in(code) for code in codes]


@dataclass
class Seen:
    """What people saw: seconds of each kind of request, errors, memory of who answered."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self, browser: Browser, kind: str, method: str, path: str, body: object = None) -> Any:
        """Ask, note how long it took, and return the answer; None for an error."""
        started = time.perf_counter()
        try:
            status, _headers, content = browser.send(method, path, body)
        except OSError as exc:
            status, content = 0, repr(exc).encode()
        taken_s = time.perf_counter() - started
        with self.lock:
            self.seconds[kind].append(taken_s)
            if not 200 <= status < 300:
                self.errors.append(f"{method} {path}: {status} {content[:200]!r}")
                return None
        return json.loads(content)

    def p95_ms(self, *kinds: str) -> float:
        """95th percentile of these kinds together. [ms]"""
        return percentile([s for kind in kinds for s in self.seconds[kind]], 0.95) * 1000


def traffic_rows(running: Running, people: list[Browser], length_s: float) -> Iterator[Row]:
    """People at work for so long."""
    seen, until = Seen(), time.monotonic() + STAGGER_S + length_s

    def work(place: int) -> None:
        Person(people[place], seen, random.Random(place)).work(until)

    watched(running, seen, work, len(people), until)
    asked = sum(len(each) for each in seen.seconds.values())
    for error in sorted(set(seen.errors))[:5]:
        say(error)
    say(f"{asked} requests, {asked / length_s:.0f} a second")
    for kind, taken in sorted(seen.seconds.items()):
        say(f"{kind}: {len(taken)}, p50 {percentile(taken, 0.5) * 1e3:.0f} ms, "
            f"p95 {percentile(taken, 0.95) * 1e3:.0f} ms")  # fmt: skip
    what = f"{len(people)} people, {length_s:.0f} s"
    yield at_most("holds-lists", f"{what}: lists and studies, p95", "ms",
                  seen.p95_ms("list", "study"), 250)  # fmt: skip
    yield at_most("holds-evaluate", f"{what}: a slider's move, all shipped studies, p95", "ms",
                  seen.p95_ms("evaluate"), 500)  # fmt: skip
    yield at_most("holds-errors", f"{what}: errors", "requests", len(seen.errors), 0)
    yield at_most("holds-memory", f"{what}: growth of the web's memory after the first minute",
                  "%", 100 * growth(seen.memory, length_s), 5)  # fmt: skip


def watched(
    running: Running, seen: Seen, work: Callable[[int], None], count: int, until: float
) -> None:
    """Have so many work, and look at the web's memory meanwhile."""
    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(count)]
    for thread in threads:
        thread.start()
    while time.monotonic() < until:
        running.stack.mend()
        seen.memory.append((time.monotonic(), memory_bytes(running)))
        time.sleep(2)
    for thread in threads:
        thread.join(60)


def memory_bytes(running: Running) -> int:
    """What web and instant answers hold together, shared pages counted once. [B]"""
    services = running.stack.supervisor.services
    leaders = [each.process.pid for each in services if each.name in {"web", "evaluate"}]
    pids = {pid for leader in leaders for pid in (leader, *descendants(leader))}
    return sum(proportional_bytes(pid) for pid in pids)


def proportional_bytes(pid: int) -> int:
    """A process's share of memory. [B]"""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def growth(memory: list[tuple[float, int]], length_s: float) -> float:
    """The last tenth against the time after the first minute, or fifth of a shorter while."""
    start = memory[0][0] + STAGGER_S
    settled_s = start + min(60.0, SETTLED_SHARE * length_s)
    after = [held for at_s, held in memory if at_s >= settled_s]
    tenth = max(1, len(after) // 10)
    return percentile(after[-tenth:], 0.5) / percentile(after[:tenth], 0.5) - 1


class Person:
    """Somebody who looks at lists and studies and moves sliders."""

    def __init__(self, browser: Browser, seen: Seen, dice: random.Random) -> None:
        """Begin with one's own list."""
        self.browser, self.seen, self.dice = browser, seen, dice
        self.documents: dict[str, dict[str, Any]] = {}
        self.step = dice.randrange(1000)

    def work(self, until: float) -> None:
        """Do what people do until the time is up."""
        time.sleep(self.dice.random() * STAGGER_S)
        ids = self.list()
        due = {self.move: 0.0, self.read: self.dice.random() * READ_S,
               self.run: self.dice.random() * RUN_S}  # fmt: skip
        every = {self.move: SLIDER_S, self.read: READ_S, self.run: RUN_S}
        started = time.monotonic()
        while ids and time.monotonic() < until:
            act = min(due, key=lambda one: due[one])
            time.sleep(max(0.0, started + due[act] - time.monotonic()))
            act(self.dice.choice(ids))
            due[act] = max(due[act] + every[act], time.monotonic() - started)

    def list(self) -> list[str]:
        """Open the list of studies."""
        page = self.seen.ask(self.browser, "list", "GET", "/studies")
        return [card["id"] for card in page["results"]] if page else []

    def read(self, study: str) -> None:
        """Open the list, then a study."""
        self.list()
        self.seen.ask(self.browser, "study", "GET", f"/studies/{study}")

    def move(self, study: str) -> None:
        """Move a slider of a study."""
        if study not in self.documents:
            path = f"/studies/{study}/document"
            found = self.seen.ask(self.browser, "study", "GET", path)
            if found is None:
                return
            self.documents[study] = {**found, "draws_count": 0}
        document, self.step = self.documents[study], self.step + 1
        pay_usd = 100_000.0 + 1000.0 * self.dice.randrange(100) + self.step
        assumptions = {**document["assumptions"], "staff_usd_per_fte_year": pay_usd}
        body = {"model": "plans.compare", "params": {**document, "assumptions": assumptions}}
        self.seen.ask(self.browser, "evaluate", "POST", "/evaluate", body)

    def run(self, _study: str) -> None:
        """Start a run that nobody started before."""
        params = {"electricity_usd_per_kwh": 0.05 + self.dice.random() / 10}
        body = {"model": "cost.owned_vs_cloud", "params": params}
        self.seen.ask(self.browser, "run", "POST", "/runs", body)


def hostile_rows(running: Running, people: list[Browser], length_s: float) -> Iterator[Row]:
    """One workspace asks over 20 connections; another's list beside it."""
    bad, good = people[0], people[-1].again()
    attack, seen = Seen(), Seen()
    until = time.monotonic() + length_s
    documents = dearest(bad)

    def work(place: int) -> None:
        mine = bad.again()
        while time.monotonic() < until:
            method, path, body = documents[place % len(documents)]
            mine_seen = attack.ask(mine, path, method, path, body)
            if mine_seen is None:
                mine = bad.again()
                time.sleep(0.05)

    def victim(_place: int) -> None:
        while time.monotonic() < until:
            seen.ask(good, "list", "GET", "/studies")
            time.sleep(0.1)

    def both(place: int) -> None:
        (victim if place == HOSTILE else work)(place)

    watched(running, attack, both, HOSTILE + 1, until)
    asked = sum(len(each) for each in attack.seconds.values())
    say(f"{asked} hostile requests, {len(attack.errors)} refused; {len(seen.seconds['list'])} "
        f"lists beside them, p50 {percentile(seen.seconds['list'], 0.5) * 1e3:.0f} ms")  # fmt: skip
    text = f"{HOSTILE} connections of the dearest requests: another's list, p95"
    yield at_most("holds-hostile", text, "ms", seen.p95_ms("list"), 100)
    yield at_most("holds-hostile-errors", "another's errors", "requests", len(seen.errors), 0)


def dearest(browser: Browser) -> list[tuple[str, str, Any]]:
    """What costs most: draws of every study, the longest lists, a document of two megabytes."""
    cards = browser.json("GET", "/studies")["results"]
    found: list[tuple[str, str, Any]] = [("GET", "/studies?limit=200", None)]
    for card in cards:
        document = browser.json("GET", f"/studies/{card['id']}/document")
        params = {**document, "draws_count": HOSTILE_DRAWS}
        found.append(("POST", "/evaluate", {"model": "plans.compare", "params": params}))
    wide = {"model": "plans.compare", "params": {"designs": [0] * 900_000}}
    return [*found, ("POST", "/evaluate", json.dumps(wide).encode())]
