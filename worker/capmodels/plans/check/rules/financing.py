"""Rule 20: financing mixed with the choice. A lease beside a purchase is another question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Owned designs that are leased."""
    for design in clusters(study):
        if design.finance.kind == "lease":
            pointer = f"/designs/{design.letter}/finance"
            yield Found(
                pointer,
                f"{design.letter} is leased: how it is paid for is mixed with whether to own. Fix: "
                "bought, at the discount rate; *Lease or buy* says what the lease is worth.",
                (Change(pointer, {"kind": "buy"}),),
            )


RULE = Rule(20, "Financing apart", find)
