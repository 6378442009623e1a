"""Rule 1: work. A vCPU that is taken for a reference core without a range was not measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Found, Rule, clouds, demand_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Speeds per core that differ between clouds and have no range."""
    if demand_of(study) is None:
        return
    ranged = {item.pointer for item in study.ranges}
    ratios = {item.perf_per_vcpu_ratio for design in clouds(study) for item in design.instances}
    for design in clouds(study):
        for place, item in enumerate(design.instances):
            pointer = f"/designs/{design.letter}/instances/{place}/perf_per_vcpu_ratio"
            if len(ratios) > 1 and item.perf_per_vcpu_ratio != 1.0 and pointer not in ranged:
                yield Found(
                    pointer,
                    f"The speed of a vCPU of {item.name} in {design.letter} "
                    f"({item.perf_per_vcpu_ratio:g} of a reference core) has no range. Measure it "
                    "with the work, or enter how far off it may be.",
                )


RULE = Rule(1, "Same work", find)
