"""What a server and its devices draw over time, behind their supply and in their building."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from capmodels.errors import ModelError
from capmodels.power.curves import (
    Curve,
    FanCurve,
    IdleToMax,
    TwoSegmentsCurve,
    linear_w,
    watts,
)
from capmodels.power.supply import PowerSupply, wall_w
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
    derived,
    preset,
    recalled,
)
from capmodels.units import (
    HOURS_PER_YEAR,
    CountFromOne,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Ratio,
    Real,
    SignedUsd,
    UsdPerKwh,
    kwh_from_w,
    of_unit,
)

_HOURS_LIMIT = 8784

PositiveH = Annotated[Real, of_unit("h", gt=0)]


class ConstantLoad(Params):
    """One load for the whole time."""

    kind: Literal["constant"] = "constant"
    utilization_fraction: Fraction = assumed(0.5, "Load of the server.")
    duration_h: PositiveH = derived(HOURS_PER_YEAR, "Time it lasts.", source="one year")


class HourlyLoad(Params):
    """A load for every hour."""

    kind: Literal["hourly"] = "hourly"
    hourly_utilization_fraction: tuple[Fraction, ...] = Field(
        min_length=1,
        max_length=_HOURS_LIMIT,
        description="Load in each hour, at most a leap year of them.",
    )


Load = Annotated[ConstantLoad | HourlyLoad, Field(discriminator="kind")]


class Devices(IdleToMax):
    """Devices beside the processors, such as GPUs: idle, full power, and a load of their own."""

    power_idle_w: PowerW = recalled(
        60.0,
        "One device, powered and idle.",
        source="an 80 GB data-centre GPU, the catalogue's gpu-a100-80",
        as_of="2025-06",
        low=45.0,
        high=75.0,
    )
    power_max_w: PowerW = recalled(
        400.0,
        "One device at full load: its power limit.",
        source="an 80 GB data-centre GPU, the catalogue's gpu-a100-80",
        as_of="2025-06",
    )
    devices_count: Annotated[CountFromOne, Field(le=64)] = assumed(1)
    utilization_fraction: Fraction | None = blank(
        "Load of the devices; left out, that of the server."
    )


class ServerPowerParams(Params):
    """A server's power curve, its load over time, and the price of energy."""

    curve: Curve = preset(
        TwoSegmentsCurve(), "Measured points are best; two segments are the fallback."
    )
    load: Load = ConstantLoad()
    devices: tuple[Devices, ...] = preset((), "GPUs and other devices, by kind.", max_length=8)
    supply: PowerSupply | None = blank(
        "Give it where the curve and the devices are what the parts draw behind the "
        "supply; power measured at the wall has the loss in it."
    )
    pue: Pue = assumed(
        1.0,
        "Power of the building over power of the equipment.",
        source="our choice: the server alone",
    )
    electricity_usd_per_kwh: UsdPerKwh = assumed(
        0.10, "Price of electricity.", source="economics reference 5.4", low=0.05, high=0.40
    )


class ServerPowerResult(Result):
    """Power and energy over the time given; energies and cost include the building."""

    power_w: PowerW
    power_idle_w: PowerW
    power_max_w: PowerW
    dynamic_range_fraction: Fraction
    mean_utilization_fraction: Fraction
    duration_h: PositiveH
    it_energy_kwh: EnergyKwh
    energy_kwh: EnergyKwh
    cost_usd: SignedUsd
    energy_per_work_ratio: Ratio | None
    energy_per_work_reason: Literal["no_work"] | None
    hourly_power_w: tuple[PowerW, ...]
    devices_w: PowerW
    supply_loss_w: PowerW


def energy_per_work_ratio(
    *, power_w: float, power_max_w: float, utilization_fraction: float
) -> float | None:
    """Energy per unit of work relative to full load; None when no work is done. [ratio]"""
    work = utilization_fraction * power_max_w
    return power_w / work if work > 0 else None


def devices_w(devices: Devices, utilization_fraction: float) -> float:
    """Power of all devices of a kind, linear in their load, or in the server's. [W]"""
    load = devices.utilization_fraction
    one = linear_w(
        power_idle_w=devices.power_idle_w,
        power_max_w=devices.power_max_w,
        utilization_fraction=utilization_fraction if load is None else load,
    )
    return devices.devices_count * one


def inner_w(params: ServerPowerParams, utilization_fraction: float) -> tuple[float, float]:
    """Power of the server without its devices, and of the devices, behind any supply. [W]"""
    beside = math.fsum(devices_w(kind, utilization_fraction) for kind in params.devices)
    return watts(params.curve, utilization_fraction), beside


def _require_supply(params: ServerPowerParams) -> None:
    """Refuse supplies that cannot give what the server draws at full load."""
    if params.supply is None:
        return
    rated_w = params.supply.rated_w * params.supply.supplies_count
    full_w = sum(inner_w(params, 1.0))
    if full_w > rated_w:
        message = (
            f"The supplies give {rated_w:,.0f} W together, and the server uses {full_w:,.0f} W "
            "at full load. Enter more or larger supplies."
        )
        raise ModelError(message)


