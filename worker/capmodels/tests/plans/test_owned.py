"""Owned designs against payments, hours and watts worked out again here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.amounts import drawn as draws
from capmodels.cost.cashflow import payment_usd
from capmodels.errors import ParamsError
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.costing.energy import mean_power_w, power_at_w
from capmodels.plans.document.hardware import FamilyPower, NodeGroup
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.spreads import design_spreads
from capmodels.power.corners import measured_w
from capmodels.power.curves import FamilyCurve, fan_w, linear_w, two_segments_points, watts
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    demand,
    owned,
    plain,
    study_of,
)
from capmodels.tests.plans.random_studies import POWERS, SLOW

HOURS = 8760
DAY = [0.2, 0.4, 0.9, 1.2, 1.6, 1.7] * 4
PRICES = [0.05, 0.05, 0.08, 0.1, 0.25, 0.3, 0.28, 0.2, 0.1, 0.08, 0.06, -0.02] * 2


def ours(design: JSONDict, workload: JSONDict | None = None, **assumptions: Any) -> Any:
    """The column of one owned design."""
    return column(answer(plain([design], workload, **assumptions)), "A")


def power_of(curve: JSONDict, load: float) -> float:
    """Power at a load by the single model of ``power.server``."""
    if curve["kind"] == "constant":
        return float(curve["power_w"])
    if curve["kind"] == "points":
        points = [(point["load_fraction"], point["power_w"]) for point in curve["points"]]
        return measured_w(points, load)
    ends = {"power_idle_w": curve["idle_w"], "power_max_w": curve["peak_w"]}
    if curve["kind"] == "family":
        read = curve.get("reading")
        reading = read and {
            "utilization_fraction": read["load_fraction"],
            "power_w": read["power_w"],
        }
        known = {"family": curve["family"], "reading": reading, "result": curve.get("result")}
        return watts(FamilyCurve.model_validate({**ends, **known}), load)
    if curve["kind"] == "linear":
        return linear_w(**ends, utilization_fraction=load)
    if curve["kind"] == "fan":
        return fan_w(**ends, utilization_fraction=load, exponent=curve["exponent"])
    points = two_segments_points(curve["idle_w"], curve["peak_w"], 0.1, 0.18)
    return measured_w(points, load)


@settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(curve=POWERS, load=st.floats(0.0, 1.5))
def test_mean_power_is_that_of_every_hour(curve: JSONDict, load: float) -> None:
    group = NodeGroup.model_validate(
        {"name": "n", "price": {"kind": "typed", "unit_price_usd": 0}, "power": curve}
    )
    assert group.power is not None
    shape = [value / (math.fsum(DAY) / 24) for value in DAY]
    for weights in ([1.0] * 24, PRICES):
        hours = [
            weight * power_of(curve, min(load * ratio, 1.0))
            for weight, ratio in zip(weights, shape, strict=True)
        ]
        found = mean_power_w(group.power, load, DurationCurve(DAY, weights))
        assert found == pytest.approx(math.fsum(hours) / 24, rel=2e-3, abs=1e-3)


@pytest.mark.parametrize("exponent", [0.7, 1.4])
@pytest.mark.parametrize("load", [0.95, 1.5])
def test_each_hour_of_fans_curve_is_held_at_full_load_by_itself(
    exponent: float, load: float
) -> None:
    curve = {"kind": "fan", "idle_w": 100, "peak_w": 300, "exponent": exponent}
    group = NodeGroup.model_validate(
        {"name": "n", "price": {"kind": "typed", "unit_price_usd": 0}, "power": curve}
    )
    assert group.power is not None
    mean = math.fsum(DAY) / 24
    hours = [power_of(curve, min(load * value / mean, 1.0)) for value in DAY]
    found = mean_power_w(group.power, load, DurationCurve(DAY))
    assert found == pytest.approx(math.fsum(hours) / 24, rel=2e-4)
    drawn: Any = mean_power_w(group.power, draws(np.array([load, 0.3])), DurationCurve(DAY))
    assert drawn[0] == pytest.approx(found)


def test_fans_nodes_busy_a_third_of_the_time_above_full_draw_full_power_then() -> None:
    # Two hours at 0.3 and one at 1.2 of the node: 2 x 0.3 - 0.3^1.4 = 0.41464, and full.
    curve = {"kind": "fan", "idle_w": 100, "peak_w": 300}
    group = NodeGroup.model_validate(
        {"name": "n", "price": {"kind": "typed", "unit_price_usd": 0}, "power": curve}
    )
    assert group.power is not None
    low = 100 + 200 * (2 * 0.3 - 0.3**1.4)
    found = mean_power_w(group.power, 0.6, DurationCurve([1.0, 1.0, 4.0]))
    assert found == pytest.approx((2 * low + 300) / 3, rel=2e-4)


LINEAR = {"kind": "linear", "idle_w": 100, "peak_w": 300}


@pytest.mark.decisive
def test_energy_and_cooling_are_power_times_price() -> None:
    # Ten nodes at half load: 200 W each.
    work = demand(headroom={"cores_target_fraction": 0.5})
    result = ours(
        owned(group={"power": LINEAR, "count": 20}),
        work,
        electricity={"kind": "flat", "usd_per_kwh": 0.2},
        pue=1.4,
    )
    kwh = 20 * 0.2 * HOURS
    assert cause_usd(result, "energy") == pytest.approx(kwh * 0.2)
    assert cause_usd(result, "cooling") == pytest.approx(kwh * 0.2 * 0.4)
    assert result.energy.kwh == pytest.approx(kwh * 1.4)
    assert result.energy_by_cause_kwh == pytest.approx({"nodes": kwh, "cooling": kwh * 0.4})
    assert result.energy.basis == "modelled"


def test_hourly_prices_meet_the_load_of_their_hour() -> None:
    shape = {"kind": "hourly", "values_ratio": DAY}
    work = demand(shape=shape, headroom={"cores_target_fraction": 0.5})
    mean = math.fsum(DAY) / 24
    hourly = [
        20 * (100 + 200 * 0.5 * value / mean) / 1000 * price
        for value, price in zip(DAY, PRICES, strict=True)
    ]
    result = ours(
        owned(group={"power": LINEAR, "count": 20}),
        work,
        electricity={"kind": "hourly", "usd_per_kwh": PRICES},
    )
    assert cause_usd(result, "energy") == pytest.approx(365 * math.fsum(hourly), rel=1e-4)


def test_a_tariff_by_hour_and_day_prices_a_flat_load() -> None:
    tariff = {"name": "peak", "days": "weekdays", "from_h": 8, "to_h": 18, "usd_per_kwh": 0.3}
    result = ours(
        owned(group={"power": {"kind": "constant", "power_w": 100}}),
        electricity={"kind": "time_of_use", "base_usd_per_kwh": 0.1, "tariffs": [tariff]},
        demand_charge_usd_per_kw_month=10,
    )
    mean = (50 * 0.3 + 118 * 0.1) / 168
    assert cause_usd(result, "energy") == pytest.approx(HOURS * mean + 12 * 10)


def test_a_bill_of_materials_with_discounts_indices_and_drives() -> None:
    parts = [
        {"name": "CPU", "component": "cpu", "count": 2, "unit_price_usd": 1000}
        | {"discount_fraction": 0.35, "index_ratio": 1.2},
        {"name": "DIMM", "component": "dram", "count": 8, "unit_price_usd": 100},
    ]
    drives = {"per_node_count": 4, "capacity_tb": 4, "kind": "ssd", "unit_price_usd": 50}
    price = {"kind": "parts", "parts": parts, "discount_fraction": 0.1}
    node = (2 * 1000 * 0.65 * 1.2 + 800) * 0.9 + 200
    design = owned(group={"price": price, "drives": drives}, hardware_price_ratio=1.5)
    assert cause_usd(ours(design), "hardware") == pytest.approx(10 * node * 1.5)


def test_prices_at_purchase_follow_the_index_of_each_component() -> None:
    work = demand(growth={"cores_fraction_per_year": 1.0})
    changes = {"server_fraction_per_year": 0.1, "network_fraction_per_year": 0.5}
    switch = {"name": "switch", "unit_price_usd": 500}
    design = owned(equipment=[switch])
    result = ours(design, work, horizon_months=24, price_changes=changes)
    assert cause_usd(result, "hardware") == pytest.approx(20 * 1000 + 20 * 1100 + 500)
    assert result.years[0].capex_usd == pytest.approx(20_500)
    assert result.years[1].capex_usd == pytest.approx(22_000)
    # What is bought at the start of month 13 is counted in it, discounted from its start.
    assert result.cumulative_usd[12] == pytest.approx(20_500)
    assert result.cumulative_usd[13] == pytest.approx(42_500)
    assert result.npv_usd == pytest.approx(20_500 + 22_000 / 1.08)


def test_a_lease_is_an_annuity_split_into_principal_and_interest() -> None:
    lease = {"kind": "lease", "rate_fraction_per_year": 0.06, "term_months": 24}
    payment = payment_usd(principal_usd=10_000, rate_fraction_per_period=0.005, periods=24)
    whole = ours(owned(finance=lease), horizon_months=36)
    assert cause_usd(whole, "hardware") == pytest.approx(10_000)
    assert cause_usd(whole, "finance") == pytest.approx(24 * payment - 10_000)
    assert whole.cumulative_usd[0] == 0.0
    assert whole.years[0].depreciation_usd == pytest.approx(2000)
    cut = ours(owned(finance=lease), horizon_months=12)
    assert cut.total_usd == pytest.approx(24 * payment)
    assert cause_usd(cut, "remaining") == pytest.approx(12 * payment)
    assert cut.owed_after_horizon_usd == pytest.approx(12 * payment)


def test_refresh_and_salvage() -> None:
    design = owned(refresh_months=24, salvage={"fraction": 0.1})
    result = ours(design, horizon_months=36)
    assert cause_usd(result, "hardware") == pytest.approx(20_000)
    assert cause_usd(result, "salvage") == pytest.approx(-2_000)
    assert result.cumulative_usd[24] == pytest.approx(10_000)
    assert result.cumulative_usd[25] == pytest.approx(19_000)
    slow = {"fraction": 0.1, "method": "declining", "life_months": 60}
    declining = ours(owned(salvage=slow), horizon_months=36)
    assert cause_usd(declining, "salvage") == pytest.approx(-10_000 * 0.1**0.6)
    # Sold when replaced after 24 months, and at the end 12 months after that.
    twice = ours(owned(salvage=slow, refresh_months=24), horizon_months=36)
    assert cause_usd(twice, "salvage") == pytest.approx(-10_000 * (0.1**0.4 + 0.1**0.2))


def test_maintenance_starts_after_the_warranty_and_spares_at_once() -> None:
    support = {"fraction_per_year": 0.12, "warranty_months": 7, "usd_per_year": 600}
    result = ours(owned(support=support, spares_fraction_per_year=0.02))
    assert cause_usd(result, "support") == pytest.approx(10_000 * 0.01 * 5 + 600)
    assert cause_usd(result, "spares") == pytest.approx(200)


def test_space_network_software_backup_people_and_places() -> None:
    power = {"kind": "constant", "power_w": 400}
    design = owned(
        group={"power": power, "sockets_per_node_count": 2, "adder_w": 100},
        racks={"nodes_per_rack_count": 4, "unit_price_usd": 2000},
        space={"usd_per_kw_month": 200, "usd_per_rack_month": 50, "usd_per_year": 7},
        provision_ratio=1.2,
        network={"transit_usd_per_month": 100, "cross_connects_count": 2}
        | {"cross_connect_usd_per_month": 300, "usd_per_tb": 4},
        sites=[{"name": "x", "usd_per_year": 1000, "once_usd": 50}, {"name": "y"}],
        links=[{"name": "x-y", "usd_per_month": 20, "once_usd": 10}],
        software={"usd_per_core_year": 1, "usd_per_socket_year": 10}
        | {"usd_per_node_year": 100, "usd_per_year": 1000},
        backup={"usd_per_tb_month": 6, "data_tb": 9},
        staff_fte=2,
        staff_usd_per_year=500,
    )
    work = demand(egress_tb_per_month=5)
    result = ours(design, work, staff_usd_per_fte_year=100_000)
    assert cause_usd(result, "hardware") == pytest.approx(10_000 + 3 * 2000)
    assert cause_usd(result, "space") == pytest.approx(12 * (6 * 200 + 3 * 50) + 7)
    assert cause_usd(result, "network") == pytest.approx(12 * (100 + 600 + 20 + 20) + 10)
    assert cause_usd(result, "site") == pytest.approx(1050)
    assert cause_usd(result, "software") == pytest.approx(10 * (10 + 20 + 100) + 1000)
    assert cause_usd(result, "backup") == pytest.approx(12 * 54)
    assert cause_usd(result, "staff") == pytest.approx(200_500)


def test_migration_pays_for_both_and_a_part_of_a_month() -> None:
    move = {"labour_usd": 1000, "parallel_months": 2.5, "parallel_usd_per_month": 400}
    move |= {"exit_tb": 2, "exit_usd_per_gb": 0.05, "overrun_ratio": 1.5}
    result = ours(owned(migration=move))
    assert cause_usd(result, "migration") == pytest.approx(1.5 * (1000 + 100 + 2.5 * 400))


def test_electricity_may_be_in_the_price_of_the_space() -> None:
    power = {"kind": "constant", "power_w": 1000}
    design = owned(group={"power": power}, space={"electricity_included": True})
    result = ours(design, electricity={"kind": "flat", "usd_per_kwh": 0.2}, pue=1.5)
    assert cause_usd(result, "energy") == 0.0
    assert result.energy.kwh == pytest.approx(10 * HOURS * 1.5)


def test_carbon_is_operational_and_embodied_with_a_range() -> None:
    power = {"kind": "constant", "power_w": 1000}
    embodied = {"kgco2e": 1200, "low_kgco2e": 600, "high_kgco2e": 2400, "life_months": 60}
    carbon = {"gco2e_per_kwh": 400, "low_gco2e_per_kwh": 300, "usd_per_t": 50}
    result = ours(owned(group={"power": power, "embodied": embodied}), pue=1.5, carbon=carbon)
    kwh = 10 * HOURS * 1.5
    assert result.carbon.operational_kgco2e == pytest.approx(kwh * 0.4)
    assert result.carbon.embodied_kgco2e == pytest.approx(10 * 1200 * 12 / 60)
    assert result.carbon.low_kgco2e == pytest.approx(kwh * 0.3 + 10 * 600 / 5)
    assert result.carbon.high_kgco2e == pytest.approx(kwh * 0.4 + 10 * 2400 / 5)
    assert cause_usd(result, "carbon") == pytest.approx(kwh * 0.4 / 1000 * 50)


def test_what_is_not_entered_stays_unknown() -> None:
    power = {"kind": "constant", "power_w": 1000}
    result = ours(owned(group={"power": power}))
    assert result.carbon.kgco2e is None
    assert result.carbon.reason == "No carbon intensity is entered in the assumptions."
    bare = owned(group={"power": None}, space={"electricity_included": True})
    unknown = ours(bare)
    assert unknown.energy.kwh is None
    assert unknown.energy.basis == "unknown"
    assert unknown.energy.reason == "The power of some nodes is not entered."


def test_hourly_intensity_meets_the_load_of_its_hour() -> None:
    shape = {"kind": "hourly", "values_ratio": DAY}
    ratios = [1.0 + 0.5 * math.cos(hour / 24 * 2 * math.pi) for hour in range(24)]
    work = demand(shape=shape, headroom={"cores_target_fraction": 0.5})
    carbon = {"gco2e_per_kwh": 400, "hourly_ratio": ratios}
    result = ours(owned(group={"power": LINEAR, "count": 20}), work, carbon=carbon)
    mean = math.fsum(DAY) / 24
    grams = [
        20 * (100 + 100 * value / mean) / 1000 * 400 * ratio * 24 / math.fsum(ratios)
        for value, ratio in zip(DAY, ratios, strict=True)
    ]
    expected = 365 * math.fsum(grams) / 1000
    assert result.carbon.operational_kgco2e == pytest.approx(expected, rel=1e-4)


READ = {"kind": "family", "idle_w": 100, "peak_w": 300, "family": "zen4"}
# 44,000 operations a second at full load and 100 for each watt over all: 220 W on average.
RESULT = {"overall_ssj_ops_per_w": 100.0, "full_load_ssj_ops_per_s": 44_000.0}


def test_a_reading_under_load_is_what_a_node_draws_there() -> None:
    # Twenty nodes at half load.
    work = demand(headroom={"cores_target_fraction": 0.5})
    power = {**READ, "reading": {"load_fraction": 0.5, "power_w": 190.0}}
    result = ours(owned(group={"power": power, "count": 20}), work)
    plain = ours(owned(group={"power": READ, "count": 20}), work)
    used = 20 * 0.19 * HOURS
    assert result.energy_by_cause_kwh["nodes"] == pytest.approx(used)
    assert plain.energy_by_cause_kwh["nodes"] != pytest.approx(used, rel=0.01)


def test_a_published_result_is_the_mean_of_what_a_node_draws_from_idle_to_full_load() -> None:
    power = FamilyPower.model_validate({**READ, "result": RESULT})
    drawn = [power_at_w(power, tenth / 10) for tenth in range(11)]
    assert (drawn[0], drawn[-1]) == pytest.approx((100.0, 300.0))
    assert sum(drawn) / 11 == pytest.approx(220.0)
    # Twenty nodes at half load.
    work = demand(headroom={"cores_target_fraction": 0.5})
    used = ours(owned(group={"power": {**READ, "result": RESULT}, "count": 20}), work)
    assert used.energy_by_cause_kwh["nodes"] == pytest.approx(20 * drawn[5] / 1000 * HOURS)


def test_the_error_of_a_curve_is_drawn_under_load_and_kept_where_power_is_known() -> None:
    read = {"reading": {"load_fraction": 0.5, "power_w": 190.0}}
    plain, off = (
        FamilyPower.model_validate({**READ, **read, "measured_ratio": ratio})
        for ratio in (1.0, 1.08)
    )
    loads = [tenth / 10 for tenth in range(11)]
    ratios = [power_at_w(off, load) / power_at_w(plain, load) for load in loads]
    assert [ratios[at] for at in (0, 5, 10)] == pytest.approx([1.0] * 3)
    assert ratios[1:5] == pytest.approx([1.08] * 4)
    # Of no error may a server draw more than at full load.
    wild = FamilyPower.model_validate({**READ, "measured_ratio": 5.0})
    assert power_at_w(wild, 0.9) == pytest.approx(300.0)


def test_the_odds_carry_the_measured_error_of_a_power_curve() -> None:
    """A design with a family's curve starts with the range of its error, and costs no one sum."""
    named = {"name": "Machines of one kind", "count": 20}
    designs = [
        owned("A", group={**named, "power": READ}),
        owned("B", group={**named, "power": {**READ, "peak_w": 350}}),
        owned("C", group={**named, "power": {"kind": "linear", "idle_w": 100, "peak_w": 300}}),
    ]
    spreads = [one for design in designs for one in design_spreads(design, {})]
    errors = [one for one in spreads if one["pointer"].endswith("/power/measured_ratio")]
    assert [(one["low"], one["high"]) for one in errors] == [(0.93, 1.08)] * 2
    electricity = {"kind": "flat", "usd_per_kwh": 0.2}
    asked = plain(designs, demand(), electricity=electricity)
    entered = {**asked, "draws_count": 200, "ranges": errors}
    # Of one family it is one unknown, whatever its servers are called.
    (error,) = quantities_of(study_of(entered))
    assert error.key == "node_groups/power/measured_ratio/zen4"
    a, b, c = (column(answer(entered), letter).model_dump() for letter in "ABC")
    assert c["p10_usd"] == pytest.approx(c["p90_usd"])
    assert all(one["p90_usd"] > one["p10_usd"] * 1.0001 for one in (a, b))


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"reading": {"load_fraction": 0.4, "power_w": 301.0}}, "reading/power_w"),
        ({"reading": {"load_fraction": 1.0, "power_w": 200.0}}, "reading/load_fraction"),
        ({"result": {**RESULT, "overall_ssj_ops_per_w": 9.0}}, "result/overall_ssj_ops_per_w"),
        ({"result": {**RESULT, "full_load_ssj_ops_per_s": 0.0}}, "result/full_load_ssj_ops_per_s"),
        ({"result": RESULT, "reading": {"load_fraction": 0.4, "power_w": 200.0}}, "result"),
        ({"idle_w": -5.0}, "idle_w"),
        ({"peak_w": 99.0}, "peak_w"),
        ({"family": "z80"}, "family"),
    ],
)
def test_a_fault_of_a_family_s_power_is_told_at_its_field(changed: JSONDict, field: str) -> None:
    with pytest.raises(ParamsError) as refused:
        study_of(plain([owned(group={"power": {**READ, **changed}})]))
    assert [fault.pointer for fault in refused.value.faults] == [
        f"/designs/0/node_groups/0/power/{field}"
    ]
