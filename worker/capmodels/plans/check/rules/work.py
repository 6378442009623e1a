"""Rule 1: work. The same work, by measured speeds of cores and one headroom."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.performance.core_speed import processor_in, ratio_of_processor, ratio_of_vcpu
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.performance.core_speed import Speed
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec


# A vCPU is a hyperthread on most families, a core on some: as its default in the document.
SPREAD = (0.8, 1.25)


def find(study: StudySpec) -> Iterator[Found]:
    """Speeds per core not measured or without a range, and nodes filled more than the rest."""
    if demand_of(study) is None:
        return
    yield from _unmeasured(study)
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


def _unmeasured(study: StudySpec) -> Iterator[Found]:
    """Cores whose speed nobody entered, beside those of another processor.

    They count as reference cores. Processors differ where another design says its own speed, or
    where both are named and measured otherwise.
    """
    cores = list(_cores(study))
    known = {round(one.known.value, 2) for one in cores if one.known is not None}
    told = any(one.entered for one in cores)
    if len({one.letter for one in cores}) < _TWO or not (told or len(known) > 1):
        return
    for one in cores:
        if one.entered or (one.known is not None and abs(one.known.value - 1.0) < _SAME):
            continue
        begin = f"No speed of {one.what} is entered: it counts as a reference core. "
        if one.known is None:
            yield Found(one.pointer, f"{begin}Enter one that was measured with the work.")
            continue
        speed = round(one.known.value, 2)
        yield Found(
            one.pointer,
            f"{begin}Fix: {speed:g}, {one.known.source}.",
            (Change(one.pointer, speed),),
        )


_TWO = 2
# A speed so near that of the reference is none to enter.
_SAME = 0.03


@dataclass(frozen=True, slots=True)
class _Core:
    """A core, or vCPU, that carries work: where its speed is entered, and what is known of it."""

    letter: str
    pointer: str
    what: str
    entered: bool
    known: Speed | None


def _cores(study: StudySpec) -> Iterator[_Core]:
    for design in clouds(study):
        for place, item in enumerate(design.instances):
            at = f"/designs/{design.letter}/instances/{place}/perf_per_vcpu_ratio"
            entered = "perf_per_vcpu_ratio" in item.model_fields_set
            family = _FAMILY.match(item.name) if design.provider == "aws" else None
            known = ratio_of_vcpu(family[1]) if family else None
            what = f"a vCPU of {item.name} in {design.letter}"
            if not item.gpus_count:
                yield _Core(design.letter, at, what, entered, known)
    for owned in clusters(study):
        for place, group in enumerate(owned.node_groups):
            if group.role in {"compute", "compute_and_block"} and group.cores_per_node_count > 0:
                at = f"/designs/{owned.letter}/node_groups/{place}/perf_per_core_ratio"
                entered = "perf_per_core_ratio" in group.model_fields_set
                name = processor_in(group.name)
                known = None if name is None else ratio_of_processor(name)
                what = f"a core of {group.name} in {owned.letter}"
                yield _Core(owned.letter, at, what, entered, known)


_FAMILY = re.compile(r"(?:AWS )?([a-z]+\d[a-z0-9-]*)\.")


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
