"""Counts against counts worked out by hand; the largest need binds and is named."""

from __future__ import annotations

import math

import pytest

from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
)


def counts(study: JSONDict, letter: str = "A", name: str = "nodes") -> list[float]:
    sizing = column(answer(study), letter).sizing
    return [next(g.count for g in year.groups if g.name == name) for year in sizing]


def one(workload: JSONDict, **group: object) -> JSONDict:
    return plain([owned("A", group=group)], workload)


@pytest.mark.decisive
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


def test_what_is_bought_ahead_is_a_share_of_what_demand_needs() -> None:
    growing = demand(growth={"cores_fraction_per_year": 0.3}, availability={"spare_nodes_count": 2})
    study = plain([owned("A", bought_ahead_fraction=0.25)], growing, horizon_months=36)
    assert counts(study) == [math.ceil(12.5 * 1.3**year) + 2 for year in (1, 2, 3)]
    # A fleet whose size was chosen stays as it is.
    chosen = plain([owned("A", bought_ahead_fraction=0.25, group={"count": 11})], demand())
    assert counts(chosen) == [11]


def test_nodes_are_never_given_back() -> None:
    shrinking = demand(growth={"cores_fraction_per_year": -0.4})
    assert counts(plain([owned("A")], shrinking, horizon_months=36)) == [10, 10, 10]


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
    assert result.verdict.kind == "none"
    assert column(result, "A").warnings == (
        "The group nodes needs 10 nodes for cores in year 1 and has 9 beside its spares.",
    )
    lacking = column(answer(one(demand(object_tb=1))), "A")
    assert lacking.warnings == (
        "No disks for 1 TB of object storage: assign a group of nodes to it.",
    )


def test_rent_or_own_needs_the_nodes_that_its_reference_derives() -> None:
    """800 x 1.52 / 0.7 / 192 cores, N+1: 12, 15, 17, 20, 24 at the ends of years 1-5."""
    study = document("rent-or-own")
    study["assumptions"]["horizon_months"] = 60
    assert counts(study, "D", "compute") == [12, 15, 17, 20, 24]
    expected = [math.ceil(400 * 1.3**year * 3 / 0.85 / 288) for year in range(1, 6)]
    assert counts(study, "D", "bulk storage") == expected
    assert expected[0] == 7
    assert expected[-1] == 19


def test_traffic_sizes_the_instances_and_nodes_whose_network_is_known() -> None:
    """Three networks full at peak: 100 Gbit/s x 730 h / 0.5 of their 10 Gbit/s is 20 of each."""
    tb_per_month = 100e9 / 8 * 730 * 3600 / 1e12
    tight = demand()["headroom"] | {"io_target_fraction": 0.5}
    moved = {"egress_tb_per_month": 0.75, "ingress_tb_per_month": 0.5}
    moved = {name: share * tb_per_month for name, share in moved.items()}
    moved["cross_zone_tb_per_month"] = 0.25 * tb_per_month
    work = demand(headroom=tight, p99_ratio=1.0, **moved)
    free = {"egress_tiers": [{"usd_per_gb": 0.0}]}
    designs = [
        cloud("A", item={"network_gbit_per_s": 10}, transfer=free),
        cloud("B", transfer=free),
        owned("C", group={"nic_gbit_per_s": 10}),
        owned("D"),
    ]
    result = answer(plain(designs, work))
    for letter, resource, count in (
        ("A", "throughput", 20),
        ("B", "cores", 10),
        ("C", "throughput", 20),
        ("D", "cores", 10),
    ):
        found = column(result, letter)
        assert found.binding.resource == resource
        assert found.sizing[0].groups[0].count == pytest.approx(count)
    assert column(result, "A").spare.throughput_fraction == pytest.approx(0.5)
    assert column(result, "C").spare.throughput_fraction == pytest.approx(0.5)
    assert column(result, "B").spare.throughput_fraction is None
    row = next(row for row in result.rows if row.id == "spare_throughput_fraction")
    assert row.reasons["B"] == "The network of its instances is not entered."
    # Twice the network, half the instances: cores bind again.
    designs[0]["instances"][0]["network_gbit_per_s"] = 20.5
    assert column(answer(plain(designs, work)), "A").binding.resource == "cores"


def test_traffic_follows_the_load_like_the_cores() -> None:
    """Where the network needs what the cores need, either alone costs the same."""
    shape = {"kind": "hourly", "values_ratio": [0.2] * 12 + [1.8] * 12}
    commitment = {"base_quantile_fraction": 0.6, "discount_fraction": 0.5}
    free = {"egress_tiers": [{"usd_per_gb": 0.0}]}
    tb_per_month = 100e9 / 8 * 730 * 3600 / 1e12
    sent = cloud(item={"network_gbit_per_s": 10}, transfer=free, commitments=[commitment])
    by_network = demand(busy_cores_count=1, egress_tb_per_month=tb_per_month, shape=shape)
    by_cores = demand(busy_cores_count=100, shape=shape)
    totals = [column(answer(plain([sent], work)), "B").total_usd for work in (by_network, by_cores)]
    assert totals[0] == pytest.approx(totals[1], rel=1e-12)


