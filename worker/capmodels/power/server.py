"""What a server draws at a load: measured points, two segments, a line, or Fan's curve."""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    refusal,
)
from capmodels.units import (
    HOURS_PER_YEAR,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Ratio,
    Real,
    SignedUsd,
    UsdPerKwh,
    kwh_from_w,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_HOURS_LIMIT = 8784

Exponent = Annotated[Real, Field(gt=0, le=2, json_schema_extra={"unit": "1"})]
PositiveH = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "h"})]


def linear_w(*, power_idle_w: float, power_max_w: float, utilization_fraction: float) -> float:
    """Power on a straight line between idle and full load. [W]

    >>> linear_w(power_idle_w=50, power_max_w=100, utilization_fraction=0.5)
    75.0
    """
    return power_idle_w + (power_max_w - power_idle_w) * utilization_fraction


def fan_w(
    *, power_idle_w: float, power_max_w: float, utilization_fraction: float, exponent: float
) -> float:
    """Power by Fan's curve. [W]

    P(u) = P_idle + (P_max - P_idle)(2u - u^r), Fan, Weber, Barroso 2007 [1]_; r = 1 is
    the line. With r below 1, which convex machines need, the curve dips under idle power
    near no load; there we hold it at idle, which the paper does not discuss.

    >>> round(fan_w(power_idle_w=50, power_max_w=100, utilization_fraction=0.5, exponent=1.4), 2)
    81.05

    .. [1] X. Fan, W.-D. Weber, L. A. Barroso, Power provisioning for a warehouse-sized
       computer, ISCA 2007, :doi:`10.1145/1250662.1250665`
    """
    shape: float = 2 * utilization_fraction - utilization_fraction**exponent
    return power_idle_w + (power_max_w - power_idle_w) * max(0.0, shape)


def two_segments_w(
    *,
    power_idle_w: float,
    power_max_w: float,
    utilization_fraction: float,
    knee_utilization_fraction: float,
    knee_range_fraction: float,
) -> float:
    """Power that jumps at low load and then rises on a second line. [W]

    ``knee_range_fraction`` is the share of the way from idle to full power that is
    reached at ``knee_utilization_fraction``.
    """
    power_range_w = power_max_w - power_idle_w
    knee_w = power_idle_w + power_range_w * knee_range_fraction
    points = ((0.0, power_idle_w), (knee_utilization_fraction, knee_w), (1.0, power_max_w))
    return measured_w(points, utilization_fraction)


def measured_w(points: Sequence[tuple[float, float]], utilization_fraction: float) -> float:
    """Power on straight lines between measured points of load and watts. [W]

    ``points`` are sorted by load and reach from 0 to 1.
    """
    above = bisect_right([load for load, _ in points], utilization_fraction)
    if above == len(points):
        return points[-1][1]
    (low, low_w), (high, high_w) = points[above - 1], points[above]
    return low_w + (high_w - low_w) * (utilization_fraction - low) / (high - low)


def energy_per_work_ratio(
    *, power_w: float, power_max_w: float, utilization_fraction: float
) -> float | None:
    """Energy per unit of work relative to full load; None when no work is done. [ratio]"""
    work = utilization_fraction * power_max_w
    return power_w / work if work > 0 else None


class PowerPoint(Params):
    """A measured load and its power."""

    utilization_fraction: Fraction = Field(description="Load of the measurement.")
    power_w: PowerW = Field(description="Power that was measured.")


def _between_idle_and_max(value: float, info: ValidationInfo) -> float:
    idle = info.data.get("power_idle_w", 0.0)
    if value < idle:
        raise refusal(
            "max_below_idle",
            f"The power at full load is below the idle power. Enter at least {idle:g}.",
        )
    return value


