"""Power curves of straight pieces: power between their corners, and corners held to a reading."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from capmodels.amounts import at_least, maximum, minimum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.amounts import Amount


def measured_w(points: Sequence[tuple[float, Any]], utilization_fraction: float) -> Any:
    """Power on straight lines between points of load and power, or of load and its draws. [W]

    ``points`` are sorted by load and reach from 0 to 1.
    """
    above = bisect_right([load for load, _ in points], utilization_fraction)
    if above == len(points):
        return points[-1][1]
    (low, low_w), (high, high_w) = points[above - 1], points[above]
    return low_w + (high_w - low_w) * (utilization_fraction - low) / (high - low)


def through_reading(
    points: Sequence[tuple[float, Any]], load: float, power_w: Amount
) -> list[tuple[float, Any]]:
    """Corners of a curve that passes a reading, its idle and full power kept. [W]

    What the reading is off by counts in whole at its own load, from 0 to 1 exclusive, and in
    proportion to the way there from idle and from full load. Definition, ours; how well it does is
    measured in ``families.rotated_errors``.
    """
    off_w = power_w - measured_w(points, load)
    idle_w, full_w = points[0][1], points[-1][1]
    beside = [(at, watts + off_w * _near(at, load)) for at, watts in points if at != load]
    return [
        (at, idle_w + at_least(minimum(watts, full_w) - idle_w, 0.0))
        for at, watts in sorted([*beside, (load, power_w)], key=lambda corner: corner[0])
    ]


def through_mean(
    points: Sequence[tuple[float, Any]], mean_w: Amount, load: float
) -> list[tuple[float, Any]]:
    """Corners of a curve whose corners have a mean, its idle and full power kept. [W]

    What the mean is off by is laid as a reading's at ``load``, which is one of the corners; where
    the curve is then held to idle or full power, the mean is not met to the last watt.
    Definition, ours; how well it does is measured in ``families.rotated_errors``.
    """
    off_w = mean_w * len(points) - sum(watts for _, watts in points)
    reach = sum(_near(at, load) for at, _ in points)
    return through_reading(points, load, measured_w(points, load) + off_w / reach)


def off_by(
    points: Sequence[tuple[float, Any]], ratio: Amount, read_at: float | None = None
) -> list[tuple[float, Any]]:
    """Corners of a curve that is off by a ratio where nothing was measured. [W]

    Its idle and full power and a reading at a load are kept, and no power leaves what lies
    between idle and full. Definition, ours.
    """
    idle_w, full_w = points[0][1], points[-1][1]
    known = (points[0][0], points[-1][0], read_at)
    return [
        (at, watts if at in known else maximum(minimum(watts * ratio, full_w), idle_w))
        for at, watts in points
    ]


def _near(at: float, load: float) -> float:
    """1 at a load, 0 at idle and at full load, straight between."""
    return at / load if at < load else (1.0 - at) / (1.0 - load)
