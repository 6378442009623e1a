"""One cluster's answer to a batch job: waves, disks, ports, and power by part."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.performance.cluster_job_params import (
    Bottleneck,
    Cluster,
    ClusterAnswer,
    ClusterJobParams,
    Implied,
    Job,
    Parts,
    Phase,
    PhaseTime,
)
from capmodels.units import (
    BYTES_PER_GB,
    BYTES_PER_MB,
    HOURS_PER_YEAR,
    JOULES_PER_KWH,
    SECONDS_PER_HOUR,
    kwh_from_w,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_MB_PER_GB = BYTES_PER_GB / BYTES_PER_MB
PARTS: tuple[Bottleneck, ...] = ("cpu", "disk", "network")


def waves(*, tasks: int, slots: int) -> int:
    """Rounds in which tasks pass through slots.

    >>> waves(tasks=433, slots=68)
    7
    """
    return -(-tasks // slots)


def disk_effective_mb_per_s(
    *, disk_mb_per_s: float, packet_mb: float, reposition_ms: float, reposition_fraction: float
) -> float:
    """Rate of a disk that repositions before a share of its packets. [MB/s]

    >>> disk_effective_mb_per_s(disk_mb_per_s=100.0, packet_mb=0.125, reposition_ms=12.16,
    ...                         reposition_fraction=0.0)
    100.0
    """
    transfer_s = packet_mb / disk_mb_per_s
    return packet_mb / (transfer_s + reposition_fraction * reposition_ms / 1000.0)


def implied(*, performance_per_w_gain_fraction: float, time_cut_fraction: float) -> Implied:
    """Return the ratios that a gain in performance per watt and a time cut imply.

    S = 1 / (1 - cut); power = S / (1 + gain); energy = power / S; perf/Wh = (1 + gain) S, as
    performance per watt-hour divides 1 / time by energy and so counts the speed-up twice.
    """
    speedup = 1.0 / (1.0 - time_cut_fraction)
    gained = 1.0 + performance_per_w_gain_fraction
    return Implied(
        name="",
        speedup_ratio=speedup,
        power_ratio=speedup / gained,
        energy_ratio=1.0 / gained,
        performance_per_wh_ratio=gained * speedup,
    )


def threads_per_disk(cluster: Cluster) -> float | None:
    """Hardware threads that share a disk; None without disks."""
    if cluster.disks_count == 0:
        return None
    return cluster.nodes_count * cluster.threads_per_node_count / cluster.disks_count


def disk_rate_mb_per_s(cluster: Cluster) -> float:
    """Rate of one disk with its streams and the settings that were measured. [MB/s]"""
    streams = cluster.streams_per_disk_ratio
    if streams is None:
        streams = threads_per_disk(cluster) or 0.0
    # One stream never repositions; of many, nearly every change of packet may.
    share = cluster.reposition_fraction * (1.0 - 1.0 / streams) if streams > 1 else 0.0
    rate = disk_effective_mb_per_s(
        disk_mb_per_s=cluster.disk_mb_per_s,
        packet_mb=cluster.packet_mb,
        reposition_ms=cluster.reposition_ms,
        reposition_fraction=share,
    )
    rate *= cluster.disk_sustained_fraction
    return rate * math.prod(setting.disk_rate_ratio for setting in cluster.settings)


def tasks_of(job: Job, phase: Phase) -> int:
    """Tasks of a phase: as entered, or one for each block of the data."""
    if phase.tasks_count is not None:
        return phase.tasks_count
    return max(1, math.ceil(job.data_gb * BYTES_PER_GB / job.block_bytes))


def disk_gb(job: Job, phase: Phase) -> float:
    """Moved to and from disks, copies included. [GB]"""
    return phase.read_gb + phase.write_gb * job.copies_count


def network_gb(job: Job, phase: Phase) -> float:
    """Sent between nodes: the shuffle, and all copies but the first. [GB]"""
    return phase.shuffle_gb + phase.write_gb * (job.copies_count - 1)


def alone_s(job: Job, cluster: Cluster) -> float:
    """Time in which no cluster does more than one core can: start, end, what is serial. [s]"""
    slowed = math.prod(setting.cpu_time_ratio for setting in cluster.settings)
    return job.fixed_s + job.serial_s * slowed / cluster.core_speed_ratio


def task_s(cluster: Cluster, phase: Phase) -> float:
    """Time of one task on one core of the cluster. [s]"""
    slowed = math.prod(setting.cpu_time_ratio for setting in cluster.settings)
    return phase.task_cpu_s * slowed / cluster.core_speed_ratio


def phase_time(job: Job, cluster: Cluster, phase: Phase) -> PhaseTime:
    """Return how long a phase takes each part; the longest is the phase's."""
    tasks, slots = tasks_of(job, phase), cluster.nodes_count * cluster.slots_per_node_count
    rounds, one_s = waves(tasks=tasks, slots=slots), task_s(cluster, phase)
    cores = cluster.nodes_count * cluster.cores_per_node_count
    # No faster than the cores together, and no faster than the waves one after the other.
    cpu_s = max(tasks * one_s / min(cores, slots, tasks), rounds * one_s)
    moved, rate = disk_gb(job, phase), cluster.disks_count * disk_rate_mb_per_s(cluster)
    disk_s = moved * _MB_PER_GB / rate if moved else 0.0
    ports = cluster.ports_count * cluster.port_mb_per_s
    ports *= math.prod(setting.network_rate_ratio for setting in cluster.settings)
    network_s = network_gb(job, phase) * _MB_PER_GB / ports
    by_part: dict[Bottleneck, float] = {"cpu": cpu_s, "disk": disk_s, "network": network_s}
    bottleneck = max(by_part, key=lambda part: by_part[part])
    return PhaseTime(
        name=phase.name,
        tasks_count=tasks,
        waves_count=rounds,
        slot_use_fraction=tasks / (rounds * slots),
        cpu_s=cpu_s,
        disk_s=disk_s,
        network_s=network_s,
        time_s=by_part[bottleneck],
        bottleneck=bottleneck,
    )


