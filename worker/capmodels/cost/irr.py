"""The rate at which a list of payments is worth nothing today."""

from __future__ import annotations

import math
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.cost.npv import monthly_rate_fraction
from capmodels.equations import equation
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
)
from capmodels.units import MONTHS_PER_YEAR, Count, Real, SignedUsd, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

RateFraction = Annotated[Real, of_unit("fraction/yr", gt=-1)]

# Logarithms of a period's factor that are searched where there may be several rates:
# from -98% to +5,360%.
_LOG_MAX, _STEPS_PER_LOG = 4, 50
_ROUNDS = 100
_PRECISION = 1e-13

NoRate = Literal["no_outlay", "not_returned", "several_rates"]


def sign_changes_count(flows_usd: Sequence[float]) -> int:
    """Changes of sign in the payments: the most rates there can be (Descartes).

    >>> sign_changes_count([-100.0, 60.0, 0.0, 60.0])
    1
    """
    signs = [flow > 0 for flow in flows_usd if flow != 0]
    return sum(before != after for before, after in pairwise(signs))


def irr_fractions(flows_usd: Sequence[float]) -> list[float]:
    """Every rate of a period at which the payments are worth nothing, lowest first.

    Payments that change sign once have one rate, whatever it is. For others, rates from
    -98% to +5,360% are searched; two that lie within 2% of each other may hide from it.

    >>> [round(rate, 4) for rate in irr_fractions([-168160.0, 109000.0, 109000.0, 109000.0])]
    [0.4235]
    """
    changes, flows = sign_changes_count(flows_usd), _trimmed(flows_usd)
    if changes == 0:
        return []
    back = flows[::-1]
    if changes == 1:
        ends_alike = (_at(flows, 1.0) > 0) == (flows[0] > 0)
        return [root_factor(back) - 1.0 if ends_alike else 1.0 / root_factor(flows) - 1.0]
    grid = [math.exp(-step / _STEPS_PER_LOG) for step in range(_LOG_MAX * _STEPS_PER_LOG + 1)]
    below = [factor - 1.0 for factor in _root_factors(back, grid)]
    above = [1.0 / factor - 1.0 for factor in _root_factors(flows, grid)]
    # Money that neither grows nor shrinks is the first of both searches.
    return sorted({*below, *above})


def return_fraction(flows_usd: Sequence[float]) -> tuple[float | None, NoRate | None]:
    """Rate of a period at which spending first to save later is worth nothing, or why none.

    One rate from 0 on is certain when the running sum changes sign once (Norstrom 1972, JFQA 7(3)).

    >>> round(return_fraction([-100.0, 0.0, 121.0])[0], 9)
    0.1
    >>> return_fraction([100.0, -121.0])
    (None, 'no_outlay')
    """
    flows = _trimmed(_rounded(flows_usd))
    if not flows or flows[0] > 0.0:
        return None, "no_outlay"
    sums = [total for total in accumulate(flows) if total != 0.0]
    if sums[-1] < 0.0:
        return None, "not_returned"
    if sum((a > 0) != (b > 0) for a, b in pairwise(sums)) > 1:
        return None, "several_rates"
    return 1.0 / root_factor(flows) - 1.0, None


@equation("cost.irr")
def modified_return_fraction(
    flows_usd: Sequence[float], *, finance_fraction: float, reinvest_fraction: float
) -> float | None:
    """Modified rate of return of a period, by its definition; None without outlay or gain.

    S. A. Y. Lin, The modified internal rate of return, The Engineering Economist 21 (4), 1976.

    What is spent is financed, and what is gained put to work, at rates of a period; so there is
    one rate whatever the signs: (gains at the end / outlays at the start)^(1/n) - 1.

    >>> flows = [-120_000.0, 39_000.0, 30_000.0, 21_000.0, 37_000.0, 46_000.0]
    >>> found = modified_return_fraction(flows, finance_fraction=0.1, reinvest_fraction=0.12)
    >>> round(found, 6)
    0.126094
    """
    last = len(flows_usd) - 1
    spent, gained = 0.0, 0.0
    for period, flow in enumerate(flows_usd):
        if flow < 0.0:
            spent -= flow / (1.0 + finance_fraction) ** period
        else:
            gained += flow * (1.0 + reinvest_fraction) ** (last - period)
    if spent <= 0.0 or gained <= 0.0:
        return None
    return (gained / spent) ** (1.0 / last) - 1.0


