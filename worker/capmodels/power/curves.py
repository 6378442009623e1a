"""What a server draws at a load: measured points, a family's, two segments, a line, Fan's.

``watts(curve, load)`` is the one way from a curve to power; every curve is the union ``Curve``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator, model_validator

from capmodels.equations import equation
from capmodels.forms import named
from capmodels.numbers import quantity
from capmodels.power.corners import measured_w, off_by, through_mean, through_reading
from capmodels.power.families import RESULT_LOAD, TITLES, Family, corners_of, shape
from capmodels.power.measured_servers import LOADS
from capmodels.spec import Params, assumed, blank, default, derived, refusal, refusals
from capmodels.units import Fraction, PowerW, Real, of_unit

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

Exponent = Annotated[Real, of_unit("1", gt=0, le=2)]
# Operations for a watt, and a second, far beyond what any server has done.
_MOST_OPS_PER_W, _MOST_OPS_PER_S = 1e9, 1e15


@equation("power.server")
def line_points(idle_w: AmountT, peak_w: AmountT) -> list[tuple[float, AmountT]]:
    """Load and power at the ends of the line from idle to full power. [W]

    Definition; Fan et al. 2007 [:doi:`10.1145/1250662.1250665`] with r = 1.
    """
    return [(0.0, idle_w), (1.0, peak_w)]


@equation("power.server")
def two_segments_points(
    idle_w: AmountT, peak_w: AmountT, knee_load: AmountT, knee_range: AmountT
) -> list[tuple[float | AmountT, AmountT]]:
    """Load and power at idle, at the knee and at full load. [W]

    ``knee_range`` is the share of the way from idle to full power that is reached at the knee.
    Definition: the form is ours; the default knee is the first loaded point of SPECpower_ssj2008.
    """
    knee_w = idle_w + (peak_w - idle_w) * knee_range
    return [(0.0, idle_w), (knee_load, knee_w), (1.0, peak_w)]


@equation("power.curve")
def family_points(
    family: Family,
    idle_w: AmountT,
    peak_w: AmountT,
    reading: tuple[float, AmountT] | None = None,
    mean_w: AmountT | None = None,
    measured_ratio: AmountT | float = 1.0,
) -> list[tuple[float, AmountT]]:
    """Load and power at the tenths of load, by the median shape of a family's servers. [W]

    ``reading`` is a load and the power that was measured there, which the curve then passes;
    ``mean_w``, in place of a reading, is the mean of its powers at the tenths. ``measured_ratio``
    is what a server draws over that, where it was not measured: not at idle, at full load and at
    its reading.

    Definition: the medians are ours, of SPECpower_ssj2008 results (``measured_servers.SOURCE``).
    """
    corners = corners_of(shape(family, mean_w is not None), idle_w, peak_w)
    if mean_w is not None:
        corners = through_mean(corners, mean_w, RESULT_LOAD)
    elif reading is not None:
        corners = through_reading(corners, *reading)
    return off_by(corners, measured_ratio, None if reading is None else reading[0])


@equation("power.curve")
def result_mean_w(full_load_ssj_ops_per_s: AmountT, overall_ssj_ops_per_w: AmountT) -> AmountT:
    """Mean power over active idle and ten loads of a published result. [W]

    Definition: SPEC's overall figure is the sum of operations over the sum of watts of the eleven
    (SPECpower_ssj2008 Run and Reporting Rules, reporting metric), and the loads are tenths of
    full load, so that the sum of operations is 5.5 times those there.
    """
    return full_load_ssj_ops_per_s / (2.0 * overall_ssj_ops_per_w)


@equation("power.server")
def fan_range(utilization: AmountT, utilization_to_r: AmountT) -> AmountT:
    """Share of the way from idle to full power by Fan's curve, from u and u to the power r.

    2u - u^r, Fan, Weber, Barroso 2007, :doi:`10.1145/1250662.1250665`; linear in both, so that it
    also takes their means over hours.
    """
    return 2.0 * utilization - utilization_to_r


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
    share = fan_range(utilization_fraction, utilization_fraction**exponent)
    return power_idle_w + (power_max_w - power_idle_w) * max(0.0, share)


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


class IdleToMax(Params):
    """Idle and full power, which most curves lie between."""

    model_config = ConfigDict(validate_default=True)

    power_idle_w: PowerW = assumed(
        150.0,
        "Power when switched on and idle.",
        source="a two-socket server, economics reference 2.5",
    )
    power_max_w: PowerW = assumed(
        280.0, "Power at full load.", source="a two-socket server, economics reference 2.5"
    )

    _order = field_validator("power_max_w")(_between_idle_and_max)


class LinearCurve(IdleToMax):
    """A straight line from idle to full power."""

    kind: Literal["linear"] = "linear"


class FanCurve(IdleToMax):
    """Fan's curve with a fitted exponent."""

    kind: Literal["fan"] = "fan"
    exponent: Exponent = default(
        1.4,
        "Bend of the curve: 1 is a line, below 1 bends the other way.",
        source="Fan et al. 2007, as used in public simulators",
        as_of="2007",
        low=0.6,
        high=2.0,
    )


