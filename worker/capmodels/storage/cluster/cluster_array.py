"""A coded cluster, request by request: before, during and after a drive or a node is rebuilt.

Requests go to the node that leads their placement group; that reads from or writes to the drives of
the group over the network. Each phase takes a third of the requests. A rebuild takes hours, a phase
minutes: the phase is a sample of the whole rebuild, over which groups become whole one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.numbers import percent, significant
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec
from capmodels.storage.cluster.array_params import (
    ClusterArrayParams,
    ClusterArrayResult,
    Phase,
    Rebuilt,
    Responses,
)
from capmodels.storage.cluster.recovery import code_of, lost_of
from capmodels.storage.cluster.told import phase_tables
from capmodels.storage.drive.drives import SolidState
from capmodels.storage.simulator.series import quantile_ms
from capmodels.units import (
    BYTES_PER_MB,
    SECONDS_PER_HOUR,
    kwh_from_w,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from capmodels.storage.cluster.machine import Served

SATURATED_FRACTION = 0.98
_BYTES_PER_TB = 1e12
_PHASES = ("before", "during", "after")
_STEPS_MAX = 1e9  # some minutes
# Fewer pieces tell no time, unless limits alone would have allowed many times as many.
_PIECES_LEAST, _ALLOWED = 30, 10


def _phase(params: ClusterArrayParams, name: str, served: Served) -> Phase:
    """What a phase came to."""
    busiest = min(float(served.busy.max()), 1.0)
    # A rebuild takes what time drives have left: its next piece waits for the one before.
    asked = max(float(served.asked.max()), served.busiest_link)
    holds = asked < SATURATED_FRACTION and not served.overflown
    machines, drive = params.machines, params.drive
    busy = served.busy.clip(max=1.0)
    drives_w = served.drives * drive.idle_w + (drive.active_w - drive.idle_w) * busy.sum()
    return Phase(
        phase=name,
        read=_responses(served, 0) if holds else None,
        write=_responses(served, 1) if holds else None,
        degraded_read_fraction=served.degraded / served.counts[0] if served.counts[0] else 0.0,
        drive_load_fraction=float(busy.sum()) / served.drives,
        busiest_drive_fraction=busiest,
        network_mb_per_s=served.sent_bytes / served.seconds / BYTES_PER_MB,
        busiest_link_fraction=served.busiest_link,
        code_cores_count=served.cores,
        power_w=(served.nodes * machines.node_w + float(drives_w)) * params.pue_ratio,
    )


def _responses(served: Served, write: int) -> Responses | None:
    if served.counts[write] == 0:
        return None
    p50, p95, p99, p999 = (
        quantile_ms(served.histogram[write], q) for q in (0.5, 0.95, 0.99, 0.999)
    )
    return Responses(
        count=served.counts[write],
        mean_ms=served.sums_ms[write] / served.counts[write],
        p50_ms=p50,
        p95_ms=p95,
        p99_ms=p99,
        p999_ms=p999,
    )


def _too_short(params: ClusterArrayParams, served: Served) -> bool:
    """Whether a phase ends before enough is rebuilt to tell how long it takes."""
    if served.pieces >= _PIECES_LEAST:
        return False
    limit = lost_of(params, 1)
    written = limit.read_tb / code_of(params).repair_reads * _BYTES_PER_TB
    rebuild_s = (limit.recovery_h - params.recovery.detection_h) * SECONDS_PER_HOUR
    allowed = written / params.recovery.piece_bytes * served.seconds / rebuild_s
    return allowed < _PIECES_LEAST * _ALLOWED


def _rebuilt(
    params: ClusterArrayParams, served: Served, power_w: float, urgent_fraction: float
) -> Rebuilt | None:
    """The whole rebuild, at the pace of what was simulated of it; what is urgent comes first."""
    if served.pieces == 0:
        return None
    drives = params.machines.drives_per_node_count if params.lost == "node" else 1
    limit = lost_of(params, drives)
    lost_bytes = drives * params.drive.capacity_gb * 1e9 * params.fill_fraction
    pieces_bytes = served.pieces * params.recovery.piece_bytes
    rate = pieces_bytes / served.seconds
    detection, rebuilding = params.recovery.detection_h, lost_bytes / rate / SECONDS_PER_HOUR
    hours = detection + rebuilding
    lost_tb = lost_bytes / _BYTES_PER_TB
    return Rebuilt(
        recovery_h=hours,
        limit_h=limit.recovery_h,
        urgent_h=detection + urgent_fraction * rebuilding if urgent_fraction else None,
        written_mb_per_s=rate / BYTES_PER_MB,
        read_tb=served.read_for_one * lost_tb,
        network_tb=served.sent_for_one * lost_tb,
        energy_kwh=kwh_from_w(power_w, hours),
        pieces_count=served.pieces,
    )


def _headline(
    params: ClusterArrayParams, phases: list[Phase], rebuild: Rebuilt | None, *, short: bool
) -> str:
    told = [phase.read or phase.write for phase in phases]
    kind = "reads" if phases[0].read or params.work.read_fraction > 0 else "writes"
    if any(one is None for one in told):
        first = next(phase for phase, one in zip(phases, told, strict=True) if one is None)
        link = first.busiest_link_fraction > first.busiest_drive_fraction
        busy = first.busiest_link_fraction if link else first.busiest_drive_fraction
        return (
            f"The {'links' if link else 'drives'} cannot serve "
            f"{params.work.requests_per_s:,.0f} requests/s {first.phase} the rebuild of a "
            f"{params.lost}: the busiest works {percent(min(busy, 1.0))} of the time."
        )
    p99 = [f"{significant(one.p99_ms)} ms" for one in told if one is not None]
    unknown = "how long it takes is unknown" if short else "it makes no headway"
    hours = unknown if rebuild is None else f"{rebuild.recovery_h:,.3g} h"
    return (
        f"p99 of {kind}: {p99[0]} before, {p99[1]} during and {p99[2]} after the rebuild of a "
        f"{params.lost} ({hours})."
    )


def _notes(
    params: ClusterArrayParams, phases: list[Phase], rebuild: Rebuilt | None, *, short: bool
) -> list[str]:
    found = []
    if short:
        seconds = params.work.requests_count / 3 / params.work.requests_per_s
        found.append(
            f"The requests of a phase come within {seconds:.3g} s, too short to tell how long a "
            "rebuild takes. Enter more requests."
        )
    if rebuild is not None:
        found.append(
            f"The rebuild writes {rebuild.written_mb_per_s:,.4g} MB/s, reads "
            f"{rebuild.read_tb:,.4g} TB and sends {rebuild.network_tb:,.4g} TB between nodes; "
            f"its limits alone would allow {rebuild.limit_h:,.3g} h."
        )
    if rebuild is not None and rebuild.urgent_h is not None:
        found.append(
            "Groups that lack more than one shard are rebuilt first: after "
            f"{rebuild.urgent_h:,.3g} h no group does."
        )
    during = phases[1]
    found.append(
        f"During it drives work {percent(during.drive_load_fraction)} of the time "
        f"({percent(phases[0].drive_load_fraction)} before), the busiest link "
        f"{percent(during.busiest_link_fraction)}; the cluster draws {during.power_w:,.0f} W."
    )
    return found


def _run(params: ClusterArrayParams, context: Context) -> ClusterArrayResult:
    from capmodels.storage.cluster.machine import Layout, rebuild_steps, unpacked

    layout = Layout(params)
    if layout.worst_count > code_of(params).survives_any:
        text = (
            f"Some group loses {layout.worst_count} shards at once, more than the code survives. "
            "Choose a wider failure domain, or more parities."
        )
        raise ModelError(text)
    if rebuild_steps(params, layout) > _STEPS_MAX:
        text = (
            f"While {params.work.requests_count / 3:,.0f} requests come at "
            f"{params.work.requests_per_s:.3g} a second, more is rebuilt than can be simulated. "
            "Enter fewer requests, or more a second."
        )
        raise ModelError(text)
    # The phases know nothing of each other: each is a chunk that any worker does.
    chunks = [
        {
            "version": SPEC.version,
            "params": params.model_dump(mode="json"),
            "seed": context.seed,
            "phase": name,
        }
        for name in _PHASES
    ]
    served = [unpacked(data) for data in context.run_chunks(phase_served, chunks)]
    phases = [_phase(params, name, one) for name, one in zip(_PHASES, served, strict=True)]
    short = _too_short(params, served[1])
    rebuild = (
        None if short else _rebuilt(params, served[1], phases[1].power_w, layout.urgent_fraction)
    )
    return ClusterArrayResult(
        headline=_headline(params, phases, rebuild, short=short),
        notes=tuple(_notes(params, phases, rebuild, short=short)),
        tables=phase_tables(phases, rebuild),
        requests_per_s=params.work.requests_per_s,
        phases=tuple(phases),
        rebuild=rebuild,
    )


def phase_served(chunk: dict[str, Any], report: Callable[[float, str], None]) -> bytes:
    """Simulate one phase: a chunk of a run's work."""
    from capmodels.storage.cluster.machine import Layout, packed, served_phase

    if chunk["version"] != SPEC.version:
        message = f"This chunk is of version {chunk['version']}, this is {SPEC.version}."
        raise ModelError(message)
    params = ClusterArrayParams.model_validate(chunk["params"])
    report(0.0, f"Simulating requests {chunk['phase']} the rebuild")
    return packed(served_phase(params, Layout(params), chunk["phase"], chunk["seed"]))


