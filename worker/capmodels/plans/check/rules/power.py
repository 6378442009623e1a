"""Rule 12: power counted twice, or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Space whose price has the power in it, and has no price."""
    for design in clusters(study):
        space = design.space
        price = space.usd_per_kw_month + space.usd_per_rack_month + space.usd_per_year
        price += sum(site.usd_per_year for site in design.sites)
        if space.electricity_included and price <= 0:
            pointer = f"/designs/{design.letter}/space/electricity_included"
            yield Found(
                pointer,
                f"The power of {design.letter} is said to be in the price of its space, which is "
                "zero. Fix: metered power.",
                (Change(pointer, False),),
            )


RULE = Rule(12, "Power counted once", find)
