"""Rule 16: list prices against negotiated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.check.rule import Change, Found, Rule, clouds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Clouds at list price beside clouds with a discount on the whole bill."""
    shares = {d.letter: d.negotiated_discount_fraction for d in clouds(study)}
    most = max(shares.values(), default=0.0)
    for letter, share in shares.items():
        if most > 0 and share <= 0:
            pointer = f"/designs/{letter}/negotiated_discount_fraction"
            yield Found(
                pointer,
                f"{letter} pays list prices, another design gets {percent(most)} off. Fix: the "
                "same discount on both.",
                (Change(pointer, most),),
            )


RULE = Rule(16, "List or negotiated prices", find)
