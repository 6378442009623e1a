"""What stands beside proposed nodes, at any size: network, lines, racks, site, spares, people.

The models of the science size each part; the catalogue prices it. Counts are those that the plan
itself finds for the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from capmodels.cost.people import PeopleParams, people
from capmodels.errors import Fault, ParamsError
from capmodels.network.fabric import (
    FabricParams,
    FabricResult,
    above_management,
    fabric,
    rails_for,
)
from capmodels.network.outside import MBIT_PER_S_PER_TB_MONTH, OutsideParams, OutsideResult, outside
from capmodels.numbers import USD, Currency, money
from capmodels.plans.check.runs import Machines, runs_in
from capmodels.plans.costing.array_cost import UNITS_PER_RACK
from capmodels.plans.document.owned import OwnedCluster
from capmodels.power.racks import Machine, RacksParams, RacksResult, racks
from capmodels.reliability.spares import machines_wanted, spares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.document.hardware import Purpose
    from studies.proposals.draft import Draft

_CROSS, _MANAGEMENT, _CONSOLE = "cross-connect", "switch-48x1g", "console-server"
_ABOVE_MANAGEMENT = "switch-48x10g"


@dataclass(frozen=True, slots=True)
class _Speed:
    """Switches and links of hosts' ports of one speed: leaves, what is above, links to hosts."""

    gbit_per_s: float
    leaf: str
    uplinks: int
    uplink_gbit_per_s: float
    host_link: str
    far_link: str
    spine: str = "switch-32x100g"


# Leaves with 48 ports have uplinks of their own; of those with 32 any port is one.
_SPEEDS = (
    _Speed(10.0, "switch-48x10g", 6, 40.0, "link-copper-10g", "link-optics-10g"),
    _Speed(25.0, "switch-48x25g", 8, 100.0, "link-copper-25g", "link-optics-25g"),
    _Speed(100.0, "switch-32x100g", 0, 100.0, "link-copper-100g", "link-optics-100g"),
    _Speed(
        100.0, "switch-64x100g", 0, 100.0, "link-copper-100g", "link-optics-100g", "switch-64x100g"
    ),
)
_UPLINK = "link-optics-100g"
_BACK, _BACK_HOST, _BACK_UP = "switch-64x400g", "link-host-400g", "link-switch-400g"
_ROUTERS = {1.0: "router-1g", 10.0: "router-10g", 100.0: "router-100g", 400.0: "router-400g"}
SLUGS = (
    *(slug for one in _SPEEDS for slug in (one.leaf, one.host_link, one.far_link)),
    *(one.spine for one in _SPEEDS),
    *(_UPLINK, _BACK, _BACK_HOST, _BACK_UP, _MANAGEMENT, _CONSOLE, _CROSS),
    *_ROUTERS.values(),
)
# Few machines need no ports of 25 Gbit/s, whatever their cards can do.
_FEW = 8
# One for so many racks.
_RACKS_PER_CONSOLE = 20


class TooLarge(ParamsError):
    """More than the models of networks, lines, racks and people answer for."""

    def __init__(self) -> None:
        """Say what would be right."""
        message = (
            "No switches or lines of the catalogue join so many machines or carry so much "
            "traffic. Enter the work in parts."
        )
        super().__init__([Fault("/workload", "too_large", message)])


@dataclass(frozen=True, slots=True)
class Standing:
    """Machines of one kind: where they are in the design, what they are, and how many."""

    at: str
    name: str
    role: str
    power_w: float
    rack_units: float
    nic_gbit_per_s: float
    first: int
    last: int
    weight_kg: float | None = None
    # Of accelerators, in a network of their own.
    backend_ports: int = 0

    @property
    def grouped(self) -> bool:
        """Whether it is a group of nodes, which grows; the boxes of arrays are counted once."""
        return self.at.startswith("/node_groups")


