"""Disk arrays in a study: closed forms, sizes, cost by cause, wear, chance of loss."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.compare import compare
from capmodels.plans.costing.array_load import array_power, operations_of, sleeper_of
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.array_parts import IoMix
from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.pointers import leaf_at, may_vary, substitute
from capmodels.reliability.array_loss import SPEC as ARRAY_LOSS
from capmodels.spec import evaluate
from capmodels.storage.closed_form.array_instant import SPEC as INSTANT
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.spin_down import sleep_of
from capmodels.tests.plans.arrays import DESKTOP, FLASH, LAPTOP, SERVER, array, stored
from capmodels.tests.plans.documents import (
    answer,
    cause_usd,
    column,
    in_hindsight,
    owned,
    plain,
    study_of,
)

JSONDict = dict[str, Any]
POWER = {"electricity": {"kind": "flat", "usd_per_kwh": 0.10}, "pue": 1.5}


def figures(design: JSONDict, work: JSONDict | None = None, **assumptions: Any) -> Any:
    """What the plan says of one array."""
    found = column(answer(plain([design], work or stored(), **assumptions)), design["letter"])
    assert found.array is not None
    return found.array


@pytest.mark.parametrize("layout", ["raid5", "mirrored_set", "raid0"])
def test_reads_are_those_of_the_closed_form_of_the_simulator(layout: str) -> None:
    ours = figures(array(layout="raid1" if layout == "mirrored_set" else layout))
    theirs = evaluate(
        INSTANT, {"drive": DESKTOP, "layout": layout, "disks_count": 4, "arrival_rate_per_s": 100.0}
    )
    assert ours.iops_ceiling_per_s == pytest.approx(theirs.max_rate_per_s, rel=1e-12)
    assert ours.response_mean_ms == pytest.approx(theirs.response_mean_ms, rel=1e-12)
    assert ours.mean_w == pytest.approx(theirs.always_on_w, rel=1e-12)


@pytest.mark.parametrize(
    ("layout", "disks", "rate"),
    [("raid5", 4, 40.0), ("raid6", 8, 60.0), ("raid7", 12, 60.0), ("mirrored_set", 4, 100.0)],
)
def test_writes_load_the_drives_as_in_the_closed_form(layout: str, disks: int, rate: float) -> None:
    name = "raid1" if layout == "mirrored_set" else layout
    work = stored(block_mix={"read_fraction": 0.3}, block_io_per_s=rate)
    ours = figures(array(layout=name, disks_count=disks), work)
    document = {"drive": DESKTOP, "layout": layout, "disks_count": disks, "read_fraction": 0.3}
    theirs = evaluate(INSTANT, {**document, "arrival_rate_per_s": rate})
    assert ours.iops_ceiling_per_s == pytest.approx(theirs.max_rate_per_s, rel=1e-12)
    assert ours.mean_w == pytest.approx(theirs.always_on_w, rel=1e-12)
    if layout != "mirrored_set":
        assert ours.response_mean_ms == pytest.approx(theirs.response_mean_ms, rel=1e-12)


def test_above_its_load_the_closed_form_of_small_writes_says_why_it_has_no_response() -> None:
    work = stored(block_mix={"read_fraction": 0.3}, block_io_per_s=80.0)
    found = figures(array(), work)
    assert found.response_mean_ms is None
    assert "Above a load of 70%" in found.reasons["response_mean_ms"]
    # The same with a cache that answers all writes has one.
    cache = {"device": FLASH, "hit_fraction": 0.5}
    assert figures(array(cache=cache), work).response_mean_ms is not None


@pytest.mark.decisive
def test_four_desktop_drives_draw_and_respond_as_queueing_theory_says() -> None:
    # Reference check 23: RAID-5 reads at 100/s, 36.05 W and 16.7 ms of M/G/1 queues.
    found = figures(array(), stored(block_mix={"read_fraction": 1.0, "request_bytes": 16_384}))
    assert found.mean_w == pytest.approx(36.05, rel=0.01)
    assert found.response_mean_ms == pytest.approx(16.7, rel=0.02)


def test_laptop_drives_with_one_awake_draw_what_the_paper_has() -> None:
    # Reference check 10: three laptop disks at one request a second, 2.507 W against 12.0 W.
    laptops = array(drive=LAPTOP, layout="raid1", disks_count=3, power_policy={"kind": "threshold"})
    found = figures(laptops, stored(block_tb=0.05, block_io_per_s=1.0))
    assert found.mean_w == pytest.approx(2.507, abs=0.001)
    assert found.drives_asleep_count == pytest.approx(2.0)
    server = figures(
        array(drive=SERVER, layout="single", disks_count=1),
        stored(block_tb=0.05, block_io_per_s=1.0),
    )
    assert 1 - found.mean_w / server.mean_w == pytest.approx(0.791, abs=0.002)


@pytest.mark.parametrize(
    ("layout", "disks", "width", "usable_tb"),
    [
        ("single", 1, None, 0.5),
        ("raid0", 8, None, 4.0),
        ("raid1", 3, None, 0.5),
        ("raid10", 8, None, 2.0),
        ("raid5", 8, None, 3.5),
        ("raid5", 8, 4, 3.0),
        ("raid6", 12, 6, 4.0),
        ("mirrored_sets", 9, 3, 1.5),
    ],
)
def test_capacity_is_what_copies_and_parity_leave(
    layout: str, disks: int, width: int | None, usable_tb: float
) -> None:
    found = figures(array(layout=layout, disks_count=disks, disks_per_group=width))
    assert found.usable_tb == pytest.approx(usable_tb)
    assert found.raw_tb == pytest.approx(disks * 0.5)


def test_arrays_are_bought_as_the_demand_grows() -> None:
    work = stored(block_tb=1.4, growth={"block_fraction_per_year": 0.5})
    result = answer(plain([array(count=None)], work, horizon_months=36))
    found = column(result, "A")
    # 1.4 TB becomes 2.1, 3.15 and 4.725 TB; an array holds 1.5 TB.
    assert [year.groups[0].count for year in found.sizing] == [2.0, 3.0, 4.0]
    assert [year.causes["drives"] for year in found.years] == pytest.approx([800.0, 400.0, 400.0])
    assert found.carries_load
    assert found.binding.resource == "disk"


def test_an_array_that_is_too_slow_does_not_carry_the_load() -> None:
    found = column(answer(plain([array()], stored(block_io_per_s=1000.0))), "A")
    assert not found.carries_load
    assert found.binding.resource == "iops"
    assert found.array is not None
    assert found.array.response_mean_ms is None
    assert "wait without end" in found.array.reasons["response_mean_ms"]


def test_an_array_alone_does_not_carry_cores() -> None:
    result = answer(plain([array()], stored(busy_cores_count=10)))
    assert result.verdict.kind == "none"
    assert "cores" in result.verdict.headline


def test_cost_has_a_cause_each_and_they_sum_to_the_total() -> None:
    design = array(
        spares_count=1,
        enclosure={"unit_price_usd": 500.0, "power_w": 20.0, "rack_units_count": 4},
        warranty_months=12,
        design={
            "staff_fte": 0.1,
            "space": {"usd_per_rack_month": 100.0},
            "support": {"fraction_per_year": 0.1, "warranty_months": 24},
        },
    )
    found = column(answer(plain([design], horizon_months=36, workload=stored(), **POWER)), "A")
    assert cause_usd(found, "drives") == pytest.approx(500.0)
    assert cause_usd(found, "enclosures") == pytest.approx(500.0)
    assert cause_usd(found, "space") == pytest.approx(3600.0)
    assert cause_usd(found, "support") == pytest.approx(100.0)
    watts = found.array.mean_w if found.array else 0.0
    assert cause_usd(found, "energy") == pytest.approx(watts / 1000 * 3 * 8760 * 0.1)
    assert cause_usd(found, "cooling") == pytest.approx(0.5 * cause_usd(found, "energy"))
    # Five drives' price for two years out of warranty, at the rate of an AFR of 1.7%.
    rate = -math.log1p(-0.017) / (1 - 0.3)
    assert cause_usd(found, "replacements") == pytest.approx(500.0 * rate * 2)
    assert sum(item.amount_usd for item in found.causes) == pytest.approx(found.total_usd, abs=1e-9)
    assert found.array is not None
    assert found.array.usd_per_tb_year == pytest.approx(found.total_usd / 1.5 / 3)


def test_chance_of_loss_is_that_of_the_reliability_model() -> None:
    found = figures(array(mttr_h=24.0, drive={**DESKTOP, "afr_fraction": 0.03}))
    theirs = evaluate(
        ARRAY_LOSS,
        {
            "layout": "raid5",
            "disks_count": 4,
            "disk_gb": 500.0,
            "afr_fraction": 0.03,
            "mttr_h": 24.0,
            "unrecoverable_per_bit": 1e-14,
            "mission_years": 1.0,
        },
    )
    # At the constant rate that an array comes to; in its first year a new one loses less.
    a_year = -math.expm1(-1 / theirs.any_mttdl_years)
    assert found.loss_fraction_per_year == pytest.approx(a_year, rel=1e-12)
    assert a_year == pytest.approx(theirs.any_loss_fraction, rel=1e-5)
    two = figures(array(count=2, mttr_h=24.0, drive={**DESKTOP, "afr_fraction": 0.03}))
    assert two.loss_fraction_per_year == pytest.approx(1 - (1 - a_year) ** 2, rel=1e-9)


def test_flash_wears_by_what_is_written_to_it() -> None:
    mix = {"read_fraction": 0.0, "request_bytes": 65_536}
    found = figures(
        array(drive=FLASH, layout="raid1", disks_count=2),
        stored(block_io_per_s=1000.0, block_mix=mix),
    )
    # Both copies take 65.5 MB/s: 2,067 TB a year of 7,000 TB.
    assert found.wear_years == pytest.approx(7000.0 / (65.536e-6 * 8760 * 3600))
    assert found.wears_first == "drives of the disk array (flash), by writes"
    unknown = array(drive={**FLASH, "endurance_tb": None}, layout="raid1", disks_count=2)
    assert "endurance" in figures(unknown).reasons["wear_years"]


def test_random_writes_to_flash_are_bounded_by_the_time_that_they_hold_it() -> None:
    drive = {**FLASH, "write_hold_ms": 0.5}
    work = stored(block_mix={"read_fraction": 0.0, "request_bytes": 4096})
    held = figures(array(drive=drive, layout="raid1", disks_count=2), work)
    # 16 channels at 0.5 ms each; both copies are written.
    assert held.iops_ceiling_per_s == pytest.approx(16_000 / 0.5)
    # Answered by the buffer: 4 KiB at 16 x 200 MB/s after the latency; the slower of two.
    assert held.response_mean_ms == pytest.approx(0.02 + 4.096 / 3200, rel=0.01)
    cache = {"device": drive, "hit_fraction": 0.0}
    cached = figures(array(cache=cache), work)
    assert cached.iops_ceiling_per_s <= 16_000 / 0.5 * (1 + 1e-9)


def test_a_cache_wears_by_its_writes_and_the_reads_that_it_takes_in() -> None:
    mix = {"read_fraction": 0.5, "request_bytes": 65_536}
    work = stored(block_io_per_s=1000.0, block_mix=mix)
    device = {**FLASH, "write_amplification_ratio": 2.0}
    found = figures(array(cache={"device": device, "count": 2, "hit_fraction": 0.4}), work)
    # Half are writes, and 60% of the reads miss: 800 a second, twice on flash, over two devices.
    assert found.wear_years == pytest.approx(7000.0 / (800 * 65_536e-12 * 8760 * 3600))
    assert found.wears_first == "SSD cache of the disk array (flash), by writes"
    unknown = {"device": {**device, "endurance_tb": None}}
    assert "cache" in figures(array(cache=unknown), work).reasons["wear_years"]


def test_flash_written_more_than_the_drive_is_told_wears_that_much_sooner() -> None:
    mix = {"read_fraction": 0.0, "request_bytes": 65_536}
    work = stored(block_io_per_s=1000.0, block_mix=mix)

    def years(ratio: float) -> float:
        drive = {**FLASH, "write_amplification_ratio": ratio}
        return figures(array(drive=drive, layout="raid1", disks_count=2), work).wear_years or 0.0

    assert years(3.0) == pytest.approx(years(1.0) / 3.0)


def test_the_row_of_wear_names_the_part_that_goes_first() -> None:
    work = stored(block_io_per_s=2.0, block_mix={"read_fraction": 0.9})
    sleeping = array(drive=LAPTOP, layout="raid1", power_policy={"kind": "threshold"})
    cache = {"device": {**FLASH, "endurance_tb": None}}
    rows = answer(plain([sleeping, array("B", cache=cache)], work)).rows
    row = next(row for row in rows if row.id == "array_wear_years")
    assert row.notes == {"A": "drives of the disk array (Travelstar 7K60), by starts"}
    assert row.reasons == {"B": "The endurance of the cache is not entered."}
    both = {**sleeping["array"], "cache": cache}
    found = figures({**sleeping, "array": both}, work)
    assert found.wears_first is not None
    assert found.wears_first.endswith("endurance of the cache not entered")


def test_a_cache_takes_reads_and_writes_off_the_drives() -> None:
    cache = {"device": FLASH, "unit_price_usd": 400.0, "hit_fraction": 0.5}
    work = stored(block_mix={"read_fraction": 0.5}, block_io_per_s=70.0)
    plain_array, cached = figures(array(), work), figures(array(cache=cache), work)
    assert cached.response_mean_ms < 0.5 * plain_array.response_mean_ms
    assert cached.iops_ceiling_per_s > plain_array.iops_ceiling_per_s
    assert cached.watts["cache"] == pytest.approx(5.0, abs=0.1)
    assert cause_usd(column(answer(plain([array(cache=cache)], work)), "A"), "drives") == 800.0


def test_carbon_per_tb_is_electricity_and_making_over_the_space() -> None:
    design = array(embodied={"drive_kgco2e": 30.0, "life_months": 60})
    found = figures(
        design, horizon_months=12, carbon={"gco2e_per_kwh": 400.0}, electricity=POWER["electricity"]
    )
    operational = found.mean_w * 8760 / 1e6 * 400.0
    assert found.kgco2e_per_tb_year == pytest.approx((operational + 4 * 30.0 / 5) / 1.5)
    assert "unknown" in figures(array()).reasons["kgco2e_per_tb_year"]


def test_a_cluster_with_an_array_costs_both() -> None:
    spec = array(spares_count=1, enclosure={"unit_price_usd": 500.0, "power_w": 20.0})["array"]
    headroom = {"cores_target_fraction": 1.0, "disk_fill_fraction": 1.0, "io_target_fraction": 1.0}
    work = stored(busy_cores_count=100, headroom=headroom)
    both = column(answer(plain([owned(array=spec)], work, horizon_months=24, **POWER)), "A")
    nodes = column(
        answer(plain([owned()], {**work, "block_tb": 0.0}, horizon_months=24, **POWER)), "A"
    )
    drives = column(
        answer(plain([{**array(), "array": spec}], stored(), horizon_months=24, **POWER)), "A"
    )
    assert both.carries_load
    assert both.total_usd == pytest.approx(nodes.total_usd + drives.total_usd, abs=1e-9)
    assert sum(item.amount_usd for item in both.causes) == pytest.approx(both.total_usd, abs=1e-9)
    assert both.energy.kwh == pytest.approx((nodes.energy.kwh or 0) + (drives.energy.kwh or 0))
    assert both.array is not None
    assert both.array.usable_tb == pytest.approx(1.5)
    assert both.array.usd_per_tb_year is None


MOVED = (
    "/workload/block_tb",
    "/workload/block_io_per_s",
    "/workload/block_mix/read_fraction",
    "/assumptions/electricity/usd_per_kwh",
    "/designs/A/array/drive_price_usd",
    "/designs/A/array/drive/idle_w",
    "/designs/A/array/drive/active_w",
    "/designs/A/array/drive/afr_fraction",
    "/designs/A/array/drive/capacity_gb",
    "/designs/A/array/cache/hit_fraction",
    "/designs/A/array/enclosure/power_w",
    "/designs/A/array/false_replacement_fraction",
    "/designs/A/hardware_price_ratio",
)


@pytest.mark.parametrize("layout", ["raid5", "raid6", "raid10", "raid0"])
@pytest.mark.parametrize("policy", ["always_on", "threshold"])
@pytest.mark.parametrize("cache", [None, {"device": FLASH, "hit_fraction": 0.5}])
def test_every_draw_of_an_array_is_the_point(
    layout: str, policy: str, cache: JSONDict | None
) -> None:
    design = array(layout=layout, power_policy={"kind": policy}, count=None, cache=cache)
    design["array"] |= {"warranty_months": 3, "enclosure": {"unit_price_usd": 9.0, "power_w": 7.0}}
    shape = {"kind": "hourly", "values_ratio": [0.2, 0.5, 2.0] * 8}
    work = stored(shape=shape, block_mix={"read_fraction": 0.6}, p99_ratio=None)
    study = in_hindsight(study_of(plain([design], work, horizon_months=30, **POWER)))
    values: dict[Any, Any] = {}
    for pointer in MOVED:
        leaf = leaf_at(study, pointer)
        if leaf is not None and may_vary(leaf):
            values[leaf.path] = np.array([0.7, 1.0, 1.4]) * float(leaf.value)
    assert len(values) >= 10
    _, books = Evaluator(study, Scene(study).curves).books(values, 3)
    cash: Any = books["A"].cash()
    for row in range(3):
        point = substitute(study, {path: float(found[row]) for path, found in values.items()})
        total = column(compare(point), "A").total_usd
        assert float(cash[:, row].sum()) == pytest.approx(total, rel=1e-12)


def test_ranges_of_arrays_give_odds_and_flips() -> None:
    document = plain(
        [array("A"), array("B", layout="raid10", drive_price_usd=101.0)], stored(), **POWER
    )
    document["ranges"] = [
        {"pointer": "/designs/A/array/drive_price_usd", "low": 50.0, "high": 150.0},
        {
            "pointer": "/designs/B/array/drive_price_usd",
            "low": 50.0,
            "high": 150.0,
            "quantity": "another make",
        },
    ]
    result = answer({**document, "draws_count": 2000})
    assert result.odds is not None
    assert result.odds.wins["A"] == pytest.approx(0.5, abs=0.06)
    flip = next(item for item in result.flips if item.pointer == "/designs/A/array/drive_price_usd")
    # Both are alike but for the price of a drive: they are level where A's is B's mean.
    assert flip.flips_at == pytest.approx((50 + 101 + 150) / 3, rel=0.03)
    labels = {row.id: row for row in result.rows}
    assert labels["array_usd_per_tb_year"].best in {"A", "B"}


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"disks_count": 2}, "/designs/0/array/disks_count"),
        ({"disks_count": 10, "disks_per_group": 4}, "/designs/0/array/disks_count"),
        ({"layout": "single"}, "/designs/0/array/disks_count"),
        (
            {"drive": SERVER, "power_policy": {"kind": "threshold"}},
            "/designs/0/array/power_policy/kind",
        ),
        ({"drive": {**DESKTOP, "seek": {"kind": "logical"}}}, "/designs/0/array/drive/seek"),
        ({"drive_price_usd": -1.0}, "/designs/0/array/drive_price_usd"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_at_its_place(changes: JSONDict, pointer: str) -> None:
    with pytest.raises(ParamsError) as refused:
        study_of(plain([array(**changes)], stored()))
    assert pointer in {fault.pointer for fault in refused.value.faults}


def test_storage_is_carried_by_an_array_or_by_nodes_not_both() -> None:
    nodes = {
        "role": "compute_and_block",
        "drives": {"per_node_count": 1, "capacity_tb": 1.0, "kind": "hdd"},
    }
    with pytest.raises(ParamsError) as refused:
        study_of(plain([owned(group=nodes, array=array()["array"])]))
    assert "/designs/0/node_groups/0/role" in {fault.pointer for fault in refused.value.faults}


def test_a_utilisation_has_its_data_stored() -> None:
    work = {
        "kind": "utilization",
        "utilization_fraction": 0.2,
        "machines": [{"name": "m", "node_count": 1, "cores_per_node_count": 4}],
        "storage_tb": 1.0,
    }
    found = column(answer(plain([array()], work)), "A")
    assert found.array is not None
    assert found.array.used_fraction == pytest.approx(1.0 / 1.5)
    with pytest.raises(ParamsError):
        study_of(plain([array(count=None)], work))


def test_given_machines_ask_of_an_array_what_they_ask_without_headroom() -> None:
    """1.05 of three data disks of 0.5 TB, and 0.95 of the requests that the drives can serve."""
    ceiling = figures(array(), stored()).iops_ceiling_per_s
    work = {
        "kind": "utilization",
        "utilization_fraction": 0.2,
        "machines": [{"name": "m", "node_count": 1, "cores_per_node_count": 4}],
        "storage_tb": 1.05 * 1.5,
    }
    io = {"requests_per_s": 0.95 * ceiling, "read_fraction": 1.0}
    scene = Scene(study_of(plain([array(io=io)], work)))
    owned = cost_designs(scene, lambda: CauseBook(scene.months))[0].owned
    assert owned is not None
    assert owned.arrays[0].required[0] == pytest.approx({"disk": 1.05, "iops": 0.95}, rel=1e-12)


def test_copies_that_sleep_wake_for_writes_alone() -> None:
    """Of three copies one stays awake; each of the others takes every write, and no read."""
    spec = ArraySpec.model_validate(
        array(drive=LAPTOP, layout="raid1", disks_count=3, power_policy={"kind": "threshold"})[
            "array"
        ]
    )
    mix = IoMix.model_validate({"read_fraction": 0.6})
    ops = operations_of(spec, mix)
    power = array_power(spec, mix, 0.05, ops)
    writes_per_s = 0.4 * 0.05
    busy = writes_per_s * ops.write.mean_ms / 1000
    drive = HardDisk.model_validate(LAPTOP)
    sleep = sleep_of(sleeper_of(spec, drive), rate_per_s=writes_per_s, load_fraction=busy)
    assert power.asleep_count == pytest.approx(2 * sleep.asleep_fraction, rel=1e-12)
    assert power.starts_per_s == pytest.approx(2 * sleep.starts_per_s, rel=1e-12)
    reads = 0.6 * 0.05 * ops.read.mean_ms / 1000
    awake_w = drive.idle_w + (drive.active_w - drive.idle_w) * (reads + busy)
    assert power.drives_w == pytest.approx(awake_w + 2 * sleep.power_w, rel=1e-12)


def test_copies_beyond_counting_are_never_all_lost() -> None:
    found = figures(array(layout="raid1", disks_count=1024, mttr_h=0.001))
    assert found.loss_fraction_per_year == 0.0
    certain = figures(array(drive={**DESKTOP, "afr_fraction": 1.0}, layout="raid0"))
    assert certain.loss_fraction_per_year == pytest.approx(1.0, abs=1e-6)
