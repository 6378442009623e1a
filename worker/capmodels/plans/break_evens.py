"""When one design has cost less than another for good, and which break-even moved how far."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from capmodels.numbers import is_same
from capmodels.plans.costing.finance import crossing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.costing.finance import Crossing


@dataclass(frozen=True, slots=True)
class BreakEvenMoved:
    """When one design has cost less than another for good, before and after. [months]

    None where it never does within the horizon, or always did.
    """

    challenger: str
    incumbent: str
    before_months: float | None
    after_months: float | None

    @property
    def moved_months(self) -> float:
        """How far it moved; without end where there is none before or after."""
        if self.before_months is None or self.after_months is None:
            return inf
        return abs(self.after_months - self.before_months)

    @property
    def sentence(self) -> str:
        """What happened, in words."""
        was, is_ = _months(self.before_months), _months(self.after_months)
        return f"Break-even of {self.challenger} against {self.incumbent}: {is_}, before {was}."


def pay_off(first: Sequence[float], other: Sequence[float]) -> tuple[bool, Crossing]:
    """Return whether the first of two designs is the one that has to pay off, and when it does.

    The one that costs more at the start has to; of two that start level, the one that costs
    less in the end. Which is given first changes nothing.

    Parameters
    ----------
    first, other : sequence of float
        Cumulative cost of the two by month, month 0 first. [USD]

    Examples
    --------
    >>> is_first, found = pay_off([0.0, 6.0, 12.0], [10.0, 10.0, 10.0])
    >>> is_first, found.first_month_cheaper
    (False, 2)
    """
    starts_level = is_same(first[0], other[0])
    is_first = first[-1] <= other[-1] if starts_level else first[0] > other[0]
    return is_first, crossing(first, other) if is_first else crossing(other, first)


def _months(value: float | None) -> str:
    return "none within the horizon" if value is None else f"{value:.1f} months"


def break_even_moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> BreakEvenMoved | None:
    """Return the break-even that moved furthest between two comparisons; None where none did.

    Of the measure that each verdict goes by, and of a design that is cheapest in either of them.
    """
    leaders = {before["winner"], after["winner"]} - {None}
    was, is_ = _break_evens(before), _break_evens(after)
    moves = [
        BreakEvenMoved(*pair, was[pair], is_[pair])
        for pair in was.keys() & is_.keys()
        if was[pair] != is_[pair] and (not leaders or leaders & set(pair))
    ]
    # Both directions of a pair may be told: the first by letter, so that it is always the same.
    moves.sort(key=lambda one: (-one.moved_months, one.challenger, one.incumbent))
    return moves[0] if moves else None


def _break_evens(comparison: Mapping[str, Any]) -> dict[tuple[str, str], float | None]:
    discounted = comparison["ranked_by"] == "present_value"
    return {
        (one["challenger"], one["incumbent"]): one["exact_months"]
        for one in comparison["break_evens"]
        if one["discounted"] == discounted
    }
