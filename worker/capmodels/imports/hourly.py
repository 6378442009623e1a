"""Electricity hour by hour, its price or its carbon, as a study's energy takes it.

Columns as ENTSO-E's Transparency Platform ("MTU (CET/CEST)", "Day-ahead Price [EUR/MWh]"), the
U.S. EIA's hourly exports ("UTC time", "CO2 emissions intensity ... (lbs/MWh)") and Electricity
Maps ("Datetime (UTC)", "Carbon intensity gCO2eq/kWh (direct)") name them, and any table whose
heads say a time and a unit. A unit is never guessed: one is in the head, or the file is refused.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from capmodels.errors import Fault, ParamsError
from capmodels.formats.chunks import FileRefused
from capmodels.imports.baseline import rate_of
from capmodels.imports.cells import Cells
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.table import identifier
from capmodels.numbers import counted
from capmodels.written_numbers import MONEY_SIGNS, Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

# A gap of more of the hours is no series.
GAPS_MAX = 0.05
_DAY = 24
_YEAR_HOURS = 8784
KG_PER_LB = 0.45359237  # NIST SP 811, appendix B.8: exact
_TIME = re.compile(
    r"^(mtu\b.*|.*\b(date ?time|datetime|timestamp|time|date|hour|period|datum|zeit|uhrzeit)\b.*)$"
)
_MONEY = re.compile(r"(eur|€|usd|\$|gbp|£|chf|sek|nok|dkk|pln)\s*(?:/|per)\s*([mk])wh")
_CARBON = re.compile(
    r"(kg|g|lbs?)\s*(?:co.?2?.?-?\s*(?:eq?|e)?)?\s*(?:/|per)\s*([mk])wh", re.IGNORECASE
)
# A column of the ends of intervals: its hours begin one hour before.
_ENDS = re.compile(r"\b(end|ends|ending|bis|to|until)\b")
_YEAR_FIRST = re.compile(r"^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[ T](\d\d?))?(?::(\d\d))?")
_YEAR_LAST = re.compile(
    r"^(\d\d?)([-/.])(\d\d?)[-/.](\d{4}),? (\d\d?)(?::\d\d){0,2} ?([AP]M)?", re.IGNORECASE
)
# "Jun 2, 2025 12:00 AM", as SMARD exports in English, and "2 June 2025 13:00".
_NAMED = re.compile(
    r"^(?:([A-Za-z]{3})[a-z]*\.? (\d\d?)|(\d\d?)\.? ([A-Za-z]{3})[a-z]*\.?),? (\d{4}),? "
    r"(\d\d?)(?::\d\d){0,2} ?([AP]M)?",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Columns that say which zone, or which auction, a row is of.
_PLACES = {
    *("area", "area code", "zone", "zone id", "zone name", "country", "respondent", "region"),
    *("sequence", "bidding zone", "price hub", "balancing authority", "currency"),
}
# An hour's share of the mean is above zero where a study has it.
_NEXT_TO_NOTHING = 1e-9
_PER_KWH = {"m": 1e-3, "k": 1.0}


def _time_of(columns: Iterable[str]) -> str | None:
    """The column of times: one in UTC before others, of beginnings before ends."""
    small = ((name, _small(name)) for name in columns)
    found = [name for name, low in small if _TIME.match(low) and "intraday" not in low]
    return min(found, key=lambda one: ("utc" not in _small(one), _is_end(one), one), default=None)


def _small(name: str) -> str:
    return name.lower().replace("_", " ").replace("₂", "2")


def _is_end(name: str) -> bool:
    return _ENDS.search(_small(name)) is not None


def _values_of(columns: Iterable[str]) -> tuple[str, str, str, float] | None:
    """The column of values: what it is, its currency or blank, and its factor to a kWh."""
    for name in columns:
        if money := _MONEY.search(_small(name)):
            code = MONEY_SIGNS.get(money[1], money[1].upper())
            return name, "price", code, _PER_KWH[money[2]]
    for name in sorted(columns, key=lambda one: ("direct" not in one.lower(), one)):
        if carbon := _CARBON.search(_small(name)):
            grams = {"g": 1.0, "kg": 1e3}.get(carbon[1].lower(), KG_PER_LB * 1e3)
            return name, "carbon", "", grams * _PER_KWH[carbon[2].lower()]
    return None


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has times and one price or intensity with its unit."""
    return len(columns) >= 2 and _time_of(columns) is not None and _values_of(columns) is not None


def version(columns: frozenset[str]) -> str:
    """What the values are."""
    found = _values_of(columns)
    return found[1] if found else ""