# A drive that always takes 1 ms, of which one serves one request at a time.
_STEADY = SolidState(
    capacity_gb=1000.0,
    read_latency_ms=1.0,
    write_latency_ms=1.0,
    read_mb_per_s=1e6,
    write_mb_per_s=1e6,
    active_w=5.0,
    idle_w=2.0,
)


def _queue_params() -> Mapping[str, Any]:
    """Copies of which one is read, so that each drive is an M/D/1 queue at half of its load."""
    return {
        "machines": {"nodes_count": 2, "drives_per_node_count": 4, "racks_count": 1, "hop_ms": 0.0,
                     "network_gbit_per_s": 100_000.0},
        "drive": _STEADY.model_dump(mode="json"),
        "code": {"data_count": 1, "parity_count": 1},
        "placement_groups_count": 40_000,
        "lost": "drive",
        "work": {"requests_per_s": 4000.0, "read_fraction": 1.0, "size_bytes": 512,
                 "requests_count": 300_000},
    }  # fmt: skip


def _queue_mean_ms() -> float:
    params = ClusterArrayParams.model_validate(_queue_params())
    read = _run(params, Context(seed=1)).phases[0].read
    return read.mean_ms if read is not None else 0.0


_CHECKS = (
    Check(
        id="M/D/1",
        title="Drives that always take 1 ms, half busy: mean response",
        source="Pollaczek and Khinchine: S + S load / (2 (1 - load)), S = 1 ms, load 0.5",
        published=1.5,
        tolerance=0.015,
        unit="ms",
        basis="derived",
        compute=_queue_mean_ms,
        params=_queue_params,
        kind="predicted",
        tests="storage.drive.drives.SolidState.read_latency_ms",
    ),
)

