"""The valley of energy against its table, a numerical optimum and its limits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from capmodels.consolidation.server_curves import (
    OptimumImpossible,
    Surface,
    degradation_ratio,
    energy_j_per_unit,
    refit,
)
from capmodels.tests.asking import ask, faults

MODEL = "consolidation.surface"
loads = st.floats(0.0, 1.0)


@pytest.mark.decisive
def test_grid_rises_from_the_optimum_along_both_axes() -> None:
    result = ask(MODEL, step_fraction=0.1)

    row = [round(value, 3) for value in result.energy_ratio[6]]
    column = [round(line[4], 3) for line in result.energy_ratio]
    assert row == [1.191, 1.103, 1.044, 1.011, 1.0, 1.01, 1.038, 1.084, 1.146]
    assert column == [1.503, 1.357, 1.243, 1.151, 1.077, 1.023, 1.0, 1.036, 1.185]
    assert result.degradation_ratio[4][8] == pytest.approx(0.688, abs=0.0005)
    assert not result.optimum_on_edge


@pytest.mark.parametrize(
    ("tolerance", "cpu", "disk", "excess"),
    [(0.05, 0.60, 0.26, 0.107), (0.10, 0.64, 0.36, 0.035), (0.15, 0.67, 0.43, 0.0084)],
)
def test_tighter_bounds_move_the_optimum_down(
    tolerance: float, cpu: float, disk: float, excess: float
) -> None:
    result = ask(MODEL, tolerance_ratio=tolerance)

    found = result.bounded_optimum
    assert (found.cpu_fraction, found.disk_fraction) == (cpu, disk)
    assert found.energy_j / result.optimum.energy_j - 1 == pytest.approx(excess, abs=0.0006)


def test_a_bound_that_no_load_meets_leaves_no_optimum() -> None:
    assert ask(MODEL, step_fraction=0.1, tolerance_ratio=1e-6).bounded_optimum is None


def test_work_of_one_kind_only_pushes_the_optimum_to_an_edge() -> None:
    surface = {"degradation_cpu_ratio": 0.0, "degradation_disk_ratio": 0.0}
    assert ask(MODEL, step_fraction=0.1, surface=surface).optimum_on_edge


@pytest.mark.parametrize("target", [(0.7, 0.5), (0.6, 0.4), (0.8, 0.6)])
def test_refit_puts_the_least_energy_at_the_target(target: tuple[float, float]) -> None:
    surface = refit(Surface(), *target)

    def energy(at: Any) -> float:
        return energy_j_per_unit(surface, at[0], at[1]) or 0.0

    found = minimize(energy, x0=(0.5, 0.5), bounds=[(0.05, 1.0)] * 2, tol=1e-14)

    assert found.x == pytest.approx(target, abs=1e-3)


def test_refit_to_a_point_that_cannot_be_says_so() -> None:
    with pytest.raises(OptimumImpossible, match="70% CPU"):
        ask(MODEL, target_fraction=(0.7, 0.5), surface={"power_disk_w": 500.0})


@settings(max_examples=100, derandomize=True, deadline=None)
@given(cpu=loads, disk=loads, more=loads)
def test_degradation_never_falls_with_load(cpu: float, disk: float, more: float) -> None:
    here = degradation_ratio(Surface(), cpu, disk)
    assert 0 <= here <= degradation_ratio(Surface(), max(cpu, more), disk)
    assert here <= degradation_ratio(Surface(), cpu, max(disk, more))


def test_no_load_has_no_energy_per_work() -> None:
    assert energy_j_per_unit(Surface(), 0.0, 0.0) is None
    small, smaller = (energy_j_per_unit(Surface(), load, load) or 0.0 for load in (1e-3, 1e-6))
    assert smaller > 500 * small


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"step_fraction": 0.03}, "/step_fraction", "does_not_divide"),
        ({"surface": {"power_exponent": 2.5}}, "/surface/power_exponent", "out_of_range"),
        ({"surface": {"cpu_exponent": 0.5}}, "/surface/cpu_exponent", "out_of_range"),
        ({"tolerance_ratio": -0.1}, "/tolerance_ratio", "out_of_range"),
        (
            {"surface": {"work_cpu_ratio": 0.0, "work_disk_ratio": 0.0}},
            "/surface/work_cpu_ratio",
            "no_work",
        ),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
