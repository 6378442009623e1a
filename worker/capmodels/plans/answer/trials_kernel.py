"""Trials: every quantity drawn, every design costed in each trial. NumPy.

The designs are costed by the same equations as the point (``costing.designs``), with arrays in
place of the inputs that vary.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.sampling_kernel import copula, triangular, uniforms
from capmodels.plans.costing.book import Discount
from capmodels.plans.costing.book_kernel import DrawBook, Factors
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.correlations import correlated_keys, lower_factor, normal_matrix
from capmodels.plans.document.pointers import substitute
from capmodels.series import MatrixForm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.plans.causes import Side
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.scene import Curves
    from capmodels.plans.document.correlations import Correlation
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.quantities import Quantity
    from capmodels.plans.document.study import StudySpec

    Draws = NDArray[np.float64]

# Trials costed at once: so many that all months of a design stay in the processor's cache.
BLOCK = 5000


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
        study = substitute(self.study, values) if values else self.study
        scene = Scene(study, self.curves, MatrixForm(), planned=self._planned)
        rate = scene.assumptions.nominal_discount_fraction_per_year
        discount = Discount(rate, scene.months) if scene.by_value else None
        factors = Factors(scene.months, discount)
        books: list[DrawBook] = []

        def make_book() -> DrawBook:
            books.append(DrawBook(scene.months, count, factors))
            return books[-1]

        return scene, cost_designs(scene, make_book, only), books

    def totals(self, values: dict[Path, Any], letters: list[str], count: int) -> Draws:
        """Ranked amounts, shape (designs, count)."""
        _, books = self.books(values, count, set(letters))
        return np.stack([books[letter].ranked_usd() for letter in letters])


@dataclass(slots=True)
class Trials:
    """What every trial came to: the amounts that designs are ranked by, and running sums.

    ``ranked_usd`` has a row a design, ``drawn`` a row a quantity: the values of its widest
    field. ``cumulative_usd`` leads to the ranked amounts by month; ``causes_usd`` are their
    parts by design, cause and side; ``short`` is 1 where a design does not meet a trial's
    demand.
    """

    letters: list[str]
    ranked_usd: Draws
    cumulative_usd: dict[str, NDArray[np.float32]]
    causes_usd: dict[str, dict[tuple[str, Side], Draws]]
    drawn: Draws
    short: Draws
    unmet_h_per_year: Draws

    def of(self, letters: Sequence[str]) -> Draws:
        """Ranked amounts of some designs, in their order. [USD]"""
        return self.ranked_usd[[self.letters.index(letter) for letter in letters]]


def drawn_uniforms(
    quantities: Sequence[Quantity], given: Sequence[Correlation], count: int, seed: int
) -> list[Draws]:
    """One uniform a quantity and trial; the correlated ones by a Gaussian copula."""
    keys = correlated_keys(given)
    joined: dict[str, Draws] = {}
    if keys:
        factor = lower_factor(normal_matrix(keys, given))
        if factor is None:
            raise ValueError(given)
        joined = dict(zip(keys, copula(keys, factor, count, seed), strict=True))
    return [
        joined[item.key] if item.key in joined else uniforms(item.key, count, seed)
        for item in quantities
    ]


def run_trials(
    evaluator: Evaluator, quantities: Sequence[Quantity], letters: list[str], count: int
) -> Trials:
    """Draw every quantity once a trial and cost every design in it."""
    study = evaluator.study
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
    )
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        values: dict[Path, Any] = {}
        for place, (quantity, row) in enumerate(zip(quantities, rows, strict=True)):
            for member in quantity.members:
                values[member.leaf.path] = triangular(member.triple, row[block])
            trials.drawn[place, block] = values[quantity.widest.leaf.path]
        _, items, books = evaluator.costed(values, block.stop - block.start)
        for item, book in zip(items, books, strict=True):
            letter, place = item.letter, letters.index(item.letter)
            trials.short[place, block] = item.short
            trials.unmet_h_per_year[place, block] = item.unmet_h_per_year
            trials.ranked_usd[place, block] = book.accumulate(
                trials.cumulative_usd[letter][:, block]
            )
            for key, amounts in book.causes_usd.items():
                parts = trials.causes_usd[letter]
                if key not in parts:
                    parts[key] = np.zeros(count)
                parts[key][block] = amounts
    return trials
