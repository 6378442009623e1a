"""Counts against counts worked out by hand; the largest need binds and is named."""

from __future__ import annotations

import math

import pytest

from capmodels.tests.plans.documents import JSONDict, answer, column, demand, document, owned, plain


def counts(study: JSONDict, letter: str = "A", name: str = "nodes") -> list[float]:
    sizing = column(answer(study), letter).sizing
    return [next(g.count for g in year.groups if g.name == name) for year in sizing]


def one(workload: JSONDict, **group: object) -> JSONDict:
    return plain([owned("A", group=group)], workload)


def test_the_largest_need_binds_and_is_named() -> None:
    drives = {
        "per_node_count": 2,
        "capacity_tb": 5,
        "kind": "ssd",
        "copies_count": 2,
        "io_per_s": 1000,
        "throughput_mb_per_s": 100,
    }
    base = {"ram_gib": 640.0, "block_tb": 50, "block_io_per_s": 20_000}
    base["block_throughput_mb_per_s"] = 2000
    group = {"role": "compute_and_block", "drives": drives}
    # 100 cores / 10; 640 GiB / 64; 50 TB x 2 / 10; 20,000 / 2,000; 2,000 / 200: all need 10.
    for change, binding, nodes in (
        ({"busy_cores_count": 111}, "cores", 12),
        ({"ram_gib": 705}, "ram", 12),
        ({"block_tb": 60}, "disk", 12),
        ({"block_io_per_s": 21_000}, "iops", 11),
        ({"block_throughput_mb_per_s": 2500}, "throughput", 13),
        ({}, "cores", 10),
    ):
        result = column(answer(one(demand(**{**base, **change}), **group)), "A")
        assert result.binding.resource == binding
        assert result.sizing[0].groups[0].count == nodes


def test_gpus_size_their_own_group() -> None:
    gpu = {
        "name": "gpu",
        "role": "gpu",
        "gpus_per_node_count": 8,
        "price": {"kind": "typed", "unit_price_usd": 1},
    }
    study = plain([owned("A")], demand(gpu_peak_count=20))
    study["designs"][0]["node_groups"].append({**gpu, "power": {"kind": "constant", "power_w": 0}})
    assert counts(study, name="gpu") == [3]


def test_headroom_spare_nodes_and_sites_add_nodes() -> None:
    tight = demand()
    roomy = demand(headroom={**tight["headroom"], "cores_target_fraction": 0.5})
    assert counts(one(roomy)) == [20]
    assert counts(one(demand(availability={"spare_nodes_count": 2}))) == [12]
    three = {"spare_nodes_count": 0, "sites_count": 3, "survive_site_loss": True}
    assert counts(one(demand(availability=three))) == [15]
    assert counts(one(demand(availability={"spare_nodes_count": 2}), spare_nodes_count=0)) == [10]


def test_each_year_carries_its_end_and_the_lead_time() -> None:
    growing = demand(growth={"cores_fraction_per_year": 0.3})
    study = plain([owned("A")], growing, horizon_months=36)
    assert counts(study) == [math.ceil(10 * 1.3**year) for year in (1, 2, 3)]
    late = plain([owned("A", lead_time_months=6)], growing, horizon_months=36)
    assert counts(late) == [math.ceil(10 * 1.3 ** (year + 0.5)) for year in (1, 2, 3)]
    cut = plain([owned("A")], growing, horizon_months=18)
    assert counts(cut) == [13, math.ceil(10 * 1.3**1.5)]


def test_nodes_are_never_given_back() -> None:
    shrinking = demand(growth={"cores_fraction_per_year": -0.4})
    assert counts(plain([owned("A")], shrinking, horizon_months=36)) == [6, 6, 6]


def test_a_count_is_not_rounded_up_for_the_last_bits() -> None:
    assert counts(one(demand(busy_cores_count=0.1 * 3 * 100 / 0.3))) == [10]


def test_ram_that_follows_the_load_is_sized_at_its_peak() -> None:
    # (0.6 + 0.4 x 1.5) x 640 GiB x 1.25 / 64 GiB = 15.
    ram = demand(
        busy_cores_count=10,
        p99_ratio=1.5,
        ram_gib=640,
        ram_fixed_fraction=0.6,
        headroom={"cores_target_fraction": 1.0, "ram_headroom_fraction": 0.25},
    )
    result = column(answer(one(ram)), "A")
    assert result.sizing[0].groups[0].required["ram"] == pytest.approx(15)
    assert result.binding.resource == "ram"
    assert result.spare.ram_fraction == pytest.approx(1 - 1 / 1.25)


def test_a_cluster_that_is_too_small_does_not_carry_the_load() -> None:
    result = answer(one(demand(availability={"spare_nodes_count": 1}), count=10))
    assert result.verdict.kind == "none_carries"
    assert column(result, "A").warnings == (
        "The group nodes needs 10 nodes for cores in year 1 and has 9 beside its spares.",
    )
    lacking = column(answer(one(demand(object_tb=1))), "A")
    assert lacking.warnings == ("No group of nodes carries object storage.",)


def test_rent_or_own_needs_the_nodes_that_its_reference_derives() -> None:
    """800 x 1.52 / 0.7 / 192 cores, N+1: 12, 15, 17, 20, 24 at the ends of years 1-5."""
    study = document("rent-or-own")
    study["assumptions"]["horizon_months"] = 60
    assert counts(study, "D", "compute") == [12, 15, 17, 20, 24]
    expected = [math.ceil(400 * 1.3**year * 3 / 0.85 / 288) for year in range(1, 6)]
    assert counts(study, "D", "bulk storage") == expected
    assert expected[0] == 7
    assert expected[-1] == 19