def _rounded(flows_usd: Sequence[float]) -> Sequence[float]:
    """Payments without what differences of equal costs leave: under 1e-12 of the largest."""
    least = 1e-12 * max(map(abs, flows_usd), default=0.0)
    return [flow if abs(flow) > least else 0.0 for flow in flows_usd]


def _trimmed(flows_usd: Sequence[float]) -> Sequence[float]:
    """Payments from the first to the last that is not 0: time before and after moves no rate."""
    paid = [period for period, flow in enumerate(flows_usd) if flow != 0]
    return flows_usd[paid[0] : paid[-1] + 1] if paid else ()


def _at(flows_usd: Sequence[float], factor: float) -> float:
    """Present value at a factor of a period, by Horner's rule. [USD]"""
    value = 0.0
    for flow in reversed(flows_usd):
        value = value * factor + flow
    return value


def _root_factors(flows_usd: Sequence[float], grid: Sequence[float]) -> list[float]:
    """Factors of a falling grid's range at which the payments are worth nothing."""
    found = []
    values = [_at(flows_usd, factor) for factor in grid]
    for (high, low), (at_high, at_low) in zip(pairwise(grid), pairwise(values), strict=True):
        if at_high == 0.0:
            found.append(high)
        elif at_low != 0.0 and (at_low > 0) != (at_high > 0):
            found.append(root_factor(flows_usd, low, high))
    return found


@equation("cost.irr")
def root_factor(flows_usd: Sequence[float], low: float = 0.0, high: float = 1.0) -> float:
    """Factor of a period, 1 / (1 + r), at which the payments are worth nothing.

    By definition of the rate of return; Newton's rule on sum F_t x^t, kept within ends between
    which the sum changes sign.
    """
    rising, factor = _at(flows_usd, low) < 0.0, high
    for _ in range(_ROUNDS):
        value, slope = 0.0, 0.0
        for flow in reversed(flows_usd):
            slope = slope * factor + value
            value = value * factor + flow
        if (value > 0.0) == rising:
            high = factor
        else:
            low = factor
        step = factor - value / slope if slope else low
        after = step if low < step < high else 0.5 * (low + high)
        if abs(after - factor) <= _PRECISION * factor:
            return after
        factor = after
    return factor


class IrrParams(Params):
    """Payments at equal distances: what is spent is negative, what is gained positive."""

    flows_usd: tuple[SignedUsd, ...] = Field(
        min_length=2,
        max_length=601,
        description="The first is now, each other one at the end of its period. For owning "
        "instead of renting: cost of renting less cost of owning.",
    )
    finance_fraction_per_year: RateFraction = assumed(
        0.08,
        "Rate at which what is spent is financed, for the modified rate.",
        source="Cost of capital of companies, 5-12%",
    )
    reinvest_fraction_per_year: RateFraction = assumed(
        0.08,
        "Rate at which what is gained is put to work, for the modified rate.",
        source="As for what is financed",
    )
    period: Literal["year", "month"] = default(
        "year", "Distance of the payments.", source="Zaranek et al. 2008 count years"
    )


class IrrResult(Result):
    """The rate, if there is exactly one."""

    irr_fraction_per_year: RateFraction | None
    mirr_fraction_per_year: RateFraction | None
    reason: Literal["no_rate", "several_rates", "no_payments"] | None
    rates_fraction_per_year: tuple[RateFraction, ...]
    sign_changes_count: Count


