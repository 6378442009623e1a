"""Cumulative cost by month, with the pay-off marked and the range of the two designs compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import money, months
from reports.render.figures.pair import default_pair, name_of
from reports.render.figures.shapes import Band, Line, LineFigure, Mark

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput


def cumulative_cost(report: ReportInput) -> LineFigure:
    """Return one curve per design from month 0 to what it is ranked by at the end. [USD]"""
    pair = default_pair(report)
    row = break_even_of(report, *pair)
    title = _title(row)
    ends = "; ".join(
        f"{name_of(d)}: {money(report.rank_usd(d), report.currency)}" for d in report.designs
    )
    between = [design for letter in pair if (design := report.design(letter))]
    return LineFigure(
        id="cumulative",
        title=title,
        summary=f"{title}. At the end: {ends}.",
        x_title="Months",
        y_title=f"Cumulative cost ({report.currency.code})",
        unit="USD",
        lines=tuple(_line(design) for design in report.designs),
        bands=tuple(band for design in between if (band := _band(design))),
        marks=tuple(_marks(report, row)),
    )


def break_even_of(report: ReportInput, start: str, end: str) -> JSONDict | None:
    """Return the break-even of two designs, whichever challenges, by what they are ranked by."""
    rows: list[JSONDict] = [
        row for row in report.comparison["break_evens"] if row["discounted"] == report.by_value
    ]
    for challenger, incumbent in ((end, start), (start, end)):
        for row in rows:
            if row["challenger"] == challenger and row["incumbent"] == incumbent:
                return row
    return None


def _title(row: JSONDict | None) -> str:
    if row is None:
        return "Cumulative cost"
    challenger, incumbent, said = row["challenger"], row["incumbent"], said_of(row)
    month = row["first_month_cheaper"]
    if month is not None and row["reason"] is None:
        return f"{challenger} is cheaper than {incumbent} from month {month} on{said}"
    if row["reason"] == "always":
        return f"{challenger} is cheaper than {incumbent} from the first month on{said}"
    return f"{challenger} does not become cheaper than {incumbent} in this time{said}"


def said_of(row: JSONDict) -> str:
    """Whether a break-even is discounted, and which of how many crossings it is."""
    basis = ", discounted" if row["discounted"] else ", undiscounted"
    count = row["crossings_count"]
    if count < 2:
        return basis
    if row["reason"] == "never":
        return f"{basis}, after {count} crossings"
    return f"{basis}, the last of {count} crossings"


def _line(design: JSONDict) -> Line:
    values = design["cumulative_ranked_usd"]
    return Line(
        letter=design["letter"],
        label=name_of(design),
        x=tuple(float(month) for month in range(len(values))),
        y=tuple(values),
    )


def _band(design: JSONDict) -> Band | None:
    low, high = design["cumulative_p10_usd"], design["cumulative_p90_usd"]
    if not low or not high:
        return None
    return Band(
        letter=design["letter"],
        x=tuple(float(month) for month in range(len(low))),
        low=tuple(low),
        high=tuple(high),
    )


def _marks(report: ReportInput, row: JSONDict | None) -> list[Mark]:
    if row is None or row["reason"] is not None or row["cost_usd"] is None:
        # Cheaper from the start, or never: there is no crossing to point at.
        return []
    label = f"{months(row['first_month_cheaper'])}, {money(row['cost_usd'], report.currency)}"
    return [Mark(letter=row["challenger"], x=row["exact_months"], y=row["cost_usd"], label=label)]