class TwoSegmentsCurve(IdleToMax):
    """A jump at low load, then a slope."""

    kind: Literal["two_segments"] = "two_segments"
    knee_utilization_fraction: Annotated[Fraction, Field(gt=0, lt=1)] = default(
        0.1,
        "Load at which the first segment ends.",
        source="first loaded point of SPECpower_ssj2008 results",
        as_of="2012",
    )
    knee_range_fraction: Fraction = derived(
        0.18,
        "Share of the way from idle to full power that is reached there.",
        source="SPECpower_ssj2008: 0.13 of a Dell R620, 0.23 of an IBM x3550 M3",
        as_of="2012",
        low=0.05,
        high=0.25,
    )


class Reading(Params):
    """What a meter showed at one load."""

    utilization_fraction: Annotated[Fraction, Field(gt=0, lt=1)] = Field(
        description="Load of the reading."
    )
    power_w: PowerW = Field(description="Power that was read.")


class PublishedResult(Params):
    """What SPEC prints of a server: its overall result, and its operations at full load."""

    overall_ssj_ops_per_w: Annotated[Real, of_unit("ops/W", ge=1e-3, le=_MOST_OPS_PER_W)] = Field(
        title="Overall result", description="Overall ssj_ops per watt, as SPEC prints it."
    )
    full_load_ssj_ops_per_s: Annotated[Real, of_unit("1/s", gt=0, le=_MOST_OPS_PER_S)] = Field(
        title="Operations at full load", description="ssj_ops at 100% of the target load."
    )

    @property
    def mean_w(self) -> float:
        """Mean power over active idle and ten loads. [W]"""
        return result_mean_w(self.full_load_ssj_ops_per_s, self.overall_ssj_ops_per_w)


READING_TEXT = (
    "A meter's reading at one load, best from 20% to 40%: the curve passes it, and errs half as "
    "much. Empty: the family's shape as it is."
)
RESULT_TEXT = (
    "Of a published SPECpower_ssj2008 result, in place of a reading: the curve has the mean power "
    "that it tells, and errs half as much."
)


