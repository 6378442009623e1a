"""The ranges of a study's inputs as its designs come and go. No database here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.plans.document.spreads import design_spreads, shared_spreads
from capmodels.plans.document.study import RANGES_MOST
from common.errors import Invalid
from studies.documents import DESIGN_KEYS, design_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from studies.models import Design, Study


def with_room(ranges: list[Any], before_count: int = 0) -> list[Any]:
    """Return a study's ranges; a design without its own would look surer than the others.

    Raises
    ------
    Invalid
        When there are more than a study holds, and more than it had before.
    """
    if len(ranges) > max(RANGES_MOST, before_count):
        message = (
            f"With this there would be {len(ranges)} ranges, and a study holds {RANGES_MOST}. "
            "Remove some first."
        )
        raise Invalid.at("/ranges", message, "too_long")
    return ranges


def starting_ranges(study: Study, designs: Sequence[Design]) -> list[dict[str, Any]]:
    """Return the spreads of all that a new study takes from the catalogue or by default."""
    found = [
        *shared_spreads("assumptions", study.assumptions, study.assumptions_provenance),
        *shared_spreads("workload", study.workload, study.workload_provenance),
    ]
    for design in designs:
        found += _spreads(design)
    return with_room(found)


def with_design(
    ranges: Sequence[Any], design: Design, spreads: Sequence[Any] | None = None
) -> list[Any]:
    """Return a study's ranges and the spreads of a design that joins it: its own, or some.

    What already has a range keeps it.
    """
    known = [entry.get("pointer") for entry in ranges if isinstance(entry, dict)]
    joining = _spreads(design) if spreads is None else spreads
    added = [entry for entry in joining if entry["pointer"] not in known]
    return with_room([*ranges, *added], len(ranges))


def with_copy(ranges: Sequence[Any], letter: str, copy: str) -> list[Any]:
    """Return a study's ranges and those of one design for its copy."""
    head, new = f"/designs/{letter}/", f"/designs/{copy}/"
    copied = [
        {**entry, "pointer": new + entry["pointer"].removeprefix(head)}
        for entry in ranges
        if _is_below(entry, head)
    ]
    return with_room([*ranges, *copied], len(ranges))


def without_design(ranges: Sequence[Any], letter: str) -> list[Any]:
    """Return a study's ranges without those of a design that leaves it."""
    return [entry for entry in ranges if not _is_below(entry, f"/designs/{letter}/")]


def choices_without(choices: Sequence[Any], letter: str) -> list[Any]:
    """Return a study's choices without those that change a design that leaves it."""
    head = f"/designs/{letter}/"
    return [
        choice
        for choice in choices
        if not any(_is_below(entry, head) for entry in (choice, *_along(choice)))
    ]


def _along(choice: Any) -> list[Any]:
    others = choice.get("others") if isinstance(choice, dict) else None
    entries = others if isinstance(others, list) else []
    found = [other.get("along") for other in entries if isinstance(other, dict)]
    return [entry for along in found if isinstance(along, list) for entry in along]


def _is_below(entry: Any, head: str) -> bool:
    # A draft's ranges may be anything.
    return isinstance(entry, dict) and str(entry.get("pointer", "")).startswith(head)


def _spreads(design: Design) -> list[dict[str, Any]]:
    parts = {key: getattr(design, key) for key in (*DESIGN_KEYS, "spec")}
    return design_spreads(design_document(parts), design.provenance)
