"""What is asked of a plan of purchases: demand, machines, commitments, rent, limits, reviews."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from capmodels.forms import AS_TABLE, in_groups, named, shown_when, when_empty
from capmodels.plans.document.assumptions import Currency
from capmodels.spec import Params, assumed, blank, preset, refusal
from capmodels.units import (
    Count,
    CountFromOne,
    Fraction,
    GrowthFractionPerYear,
    PowerKw,
    Ratio,
    Real,
    SignedUsd,
    Usd,
    UsdPerMonth,
    Whole,
    of_unit,
)

MONTHS_MAX = 120
SCENARIOS_MAX = 5_000
CLASSES_MAX = 744
DAY_CLASSES = 24
# What the unknown is called that the first month's demand is, where it is not known.
NOW = "Demand of now"
_CASE = "the case of our published checks: no fleet that exists"

Name = Annotated[str, Field(min_length=1, max_length=200)]
Month = Annotated[Whole, of_unit("months", ge=0, lt=MONTHS_MAX)]
Months = Annotated[Whole, of_unit("months", ge=1, le=1200)]
LeadMonths = Annotated[Whole, of_unit("months", ge=0, le=MONTHS_MAX)]
Capacity = Annotated[Real, of_unit("count", ge=0)]
PositiveCapacity = Annotated[Real, of_unit("count", gt=0)]
SignedCapacity = Annotated[Real, of_unit("count")]
UsdPerUnitH = Annotated[Real, of_unit("USD/h", ge=0)]
PositiveFraction = Annotated[Real, of_unit("fraction", gt=0, le=1)]
Probability = Annotated[Real, of_unit("fraction", gt=0, le=1)]
GapFraction = Annotated[Real, of_unit("fraction", ge=1e-9, le=0.1)]
Follows = Annotated[Real, of_unit("fraction", ge=-1, le=1)]
LimitS = Annotated[Real, of_unit("s", ge=1, le=3000)]


class FixedChange(Params):
    """A change each year that is known."""

    kind: Literal["fixed"] = "fixed"
    value_fraction_per_year: GrowthFractionPerYear = assumed(
        0.0, "Compounded by the month.", source=_CASE
    )


class RangeChange(Params):
    """A change each year between two ends, of a triangle or a PERT distribution."""

    kind: Literal["range"] = "range"
    low_fraction_per_year: GrowthFractionPerYear
    likely_fraction_per_year: GrowthFractionPerYear
    high_fraction_per_year: GrowthFractionPerYear
    shape: Literal["triangular", "pert"] = assumed(
        "triangular",
        "PERT has less of its weight at the ends than a triangle.",
        extra=named(triangular="Triangular", pert="PERT"),
    )

    @model_validator(mode="after")
    def _in_order(self) -> RangeChange:
        ends = (self.low_fraction_per_year, self.likely_fraction_per_year)
        if not ends[0] <= ends[1] <= self.high_fraction_per_year:
            raise refusal("not_in_order", "Enter the low, the likely and the high end in order.")
        return self


class LogNormalChange(Params):
    """A factor a year, 1 + change, that is log-normal, by its 10th and 90th percentile."""

    kind: Literal["log_normal"] = "log_normal"
    p10_fraction_per_year: GrowthFractionPerYear
    p90_fraction_per_year: GrowthFractionPerYear

    @model_validator(mode="after")
    def _in_order(self) -> LogNormalChange:
        if self.p10_fraction_per_year > self.p90_fraction_per_year:
            raise refusal("not_in_order", "The 10th percentile is above the 90th.")
        return self


class ChangeCase(Params):
    """One value that a change each year may have."""

    value_fraction_per_year: GrowthFractionPerYear
    probability_fraction: Probability


def _whole(probabilities: Sequence[float]) -> None:
    if not math.isclose(math.fsum(probabilities), 1.0, rel_tol=0, abs_tol=1e-9):
        raise refusal("not_whole", "The probabilities do not add up to 1.")


class CasesChange(Params):
    """A change each year that is one of some values."""

    kind: Literal["cases"] = "cases"
    cases: tuple[ChangeCase, ...] = Field(
        min_length=1, max_length=SCENARIOS_MAX, json_schema_extra=AS_TABLE,
        description="Values and their probabilities, which add up to 1: a few, or a sample.",
    )  # fmt: skip

    @field_validator("cases")
    @classmethod
    def _probabilities(cls, cases: tuple[ChangeCase, ...]) -> tuple[ChangeCase, ...]:
        _whole([case.probability_fraction for case in cases])
        return cases


YearlyChange = Annotated[
    FixedChange | RangeChange | LogNormalChange | CasesChange, Field(discriminator="kind")
]


class RangeNow(Params):
    """Demand of now between two ends, most likely what is entered."""

    kind: Literal["range"] = "range"
    low_count: Capacity
    high_count: PositiveCapacity
    shape: Literal["triangular", "pert"] = assumed(
        "triangular",
        "PERT has less of its weight at the ends than a triangle.",
        extra=named(triangular="Triangular", pert="PERT"),
    )


class LogNormalNow(Params):
    """Demand of now that is log-normal, by its 10th and 90th percentile."""

    kind: Literal["log_normal"] = "log_normal"
    p10_count: PositiveCapacity
    p90_count: PositiveCapacity

    @model_validator(mode="after")
    def _in_order(self) -> LogNormalNow:
        if self.p10_count > self.p90_count:
            raise refusal("not_in_order", "The 10th percentile is above the 90th.")
        return self


class NowCase(Params):
    """One value that the demand of now may have."""

    value_count: PositiveCapacity
    probability_fraction: Probability


class CasesNow(Params):
    """Demand of now that is one of some values: a few, or an uploaded sample."""

    kind: Literal["cases"] = "cases"
    cases: tuple[NowCase, ...] = Field(
        min_length=1, max_length=SCENARIOS_MAX, json_schema_extra=AS_TABLE,
        description="Values and their probabilities, which add up to 1.",
    )  # fmt: skip

    @field_validator("cases")
    @classmethod
    def _probabilities(cls, cases: tuple[NowCase, ...]) -> tuple[NowCase, ...]:
        _whole([case.probability_fraction for case in cases])
        return cases


NowSpread = Annotated[RangeNow | LogNormalNow | CasesNow, Field(discriminator="kind")]


class GrownLevel(Params):
    """Demand that grows from what it is now."""

    kind: Literal["grown"] = "grown"
    now_count: PositiveCapacity = assumed(
        600.0, "Mean demand in the first month.", source=_CASE, title="Now"
    )
    now_spread: NowSpread | None = blank(
        "How sure the demand of now is, such as before its use was measured.",
        title="Range of now", extra=when_empty("it is known"),
    )  # fmt: skip
    growth: YearlyChange = preset(
        CasesChange(
            cases=(
                ChangeCase(value_fraction_per_year=0.1, probability_fraction=0.3),
                ChangeCase(value_fraction_per_year=0.4, probability_fraction=0.4),
                ChangeCase(value_fraction_per_year=0.8, probability_fraction=0.3),
            )
        ),
        "Growth a year, compounded by the month.",
    )
    ceiling_count: PositiveCapacity | None = blank(
        "Where growth levels off, along a logistic curve.", extra=when_empty("never")
    )

    @field_validator("ceiling_count")
    @classmethod
    def _above(cls, ceiling: float | None, info: ValidationInfo) -> float | None:
        if ceiling is not None and ceiling <= info.data.get("now_count", 0.0):
            raise refusal("out_of_range", "The ceiling is not above the demand of now.")
        return ceiling

    @model_validator(mode="after")
    def _spread(self) -> GrownLevel:
        spread, most = self.now_spread, self.now_count
        if isinstance(spread, RangeNow) and not spread.low_count <= most <= spread.high_count:
            raise refusal("not_in_order", "The demand of now is not within its range.")
        if isinstance(spread, RangeNow):
            most = spread.high_count
        elif isinstance(spread, CasesNow):
            most = max(case.value_count for case in spread.cases)
        if self.ceiling_count is not None and self.ceiling_count <= most:
            raise refusal("out_of_range", "The ceiling is not above the highest demand of now.")
        return self


class DemandPath(Params):
    """One course that demand may take: a forecast's, or an entered series."""

    name: Name
    probability_fraction: Probability
    mean_count: tuple[Capacity, ...] = Field(
        min_length=1, max_length=MONTHS_MAX, description="Mean demand of each month."
    )