def _run(params: IrrParams, _context: Context) -> IrrResult:
    rates = tuple(_per_year(rate, params.period) for rate in irr_fractions(params.flows_usd))
    reason: Literal["no_rate", "several_rates", "no_payments"] | None = None
    if not any(params.flows_usd):
        reason = "no_payments"
    elif len(rates) != 1:
        reason = "several_rates" if rates else "no_rate"
    modified = modified_return_fraction(
        params.flows_usd,
        finance_fraction=_of_period(params.finance_fraction_per_year, params.period),
        reinvest_fraction=_of_period(params.reinvest_fraction_per_year, params.period),
    )
    return IrrResult(
        mirr_fraction_per_year=None if modified is None else _per_year(modified, params.period),
        irr_fraction_per_year=rates[0] if len(rates) == 1 else None,
        reason=reason,
        rates_fraction_per_year=rates,
        sign_changes_count=sign_changes_count(params.flows_usd),
    )


def _of_period(rate_fraction_per_year: float, period: str) -> float:
    if period == "year":
        return rate_fraction_per_year
    return monthly_rate_fraction(rate_fraction_per_year)


def _per_year(rate_fraction: float, period: str) -> float:
    if period == "year":
        return rate_fraction
    return math.expm1(MONTHS_PER_YEAR * math.log1p(rate_fraction))


# Rent less the cost of owning, at the start and in each year.
_OWNING_INSTEAD_USD = (1_840.0 - 170_000.0, *(211_000.0 - 102_000.0,) * 3)


def _owning_instead() -> float:
    params = IrrParams(flows_usd=_OWNING_INSTEAD_USD)
    return _run(params, Context()).irr_fraction_per_year or 0.0


_MODIFIED = {
    "flows_usd": (-120_000.0, 39_000.0, 30_000.0, 21_000.0, 37_000.0, 46_000.0),
    "finance_fraction_per_year": 0.10,
    "reinvest_fraction_per_year": 0.12,
}


def _modified() -> float:
    return _run(IrrParams.model_validate(_MODIFIED), Context()).mirr_fraction_per_year or 0.0


SPEC = ModelSpec(
    id="cost.irr",
    version="1.2.1",
    title="Internal rate of return",
    summary="The yearly return of spending now to save later, such as owning instead of "
    "renting; says so when there is none or more than one.",
    params=IrrParams,
    result=IrrResult,
    run=_run,
    points=lambda params: len(params.flows_usd),
    citations=(
        Citation(text="Definition; the example is Zaranek et al. 2008, section 2.1, over 3 years"),
        Citation(
            text="C. J. Norstrom, A sufficient condition for a unique nonnegative internal rate "
            "of return, J. Financial and Quantitative Analysis 7(3), 1972",
        ),
    ),
    formulas=(
        Formula(
            "irr",
            "0 = sum over t of F_t / (1 + irr)^t",
            "definition",
            {"F_t": "flows_usd", "t": "periods"},
        ),
        Formula(
            "mirr",
            "mirr = (sum of gains * (1 + reinvest)^(n - t) / sum of outlays / "
            "(1 + finance)^t)^(1 / n) - 1",
            "S. A. Y. Lin, The modified internal rate of return and investment criterion, "
            "The Engineering Economist 21(4), 1976",
        ),
    ),
    checks=(
        Check(
            "MIRR",
            "Modified rate of return: 120,000 spent, five years of gains, 10% and 12%",
            0.1261,
            _modified,
            source="Microsoft, Excel, function MIRR: its example prints 12.61%",
            tolerance=0.00005,
            unit="fraction/yr",
            params=lambda: _MODIFIED,
            kind="arithmetic",
            tests="cost.irr.IrrParams.reinvest_fraction_per_year",
            printed="12.61%",
        ),
        derived_check(
            "E7",
            "Owning the 48 nodes instead of renting, 3 years",
            0.4235,
            _owning_instead,
            source="Zaranek et al. 2008, section 2.1, discounted",
            tolerance=0.0005,
            unit="fraction/yr",
            params=lambda: {"flows_usd": _OWNING_INSTEAD_USD},
            tests="cost.irr.root_factor",
        ),
    ),
    limits=(
        "Payments that change sign more than once can have several rates; none is chosen then.",
        "Where nothing is paid every rate fits, and none is said.",
        "A rate assumes that gains are put to work again at that same rate; compare by net "
        "present value.",
    ),
)
