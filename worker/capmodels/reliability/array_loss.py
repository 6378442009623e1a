"""How likely an array loses data: MTTDL, rebuild and unrecoverable reads.

Markov chains of Patterson, Gibson and Katz 1988; failure rates after Schroeder and Gibson 2007.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

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
    one_point,
    refusal,
)
from capmodels.units import (
    BITS_PER_BYTE,
    HOURS_PER_YEAR,
    CountFromOne,
    DurationYears,
    Fraction,
    Real,
)

Layout = Literal["raid0", "mirror", "raid5", "raid6", "raid10"]
AnnualFailure = Annotated[Real, Field(gt=0, lt=1, json_schema_extra={"unit": "fraction/yr"})]
PositiveH = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "h"})]
PositiveGb = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "GB"})]
PerBit = Annotated[Real, Field(ge=0, le=1e-6, json_schema_extra={"unit": "1/bit"})]
FalseFraction = Annotated[Fraction, Field(lt=1)]
PerYear = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "1/yr"})]
RatePerH = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "1/h"})]
Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]


def failure_rate_per_h(afr_fraction: float) -> float:
    """Rate of a constant hazard that gives an annual failure rate. [1/h]"""
    return -math.log1p(-afr_fraction) / HOURS_PER_YEAR


def afr_of_mttf(mttf_h: float) -> float:
    """Annual failure rate of a mean time to failure. [fraction/yr]

    >>> round(afr_of_mttf(1e6), 5)
    0.00872
    """
    return -math.expm1(-HOURS_PER_YEAR / mttf_h)


def wear_factor(*, starts_per_year: float, service_years: float, rating_count: float) -> float:
    """Factor of the failure rate for starts and stops beyond the rating; our choice. [ratio]

    >>> wear_factor(starts_per_year=190_000, service_years=3.0, rating_count=300_000)
    1.9
    """
    return max(1.0, starts_per_year * service_years / rating_count)


def mttdl_h(*, disks_count: int, losses_to_fail: int, rate_per_h: float, mttr_h: float) -> float:
    """Mean time until ``losses_to_fail`` of the disks are lost at once. [h]

    Birth-death chain: (n - k) lambda up, k mu down. The time from k to k + 1 is
    1/l_k + (m_k/l_k) times that from k - 1 to k.
    """
    repair = 1 / mttr_h
    step = total = 0.0
    for lost in range(losses_to_fail):
        up = (disks_count - lost) * rate_per_h
        step = 1 / up + lost * repair / up * step
        total += step
    return total


def unreadable_fraction(bits_read: float, per_bit: float) -> float:
    """Chance that reading so many bits meets one that cannot be read. [fraction]

    >>> round(unreadable_fraction(3 * 500e9 * 8, 1e-14), 4)
    0.1131
    """
    return -math.expm1(-bits_read * per_bit)


def loss_fraction(duration_years: float, mttdl_years: float) -> float:
    """Chance of a loss within a time, losses coming at a constant rate. [fraction]"""
    return -math.expm1(-duration_years / mttdl_years)


class ArrayLossParams(Params):
    """An array, its drives' failures, and how it is repaired."""

    model_config = ConfigDict(validate_default=True)

    layout: Layout = "raid5"
    disks_count: CountFromOne = assumed(4, "Drives of the array, parity or copies included.")
    disk_gb: PositiveGb = assumed(500.0, "Size of one drive.")
    afr_fraction: AnnualFailure = default(
        0.017,
        source="Pinheiro et al. 2007: 1.7% in the first year",
        as_of="2007",
        low=0.0088,
        high=0.086,
        description="Chance that a drive fails in a year.",
    )
    mttr_h: PositiveH = assumed(24.0, "Time until a lost disk is rebuilt.", low=6.0, high=72.0)
    unrecoverable_per_bit: PerBit = default(
        1e-14, source="data sheets of desktop and laptop drives", low=1e-16, high=1e-14
    )
    mission_years: DurationYears = assumed(5.0, "Time that the array is in service.")
    false_replacement_fraction: FalseFraction = assumed(
        0.3, "Replaced drives that were healthy; 14 of 23 in one sample.", low=0.0, high=0.61
    )

    @field_validator("disks_count")
    @classmethod
    def _enough(cls, value: int, info: ValidationInfo) -> int:
        layout = info.data.get("layout")
        least = {"mirror": 2, "raid5": 3, "raid6": 4, "raid10": 4}.get(str(layout), 1)
        if value < least or (layout == "raid10" and value % 2):
            raise refusal(
                "disks_count", f"Enter at least {least} disks, an even number for RAID-10."
            )
        return value


class ArrayLossResult(Result):
    """How long until data are lost, and how likely it is."""

    rate_per_h: RatePerH
    mttdl_years: Years
    loss_fraction: Fraction = Field(description="Whole disks lost within the mission.")
    rebuild_unreadable_fraction: Fraction = Field(
        description="Chance that one rebuild meets an unreadable sector."
    )
    block_loss_per_year: PerYear = Field(description="Rebuilds a year that lose some block.")
    any_loss_fraction: Fraction = Field(description="Disks or some block lost in the mission.")
    disk_failures_per_year: PerYear
    replacements_per_year: PerYear


