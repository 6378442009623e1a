"""A cluster that spreads coded data over nodes: space, durability, load, energy and cost.

Closed forms. An object is cut into k shards, m parities are added (and one for each local group),
and each shard lies in another failure domain, by placement groups that are drawn by hash.
"""

from __future__ import annotations

import math
from functools import partial

from capmodels.numbers import percent
from capmodels.reliability.loss_chain import Group, group_chain, mean_time_h, repair_rates
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, one_point
from capmodels.storage.closed_form.rebuild import unknown_words
from capmodels.storage.cluster.beside import (
    MOST_LOAD,
    busiest,
    moments_of,
    pace_fraction,
    slowed,
)
from capmodels.storage.cluster.codes import Code, decodable_fraction, room_fraction
from capmodels.storage.cluster.durability import durability, losses_of
from capmodels.storage.cluster.links import Asked, Links, links_of
from capmodels.storage.cluster.params import (
    ClusterCodeParams,
    ClusterCodeResult,
    Durability,
    Load,
    Lost,
    Percentiles,
    domains_count,
)
from capmodels.storage.cluster.recovery import MB_PER_S_OF_GBIT, code_of, drives_count, lost_of
from capmodels.storage.cluster.responses import PERCENTILES, Response, Responses, responses
from capmodels.storage.cluster.told import code_table
from capmodels.storage.drive.service import (
    MS_PER_S,
    Moments,
    mixed_moments,
)
from capmodels.units import (
    GB_PER_TB,
    HOURS_PER_YEAR,
    kwh_from_w,
)


def space_tb(params: ClusterCodeParams) -> tuple[float, float]:
    """Raw space, and room for data at the fill that is allowed. [TB]"""
    raw = drives_count(params) * params.drive.capacity_gb / GB_PER_TB
    code, machines = code_of(params), params.machines
    domains = min(domains_count(machines, params.failure_domain), machines.nodes_count)
    room = params.fill_fraction * room_fraction(machines.nodes_count, domains, code.shards_count)
    return raw, raw * room * code.data_count / code.shards_count


class _Requests:
    """What requests put on the drives and the network."""

    def __init__(self, params: ClusterCodeParams) -> None:
        work, code = params.work, code_of(params)
        self.params, self.code = params, code
        self.shard_bytes = max(work.size_bytes / code.data_count, 512.0)
        self.reads = work.requests_per_s * work.read_fraction
        self.writes = work.requests_per_s - self.reads
        self.read = moments_of(params.drive, self.shard_bytes, write=False)
        self.write = moments_of(params.drive, self.shard_bytes, write=True)
        self.asked = Asked(self.reads, self.writes, work.size_bytes)
        self.busiest_load = busiest(params, 0.0, self.asked).load
        drives = drives_count(params)
        self.read_ops = self.reads * code.data_count / drives
        self.write_ops = self.writes * code.shards_count / drives

    @property
    def mixed(self) -> Moments:
        ops = self.read_ops + self.write_ops
        share = self.write_ops / ops if ops else 0.0
        return mixed_moments([(1 - share, self.read), (share, self.write)])

    @property
    def drive_load(self) -> float:
        ops = self.read_ops + self.write_ops
        return ops * self.mixed.mean_ms / MS_PER_S

    @property
    def network_load(self) -> float:
        """Share of its time that a node's network is asked for, in the busier direction."""
        return max(self.links.loads)

    @property
    def coding_ms(self) -> float:
        """Time in which a core encodes or decodes a request; copies need none."""
        if self.code.data_count == 1:
            return 0.0
        return self.params.work.size_bytes / self.params.machines.code_gb_per_s / 1e9 * MS_PER_S

    @property
    def responses(self) -> Responses | None:
        """How long requests take; None when they would wait for ever."""
        if self.busiest_load >= 1:
            return None
        return responses(self.params, self.asked, self.links, self.coding_ms)

    @property
    def links(self) -> Links:
        """What nodes' networks pass."""
        return links_of(self.params, self.asked)


