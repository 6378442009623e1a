"""What a plan of purchases is and costs: its columns, and the equations that every program uses."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.plans.document.parts import Latest
from capmodels.plans.purchase.bundles_kernel import Bundles, corners_of
from capmodels.plans.purchase.recourse_kernel import (
    Profile,
    Recourse,
    Rung,
    hull,
    recourse_of,
    rented,
)
from capmodels.plans.purchase.scenarios_kernel import Scenarios, hours_of, profile_of
from capmodels.units import HOURS_PER_MONTH, MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from capmodels.plans.purchase.params import (
        HeldMachines,
        MachineType,
        PurchasePlanParams,
        SiteLimit,
    )

    Array = NDArray[np.float64]

# Capacities of a month that whole instances are looked at for, of those at which fewer are needed.
HULL_POINTS = 513
# Hulls that are kept, of some kB each.
_hulls: Latest[tuple[Array, Array]] = Latest(1000)
LIMITS = {"machines_count": "machines", "power_kw": "kW", "rack_units_count": "U"}


@dataclass(frozen=True, slots=True, order=True)
class Order:
    """A column of whole machines: the type by its place, when it is ordered, there and gone."""

    node: int
    machine: int
    month: int
    arrives: int
    ends: int

    @property
    def begins(self) -> int:
        """First month in which it carries demand."""
        return self.arrives


@dataclass(frozen=True, slots=True, order=True)
class Start:
    """A column of committed capacity: the commitment by its place, and its months."""

    node: int
    commitment: int
    month: int
    ends: int

    @property
    def begins(self) -> int:
        """First month in which it carries demand."""
        return self.month


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question in numbers: scenarios, and what all plans share."""

    params: PurchasePlanParams
    scenarios: Scenarios
    profile: Profile
    recourse: Recourse
    # Of several resources; None of one.
    bundles: Bundles | None
    discount: Array
    # By month and resource.
    held: Array
    owed: Array

    @property
    def months(self) -> int:
        """Months of the horizon."""
        return self.params.months_count

    def levels(self, month: int, members: Any = slice(None)) -> Array:
        """Mean demand of a month by scenario and resource."""
        each = (self.scenarios.level, *self.scenarios.others)
        return np.stack([level[members, month] for level in each], axis=1)

    def highest(self, month: int, members: Any = slice(None)) -> Array:
        """Highest demand of any hour of a month, by resource."""
        ratios = (self.profile.ratios[-1:] if self.bundles is None
                  else self.bundles.ratios.max(axis=0))  # fmt: skip
        return np.asarray(self.levels(month, members).max(axis=0) * ratios)

    @property
    def lowest_ratios(self) -> Array:
        """Demand of the quietest hour over the mean, by resource."""
        if self.bundles is None:
            return self.profile.ratios[:1]
        return np.asarray(self.bundles.ratios.min(axis=0))

    def rent(
        self, month: int, capacity: Array, members: Any = slice(None), *, with_idle: bool = True
    ) -> tuple[Array, Array]:
        """Cost of renting in a month by scenario, and its slope by resource, at prices of then.

        Of several resources, where capacity meets all demand but of the first, it is that of the
        first. Without what is idle in hours of renting, several resources' cost is convex.
        """
        ratio, bundles = self.scenarios.rent_ratio[members, month], self.bundles
        level = self.scenarios.level[members, month]
        if bundles is None:
            cost, steep = rented(self.profile, self.recourse, level, capacity[0])
            return cost * ratio, (steep * ratio)[:, None]
        met = capacity[1:] >= self.highest(month, members)[1:]
        if met.all() and not bundles.idle.any():
            cost, steep = rented(self.profile, self._first(with_idle), level, capacity[0])
            slope = np.zeros((len(level), len(capacity)))
            slope[:, 0] = steep
        else:
            levels = self.levels(month, members)
            cost, slope = bundles.rented(levels, capacity, with_idle=with_idle)
        return cost * ratio, slope * ratio[:, None]

    def _first(self, with_idle: bool = True) -> Recourse:
        """What carries demand of the first resource where no other is short."""
        bundles = self.bundles
        if bundles is None:
            return self.recourse
        usd = bundles.first_usd
        idle = bundles.idle_usd / usd if with_idle and usd > 0.0 else 0.0
        return Recourse((Rung(usd, 1.0, 0.0, idle),), None, None, None)

    def rent_hull(self, month: int, members: Any = slice(None)) -> tuple[Array, Array]:
        """Corners of the convex hull of what renting in a month is expected to cost. [USD]

        Capacities and costs. Where whole instances are rented the cost falls at once where capacity
        reaches an hour's demand, so that these are what the corners are of: of many hours and
        scenarios those at even shares of them, between which the cost is taken for straight.
        Of several resources it is that of the first, which the cost of all is never below.
        """
        level, odds = self.scenarios.level[members, month], self.scenarios.odds[members]
        weights = odds * self.scenarios.rent_ratio[members, month] / odds.sum()
        # Many questions are asked of the same demand: at other prices of machines, say.
        asked = level.tobytes(), weights.tobytes(), self.profile.ratios.tobytes(), self._first()
        found = _hulls.get(asked)
        if found is None:
            points = np.unique(np.append(0.0, level[:, None] * self.profile.ratios))
            if len(points) > HULL_POINTS:
                place = np.linspace(0, len(points) - 1, HULL_POINTS).round().astype(np.int64)
                points = points[place]
            cost = rented(self.profile, self._first(), level[:, None], points)[0]
            found = hull(points, weights @ cost)
            _hulls.put(asked, found)
        return found