def complete(
    draft: Draft,
    standing: Sequence[Standing],
    workload: Mapping[str, Any],
    growth: float,
    currency: Currency = USD,
) -> dict[str, int]:
    """Add to a design all that its machines need; return what people have to run.

    ``growth`` is the egress at the end over that of today; sources name amounts in ``currency``.

    Raises
    ------
    TooLarge
        Where they are more than the models of networks, lines and racks answer for.
    """
    try:
        return _completed(draft, standing, _outside(draft, workload, growth, currency), workload)
    except ValidationError as exc:
        raise TooLarge from exc


def _completed(
    draft: Draft,
    standing: Sequence[Standing],
    lines: OutsideResult,
    workload: Mapping[str, Any],
) -> dict[str, int]:
    standing = _with_spares(draft, standing, workload)
    machines = _machines(standing)
    # Switches take room from the machines of a rack: of fewer of them copper reaches fewer.
    racked = _together(draft, standing, racks(RacksParams(machines=machines)), (0.0, 0.0))
    fits = False
    while not fits:
        draft.put("/equipment", [])
        draft.origins = {at: one for at, one in draft.origins.items() if "/equipment/" not in at}
        items = _Items(draft)
        items.add("router", _ROUTERS[lines.port_gbit_per_s], lines.routers_count)
        _front(items, standing, racked, lines.routers_count)
        _back_end(items, standing)
        before, (placed, racked) = racked, _place(draft, standing)
        fits = all(now >= then for now, then in zip(racked, before, strict=True))
    items.add("console_server", _CONSOLE, max(1, ceil(placed.racks_count / _RACKS_PER_CONSOLE)))
    _management(items, draft, standing, placed)
    nodes = [(one, each) for one, each in zip(standing, racked, strict=True) if one.grouped]
    held = sum(ceil(one.last / each) for one, each in nodes)
    if len({each for _, each in nodes}) == 1 and nodes[0][1] >= sum(one.last for one in standing):
        held = 1
    # Groups in racks of their own fill none together.
    above = above_management(max(placed.racks_count, held))
    items.add("management_switch", _ABOVE_MANAGEMENT, above)
    boxes = sum(one.last for one in standing if not one.grouped)
    there = Machines({one.name: one.last for one, _ in nodes}, boxes, held)
    head = {"letter": "A", "title": "Own servers", "kind": "owned_cluster"}
    owned = OwnedCluster.model_validate({**head, **draft.spec})
    return runs_in([owned], there)


def _machines(standing: Sequence[Standing]) -> tuple[Machine, ...]:
    """Machines as racks take them."""
    return tuple(
        Machine(
            name=one.name[:120],
            count=max(one.last, 1),
            power_w=one.power_w,
            rack_units_count=one.rack_units,
            weight_kg=one.weight_kg,
        )
        for one in standing
    )


def _together(
    draft: Draft, standing: Sequence[Standing], found: RacksResult, beside: tuple[float, float]
) -> tuple[int, ...]:
    """Machines of each kind in a rack: all of them where one rack takes all kinds together."""
    machines = _machines(standing)
    share = sum(m.count / r.per_rack_count for m, r in zip(machines, found.machines, strict=True))
    watts = sum(m.count * m.power_w for m in machines) + beside[0] + _own_w(draft)
    if share <= 1.0 and watts <= 1000.0 * found.rack_kw:
        return (max(1, sum(m.count for m in machines)),) * len(machines)
    return tuple(racked.per_rack_count for racked in found.machines)


def hosts_of(standing: Sequence[Standing]) -> dict[str, int]:
    """Machines by what it takes to run them."""
    gpu = sum(one.last for one in standing if one.role == "gpu")
    storing = {"block", "object", "archive"}
    drives = sum(one.last for one in standing if one.role in storing)
    return {
        "hosts_count": sum(one.last for one in standing) - gpu - drives,
        "storage_hosts_count": drives,
        "gpu_hosts_count": gpu,
    }


