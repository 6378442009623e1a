"""The tables of the document: rows of text, ready to be set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import (
    day,
    missing,
    money,
    money_change,
    percent,
    quantity,
    significant,
    snapshot_day,
    span,
)
from reports.render.figures.costs import cause_series
from reports.render.parts import printed_parts, printed_years
from reports.render.text import breakable
from reports.render.tokens import cause_color

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.render.contents import JSONDict, ReportInput

# Differences to the best value are shown for amounts, which add up.
DIFFERENCE_UNITS = frozenset({"USD", "USD/yr", "kWh", "kgCO2e", "kg CO2e"})
FOOTPRINT = {
    "kWh": ("energy", "kwh"),
    "kgCO2e": ("carbon", "kgco2e"),
    "kg CO2e": ("carbon", "kgco2e"),
}
YEARS_PER_TABLE = 6
BINDING = {
    "cores": "Cores",
    "ram": "RAM",
    "disk": "Disk",
    "iops": "IOPS",
    "throughput": "Throughput",
    "queries": "Queries",
    "latency": "Latency",
    "batch": "Batch work",
    "hosts": "Consolidation",
    "gpu": "GPUs",
}
YEAR_LINES = (
    ("capex_usd", "Capital expenditure"),
    ("opex_usd", "Operating expenditure"),
    ("cash_usd", "Cash out"),
    ("depreciation_usd", "Depreciation"),
    ("npv_usd", "Present value"),
)


class Notes:
    """Footnotes of a table, numbered in the order of their first use."""

    def __init__(self) -> None:
        """Start without notes."""
        self.found: dict[str, int] = {}

    def number(self, reason: str | None) -> int:
        """Return the number of a note; 0 where there is no reason."""
        if not reason:
            return 0
        return self.found.setdefault(breakable(reason), len(self.found) + 1)

    @property
    def listed(self) -> list[JSONDict]:
        """The notes in order."""
        return [{"number": number, "text": text} for text, number in self.found.items()]


def comparison_table(report: ReportInput) -> JSONDict:
    """Return the rows of the comparison: a cell per design, the best marked, reasons as notes."""
    notes = Notes()
    letters = [design["letter"] for design in report.designs]
    rows = [
        {
            "label": breakable(row["label"]),
            "cells": [_cell(report, row, letter, notes) for letter in letters],
        }
        for row in report.comparison["rows"]
    ]
    return {"rows": rows, "notes": notes.listed}


def _cell(report: ReportInput, row: JSONDict, letter: str, notes: Notes) -> JSONDict:
    value = row["values"].get(letter)
    best = row["best"]
    cell: JSONDict = {
        "text": quantity(value, row["unit"], report.currency),
        "best": letter == best and len(report.designs) > 1,
        "below": "",
        "note": notes.number(row["reasons"].get(letter)) if value is None else 0,
    }
    top = row["values"].get(best) if best else None
    if estimate := _estimate(report, row["unit"], letter):
        if value is None:
            return cell | {"text": estimate, "below": "estimate"}
        return cell | {"below": f"est. {estimate}"}
    if value is None:
        return cell
    if note := row.get("notes", {}).get(letter):
        return cell | {"below": breakable(note)}
    if top is None:
        return cell
    if value != top and row["unit"] in DIFFERENCE_UNITS:
        cell["below"] = _difference(report, value - top, row["unit"])
    return cell


def _difference(report: ReportInput, change: float, unit: str) -> str:
    if unit.startswith("USD"):
        return money_change(change, report.currency)
    sign = "+" if change > 0 else ""
    return f"{sign}{quantity(change, unit)}"


def _estimate(report: ReportInput, unit: str, letter: str) -> str:
    """Return the range of an energy or carbon figure that is an estimate."""
    found = FOOTPRINT.get(unit)
    design = report.design(letter)
    if not found or design is None:
        return ""
    part, suffix = design[found[0]], found[1]
    low, high = part[f"low_{suffix}"], part[f"high_{suffix}"]
    if part["basis"] != "estimate" or low is None or high is None:
        return ""
    return span(low, high, unit)


def cause_table(report: ReportInput) -> JSONDict:
    """Return cost by cause: a row per cause in the fixed order, a column per design.

    The printed amounts of a column add up to its printed total; P10 and P90 stand below.
    """
    series = cause_series(report)
    columns = [
        printed_parts([one.amounts[at] for one in series], report.rank_usd(design), report.currency)
        for at, design in enumerate(report.designs)
    ]
    rows = [
        {
            "label": breakable(one.label),
            "side": one.side,
            "color": cause_color(one.side, one.cause),
            "cells": [
                {
                    "text": parts[line] if amount else "",
                    "below": span(*ends, "USD", report.currency) if ends else "",
                }
                for amount, ends, (parts, _) in zip(one.amounts, one.ranges, columns, strict=True)
            ],
        }
        for line, one in enumerate(series)
    ]
    has_ranges = any(any(one.ranges) for one in series)
    return {
        "rows": rows,
        "totals": [total for _, total in columns],
        "measure": report.cost_words + (", with P10–P90" if has_ranges else ""),
    }


def year_tables(report: ReportInput) -> list[JSONDict]:
    """Return the year-by-year tables: so many years side by side, a block per design."""
    count = max((len(design["years"]) for design in report.designs), default=0)
    tables = []
    for first in range(0, count, YEARS_PER_TABLE):
        years = range(first, min(first + YEARS_PER_TABLE, count))
        last = years[-1] == count - 1
        tables.append(
            {
                "heads": [f"Year {y + 1}" for y in years] + (["Total"] if last else []),
                "blocks": [_year_block(report, d, years, with_total=last) for d in report.designs],
            }
        )
    return tables


def _year_block(
    report: ReportInput, design: JSONDict, years: Sequence[int], *, with_total: bool
) -> JSONDict:
    printed = printed_years(design["years"], report.currency)
    lines = []
    for field, label in YEAR_LINES:
        *values, total = printed[field]
        cells = [values[y] if y < len(values) else missing() for y in years]
        if with_total:
            cells.append(total)
        lines.append({"label": label, "strong": field == "cash_usd", "cells": cells})
    return {"letter": design["letter"], "title": design["title"], "lines": lines}


def sizing_table(report: ReportInput) -> JSONDict:
    """Return how many of what each design has at the end of each year, and what binds."""
    count = max((len(design["sizing"]) for design in report.designs), default=0)
    shown = sorted({0, *range(0, count, max(1, -(-count // YEARS_PER_TABLE))), count - 1})
    years = [y for y in shown if y >= 0] if count else []
    rows = []
    for design in report.designs:
        names = dict.fromkeys(g["name"] for y in design["sizing"] for g in y["groups"])
        for name in names:
            groups = [_group(design, y, name) for y in years]
            rows.append(
                {
                    "letter": design["letter"],
                    "label": breakable(name),
                    "cells": [_count(g["count"]) if g else missing() for g in groups],
                    "binding": BINDING.get(
                        next((g["binding"] for g in reversed(groups) if g), ""), ""
                    ),
                }
            )
    return {"heads": [f"Year {y + 1}" for y in years], "rows": rows}


def _count(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() else significant(count)


def _group(design: JSONDict, year: int, name: str) -> JSONDict | None:
    if year >= len(design["sizing"]):
        return None
    groups: list[JSONDict] = design["sizing"][year]["groups"]
    return next((group for group in groups if group["name"] == name), None)


def flip_rows(report: ReportInput) -> list[JSONDict]:
    """Return for each quantity the value at which another design is the cheapest."""
    return [
        {
            "label": breakable(row["label"]),
            "value": quantity(row["value"], row["unit"], report.currency),
            "flips_at": quantity(row["flips_at"], row["unit"], report.currency)
            if row["flips_at"] is not None
            else missing(),
            "after": f"{row['winner_after']} is cheapest {'above' if row['rises'] else 'below'}"
            if row["winner_after"]
            else breakable(row["reason"] or ""),
        }
        for row in report.comparison["flips"]
    ]


def carbon_factors(report: ReportInput) -> list[JSONDict]:
    """Return by which factors carbon is counted: a sentence, and the designs that it is for."""
    found: dict[str, list[str]] = {}
    for design in report.designs:
        if told := design["carbon"].get("factors"):
            found.setdefault(breakable(told), []).append(design["letter"])
    return [{"letters": ", ".join(letters), "text": text} for text, letters in found.items()]


def break_even_rows(report: ReportInput) -> list[JSONDict]:
    """Return when the winner becomes cheaper than another or the other way round.

    Undiscounted and discounted; other pairs are in the answer, and left out here.
    """
    pairs: dict[tuple[str, str], JSONDict] = {}
    winner = report.comparison["winner"]
    for row in report.comparison["break_evens"]:
        if winner not in {row["challenger"], row["incumbent"]}:
            continue
        pair = pairs.setdefault((row["challenger"], row["incumbent"]), {})
        pair["discounted" if row["discounted"] else "plain"] = _break_even_text(row)
        pair["crossings"] = max(pair.get("crossings", 0), row["crossings_count"])
    return [
        {
            "challenger": challenger,
            "incumbent": incumbent,
            "plain": pair.get("plain", missing()),
            "discounted": pair.get("discounted", missing()),
            "crossings": f"{pair['crossings']}",
        }
        for (challenger, incumbent), pair in pairs.items()
    ]


def _break_even_text(row: JSONDict) -> str:
    if row["reason"] == "always":
        return "from the start"
    if row["first_month_cheaper"] is not None:
        return quantity(row["first_month_cheaper"], "months")
    return str(row["reason"] or missing())


def kept_run_rows(report: ReportInput) -> list[JSONDict]:
    """Return what earlier runs of the study found; nothing where there is one only."""
    if len(report.kept_runs) < 2:
        return []
    return [
        {
            "day": day(run.at),
            "letter": run.winner,
            "cost": money(run.cost_usd, report.currency),
            "odds": missing() if run.odds is None else percent(run.odds),
            "prices": snapshot_day(run.snapshot) if run.snapshot else missing(),
            "version": run.version,
        }
        for run in report.kept_runs
    ]


def check_rows(report: ReportInput) -> list[JSONDict]:
    """Return the checks of the models used."""
    return checks_shown(report.checks)


def checks_shown(checks: Sequence[JSONDict]) -> list[JSONDict]:
    """Return checks as a report shows them: a figure beside ours.

    ``is_published`` says that a paper or a publisher states it; others are worked out anew,
    by other means than the model's. What holds our own earlier figures only is left out.
    """
    return [
        {
            "is_published": check["basis"] == "published",
            "model": check["model"],
            "title": check["title"],
            "source": check["source"],
            "figure": check.get("printed") or _check_value(check["published"], check["unit"]),
            "ours": _check_value(check["ours"], check["unit"]),
            "ok": bool(check["ok"]),
        }
        for check in checks
        if check["basis"] != "regression"
    ]


def _check_value(value: float | bool | str | None, unit: str) -> str:
    if value is None:
        return missing()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return quantity(value, unit)
