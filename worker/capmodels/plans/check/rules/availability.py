"""Rule 2: availability. One side stands in several zones, the other on one site."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from capmodels.numbers import percent
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.plans.costing.scene import Scene
from capmodels.reliability.spares import SparesParams, chance_of_more, spares
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Sites and spare nodes that one side has and the other has not."""
    yield from _one_site(study)
    yield from _spare_gpus(study)
    yield from _few_spares(study)


def _few_spares(study: StudySpec) -> Iterator[Found]:
    """Owned machines of which more are out of use than there are to spare, beside rented ones.

    A provider gives another instance at once. Machines for GPUs have a finding of their own.
    """
    work = demand_of(study)
    if work is None or not clouds(study) or not work.availability.spare_nodes_count:
        return
    columns = {column.result.letter: column.result for column in columns_of(study, Scene(study))}
    asked = work.availability.spare_nodes_count
    for design in clusters(study):
        counts = {one.name: ceil(one.count) for one in columns[design.letter].sizing[-1].groups}
        for place, group in enumerate(design.node_groups):
            given = asked if group.spare_nodes_count is None else group.spare_nodes_count
            sized = {"compute", "compute_and_block", "block", "object", "archive"}
            if group.count is not None or group.role not in sized or not counts.get(group.name):
                continue
            params = SparesParams(units_count=counts[group.name], least_count=asked)
            found = spares(params)
            mean = found.failed_count
            if given < found.spares_count:
                at = f"/designs/{design.letter}/node_groups/{place}/spare_nodes_count"
                chance = chance_of_more(mean, given)
                yield Found(
                    at,
                    f"{design.letter} has {given:,} to spare of {counts[group.name]:,} {group.name}"
                    f", and {percent(chance)} of the time more than that are out of use "
                    f"({percent(params.failures_per_year)} fail in a year, assumed; rented ones "
                    f"are replaced at once). Fix: {found.spares_count:,}, which run out "
                    f"{percent(found.chance_fraction)} of the time.",
                    (Change(at, found.spares_count),),
                )


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
