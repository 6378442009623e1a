"""A solid-state drive with dies by queue depth: its closed loop, request by request. [ms]

Times are constant, so that the product form of a closed network, whose times are drawn, answers a
tenth to a third later at the knee. Chances are the same at every call.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache
from heapq import heapreplace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.drive.times import (
    link_ms,
    read_answer_ms,
    read_hold_ms,
    write_answer_ms,
    write_channel_ms,
)

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import SolidState

COUNT = 6000
_SEED = 1
# Deeper loops go around as this one, slower by so much as they are deeper.
DEPTH_MAX = 256
_ROUNDS = 10


class DieTimes(NamedTuple):
    """Reads and writes: time of the link, from it to the answer, and of a die. [ms]"""

    read_link: float
    read_answer: float
    read_hold: float
    write_link: float = 0.0
    write_answer: float = 0.0
    write_hold: float = 0.0
    # For each other write without an answer when one comes.
    write_wait: float = 0.0


@cache
def _chances(count: int) -> tuple[tuple[float, float], ...]:
    dice = random.Random(_SEED)
    return tuple((dice.random(), dice.random()) for _ in range(count))


@lru_cache(maxsize=64)
def _dies_drawn(count: int, dies: int) -> bytes:
    dice = random.Random(_SEED)
    # Of two chances the first is of the kind, which reads alone do not ask for.
    chances = (dice.random() for _ in range(2 * count))
    return bytes(int(place * dies) for place in islice(chances, 1, None, 2))


def loop_ms(
    depth: int,
    dies: int,
    times: DieTimes,
    *,
    read_fraction: float = 1.0,
    count: int = COUNT,
    host_ms: float = 0.0,
) -> float:
    """Mean response with so many requests going around. [ms]

    A read takes the die of its second chance, a write the first one that is free. The next request
    comes ``host_ms`` after an answer.
    """
    held = min(depth, DEPTH_MAX)
    followed = max(count, _ROUNDS * held)
    if read_fraction >= 1.0:
        mean = _reads_ms(held, dies, times, (followed, host_ms))
    else:
        mean = _mixed_ms(held, dies, times, (followed, read_fraction, host_ms))
    return (mean + host_ms) * depth / held - host_ms


def _reads_ms(held: int, dies: int, times: DieTimes, of: tuple[int, float]) -> float:
    """As ``_mixed_ms`` of reads alone, to the last bit and in a third of the time. [ms]"""
    ready, free = [0.0] * held, [0.0] * dies
    passing, answer, hold = times[:3]
    count, host = of
    link, total, warm = 0.0, 0.0, count // 10
    for nth, die in enumerate(_dies_drawn(count, dies)):
        came = ready[0]
        link = (came if came > link else link) + passing
        freed = free[die]
        start = link if link > freed else freed
        free[die] = start + hold
        end = start + answer
        heapreplace(ready, end + host)
        if nth >= warm:
            total += end - came
    return total / (count - warm)


def _mixed_ms(held: int, dies: int, times: DieTimes, of: tuple[int, float, float]) -> float:
    """Mean response of so many requests, a share of them reads. [ms]"""
    count, read_fraction, host = of
    chances = _chances(count)
    ready, free, answered = [0.0] * held, [0.0] * dies, [0.0] * dies
    link, total, warm = 0.0, 0.0, count // 10
    for nth, (kind, place) in enumerate(chances):
        came, reads = ready[0], kind < read_fraction
        passing, answer, hold = times[:3] if reads else times[3:6]
        link = max(came, link) + passing
        die = int(place * dies) if reads else free.index(min(free))
        start = max(link, free[die])
        end = start + answer
        if not reads and times.write_wait:
            others = sum(one > came for one in answered)
            end = answered[die] = max(end, link + others * times.write_wait + answer)
        free[die] = max(start + hold, end)
        heapreplace(ready, end + host)
        total += end - came if nth >= warm else 0.0
    return total / (count - warm)


def times_of(drive: SolidState, read_bytes: float, write_bytes: float) -> DieTimes:
    """Times of a drive's reads and writes; a read lies on one die."""
    reading, writing = (
        link_ms(drive, read_bytes, write=False),
        link_ms(drive, write_bytes, write=True),
    )
    return DieTimes(
        reading,
        read_answer_ms(drive, read_bytes) - reading,
        read_hold_ms(drive, read_bytes),
        writing,
        write_answer_ms(drive, write_bytes) - writing,
        write_channel_ms(drive, write_bytes),
    )
