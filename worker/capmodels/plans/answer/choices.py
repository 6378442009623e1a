"""Alternatives in sentences: "D is cheapest in 94% of the simulations (48 months), in 68% (36)"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import percent
from capmodels.plans.words import inside
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.comparison import ChoiceOdds, TornadoBar


def alternatives_sentence(choice: ChoiceOdds, letter: str) -> str:
    """Say in how many simulations a design is the cheapest with each alternative of a choice."""
    seen = [one for one in choice.alternatives if one.draws_count]
    shares = [percent(one.wins[letter]) for one in seen]
    shares[0] = f"{shares[0]} of the simulations"
    said = [f"in {share} ({one.label})" for share, one in zip(shares, seen, strict=True)]
    return f"{choice.label}: {letter} is cheapest {listed(said)}."


def moves_most(
    tornado: Sequence[TornadoBar], choices: Sequence[ChoiceOdds], winner: str, rival: str
) -> tuple[str, ...]:
    """Return keys of quantities and pointers of choices, what moves the lead furthest first.

    A quantity moves it from one end of its range to the other, a choice between the alternatives
    with which the mean lead differs most.
    """
    widths = {bar.quantity: abs(bar.at_high_usd - bar.at_low_usd) for bar in tornado}
    for choice in choices:
        leads = [
            one.mean_usd[winner] - one.mean_usd[rival]
            for one in choice.alternatives
            if {winner, rival} <= one.mean_usd.keys()
        ]
        if len(leads) > 1:
            widths[choice.pointer] = max(leads) - min(leads)
    return tuple(sorted(widths, key=lambda key: -widths[key]))


def turning_clauses(choices: Sequence[ChoiceOdds], study: Any) -> dict[tuple[str, ...], list[str]]:
    """Return the alternatives with which other designs are cheapest on average, by those."""
    clauses: dict[tuple[str, ...], list[str]] = {}
    for choice in choices:
        for one in choice.alternatives:
            if one.cheapest is not None and one.gap_usd is not None and one.gap_usd < 0:
                words = f"{one.label} ({inside(study, choice.pointer, choice.label)})"
                clauses.setdefault((one.cheapest, *one.tied), []).append(words)
    return clauses