@dataclass(frozen=True, slots=True)
class Plan:
    """What is bought and committed, its expected cost, and what no plan can be below. [USD]"""

    cost_usd: float
    bound_usd: float
    orders: dict[Order, int]
    starts: dict[Start, float]
    capacity: tuple[Array, ...]
    duals: dict[tuple[str, int], float] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """Share of the cost by which a better plan might be cheaper."""
        return max(0.0, self.cost_usd - self.bound_usd) / max(abs(self.cost_usd), 1e-9)


def case_of(params: PurchasePlanParams, scenarios: Scenarios) -> Case:
    """Put a question and its scenarios into arrays."""
    months = np.arange(params.months_count + 1)
    held = np.zeros((params.months_count, len(params.units)))
    owed = np.zeros(params.months_count)
    for machine in params.held_machines:
        there = months[:-1] < machine.until_month
        held += there[:, None] * machine.count * usable(params, machine)
        owed += there * machine.count * machine.upkeep_usd_per_month
    for commitment in params.held_commitments:
        there = months[:-1] < commitment.until_month
        has = _vector(1.0, commitment.others_count, len(params.units))
        held += there[:, None] * commitment.committed_count * has
        owed += there * commitment.committed_count * commitment.usd_per_unit_h * HOURS_PER_MONTH
    return Case(
        params=params,
        scenarios=scenarios,
        profile=Profile(profile_of(params)),
        recourse=recourse_of(params),
        bundles=bundles_of(params) if params.demand.others else None,
        discount=(1.0 + params.discount_fraction_per_year) ** (-months / MONTHS_PER_YEAR),
        held=held,
        owed=owed,
    )


