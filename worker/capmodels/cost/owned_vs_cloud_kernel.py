"""``cost.owned_vs_cloud`` for a million points at once.

The same sums as the scalar path: growth and discount as geometric sums over months. The
work goes through a small block of memory that stays in the nearest cache, laid out so
that the compiler sees that inputs and outputs do not overlap and makes vector code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.cost.break_even import LIMIT_YEARS
from capmodels.cost.vector_math_kernel import expm1, fma, log, log1p
from capmodels.kernel import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

_BLOCK = 256
_INPUTS = 9
_OUTPUTS = 6
_MONTHS = 12.0
_MONTH = 1.0 / 12.0


class Points(NamedTuple):
    """Nine contiguous columns of the same length, in the ranges of the model's input.

    ``compute_full_usd_per_year`` is the rented compute at full use, ``other_usd_per_year``
    every other yearly cost of renting, ``once_usd`` what renting costs at the start.
    """

    capex_usd: Column
    own_usd_per_year: Column
    compute_full_usd_per_year: Column
    utilization_fraction: Column
    other_usd_per_year: Column
    once_usd: Column
    growth_fraction_per_year: Column
    discount_fraction_per_year: Column
    horizon_years: Column


class Answers(NamedTuple):
    """Six columns; a break-even that never comes is NaN, a tie below 0 is 0."""

    own_total_usd: Column
    cloud_total_usd: Column
    own_npv_usd: Column
    cloud_npv_usd: Column
    break_even_years: Column
    tie_utilization_fraction: Column


def empty_answers(count: int) -> Answers:
    """Return columns to be filled."""
    return Answers(*(np.empty(count) for _ in range(_OUTPUTS)))


def compare_points(points: Points, answers: Answers | None = None) -> Answers:
    """Compare owning with renting at each point, on one core.

    ``answers`` are filled and returned when given. Totals and values agree with the
    scalar path to 1e-12 relative; so do break-evens, except where both cumulative costs
    touch without crossing, which no arithmetic settles.
    """
    filled = empty_answers(len(points.capex_usd)) if answers is None else answers
    _fill(tuple(points), tuple(filled))
    return filled


@kernel(nogil=True, error_model="numpy")
def _fill(points: tuple[Column, ...], answers: tuple[Column, ...]) -> None:
    count = points[0].size
    block = np.full((_INPUTS + _OUTPUTS) * _BLOCK, 0.5)
    for start in range(0, count, _BLOCK):
        size = min(_BLOCK, count - start)
        for column in range(_INPUTS):
            source = points[column][start : start + size]
            target = block[column * _BLOCK : column * _BLOCK + size]
            for i in range(size):
                target[i] = source[i]
        _fill_block(block)
        for column in range(_OUTPUTS):
            place = (_INPUTS + column) * _BLOCK
            source = block[place : place + size]
            target = answers[column][start : start + size]
            for i in range(size):
                target[i] = source[i]


@kernel(inline="always", error_model="numpy")
def _fill_block(block: Column) -> None:
    for i in range(_BLOCK):
        capex, own = block[i], block[_BLOCK + i]
        full, utilization = block[2 * _BLOCK + i], block[3 * _BLOCK + i]
        other, once = block[4 * _BLOCK + i], block[5 * _BLOCK + i]
        growth = log1p(block[6 * _BLOCK + i])
        discount = log1p(block[7 * _BLOCK + i])
        months = _MONTHS * block[8 * _BLOCK + i]
        cloud = fma(full, utilization, other)
        step = expm1(growth * _MONTH)
        grown = _months_sum(growth, months, step)
        own_total = fma(own * _MONTH, months, capex)
        others = fma(other * _MONTH, grown, once)
        first = expm1(-discount * _MONTH)
        net = growth - discount
        due = _MONTH * (1.0 + first)
        own_npv = fma(own * due, _months_sum(-discount, months, first), capex)
        cloud_npv = fma(cloud * due, _months_sum(net, months, expm1(net * _MONTH)), once)
        block[9 * _BLOCK + i] = own_total
        block[10 * _BLOCK + i] = fma(cloud * _MONTH, grown, once)
        block[11 * _BLOCK + i] = own_npv
        block[12 * _BLOCK + i] = cloud_npv
        block[13 * _BLOCK + i] = _break_even_years(capex - once, own, cloud, growth, step)
        block[14 * _BLOCK + i] = max(0.0, (own_total - others) / (full * _MONTH * grown))


@kernel(inline="always", error_model="numpy")
def _months_sum(log_per_year: float, months: float, step: float) -> float:
    """Sum of a geometric series over months; ``step`` is its ratio less 1."""
    total = expm1(log_per_year * _MONTH * months) / step
    return months if log_per_year == 0.0 else total


@kernel(inline="always", error_model="numpy")
def _break_even_years(gap: float, own: float, cloud: float, growth: float, step: float) -> float:
    """Last time at which owning becomes cheaper, 0 from the start, NaN never.

    With x = growth * t both cumulative costs are equal where e^x - 1 = p + s x, and
    owning becomes cheaper at the right one of the two roots.
    """
    scale = _MONTHS * step / cloud
    p = gap * scale
    s = own * scale / growth
    x, exists = _right_root(p, s)
    grows = exists & ((gap > 0.0) | (s > 1.0))
    shrinks = exists & (gap > 0.0) & (s < 1.0)
    crossed = grows if growth > 0.0 else shrinks
    years = x / growth if crossed else np.nan
    flat = gap / (cloud - own) if cloud > own else np.nan
    years = flat if growth == 0.0 else years
    years = years if cloud > 0.0 else np.nan
    ahead = (gap <= 0.0) & ~((growth > 0.0) & (years > 0.0))
    years = 0.0 if ahead else years
    return years if years < LIMIT_YEARS else np.nan


@kernel(inline="always", error_model="numpy")
def _right_root(p: float, s: float) -> tuple[float, bool]:
    """Larger root of e^x - 1 = p + s x, and whether there is one.

    The root is ln(s w) with w - ln w = 1 + u, w >= 1, u = (1 + p)/s + ln s - 1: Lambert's
    W on its lower branch. Barry's approximation of it and one Newton step give x to
    about 1e-5; Halley's and Newton's step on the equation itself give the last bits.

    D. A. Barry et al., Mathematics and Computers in Simulation 53, 2000,
    :doi:`10.1016/S0378-4754(00)00172-5`
    """
    least = max(s, 1e-290)
    log_s = log(least)
    u = (1.0 + p) / least + log_s - 1.0
    exists = u > 0.0
    u = max(u, 0.0)
    w = 1.0 + u + 2.0 / 0.3361 * (1.0 - 1.0 / (1.0 + 0.3361 * np.sqrt(0.5 * u)))
    log_w = log(w)
    change = (log_w + u) / (w - 1.0 + 1e-300) - 1.0
    x = min(max(log_s + log_w + change * (1.0 - 0.5 * change), -700.0), 700.0)
    e = expm1(x)
    f, slope = e - p - s * x, e + 1.0 - s
    h = -2.0 * f * slope / (2.0 * slope * slope - f * (e + 1.0))
    x = x + h
    e = e + (e + 1.0) * h * fma(h, fma(h, 1.0 / 6.0, 0.5), 1.0)
    return x - (e - p - s * x) / (e + 1.0 - s), exists
