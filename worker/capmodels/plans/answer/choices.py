"""Alternatives in sentences: "D is cheapest in 94% of the simulations (48 months), in 68% (36)"."""

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
    shares = [percent(one.wins[letter]) for one in seen]
    shares[0] = f"{shares[0]} of the simulations"
    said = [f"in {share} ({one.label})" for share, one in zip(shares, seen, strict=True)]
    return f"{choice.label}: {letter} is cheapest {listed(said)}."


def turning_clauses(choices: Sequence[ChoiceOdds]) -> dict[tuple[str, ...], list[str]]:
    """Return the alternatives with which other designs are cheapest on average, by those."""
    clauses: dict[tuple[str, ...], list[str]] = {}
    for choice in choices:
        for one in choice.alternatives:
            if one.cheapest is not None and one.gap_usd is not None and one.gap_usd < 0:
                words = f"{one.label} ({lowered(choice.label)})"
                clauses.setdefault((one.cheapest, *one.tied), []).append(words)
    return clauses