def losses_to_fail(layout: Layout, disks_count: int) -> int:
    """Disks of one group that have to be lost at once."""
    return {"raid0": 1, "raid5": 2, "raid6": 3, "raid10": 2, "mirror": disks_count}[layout]


def array_mttdl_h(params: ArrayLossParams) -> float:
    """Mean time to data loss of the whole array. [h]"""
    groups = params.disks_count // 2 if params.layout == "raid10" else 1
    one = mttdl_h(
        disks_count=params.disks_count // groups,
        losses_to_fail=losses_to_fail(params.layout, params.disks_count // groups),
        rate_per_h=failure_rate_per_h(params.afr_fraction),
        mttr_h=params.mttr_h,
    )
    return one / groups


def _rebuild_bits(params: ArrayLossParams) -> float:
    """Bits that a rebuild has to read with nothing to correct them by."""
    sources = {"raid0": 0, "raid5": params.disks_count - 1, "mirror": 1, "raid10": 1, "raid6": 0}
    if params.layout == "mirror" and params.disks_count > 2:
        return 0.0
    return sources[params.layout] * params.disk_gb * 1e9 * BITS_PER_BYTE


def _run(params: ArrayLossParams, _context: Context) -> ArrayLossResult:
    rate = failure_rate_per_h(params.afr_fraction)
    mttdl_years = array_mttdl_h(params) / HOURS_PER_YEAR
    unreadable = unreadable_fraction(_rebuild_bits(params), params.unrecoverable_per_bit)
    failures = params.disks_count * rate * HOURS_PER_YEAR
    blocks = failures * unreadable
    return ArrayLossResult(
        rate_per_h=rate,
        mttdl_years=mttdl_years,
        loss_fraction=loss_fraction(params.mission_years, mttdl_years),
        rebuild_unreadable_fraction=unreadable,
        block_loss_per_year=blocks,
        any_loss_fraction=-math.expm1(-params.mission_years * (1 / mttdl_years + blocks)),
        disk_failures_per_year=failures,
        replacements_per_year=failures / (1 - params.false_replacement_fraction),
    )


def _mttdl_years(rate_per_h: float) -> float:
    return (
        mttdl_h(disks_count=4, losses_to_fail=2, rate_per_h=rate_per_h, mttr_h=24.0)
        / HOURS_PER_YEAR
    )


_CHECKS = (
    Check(
        id="S32",
        title="RAID-5 of four, MTTF 1,000,000 h, repair 24 h: MTTDL",
        source="MTTF^2 / (N (N - 1) MTTR), Patterson, Gibson and Katz 1988",
        published=396_400.0,
        tolerance=400.0,
        unit="yr",
        basis="derived",
        compute=lambda: _mttdl_years(1e-6),
    ),
    Check(
        id="S33",
        title="Rebuild from 3 x 500 GB at one unreadable bit in 1e14",
        source="Poisson law",
        published=0.1131,
        tolerance=0.0001,
        unit="fraction",
        basis="derived",
        compute=lambda: _run(ArrayLossParams(), Context()).rebuild_unreadable_fraction,
        params=dict,
    ),
    Check(
        id="S34",
        title="Annual failure rate of an MTTF of 1,000,000 h",
        source="Schroeder and Gibson 2007",
        published=0.0088,
        printed="at most 0.88%",
        tolerance=0.0001,
        unit="fraction/yr",
        compute=lambda: afr_of_mttf(1e6),
    ),
)

SPEC = ModelSpec(
    id="reliability.array_loss",
    version="1.0.0",
    title="Data loss of an array",
    summary="Mean time to data loss of mirrors and parity arrays, the chance of loss within a "
    "mission, and of an unreadable sector during a rebuild.",
    params=ArrayLossParams,
    result=ArrayLossResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="D. A. Patterson, G. Gibson, R. H. Katz, A Case for Redundant Arrays of "
            "Inexpensive Disks (RAID), SIGMOD 1988",
        ),
        Citation(
            text="B. Schroeder, G. A. Gibson, Disk Failures in the Real World, FAST 2007",
        ),
        Citation(
            text="E. Pinheiro, W.-D. Weber, L. A. Barroso, Failure Trends in a Large Disk Drive "
            "Population, FAST 2007",
        ),
    ),
    formulas=(
        Formula(
            id="mttdl",
            text="MTTDL = ((2N - 1) lambda + mu) / (N (N - 1) lambda^2) for RAID-5",
            source="Markov chain with n - k disks up and k under repair",
        ),
        Formula(id="rate", text="lambda = -ln(1 - AFR) / 8760", source="definition of AFR"),
        Formula(
            id="unreadable", text="P = 1 - exp(-bits read * errors per bit)", source="Poisson law"
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Failures are taken as independent and at a constant rate; real ones come together and "
        "grow with age: these figures are optimistic.",
        "A mirror repairs every lost copy at once. RAID-6 and mirrors of three correct an "
        "unreadable sector during a rebuild, so none is counted there.",
    ),
)