class EnteredLevel(Params):
    """Demand by the month, in one or several courses."""

    kind: Literal["entered"] = "entered"
    paths: tuple[DemandPath, ...] = Field(min_length=1, max_length=SCENARIOS_MAX)

    @field_validator("paths")
    @classmethod
    def _probabilities(cls, paths: tuple[DemandPath, ...]) -> tuple[DemandPath, ...]:
        _whole([path.probability_fraction for path in paths])
        return paths


class DemandStep(Params):
    """Demand that comes or goes at once: a launch, a customer won or lost."""

    name: Name
    from_month: Month
    latest_month: Month | None = blank(
        "Last month in which it may begin.", extra=when_empty("in the month before")
    )
    added_count: SignedCapacity = Field(description="Mean demand that it adds; below 0: takes.")
    probability_fraction: Probability = assumed(1.0, "Chance that it comes.")

    @field_validator("latest_month")
    @classmethod
    def _not_before(cls, latest: int | None, info: ValidationInfo) -> int | None:
        if latest is not None and latest < info.data.get("from_month", 0):
            raise refusal("out_of_range", "The last month is before the first.")
        return latest


_SWING: Any = assumed(
    0.35,
    "How far demand swings about its mean over a day, along a sine of 24 hours.",
    source=_CASE,
    extra=shown_when(profile_ratio=False),
)


