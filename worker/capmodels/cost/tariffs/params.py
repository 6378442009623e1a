"""A utility's tariff and the load that it bills, shaped as the U.S. Utility Rate Database has them.

Fields of the database (OpenEI, REST service "Utility Rates", version 7) that these follow:
``energyratestructure`` with ``energyweekdayschedule`` and ``energyweekendschedule``,
``demandratestructure`` with its two schedules, ``flatdemandstructure`` with ``flatdemandmonths``,
``demandratchetpercentage``, ``lookbackRange``, ``lookbackMonths``, ``fixedchargefirstmeter`` and
``mincharge``. Schedules name a period by its place in the list, from 0, by month and hour.
"""

from __future__ import annotations

from calendar import isleap
from functools import partial
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from capmodels.forms import in_groups
from capmodels.spec import Params, assumed, blank, preset, refusal, refusals
from capmodels.units import Fraction, PowerKw, Ratio, Real, UsdPerKwh, UsdPerMonth, Whole, of_unit

PERIODS_MAX = 60
TIERS_MAX = 20
HOURS_PER_WEEK = 168
_DAY = 24

MonthNumber = Annotated[Whole, of_unit("month", ge=1, le=12)]
PeriodPlace = Annotated[Whole, of_unit("count", ge=0, lt=PERIODS_MAX)]
Months = Annotated[Whole, of_unit("months", ge=0, le=12)]
PositiveKwh = Annotated[Real, of_unit("kWh", gt=0)]
PositiveKw = Annotated[Real, of_unit("kW", gt=0)]
SignedUsdPerKwMonth = Annotated[Real, of_unit("USD/kW-month")]
Name = Annotated[str, Field(max_length=60)]
Row = Annotated[tuple[PeriodPlace, ...], Field(min_length=_DAY, max_length=_DAY)]
_OF_MONTHS = Field(min_length=12, max_length=12)
_BY_HOUR = Field(min_length=_DAY, max_length=8784)
Schedule = Annotated[tuple[Row, ...], _OF_MONTHS]

_NEVER: tuple[tuple[int, ...], ...] = ((0,) * _DAY,) * 12
# From June to September, on weekdays from noon to eight in the evening.
_SUMMER = tuple(
    tuple(int(5 <= month < 9 and 12 <= hour < 20) for hour in range(_DAY)) for month in range(12)
)


class EnergyTier(Params):
    """A price of energy that holds up to an amount of a month."""

    up_to_kwh: PositiveKwh | None = blank(
        "Energy of the month where the tier ends; empty in the last."
    )
    rate_usd_per_kwh: UsdPerKwh = Field(description="Price within the tier.")
    adjustment_usd_per_kwh: UsdPerKwh = assumed(0.0, "Added to the price: fuel, taxes, riders.")

    @property
    def usd_per_kwh(self) -> float:
        """Price and adjustment. [USD/kWh]"""
        return self.rate_usd_per_kwh + self.adjustment_usd_per_kwh


class DemandTier(Params):
    """A charge on power that holds up to a power."""

    up_to_kw: PositiveKw | None = blank("Power where the tier ends; empty in the last.")
    rate_usd_per_kw_month: SignedUsdPerKwMonth = Field(description="Charge within the tier.")
    adjustment_usd_per_kw_month: SignedUsdPerKwMonth = assumed(
        0.0, "Added to the charge: taxes, riders."
    )

    @property
    def usd_per_kw_month(self) -> float:
        """Charge and adjustment. [USD/kW-month]"""
        return self.rate_usd_per_kw_month + self.adjustment_usd_per_kw_month


def _checked(tiers: tuple[Any, ...], bound: str) -> tuple[Any, ...]:
    ends = [getattr(tier, bound) for tier in tiers]
    for index, end in enumerate(ends):
        if (end is None) != (index == len(ends) - 1):
            sentence = "Leave the end empty in the last tier, and only there."
            raise refusal("open_tier", sentence, at=(index, bound))
        if index and end is not None and end <= ends[index - 1]:
            sentence = f"Tiers must rise. Enter more than {ends[index - 1]:g}."
            raise refusal("unsorted_tiers", sentence, at=(index, bound))
    return tiers


def _rising(bound: str) -> AfterValidator:
    return AfterValidator(partial(_checked, bound=bound))


