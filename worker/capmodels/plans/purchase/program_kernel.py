"""The plan as a mixed-integer program: orders whole, commitments not, renting by cuts.

Cuts: Kelley 1960, doi:10.1137/0108053, of one dimension a month: the L-shaped method of Van Slyke
and Wets 1969, doi:10.1137/0117061, with the hourly problem solved in closed form. Solved by HiGHS
(Q. Huangfu and J. A. J. Hall 2018, doi:10.1007/s12532-017-0130-5).
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
import time
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from capmodels.plans.purchase.equations_kernel import (
    LIMITS,
    Case,
    Order,
    Plan,
    Start,
    beside_usd,
    capacity_of,
    committed_of,
    dearest_usd,
    held_of,
    limit_of,
    machine_usd,
    opened,
    placed,
    started_usd,
    taken,
    usable,
)
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

# Its constructor carries no types.
_new_solver: Callable[[], Any] = highspy.Highs


def _run(solver: Any) -> None:
    """Run a solver with what its library prints going to stderr: stdout is the shell's answer."""
    libc = ctypes.CDLL(None)
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        solver.run()
    finally:
        # What C has printed so far is in a buffer of its own.
        libc.fflush(None)
        os.dup2(kept, 1)
        os.close(kept)


_FIRST_CUTS = 8
_ROUNDS_MOST = 60
_SEEN_MONTHS = 3
# Programs of so few whole machines, and nothing to open, are solved faster than presolved ones.
_SMALL = 40


