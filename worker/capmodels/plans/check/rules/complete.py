"""Rule 31: complete at its size. What so many machines need is there, and enough of it."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from capmodels.network.fabric import FabricParams, above_management, fabric, rails_for
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.check import typical
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.plans.check.runs import equipment_there, hosts_there, ports_there
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.gpu_kinds import are_alike
from capmodels.serving.accelerators import ACCELERATORS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec

# A switch of the largest clusters, where a design does not say how many ports its own have.
_PORTS, _GPUS_PER_NODE = 64, 8
# What PCIe of the fifth generation carries one way. [GB/s]
_CARD_GB_PER_S = 64.0


def find(study: StudySpec) -> Iterator[Found]:
    """Hosts without ports, GPUs without a network between them, racks over their power."""
    if demand_of(study) is None or not clusters(study):
        return
    columns = {column.result.letter: column.result for column in columns_of(study, Scene(study))}
    for owned in clusters(study):
        column = columns[owned.letter]
        hosts = sum(hosts_there(owned, column).values())
        if not hosts:
            continue
        items = [item for item in owned.equipment if item.component == "network"]
        if any(item.purpose for item in items):
            yield from _counted(study, owned, column, hosts)
        elif not items and hosts > 1 and clouds(study):
            # The price of what is rented beside it has the network in it.
            yield _without(study, owned, hosts)
        if column.racks is not None and column.racks.fits is False:
            at = f"/designs/{owned.letter}/racks/nodes_per_rack_count"
            yield Found(at, f"The racks of {owned.letter}: {column.racks.sentence}")


def _without(study: StudySpec, owned: OwnedCluster, hosts: int) -> Found:
    """A cluster whose network nobody entered."""
    switch, at = typical.SWITCH, f"/designs/{owned.letter}/equipment/{len(owned.equipment)}"
    line = {
        "name": "Switches, two for 48 nodes",
        "count": 2,
        "per_nodes_count": 48,
        "unit_price_usd": switch.value,
        "power_w": 150.0,
    }
    return Found(
        at,
        f"Network of {owned.letter}: not counted, its {hosts:,} machines have no switches. "
        f"Typical: two for 48 nodes, {switch.told(study.assumptions.currency)}.",
        (Change(at, line),),
        not_counted=True,
    )


def _counted(
    study: StudySpec, owned: OwnedCluster, column: DesignResult, hosts: int
) -> Iterator[Found]:
    """Parts of a network whose purposes are entered, against what so many machines need."""
    letter, work = owned.letter, demand_of(study)
    sends = work is not None and work.egress_tb_per_month > 0
    for purpose, needed, what in _needed(owned, column, hosts, sends=sends):
        there = equipment_there(owned, column, {purpose})
        if there < needed:
            one, many = what
            yield Found(
                f"/designs/{letter}/equipment",
                f"{letter} has {there:,g} {one if there == 1 else many} for {hosts:,} "
                f"machine{'' if hosts == 1 else 's'}; it needs {needed:,} or more.",
            )
    yield from _unlinked(owned, column)
    for purpose, link, ends in (
        ("host_switch", "host_link", "machines"),
        ("gpu_switch", "gpu_host_link", "GPUs"),
    ):
        ports = ports_there(owned, column, purpose)
        links = equipment_there(owned, column, {link})
        if ports is not None and 0 < ports < links:
            yield Found(
                f"/designs/{letter}/equipment",
                f"The switches of {letter} have {ports:,g} ports for {links:,g} links to its "
                f"{ends}.",
            )


def _unlinked(owned: OwnedCluster, column: DesignResult) -> Iterator[Found]:
    """Groups of nodes without a link, where links are entered group by group."""
    links = [item for item in owned.equipment if item.purpose == "host_link"]
    groups = {item.group for item in links if item.group}
    if not groups or any(item.per_nodes_count and not item.group for item in links):
        return
    counts = {group.name: group.count for group in column.sizing[-1].groups}
    for group in owned.node_groups:
        if group.name not in groups and counts.get(group.name, 0) > 0:
            yield Found(
                f"/designs/{owned.letter}/equipment",
                f"{owned.letter} has no links to its {counts[group.name]:,g} {group.name}.",
            )


def _on_cards(gpu: str | None) -> bool:
    """Whether a kind of GPU is one on cards, whose servers each work by themselves."""
    return gpu is not None and any(
        one.link_gb_per_s <= _CARD_GB_PER_S and are_alike(gpu, one.name)
        for one in ACCELERATORS.values()
    )


_Part = tuple[str, int, tuple[str, str]]


def _needed(
    owned: OwnedCluster, column: DesignResult, hosts: int, *, sends: bool
) -> Iterator[_Part]:
    """Purpose, the least count, and the name of each part that so many machines need."""
    yield "host_switch", 2 if hosts > 1 else 1, ("switch for machines", "switches for machines")
    yield "host_link", hosts, ("link to machines", "links to machines")
    leaves = ceil(equipment_there(owned, column, {"host_switch"}))
    if leaves > 2:
        yield "upper_switch", 1, ("switch above those", "switches above those")
        yield "switch_link", leaves, ("link between switches", "links between switches")
    racks = 1 if column.racks is None else column.racks.racks_count
    managing = racks + above_management(racks)
    yield "management_switch", managing, ("management switch", "management switches")
    yield "console_server", 1, ("console server", "console servers")
    if sends:
        yield "router", 2, ("router or firewall at the edge", "routers or firewalls at the edge")
    servers = hosts_there(owned, column).get("gpu", 0)
    joined = [g for g in owned.node_groups if g.role == "gpu" and not _on_cards(g.gpu)]
    per = max((int(group.gpus_per_node_count) for group in joined), default=0)
    if servers > 1 and per:
        gpus = servers * per
        ports = next((i.ports_count for i in owned.equipment if i.purpose == "gpu_switch"), None)
        rails = rails_for(gpus, ports or _PORTS, most=_GPUS_PER_NODE)
        found = fabric(
            FabricParams(
                hosts_count=ceil(gpus / rails),
                rails_count=rails,
                leaf_ports_count=ports or _PORTS,
                spine_ports_count=ports or _PORTS,
            )
        )
        network = "of the network between GPUs"
        yield (
            "gpu_switch",
            found.switches_count,
            (f"switch {network}", f"switches {network}"),
        )
        yield "gpu_host_link", gpus, ("link to GPUs", "links to GPUs")
        links = (f"link between switches {network}", f"links between switches {network}")
        yield "gpu_switch_link", found.switch_links_count, links


RULE = Rule(31, "Complete at its size", find)
