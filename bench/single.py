"""What the dearest single request costs the web: the worst of bodies to every address with one.

Bodies of up to 10 MB are made for any address, and for those that compute besides, from the shipped
studies: deep, wide, long, with unknown keys, with as many valid things as fit. Processor time and
memory are those of the processes that answer.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from bench._lib import Row, Running, at_most, private_stack
from bench.http import API, Browser
from ops.say import say
from ops.tests.processes_of import descendants

if TYPE_CHECKING:
    from collections.abc import Iterator

BYTES = 10_000_000
CPU_S, MEMORY_MB = 2.0, 200.0
ANY_ID = "00000000-0000-0000-0000-000000000000"
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What a request took of the processes that answer."""

    cpu_s: float
    memory_mb: float
    what: str


def rows() -> Iterator[Row]:
    """Send all, one by one; the dearest are told."""
    with private_stack() as running:
        browser = Browser(running).sign_in(running.stack.prepared["signin_code"])
        # what is loaded by the first request is not the request's
        browser.json("GET", "/studies")
        costs = []
        for method, path, name, body in requests(running.stack.url, browser):
            costs.append(measured(running, browser.again(), (method, path, name, body)))
        dear = sorted(costs, key=lambda cost: -cost.cpu_s)[:5]
        for cost in dear:
            say(f"{cost.cpu_s:.2f} s, {cost.memory_mb:.0f} MB: {cost.what}")
        large = max(costs, key=lambda cost: cost.memory_mb)
        text = f"{len(costs)} requests of at most 10 MB, the dearest"
        yield at_most("single-cpu", f"{text} ({dear[0].what})", "s", dear[0].cpu_s, CPU_S)
        yield at_most("single-memory", f"{text} ({large.what})", "MB", large.memory_mb, MEMORY_MB)


def requests(url: str, browser: Browser) -> Iterator[tuple[str, str, str, bytes]]:
    """Method, path, what it is and body, of every address that takes one."""
    usual = dict(shapes())
    for method, path in operations(url):
        for name, body in usual.items():
            yield method, path, f"{method} {path}, {name}", body
    # a connection that waited for the others is closed
    for card in browser.again().json("GET", "/studies")["results"]:
        document = browser.again().json("GET", f"/studies/{card['id']}/document")
        for name, params in dear_studies(document):
            body = json.dumps({"model": "plans.compare", "params": params}).encode()
            for path in ("/evaluate", "/runs"):
                if len(body) <= BYTES:
                    yield "POST", path, f"POST {path}, {card['slug']}, {name}", body


def operations(url: str) -> Iterator[tuple[str, str]]:
    """Method and path of all that take a body of JSON, with ids of nothing in them."""
    with urlopen(f"{url}/api/schema/") as answer:
        schema = json.load(answer)
    for path, methods in schema["paths"].items():
        for method, described in methods.items():
            media = described.get("requestBody", {}).get("content", {})
            if path.startswith(f"{API}/") and "application/json" in media:
                yield method.upper(), _filled(path.removeprefix(API))


def _filled(path: str) -> str:
    parts = [ANY_ID if part.startswith("{") else part for part in path.split("/")]
    return "/".join(parts)


def shapes() -> Iterator[tuple[str, bytes]]:
    """Documents that are dear to read for anybody."""
    yield "a list of zeros", b"[" + b"0," * (BYTES // 2 - 2) + b"0]"
    yield "lists in lists", b"[" * (BYTES // 2) + b"]" * (BYTES // 2)
    keys = ",".join(f'"{number}":0' for number in range(BYTES // 11))
    yield "unknown keys", f"{{{keys}}}".encode()
    yield "a long text", b'{"title":"' + b"\\u0041" * (BYTES // 6 - 10) + b'"}'
    yield (
        "a long key, wrong entries",
        (b'{"' + b"k" * 100_000 + b'":[' + b"{}," * 300_000 + b'0],"x":"\\u0000"}'),
    )
    yield (
        "wrong lists",
        b'{"params":{"designs":[' + b"0," * 1_000_000 + b'0]},"model":"plans.compare"}',
    )
    yield "long numbers", b'{"params":' + b"9" * 1_000_000 + b"}"


def dear_studies(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A study made as dear as a document may be."""
    longest = {**document, "assumptions": {**document["assumptions"], "horizon_months": 240}}
    first = document["designs"][0]
    eight = [{**first, "letter": letter} for letter in "ABCDEFGH"]
    own = [one for one in document["ranges"] if not one["pointer"].startswith("/designs/")]
    yield "as it is, 10,000 draws", {**document, "draws_count": 10_000}
    yield "20 years, no draws", {**longest, "draws_count": 0}
    yield "20 years, 10,000 draws", {**longest, "draws_count": 10_000}
    yield (
        "8 designs, 10,000 draws",
        {**document, "designs": eight, "ranges": own, "draws_count": 10_000},
    )
    yield (
        "8 designs, 20 years, no draws",
        {**longest, "designs": eight, "ranges": own, "draws_count": 0},
    )


def measured(running: Running, browser: Browser, sent: tuple[str, str, str, bytes]) -> Cost:
    """Send one and look at who answered."""
    method, path, what, body = sent
    pids = answering(running)
    before = cpu_s(pids), {pid: peak_bytes(pid, anew=True) for pid in pids}
    try:
        seen = str(browser.send(method, path, body)[0])
    except OSError as exc:
        # refused before all of it was read
        seen = type(exc).__name__
    grown = sum(max(0, peak_bytes(pid) - before[1][pid]) for pid in pids)
    return Cost(cpu_s(pids) - before[0], grown / 1e6, f"{what}: {seen}")


def answering(running: Running) -> list[int]:
    """The processes of web and instant answers."""
    services = running.stack.supervisor.services
    leaders = [each.process.pid for each in services if each.name in {"web", "evaluate"}]
    return [pid for leader in leaders for pid in (leader, *descendants(leader))]


def cpu_s(pids: list[int]) -> float:
    """Processor time that they have had. [s]"""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / _TICKS


def peak_bytes(pid: int, *, anew: bool = False) -> int:
    """The most memory that a process has held since this was asked ``anew``. [B]"""
    if anew:
        Path(f"/proc/{pid}/clear_refs").write_text("5")
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
