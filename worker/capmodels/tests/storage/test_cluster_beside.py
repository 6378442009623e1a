"""A coded cluster's recovery beside requests, in closed form, against the simulator."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.spec import evaluate
from capmodels.storage.cluster.array_params import ClusterArrayParams, SimulatedRecovery
from capmodels.storage.cluster.beside import (
    MOST_LOAD,
    PIECE_BYTES,
    TRIES,
    busiest,
    drive_mb_per_s,
    moments_of,
    pace_fraction,
    slowed,
)
from capmodels.storage.cluster.cluster_array import SPEC as SIMULATED
from capmodels.storage.cluster.links import Asked, links_of
from capmodels.storage.cluster.recovery import lost_of
from capmodels.storage.drive.drives import HardDisk

if TYPE_CHECKING:
    from collections.abc import Iterator

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
HARD = HardDisk.model_validate(HDD)
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


def compared(params: ClusterArrayParams, load: float) -> tuple[float | None, float]:
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


def recoveries() -> Iterator[Any]:
    """Clusters, what they lose, loads and rates: each load with one rate, all in the deep tests."""
    rates = (15.0, 45.0, 130.0)
    loads = (0.05, 0.25, 0.45, 0.6)
    for (nth, name), lost in itertools.product(enumerate(CLUSTERS), ("drive", "node")):
        for (at, load), rate in itertools.product(enumerate(loads), rates):
            is_plain = rate == rates[(nth + at) % len(rates)]
            yield pytest.param(name, lost, load, rate, marks=() if is_plain else pytest.mark.deep)


@pytest.mark.many(10)
@pytest.mark.parametrize(("name", "lost", "load", "rate"), [*recoveries()])
def test_a_recovery_takes_as_long_as_simulated(
    name: str, lost: str, load: float, rate: float
) -> None:
    params = cluster(name, HDD, lost, rate)
    if (name, lost, load) == ("racks", "node", 0.6):
        # The other node of the rack takes nearly all that the lost one held.
        assert busiest(params, 12.0, asked(params, load)).load > 1
        return
    ours, simulated = compared(params, load)
    near = 0.16 if load < 0.5 else 0.25
    # Nothing holds pieces of a drive back: those that hold more groups than others decide.
    wider = 0.1 if load < 0.5 else 0.05
    held = rate < 100 or lost == "node"
    assert ours == pytest.approx(simulated, rel=near if held else near + wider)


@pytest.mark.parametrize("lost", ["drive", "node"])
@pytest.mark.parametrize("name", ["7+2", "LRC"])
def test_at_seven_tenths_of_the_drives_time_a_recovery_takes_as_long_as_simulated(
    name: str, lost: str
) -> None:
    params = cluster(name, HDD, lost, 30.0)
    assert 0.75 < busiest(params, 1.0, asked(params, 0.7)).load < 0.9
    ours, simulated = compared(params, 0.7)
    assert ours == pytest.approx(simulated, rel=0.4)


@pytest.mark.parametrize("name", ["7+2", "10+4", "copies", "LRC"])
def test_the_fullest_drive_is_as_busy_as_where_shards_are_laid_by_hash(name: str) -> None:
    from capmodels.storage.cluster.machine import Layout

    params = cluster(name, HDD, "drive", 30.0)
    code, layout = params.code, Layout(params)
    shard = SIZE / code.data_count
    read, write = (moments_of(HARD, shard, write=one).mean_ms for one in (False, True))
    requests, drives = asked(params, 0.5), layout.node.size
    held = np.zeros(drives)
    for place, on in enumerate(layout.groups.T):
        each = requests.writes_per_s * write
        each += requests.reads_per_s * read * (place < code.data_count)
        held += np.bincount(on, minlength=drives) * each
    share = held / params.placement_groups_count / 1000
    assert share.mean() == pytest.approx(0.5, rel=1e-9)
    assert busiest(params, 0.0, requests).load == pytest.approx(share.max(), rel=0.06)


def test_where_the_fullest_drive_has_no_time_left_no_pace_is_said() -> None:
    params = cluster("7+2", HDD, "drive", 30.0)
    loads = [0.2 + nth / 50 for nth in range(40)]
    paces = [pace_fraction(params, 1.0, asked(params, load)) for load in loads]
    fullest = [busiest(params, 1.0, asked(params, load)) for load in loads]
    assert [pace is None for pace in paces] == [one.load > MOST_LOAD for one in fullest]
    assert {one.name for one in fullest} == {"drive"}
    assert slowed(params, lost_of(params, 1), None).recovery_h is None


def test_links_that_requests_fill_leave_a_recovery_nothing() -> None:
    params = cluster("narrow link", SSD, "drive", 30.0)
    fullest = busiest(params, 1.0, Asked(20_000.0, 0.0, SIZE))
    assert fullest.name == "link"
    # 20,000 reads of 2 MiB from 16 nodes of 8 Gbit/s: each whole, and all shards but one.
    data = params.code.data_count
    mean = 20_000 * SIZE * (2 - 1 / data) / 16 / 1e9
    links = links_of(params, Asked(20_000.0, 0.0, SIZE))
    assert max(links.loads) == pytest.approx(mean, rel=1e-9)
    # And the one whose node serves most groups somewhat more.
    assert mean < fullest.load < 1.1 * mean
    assert pace_fraction(params, 1.0, Asked(20_000.0, 0.0, SIZE)) is None


# A drive at 400 MB/s fills one node's link, and goes by the few groups that leave that node.
@pytest.mark.parametrize(("lost", "rate"), [("drive", 50.0), ("node", 50.0), ("node", 400.0)])
def test_flash_waits_for_the_network(lost: str, rate: float) -> None:
    ours, simulated = compared(cluster("7+2", SSD, lost, rate), 0.005)
    assert ours == pytest.approx(simulated, rel=0.15)


def test_pieces_come_from_the_farthest_site() -> None:
    params = cluster("7+2", SSD, "node", 400.0)
    far = {"sites_count": 3, "site_hop_ms": 300.0}
    wide = params.model_copy(update={"machines": params.machines.model_copy(update=far)})
    near, _ = compared(params, 0.005)
    ours, simulated = compared(wide, 0.005)
    assert near is not None
    assert simulated > 1.3 * near
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
        for load in (0.0, 0.1, 0.3, 0.5, 0.6, 0.7, 2.0, 30.0)
    ]
    for of_one in (paces[:8], paces[8:]):
        known = [pace for pace in of_one if pace is not None]
        assert known == sorted(known, reverse=True)
        assert len(known) >= 5
        assert known[-1] > 0
        assert of_one[-2:] == [None, None]


def test_a_drive_reads_and_writes_at_its_limit_where_nothing_slows_it() -> None:
    params = cluster("copies", HDD, "drive", 20.0)
    assert drive_mb_per_s(params, lost_of(params, 1), 1.0) == pytest.approx(20.0)
