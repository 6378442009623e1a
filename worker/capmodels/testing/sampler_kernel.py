"""Odds and means by a sampler of its own, to hold those of ``plans.compare`` against. NumPy.

Nothing here is shared with the draws of the plan but the equations of cost: numbers come from
one generator of NumPy's, triangles from their own inverse, correlations from SciPy's normal
distribution, sums and shares from books and counts of this file. The equations in their form
for arrays are held against those of the point, at some of the trials.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from capmodels.plans.compare import compare
from capmodels.plans.costing.book import Book
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Curves, Scene
from capmodels.plans.document.pointers import substitute
from capmodels.plans.document.quantities import quantities_of
from capmodels.series import MatrixForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.amounts import Amount
    from capmodels.plans.comparison import Comparison
    from capmodels.plans.costing.book import Line
    from capmodels.plans.document.quantities import Quantity
    from capmodels.plans.document.study import StudySpec
    from capmodels.series import Series

    Draws = NDArray[np.float64]

BLOCK = 10_000
# A share is held against another with so many errors between them.
ERRORS = 4.0
NEAR_FRACTION = 0.01


class PaidBook(Book):
    """Present values of all payments of some trials, added up as they are written."""

    def __init__(
        self, months: int, count: int, step: float | Draws, *, round_years: bool = False
    ) -> None:
        """``step`` is the present value of a payment one month later."""
        super().__init__(months, round_years=round_years)
        self.step = step
        self.paid: Draws = np.zeros(count)
        self.running: Draws = np.zeros((months, count))

    def _pay(self, amount: Any, month: int) -> None:
        self.paid = self.paid + amount * self.step**month

    def write(self, line: Line) -> None:
        """Write a line."""
        if not isinstance(line.at, range):
            self._pay(line.usd, line.at)
            return
        by_month = isinstance(line.usd, list) or np.ndim(line.usd) > 1
        for place, month in enumerate(line.at):
            amount = line.usd[place] if by_month else line.usd
            self._pay(amount, month + 1)
            if line.cause != "migration":
                self.running[month] = self.running[month] + np.asarray(amount)

    def bill(self, total_usd: Series, parts_usd: dict[str, Series], ratio: Amount) -> None:
        """Pay a provider's bill at the end of every month. [USD]"""
        self.series("bill", total_usd)

    def paid_months(self) -> Any:
        """What running costs at the end of each month, without migration or purchases."""
        return self.running

    def cash(self) -> Any:
        """Not asked for without tax, which the sampler leaves to other tests."""
        raise NotImplementedError

    capital_cash = cash


@dataclass(slots=True)
class Sample:
    """Trials of the sampler: cost and shortfall by design, a row each."""

    letters: list[str]
    usd: Draws
    short: Draws


def sampled(study: StudySpec, trials: int, seed: int) -> Sample:
    """Draw and cost every design of a study so many times."""
    rng = np.random.default_rng(seed)
    blocks = [_block(study, min(BLOCK, trials - at), rng) for at in range(0, trials, BLOCK)]
    return Sample(
        blocks[0].letters,
        np.concatenate([block.usd for block in blocks], axis=1),
        np.concatenate([block.short for block in blocks], axis=1),
    )


def _block(study: StudySpec, count: int, rng: np.random.Generator) -> Sample:
    return _costed(study, drawn(study, count, rng), count)


def drawn(study: StudySpec, count: int, rng: np.random.Generator) -> dict[Any, Draws]:
    """Values of every field with a range, by its path."""
    quantities = quantities_of(study)
    shares = _shares(study, quantities, count, rng)
    return {
        member.leaf.path: _triangle(shares[item.key], member.triple)
        for item in quantities
        for member in item.members
    }


def _shares(
    study: StudySpec, quantities: list[Quantity], count: int, rng: np.random.Generator
) -> dict[str, Draws]:
    """A uniform of every quantity; ranks go together as the study says."""
    keys = [item.key for item in quantities]
    matrix = np.eye(len(keys))
    for pair in study.assumptions.correlations:
        row, column = keys.index(pair.first), keys.index(pair.second)
        # Ranks of two normal variables: Pearson 1907.
        matrix[row, column] = matrix[column, row] = 2 * np.sin(np.pi * pair.spearman_ratio / 6)
    values, vectors = np.linalg.eigh(matrix)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    normal = root @ rng.standard_normal((len(keys), count))
    return dict(zip(keys, special.ndtr(normal), strict=True))


def _triangle(share: Draws, ends: tuple[float, float, float]) -> Draws:
    low, mode, high = ends
    width = high - low
    if width <= 0:
        return np.full(share.shape, mode)
    turn = (mode - low) / width
    below = low + width * np.sqrt(share * turn)
    above = high - width * np.sqrt((1.0 - share) * (1.0 - turn))
    found: Draws = np.where(share <= turn, below, above)
    return found


