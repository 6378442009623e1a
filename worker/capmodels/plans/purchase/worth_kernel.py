"""What a plan is held against, and what knowing more is worth: other programs of the same case."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.plans.purchase.equations_kernel import Plan, costs_by_scenario, of_some, of_the_mean
from capmodels.plans.purchase.program_kernel import Program, Rules, one_stage, reviewed, told_apart

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from capmodels.plans.purchase.equations_kernel import Case
    from capmodels.plans.purchase.program_kernel import Node

    Array = NDArray[np.float64]

# Knowing all is tried in so many scenarios at most, spread evenly over what the plan costs.
PERFECT_MOST = 24
# An unknown is told apart in so many parts at most.
PARTS_MOST = 5
# Of scenarios that are tried for all, and of parts of a range, the gap is no smaller than this.
SAMPLED_GAP = 1e-3
# Of a tree with more leaves than this the gap is no smaller than this.
LEAVES_EXACT, TREE_GAP = 27, 5e-3
_LOOK_S = 0.2
_LEAST = 1e-9


class Solver:
    """Solves programs of a case, and reports as it goes."""

    def __init__(self, case: Case, seed: int, report: Callable[[float, str], None]) -> None:
        """Take the case, the seed, and where progress goes, which may raise."""
        self.case, self.seed, self.report = case, seed, report
        self.fraction, self.text, self.looked = 0.0, "", 0.0
        self.found: Plan | None = None

    def at(self, fraction: float, text: str) -> None:
        """Report how far the work is."""
        self.fraction, self.text = fraction, text
        self.report(fraction, text)

    def _look(self) -> None:
        now = time.monotonic()
        if now - self.looked > _LOOK_S:
            self.looked = now
            self.report(self.fraction, self.text)

    def solve(
        self,
        case: Case | None = None,
        rules: Rules | None = None,
        *,
        nodes: list[Node] | None = None,
        gap: float | None = None,
    ) -> Plan | None:
        """Solve one program of the case, or of another; None where it has no plan.

        Plans without rules of their own are alike: each search begins with what the last one found.
        """
        case = case or self.case
        program = Program(case, nodes or one_stage(case), rules)
        is_alike = nodes is None and rules is None
        program.hint = self.found if is_alike else None
        allowed = self.case.params.gap_fraction if gap is None else gap
        plan = program.solve(allowed, seed=self.seed, stopped=self._look)
        self.found = plan if is_alike and plan is not None else self.found
        return plan


def weighted_quantile(values: Array, odds: Array, fraction: float) -> float:
    """Smallest value that holds at least a share of the odds below or at it."""
    order = np.argsort(values, kind="stable")
    place = np.searchsorted(odds[order].cumsum(), fraction * odds.sum() * (1 - 1e-12))
    return float(values[order][min(int(place), len(values) - 1)])


def all_rented(solver: Solver) -> float | None:
    """Cost of ordering and committing nothing. [USD]"""
    case = solver.case
    if case.params.on_demand is None:
        return None
    empty = Plan(0.0, -math.inf, {}, {}, (case.held,))
    plan = solver.solve(rules=Rules(fixed=empty))
    return None if plan is None else plan.cost_usd


def mean_plan(solver: Solver) -> float | None:
    """Expected cost of what is best for the mean demand and prices. [USD]

    Birge and Louveaux 2011, section 4.2: what it is above the plan's is the value of the
    stochastic solution.
    """
    made = solver.solve(of_the_mean(solver.case))
    if made is None:
        return None
    plan = solver.solve(rules=Rules(fixed=made))
    return None if plan is None else plan.cost_usd


@dataclass(frozen=True, slots=True)
class Perfect:
    """Expected cost with all known before, in how many scenarios it was tried, and its most worth.

    ``worth_most_usd`` is of what no plan of these scenarios can cost less than, not of what was
    found: no forecast is worth more.
    """

    cost_usd: float
    tried: int
    worth_most_usd: float


def perfect(solver: Solver, plan: Plan) -> Perfect | None:
    """Expected cost if the scenario were known before anything is decided. [USD]

    Birge and Louveaux 2011, section 4.1. Of many scenarios some are tried, evenly spread over
    what the plan costs in them, and the plan's cost less what they save on average is given.
    """
    case = solver.case
    odds, costs = case.scenarios.odds, costs_by_scenario(case, plan)
    count = len(odds)
    tried = np.arange(count)
    if count > PERFECT_MOST:
        order = np.argsort(costs, kind="stable")
        middle = odds[order].cumsum() - odds[order] / 2.0
        at = (np.arange(PERFECT_MOST) + 0.5) / PERFECT_MOST
        tried = order[np.minimum(np.searchsorted(middle, at), count - 1)]
    gap = case.params.gap_fraction
    gap = gap if count <= PERFECT_MOST else max(gap, SAMPLED_GAP)
    weight = odds if count <= PERFECT_MOST else np.full(count, 1.0 / len(tried))
    saved, most = 0.0, 0.0
    for done, place in enumerate(tried):
        solver.at(0.3 + 0.3 * done / len(tried), "Planning as if all were known")
        best = solver.solve(of_some(case, np.array([place])), gap=gap)
        if best is None:
            return None
        saved += float(weight[place]) * (float(costs[place]) - best.cost_usd)
        most += float(weight[place]) * (float(costs[place]) - best.bound_usd)
    return Perfect(plan.cost_usd - saved, len(tried), most)


def redecided(solver: Solver) -> Plan | None:
    """Plan that is decided again at each review, by what can be told apart then."""
    nodes = reviewed(solver.case)
    if len(nodes) == 1:
        return None
    leaves = sum(node.end == solver.case.months for node in nodes)
    gap = solver.case.params.gap_fraction
    return solver.solve(nodes=nodes, gap=gap if leaves <= LEAVES_EXACT else max(gap, TREE_GAP))


def known_worth(solver: Solver, plan: Plan) -> dict[str, float]:
    """What it is worth to know each unknown before anything is decided. [USD]

    The expected value of partial perfect information: the plan's cost less the expected cost
    of plans made for each part of what the unknown may be (Strong, Oakley and Brennan 2014,
    doi:10.1177/0272989X13505910, with a regression that is constant in parts). Exact where an
    unknown has few cases; of more, parts of like odds, whose worth is no more than the whole's.
    """
    case, found = solver.case, {}
    everything = np.arange(len(case.scenarios.odds))
    known = case.scenarios.known
    for place, (name, values) in enumerate(known.items()):
        solver.at(0.75 + 0.2 * place / len(known), f"Planning as if this were known: {name}")
        seen = np.where(np.isfinite(values), values, -1e9)
        saved = plan.cost_usd
        gap = case.params.gap_fraction
        if len(np.unique(seen)) > PARTS_MOST:
            gap = max(gap, SAMPLED_GAP)
        for part in told_apart(case, everything, seen, PARTS_MOST):
            best = solver.solve(of_some(case, part), gap=gap)
            if best is None:
                break
            saved -= float(case.scenarios.odds[part].sum()) * best.cost_usd
        else:
            # What the last bits of two sums differ by is worth nothing.
            found[name] = saved if saved > _LEAST * abs(plan.cost_usd) else 0.0
    return found
