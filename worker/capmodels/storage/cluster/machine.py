"""A simulated cluster as the arrays that the kernels take, and what a phase came to."""

from __future__ import annotations

import math
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.errors import ModelError
from capmodels.rng import streams
from capmodels.storage.cluster import slots as k
from capmodels.storage.cluster.beside import moments_of
from capmodels.storage.cluster.params import domains_count
from capmodels.storage.cluster.places_kernel import places_of
from capmodels.storage.cluster.placing_kernel import placed, rebuilt
from capmodels.storage.cluster.recovery import away_of, code_of, drives_count
from capmodels.storage.cluster.serve_kernel import serve
from capmodels.storage.cluster.shards_kernel import moved_for_one
from capmodels.storage.drive.service import MS_PER_S, revolution_ms, transfer_ms
from capmodels.storage.drive.times import read_busy_ms, seek_curve, write_busy_ms
from capmodels.units import BITS_PER_BYTE, BYTES_PER_MB

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.cluster.array_params import ClusterArrayParams
    from capmodels.storage.drive.dies import Dies
    from capmodels.storage.drive.drives import HardDisk, SolidState

WARM_FRACTION = 0.05
_BYTES_PER_MS_OF_GBIT = 1e9 / BITS_PER_BYTE / MS_PER_S


class Layout:
    """Where shards lie, before a loss and once it is rebuilt."""

    def __init__(self, params: ClusterArrayParams) -> None:
        machines, drives = params.machines, drives_count(params)
        each = machines.drives_per_node_count
        self.node = (np.arange(drives) // each).astype(np.int32)
        self.first = _firsts(params)
        shards = code_of(params).shards_count
        none = np.zeros(drives, dtype=np.uint8)
        self.groups = placed(params.placement_groups_count, shards, self.first, none)
        self.lost = none.copy()
        self.lost[: each if params.lost == "node" else 1] = 1
        self.after = rebuilt(self.groups, self.first, self.lost)
        hurt = self.lost[self.groups].sum(axis=1)
        self.worst_count = int(hurt.max())
        # In the order in which they are rebuilt, and how many shards each has lost.
        self.hurt = np.flatnonzero(hurt)
        self.hurt = self.hurt[np.argsort(-hurt[self.hurt], kind="stable")]
        self.hurt_shards = hurt[self.hurt].astype(np.int64)

    @property
    def urgent_fraction(self) -> float:
        """Share of the lost shards that are of groups which have lost more than one."""
        return float(self.hurt_shards[self.hurt_shards > 1].sum() / self.hurt_shards.sum())

    @property
    def gone_count(self) -> int:
        """Lost drives that nothing takes the place of: all whose shards are rebuilt on others."""
        replaced = np.unique(self.after[self.lost[self.after] > 0])
        return int(self.lost.sum()) - replaced.size


def _firsts(params: ClusterArrayParams) -> NDArray[np.int64]:
    """The first drive of each failure domain, and the end; nodes as evenly as they go."""
    machines = params.machines
    domains = domains_count(machines, params.failure_domain)
    if params.failure_domain == "drive":
        return np.arange(domains + 1)
    nodes = -(-np.arange(domains + 1) * machines.nodes_count // domains)
    return nodes * machines.drives_per_node_count


@dataclass
class Served:
    """What a phase came to."""

    seconds: float
    counts: tuple[int, int]  # reads, writes
    sums_ms: tuple[float, float]
    histogram: NDArray[np.int64]
    degraded: float
    busy: NDArray[np.float64]  # share of the time, by drive
    asked: NDArray[np.float64]  # of that by requests, not by what is rebuilt
    drives: int  # that are there
    nodes: int
    sent_bytes: float
    busiest_link: float
    cores: float
    pieces: int
    read_for_one: float  # shards, of each that is rebuilt
    sent_for_one: float
    overflown: bool


def packed(served: Served) -> bytes:
    """What a phase came to as bytes, to the last bit."""
    buffer = BytesIO()
    np.savez_compressed(buffer, **vars(served))
    return buffer.getvalue()


def unpacked(data: bytes) -> Served:
    """Unpack what ``packed`` made."""
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        found: dict[str, Any] = {name: arrays[name] for name in arrays}
    for name, array in found.items():
        if name in {"counts", "sums_ms"}:
            found[name] = tuple(array.tolist())
        elif array.ndim == 0:
            found[name] = array.item()
    return Served(**found)


def served_phase(params: ClusterArrayParams, layout: Layout, name: str, seed: int) -> Served:
    """Serve a third of the requests, before, during or after the rebuild."""
    c = cluster_of(params, layout, name)
    place = ("before", "during", "after").index(name)
    # Numbers of requests are what chances come of: far apart from seed to seed.
    first = int(streams(seed, 3)[place].integers(1 << 44))
    c["plan"][k.WARM] += first
    read, sent_of = moved_for_one(c)
    ms = float(serve(c, first))
    tally, sent, drives = c["tally"], c["sent"], layout.node.size
    gone = 0 if name == "before" else layout.gone_count
    nodes = params.machines.nodes_count
    return Served(
        seconds=ms / MS_PER_S,
        counts=(int(tally[k.READS]), int(tally[k.WRITES])),
        sums_ms=(float(tally[k.READ_SUM]), float(tally[k.WRITE_SUM])),
        histogram=c["histogram"],
        degraded=float(tally[k.DEGRADED]),
        busy=c["busy"][:drives] / ms / c["plan"][k.CHANNELS],
        asked=(c["busy"] - c["rebuilding"])[:drives] / ms / c["plan"][k.CHANNELS],
        drives=drives - gone,
        nodes=nodes - (1 if gone and params.lost == "node" else 0),
        sent_bytes=float(sent[:nodes].sum()),
        busiest_link=float(sent.max()) / (ms * float(c["par"][k.LINK_RATE])),
        cores=float(tally[k.CODED]) / ms,
        pieces=int(tally[k.PIECES]),
        read_for_one=read,
        sent_for_one=sent_of,
        overflown=bool(c["marks"][k.OVERFLOW]),
    )


def cluster_of(params: ClusterArrayParams, layout: Layout, name: str) -> k.Cluster:
    """The record of a phase, with nothing to do yet."""
    c = np.zeros(1, dtype=k.cluster_dtype())[0]
    hurt, drives, (groups, shards) = layout.hurt, layout.node.size, layout.groups.shape
    c["plan"], c["par"], c["places"] = (
        _plan(params, layout, name),
        _par(params, layout),
        places_of(params.drive, k.TABLE),
    )
    nodes, sites = params.machines.nodes_count, params.machines.sites_count
    c["site"][:nodes] = np.arange(nodes) * sites // nodes
    c["node"][:drives], c["lost"][:drives] = layout.node, layout.lost
    c["groups"][:groups, :shards] = layout.after if name == "after" else layout.groups
    c["after"][:groups, :shards] = layout.after
    c["rank"][:groups], c["order"][: hurt.size] = -1, hurt
    if name == "during":
        c["rank"][hurt] = np.arange(hurt.size)
    lost = layout.hurt_shards
    c["alike_until"][: hurt.size] = np.searchsorted(-lost, -lost, side="right")
    c["lost_before"][1 : hurt.size + 1] = np.cumsum(lost)
    c["marks"][k.NOW] = c["buckets"][:] = c["following"][-1] = c["resting"][-1] = -1
    c["following"][:-1] = c["resting"][:-1] = np.arange(1, k.EVENTS_MAX)
    c["par"][k.BUCKETS_PER_MS] = _events_per_ms(c)
    return c


def _events_per_ms(c: k.Cluster) -> float:
    """About how many events there are, so that a bucket of the calendar holds one or two."""
    plan, par = c["plan"], c["par"]
    pieces = plan[k.STREAMS] / par[k.PIECE_GAP]
    return float((plan[k.SHARDS] + 2) / par[k.GAP] + (plan[k.DATA] + 2) * pieces)


def _plan(params: ClusterArrayParams, layout: Layout, name: str) -> NDArray[np.int64]:
    code, drive = code_of(params), params.drive
    requests = max(params.work.requests_count // 3, 1)
    plan = np.zeros(k.PLAN_COUNT, dtype=np.int64)
    plan[k.DATA], plan[k.PARITIES] = code.data_count, code.parity_count
    plan[k.LOCALS], plan[k.SHARDS] = code.local_count, code.shards_count
    plan[k.GROUPS], plan[k.NODES] = layout.groups.shape[0], params.machines.nodes_count
    plan[k.DRIVES] = layout.node.size
    plan[k.CHANNELS] = drive.channels_count if drive.kind == "ssd" else 1
    plan[k.IS_SSD] = drive.kind == "ssd"
    plan[k.REQUESTS], plan[k.WARM] = requests, int(requests * WARM_FRACTION)
    plan[k.LOST_GROUPS] = layout.hurt.size
    if name == "during" and layout.hurt.size:
        plan[k.STREAMS] = _streams(params, layout)
    return plan


def _streams(params: ClusterArrayParams, layout: Layout) -> int:
    return params.recovery.at_once_count or int((layout.lost == 0).sum())


def _par(params: ClusterArrayParams, layout: Layout) -> NDArray[np.float64]:
    work, code, machines = params.work, code_of(params), params.machines
    par = np.zeros(k.PAR_COUNT)
    par[k.GAP] = MS_PER_S / work.requests_per_s if work.requests_per_s else math.inf
    par[k.READ_SHARE], par[k.PARTIAL_SHARE] = work.read_fraction, work.partial_fraction
    par[k.SIZE] = work.size_bytes
    par[k.SHARD_SIZE] = max(work.size_bytes / code.data_count, 512.0)
    par[k.PARTIAL_SIZE], par[k.PIECE_SIZE] = work.partial_bytes, params.recovery.piece_bytes
    par[k.HOP], par[k.SITE_HOP] = machines.hop_ms, machines.site_hop_ms
    rate = machines.network_gbit_per_s * _BYTES_PER_MS_OF_GBIT
    par[k.LINK_RATE] = rate
    par[k.LINK_PACE] = 1 / rate
    par[k.CODE_RATE] = machines.code_gb_per_s * 1e9 / MS_PER_S
    par[k.PIECE_GAP] = _piece_gap_ms(params, layout)
    if params.drive.kind == "hdd":
        _disk_par(par, params.drive)
    else:
        drive = params.drive
        par[k.READ_LATENCY], par[k.WRITE_LATENCY] = drive.read_latency_ms, drive.write_latency_ms
        par[k.READ_PACE] = transfer_ms(1.0, drive.read_mb_per_s)
        par[k.WRITE_PACE] = transfer_ms(1.0, drive.write_mb_per_s)
        par[k.READ_HOLD], par[k.WRITE_HOLD] = drive.read_hold_ms, drive.write_hold_ms
        if drive.dies is not None:
            _dies_par(par, drive, drive.dies)
    return par


def _dies_par(par: NDArray[np.float64], drive: SolidState, dies: Dies) -> None:
    """Put in a drive with dies as one with channels: its ceilings, and what it takes alone."""
    par[k.READ_LATENCY] += dies.link_read_ms
    par[k.WRITE_LATENCY] += dies.link_write_ms
    par[k.READ_HOLD] = read_busy_ms(drive, par[k.SHARD_SIZE])
    par[k.WRITE_HOLD] = write_busy_ms(drive, par[k.SHARD_SIZE])


def _disk_par(par: NDArray[np.float64], drive: HardDisk) -> None:
    curve = seek_curve(drive)
    if curve is None:
        message = "Enter the drive's shortest, mean and longest seek."
        raise ModelError(message)
    par[k.FIXED], par[k.SETTLE] = drive.overhead_ms, drive.write_settle_ms
    par[k.SEEK_A], par[k.SEEK_B], par[k.SEEK_C] = curve
    par[k.TURN] = revolution_ms(drive.speed_rpm)


def _piece_gap_ms(params: ClusterArrayParams, layout: Layout) -> float:
    """Least time between pieces of one stream, so that all together keep within the limits."""
    recovery, reads = params.recovery, code_of(params).repair_reads
    left = max(int((layout.lost == 0).sum()), 1)
    nodes = max(len(set(layout.node[layout.lost == 0].tolist())), 1)
    by_drives = (reads + 1) / (left * recovery.drive_mb_per_s)
    network = params.machines.network_gbit_per_s * 1e3 / BITS_PER_BYTE * recovery.network_fraction
    by_network = reads * away_of(params) / (nodes * network)
    seconds = recovery.piece_bytes / BYTES_PER_MB * max(by_drives, by_network)
    return seconds * MS_PER_S * _streams(params, layout)


def rebuild_steps(params: ClusterArrayParams, layout: Layout) -> float:
    """Steps of the rebuild while a phase's requests come, at most: pieces begun, what drives do."""
    phase_ms = params.work.requests_count / 3 / params.work.requests_per_s * MS_PER_S
    begun = _streams(params, layout) / _piece_gap_ms(params, layout)
    piece = moments_of(params.drive, params.recovery.piece_bytes, write=False)
    by_drives = int((layout.lost == 0).sum()) / piece.mean_ms
    return phase_ms * (begun + min(begun * (code_of(params).repair_reads + 1), by_drives))
