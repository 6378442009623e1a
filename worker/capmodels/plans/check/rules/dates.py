"""Rule 17: prices whose dates are more than 90 days apart."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

DAYS_MOST = 90


def _dated(study: StudySpec) -> Iterator[tuple[str, str, str]]:
    """Field, name and date of every price that has one."""
    for design in clouds(study):
        for place, item in enumerate(design.instances):
            if item.price_as_of is not None:
                at = f"/designs/{design.letter}/instances/{place}/usd_per_h"
                yield at, f"{item.name} in {design.letter}", item.price_as_of
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            at = f"/designs/{owned.letter}/node_groups/{place}/price"
            parts = group.price.parts if group.price.kind == "parts" else ()
            for index, part in enumerate(parts):
                if part.price_as_of is not None:
                    yield f"{at}/parts/{index}/unit_price_usd", part.name, part.price_as_of


def find(study: StudySpec) -> Iterator[Found]:
    """Prices older than the newest by more than is alike."""
    dated = list(_dated(study))
    newest = max((day for _, _, day in dated), default="")
    for pointer, name, day in dated:
        days = (date.fromisoformat(newest) - date.fromisoformat(day)).days
        if days > DAYS_MOST:
            yield Found(
                pointer,
                f"The price of {name} is of {day}, {days} days before the newest ({newest}). "
                "Enter a price of that time, or follow its index.",
            )


RULE = Rule(17, "Prices of one time", find)
