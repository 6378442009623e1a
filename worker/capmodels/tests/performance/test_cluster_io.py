"""Cluster I/O against the figures of the paper's sections 2 and 4.4."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.performance.cluster_io import rate_mb_per_s
from capmodels.tests.asking import ask, faults

MODEL = "performance.cluster_io"


@pytest.mark.parametrize(
    ("changes", "mb_per_s", "limit"),
    [
        ({}, 11_520, "disk"),
        ({"disks_count": 85, "nodes_count": 47}, 5_100, "disk"),
        ({"disks_count": 38, "nodes_count": 47}, 2_280, "disk"),
        ({"network_gbit_per_s": 1.0}, 6_000, "network"),
        ({"node_service_mb_per_s": 75.0}, 3_600, "node_service"),
        ({"node_service_mb_per_s": 180.0}, 8_640, "node_service"),
        ({"readers": {"readers_count": 60, "reader_mb_per_s": 33.0}}, 1_980, "readers"),
        ({"hot_spot": {"hot_fraction": 0.5, "hot_disks_count": 22}}, 2_640, "hot_disks"),
        ({"disk_efficiency_fraction": 0.9}, 10_368, "disk"),
    ],
)
@pytest.mark.decisive
def test_names_the_part_that_binds(changes: dict[str, Any], mb_per_s: float, limit: str) -> None:
    result = ask(MODEL, **changes)
    assert (result.throughput_mb_per_s, result.limit) == (pytest.approx(mb_per_s), limit)


def test_a_tie_is_named_by_the_first_part() -> None:
    result = ask(MODEL, disks_count=200, node_service_mb_per_s=250.0)
    assert {row.mb_per_s for row in result.limits} == {12_000.0}
    assert result.limit == "disk"


def test_the_best_measured_gigabyte_a_second_is_14_percent_of_the_disks() -> None:
    both = 123 * 60.0
    assert 1000 / both == pytest.approx(0.1355, abs=0.0005)
    readers = {"readers_count": 1, "reader_mb_per_s": 1000.0}
    result = ask(MODEL, disks_count=123, nodes_count=94, readers=readers)
    assert result.disk_utilization_fraction == pytest.approx(1000 / both)


def test_hashing_a_terabyte_in_2500_seconds_is_400_mb_per_s() -> None:
    assert rate_mb_per_s(data_tb=1.0, duration_h=2500 / 3600) == pytest.approx(400)


def test_hashing_102_terabytes_in_16_hours() -> None:
    assert rate_mb_per_s(data_tb=102.0, duration_h=16.0) == pytest.approx(1770, abs=1)


def test_the_pivot_reads_eleven_times_its_input() -> None:
    result = ask(MODEL, data_tb=0.3, read_amplification_ratio=11.0)
    assert result.job_h * 3600 == pytest.approx(3.3e12 / 11.52e9)


def test_no_disks_is_an_answer_with_a_reason() -> None:
    result = ask(MODEL, disks_count=0)
    assert result.throughput_mb_per_s == 0
    assert result.warnings == ("no_disks",)
    assert result.job_h is None
    assert result.job_reason == "no_disks"


def test_half_a_pair_is_refused_where_the_other_half_is_missing() -> None:
    document = {"readers": {"readers_count": 4}, "hot_spot": {"hot_disks_count": 2}}
    assert faults(MODEL, document) == {
        "/readers/reader_mb_per_s": "missing",
        "/hot_spot/hot_fraction": "missing",
    }


def test_more_hot_disks_than_disks_is_refused() -> None:
    document = {"disks_count": 10, "hot_spot": {"hot_fraction": 0.5, "hot_disks_count": 11}}
    assert faults(MODEL, document) == {"/hot_spot/hot_disks_count": "more_than_all_disks"}


def test_all_faults_come_at_once() -> None:
    document = {
        "disks_count": -1,
        "disk_mb_per_s": 0.0,
        "disk_efficiency_fraction": 1.1,
        "nodes_count": 0,
        "network_gbit_per_s": 0.0,
        "network_efficiency_fraction": 0.0,
        "node_service_mb_per_s": float("inf"),
        "read_amplification_ratio": 0.5,
        "data_tb": "1",
    }
    assert faults(MODEL, document) == {
        "/disks_count": "out_of_range",
        "/disk_mb_per_s": "out_of_range",
        "/disk_efficiency_fraction": "out_of_range",
        "/nodes_count": "out_of_range",
        "/network_gbit_per_s": "out_of_range",
        "/network_efficiency_fraction": "out_of_range",
        "/node_service_mb_per_s": "not_finite",
        "/read_amplification_ratio": "out_of_range",
        "/data_tb": "wrong_type",
    }
