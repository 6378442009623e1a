"""Rented designs against an hour-by-hour account that is written again here."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.cost.tiered import band_cost, tier_lines
from capmodels.errors import ParamsError
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    plain,
)
from capmodels.tests.plans.random_studies import SLOW

HOURS = 730.0
DAY = [0.4, 0.4, 0.5, 0.5, 0.6, 0.7, 0.9, 1.1, 1.3, 1.5, 1.7, 1.8]
DAY += [1.8, 1.6, 1.5, 1.3, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5]


def hourly(study: JSONDict) -> dict[str, float]:
    """Instances and commitments of a study with one type of instance, hour by hour."""
    work, design = study["workload"], study["designs"][0]
    item, months = design["instances"][0], study["assumptions"]["horizon_months"]
    headroom = work["headroom"]
    mean = math.fsum(DAY) / 24
    shape = [value / mean for value in DAY]
    growth = work.get("growth", {})

    def needed(month: float, ratio: float) -> int:
        cores = work["busy_cores_count"]
        cores *= (1 + growth.get("cores_fraction_per_year", 0)) ** (month / 12)
        ram = work["ram_gib"] * (1 + growth.get("ram_fraction_per_year", 0)) ** (month / 12)
        fixed = work.get("ram_fixed_fraction", 1.0)
        by_cores = cores * ratio / (headroom["cores_target_fraction"] * item["vcpu_count"])
        by_ram = ram * (fixed + (1 - fixed) * ratio) * (1 + headroom["ram_headroom_fraction"])
        by_ram /= item["ram_gib"]
        # Values of the shape are kept to 1/10,000 of their mean: none is added for that.
        kept = 1e-4 * max(by_cores / ratio, (1 - fixed) * by_ram / (fixed + (1 - fixed) * ratio))
        return math.ceil(max(by_cores, by_ram) - kept)

    tranches: list[tuple[int, int, float]] = []
    paid = {"instances": 0.0, "commitment": 0.0}
    for month in range(months):
        for promise in design["commitments"] if month % 12 == 0 else []:
            base = sorted(shape)[math.ceil(promise["base_quantile_fraction"] * 24) - 1]
            running = sum(count for start, end, count in tranches if start <= month < end)
            count = max(needed(month, base) - running, 0)
            tranches.append((month, month + promise["term_months"], count))
        committed = sum(count for start, end, count in tranches if start <= month < end)
        above = [max(0, needed(month + 0.5, ratio) - committed) for ratio in shape]
        paid["instances"] += math.fsum(above) / 24 * HOURS * item["usd_per_h"]
        off = 1 - design["commitments"][0]["discount_fraction"] if design["commitments"] else 0
        paid["commitment"] += committed * HOURS * item["usd_per_h"] * off
    return paid


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    ram=st.floats(0, 1500),
    fixed=st.floats(0, 1),
    cores_growth=st.floats(-0.2, 0.5),
    ram_growth=st.floats(-0.2, 0.5),
    base=st.none() | st.sampled_from([0.1, 0.3, 0.62, 0.9]),
)
@pytest.mark.decisive
def test_instances_and_commitments_are_those_of_every_hour(
    ram: float, fixed: float, cores_growth: float, ram_growth: float, base: float | None
) -> None:
    promise = {"term_months": 24, "discount_fraction": 0.4, "base_quantile_fraction": base}
    work = demand(
        shape={"kind": "hourly", "values_ratio": DAY},
        ram_gib=ram,
        ram_fixed_fraction=fixed,
        growth={"cores_fraction_per_year": cores_growth, "ram_fraction_per_year": ram_growth},
    )
    design = cloud("A", commitments=[promise] if base else [])
    study = plain([design], work, horizon_months=30)
    expected, result = hourly(study), column(answer(study), "A")
    # Which of two values it is may move an instance for an hour of the day, of every month
    # where demand hardly grows.
    scale = 30 * HOURS / 24 * study["designs"][0]["instances"][0]["usd_per_h"]
    assert cause_usd(result, "instances") == pytest.approx(expected["instances"], abs=scale)
    assert cause_usd(result, "commitment") == pytest.approx(expected["commitment"], abs=scale)


def flat(**changes: Any) -> JSONDict:
    """Ten instances at $1 an hour for a year: $87,600 a year, $7,300 a month."""
    return plain([cloud("A", **changes)])


def total(study: JSONDict) -> float:
    return column(answer(study), "A").total_usd


def test_commitments_paid_in_advance_and_running_off() -> None:
    promise = {"term_months": 12, "discount_fraction": 0.4, "base_quantile_fraction": 0.5}
    assert total(flat(commitments=[promise])) == pytest.approx(87_600 * 0.6)
    ahead = column(answer(flat(commitments=[{**promise, "upfront_fraction": 0.5}])), "A")
    assert ahead.cumulative_usd[0] == pytest.approx(87_600 * 0.6 / 2)
    assert ahead.total_usd == pytest.approx(87_600 * 0.6)
    off = flat(commitments=[{**promise, "term_months": 6, "renewed": False}])
    assert total(off) == pytest.approx(87_600 * 0.8)
    renewed = flat(commitments=[{**promise, "term_months": 6}])
    assert total(renewed) == pytest.approx(87_600 * 0.6)
    three = column(answer(flat(commitments=[{**promise, "term_months": 36}])), "A")
    assert three.owed_after_horizon_usd == pytest.approx(2 * 87_600 * 0.6)


def test_a_commitment_renewed_within_the_year_is_made_at_the_price_of_that_month() -> None:
    promise = {"term_months": 6, "discount_fraction": 0.4, "base_quantile_fraction": 0.5}
    falling = {"instances_fraction_per_year": -0.3}
    study = plain([cloud("A", commitments=[promise])], price_changes=falling)
    # The second half costs what instances cost half a year on, (1 - 0.3)^0.5 of the first.
    assert total(study) == pytest.approx(87_600 * 0.6 * (1 + 0.7**0.5) / 2)


def test_discounts_spot_support_and_other_services() -> None:
    assert total(flat(negotiated_discount_fraction=0.1)) == pytest.approx(78_840)
    spot = {"share_fraction": 0.5, "discount_fraction": 0.7, "waste_fraction": 0.1}
    assert total(flat(spot=spot)) == pytest.approx(87_600 * (0.5 + 0.5 * 0.3 / 0.9))
    assert total(flat(transfer={"other_fraction": 0.04})) == pytest.approx(87_600 * 1.04)
    bands = [{"up_to_usd_per_month": 5000, "fraction": 0.1}, {"fraction": 0.05}]
    assert total(flat(support={"bands": bands})) == pytest.approx(87_600 + 12 * (500 + 0.05 * 2300))
    least = {"bands": bands, "minimum_usd_per_month": 1000}
    assert total(flat(support=least)) == pytest.approx(87_600 + 12_000)


def test_shares_of_the_bill_go_by_what_is_used_whenever_it_is_paid() -> None:
    """$100,000 a month at 40% off is charged $60,000, of which support takes 10, 7 and 5%."""
    bands = [
        {"up_to_usd_per_month": 10_000, "fraction": 0.10},
        {"up_to_usd_per_month": 50_000, "fraction": 0.07},
        {"fraction": 0.05},
    ]
    promise = {"term_months": 12, "discount_fraction": 0.4, "base_quantile_fraction": 0.5}
    for upfront in (0.0, 0.3, 1.0):
        found = column(
            answer(
                flat(
                    item={"usd_per_h": 100_000 / HOURS / 10},
                    commitments=[{**promise, "upfront_fraction": upfront}],
                    support={"bands": bands, "minimum_usd_per_month": 100},
                    transfer={"other_fraction": 0.04},
                )
            ),
            "A",
        )
        monthly = 1000 + 0.07 * 40_000 + 0.05 * (60_000 * 1.04 - 50_000)
        assert cause_usd(found, "support") == pytest.approx(12 * monthly)
        assert cause_usd(found, "transfer") == pytest.approx(12 * 0.04 * 60_000)


def test_zones_that_must_carry_all_when_one_is_lost_are_rented_in_full() -> None:
    study = flat()
    zones = {"spare_nodes_count": 0, "sites_count": 3, "survive_site_loss": True}
    study["workload"]["availability"] = zones
    assert total(study) == pytest.approx(87_600 * 1.5)


def test_prices_change_from_the_middle_of_each_month() -> None:
    study = flat()
    study["assumptions"]["price_changes"] = {"instances_fraction_per_year": -0.15}
    expected = 7300 * math.fsum(0.85 ** ((month + 0.5) / 12) for month in range(12))
    assert total(study) == pytest.approx(expected, rel=1e-12)


def test_storage_transfer_and_copies() -> None:
    work = demand(
        block_tb=10,
        block_io_per_s=8000,
        block_throughput_mb_per_s=300,
        object_tb=100,
        egress_tb_per_month=30,
        ingress_tb_per_month=7,
        cross_zone_tb_per_month=20,
    )
    design = cloud(
        "A",
        storage={
            "gb_per_tb": 1000,
            "block_tiers": [{"usd_per_gb_month": 0.08}],
            "block_overhead_ratio": 1.5,
            "io_included_per_s": 3000,
            "usd_per_iops_month": 0.005,
            "throughput_included_mb_per_s": 125,
            "usd_per_mb_per_s_month": 0.04,
            "backup_usd_per_tb_month": 25,
            "object_tiers": [
                {"up_to_tb": 50, "usd_per_gb_month": 0.023},
                {"usd_per_gb_month": 0.022},
            ],
        },
        transfer={
            "egress_tiers": [{"up_to_tb": 10, "usd_per_gb": 0.09}, {"usd_per_gb": 0.085}],
            "ingress_usd_per_gb": 0.01,
            "cross_zone_usd_per_gb": 0.02,
            "nat_usd_per_gb": 0.045,
            "nat_usd_per_month": 33,
        },
        copying={"data_tb": 1, "times_per_year": 91.25, "rate_gbit_per_s": 2},
    )
    result = column(answer(plain([design], work)), "A")
    block = 10_000 * 1.5 * 0.08 + 5000 * 0.005 + 175 * 0.04 + 250
    objects = 50_000 * 0.023 + 50_000 * 0.022
    assert cause_usd(result, "storage") == pytest.approx(12 * (block + objects))
    moved = 10_000 * 0.09 + 20_000 * 0.085 + 7000 * 0.01 + 20_000 * 0.02 + 37_000 * 0.045 + 33
    assert cause_usd(result, "transfer") == pytest.approx(12 * moved)
    # Ten instances wait 1.111 hours for each copy.
    assert cause_usd(result, "copy") == pytest.approx(91.25 * 10 * 4000 / 3600)


def test_rented_volumes_have_the_room_that_owned_disks_have() -> None:
    """10 TB at 85% full are 11.8 TB; 7,000 IOPS at 70% in use are 10,000."""
    work = demand(block_tb=10, block_io_per_s=7000, block_throughput_mb_per_s=350)
    work["headroom"] |= {"disk_fill_fraction": 0.85, "io_target_fraction": 0.7}
    storage = {
        "gb_per_tb": 1000,
        "block_tiers": [{"usd_per_gb_month": 0.08}],
        "io_included_per_s": 3000,
        "usd_per_iops_month": 0.005,
        "throughput_included_mb_per_s": 1000,
    }
    result = column(answer(plain([cloud("A", storage=storage)], work)), "A")
    monthly = 10_000 / 0.85 * 0.08 + 7000 * 0.005
    assert cause_usd(result, "storage") == pytest.approx(12 * monthly)
    assert result.spare.disk_fraction == pytest.approx(0.15)
    assert result.spare.iops_fraction == pytest.approx(0.3)
    assert result.spare.throughput_fraction == pytest.approx(0.65)
    by_use = {**storage, "block_overhead_ratio": 1.0}
    paid = column(answer(plain([cloud("A", storage=by_use)], work)), "A")
    assert cause_usd(paid, "storage") == pytest.approx(12 * (800 + 35))


def test_leaving_is_charged_once_at_the_end() -> None:
    work = demand(object_tb=10)
    tiers = {"object_tiers": [{"usd_per_gb_month": 0.0}], "gb_per_tb": 1000}
    design = cloud("A", storage=tiers, exit={"counted": True, "usd_per_gb": 0.05})
    result = column(answer(plain([design], work)), "A")
    assert cause_usd(result, "transfer") == pytest.approx(500)
    assert result.cumulative_usd[-1] - result.cumulative_usd[-2] == pytest.approx(7300 + 500)


def test_gpu_instances_carry_gpus_only() -> None:
    items = [
        {"name": "vm", "usd_per_h": 1.0, "vcpu_count": 10},
        {"name": "gpu", "usd_per_h": 30.0, "vcpu_count": 96, "gpus_count": 8},
    ]
    design = {**cloud("A"), "instances": items}
    work = demand(gpu_peak_count=16, gpu_mean_count=4)
    result = column(answer(plain([design], work)), "A")
    assert cause_usd(result, "instances") == pytest.approx(87_600 + 0.5 * 30 * 8760)
    assert result.energy.reason == "There are no coefficients for the power of rented GPUs."


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(
    amount=st.floats(0, 1000),
    ends=st.lists(st.floats(0.1, 900), min_size=1, max_size=4, unique=True),
    prices=st.lists(st.floats(0, 1), min_size=5, max_size=5),
)
def test_bands_price_what_lies_in_them(
    amount: float, ends: list[float], prices: list[float]
) -> None:
    ends = sorted(ends)
    bands = [*zip(ends, prices, strict=False), (None, prices[-1])]
    edges = [0.0, *ends, math.inf]
    inside = [max(0.0, min(amount, high) - low) for low, high in pairwise(edges)]
    expected = math.fsum(part * price for part, (_, price) in zip(inside, bands, strict=True))
    assert band_cost(amount, bands) == pytest.approx(expected, rel=1e-12, abs=1e-9)
    lines = tier_lines(amount, bands)
    assert [part for part, _ in lines] == pytest.approx(inside, abs=1e-9)
    assert math.fsum(cost for _, cost in lines) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_what_is_paid_ahead_for_the_time_after_the_end_is_left_not_spent() -> None:
    promise = {"term_months": 36, "discount_fraction": 0.4, "base_quantile_fraction": 0.5}
    growing = demand(growth={"cores_fraction_per_year": 0.5})
    offers = [{**promise, "upfront_fraction": share} for share in (0.0, 0.4, 1.0)]
    late, part, ahead = (
        column(answer(plain([cloud("A", commitments=[one])], growing, horizon_months=36)), "A")
        for one in offers
    )
    # When a month is paid does not change what the horizon costs.
    assert ahead.total_usd == pytest.approx(late.total_usd, rel=1e-12)
    assert part.total_usd == pytest.approx(late.total_usd, rel=1e-12)


@pytest.mark.parametrize(
    ("gb_per_tb", "usd_per_month"),
    [
        # 60 decimal TB at S3's bands: 50 TB of 1,024 GB and the rest, all by GB of 2^30 bytes.
        (1e12 / 2**30, 0.023 * 51_200 + 0.022 * (60e12 / 2**30 - 51_200)),
        (1000.0, 0.023 * 50_000 + 0.022 * 10_000),
    ],
)
def test_bytes_are_billed_in_the_provider_s_own_unit(
    gb_per_tb: float, usd_per_month: float
) -> None:
    tiers = [{"up_to_tb": 50, "usd_per_gb_month": 0.023}, {"usd_per_gb_month": 0.022}]
    study = plain(
        [cloud("A", storage={"object_tiers": tiers, "gb_per_tb": gb_per_tb})], demand(object_tb=60)
    )
    assert cause_usd(column(answer(study), "A"), "storage") == pytest.approx(12 * usd_per_month)


def test_a_gb_has_two_to_the_thirty_bytes_unless_told_otherwise() -> None:
    study = plain(
        [cloud("A", storage={"object_tiers": [{"usd_per_gb_month": 0.02}]})],
        demand(object_tb=2**40 / 1e12),
    )
    assert cause_usd(column(answer(study), "A"), "storage") == pytest.approx(12 * 1024 * 0.02)


def test_the_first_egress_may_be_free() -> None:
    transfer = {"egress_tiers": [{"usd_per_gb": 0.09}], "gb_per_tb": 1000, "free_gb_per_month": 100}
    for sent_tb, billed_gb in ((0.05, 0), (1, 900)):
        study = plain([cloud("A", transfer=transfer)], demand(egress_tb_per_month=sent_tb))
        found = cause_usd(column(answer(study), "A"), "transfer")
        assert found == pytest.approx(12 * 0.09 * billed_gb)


def test_a_price_while_committed_takes_the_place_of_the_discount() -> None:
    """At $0.55 of the instance's $1 an hour; the discount of 0.4 is read without such a price."""
    name = flat()["designs"][0]["instances"][0]["name"]
    promise = {"term_months": 12, "discount_fraction": 0.4, "base_quantile_fraction": 0.5}
    priced = {**promise, "prices": [{"name": name, "usd_per_h": 0.55}]}
    assert total(flat(commitments=[priced])) == pytest.approx(87_600 * 0.55)
    ahead = column(answer(flat(commitments=[{**priced, "upfront_fraction": 1.0}])), "A")
    assert ahead.cumulative_usd[0] == ahead.total_usd == pytest.approx(87_600 * 0.55)
    # Dearer than on demand: left open, nothing is committed.
    dear = {**priced, "base_quantile_fraction": None, "prices": [{"name": name, "usd_per_h": 1.1}]}
    assert total(flat(commitments=[dear])) == pytest.approx(87_600)


def test_a_price_while_committed_is_of_an_instance_that_there_is() -> None:
    price = {"name": "no such type", "usd_per_h": 0.5}
    with pytest.raises(ParamsError) as raised:
        answer(flat(commitments=[{"prices": [price]}]))
    assert [fault.pointer for fault in raised.value.faults] == [
        "/designs/0/commitments/0/prices/0/name"
    ]
