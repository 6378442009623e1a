"""Where a server does its work with least energy: the surface over two loads.

After Srikantaiah, Kansal, Zhao 2008, with a parametric form of ours.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import ConfigDict, Field, field_validator

from capmodels.consolidation.server_curves import (
    Surface,
    axis,
    best_point,
    degradation_ratio,
    energy_j_per_unit,
    power_w,
    refit,
)
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    preset,
    refusal,
)
from capmodels.units import Fraction, PowerW, Ratio, Real, of_unit

_ARTICLE = "Srikantaiah et al. 2008"
_STEPS = (0.005, 0.01, 0.02, 0.025, 0.04, 0.05, 0.08, 0.1, 0.16, 0.2, 0.4)

StepFraction = Annotated[Fraction, Field(gt=0)]
EnergyPerUnit = Annotated[Real, of_unit("J", ge=0)]
Target = Annotated[Fraction, Field(gt=0)]


class SurfaceParams(Params):
    """A server's watts and degradation, the grid, and how much slower work may be."""

    model_config = ConfigDict(validate_default=True)

    surface: Surface = preset(Surface(), "Watts, degradation and work.")
    step_fraction: StepFraction = assumed(0.01, "Step of the grid from 10% to 90%.")
    tolerance_ratio: Ratio | None = blank("How much longer work may take; empty: any.")
    target_fraction: tuple[Target, Target] | None = blank(
        "CPU and disk load to which to fit the degradation."
    )

    @field_validator("surface")
    @classmethod
    def _does_work(cls, value: Surface) -> Surface:
        if value.work_cpu_ratio + value.work_disk_ratio <= 0:
            raise refusal(
                "no_work", "No load does any work. Enter more than 0.", at=("work_cpu_ratio",)
            )
        return value

    @field_validator("step_fraction")
    @classmethod
    def _divides_the_axis(cls, value: float) -> float:
        if not any(abs(value - step) < 1e-9 for step in _STEPS):
            raise refusal(
                "does_not_divide",
                f"The step does not divide 80% evenly. Enter one of {_STEPS}.",
            )
        return value


class Point(Result):
    """One load."""

    cpu_fraction: Fraction
    disk_fraction: Fraction
    energy_j: EnergyPerUnit
    degradation_ratio: Ratio
    power_w: PowerW


class SurfaceResult(Result):
    """Grids by CPU (rows) and disk (columns), and the best loads; energy of a unit of work."""

    loads_fraction: tuple[Fraction, ...]
    energy_j: tuple[tuple[EnergyPerUnit | None, ...], ...]
    energy_ratio: tuple[tuple[Ratio | None, ...], ...]
    degradation_ratio: tuple[tuple[Ratio, ...], ...]
    power_w: tuple[tuple[PowerW, ...], ...]
    optimum: Point
    bounded_optimum: Point | None
    optimum_on_edge: bool
    surface: Surface


def _point(surface: Surface, at: tuple[float, float]) -> Point:
    return Point(
        cpu_fraction=at[0],
        disk_fraction=at[1],
        energy_j=energy_j_per_unit(surface, *at) or 0.0,
        degradation_ratio=degradation_ratio(surface, *at),
        power_w=power_w(surface, *at),
    )


def _grid(loads: list[float], value: Any) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(value(cpu, disk) for disk in loads) for cpu in loads)


def _run(params: SurfaceParams, _context: Context) -> SurfaceResult:
    surface = (
        refit(params.surface, *params.target_fraction) if params.target_fraction else params.surface
    )
    loads = axis(0.1, 0.9, params.step_fraction)
    best = best_point(surface, loads, None) or (loads[0], loads[0])
    bounded = best_point(surface, loads, params.tolerance_ratio)
    optimum = _point(surface, best)
    energies = _grid(loads, lambda cpu, disk: energy_j_per_unit(surface, cpu, disk))
    least = optimum.energy_j
    return SurfaceResult(
        loads_fraction=tuple(loads),
        energy_j=energies,
        energy_ratio=tuple(
            tuple(None if one is None or least == 0 else one / least for one in row)
            for row in energies
        ),
        degradation_ratio=_grid(loads, lambda cpu, disk: degradation_ratio(surface, cpu, disk)),
        power_w=_grid(loads, lambda cpu, disk: power_w(surface, cpu, disk)),
        optimum=optimum,
        bounded_optimum=_point(surface, bounded) if bounded else None,
        optimum_on_edge=any(load in (loads[0], loads[-1]) for load in best),
        surface=surface,
    )


def _least() -> str:
    cpu, disk = best_point(Surface(), axis(0.1, 0.9, 0.01), None) or (0.0, 0.0)
    return f"{cpu:.0%} CPU, {disk:.0%} disk"


_CHECKS = (
    Check(
        "B4",
        "Load at which a unit of work takes least energy",
        "70% CPU, 50% disk",
        _least,
        source=f"{_ARTICLE}, section 2",
        kind="fitted",
        fitted_to="This load: both degradation ratios were solved from it, on curves of ours, for "
        "the figures of the paper have no values.",
        tests="consolidation.server_curves.Surface.degradation_cpu_ratio",
        note="The grid of the paper is 10%, ours here 1%.",
    ),
)

SPEC = ModelSpec(
    id="consolidation.surface",
    version="1.0.0",
    title="Energy of work by load",
    summary="Energy of a unit of work over CPU and disk load: a valley whose lowest point is how "
    "full a server should be, with or without a bound on slowing.",
    params=SurfaceParams,
    result=SurfaceResult,
    run=_run,
    points=lambda params: round(0.8 / params.step_fraction + 1) ** 2,
    citations=(
        Citation(
            text="S. Srikantaiah, A. Kansal, F. Zhao, Energy Aware Consolidation for Cloud "
            "Computing, HotPower 2008",
            section="2, 3",
        ),
    ),
    formulas=(
        Formula(
            "power",
            "P = P_idle + P_cpu (2c - c^r) + P_disk d",
            "Fan et al. 2007 and a line for disks",
            {"r": "power_exponent"},
        ),
        Formula(
            "degradation",
            "delta = A_c c^m + A_d d^n",
            "ours, fitted to the published optimum",
            {"m": "cpu_exponent", "n": "disk_exponent"},
        ),
        Formula("energy", "E = P (1 + delta) / (w_c c + w_d d)", f"{_ARTICLE}, form ours"),
        Formula(
            "refit",
            "A_c = (1+D) g_c / (m c*^(m-1)), A_d likewise, D = k / (1-k), k = g_c c*/m + g_d d*/n",
            "derivatives of E set to zero at (c*, d*)",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "The published figures have no values: the form and its coefficients are ours, fitted "
        "to the published optimum and to the shapes described.",
        "The optimum holds for one machine and one mix of work; profile your own and refit.",
        "Cooling, and applications that react to a shortage, are left out.",
    ),
)
