"""The scenarios of a plan: what is unknown counted out or drawn, and demand and prices of each."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from capmodels.explore.sampling_kernel import triangular, uniforms
from capmodels.plans.purchase.params import (
    DAY_CLASSES,
    NOW,
    CasesChange,
    CasesNow,
    EnteredLevel,
    FixedChange,
    GrownLevel,
    LogNormalChange,
    LogNormalNow,
    RangeChange,
)
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from capmodels.plans.purchase.params import (
        Demand,
        DemandStep,
        OtherDemand,
        PurchasePlanParams,
        YearlyChange,
    )

    Array = NDArray[np.float64]

# What is unknown is counted out while its cases together are no more than this.
COUNTED_MOST = 729
_Z90 = 1.2815515655446004  # 90th percentile of the standard normal


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is not known: its cases with their odds, or how it is drawn from uniforms."""

    name: str
    values: Array
    odds: Array
    draw: Callable[[Array], Array] | None = None
    # Correlation of its normal score with that of the first unknown.
    follows: float = 0.0


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Demand and prices of each scenario.

    ``level`` is the mean demand, shape (scenarios, months), ``others`` that of each other resource;
    ``rent_ratio`` rented prices over
    those of now, of the same shape; ``machine_ratio`` the same of each machine type; ``known``
    what each unknown that is not fixed is in each scenario, by name.
    """

    odds: Array
    level: Array
    rent_ratio: Array
    machine_ratio: tuple[Array, ...]
    known: dict[str, Array]
    others: tuple[Array, ...] = ()


def hours_of(demand: Demand | OtherDemand) -> Array:
    """Demand of the hours as ratios of the month's mean, one after the other."""
    if demand.profile_ratio:
        ratios = np.asarray(demand.profile_ratio, dtype=np.float64)
        return ratios / ratios.mean() if ratios.mean() > 0 else ratios
    turn = 2.0 * np.pi * (np.arange(DAY_CLASSES) + 0.5) / DAY_CLASSES
    return 1.0 + demand.swing_fraction * np.sin(turn)


def profile_of(params: PurchasePlanParams) -> Array:
    """Demand of the hours as ratios of the month's mean, ascending."""
    return np.sort(hours_of(params.demand))


def _change(name: str, change: YearlyChange) -> Unknown:
    if isinstance(change, FixedChange):
        return Unknown(name, np.array([change.value_fraction_per_year]), np.ones(1))
    if isinstance(change, CasesChange):
        return Unknown(
            name,
            np.array([case.value_fraction_per_year for case in change.cases]),
            np.array([case.probability_fraction for case in change.cases]),
        )
    return Unknown(name, np.empty(0), np.empty(0), lambda at: _drawn(change, at))


def _drawn(change: RangeChange | LogNormalChange, at: Array) -> Array:
    if isinstance(change, LogNormalChange):
        ends = 1.0 + change.p10_fraction_per_year, 1.0 + change.p90_fraction_per_year
        return _log_normal(ends, at) - 1.0
    ends3 = (
        change.low_fraction_per_year,
        change.likely_fraction_per_year,
        change.high_fraction_per_year,
    )
    return _between(ends3, change.shape, at)


def _log_normal(ends: tuple[float, float], at: Array) -> Array:
    """Values at quantiles of a log-normal distribution, by its 10th and 90th percentile."""
    from scipy.special import ndtri

    low, high = np.log(ends)
    return np.asarray(np.exp((low + high) / 2.0 + (high - low) / (2.0 * _Z90) * ndtri(at)))


def _between(ends: tuple[float, float, float], shape: str, at: Array) -> Array:
    """Values at quantiles of a triangle or a PERT distribution over low, likely and high."""
    low, likely, high = ends
    if shape == "triangular" or high <= low:
        return triangular(ends, at)
    from scipy.special import betaincinv

    # Malcolm et al. 1959: a beta distribution whose mean is (low + 4 likely + high) / 6.
    rise = 4.0 * (likely - low) / (high - low)
    return np.asarray(low + (high - low) * betaincinv(1.0 + rise, 5.0 - rise, at))


def _now(level: GrownLevel) -> Unknown:
    """Mean demand in the first month."""
    spread, likely = level.now_spread, level.now_count
    if spread is None:
        return Unknown(NOW, np.array([likely]), np.ones(1))
    if isinstance(spread, CasesNow):
        return Unknown(
            NOW,
            np.array([case.value_count for case in spread.cases]),
            np.array([case.probability_fraction for case in spread.cases]),
        )
    if isinstance(spread, LogNormalNow):
        ends = spread.p10_count, spread.p90_count
        return Unknown(NOW, np.empty(0), np.empty(0), lambda at: _log_normal(ends, at))
    three, shape = (spread.low_count, likely, spread.high_count), spread.shape
    return Unknown(NOW, np.empty(0), np.empty(0), lambda at: _between(three, shape, at))


def _step(step: DemandStep, today: int) -> Unknown:
    """Month in which a step begins; never: infinity. In months that have passed it did not."""
    months = np.arange(step.from_month, (step.latest_month or step.from_month) + 1.0)
    odds = np.full(len(months), step.probability_fraction / len(months))
    months, odds = np.append(months, np.inf), np.append(odds, 1.0 - step.probability_fraction)
    left = (months >= today) & (odds > 0.0)
    if not left.any():
        return Unknown(step.name, np.array([np.inf]), np.ones(1))
    return Unknown(step.name, months[left], odds[left] / odds[left].sum())


