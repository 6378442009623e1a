"""What moves a plan: its cost with one input other than entered, and the plan made for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.plans.purchase.params import (
    CasesChange,
    CasesNow,
    FixedChange,
    GrownLevel,
    LogNormalChange,
    LogNormalNow,
    RangeChange,
    RangeNow,
)

if TYPE_CHECKING:
    from capmodels.plans.purchase.params import NowSpread, PurchasePlanParams, YearlyChange

GROWTH, NOW = "/demand/level/growth", "/demand/level/now_count"
_PRICE, _UPKEEP = "/machines/0/price_usd", "/machines/0/upkeep_usd_per_month"
_RENT, _DISCOUNT = "/on_demand/usd_per_unit_h", "/discount_fraction_per_year"
# How far an input without a range of its own is moved, as a share of it.
_FAR = 0.25


@dataclass(frozen=True, slots=True)
class Movable:
    """An input with the ends that it is moved to: those of its range, or a quarter either way."""

    pointer: str
    label: str
    unit: str
    value: float
    low: float
    high: float


def movable(params: PurchasePlanParams) -> tuple[Movable, ...]:
    """Inputs that may move a plan, in the order of its form."""
    found, level = [], params.demand.level
    if isinstance(level, GrownLevel):
        now, growth = _now_ends(level.now_spread), _growth_ends(level.growth)
        if not params.today:
            found.append(_of(NOW, "Demand of now", "count", level.now_count, now))
        value, ends = growth
        found.append(Movable(GROWTH, "Growth of demand", "fraction/year", value, *ends))
    for machine in params.machines[:1]:
        found.append(_of(_PRICE, f"Price of a {machine.name}", "USD", machine.price_usd))
        upkeep = machine.upkeep_usd_per_month
        found.append(_of(_UPKEEP, f"Upkeep of a {machine.name}", "USD/month", upkeep))
    if params.on_demand is not None:
        rent = params.on_demand.usd_per_unit_h
        found.append(_of(_RENT, "On-demand price of a unit", "USD/h", rent))
    rate = params.discount_fraction_per_year
    found.append(_of(_DISCOUNT, "Discount rate", "fraction/year", rate))
    return tuple(each for each in found if each.low < each.high)


def _of(
    pointer: str, label: str, unit: str, value: float, ends: tuple[float, float] | None = None
) -> Movable:
    low, high = ends or (value * (1.0 - _FAR), value * (1.0 + _FAR))
    return Movable(pointer, label, unit, value, min(low, high), max(low, high))


def _now_ends(spread: NowSpread | None) -> tuple[float, float] | None:
    if isinstance(spread, RangeNow):
        return spread.low_count, spread.high_count
    if isinstance(spread, LogNormalNow):
        return spread.p10_count, spread.p90_count
    if isinstance(spread, CasesNow):
        values = [case.value_count for case in spread.cases]
        return min(values), max(values)
    return None


def _growth_ends(growth: YearlyChange) -> tuple[float, tuple[float, float]]:
    """What growth is most likely, and its ends: ten points either way where it is certain."""
    if isinstance(growth, RangeChange):
        ends = growth.low_fraction_per_year, growth.high_fraction_per_year
        return growth.likely_fraction_per_year, ends
    if isinstance(growth, LogNormalChange):
        low, high = growth.p10_fraction_per_year, growth.p90_fraction_per_year
        return ((1.0 + low) * (1.0 + high)) ** 0.5 - 1.0, (low, high)
    if isinstance(growth, CasesChange):
        values = [case.value_fraction_per_year for case in growth.cases]
        likely = max(growth.cases, key=lambda case: case.probability_fraction)
        return likely.value_fraction_per_year, (min(values), max(values))
    value = growth.value_fraction_per_year
    return value, (value - 0.1, value + 0.1)


def moved(params: PurchasePlanParams, pointer: str, value: float) -> PurchasePlanParams:
    """The question with an input at a value, and known where it was not."""
    level = params.demand.level
    if pointer in {GROWTH, NOW} and isinstance(level, GrownLevel):
        change = (
            {"growth": FixedChange(value_fraction_per_year=value)}
            if pointer == GROWTH
            else {"now_count": value, "now_spread": None}
        )
        demand = params.demand.model_copy(update={"level": level.model_copy(update=change)})
        return params.model_copy(update={"demand": demand})
    if pointer in {_PRICE, _UPKEEP}:
        first = params.machines[0].model_copy(update={pointer.rsplit("/", 1)[1]: value})
        return params.model_copy(update={"machines": (first, *params.machines[1:])})
    if pointer == _RENT and params.on_demand is not None:
        rent = params.on_demand.model_copy(update={"usd_per_unit_h": value})
        return params.model_copy(update={"on_demand": rent})
    return params.model_copy(update={"discount_fraction_per_year": value})
