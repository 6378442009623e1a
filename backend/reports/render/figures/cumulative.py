"""Cumulative cost by month, with the pay-off marked and the range of the two designs compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.figures.shapes import Band, Line, LineFigure, Mark
from reports.render.numbers import money, months

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput


def cumulative_cost(report: ReportInput) -> LineFigure:
    """Return one curve per design from month 0 to the horizon, undiscounted. [USD]"""
    crossing = pay_off(report)
    lines = tuple(_line(design) for design in report.designs)
    pair = (report.comparison["winner"], report.comparison["runner_up"])
    bands = tuple(band for d in report.designs if d["letter"] in pair and (band := _band(d)))
    title = f"Cumulative cost over {report.years}"
    if crossing:
        title = (
            f"{crossing['challenger']} is cheaper than {crossing['incumbent']}"
            f" from month {crossing['first_month_cheaper']} on"
        )
    return LineFigure(
        id="cumulative_cost",
        title=title,
        summary=_summary(report, crossing),
        x_title="Months",
        y_title=f"Cumulative cost ({report.currency.code})",
        unit="USD",
        lines=lines,
        bands=bands,
        marks=(_mark(report, crossing),) if crossing else (),
    )


def pay_off(report: ReportInput) -> JSONDict | None:
    """Return the undiscounted break-even of the winner, against the runner-up where it has one."""
    found: list[JSONDict] = [
        row
        for row in report.comparison["break_evens"]
        if row["challenger"] == report.comparison["winner"]
        and not row["discounted"]
        and row["first_month_cheaper"]
        and row["first_month_cheaper"] <= report.comparison["horizon_months"]
    ]
    rival = report.comparison["runner_up"]
    return next((row for row in found if row["incumbent"] == rival), None) or next(
        iter(found), None
    )


def _line(design: JSONDict) -> Line:
    values = design["cumulative_usd"]
    return Line(
        letter=design["letter"],
        label=f"{design['letter']} {design['title']}",
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


def _mark(report: ReportInput, crossing: JSONDict) -> Mark:
    month = crossing["first_month_cheaper"]
    challenger = report.design(crossing["challenger"])
    cost = challenger["cumulative_usd"][month] if challenger else crossing["cost_usd"]
    return Mark(
        letter=crossing["challenger"],
        x=float(month),
        y=cost,
        label=f"{months(month)}, {money(cost, report.currency)}",
    )


def _summary(report: ReportInput, crossing: JSONDict | None) -> str:
    ends = "; ".join(
        f"{d['letter']} reaches {money(d['cumulative_usd'][-1], report.currency)}"
        for d in report.designs
    )
    text = f"Line chart of cumulative cost by month over {report.years}: {ends}."
    if crossing:
        text += (
            f" {crossing['challenger']} becomes cheaper than {crossing['incumbent']}"
            f" in month {crossing['first_month_cheaper']}."
        )
    return text
