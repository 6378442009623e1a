"""What a loaded server draws and how much longer its work takes, by resource.

P = idle + sum of P_i (2 u_i - u_i^r_i); delta = sum of A_i u_i^m_i. Proposed for the facts in
Srikantaiah et al. 2008, whose figures carry no values.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from capmodels.errors import ModelError
from capmodels.numbers import percent
from capmodels.spec import Params, default
from capmodels.units import PowerW, Ratio, Real, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

_FITTED = "our fit to the optimum at 70% CPU and 50% disk of Srikantaiah et al. 2008"

PowerExponent = Annotated[Real, of_unit("1", ge=1, le=2)]
SteepnessExponent = Annotated[Real, of_unit("1", ge=1, le=64)]


class OptimumImpossible(ModelError):
    """No coefficients put the least energy at the point asked for."""


def _fitted(value: float, description: str, **facets: Any) -> Any:
    return default(
        value,
        source=_FITTED,
        quality="derived",
        as_of="2008",
        description=description,
        **facets,
    )


class Surface(Params):
    """A server with two resources, processor and disk."""

    power_idle_w: PowerW = _fitted(150.0, "Power when on and idle.", low=100.0, high=200.0)
    power_cpu_w: PowerW = _fitted(110.0, "What the processor adds at full load.")
    power_disk_w: PowerW = _fitted(20.0, "What disks add at full load.")
    power_exponent: PowerExponent = default(
        1.4, "Bend of CPU power (r).", source="Fan, Weber, Barroso 2007", as_of="2007"
    )
    degradation_cpu_ratio: Ratio = _fitted(1.03, "Lengthening at a full processor (A_c).")
    degradation_disk_ratio: Ratio = _fitted(0.89, "Lengthening at full disks (A_d).")
    cpu_exponent: SteepnessExponent = _fitted(8.0, "Steepness along the processor (m).")
    disk_exponent: SteepnessExponent = _fitted(2.5, "Steepness along disks (n).")
    work_cpu_ratio: Ratio = _fitted(1.0, "Work in a second of full processor (w_c).")
    work_disk_ratio: Ratio = _fitted(0.8, "Work in a second of full disks (w_d).")


def power_w(surface: Surface, cpu: float, disk: float) -> float:
    """Power at a load. [W]

    >>> power_w(Surface(), 0.0, 0.0)
    150.0
    """
    bent = 2 * cpu - math.pow(cpu, surface.power_exponent)
    return surface.power_idle_w + surface.power_cpu_w * bent + surface.power_disk_w * disk


def degradation_ratio(surface: Surface, cpu: float, disk: float) -> float:
    """How much longer a transaction takes, relative to an idle server. [ratio]

    >>> degradation_ratio(Surface(), 0.0, 0.0)
    0.0
    """
    by_cpu = surface.degradation_cpu_ratio * math.pow(cpu, surface.cpu_exponent)
    return by_cpu + surface.degradation_disk_ratio * math.pow(disk, surface.disk_exponent)


def work_per_s(surface: Surface, cpu: float, disk: float) -> float:
    """Work offered at a load. [1/s]"""
    return surface.work_cpu_ratio * cpu + surface.work_disk_ratio * disk


def energy_j_per_unit(surface: Surface, cpu: float, disk: float) -> float | None:
    """Energy of a unit of work, P (1 + delta) / W; None without work. [J]"""
    work = work_per_s(surface, cpu, disk)
    if work <= 0:
        return None
    drawn = power_w(surface, cpu, disk)
    return drawn * (1 + degradation_ratio(surface, cpu, disk)) / work


def refit(surface: Surface, cpu: float, disk: float) -> Surface:
    """Return the surface with A_c and A_d such that energy is least at a point.

    Raises
    ------
    OptimumImpossible
        When no degradation that rises with load puts the optimum there.
    """
    drawn, work = power_w(surface, cpu, disk), work_per_s(surface, cpu, disk)
    r, m, n = surface.power_exponent, surface.cpu_exponent, surface.disk_exponent
    slope = surface.power_cpu_w * (2 - r * math.pow(cpu, r - 1))
    by_cpu = surface.work_cpu_ratio / work - slope / drawn
    by_disk = surface.work_disk_ratio / work - surface.power_disk_w / drawn
    k = by_cpu * cpu / m + by_disk * disk / n
    if by_cpu <= 0 or by_disk <= 0 or not 0 < k < 1:
        message = (
            f"No degradation puts the least energy at {percent(cpu)} CPU and {percent(disk)} disk "
            "with these watts and work. Move the point or change idle power."
        )
        raise OptimumImpossible(message)
    lengthened = 1 + k / (1 - k)
    return surface.model_copy(
        update={
            "degradation_cpu_ratio": lengthened * by_cpu / (m * math.pow(cpu, m - 1)),
            "degradation_disk_ratio": lengthened * by_disk / (n * math.pow(disk, n - 1)),
        }
    )


def axis(low: float, high: float, step: float) -> list[float]:
    """Return even points from low to high, each rounded to the step's grid."""
    count = round((high - low) / step)
    return [round(low + place * step, 10) for place in range(count + 1)]


def best_point(
    surface: Surface, loads: Sequence[float], tolerance_ratio: float | None
) -> tuple[float, float] | None:
    """Load with least energy on the grid, of those within the tolerance; None if none is.

    Ties go to the smaller CPU load, then to the smaller disk load.
    """
    best, best_j = None, math.inf
    for cpu in loads:
        for disk in loads:
            longer = degradation_ratio(surface, cpu, disk)
            if tolerance_ratio is not None and longer > tolerance_ratio:
                # Degradation rises with disk load, so the rest of the row is out as well.
                break
            energy = energy_j_per_unit(surface, cpu, disk)
            if energy is not None and energy < best_j:
                best, best_j = (cpu, disk), energy
    return best
