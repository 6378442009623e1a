"""200 people at work, on the two cores that also play them.

Each person moves a slider every 2.5 s, on the shipped studies in turn, opens the list and a study
every 10 s, and starts a run every 60 s. Times are the client's, from asking to the last byte, the
wait for a free thread included. Beside them stands what each part took of the processors.

A queue does not grow in proportion to how slow a machine is: what is 90% busy on the machine of
the targets is never done on one that is a fifth slower. So all of time is stretched there by as
much as the machine is slower: people pause for longer, and what they see is judged as every time.
"""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from bench import _people
from bench._lib import Row, Running, at_most, percentile, private_stack
from bench._machine import GAUGES
from bench._players import STAGGER_S, Seen, play
from bench._used import memory_bytes, processor_s
from ops.say import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.http import Browser

PEOPLE = 200
LENGTH_S = 300.0
SETTLED_SHARE = 0.2
LOOK_S = 5.0
# A machine's neighbours come and go: so many looks at its speed, so far apart.
LOOKS, LOOK_EVERY_S = 30, 1.0


def rows() -> Iterator[Row]:
    """People at work."""
    length_s = float(os.environ.get("HOLDS_S", LENGTH_S))
    count = int(os.environ.get("HOLDS_PEOPLE", PEOPLE))
    with private_stack() as running:
        people = _people.signed_in(running, count)
        stretch = max(1.0, slowness_now())
        for row in traffic_rows(running, people, length_s, stretch):
            yield replace(row, slowness=stretch)


def slowness_now() -> float:
    """How many times slower this machine is, by the middle of half a minute's looks."""
    looks = []
    for _ in range(LOOKS):
        looks.append(GAUGES["python"].slowness())
        time.sleep(LOOK_EVERY_S)
    return percentile(looks, 0.5)


def traffic_rows(
    running: Running, people: Sequence[Browser], length_s: float, stretch: float
) -> Iterator[Row]:
    """People at work for so long, whose pauses are so many times as long as they would be."""
    seen, memory = Seen(stretch), list[tuple[float, int]]()
    used_s = processor_s(running)
    asyncio.run(watched(running, people, seen, memory, length_s))
    asked = sum(len(each) for each in seen.seconds.values())
    for error in sorted(set(seen.errors))[:5]:
        say(error)
    say(f"{asked} requests, {asked / length_s:.0f} a second")
    for kind, taken in sorted(seen.seconds.items()):
        say(f"{kind}: {len(taken)}, p50 {percentile(taken, 0.5) * 1e3:.0f} ms, "
            f"p95 {percentile(taken, 0.95) * 1e3:.0f} ms")  # fmt: skip
    for name, until_s in processor_s(running).items():
        taken_s = until_s - used_s.get(name, 0.0)
        say(f"processor, {name}: {taken_s / length_s * 1e3:.0f} ms a second, "
            f"{taken_s / asked * 1e3:.2f} ms a request")  # fmt: skip
    say(f"pauses {stretch:.2f} times as long; {slowness_now():.2f} times slower afterwards")
    what = f"{len(people)} people, {length_s:.0f} s"
    yield at_most("holds-lists", f"{what}: lists and studies, p95", "ms",
                  seen.p95_ms("list", "study"), 250)  # fmt: skip
    yield at_most("holds-evaluate", f"{what}: a slider's move, all shipped studies, p95", "ms",
                  seen.p95_ms("evaluate"), 500)  # fmt: skip
    yield at_most("holds-errors", f"{what}: errors", "requests", len(seen.errors), 0)
    yield at_most("holds-memory", f"{what}: growth of the web's memory after the first minute",
                  "%", 100 * growth(memory, length_s), 5)  # fmt: skip


async def watched(
    running: Running,
    people: Sequence[Browser],
    seen: Seen,
    memory: list[tuple[float, int]],
    length_s: float,
) -> None:
    """Have them work, and look at the web's memory meanwhile."""
    until_s = time.monotonic() + STAGGER_S + length_s
    at_work = asyncio.ensure_future(play(people, seen, until_s))
    while not at_work.done():
        running.stack.mend()
        if time.monotonic() < until_s:
            memory.append((time.monotonic(), memory_bytes(running)))
        await asyncio.wait([at_work], timeout=LOOK_S)
    at_work.result()


def growth(memory: Sequence[tuple[float, int]], length_s: float) -> float:
    """The last tenth against the time after the first minute, or fifth of a shorter while."""
    start = memory[0][0] + STAGGER_S
    settled_s = start + min(60.0, SETTLED_SHARE * length_s)
    after = [held for at_s, held in memory if at_s >= settled_s]
    tenth = max(1, len(after) // 10)
    return percentile(after[-tenth:], 0.5) / percentile(after[:tenth], 0.5) - 1
