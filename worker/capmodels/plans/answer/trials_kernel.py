"""Trials: every quantity drawn, every design costed in each trial. NumPy.

The designs are costed by the same equations as the point (``costing.designs``), with arrays in
place of the inputs that vary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.sampling_kernel import copula, triangular, uniforms
from capmodels.plans.answer.bodies_kernel import (
    BLOCKS_MOST,
    TRIALS_KEPT,
    Bodies,
    Kept,
    PartCoster,
    draw_book,
)
from capmodels.plans.costing.book import Discount
from capmodels.plans.costing.book_kernel import DrawBook, Factors
from capmodels.plans.costing.designs import costed_by
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.combinations import combinations_of, unsettled_of
from capmodels.plans.document.correlations import correlated_keys, lower_factor, normal_matrix
from capmodels.plans.document.parts import Latest
from capmodels.plans.document.pointers import substitute
from capmodels.plans.document.quantities import quantities_of
from capmodels.series import MatrixForm

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from capmodels.plans.answer.bodies_kernel import Body, Summary
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.scene import Curves
    from capmodels.plans.document.combinations import Unsettled
    from capmodels.plans.document.correlations import Correlation
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.quantities import Member, Quantity
    from capmodels.plans.document.study import StudySpec

    Draws = NDArray[np.float64]
    Drawn = tuple[Draws, tuple[Hashable, ...]]

# Some trials: those between two, or the places of those of a combination.
Block = slice | np.ndarray[Any, np.dtype[np.intp]]

# Trials costed at once: so many that all months of a design stay in the processor's cache.
BLOCK = 5000

# Designs in the trials, and at the ends of ranges.
IN_TRIALS, AT_ENDS = Bodies(), Bodies()

# glibc gives freed memory back above a threshold, and every page fetched again costs more
# than the arithmetic done on it. The threshold follows the largest block ever freed; this
# one, never touched, lifts it above all that is used here.
np.empty(4_000_000)


class Evaluator:
    """Costs of all designs for arrays of inputs."""

    def __init__(self, study: StudySpec, curves: Curves) -> None:
        """Keep the study and the curves, which no input changes."""
        self._planned = None if study.assumptions.foresight else Scene(study, curves)
        self.study = study
        self.curves = curves

    def books(
        self, values: dict[Path, Any], count: int, only: set[str] | None = None
    ) -> tuple[Scene, dict[str, DrawBook]]:
        """Books of every design, or of some, with inputs replaced by arrays of draws."""
        scene, items, books = self.costed(values, count, only)
        return scene, {item.letter: book for item, book in zip(items, books, strict=True)}

    def costed(
        self, values: dict[Path, Any], count: int, only: set[str] | None = None
    ) -> tuple[Scene, list[Costed], list[DrawBook]]:
        """Every design, or some, with inputs replaced by arrays of draws, and its books.

        The books count by what designs are ranked by.
        """
        scene, items, _bodies = self.kept(values, count, only, None)
        return scene, items, [draw_book(item) for item in items]

    def kept(
        self, values: dict[Path, Any], count: int, only: set[str] | None, kept: Kept | None
    ) -> tuple[Scene, list[Costed], dict[str, Body]]:
        """The same, of designs that may have been kept; those that are now, by letter."""
        study = substitute(self.study, values) if values else self.study
        scene = Scene(study, self.curves, MatrixForm(), planned=self._planned)
        rate = scene.assumptions.nominal_discount_fraction_per_year
        discount = Discount(rate, scene.months) if scene.by_value else None
        factors = Factors(scene.months, discount)
        parts = PartCoster(self.study, self._planned, kept, factors)
        items = costed_by(lambda part, here: parts.cost(part, here, values, count), scene, only)
        return scene, items, parts.bodies

    def totals(self, values: dict[Path, Any], letters: list[str], count: int) -> Draws:
        """Ranked amounts, shape (designs, count)."""
        _, items, _bodies = self.kept(values, count, set(letters), Kept(AT_ENDS))
        books = {item.letter: draw_book(item) for item in items}
        return np.stack([books[letter].ranked_usd() for letter in letters])


@dataclass(slots=True)
class Trials:
    """What every trial came to: the amounts that designs are ranked by, and running sums.

    ``ranked_usd`` has a row a design, ``drawn`` a row a quantity: the values of its widest
    field. ``cumulative_usd`` leads to the ranked amounts by month; ``causes_usd`` are their
    parts by design, cause and side; ``short`` is 1 where a design does not meet a trial's
    demand. ``places`` has a row a choice: the alternative of each trial. ``bodies`` are the
    designs that are kept, ``kept_causes`` their causes that stay and ``told`` what is known of
    them.
    """

    letters: list[str]
    ranked_usd: Draws
    cumulative_usd: dict[str, NDArray[np.float32]]
    causes_usd: dict[str, dict[tuple[str, Side], Draws]]
    drawn: Draws
    short: Draws
    unmet_h_per_year: Draws
    places: NDArray[np.intp]
    bodies: dict[str, Body] = field(default_factory=dict)
    kept_causes: dict[str, set[tuple[str, Side]]] = field(default_factory=dict)
    told: dict[str, dict[tuple[str, Side], Summary]] = field(default_factory=dict)

    def of(self, letters: Sequence[str]) -> Draws:
        """Ranked amounts of some designs, in their order. [USD]"""
        return self.ranked_usd[[self.letters.index(letter) for letter in letters]]

    def note_bodies(self, bodies: dict[str, Body]) -> None:
        """Keep what is known of kept designs at the first block of trials."""
        if not self.bodies:
            self.bodies = bodies
            self.told = {letter: body.told.copy() for letter, body in bodies.items()}

    def note_causes(self, letter: str, book: DrawBook, block: Block) -> None:
        """Keep what each cause comes to in a block, but where that has been told."""
        parts, told = self.causes_usd[letter], self.told.get(letter, {})
        if letter not in self.kept_causes:
            self.kept_causes[letter] = self._kept_causes(letter, book)
        kept = self.kept_causes[letter]
        for key, amounts in book.causes_usd.items():
            if key in kept and key in told:
                continue
            if key not in parts:
                parts[key] = np.zeros(self.drawn.shape[1])
            parts[key][block] = amounts

    def _kept_causes(self, letter: str, book: DrawBook) -> set[tuple[str, Side]]:
        """Causes of which nothing was written since the design was kept."""
        body = self.bodies.get(letter)
        if body is None:
            return set()
        before = body.book.causes_usd
        return {key for key, amounts in book.causes_usd.items() if before.get(key) is amounts}

    def of_causes(
        self, letter: str, say: Callable[[Draws], Summary]
    ) -> dict[tuple[str, Side], Summary]:
        """Say something of each cause, once where it is kept; puts the amounts out of order."""
        found = {key: say(row) for key, row in self.causes_usd[letter].items()}
        kept = self.kept_causes[letter]
        if letter in self.bodies:
            self.bodies[letter].told.update({key: found[key] for key in kept & found.keys()})
        told = self.told.get(letter, {})
        return {**{key: told[key] for key in kept & told.keys()}, **found}


# Arrays of few trials, by what they were drawn from: while a slider is held most are the same.
_ARRAYS_BYTES = 32_000_000
_arrays: Latest[Draws] = Latest(_ARRAYS_BYTES, lambda array: array.nbytes)


def one_array(make: Callable[[], Draws], count: int, *key: Hashable) -> Draws:
    """The array of a key, the same object again where it is kept; never changed in place."""
    if count > TRIALS_KEPT:
        return make()
    found = _arrays.get((count, *key))
    if found is None:
        found = make()
        _arrays.put((count, *key), found)
    return found


def drawn_uniforms(
    quantities: Sequence[Quantity], given: Sequence[Correlation], count: int, seed: int
) -> list[Drawn]:
    """One uniform a quantity and trial; the correlated ones by a Gaussian copula.

    With each stands what it was drawn from.
    """
    keys = tuple(correlated_keys(given))
    joined: dict[str, Drawn] = {}
    if keys:
        factor = lower_factor(normal_matrix(keys, given))
        if factor is None:
            raise ValueError(given)
        told = (keys, tuple(map(tuple, factor)), seed)
        rows = one_array(lambda: np.stack(copula(keys, factor, count, seed)), count, *told)
        joined = {key: (row, (key, *told)) for key, row in zip(keys, rows, strict=True)}

    return [joined.get(item.key) or _drawn(item.key, count, seed) for item in quantities]


def _drawn(key: str, count: int, seed: int) -> Drawn:
    return one_array(lambda: uniforms(key, count, seed), count, key, seed), (key, seed)


def values_at_ends(quantities: Sequence[Quantity]) -> dict[Path, Any]:
    """Each quantity at the two ends of its range in turn, the others at their means.

    In the last place all of them are at their means.
    """
    count = 2 * len(quantities) + 1
    values: dict[Path, Any] = {}
    for place, quantity in enumerate(quantities):
        for member in quantity.members:
            ends = _ends(member, place, count)
            values[member.leaf.path] = one_array(ends, count, "ends", place, member.triple)
    return values


def _ends(member: Member, place: int, count: int) -> Callable[[], Draws]:
    def made() -> Draws:
        row = np.full(count, sum(member.triple) / 3.0)  # the mean of a triangular distribution
        row[2 * place], row[2 * place + 1] = member.low, member.high
        return row

    return made


def run_trials(
    evaluator: Evaluator, quantities: Sequence[Quantity], letters: list[str], count: int
) -> Trials:
    """Draw every quantity and choice once a trial and cost every design in it.

    Trials of one combination of alternatives are costed together, as trials of the study that
    has these entered.
    """
    study = evaluator.study
    unsettled = unsettled_of(study)
    rows = drawn_uniforms(quantities, study.assumptions.correlations, count, study.seed)
    months = study.assumptions.horizon_months + 1
    trials = Trials(
        letters,
        np.empty((len(letters), count)),
        {letter: np.empty((months, count), dtype=np.float32) for letter in letters},
        {letter: {} for letter in letters},
        np.empty((len(quantities), count)),
        np.empty((len(letters), count)),
        np.empty((len(letters), count)),
        alternatives(unsettled, count, study.seed),
    )
    if unsettled:
        for place, (quantity, (row, _)) in enumerate(zip(quantities, rows, strict=True)):
            trials.drawn[place] = triangular(quantity.widest.triple, row)
    number = 0
    for one in combinations_of(study):
        here = evaluator if not one.places else Evaluator(one.study, Scene(one.study).curves)
        for block in _blocks(trials.places, one.places):
            _run_block(trials, here, quantities, rows, (number, block))
            number += 1
    return trials


def alternatives(unsettled: Sequence[Unsettled], count: int, seed: int) -> NDArray[np.intp]:
    """Alternative of each choice in each trial, shape (choices, count).

    Trials are stratified: each alternative has its share of them, to one trial.
    """
    places = np.empty((len(unsettled), count), dtype=np.intp)
    for place, one in enumerate(unsettled):
        ranks = np.argsort(np.argsort(uniforms(one.key, count, seed)))
        ends = np.cumsum([option.odds_fraction for option in one.options])
        found = np.searchsorted(ends, (ranks + 0.5) / count, side="right")
        # rounding leaves the last end a little below 1
        likely = [at for at, option in enumerate(one.options) if option.odds_fraction > 0]
        places[place] = np.minimum(found, likely[-1])
    return places


def _blocks(places: NDArray[np.intp], taken: tuple[int, ...]) -> Iterator[Block]:
    """The trials of a combination, so many at once."""
    count = places.shape[1]
    if not taken:
        for start in range(0, count, BLOCK):
            yield slice(start, min(start + BLOCK, count))
        return
    mine = np.flatnonzero((places == np.array(taken)[:, None]).all(axis=0))
    for start in range(0, mine.size, BLOCK):
        yield mine[start : start + BLOCK]


def _run_block(
    trials: Trials,
    evaluator: Evaluator,
    quantities: Sequence[Quantity],
    rows: Sequence[Drawn],
    at: tuple[int, Block],
) -> None:
    number, block = at
    total = trials.drawn.shape[1]
    which: Hashable = block.tobytes() if isinstance(block, np.ndarray) else block.start
    values: dict[Path, Any] = {}
    uniform = {one.key: row for one, row in zip(quantities, rows, strict=True)}
    for quantity in quantities if isinstance(block, slice) else quantities_of(evaluator.study):
        # what an alternative alone has of ranges is drawn for it
        row, told = uniform.get(quantity.key) or _drawn(quantity.key, total, evaluator.study.seed)
        for member in quantity.members:
            draw = partial(triangular, member.triple, row[block])
            values[member.leaf.path] = one_array(draw, total, which, member.triple, *told)
    if isinstance(block, slice):
        for place, quantity in enumerate(quantities):
            trials.drawn[place, block] = values[quantity.widest.leaf.path]
    count = block.stop - block.start if isinstance(block, slice) else block.size
    kept = Kept(IN_TRIALS, number) if total <= TRIALS_KEPT and number < BLOCKS_MOST else None
    _, items, bodies = evaluator.kept(values, count, None, kept)
    if isinstance(block, slice):
        # With alternatives a sum over all trials is over designs that are kept and others.
        trials.note_bodies(bodies)
    for item in items:
        book = draw_book(item)
        letter, place = item.letter, trials.letters.index(item.letter)
        trials.short[place, block] = np.asarray(item.short)
        trials.unmet_h_per_year[place, block] = np.asarray(item.unmet_h_per_year)
        if isinstance(block, slice):
            running = trials.cumulative_usd[letter][:, block]
            trials.ranked_usd[place, block] = book.accumulate(running)
        else:
            months = evaluator.study.assumptions.horizon_months + 1
            running = np.empty((months, count), dtype=np.float32)
            trials.ranked_usd[place, block] = book.accumulate(running)
            _put(trials.cumulative_usd[letter], running, block)
        trials.note_causes(letter, book, block)


def _put(
    cumulative: NDArray[np.float32], running: NDArray[np.float32], block: NDArray[np.intp]
) -> None:
    """Put running sums over another horizon where the months of the study are.

    After a shorter one they stay; of a longer one the last month has all that follows.
    """
    months = min(len(cumulative), len(running))
    cumulative[:months, block] = running[:months]
    cumulative[months - 1 if len(running) > months else months :, block] = running[-1]