_LISTED = Field(min_length=1, max_length=TIERS_MAX)
_SOME_PERIODS = Field(min_length=1, max_length=PERIODS_MAX)


class EnergyPeriod(Params):
    """Hours whose energy has one price, or one list of tiers."""

    name: Name = preset("", "What the hours are called, such as on-peak.")
    tiers: Annotated[tuple[EnergyTier, ...], _LISTED, _rising("up_to_kwh")] = Field(
        description="Prices by the energy of the month, the first one from nothing on."
    )


class DemandPeriod(Params):
    """Hours or months whose highest power has one charge, or one list of tiers."""

    name: Name = preset("", "What the hours or months are called.")
    tiers: Annotated[tuple[DemandTier, ...], _LISTED, _rising("up_to_kw")] = Field(
        description="Charges by the billed power, the first one from nothing on."
    )


def _schedule(places: tuple[tuple[int, ...], ...], days: str) -> Any:
    return assumed(
        places,
        f"Period of each hour of {days}: a row for each month from January, 24 "
        "places in the list of periods, from 0.",
    )


def _unknown_periods(
    name: str, schedule: tuple[tuple[int, ...], ...], count: int
) -> list[tuple[str, str, tuple[int | str, ...]]]:
    return [
        ("unknown_period", f"There is no period {place}; the last is {count - 1}.", (name, row, at))
        for row, hours in enumerate(schedule)
        for at, place in enumerate(hours)
        if place >= count
    ]


class Scheduled(Params):
    """Periods by month and hour, on weekdays and weekends."""

    weekday_schedule: Schedule = _schedule(_NEVER, "Mondays to Fridays")
    weekend_schedule: Schedule = _schedule(_NEVER, "Saturdays and Sundays")
    periods: tuple[Any, ...] = ()

    @model_validator(mode="after")
    def _known_periods(self) -> Self:
        count = len(self.periods)
        faults = [
            *_unknown_periods("weekday_schedule", self.weekday_schedule, count),
            *_unknown_periods("weekend_schedule", self.weekend_schedule, count),
        ]
        if faults and count:
            raise refusals(faults)
        return self


class EnergyCharges(Scheduled):
    """What energy costs by the time of use, and by its amount."""

    weekday_schedule: Schedule = _schedule(_SUMMER, "Mondays to Fridays")
    periods: Annotated[tuple[EnergyPeriod, ...], _SOME_PERIODS] = assumed(
        (
            EnergyPeriod(name="Off-peak", tiers=(EnergyTier(rate_usd_per_kwh=0.07),)),
            EnergyPeriod(name="Summer on-peak", tiers=(EnergyTier(rate_usd_per_kwh=0.14),)),
        ),
        "Prices of the periods that the schedules name.",
    )
    tiers_fill_with: Literal["period", "month"] = assumed(
        "period",
        "What fills the tiers of a period: its own energy of the month, or that of all hours of "
        "the month before.",
    )


class PeakCharges(Scheduled):
    """What the highest power in hours of a kind costs."""

    periods: Annotated[tuple[DemandPeriod, ...], Field(max_length=PERIODS_MAX)] = preset(
        (),
        "Charges of the periods that the schedules name; none where the tariff has "
        "no demand charge by the time of use.",
    )


