"""Rule 15: licences by core or socket that some owned designs pay and others do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

PRICES = (
    "usd_per_core_year",
    "usd_per_socket_year",
    "usd_per_node_year",
    "usd_per_storage_node_year",
    "usd_per_year",
)


def find(study: StudySpec) -> Iterator[Found]:
    """Owned designs without software beside owned designs with it."""
    paying = [d for d in clusters(study) if any(getattr(d.software, name) > 0 for name in PRICES)]
    for design in clusters(study):
        if paying and design not in paying:
            at = f"/designs/{design.letter}/software"
            yield Found(
                at,
                f"{paying[0].letter} pays for its software, {design.letter} does not. Fix: the "
                f"prices of {paying[0].letter}.",
                tuple(Change(f"{at}/{n}", getattr(paying[0].software, n)) for n in PRICES),
            )


RULE = Rule(15, "Licences on all sides", find)
