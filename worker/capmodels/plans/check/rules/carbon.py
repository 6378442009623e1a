"""Rule 26: carbon of different scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Found, Rule, clouds, clusters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Making the hardware counted in some designs only."""
    if study.assumptions.carbon.gco2e_per_kwh is None:
        return
    made = {
        d.letter: d.energy is not None and d.energy.embodied_kgco2e_per_vcpu_year is not None
        for d in clouds(study)
    } | {d.letter: all(g.embodied is not None for g in d.node_groups) for d in clusters(study)}
    if all(made.values()):
        return
    for letter, counted in made.items():
        if not counted and any(made.values()):
            yield Found(
                f"/designs/{letter}",
                f"The emissions of making the hardware are counted in other designs, not in "
                f"{letter}. Enter them, in kg CO2e.",
            )


RULE = Rule(26, "Same scopes of carbon", find)