class _Items:
    """Equipment of a design, one after the other."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.count = 0

    def add(
        self, purpose: Purpose, slug: str, count: float, *, per_nodes: int = 0, group: str = ""
    ) -> None:
        """Add some of an entry: bought once, or so many for each so many nodes of a group."""
        if count <= 0:
            return
        at, draft = f"/equipment/{self.count}", self.draft
        self.count += 1
        named = f", {group}" if group else ""
        draft.put(f"{at}/name", f"{draft.entry(slug).title}{named}"[:120])
        draft.put(f"{at}/component", "network")
        draft.put(f"{at}/purpose", purpose)
        draft.put(f"{at}/count", float(count))
        if per_nodes:
            draft.put(f"{at}/per_nodes_count", per_nodes)
        if group:
            draft.put(f"{at}/group", group)
        # Cables take no height, which the plan would have at one unit.
        draft.put(f"{at}/rack_units_count", 0.0)
        draft.take_all(at, slug, ("unit_price_usd", "power_w", "rack_units_count", "ports_count"))
        if draft.entry(slug).kind == "part":
            draft.put(f"{at}/power_w", 0.0)
            draft.origins.pop(f"{at}/power_w", None)
        draft.dated(at, slug, "unit_price_usd")


def _beside(draft: Draft, standing: Sequence[Standing]) -> tuple[float, float]:
    """W and rack units of all that stands beside the machines at the end, as the plan counts."""
    nodes = sum(one.last for one in standing if one.grouped)
    watts = units = 0.0
    for item in draft.spec["equipment"]:
        per = item.get("per_nodes_count")
        count = item["count"] * (ceil(nodes / per) if per else 1)
        watts += count * item["power_w"]
        units += count * item["rack_units_count"]
    return watts, units


def _racks(
    draft: Draft,
    machines: tuple[Machine, ...],
    standing: Sequence[Standing],
    beside: tuple[float, float],
) -> RacksResult:
    """Racks of machines with their switches, W and rack units of all of them, spread over them.

    They are spread over as many racks as the plan counts: kinds of nodes stand apart, and boxes
    of arrays fill racks by height. Fewer racks have more of them in each, so the number is
    lowered until the racks that come of it are as many.
    """
    own_w = _own_w(draft)
    found = racks(RacksParams(machines=machines))
    count, counted = inf, float(found.racks_count)
    while counted < count:
        count = counted
        each_w, each_units = (amount / count for amount in beside)
        # A management switch and a console server besides.
        params = RacksParams(
            machines=machines,
            beside_w=min(each_w + own_w, 4_000.0),
            beside_units_count=min(float(ceil(each_units)) + 2.0, 12.0),
        )
        found = racks(params)
        kinds = list(zip(standing, machines, found.machines, strict=True))
        nodes = sum(ceil(m.count / r.per_rack_count) for one, m, r in kinds if one.grouped)
        boxes = sum(m.count * one.rack_units for one, m, _ in kinds if not one.grouped)
        counted = float(nodes + ceil(boxes / UNITS_PER_RACK)) or 1.0
    return found


def _own_w(draft: Draft) -> float:
    """Of a rack's own management switch and console server. [W]"""
    return sum(float(draft.value(slug, "power_w")) for slug in (_MANAGEMENT, _CONSOLE))


def _place(draft: Draft, standing: Sequence[Standing]) -> tuple[RacksResult, tuple[int, ...]]:
    """Choose the class of site and the racks by the machines at the end.

    Beside them return how many of each kind stand in a rack.
    """
    machines, beside = _machines(standing), _beside(draft, standing)
    found = _racks(draft, machines, standing, beside)
    racked = _together(draft, standing, found, beside)
    draft.put("/racks/nodes_per_rack_count", max(racked, default=1))
    alone = racked == tuple(one.per_rack_count for one in found.machines)
    for one, count in zip(standing, racked, strict=True):
        if one.grouped:
            held = draft.spec["node_groups"][int(one.at.rpartition("/")[2])]
            held.pop("nodes_per_rack_count", None)
            if alone:
                draft.put(f"{one.at}/nodes_per_rack_count", count)
    for one in standing:
        if one.role == "gpu" and one.at in draft.machines:
            draft.take(f"{one.at}/provisioned_w", draft.machines[one.at], "provisioned_w")
    draft.put("/racks/power_w", 1000.0 * found.rack_kw)
    draft.put("/racks/unit_price_usd", found.rack_usd)
    why = {"source": f"{found.site}. {found.source}", "as_of": found.as_of}
    for name in ("usd_per_kw_month", "usd_per_rack_month"):
        price, low, high = (getattr(found, end + name) for end in ("", "low_", "high_"))
        if price:
            draft.assume(f"/space/{name}", price, why["source"][:300], (low, high))
            draft.origins[f"/space/{name}"]["as_of"] = why["as_of"]
    return found, racked


