"""How fast the vector kernels of the models are, against NumPy in chunks in the same run.

The rival does the same sums with the same steps, on chunks that stay in the cache, into
columns that exist already; its best of three chunk sizes counts. Both run on one core.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bench._lib import Row
from capmodels.cost.break_even import LIMIT_YEARS
from capmodels.cost.owned_vs_cloud_kernel import Answers, Points, compare_points, empty_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    Column = NDArray[np.float64]

_POINTS = 1_000_000
_CHUNKS = (4_096, 8_192, 16_384)
_ROUNDS = 15
_SEED = 2008


def rows() -> Iterable[Row]:
    """Points a second of ``cost.owned_vs_cloud``, warm, medians of interleaved rounds."""
    points, ours, theirs = _points(), empty_answers(_POINTS), empty_answers(_POINTS)
    bodies: dict[str, Callable[[], object]] = {"kernel": partial(compare_points, points, ours)}
    for chunk in _CHUNKS:
        bodies[f"NumPy, chunks of {chunk:,}"] = partial(_by_chunks, points, theirs, chunk)
    taken_s = _interleaved(bodies)
    _agree(ours, theirs)
    kernel_s = taken_s.pop("kernel")
    rival = min(taken_s, key=lambda name: taken_s[name])
    yield Row(
        "owned_vs_cloud points",
        "1,000,000 points with growth and discount, nine inputs, six outputs, one core",
        "points/s",
        measured=_POINTS / kernel_s,
        target=10e6,
        target_is=">=",
        rival=_POINTS / taken_s[rival],
        rival_name=rival,
        ratio_needed=2.0,
    )


def _interleaved(bodies: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of each body, taking turns so that noise falls on all alike."""
    taken: dict[str, list[float]] = {name: [] for name in bodies}
    for turn in range(_ROUNDS + 1):
        for name, body in bodies.items():
            started = time.perf_counter()
            body()
            if turn:
                taken[name].append(time.perf_counter() - started)
    return {name: float(np.median(times)) for name, times in taken.items()}


def _points() -> Points:
    rng = np.random.default_rng(_SEED)
    growth = rng.uniform(-0.2, 0.6, _POINTS)
    discount = rng.uniform(0.0, 0.12, _POINTS)
    growth[::10] = 0.0
    discount[::7] = 0.0
    return Points(
        capex_usd=rng.uniform(5e4, 5e5, _POINTS),
        own_usd_per_year=rng.uniform(3e4, 2e5, _POINTS),
        compute_full_usd_per_year=rng.uniform(1e5, 1e6, _POINTS),
        utilization_fraction=rng.uniform(0.0, 1.0, _POINTS),
        other_usd_per_year=rng.uniform(0.0, 1e5, _POINTS),
        once_usd=rng.uniform(0.0, 1e4, _POINTS),
        growth_fraction_per_year=growth,
        discount_fraction_per_year=discount,
        horizon_years=rng.uniform(1.0, 10.0, _POINTS),
    )


def _agree(ours: Answers, theirs: Answers) -> None:
    for name, our, their in zip(Answers._fields, ours, theirs, strict=True):
        # A tie near 0 is a difference of two large totals, hence the absolute part.
        if not np.allclose(our, their, rtol=1e-12, atol=1e-12, equal_nan=True):
            raise AssertionError(f"the kernel and its rival differ in {name}")


def _by_chunks(points: Points, answers: Answers, chunk: int) -> None:
    with np.errstate(all="ignore"):
        for start in range(0, _POINTS, chunk):
            part = slice(start, start + chunk)
            _chunk(
                Points(*(column[part] for column in points)),
                Answers(*(column[part] for column in answers)),
            )


def _chunk(points: Points, answers: Answers) -> None:
    capex, own, full, utilization, other, once, growth, discount, years = points
    months = 12.0 * years
    growth, discount = np.log1p(growth), np.log1p(discount)
    cloud = full * utilization + other
    step = np.expm1(growth / 12.0)
    grown = _months_sum(growth, months, step)
    first = np.expm1(-discount / 12.0)
    net = growth - discount
    due = (1.0 + first) / 12.0
    own_total = capex + own / 12.0 * months
    others = once + other / 12.0 * grown
    answers.own_total_usd[:] = own_total
    answers.cloud_total_usd[:] = once + cloud / 12.0 * grown
    answers.own_npv_usd[:] = capex + own * due * _months_sum(-discount, months, first)
    answers.cloud_npv_usd[:] = once + cloud * due * _months_sum(net, months, np.expm1(net / 12.0))
    answers.break_even_years[:] = _break_even_years(capex - once, own, cloud, growth, step)
    answers.tie_utilization_fraction[:] = np.maximum(
        0.0, (own_total - others) / (full / 12.0 * grown)
    )


def _months_sum(log_per_year: Column, months: Column, step: Column) -> Column:
    total = np.expm1(log_per_year / 12.0 * months) / step
    return np.where(log_per_year == 0.0, months, total)


def _break_even_years(
    gap: Column, own: Column, cloud: Column, growth: Column, step: Column
) -> Column:
    scale = 12.0 * step / cloud
    p, s = gap * scale, own * scale / growth
    x, exists = _right_root(p, s)
    crossed = exists & np.where(growth > 0.0, (gap > 0.0) | (s > 1.0), (gap > 0.0) & (s < 1.0))
    years = np.where(crossed, x / growth, np.nan)
    flat = np.where(cloud > own, gap / (cloud - own), np.nan)
    years = np.where(growth == 0.0, flat, years)
    years = np.where(cloud > 0.0, years, np.nan)
    ahead = (gap <= 0.0) & ~((growth > 0.0) & (years > 0.0))
    years = np.where(ahead, 0.0, years)
    return np.where(years < LIMIT_YEARS, years, np.nan)


def _right_root(p: Column, s: Column) -> tuple[Column, NDArray[np.bool_]]:
    log_s = np.log(s)
    u = (1.0 + p) / s + log_s - 1.0
    exists = u > 0.0
    u = np.maximum(u, 0.0)
    w = 1.0 + u + 2.0 / 0.3361 * (1.0 - 1.0 / (1.0 + 0.3361 * np.sqrt(0.5 * u)))
    log_w = np.log(w)
    change = (log_w + u) / (w - 1.0) - 1.0
    x = log_s + log_w + change * (1.0 - 0.5 * change)
    e = np.expm1(x)
    f, slope = e - p - s * x, e + 1.0 - s
    h = -2.0 * f * slope / (2.0 * slope * slope - f * (e + 1.0))
    x = x + h
    e = e + (e + 1.0) * h * (1.0 + h * (0.5 + h / 6.0))
    return x - (e - p - s * x) / (e + 1.0 - s), exists