def test_the_group_of_most_nodes_binds_and_the_others_are_told() -> None:
    drives = {"per_node_count": 1, "capacity_tb": 10, "kind": "ssd", "io_per_s": 100}
    block = {"name": "disks", "role": "block", "drives": drives}
    block |= {"price": {"kind": "typed", "unit_price_usd": 1}}
    study = plain([owned("A")], demand(block_tb=50, block_io_per_s=1500))
    study["designs"][0]["node_groups"].append(
        {**block, "power": {"kind": "constant", "power_w": 0}}
    )
    found = column(answer(study), "A")
    assert found.binding.resource == "iops"
    assert found.binding.detail == (
        "disks: 15 nodes in year 1; needed: 10.0 for disk, 15.0 for IOPS. "
        "nodes: 10 nodes in year 1; needed: 10.0 for cores."
    )
    assert found.spare.iops_fraction == pytest.approx(0.0)
    study["workload"]["headroom"]["io_target_fraction"] = 0.7
    found = column(answer(study), "A")
    assert found.spare.iops_fraction == pytest.approx(1 - 1500 / (22 * 100))


def test_gpus_left_over_are_told_on_both_sides() -> None:
    work = demand(gpu_peak_count=20)
    work["headroom"]["gpu_target_fraction"] = 0.8
    gpu = {"name": "gpu", "role": "gpu", "gpus_per_node_count": 8}
    gpu |= {"price": {"kind": "typed", "unit_price_usd": 1}}
    rented = cloud()
    rented["instances"].append(
        {"name": "gpu", "usd_per_h": 30.0, "vcpu_count": 96, "gpus_count": 8}
    )
    study = plain([owned("A"), rented], work)
    study["designs"][0]["node_groups"].append({**gpu, "power": {"kind": "constant", "power_w": 0}})
    result = answer(study)
    # 20 / 0.8 / 8 is 3.1 nodes, so 4 with 32 GPUs.
    assert column(result, "A").spare.gpu_fraction == pytest.approx(12 / 32)
    assert column(result, "B").spare.gpu_fraction == pytest.approx(0.2)


def test_a_cloud_that_rents_no_instances_says_so() -> None:
    stored = plain([cloud("A"), cloud("B")], demand(busy_cores_count=0, ram_gib=0))
    assert column(answer(stored), "A").binding.detail.endswith("instances needed: none.")


def test_instances_of_which_hardly_any_are_needed_are_not_said_to_be_none() -> None:
    sent = plain([cloud("A"), cloud("B")], demand(busy_cores_count=0.01, ram_gib=0))
    detail = column(answer(sent), "A").binding.detail
    assert "needed: 0.0 for" not in detail
    assert "needed: 0.00" in detail


def _joined(plan: JSONDict | None, count: int | None) -> JSONDict:
    """The example of a start-up that grows, joined by a plan or with so many own nodes."""
    study = {**document("start-up-doubling"), "ranges": []}
    letters = {each["letter"]: each for each in study["designs"]}
    letters["C"]["plan"] = plan
    letters["B"]["node_groups"][0]["count"] = count
    return study


def test_what_nodes_of_a_plan_will_hold_is_rented_until_they_come() -> None:
    orders = [{"month": 3, "nodes_count": 30}]
    at_once = [{**orders[0], "month": 0}]
    waits, comes = (
        column(answer(_joined({"orders": each, "commitments": []}, None)), "C")
        for each in (orders, at_once)
    )
    assert (waits.carries_load, comes.carries_load) == (True, True)

    # As much as whoever rents all pays for data in those months.
    alone = _joined({"orders": orders, "commitments": []}, None)
    alone["assumptions"]["horizon_months"] = 3
    rented = cause_usd(column(answer(alone), "A"), "storage")
    assert cause_usd(waits, "storage") == pytest.approx(rented, rel=1e-12)
    assert rented > 3_000
    assert cause_usd(comes, "storage") == 0.0


def test_a_base_of_fewer_nodes_rents_the_rest_of_the_cores_and_lacks_none() -> None:
    few = column(answer(_joined(None, 2)), "C")
    # What the drives of two nodes do not hold is not rented as entered, and is said.
    assert few.shortfall is not None
    assert few.shortfall.sentence.startswith("The group compute needs")
    assert "for disk" in few.shortfall.sentence
    study = _joined(None, 2)
    study["workload"]["block_tb"] = 0.0
    study["workload"]["growth"]["block_fraction_per_year"] = 0.0
    assert column(answer(study), "C").carries_load
    assert not column(answer(study), "B").carries_load