def _costed(study: StudySpec, values: dict[Any, Draws], count: int) -> Sample:
    curves = Curves(study)
    planned = None if study.assumptions.foresight else Scene(study, curves)
    asked = substitute(study, values) if values else study
    scene = Scene(asked, curves, MatrixForm(), planned=planned)
    yearly = scene.assumptions.nominal_discount_fraction_per_year
    by_value = study.assumptions.ranked_by == "present_value"
    step = (1.0 + yearly) ** (-1 / 12) if by_value else 1.0
    paper = study.assumptions.rounding == "paper"
    items = cost_designs(scene, lambda: PaidBook(scene.months, count, step, round_years=paper))
    nothing = np.zeros(count)
    return Sample(
        [item.letter for item in items],
        np.stack([nothing + _paid(item.book) for item in items]),
        np.stack([nothing + np.asarray(item.short) for item in items]),
    )


def _paid(book: Book) -> Draws:
    if not isinstance(book, PaidBook):
        raise TypeError
    return book.paid


@dataclass(slots=True)
class Held:
    """A study's answer held against the sampler: what was compared, and what is too far."""

    compared: int = 0
    worst_errors: float = 0.0
    found: list[str] = field(default_factory=list)

    def hold(self, what: str, told: float, own: float, error: float, scale: float) -> None:
        """Hold one number, with the error of the difference; sums differ in their last bits."""
        gap = abs(told - own)
        self.compared += 1
        if gap <= 1e-9 * max(abs(scale), 1.0):
            return
        errors = gap / error if error > 0 else float("inf")
        self.worst_errors = max(self.worst_errors, errors)
        if errors > ERRORS:
            self.found.append(f"{what}: {told:.6g} against {own:.6g}, {errors:.1f} errors apart")


def hold(study: StudySpec, trials: int, seed: int) -> Held | None:
    """Hold a study's answer against so many trials; None where nothing of it is drawn."""
    told = compare(study)
    if told.designs[0].mean_usd is None or study.assumptions.tax.counted:
        return None
    own, held = sampled(study, trials, seed), Held()
    draws = study.draws_count
    spread = np.sqrt(1.0 / draws + 1.0 / trials)
    for column in told.designs:
        usd = own.usd[own.letters.index(column.letter)]
        mean, error = float(usd.mean()), float(usd.std()) * float(spread)
        held.hold(f"mean of {column.letter}", column.mean_usd or 0.0, mean, error, mean)
        met = 1.0 - float(own.short[own.letters.index(column.letter)].mean())
        told_met = column.met_fraction or 0.0
        held.hold(f"{column.letter} meets demand", told_met, met, _share_error(met, draws), 1.0)
    _hold_odds(told, own, held, draws)
    return held


def _share_error(share: float, draws: int) -> float:
    """Error of a share counted in some draws; one that is never seen may come once in them."""
    kept = min(max(share, 1.0 / draws), 1.0 - 1.0 / draws)
    return float(np.sqrt(kept * (1.0 - kept) / draws))


def _hold_odds(told: Comparison, own: Sample, held: Held, draws: int) -> None:
    if told.odds is None:
        return
    letters = list(told.odds.wins)
    usd = own.usd[[own.letters.index(letter) for letter in letters]]
    least = usd.min(axis=0)
    cheapest = usd == least
    shares = (cheapest / cheapest.sum(axis=0)).mean(axis=1)
    for letter, share in zip(letters, shares.tolist(), strict=True):
        error = _share_error(share, draws)
        held.hold(f"{letter} is cheapest", told.odds.wins[letter], share, error, 1.0)
    for column in told.designs:
        if column.letter in letters and column.regret_usd is not None:
            regret = usd[letters.index(column.letter)] - least
            mean, error = float(regret.mean()), float(regret.std() / np.sqrt(draws))
            scale = float(np.abs(usd[letters.index(column.letter)]).mean())
            held.hold(f"regret of {column.letter}", column.regret_usd, mean, error, scale)
    leader = usd[letters.index(_leader(told, letters))]
    for pair in told.odds.pairs:
        rival = usd[letters.index(pair.rival)]
        share = float(((leader < rival) + 0.5 * (leader == rival)).mean())
        error = _share_error(share, draws)
        held.hold(f"cheaper than {pair.rival}", pair.cheaper_fraction, share, error, 1.0)


def _leader(told: Comparison, letters: list[str]) -> str:
    rivals = {pair.rival for pair in told.odds.pairs} if told.odds else set()
    return next(letter for letter in letters if letter not in rivals)


def point_findings(study: StudySpec, trials: int, seed: int) -> Iterator[str]:
    """Trials whose cost is not that of the study with their values in place of its own.

    In hindsight, for the point knows its demand.
    """
    seen = substitute(study, {("assumptions", "foresight"): True, ("draws_count",): 0})
    values = drawn(seen, trials, np.random.default_rng(seed))
    own = _costed(seen, values, trials)
    for trial in range(trials):
        entered = substitute(seen, {path: float(row[trial]) for path, row in values.items()})
        for column in compare(entered).designs:
            usd = float(own.usd[own.letters.index(column.letter), trial])
            if abs(usd - column.ranked_usd) > 1e-9 * max(abs(usd), 1.0):
                yield f"trial {trial} of {column.letter}: {usd:.9g}, not {column.ranked_usd:.9g}"
