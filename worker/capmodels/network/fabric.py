"""Switches, links and money of a network of hosts: one, two or three tiers of a folded Clos.

Counts after Al-Fares, Loukissas, Vahdat 2008; oversubscription is taken at the leaves, and rails
are fabrics of their own side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field, model_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    one_point,
    preset,
    recalled,
    refusal,
)
from capmodels.units import (
    Count,
    CountFromOne,
    NetworkGbitPerS,
    PowerKw,
    PowerW,
    Real,
    Usd,
    of_unit,
)

Ports = Annotated[CountFromOne, Field(le=1024)]
Hosts = Annotated[Count, Field(le=10_000_000)]
Speed = Annotated[NetworkGbitPerS, Field(gt=0, le=10_000)]
Oversubscription = Annotated[Real, of_unit("ratio", ge=1, le=100)]
Units = Annotated[Real, of_unit("count", ge=0)]

ALFARES = "Al-Fares, Loukissas, Vahdat, SIGCOMM 2008, doi:10.1145/1402958.1402967"
GUIDE = "French guide of bills of materials, 27 September 2026"
SHEET = "Cost sheet of H100 clusters, tech-talk-cto, August 2024"
# Two switches that share the ports of a host know of each other over two links.
PEER_LINKS = 2


class FabricParams(Params):
    """Hosts with their ports, and the switches that join them."""

    hosts_count: Hosts = assumed(1024, "Servers, storage nodes or GPU servers.")
    ports_per_host_count: Annotated[CountFromOne, Field(le=64)] = assumed(
        1, "Ports of a host in this network, spare paths included; of one rail, where it has rails."
    )
    rails_count: Annotated[CountFromOne, Field(le=64)] = assumed(
        1, "Fabrics side by side: GPU i of every server is on rail i. One for general work."
    )
    port_gbit_per_s: Speed = default(
        400.0,
        "Speed of a host's port.",
        source=f"{SHEET}: 8 x 400 Gb/s a server",
        as_of="2024-08",
        title="Speed of a port",
    )
    oversubscription_ratio: Oversubscription = assumed(
        1.0,
        "Speed towards the hosts over speed upwards at a leaf: 1 for storage and GPUs, 3 for "
        "general work.",
        title="Oversubscription wanted",
    )
    leaf_ports_count: Ports = assumed(64, "Ports of a leaf of the speed of a host's port.")
    leaf_uplinks_count: Annotated[Count, Field(le=1024)] = assumed(
        0, "Ports of a leaf for links upwards alone. Zero: any of its ports is one."
    )
    uplink_gbit_per_s: Speed | None = blank("Empty: as a host's port.", title="Speed of an uplink")
    spine_ports_count: Ports = assumed(64, "Ports of a switch above the leaves.")
    even_uplinks: bool = preset(
        True, "Every leaf reaches each spine by as many links, so that load spreads evenly."
    )
    leaf_usd: Usd = default(
        36_000.0,
        source=f"{SHEET}: 64 x 400G, third-party brand",
        as_of="2024-08",
        low=25_000.0,
        high=50_000.0,
        title="Price of a leaf",
    )
    spine_usd: Usd = default(
        36_000.0,
        source=f"{SHEET}: 64 x 400G, third-party brand",
        as_of="2024-08",
        low=25_000.0,
        high=50_000.0,
        title="Price of a spine",
    )
    host_link_usd: Usd = default(
        1320.0,
        "Both ends and the cable of a link to a host.",
        source=f"{SHEET}: $1,320 a GPU in one tier",
        as_of="2024-08",
        low=400.0,
        high=1800.0,
        title="Price of a host link",
    )
    hosts_per_rack_count: Annotated[CountFromOne, Field(le=1000)] | None = blank(
        "Hosts that stand in one rack. Copper reaches about 3 m: hosts in another rack than their "
        "leaf are joined by optics. Empty: copper reaches all.",
        title="Hosts of a rack",
    )
    far_link_usd: Usd = default(
        670.0,
        "Both optics and the fibre of a link to a host in another rack than its leaf.",
        source=f"{GUIDE}: two 100G SR4 at EUR 150 to 400",
        as_of="2026-09-27",
        low=380.0,
        high=960.0,
        title="Price of a host link to another rack",
    )
    switch_link_usd: Usd = default(
        1240.0,
        "Both optics and the fibre of a link between switches.",
        source=f"{SHEET}: $2,560 a GPU in two tiers less $1,320 in one",
        as_of="2024-08",
        low=700.0,
        high=2000.0,
        title="Price of a link between switches",
    )
    leaf_w: PowerW = recalled(
        1400.0,
        source="64 x 400G with optics, maximum",
        low=900.0,
        high=1900.0,
        title="Power of a leaf",
    )
    spine_w: PowerW = recalled(
        1400.0,
        source="64 x 400G with optics, maximum",
        low=900.0,
        high=1900.0,
        title="Power of a spine",
    )
    leaf_units_count: Units = assumed(2.0, title="Rack units of a leaf")
    spine_units_count: Units = assumed(2.0, title="Rack units of a spine")

    @model_validator(mode="after")
    def _joins_its_hosts(self) -> FabricParams:
        if plane_of(self) is None:
            raise refusal(
                "too_many_hosts",
                f"Three tiers of these switches do not join {self.hosts_count:,} hosts. Enter "
                "switches of more ports, or more rails.",
                at=("hosts_count",),
                value=self.hosts_count,
            )
        return self


class FabricResult(Result):
    """What the network consists of, all rails together, and what it is worth."""

    tiers_count: Count = Field(description="0 where one host needs no network.")
    leaves_count: Count
    spines_count: Count = Field(description="Second tier.")
    cores_count: Count = Field(description="Third tier.")
    switches_count: Count
    host_links_count: Count
    far_links_count: Count = Field(
        description="Of the host links those to another rack than the leaf's, by optics."
    )
    switch_links_count: Count
    hosts_per_leaf_count: Count = Field(
        description="Hosts that a full leaf joins; where a host is on two, that two of them join."
    )
    uplinks_per_leaf_count: Count
    most_hosts_count: Count = Field(description="Hosts that so many tiers of these switches join.")
    oversubscription_ratio: Oversubscription = Field(
        description="Speed towards the hosts over speed upwards at a full leaf."
    )
    bisection_gbit_per_s: NetworkGbitPerS = Field(
        description="Half of what the leaves send upwards, or of the ports in one tier."
    )
    power_kw: PowerKw
    rack_units_count: Units
    switches_usd: Usd
    links_usd: Usd
    total_usd: Usd
    sentence: str


@dataclass(frozen=True, slots=True)
class Plane:
    """One fabric: the switches of each tier and the links between them."""

    tiers: int
    leaves: int
    spines: int = 0
    cores: int = 0
    links: int = 0
    up: int = 0
    down: int = 0
    most_ports: int = 0


def split_of(
    ports: int, ratio: float, *, uplinks: int = 0, port_gbit: float = 1.0, uplink_gbit: float = 1.0
) -> tuple[int, int]:
    """Ports of a leaf towards hosts and upwards, at an oversubscription of at most a ratio.

    Parameters
    ----------
    ports, uplinks
        Ports of a leaf, and those of them that are for links upwards alone; 0 takes any. [count]
    ratio
        Speed towards the hosts over speed upwards, at most.
    port_gbit, uplink_gbit
        Speed of a port and of a link upwards. [Gbit/s]

    Returns
    -------
    tuple of int
        Ports down and up; (0, 0) where no port is left for a host.

    Notes
    -----
    One kind of ports: down = floor(k r / (r + 1)), up = k - down, speeds alike.

    Examples
    --------
    >>> split_of(64, 1.0), split_of(64, 3.0), split_of(48, 3.0, uplinks=8, uplink_gbit=4.0)
    ((32, 32), (48, 16), (48, 4))
    """
    wanted = ratio * uplink_gbit / port_gbit
    if uplinks:
        down = min(ports, math.floor(uplinks * wanted + 1e-9))
        return (down, max(1, math.ceil(down / wanted - 1e-9))) if down else (0, 0)
    down = math.floor(ports * wanted / (wanted + 1.0) + 1e-9)
    return (down, ports - down) if 0 < down < ports else (0, 0)


def plane_of(params: FabricParams, *, in_rack: bool = False) -> Plane | None:
    """Switches of one fabric; None where three tiers of these switches do not join the hosts.

    Parameters
    ----------
    params
        Hosts and switches; of several rails, of one.
    in_rack
        Whether a leaf, or two that share hosts, joins those of one rack alone.

    Returns
    -------
    Plane or None

    Notes
    -----
    One tier: all ports on one leaf, or on two that share the hosts, two ports of each joining
    them. Two tiers: leaves = ceil(n / down), spines = ceil(leaves x up / k), each leaf reaching
    every spine: leaves <= k, spines <= up. Three tiers: pods of k / 2 leaves below as many
    switches as a leaf has uplinks; cores take all their uplinks; at most k pods. With k ports of
    one speed and no oversubscription these are k^2 / 2 and k^3 / 4 hosts [Al-Fares 2008].
    """
    homes = 1 if params.ports_per_host_count == 1 else 2
    ports, hosts = params.hosts_count * params.ports_per_host_count, params.hosts_count
    if hosts <= 1:
        return Plane(0, 0, most_ports=1)
    room = homes * (params.leaf_ports_count - (0 if homes == 1 else _peer_ports(params)))
    most = (params.hosts_per_rack_count or hosts) if in_rack else hosts
    if ports <= room and hosts <= most:
        links = 0 if homes == 1 else PEER_LINKS
        return Plane(1, homes, links=links, down=room // homes, most_ports=room)
    speed = params.uplink_gbit_per_s or params.port_gbit_per_s
    down, up = split_of(
        params.leaf_ports_count,
        params.oversubscription_ratio,
        uplinks=params.leaf_uplinks_count,
        port_gbit=params.port_gbit_per_s,
        uplink_gbit=speed,
    )
    if not down:
        return None
    if in_rack:
        down = min(down, max(most * params.ports_per_host_count // homes, 1))
        wanted = params.oversubscription_ratio * speed / params.port_gbit_per_s
        up = min(up, max(1, math.ceil(down / wanted - 1e-9)))
    k = params.spine_ports_count
    leaves = max(math.ceil(ports / down), homes)
    spines = math.ceil(leaves * up / k)
    if params.even_uplinks:
        spines = next((s for s in range(spines, up + 1) if up % s == 0), up + 1)
    if leaves <= k and spines <= up:
        most = k * down
        return Plane(2, leaves, spines, links=leaves * up, up=up, down=down, most_ports=most)
    return _three(leaves, up, down, k)


def _peer_ports(params: FabricParams) -> int:
    """Ports of a leaf that join it to its twin, where uplinks have no ports of their own."""
    return 0 if params.leaf_uplinks_count else PEER_LINKS


def _three(leaves: int, up: int, down: int, k: int) -> Plane | None:
    half = k // 2
    if not half:
        return None
    whole, rest = divmod(leaves, half)
    if whole + (rest > 0) > k:
        return None
    spines = whole * up + math.ceil(rest * up / half)
    above = spines * half
    cores = math.ceil(above / k)
    links, most = leaves * up + above, k * half * down
    return Plane(3, leaves, spines, cores, links=links, up=up, down=down, most_ports=most)


def fabric(params: FabricParams) -> FabricResult:
    """Return the switches, links, power, height and price of a network.

    Notes
    -----
    Where hosts stand in several racks, leaves join either those of one rack each, by copper, or of
    several, and then all by optics, as which of them stand beside the leaf changes while racks are
    filled: whichever costs less.
    """
    shared = plane_of(params)
    if shared is None:
        raise TypeError
    found = _built(params, shared)
    if found.far_links_count:
        apart = plane_of(params, in_rack=True)
        beside = None if apart is None else _built(params, apart)
        if beside is not None and beside.total_usd <= found.total_usd:
            return beside
    return found


def _built(params: FabricParams, plane: Plane) -> FabricResult:
    rails, hosts = params.rails_count, params.hosts_count
    joined = hosts * params.ports_per_host_count if plane.tiers else 0
    far = _far_ports(params, plane)
    leaves, above = rails * plane.leaves, rails * (plane.spines + plane.cores)
    switches = leaves * params.leaf_usd + above * params.spine_usd
    near_usd, far_usd = (joined - far) * params.host_link_usd, far * params.far_link_usd
    links = rails * (near_usd + far_usd + plane.links * params.switch_link_usd)
    watts = leaves * params.leaf_w + above * params.spine_w
    up_gbit = params.uplink_gbit_per_s or params.port_gbit_per_s
    upwards = plane.leaves * plane.up * up_gbit
    if plane.tiers < 2:
        ratio, upwards = 1.0, joined * params.port_gbit_per_s
    else:
        ratio = max(plane.down * params.port_gbit_per_s / (plane.up * up_gbit), 1.0)
    return FabricResult(
        tiers_count=plane.tiers,
        leaves_count=leaves,
        spines_count=rails * plane.spines,
        cores_count=rails * plane.cores,
        switches_count=leaves + above,
        host_links_count=rails * joined,
        far_links_count=rails * far,
        switch_links_count=rails * plane.links,
        hosts_per_leaf_count=_per_leaf(params, plane),
        uplinks_per_leaf_count=plane.up if plane.tiers > 1 else 0,
        most_hosts_count=plane.most_ports // params.ports_per_host_count,
        oversubscription_ratio=ratio,
        bisection_gbit_per_s=rails * upwards / 2.0,
        power_kw=watts / 1000.0,
        rack_units_count=leaves * params.leaf_units_count + above * params.spine_units_count,
        switches_usd=switches,
        links_usd=links,
        total_usd=switches + links,
        sentence=_sentence(params, plane, far),
    )


def _far_ports(params: FabricParams, plane: Plane) -> int:
    """Ports of hosts in other racks than their leaf's, of one rail."""
    rack = params.hosts_per_rack_count
    if rack is None or not plane.tiers:
        return 0
    if plane.tiers == 1:
        return max(params.hosts_count - rack, 0) * params.ports_per_host_count
    together = _per_leaf(params, plane) <= rack
    return 0 if together else params.hosts_count * params.ports_per_host_count


