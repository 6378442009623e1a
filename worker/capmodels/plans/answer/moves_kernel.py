"""What designs cost on average once a quantity is known: fresh evaluations, by few trials. NumPy.

The tornado and break-evens first come of all trials at once, which shows where to look: others at
their means, or a cubic through the trials. What is said of the largest is evaluated anew, as a
slider does it: the value entered wherever the quantity stands, planned for, and no longer drawn.
The same trials with and without the move keep the chance of the draws out of the difference.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from capmodels.explore.sampling_kernel import triangular
from capmodels.numbers import SAME, is_move_shown
from capmodels.plans.answer.bodies_kernel import Bodies, Kept, draw_book
from capmodels.plans.answer.certainty_kernel import untied
from capmodels.plans.answer.flips import after
from capmodels.plans.answer.trials_kernel import (
    Block,
    Evaluator,
    alternatives,
    drawn_uniforms,
    one_array,
)
from capmodels.plans.comparison import Flip, TornadoBar
from capmodels.plans.costing.scene import Curves, Scene
from capmodels.plans.document.combinations import (
    combinations_of,
    unsettled_of,
    with_same_parts,
)
from capmodels.plans.document.pointers import substitute
from capmodels.plans.document.quantities import Member, Quantity, quantities_of
from capmodels.plans.document.study import StudySpec
from capmodels.plans.sliders import values_of

Draws = NDArray[np.float64]

# Trials of a fresh evaluation, at most.
TRIALS = 250
# Bars of the tornado and break-evens that are evaluated anew: those that pages put first.
BARS, FLIPS = 5, 2
ROUNDS = 12
# Combinations of alternatives up to which there are fresh evaluations: each is one of them all.
FRESH_MOST = 4
# A break-even is there when the lead is this share of what it spans between two values, or in so
# narrow a share of the range.
SLACK, NARROW = 1e-3, 1e-3

# Designs in the few trials: with a slider on one input most moves of others are as before.
IN_MOVES = Bodies()


@dataclass
class Fresh:
    """Fresh evaluations of a study: the leader and its rivals, a quantity known to have a value.

    Quantities stand in the order of how much of the gap they explain. ``gaps_usd`` are the rivals'
    means over all trials less the leader's, in their order; ``leader_usd`` is the leader's.
    """

    study: StudySpec
    quantities: Sequence[Quantity]
    curves: Curves
    letters: Sequence[str]
    gaps_usd: Draws
    leader_usd: float
    _means: dict[tuple[str, float], Draws] = field(default_factory=dict)

    def gaps(self, pointer: str, value: float) -> Draws:
        """Mean gaps of the rivals where an input's quantity is known to have a value. [USD]"""
        quantity, _member = self._member(pointer)
        move = self._mean(quantity, pointer, value) - self._mean(None, "", 0.0)
        return self.gaps_usd + move

    def cheapest(self, pointer: str, value: float) -> list[str]:
        """Return the rivals that cost least where an input has a value: those of one cost."""
        gaps = self.gaps(pointer, value)
        level = np.flatnonzero(gaps - gaps.min() <= SAME * abs(self.leader_usd))
        return sorted(self.letters[1 + place] for place in level.tolist())

    @cached_property
    def _weights(self) -> Draws:
        """Weights of the few trials, with which every quantity has its mean of all trials.

        What is linear in the quantities is then as in all trials (regression, or calibration,
        estimator: Deville and Sarndal 1992). Of the first quantities, which explain most, a fifth
        as many as few trials.
        """
        count, everything = self._count, self.study.draws_count
        used = [one for one in self.quantities if one.widest.low < one.widest.high][: count // 5]
        tied = self.study.assumptions.correlations
        rows = drawn_uniforms(used, tied, count, self.study.seed)
        all_rows = drawn_uniforms(used, tied, everything, self.study.seed)
        parts = [np.ones(count)]
        wanted = [1.0]
        for one, (row, _), (all_row, _) in zip(used, rows, all_rows, strict=True):
            low, value, high = one.widest.triple
            parts.append((triangular((low, value, high), row) - low) / (high - low))
            all_values = triangular((low, value, high), all_row)
            wanted.append(float((all_values.mean() - low) / (high - low)))
        unsettled = unsettled_of(self.study)
        for open_one, places in zip(
            unsettled, alternatives(unsettled, count, self.study.seed), strict=True
        ):
            for place, option in enumerate(open_one.options):
                if 0 < option.odds_fraction < 1:
                    parts.append((places == place) * 1.0)
                    wanted.append(option.odds_fraction)
        matrix, even = np.array(parts), np.full(count, 1.0 / count)
        nearest = np.linalg.lstsq(matrix, np.array(wanted) - matrix @ even, rcond=1e-9)[0]
        return np.asarray(even + nearest)

    def _member(self, pointer: str) -> tuple[Quantity, Member]:
        return next(
            (one, member)
            for one in self.quantities
            for member in one.members
            if member.leaf.pointer == pointer
        )

    @property
    def _count(self) -> int:
        return min(self.study.draws_count, TRIALS)

    @cached_property
    def _worlds(self) -> list[tuple[StudySpec, Curves, Block]]:
        """Each combination of alternatives as a study, with the few trials that have it."""
        unsettled = unsettled_of(self.study)
        if not unsettled:
            return [(self.study, self.curves, slice(None))]
        places = alternatives(unsettled, self._count, self.study.seed)
        found = list[tuple[StudySpec, Curves, Block]]()
        for one in combinations_of(self.study):
            mine = np.flatnonzero((places == np.array(one.places)[:, None]).all(axis=0))
            if mine.size:
                found.append((one.study, Scene(one.study).curves, mine))
        return found

    def _mean(self, quantity: Quantity | None, pointer: str, value: float) -> Draws:
        """Mean gaps of few trials, with a quantity known to have a value, or with none."""
        if (pointer, value) not in self._means:
            known = "" if quantity is None else quantity.key
            parts = (
                self._part(place, known, (pointer, value)) for place in range(len(self._worlds))
            )
            first, *rivals = sum(parts, np.zeros(len(self.letters)))
            held = np.array(rivals)
            self._means[pointer, value] = untied(held - first, held)
        return self._means[pointer, value]

    def _part(self, place: int, known: str, move: tuple[str, float]) -> Draws:
        """What the trials of one combination add to the means of the designs. [USD]"""
        study, curves, mine = self._worlds[place]
        quantities = self.quantities if isinstance(mine, slice) else quantities_of(study)
        moved = next((one for one in quantities if one.key == known), None)
        if moved is not None and any(one.leaf.pointer == move[0] for one in moved.members):
            values = values_of(moved, *move)
            typed = {one.leaf.path: values[one.leaf.pointer] for one in moved.members}
            study = with_same_parts(study, substitute(study, typed), repr(sorted(values.items())))
        left = [one for one in quantities if one.key != known]
        tied = [
            one for one in study.assumptions.correlations if known not in {one.first, one.second}
        ]
        rows = drawn_uniforms(left, tied, self._count, study.seed)
        drawn = {
            member.leaf.path: self._value(member, row, mine)
            for one, row in zip(left, rows, strict=True)
            for member in one.members
        }
        weights = self._weights[mine]
        kept = Kept(IN_MOVES, place)
        _, items, _ = Evaluator(study, curves).kept(drawn, weights.size, set(self.letters), kept)
        books = {item.letter: draw_book(item) for item in items}
        return np.array(
            [
                weights @ np.broadcast_to(books[letter].ranked_usd(), weights.size)
                for letter in self.letters
            ]
        )

    def _value(
        self, member: Member, drawn: tuple[Draws, tuple[Hashable, ...]], mine: Block
    ) -> Draws:
        """Return an input in the few trials: one object, so that designs that read it are kept."""
        row, source = drawn
        which = mine.tobytes() if isinstance(mine, np.ndarray) else "all"
        made = partial(triangular, member.triple, row[mine])
        return one_array(made, self._count, which, member.triple, *source)

    def crossing(self, pointer: str, start: float) -> float | None:
        """Return where rivals become the cheapest, near a value; None where none does by an end.

        Between two values of which a rival is the cheapest at one alone, by false position, by
        halves where one end stays. Where the lead jumps, as with one node fewer, what is returned
        is on the rival's side of the jump.
        """
        member = self._member(pointer)[1]
        low, high = member.low, member.high
        middle = sum(member.triple) / 3.0

        def lead(value: float) -> float:
            return float(self.gaps(pointer, value).min())

        places = sorted({low, min(max(start, low), high), middle, high})
        leads = [lead(place) for place in places]
        changes = [
            (abs(one - middle) + abs(two - middle), (one, lead_one), (two, lead_two))
            for (one, lead_one), (two, lead_two) in pairwise(zip(places, leads, strict=True))
            if (lead_one >= 0) != (lead_two >= 0)
        ]
        if not changes:
            return None
        ends = min(changes)[1:]
        (led, more), (lost, less) = sorted(ends, key=lambda end: -end[1])
        slack, sides = SLACK * (more - less), ""
        for _ in range(ROUNDS):
            if min(more, -less) <= slack or abs(lost - led) <= NARROW * (high - low):
                break
            share = 0.5 if sides.endswith(("++", "--")) else more / (more - less)
            at = led + (lost - led) * share
            found = lead(at)
            if found >= 0:
                led, more, sides = at, found, sides + "+"
            else:
                lost, less, sides = at, found, sides + "-"
        return led if more <= slack else lost


def bars_anew(fresh: Fresh, bars: Sequence[TornadoBar]) -> tuple[TornadoBar, ...]:
    """Return the tornado with its longest bars as fresh evaluations have them, in its order."""
    found = [
        bar.model_copy(
            update={
                "at_low_usd": -float(fresh.gaps(bar.pointer, bar.low)[0]),
                "at_high_usd": -float(fresh.gaps(bar.pointer, bar.high)[0]),
            }
        )
        for bar in bars[:BARS]
    ]
    return longest_first([*found, *bars[BARS:]], fresh.leader_usd, -float(fresh.gaps_usd[0]))


def longest_first(
    bars: Sequence[TornadoBar], leader_usd: float, center_usd: float
) -> tuple[TornadoBar, ...]:
    """Return a tornado by how far its bars move the lead.

    Those that move it by less than is written of it are level: last, in the order given.
    """

    def width_usd(bar: TornadoBar) -> float:
        ends = (center_usd, bar.at_low_usd, bar.at_high_usd)
        return abs(ends[2] - ends[1]) if is_move_shown(ends, leader_usd) else 0.0

    return tuple(sorted(bars, key=width_usd, reverse=True))


def flips_anew(
    fresh: Fresh, flips: Sequence[Flip], longest: Sequence[TornadoBar], none: Callable[[str], str]
) -> tuple[Flip, ...]:
    """Return break-evens, the nearest where fresh evaluations have them; ``none`` words none.

    Those farther off are left out, for only what is evaluated anew is a break-even. Also of
    quantities with the longest bars where all trials at once show no break-even, but a
    fresh evaluation at an end of the range does.
    """
    found: list[Flip] = []
    for flip in flips:
        start = flip.flips_at
        if start is None and flip.quantity in {bar.quantity for bar in longest}:
            ends = (flip.low, flip.high)
            start = next((end for end in ends if fresh.gaps(flip.pointer, end).min() < 0), None)
        elif start is not None and sum(one.flips_at is not None for one in found) >= FLIPS:
            # A curve through the trials is no break-even.
            continue
        if start is None:
            found.append(flip)
            continue
        at = fresh.crossing(flip.pointer, start)
        update: dict[str, Any] = {"flips_at": at, "winner_after": None, "rises": False}
        update |= {"tied_after": (), "then": None, "reason": None}
        if at is None:
            update["reason"] = none(flip.quantity)
        else:
            middle = (flip.low + flip.value + flip.high) / 3.0
            update |= after(fresh.cheapest(flip.pointer, at), rises=at > middle)
        found.append(flip.model_copy(update=update))
    return tuple(found)