def _load_of(params: ClusterCodeParams, asked: _Requests) -> Load:
    """What requests cost the drives, the network and the processors, and how long they take."""
    network = params.machines.network_gbit_per_s * MB_PER_S_OF_GBIT
    cores = asked.writes * asked.coding_ms / MS_PER_S
    found = asked.responses
    kinds = (None,) * 3 if found is None else (found.read, found.degraded, found.write)
    means = [None if one is None else one.mean_ms for one in kinds]
    read, degraded, write = (None if one is None else _percentiles(one) for one in kinds)
    return Load(
        drive_operations_per_s=asked.read_ops + asked.write_ops,
        drive_load_fraction=asked.drive_load,
        network_mb_per_s=asked.network_load * network,
        network_load_fraction=asked.network_load,
        code_cores_count=cores,
        read_mean_ms=means[0],
        degraded_read_mean_ms=means[1],
        write_mean_ms=means[2],
        read=read,
        degraded_read=degraded,
        write=write,
    )


def _percentiles(of: Response) -> Percentiles:
    return Percentiles(**{name: getattr(of, name) for name in PERCENTILES})


def _headline(usable: float, found: Durability, per_tb: float | None, power: float) -> str:
    cost = "" if per_tb is None else f" at ${per_tb:,.3g} per usable TB and year"
    nines = found.object_nines_count
    safe = "durability unknown" if nines is None else f"{nines:.1f} nines of an object a year"
    return f"{usable:,.4g} TB usable{cost}, {safe}, {power / 1000:,.3g} kW."


def _notes(answer: ClusterCodeResult, asked: _Requests) -> tuple[str, ...]:
    one, many, load = answer.drive_lost, answer.node_lost, answer.load
    busy, network = percent(load.drive_load_fraction), percent(load.network_load_fraction)
    served = (
        f"Drives would work {busy} of the time, the fullest {percent(asked.busiest_load)}, nodes' "
        f"networks {network}, so requests wait without end."
        if load.read_mean_ms is None
        else f"Drives work {busy} of the time, the fullest {percent(asked.busiest_load)}; a read "
        f"takes {load.read_mean_ms:.3g} ms on average, without a shard "
        f"{load.degraded_read_mean_ms:.3g} ms; {_late(load.read)}."
    )
    survived = f"any {answer.durability.survives_count} lost shards are survived."
    return (
        f"A lost drive is rebuilt in {_hours(one)}, a lost node in {_hours(many)}; {survived}",
        served,
        *_unknown(answer, asked),
    )


def _late(read: Percentiles | None) -> str:
    return "" if read is None else f"99% take at most {read.p99_ms:.3g} ms"


def _hours(lost: Lost) -> str:
    return "an unknown time" if lost.recovery_h is None else f"{lost.recovery_h:,.3g} h"


def _unknown(answer: ClusterCodeResult, asked: _Requests) -> tuple[str, ...]:
    """Why how safe data are is unknown, or how long a node's rebuild takes."""
    each = float(asked.params.machines.drives_per_node_count)
    known = answer.durability.object_nines_count is not None
    losses = (1.0, each, *losses_of(asked.params))
    most = max(busiest(asked.params, lost, asked.asked) for lost in losses)
    return () if known and most.load <= MOST_LOAD else (unknown_words(*most),)


def _run(params: ClusterCodeParams, _context: Context) -> ClusterCodeResult:
    raw, usable = space_tb(params)
    code, machines, terms = code_of(params), params.machines, params.terms
    drives, asked = drives_count(params), _Requests(params)
    load = _load_of(params, asked)
    busy = min(load.drive_load_fraction, 1.0)
    each_w = params.drive.idle_w + (params.drive.active_w - params.drive.idle_w) * busy
    power = (machines.nodes_count * machines.node_w + drives * each_w) * terms.pue_ratio
    energy = kwh_from_w(power, HOURS_PER_YEAR)
    pace = partial(pace_fraction, params, asked=asked.asked)
    one, many = (
        slowed(params, lost_of(params, lost), pace(lost))
        for lost in (1.0, float(machines.drives_per_node_count))
    )
    own = params.afr_fraction or params.drive.afr_fraction
    repaired = drives * own * one.read_tb
    repaired += machines.nodes_count * machines.node_fraction_per_year * many.read_tb
    capital = None
    if params.drive.price_usd > 0:
        capital = drives * params.drive.price_usd + machines.nodes_count * machines.node_price_usd
    yearly = None if capital is None else capital / terms.years + energy * terms.energy_usd_per_kwh
    found = durability(params, pace)
    per_tb = None if yearly is None else yearly / usable
    answer = ClusterCodeResult(
        headline=_headline(usable, found, per_tb, power),
        drives_count=drives,
        raw_tb=raw,
        usable_tb=usable,
        overhead_ratio=code.shards_count / code.data_count,
        drive_lost=one,
        node_lost=many,
        durability=found,
        load=load,
        power_w=power,
        energy_kwh_per_year=energy,
        repair_tb_per_year=repaired,
        capital_usd=capital,
        usd_per_usable_tb_year=per_tb,
    )
    told = {"notes": _notes(answer, asked), "tables": (code_table(answer),)}
    return answer.model_copy(update=told)


