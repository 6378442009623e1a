"""Single requests of a drive: their measured distribution, and that of a disk fitted to it. [ms]

Demerit figure after Ruemmler and Wilkes 1994: root-mean-square distance between the distributions
of measured and modelled times, as a share of the measured mean.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.storage.drive.seek import three_point_ms
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.drive.times import fixed_ms, seek_curve

if TYPE_CHECKING:
    from capmodels.storage.calibration.depth_rows import DepthRow
    from capmodels.storage.drive.drives import HardDisk

QUANTILES_COUNT = 99
# Tails beyond this hold stalls of the host as well as the drive.
_PERCENT_MAX = 99.0


def mean_ms(row: DepthRow) -> float | None:
    """Mean latency of a row; where a command timed out that of its percentiles 1 to 99. [ms]

    None where a command timed out and there are no percentiles: a wait of half a minute for the
    host's reset is in the mean.
    """
    if not row.timed_out:
        return row.latency_ms
    if not row.percentiles:
        return None
    return math.fsum(measured_quantiles_ms(row)) / QUANTILES_COUNT


def measured_quantiles_ms(row: DepthRow) -> list[float]:
    """Measured times at the percentiles from 1 to 99. [ms]"""
    return [measured_quantile_ms(row, percent) for percent in range(1, QUANTILES_COUNT + 1)]


def measured_quantile_ms(row: DepthRow, percent: float) -> float:
    """Measured time at a percentile, interpolated; level beyond the outermost ones. [ms]"""
    points = sorted((point.percent_ratio, point.latency_ms) for point in row.percentiles)
    points = [point for point in points if point[0] <= _PERCENT_MAX] or points[:1]
    before = points[0]
    for after in points:
        if percent <= after[0]:
            if after[0] == before[0]:
                return after[1]
            part = (percent - before[0]) / (after[0] - before[0])
            return before[1] + part * (after[1] - before[1])
        before = after
    return before[1]


def demerit(row: DepthRow, modelled_ms: list[float]) -> float:
    """Demerit figure of single requests, over the percentiles from 1 to 99.

    ``modelled_ms`` are 99 quantiles, or one time that every request takes.
    """
    theirs = measured_quantiles_ms(row)
    ours = modelled_ms * QUANTILES_COUNT if len(modelled_ms) == 1 else modelled_ms
    square = math.fsum((a - b) ** 2 for a, b in zip(ours, theirs, strict=True)) / QUANTILES_COUNT
    return math.sqrt(square) / (math.fsum(theirs) / QUANTILES_COUNT)


def disk_quantiles_ms(drive: HardDisk, size_bytes: int) -> list[float]:
    """The percentiles from 1 to 99 of a random read: seek and rotation over a fine grid. [ms]

    Distances have density 2 (1 - u): equal shares lie at u = 1 - sqrt(1 - q).

    Raises
    ------
    ModelError
        When the seek curve is not one of three points.
    """
    curve = seek_curve(drive)
    if curve is None:
        message = "A disk is calibrated with a three-point seek curve. Enter one."
        raise ModelError(message)
    turn, steps = revolution_ms(drive.speed_rpm), 120
    fixed = fixed_ms(drive, size_bytes)
    seeks = [
        three_point_ms(curve, 1 - math.sqrt(1 - (i + 0.5) / steps)) + fixed for i in range(steps)
    ]
    times = sorted(seek + (j + 0.5) / steps * turn for seek in seeks for j in range(steps))
    return [times[round(percent / 100 * len(times))] for percent in range(1, QUANTILES_COUNT + 1)]


def with_overhead(drive: HardDisk, row: DepthRow, size_bytes: int) -> tuple[HardDisk, list[float]]:
    """The disk with the overhead that gives the measured mean, and its percentiles. [ms]"""
    bare = disk_quantiles_ms(drive, size_bytes)
    if row.percentiles:
        theirs = measured_quantiles_ms(row)
        shift = (math.fsum(theirs) - math.fsum(bare)) / QUANTILES_COUNT
    else:
        shift = row.latency_ms - math.fsum(bare) / QUANTILES_COUNT
    overhead = max(drive.overhead_ms + shift, 0.0)
    moved = overhead - drive.overhead_ms
    return drive.model_copy(update={"overhead_ms": overhead}), [time + moved for time in bare]


def stretched(drive: HardDisk, factor: float) -> HardDisk:
    """The disk with its seeks beyond the shortest one stretched."""
    seek = drive.seek
    assert seek.kind == "three_point"
    low = seek.min_ms
    scaled = {
        "avg_ms": low + factor * (seek.avg_ms - low),
        "max_ms": low + factor * (seek.max_ms - low),
    }
    return drive.model_copy(update={"seek": seek.model_copy(update=scaled)})


def best_stretch(drive: HardDisk, row: DepthRow, size_bytes: int) -> float:
    """Factor of the seeks with the least demerit, by golden section between 0.3 and 1.7."""

    def cost(factor: float) -> float:
        return demerit(row, with_overhead(stretched(drive, factor), row, size_bytes)[1])

    golden = (math.sqrt(5) - 1) / 2
    low, high = 0.3, 1.7
    for _ in range(16):
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if cost(left) < cost(right) else (left, high)
    return (low + high) / 2
