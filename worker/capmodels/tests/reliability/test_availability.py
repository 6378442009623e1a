"""Too few units up: textbook systems, SciPy's binomial, a Markov chain, published terms."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats

from capmodels.amounts import as_number
from capmodels.performance.node_failures import failure_rate_per_year
from capmodels.providers import PROVIDERS
from capmodels.reliability.availability import down_fraction, too_few_fraction


@pytest.mark.parametrize("q", [0.0, 1e-6, 0.01, 0.1, 0.5, 1.0])
def test_two_of_three_is_the_textbooks_polynomial(q: float) -> None:
    """1 - A^2 (3 - 2 A), Barlow and Proschan 1965; one of two is q^2, two of two 1 - (1 - q)^2."""
    up = 1.0 - q
    assert too_few_fraction(3.0, 1.0, q) == pytest.approx(1 - up**2 * (3 - 2 * up), abs=1e-14)
    assert too_few_fraction(2.0, 1.0, q) == pytest.approx(q * q, abs=1e-14)
    assert too_few_fraction(2.0, 0.0, q) == pytest.approx(1 - up * up, abs=1e-14)


def too_few(units: float, spare: float, down: float) -> float:
    return as_number(too_few_fraction(units, spare, down))


def test_numbers_and_draws_are_the_binomial_tail_of_scipy() -> None:
    draw = random.Random(3)
    units = np.array([draw.choice([1, 2, 7, 41, 900, 100_000]) for _ in range(300)], dtype=float)
    spare = np.array([draw.randint(0, 9) for _ in units], dtype=float)
    down = np.array([10 ** draw.uniform(-7, -0.01) for _ in units])
    tail = np.asarray(stats.binom.sf(spare, units, down))
    assert np.asarray(too_few_fraction(units, spare, down)) == pytest.approx(tail, abs=1e-12)  # type: ignore[arg-type]  # arrays are amounts as draws are
    for n, k, q, found in zip(units, spare, down, tail, strict=True):
        one = too_few(float(n), float(k), float(q))
        assert one == pytest.approx(found, abs=1e-9)


def test_units_with_repair_of_their_own_are_a_birth_and_death_chain() -> None:
    """Steady state of the chain of down units: fail at (n - j) l, repaired at j m."""
    units, rate, repair_h = 6, 2.0, 300.0
    fail, mend = rate / 8760.0, 1.0 / repair_h
    weights = [1.0]
    for j in range(units):
        weights.append(weights[-1] * (units - j) * fail / ((j + 1) * mend))
    q = down_fraction(rate, repair_h, 8760.0)
    for spare in range(units + 1):
        expected = sum(weights[spare + 1 :]) / sum(weights)
        assert too_few_fraction(float(units), float(spare), q) == pytest.approx(expected, abs=1e-14)


def test_four_nines_are_fifty_two_minutes_and_a_half_a_year() -> None:
    """As published terms are read: 99.99% is 52.6 minutes, 99.9% 8.76 h, 99.5% 43.8 h."""
    uptime = PROVIDERS["aws"].uptime
    assert uptime is not None
    assert (1 - uptime.zones_fraction) * 8760 * 60 == pytest.approx(52.6, abs=0.05)
    assert (1 - uptime.one_zone_fraction) * 8760 == pytest.approx(43.8, abs=0.01)
    azure = PROVIDERS["azure"].uptime
    assert azure is not None
    assert (1 - azure.one_zone_fraction) * 8760 == pytest.approx(8.76, abs=0.005)


def test_more_to_spare_and_shorter_repairs_never_leave_too_few_for_longer() -> None:
    draw = random.Random(5)
    for _ in range(200):
        units, spare = float(draw.randint(1, 300)), float(draw.randint(0, 5))
        rate, repair = failure_rate_per_year(draw.uniform(0, 0.9)), draw.uniform(0, 500)
        down = as_number(down_fraction(rate, repair, 8760.0))
        here = too_few(units, spare, down)
        assert 0.0 <= here <= 1.0
        assert too_few(units, spare + 1.0, down) <= here + 1e-12
        sooner = as_number(down_fraction(rate, repair / 2, 8760.0))
        assert too_few(units, spare, sooner) <= here + 1e-12
