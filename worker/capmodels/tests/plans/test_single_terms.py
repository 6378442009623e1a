"""Terms of a design's sums, each by hand where nothing else is in the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.plans.answer.certainty_kernel import correlations
from capmodels.plans.costing.array_load import array_power, operations_of
from capmodels.plans.costing.array_tiers import BATCHES_PER_S, Moved
from capmodels.plans.document.array_parts import IoMix
from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.figures.capacity import capacity
from capmodels.plans.figures.compared import Compared
from capmodels.tests.plans.arrays import LAPTOP, array, stored
from capmodels.tests.plans.documents import (
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
)

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult

JSONDict = dict[str, Any]
HOURS = 8760.0


def _of(design: JSONDict, work: JSONDict | None = None, **assumptions: Any) -> DesignResult:
    return column(answer(plain([design], work, **assumptions)), design["letter"])


def test_switches_draw_all_year() -> None:
    switches = {"name": "switch", "count": 3, "unit_price_usd": 0, "power_w": 150}
    power: JSONDict = {"electricity": {"kind": "flat", "usd_per_kwh": 0.1}, "hours_per_year": HOURS}
    found = _of(owned(equipment=[switches]), **power)
    assert cause_usd(found, "energy") == pytest.approx(3 * 0.150 * HOURS * 0.1)


def _own_and_rent(**rented: Any) -> JSONDict:
    """The machines of Free Factories on a cloud, two years."""
    found = document("free-factories")
    found["ranges"] = []
    found["assumptions"] |= {"horizon_months": 24}
    found["designs"][1] |= rented
    return found


def test_data_that_move_every_year_do_so_at_the_price_of_each() -> None:
    found = _own_and_rent()
    found["workload"]["transfer_period"] = "yearly"
    found["assumptions"]["price_changes"]["transfer_fraction_per_year"] = 0.5
    first, second = (year.causes["transfer"] for year in column(answer(found), "B").years)
    once = column(answer(_own_and_rent()), "B").years[0].causes["transfer"]
    # A price that rises by half in a year is higher by its root at the middle of the first.
    assert first == pytest.approx(once * 1.5**0.5)
    assert second == pytest.approx(1.5 * first)


def test_a_rented_cpu_year_emits_what_its_coefficient_says() -> None:
    found = _own_and_rent(energy={"embodied_kgco2e_per_vcpu_year": 4.0})
    two = column(answer(found), "B").carbon.embodied_kgco2e
    found["assumptions"]["horizon_months"] = 12
    one = column(answer(found), "B")
    found["workload"]["utilization_fraction"] /= 2
    half = column(answer(found), "B").carbon.embodied_kgco2e
    assert one.carbon.embodied_kgco2e is not None
    assert two == pytest.approx(2 * one.carbon.embodied_kgco2e)
    assert half == pytest.approx(one.carbon.embodied_kgco2e / 2)
    # An instance-hour is paid at its price.
    item = found["designs"][1]["instances"][0]
    hours = one.years[0].causes["instances"] / item["usd_per_h"]
    assert one.carbon.embodied_kgco2e == pytest.approx(
        hours * item["vcpu_count"] / HOURS * 4.0, rel=1e-6
    )


def test_data_in_memory_are_sized_by_ram_and_queries_by_cores() -> None:
    work = demand(
        busy_cores_count=0,
        service={"query_rate_per_s": 2500.0, "service_ms": 1.0, "dataset_tb": 1.0,
                 "copies_count": 1},
    )  # fmt: skip
    group = {"role": "service", "cores_per_node_count": 1, "ram_gib": 64, "data_in": "memory"}
    needs = _of(owned(group=group), work).sizing[0].groups[0].required
    assert needs["ram"] == pytest.approx(1e12 / (64 * 2**30))
    assert needs["queries"] == pytest.approx(2.5)
    assert "disk" not in needs


def test_reads_of_copies_that_sleep_queue_at_the_one_that_is_awake() -> None:
    """Of three copies at a request a second one is awake: the queue of a single drive."""
    work = stored(block_tb=0.05, block_io_per_s=1.0)
    copies: JSONDict = {"drive": LAPTOP, "layout": "raid1", "disks_count": 3}
    by_policy = {
        kind: _of(array(power_policy={"kind": kind}, **copies), work).array
        for kind in ("threshold", "always_on")
    }
    alone = _of(array(drive=LAPTOP, layout="single", disks_count=1), work).array
    asleep, awake = by_policy["threshold"], by_policy["always_on"]
    assert asleep is not None
    assert awake is not None
    assert alone is not None
    assert alone.response_mean_ms is not None
    assert awake.response_mean_ms is not None
    assert asleep.response_mean_ms == pytest.approx(alone.response_mean_ms)
    assert awake.response_mean_ms < alone.response_mean_ms


def test_drives_that_only_take_a_batch_a_day_start_once_a_day() -> None:
    sleeping = array(
        drive=LAPTOP, layout="raid5", disks_count=4, power_policy={"kind": "threshold"}
    )
    spec = ArraySpec.model_validate(sleeping["array"])
    mix = IoMix()
    moved = Moved(batches_per_s=BATCHES_PER_S)
    power = array_power(spec, mix, 0.0, operations_of(spec, mix), moved)
    assert power.starts_per_s == pytest.approx(4 / 86_400, rel=1e-3)


def test_what_binds_is_said_of_each_design() -> None:
    busy = owned("A", group={"cores_per_node_count": 10, "ram_gib": 10_000})
    full = owned("B", group={"cores_per_node_count": 10_000, "ram_gib": 64})
    found = answer(plain([busy, full], demand(ram_gib=640)))
    labels = {one.binding.label for one in found.designs}
    assert len(labels) == 2
    said = capacity(Compared(found.model_dump(mode="json"))).title.lower()
    assert all(label.lower() in said for label in labels)


def test_a_cluster_too_small_in_its_second_year_says_so() -> None:
    growing = demand(growth={"cores_fraction_per_year": 1.0})
    found = _of(owned(group={"count": 30}), growing, horizon_months=24)
    assert any("in year 2 " in warning for warning in found.warnings)


def test_correlations_of_small_amounts_are_those_of_numpy() -> None:
    rng = np.random.default_rng(5)
    drawn = rng.normal(0.02, 0.003, (3, 500))
    amounts = np.stack([drawn[0] + 0.4 * drawn[1], 1e-3 * rng.normal(size=500)])
    found = correlations(drawn, amounts)
    expected = np.corrcoef(drawn, amounts)[:3, 3:]
    assert np.asarray(found) == pytest.approx(expected, abs=1e-9)


def test_a_drive_past_its_rated_starts_fails_as_many_times_as_often() -> None:
    """A start a day of each drive, over three years and a rating of 365: three times the rate."""
    drive = {**LAPTOP, "start_stop_rating_count": 365}
    sleepy = {"kind": "threshold"}
    work = stored(block_tb=0.01, block_io_per_s=1 / 86_400, block_mix={"read_fraction": 0.0})
    found = {
        rating: _of(
            array(
                drive={**drive, "start_stop_rating_count": rating},
                layout="single",
                disks_count=1,
                power_policy=sleepy,
                design={"pue": 1.0},
            ),
            work,
            horizon_months=36,
        ).array
        for rating in (365, 10**6)
    }
    worn, new = found[365], found[10**6]
    assert worn is not None
    assert new is not None
    assert worn.starts_per_drive_year == pytest.approx(365, rel=0.01)
    rates = [-np.log1p(-(one.loss_fraction_per_year or 0.0)) for one in (worn, new)]
    assert rates[0] / rates[1] == pytest.approx(3.0, rel=0.02)


def test_a_price_that_never_flips_the_verdict_is_told_by_the_leader_s_rival() -> None:
    """The rival's price shares its quantity with one of wider range of a design that is far off."""
    designs = [owned(), cloud("B"), cloud("C", item={"usd_per_h": 5.0})]
    wide = {"B": (0.9, 1.1), "C": (4.0, 6.0)}
    ranges = [
        {"pointer": f"/designs/{letter}/instances/0/usd_per_h", "low": low, "high": high,
         "quantity": "price of a machine"}
        for letter, (low, high) in wide.items()
    ]  # fmt: skip
    found = answer({**plain(designs), "ranges": ranges, "draws_count": 1500})
    assert found.winner == "A"
    (flip,) = found.flips
    assert flip.flips_at is None
    assert flip.pointer == "/designs/B/instances/0/usd_per_h"
    assert (flip.low, flip.high) == (0.9, 1.1)
