"""What is asked of an array's losses, and what is answered."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.spec import Params, Result, assumed, blank, default, refusal
from capmodels.units import Count, CountFromOne, DurationH, DurationYears, Fraction, Real, of_unit

Layout = Literal[
    "raid0", "mirror", "raid5", "raid6", "raid7", "raid10", "draid1", "draid2", "draid3"
]
# Stripes of a few drives spread over all, with room for rebuilds on all of them.
DECLUSTERED = {"draid1": 1, "draid2": 2, "draid3": 3}
AnnualFailure = Annotated[Real, of_unit("fraction/yr", gt=0, lt=1)]
PositiveH = Annotated[Real, of_unit("h", gt=0)]
PositiveGb = Annotated[Real, of_unit("GB", gt=0)]
PerBit = Annotated[Real, of_unit("1/bit", ge=0, le=1e-6)]
FalseFraction = Annotated[Fraction, Field(lt=1)]
PerYear = Annotated[Real, of_unit("1/yr", ge=0)]
RatePerH = Annotated[Real, of_unit("1/h", ge=0)]
PositiveMbPerS = Annotated[Real, of_unit("MB/s", gt=0)]
WakeS = Annotated[Real, of_unit("s", ge=0, le=3600)]
IntervalH = Annotated[Real, of_unit("h", gt=0, le=87_600)]
Degrees = Annotated[Real, of_unit("K", ge=0, le=60)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1, le=1000)]
DomainRate = Annotated[Real, of_unit("fraction/yr", ge=0, lt=1)]
DisksOfArray = Annotated[CountFromOne, Field(le=2048)]
Hours = Annotated[Real, of_unit("h", ge=0)]
Years = Annotated[Real, of_unit("yr", ge=0)]


class Repair(Params):
    """How soon a lost drive is whole again."""

    rebuild_mb_per_s: PositiveMbPerS = assumed(
        50.0, "Rate of a rebuild beside the requests.", low=20.0, high=150.0
    )
    spares_count: Count = assumed(
        0,
        "Drives that take a lost one's place at once; of a declustered array drives' worth of "
        "room, spread over all.",
    )
    spare_wake_s: WakeS = assumed(
        0.0, "Until a spare that sleeps has spun up.", title="Spin-up of a spare"
    )
    replacement_h: DurationH = assumed(
        24.0, "Until a drive without a spare is replaced.", low=4.0, high=72.0
    )


class SharedFate(Params):
    """Failures that do not come one by one."""

    together_ratio: RatioFromOne = assumed(
        1.0, "Failure rate once a member is lost, of that before: batches, heat, work of a rebuild."
    )
    domains_count: CountFromOne | None = blank(
        "That the members are spread over; empty: each fails alone.", title="Enclosures or nodes"
    )
    domain_fraction_per_year: DomainRate = assumed(
        0.0, "Chance a year that one of these is lost with its data."
    )
    above_degrees: Degrees = assumed(
        0.0, "By which the drives are warmer than their maker recommends.", title="Too warm by"
    )
    per_degree_fraction: Fraction = default(
        0.025,
        source="Papathanasiou and Scott 2004 (TR 837): 2-3% more failures per degree",
        as_of="2004",
        low=0.0,
        high=0.03,
        title="More failures per degree",
    )


class Scrubbing(Params):
    """Reading all sectors now and then, so that unreadable ones are found and written anew."""

    interval_h: IntervalH = assumed(336.0, "From one pass to the next; two weeks.")
    errors_per_year: PerYear = default(
        0.0135,
        "On a drive in a year.",
        source="Bairavasundaram et al. 2007: 3.45% of disks in 32 months",
        as_of="2007",
        low=0.007,
        high=0.032,
        title="Unreadable places that arise",
    )


class ArrayLossParams(Params):
    """An array, its drives' failures, and how it is repaired."""

    model_config = ConfigDict(validate_default=True)

    layout: Layout = "raid5"
    disks_count: DisksOfArray = assumed(4, "Drives of the array, parity or copies included.")
    stripe_disks_count: DisksOfArray = assumed(
        10, "Of a declustered array: data and parity together.", title="Drives of a stripe"
    )
    disk_gb: PositiveGb = assumed(500.0, "Size of one drive.")
    afr_fraction: AnnualFailure = default(
        0.017,
        "Chance that a drive fails in a year.",
        source="Pinheiro et al. 2007: 1.7% in the first year",
        as_of="2007",
        low=0.0088,
        high=0.086,
    )
    mttr_h: PositiveH | None = blank(
        "Until a lost disk is rebuilt; empty: by its size, the rate and the spares.",
        title="Time to repair",
    )
    repair: Repair = Repair()
    unrecoverable_per_bit: PerBit = default(
        1e-14, source="data sheets of desktop and laptop drives", low=1e-16, high=1e-14
    )
    scrubbing: Scrubbing | None = blank(
        "Empty: places that became unreadable since they were read are not counted."
    )
    shared_fate: SharedFate = SharedFate()
    mission_years: DurationYears = assumed(5.0, "Time that the array is in service.")
    false_replacement_fraction: FalseFraction = assumed(
        0.3, "Replaced drives that were healthy; 14 of 23 in one sample.", low=0.0, high=0.61
    )

    @field_validator("disks_count")
    @classmethod
    def _enough(cls, value: int, info: ValidationInfo) -> int:
        layout = info.data.get("layout")
        least = {"mirror": 2, "raid5": 3, "raid6": 4, "raid7": 5, "raid10": 4}.get(str(layout), 1)
        least = DECLUSTERED.get(str(layout), least - 1) + 1
        if value < least or (layout == "raid10" and value % 2):
            raise refusal(
                "disks_count", f"Enter at least {least} disks, an even number for RAID-10."
            )
        return value

    @field_validator("stripe_disks_count")
    @classmethod
    def _stripe_fits(cls, value: int, info: ValidationInfo) -> int:
        layout, disks = str(info.data.get("layout")), info.data.get("disks_count")
        if layout not in DECLUSTERED or disks is None:
            return value
        if value <= DECLUSTERED[layout]:
            text = f"A stripe of this layout has at least {DECLUSTERED[layout] + 1} drives."
            raise refusal("too_few", text)
        if value > disks:
            text = f"The array has {disks} drives, fewer than a stripe of {value}."
            raise refusal("too_many", text)
        return value

    @field_validator("repair")
    @classmethod
    def _room_is_left(cls, value: Repair, info: ValidationInfo) -> Repair:
        disks, stripe = info.data.get("disks_count"), info.data.get("stripe_disks_count")
        if str(info.data.get("layout")) not in DECLUSTERED or disks is None or stripe is None:
            return value
        if value.spares_count > disks - stripe:
            text = (
                f"Of {disks} drives a stripe takes {stripe}, so at most {disks - stripe} may be "
                "spare."
            )
            raise refusal("too_many", text, at=("spares_count",))
        return value


class ArrayLossResult(Result):
    """How long until data are lost, and how likely it is."""

    rate_per_h: RatePerH
    repair_h: Hours = Field(description="Until the first lost disk is whole again.")
    mttdl_years: Years = Field(description="Whole disks.")
    loss_fraction: Fraction = Field(description="Whole disks lost within the mission.")
    rebuild_unreadable_fraction: Fraction = Field(
        description="Chance that the last rebuild that is survived meets an unreadable sector."
    )
    any_mttdl_years: Years = Field(description="Disks or some block, whichever is first.")
    block_loss_per_year: PerYear = Field(description="Rebuilds a year that lose some block.")
    any_loss_fraction: Fraction = Field(description="Disks or some block lost in the mission.")
    disk_failures_per_year: PerYear
    replacements_per_year: PerYear
