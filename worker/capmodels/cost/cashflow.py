"""Sums of payments that grow and are discounted: the arithmetic under the cost models.

A yearly amount is paid in twelve parts, each at the end of its month. A month's part
grows by the twelfth root of a year's growth, so a sum over months is geometric.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, AmountT, expm1, is_above, is_below, is_zero, log1p
from capmodels.equations import equation
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence


def yearly_log(fraction_per_year: float) -> float:
    """Logarithm of the yearly factor of a growth or discount rate. [1/yr]"""
    return math.log1p(fraction_per_year)


def months_sum(log_per_year: float, months: float) -> float:
    """Sum of monthly payments of 1 that change by a factor e**log_per_year a year.

    The first is 1, the sum runs over ``months`` payments; for a part of a month the
    geometric sum is continued between its whole values.

    >>> months_sum(0.0, 24.0)
    24.0
    >>> round(months_sum(math.log(1.5), 24.0) - sum(1.5 ** (k / 12) for k in range(24)), 9)
    0.0
    """
    step = log_per_year / MONTHS_PER_YEAR
    if step == 0.0:
        return months
    return math.expm1(step * months) / math.expm1(step)


def cumulative_usd(*, usd_per_year: float, growth_log_per_year: float, months: float) -> float:
    """Undiscounted sum of a growing yearly cost after some months. [USD]"""
    return usd_per_year / MONTHS_PER_YEAR * months_sum(growth_log_per_year, months)


def cumulative_npv_usd(
    *,
    usd_per_year: float,
    growth_log_per_year: float,
    discount_log_per_year: float,
    months: float,
) -> float:
    """Present value of a growing yearly cost, paid at the end of each month. [USD]"""
    first = math.exp(-discount_log_per_year / MONTHS_PER_YEAR)
    net = growth_log_per_year - discount_log_per_year
    return usd_per_year / MONTHS_PER_YEAR * first * months_sum(net, months)


def present_value_usd(flows_usd: Sequence[float], *, rate_fraction_per_period: float) -> float:
    """Present value of equally spaced cash flows, the first of them now. [USD]

    NPV = sum over t of F_t / (1 + r)^t.

    >>> round(present_value_usd([170000, 102000, 102000, 102000], rate_fraction_per_period=0.08), 1)
    432863.9
    """
    log_rate = math.log1p(rate_fraction_per_period)
    return math.fsum(flow * math.exp(-log_rate * period) for period, flow in enumerate(flows_usd))


@equation("cost.equivalent_annual_cost")
def annuity_factor(*, rate_fraction_per_period: AmountT, periods: float) -> AmountT:
    """Present value of 1 paid at the end of each of so many periods.

    (1 - (1 + r)^-n) / r, and n where r is 0: by definition the sum of a geometric series.

    >>> annuity_factor(rate_fraction_per_period=0.0, periods=3.0)
    3.0
    """
    if is_zero(rate_fraction_per_period):
        return rate_fraction_per_period + periods
    # Of draws some may be at a rate of 0; so near to it the factor is its limit.
    rate = rate_fraction_per_period
    rate = rate + TINY * is_above(rate, -TINY) * is_below(rate, TINY)
    return -expm1(-log1p(rate) * periods) / rate


def payment_usd(
    *, principal_usd: AmountT, rate_fraction_per_period: AmountT, periods: float
) -> AmountT:
    """Level payment at the end of each period that repays a loan. [USD]

    P i / (1 - (1 + i)^-n), and P / n where i is 0: the loan is what its payments are worth.

    >>> round(payment_usd(principal_usd=72e6, rate_fraction_per_period=0.05 / 12, periods=120))
    763672
    """
    return principal_usd / annuity_factor(
        rate_fraction_per_period=rate_fraction_per_period, periods=periods
    )
