"""Duration curves against sums over the hours, closed forms, and the newsvendor."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels import amounts
from capmodels.amounts import as_number
from capmodels.cost.commitment import optimal_commitment
from capmodels.plans.costing import cloud_rent_kernel
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.costing.need import Fleet, NeedRates
from capmodels.series import tiled
from capmodels.tests.plans.random_studies import SLOW

SERIES = st.lists(st.floats(0.01, 20.0), min_size=24, max_size=72)
PROPERTY = settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=SLOW)


@PROPERTY
@given(values=SERIES, level=st.floats(0, 4))
def test_the_excess_is_the_mean_over_the_hours(values: list[float], level: float) -> None:
    mean = math.fsum(values) / len(values)
    direct = math.fsum(max(0.0, value / mean - level) for value in values) / len(values)
    # Values are kept to 1/10,000 of their mean.
    assert DurationCurve(values).excess(level) == pytest.approx(direct, abs=2e-4)


@PROPERTY
@given(values=SERIES, seed=st.integers(0, 1000))
def test_weights_weigh_the_hours(values: list[float], seed: int) -> None:
    chance = random.Random(seed)
    weights = [chance.uniform(-0.1, 0.5) for _ in values]
    curve = DurationCurve(values, weights)
    mean = math.fsum(values) / len(values)
    shares = [value / mean for value in values]
    count = len(values)
    assert curve.weight == pytest.approx(math.fsum(weights) / count, abs=1e-12)
    pairs = list(zip(weights, shares, strict=True))
    assert curve.mean == pytest.approx(math.fsum(w * s for w, s in pairs) / count, abs=2e-4)
    for level in (0.0, 0.7, 1.3):
        direct = math.fsum(w * max(0.0, s - level) for w, s in pairs) / count
        assert curve.excess(level) == pytest.approx(direct, abs=2e-4)


@PROPERTY
@given(values=SERIES, levels=st.lists(st.floats(0, 30), min_size=1, max_size=9))
def test_arrays_of_levels_give_what_single_levels_give(
    values: list[float], levels: list[float]
) -> None:
    curve = DurationCurve(values)
    found = np.broadcast_to(curve.excess(amounts.drawn(np.array(levels))), (len(levels),))
    np.testing.assert_allclose(found, [curve.excess(x) for x in levels], rtol=0, atol=1e-14)
    fractions = np.linspace(0, 1, 7)
    np.testing.assert_array_equal(
        curve.quantile(amounts.drawn(fractions)),
        [curve.quantile(float(fraction)) for fraction in fractions],
    )


@pytest.mark.decisive
def test_a_uniform_load_has_the_excess_of_a_parabola() -> None:
    """Demand uniform on 0-2: E[max(0, s - x)] = (2 - x)^2 / 4."""
    count = 8760
    curve = DurationCurve([(hour + 0.5) / count for hour in range(count)])
    for level in (0.0, 0.5, 0.8, 1.6, 2.0):
        assert curve.excess(level) == pytest.approx((2 - level) ** 2 / 4, abs=1e-4)
    assert curve.quantile(0.3) == pytest.approx(0.6, abs=1e-3)
    assert curve.peak == pytest.approx(2.0, abs=1e-3)


def test_the_cheapest_base_is_that_of_the_newsvendor() -> None:
    """E10: uniform on 0-100, committed at 0.6 of the price on demand: commit 40."""
    demand = [100 * (hour + 0.5) / 2400 for hour in range(2400)]
    curve = DurationCurve(demand)

    def cost(committed: float) -> float:
        return 0.6 * committed + 50.0 * curve.excess(committed / 50.0)

    best = min((step / 10 for step in range(1001)), key=cost)
    assert best == pytest.approx(40, abs=0.51)
    assert best == pytest.approx(optimal_commitment(demand, price_ratio=0.6), abs=0.51)


def test_a_flat_load_never_exceeds_its_mean() -> None:
    curve = DurationCurve((5.0,))
    assert curve.excess(0.25) == 0.75
    assert curve.excess(1.0) == 0.0
    assert curve.excess(1e300) == 0.0
    assert curve.quantile(0.0) == curve.quantile(1.0) == curve.peak == 1.0


def test_a_spiky_load_keeps_its_table_small() -> None:
    curve = DurationCurve([0.0] * 8759 + [1.0])
    assert curve.peak == pytest.approx(8760)
    assert curve.excess(4380.0) == pytest.approx(0.5, abs=1e-3)
    found = curve.excess(amounts.drawn(np.array([4380.0])))
    np.testing.assert_allclose(found, [0.5], atol=1e-3)


def test_a_day_is_repeated_over_a_week() -> None:
    assert tiled([1.0, 2.0], 5) == [1.0, 2.0, 1.0, 2.0, 1.0]


@pytest.mark.parametrize("drawn", ["cores", "level", "all"])
def test_the_excess_of_draws_is_that_of_each_month_and_draw(
    drawn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance, months, count = np.random.default_rng(3), 7, 11
    monkeypatch.setattr(cloud_rent_kernel, "AT_ONCE", 3 * count)
    curve = DurationCurve((0.2, 0.7, 1.1, 1.4, 1.6))

    def matrix(name: str) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        wide = drawn in {name, "all"}
        return chance.uniform(1.0, 9.0, (months, count if wide else 1))

    rates, fleet = NeedRates(0.5, 0.2, 0.3, 0.0, 0.1), Fleet(1, 2)
    amounts = [matrix(name) for name in ("cores", "ram", "gpus", "tb")]
    level = np.floor(matrix("level"))
    need: Any = rates.need
    machines = cloud_rent_kernel.Machines.of(need(*amounts), fleet, curve)
    found = machines.excess(level)
    assert found.shape == (months, count)
    wide = [np.broadcast_to(series, found.shape) for series in (*amounts, level)]
    for place in np.ndindex(found.shape):
        *work, committed = (float(series[place]) for series in wide)
        one = rates.need(*work)
        counts = [one.machines(ratio, fleet, curve.grain) for ratio in curve.values]
        expected = sum(max(as_number(count) - committed, 0.0) for count in counts) / 5
        assert found[place] == pytest.approx(expected, rel=1e-12, abs=1e-12)