class OtherDemand(Params):
    """Another resource that has to be carried in the same hours: RAM beside cores, accelerators."""

    unit: Annotated[str, Field(min_length=1, max_length=40)] = Field(
        description="What it is counted in: GiB, accelerators."
    )
    now_count: PositiveCapacity = Field(description="Mean demand in the first month.", title="Now")
    growth: YearlyChange = preset(FixedChange(), "Growth a year, compounded by the month.")
    follows_fraction: Follows = assumed(
        0.0, "How far its growth goes with that of the first resource: 1 with it, 0 by itself.",
        title="Correlation",
    )  # fmt: skip
    swing_fraction: Fraction = _SWING
    profile_ratio: tuple[Ratio, ...] = preset(
        (), "Demand of the same hours as the first resource's, as a ratio of their mean.",
        max_length=CLASSES_MAX, extra=when_empty("a sine"),
    )  # fmt: skip
    usd_per_unit_h: UsdPerUnitH | None = blank(
        "What a unit costs for an hour where it is rented by itself.", title="Price",
        extra=when_empty("rented in instances only"),
    )  # fmt: skip
    unmet_usd_per_unit_h: UsdPerUnitH | None = blank(
        "What demand that is left unmet costs.", title="Unmet demand",
        extra=when_empty("not allowed"),
    )  # fmt: skip
    actual_mean_count: tuple[Capacity, ...] = preset(
        (), "Its mean demand in each month that has passed, as of the first resource.",
        title="Demand as it was", max_length=MONTHS_MAX, extra=when_empty("none has passed"),
    )  # fmt: skip


class Demand(Params):
    """What has to be carried: its level by the month, and how it varies within one."""

    unit: Annotated[str, Field(min_length=1, max_length=40)] = assumed(
        "cores", "What demand is counted in: cores, GB, accelerators.", source=_CASE
    )
    level: Annotated[GrownLevel | EnteredLevel, Field(discriminator="kind")] = preset(
        GrownLevel(), "Mean demand by the month."
    )
    steps: tuple[DemandStep, ...] = preset((), "Steps of demand beside its growth.", max_length=20)
    season_ratio: tuple[Ratio, ...] = preset(
        (), "Demand of the twelve months of a year, from the first month of the plan on, as a "
        "ratio of the year's mean.", max_length=12, extra=when_empty("no season"),
    )  # fmt: skip
    swing_fraction: Fraction = _SWING
    profile_ratio: tuple[Ratio, ...] = preset(
        (), "Demand of the hours of a day, a week or a month, as a ratio of their mean.",
        max_length=CLASSES_MAX, extra=when_empty("a sine"),
    )  # fmt: skip
    others: tuple[OtherDemand, ...] = preset(
        (), "Other resources that the same machines carry.", max_length=3
    )

    @field_validator("others")
    @classmethod
    def _units(cls, others: tuple[OtherDemand, ...], info: ValidationInfo) -> Any:
        seen = [info.data.get("unit", "")]
        hours = len(info.data.get("profile_ratio", ())) or DAY_CLASSES
        for place, each in enumerate(others):
            if each.unit in seen:
                raise refusal("duplicate", f"{each.unit!r} is there twice.", at=(place, "unit"))
            seen.append(each.unit)
            own = len(each.profile_ratio) or DAY_CLASSES
            if max(hours, own) % min(hours, own):
                sentence = f"{own} hours do not repeat in {hours}. Enter as many."
                raise refusal("not_alike", sentence, at=(place, "profile_ratio"))
            hours = max(hours, own)
        return others

    @field_validator("season_ratio")
    @classmethod
    def _twelve(cls, ratios: tuple[float, ...]) -> tuple[float, ...]:
        if ratios and len(ratios) != 12:
            raise refusal("not_twelve", "A season has a ratio for each of twelve months.")
        return ratios


