"""When growing demand exhausts what there is, and when to order more."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from capmodels.spec import (
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
from capmodels.units import MONTHS_PER_YEAR, Count, Fraction, GrowthFractionPerYear, Real, of_unit

Amount = Annotated[Real, of_unit("count", ge=0)]
PositiveAmount = Annotated[Real, of_unit("count", gt=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]
HorizonYears = Annotated[Real, of_unit("yr", gt=0, le=50)]
LeadMonths = Annotated[Real, of_unit("months", ge=0, le=120)]

_ORDERS_LIMIT = 1000


def demand_after(*, demand: float, growth_fraction_per_year: float, years: float) -> float:
    """Demand after some years of compound growth: D (1 + g)^t. [unit of demand]"""
    return demand * math.exp(math.log1p(growth_fraction_per_year) * years)


def exhaustion_years(
    *, demand: float, usable: float, growth_fraction_per_year: float
) -> float | None:
    """Time until demand reaches what is usable; None when it never does. [yr]

    >>> round(exhaustion_years(demand=50.0, usable=100.0, growth_fraction_per_year=0.5), 2)
    1.71
    """
    if demand >= usable:
        return 0.0
    if demand == 0 or growth_fraction_per_year <= 0:
        return None
    years = math.log(usable / demand) / math.log1p(growth_fraction_per_year)
    return years if math.isfinite(years) else None


def doubling_years(growth_fraction_per_year: float) -> float | None:
    """Time in which demand doubles; None when it does not grow. [yr]

    >>> round(doubling_years(0.5), 2)
    1.71
    """
    if growth_fraction_per_year <= 0:
        return None
    years = math.log(2) / math.log1p(growth_fraction_per_year)
    return years if math.isfinite(years) else None


class GrowthParams(Params):
    """Demand, capacity in the same unit, growth, and what ordering more takes."""

    demand_count: Amount = assumed(384 * 0.25, "Demand now, in the unit of the capacity.")
    capacity_count: PositiveAmount = default(
        384.0,
        "Capacity now.",
        source="Zaranek et al. 2008, section 2.1: 48 nodes of 8 cores",
        as_of="2008",
    )
    growth_fraction_per_year: GrowthFractionPerYear = assumed(
        0.20, "Yearly growth of demand.", low=0.0, high=0.5
    )
    headroom_fraction: Annotated[Fraction, Field(gt=0)] = assumed(
        0.70,
        "Share of the capacity that may be used; queues lengthen above it.",
        low=0.7,
        high=0.8,
    )
    lead_months: LeadMonths = assumed(3.0, "Time from order to use.", low=1.0, high=9.0)
    block_count: PositiveAmount = default(
        384.0,
        "Capacity that one order adds.",
        source="Zaranek et al. 2008: clusters of 48 nodes",
        as_of="2008",
    )
    horizon_years: HorizonYears = assumed(5.0, "How far to look ahead.")


class Order(Result):
    """One order: when to place it at the latest, and what it brings."""

    order_years: Years
    needed_years: Years
    late: bool
    capacity_count: PositiveAmount


class DemandPoint(Result):
    """Demand and capacity at the end of a year, with every order delivered when needed."""

    time_years: Years
    demand_count: Amount
    capacity_count: PositiveAmount


class GrowthResult(Result):
    """When capacity is exhausted, and the orders that prevent it."""

    usable_count: PositiveAmount
    used_fraction: Annotated[Real, of_unit("fraction", ge=0)]
    exhausted_years: Years | None
    reason: Literal["never", "exhausted_now"] | None
    order_years: Years | None
    doubling_years: Years | None
    orders: tuple[Order, ...]
    orders_count: Count
    years: tuple[DemandPoint, ...]
    warnings: tuple[str, ...]


def _exhausted(params: GrowthParams, capacity: float) -> float | None:
    return exhaustion_years(
        demand=params.demand_count,
        usable=capacity * params.headroom_fraction,
        growth_fraction_per_year=params.growth_fraction_per_year,
    )


def _orders(params: GrowthParams) -> list[Order]:
    orders: list[Order] = []
    capacity, lead = params.capacity_count, params.lead_months / MONTHS_PER_YEAR
    while len(orders) < _ORDERS_LIMIT:
        needed = _exhausted(params, capacity)
        if needed is None or needed > params.horizon_years:
            break
        capacity += params.block_count
        orders.append(
            Order(
                order_years=max(0.0, needed - lead),
                needed_years=needed,
                late=needed < lead,
                capacity_count=capacity,
            )
        )
    return orders


def _years(params: GrowthParams, orders: list[Order]) -> tuple[DemandPoint, ...]:
    points = []
    for year in range(math.floor(params.horizon_years) + 1):
        delivered = [order.capacity_count for order in orders if order.needed_years <= year]
        points.append(
            DemandPoint(
                time_years=float(year),
                demand_count=demand_after(
                    demand=params.demand_count,
                    growth_fraction_per_year=params.growth_fraction_per_year,
                    years=year,
                ),
                capacity_count=max([params.capacity_count, *delivered]),
            )
        )
    return tuple(points)


def _reason(exhausted: float | None) -> Literal["never", "exhausted_now"] | None:
    if exhausted is None:
        return "never"
    return "exhausted_now" if exhausted == 0 else None


def _run(params: GrowthParams, _context: Context) -> GrowthResult:
    exhausted = _exhausted(params, params.capacity_count)
    orders = _orders(params)
    lead = params.lead_months / MONTHS_PER_YEAR
    usable = params.capacity_count * params.headroom_fraction
    warnings = []
    if any(order.late for order in orders):
        warnings.append("An order placed today would come too late.")
    if len(orders) == _ORDERS_LIMIT:
        warnings.append(f"Only the first {_ORDERS_LIMIT} orders are shown.")
    return GrowthResult(
        usable_count=usable,
        used_fraction=params.demand_count / usable,
        exhausted_years=exhausted,
        reason=_reason(exhausted),
        order_years=None if exhausted is None else max(0.0, exhausted - lead),
        doubling_years=doubling_years(params.growth_fraction_per_year),
        orders=tuple(orders),
        orders_count=len(orders),
        years=_years(params, orders),
        warnings=tuple(warnings),
    )


SPEC = ModelSpec(
    id="cost.growth",
    version="1.0.0",
    title="Growth and time to exhaustion",
    summary="When compound growth exhausts the usable capacity, when to order the next block, "
    "and in which time demand doubles.",
    params=GrowthParams,
    result=GrowthResult,
    run=_run,
    points=lambda params: 1 + math.floor(params.horizon_years),
    citations=(
        Citation(text="Compound growth; the blocks are the clusters of Zaranek et al. 2008"),
    ),
    formulas=(
        Formula(
            "growth",
            "D(t) = D (1 + g)^t",
            "compound growth",
            {"D": "demand_count", "g": "growth_fraction_per_year", "t": "years"},
        ),
        Formula(
            "exhaustion",
            "t = ln(capacity * headroom / D) / ln(1 + g)",
            "derived",
            {"headroom": "headroom_fraction"},
        ),
        Formula(
            "order",
            "order at t - lead time",
            "derived: order when D(t + lead) / headroom exceeds the capacity",
            {"lead time": "lead_months / 12"},
        ),
    ),
    checks=(
        derived_check(
            "S63",
            "Doubling time at 50% a year",
            1.71,
            lambda: doubling_years(0.5) or 0.0,
            source="compound growth",
            tolerance=0.005,
            unit="yr",
            tests="cost.growth.doubling_years",
        ),
    ),
    limits=(
        "Growth is smooth: no season, no steps.",
        "Orders arrive exactly when needed unless the lead time forbids it.",
    ),
)