def longest_wait(answer: ClusterAnswer) -> Bottleneck:
    """Return the part that the job waits for longest; the first of equals."""

    def waited_s(part: Bottleneck) -> float:
        return sum(phase.time_s for phase in answer.phases if phase.bottleneck == part)

    return max(PARTS, key=waited_s)


def parts_of(cluster: Cluster, cpu: float, disk: float) -> Parts:
    """Power by part at a use of cores and of disks. [W]"""
    power = cluster.power
    return Parts(
        fixed_w=power.fixed_w,
        nodes_w=cluster.nodes_count * (power.node_idle_w + power.node_dynamic_w * cpu),
        disks_w=cluster.disks_count * (power.disk_idle_w + power.disk_dynamic_w * disk),
        ports_w=cluster.ports_count * power.port_w,
    )


def watts(parts: Parts) -> float:
    """Power of all parts. [W]"""
    return parts.fixed_w + parts.nodes_w + parts.disks_w + parts.ports_w


def price_usd(cluster: Cluster) -> float:
    """Purchase price. [USD]"""
    price = cluster.price
    nodes_usd = price.node_usd * cluster.nodes_count
    return price.fixed_usd + nodes_usd + price.disk_usd * cluster.disks_count


def _loads(job: Job, cluster: Cluster, time_s: float) -> tuple[float, float]:
    """Mean use of cores and of disks over the job."""
    if time_s == 0:
        return 0.0, 0.0
    busy_s = sum(tasks_of(job, phase) * task_s(cluster, phase) for phase in job.phases)
    cores = cluster.nodes_count * cluster.cores_per_node_count
    moved = sum(disk_gb(job, phase) for phase in job.phases) * _MB_PER_GB
    disk = moved / (cluster.disks_count * disk_rate_mb_per_s(cluster) * time_s) if moved else 0.0
    return min(1.0, busy_s / (cores * time_s)), min(1.0, disk)


def _warnings(cluster: Cluster, phases: Sequence[PhaseTime]) -> tuple[str, ...]:
    slots = cluster.nodes_count * cluster.slots_per_node_count
    return tuple(
        f"{cluster.name}: phase {phase.name} has {phase.tasks_count:,} tasks for {slots:,} slots; "
        "more nodes do not make it faster."
        for phase in phases
        if phase.tasks_count < slots
    )


def answer_one(params: ClusterJobParams, cluster: Cluster) -> ClusterAnswer:
    """Return one cluster's time, power, energy and cost for the job."""
    phases = tuple(phase_time(params.job, cluster, phase) for phase in params.job.phases)
    time_s = alone_s(params.job, cluster) + sum(phase.time_s for phase in phases)
    cpu, disk = _loads(params.job, cluster, time_s)
    parts = parts_of(cluster, cpu, disk)
    power, price = watts(parts), price_usd(cluster)
    life_kwh = kwh_from_w(power, HOURS_PER_YEAR * params.lifetime_years)
    tco = price + life_kwh * params.electricity_usd_per_kwh * params.pue
    energy_j = power * time_s
    return ClusterAnswer(
        name=cluster.name,
        nodes_count=cluster.nodes_count,
        disks_count=cluster.disks_count,
        time_s=time_s,
        phases=phases,
        threads_per_disk_ratio=threads_per_disk(cluster),
        disk_effective_mb_per_s=disk_rate_mb_per_s(cluster),
        cpu_utilization_fraction=cpu,
        disk_utilization_fraction=disk,
        power_w=power,
        power_parts=parts,
        full_power_w=watts(parts_of(cluster, 1.0, 1.0)),
        fixed_power_per_node_w=cluster.power.fixed_w / cluster.nodes_count,
        energy_j=energy_j,
        energy_kwh=energy_j / JOULES_PER_KWH,
        price_usd=price,
        tco_usd=tco,
        performance_per_w=1.0 / energy_j,
        performance_per_wh=SECONDS_PER_HOUR / (time_s * energy_j),
        performance_per_usd=1.0 / (time_s * tco) if tco > 0 else None,
        warnings=_warnings(cluster, phases),
    )
