"""In which order a disk takes its requests, and how many writes it holds, by depth. [ms]

A disk that always has as many requests as it sorts serves, each time, the one that its head reaches
first, seek and turn together (Seltzer, Chen and Ousterhout 1990), with the turn drawn anew at each
choice, as the simulator of arrays does where no angle is followed. A disk without a queue of its
own gets them from its host, upwards by sector and then from the lowest again (C-LOOK); the one that
is served when the next is chosen is no choice, so that two outstanding requests are not sorted.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from capmodels.rng import streams
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.drive.times import fixed_ms, seek_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.storage.drive.drives import HardDisk
    from capmodels.storage.drive.seek import ThreePoint

Order = Literal["fcfs", "clook", "sptf"]
QUEUES = (2, 4, 8, 16, 32, 64, 128, 256)
# Writes that a drive may hold: steps of a third or less, some 4% of the time of a write.
HELD = (1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64, 90, 128, 181, 256)
_PICKS, _WARM = 4000, 400
_SEED = 1


class QueueFit(NamedTuple):
    """Order of a disk's queue, how many it sorts at a time (None: all), mean latency by depth."""

    order: Order
    queue_count: int | None
    latency_ms: dict[int, float]


@lru_cache(maxsize=256)
def _reach_ms(curve: ThreePoint, turn_ms: float, sorted_count: int) -> float:
    """Mean time to reach the first of so many requests that are always there. [ms]"""
    import numpy as np

    rng = streams(_SEED, 1)[0]
    a_ms, b_ms, c_ms = curve
    places, head, total = rng.random(sorted_count), 0.5, 0.0
    arriving = rng.random(_PICKS + _WARM)
    for pick in range(_PICKS + _WARM):
        far = np.abs(places - head)
        seeks = c_ms + a_ms * np.sqrt(far) + b_ms * far
        reach = seeks + rng.random(sorted_count) * turn_ms
        best = int(reach.argmin())
        total += float(reach[best]) if pick >= _WARM else 0.0
        head = places[best]
        places[best] = arriving[pick]
    return total / _PICKS


@lru_cache(maxsize=256)
def _elevator_ms(curve: ThreePoint, waiting_count: int) -> float:
    """Mean seek to the next of so many requests that are always there, upwards in turn. [ms]"""
    import numpy as np

    rng = streams(_SEED, 1)[0]
    a_ms, b_ms, c_ms = curve
    places, head, total = rng.random(waiting_count), 0.5, 0.0
    arriving = rng.random(_PICKS + _WARM)
    for pick in range(_PICKS + _WARM):
        ahead = places - head
        best = int(np.where(ahead >= 0, ahead, ahead + 2.0).argmin())
        far = abs(float(ahead[best]))
        total += c_ms + a_ms * math.sqrt(far) + b_ms * far if pick >= _WARM else 0.0
        head = places[best]
        places[best] = arriving[pick]
    return total / _PICKS


def service_ms(drive: HardDisk, size_bytes: int, sorted_count: int) -> float | None:
    """Mean service of a random read of a disk that sorts so many; None without a seek curve. [ms]

    A disk that is more than 1,024 requests deep is taken as one of 1,024.
    """
    curve = seek_curve(drive)
    if curve is None:
        return None
    turn_ms = revolution_ms(drive.speed_rpm)
    return fixed_ms(drive, size_bytes) + _reach_ms(curve, turn_ms, min(sorted_count, 1024))


def latency_ms(
    drive: HardDisk, size_bytes: int, *, depth: int, queue: int | None, order: Order = "sptf"
) -> float:
    """Mean latency of reads with so many outstanding, of which some are sorted. [ms]

    Little's law: all outstanding ones pass at the rate of the disk.
    """
    if order == "clook":
        curve = seek_curve(drive)
        if curve is None:
            return math.inf
        seek = _elevator_ms(curve, min(max(depth - 1, 1), queue or depth, 1024))
        return depth * (fixed_ms(drive, size_bytes) + seek + revolution_ms(drive.speed_rpm) / 2)
    service = service_ms(drive, size_bytes, min(depth, queue or depth))
    return math.inf if service is None else depth * service


def fit_queue(
    drive: HardDisk, size_bytes: int, rows: Sequence[tuple[int, float]]
) -> QueueFit | None:
    """The order that fits latencies by depth above 1 best, by squared errors of logarithms.

    None without a row above depth 1, which alone tell how a disk sorts.
    """
    deep = [(depth, latency) for depth, latency in rows if depth > 1]
    if not deep or seek_curve(drive) is None:
        return None
    most = max(depth for depth, _latency in deep)
    # A longer queue than the deepest row shows as that one.
    sorting: list[tuple[Order, int | None]] = [("sptf", q) for q in QUEUES if q < 2 * most]
    fits = [_queue_fit(drive, size_bytes, deep, one) for one in [*_UNSORTED, *sorting]]
    return min(fits, key=lambda fit: fit[0])[1]


_UNSORTED: list[tuple[Order, int | None]] = [("fcfs", 1), ("clook", None)]


def _queue_fit(
    drive: HardDisk,
    size_bytes: int,
    rows: Sequence[tuple[int, float]],
    sorting: tuple[Order, int | None],
) -> tuple[float, QueueFit]:
    order, queue = sorting
    ours = {
        depth: latency_ms(drive, size_bytes, depth=depth, queue=queue, order=order)
        for depth, _latency in rows
    }
    error = math.fsum(math.log(ours[depth] / latency) ** 2 for depth, latency in rows)
    return error, QueueFit(order, queue, ours)


def held_latency_ms(drive: HardDisk, size_bytes: int, *, depth: int, held: int) -> float:
    """Mean latency of writes that a disk's memory answers, so many of them held and sorted. [ms]

    A memory that is always full makes room for one as it puts one on the platter: the rate is that
    of sorted writes whatever the depth, and all outstanding ones pass at it (Little's law).
    """
    service = service_ms(drive, size_bytes, held)
    return math.inf if service is None else depth * (service + drive.write_settle_ms)


def fit_held(drive: HardDisk, size_bytes: int, rows: Sequence[tuple[int, float]]) -> int:
    """How many writes a disk holds and sorts, by squared errors of logarithms over all depths."""

    def error(held: int) -> float:
        one_ms = held_latency_ms(drive, size_bytes, depth=1, held=held)
        return math.fsum(math.log(one_ms * depth / latency) ** 2 for depth, latency in rows)

    return min(HELD, key=error)
