"""Euro reference rates of the European Central Bank, dated, as a study's currency.

Source: ECB, "Euro foreign exchange reference rates": eurofxref.csv (one day), eurofxref-hist.csv
(every day since 1999; "N/A" where there is none) and the same as XML (gesmes envelope). A rate
says how many units of a currency one euro buys. Its data portal has the same rates as series,
"EXR.D.USD.EUR.SP00.A": one a column, or as rows of SDMX.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.texts import Markup
from capmodels.written_numbers import Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_CODE = re.compile(r"^[A-Z]{3}$")
_DAY = re.compile(r"""<Cube\s+time=["'](\d{4}-\d\d-\d\d)["']""")
_RATE = re.compile(r"""<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([0-9.]+)["']""")
_SERIES = re.compile(r"\bEXR\.[DM]\.([A-Z]{3})\.EUR\.SP00\.[AE]\b")
_SDMX = frozenset({"CURRENCY", "CURRENCY_DENOM", "TIME_PERIOD", "OBS_VALUE"})
_FORMS = ("%Y-%m-%d", "%d %B %Y")


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has a day and currencies, or XML is the ECB's."""
    if columns == {"xml:gesmes:Envelope"}:
        return True
    if columns >= _SDMX:
        return True
    codes = _codes(columns)
    is_portal = any(_SERIES.search(name) for name in codes.values())
    return _date_of(columns) is not None and "USD" in codes and (is_portal or len(codes) >= 5)


def _codes(columns: Iterable[str]) -> dict[str, str]:
    """Columns of currencies, by their codes."""
    found = {}
    for name in columns:
        series = _SERIES.search(name)
        if series or _CODE.match(name):
            found[series[1] if series else name] = name
    return found


def _date_of(columns: Iterable[str]) -> str | None:
    return next((name for name in sorted(columns) if name.lower() == "date"), None)


def version(columns: frozenset[str]) -> str:
    """Whether it is a table or XML."""
    return "XML" if columns == {"xml:gesmes:Envelope"} else "CSV"


def read(file: Table | Markup, report: Callable[[float, str], None]) -> JSONDict:
    """Return the last rates of each month, and of the last day.

    Raises
    ------
    FileRefused
        When it has no rate of the dollar.
    """
    report(0.3, "Reading rates")
    cells, kept = Cells(), {}
    rows = _of_xml(file.text) if isinstance(file, Markup) else _of_table(file, cells)
    for day, rates in sorted(rows):
        if "USD" in rates:
            kept[day[:7]] = (day, rates)
    if not kept:
        raise FileRefused("The file has no day with a rate of the US dollar.")
    days = {day: _per_usd(rates) for day, rates in kept.values()}
    last = max(days)
    codes = sorted(days[last].keys() - {"USD"})
    return {
        "headline": f"Rates of {last} for {len(codes)} currencies, and of {len(days) - 1} months "
        "before.",
        "notes": [],
        "last": last,
        "days": days,
        "columns": codes,
        "meanings": [{"id": "currency", "title": "Show amounts in"}],
        "mapping": {"currency": "EUR"},
        **cells.document(),
    }


def _per_usd(rates: Mapping[str, float]) -> dict[str, float]:
    """Units that a US dollar buys: those that a euro buys over its dollars."""
    return {"EUR": 1.0 / rates["USD"], **{code: rates[code] / rates["USD"] for code in rates}}


def _of_xml(text: str) -> Iterator[tuple[str, dict[str, float]]]:
    parts = _DAY.split(text)
    for day, said in zip(parts[1::2], parts[2::2], strict=True):
        yield day, {code: float(rate) for code, rate in _RATE.findall(said) if float(rate) > 0}


def _of_table(table_: Table, cells: Cells) -> Iterator[tuple[str, dict[str, float]]]:
    if table_.columns >= _SDMX:
        yield from _of_series(table_, cells)
        return
    by_code, when = _codes(table_.columns), _date_of(table_.columns)
    codes = sorted(by_code)
    wanted = [when or "", *(by_code[code] for code in codes)]
    rows = table_.text_rows(wanted)
    by_column = {name: [row[at] for _, row in rows] for at, name in enumerate(wanted) if at}
    marks = [table_.marks(by_column)[name] for name in wanted[1:]]
    for line, (said, *rates) in rows:
        day = _day(said)
        if day is None:
            cells.add(line, f"Date: {said!r} is no day")
            continue
        found = dict(zip(codes, map(_rate, rates, marks), strict=True))
        for code, cell in zip(codes, rates, strict=True):
            if not found[code] and cell.upper() not in {"", "N/A", "0"}:
                cells.add(line, f"{by_code[code]}: {cell[:40]!r} is no rate")
        yield day, {code: rate for code, rate in found.items() if rate}


def _of_series(table_: Table, cells: Cells) -> Iterator[tuple[str, dict[str, float]]]:
    """Rows of SDMX: a rate of a currency for a euro on a day, or at the end of a month."""
    days: dict[str, dict[str, float]] = {}
    rows = table_.text_rows(("TIME_PERIOD", "CURRENCY", "OBS_VALUE", "CURRENCY_DENOM"))
    mark = table_.marks({"OBS_VALUE": [row[2] for _, row in rows]})["OBS_VALUE"]
    for line, (said, code, value, of) in rows:
        day, rate = _day(said), _rate(value, mark)
        if of != "EUR":
            continue
        if day is None:
            cells.add(line, f"TIME_PERIOD: {said!r} is no day")
        elif rate:
            days.setdefault(day, {})[code] = rate
    yield from days.items()


def _rate(text: str, mark: Mark) -> float:
    """A rate; nothing where the currency had none on that day (N/A)."""
    try:
        return max(number_of(text or "0", mark), 0.0)
    except ValueError:
        return 0.0


def _day(text: str) -> str | None:
    for form in _FORMS:
        try:
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day
        except ValueError:
            continue
    return None


def rate_on(preview: Mapping[str, Any], code: str, day: str) -> tuple[str, float] | None:
    """The last rate of a currency on or before a day, with its day; None without one."""
    days = [one for one, rates in preview["days"].items() if one <= day and code in rates]
    return (max(days), preview["days"][max(days)][code]) if days else None


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The last day's rates."""
    columns = (Column("Currency", "code"), Column("Units per US dollar", "rate"))
    rates = sorted(preview["days"][preview["last"]].items())
    rows = [{"code": code, "rate": f"{rate:.6g}"} for code, rate in rates if code != "USD"]
    return [table(f"Rates of {preview['last']}", columns, rows)]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the currency of a study, with the day of its rate."""
    codes = preview["days"][preview["last"]]
    chosen = (options.mapping or preview["mapping"]).get("currency", "EUR")
    code = chosen if chosen in codes and chosen != "USD" else "EUR"
    rate = codes[code]
    old = (
        date.fromisoformat(options.as_of).toordinal()
        - date.fromisoformat(preview["last"]).toordinal()
    )
    points = [f"One US dollar buys {rate:.6g} {code} as of {preview['last']}."]
    if old > 31:
        points.append(f"The rates are {old} days old.")
    return Drafted(
        title=f"Rates of {preview['last']}",
        assumptions={"currency": {"code": code, "per_usd": rate, "as_of": preview["last"]}},
        assumed_from={
            "/currency/per_usd": {
                "quality": "published",
                "source": f"European Central Bank, {options.file_name}, column {code}"[:500],
                "as_of": preview["last"],
            }
        },
        open_points=points,
    )


def sample() -> bytes:
    """Made-up rates of two days, in the form of the history."""
    return (
        b"Date,USD,JPY,GBP,CHF,SEK,ISK,\n"
        b"2026-10-30,1.16,176.1,0.87,0.93,11.02,N/A,\n"
        b"2026-09-30,1.17,173.9,0.871,0.934,11.05,142.1,\n"
    )


IMPORTER = Importer(
    id="ecb",
    title="Exchange rates of the European Central Bank (CSV, XML)",
    makes="assumptions",
    fits=fits,
    version=version,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
