"""What is true for all designs of a study: time, money, electricity, carbon."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import Field, StringConstraints, model_validator

from capmodels import numbers
from capmodels.forms import named
from capmodels.plans.document.bounded import (
    CarbonGco2ePerKwh,
    UsdPerH,
    UsdPerKwh,
    UsdPerKwMonth,
)
from capmodels.plans.document.choices import CHOICES_MOST, Choice
from capmodels.plans.document.correlations import Correlation
from capmodels.plans.document.fields import (
    BelowOne,
    ChangeFraction,
    Finding,
    Horizon,
    IsoDate,
    MonthsFromOne,
    Name,
    Note,
    PositiveFraction,
    PositiveRatio,
    RateFraction,
    UsdPerFteYear,
    UsdPerTonne,
    refuse,
    spread_findings,
    unused,
)
from capmodels.plans.document.tariffed import TariffElectricity
from capmodels.spec import Params, assumed, blank, default, derived, preset, recalled
from capmodels.units import (
    HOURS_PER_LEAP_YEAR,
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    DurationH,
    Fraction,
    Pue,
    Real,
    Usd,
    Whole,
    of_unit,
)

CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


class Currency(Params):
    """The currency that amounts are shown in; prices are entered in US dollars."""

    code: CurrencyCode = assumed("USD", source="Price lists are in US dollars", title="Currency")
    per_usd: PositiveRatio = assumed(
        1.0,
        "How many units of the currency one US dollar buys.",
        source="US dollars",
        title="Units per US dollar",
    )
    as_of: IsoDate | None = Field(default=None, title="Date of the rate")
    paid_ratio: PositiveRatio = assumed(
        1.0,
        "What is rented is invoiced in US dollars: their rate when it is paid over the rate above, "
        "at which all was entered. Give it a range to ask how sure.",
        source="The rate stays as entered",
        title="Rate when paid",
    )

    @property
    def shown(self) -> numbers.Currency:
        """What amounts are written in."""
        return numbers.Currency(self.code, self.per_usd)

    @model_validator(mode="after")
    def _dated(self) -> Currency:
        if self.code == "USD" and self.per_usd != 1.0:
            sentence = f"One US dollar is one US dollar, not {self.per_usd:g}. Enter 1."
            refuse([Finding(("per_usd",), "not_one", sentence, self.per_usd)])
        if self.code != "USD" and self.as_of is None:
            sentence = f"The rate to {self.code} has no date. Enter the day it was taken."
            refuse([Finding(("as_of",), "needed", sentence)])
        return self


class FlatElectricity(Params):
    """One price at all hours."""

    kind: Literal["flat"] = "flat"
    usd_per_kwh: UsdPerKwh = default(
        0.1301,
        source="Commercial price of electricity, United States",
        as_of="2026-07-20",
        low=0.08,
        high=0.18,
        title="Price",
    )


class Tariff(Params):
    """A price for some hours of the day."""

    name: Name
    days: Literal["all", "weekdays", "weekend"] = "all"
    from_h: Annotated[Whole, of_unit("h", ge=0, le=23)] = Field(
        description="Hour of the day at which it starts."
    )
    to_h: Annotated[Whole, of_unit("h", ge=1, le=24)] = Field(
        description="Hour of the day before which it ends."
    )
    usd_per_kwh: UsdPerKwh = Field(title="Price")

    @model_validator(mode="after")
    def _some_hours(self) -> Tariff:
        if self.to_h <= self.from_h:
            sentence = (
                f"The tariff ends at {self.to_h}:00, not after its start at {self.from_h}:00. "
                f"Enter at least {self.from_h + 1}."
            )
            refuse([Finding(("to_h",), "ends_before_start", sentence, self.to_h)])
        return self


class TimeOfUseElectricity(Params):
    """Prices by hour of the day; the last tariff that covers an hour holds."""

    kind: Literal["time_of_use"]
    base_usd_per_kwh: UsdPerKwh = Field(
        title="Base price", description="Price of the hours that no tariff covers."
    )
    tariffs: tuple[Tariff, ...] = Field(min_length=1, max_length=12)
    scale_ratio: PositiveRatio = assumed(
        1.0,
        "All prices times this ratio; give it a range to ask how sure.",
        source="Prices as entered",
        title="Level",
    )


class HourlyElectricity(Params):
    """A price for every hour of a day, a week or a year; prices may be negative."""

    kind: Literal["hourly"]
    usd_per_kwh: tuple[UsdPerKwh, ...] = Field(
        title="Hourly prices",
        description="One price per hour for whole days, starting with the first hour of the "
        "demand shape.",
        min_length=24,
        max_length=8784,
    )
    scale_ratio: PositiveRatio = assumed(
        1.0,
        "All prices times this ratio; give it a range to ask how sure.",
        source="Prices as entered",
        title="Level",
    )

    @model_validator(mode="after")
    def _whole_days(self) -> HourlyElectricity:
        count = len(self.usd_per_kwh)
        if count % 24:
            sentence = f"The series has {count:,} prices, which is not whole days."
            refuse([Finding(("usd_per_kwh",), "not_whole_days", sentence)])
        return self


Electricity = Annotated[
    FlatElectricity | TimeOfUseElectricity | HourlyElectricity | TariffElectricity,
    Field(discriminator="kind"),
]


class Carbon(Params):
    """Carbon intensity of electricity; every factor has a year, a basis and a zone."""

    gco2e_per_kwh: CarbonGco2ePerKwh | None = assumed(
        None,
        "Emissions per kWh of the zone's electricity. Empty: carbon stays unknown.",
        source="Unknown until a zone is chosen",
        title="Carbon intensity",
    )
    low_gco2e_per_kwh: CarbonGco2ePerKwh | None = Field(default=None, title="Lowest estimate")
    high_gco2e_per_kwh: CarbonGco2ePerKwh | None = Field(default=None, title="Highest estimate")
    hourly_ratio: tuple[PositiveRatio, ...] | None = blank(
        "Intensity of each hour relative to the mean, for whole days.",
        title="Hour by hour",
        min_length=24,
        max_length=8784,
    )
    year: Annotated[Whole, Field(ge=1990, le=2100)] | None = blank(
        "Year that the factor is of.", extra={"unit": "calendar year"}
    )
    zone: Name | None = blank("Grid zone of the factor.")
    basis: Literal[
        "direct_average", "life_cycle_average", "direct_marginal", "life_cycle_marginal"
    ] = preset(
        "direct_average", "Emissions at the stack or over the life cycle; average or marginal."
    )
    usd_per_t: UsdPerTonne = unused(
        "Carbon price", "Internal price of carbon, added to the cost of every design."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Carbon:
        ends = (self.low_gco2e_per_kwh, self.gco2e_per_kwh, self.high_gco2e_per_kwh)
        findings = spread_findings("gco2e_per_kwh", ends, "the intensity", "g CO2e/kWh")
        if self.hourly_ratio is not None and len(self.hourly_ratio) % 24:
            sentence = f"The series has {len(self.hourly_ratio):,} hours, which is not whole days."
            findings.append(Finding(("hourly_ratio",), "not_whole_days", sentence))
        refuse(findings)
        return self


def _change(title: str, *, low: float = -0.05, high: float = 0.05) -> Any:
    return default(
        0.0,
        f"Change a year of the price of {title[0].lower()}{title[1:]}.",
        source="EC2 list prices 2023-2026: 729 of 741 types unchanged"
        if title.startswith("Cloud")
        else "Prices as of the start",
        as_of="2026-07-20" if title.startswith("Cloud") else None,
        quality="derived" if title.startswith("Cloud") else "assumed",
        low=low,
        high=high,
        title=title,
    )


def _rise(title: str, value: float, source: str, *, low: float, high: float) -> Any:
    """A price that rises; as the catalogue has it where it has one."""
    return recalled(
        value,
        f"Change a year of the price of {title[0].lower()}{title[1:]}.",
        source=source,
        as_of="2025-12-01",
        low=low,
        high=high,
        title=title,
    )


class PriceChanges(Params):
    """Change of prices a year after the start, by component."""

    cpu_fraction_per_year: ChangeFraction = _change("CPUs", low=-0.1, high=0.1)
    dram_fraction_per_year: ChangeFraction = _change("Memory modules", low=-0.4, high=0.4)
    ssd_fraction_per_year: ChangeFraction = _change("Flash drives", low=-0.4, high=0.4)
    hdd_fraction_per_year: ChangeFraction = _change("Hard disks", low=-0.2, high=0.2)
    gpu_fraction_per_year: ChangeFraction = _change("GPUs", low=-0.3, high=0.3)
    chassis_fraction_per_year: ChangeFraction = _change("Chassis and boards")
    network_fraction_per_year: ChangeFraction = _change("Network equipment")
    server_fraction_per_year: ChangeFraction = _change("Whole servers", low=-0.3, high=0.3)
    facility_fraction_per_year: ChangeFraction = _change("Racks and power equipment")
    other_fraction_per_year: ChangeFraction = _change("Other equipment")
    instances_fraction_per_year: ChangeFraction = _change("Cloud instances")
    storage_fraction_per_year: ChangeFraction = _change("Cloud storage")
    transfer_fraction_per_year: ChangeFraction = _change("Cloud transfer")
    services_fraction_per_year: ChangeFraction = _change("Other services")
    staff_fraction_per_year: ChangeFraction = _rise(
        "Staff", 0.03, "Catalogue: growth of pay", low=0.02, high=0.04
    )
    software_fraction_per_year: ChangeFraction = _rise(
        "Software", 0.025, "As prices in general", low=0.0, high=0.05
    )
    space_fraction_per_year: ChangeFraction = _rise(
        "Space and network access", 0.025, "As prices in general", low=0.0, high=0.05
    )
    electricity_fraction_per_year: ChangeFraction = _rise(
        "Electricity", 0.03, "Catalogue: growth of electricity prices", low=-0.02, high=0.08
    )


class Downtime(Params):
    """What may be down, for how long, and what an hour of it costs.

    Failures on their own, of sites and machines; not those of software, of operators, or of many
    machines by one fault.
    """

    usd_per_h: UsdPerH = unused(
        "Cost of an hour down",
        "What it costs that the work does not run: sales, wages, penalties. Counted in every "
        "design for the hours that it is down.",
    )
    site_up_fraction: PositiveFraction = recalled(
        0.9998,
        "Share of the time for which an own site has power, cooling and network.",
        source="Uptime Institute, Tier Classifications Define Site Infrastructure Performance: "
        "sites of Tier III as operated; Tier II 0.9975, Tier IV 0.9999",
        as_of="2006-01-01",
        title="Availability of a site",
    )
    machine_afr_fraction: BelowOne = assumed(
        0.05,
        "Share of machines that fail in a year, owned or beneath what is rented.",
        source="No published rate of whole servers was found; drives alone fail at 1 to 2%",
        title="Machines that fail in a year",
    )
    repair_h: DurationH = assumed(
        24.0,
        "From the failure of an own machine until it, or a new one, works.",
        source="Service on the next day",
        title="Repair of an own machine",
    )
    recovery_h: DurationH = assumed(
        0.25,
        "From the failure of a rented machine until another has its work.",
        source="A machine is started elsewhere within minutes",
        title="Recovery of a rented machine",
    )


class Depreciation(Params):
    """How the books spread what was bought."""

    method: Literal["straight_line", "macrs_5"] = assumed("straight_line", source="Common practice")
    life_months: MonthsFromOne = default(
        60,
        "Used by straight line; the MACRS class has its own six years.",
        source="Server lives of 3-5 years",
        title="Life in the books",
    )
    bonus_fraction: Fraction = unused(
        "First-year bonus",
        "Share of the price that is written off in the year of purchase, before the method. "
        "United States: 1 for what was acquired after 19 January 2025 (26 U.S.C. 168(k)).",
    )


class Tax(Params):
    """Income tax, which costs lower; off unless asked for."""

    counted: bool = assumed(False, source="Comparisons before tax are common", title="Count tax")
    rate_fraction: BelowOne = default(
        0.21,
        "Tax saved per dollar of cost or depreciation.",
        source="US federal corporate income tax, 26 U.S.C. section 11",
        as_of="2018-01-01",
        title="Tax rate",
    )


MonthName = Literal[
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip
MONTH_NAMES: tuple[MonthName, ...] = get_args(MonthName)


class Budget(Params):
    """What may be spent in a fiscal year."""

    year: Annotated[Whole, Field(ge=1, le=2200)] = Field(
        title="Fiscal year",
        description="The calendar year in which it ends; 1, 2, ... in a study without a start.",
        json_schema_extra={"unit": "calendar year"},
    )
    usd: Usd = Field(title="Budget", description="Capital and operating expenditure together.")


class Books(Params):
    """How the statements by fiscal year are drawn up; what a design costs does not depend on it."""

    year_starts_in: MonthName = assumed(
        "january",
        "First month of a fiscal year; used where the study has a start.",
        source="The calendar year",
        title="Fiscal year starts in",
    )
    standard: Literal["ifrs_16", "asc_842"] = assumed(
        "ifrs_16",
        "ifrs_16: every lease is an asset and a liability, its cost depreciation and interest. "
        "asc_842: so are leases that end in a purchase; others are level operating costs.",
        source="IFRS 16 holds in most countries; ASC 842 in the United States",
        title="Leases are shown by",
        extra=named(ifrs_16="IFRS 16", asc_842="ASC 842"),
    )
    budgets: tuple[Budget, ...] = preset(
        (), "What may be spent by fiscal year.", title="Budgets", max_length=20
    )

    @model_validator(mode="after")
    def _once(self) -> Books:
        years = [budget.year for budget in self.budgets]
        for at, year in enumerate(years):
            if year in years[:at]:
                sentence = f"Fiscal year {year} has two budgets. Enter one."
                refuse([Finding(("budgets", at, "year"), "twice", sentence, year)])
        return self


class Accepted(Params):
    """A finding of the like-for-like check that stays as it is, and why."""

    finding: Name = Field(description="Its key: the number of its rule, and its field.")
    because: Note = Field(title="Accepted, because", min_length=1)


class Assumptions(Params):
    """What holds for all designs of the study."""

    horizon_months: Horizon = assumed(36, source="A server's usual life in the books")
    discount_fraction_per_year: RateFraction = assumed(
        0.08,
        "Cost of money a year; payments are discounted month by month.",
        source="Cost of capital of companies, 5-12%",
        low=0.05,
        high=0.12,
        title="Discount rate",
    )
    discount_basis: Literal["nominal", "real"] = assumed(
        "nominal",
        "nominal: as banks and shareholders ask it, inflation in it. real: above "
        "inflation, which is put on top of it, since prices are entered as they will be paid.",
        source="A weighted cost of capital is nominal, as prices and wages are",
        title="Discount rate is",
    )
    inflation_fraction_per_year: RateFraction = recalled(
        0.025,
        "General rise of prices a year; used where the discount rate is real.",
        source="Consumer prices, United States, 2025 and outlook",
        as_of="2026-07-01",
        low=0.015,
        high=0.035,
        title="Inflation",
    )
    ranked_by: Literal["cash", "present_value"] = assumed(
        "present_value",
        "Whether the cheapest design is that with the lowest present value of "
        "its payments or the lowest sum of them.",
        source="Money later is worth less than money now",
    )
    starts_on: IsoDate | None = blank("First day of month 1.", title="Start")
    hours_per_year: Annotated[Real, of_unit("h/yr")] = derived(
        HOURS_PER_YEAR,
        "8,760, or 8,784 for a leap year.",
        source="365 days",
        title="Hours in a year",
    )
    rounding: Literal["none", "paper"] = assumed(
        "none",
        "paper: yearly amounts to the nearest $1,000, as Free Factories prints them.",
        source="Amounts are not rounded",
    )
    currency: Currency = Currency()
    staff_usd_per_fte_year: UsdPerFteYear = derived(
        135_000.0,
        "Loaded cost of one full-time person a year.",
        source="Pay of system administrators ($96,800, US median) x 1.4 for what comes on top",
        as_of="2024-05-01",
        low=110_000.0,
        high=180_000.0,
        title="Cost of a person",
    )
    price_changes: PriceChanges = PriceChanges()
    electricity: Electricity = FlatElectricity()
    demand_charge_usd_per_kw_month: UsdPerKwMonth = unused(
        "Demand charge", "Price per kW of the month's highest draw, cooling included."
    )
    pue: Pue = assumed(
        1.4,
        "Energy of the site over energy of its computers.",
        source="Uptime Institute survey 2025 has 1.54 on average; a newer colocation",
        as_of="2025-07-01",
        low=1.2,
        high=1.6,
    )
    carbon: Carbon = Carbon()
    downtime: Downtime = Downtime()
    depreciation: Depreciation = Depreciation()
    books: Books = Books()
    tax: Tax = Tax()
    end: Literal["work_continues", "work_stops"] = assumed(
        "work_continues",
        "work_continues: each design is charged for the service inside the horizon, "
        "hardware by its annuity over its life, payments in advance by the months used. "
        "work_stops: hardware is sold less its disposal; commitments, leases and colocation "
        "terms are owed in full.",
        source="One convention for all designs, charged for what they use",
        title="At the end of the horizon",
        extra=named(work_continues="Work continues", work_stops="Work stops"),
    )
    ordering_interval: Literal["month", "quarter", "half_year", "year"] = assumed(
        "quarter",
        "Time from one order of own machines to the next, each for what is needed until the one "
        "after it. Demand is looked at as often. With orders by the quarter 1.02, 1.05 and 1.09 "
        "times what is needed stands there at a growth of 20, 50 and 100% a year; by the year "
        "1.10, 1.22 and 1.39 times.",
        source="Budgets are reviewed by the quarter",
        title="Machines are ordered every",
    )
    until_delivery: Literal["not_settled", "bridged", "waits"] = assumed(
        "not_settled",
        "Of own machines with a lead time. bridged: the work is moved, or begins on rented ones; "
        "the current site is paid for until delivery, own machines cost from then on. waits: new "
        "work begins when they are there, in all designs alike. not_settled: both are paid for.",
        source="Asked: whether the work is new or moved",
        title="Until machines are delivered",
    )
    foresight: bool = assumed(
        False,
        "Size every simulation to its own demand, as if it had been known. Off: what "
        "is bought or committed at the start is one choice, and what follows is by what was "
        "observed before.",
        source="Nobody knows the demand when they buy",
        title="Perfect foresight",
    )
    correlations: tuple[Correlation, ...] = preset(
        (), "Which unknowns rise together. Those without an entry are independent.", max_length=32
    )
    choices: tuple[Choice, ...] = preset(
        (),
        "Inputs that may turn out otherwise, with odds: the end, one site or two, an exit. Each "
        "combination of alternatives is computed in its share of the simulations.",
        title="Alternatives with odds",
        max_length=CHOICES_MOST,
    )
    accepted: tuple[Accepted, ...] = preset(
        (),
        "Findings of the like-for-like check that stay as they are.",
        title="Accepted findings",
        max_length=64,
    )
    note: Note | None = None

    @property
    def nominal_discount_fraction_per_year(self) -> float:
        """Rate by which payments are discounted, inflation in it (Fisher)."""
        rate = self.discount_fraction_per_year
        if self.discount_basis == "nominal":
            return rate
        return (1.0 + rate) * (1.0 + self.inflation_fraction_per_year) - 1.0

    @property
    def fiscal_start(self) -> tuple[int, int]:
        """Months of the first fiscal year before the start, and the year's name.

        It is named by the calendar year in which it ends; without a start years count from month 1.
        """
        if self.starts_on is None:
            return 0, 1
        year, month = int(self.starts_on[:4]), int(self.starts_on[5:7])
        begins = 1 + MONTH_NAMES.index(self.books.year_starts_in)
        return (month - begins) % MONTHS_PER_YEAR, year + (1 if 1 < begins <= month else 0)

    @property
    def fiscal_years(self) -> range:
        """Fiscal years that the horizon touches."""
        before, first = self.fiscal_start
        return range(first, first - (-(self.horizon_months + before) // MONTHS_PER_YEAR))

    @model_validator(mode="after")
    def _a_year(self) -> Assumptions:
        if self.hours_per_year not in {HOURS_PER_YEAR, HOURS_PER_LEAP_YEAR}:
            sentence = (
                f"A year has 8,760 or 8,784 hours, not {self.hours_per_year:,g}. "
                "Enter one of these."
            )
            refuse([Finding(("hours_per_year",), "not_a_year", sentence, self.hours_per_year)])
        return self
