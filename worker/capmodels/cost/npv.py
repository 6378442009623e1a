"""Present value of a list of payments, by the year and by the month, both said."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.amounts import AmountT, expm1, log1p
from capmodels.cost.cashflow import present_value_usd
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
from capmodels.units import MONTHS_PER_YEAR, Fraction, SignedUsd, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

DiscountFraction = Annotated[Fraction, of_unit("fraction/yr")]


@equation("cost.npv")
def monthly_rate_fraction(discount_fraction_per_year: AmountT) -> AmountT:
    """Rate of a month that compounds to the yearly one. [fraction/month]

    (1 + r)^(1/12) - 1, by definition of compound interest.

    >>> round(monthly_rate_fraction(0.08), 6)
    0.006434
    """
    return expm1(log1p(discount_fraction_per_year) / MONTHS_PER_YEAR)


def npv_by_year_usd(yearly_usd: Sequence[float], *, discount_fraction_per_year: float) -> float:
    """Present value of a payment now and one at the end of each year. [USD]

    >>> round(npv_by_year_usd([1840, 211000, 211000, 211000], discount_fraction_per_year=0.08), 1)
    545607.5
    """
    return present_value_usd(yearly_usd, rate_fraction_per_period=discount_fraction_per_year)


def npv_by_month_usd(monthly_usd: Sequence[float], *, discount_fraction_per_year: float) -> float:
    """Present value of a payment now and one at the end of each month. [USD]"""
    rate = monthly_rate_fraction(discount_fraction_per_year)
    return present_value_usd(monthly_usd, rate_fraction_per_period=rate)


def months_from_years(yearly_usd: Sequence[float]) -> list[float]:
    """Spread each year's payment over its twelve months; the first entry is now."""
    now, *years = yearly_usd
    return [now] + [year / MONTHS_PER_YEAR for year in years for _ in range(MONTHS_PER_YEAR)]


def years_from_months(monthly_usd: Sequence[float]) -> list[float]:
    """Add up the months of each year, the last year as far as it goes."""
    now, *months = monthly_usd
    starts = range(0, len(months), MONTHS_PER_YEAR)
    return [now] + [math.fsum(months[start : start + MONTHS_PER_YEAR]) for start in starts]


class NpvParams(Params):
    """Payments at equal distances, and the rate at which later ones count for less."""

    flows_usd: tuple[SignedUsd, ...] = Field(
        min_length=1,
        max_length=1201,
        description="The first is paid now, each other one at the end of its period.",
    )
    period: Literal["year", "month"] = default(
        "year", "Distance of the payments.", source="Zaranek et al. 2008 count years"
    )
    discount_fraction_per_year: DiscountFraction = assumed(
        0.08,
        "Discount rate; a month's rate compounds to it.",
        source="economics reference 6.2",
        low=0.05,
        high=0.12,
    )


class NpvResult(Result):
    """The present value as asked, and under both conventions."""

    npv_usd: SignedUsd
    npv_by_year_usd: SignedUsd
    npv_by_month_usd: SignedUsd
    undiscounted_usd: SignedUsd
    convention: str


_CONVENTIONS = {
    "year": "Payments at the end of each year.",
    "month": "Payments at the end of each month.",
}


def _run(params: NpvParams, _context: Context) -> NpvResult:
    flows, by_year = params.flows_usd, params.period == "year"
    rate = params.discount_fraction_per_year
    years = list(flows) if by_year else years_from_months(flows)
    months = months_from_years(flows) if by_year else list(flows)
    yearly = npv_by_year_usd(years, discount_fraction_per_year=rate)
    monthly = npv_by_month_usd(months, discount_fraction_per_year=rate)
    return NpvResult(
        npv_usd=yearly if by_year else monthly,
        npv_by_year_usd=yearly,
        npv_by_month_usd=monthly,
        undiscounted_usd=math.fsum(flows),
        convention=_CONVENTIONS[params.period],
    )


def _npv(*flows_usd: float) -> NpvResult:
    return _run(NpvParams(flows_usd=flows_usd, discount_fraction_per_year=0.08), Context())


def _understated_fraction() -> float:
    rent = _npv(0.0, 211_000.0, 211_000.0, 211_000.0)
    return rent.npv_by_month_usd / rent.npv_by_year_usd - 1


_present_value = partial(
    Check,
    source="Zaranek et al. 2008, section 2.1, discounted",
    unit="USD",
    tolerance=0.5,
    basis="derived",
    kind="arithmetic",
)

SPEC = ModelSpec(
    id="cost.npv",
    version="1.0.0",
    title="Net present value",
    summary="What a list of payments is worth today, with yearly and with monthly payments.",
    params=NpvParams,
    result=NpvResult,
    run=_run,
    points=lambda params: len(params.flows_usd),
    citations=(
        Citation(text="Definition; the example is Zaranek et al. 2008, section 2.1, over 3 years"),
    ),
    formulas=(
        Formula(
            "npv",
            "NPV = sum over t of F_t / (1 + r)^t",
            "definition",
            {"F_t": "flows_usd", "r": "discount_fraction_per_year", "t": "years"},
        ),
    ),
    checks=(
        _present_value(
            "E5",
            "Owning the 48 nodes, 3 years at 8%",
            432_863.9,
            lambda: _npv(170_000.0, 102_000.0, 102_000.0, 102_000.0).npv_usd,
            params=lambda: {"flows_usd": (170_000.0, 102_000.0, 102_000.0, 102_000.0)},
            tests="cost.npv.NpvParams.discount_fraction_per_year",
        ),
        _present_value(
            "E6",
            "The cloud instead, 3 years at 8%",
            545_607.5,
            lambda: _npv(1_840.0, 211_000.0, 211_000.0, 211_000.0).npv_usd,
            params=lambda: {"flows_usd": (1_840.0, 211_000.0, 211_000.0, 211_000.0)},
            tests="cost.cashflow.present_value_usd",
        ),
        derived_check(
            "E6m",
            "Rent that yearly discounting leaves out, at 8%",
            0.036,
            _understated_fraction,
            source="monthly against yearly payments",
            tolerance=0.0005,
            unit="fraction",
            tests="cost.npv.monthly_rate_fraction",
        ),
    ),
    limits=(
        "Yearly payments at the end of the year understate rent, which is paid by the month: "
        "by 3.6% at 8%.",
        "One rate for all payments; no tax and no inflation unless the payments contain them.",
    ),
)
