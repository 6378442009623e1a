"""How many requests a disk sorts at a time by position, from its reads by depth. [ms]

A disk that always has as many requests as it sorts serves, each time, the one that its head reaches
first, seek and turn together (Seltzer, Chen and Ousterhout 1990), with the turn drawn anew at each
choice, as the simulator of arrays does where no angle is followed.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.rng import streams
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.drive.times import fixed_ms, seek_curve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.storage.drive.drives import HardDisk
    from capmodels.storage.drive.seek import ThreePoint

QUEUES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_PICKS, _WARM = 4000, 400
_SEED = 1


class QueueFit(NamedTuple):
    """Requests that a disk sorts at a time, and its mean latency by depth. [ms]"""

    queue_count: int
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


def service_ms(drive: HardDisk, size_bytes: int, sorted_count: int) -> float | None:
    """Mean service of a random read of a disk that sorts so many; None without a seek curve. [ms]

    A disk that is more than 1,024 requests deep is taken as one of 1,024.
    """
    curve = seek_curve(drive)
    if curve is None:
        return None
    turn_ms = revolution_ms(drive.speed_rpm)
    return fixed_ms(drive, size_bytes) + _reach_ms(curve, turn_ms, min(sorted_count, 1024))


def latency_ms(drive: HardDisk, size_bytes: int, *, depth: int, queue: int) -> float:
    """Mean latency of reads with so many outstanding, of which the disk sorts some. [ms]

    Little's law: all outstanding ones pass at the rate of the disk.
    """
    service = service_ms(drive, size_bytes, min(depth, queue))
    return math.inf if service is None else depth * service


def fit_queue(
    drive: HardDisk, size_bytes: int, rows: Sequence[tuple[int, float]]
) -> QueueFit | None:
    """The queue that fits latencies by depth above 1 best, by squared errors of logarithms.

    None without a row above depth 1, which alone tell how a disk sorts.
    """
    deep = [(depth, latency) for depth, latency in rows if depth > 1]
    if not deep or seek_curve(drive) is None:
        return None
    most = max(depth for depth, _latency in deep)
    found = []
    for queue in QUEUES:
        # A longer queue than the deepest row shows as that one.
        if queue >= 2 * most:
            break
        ours = {d: latency_ms(drive, size_bytes, depth=d, queue=queue) for d, _latency in deep}
        error = math.fsum(math.log(ours[d] / latency) ** 2 for d, latency in deep)
        found.append((error, queue, ours))
    _error, queue, ours = min(found, key=lambda fit: fit[:2])
    return QueueFit(queue, ours)