def _per_leaf(params: FabricParams, plane: Plane) -> int:
    """Hosts on a leaf, or on two that share them; 0 where there is none."""
    homes = 1 if params.ports_per_host_count == 1 else 2
    return homes * plane.down // params.ports_per_host_count


def rails_for(ports: int, switch_ports: int, *, most: int) -> int:
    """Rails of a GPU network: as few as join all ports in one tier, else one for each GPU.

    Parameters
    ----------
    ports
        Ports of all GPUs. [count]
    switch_ports
        Ports of a switch. [count]
    most
        GPUs of a server. [count]

    Returns
    -------
    int
        A divisor of ``most``.

    Notes
    -----
    GPU i of every server is on rail i mod the rails, so that ports of a rail are on one switch.

    Examples
    --------
    >>> rails_for(24, 64, most=8), rails_for(1024, 64, most=8)
    (1, 8)
    """
    divisors = (rails for rails in range(1, most + 1) if most % rails == 0)
    return next((rails for rails in divisors if ports <= rails * switch_ports), most)


# Ports of an edge firewall that its lines and the leaves leave free, and of a switch of 48.
_RACKS_AT_EDGE, _RACKS_PER_PAIR = 4, 44


def above_management(racks: int) -> int:
    """Switches that the management switches of racks hang on, two of 48 ports for every 44.

    Parameters
    ----------
    racks
        Racks, each with a management switch. [count]

    Returns
    -------
    int
        0 up to four racks, whose management switches hang on the two edge firewalls: leaves have
        no port left for them once they are full of hosts.

    Examples
    --------
    >>> above_management(4), above_management(5), above_management(112)
    (0, 2, 6)
    """
    return 2 * math.ceil(racks / _RACKS_PER_PAIR) if racks > _RACKS_AT_EDGE else 0