def held_fault(
    idle_w: float, full_w: float, reading_w: float | None, result: PublishedResult | None
) -> tuple[str, str, tuple[str, ...]] | None:
    """Code, sentence and place of what a reading or a result of a curve cannot be."""
    if result is None:
        if reading_w is None or idle_w <= reading_w <= full_w:
            return None
        sentence = (
            f"The reading ({reading_w:g} W) is not between idle and full power. "
            f"Enter from {idle_w:g} to {full_w:g} W."
        )
        return "reading_outside", sentence, ("reading", "power_w")
    if reading_w is not None:
        return "reading_and_result", "Enter a reading or a result, not both.", ("result",)
    steps = len(LOADS)
    least_w = (idle_w * (steps - 1) + full_w) / steps
    most_w = (idle_w + full_w * (steps - 1)) / steps
    if least_w <= result.mean_w <= most_w:
        return None
    ops = result.full_load_ssj_ops_per_s / 2.0
    low, high = (ops / max(watts, ops / _MOST_OPS_PER_W) for watts in (most_w, least_w))
    sentence = (
        f"With these operations it means {quantity(result.mean_w, 'W')} on average, which does not "
        "go with idle and full power. "
        f"Enter from {math.ceil(low):,} to {math.floor(high):,} ops/W."
    )
    return "result_outside", sentence, ("result", "overall_ssj_ops_per_w")


class FamilyBetween(IdleToMax):
    """Idle and full power, what holds the curve between them, and the processor's family."""

    family: Family = Field(
        description="Processor family of the server.", json_schema_extra=named(**TITLES)
    )
    reading: Reading | None = blank(READING_TEXT, title="Reading under load")
    result: PublishedResult | None = blank(RESULT_TEXT, title="SPECpower result")

    @model_validator(mode="after")
    def _between(self) -> FamilyBetween:
        read_w = None if self.reading is None else self.reading.power_w
        fault = held_fault(self.power_idle_w, self.power_max_w, read_w, self.result)
        if fault:
            raise refusals([fault])
        return self

    @property
    def corners_w(self) -> list[tuple[float, float]]:
        """Load and power between which the curve is straight. [W]"""
        reading, result = self.reading, self.result
        read = None if reading is None else (reading.utilization_fraction, reading.power_w)
        mean_w = None if result is None else result.mean_w
        return family_points(self.family, self.power_idle_w, self.power_max_w, read, mean_w)


class FamilyCurve(FamilyBetween):
    """The shape of a family of measured servers between this server's idle and full power."""

    kind: Literal["family"] = "family"


class MeasuredCurve(Params):
    """Measured points, joined by straight lines."""

    kind: Literal["measured"] = "measured"
    points: Annotated[tuple[PowerPoint, ...], Field(max_length=101)] = Field(
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
    MeasuredCurve | FamilyCurve | TwoSegmentsCurve | LinearCurve | FanCurve,
    Field(discriminator="kind"),
]


def watts(curve: Curve, utilization_fraction: float) -> float:
    """Power of a server with this curve at a load from 0 to 1. [W]

    >>> round(watts(LinearCurve(power_idle_w=50.0, power_max_w=100.0), 0.5), 6)
    75.0
    """
    if isinstance(curve, MeasuredCurve | FamilyCurve | TwoSegmentsCurve):
        at_load: float = measured_w(curve_points(curve), utilization_fraction)
        return at_load
    return fan_w(
        power_idle_w=curve.power_idle_w,
        power_max_w=curve.power_max_w,
        utilization_fraction=utilization_fraction,
        exponent=curve.exponent if isinstance(curve, FanCurve) else 1.0,
    )


def curve_points(curve: Curve) -> list[tuple[float, float]]:
    """Loads and watts between which a curve is straight; Fan's bent curve at tenths. [W]"""
    if isinstance(curve, MeasuredCurve):
        return [(point.utilization_fraction, point.power_w) for point in curve.points]
    if isinstance(curve, FamilyCurve):
        return curve.corners_w
    idle_w, peak_w = curve.power_idle_w, curve.power_max_w
    if isinstance(curve, TwoSegmentsCurve):
        knee, share = curve.knee_utilization_fraction, curve.knee_range_fraction
        return two_segments_points(idle_w, peak_w, knee, share)
    if isinstance(curve, LinearCurve):
        return line_points(idle_w, peak_w)
    return [(load, watts(curve, load)) for load in LOADS]
