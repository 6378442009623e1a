"""Rule 24: delivery. Owned machines that work before they can be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters
from capmodels.plans.check.typical import LEAD_TIME
from capmodels.plans.document.hybrid import Hybrid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec


COPIED = ("parallel_letter", "parallel_months", "parallel_usd_per_month")


def find(study: StudySpec) -> Iterator[Found]:
    """Purchases on the first day with neither a lead time nor months in which both run.

    Where nothing is rented and nobody waits, designs are alike; machines that nobody buys are
    there already.
    """
    owned = clusters(study)
    if not clouds(study) and all(design.lead_time_months <= 0 for design in owned):
        return
    for design in owned:
        waits = design.lead_time_months > 0 or design.migration.parallel_months > 0
        if not waits and not _stands(design):
            at = f"/designs/{design.letter}"
            months = LEAD_TIME.value
            place = _bridge(study, design.letter)
            changes: tuple[Change, ...] = (Change(f"{at}/lead_time_months", round(months)),)
            if place is not None:
                changes += (
                    Change(f"{at}/migration/parallel_letter", place),
                    Change(f"{at}/migration/parallel_months", months),
                )
            yield Found(
                f"{at}/lead_time_months",
                f"The machines of {design.letter} work from the first day. Fix: delivered after "
                f"{LEAD_TIME.told(study.assumptions.currency)}, and "
                + ("what carries the work" if place is None else _named(place))
                + " paid for until then.",
                changes if place is not None else (),
            )
    yield from _mixed(study)


def _stands(design: OwnedCluster) -> bool:
    """Whether no machine of a design has a price: they stand already, and are paid for."""
    return all(
        group.price.kind in {"typed", "catalogue"} and group.price.unit_price_usd <= 0
        for group in design.node_groups
    )


def _mixed(study: StudySpec) -> Iterator[Found]:
    """Mixes whose own machines work at once, while those that they are of are waited for."""
    waited = {d.letter: d.migration for d in clusters(study) if d.migration.parallel_months > 0}
    for design in study.designs:
        if not isinstance(design, Hybrid) or not design.placement.owned:
            continue
        move = waited.get(design.owned_letter)
        if move is not None and design.migration.parallel_months <= 0:
            at = f"/designs/{design.letter}/migration"
            yield Found(
                f"{at}/parallel_months",
                f"The machines of {design.letter} work from the first day, those of "
                f"{design.owned_letter} after {move.parallel_months:g} months in which "
                f"{_named(move.parallel_letter or 'another place')} is paid for. Fix: the same "
                f"months as in {design.owned_letter}.",
                tuple(Change(f"{at}/{name}", getattr(move, name)) for name in COPIED),
            )


def _bridge(study: StudySpec, letter: str) -> str | None:
    """What carries the work until machines are there: what runs today, else the first cloud."""
    if study.baseline is not None:
        return "T"
    return next((d.letter for d in clouds(study) if d.letter != letter), None)


def _named(place: str) -> str:
    return "what runs today" if place == "T" else place


RULE = Rule(24, "Delivery", find)
