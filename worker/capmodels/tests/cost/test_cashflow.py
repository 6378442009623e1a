"""Sums of payments against loops and against SciPy's root of the same sums."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

from capmodels.cost import cashflow
from capmodels.cost.break_even import LIMIT_YEARS, Streams, break_even

if TYPE_CHECKING:
    from capmodels.amounts import Draws


@pytest.mark.parametrize("rate", [-0.5, -1e-9, 0.0, 1e-12, 0.08, 2.0])
@pytest.mark.decisive
def test_months_sum_is_a_loop_over_months(rate: float) -> None:
    loop = math.fsum((1 + rate) ** (month / 12) for month in range(60))
    assert cashflow.months_sum(math.log1p(rate), 60) == pytest.approx(loop, rel=1e-12)


@pytest.mark.parametrize("rate", [0.0, 1e-10, 0.05, 0.3])
def test_annuity_factor_is_a_loop_over_periods(rate: float) -> None:
    loop = math.fsum((1 + rate) ** -period for period in range(1, 11))
    factor = cashflow.annuity_factor(rate_fraction_per_period=rate, periods=10)
    assert factor == pytest.approx(loop, rel=1e-12)


def test_draws_of_a_rate_answer_as_each_alone_around_nothing_too() -> None:
    rates = np.array([-0.01, 0.0, 1e-18, 0.004])
    drawn = cast("Draws", rates)
    found = cashflow.annuity_factor(rate_fraction_per_period=drawn, periods=36.0)
    alone = [sum((1 + rate) ** -month for month in range(1, 37)) for rate in rates.tolist()]
    assert found == pytest.approx(alone, rel=1e-9)


def test_a_payment_repays_its_loan() -> None:
    payment = cashflow.payment_usd(principal_usd=1000, rate_fraction_per_period=0.01, periods=24)
    debt = 1000.0
    for _ in range(24):
        debt = debt * 1.01 - payment
    assert debt == pytest.approx(0, abs=1e-9)


def test_a_crossing_after_a_thousand_years_counts_as_none() -> None:
    late = break_even(
        Streams(gap_usd=1e6, own_usd_per_year=100.0, cloud_usd_per_year=100.0 + 1e6 / 1500)
    )
    soon = break_even(
        Streams(gap_usd=1e6, own_usd_per_year=100.0, cloud_usd_per_year=100.0 + 1e6 / 999)
    )
    assert late.reason == "never"
    assert soon.years == pytest.approx(999)
    assert soon.years is not None
    assert soon.years < LIMIT_YEARS


def test_equal_yearly_costs_never_make_up_a_gap() -> None:
    assert break_even(Streams(gap_usd=1, own_usd_per_year=5, cloud_usd_per_year=5)).years is None


def test_every_crossing_is_a_zero_of_the_lead() -> None:
    streams = Streams(
        gap_usd=168_160.0,
        own_usd_per_year=101_805.6,
        cloud_usd_per_year=211_392.0,
        growth_log_per_year=math.log1p(-0.1),
        discount_log_per_year=math.log1p(0.02),
    )
    crossings = break_even(streams).crossings_years
    assert len(crossings) == 2
    for crossing in crossings:
        assert streams.lead_usd(crossing) == pytest.approx(0, abs=1e-6)
        before, after = (streams.lead_usd(crossing * factor) for factor in (0.999, 1.001))
        assert before * after < 0
