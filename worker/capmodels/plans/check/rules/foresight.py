"""Rule 8: foresight. Designs sized to a demand that nobody knew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Studies that size each simulation by its own demand."""
    if study.assumptions.foresight:
        yield Found(
            "/assumptions/foresight",
            "Every simulation is sized to its own demand, as if it had been known at the start. "
            "Fix: decide by the plan and by what was observed.",
            (Change("/assumptions/foresight", False),),
        )


RULE = Rule(8, "No foresight", find)
