"""Alternatives in sentences: "D is cheapest in 94% of simulations with 48 months, 68% with 36"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.words import lowered
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.comparison import ChoiceOdds


def alternatives_sentence(choice: ChoiceOdds, letter: str) -> str:
    """Say in how many simulations a design is the cheapest with each alternative of a choice."""
    seen = [one for one in choice.alternatives if one.draws_count]
    shares = [f"{percent(one.wins[letter])} with {one.label}" for one in seen]
    first, *rest = (f"in {share}" for share in shares)
    first = first.replace(" with ", " of the simulations with ", 1)
    return f"{choice.label}: {letter} is cheapest {listed([first, *rest])}."


def turning_clauses(choices: Sequence[ChoiceOdds]) -> dict[tuple[str, ...], list[str]]:
    """Return the alternatives with which other designs are cheapest on average, by those."""
    clauses: dict[tuple[str, ...], list[str]] = {}
    for choice in choices:
        for one in choice.alternatives:
            if one.cheapest is not None and one.gap_usd is not None and one.gap_usd < 0:
                words = f"{one.label} ({lowered(choice.label)})"
                clauses.setdefault((one.cheapest, *one.tied), []).append(words)
    return clauses