def _outside(
    draft: Draft, workload: Mapping[str, Any], growth: float, currency: Currency
) -> OutsideResult:
    """Lines by the peak of the egress at the end, one provider lost; traffic by the TB sent."""
    sent = float(workload.get("egress_tb_per_month") or 0.0)
    received = float(workload.get("ingress_tb_per_month") or 0.0)
    mean = max(sent, received) * growth * MBIT_PER_S_PER_TB_MONTH / 1000.0
    peak = workload.get("p99_ratio")
    ratio = {"peak_ratio": float(peak)} if isinstance(peak, int | float) and peak >= 1 else {}
    lines = outside(OutsideParams.model_validate({"mean_gbit_per_s": mean, **ratio}))
    draft.put("/network/transit_usd_per_month", lines.ports_usd_per_month)
    draft.assume(
        "/network/transit_usd_per_month",
        lines.ports_usd_per_month,
        f"{lines.sentence} Without traffic, which is by the TB.",
        (0.6 * lines.ports_usd_per_month, 1.4 * lines.ports_usd_per_month),
    )
    per = lines.usd_per_tb / lines.usd_per_mbit_month
    draft.assume(
        "/network/usd_per_tb",
        lines.usd_per_tb,
        f"Transit at {money(lines.usd_per_mbit_month, currency)} a month per Mbit/s of the 95th "
        "percentile",
        (per * lines.low_usd_per_mbit_month, per * lines.high_usd_per_mbit_month),
    )
    draft.put("/network/cross_connects_count", float(lines.cross_connects_count))
    draft.take("/network/cross_connect_usd_per_month", _CROSS, "usd_per_month")
    return lines


def _front(
    items: _Items, standing: Sequence[Standing], racked: Sequence[int], routers: int
) -> None:
    """The network of all hosts: two ports of each, on two leaves; storage without contention.

    The routers at the edge are on leaves as hosts are, by cables of their own. ``racked`` are the
    machines of each kind in a rack: those in another rack than their leaves are joined by optics.
    """
    hosts = sum(one.last for one in standing) + routers
    wanted = max((one.nic_gbit_per_s / 2.0 for one in standing), default=0.0)
    if hosts - routers <= _FEW and wanted <= 25.0:
        wanted = 10.0
    stores = any(one.role not in {"compute", "compute_and_block"} for one in standing)
    ratio = 1.0 if stores else 3.0
    most = max(range(len(standing)), key=lambda at: standing[at].last)
    rack = racked[most] + (routers if racked[most] >= hosts - routers else 0)
    least = min((one.gbit_per_s for one in _SPEEDS if one.gbit_per_s >= wanted), default=100.0)
    built = [
        (found, one)
        for one in _SPEEDS
        if one.gbit_per_s == least
        and (found := _fabric_of(items.draft, one, hosts, ratio, rack)) is not None
    ]
    if not built:
        raise TooLarge
    found, speed = min(built, key=lambda one: one[0].total_usd)
    up, per = found.uplinks_per_leaf_count, found.hosts_per_leaf_count
    boxes = sum(one.last for one in standing if not one.grouped)
    grows = any(one.grouped for one in standing)
    if up:
        # A leaf keeps a port for each router, where it is not full by its links upwards.
        own = 0 if speed.uplinks else up
        free = int(items.draft.value(speed.leaf, "ports_count")) - per - own
        per = max(per - max(routers - free, 0), 1)
        # Boxes have leaves of their own, which no nodes bring.
        fixed = ceil((boxes if grows else boxes + routers) / per)
    else:
        fixed, per = int(not grows), max(per - boxes - routers, 1)
    near = [
        racked[at] >= per if up else at == most and racked[at] >= standing[at].last
        for at in range(len(standing))
    ]
    links = {True: speed.host_link, False: speed.far_link}
    if grows:
        items.add("host_switch", speed.leaf, 2, per_nodes=per)
        nodes = [(one, beside) for one, beside in zip(standing, near, strict=True) if one.grouped]
        alike = len({beside for _, beside in nodes}) == 1
        for one, beside in nodes[:1] if alike else nodes:
            group = "" if alike else one.name
            items.add("host_link", links[beside], 2, per_nodes=1, group=group)
        items.add("switch_link", _UPLINK, 2 * up, per_nodes=per)
    items.add("host_switch", speed.leaf, 2 * fixed)
    for one, beside in zip(standing, near, strict=True):
        if not one.grouped:
            items.add("host_link", links[beside], 2 * one.last)
    items.add("switch_link", _UPLINK, 2 * up * fixed)
    if up:
        # As many as the leaves are in the end, begun ones with them.
        pairs = ceil((hosts - boxes - routers) / per) + fixed
        full = pairs * found.hosts_per_leaf_count
        found = _fabric_of(items.draft, speed, full, ratio, rack) or found
    above: _SwitchAndLink = (("upper_switch", speed.spine), ("switch_link", _UPLINK))
    _above(items, found, above, (2, per), beside=fixed)


