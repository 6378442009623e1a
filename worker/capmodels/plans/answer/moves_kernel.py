"""What designs cost on average once a quantity is known: fresh evaluations, by few trials. NumPy.

The tornado and break-evens first come of all trials at once, which shows where to look: others at
their means, or a cubic through the trials. What is said of the largest is evaluated anew, as a
slider does it: the value entered wherever the quantity stands, planned for, and no longer drawn.
The same trials with and without the move keep the chance of the draws out of the difference.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capmodels.explore.sampling_kernel import triangular
from capmodels.plans.answer.bodies_kernel import draw_book
from capmodels.plans.answer.trials_kernel import Evaluator, drawn_uniforms
from capmodels.plans.comparison import Flip, TornadoBar
from capmodels.plans.costing.scene import Curves
from capmodels.plans.document.pointers import substitute
from capmodels.plans.document.quantities import Quantity
from capmodels.plans.document.study import StudySpec
from capmodels.plans.sliders import values_of

Draws = NDArray[np.float64]
Crossing = tuple[float, int]

# Trials of a fresh evaluation, at most.
TRIALS = 250
# While a slider is held a page asks for no more trials than this: then nothing is evaluated anew.
HELD = 1000
# Bars of the tornado and break-evens that are evaluated anew: those that pages put first.
BARS, FLIPS = 5, 2
ROUNDS = 4
# A break-even is there when the lead is this share of what the leader costs.
SLACK = 1e-3


@dataclass(slots=True)
class Fresh:
    """Fresh evaluations of a study: the leader and its rivals, a quantity known to have a value.

    ``gaps_usd`` are the rivals' means over all trials less the leader's, in their order.
    """

    study: StudySpec
    quantities: Sequence[Quantity]
    curves: Curves
    letters: Sequence[str]
    gaps_usd: Draws
    _means: dict[tuple[str, float], Draws] = field(default_factory=dict)

    def gaps(self, pointer: str, value: float) -> Draws:
        """Mean gaps of the rivals where an input's quantity is known to have a value. [USD]

        Of the difference between the trials with and without the move, what the few trials of
        the quantity have their mean off that of its range is taken out along its slope.
        """
        quantity, member = next(
            (one, member)
            for one in self.quantities
            for member in one.members
            if member.leaf.pointer == pointer
        )
        ends = [self._mean(quantity, pointer, end) for end in (member.low, member.high)]
        width = member.high - member.low
        # A range of one value is a point.
        slope = (ends[1] - ends[0]) / width if width else 0.0 * ends[0]
        row = drawn_uniforms([quantity], (), self._count, self.study.seed)[0][0]
        off = float(triangular(member.triple, row).mean()) - sum(member.triple) / 3.0
        base = self._mean(None, "", 0.0) - slope * off
        return self.gaps_usd + self._mean(quantity, pointer, value) - base

    @property
    def _count(self) -> int:
        return min(self.study.draws_count, TRIALS)

    def _mean(self, quantity: Quantity | None, pointer: str, value: float) -> Draws:
        """Mean gaps of few trials, with a quantity known to have a value, or with none."""
        if (pointer, value) in self._means:
            return self._means[pointer, value]
        study, known = self.study, "" if quantity is None else quantity.key
        if quantity is not None:
            moved = values_of(quantity, pointer, value)
            study = substitute(
                study, {one.leaf.path: moved[one.leaf.pointer] for one in quantity.members}
            )
        left = [one for one in self.quantities if one.key != known]
        tied = [
            one for one in study.assumptions.correlations if known not in {one.first, one.second}
        ]
        rows = drawn_uniforms(left, tied, self._count, study.seed)
        values = {
            member.leaf.path: triangular(member.triple, row)
            for one, (row, _) in zip(left, rows, strict=True)
            for member in one.members
        }
        evaluator = Evaluator(study, self.curves)
        _, items, _ = evaluator.kept(values, self._count, set(self.letters), None)
        books = {item.letter: draw_book(item) for item in items}
        first, *rivals = (float(np.mean(books[one].ranked_usd())) for one in self.letters)
        return self._means.setdefault((pointer, value), np.array(rivals) - first)

    def crossing(self, pointer: str, start: float, ends: tuple[float, float]) -> Crossing | None:
        """Return where a rival becomes the cheapest, near a value; None where none does by an end.

        By secants, within the range.
        """
        low, high = ends
        slack = SLACK * max(float(np.abs(self.gaps_usd).max()), 1.0)
        step = 0.05 * (high - low)
        at, gaps = start, self.gaps(pointer, start)
        before, lead_before = None, 0.0
        for _ in range(ROUNDS):
            lead = float(gaps.min())
            if abs(lead) <= slack:
                return at, int(gaps.argmin())
            if before is None:
                to = at + step if at + step <= high else at - step
            elif lead == lead_before:
                return None
            else:
                to = at - lead * (at - before) / (lead - lead_before)
            to = min(max(to, low), high)
            if to == at:
                return None if lead > 0 else (at, int(gaps.argmin()))
            before, lead_before, at = at, lead, to
            gaps = self.gaps(pointer, at)
        return at, int(gaps.argmin())


def bars_anew(fresh: Fresh, bars: Sequence[TornadoBar]) -> tuple[TornadoBar, ...]:
    """Return the tornado with its longest bars as fresh evaluations have them, longest first."""
    found = [
        bar.model_copy(
            update={
                "at_low_usd": -float(fresh.gaps(bar.pointer, bar.low)[0]),
                "at_high_usd": -float(fresh.gaps(bar.pointer, bar.high)[0]),
            }
        )
        for bar in bars[:BARS]
    ]
    return tuple(
        sorted([*found, *bars[BARS:]], key=lambda bar: -abs(bar.at_high_usd - bar.at_low_usd))
    )


def flips_anew(fresh: Fresh, flips: Sequence[Flip], none: Callable[[str], str]) -> tuple[Flip, ...]:
    """Return break-evens, the nearest where fresh evaluations have them; ``none`` words none."""
    found = []
    for place, flip in enumerate(flips):
        if place >= FLIPS or flip.flips_at is None:
            found.append(flip)
            continue
        at = fresh.crossing(flip.pointer, flip.flips_at, (flip.low, flip.high))
        update: dict[str, Any] = {"flips_at": None, "winner_after": None, "rises": False}
        if at is None:
            update["reason"] = none(flip.quantity)
        else:
            middle = (flip.low + flip.value + flip.high) / 3.0
            after = fresh.letters[1 + at[1]]
            update = {"flips_at": at[0], "winner_after": after, "rises": at[0] > middle}
        found.append(flip.model_copy(update=update))
    return tuple(found)