_TIERS = ("no switch", "one tier", "two tiers", "three tiers")


def _sentence(params: FabricParams, plane: Plane, far: int) -> str:
    if not plane.tiers:
        return "One host needs no network between hosts."
    count = params.rails_count * (plane.leaves + plane.spines + plane.cores)
    rails = f", {params.rails_count} rails" if params.rails_count > 1 else ""
    most = plane.most_ports // params.ports_per_host_count
    switches = f"{count:,} switch{'es' if count > 1 else ''}"
    links = f", {params.rails_count * far:,} host links by optics" if far else ""
    return (
        f"{switches} in {_TIERS[plane.tiers]}{rails}{links}; up to {most:,} hosts without another "
        "tier."
    )


def _run(params: FabricParams, _context: Context) -> FabricResult:
    return fabric(params)


def _of(**fields: Any) -> FabricResult:
    return fabric(FabricParams.model_validate(fields))


def _gpus(count: int) -> JSONDict:
    return {"hosts_count": count // 8, "rails_count": 8}


def _sheet(count: int, switches: float) -> Check:
    return Check(
        f"sheet-{count}",
        f"{count:,} GPUs on eight rails of 64-port switches",
        switches,
        lambda: float(_of(**_gpus(count)).switches_count),
        source=SHEET,
        kind="predicted",
        tests="network.fabric.split_of",
        unit="count",
        params=lambda: _gpus(count),
    )


def _switch_usd(count: int, published: float) -> Check:
    """The sheet's price of switches a port, as it multiplies a switch out without rails."""
    return Check(
        f"sheet-usd-{count}",
        f"Switches a port, {count:,} ports of 400G without rails",
        published,
        lambda: _of(hosts_count=count).switches_usd / count,
        source=SHEET,
        kind="predicted",
        tests="network.fabric.FabricParams.leaf_usd",
        tolerance=1.0,
        wider="Printed without cents.",
        unit="USD",
    )


_CHECKS = (
    *(_sheet(count, float(n)) for count, n in ((8192, 384), (16_384, 768))),
    _switch_usd(64, 562.0),
    _switch_usd(1024, 1688.0),
    _switch_usd(32_768, 2812.0),
    derived_check(
        "clos-1024",
        "1,024 ports on 64-port switches: leaves and spines",
        "32 + 16",
        lambda: _pair(hosts_count=1024),
        source=f"{ALFARES}: k^2/2 hosts in two tiers",
        tests="network.fabric.plane_of",
    ),
    derived_check(
        "clos-2048",
        "2,048 ports",
        "64 + 32",
        lambda: _pair(hosts_count=2048),
        source=ALFARES,
        tests="network.fabric.split_of",
    ),
    derived_check(
        "clos-2049",
        "2,049 ports: tiers",
        3.0,
        lambda: float(_of(hosts_count=2049).tiers_count),
        source=f"{ALFARES}: more than k^2/2 hosts",
        unit="count",
        tests="network.fabric.FabricParams.spine_ports_count",
    ),
    derived_check(
        "clos-480",
        "480 ports at 3 : 1, any number of links to a spine",
        "10 + 3",
        lambda: _pair(hosts_count=480, oversubscription_ratio=3.0, even_uplinks=False),
        source="48 ports down and 16 up on a switch of 64",
        tests="network.fabric.plane_of",
    ),
    derived_check(
        "clos-480-even",
        "480 ports at 3 : 1, as many links to each spine",
        "10 + 4",
        lambda: _pair(hosts_count=480, oversubscription_ratio=3.0),
        source="16 uplinks go evenly to 4 spines and not to 3",
        tests="network.fabric.FabricParams.oversubscription_ratio",
    ),
    derived_check(
        "fat-tree",
        "Fat tree of 48-port switches: most hosts, k^3/4",
        27_648.0,
        lambda: float(_fat(27_648).most_hosts_count),
        source=f"{ALFARES}, section 3: 27,648 hosts with k = 48",
        unit="count",
        kind="predicted",
        tests="network.fabric.FabricParams.spine_ports_count",
        basis="published",
    ),
    derived_check(
        "fat-tree-switches",
        "The same, switches when full: 5 k^2/4",
        2880.0,
        lambda: float(_fat(27_648).switches_count),
        source=f"{ALFARES}, section 3: 2,880 switches with k = 48",
        unit="count",
        kind="predicted",
        tests="network.fabric.split_of",
        basis="published",
    ),
)


def _fat(hosts: int) -> FabricResult:
    return _of(hosts_count=hosts, leaf_ports_count=48, spine_ports_count=48)


def _pair(**fields: Any) -> str:
    found = _of(**fields)
    return f"{found.leaves_count} + {found.spines_count}"


SPEC = ModelSpec(
    id="network.fabric",
    version="1.2.0",
    title="Network of hosts",
    summary="How many switches, links, kW, rack units and dollars join hosts at a wanted "
    "oversubscription: leaves and spines, three tiers, or rails of a GPU cluster.",
    params=FabricParams,
    result=FabricResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="M. Al-Fares, A. Loukissas, A. Vahdat, A Scalable, Commodity Data Center "
            "Network Architecture, SIGCOMM 2008, doi:10.1145/1402958.1402967",
            section="3",
        ),
        Citation(text=SHEET),
    ),
    formulas=(
        Formula(
            "leaf",
            "down = floor(k * r / (r + 1)); up = k - down",
            "k ports of one speed at r : 1; with uplinks of their own, as many as r : 1 needs",
        ),
        Formula(
            "two_tiers",
            "leaves = ceil(n / down); spines = ceil(leaves * up / k); leaves <= k",
            "folded Clos, Al-Fares 2008; at most k^2 / 2 hosts without oversubscription",
        ),
        Formula(
            "three_tiers",
            "pods = ceil(leaves / (k / 2)) <= k; spines of a pod = up; cores = spines / 2",
            "fat tree, Al-Fares 2008; at most k^3 / 4 hosts, 5 k^2 / 4 switches when full",
        ),
        Formula(
            "price",
            "price = switches * price + host links * price + links between switches * price",
            "definition; a link has its two ends and the cable in it; copper within a rack, "
            "optics to another",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Switches of one kind for all tiers above the leaves; no dragonfly, torus or optical "
        "circuit switches.",
        "Optics that fail are the spares' affair; cables are priced by the link, not by the metre: "
        "copper reaches the hosts of a leaf's rack and no other (about 3 m, Fluxlight 2022).",
    ),
)
