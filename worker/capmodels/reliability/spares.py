"""Spares on the shelf: as few as run out no more often than is wanted."""

from __future__ import annotations

import math
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    derived_check,
)
from capmodels.units import Count, Fraction, Real, of_unit

Months = Annotated[Real, of_unit("months", ge=0, le=120)]
RatePerYear = Annotated[Real, of_unit("fraction/yr", ge=0, le=10)]
Chance = Annotated[Real, of_unit("fraction", gt=0, lt=1)]


class SparesParams(Params):
    """Units in use, how often they fail, and how long the next one takes."""

    units_count: Annotated[Count, Field(le=10_000_000)] = assumed(100, "Units in use.")
    failures_per_year: RatePerYear = assumed(
        0.05,
        "Failures of a unit a year that take it out of use.",
        source="No published rate of whole servers was found; drives alone fail at 1 to 2%",
        low=0.02,
        high=0.08,
    )
    delivery_months: Months = assumed(
        1.0, "From a failure to a unit in its place.", low=0.25, high=2.0
    )
    chance_fraction: Chance = assumed(
        0.01, "Of more failures than spares while they are being replaced."
    )
    least_count: Annotated[Count, Field(le=1000)] = assumed(
        1, "At least so many: N + 1 where the loss of one matters."
    )


class SparesResult(Result):
    """Spares, and how often they do not suffice."""

    spares_count: Count
    failed_count: Annotated[Real, of_unit("count", ge=0)] = Field(
        description="Units out of use at a time, on average."
    )
    chance_fraction: Fraction = Field(description="That more are out of use than there are spares.")
    sentence: str


def chance_of_more(mean: float, count: int) -> float:
    """Chance that a Poisson number of a mean is above a count.

    Parameters
    ----------
    mean
        Mean of the number. [count]
    count
        What it should not exceed. [count]

    Returns
    -------
    float

    Notes
    -----
    1 - sum of exp(-m) m^k / k! for k up to the count, of logarithms: m may be thousands.

    Examples
    --------
    >>> round(chance_of_more(1.0, 3), 4)
    0.019
    """
    if mean == 0.0:
        return 0.0
    held = (math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count + 1))
    return min(max(1.0 - math.fsum(held), 0.0), 1.0)


def spares(params: SparesParams) -> SparesResult:
    """Return the fewest spares that run out no more often than wanted.

    Notes
    -----
    Units fail on their own at one rate, so those being replaced are Poisson with mean
    units x rate x time (Palm's theorem: whatever the times are distributed like).
    """
    mean = params.units_count * params.failures_per_year * params.delivery_months / 12.0
    low, high = -1, math.ceil(mean + 10.0 * math.sqrt(mean) + 30.0)
    while high - low > 1:
        middle = (low + high) // 2
        enough = chance_of_more(mean, middle) <= params.chance_fraction
        low, high = (low, middle) if enough else (middle, high)
    count = max(high, params.least_count if params.units_count else 0)
    chance = chance_of_more(mean, count)
    told = f"{count} spare{'s' if count != 1 else ''} for {params.units_count:,} units"
    return SparesResult(
        spares_count=count,
        failed_count=mean,
        chance_fraction=chance,
        sentence=f"{told}; {mean:.2g} are out of use on average, more than that {chance:.2%} of "
        "the time.",
    )


# Chance of running out of GPU servers that is taken: one more is the price of ten others.
_GPU_CHANCE = 0.05
# Of 419 stops in 54 days on 2,048 servers, 220 were faulty GPUs and their memory (Llama 3,
# arXiv:2407.21783, table 5, from memory): failures of a server a year that take it out of use.
_GPU_FAILURES_PER_YEAR = 0.73
# Until a part is brought and tried, about a week; until a provider has moved to another, a day.
_OWN_GPU_MONTHS, _RENTED_GPU_MONTHS = 0.25, 1.0 / 30.0


def machines_wanted(count: int, least: int, *, gpus: bool, rented: bool = False) -> SparesParams:
    """What machines of a kind are asked to have to spare, on every side by the same chance.

    Parameters
    ----------
    count
        Machines in use. [count]
    least
        Of machines without GPUs at least so many. [count]
    gpus, rented
        Whether they have GPUs, and whether a provider replaces one that fails.

    Returns
    -------
    SparesParams

    Notes
    -----
    Few servers with GPUs have none to spare: the next one costs more than the wait for a part.

    Examples
    --------
    >>> [spares(machines_wanted(n, 1, gpus=True)).spares_count for n in (1, 3, 16, 128)]
    [0, 0, 1, 4]
    >>> spares(machines_wanted(128, 1, gpus=True, rented=True)).spares_count
    1
    """
    if not gpus:
        return SparesParams(units_count=count, least_count=least)
    return SparesParams(
        units_count=count,
        failures_per_year=_GPU_FAILURES_PER_YEAR,
        delivery_months=_RENTED_GPU_MONTHS if rented else _OWN_GPU_MONTHS,
        chance_fraction=_GPU_CHANCE,
        least_count=0,
    )


def _run(params: SparesParams, _context: Context) -> SparesResult:
    return spares(params)


def _count(mean: float, chance: float) -> float:
    fields: dict[str, Any] = {"units_count": 100, "failures_per_year": mean / 100.0}
    more = {"delivery_months": 12.0, "chance_fraction": chance, "least_count": 0}
    return float(spares(SparesParams.model_validate(fields | more)).spares_count)


_TABLE = "Tables of the cumulative Poisson distribution"

_row = partial(derived_check, tests="reliability.spares.spares")

SPEC = ModelSpec(
    id="reliability.spares",
    version="1.0.0",
    title="Spares",
    summary="How many spares keep the chance of running out below a wanted one, from how often "
    "units fail and how long the next one takes.",
    params=SparesParams,
    result=SparesResult,
    run=_run,
    points=lambda params: 1 + params.units_count // 1000,
    citations=(
        Citation(text="C. Palm, 1938; R. J. Feeney, C. C. Sherbrooke, The (s-1, s) Inventory "
                 "Policy under Compound Poisson Demand, Management Science 1966"),
    ),
    formulas=(
        Formula("mean", "m = units * failures a year * months / 12", "Palm's theorem"),
        Formula(
            "spares",
            "least s with 1 - sum over k = 0..s of e^-m m^k / k! <= chance",
            "Poisson distribution",
        ),
    ),
    checks=(
        _row("p1", "Mean 1, 1%", 4.0, lambda: _count(1.0, 0.01),
source=f"{_TABLE}: P(X <= 3) = 0.9810, P(X <= 4) = 0.9963", unit="count"),
        _row("p5", "Mean 5, 1%", 11.0, lambda: _count(5.0, 0.01),
source=f"{_TABLE}: P(X <= 10) = 0.9863, P(X <= 11) = 0.9945", unit="count"),
        _row("p10", "Mean 10, 5%", 15.0, lambda: _count(10.0, 0.05),
source=f"{_TABLE}: P(X <= 14) = 0.9165, P(X <= 15) = 0.9513", unit="count"),
    ),
    limits=("Failures that come together, as of one batch or one rack, are not in it.",),
)  # fmt: skip