class FlatCharges(Params):
    """What a month's highest power costs, whatever its hour, with a ratchet."""

    periods: Annotated[tuple[DemandPeriod, ...], Field(max_length=PERIODS_MAX)] = assumed(
        (DemandPeriod(name="All year", tiers=(DemandTier(rate_usd_per_kw_month=12.0),)),),
        "Charges of the seasons that the months name; none where the tariff has no such charge.",
    )
    seasons_by_months: Annotated[tuple[PeriodPlace, ...], _OF_MONTHS] = assumed(
        (0,) * 12,
        "Place of each month's charge in the list, from January, from 0.",
        validate_default=True,
        title="Season of each month",
    )
    ratchet_fraction: Annotated[tuple[Fraction, ...], _OF_MONTHS] = assumed(
        (0.5,) * 12,
        "Share of the highest power of earlier months below which no month is "
        "billed, from January; 0 where a month has none.",
    )
    lookback_months: Months = assumed(11, "How many months before a month its ratchet looks back.")
    counted_months: Annotated[tuple[MonthNumber, ...], Field(max_length=12)] = assumed(
        tuple(range(1, 13)), "Months whose highest power the ratchet remembers, such as 6 to 9."
    )
    earlier_peaks_kw: Annotated[tuple[PowerKw, ...], Field(max_length=12)] = preset(
        (),
        "Highest power of the months before the year, December last. Left out, "
        "the year before was like this one.",
    )

    @field_validator("seasons_by_months")
    @classmethod
    def _known_seasons(cls, places: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        count = len(info.data.get("periods", ()))
        faults: list[tuple[str, str, tuple[int | str, ...]]] = [
            ("unknown_period", f"There is no season {place}; the last is {count - 1}.", (at,))
            for at, place in enumerate(places)
            if count and place >= count
        ]
        if faults:
            raise refusals(faults)
        return places


class PowerLoad(Params):
    """Power as it was measured or is planned."""

    kind: Literal["power"] = "power"
    hourly_power_kw: Annotated[tuple[PowerKw, ...], _BY_HOUR] = Field(
        description="Power in each hour of a day, of a week from Monday, or of the year from "
        "1 January."
    )

    def hourly_kw(self) -> tuple[float, ...]:
        """Power by the hour. [kW]"""
        return self.hourly_power_kw


class ShapeLoad(Params):
    """A shape, and the power that its highest hour has."""

    kind: Literal["shape"] = "shape"
    hourly_ratio: Annotated[tuple[Ratio, ...], _BY_HOUR] = assumed(
        (0.6,) * 8 + (0.9,) * 2 + (1.0,) * 8 + (0.8,) * 3 + (0.6,) * 3,
        "Load of each hour of a day, of a week from Monday, or of the year, in any measure.",
        title="Shape",
    )
    peak_kw: PowerKw = assumed(1000.0, "Power in the hour of the highest load.")

    @field_validator("hourly_ratio")
    @classmethod
    def _has_a_peak(cls, shape: tuple[float, ...]) -> tuple[float, ...]:
        if max(shape) <= 0:
            raise refusal("no_peak", "Enter a load above 0 in at least one hour.")
        return shape

    def hourly_kw(self) -> tuple[float, ...]:
        """Power by the hour. [kW]"""
        highest = max(self.hourly_ratio)
        return tuple(load / highest * self.peak_kw for load in self.hourly_ratio)


Load = Annotated[PowerLoad | ShapeLoad, Field(discriminator="kind")]
CalendarYear = Annotated[Whole, of_unit("calendar year", ge=1900, le=2200)]


def hours_of(year: int) -> int:
    """Hours of a calendar year. [h]"""
    return 8784 if isleap(year) else 8760


class TariffParams(Params):
    """A year's load by the hour, and the tariff that bills it."""

    model_config = in_groups(
        {
            "Load": ["year", "load"],
            "Tariff": ["energy", "flat_demand", "timed_demand"],
            "Every month": ["fixed_usd_per_month", "least_usd_per_month"],
        }
    )

    year: CalendarYear = assumed(
        2026, "Calendar year: its weekdays, and whether it is a leap year."
    )
    load: Load = preset(ShapeLoad(), "Power by the hour.")
    energy: EnergyCharges = preset(EnergyCharges(), "Prices of energy.")
    flat_demand: FlatCharges = preset(FlatCharges(), "Charge on a month's highest power.")
    timed_demand: PeakCharges = preset(
        PeakCharges(), "Charges on the highest power in hours of a kind."
    )
    fixed_usd_per_month: UsdPerMonth = assumed(250.0, "Charge of every month, such as the meter's.")
    least_usd_per_month: UsdPerMonth = assumed(0.0, "Least that a month costs.")

    @field_validator("load")
    @classmethod
    def _fills_the_year(cls, load: Load, info: ValidationInfo) -> Load:
        values, hours = len(load.hourly_kw()), hours_of(info.data.get("year", 2026))
        if values not in {_DAY, HOURS_PER_WEEK, hours}:
            name = "hourly_power_kw" if isinstance(load, PowerLoad) else "hourly_ratio"
            sentence = f"Enter 24, 168 or {hours:,} values; these are {values:,}."
            raise refusal("wrong_length", sentence, at=(name,))
        return load
