"""A closed network of one link and dies, the plain way: by its product form, and by events. [ms]

Written apart from the simulator and from the calibration, of which it shares no code.
"""

from __future__ import annotations

import heapq
import random
from collections import deque
from typing import NamedTuple


class Network(NamedTuple):
    """Dies that are asked alike, behind a link; requests always under way."""

    depth: int
    dies: int
    die_ms: float
    link_ms: float


def product_form_ms(net: Network) -> float:
    """Mean time around, by exact mean value analysis: both times are exponential."""
    at_die = at_link = around = 0.0
    for asked in range(1, net.depth + 1):
        die, link = net.die_ms * (1 + at_die), net.link_ms * (1 + at_link)
        around = die + link
        at_die, at_link = asked * die / around / net.dies, asked * link / around
    return around


def followed_ms(net: Network, *, drawn: bool, rounds: int = 100_000, seed: int = 1) -> float:
    """Mean time around, an event for every end: the die first, and the link after it."""
    dice = random.Random(seed)
    queues: list[deque[float]] = [deque() for _ in range(net.dies + 1)]
    ends: list[tuple[float, int]] = []
    link, now, total, done = net.dies, 0.0, 0.0, 0

    def join(station: int, since: float) -> None:
        queues[station].append(since)
        if len(queues[station]) == 1:
            start(station)

    def start(station: int) -> None:
        mean = net.link_ms if station == link else net.die_ms
        heapq.heappush(ends, (now + (dice.expovariate(1 / mean) if drawn else mean), station))

    for _ in range(net.depth):
        join(dice.randrange(net.dies), 0.0)
    while done < rounds:
        now, station = heapq.heappop(ends)
        since = queues[station].popleft()
        if queues[station]:
            start(station)
        if station != link:
            join(link, since)
            continue
        done += 1
        total += now - since if done > rounds // 10 else 0.0
        join(dice.randrange(net.dies), now)
    return total / (rounds - rounds // 10)
