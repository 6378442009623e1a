"""What the trials of each alternative say of the designs: odds, gap, who is cheapest. NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.numbers import names_at
from capmodels.plans.answer.certainty_kernel import shares_of, untied
from capmodels.plans.answer.choices import alternatives_sentence
from capmodels.plans.answer.flips import said
from capmodels.plans.comparison import AlternativeOdds, ChoiceOdds
from capmodels.plans.document.combinations import said_plainly, unsettled_of
from capmodels.plans.words import label_of, share_explained

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.plans.answer.trials_kernel import Trials
    from capmodels.plans.document.combinations import Unsettled
    from capmodels.plans.document.study import StudySpec

    Draws = NDArray[np.float64]


def odds_of_choices(
    study: StudySpec, trials: Trials, order: Sequence[str], named: Sequence[str]
) -> tuple[ChoiceOdds, ...]:
    """Return each choice with what the trials of its alternatives say.

    Parameters
    ----------
    study : StudySpec
        The study as entered.
    trials : Trials
        Its trials.
    order : sequence of str
        The competing designs, the lowest mean first.
    named : sequence of str
        The leader and the rival that it is held against.

    Returns
    -------
    tuple of ChoiceOdds
        In the order of how much of the difference they explain: the variance of the mean gap
        between alternatives over the variance of the gap (the correlation ratio, Pearson 1905).
    """
    ranked = trials.of(order)
    gap = (trials.of(named[1:2]) - trials.of(named[:1]))[0]
    spread = float(gap.var())
    found = []
    for one, places in zip(unsettled_of(study), trials.places, strict=True):
        told = tuple(
            _alternative(study, one, place, (ranked[:, places == place], order))
            for place in _in_order(one)
        )
        means = [float(gap[places == place].mean()) for place in np.unique(places)]
        shares = [float((places == place).mean()) for place in np.unique(places)]
        between = float(np.dot(shares, (np.array(means) - gap.mean()) ** 2))
        share = between / spread if spread > 0 else 0.0
        choice = ChoiceOdds(
            pointer=one.leaf.pointer,
            label=one.title or label_of(study, one.leaf),
            alternatives=told,
            low=one.low,
            high=one.high,
            explains_fraction=share,
            explains=share_explained(share, study.draws_count),
        )
        sentence = alternatives_sentence(choice, order[0])
        found.append(choice.model_copy(update={"sentence": sentence}))
    return tuple(sorted(found, key=lambda choice: -(choice.explains_fraction or 0.0)))


def _in_order(one: Unsettled) -> list[int]:
    """Places of the alternatives: numbers by size, others as entered."""
    values = [option.value for option in one.options]
    places = list(range(len(values)))
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        places.sort(key=lambda place: float(values[place]))
    return places


def _alternative(
    study: StudySpec, one: Unsettled, place: int, of: tuple[Draws, Sequence[str]]
) -> AlternativeOdds:
    option, (ranked, order) = one.options[place], of
    told: dict[str, Any] = {
        "label": value_label(study, one, option.value),
        "odds_fraction": option.odds_fraction,
        "entered": not option.changes,
        "draws_count": ranked.shape[1],
    }
    if ranked.shape[1]:
        shares = shares_of(ranked)
        means = shares.mean_usd
        mean_usd = dict(zip(order, means.tolist(), strict=True))
        cheapest, *tied = sorted(names_at(mean_usd, min(mean_usd.values())))
        told |= {
            "gap_usd": float(untied(means[1:] - means[0], means[1:]).min()),
            "cheapest": cheapest,
            "tied": tuple(tied),
            "wins": dict(zip(order, shares.wins.tolist(), strict=True)),
            "mean_usd": mean_usd,
        }
    return AlternativeOdds(**told)


def value_label(study: StudySpec, one: Unsettled, value: object) -> str:
    """Return an alternative in words: 48 months, work stops."""
    if isinstance(value, int | float) and not isinstance(value, bool) and one.leaf.facts.unit:
        return said(float(value), one.leaf.facts.unit, study.assumptions.currency)
    return said_plainly(value)