class MachineType(Params):
    """A machine that can be ordered, in whole ones."""

    name: Name = preset("Node", "What it is called.")
    capacity_count: PositiveCapacity = assumed(128.0, "Units of demand in it.", source=_CASE)
    usable_fraction: PositiveFraction = assumed(
        0.7, "Share of it that may be busy in any hour.", source=_CASE
    )
    others_count: tuple[Capacity, ...] = preset(
        (), "What one carries of each other resource, in their order.", max_length=3,
        extra=when_empty("nothing"),
    )  # fmt: skip
    price_usd: Usd = assumed(24_000.0, "Paid on arrival, at the price of then.", source=_CASE)
    price_change: YearlyChange = preset(FixedChange(), "Change of its price each year.")
    upkeep_usd_per_month: UsdPerMonth = assumed(
        420.0, "Power, space and support of one, from its arrival on.", source=_CASE
    )
    life_months: Months = assumed(60, "Until it is taken out.", source=_CASE, title="Life")
    resale_fraction: Fraction = assumed(
        0.5, "What it brings at the end, as a share of the straight-line rest of its price.",
        source=_CASE,
    )  # fmt: skip
    lead_months: LeadMonths = assumed(3, "From order to arrival.", source=_CASE)
    order_every_months: Months = assumed(3, "Months between orders.", source=_CASE)
    from_month: Month = assumed(0, "First month in which it can be ordered.")
    minimum_order_count: CountFromOne = assumed(1, "Fewest in one order.")
    spare_count: Count = assumed(
        0, "Spare ones beside those that serve demand, from the first on; paid in other costs.",
        source=_CASE,
    )  # fmt: skip
    power_kw: PowerKw | None = blank("What one takes of a site's power.")
    rack_units_count: Count | None = blank("What one takes of a site's racks.")


class Commitment(Params):
    """A term for which rented capacity is paid, used or not, at a discount."""

    name: Name
    term_months: Months
    discount_fraction: Fraction = Field(
        description="Below the on-demand price of the month in which it starts."
    )
    payment: Literal["monthly", "upfront"] = assumed(
        "monthly", "When it is paid.", extra=named(monthly="Monthly", upfront="All at the start")
    )
    unit: Name | None = blank(
        "Resource that it is of, by what it is counted in.", extra=when_empty("the first")
    )
    others_count: tuple[Capacity, ...] = preset(
        (), "Of the first resource: what a committed unit has of each other, in their order.",
        max_length=3, extra=when_empty("nothing"),
    )  # fmt: skip


class Instance(Params):
    """A rented machine that has some of several resources."""

    name: Name
    usd_per_h: UsdPerUnitH = Field(title="Price")
    count: Capacity = Field(description="Units of the first resource in it.")
    others_count: tuple[Capacity, ...] = preset(
        (), "Units of each other resource in it, in their order.", max_length=3,
        extra=when_empty("nothing"),
    )  # fmt: skip