def _fabric_of(
    draft: Draft, speed: _Speed, hosts: int, ratio: float, rack: int
) -> FabricResult | None:
    """A network of the catalogue's switches; None where they do not join so many hosts."""

    def price(slug: str) -> float:
        return float(draft.value(slug, "unit_price_usd"))

    given = {
        "hosts_count": hosts,
        "ports_per_host_count": 2,
        "port_gbit_per_s": speed.gbit_per_s,
        "oversubscription_ratio": ratio,
        "leaf_ports_count": int(draft.value(speed.leaf, "ports_count")),
        "leaf_uplinks_count": speed.uplinks,
        "uplink_gbit_per_s": speed.uplink_gbit_per_s,
        "spine_ports_count": int(draft.value(speed.spine, "ports_count")),
        "leaf_usd": price(speed.leaf),
        "spine_usd": price(speed.spine),
        "host_link_usd": price(speed.host_link),
        "far_link_usd": price(speed.far_link),
        "hosts_per_rack_count": min(rack, 1000),
        "switch_link_usd": price(_UPLINK),
        "leaf_w": float(draft.value(speed.leaf, "power_w")),
        "spine_w": float(draft.value(speed.spine, "power_w")),
        "leaf_units_count": float(draft.value(speed.leaf, "rack_units_count")),
        "spine_units_count": float(draft.value(speed.spine, "rack_units_count")),
    }
    try:
        return fabric(FabricParams.model_validate(given))
    except ValidationError:
        return None


_SwitchAndLink = tuple[tuple["Purpose", str], tuple["Purpose", str]]


def _back_end(items: _Items, standing: Sequence[Standing]) -> None:
    """Ports of 400 Gbit/s for GPUs that have any, without contention; none within one box."""
    for one in standing:
        if not one.backend_ports or one.last < 2:
            continue
        each = one.backend_ports
        ports = each * one.last
        rails = rails_for(ports, int(items.draft.value(_BACK, "ports_count")), most=each)
        found = fabric(FabricParams(hosts_count=ceil(ports / rails), rails_count=rails))
        # A leaf of every rail joins so many servers.
        per = found.hosts_per_leaf_count * rails // each
        items.add("gpu_switch", _BACK, rails, per_nodes=per, group=one.name)
        items.add("gpu_host_link", _BACK_HOST, each, per_nodes=1, group=one.name)
        up = rails * found.uplinks_per_leaf_count
        items.add("gpu_switch_link", _BACK_UP, up, per_nodes=per, group=one.name)
        above: _SwitchAndLink = (("gpu_switch", _BACK), ("gpu_switch_link", _BACK_UP))
        _above(items, found, above, (rails, per), group=one.name)


