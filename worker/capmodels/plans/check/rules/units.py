"""Rule 25: one unit of data in all prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Clouds of one provider whose terabytes are not the same."""
    first: dict[str, float] = {}
    for design in clouds(study):
        size = design.storage.gb_per_tb
        known = first.setdefault(design.provider, size)
        if size != known:
            pointer = f"/designs/{design.letter}/storage/gb_per_tb"
            yield Found(
                pointer,
                f"A TB has {size:g} GB in {design.letter} and {known:g} in another design of the "
                "same provider. Fix: one size.",
                (Change(pointer, known),),
            )


RULE = Rule(25, "One unit", find)
