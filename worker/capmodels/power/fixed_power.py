"""How power that every node draws, whatever its speed, moves the best node speed.

After Vasudevan 2010 (FAWN thesis proposal), section 2: superlinear processor power alone
favours ever slower cores; a constant beside it puts the best core in the middle.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Literal

from pydantic import ValidationInfo, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
    refusal,
)
from capmodels.units import PowerW, Real, of_unit

_POINTS_MAX = 2_000
_SOURCE = "Vasudevan 2010, section 2, figure 3"

SpeedMips = Annotated[Real, of_unit("MIPS", gt=0)]
EfficiencyMipsPerW = Annotated[Real, of_unit("MIPS/W", gt=0)]
Exponent = Annotated[Real, of_unit("1", gt=0, le=10)]
Points = Annotated[int, of_unit("count", strict=True, ge=2, le=_POINTS_MAX)]


def cpu_power_w(
    *, speed_mips: float, speed_ref_mips: float, power_ref_w: float, exponent: float
) -> float:
    """Power of a core at a speed, growing faster than the speed. [W]

    P(s) = P_ref (s / s_ref)^(1 + a); the form is ours, the superlinear growth the thesis'.

    >>> cpu_power_w(speed_mips=2000, speed_ref_mips=1000, power_ref_w=1.0, exponent=1.0)
    4.0
    """
    return power_ref_w * math.pow(speed_mips / speed_ref_mips, 1 + exponent)


def efficiency_mips_per_w(*, speed_mips: float, power_cpu_w: float, power_fixed_w: float) -> float:
    """Instructions per joule of a node with a fixed part. [MIPS/W]

    >>> efficiency_mips_per_w(speed_mips=1000, power_cpu_w=0.9, power_fixed_w=0.1)
    1000.0
    """
    return speed_mips / (power_cpu_w + power_fixed_w)


def best_speed_mips(
    *, speed_ref_mips: float, power_ref_w: float, power_fixed_w: float, exponent: float
) -> float:
    """Speed at which a node does most work per joule. [MIPS]

    s* = s_ref (P_fix / (a P_ref))^(1 / (1 + a)), where the derivative of the efficiency
    is zero; there the core draws P_fix / a.
    """
    return speed_ref_mips * math.pow(power_fixed_w / (exponent * power_ref_w), 1 / (1 + exponent))


class FixedPowerParams(Params):
    """A reference core, how its power grows, and the fixed part of a node."""

    speed_ref_mips: SpeedMips = assumed(1000.0, "Speed of the reference core.")
    efficiency_ref_mips_per_w: EfficiencyMipsPerW = default(
        1000.0,
        "Work per joule of the reference core alone; low-frequency in-order cores "
        "exceed 1,000 million instructions per joule.",
        source="Vasudevan 2010, section 2",
        as_of="2010-10",
    )
    exponent: Exponent = assumed(
        1.0, "How much faster than speed the power of a core grows (a).", low=0.5, high=2.0
    )
    power_fixed_w: PowerW = default(
        0.1,
        "Power of a node beside its core: network, memory, supply.",
        source=_SOURCE,
        as_of="2010-10",
    )
    speed_low_mips: SpeedMips = assumed(1.0, "Left end of the curve.")
    speed_high_mips: SpeedMips = assumed(100_000.0, "Right end of the curve.")
    points_count: Points = assumed(101, "Points of the curve, evenly spaced on a log axis.")

    @field_validator("speed_high_mips")
    @classmethod
    def _ends_in_order(cls, value: float, info: ValidationInfo) -> float:
        low = info.data.get("speed_low_mips")
        if low is not None and value <= low:
            raise refusal(
                "ends_not_in_order",
                f"The right end ({value:g} MIPS) is not above the left end ({low:g} MIPS). "
                f"Enter more than {low:g} MIPS.",
            )
        return value


class EfficiencyPoint(Result):
    """Work per joule at one speed, with and without the fixed part."""

    speed_mips: SpeedMips
    efficiency_mips_per_w: EfficiencyMipsPerW
    core_efficiency_mips_per_w: EfficiencyMipsPerW


class FixedPowerResult(Result):
    """The curve, and the speed that does most work per joule."""

    curve: tuple[EfficiencyPoint, ...]
    best_speed_mips: SpeedMips | None
    best_efficiency_mips_per_w: EfficiencyMipsPerW | None
    best_cpu_power_w: PowerW | None
    best_reason: Literal["no_interior_optimum"] | None


def _power_ref_w(params: FixedPowerParams) -> float:
    return params.speed_ref_mips / params.efficiency_ref_mips_per_w


def _point(params: FixedPowerParams, speed_mips: float) -> EfficiencyPoint:
    power = cpu_power_w(
        speed_mips=speed_mips,
        speed_ref_mips=params.speed_ref_mips,
        power_ref_w=_power_ref_w(params),
        exponent=params.exponent,
    )
    return EfficiencyPoint(
        speed_mips=speed_mips,
        efficiency_mips_per_w=efficiency_mips_per_w(
            speed_mips=speed_mips, power_cpu_w=power, power_fixed_w=params.power_fixed_w
        ),
        core_efficiency_mips_per_w=speed_mips / power,
    )


def _curve(params: FixedPowerParams) -> tuple[EfficiencyPoint, ...]:
    span = params.speed_high_mips / params.speed_low_mips
    last = params.points_count - 1
    return tuple(
        _point(params, params.speed_low_mips * math.pow(span, step / last))
        for step in range(params.points_count)
    )


def _run(params: FixedPowerParams, _context: Context) -> FixedPowerResult:
    if params.power_fixed_w == 0:
        # Without a fixed part the efficiency falls with speed all the way.
        return FixedPowerResult(
            curve=_curve(params),
            best_speed_mips=None,
            best_efficiency_mips_per_w=None,
            best_cpu_power_w=None,
            best_reason="no_interior_optimum",
        )
    speed = best_speed_mips(
        speed_ref_mips=params.speed_ref_mips,
        power_ref_w=_power_ref_w(params),
        power_fixed_w=params.power_fixed_w,
        exponent=params.exponent,
    )
    best = _point(params, speed)
    return FixedPowerResult(
        curve=_curve(params),
        best_speed_mips=speed,
        best_efficiency_mips_per_w=best.efficiency_mips_per_w,
        best_cpu_power_w=params.power_fixed_w / params.exponent,
        best_reason=None,
    )


def _best(**changes: float) -> FixedPowerResult:
    return _run(FixedPowerParams.model_validate(changes), Context())


_efficiency = partial(
    Check, source="closed form of the model", unit="MIPS/W", basis="derived", kind="arithmetic"
)

_CHECKS = (
    derived_check(
        "D12",
        "Best core speed with 0.1 W beside the core",
        316.23,
        lambda: _best().best_speed_mips or 0.0,
        source="closed form of the model, with the adder of figure 3",
        tolerance=0.01,
        unit="MIPS",
        tests="power.fixed_power.FixedPowerParams.exponent",
    ),
    _efficiency(
        "D13",
        "Work per joule at that speed",
        1581.1,
        lambda: _best().best_efficiency_mips_per_w or 0.0,
        tolerance=0.1,
        tests="power.fixed_power.FixedPowerParams.power_fixed_w",
    ),
    _efficiency(
        "D14",
        "Work per joule at 1 MIPS with the adder",
        10.0,
        lambda: _best().curve[0].efficiency_mips_per_w,
        tolerance=0.001,
        tests="power.fixed_power.FixedPowerParams.power_fixed_w",
    ),
)

SPEC = ModelSpec(
    id="power.fixed_power",
    version="1.0.0",
    title="Fixed power and the best node speed",
    summary="How the power that a node uses whatever its speed (network, memory, supply) moves "
    "the core speed with most work per joule away from the slowest core.",
    params=FixedPowerParams,
    result=FixedPowerResult,
    run=_run,
    points=lambda params: params.points_count,
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="2, figure 3",
        ),
    ),
    formulas=(
        Formula(
            "power",
            "P(s) = P_ref (s / s_ref)^(1 + a)",
            "our form of the superlinear growth in Vasudevan 2010, section 2",
            {"s_ref": "speed_ref_mips", "a": "exponent"},
        ),
        Formula(
            "efficiency",
            "eta(s) = s / (P(s) + P_fix)",
            "Vasudevan 2010, figure 3",
            {"P_fix": "power_fixed_w"},
        ),
        Formula(
            "best_speed",
            "s* = s_ref (P_fix / (a P_ref))^(1 / (1 + a)), where P(s*) = P_fix / a",
            "derivative of eta set to zero",
            {"a": "exponent", "P_fix": "power_fixed_w"},
        ),
    ),
    checks=_CHECKS,
    limits=(
        "The work is taken to divide freely over nodes; a latency bound may forbid slow cores.",
        "Parts whose power grows with speed in proportion drop out and are not counted.",
    ),
)