class OnDemand(Params):
    """Capacity rented by the hour."""

    usd_per_unit_h: UsdPerUnitH = assumed(
        0.048, "Price of a unit for an hour.", source=_CASE, title="Price"
    )
    price_change: YearlyChange = preset(
        FixedChange(), "Change of the rented prices each year, spot included."
    )
    most_count: Capacity | None = blank("Most that can be rented at a time.",
                                        extra=when_empty("no limit"))  # fmt: skip
    idle_count: Capacity = assumed(
        0.0, "Units that are paid beside those in use in each hour in which any is rented: "
        "what of whole instances is not filled, and spare ones.", source=_CASE,
    )  # fmt: skip
    instances: tuple[Instance, ...] = preset(
        (), "With several resources: instances that have some of each, beside units rented "
        "by themselves.", max_length=8,
    )  # fmt: skip


class Spot(Params):
    """Capacity rented by the hour that may be taken back."""

    usd_per_unit_h: UsdPerUnitH = Field(title="Price")
    share_fraction: Fraction = Field(description="Most of an hour's demand that may run on it.")
    repeated_fraction: Fraction = assumed(
        0.05, "Work that is done again after interruptions, as a share of it."
    )


class HeldMachines(Params):
    """Machines that are there already."""

    name: Name
    count: CountFromOne
    capacity_count: PositiveCapacity = Field(description="Units of demand in one.")
    usable_fraction: PositiveFraction = assumed(0.7, "Share of it that may be busy.")
    others_count: tuple[Capacity, ...] = preset(
        (), "What one carries of each other resource, in their order.", max_length=3,
        extra=when_empty("nothing"),
    )  # fmt: skip
    upkeep_usd_per_month: UsdPerMonth = Field(description="Of one.")
    until_month: Months = Field(description="Month in which they are taken out.")
    power_kw: PowerKw | None = blank("What one takes of a site's power.")
    rack_units_count: Count | None = blank("What one takes of a site's racks.")


class HeldCommitment(Params):
    """A commitment that runs already: it is owed whatever is decided."""

    name: Name
    committed_count: Capacity
    others_count: tuple[Capacity, ...] = preset(
        (), "What a unit of it has of each other resource, in their order.", max_length=3,
        extra=when_empty("nothing"),
    )  # fmt: skip
    usd_per_unit_h: UsdPerUnitH = Field(title="Price")
    until_month: Months = Field(description="First month without it.")


class SiteLimit(Params):
    """What a site holds, from a month on until the next limit."""

    from_month: Month = assumed(0, "First month of this limit.")
    machines_count: Count | None = blank("Most machines.", extra=when_empty("no limit"))
    power_kw: PowerKw | None = blank("Most power.", extra=when_empty("no limit"))
    rack_units_count: Count | None = blank("Most rack units.", extra=when_empty("no limit"))


class Review(Params):
    """A month in which what is ordered from then on may follow what was learnt."""

    month: Annotated[Whole, of_unit("months", ge=0, lt=MONTHS_MAX)]
    reveals: Literal["observed", "everything"] = assumed(
        "observed",
        "Demand as it was in the three months before, or which scenario it is.",
        extra=named(observed="Demand until then", everything="The scenario"),
    )
    groups_count: Annotated[Whole, of_unit("count", ge=2, le=10)] = assumed(
        3, "Courses that are told apart by then.", extra=shown_when(reveals=("observed",))
    )


class PlacedOrder(Params):
    """Machines that were ordered in a month that has passed."""

    machine: Name
    month: Month = Field(title="Ordered in", description="Month of the plan, 0 being its first.")
    ordered_count: CountFromOne


class PlacedCommitment(Params):
    """A commitment that was started in a month that has passed."""

    commitment: Name
    month: Month = Field(title="Started in", description="Month of the plan, 0 being its first.")
    committed_count: Capacity


class Opening(Params):
    """What is paid beside a plan whose first own machine arrives in one month."""

    month: Month = Field(description="In which the first own machine arrives.")
    usd: tuple[SignedUsd, ...] = Field(
        max_length=MONTHS_MAX, description="In this month and in each one after it."
    )