def _vault_nines() -> float:
    """Nines a year of a vault of Backblaze."""
    vault = Group(20, 3, 0.00405 / HOURS_PER_YEAR, repair_rates(3, rebuild_h=156.0))
    return -math.log10(HOURS_PER_YEAR / mean_time_h(group_chain(vault)))


_CHECKS = (
    Check(
        id="lrc-four",
        title="LRC (12, 2, 2): patterns of four lost shards that can be decoded",
        source="Huang et al., Erasure Coding in Windows Azure Storage, USENIX ATC 2012",
        published=0.86,
        printed="86%",
        tolerance=0.005,
        unit="fraction",
        compute=lambda: decodable_fraction(Code(12, 2, 2), 4),
        kind="predicted",
        tests="storage.cluster.cluster_code.decodable_fraction",
    ),
    Check(
        id="lrc-space",
        title="LRC (12, 2, 2): raw space of a byte",
        source="Huang et al., Erasure Coding in Windows Azure Storage, USENIX ATC 2012",
        published=1.33,
        printed="1.33x",
        tolerance=0.005,
        unit="ratio",
        compute=lambda: Code(12, 2, 2).shards_count / 12,
        kind="arithmetic",
        tests="storage.cluster.cluster_code.Code.shards_count",
    ),
    Check(
        id="vault",
        title="17 + 3 shards, 0.405% failures a year, rebuilt in 156 h: nines a year",
        source="Backblaze, Durability Calculates at 99.999999999%, 17 July 2018",
        published=11.0,
        printed="99.999999999%, 11 nines",
        tolerance=0.5,
        unit="count",
        note="They count four failures within one span of 156 h, one span after the other; "
        "failures across two spans, as a chain has them, are three times as likely.",
        compute=_vault_nines,
        kind="predicted",
        tests="reliability.loss_chain.repair_rates",
        wider="They count failures within one span of 156 h only.",
    ),
)

