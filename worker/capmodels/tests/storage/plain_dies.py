"""A closed network of one link and dies, the plain way: by its product form, and by events. [ms]

Written apart from the simulator and from the calibration, of which it shares no code.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from typing import NamedTuple


class Network(NamedTuple):
    """Dies that are asked alike, behind a link; requests that go around, with a host or none."""

    depth: int
    dies: int
    die_ms: float
    link_ms: float
    host_ms: float = 0.0


def product_form_ms(net: Network) -> float:
    """Mean time around, by exact mean value analysis: both times are exponential."""
    at_die = at_link = around = 0.0
    for asked in range(1, net.depth + 1):
        die, link = net.die_ms * (1 + at_die), net.link_ms * (1 + at_link)
        around = die + link
        at_die, at_link = asked * die / around / net.dies, asked * link / around
    return around


def followed_ms(net: Network, *, drawn: bool, rounds: int = 100_000, seed: int = 1) -> float:
    """Mean time to the answer, an event for every end: the die first, and the link after it."""
    dice = random.Random(seed)
    queues: list[deque[float]] = [deque() for _ in range(net.dies + 1)]
    link, now = net.dies, 0.0
    ends = [(now, link + 1)] * net.depth
    taken: list[float] = []

    def join(station: int, since: float) -> None:
        queues[station].append(since)
        if len(queues[station]) == 1:
            start(station)

    def start(station: int) -> None:
        mean = net.link_ms if station == link else net.die_ms
        heapq.heappush(ends, (now + (dice.expovariate(1 / mean) if drawn else mean), station))

    while len(taken) < rounds:
        now, station = heapq.heappop(ends)
        if station > link:
            join(dice.randrange(net.dies), now)
            continue
        since = queues[station].popleft()
        if queues[station]:
            start(station)
        if station != link:
            join(link, since)
            continue
        taken.append(now - since)
        heapq.heappush(ends, (now + net.host_ms, link + 1))
    return sum(taken[rounds // 10 :]) / (rounds - rounds // 10)
