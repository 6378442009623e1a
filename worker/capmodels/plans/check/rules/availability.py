"""Rule 2: availability. One side stands in several zones, the other on one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Sites and spare nodes that one side has and the other has not."""
    yield from _one_site(study)
    yield from _spare_gpus(study)


def _spare_gpus(study: StudySpec) -> Iterator[Found]:
    """Owned GPUs beyond the need beside rented ones without any."""
    work = demand_of(study)
    if work is None:
        return
    asked = work.availability.spare_nodes_count
    renting = []
    for rented in clouds(study):
        spares = [
            asked if one.spare_count is None else one.spare_count
            for one in rented.instances
            if one.gpus_count > 0
        ]
        if spares and not any(spares):
            renting.append(rented.letter)
    if work.gpu_peak_count <= 0 or not renting:
        return
    for design in clusters(study):
        for place, group in enumerate(design.node_groups):
            given = group.spare_nodes_count
            spare = asked if given is None else given
            if group.role == "gpu" and group.count is None and spare > 0:
                at = f"/designs/{design.letter}/node_groups/{place}/spare_nodes_count"
                yield Found(
                    at,
                    f"{design.letter} has {spare * group.gpus_per_node_count:g} GPUs to spare for "
                    f"a node that fails, {listed(renting)} {'has' if len(renting) == 1 else 'have'}"
                    " none. Fix: no spare GPUs.",
                    (Change(at, 0),),
                )


def _one_site(study: StudySpec) -> Iterator[Found]:
    """Owned designs of one site beside clouds with traffic between zones, free or not."""
    work = demand_of(study)
    if work is None or work.cross_zone_tb_per_month <= 0:
        return
    zoned = [d.letter for d in clouds(study)]
    if not zoned:
        return
    having = f"{listed(zoned)} {'has' if len(zoned) == 1 else 'have'}"
    for design in clusters(study):
        if len(design.sites) < 2 and work.availability.sites_count < 2:
            yield Found(
                f"/designs/{design.letter}/sites",
                f"{having} traffic between zones, {design.letter} stands on one "
                "site and does not survive its loss. Fix: two sites, each design sized to survive "
                "the loss of one.",
                (
                    Change("/workload/availability/sites_count", 2),
                    Change("/workload/availability/survive_site_loss", True),
                ),
            )


RULE = Rule(2, "Same availability", find)
