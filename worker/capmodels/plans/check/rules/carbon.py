"""Rule 26: carbon of different scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters
from capmodels.plans.document.cloud import CloudEnergy
from capmodels.plans.document.embodied import VCPU_KGCO2E_PER_YEAR
from capmodels.plans.document.hardware import Embodied

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
                f"{letter}. Fix: {_typical(study, letter)}.",
                tuple(_fixes(study, letter)),
            )


def _typical(study: StudySpec, letter: str) -> str:
    if any(d.letter == letter for d in clouds(study)):
        return f"{VCPU_KGCO2E_PER_YEAR:g} kg CO2e per vCPU and year"
    return f"{Embodied().kgco2e:g} kg CO2e a node"


def _fixes(study: StudySpec, letter: str) -> Iterator[Change]:
    """Typical emissions of making what has none."""
    at = f"/designs/{letter}"
    for cloud in clouds(study):
        if cloud.letter == letter:
            energy = cloud.energy or CloudEnergy()
            counted = energy.model_dump(mode="json")
            counted |= {"embodied_kgco2e_per_vcpu_year": VCPU_KGCO2E_PER_YEAR}
            yield Change(f"{at}/energy", counted)
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            if owned.letter == letter and group.embodied is None:
                made = Embodied().model_dump(mode="json")
                yield Change(f"{at}/node_groups/{place}/embodied", made)


RULE = Rule(26, "Same scopes of carbon", find)
