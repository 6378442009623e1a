"""When two ways to pay have cost the same: every crossing of two cumulative costs.

Owning starts with a gap to make up and then costs less (or more) a year than renting.
With growth and discounting the difference is a sum of two exponentials and a constant,
so it turns at most once and crosses zero at most twice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable

# A crossing later than this counts as none: no plan reaches so far.
LIMIT_YEARS = 1000.0
_LARGEST_EXPONENT = 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Streams:
    """Two streams of cost: owned has ``gap_usd`` more to pay at the start.

    ``gap_usd`` is what owning costs at once less what renting costs at once. The
    yearly costs are those of the first year. Rates are logarithms of yearly factors;
    only renting grows, for it follows the work.
    """

    gap_usd: float
    own_usd_per_year: float
    cloud_usd_per_year: float
    growth_log_per_year: float = 0.0
    discount_log_per_year: float = 0.0

    def lead_usd(self, years: float) -> float:
        """By how much owning is ahead of renting after a time. [USD]"""
        net = self.growth_log_per_year - self.discount_log_per_year
        cloud = self.cloud_usd_per_year * _years_sum(net, years)
        own = self.own_usd_per_year * _years_sum(-self.discount_log_per_year, years)
        first = math.exp(-self.discount_log_per_year / MONTHS_PER_YEAR)
        return first * (cloud - own) - self.gap_usd

    def turn_years(self) -> float | None:
        """Return when the lead stops rising (or falling), if it ever does."""
        growth = self.growth_log_per_year
        if growth == 0.0 or self.own_usd_per_year <= 0 or self.cloud_usd_per_year <= 0:
            return None
        net = growth - self.discount_log_per_year
        own = self.own_usd_per_year * _slope(-self.discount_log_per_year)
        turn = math.log(own / (self.cloud_usd_per_year * _slope(net))) / growth
        return turn if 0.0 < turn < LIMIT_YEARS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakEvenTime:
    """When owning becomes cheaper, and every crossing, earliest first.

    ``years`` is None with reason ``never``; 0.0 with reason ``always`` when owning is
    cheaper from the start to the end.
    """

    years: float | None
    crossings_years: tuple[float, ...]
    reason: str | None


def break_even(streams: Streams) -> BreakEvenTime:
    """Return the last time at which owning becomes the cheaper one.

    An owner who starts level or ahead has broken even at 0.
    """
    turn = streams.turn_years()
    edges = (0.0, LIMIT_YEARS) if turn is None else (0.0, turn, LIMIT_YEARS)
    crossings: list[float] = []
    into_lead = 0.0 if streams.gap_usd <= 0 else None
    for low, high in pairwise(edges):
        crossing = _crossing(streams, low, high)
        if crossing is None:
            continue
        crossings.append(crossing)
        if streams.lead_usd(high) > 0:
            into_lead = crossing
    reason = "never" if into_lead is None else None
    if into_lead == 0.0 and not crossings and streams.lead_usd(1.0) > 0:
        reason = "always"
    return BreakEvenTime(years=into_lead, crossings_years=tuple(crossings), reason=reason)


def _crossing(streams: Streams, low: float, high: float) -> float | None:
    """Return where the lead changes sign in an interval on which it is monotone."""
    growth, discount = streams.growth_log_per_year, streams.discount_log_per_year
    if growth == 0.0 and discount == 0.0:
        yearly = streams.cloud_usd_per_year - streams.own_usd_per_year
        years = streams.gap_usd / yearly if yearly else 0.0
        return years if low < years < high else None
    start, end = streams.lead_usd(low), streams.lead_usd(high)
    if start == 0.0 or (start > 0) == (end > 0):
        return None
    return _bisect(lambda years: (streams.lead_usd(years) > 0) == (end > 0), low, high)


def _bisect(reached: Callable[[float], bool], low: float, high: float) -> float:
    """Return the least number for which ``reached`` holds, to the last bits."""
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return high
        if reached(middle):
            high = middle
        else:
            low = middle


def _years_sum(log_per_year: float, years: float) -> float:
    step = log_per_year / MONTHS_PER_YEAR
    if step == 0.0:
        return years
    exponent = min(log_per_year * years, _LARGEST_EXPONENT)
    return math.expm1(exponent) / (MONTHS_PER_YEAR * math.expm1(step))


def _slope(log_per_year: float) -> float:
    """Slope at 0 of the sum of a year's payments, in years of the first payment."""
    step = log_per_year / MONTHS_PER_YEAR
    return step / math.expm1(step) if step else 1.0