SPEC = ModelSpec(
    id="storage.cluster_array",
    version="1.5.0",
    title="Coded cluster, simulated",
    summary="Simulates a cluster that keeps copies or coded shards request by request: response "
    "before, during and after the rebuild of a drive or a node, network, processors and energy.",
    params=ClusterArrayParams,
    result=ClusterArrayResult,
    run=_run,
    points=lambda params: params.work.requests_count,
    instant=False,
    quick_limit=2_000_000,
    stochastic=True,
    citations=(
        Citation(
            text="S. A. Weil et al., CRUSH: Controlled, Scalable, Decentralized Placement of "
            "Replicated Data, SC 2006"
        ),
        Citation(text="C. Huang et al., Erasure Coding in Windows Azure Storage, USENIX ATC 2012"),
        Citation(
            text="R. Nelson, A. N. Tantawi, Approximate Analysis of Fork/Join Synchronization in "
            "Parallel Queues, IEEE Transactions on Computers 37(6), 1988"
        ),
    ),
    formulas=(
        Formula(
            id="read",
            text="read = max over shards (queue + service + hop + sending) + decoding + sending on",
            source="the path of a request through the node that leads its group",
        ),
        Formula(
            id="pace",
            text="pieces/s <= min(drives' rate / (reads + 1), network share / reads) / piece",
            source="the limits of storage.cluster_code",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "A phase is a sample of minutes out of hours of a rebuild; groups become whole over it one "
        "by one, at the pace of the simulated pieces.",
        "A solid-state drive serves a read on any free channel, with dies at their ceiling too; "
        "a write in company is answered as one alone.",
        "Drives serve first come first served, without a buffer of their own, at places drawn "
        "evenly; pieces that are rebuilt as well.",
        "A node's link passes data at its rate, first come first served, whatever they are; what "
        "is sent reaches the other node's link when it begins to leave the first.",
        "A write is answered when all shards are written; a shard that is lost is written once its "
        "group is whole again.",
        "A partial write reads the old data and parities and writes the changed ones.",
        "Encoding takes a core of the leading node, of which there are always enough.",
        "A drive takes one piece that is rebuilt at a time, as with Ceph's osd_max_backfills of 1. "
        "Groups that lack most shards come first, each until it is whole; others only while drives "
        "of these are taken.",
        "Where no other failure domain is left, lost shards are rebuilt on a replacement.",
    ),
)
