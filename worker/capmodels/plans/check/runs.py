"""What people run of a design, as the plan sizes it in the last year."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, fsum
from typing import TYPE_CHECKING

from capmodels.plans.document.cloud import Cloud
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.owned import OwnedCluster

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.document.study import StudySpec

_SWITCHES = frozenset({"host_switch", "upper_switch", "gpu_switch", "management_switch", "router"})
_STORING = frozenset({"block", "object", "archive"})


def equipment_there(
    owned: OwnedCluster, column: DesignResult, purposes: Collection[str | None]
) -> float:
    """How many pieces of equipment of some purposes stand there in the last year. [count]"""
    return fsum(count for _, count in items_there(owned, column, purposes))


def ports_there(owned: OwnedCluster, column: DesignResult, purpose: str) -> float | None:
    """Ports of all switches of a purpose in the last year; None where one does not say. [count]"""
    ports = 0.0
    for place, count in items_there(owned, column, {purpose}):
        each = owned.equipment[place].ports_count
        if each is None:
            return None
        ports += count * each
    return ports


def items_there(
    owned: OwnedCluster, column: DesignResult, purposes: Collection[str | None]
) -> list[tuple[int, float]]:
    """Equipment of some purposes by its place, and how many of each are there. [count]"""
    return _items(owned, _there(owned, column), purposes)


def _items(
    owned: OwnedCluster, there: Machines, purposes: Collection[str | None]
) -> list[tuple[int, float]]:
    nodes = {group.name: there.counts.get(group.name, 0.0) for group in owned.node_groups}
    found = []
    for place, item in enumerate(owned.equipment):
        if item.purpose not in purposes:
            continue
        served = nodes[item.group] if item.group else fsum(nodes.values())
        times = ceil(served / item.per_nodes_count) if item.per_nodes_count else 1
        found.append((place, item.count * times))
    return found


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines of a design in the last year: nodes and instances by group, boxes, racks of nodes.

    ``counts`` are by the names of groups of nodes and of instances, spare ones among them.
    """

    counts: Mapping[str, float]
    boxes_count: int = 0
    racks_count: int = 0


def runs_of(study: StudySpec, column: DesignResult) -> dict[str, int]:
    """What ``cost.people`` asks for of a design, as the plan sizes it in the last year.

    Of a mix, what it has of both sides: switches and racks in proportion to its own machines.
    """
    designs = {design.letter: design for design in study.designs}
    design = designs[column.letter]
    parts = [design]
    if isinstance(design, Hybrid):
        parts = [designs[design.owned_letter], designs[design.rented_letter]]
    owned = next((part for part in parts if isinstance(part, OwnedCluster)), None)
    counts = {group.name: group.count for group in column.sizing[-1].groups}
    there = Machines(counts) if owned is None else _there(owned, column)
    return runs_in(parts, there)


def runs_in(parts: Sequence[object], there: Machines) -> dict[str, int]:
    """Hosts, storage and GPU hosts, racks, switches, sites, instances, clouds of some designs.

    Parameters
    ----------
    parts
        The design, or the two sides of a mix; arrays alone and other kinds run nothing here.
    there
        Machines that they have together in the last year.

    Returns
    -------
    dict
        By the names that ``cost.people`` takes. [count]
    """
    found: dict[str, float] = {}
    for part in parts:
        if isinstance(part, Cloud):
            with_gpus = {item.name for item in part.instances if item.gpus_count > 0}
            names = {item.name for item in part.instances}
            counts = there.counts
            found["instances_count"] = fsum(counts.get(name, 0.0) for name in names - with_gpus)
            found["gpu_instances_count"] = fsum(counts.get(name, 0.0) for name in with_gpus)
            found["providers_count"] = 1
        elif isinstance(part, OwnedCluster):
            found |= _owned(part, there)
    return {name: ceil(count) for name, count in found.items()}


def hosts_there(owned: OwnedCluster, column: DesignResult) -> dict[str, int]:
    """Machines of each role in the last year, boxes of arrays as ``array``. [count]"""
    return _hosts(owned, _there(owned, column))


def _there(owned: OwnedCluster, column: DesignResult) -> Machines:
    boxes = 0
    if column.array is not None and owned.array is not None:
        boxes = ceil(column.array.nodes_count or column.array.arrays_count)
    return Machines(
        {group.name: group.count for group in column.sizing[-1].groups},
        boxes,
        0 if column.racks is None else column.racks.racks_count,
    )


def _hosts(owned: OwnedCluster, there: Machines) -> dict[str, int]:
    found: dict[str, int] = {}
    for group in owned.node_groups:
        found[group.role] = found.get(group.role, 0) + ceil(there.counts.get(group.name, 0.0))
    if owned.array is not None:
        found["array"] = there.boxes_count
    return found


def _owned(owned: OwnedCluster, there: Machines) -> dict[str, float]:
    hosts = _hosts(owned, there)
    boxes, gpus = hosts.pop("array", 0), hosts.pop("gpu", 0)
    storing = sum(count for role, count in hosts.items() if role in _STORING)
    return {
        "hosts_count": sum(hosts.values()) - storing,
        "storage_hosts_count": storing + boxes,
        "gpu_hosts_count": gpus,
        "racks_count": there.racks_count + boxes / owned.racks.nodes_per_rack_count,
        "switches_count": fsum(count for _, count in _items(owned, there, _SWITCHES)),
        "sites_count": max(len(owned.sites), 1),
    }