def _run(params: ServerPowerParams, _context: Context) -> ServerPowerResult:
    _require_supply(params)
    load = params.load
    if isinstance(load, HourlyLoad):
        loads = load.hourly_utilization_fraction
        duration_h = float(len(loads))
    else:
        loads, duration_h = (load.utilization_fraction,), load.duration_h
    inner = [inner_w(params, utilization) for utilization in loads]
    powers = tuple(wall_w(params.supply, own + beside) for own, beside in inner)
    mean_w = math.fsum(powers) / len(powers)
    mean_inner_w = math.fsum(own + beside for own, beside in inner) / len(inner)
    mean_load = min(1.0, math.fsum(loads) / len(loads))
    idle_w, max_w = (wall_w(params.supply, sum(inner_w(params, end))) for end in (0.0, 1.0))
    per_work = energy_per_work_ratio(
        power_w=mean_w, power_max_w=max_w, utilization_fraction=mean_load
    )
    it_energy_kwh = kwh_from_w(mean_w, duration_h)
    energy_kwh = it_energy_kwh * params.pue
    return ServerPowerResult(
        power_w=mean_w,
        power_idle_w=idle_w,
        power_max_w=max_w,
        dynamic_range_fraction=1 - idle_w / max_w if max_w > 0 else 0.0,
        mean_utilization_fraction=mean_load,
        duration_h=duration_h,
        it_energy_kwh=it_energy_kwh,
        energy_kwh=energy_kwh,
        cost_usd=energy_kwh * params.electricity_usd_per_kwh,
        energy_per_work_ratio=per_work,
        energy_per_work_reason="no_work" if per_work is None else None,
        hourly_power_w=powers if isinstance(load, HourlyLoad) else (),
        devices_w=math.fsum(beside for _, beside in inner) / len(inner),
        supply_loss_w=max(0.0, mean_w - mean_inner_w),
    )


_FAN = FanCurve(power_idle_w=50.0, power_max_w=100.0, exponent=1.4)


def _fan_half_w() -> float:
    return _run(ServerPowerParams(curve=_FAN), Context()).power_w


def _points_asked(params: ServerPowerParams) -> int:
    load = params.load
    return len(load.hourly_utilization_fraction) if isinstance(load, HourlyLoad) else 1


SPEC = ModelSpec(
    id="power.server",
    version="1.2.0",
    title="Server power",
    summary="Power of a server and its GPUs at a load, constant or hour by hour, with the loss of "
    "its supply, its energy, its cost, "
    "and how much more energy a unit of work takes than at full load.",
    params=ServerPowerParams,
    result=ServerPowerResult,
    run=_run,
    points=_points_asked,
    citations=(
        Citation(
            text="X. Fan, W.-D. Weber, L. A. Barroso, Power provisioning for a "
            "warehouse-sized computer, ISCA 2007",
            url="https://doi.org/10.1145/1250662.1250665",
        ),
        Citation(
            text="SPECpower_ssj2008 results, power at ten loads and idle",
            url="https://www.spec.org/power_ssj2008/results/",
        ),
    ),
    formulas=(
        Formula(
            "fan",
            "P(u) = P_idle + (P_max - P_idle) * max(0, 2u - u^r)",
            "Fan et al. 2007; r = 1 is the line; held at idle where r < 1 dips below",
            {
                "P_idle": "power_idle_w",
                "P_max": "power_max_w",
                "u": "utilization_fraction",
                "r": "exponent",
            },
        ),
        Formula(
            "measured",
            "P(u) on straight lines between the points",
            "interpolation; two segments are three points",
        ),
        Formula(
            "supply",
            "P_wall = P + n P_rated l(P / (n P_rated)), l = x (1 / e(x) - 1) straight between "
            "20, 50 and 100% load, as between the first two below them",
            "efficiency by level of the 80 PLUS programme; the interpolation is ours",
            {"P_rated": "rated_w", "n": "supplies_count"},
        ),
        Formula(
            "devices",
            "P_devices = sum of count * (P_idle + (P_max - P_idle) u)",
            "linear between idle and the device's power limit",
        ),
        Formula(
            "energy",
            "energy = sum over hours of P / 1000 * PUE",
            "definition of PUE",
            {"PUE": "pue"},
        ),
        Formula(
            "energy_per_work",
            "energy per work relative to full load = P(u) / (u * P(1))",
            "derived",
        ),
    ),
    checks=(
        Check(
            "D15",
            "Half load, 50 W idle, 100 W at full load, r = 1.4",
            81.05,
            _fan_half_w,
            source="50 + 50 x (2 x 0.5 - 0.5^1.4), the form and exponent of Fan et al. 2007",
            tolerance=0.01,
            unit="W",
            params=lambda: {"curve": _FAN},
            kind="arithmetic",
            tests="power.curves.FanCurve.exponent",
            basis="derived",
        ),
    ),
    limits=(
        "A curve with r between 1 and 2 leaves out machines whose power rises faster at "
        "high load: a Dell R620 measured 126 W at half load where the line gives 149 W and "
        "r = 1.4 gives 171 W. Prefer measured points.",
        "Power depends on the kind of work as well as on its share of time; the points are "
        "those of one benchmark.",
        "Sleep states and the building's PUE at low load are not modelled.",
        "A GPU's power depends on the kernel it runs: between idle and its limit the line is a "
        "guess, and a card held at full use need not reach the limit.",
    ),
)
