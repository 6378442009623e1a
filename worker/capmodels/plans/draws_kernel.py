"""How sure the verdict is: draws, odds, bands, flip points and the tornado. NumPy.

The designs are costed by the same equations as the point (``costing``), with arrays in
place of the inputs that vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.flips_kernel import Change, Probe, find_changes
from capmodels.explore.sampling_kernel import quantiles, triangular_draws
from capmodels.plans.book import Discount, SumBook
from capmodels.plans.comparison import Flip, Odds, TornadoBar
from capmodels.plans.costing import cost_designs
from capmodels.plans.inputs import Input, headline_inputs, ranged_inputs
from capmodels.plans.pointers import substitute
from capmodels.plans.scene import Scene

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.pointers import Path
    from capmodels.plans.scene import Curves
    from capmodels.plans.study import StudySpec

    Draws = NDArray[np.float64]

BANDS = (0.1, 0.5, 0.9)


@dataclass(slots=True)
class DesignDraws:
    """What the draws say of one design."""

    quantiles_usd: tuple[float, float, float]
    win_fraction: float | None
    cumulative_usd: tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]


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

    def books(self, values: dict[Path, Any]) -> tuple[Scene, dict[str, SumBook]]:
        """Books of every design with some inputs replaced."""
        scene = Scene(substitute(self.study, values) if values else self.study, self.curves)
        items = cost_designs(scene, lambda: SumBook(scene.months))
        return scene, {item.letter: item.book for item in items}

    def rank_usd(self, scene: Scene, book: SumBook) -> Any:
        """Amount by which a design is ranked: its payments, or their present value."""
        if not self.by_value:
            return _sum(book.cash())
        rate = scene.assumptions.discount_fraction_per_year
        return _sum(book.present(Discount(rate, scene.months)))

    def totals(self, values: dict[Path, Any], letters: list[str], count: int) -> Draws:
        """Ranked amounts, shape (designs, count)."""
        scene, books = self.books(values)
        totals = np.empty((len(letters), count))
        for row, letter in enumerate(letters):
            totals[row] = self.rank_usd(scene, books[letter])
        return totals


def _sum(series: list[Any]) -> Any:
    total = series[0]
    for amount in series[1:]:
        total = total + amount
    return total


def sureness(
    study: StudySpec, columns: list[DesignResult], order: list[DesignResult], curves: Curves
) -> Sureness | None:
    """Draw every ranged input, and move each input until the verdict flips.

    None when fewer than two designs carry the load, or nothing has a range.
    """
    inputs = ranged_inputs(study)
    if study.draws_count == 0 or not inputs or len(order) < 2:
        return None
    evaluator = Evaluator(study, curves)
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
    study = evaluator.study
    triples = [(item.low or 0.0, item.value, item.high or 0.0) for item in inputs]
    drawn = triangular_draws(triples, study.draws_count, study.seed)
    values = {item.leaf.path: array for item, array in zip(inputs, drawn, strict=True)}
    scene, books = evaluator.books(values)
    totals = np.empty((len(carrying), study.draws_count))
    for row, letter in enumerate(carrying):
        totals[row] = evaluator.rank_usd(scene, books[letter])
    shares = np.bincount(totals.argmin(axis=0), minlength=len(carrying)) / study.draws_count
    wins = {letter: float(share) for letter, share in zip(carrying, shares, strict=True)}
    designs = {
        letter: _bands(books[letter], study.draws_count, wins.get(letter)) for letter in letters
    }
    return designs, wins


def _bands(book: SumBook, count: int, win_fraction: float | None) -> DesignDraws:
    cash = book.cash()
    cumulative = np.empty((len(cash), count))
    total: Any = 0.0
    for month, amount in enumerate(cash):
        total = total + amount
        cumulative[month] = total
    low, middle, high = quantiles(cumulative, BANDS)
    return DesignDraws(
        quantiles_usd=(float(low[-1]), float(middle[-1]), float(high[-1])),
        win_fraction=win_fraction,
        cumulative_usd=(tuple(low.tolist()), tuple(middle.tolist()), tuple(high.tolist())),
    )


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

    probes = [Probe(item.value, item.far_low, item.far_high) for item in inputs]
    changes = find_changes(probes, 0, choices)
    flips = [_flip(item, change, carrying) for item, change in zip(inputs, changes, strict=True)]
    return tuple(sorted(flips, key=_nearness))


def _flip(item: Input, change: Change | None, carrying: list[str]) -> Flip:
    inside = False
    if change is not None and item.low is not None and item.high is not None:
        inside = item.low <= change.value <= item.high
    reason = None
    if change is None:
        reason = f"No value from {item.far_low:g} to {item.far_high:g} changes the winner."
    return Flip(
        pointer=item.leaf.pointer,
        label=item.label,
        unit=item.leaf.facts.unit,
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