class _IdleToMax(Params):
    model_config = ConfigDict(validate_default=True)

    power_idle_w: PowerW = default(
        150.0,
        source="a two-socket server, economics reference 2.5",
        quality="assumed",
        description="Power when switched on and idle.",
    )
    power_max_w: PowerW = default(
        280.0,
        source="a two-socket server, economics reference 2.5",
        quality="assumed",
        description="Power at full load.",
    )

    _order = field_validator("power_max_w")(_between_idle_and_max)


class LinearCurve(_IdleToMax):
    """A straight line from idle to full power."""

    kind: Literal["linear"] = "linear"


class FanCurve(_IdleToMax):
    """Fan's curve with a fitted exponent."""

    kind: Literal["fan"] = "fan"
    exponent: Exponent = default(
        1.4,
        source="Fan et al. 2007, as used in public simulators",
        as_of="2007",
        low=0.6,
        high=2.0,
        description="Bend of the curve: 1 is a line, below 1 bends the other way.",
    )


class TwoSegmentsCurve(_IdleToMax):
    """A jump at low load, then a slope."""

    kind: Literal["two_segments"] = "two_segments"
    knee_utilization_fraction: Annotated[Fraction, Field(gt=0, lt=1)] = default(
        0.1,
        source="first loaded point of SPECpower_ssj2008 results",
        as_of="2012",
        description="Load at which the first segment ends.",
    )
    knee_range_fraction: Fraction = default(
        0.18,
        source="SPECpower_ssj2008: 0.13 of a Dell R620, 0.23 of an IBM x3550 M3",
        as_of="2012",
        quality="derived",
        low=0.05,
        high=0.25,
        description="Share of the way from idle to full power that is reached there.",
    )


class MeasuredCurve(Params):
    """Measured points, joined by straight lines."""

    kind: Literal["measured"] = "measured"
    points: tuple[PowerPoint, ...] = Field(
        description="Points by rising load, from idle (0) to full load (1).",
        json_schema_extra={"minItems": 2},
    )

    @field_validator("points")
    @classmethod
    def _from_idle_to_full(cls, value: tuple[PowerPoint, ...]) -> tuple[PowerPoint, ...]:
        loads = [point.utilization_fraction for point in value]
        if len(value) < 2 or loads[0] != 0 or loads[-1] != 1:
            raise refusal("incomplete_points", "Enter points from load 0 to load 1.")
        for index in range(1, len(loads)):
            if loads[index] <= loads[index - 1]:
                raise refusal(
                    "unsorted_points",
                    "Enter the points by rising load, each load once.",
                    at=(index, "utilization_fraction"),
                )
        if value[-1].power_w < value[0].power_w:
            raise refusal(
                "max_below_idle",
                f"The power at full load is below the idle power. "
                f"Enter at least {value[0].power_w:g}.",
                at=(len(value) - 1, "power_w"),
            )
        return value


Curve = Annotated[
    MeasuredCurve | TwoSegmentsCurve | LinearCurve | FanCurve, Field(discriminator="kind")
]


def power_w(curve: Curve, utilization_fraction: float) -> float:
    """Power of a server with this curve at a load. [W]"""
    if isinstance(curve, MeasuredCurve):
        points = [(point.utilization_fraction, point.power_w) for point in curve.points]
        return measured_w(points, utilization_fraction)
    if isinstance(curve, TwoSegmentsCurve):
        return two_segments_w(
            power_idle_w=curve.power_idle_w,
            power_max_w=curve.power_max_w,
            utilization_fraction=utilization_fraction,
            knee_utilization_fraction=curve.knee_utilization_fraction,
            knee_range_fraction=curve.knee_range_fraction,
        )
    return fan_w(
        power_idle_w=curve.power_idle_w,
        power_max_w=curve.power_max_w,
        utilization_fraction=utilization_fraction,
        exponent=curve.exponent if isinstance(curve, FanCurve) else 1.0,
    )


class ConstantLoad(Params):
    """One load for the whole time."""

    kind: Literal["constant"] = "constant"
    utilization_fraction: Fraction = default(
        0.5, source="our choice", quality="assumed", description="Load of the server."
    )
    duration_h: PositiveH = default(
        HOURS_PER_YEAR, source="one year", quality="derived", description="Time it lasts."
    )


