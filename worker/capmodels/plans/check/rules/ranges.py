"""Rule 22: ranges on one side only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds
from capmodels.plans.document.pointers import leaf_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Inputs of a cloud that have a range in another cloud, where they are as uncertain."""
    ranged = {item.pointer: item for item in study.ranges}
    letters = [design.letter for design in clouds(study)]
    for tail in sorted({p[10:] for p in ranged if p.startswith("/designs/") and p[9] in letters}):
        given = next(
            ranged[f"/designs/{x}{tail}"] for x in letters if f"/designs/{x}{tail}" in ranged
        )
        like = leaf_at(study, given.pointer)
        for letter in letters:
            pointer = f"/designs/{letter}{tail}"
            leaf = leaf_at(study, pointer)
            if pointer in ranged or leaf is None or leaf.value is None or like is None:
                continue
            # What is 0 in one design and not in the other is not there, rather than certain.
            if leaf.value == 0 and like.value != 0:
                continue
            low = leaf.value - (like.value - given.low)
            high = leaf.value + (given.high - like.value)
            change = Change(
                f"/ranges/{len(study.ranges)}",
                {"pointer": pointer, "low": low, "high": high},
            )
            if not (leaf.allows(low) and leaf.allows(high)):
                continue
            yield Found(
                pointer,
                f"{leaf.facts.title} has a range in {given.pointer[9]} and none in {letter}. "
                "Fix: a range as wide.",
                (change,),
            )


RULE = Rule(22, "Ranges on all sides", find)
