"""Designs held against each other: who wins, when owning pays off, where they tie."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, Literal

from capmodels.amounts import as_number, fsum
from capmodels.numbers import is_same, names_in_order
from capmodels.plans.answer.memo import COLUMNS_KEPT, costed_at_end
from capmodels.plans.break_evens import pay_off
from capmodels.plans.comparison import BreakEven, DesignResult, Tie
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cause_book, cost_designs, costed_by
from capmodels.plans.costing.finance import irr_fraction_per_year, mirr_fraction_per_year
from capmodels.plans.costing.scene import Scene
from capmodels.plans.costing.use_cost import use_of
from capmodels.plans.document.parts import OfDocuments
from capmodels.plans.document.workload import UtilizationWorkload

if TYPE_CHECKING:
    from capmodels.plans.costing.book import Discount
    from capmodels.plans.costing.designs import AnyDesign, Costed
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.document.workload import Workload
    from capmodels.series import Series

TIE_POINTER = "/workload/utilization_fraction"
TIE_ROUNDS = 60
TIE_PRECISION = 1e-9


def ranking(columns: list[DesignResult]) -> list[DesignResult]:
    """Designs that compete, the cheapest first."""
    return by_cost([column for column in columns if column.competes])


def by_cost(columns: list[DesignResult]) -> list[DesignResult]:
    """Designs from the cheapest on; those that cost the same by letter, whatever their order."""
    known = {column.letter: column for column in columns}
    order = names_in_order({letter: column.ranked_usd for letter, column in known.items()})
    return [known[letter] for letter in order]


def break_evens(
    columns: list[DesignResult], winner: str | None, *, by_value: bool
) -> list[BreakEven]:
    """Break-even of every two designs, on one basis; those of the winner first.

    Of the means where there are any, and then of what designs are ranked by alone: what the
    other measure comes to on average is not known.
    """
    first = [column for column in columns if column.letter == winner]
    others = [column for column in columns if column.letter != winner]
    pairs = [*product(first, others), *combinations(others, 2)]
    drawn = any(column.mean_usd is not None for column in columns)
    kinds = (by_value,) if drawn else (False, True)
    return [
        break_even(one, other, discounted=kind, basis="mean" if drawn else "as_entered")
        for one, other in pairs
        for kind in kinds
    ]


def with_design(even: list[BreakEven], letter: str | None) -> list[BreakEven]:
    """Break-evens that one design has with the others; none where there is no such design."""
    return [item for item in even if letter in {item.challenger, item.incumbent}]


def break_even(
    first: DesignResult,
    other: DesignResult,
    *,
    discounted: bool,
    basis: Literal["mean", "as_entered"],
) -> BreakEven:
    """Return when one of two designs has cost less than the other for good."""

    def series(column: DesignResult) -> tuple[float, ...]:
        if basis == "mean":
            return column.cumulative_ranked_usd
        return column.cumulative_npv_usd if discounted else column.cumulative_usd

    is_first, found = pay_off(series(first), series(other))
    challenger, incumbent = (first, other) if is_first else (other, first)
    return BreakEven(
        challenger=challenger.letter,
        incumbent=incumbent.letter,
        discounted=discounted,
        basis=basis,
        first_month_cheaper=found.first_month_cheaper,
        exact_months=found.exact_months,
        crossings_count=found.crossings_count,
        cost_usd=found.cost_usd,
        reason=found.reason,
    )


@dataclass(frozen=True, slots=True)
class Returns:
    """Rate of return of a design against its rival, or why there is none; the modified one."""

    irr: float | None = None
    reason: str | None = None
    mirr: float | None = None


def rates_of_return(
    timed_usd: dict[str, Series], order: list[DesignResult], capital_fraction_per_year: float
) -> dict[str, Returns]:
    """Rates of return of each design against its main rival.

    ``timed_usd`` are the payments of each by the month in which they fall due.
    The winner is held against the runner-up, every other design against the winner.
    """
    if len(order) < 2:
        return {}
    rates = {}
    for letter, flow in timed_usd.items():
        rival = order[1].letter if letter == order[0].letter else order[0].letter
        gains = [
            as_number(there - here) for here, there in zip(flow, timed_usd[rival], strict=True)
        ]
        rate, reason = irr_fraction_per_year(gains)
        modified = mirr_fraction_per_year(gains, capital_fraction_per_year)
        spends_first = next((gain for gain in gains if gain), 0.0) < 0.0
        rates[letter] = Returns(rate, reason, modified if spends_first else None)
    return rates


Totals = dict[str, float]


def at_use(study: StudySpec, utilization: float) -> StudySpec:
    """Return a study at another mean use: every use of its machines moves in step.

    Parameters
    ----------
    study
        A study of a utilisation.
    utilization
        Mean use of all machines. [fraction]
    """
    work = study.workload
    if not isinstance(work, UtilizationWorkload):
        raise TypeError
    stated: dict[str, Any] = {"utilization_fraction": utilization}
    if any(one.utilization_fraction is not None for one in work.machines):
        mean = as_number(Scene(study).mean_use)
        # Machines that all stand still have no step: each is at the mean.
        uses = [as_number(use_of(one, work)) * utilization / (mean or 1.0) for one in work.machines]
        stated["machines"] = tuple(
            one.model_copy(update={"utilization_fraction": min(use, 1.0) if mean else utilization})
            for one, use in zip(work.machines, uses, strict=True)
        )
    return study.model_copy(update={"workload": work.model_copy(update=stated)})


def highest_use(study: StudySpec) -> float:
    """Mean use of all machines when the busiest of them is in use all the time. [fraction]"""
    work = study.workload
    if not isinstance(work, UtilizationWorkload):
        raise TypeError
    uses = [as_number(use_of(one, work)) for one in work.machines]
    alike = min(uses) == max(uses)
    return 1.0 if alike else as_number(Scene(study).mean_use) / max(uses)


class UseTotals:
    """Totals of designs at other utilisations than the study's."""

    def __init__(self, study: StudySpec, discount: Discount | None) -> None:
        """Keep the study, and the discount when designs are ranked by present value."""
        self._study = study
        self._discount = discount

    def at(self, utilization: float, only: set[str]) -> Totals:
        """Total of some designs at one utilisation. [USD]"""
        scene = Scene(at_use(self._study, utilization))
        return self._totals(cost_designs(scene, lambda: CauseBook(scene.months), only))

    def at_ends(self, only: set[str]) -> tuple[Totals, Totals]:
        """Totals of some designs at no use and at the highest. [USD]"""
        work = self._study.workload
        ends = _ends.get(work)
        if ends is None:
            shares = (0.0, highest_use(self._study))
            ends = tuple(at_use(self._study, share).workload for share in shares)
            _ends.put(ends, work)
        studies = [self._study.model_copy(update={"workload": end}) for end in ends]
        idle, full = (
            self._totals(costed_by(partial(_costed_in, study=study), Scene(study), only))
            for study in studies
        )
        return idle, full

    def _totals(self, costed: list[Costed]) -> Totals:
        totals = {}
        for item in costed:
            book = cause_book(item)
            series = book.cash() if self._discount is None else book.present(self._discount)
            totals[item.letter] = fsum(series)
        return totals