SPEC = ModelSpec(
    id="storage.cluster_code",
    version="1.10.1",
    title="Coded cluster",
    summary="Space, durability, load, energy and cost of a cluster that keeps copies or coded "
    "shards of its data on nodes, racks or sites.",
    params=ClusterCodeParams,
    result=ClusterCodeResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="C. Huang et al., Erasure Coding in Windows Azure Storage, USENIX ATC 2012"),
        Citation(
            text="S. A. Weil et al., CRUSH: Controlled, Scalable, Decentralized Placement of "
            "Replicated Data, SC 2006"
        ),
        Citation(text="A. Cidon et al., Copysets, USENIX ATC 2013"),
        Citation(
            text="Backblaze, Durability Calculates at 99.999999999%, 2018",
            url="https://www.backblaze.com/blog/cloud-storage-durability/",
        ),
        Citation(text="D. Ford et al., Availability in Globally Distributed Storage, OSDI 2010"),
        Citation(
            text="H. C. Tijms, M. H. van Hoorn, A. Federgruen, Approximations for the steady-state "
            "probabilities in the M/G/c queue, Advances in Applied Probability 13(1), 1981"
        ),
        Citation(
            text="J.-F. Mai, M. Scherer, Levy-frailty copulas, Journal of Multivariate Analysis "
            "100(7), 2009"
        ),
        Citation(
            text="M. I. Reiman, B. Simon, Open queueing systems in light traffic, Mathematics of "
            "Operations Research 14(1), 1989"
        ),
    ),
    formulas=(
        Formula(
            id="usable",
            text="usable = drives capacity fill k / (k + m + l); larger racks or sites, where they "
            "are the failure domain, hold a shard of each group at most",
            source="definition of the code",
        ),
        Formula(
            id="recovery",
            text="recovery = detection + max(read and written / drives' rate, read / network) "
            "/ pace",
            source="all drives and nodes that are left take part; the pace beside requests is that "
            "of the streams of storage.cluster_array, in closed form",
        ),
        Formula(
            id="fullest",
            text="fullest = load (1 + z sqrt(sum of a^2 / groups of a drive) / sum of a), a = what "
            "a shard of a group is asked, z = that of the largest of N normal variables",
            source="shards fall on drives as a Poisson process; order statistics by Blom 1958",
        ),
        Formula(
            id="network",
            text="sent = reads + a; taken in = writes + a; a = (reads (k - 1) + writes "
            "(k + m + l - 1)) / k, less what stays on a node; the larger of both counts",
            source="a node with a shard serves: what is read leaves it whole, what is written "
            "reaches it whole, the other shards pass between nodes",
        ),
        Formula(
            id="response",
            text="F(x) = chance that the last shard is served by x: of M/G/c waits and service at "
            "drives as a hash fills them, product of the shards' (a write's leave one after the "
            "other; a read's pass one link in the order in which they come), to the power "
            "(1 - (1 - p)^k) / (p k), p = chance that another one is late by the same requests; "
            "with waits for the links, way, size / network, coding",
            source="Pollaczek and Khinchine's transform, by Fourier on a grid; several servers by "
            "Tijms et al. 1981; p from Brownian motions as in heavy traffic; two requests of one "
            "node to first order in traffic (Reiman and Simon 1989)",
        ),
        Formula(
            id="hit",
            text="hit = 1 - (1 - C(n, f) / C(N, f))^groups, f = one more than is survived",
            source="Cidon et al. 2013",
        ),
        Formula(
            id="mttdl",
            text="cluster = max(group / groups, f or more drives anywhere that hit a group)",
            source="Markov chains of reliability.array_loss; both are bounds",
        ),
        Formula(
            id="parts",
            text="losses by racks and sites = parts rate (1, if a part holds more shards than are "
            "survived, else the chance that drives, or more such parts, are then too many before "
            "all parts are whole)",
            source="a chain of parts and drives lost, from the first part on, for all groups",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Failures come at a constant rate. Shards of a group are taken as spread evenly over the "
        "parts that are wider than the failure domain: of 11 shards on 4 racks the fullest holds "
        "3. A hash alone may lay more there; choose the rack as failure domain to rule that out.",
        "Recovery waits for requests as storage.cluster_array's does, and does not slow them: "
        "simulate that. Drives hold unequally many shards, as a hash lays them; where requests ask "
        f"the fullest drive for more than {percent(MOST_LOAD)} of its time, how long a recovery "
        "takes is unknown.",
        "Means and percentiles of disks are within 7% of storage.cluster_array's (p99.9: 10%); "
        "where a request asks most of the drives the mean is up to 18% too low, p50 22%. Of "
        "solid-state drives p50, p95 and p99 are within 15%, p99.9 within 16%: up to 70% of the "
        "time of drives and links, unless one drive or link happens to hold so much that it nearly "
        "always works. On two or three nodes whose links are busy most, writes are told up to 30% "
        "(p50 40%) too long, reads of copies beside them up to 25%.",
        "Room of racks or sites of unequal size is that of the best placement; a hash alone fills "
        "smaller ones somewhat sooner where there are more of them than shards.",
        "That groups which lack most shards are rebuilt first, as storage.cluster_array has it, is "
        "left out of the chance of loss, which is therefore told too high.",
        "A local group's code recovers every pattern that its shape allows.",
        "A write replaces whole stripes; parts of a stripe are not written.",
    ),
)
