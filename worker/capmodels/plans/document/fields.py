"""Number types and helpers that the parts of a study document share."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, StringConstraints, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from capmodels.plans.document.bounded import MOST_COUNT, MOST_GBIT_PER_S, MOST_PRICE_USD, MOST_W
from capmodels.spec import assumed
from capmodels.units import MONTHS_PER_YEAR, Real, Whole, of_unit

Letter = Annotated[str, StringConstraints(pattern=r"^[A-H]$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
Note = Annotated[str, StringConstraints(max_length=400)]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=160)]


def _a_day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        message = f"There is no day {text}. Enter one, such as 2027-03-31."
        raise ValueError(message) from None
    return text


IsoDate = Annotated[
    str,
    StringConstraints(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"),
    AfterValidator(_a_day),
]
Pointer = Annotated[str, StringConstraints(pattern=r"^/(designs/[A-H]|workload|assumptions)/.+$")]

Component = Literal[
    "cpu", "dram", "ssd", "hdd", "gpu", "chassis", "network", "server", "facility", "other"
]


Cores = Annotated[Real, of_unit("cores", ge=0, le=MOST_COUNT)]
PositiveRam = Annotated[Real, of_unit("GiB", gt=0, le=MOST_COUNT)]
PositiveCores = Annotated[Real, of_unit("cores", gt=0, le=MOST_COUNT)]
# Of one machine, as Pieces.
MachineCores = Annotated[Real, of_unit("cores", ge=0, le=MOST_COUNT, multiple_of=1)]
Amount = Annotated[Real, of_unit("count", ge=0, le=MOST_COUNT)]
# Of what is had whole. It may vary, and its mean be a fraction, so it is no integer.
Pieces = Annotated[Real, of_unit("count", ge=0, le=MOST_COUNT, multiple_of=1)]
PositiveCount = Annotated[Real, of_unit("count", gt=0, le=MOST_COUNT)]
JobsPerDay = Annotated[Real, of_unit("jobs/day", ge=0, le=MOST_COUNT)]
Nodes = Annotated[Whole, of_unit("nodes", ge=0, le=1_000_000)]
NetworkPositive = Annotated[Real, of_unit("Gbit/s", gt=0, le=MOST_GBIT_PER_S)]
Months = Annotated[Whole, of_unit("months", ge=0, le=600)]
MonthsFromOne = Annotated[Whole, of_unit("months", ge=1, le=600)]
Horizon = Annotated[Whole, of_unit("months", ge=1, le=240)]
LifeMonths = Annotated[Real, of_unit("months", ge=1, le=600)]
MonthsReal = Annotated[Real, of_unit("months", ge=0, le=120)]
HoursPerMonth = Annotated[Real, of_unit("h/month", ge=0, le=744)]
Fte = Annotated[Real, of_unit("FTE", ge=0, le=10_000)]
PositiveRatio = Annotated[Real, of_unit("ratio", gt=0)]
FromOneRatio = Annotated[Real, of_unit("ratio", ge=1)]
PositiveFraction = Annotated[Real, of_unit("fraction", gt=0, le=1)]
# No supply that is sold loses more than half.
SupplyFraction = Annotated[Real, of_unit("fraction", ge=0.5, le=1)]
BelowOne = Annotated[Real, of_unit("fraction", ge=0, lt=1)]
InnerFraction = Annotated[Real, of_unit("fraction", gt=0, lt=1)]
# Up to three times what is needed.
AheadFraction = Annotated[Real, of_unit("fraction", ge=0, le=2)]
RateFraction = Annotated[Real, of_unit("fraction/yr", ge=0, le=1)]
ChangeFraction = Annotated[Real, of_unit("fraction/yr", gt=-1, le=2)]
UsdPerCoreYear = Annotated[Real, of_unit("USD/core-yr", ge=0, le=MOST_PRICE_USD)]
UsdPerSocketYear = Annotated[Real, of_unit("USD/socket-yr", ge=0, le=MOST_PRICE_USD)]
UsdPerNodeYear = Annotated[Real, of_unit("USD/node-yr", ge=0, le=MOST_PRICE_USD)]
UsdPerRackMonth = Annotated[Real, of_unit("USD/rack-month", ge=0, le=MOST_PRICE_USD)]
UsdPerIopsMonth = Annotated[Real, of_unit("USD/IOPS-month", ge=0, le=MOST_PRICE_USD)]
UsdPerMbPerSMonth = Annotated[Real, of_unit("USD/(MB/s)-month", ge=0, le=MOST_PRICE_USD)]
UsdPerMillion = Annotated[Real, of_unit("USD/million", ge=0, le=MOST_PRICE_USD)]
MillionsPerMonth = Annotated[Real, of_unit("million/month", ge=0, le=MOST_COUNT)]
UsdPerTb = Annotated[Real, of_unit("USD/TB", ge=0, le=MOST_PRICE_USD)]
UsdPerFteYear = Annotated[Real, of_unit("USD/FTE-yr", ge=0, le=MOST_PRICE_USD)]
UsdPerTonne = Annotated[Real, of_unit("USD/t CO2e", ge=0, le=MOST_PRICE_USD)]
CarbonKgPerVcpuYear = Annotated[Real, of_unit("kg CO2e/vCPU-yr", ge=0)]
WattPerVcpu = Annotated[Real, of_unit("W/vCPU", ge=0)]
PowerKwPositive = Annotated[Real, of_unit("kW", gt=0, le=MOST_W)]
VcpuPositive = Annotated[Real, of_unit("vCPU", gt=0, le=MOST_COUNT)]


def unused(title: str, description: str | None = None) -> Any:
    """Return the default of a quantity that a study has none of unless entered."""
    return assumed(0.0, description, source="None unless entered", title=title)


class Finding(NamedTuple):
    """A fault found across fields: where, its code, and the sentence (with its period)."""

    at: tuple[int | str, ...]
    code: str
    sentence: str
    value: object = None


def refuse(findings: list[Finding]) -> None:
    """Refuse a document with every finding at once.

    Raises
    ------
    ValidationError
        With one error per finding, at its own place; nothing when there is none.
    """
    if findings:
        details = [
            InitErrorDetails(
                type=PydanticCustomError(
                    finding.code, "{sentence}", {"sentence": finding.sentence.removesuffix(".")}
                ),
                loc=finding.at,
                input=finding.value,
            )
            for finding in findings
        ]
        raise ValidationError.from_exception_data("study", details)


def unique(names: list[str], at: tuple[int | str, ...], leaf: str) -> list[Finding]:
    """Return a finding for every name that stands twice in a list."""
    seen: set[str] = set()
    findings = []
    for index, name in enumerate(names):
        if name in seen:
            findings.append(
                Finding(
                    (*at, index, leaf),
                    "not_unique",
                    f"There is already an entry called {name!r}. Choose another name.",
                    name,
                )
            )
        seen.add(name)
    return findings


def spread_findings(
    name: str, ends: tuple[float | None, float | None, float | None], what: str, unit: str
) -> list[Finding]:
    """Find a lowest or a highest estimate, ``low_`` and ``high_`` of a name, on the wrong side.

    Of the lowest estimate, the value and the highest one, each may be missing.
    """
    low, mode, high = ends
    findings = []
    if mode is not None and low is not None and low > mode:
        sentence = (
            f"The lowest estimate ({low:g}) is above {what} ({mode:g} {unit}). "
            f"Enter at most {mode:g}."
        )
        findings.append(Finding((f"low_{name}",), "not_ordered", sentence, low))
    if mode is not None and high is not None and high < mode:
        sentence = (
            f"The highest estimate ({high:g}) is below {what} ({mode:g} {unit}). "
            f"Enter at least {mode:g}."
        )
        findings.append(Finding((f"high_{name}",), "not_ordered", sentence, high))
    return findings


def whole_months(start: str, last_day: str) -> int:
    """Whole months from an ISO date until a day is over; 0 when that is earlier.

    >>> whole_months("2026-12-01", "2027-03-31"), whole_months("2026-12-01", "2027-03-15")
    (4, 3)
    """
    first, after = date.fromisoformat(start), date.fromisoformat(last_day) + timedelta(days=1)
    months = (after.year - first.year) * MONTHS_PER_YEAR + after.month - first.month
    return max(months - (after.day < first.day), 0)
