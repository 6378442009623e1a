"""How sure the verdict is: draws, odds, bands, flip points and the tornado. NumPy.

The designs are costed by the same equations as the point (``costing.designs``), with arrays in
place of the inputs that vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.flips_kernel import Change, Probe, find_changes
from capmodels.explore.sampling_kernel import quantiles, triangular_draws
from capmodels.plans.answer.flips import said
from capmodels.plans.answer.inputs import Input, headline_inputs, ranged_inputs
from capmodels.plans.comparison import Flip, Odds, TornadoBar
from capmodels.plans.costing.book import Discount
from capmodels.plans.costing.book_kernel import DrawBook
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import substitute
from capmodels.plans.series import MatrixForm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Curves
    from capmodels.plans.document.assumptions import Currency
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.study import StudySpec

    Draws = NDArray[np.float64]

BANDS = (0.1, 0.5, 0.9)

# Draws costed at once: so many that all months of a design stay in the processor's cache.
BLOCK = 5000


# glibc gives freed memory back above a threshold, and every page fetched again costs more
# than the arithmetic done on it. The threshold follows the largest block ever freed; this
# one, never touched, lifts it above all that is used here.
np.empty(4_000_000)


@dataclass(slots=True)
class DesignDraws:
    """What the draws say of one design."""

    quantiles_usd: tuple[float, ...]
    win_fraction: float | None
    cumulative_usd: tuple[tuple[float, ...], ...]


@dataclass(slots=True)
class Sureness:
    """What the draws say of a study."""

    odds: Odds
    designs: dict[str, DesignDraws]
    flips: tuple[Flip, ...]
    tornado: tuple[TornadoBar, ...]


class Evaluator:
    """Costs of all designs for arrays of inputs."""

    def __init__(self, study: StudySpec, curves: Curves) -> None:
        """Keep the study and the curves, which no input changes."""
        self.study = study
        self.curves = curves
        self.by_value = study.assumptions.ranked_by == "present_value"

    def books(
        self, values: dict[Path, Any], count: int, only: set[str] | None = None
    ) -> tuple[Scene, dict[str, DrawBook]]:
        """Books of every design, or of some, with inputs replaced by arrays of draws."""
        study = substitute(self.study, values) if values else self.study
        scene = Scene(study, self.curves, MatrixForm())
        books: list[DrawBook] = []

        def make_book() -> DrawBook:
            books.append(DrawBook(scene.months, count))
            return books[-1]

        items = cost_designs(scene, make_book, only)
        return scene, {item.letter: book for item, book in zip(items, books, strict=True)}

    def rank_usd(self, scene: Scene, book: DrawBook) -> Draws:
        """Amount by which a design is ranked: its payments, or their present value."""
        series: Any = book.cash()
        if self.by_value:
            rate = scene.assumptions.discount_fraction_per_year
            series = book.present(Discount(rate, scene.months))
        total: Draws = series.sum(axis=0)
        return total

    def totals(self, values: dict[Path, Any], letters: list[str], count: int) -> Draws:
        """Ranked amounts, shape (designs, count)."""
        scene, books = self.books(values, count, set(letters))
        return np.stack([self.rank_usd(scene, books[letter]) for letter in letters])


def sureness(
    study: StudySpec, columns: list[DesignResult], order: list[DesignResult], curves: Curves
) -> Sureness | None:
    """Draw every ranged input, and move each input until the verdict flips.

    None when fewer than two designs carry the load, or nothing has a range.

    Raises
    ------
    FloatingPointError
        When a sum leaves the range of numbers.
    """
    inputs = ranged_inputs(study)
    if study.draws_count == 0 or not inputs or len(order) < 2:
        return None
    evaluator = Evaluator(study, curves)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        return _sureness(evaluator, inputs, columns, order)


def _sureness(
    evaluator: Evaluator,
    inputs: list[Input],
    columns: list[DesignResult],
    order: list[DesignResult],
) -> Sureness:
    study = evaluator.study
    letters = [column.letter for column in columns]
    carrying = [column.letter for column in order]
    designs, wins = _draw(evaluator, inputs, letters, carrying)
    best = [order[0].letter, order[1].letter]
    moved = inputs + headline_inputs(study, best)
    return Sureness(
        odds=Odds(draws_count=study.draws_count, seed=study.seed, wins=wins),
        designs=designs,
        flips=_flips(evaluator, moved, carrying),
        tornado=_tornado(evaluator, inputs, best),
    )


def _draw(
    evaluator: Evaluator, inputs: list[Input], letters: list[str], carrying: list[str]
) -> tuple[dict[str, DesignDraws], dict[str, float]]:
    study, count = evaluator.study, evaluator.study.draws_count
    triples = [(item.low or 0.0, item.value, item.high or 0.0) for item in inputs]
    drawn = triangular_draws(triples, count, study.seed)
    months = study.assumptions.horizon_months + 1
    bands = {letter: np.empty((months, count), dtype=np.float32) for letter in letters}
    totals = np.empty((len(letters), count))
    ranked = np.empty((len(carrying), count))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        values = {item.leaf.path: a[block] for item, a in zip(inputs, drawn, strict=True)}
        scene, books = evaluator.books(values, block.stop - block.start)
        for row, letter in enumerate(letters):
            totals[row, block] = books[letter].accumulate(bands[letter][:, block])
        for row, letter in enumerate(carrying):
            ranked[row, block] = (
                evaluator.rank_usd(scene, books[letter])
                if evaluator.by_value
                else totals[letters.index(letter), block]
            )
    shares = np.bincount(ranked.argmin(axis=0), minlength=len(carrying)) / count
    wins = {letter: float(share) for letter, share in zip(carrying, shares, strict=True)}
    designs = {
        letter: DesignDraws(
            quantiles_usd=tuple(float(found) for found in quantiles(totals[row], BANDS)),
            win_fraction=wins.get(letter),
            cumulative_usd=tuple(
                tuple(found.tolist()) for found in quantiles(bands[letter], BANDS)
            ),
        )
        for row, letter in enumerate(letters)
    }
    return designs, wins


def _rows(inputs: list[Input], indices: list[int], values: Draws) -> dict[Path, Draws]:
    """One array per input: its value everywhere but in its own row of values."""
    columns = {}
    for row, index in enumerate(indices):
        column = np.full(values.shape, inputs[index].value)
        column[row] = values[row]
        columns[inputs[index].leaf.path] = column.ravel()
    return columns


def _flips(evaluator: Evaluator, inputs: list[Input], carrying: list[str]) -> tuple[Flip, ...]:
    def choices(indices: list[int], values: Draws) -> NDArray[np.int64]:
        changed = _rows(inputs, indices, values)
        totals = evaluator.totals(changed, carrying, values.size)
        return totals.argmin(axis=0).reshape(values.shape)

    currency = evaluator.study.assumptions.currency
    probes = [Probe(item.value, item.far_low, item.far_high) for item in inputs]
    changes = find_changes(probes, 0, choices)
    # An input without a range is only told of when it flips the verdict.
    flips = [
        _flip(item, change, carrying, currency)
        for item, change in zip(inputs, changes, strict=True)
        if item.is_ranged or change is not None
    ]
    return tuple(sorted(flips, key=_nearness))


def _flip(item: Input, change: Change | None, carrying: list[str], currency: Currency) -> Flip:
    inside, unit = False, item.leaf.facts.unit
    if change is not None and item.low is not None and item.high is not None:
        inside = item.low <= change.value <= item.high
    reason = None
    if change is None:
        low, high = (said(end, unit, currency) for end in (item.far_low, item.far_high))
        reason = f"No value from {low} to {high} changes the winner."
    return Flip(
        pointer=item.leaf.pointer,
        label=item.label,
        unit=unit,
        value=item.value,
        flips_at=None if change is None else change.value,
        winner_after=None if change is None else carrying[change.choice],
        reason=reason,
        within_range=inside,
    )


def _nearness(flip: Flip) -> tuple[bool, float]:
    """Flips first, the nearest first: relative to the value, or as it is where that is 0."""
    if flip.flips_at is None:
        return True, 0.0
    return False, abs(flip.flips_at - flip.value) / (abs(flip.value) or 1.0)


def _tornado(evaluator: Evaluator, inputs: list[Input], best: list[str]) -> tuple[TornadoBar, ...]:
    ends = np.array([[item.low or 0.0, item.high or 0.0] for item in inputs])
    changed = _rows(inputs, list(range(len(inputs))), ends)
    totals = evaluator.totals(changed, best, ends.size)
    gaps = (totals[0] - totals[1]).reshape(ends.shape)
    bars = [
        TornadoBar(
            pointer=item.leaf.pointer,
            label=item.label,
            unit=item.leaf.facts.unit,
            value=item.value,
            low=float(item.low or 0.0),
            high=float(item.high or 0.0),
            at_low_usd=float(gap[0]),
            at_high_usd=float(gap[1]),
        )
        for item, gap in zip(inputs, gaps, strict=True)
    ]
    return tuple(sorted(bars, key=lambda bar: -abs(bar.at_high_usd - bar.at_low_usd)))
