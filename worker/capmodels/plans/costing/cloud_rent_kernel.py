"""What is needed beyond what is committed, for draws: a few months at a time. NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.amounts import TINY, at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.need import Need, NeedRates

    Matrix = NDArray[np.float64]

# Numbers worked on at once: so many that the matrices of all steps stay in the processor's
# nearest cache.
AT_ONCE = 30_000


def mean_excess(
    rates: NeedRates, amounts: Sequence[Any], level: Any, curve: DurationCurve
) -> Matrix:
    """Return `Need.excess` for every month and draw, shape (months, draws).

    ``amounts`` are the monthly cores, GiB, GPUs and TB that `NeedRates.need` takes.
    """
    first = rates.need(*(series[:1] for series in amounts))
    lines = (first.slope, first.base, first.ram, level[:1])
    months, draws = len(level), np.broadcast_shapes(*map(np.shape, lines))[-1]
    found: Matrix = np.empty((months, draws))
    rows = max(AT_ONCE // draws, 1)
    for month in range(0, months, rows):
        part = slice(month, month + rows)
        need = rates.need(*(series[part] for series in amounts))
        _write_excess(found[part], need, level[part], curve)
    return found


def _write_excess(mean: Matrix, need: Need, level: Matrix, curve: DurationCurve) -> None:
    """The steps of `Need.excess`, in room that is used again."""
    work: Any = need.slope
    base: Any = need.base
    ram: Any = need.ram
    one: Any = np.empty_like(mean)
    other: Any = np.empty_like(mean)
    none = np.zeros(mean.shape[-1])
    by_cores: Any = np.divide(level, at_least(work, TINY), out=one)
    start: Any = np.subtract(level, base, out=other)
    np.negative(start, out=mean)
    np.maximum(mean, none, out=mean)
    start /= at_least(ram, TINY)
    np.minimum(start, by_cores, out=start)
    np.maximum(start, none, out=start)
    mean += ram * curve.excess(start)
    steeper: Any = np.subtract(work, ram, out=one)
    np.maximum(steeper, none, out=steeper)
    corner: Any = np.maximum(base / at_least(steeper, TINY), start, out=other)
    steeper *= curve.excess(corner)
    mean += steeper
