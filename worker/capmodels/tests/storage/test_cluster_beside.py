"""A coded cluster's recovery beside requests, in closed form, against the simulator."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.spec import evaluate
from capmodels.storage.cluster.array_params import ClusterArrayParams, SimulatedRecovery
from capmodels.storage.cluster.beside import (
    PIECE_BYTES,
    TRIES,
    Asked,
    drive_mb_per_s,
    moments_of,
    pace_fraction,
    slowed,
)
from capmodels.storage.cluster.cluster_array import SPEC as SIMULATED
from capmodels.storage.cluster.recovery import lost_of

HDD: dict[str, Any] = {
    "kind": "hdd",
    "capacity_gb": 16000.0,
    "active_w": 8.0,
    "idle_w": 5.0,
    "outer_mb_per_s": 250.0,
    "inner_mb_per_s": 120.0,
    "speed_rpm": 7200.0,
    "seek": {"kind": "three_point", "min_ms": 0.8, "avg_ms": 8.5, "max_ms": 17.0},
}
SSD: dict[str, Any] = {
    "kind": "ssd",
    "capacity_gb": 3840.0,
    "read_latency_ms": 0.1,
    "write_latency_ms": 0.02,
    "read_mb_per_s": 2800.0,
    "write_mb_per_s": 1200.0,
    "active_w": 12.0,
    "idle_w": 4.0,
    "channels_count": 8,
}
# Data, parities, local groups; nodes, drives of each; groups; failure domain; network in Gbit/s.
CLUSTERS = {
    "7+2": ((7, 2, 0), (14, 9), 7000, "node", 25.0),
    "10+4": ((10, 4, 0), (22, 8), 6000, "node", 40.0),
    "copies": ((1, 2, 0), (10, 16), 14000, "node", 25.0),
    "LRC": ((8, 2, 2), (18, 10), 8000, "node", 25.0),
    "racks": ((2, 1, 0), (10, 12), 9000, "rack", 25.0),
    "narrow link": ((5, 2, 0), (16, 10), 7000, "node", 8.0),
}
SIZE = 2_097_152


def cluster(name: str, drive: dict[str, Any], lost: str, rate: float) -> ClusterArrayParams:
    """A cluster of the table, of which a drive or a node is lost."""
    (data, parity, local), (nodes, drives), groups, domain, network = CLUSTERS[name]
    machines = {
        "nodes_count": nodes,
        "drives_per_node_count": drives,
        "racks_count": 5,
        "network_gbit_per_s": network,
    }
    return ClusterArrayParams.model_validate(
        {
            "machines": machines,
            "drive": drive,
            "code": {"data_count": data, "parity_count": parity, "local_groups_count": local},
            "failure_domain": domain,
            "placement_groups_count": groups,
            "recovery": {"drive_mb_per_s": rate, "detection_h": 0.0},
            "lost": lost,
            "work": {"size_bytes": SIZE, "read_fraction": 0.7, "requests_count": 60_000},
        }
    )


def asked(params: ClusterArrayParams, load: float) -> Asked:
    """Requests that take such a share of the drives' time."""
    code, drives = params.code, params.machines.nodes_count * params.machines.drives_per_node_count
    shard, shards = SIZE / code.data_count, code.data_count + code.parity_count
    read = moments_of(params.drive, shard, write=False).mean_ms * code.data_count
    write = moments_of(params.drive, shard, write=True).mean_ms * (shards + code.local_groups_count)
    rate = load * drives * 1000 / (0.7 * read + 0.3 * write)
    return Asked(0.7 * rate, 0.3 * rate, SIZE)


def compared(params: ClusterArrayParams, load: float) -> tuple[float, float]:
    """Hours of the recovery, in closed form and simulated."""
    requests = asked(params, load)
    rate = requests.reads_per_s + requests.writes_per_s
    document = params.model_dump(mode="json")
    document["work"]["requests_per_s"] = rate
    found = evaluate(SIMULATED, document).rebuild
    assert found is not None
    drives = params.machines.drives_per_node_count if params.lost == "node" else 1
    pace = pace_fraction(params, float(drives), requests)
    return slowed(params, lost_of(params, drives), pace).recovery_h, found.recovery_h


@pytest.mark.parametrize("rate", [15.0, 45.0, 130.0])
@pytest.mark.parametrize("load", [0.05, 0.25, 0.45, 0.6])
@pytest.mark.parametrize("lost", ["drive", "node"])
@pytest.mark.parametrize("name", CLUSTERS)
def test_a_recovery_takes_as_long_as_simulated(
    name: str, lost: str, load: float, rate: float
) -> None:
    ours, simulated = compared(cluster(name, HDD, lost, rate), load)
    near = 0.15 if load < 0.5 else 0.25
    # Nothing holds pieces of a drive back: those that hold more groups than others decide.
    wider = 0.1 if load < 0.5 else 0.05
    held = rate < 100 or lost == "node"
    assert ours == pytest.approx(simulated, rel=near if held else near + wider)


# A drive at 400 MB/s fills one node's link, and goes by the few groups that leave that node.
@pytest.mark.parametrize(("lost", "rate"), [("drive", 50.0), ("node", 50.0), ("node", 400.0)])
def test_flash_waits_for_the_network(lost: str, rate: float) -> None:
    ours, simulated = compared(cluster("7+2", SSD, lost, rate), 0.005)
    assert ours == pytest.approx(simulated, rel=0.15)


def test_pieces_and_tries_are_those_of_the_simulator() -> None:
    from capmodels.storage.cluster import serve_kernel

    assert SimulatedRecovery().piece_bytes == PIECE_BYTES
    assert serve_kernel._TRIES == TRIES


def test_a_node_within_slow_limits_keeps_them() -> None:
    params = cluster("10+4", HDD, "node", 5.0)
    pace = pace_fraction(params, 8.0, asked(params, 0.2))
    assert pace == pytest.approx(1, rel=0.01)


def test_more_asked_never_recovers_faster() -> None:
    params = cluster("7+2", HDD, "drive", 60.0)
    paces = [
        pace_fraction(params, lost, asked(params, load))
        for lost in (1.0, 9.0)
        for load in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 2.0, 30.0)
    ]
    for of_one in (paces[:8], paces[8:]):
        assert of_one == sorted(of_one, reverse=True)
        assert of_one[-1] > 0


def test_a_drive_reads_and_writes_at_its_limit_where_nothing_slows_it() -> None:
    params = cluster("copies", HDD, "drive", 20.0)
    assert drive_mb_per_s(params, lost_of(params, 1)) == pytest.approx(20.0)
