"""A series to forecast, and what a forecast of it says."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.formats.trace_store import TraceRef
from capmodels.seasons import Step
from capmodels.spec import Params, Result, assumed, blank, default, refusal
from capmodels.told import Told
from capmodels.units import Count, Fraction, Real, Whole, of_unit

VALUES_MAX = 60_000
STEPS_MAX = 20_000

Value = Annotated[Real, of_unit("1")]
ValuePerYear = Annotated[Real, of_unit("1/yr")]
SignedFractionPerYear = Annotated[Real, of_unit("fraction/yr")]
Correlation = Annotated[Real, of_unit("ratio", ge=-1, le=1)]
NonNegativeValue = Annotated[Real, of_unit("1", ge=0)]
NonNegativeRatio = Annotated[Real, of_unit("fraction", ge=0)]

# Steps that a trace is averaged over.
STEPS_S: dict[Step, float] = {"hour": 3600.0, "day": 86_400.0}

# Australian production of beer, quarterly from 1992 to the second quarter of 2010, in megalitres.
BEER = (
    443, 410, 420, 532, 433, 421, 410, 512, 449, 381, 423, 531, 426, 408, 416, 520, 409, 398, 398,
    507, 432, 398, 406, 526, 428, 397, 403, 517, 435, 383, 424, 521, 421, 402, 414, 500, 451, 380,
    416, 492, 428, 408, 406, 506, 435, 380, 421, 490, 435, 390, 412, 454, 416, 403, 408, 482, 438,
    386, 405, 491, 427, 383, 394, 473, 420, 390, 410, 488, 415, 398, 419, 488, 414, 374,
)  # fmt: skip


class ForecastParams(Params):
    """A series without gaps, and how far ahead it is wanted."""

    step: Step = assumed("quarter", "Time from one value to the next.")
    values: Annotated[tuple[Value, ...], Field(min_length=8, max_length=VALUES_MAX)] = default(
        tuple(map(float, BEER)),
        "Values in their order, without gaps: load, requests, data, a price.",
        source="Hyndman and Athanasopoulos 2021, section 7.4: beer production of "
        "Australia in megalitres",
    )
    trace: TraceRef | None = blank(
        "An uploaded trace of utilisation, in place of the values: the share of its "
        "machines that is busy, by whole hours or days."
    )
    ahead_count: Annotated[Whole, of_unit("count", ge=1, le=STEPS_MAX)] = assumed(
        8, "Steps to forecast after the last value.", title="Steps ahead"
    )
    interval_fraction: Annotated[Fraction, Field(ge=0.5, le=0.999)] = assumed(
        0.9, "Share of outcomes that the range is to hold.", title="Range holds"
    )
    trend: Literal["amount", "share"] = assumed(
        "amount",
        "Whether the series grows by an amount each year or by a share of itself; the latter "
        "takes values above 0 only.",
    )
    errors: Literal["correlated", "independent"] = assumed(
        "correlated",
        "Whether what trend and seasons miss is like what they missed a step before.",
    )

    @field_validator("trace")
    @classmethod
    def _step_of_a_trace(cls, trace: TraceRef | None, info: ValidationInfo) -> TraceRef | None:
        if trace is not None and info.data.get("step") not in STEPS_S:
            raise refusal("step_too_long", "A trace is forecast by hours or days. Choose a step.")
        return trace

    @field_validator("trend")
    @classmethod
    def _share_of_what(cls, trend: str, info: ValidationInfo) -> str:
        entered = () if info.data.get("trace") else info.data.get("values", ())
        if trend == "share" and any(value <= 0 for value in entered):
            sentence = "Growth by a share needs values above 0. Choose growth by an amount."
            raise refusal("not_positive", sentence)
        return trend


class BackTest(Result):
    """The last part of the series, forecast from what was before it."""

    steps_count: Count
    mean_error: NonNegativeValue
    mean_error_fraction: NonNegativeRatio | None
    naive_error: NonNegativeValue
    naive_period_count: Count
    is_better: bool
    within_fraction: Fraction


class ForecastResult(Told):
    """The forecast with its range, growth a year, and what the back-test found."""

    forecast: tuple[Value, ...]
    range_low: tuple[Value, ...]
    range_high: tuple[Value, ...]
    growth_fraction_per_year: SignedFractionPerYear | None
    growth_low_fraction_per_year: SignedFractionPerYear | None
    growth_high_fraction_per_year: SignedFractionPerYear | None
    change_per_year: ValuePerYear | None
    seasons: tuple[str, ...]
    correlation_ratio: Correlation
    back_test: BackTest | None
