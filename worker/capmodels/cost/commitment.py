"""How much capacity to commit to, at what effective price, and from which use it pays.

The newsvendor's answer: commit up to the demand that is exceeded in a share of the hours
equal to the ratio of the committed to the on-demand price.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.amounts import CEIL_SLACK, at_least, ceil, is_above
from capmodels.equations import equation
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    blank,
    default,
    derived_check,
    preset,
    refusal,
)
from capmodels.units import HOURS_PER_YEAR, Fraction, Real, Usd, UsdPerH, of_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import Amount, AmountT

Count = Annotated[Real, of_unit("count", ge=0)]
PositiveUsdPerH = Annotated[Real, of_unit("USD/h", gt=0)]
TermYears = Annotated[Real, of_unit("yr", gt=0, le=10)]
PriceRatio = Annotated[Real, of_unit("ratio", ge=0)]

_CURVE_POINTS = 101


def effective_usd_per_h(*, upfront_usd: float, term_years: float, hourly_usd: float) -> float:
    """Price of a committed hour with its part of the upfront payment. [USD/h]

    >>> effective_usd_per_h(upfront_usd=8760.0, term_years=1.0, hourly_usd=0.5)
    1.5
    """
    return upfront_usd / (term_years * HOURS_PER_YEAR) + hourly_usd


@equation("cost.commitment")
def best_quantile_fraction(price_ratio: AmountT) -> AmountT:
    """Quantile of the demand up to which a commitment costs least.

    What is committed at the quantile q is needed in 1 - q of the hours, and then saves the
    price on demand; it pays while 1 - q is at least the ratio of the two prices. The cost is
    convex in the amount, so that this is its minimum: the critical fractile of the newsvendor
    (Arrow, Harris, Marschak 1951, :doi:`10.2307/1906813`). 0: nothing is worth committing.

    >>> best_quantile_fraction(0.75), best_quantile_fraction(1.5)
    (0.25, 0.0)
    """
    return at_least(1.0 - price_ratio, 0.0)


@equation("cost.commitment")
def best_count(saved_usd: Callable[[Amount], Amount], most: float) -> Amount:
    """Whole number to commit to over a term, of at most so many.

    Parameters
    ----------
    saved_usd : callable
        What the n-th one saves over its term against paying its hours on demand, which falls
        as n rises. [USD]
    most : float
        Number above which none is ever needed. [count]

    Returns
    -------
    float or ndarray
        The largest n whose last one saves something; 0 where none does. [count]

    Notes
    -----
    The newsvendor's condition of one price and one demand, exceeded = p_c / p_o
    (:doi:`10.2307/1906813`), with demand and prices that change over the term: the n-th one pays
    while the sum over the term of (share of the hours in which it is needed) * p_o is above p_c.

    Examples
    --------
    >>> best_count(lambda n: 3.5 - n, 10.0)
    3.0
    """
    low: Amount = 0.0
    high: Amount = float(most)
    for _ in range(math.ceil(math.log2(most + 1.0)) + 1):
        middle = ceil((low + high) * 0.5)
        saves = is_above(saved_usd(middle), 0.0)
        low = saves * middle + (1.0 - saves) * low
        high = saves * high + (1.0 - saves) * (middle - 1.0)
    return at_least(low, 0.0)


def optimal_commitment(demand: Sequence[float], *, price_ratio: float) -> float:
    """AmountT to commit to that costs least over a sample of demand.

    >>> optimal_commitment([3.0, 1.0, 2.0, 4.0], price_ratio=0.5)
    2.0
    """
    ordered = sorted(demand)
    rank = math.ceil(best_quantile_fraction(price_ratio) * len(ordered) - CEIL_SLACK)
    return ordered[rank - 1] if rank > 0 else 0.0


class _DurationCurve:
    """Demand in order, with running sums, so that each cost takes one look-up."""

    def __init__(self, demand: Sequence[float]) -> None:
        self._ordered = sorted(demand)
        self._sums = list(accumulate(self._ordered, initial=0.0))

    def mean_above(self, amount: float) -> float:
        """Mean over the hours of the demand above an amount."""
        start = bisect_right(self._ordered, amount)
        hours = len(self._ordered)
        above = self._sums[hours] - self._sums[start] - amount * (hours - start)
        return max(0.0, above / hours)

    def some_counts(self) -> list[float]:
        """At most about a hundred amounts from 0 to the peak."""
        counts = sorted({0.0, *self._ordered})
        step = max(1, math.ceil(len(counts) / _CURVE_POINTS))
        return sorted({*counts[::step], counts[-1]})


class DiscountOffer(Params):
    """A discount on the on-demand price."""

    kind: Literal["discount"] = "discount"
    discount_fraction: Fraction = default(
        0.339,
        "Share by which a committed hour is cheaper.",
        source="AWS compute savings plan, m7a, 1 year without upfront; ceilings 66-72%",
        as_of="2026-07",
        low=0.30,
        high=0.72,
    )


class PriceOffer(Params):
    """An upfront payment and a price for every hour of the term."""

    kind: Literal["price"] = "price"
    upfront_usd: Usd = Field(description="Payment at the start, for one unit.")
    hourly_usd_per_h: UsdPerH = Field(description="Price of every hour of the term.")
    term_years: TermYears = Field(description="Term.")


Offer = Annotated[DiscountOffer | PriceOffer, Field(discriminator="kind")]


class CommitmentParams(Params):
    """Demand over time, the on-demand price, and the offer."""

    model_config = ConfigDict(validate_default=True)

    hourly_demand_count: tuple[Count, ...] = Field(
        min_length=1,
        max_length=87_840,
        description="Demand in each hour, or any equally likely values of it; the order does "
        "not matter.",
    )
    on_demand_usd_per_h: PositiveUsdPerH = default(
        1.85472,
        "Price of one unit for an hour without commitment.",
        source="m7a.8xlarge, us-east-1",
        as_of="2026-07",
    )
    offer: Offer = preset(DiscountOffer(), "What a commitment costs.")
    committed_count: Count | None = blank("AmountT to price; the best one when left empty.")

    @field_validator("committed_count")
    @classmethod
    def _not_above_peak(cls, value: float | None, info: ValidationInfo) -> float | None:
        demand = info.data.get("hourly_demand_count")
        if value is not None and demand is not None and value > max(demand):
            raise refusal(
                "above_peak",
                f"Demand never exceeds {max(demand):g}. Enter at most that.",
            )
        return value


class CostPoint(Result):
    """Cost of one amount."""

    committed_count: Count
    cost_usd_per_h: UsdPerH


class CommitmentResult(Result):
    """The best amount, what the asked amount costs, and from which use a commitment pays."""

    optimal_count: Count
    committed_count: Count
    effective_usd_per_h: UsdPerH
    price_ratio: PriceRatio
    break_even_fraction: PriceRatio
    exceeded_fraction: Fraction
    used_fraction: Fraction | None
    cost_usd_per_h: UsdPerH
    optimal_usd_per_h: UsdPerH
    on_demand_usd_per_h: UsdPerH
    peak_committed_usd_per_h: UsdPerH
    saved_fraction: Annotated[Real, of_unit("fraction", le=1)] | None
    curve: tuple[CostPoint, ...]


def offer_usd_per_h(offer: Offer, *, on_demand_usd_per_h: float) -> float:
    """Effective price of a committed hour. [USD/h]"""
    if isinstance(offer, DiscountOffer):
        return on_demand_usd_per_h * (1 - offer.discount_fraction)
    return effective_usd_per_h(
        upfront_usd=offer.upfront_usd,
        term_years=offer.term_years,
        hourly_usd=offer.hourly_usd_per_h,
    )


def _run(params: CommitmentParams, _context: Context) -> CommitmentResult:
    demand, on_demand = params.hourly_demand_count, params.on_demand_usd_per_h
    effective = offer_usd_per_h(params.offer, on_demand_usd_per_h=on_demand)
    curve = _DurationCurve(demand)
    best = optimal_commitment(demand, price_ratio=effective / on_demand)
    asked = best if params.committed_count is None else params.committed_count

    def cost(amount: float) -> float:
        return amount * effective + curve.mean_above(amount) * on_demand

    without = cost(0.0)
    used = math.fsum(min(asked, amount) for amount in demand) / len(demand)
    return CommitmentResult(
        optimal_count=best,
        committed_count=asked,
        effective_usd_per_h=effective,
        price_ratio=effective / on_demand,
        break_even_fraction=effective / on_demand,
        exceeded_fraction=sum(amount > asked for amount in demand) / len(demand),
        used_fraction=min(1.0, used / asked) if asked > 0 else None,
        cost_usd_per_h=cost(asked),
        optimal_usd_per_h=cost(best),
        on_demand_usd_per_h=without,
        peak_committed_usd_per_h=cost(max(demand)),
        saved_fraction=1 - cost(asked) / without if without > 0 else None,
        curve=tuple(
            CostPoint(committed_count=amount, cost_usd_per_h=cost(amount))
            for amount in curve.some_counts()
        ),
    )


def _uniform_optimum() -> float:
    return optimal_commitment([float(value) for value in range(101)], price_ratio=0.6)


def _break_even_at_ceiling() -> float:
    params = CommitmentParams(
        hourly_demand_count=(1.0,), offer=DiscountOffer(discount_fraction=0.66)
    )
    return _run(params, Context()).break_even_fraction


SPEC = ModelSpec(
    id="cost.commitment",
    version="1.0.0",
    title="Commitments",
    summary="How much of a fluctuating demand to commit to, what that costs, and how much a "
    "commitment must be used to pay.",
    params=CommitmentParams,
    result=CommitmentResult,
    run=_run,
    points=lambda params: len(params.hourly_demand_count),
    citations=(
        Citation(
            text="The newsvendor model: K. Arrow, T. Harris, J. Marschak, Optimal Inventory "
            "Policy, Econometrica 19, 1951",
            url="https://doi.org/10.2307/1906813",
        ),
        Citation(
            text="AWS savings plans: discounts of up to 66% and 72%",
            url="https://aws.amazon.com/savingsplans/",
        ),
    ),
    formulas=(
        Formula("effective", "effective price = upfront / (years * 8760) + hourly", "definition"),
        Formula(
            "optimum",
            "share of hours with demand above C = p_c / p_o",
            "newsvendor: the minimum of sum over hours of C p_c + max(0, D - C) p_o",
            {"C": "optimal_count", "p_c": "effective price", "p_o": "on_demand_usd_per_h"},
        ),
        Formula("break_even", "break-even use = p_c / p_o = 1 - discount", "derived"),
    ),
    checks=(
        derived_check(
            "E9",
            "Break-even use at a discount of 66%",
            0.34,
            _break_even_at_ceiling,
            source="AWS, ceiling of compute savings plans",
            tolerance=1e-12,
            unit="fraction",
            tests="cost.commitment.DiscountOffer.discount_fraction",
        ),
        derived_check(
            "E10",
            "Best commitment for demand uniform on 0-100 at 0.6 of the price",
            40.0,
            _uniform_optimum,
            source="newsvendor",
            tolerance=0.51,
            unit="count",
            params=lambda: {
                "hourly_demand_count": tuple(range(101)),
                "offer": {"kind": "discount", "discount_fraction": 0.4},
            },
            tests="cost.commitment.best_quantile_fraction",
            kind="predicted",
        ),
    ),
    limits=(
        "Demand in the term is taken to be as in the sample; growth and the risk that it falls "
        "are not priced.",
        "Whole units are not enforced, and a commitment cannot be sold on.",
    ),
)