def _above(
    items: _Items,
    found: FabricResult,
    names: _SwitchAndLink,
    block: tuple[int, int],
    *,
    group: str = "",
    beside: int = 0,
) -> None:
    """Switches above the leaves, again for each so many nodes as they can join; cores once.

    ``block`` are the leaves that stand together, and the nodes that they join; ``beside`` are
    blocks that other machines than those nodes are on.
    """
    up = found.uplinks_per_leaf_count
    if not up:
        return
    (switch, link), (leaves, nodes) = names, block
    ports = found.spines_count * int(items.draft.value(switch[1], "ports_count"))
    blocks = max(ports // up, found.leaves_count) // leaves
    joined = max(blocks - beside, 1) * nodes
    items.add(*switch, found.spines_count, per_nodes=joined, group=group)
    items.add(*switch, found.cores_count)
    items.add(*link, found.switch_links_count - found.leaves_count * up)


def _management(
    items: _Items, draft: Draft, standing: Sequence[Standing], placed: RacksResult
) -> None:
    """A switch of 48 ports of 1 Gbit/s in each rack."""
    groups = draft.spec["node_groups"]
    alone = [group for group in groups if group.get("nodes_per_rack_count")]
    for group in alone:
        per = int(group["nodes_per_rack_count"])
        items.add("management_switch", _MANAGEMENT, 1, per_nodes=per, group=group["name"])
    if groups and not alone:
        items.add(
            "management_switch",
            _MANAGEMENT,
            1,
            per_nodes=int(draft.spec["racks"]["nodes_per_rack_count"]),
        )
    boxes = sum(
        one.last / racked.per_rack_count
        for one, racked in zip(standing, placed.machines, strict=True)
        if not one.grouped
    )
    items.add("management_switch", _MANAGEMENT, ceil(boxes))


def _with_spares(
    draft: Draft, standing: Sequence[Standing], workload: Mapping[str, Any]
) -> list[Standing]:
    """Machines with the spare nodes that keep the chance of running out as it is wanted.

    At least as many as the work asks for, but for GPUs. A group without GPUs that says how many it
    has keeps them.
    """
    asked = int((workload.get("availability") or {}).get("spare_nodes_count", 1))
    found = []
    for one in standing:
        group = draft.spec["node_groups"][int(one.at.rpartition("/")[2])] if one.grouped else {}
        is_kept = one.role != "gpu" and group.get("spare_nodes_count") is not None
        if not one.grouped or not asked or not one.last or is_kept:
            found.append(one)
            continue
        given = int(group.get("spare_nodes_count", asked))
        in_use = max(one.last - given, 0)
        wanted = spares(machines_wanted(in_use, asked, gpus=one.role == "gpu"))
        if wanted.spares_count != given:
            at = f"{one.at}/spare_nodes_count"
            draft.put(at, wanted.spares_count)
            draft.origins[at] = {"quality": "derived", "source": wanted.sentence}
        more = wanted.spares_count - given
        found.append(replace(one, first=one.first + more, last=one.last + more))
    return found


def staffed(draft: Draft, runs: Mapping[str, int]) -> None:
    """Set the people who run what a design has, one unknown for all designs."""
    given, origin = people_for(runs)
    draft.put("/staff_fte", given)
    draft.origins["/staff_fte"] = origin


def people_for(runs: Mapping[str, int]) -> tuple[float, dict[str, Any]]:
    """People for what is run, and where the number is from; raise TooLarge beyond their model."""
    none = dict.fromkeys(("hosts_count", "racks_count", "switches_count", "sites_count"), 0)
    try:
        found = people(PeopleParams.model_validate({**none, **runs}))
    except ValidationError as exc:
        raise TooLarge from exc
    fte = float(f"{found.fte:.3g}")
    scale = fte / found.fte if found.fte else 1.0
    source = f"{found.sentence} On call is shared with what there is."
    origin = {"quality": "assumed", "source": source}
    return fte, {**origin, "low": found.low_fte * scale, "high": found.high_fte * scale}


def grown(columns: DesignResult, name: str) -> tuple[int, int]:
    """Nodes of a group in the first and in the last year, as the plan sizes them."""
    counts = [group.count for year in columns.sizing for group in year.groups if group.name == name]
    return (ceil(counts[0]), ceil(counts[-1])) if counts else (0, 0)
