"""Seek curves of disks: three-point, two-regime, table, and by logical distance. [ms]"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Sequence


class ThreePoint(NamedTuple):
    """Coefficients of t(u) = c + a sqrt(u) + b u, u the seek's share of the stroke. [ms]"""

    a_ms: float
    b_ms: float
    c_ms: float


def three_point(*, min_ms: float, avg_ms: float, max_ms: float) -> ThreePoint:
    """Curve through single-track, average and full-stroke seek (Lee 1993; DiskSim ``curve``).

    The average is over uniformly random pairs, whose distance has density 2 (1 - u).

    >>> three_point(min_ms=1.0, avg_ms=10.0, max_ms=16.0)
    ThreePoint(a_ms=20.0, b_ms=-5.0, c_ms=1.0)

    Raises
    ------
    ModelError
        When no non-decreasing curve of this form goes through the three points.
    """
    a_ms = (15 * avg_ms - 10 * min_ms - 5 * max_ms) / 3
    b_ms = (7 * min_ms - 15 * avg_ms + 8 * max_ms) / 3
    if a_ms < 0 or a_ms / 2 + b_ms < 0:
        message = (
            f"No seek curve rises through {min_ms:g}, {avg_ms:g} and {max_ms:g} ms. "
            "Enter an average nearer to half of the longest seek."
        )
        raise ModelError(message)
    return ThreePoint(a_ms, b_ms, min_ms)


def three_point_ms(curve: ThreePoint, stroke_fraction: float) -> float:
    """Seek over a share of the stroke; none over no distance. [ms]

    >>> three_point_ms(three_point(min_ms=1.0, avg_ms=10.0, max_ms=16.0), 1.0)
    16.0
    """
    if stroke_fraction <= 0:
        return 0.0
    return curve.c_ms + curve.a_ms * math.sqrt(stroke_fraction) + curve.b_ms * stroke_fraction


def three_point_mean_ms(curve: ThreePoint) -> float:
    """Mean seek between uniformly random places. [ms]"""
    return 8 * curve.a_ms / 15 + curve.b_ms / 3 + curve.c_ms


def three_point_mean_square_ms2(curve: ThreePoint) -> float:
    """Mean of the square of that seek. [ms^2]"""
    a, b, c = curve
    return a * a / 3 + b * b / 6 + c * c + 16 * a * b / 35 + 16 * a * c / 15 + 2 * b * c / 3


class TwoRegime(NamedTuple):
    """Coefficients of v2 + v3 sqrt(d) below v1 cylinders, v4 + v5 d from there on. [ms]"""

    v1_cylinders: float
    v2_ms: float
    v3_ms: float
    v4_ms: float
    v5_ms: float


def two_regime_ms(curve: TwoRegime, distance_cylinders: float) -> float:
    """Seek over a distance (Ruemmler and Wilkes 1994; DiskSim ``hpl``). [ms]

    >>> hp_97560 = TwoRegime(383, 3.24, 0.400, 8.00, 0.008)
    >>> round(two_regime_ms(hp_97560, 384), 2)
    11.07
    """
    if distance_cylinders <= 0:
        return 0.0
    if distance_cylinders < curve.v1_cylinders:
        return curve.v2_ms + curve.v3_ms * math.sqrt(distance_cylinders)
    return curve.v4_ms + curve.v5_ms * distance_cylinders


def table_ms(distances: Sequence[float], seeks_ms: Sequence[float], distance: float) -> float:
    """Seek by linear interpolation of measured pairs (DiskSim ``extracted``). [ms]

    >>> table_ms([1, 11], [1.0, 3.0], 6)
    2.0
    """
    if distance <= 0:
        return 0.0
    right = bisect_left(distances, distance)
    if right == 0:
        return seeks_ms[0]
    if right == len(distances):
        return seeks_ms[-1]
    low, high = distances[right - 1], distances[right]
    share = (distance - low) / (high - low)
    return seeks_ms[right - 1] + share * (seeks_ms[right] - seeks_ms[right - 1])


# The printed cubic has one digit per coefficient and falls below zero before the join. Of the
# coefficients that round to the printed digits, these give a continuous curve that never falls.
FS2_JOIN_SECTORS = 1.1e7
FS2_CUBIC = (8.0e-21, -1.7932e-13, 1.35e-6, 1.35)
FS2_LINE = (9e-8, 4.16)


def fs2_seek_ms(distance_sectors: float) -> float:
    """Seek by distance between logical sectors (Huang 2006, section 5.5, calibrated). [ms]

    >>> round(fs2_seek_ms(5e6), 3), round(fs2_seek_ms(5e7), 3)
    (4.617, 8.66)
    """
    x = abs(distance_sectors)
    if x == 0:
        return 0.0
    if x < FS2_JOIN_SECTORS:
        a3, a2, a1, a0 = FS2_CUBIC
        return ((a3 * x + a2) * x + a1) * x + a0
    return FS2_LINE[0] * x + FS2_LINE[1]


def fs2_mean_seek_ms(sectors_count: int, points_count: int = 20_000) -> float:
    """Mean of that seek between uniformly random sectors of a disk, by the midpoint rule. [ms]"""
    total = 0.0
    for index in range(points_count):
        share = (index + 0.5) / points_count
        total += 2 * (1 - share) * fs2_seek_ms(share * sectors_count)
    return total / points_count