class HourlyLoad(Params):
    """A load for every hour."""

    kind: Literal["hourly"] = "hourly"
    hourly_utilization_fraction: tuple[Fraction, ...] = Field(
        min_length=1,
        max_length=_HOURS_LIMIT,
        description="Load in each hour, at most a leap year of them.",
    )


Load = Annotated[ConstantLoad | HourlyLoad, Field(discriminator="kind")]


class ServerPowerParams(Params):
    """A server's power curve, its load over time, and the price of energy."""

    curve: Curve = Field(
        default=TwoSegmentsCurve(),
        description="Measured points are best; two segments are the fallback.",
    )
    load: Load = ConstantLoad()
    pue: Pue = default(
        1.0,
        source="our choice: the server alone",
        quality="assumed",
        description="Power of the building over power of the equipment.",
    )
    electricity_usd_per_kwh: UsdPerKwh = default(
        0.10,
        source="economics reference 5.4",
        quality="assumed",
        low=0.05,
        high=0.40,
        description="Price of electricity.",
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


def _run(params: ServerPowerParams, _context: Context) -> ServerPowerResult:
    load = params.load
    if isinstance(load, HourlyLoad):
        loads = load.hourly_utilization_fraction
        duration_h = float(len(loads))
    else:
        loads, duration_h = (load.utilization_fraction,), load.duration_h
    powers = tuple(power_w(params.curve, utilization) for utilization in loads)
    mean_w = math.fsum(powers) / len(powers)
    mean_load = min(1.0, math.fsum(loads) / len(loads))
    idle_w, max_w = power_w(params.curve, 0.0), power_w(params.curve, 1.0)
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
    )


def _fan_half_w() -> float:
    curve = FanCurve(power_idle_w=50.0, power_max_w=100.0, exponent=1.4)
    return _run(ServerPowerParams(curve=curve), Context()).power_w


def _points_asked(params: ServerPowerParams) -> int:
    load = params.load
    return len(load.hourly_utilization_fraction) if isinstance(load, HourlyLoad) else 1


SPEC = ModelSpec(
    id="power.server",
    version="1.0.0",
    title="Server power",
    summary="Power of a server at a load, constant or hour by hour, its energy, its cost, "
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
            id="fan",
            text="P(u) = P_idle + (P_max - P_idle) * max(0, 2u - u^r)",
            source="Fan et al. 2007; r = 1 is the line; held at idle where r < 1 dips below",
            symbols={
                "P_idle": "power_idle_w",
                "P_max": "power_max_w",
                "u": "utilization_fraction",
                "r": "exponent",
            },
        ),
        Formula(
            id="measured",
            text="P(u) on straight lines between the points",
            source="interpolation; two segments are three points",
        ),
        Formula(
            id="energy",
            text="energy = sum over hours of P / 1000 * PUE",
            source="definition of PUE",
            symbols={"PUE": "pue"},
        ),
        Formula(
            id="energy_per_work",
            text="energy per work relative to full load = P(u) / (u * P(1))",
            source="derived",
        ),
    ),
    checks=(
        Check(
            id="D15",
            title="Half load, 50 W idle, 100 W at full load, r = 1.4",
            source="Fan et al. 2007, the published form and exponent",
            published=81.05,
            tolerance=0.01,
            unit="W",
            compute=_fan_half_w,
        ),
    ),
    limits=(
        "A curve with r between 1 and 2 leaves out machines whose power rises faster at "
        "high load: a Dell R620 measured 126 W at half load where the line gives 149 W and "
        "r = 1.4 gives 171 W. Prefer measured points.",
        "Power depends on the kind of work as well as on its share of time; the points are "
        "those of one benchmark.",
        "The power supply's loss, sleep states and the building's PUE at low load are not "
        "modelled.",
    ),
)