class Beside(Params):
    """What is paid beside what is ordered, committed and rented: people, storage, moves."""

    rented_usd: tuple[SignedUsd, ...] = Field(
        max_length=MONTHS_MAX, description="In each month in which nothing is owned yet."
    )
    owned_usd: tuple[SignedUsd, ...] = Field(
        max_length=MONTHS_MAX, description="In each month from the first own machine on."
    )
    opening_usd: SignedUsd = assumed(
        0.0, "Once, with the first own machine: the move, racks, spare machines."
    )
    openings: tuple[Opening, ...] = preset(
        (), "Where the first own machine arrives in one of these months, in place of both.",
        max_length=MONTHS_MAX, exclude_if=lambda given: not given,
    )  # fmt: skip


class PurchasePlanParams(Params):
    """A horizon, a demand that is not known for sure, and every way to carry it."""

    model_config = in_groups({
        "Demand": ("months_count", "first_month", "demand", "scenarios_count"),
        "To own": ("machines", "held_machines", "site_limits", "budget_usd", "end",
                   "beside"),
        "To rent": ("on_demand", "spot", "commitments", "held_commitments",
                    "unmet_usd_per_unit_h"),
        "Decisions": ("reviews", "discount_fraction_per_year", "gap_fraction", "limit_s"),
        "What happened": ("actual_mean_count", "placed_orders", "placed_commitments"),
        "Amounts": ("currency",),
    })  # fmt: skip

    months_count: Annotated[Whole, of_unit("months", ge=1, le=MONTHS_MAX)] = assumed(
        36, "Months planned for.", source=_CASE, title="Horizon"
    )
    first_month: Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])$")] | None = blank(
        "Calendar month in which the plan begins, as 2027-01.", extra=when_empty("counted from 0")
    )
    demand: Demand = preset(Demand(), "What has to be carried.")
    scenarios_count: Annotated[Whole, of_unit("count", ge=1, le=SCENARIOS_MAX)] = assumed(
        500, "Scenarios drawn where what is unknown cannot be counted out.", title="Scenarios"
    )
    machines: tuple[MachineType, ...] = preset(
        (MachineType(),), "Machines that can be ordered.", max_length=6
    )
    held_machines: tuple[HeldMachines, ...] = preset((), "Machines there now.", max_length=50)
    site_limits: tuple[SiteLimit, ...] = preset((), "What the site holds.", max_length=20)
    budget_usd: tuple[Usd, ...] = preset(
        (), "Most paid for machines in each year of the plan.", max_length=10,
        extra=when_empty("no limit"),
    )  # fmt: skip
    end: Literal["stops", "continues"] = assumed(
        "stops",
        "Work that stops leaves machines to be sold; of work that continues, each machine is "
        "charged for the months used, by its annuity.",
        extra=named(stops="Work stops", continues="Work continues"),
    )
    beside: Beside | None = blank(
        "What is paid whatever is ordered, and what owning at all changes of it.",
        title="Other costs", extra=when_empty("none"),
    )  # fmt: skip
    on_demand: OnDemand | None = preset(OnDemand(), "Renting by the hour.")
    spot: Spot | None = blank("Renting by the hour what may be taken back.")
    commitments: tuple[Commitment, ...] = preset(
        (
            Commitment(name="1 year", term_months=12, discount_fraction=0.3),
            Commitment(name="3 years", term_months=36, discount_fraction=0.5),
        ),
        "Commitments that can be started, in any month from which they end inside the horizon.",
        max_length=6,
    )
    held_commitments: tuple[HeldCommitment, ...] = preset(
        (), "Commitments that run.", max_length=50
    )
    unmet_usd_per_unit_h: UsdPerUnitH | None = blank(
        "What demand that is left unmet costs.", title="Unmet demand",
        extra=when_empty("not allowed"),
    )  # fmt: skip
    reviews: tuple[Review, ...] = preset(
        (Review(month=12, reveals="everything"),),
        "When the plan is decided again.", max_length=12,
    )  # fmt: skip
    actual_mean_count: tuple[Capacity, ...] = preset(
        (), "Mean demand of each month that has passed, from the plan's first on. The plan is made "
        "from the month after; demand grows on from the last. Steps that came are in it.",
        title="Demand as it was", max_length=MONTHS_MAX, extra=when_empty("none has passed"),
    )  # fmt: skip
    placed_orders: tuple[PlacedOrder, ...] = preset(
        (), "What was ordered in the months that have passed. It stays as it is.",
        max_length=200, extra=AS_TABLE,
    )  # fmt: skip
    placed_commitments: tuple[PlacedCommitment, ...] = preset(
        (), "What was committed to in them.", max_length=200, extra=AS_TABLE,
    )  # fmt: skip
    discount_fraction_per_year: GrowthFractionPerYear = assumed(
        0.08, "What money costs.", source=_CASE, title="Discount rate"
    )
    gap_fraction: GapFraction = assumed(
        1e-6, "How far from the best possible the plan may be.", title="Gap allowed"
    )
    limit_s: LimitS = assumed(
        600.0, "Time for the search, after which the plan has the gap proved so far."
    )
    currency: Currency = preset(Currency(), "What amounts are written in.")

    @field_validator("machines", "commitments", "held_machines")
    @classmethod
    def _names(cls, named_: tuple[MachineType, ...]) -> tuple[MachineType, ...]:
        seen: set[str] = set()
        for place, each in enumerate(named_):
            if each.name in seen:
                sentence = f"{each.name!r} is there twice."
                raise refusal("duplicate", sentence, at=(place, "name"))
            seen.add(each.name)
        return named_

    @field_validator("demand")
    @classmethod
    def _long_enough(cls, demand: Demand, info: ValidationInfo) -> Demand:
        months = info.data.get("months_count", 0)
        if isinstance(demand.level, EnteredLevel):
            for place, path in enumerate(demand.level.paths):
                if len(path.mean_count) < months:
                    raise refusal(
                        "too_short",
                        f"{path.name!r} has {len(path.mean_count)} months of {months}.",
                        at=("level", "paths", place, "mean_count"),
                    )
        return demand

    @field_validator("beside")
    @classmethod
    def _each_month(cls, beside: Beside | None, info: ValidationInfo) -> Beside | None:
        months = info.data.get("months_count", 0)
        for name in ("rented_usd", "owned_usd") if beside is not None else ():
            known = len(getattr(beside, name))
            if known < months:
                raise refusal("too_short", f"{known} months of {months} are known.", at=(name,))
        for place, one in enumerate(beside.openings if beside is not None else ()):
            if (known := one.month + len(one.usd)) < months:
                raise refusal(
                    "too_short", f"{known} months of {months} are known.",
                    at=("openings", place, "usd"),
                )  # fmt: skip
        return beside

    @field_validator("site_limits")
    @classmethod
    def _measured(
        cls, limits: tuple[SiteLimit, ...], info: ValidationInfo
    ) -> tuple[SiteLimit, ...]:
        machines = [*info.data.get("machines", ()), *info.data.get("held_machines", ())]
        for part, what in (("power_kw", "power"), ("rack_units_count", "rack units")):
            if any(getattr(limit, part) is not None for limit in limits):
                for machine in machines:
                    if getattr(machine, part) is None:
                        raise refusal(
                            "missing", f"A limit of {what} needs the {what} of {machine.name!r}."
                        )
        return limits

    @field_validator("reviews")
    @classmethod
    def _ascending(cls, reviews: tuple[Review, ...]) -> tuple[Review, ...]:
        months = [review.month for review in reviews]
        if months != sorted(set(months)):
            raise refusal("not_in_order", "Enter reviews in the order of their months.")
        return reviews

    @property
    def units(self) -> tuple[str, ...]:
        """What each resource is counted in, the first one first."""
        return (self.demand.unit, *(each.unit for each in self.demand.others))

    @property
    def today(self) -> int:
        """First month that has not passed."""
        return len(self.actual_mean_count)

    @model_validator(mode="after")
    def _happened(self) -> PurchasePlanParams:
        """Hold what was placed to what there is, to the months that have passed and the horizon."""
        if self.today >= self.months_count:
            sentence = "All months of the plan have passed. Plan further ahead."
            raise refusal("out_of_range", sentence, at=("actual_mean_count",))
        leads = {machine.name: machine.lead_months + 1 for machine in self.machines}
        terms = {term.name: term.term_months for term in self.commitments}
        placed = [
            *((("placed_orders", place, "machine"), each.machine, each.month, leads)
              for place, each in enumerate(self.placed_orders)),
            *((("placed_commitments", place, "commitment"), each.commitment, each.month, terms)
              for place, each in enumerate(self.placed_commitments)),
        ]  # fmt: skip
        for at, name, month, known in placed:
            if name not in known:
                raise refusal("not_a_choice", f"Nothing to choose is called {name!r}.", at=at)
            if month >= self.today:
                sentence = f"Month {month} has not passed. Enter at most {self.today - 1}."
                raise refusal("out_of_range", sentence, at=(*at[:2], "month"))
            if month + known[name] > self.months_count:
                sentence = f"{name!r} of month {month} goes beyond the horizon."
                raise refusal("out_of_range", sentence, at=(*at[:2], "month"))
        return self

    @model_validator(mode="after")
    def _several(self) -> PurchasePlanParams:
        """Hold what is said of other resources to those that there are."""
        others, rent = self.demand.others, self.on_demand
        instances = () if rent is None else rent.instances
        counted: list[tuple[str, Sequence[Any]]] = [
            ("machines", self.machines), ("held_machines", self.held_machines),
            ("on_demand", instances), ("commitments", self.commitments),
            ("held_commitments", self.held_commitments),
        ]  # fmt: skip
        for field, each in ((field, one) for field, many in counted for one in many):
            if len(each.others_count) > len(others):
                sentence = f"{each.name!r} has more resources than demand. Add them there."
                raise refusal("out_of_range", sentence, at=(field,))
        for place, term in enumerate(self.commitments):
            at = ("commitments", place, "unit")
            if term.unit is not None and term.unit not in self.units:
                raise refusal("not_a_choice", f"No demand is counted in {term.unit!r}.", at=at)
            other = next((each for each in others if each.unit == term.unit), None)
            if other is not None and other.usd_per_unit_h is None:
                sentence = f"{other.unit!r} has no price of its own that a term could be below."
                raise refusal("missing", sentence, at=at)
            if term.others_count and term.unit not in {None, self.demand.unit}:
                sentence = "Only what is committed of the first resource has others with it."
                raise refusal("not_alike", sentence, at=("commitments", place, "others_count"))
        if not others:
            return self
        refused = {"spot": self.spot, "on_demand": None if rent is None else rent.most_count}
        for field, value in refused.items():
            if value is not None:
                sentence = "It is planned for one resource only. Leave it, or other resources, out."
                raise refusal("not_alike", sentence, at=(field,))
        return self._several_priced()

    def _several_priced(self) -> PurchasePlanParams:
        """Hold other resources to what is known of the months that have passed, and to prices."""
        rent = self.on_demand
        instances = () if rent is None else rent.instances
        for place, other in enumerate(self.demand.others):
            known = len(other.actual_mean_count)
            if known != self.today:
                sentence = f"{known} months of {other.unit!r} are known, {self.today} have passed."
                at = ("demand", "others", place, "actual_mean_count")
                raise refusal("not_alike", sentence, at=at)
            has = (len(each.others_count) > place and each.others_count[place] > 0
                   for each in instances)  # fmt: skip
            if not any(has) and other.usd_per_unit_h is None and other.unmet_usd_per_unit_h is None:
                sentence = f"{other.unit!r} needs a price to rent it at, or for leaving it unmet."
                raise refusal("missing", sentence, at=("demand", "others", place))
        if rent is None and self.unmet_usd_per_unit_h is None:
            sentence = "Several resources need a price to rent at, or for leaving demand unmet."
            raise refusal("missing", sentence, at=("unmet_usd_per_unit_h",))
        return self

    @model_validator(mode="after")
    def _whole_instances(self) -> PurchasePlanParams:
        """Hold units that are idle to demand that is rented on demand alone."""
        rent = self.on_demand
        if rent is None or rent.idle_count <= 0:
            return self
        if rent.most_count is not None or self.spot is not None:
            sentence = (
                "Units beside those in use are planned for without spot and without a limit. "
                "Enter 0."
            )
            raise refusal("not_alike", sentence, at=("on_demand", "idle_count"))
        return self

    @model_validator(mode="after")
    def _some_way(self) -> PurchasePlanParams:
        if self.on_demand is None and (self.commitments or self.spot is not None):
            raise refusal(
                "missing", "Commitments and spot need on-demand prices. Enter them, or leave both."
            )
        return self
