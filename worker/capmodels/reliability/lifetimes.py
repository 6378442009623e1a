"""How drives survive: Kaplan-Meier curve and Weibull fit of lifetimes, some still running."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator

from capmodels.errors import ModelError
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    blank,
    default,
    refusal,
)
from capmodels.units import CountFromOne, Fraction, Real, of_unit

Years = Annotated[Real, of_unit("yr", ge=0)]
PositiveYears = Annotated[Real, of_unit("yr", gt=0)]
Shape = Annotated[Real, of_unit("ratio", gt=0)]

# Lifetimes of treatment group 6-MP, weeks; the textbook case of Kaplan-Meier (Freireich 1963).
_6MP_SOURCE = "Freireich et al. 1963, remission times of the 6-MP group, as a textbook sample"
_6MP_DURATIONS = (6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35)
_6MP_ENDED = (1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0)


class LifetimesParams(Params):
    """Time in service of each group of drives, and whether it ended in failure."""

    durations_years: Annotated[
        tuple[PositiveYears, ...], Field(min_length=2, max_length=500_000)
    ] = default(
        tuple(float(value) for value in _6MP_DURATIONS),
        "Time in service of each drive, or of each group of equal drives.",
        source=_6MP_SOURCE,
    )
    failed: Annotated[tuple[bool, ...], Field(max_length=500_000)] = default(
        tuple(bool(value) for value in _6MP_ENDED),
        "Whether that time ended in failure; otherwise the drive still ran.",
        source=_6MP_SOURCE,
    )
    drives_count: Annotated[tuple[CountFromOne, ...], Field(max_length=500_000)] | None = blank(
        "Drives of each row; empty: one."
    )
    entered_years: Annotated[tuple[Years, ...], Field(max_length=500_000)] | None = blank(
        "Age at which each drive came under watch; empty: from new. Drives that "
        "failed before are not in the record."
    )

    @field_validator("failed")
    @classmethod
    def _one_each(cls, value: tuple[bool, ...], info: ValidationInfo) -> tuple[bool, ...]:
        durations = info.data.get("durations_years")
        if durations is not None and len(durations) != len(value):
            raise refusal("lengths_differ", "Say for every duration whether the drive failed.")
        return value

    @field_validator("drives_count")
    @classmethod
    def _counts(cls, value: tuple[int, ...] | None, info: ValidationInfo) -> tuple[int, ...] | None:
        durations = info.data.get("durations_years")
        if value is not None and durations is not None and len(durations) != len(value):
            raise refusal("lengths_differ", "Say for every duration how many drives it is of.")
        return value

    @field_validator("entered_years")
    @classmethod
    def _before(
        cls, value: tuple[float, ...] | None, info: ValidationInfo
    ) -> tuple[float, ...] | None:
        durations = info.data.get("durations_years")
        if value is None or durations is None:
            return value
        if len(durations) != len(value):
            raise refusal("lengths_differ", "Say for every duration when the drive came in.")
        late = next(
            (i for i, pair in enumerate(zip(value, durations, strict=True)) if pair[0] >= pair[1]),
            None,
        )
        if late is not None:
            raise refusal("not_in_order", "A drive comes in before its time ends.", at=(late,))
        return value


class SurvivalPoint(Result):
    """Share of drives that still run, with its 95% interval, and by the Weibull law."""

    age_years: Years
    survival_fraction: Fraction
    low_fraction: Fraction
    high_fraction: Fraction
    weibull_fraction: Fraction


class LifetimesResult(Result):
    """Survival by age, and the Weibull law that fits best."""

    curve: tuple[SurvivalPoint, ...]
    weibull_scale_years: PositiveYears
    weibull_shape_ratio: Shape
    weibull_shape_low_ratio: Shape
    weibull_shape_high_ratio: Shape


def _fitted(params: LifetimesParams) -> tuple[Any, Any]:
    """Kaplan-Meier curve and Weibull fit.

    Raises
    ------
    ModelError
        When the record does not say how young drives survive, or no law fits it.
    """
    from lifelines import KaplanMeierFitter, WeibullFitter
    from lifelines.exceptions import ConvergenceError, StatError

    sample = (list(params.durations_years), list(params.failed))
    weights = list(params.drives_count) if params.drives_count else None
    entry = list(params.entered_years) if params.entered_years else None
    try:
        curve = KaplanMeierFitter().fit(*sample, weights=weights, entry=entry)
        weibull = WeibullFitter().fit(*sample, weights=weights, entry=entry)
    except (ConvergenceError, StatError) as exc:
        message = "Too few drives were watched, or too few failed, for a curve. Add more days."
        raise ModelError(message) from exc
    return curve, weibull


def _run(params: LifetimesParams, _context: Context) -> LifetimesResult:
    if not any(params.failed):
        message = "No drive failed, so there is nothing to fit. Add drives that failed."
        raise ModelError(message)
    curve, weibull = _fitted(params)
    limits = curve.confidence_interval_
    interval = weibull.summary.loc["rho_"]
    scale, shape = float(weibull.lambda_), float(weibull.rho_)
    return LifetimesResult(
        curve=tuple(
            SurvivalPoint(
                age_years=float(age),
                survival_fraction=float(survival),
                low_fraction=float(low),
                high_fraction=float(high),
                weibull_fraction=math.exp(-((float(age) / scale) ** shape)),
            )
            for age, survival, (low, high) in zip(
                curve.timeline,
                curve.survival_function_.iloc[:, 0],
                limits.to_numpy(),
                strict=True,
            )
        ),
        weibull_scale_years=scale,
        weibull_shape_ratio=shape,
        weibull_shape_low_ratio=max(float(interval["coef lower 95%"]), 1e-9),
        weibull_shape_high_ratio=float(interval["coef upper 95%"]),
    )


def _survival_at(age: float) -> float:
    curve = _run(LifetimesParams(), Context()).curve
    return [point.survival_fraction for point in curve if point.age_years <= age][-1]


_CHECKS = (
    Check(
        "km",
        "Kaplan-Meier of the 6-MP group at 10 weeks",
        0.7529,
        lambda: _survival_at(10),
        source="Freireich et al. 1963, as in Kleinbaum and Klein, Survival Analysis, chapter 2",
        printed="0.7529",
        tolerance=0.0001,
        unit="fraction",
        kind="arithmetic",
        tests="reliability.lifetimes.LifetimesParams.durations_years",
        wider="The book rounds each step.",
    ),
)

SPEC = ModelSpec(
    id="reliability.lifetimes",
    version="1.2.0",
    title="Lifetimes of drives",
    summary="Share of drives that still run by age (Kaplan-Meier), and the Weibull law of their "
    "failures, from drives that failed and drives that still run.",
    params=LifetimesParams,
    result=LifetimesResult,
    run=_run,
    instant=False,
    points=lambda params: len(params.durations_years),
    citations=(
        Citation(
            text="E. L. Kaplan, P. Meier, Nonparametric Estimation from Incomplete Observations, "
            "JASA 53, 1958"
        ),
        Citation(text="C. Davidson-Pilon, lifelines, JOSS 2019"),
    ),
    formulas=(
        Formula(
            "weibull",
            "S(t) = exp(-(t / scale)^shape); shape above 1: failures grow with age",
            "Weibull 1951",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Drives taken out while healthy count as still running at that time.",
        "Without the age at which each drive came under watch, drives that failed before the "
        "record began are missed, and survival is overstated.",
    ),
)