@dataclass(frozen=True, slots=True)
class Node:
    """Months in which some scenarios cannot be told apart, and what came before."""

    first: int
    end: int
    members: NDArray[np.int64]
    parent: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a search may do besides: when it may begin, what it may not rent, what it must avoid."""

    first_month: int = 0
    own_all: bool = False
    fixed: Plan | None = None
    other_than: Plan | None = None


def one_stage(case: Case) -> list[Node]:
    """Everything is decided now."""
    return [Node(0, case.months, np.arange(len(case.scenarios.odds)), None)]


def told_apart(
    case: Case, members: NDArray[np.int64], seen: Array, groups: int
) -> list[NDArray[np.int64]]:
    """Put scenarios into groups of like odds by what was seen of them; what is equal together."""
    values, place = np.unique(np.round(seen[members], 9), return_inverse=True)
    odds = np.bincount(place, weights=case.scenarios.odds[members])
    if len(values) > groups:
        middle = (odds.cumsum() - odds / 2.0) / odds.sum()
        place = np.minimum((middle * groups).astype(np.int64), groups - 1)[place]
    return [members[place == group] for group in np.unique(place)]


def reviewed(case: Case) -> list[Node]:
    """Decided again at each review, by what can be told apart then."""
    nodes, level = one_stage(case), case.scenarios.level
    for review in case.params.reviews:
        if review.month >= case.months:
            break
        # What came until now is known; nothing was decided again in the past.
        if review.month <= case.params.today and case.params.today:
            continue
        open_ = [at for at, node in enumerate(nodes) if node.end == case.months]
        for at in open_:
            node = nodes[at]
            if review.reveals == "everything":
                parts = [node.members[place : place + 1] for place in range(len(node.members))]
            else:
                seen = level[:, max(0, review.month - _SEEN_MONTHS) : review.month]
                mean = seen.mean(axis=1) if review.month else np.zeros(len(level))
                parts = told_apart(case, node.members, mean, review.groups_count)
            if len(parts) > 1:
                nodes[at] = replace(node, end=review.month)
                nodes += [Node(review.month, case.months, part, at) for part in parts]
    return nodes


class Program:
    """One mixed-integer program: its columns, rows and the cuts that are known so far."""

    def __init__(self, case: Case, nodes: Sequence[Node], rules: Rules | None = None) -> None:
        """Set up the columns and rows, and first cuts of each month."""
        self.case, self.nodes, self.rules = case, list(nodes), rules or Rules()
        self.resources = len(case.params.units)
        self.orders, self.starts = self._columns()
        self.of_node: list[list[int]] = [[] for _ in self.nodes]
        nodes_of = [*(each.node for each in self.orders), *(each.node for each in self.starts)]
        for column, node in enumerate(nodes_of):
            self.of_node[node].append(column)
        self.weights = [case.scenarios.odds[node.members].sum() for node in self.nodes]
        self.seconds = case.params.limit_s
        # A plan of a question like this one, from which the search may begin.
        self.hint: Plan | None = None
        self._build()

    def _columns(self) -> tuple[list[Order], list[Start]]:
        params = self.case.params
        first = max(self.rules.first_month, params.today)
        orders, starts = [], []
        for at, node in enumerate(self.nodes):
            for place, machine in enumerate(params.machines):
                begin = max(first, machine.from_month)
                for month in range(begin, node.end, machine.order_every_months):
                    arrives = month + machine.lead_months
                    if node.first <= month and arrives < self.case.months:
                        ends = min(arrives + machine.life_months, self.case.months)
                        orders.append(Order(at, place, month, arrives, ends))
            for place, term in enumerate(() if self.rules.own_all else params.commitments):
                last = min(node.end - 1, self.case.months - term.term_months)
                starts += [
                    Start(at, place, month, month + term.term_months)
                    for month in range(max(first, node.first), last + 1)
                ]
        self.placed_orders, self.placed_starts = placed(self.case)
        return [*self.placed_orders, *orders], [*self.placed_starts, *starts]

    def _path(self, at: int) -> list[int]:
        """A node and those before it."""
        path: list[int] = []
        here: int | None = at
        while here is not None:
            path.append(here)
            here = self.nodes[here].parent
        return path

    def expected(
        self, at: int, month: int, capacity: Array, *, with_idle: bool = True
    ) -> tuple[float, Array]:
        """Expected cost of renting in a month of a node at a capacity, and its slopes. [USD]"""
        case, members = self.case, self.nodes[at].members
        odds = case.scenarios.odds[members] / self.weights[at]
        cost, slope = case.rent(month, capacity, members, with_idle=with_idle)
        return float(odds @ cost), odds @ slope

    def _least(self, at: int, month: int, first_arrival: int) -> Array:
        """Capacity of each resource below which demand would be left unmet that must not be."""
        case, rung = self.case, self.case.recourse.must
        peak = case.highest(month, self.nodes[at].members)
        if self.rules.own_all and month >= first_arrival:
            return peak
        if rung is None or case.bundles is not None:
            return np.zeros(len(peak))
        return np.maximum(0.0, rung.scale * peak - rung.shift)

    def _build(self) -> None:
        case, params = self.case, self.case.params
        orders, starts, nodes = self.orders, self.starts, self.nodes
        peaks = np.max([case.highest(month) for month in range(case.months)], axis=0)
        lp = highspy.HighsLp()
        cost: list[float] = []
        lower: list[float] = []
        upper: list[float] = []
        kinds: list[Any] = []
        whole, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
        for order in orders:
            held = self.placed_orders.get(order)
            machine, members = params.machines[order.machine], nodes[order.node].members
            cost.append(float(case.scenarios.odds[members] @ machine_usd(case, order)[members]))
            carries = usable(params, machine)
            needed = float((peaks[carries > 0] / carries[carries > 0]).max())
            most = math.ceil(needed) + machine.minimum_order_count
            lower.append(0.0)
            upper.append(float(most))
            least = machine.minimum_order_count
            kinds.append(whole if least == 1 else highspy.HighsVarType.kSemiInteger)
            if held is not None:
                lower[-1] = upper[-1] = float(held)
                kinds[-1] = whole
            elif least > 1:
                lower[-1] = float(least)
        for start in starts:
            members = nodes[start.node].members
            cost.append(float(case.scenarios.odds[members] @ started_usd(case, start)[members]))
            amount = self.placed_starts.get(start)
            lower.append(0.0 if amount is None else amount)
            most_of = float(committed_of(params, start.commitment) @ peaks)
            upper.append(most_of if amount is None else amount)
            kinds.append(real)
        self._fix(lower, upper)
        self.months = [(at, month) for at, node in enumerate(nodes)
                       for month in range(node.first, node.end)]  # fmt: skip
        self.capacity_at = len(cost)
        arrivals = [order.arrives for order in orders if order not in self.placed_orders]
        first_arrival = min(arrivals, default=case.months)
        for at, month in self.months:
            for least_of in self._least(at, month, first_arrival):
                cost.append(0.0)
                lower.append(float(least_of))
                upper.append(highspy.kHighsInf)
                kinds.append(real)
        self.rent_at = len(cost)
        for at, month in self.months:
            cost.append(float(self.weights[at] * case.discount[month]))
            lower.append(0.0)
            upper.append(highspy.kHighsInf)
            kinds.append(real)
        rows = _Rows()
        self._opening_rows(rows, cost, lower, upper, kinds)
        self._capacity_rows(rows)
        self.limits = self._limit_rows(rows)
        self._other_rows(rows, cost, lower, upper, kinds)
        lp.num_col_, lp.num_row_ = len(cost), len(rows.lower)
        lp.offset_ = self._paid_anyway() + beside_usd(case, None)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = (np.array(x) for x in (cost, lower, upper))
        lp.row_lower_, lp.row_upper_ = np.array(rows.lower), np.array(rows.upper)
        lp.integrality_ = kinds
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.array(rows.starts, dtype=np.int32)
        lp.a_matrix_.index_ = np.array(rows.index, dtype=np.int32)
        lp.a_matrix_.value_ = np.array(rows.value)
        self.kinds, self.upper = kinds, upper
        self.solver: Any = _new_solver()
        self.solver.setOptionValue("output_flag", False)
        self.solver.setOptionValue("threads", 1)
        self.solver.setOptionValue("mip_heuristic_effort", 0.0)
        if len(orders) <= _SMALL and not self.opens:
            self.solver.setOptionValue("presolve", "off")
        self.solver.setOptionValue("mip_feasibility_tolerance", 1e-9)
        self.solver.setOptionValue("primal_feasibility_tolerance", 1e-9)
        self.solver.setOptionValue("dual_feasibility_tolerance", 1e-9)
        self.solver.passModel(lp)
        self.hulls: dict[int, tuple[Array, Array]] = {}
        if any(rung.idle > 0.0 for rung in case.recourse.rungs):
            self.hulls = {place: case.rent_hull(month, nodes[at].members)
                          for place, (at, month) in enumerate(self.months)}  # fmt: skip
        self._first_cuts()

    def _fix(self, lower: list[float], upper: list[float]) -> None:
        """Hold a plan that was made elsewhere."""
        plan = self.rules.fixed
        if plan is None:
            return
        orders = {**plan.orders, **self.placed_orders}
        starts = {**plan.starts, **self.placed_starts}
        for place, order in enumerate(self.orders):
            lower[place] = upper[place] = float(orders.get(order, 0))
        for place, start in enumerate(self.starts):
            column = len(self.orders) + place
            lower[column] = upper[column] = starts.get(start, 0.0)

    def _paid_anyway(self) -> float:
        """Present value of what is there already. [USD]"""
        return math.fsum(self.case.owed * self.case.discount[:-1])

    def _opening_rows(
        self, rows: _Rows, cost: list[float], lower: list[float], upper: list[float], kinds: Any
    ) -> None:
        """Machines arrive where something is owned, which is opened once, with one of them."""
        case, none = self.case, beside_usd(self.case, None)
        arrivals = sorted({(order.node, order.arrives) for order in self.orders})
        more = {month: beside_usd(case, month) - none for _, month in arrivals}
        self.opens: dict[tuple[int, int], int] = {}
        if not any(more.values()):
            return
        for at, month in arrivals:
            self.opens[at, month] = len(cost)
            cost.append(float(self.weights[at]) * more[month])
            lower.append(0.0)
            upper.append(1.0)
            kinds.append(highspy.HighsVarType.kInteger)
        for (at, month), column in self.opens.items():
            come = [place for place in self.of_node[at] if place < len(self.orders)
                    and self.orders[place].arrives == month]  # fmt: skip
            path = self._path(at)
            begun = [each for (node, first), each in self.opens.items()
                     if node in path and first <= month]  # fmt: skip
            most = sum(upper[place] for place in come)
            rows.add([*come, *begun], [1.0] * len(come) + [-most] * len(begun),
                     -highspy.kHighsInf, 0.0)  # fmt: skip
            rows.add([column, *come], [1.0] + [-1.0] * len(come), -highspy.kHighsInf, 0.0)
        for leaf in self._leaves():
            path = self._path(leaf)
            along = [column for (node, _), column in self.opens.items() if node in path]
            rows.add(along, [1.0] * len(along), -highspy.kHighsInf, 1.0)

    def _leaves(self) -> list[int]:
        """Nodes after which nothing is decided again."""
        parents = {node.parent for node in self.nodes}
        return [at for at in range(len(self.nodes)) if at not in parents]

    def _there(self, at: int, month: int) -> list[tuple[int, Order | Start]]:
        """Columns that are there in a month of a node, decided in it or before."""
        both = ((column, self._column(column)) for column in self._on_path(at))
        return [(column, each) for column, each in both if each.begins <= month < each.ends]

    def _on_path(self, at: int) -> list[int]:
        """Columns that are decided in a node or before it."""
        return [column for node in self._path(at) for column in self.of_node[node]]

    def _column(self, column: int) -> Order | Start:
        count = len(self.orders)
        return self.orders[column] if column < count else self.starts[column - count]

    def _capacity_rows(self, rows: _Rows) -> None:
        """Capacity of each month: that of the month before, what arrives, less what ends."""
        place_of = {each: place for place, each in enumerate(self.months)}
        for place, (at, month) in enumerate(self.months):
            held = self.case.held[month]
            parent = self.nodes[at].parent
            before = place_of.get((at, month - 1))
            if before is None and parent is not None:
                before = place_of[parent, month - 1]
            if before is not None:
                held = held - self.case.held[month - 1]
            columns = [(column, self._column(column)) for column in self._on_path(at)]
            come = [
                (column, self._carries(each) * (-1.0 if each.begins == month else 1.0))
                for column, each in columns
                if month in {each.begins, each.ends}
            ]
            for resource in range(self.resources):
                index, value = [self._capacity(place, resource)], [1.0]
                if before is not None:
                    index.append(self._capacity(before, resource))
                    value.append(-1.0)
                for column, carries in come:
                    if carries[resource]:
                        index.append(column)
                        value.append(float(carries[resource]))
                rows.add(index, value, float(held[resource]), float(held[resource]))

    def _capacity(self, place: int, resource: int = 0) -> int:
        """Column of the capacity of a resource in a month of a node, by its place."""
        return self.capacity_at + place * self.resources + resource

    def _carries(self, each: Order | Start) -> Array:
        """Units of each resource that one of a column carries."""
        params = self.case.params
        if isinstance(each, Start):
            return committed_of(params, each.commitment)
        return usable(params, params.machines[each.machine])

    def _limit_rows(self, rows: _Rows) -> dict[int, tuple[str, int]]:
        """What a site holds by the month, and what a year may cost; each row's name and month."""
        params, found = self.case.params, {}
        for at, month in self.months if params.site_limits else ():
            limit = limit_of(params.site_limits, month)
            here = [(column, params.machines[each.machine]) for column, each
                    in self._there(at, month) if isinstance(each, Order)]  # fmt: skip
            for name in LIMITS:
                most = None if limit is None else getattr(limit, name)
                if most is not None and here:
                    found[len(rows.lower)] = (name, month)
                    value = [taken(machine, name) for _, machine in here]
                    most -= held_of(params, name, month)
                    rows.add([column for column, _ in here], value, -highspy.kHighsInf, most)
        for leaf in self._leaves() if params.budget_usd else ():
            path = self._on_path(leaf)
            for year, most in enumerate(params.budget_usd):
                paid = [(column, each) for column, each in ((c, self._column(c)) for c in path)
                        if isinstance(each, Order)
                        and each.arrives // MONTHS_PER_YEAR == year]  # fmt: skip
                if paid:
                    found[len(rows.lower)] = ("budget_usd", year * MONTHS_PER_YEAR)
                    members = self.nodes[leaf].members
                    value = [dearest_usd(self.case, each, members) for _, each in paid]
                    rows.add([column for column, _ in paid], value, -highspy.kHighsInf, most)
        return found

    def _other_rows(
        self, rows: _Rows, cost: list[float], lower: list[float], upper: list[float], kinds: Any
    ) -> None:
        """At least one order differs from those of a plan."""
        plan = self.rules.other_than
        if plan is None:
            return
        away = []
        for column, order in enumerate(self.orders):
            base, more = plan.orders.get(order, 0), len(cost)
            most = upper[column]
            for _ in range(3):
                cost.append(0.0)
                lower.append(0.0)
            upper += [most, most, 1.0]
            kinds += [highspy.HighsVarType.kInteger] * 3
            rows.add([column, more, more + 1], [1.0, -1.0, 1.0], float(base), float(base))
            rows.add([more, more + 2], [1.0, -most], -highspy.kHighsInf, 0.0)
            rows.add([more + 1, more + 2], [1.0, most], -highspy.kHighsInf, most)
            away += [more, more + 1]
        rows.add(away, [1.0] * len(away), 1.0, highspy.kHighsInf)

    def _first_cuts(self) -> None:
        cuts, case = _Rows(), self.case
        for place, (at, month) in enumerate(self.months):
            members = self.nodes[at].members
            low = case.levels(month, members).min(axis=0) * case.lowest_ratios
            high = case.highest(month, members)
            for share in np.linspace(0.0, 1.0, _FIRST_CUTS):
                self._cut(cuts, place, low + share * (high - low))
        self._add(cuts)

    def _cut(self, cuts: _Rows, place: int, capacity: Array) -> float:
        """Rent is at least its tangent at a capacity; give what it, or its hull, is there.

        Of several resources it is at least the tangent of all without what is idle, and that of
        the hull of the first with it.
        """
        tangents = []
        if place in self.hulls:
            points, values = self.hulls[place]
            last = len(points) - 1
            at = min(int(np.searchsorted(points, capacity[0], side="right")), last)
            before = max(0, at - 1)
            width = points[at] - points[before]
            slope = np.array([(values[at] - values[before]) / width if width > 0 else 0.0])
            if capacity[0] > points[last]:
                slope = np.zeros(1)
            cost = float(values[at] + slope[0] * (capacity[0] - points[at]))
            tangents.append((cost, np.append(slope, np.zeros(self.resources - 1))))
        if self.case.bundles is not None or not tangents:
            tangents.append(self.expected(*self.months[place], capacity, with_idle=False))
        index = [self.rent_at + place]
        index += [self._capacity(place, resource) for resource in range(self.resources)]
        for cost, slope in tangents:
            at_zero = cost - float(slope @ capacity)
            cuts.add(index, [1.0, *(-slope).tolist()], at_zero, highspy.kHighsInf)
        return max(cost for cost, _ in tangents)

    def _add(self, cuts: _Rows) -> None:
        self.solver.addRows(
            len(cuts.lower),
            np.array(cuts.lower),
            np.array(cuts.upper),
            len(cuts.index),
            np.array(cuts.starts[:-1], dtype=np.int32),
            np.array(cuts.index, dtype=np.int32),
            np.array(cuts.value),
        )

    def _refine(self, values: Array, worth: float) -> tuple[float, int]:
        """Add cuts where rent is more than the program has it; how much more, and how many."""
        missing, cuts = 0.0, _Rows()
        for place, (at, month) in enumerate(self.months):
            here = values[self._capacity(place) : self._capacity(place + 1)]
            maybe = _Rows()
            short = self._cut(maybe, place, here) - values[self.rent_at + place]
            weighed = short * float(self.weights[at] * self.case.discount[month])
            missing += max(0.0, weighed)
            if weighed > worth / (10.0 * len(self.months)):
                cuts.extend(maybe)
        if cuts.lower:
            self._add(cuts)
        return missing, len(cuts.lower)

    def solve(
        self, gap: float, *, seed: int = 0, stopped: Callable[[], None] = lambda: None
    ) -> Plan | None:
        """Find the cheapest plan.

        Parameters
        ----------
        gap : float
            Share of the cost by which a better plan may be cheaper.
        seed : int
            Of the solver.
        stopped : callable
            Called between rounds and from inside the search; raises to end it.

        Returns
        -------
        Plan or None
            None where no plan keeps the limits.
        """
        solver = self.solver
        solver.setOptionValue("random_seed", seed % 2**31)
        self._relax()
        for _ in range(_ROUNDS_MOST):
            stopped()
            _run(solver)
            if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                return None
            found = solver.getInfo().objective_function_value
            values = np.array(solver.getSolution().col_value)
            if self._refine(values, gap * abs(found) / 4.0)[1] == 0:
                break
        duals = self._duals()
        if not self.orders or self.rules.fixed is not None:
            return self._plan(values, found, duals)
        self._whole()
        return self._search(gap, duals, stopped)

    def _search(
        self, gap: float, duals: dict[tuple[str, int], float], stopped: Callable[[], None]
    ) -> Plan | None:
        """Whole machines: solve, add the cuts that were missing, until the gap is proved."""
        solver, best, began = self.solver, None, time.monotonic()
        bound = -math.inf
        raised: list[BaseException] = []

        def look(_kind: object, _message: str, _out: object, into: Any, _user: object) -> None:
            try:
                stopped()
            except BaseException as exc:
                raised.append(exc)
                into.user_interrupt = True

        solver.setCallback(look, None)
        solver.startCallback(highspy.cb.HighsCallbackType.kCallbackMipInterrupt)
        for _ in range(_ROUNDS_MOST):
            left = self.seconds - (time.monotonic() - began)
            if left <= 0 and best is not None:
                break
            solver.setOptionValue("time_limit", solver.getRunTime() + max(1.0, left))
            solver.setOptionValue("mip_rel_gap", 0.7 * gap)
            if (known := best or self.hint) is not None:
                self._suggest(known)
            _run(solver)
            if raised:
                raise raised[0]
            values = np.array(solver.getSolution().col_value)
            if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible or not len(values):
                break
            bound = max(bound, float(solver.getInfo().mip_dual_bound))
            _, added = self._refine(values, gap * abs(bound) / 4.0)
            plan = self._plan(values, bound, duals)
            best = plan if best is None or plan.cost_usd < best.cost_usd else best
            best = replace(best, bound_usd=min(bound, best.cost_usd))
            if best.gap <= gap or added == 0:
                break
        return best

    def _suggest(self, plan: Plan) -> None:
        """Have the search begin with the orders of a plan, where the program allows them."""
        value = [float(plan.orders.get(order, 0)) for order in self.orders]
        for at, month in self.opens:
            path = self._path(at)
            come = [order for order in plan.orders if order.node in path]
            is_first = opened(come) == month
            here = any(order.node == at and order.arrives == month for order in come)
            value.append(float(is_first and here))
        index = [*range(len(self.orders)), *self.opens.values()]
        self.solver.setSolution(len(index), np.array(index, dtype=np.int32), np.array(value))

    def _relax(self) -> None:
        for column in self.opens.values():
            self.solver.changeColIntegrality(column, highspy.HighsVarType.kContinuous)
        for column, order in enumerate(self.orders):
            self.solver.changeColIntegrality(column, highspy.HighsVarType.kContinuous)
            if self.rules.fixed is None and order not in self.placed_orders:
                self.solver.changeColBounds(column, 0.0, self.upper[column])

    def _whole(self) -> None:
        for column in self.opens.values():
            self.solver.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        for column, order in enumerate(self.orders):
            least = self.case.params.machines[order.machine].minimum_order_count
            self.solver.changeColIntegrality(column, self.kinds[column])
            if least > 1 and order not in self.placed_orders:
                self.solver.changeColBounds(column, float(least), self.upper[column])

    def _duals(self) -> dict[tuple[str, int], float]:
        """What one more unit of a limit in a month would save, by the relaxation. [USD]"""
        prices = self.solver.getSolution().row_dual
        found: dict[tuple[str, int], float] = {}
        for row, key in self.limits.items():
            found[key] = found.get(key, 0.0) + max(0.0, -prices[row])
        return found

    def _plan(self, values: Array, bound: float, duals: dict[tuple[str, int], float]) -> Plan:
        """Read a plan, with whole machines whole, and its cost from its own equations."""
        orders = {order: round(values[place]) for place, order in enumerate(self.orders)}
        if self.rules.fixed is not None:
            orders = {**self.rules.fixed.orders, **self.placed_orders}
        starts = {start: float(values[place])
                  for place, start in enumerate(self.starts, len(self.orders))}  # fmt: skip
        orders = {order: count for order, count in orders.items() if count > 0}
        starts = {start: amount for start, amount in starts.items() if amount > 1e-7}
        plan = Plan(0.0, bound, orders, starts, (), duals)
        capacity = tuple(capacity_of(self.case, plan, self._path(at))
                         for at in range(len(self.nodes)))  # fmt: skip
        plan = replace(plan, capacity=capacity)
        return replace(plan, cost_usd=float(self.cost(plan)))

    def cost(self, plan: Plan) -> float:
        """Expected present value of a plan. [USD]"""
        case, total = self.case, self._paid_anyway()
        for leaf in self._leaves():
            path = self._path(leaf)
            first = opened(order for order in plan.orders if order.node in path)
            total += float(self.weights[leaf]) * beside_usd(case, first)
        for order, count in plan.orders.items():
            members = self.nodes[order.node].members
            total += count * float(case.scenarios.odds[members] @ machine_usd(case, order)[members])
        for start, amount in plan.starts.items():
            members = self.nodes[start.node].members
            total += amount * float(
                case.scenarios.odds[members] @ started_usd(case, start)[members]
            )
        for at, month in self.months:
            rent = self.expected(at, month, plan.capacity[at][month])[0]
            total += rent * float(self.weights[at] * case.discount[month])
        return total


class _Rows:
    """Rows of a program, one after the other."""

    def __init__(self) -> None:
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.starts: list[int] = [0]
        self.index: list[int] = []
        self.value: list[float] = []

    def add(self, index: Sequence[int], value: Sequence[float], lower: float, upper: float) -> None:
        self.index += index
        self.value += value
        self.starts.append(len(self.index))
        self.lower.append(lower)
        self.upper.append(upper)

    def extend(self, others: _Rows) -> None:
        for row, (begin, end) in enumerate(pairwise(others.starts)):
            index, value = others.index[begin:end], others.value[begin:end]
            self.add(index, value, others.lower[row], others.upper[row])