def _unknowns(params: PurchasePlanParams) -> list[Unknown]:
    level, found = params.demand.level, []
    if isinstance(level, EnteredLevel):
        odds = np.array([path.probability_fraction for path in level.paths])
        found.append(Unknown("Course of demand", np.arange(float(len(level.paths))), odds))
    else:
        found.append(_change("Growth of demand", level.growth))
    found += [_step(step, params.today) for step in params.demand.steps]
    rented = FixedChange() if params.on_demand is None else params.on_demand.price_change
    found.append(_change("Change of rented prices", rented))
    found += [_change(f"Change of the price of {each.name}", each.price_change)
              for each in params.machines]  # fmt: skip
    for other in params.demand.others:
        unknown = _change(f"Growth of {other.unit}", other.growth)
        found.append(replace(unknown, follows=other.follows_fraction))
    # Last, so that the draws of the others are the same with and without it; once demand was
    # seen, it is known.
    if isinstance(level, GrownLevel) and not params.today:
        found.append(_now(level))
    return found


def _sampled(unknowns: Sequence[Unknown], count: int, seed: int) -> tuple[Array, list[Array]]:
    """Odds of the scenarios, and the value of each unknown there.

    Counted out where each has few cases: exact. Else drawn, each unknown from equal parts of
    its distribution in an order of its own (McKay et al. 1979, doi:10.2307/1268522).
    """
    cases = math.prod(len(each.values) for each in unknowns)
    apart = all(each.draw is None and (each.follows == 0.0 or len(each.values) == 1)
                for each in unknowns)  # fmt: skip
    if apart and cases <= max(COUNTED_MOST, count, len(unknowns[0].values)):
        values = list(itertools.product(*(each.values.tolist() for each in unknowns)))
        odds = [math.prod(one) for one in itertools.product(*(e.odds.tolist() for e in unknowns))]
        return np.array(odds), list(np.array(values).reshape(len(values), -1).T)
    from scipy.special import ndtri

    drawn, lead = [], np.empty(0)
    for place, each in enumerate(unknowns):
        ranks = np.argsort(uniforms(f"{place} {each.name} order", count, seed))
        within = uniforms(f"{place} {each.name}", count, seed)
        at = (ranks + within) / count
        if place == 0:
            lead = at
        elif each.follows:
            # A Gaussian copula, put back into equal parts.
            score = each.follows * ndtri(lead) + math.sqrt(1.0 - each.follows**2) * ndtri(at)
            at = (np.argsort(np.argsort(score)) + within) / count
        if each.draw is not None:
            drawn.append(each.draw(at))
        else:
            last = len(each.values) - 1
            drawn.append(each.values[np.minimum(np.searchsorted(each.odds.cumsum(), at), last)])
    return np.full(count, 1.0 / count), drawn


def _grown(now: Array, growth: Array, ceiling: float | None, years: Array) -> Array:
    """Mean demand that grows by a share a year, or along a logistic curve to a ceiling.

    m(t) = C / (1 + (C / m0 - 1) exp(-k t)), whose growth at the start is that entered:
    k (1 - m0 / C) = ln(1 + g). P.-F. Verhulst 1838.
    """
    rate, now = np.log1p(growth)[:, None], now[:, None]
    if ceiling is None:
        return now * np.exp(rate * years)
    steep = rate / (1.0 - now / ceiling)
    return ceiling / (1.0 + (ceiling / now - 1.0) * np.exp(-steep * years))


def _season(params: PurchasePlanParams) -> Array:
    """Demand of each month over that of its year."""
    months, ratios = np.arange(params.months_count), np.array(params.demand.season_ratio or (1.0,))
    return np.asarray(ratios[months % len(ratios)] / (ratios.mean() or 1.0))


def scenarios_of(params: PurchasePlanParams, seed: int) -> Scenarios:
    """Count out or draw the scenarios of a plan.

    Parameters
    ----------
    params : PurchasePlanParams
        The question.
    seed : int
        Of the draws, where what is unknown cannot be counted out.

    Returns
    -------
    Scenarios
        Odds that add up to 1, demand and prices by scenario and month.
    """
    unknowns = _unknowns(params)
    odds, drawn = _sampled(unknowns, params.scenarios_count, seed)
    months = np.arange(params.months_count)
    years = months / MONTHS_PER_YEAR
    values, demand = iter(drawn), params.demand
    first = next(values)
    if isinstance(demand.level, EnteredLevel):
        paths = [path.mean_count[: params.months_count] for path in demand.level.paths]
        level = np.array(paths, dtype=np.float64)[first.astype(np.int64)]
    else:
        now, since = drawn[-1], 0
        if params.today:
            # What was seen last, without its season, grows on.
            since = params.today - 1
            now = np.full(len(first), params.actual_mean_count[-1] / _season(params)[since])
        level = _grown(now, first, demand.level.ceiling_count, (months - since) / MONTHS_PER_YEAR)
    for step in demand.steps:
        level = level + np.where(months >= next(values)[:, None], step.added_count, 0.0)
    level = level * _season(params)
    level[:, : params.today] = params.actual_mean_count
    count = 1 + len(params.machines)
    ratio = [(1.0 + each[:, None]) ** years for each in itertools.islice(values, count)]
    others = []
    for other in demand.others:
        seen, since = other.actual_mean_count, max(0, params.today - 1)
        start = np.full(len(odds), seen[-1] / _season(params)[since] if seen else other.now_count)
        months_on = (months - since) / MONTHS_PER_YEAR
        grown = _grown(start, next(values), None, months_on) * _season(params)
        grown[:, : len(seen)] = seen
        others.append(grown)
    known = {
        each.name: value
        for each, value in zip(unknowns, drawn, strict=True)
        if value.min() < value.max()
    }
    return Scenarios(odds, np.maximum(level, 0.0), ratio[0], tuple(ratio[1:]), known, tuple(others))
