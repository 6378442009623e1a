"""How arrays grow: by whole ones, by nodes of one cluster, or by groups of drives within an array.

Counts are arrays' worth of drives: 13 nodes of a cluster that was entered with 12 are 13/12, three
of an array's four groups are 3/4. What stands around the drives of a cluster comes node by node;
an array has all of it, its spares and its cache, with its first group.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import as_number, ceil, is_above, maximum, minimum, nearest

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.array_spec import ArraySpec

# Nodes and placement groups that storage.cluster_code takes of one cluster.
MOST_NODES, MOST_GROUPS = 100_000, 10_000_000


class Unit(NamedTuple):
    """What arrays are counted by: its name, and how many of it one array has."""

    name: str
    per_array: int


def unit_of(array: ArraySpec) -> Unit:
    """Return what is bought one by one: arrays, nodes of a cluster, or drives of an array."""
    if not array.in_steps:
        return Unit("array" if array.code is None else "cluster", 1)
    if array.code is not None:
        return Unit("node", array.code.nodes_count)
    return Unit("drive", array.disks_count)


def step_nodes_count(array: ArraySpec) -> int:
    """Nodes that a cluster takes in at once; 0 of an array."""
    if array.code is None:
        return 0
    return (array.expansion.step_count or 1) * array.code.nodes_per_domain_count


def units_count(array: ArraySpec, count: Amount) -> Amount:
    """So many arrays' worth in what is bought one by one."""
    return nearest(count * unit_of(array).per_array)


def bought(array: ArraySpec, need: Amount) -> Amount:
    """Arrays' worth of drives that are bought for a need, in arrays."""
    if not array.in_steps:
        return ceil(need)
    if array.code is not None:
        step, nodes = step_nodes_count(array), array.code.nodes_count
        more = maximum(ceil((need - 1.0) * nodes / step), 0.0)
        return (nodes + more * step) / nodes * is_above(ceil(need), 0.0)
    full, most = nearest(need - 0.5), float(array.disks_count)
    steps = ceil((need - full) * most / array.step_drives_count)
    drives = maximum(steps * array.step_drives_count, array.per_group * is_above(steps, 0.0))
    return full + minimum(drives, most) / most


def empty(array: ArraySpec, count: Amount) -> Amount:
    """Arrays' worth of room for drives that was bought with so many arrays' worth of drives."""
    if array.code is not None or not array.in_steps:
        return 0.0
    return ceil(count) - count


def nodes_count(array: ArraySpec, count: Amount) -> Amount | None:
    """Nodes of a cluster that so many arrays' worth of drives are on; None of an array."""
    if array.code is None:
        return None
    nodes = array.code.nodes_count
    return nodes * maximum(count, 1.0) if array.in_steps else nodes


def sized(array: ArraySpec, count: float) -> list[tuple[ArraySpec, float]]:
    """The arrays that there are, each as it is filled, and how many of each.

    Of a cluster that grows by nodes placement groups and racks come with its nodes, and sites
    where they are its failure domain. Points only.
    """
    if not array.in_steps or count == 0:
        return [(array, count)]
    if array.code is not None:
        return [_sized_cluster(array, round(count * array.code.nodes_count))]
    drives = round(count * array.disks_count)
    full, rest = divmod(drives, array.disks_count)
    width = {"disks_per_group": array.per_group}
    part = array.model_copy(update={"disks_count": rest, **width})
    return [
        (one, number)
        for one, number in ((array, float(full)), (part, 1.0))
        if number and one.disks_count
    ]


def _sized_cluster(array: ArraySpec, nodes: int) -> tuple[ArraySpec, float]:
    code = array.code
    if code is None:
        raise TypeError
    drives_each = array.disks_count // code.nodes_count
    clusters = math.ceil(max(nodes / MOST_NODES, nodes * drives_each / MOST_GROUPS))
    each, ratio = nodes // clusters, nodes / clusters / code.nodes_count
    wider = code.failure_domain == "site"
    racks = min(max(code.racks_count, math.ceil(code.racks_count * ratio - 1e-9)), each)
    sites = round(code.sites_count * ratio) if wider else code.sites_count
    grown = code.model_copy(
        update={
            "nodes_count": each,
            "racks_count": racks,
            "sites_count": min(sites, racks),
            "placement_groups_count": min(
                math.ceil(code.placement_groups_count * ratio - 1e-9), MOST_GROUPS
            ),
        }
    )
    drives = each * drives_each
    return array.model_copy(update={"disks_count": drives, "code": grown}), float(clusters)


def cluster_nodes_count(array: ArraySpec, count: Amount) -> float | None:
    """Nodes of all clusters together; None of arrays. Points only."""
    if array.code is None:
        return None
    return as_number(nearest(count * array.code.nodes_count))


def storage_nodes_count(array: ArraySpec, count: Amount) -> Amount:
    """Nodes of all clusters together, or arrays, filled or not."""
    return ceil(count) if array.code is None else nearest(count * array.code.nodes_count)


def arrays_count(array: ArraySpec, count: Amount) -> float:
    """Whole arrays, or clusters, that there are, filled or not. Points only."""
    return math.fsum(number for _, number in sized(array, as_number(count)))