# The work at no use and at the highest.
_ends: OfDocuments[tuple[Workload, ...]] = OfDocuments(COLUMNS_KEPT)


def _costed_in(part: AnyDesign, scene: Scene, *, study: StudySpec) -> Costed:
    return costed_at_end(part, study, scene)


def ties(study: StudySpec, columns: list[DesignResult], discount: Discount | None) -> list[Tie]:
    """Mean use at which each pair of designs costs the same over the horizon.

    Where machines have a use of their own, all of them move in step.
    Amounts are not rounded for it. Without prices by band the gap is a straight line, so
    the first guess is exact; the rest of the rounds close in on a gap that is not, by the
    Illinois method (Dowell and Jarratt 1971, doi:10.1007/BF01934364): an end that stays twice
    counts half.
    """
    if not isinstance(study.workload, UtilizationWorkload):
        return []
    letters = [column.letter for column in columns if not column.is_baseline]
    use = UseTotals(study, discount)
    idle, full = use.at_ends(set(letters))
    return [
        _tie((first, second), use, idle, full, highest_use(study))
        for index, first in enumerate(letters)
        for second in letters[index + 1 :]
    ]


def _tie(pair: tuple[str, str], use: UseTotals, idle: Totals, full: Totals, highest: float) -> Tie:
    low, high = 0.0, highest
    at_low, at_high = idle[pair[0]] - idle[pair[1]], full[pair[0]] - full[pair[1]]
    if all(is_same(ends[pair[0]], ends[pair[1]]) for ends in (idle, full)):
        reason = f"{pair[0]} and {pair[1]} cost the same at every utilisation."
        return Tie(pointer=TIE_POINTER, value=None, between=pair, reason=reason)
    if at_low == at_high:
        reason = "The utilisation does not enter the difference between the two."
        return Tie(pointer=TIE_POINTER, value=None, between=pair, reason=reason)
    if (at_low > 0) == (at_high > 0):
        cheaper = pair[0] if at_low < 0 else pair[1]
        reason = f"{cheaper} is cheaper at every utilisation."
        return Tie(pointer=TIE_POINTER, value=None, between=pair, reason=reason)
    slack = TIE_PRECISION * abs(at_high - at_low)
    middle, side = low, 0
    for _ in range(TIE_ROUNDS):
        middle = low - at_low * (high - low) / (at_high - at_low)
        totals = use.at(middle, set(pair))
        at_middle = totals[pair[0]] - totals[pair[1]]
        if abs(at_middle) <= slack:
            break
        if (at_middle > 0) == (at_low > 0):
            low, at_low = middle, at_middle
            at_high, side = (at_high / 2 if side < 0 else at_high), -1
        else:
            high, at_high = middle, at_middle
            at_low, side = (at_low / 2 if side > 0 else at_low), 1
    return Tie(pointer=TIE_POINTER, value=middle, between=pair, reason=None)
