"""The rate at which a list of payments is worth nothing today."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.cost.cashflow import present_value_usd
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
)
from capmodels.units import MONTHS_PER_YEAR, Count, Real, SignedUsd

if TYPE_CHECKING:
    from collections.abc import Sequence

RateFraction = Annotated[Real, Field(gt=-1, json_schema_extra={"unit": "fraction/yr"})]

# Logarithms of the yearly factor that are searched: from -98% to +5,360% a year.
_LOWEST_LOG, _HIGHEST_LOG, _STEPS = -4.0, 4.0, 400


def sign_changes_count(flows_usd: Sequence[float]) -> int:
    """Changes of sign in the payments: the most rates there can be (Descartes).

    >>> sign_changes_count([-100.0, 60.0, 0.0, 60.0])
    1
    """
    signs = [flow > 0 for flow in flows_usd if flow != 0]
    return sum(before != after for before, after in pairwise(signs))


def irr_fractions(flows_usd: Sequence[float]) -> list[float]:
    """Every rate of a period at which the payments are worth nothing, lowest first.

    Rates from -98% to +5,360% are searched; two that lie within 2% of each other may
    hide from the search.

    >>> [round(rate, 4) for rate in irr_fractions([-168160.0, 109000.0, 109000.0, 109000.0])]
    [0.4235]
    """
    width = (_HIGHEST_LOG - _LOWEST_LOG) / _STEPS
    grid = [_LOWEST_LOG + width * step for step in range(_STEPS + 1)]
    values = [_value(flows_usd, log_rate) for log_rate in grid]
    found = []
    for index, (low, high) in enumerate(pairwise(grid)):
        if values[index] == 0.0:
            found.append(math.expm1(low))
        elif values[index] * values[index + 1] < 0:
            found.append(math.expm1(_root(flows_usd, low, high)))
    return found


def _value(flows_usd: Sequence[float], log_rate: float) -> float:
    return present_value_usd(flows_usd, rate_fraction_per_period=math.expm1(log_rate))


def _root(flows_usd: Sequence[float], low: float, high: float) -> float:
    rising = _value(flows_usd, high) > 0
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if (_value(flows_usd, middle) > 0) == rising:
            high = middle
        else:
            low = middle


class IrrParams(Params):
    """Payments at equal distances: what is spent is negative, what is gained positive."""

    flows_usd: tuple[SignedUsd, ...] = Field(
        min_length=2,
        max_length=601,
        description="The first is now, each other one at the end of its period. For owning "
        "instead of renting: cost of renting less cost of owning.",
    )
    period: Literal["year", "month"] = default(
        "year", source="Zaranek et al. 2008 count years", description="Distance of the payments."
    )


class IrrResult(Result):
    """The rate, if there is exactly one."""

    irr_fraction_per_year: RateFraction | None
    reason: Literal["no_rate", "several_rates"] | None
    rates_fraction_per_year: tuple[RateFraction, ...]
    sign_changes_count: Count


def _run(params: IrrParams, _context: Context) -> IrrResult:
    rates = tuple(_per_year(rate, params.period) for rate in irr_fractions(params.flows_usd))
    reason: Literal["no_rate", "several_rates"] | None = None
    if len(rates) != 1:
        reason = "several_rates" if rates else "no_rate"
    return IrrResult(
        irr_fraction_per_year=rates[0] if len(rates) == 1 else None,
        reason=reason,
        rates_fraction_per_year=rates,
        sign_changes_count=sign_changes_count(params.flows_usd),
    )


def _per_year(rate_fraction: float, period: str) -> float:
    if period == "year":
        return rate_fraction
    return math.expm1(MONTHS_PER_YEAR * math.log1p(rate_fraction))


# Rent less the cost of owning, at the start and in each year.
_OWNING_INSTEAD_USD = (1_840.0 - 170_000.0, *(211_000.0 - 102_000.0,) * 3)


def _owning_instead() -> float:
    params = IrrParams(flows_usd=_OWNING_INSTEAD_USD)
    return _run(params, Context()).irr_fraction_per_year or 0.0


SPEC = ModelSpec(
    id="cost.irr",
    version="1.0.0",
    title="Internal rate of return",
    summary="The yearly return of spending now to save later, such as owning instead of "
    "renting; says so when there is none or more than one.",
    params=IrrParams,
    result=IrrResult,
    run=_run,
    points=lambda params: len(params.flows_usd),
    citations=(
        Citation(text="Definition; the example is Zaranek et al. 2008, section 2.1, over 3 years"),
    ),
    formulas=(
        Formula(
            id="irr",
            text="0 = sum over t of F_t / (1 + irr)^t",
            source="definition",
            symbols={"F_t": "flows_usd", "t": "periods"},
        ),
    ),
    checks=(
        Check(
            id="E7",
            title="Owning the 48 nodes instead of renting, 3 years",
            source="Zaranek et al. 2008, section 2.1, discounted",
            published=0.4235,
            tolerance=0.0005,
            unit="fraction/yr",
            basis="derived",
            compute=_owning_instead,
            params=lambda: {"flows_usd": _OWNING_INSTEAD_USD},
        ),
    ),
    limits=(
        "Payments that change sign more than once can have several rates; none is chosen then.",
        "A rate assumes that gains are put to work again at that same rate; compare by net "
        "present value.",
    ),
)
