"""Fixed power against its closed form, a numerical optimum and its limits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.power.fixed_power import best_speed_mips, cpu_power_w, efficiency_mips_per_w

SPEC = registry.get_model("power.fixed_power")


@pytest.mark.parametrize(
    ("fixed_w", "exponent"), [(0.1, 1.0), (1.0, 1.0), (0.5, 0.5), (3.0, 2.0), (25.0, 1.7)]
)
@pytest.mark.decisive
def test_best_speed_agrees_with_a_numerical_optimum(fixed_w: float, exponent: float) -> None:
    def loss(log_speed: float) -> float:
        speed = 10**log_speed
        power = math.pow(speed / 800.0, 1 + exponent) * 2.0
        return -speed / (power + fixed_w)

    found = minimize_scalar(loss, bounds=(0, 6), method="bounded", options={"xatol": 1e-10})

    ours = best_speed_mips(
        speed_ref_mips=800.0, power_ref_w=2.0, power_fixed_w=fixed_w, exponent=exponent
    )

    assert ours == pytest.approx(10**found.x, rel=1e-4)


def test_ten_times_the_fixed_power_moves_the_best_speed_by_root_ten() -> None:
    one = spec.evaluate(SPEC, {"power_fixed_w": 0.1})
    ten = spec.evaluate(SPEC, {"power_fixed_w": 1.0})

    assert ten.best_speed_mips / one.best_speed_mips == pytest.approx(10**0.5)


def test_without_fixed_power_there_is_no_best_speed() -> None:
    result = spec.evaluate(SPEC, {"power_fixed_w": 0.0})

    assert result.best_speed_mips is None
    assert result.best_reason == "no_interior_optimum"
    assert all(p.efficiency_mips_per_w == p.core_efficiency_mips_per_w for p in result.curve)


def test_at_the_best_speed_the_core_draws_the_fixed_power_over_a() -> None:
    result = spec.evaluate(SPEC, {"power_fixed_w": 0.6, "exponent": 1.5})

    drawn = cpu_power_w(
        speed_mips=result.best_speed_mips, speed_ref_mips=1000, power_ref_w=1.0, exponent=1.5
    )
    assert drawn == pytest.approx(0.4)
    assert result.best_cpu_power_w == pytest.approx(0.4)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    speed=st.floats(1.0, 1e5),
    fixed=st.floats(0.01, 100.0),
    exponent=st.floats(0.2, 3.0),
)
def test_no_speed_beats_the_best_one(speed: float, fixed: float, exponent: float) -> None:
    best = best_speed_mips(
        speed_ref_mips=1000, power_ref_w=1.0, power_fixed_w=fixed, exponent=exponent
    )

    def eta(at: float) -> float:
        power = cpu_power_w(speed_mips=at, speed_ref_mips=1000, power_ref_w=1.0, exponent=exponent)
        return efficiency_mips_per_w(speed_mips=at, power_cpu_w=power, power_fixed_w=fixed)

    assert eta(speed) <= eta(best) * (1 + 1e-12)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"exponent": 0.0}, "/exponent", "out_of_range"),
        ({"power_fixed_w": -0.1}, "/power_fixed_w", "out_of_range"),
        ({"speed_ref_mips": True}, "/speed_ref_mips", "wrong_type"),
        (
            {"speed_low_mips": 10.0, "speed_high_mips": 10.0},
            "/speed_high_mips",
            "ends_not_in_order",
        ),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, object], pointer: str, code: str) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.evaluate(SPEC, document)

    assert [(f.pointer, f.code) for f in refused.value.faults] == [(pointer, code)]
