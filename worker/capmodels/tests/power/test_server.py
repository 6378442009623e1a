"""Server power against measured servers, limits and closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.errors import ModelError
from capmodels.power.corners import measured_w
from capmodels.power.curves import fan_w, linear_w, two_segments_points
from capmodels.power.supply import LEVEL_EFFICIENCY, LEVEL_LOADS, loss_fraction
from capmodels.tests.asking import ask, faults

MODEL = "power.server"
# Dell PowerEdge R620, SPECpower_ssj2008, March 2012: watts at 0, 10, ... 100% load.
R620_W = (54.1, 78.4, 88.5, 99.5, 115, 126, 143, 165, 196, 226, 243)
R620 = tuple((step / 10, watts) for step, watts in enumerate(R620_W))


def measured(**changes: Any) -> dict[str, Any]:
    points = [{"utilization_fraction": load, "power_w": watts} for load, watts in R620]
    return {"curve": {"kind": "measured", "points": points}} | changes


@pytest.mark.parametrize(("load", "watts"), R620)
def test_measured_points_come_back(load: float, watts: float) -> None:
    assert measured_w(R620, load) == watts


@pytest.mark.decisive
def test_between_points_power_is_numpy_s_interpolation() -> None:
    loads = np.linspace(0, 1, 201)
    expected = np.interp(loads, [load for load, _ in R620], R620_W)
    for load, watts in zip(loads, expected, strict=True):
        assert measured_w(R620, float(load)) == pytest.approx(float(watts), rel=1e-13)


def test_a_convex_machine_is_missed_by_the_line_and_by_fan_s_exponent() -> None:
    ends = {"power_idle_w": 54.1, "power_max_w": 243.0, "utilization_fraction": 0.5}
    assert measured_w(R620, 0.5) == 126
    assert linear_w(**ends) == pytest.approx(149, abs=0.6)
    assert fan_w(**ends, exponent=1.4) == pytest.approx(171, abs=0.7)


def test_an_exponent_below_one_fits_it() -> None:
    ends = {"power_idle_w": 54.1, "power_max_w": 243.0, "utilization_fraction": 0.5}
    assert fan_w(**ends, exponent=0.70) == pytest.approx(126, abs=1)


def test_an_exponent_of_one_is_the_line() -> None:
    for load in (0.0, 0.3, 1.0):
        ends = {"power_idle_w": 150.0, "power_max_w": 280.0, "utilization_fraction": load}
        assert fan_w(**ends, exponent=1.0) == pytest.approx(linear_w(**ends), rel=1e-15)


def test_below_one_the_curve_is_held_at_idle_where_the_formula_dips() -> None:
    near_idle = fan_w(
        power_idle_w=100.0, power_max_w=200.0, utilization_fraction=0.05, exponent=0.7
    )
    assert near_idle == 100.0


def test_two_segments_pass_through_idle_knee_and_full() -> None:
    points = two_segments_points(100.0, 300.0, 0.1, 0.25)
    assert points == [(0.0, 100.0), (0.1, 150.0), (1.0, 300.0)]
    assert measured_w(points, 0.55) == pytest.approx(225.0)


def test_a_year_at_constant_load_is_power_times_hours() -> None:
    load = {"kind": "constant", "utilization_fraction": 0.5}
    result = ask(MODEL, **measured(load=load, pue=1.5, electricity_usd_per_kwh=0.2))
    assert result.it_energy_kwh == pytest.approx(0.126 * 8760)
    assert result.energy_kwh == pytest.approx(1.5 * 0.126 * 8760)
    assert result.cost_usd == pytest.approx(0.2 * 1.5 * 0.126 * 8760)
    assert result.dynamic_range_fraction == pytest.approx(1 - 54.1 / 243)


def test_an_hourly_series_adds_up_hour_by_hour() -> None:
    loads = [0.0, 0.1, 0.55, 1.0]
    load = {"kind": "hourly", "hourly_utilization_fraction": loads}
    result = ask(MODEL, **measured(load=load))
    assert result.hourly_power_w == (54.1, 78.4, pytest.approx(134.5), 243.0)
    assert result.energy_kwh == pytest.approx((54.1 + 78.4 + 134.5 + 243) / 1000)
    assert result.duration_h == 4
    assert result.mean_utilization_fraction == pytest.approx(0.4125)


def test_energy_per_work_is_one_at_full_load_and_unknown_when_idle() -> None:
    def at(load: float) -> Any:
        constant = {"kind": "constant", "utilization_fraction": load}
        return ask(MODEL, **measured(load=constant))

    assert at(1.0).energy_per_work_ratio == pytest.approx(1.0)
    assert at(0.2).energy_per_work_ratio == pytest.approx(88.5 / (0.2 * 243))
    assert at(0.0).energy_per_work_ratio is None
    assert at(0.0).energy_per_work_reason == "no_work"


def test_a_server_without_power_is_valid() -> None:
    curve = {"kind": "linear", "power_idle_w": 0.0, "power_max_w": 0.0}
    assert ask(MODEL, curve=curve).energy_per_work_ratio is None


@pytest.mark.parametrize("kind", ["linear", "fan", "two_segments"])
def test_full_power_below_idle_is_refused_at_the_field(kind: str) -> None:
    given = {"kind": kind, "power_idle_w": 100.0, "power_max_w": 90.0}
    assert faults(MODEL, {"curve": given}) == {"/curve/power_max_w": "max_below_idle"}
    by_default = {"kind": kind, "power_idle_w": 1000.0}
    assert faults(MODEL, {"curve": by_default}) == {"/curve/power_max_w": "max_below_idle"}


def test_all_faults_come_at_once() -> None:
    document = {
        "curve": {"kind": "fan", "exponent": 2.5},
        "load": {"kind": "constant", "utilization_fraction": 1.2, "duration_h": 0.0},
        "pue": 0.9,
        "electricity_usd_per_kwh": True,
    }
    assert faults(MODEL, document) == {
        "/curve/exponent": "out_of_range",
        "/load/utilization_fraction": "out_of_range",
        "/load/duration_h": "out_of_range",
        "/pue": "out_of_range",
        "/electricity_usd_per_kwh": "wrong_type",
    }


@pytest.mark.parametrize(
    ("pairs", "pointer", "code"),
    [
        ([(0.0, 1.0)], "/curve/points", "incomplete_points"),
        ([(0.1, 1.0), (1.0, 2.0)], "/curve/points", "incomplete_points"),
        (
            [(0.0, 1.0), (0.5, 2.0), (0.5, 3.0), (1.0, 4.0)],
            "/curve/points/2/utilization_fraction",
            "unsorted_points",
        ),
        ([(0.0, 5.0), (1.0, 4.0)], "/curve/points/1/power_w", "max_below_idle"),
    ],
)
def test_measured_points_must_reach_from_idle_to_full(
    pairs: list[tuple[float, float]], pointer: str, code: str
) -> None:
    points = [{"utilization_fraction": load, "power_w": watts} for load, watts in pairs]
    assert faults(MODEL, {"curve": {"kind": "measured", "points": points}}) == {pointer: code}


def test_an_unknown_kind_is_refused_with_the_choices() -> None:
    assert faults(MODEL, {"curve": {"kind": "cubic"}}) == {"/curve/kind": "not_a_choice"}


def test_gpus_draw_between_idle_and_their_limit_at_their_own_load_or_the_server_s() -> None:
    gpu = {"power_idle_w": 70.0, "power_max_w": 700.0, "devices_count": 8}
    load = {"kind": "constant", "utilization_fraction": 0.5}
    with_server = ask(MODEL, **measured(load=load, devices=[gpu]))
    assert with_server.devices_w == pytest.approx(8 * 385)
    assert with_server.power_w == pytest.approx(126 + 8 * 385)
    own = ask(MODEL, **measured(load=load, devices=[gpu | {"utilization_fraction": 0.0}]))
    assert own.power_w == pytest.approx(126 + 8 * 70)


@pytest.mark.parametrize("level", LEVEL_EFFICIENCY)
def test_a_supply_has_its_level_s_efficiency_at_the_level_s_loads(level: Any) -> None:
    for load, efficiency in zip(LEVEL_LOADS, LEVEL_EFFICIENCY[level], strict=True):
        assert load / (load + loss_fraction(level, load)) == pytest.approx(efficiency)


def test_a_supply_loses_something_without_load_and_never_less_with_more() -> None:
    for level in LEVEL_EFFICIENCY:
        losses = [loss_fraction(level, step / 50) for step in range(51)]
        assert losses[0] > 0
        assert losses == sorted(losses)


def test_two_supplies_at_a_quarter_of_their_load_lose_what_the_level_says() -> None:
    load = {"kind": "constant", "utilization_fraction": 0.5}
    supply = {"level": "gold", "rated_w": 315.0, "supplies_count": 2}
    result = ask(MODEL, **measured(load=load, supply=supply))
    assert result.power_w == pytest.approx(126 / 0.88)
    assert result.supply_loss_w == pytest.approx(126 / 0.88 - 126)


def test_supplies_too_small_for_the_server_are_refused_in_words() -> None:
    with pytest.raises(ModelError, match="more or larger supplies"):
        ask(MODEL, **measured(supply={"rated_w": 100.0, "supplies_count": 2}))
