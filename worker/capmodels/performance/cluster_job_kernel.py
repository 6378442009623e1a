"""A job on many sizes of one cluster at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.performance.cluster_job_answer import (
    alone_s,
    disk_gb,
    network_gb,
    task_s,
    tasks_of,
)
from capmodels.units import (
    BYTES_PER_GB,
    BYTES_PER_MB,
    HOURS_PER_YEAR,
    WATTS_PER_KW,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.performance.cluster_job_params import Cluster, ClusterJobParams

    Grid = NDArray[np.float64]

_MB_PER_GB = BYTES_PER_GB / BYTES_PER_MB


def _disk_rates(cluster: Cluster, nodes: Grid, disks: Grid) -> Grid:
    """Rate of one disk, shape (nodes, disks). [MB/s]"""
    streams = nodes * cluster.threads_per_node_count / disks
    if cluster.streams_per_disk_ratio is not None:
        streams = np.full_like(streams, cluster.streams_per_disk_ratio)
    share = cluster.reposition_fraction * np.maximum(0.0, 1.0 - 1.0 / np.maximum(streams, 1.0))
    transfer_s = cluster.packet_mb / cluster.disk_mb_per_s
    rates: Grid = cluster.packet_mb / (transfer_s + share * cluster.reposition_ms / 1000.0)
    rates *= cluster.disk_sustained_fraction
    return rates * math.prod(setting.disk_rate_ratio for setting in cluster.settings)


def _times(
    params: ClusterJobParams, nodes: Grid, disks: Grid, rates: Grid
) -> tuple[Grid, Grid, float, Grid]:
    """Time of the job, use of cores, gigabytes moved, and time waited for each part."""
    job, cluster = params.job, params.clusters[0]
    slots, cores = nodes * cluster.slots_per_node_count, nodes * cluster.cores_per_node_count
    ports = cluster.ports_count * cluster.port_mb_per_s
    ports *= math.prod(setting.network_rate_ratio for setting in cluster.settings)
    time_s, busy_s, moved = np.full_like(rates, alone_s(job, cluster)), 0.0, 0.0
    waited_s = np.zeros((3, *rates.shape))
    for phase in job.phases:
        tasks, one_s = tasks_of(job, phase), task_s(cluster, phase)
        at_once = np.minimum(np.minimum(cores, slots), tasks)
        cpu_s = np.maximum(tasks * one_s / at_once, np.ceil(tasks / slots) * one_s)
        disk_s = disk_gb(job, phase) * _MB_PER_GB / (disks * rates)
        network_s = network_gb(job, phase) * _MB_PER_GB / ports
        by_part = np.stack(np.broadcast_arrays(cpu_s, disk_s, np.full_like(rates, network_s)))
        longest_s = by_part.max(axis=0)
        waited_s += longest_s * (by_part.argmax(axis=0) == np.arange(3)[:, None, None])
        time_s += longest_s
        busy_s += tasks * one_s
        moved += disk_gb(job, phase)
    return time_s, np.minimum(1.0, busy_s / (cores * time_s)), moved, waited_s


def grid_answers(
    params: ClusterJobParams, nodes: Sequence[int], disks: Sequence[int]
) -> tuple[Grid, Grid, Grid, NDArray[np.int64]]:
    """Time [s], energy [J], total cost [USD] and longest wait, shape (nodes, disks).

    The wait is an index of ``PARTS``. All are of the first cluster.
    """
    cluster = params.clusters[0]
    count, disk = np.asarray(nodes, float)[:, None], np.asarray(disks, float)[None, :]
    rates = _disk_rates(cluster, count, disk)
    time_s, cpu, moved, waited_s = _times(params, count, disk, rates)
    used = np.minimum(1.0, moved * _MB_PER_GB / (disk * rates * time_s))
    power, price = cluster.power, cluster.price
    watts = power.fixed_w + count * (power.node_idle_w + power.node_dynamic_w * cpu)
    watts = watts + disk * (power.disk_idle_w + power.disk_dynamic_w * used)
    watts += cluster.ports_count * power.port_w
    life_kwh = watts * HOURS_PER_YEAR * params.lifetime_years / WATTS_PER_KW
    bought = price.fixed_usd + price.node_usd * count + price.disk_usd * disk
    return (
        time_s,
        watts * time_s,
        bought + life_kwh * params.electricity_usd_per_kwh * params.pue,
        waited_s.argmax(axis=0),
    )