def bundles_of(params: PurchasePlanParams) -> Bundles:
    """Put what can be rented of several resources, and leaving demand unmet, beside each other."""
    count, rent, others = len(params.units), params.on_demand, params.demand.others
    alone = np.eye(count)
    priced = [
        (alone[0], None if rent is None else rent.usd_per_unit_h),
        (alone[0], params.unmet_usd_per_unit_h),
    ]
    for place, other in enumerate(others, start=1):
        own = None if rent is None else other.usd_per_unit_h
        priced += [(alone[place], own), (alone[place], other.unmet_usd_per_unit_h)]
    for each in () if rent is None else rent.instances:
        priced.append((_vector(each.count, each.others_count, count), each.usd_per_h))
    known = [(has, usd) for has, usd in priced if usd is not None]
    hours = [hours_of(params.demand), *(hours_of(each) for each in others)]
    longest = max(len(each) for each in hours)
    unmet, owns = params.unmet_usd_per_unit_h, bool(params.machines or params.held_machines)
    rents = rent is not None and (unmet is None or rent.usd_per_unit_h < unmet)
    idle = rent.idle_count if rent is not None and rents else 0.0
    return Bundles(
        corners_of(np.array([has for has, _ in known]), np.array([usd for _, usd in known])),
        np.stack([np.tile(each, longest // len(each)) for each in hours], axis=1),
        idle * rent.usd_per_unit_h if rent is not None and owns else 0.0,
        # Where all is rented, what is idle can be committed to like the rest.
        alone[0] * (0.0 if owns else idle),
    )


def _vector(first: float, others: Sequence[float], count: int) -> Array:
    return np.array([first, *others, *[0.0] * (count - 1 - len(others))], dtype=np.float64)


def beside_by_month(case: Case, first: int | None) -> Array:
    """What is paid beside a plan whose first own machine arrives in a month. [USD by month]

    Where none ever comes, ``first`` is None.
    """
    beside, months = case.params.beside, case.months
    if beside is None:
        return np.zeros(months)
    rented, owned = (
        np.asarray(each[:months], dtype=np.float64)
        for each in (beside.rented_usd, beside.owned_usd)
    )
    if first is None:
        return rented
    for one in beside.openings:
        if one.month == first:
            return np.append(rented[:first], one.usd[: months - first])
    paid = np.append(rented[:first], owned[first:])
    paid[first] += beside.opening_usd
    return paid


def beside_usd(case: Case, first: int | None) -> float:
    """Present value of what is paid beside a plan. [USD]"""
    return float(beside_by_month(case, first) @ case.discount[:-1])


def opened(orders: Iterable[Order]) -> int | None:
    """Month in which the first of some orders arrives."""
    return min((order.arrives for order in orders), default=None)


def placed(case: Case) -> tuple[dict[Order, int], dict[Start, float]]:
    """What was ordered and committed to in the months that have passed."""
    params, orders, starts = case.params, dict[Order, int](), dict[Start, float]()
    names = [machine.name for machine in params.machines]
    for each in params.placed_orders:
        place = names.index(each.machine)
        machine = params.machines[place]
        arrives = each.month + machine.lead_months
        ends = min(arrives + machine.life_months, case.months)
        order = Order(0, place, each.month, arrives, ends)
        orders[order] = orders.get(order, 0) + each.ordered_count
    terms = [term.name for term in params.commitments]
    for one in params.placed_commitments:
        place = terms.index(one.commitment)
        start = Start(0, place, one.month, one.month + params.commitments[place].term_months)
        starts[start] = starts.get(start, 0.0) + one.committed_count
    return orders, starts


def of_some(case: Case, members: NDArray[np.int64]) -> Case:
    """The same question, of some of its scenarios."""
    kept = case.scenarios
    odds = kept.odds[members]
    part = Scenarios(
        odds / odds.sum(),
        kept.level[members],
        kept.rent_ratio[members],
        tuple(each[members] for each in kept.machine_ratio),
        {name: each[members] for name, each in kept.known.items()},
        tuple(each[members] for each in kept.others),
    )
    return replace(case, scenarios=part)


def of_the_mean(case: Case) -> Case:
    """The same question with one scenario: the mean demand and prices of each month."""
    kept = case.scenarios

    def mean(values: Array) -> Array:
        return np.asarray(kept.odds @ values)[None, :]

    part = Scenarios(
        np.ones(1),
        mean(kept.level),
        mean(kept.rent_ratio),
        tuple(mean(each) for each in kept.machine_ratio),
        {},
        tuple(mean(each) for each in kept.others),
    )
    return replace(case, scenarios=part)


def machine_usd(case: Case, order: Order) -> Array:
    """Present value of one machine, with its upkeep and what is left of it, by scenario. [USD]

    Paid on arrival. Work that stops: it brings a share of the straight-line rest of its price.
    Work that continues: its price is charged as an annuity over its life, for the months used
    (equivalent annual cost, Brealey and Myers, chapter 6).
    """
    machine, disc = case.params.machines[order.machine], case.discount
    price = machine.price_usd * case.scenarios.machine_ratio[order.machine][:, order.arrives]
    upkeep = machine.upkeep_usd_per_month * disc[order.arrives : order.ends].sum()
    used = (order.ends - order.arrives) / machine.life_months
    if case.params.end == "stops":
        left = machine.resale_fraction * (1.0 - used) * disc[case.months]
        return np.asarray(price * (disc[order.arrives] - left) + upkeep)
    monthly = disc[1]
    share = used
    if monthly != 1.0:
        share = (1 - monthly ** (order.ends - order.arrives)) / (1 - monthly**machine.life_months)
    return np.asarray(price * disc[order.arrives] * share + upkeep)


def started_usd(case: Case, start: Start) -> Array:
    """Present value of a committed unit over its term, by scenario. [USD]"""
    term, monthly = case.params.commitments[start.commitment], monthly_usd(case, start)
    if term.payment == "upfront":
        return np.asarray(monthly * term.term_months * case.discount[start.month])
    return np.asarray(monthly * case.discount[start.month : start.ends].sum())


def monthly_usd(case: Case, start: Start) -> Array:
    """Price of a committed unit for a month, by scenario. [USD/month]"""
    rent, term = case.params.on_demand, case.params.commitments[start.commitment]
    price = 0.0 if rent is None else rent.usd_per_unit_h
    for other in case.params.demand.others:
        if other.unit == term.unit:
            price = other.usd_per_unit_h or 0.0
    off = HOURS_PER_MONTH * (1.0 - term.discount_fraction)
    return np.asarray(price * off * case.scenarios.rent_ratio[:, start.month])


def dearest_usd(case: Case, order: Order, members: Any = slice(None)) -> float:
    """Price of a machine in the scenario in which it is dearest: a budget holds in all. [USD]"""
    most = case.scenarios.machine_ratio[order.machine][members, order.arrives].max()
    return float(case.params.machines[order.machine].price_usd * most)


def usable(params: PurchasePlanParams, machine: MachineType | HeldMachines) -> Array:
    """Units of each resource that one machine carries."""
    own = machine.capacity_count * machine.usable_fraction
    return _vector(own, machine.others_count, len(params.units))


def committed_of(params: PurchasePlanParams, commitment: int) -> Array:
    """Units of each resource that one of a commitment carries."""
    term = params.commitments[commitment]
    if term.others_count:
        return _vector(1.0, term.others_count, len(params.units))
    unit = term.unit or params.demand.unit
    return np.array([float(each == unit) for each in params.units])


def limit_of(limits: Sequence[SiteLimit], month: int) -> SiteLimit | None:
    """The site's limit in a month."""
    begun = [limit for limit in limits if limit.from_month <= month]
    return max(begun, key=lambda limit: limit.from_month) if begun else None


def taken(machine: Any, limit: str) -> float:
    """What one machine takes of a limit of the site."""
    return 1.0 if limit == "machines_count" else float(getattr(machine, limit) or 0.0)


def held_of(params: PurchasePlanParams, limit: str, month: int) -> float:
    """What machines that are there take of a limit."""
    there = (each for each in params.held_machines if month < each.until_month)
    return math.fsum(each.count * taken(each, limit) for each in there)


def capacity_of(case: Case, plan: Plan, path: Sequence[int] = (0,)) -> Array:
    """Capacity of each month and resource that is there, owned or committed."""
    there = case.held.copy()
    for order, count in plan.orders.items():
        if order.node in path:
            machine = case.params.machines[order.machine]
            there[order.arrives : order.ends] += count * usable(case.params, machine)
    for start, amount in plan.starts.items():
        if start.node in path:
            carries = committed_of(case.params, start.commitment)
            there[start.month : start.ends] += amount * carries
    return there


def costs_by_scenario(case: Case, plan: Plan) -> Array:
    """Present value of a plan that is decided now, in each scenario. [USD]"""
    paid = math.fsum(case.owed * case.discount[:-1]) + beside_usd(case, opened(plan.orders))
    total = np.full(len(case.scenarios.odds), paid)
    for order, count in plan.orders.items():
        total += count * machine_usd(case, order)
    for start, amount in plan.starts.items():
        total += amount * started_usd(case, start)
    for month in range(case.months):
        total += case.rent(month, plan.capacity[0][month])[0] * case.discount[month]
    return total
