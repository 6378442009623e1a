"""Carbon of the electricity used, hour by hour, by location and by market."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from capmodels.amounts import fsum
from capmodels.equations import equation
from capmodels.series import tiled
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    preset,
)
from capmodels.units import (
    GRAMS_PER_KG,
    CarbonGco2ePerKwh,
    CarbonKgco2e,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    Usd,
    Whole,
    kwh_from_w,
    of_unit,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAP_YEAR_H = 8784

UsdPerTonne = Annotated[Real, of_unit("USD/t CO2e", ge=0)]
FactorYear = Annotated[Whole, of_unit("calendar year", ge=1990, le=2100)]

_CCF = "Cloud Carbon Footprint, SERC (Virginia)"


@equation("carbon.operational")
def operational_kgco2e(
    *, energy_kwh: Sequence[float], intensity_gco2e_per_kwh: Sequence[float]
) -> float:
    """Carbon of energies and the intensities at their times. [kg CO2e]

    O = sum of E I, Software Carbon Intensity specification, ISO/IEC 21031:2024.

    >>> operational_kgco2e(energy_kwh=[100.0], intensity_gco2e_per_kwh=[379.0])
    37.9
    """
    hours = zip(energy_kwh, intensity_gco2e_per_kwh, strict=True)
    return fsum(energy * intensity for energy, intensity in hours) / GRAMS_PER_KG


class YearlyIntensity(Params):
    """One factor for all hours, with its zone, year and basis."""

    kind: Literal["yearly"] = "yearly"
    intensity_gco2e_per_kwh: CarbonGco2ePerKwh = default(
        379.0, "Carbon of a kilowatt-hour.", source=_CCF, low=355.0, high=424.0
    )
    zone: str = default("SERC", "Part of the grid that it holds for.", source=_CCF)
    factor_year: FactorYear | None = blank("Year that it was measured in; empty when not known.")
    basis: Literal["direct", "life_cycle"] = default(
        "direct", "Whether fuel supply and plant are counted too.", source=_CCF
    )


class HourlyIntensity(Params):
    """A factor for each hour, repeated to fill the time."""

    kind: Literal["hourly"] = "hourly"
    hourly_gco2e_per_kwh: tuple[CarbonGco2ePerKwh, ...] = Field(
        min_length=1, max_length=_LEAP_YEAR_H, description="Carbon of a kilowatt-hour in each hour."
    )
    zone: str = preset("", "Part of the grid that it holds for.")
    factor_year: FactorYear | None = blank("Year that it was measured in; empty when not known.")
    basis: Literal["direct", "life_cycle"] = assumed(
        "direct", "Whether fuel supply and plant are counted too."
    )


Intensity = Annotated[YearlyIntensity | HourlyIntensity, Field(discriminator="kind")]


class OperationalParams(Params):
    """Power by the hour and the grid's intensity."""

    hourly_power_w: tuple[PowerW, ...] = default(
        (18_000.0,),
        "Power in each hour; repeated to fill the time.",
        source="Zaranek et al. 2008, section 2.1",
        as_of="2008",
        min_length=1,
        max_length=_LEAP_YEAR_H,
    )
    duration_h: Annotated[Whole, of_unit("h", ge=1, le=_LEAP_YEAR_H)] = assumed(
        8760, "Time, in whole hours."
    )
    pue: Pue = assumed(1.0, "Power of the building over power of the equipment.")
    intensity: Intensity = preset(YearlyIntensity(), "Carbon intensity of the grid.")
    certified_fraction: Fraction = assumed(
        0.0, "Share of the energy covered by certificates; counts by market only."
    )
    residual_gco2e_per_kwh: CarbonGco2ePerKwh | None = blank(
        "Intensity of what certificates do not cover; the grid's when left empty."
    )
    carbon_usd_per_t: UsdPerTonne = assumed(0.0, "Price put on a tonne of carbon.", high=200.0)


class OperationalResult(Result):
    """Carbon of the electricity; no certificates in the location-based figure."""

    energy_kwh: EnergyKwh
    location_kgco2e: CarbonKgco2e
    market_kgco2e: CarbonKgco2e
    mean_gco2e_per_kwh: CarbonGco2ePerKwh | None
    flat_mean_gco2e_per_kwh: CarbonGco2ePerKwh
    carbon_usd: Usd
    zone: str
    factor_year: FactorYear | None
    basis: Literal["direct", "life_cycle"]


def _hourly_intensity(intensity: Intensity, hours: int) -> list[float]:
    if isinstance(intensity, YearlyIntensity):
        return [intensity.intensity_gco2e_per_kwh] * hours
    return tiled(intensity.hourly_gco2e_per_kwh, hours)


def _run(params: OperationalParams, _context: Context) -> OperationalResult:
    hours = params.duration_h
    energies = [
        kwh_from_w(power * params.pue, 1.0) for power in tiled(params.hourly_power_w, hours)
    ]
    grid = _hourly_intensity(params.intensity, hours)
    residual = grid
    if params.residual_gco2e_per_kwh is not None:
        residual = [params.residual_gco2e_per_kwh] * hours
    location = operational_kgco2e(energy_kwh=energies, intensity_gco2e_per_kwh=grid)
    uncovered = operational_kgco2e(energy_kwh=energies, intensity_gco2e_per_kwh=residual)
    energy = math.fsum(energies)
    return OperationalResult(
        energy_kwh=energy,
        location_kgco2e=location,
        market_kgco2e=uncovered * (1 - params.certified_fraction),
        mean_gco2e_per_kwh=location * GRAMS_PER_KG / energy if energy > 0 else None,
        flat_mean_gco2e_per_kwh=math.fsum(grid) / hours,
        carbon_usd=location / 1000 * params.carbon_usd_per_t,
        zone=params.intensity.zone,
        factor_year=params.intensity.factor_year,
        basis=params.intensity.basis,
    )


SPEC = ModelSpec(
    id="carbon.operational",
    version="1.0.0",
    title="Operational carbon",
    summary="Carbon of the electricity used, hour by hour, by the grid's intensity and with "
    "certificates apart.",
    params=OperationalParams,
    result=OperationalResult,
    run=_run,
    points=lambda params: params.duration_h,
    citations=(
        Citation(
            text="Cloud Carbon Footprint, Methodology",
            url="https://www.cloudcarbonfootprint.org/docs/methodology/",
        ),
        Citation(
            text="GHG Protocol Scope 2 Guidance: location-based and market-based",
            url="https://ghgprotocol.org/scope-2-guidance",
        ),
    ),
    formulas=(
        Formula(
            "location",
            "carbon = sum over hours of P * PUE / 1000 * intensity / 1000",
            "GHG Protocol, location-based",
            {"P": "hourly_power_w", "PUE": "pue", "intensity": "gco2e_per_kwh"},
        ),
        Formula(
            "market",
            "carbon by market = (1 - certified share) * energy * residual intensity",
            "GHG Protocol, market-based",
        ),
    ),
    checks=(
        derived_check(
            "S65a",
            "18 kW for a year in SERC, 157,680 kWh",
            59_800.0,
            lambda: _run(OperationalParams(), Context()).location_kgco2e,
            source="Zaranek et al. 2008, section 2.1; Cloud Carbon Footprint factor",
            tolerance=50.0,
            unit="kg CO2e",
            params=dict,
            tests="carbon.operational.OperationalParams.hourly_power_w",
        ),
    ),
    limits=(
        "Average intensity, not marginal: what saving a kilowatt-hour avoids may differ.",
        "For the eastern United States 355 to 424 g/kWh are in use, by year and basis.",
        "Losses in transmission are left out.",
    ),
)
