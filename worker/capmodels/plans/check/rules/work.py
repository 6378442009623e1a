"""Rule 1: work. The same work, by measured speeds of cores and one headroom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec


# A vCPU is a hyperthread on most families, a core on some: as its default in the document.
SPREAD = (0.8, 1.25)


def find(study: StudySpec) -> Iterator[Found]:
    """Speeds per core without a range, and nodes filled more than the rest of the work."""
    if demand_of(study) is None:
        return
    speeds = list(_speeds(study))
    ranged = {item.pointer for item in study.ranges}
    differ = len({speed for _, _, speed in speeds}) > 1
    for pointer, name, speed in speeds:
        if differ and speed != 1.0 and pointer not in ranged:
            low, high = speed * SPREAD[0], speed * SPREAD[1]
            wide = {"pointer": pointer, "low": low, "high": high}
            yield Found(
                pointer,
                f"The speed of {name} ({speed:g} of a reference core) has no range. Measure it "
                f"with the work. Fix: from {low:.2f} to {high:.2f}.",
                (Change(f"/ranges/{len(study.ranges)}", wide),),
            )
    yield from _filled(study)
    yield from _served(study)


def _speeds(study: StudySpec) -> Iterator[tuple[str, str, float]]:
    """Field, name and speed of every core that carries the work."""
    for design in clouds(study):
        for place, item in enumerate(design.instances):
            at = f"/designs/{design.letter}/instances/{place}/perf_per_vcpu_ratio"
            yield at, f"a vCPU of {item.name} in {design.letter}", item.perf_per_vcpu_ratio
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            if group.role in {"compute", "compute_and_block"}:
                at = f"/designs/{owned.letter}/node_groups/{place}/perf_per_core_ratio"
                yield at, f"a core of {group.name} in {owned.letter}", group.perf_per_core_ratio


def _filled(study: StudySpec) -> Iterator[Found]:
    """Groups that are sized without the headroom that the other designs have."""
    others = len(clouds(study)) + len(clusters(study)) > 1
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            if others and group.fill is not None:
                at = f"/designs/{owned.letter}/node_groups/{place}/fill"
                yield Found(
                    at,
                    f"{group.name} in {owned.letter} is filled as its own run says, the other "
                    "designs have the workload's headroom. Fix: the workload's headroom for all.",
                    (Change(at, None),),
                )


def _served(study: StudySpec) -> Iterator[Found]:
    """Designs without other services where another of them buys some for the same work."""
    designs: list[Cloud | OwnedCluster] = [*clouds(study), *clusters(study)]
    having = [design for design in designs if design.services]
    for design in designs:
        if having and not design.services:
            other, at = having[0], f"/designs/{design.letter}/services"
            names = listed([line.name for line in other.services])
            lines = [line.model_dump(mode="json") for line in other.services]
            yield Found(
                at,
                f"{other.letter} buys other services ({names}), {design.letter} has none: its own "
                "take nodes and people. Fix: the same lines, until those are counted.",
                (Change(at, lines),),
            )


RULE = Rule(1, "Same work", find)
