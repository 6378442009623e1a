"""What a fix is worth: the change of the mean gap, all designs on the same trials. NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.numbers import names_at
from capmodels.plans.answer.trials_kernel import Evaluator, run_trials
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.combinations import has_unknowns
from capmodels.plans.document.quantities import quantities_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.plans.document.study import StudySpec

# The gap before and after is of the same trials, so that few tell it.
TRIALS = 1000


@dataclass(frozen=True, slots=True)
class Standing:
    """Mean cost of each design over the trials. [USD]"""

    mean_usd: dict[str, float]

    @property
    def leaders(self) -> list[str]:
        """The designs of the lowest mean: those that cost the same."""
        return sorted(names_at(self.mean_usd, min(self.mean_usd.values())))

    @property
    def leader(self) -> str:
        """The first of them."""
        return self.leaders[0]

    def gap_usd(self, letter: str) -> float:
        """How far a design is below its best rival; negative where it is above. [USD]"""
        rivals = [cost for other, cost in self.mean_usd.items() if other != letter]
        return min(rivals) - self.mean_usd[letter]


def costs_usd(study: StudySpec, letters: list[str]) -> NDArray[np.float64]:
    """Cost of some designs, a row each, in the trials of a study; once where nothing has a range.

    Two studies of the same seed have the same trials: a draw goes by the key of its quantity.
    """
    count = min(study.draws_count, TRIALS) if has_unknowns(study) else 1
    quantities = quantities_of(study) if count > 1 else []
    evaluator = Evaluator(study, Scene(study).curves)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        every = [design.letter for design in study.designs]
        every += ["T"] if study.baseline is not None else []
        trials = run_trials(evaluator, quantities, every, max(count, 1))
    return trials.of(letters)


def standing(study: StudySpec, letters: list[str]) -> Standing:
    """Cost the designs of a study in its trials; once, as entered, where nothing has a range."""
    means = costs_usd(study, letters).mean(axis=1)
    return Standing(dict(zip(letters, means.tolist(), strict=True)))


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean of some amounts, where 80% of them lie, and the share that is below zero."""

    mean: float
    low: float
    high: float
    below_fraction: float
    count: int


def spread_of(amounts: NDArray[np.float64]) -> Spread:
    """Summarise amounts of trials; ties with zero count half."""
    low, high = np.quantile(amounts, (0.1, 0.9))
    below = float(np.mean((amounts < 0) + 0.5 * (amounts == 0)))
    return Spread(float(amounts.mean()), float(low), float(high), below, amounts.size)