def read(table_: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return the hours of whole days, with what was averaged, filled or left out.

    Raises
    ------
    FileRefused
        When there is no whole day, or too much is missing.
    """
    report(0.2, "Reading hours")
    at, said = _time_of(table_.columns), _values_of(table_.types)
    if at is None or said is None:
        raise FileRefused("The table has no column of times, or none with a unit.")
    name, what, currency, factor = said
    cells = Cells()
    _one_place(table_)
    rows = table_.text_rows((at, name))
    for line, why in table_.rejected(100)[0]:
        cells.add(line, why)
    hours: dict[datetime, list[float]] = {}
    clock = _clock_of([when for _, (when, _) in rows])
    mark = table_.marks({name: [value for _, (_, value) in rows]})[name]
    shift = timedelta(hours=_is_end(at))
    for line, (when, value) in rows:
        start = clock(when)
        if start is None:
            cells.add(line, f"{when!r} is no time")
        else:
            _take(hours, cells, (line, start - shift), value, (factor, mark))
    series, notes, first = _filled(hours)
    notes += _others(table_.columns, name, what)
    is_universal = "utc" in at.lower() or all(_is_universal(when) for _, (when, _) in rows)
    zone = "UTC" if is_universal else "local time"
    kind = "Prices of electricity" if what == "price" else "Carbon of electricity"
    return {
        "headline": f"{kind}, “{name}”, {len(series):,} hours from {first:%Y-%m-%d} ({zone}).",
        "notes": notes,
        "what": what,
        "currency": currency,
        "column": name,
        "first": first.date().isoformat(),
        "values": series,
        **cells.document(),
    }


def _one_place(table_: Table) -> None:
    """Refuse a table of several zones or auctions: their hours would be mixed."""
    for column in sorted(table_.columns):
        if column.lower().strip() not in _PLACES:
            continue
        found = table_.rows(f"SELECT COUNT(DISTINCT {identifier(column)}) FROM {table_.source}")
        if found[0][0] > 1:
            message = f"The column {column!r} has {found[0][0]} different values. Keep one of them."
            raise FileRefused(message)


def _others(columns: Iterable[str], taken: str, what: str) -> list[str]:
    """What is told where a file has several columns of the kind."""
    unit = _MONEY if what == "price" else _CARBON
    others = sorted(
        one
        for one in columns
        if one != taken and unit.search(small := _small(one)) and "intraday" not in small
    )
    if not others:
        return []
    more = " ..." if others[3:] else ""
    return [
        f"The column {taken!r} is taken. There are also {', '.join(map(repr, others[:3]))}{more}. "
        "To have one of those, take it out of the file."
    ]


def _take(
    hours: dict[datetime, list[float]],
    cells: Cells,
    row: tuple[int, datetime],
    text: str,
    form: tuple[float, Mark],
) -> None:
    line, when = row
    if text.lower() in {"", "n/e", "-", "n/a", "nan"}:
        return  # a value that is not there, as the platforms write it
    try:
        value = number_of(text, form[1])
    except ValueError:
        cells.add(line, f"{text[:40]!r} is not a number")
        return
    hours.setdefault(when.replace(minute=0, second=0), []).append(value * form[0])


def _is_universal(text: str) -> bool:
    """Whether a time says itself that it is in UTC."""
    return text.endswith(("Z", "UTC", "+00:00"))


def _clock_of(texts: Sequence[str]) -> Callable[[str], datetime | None]:
    """How a file's times are read: where 3/4 may be either, as all of its days make most sense.

    Days and months that are mistaken for each other give times that are none, or lie far apart.
    """
    readings = []
    for month_first in (False, True):
        clock = partial(_when, month_first=month_first)
        times = [when for text in texts if (when := clock(text)) is not None]
        span = max(times) - min(times) if times else timedelta()
        readings.append((-len(times), span, month_first, clock))
    return min(readings, key=lambda one: one[:3])[3]


def _when(text: str, *, month_first: bool) -> datetime | None:
    """The start of an interval, by the clock of the file."""
    start = re.split(r"\s+-\s+", text.strip())[0]
    try:
        if found := _YEAR_FIRST.match(start):
            year, month, day, hour, minute = found.groups(default="0")
            return datetime(int(year), int(month), int(day), int(hour), int(minute))  # noqa: DTZ001 - the clock of the file
        if found := _YEAR_LAST.match(start):
            first, sign, second, year, hour, half = found.groups(default="")
            day, month = (second, first) if month_first and sign != "." else (first, second)
            return datetime(int(year), int(month), int(day), _hour(hour, half))  # noqa: DTZ001 - as above
        if found := _NAMED.match(start):
            name, day, earlier_day, later_name, year, hour, half = found.groups(default="")
            number = _MONTHS.index((name or later_name).lower()) + 1
            return datetime(int(year), number, int(day or earlier_day), _hour(hour, half))  # noqa: DTZ001 - as above
    except ValueError:
        return None
    return None


def _hour(text: str, half: str) -> int:
    """The hour of a clock of 24 hours, or of one of 12 in the half of the day that it says."""
    return int(text) % 12 + 12 * (half.upper() == "PM") if half else int(text)


def _filled(hours: Mapping[datetime, list[float]]) -> tuple[list[float], list[str], datetime]:
    """Every hour of whole days: means of parts and of the hour that comes twice, gaps closed."""
    if not hours:
        raise FileRefused("The table has no hour with a value.")
    first = min(hours)
    first = first.replace(hour=0) + timedelta(days=first.hour > 0)
    count = int((max(hours) - first) / timedelta(hours=1)) + 1
    count = min(count // _DAY * _DAY, _YEAR_HOURS)
    if count < _DAY:
        raise FileRefused("The table has not one whole day from midnight.")
    slots = [hours.get(first + timedelta(hours=at)) for at in range(count)]
    notes = _told(slots)
    last = len(hours) - count
    if last > 0:
        notes.append(f"{last:,} hours beyond whole days, or beyond a year, are left out.")
    return _closed(slots), notes, first


def _told(slots: list[list[float] | None]) -> list[str]:
    missing = sum(slot is None for slot in slots)
    if missing > GAPS_MAX * len(slots):
        raise FileRefused(f"{missing:,} of {len(slots):,} hours have no value.")
    usual = max(1, min(len(slot) for slot in slots if slot))
    twice = sum(slot is not None and len(slot) > usual for slot in slots)
    before = "each is taken from the hour before it"
    found = (
        (usual > 1, f"Each hour is the mean of its {usual} values."),
        (twice, f"Come twice, as when summer time ends: {counted(twice, 'hour')}, by their mean."),
        (
            missing,
            f"Without a value, as when summer time begins: {counted(missing, 'hour')}; {before}.",
        ),
    )
    return [sentence for holds, sentence in found if holds]


def _closed(slots: list[list[float] | None]) -> list[float]:
    known = next(fmean(slot) for slot in slots if slot)
    found = []
    for slot in slots:
        known = fmean(slot) if slot else known
        found.append(known)
    return found


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The values by month."""
    unit = f"{preview['currency']}/kWh" if preview["what"] == "price" else "g CO2e/kWh"
    columns = (
        Column("Month", "month"),
        Column("Mean", "mean", "quantity", unit),
        Column("Lowest", "low", "quantity", unit),
        Column("Highest", "high", "quantity", unit),
        Column("Hours below zero", "negative", "count"),
    )
    first = datetime.fromisoformat(preview["first"])
    months: dict[str, list[float]] = {}
    for at, value in enumerate(preview["values"]):
        months.setdefault(f"{first + timedelta(hours=at):%Y-%m}", []).append(value)
    rows = [
        {
            "month": month,
            "mean": fmean(values),
            "low": min(values),
            "high": max(values),
            "negative": sum(value < 0 for value in values),
        }
        for month, values in months.items()
    ]
    return [table("By month", columns, rows)]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the electricity or the carbon of a study, hour by hour.

    Raises
    ------
    ParamsError
        When the rate of its currency is missing, or an intensity cannot be.
    """
    values, what = preview["values"], preview["what"]
    source = f"{options.file_name}, column {preview['column']}, {len(values):,} hours from "
    origin = {"quality": "measured", "source": f"{source}{preview['first']}"[:500],
              "as_of": preview["first"]}  # fmt: skip
    shape = "The first hour is taken to be the first of the shape of the work."
    points = [*preview["notes"], shape]
    if what == "price":
        rate = float(rate_of(preview["currency"], options.per_usd))
        prices = [value / rate for value in values]
        below = sum(value < 0 for value in prices)
        if below:
            points.append(f"{below:,} hours have a price below zero; they count as they are.")
        found: JSONDict = {"electricity": {"kind": "hourly", "usd_per_kwh": prices}}
        place = "/electricity"
    else:
        mean = fmean(values)
        if mean <= 0 or min(values) < 0:
            message = "Hours without any carbon, or with less than none, have no mean to weigh by."
            raise ParamsError([Fault("/values", "not_positive", message)])
        year = int(preview["first"][:4])
        if clean := sum(value == 0 for value in values):
            points.append(f"{counted(clean, 'hour')} without carbon.")
        ratios = [max(value / mean, _NEXT_TO_NOTHING) for value in values]
        found = {"carbon": {"gco2e_per_kwh": mean, "year": year, "hourly_ratio": ratios}}
        place = "/carbon/gco2e_per_kwh"
    return Drafted(
        title=f"Electricity of {options.file_name}"[:120],
        assumptions=found,
        assumed_from={place: origin},
        open_points=points,
    )


def sample() -> bytes:
    """Two made-up days around the end of summer time, in ENTSO-E's form."""
    lines = ['"MTU (CET/CEST)","Day-ahead Price [EUR/MWh]","Currency","BZN|AT"']
    for day in (26, 27):
        hours = [0, 1, 2, 2, *range(3, _DAY)] if day == 26 else range(_DAY)
        lines += [
            f'"{day}.10.2025 {hour:02d}:00 - {day}.10.2025 {(hour + 1) % _DAY:02d}:00",'
            f'"{70 + 10 * hour - 90 * (hour == 13):.2f}","EUR",""'
            for hour in hours
        ]
    return "\n".join(lines).encode()


IMPORTER = Importer(
    id="hourly",
    title="Electricity price or carbon by the hour (ENTSO-E, EIA, Electricity Maps, CSV)",
    makes="assumptions",
    fits=fits,
    version=version,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
