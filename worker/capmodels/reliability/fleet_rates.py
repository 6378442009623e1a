"""Annual failure rates of a fleet of drives, with intervals, from drive days and failures.

AFR = failures / (drive days / 365), as Backblaze publishes it; exact Poisson limits (Garwood 1936).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Annotated

from pydantic import Field

from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, Params, Result, assumed
from capmodels.units import Count, Fraction, Real, of_unit

DAYS_PER_YEAR = 365.0
DriveDays = Annotated[Real, of_unit("count", gt=0)]
PerYear = Annotated[Real, of_unit("1/yr", ge=0)]
Confidence = Annotated[Fraction, Field(gt=0.5, lt=1)]

# From so many events on, the cube-root approximation is good to 1e-6.
_APPROXIMATE_FROM = 500


def poisson_cdf(count: int, mean: float) -> float:
    """Chance of at most ``count`` events."""
    term = total = math.exp(-mean)
    for i in range(1, count + 1):
        term *= mean / i
        total += term
    return min(total, 1.0)


def _gamma_quantile(shape: float, fraction: float) -> float:
    """Quantile of the gamma distribution by Wilson and Hilferty 1931."""
    z = NormalDist().inv_cdf(fraction)
    return float(shape * (1 - 1 / (9 * shape) + z / (3 * math.sqrt(shape))) ** 3)


def _solve(count: int, wanted: float) -> float:
    """Mean at which at most ``count`` events have the wanted chance."""
    low, high = 0.0, count + 10 * math.sqrt(count + 1) + 20
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if poisson_cdf(count, middle) > wanted else (low, middle)
    return (low + high) / 2


def poisson_limits(count: int, confidence_fraction: float) -> tuple[float, float]:
    """Exact limits of the mean of a Poisson count (Garwood 1936).

    >>> tuple(round(limit, 3) for limit in poisson_limits(10, 0.95))
    (4.795, 18.39)
    """
    tail = (1 - confidence_fraction) / 2
    if count >= _APPROXIMATE_FROM:
        return _gamma_quantile(count, tail), _gamma_quantile(count + 1, 1 - tail)
    low = _solve(count - 1, 1 - tail) if count else 0.0
    return low, _solve(count, tail)


def afr_per_year(failures_count: float, drive_days: float) -> float:
    """Failures per drive and year. [1/yr]"""
    return failures_count / (drive_days / DAYS_PER_YEAR)


class Cohort(Params):
    """Drives of one model, or of one age."""

    name: str
    drive_days_count: DriveDays
    failures_count: Count


class FleetRatesParams(Params):
    """Cohorts of a fleet."""

    cohorts: tuple[Cohort, ...] = Field(
        default=(Cohort(name="all", drive_days_count=1_000_000.0, failures_count=40),),
        min_length=1,
        max_length=1000,
    )
    confidence_fraction: Confidence = assumed(0.95, "Confidence of the intervals.")


class CohortRate(Result):
    """One cohort's rate and its interval."""

    name: str
    afr_per_year: PerYear
    low_per_year: PerYear
    high_per_year: PerYear


class FleetRatesResult(Result):
    """Every cohort, and all of them together."""

    cohorts: tuple[CohortRate, ...]
    fleet: CohortRate


def rate_of(cohort: Cohort, confidence_fraction: float) -> CohortRate:
    """Rate and interval of one cohort."""
    low, high = poisson_limits(cohort.failures_count, confidence_fraction)
    return CohortRate(
        name=cohort.name,
        afr_per_year=afr_per_year(cohort.failures_count, cohort.drive_days_count),
        low_per_year=afr_per_year(low, cohort.drive_days_count),
        high_per_year=afr_per_year(high, cohort.drive_days_count),
    )


def _run(params: FleetRatesParams, _context: Context) -> FleetRatesResult:
    fleet = Cohort(
        name="fleet",
        drive_days_count=sum(cohort.drive_days_count for cohort in params.cohorts),
        failures_count=sum(cohort.failures_count for cohort in params.cohorts),
    )
    return FleetRatesResult(
        cohorts=tuple(rate_of(c, params.confidence_fraction) for c in params.cohorts),
        fleet=rate_of(fleet, params.confidence_fraction),
    )


_CHECKS = (
    Check(
        "garwood",
        "Ten failures: upper 95% limit of the mean",
        18.39,
        lambda: poisson_limits(10, 0.95)[1],
        source="Garwood 1936, table of exact Poisson limits",
        printed="18.39",
        tolerance=0.005,
        kind="arithmetic",
        tests="reliability.fleet_rates.poisson_limits",
    ),
)

SPEC = ModelSpec(
    id="reliability.fleet_rates",
    version="1.0.0",
    title="Failure rates of a fleet",
    summary="Annual failure rate of each drive model of a fleet from drive days and failures, "
    "with exact Poisson intervals.",
    params=FleetRatesParams,
    result=FleetRatesResult,
    run=_run,
    points=lambda params: len(params.cohorts),
    citations=(
        Citation(text="Backblaze, Hard Drive Data and Stats, method of the AFR"),
        Citation(
            text="F. Garwood, Fiducial Limits for the Poisson Distribution, Biometrika 28, 1936"
        ),
    ),
    formulas=(
        Formula(
            "afr",
            "AFR = failures / (drive days / 365)",
            "Backblaze, Drive Stats",
            {"failures": "failures_count"},
        ),
    ),
    checks=_CHECKS,
    limits=("The interval holds what chance does, not other conditions of use in another fleet.",),
)
