"""Rule 4: migration. Some designs pay for leaving a place that others leave for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec

COPIED = ("labour_usd", "parallel_months", "parallel_letter", "exit_tb", "exit_usd_per_gb")


def find(study: StudySpec) -> Iterator[Found]:
    """Designs that move from the same place without labour and parallel months."""
    paying = [
        d for d in study.designs if d.migration.labour_usd > 0 and d.migration.parallel_letter
    ]
    for payer in paying[:1]:
        origin = payer.migration.parallel_letter
        for design in study.designs:
            move = design.migration
            free = move.labour_usd <= 0 and move.parallel_months <= 0
            if design.letter != origin and free:
                at = f"/designs/{design.letter}/migration"
                yield Found(
                    f"{at}/labour_usd",
                    f"{payer.letter} pays for the exit from {origin}; {design.letter} leaves the "
                    f"same "
                    "place for nothing. Fix: labour, parallel months and exit as in "
                    f"{payer.letter}.",
                    tuple(
                        Change(f"{at}/{name}", getattr(payer.migration, name)) for name in COPIED
                    ),
                )


RULE = Rule(4, "Same origin of migration", find)
