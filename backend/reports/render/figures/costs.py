"""What each design costs: totals with their range, and the causes that they are made of."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from reports.render.figures.shapes import Bar, BarFigure, Step, WaterfallFigure
from reports.render.numbers import money, money_change, span
from reports.render.tokens import (
    cause_color,
    cause_label,
    cause_order,
    design_color,
    tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from reports.render.contents import JSONDict, ReportInput

CauseKey = tuple[str, str]


def totals(report: ReportInput) -> BarFigure:
    """Return the cost of each design over the horizon, cheapest first, P10-P90 as range. [USD]"""
    designs = sorted(report.designs, key=lambda d: (not d["carries_load"], d["total_usd"]))
    amounts = tuple(d["total_usd"] for d in designs)
    return BarFigure(
        id="totals",
        title=f"Cost over {report.years}",
        summary="Bar chart of cost: "
        + "; ".join(f"{d['letter']} {money(d['total_usd'], report.currency)}" for d in designs)
        + ".",
        unit="USD",
        value_title=f"Cost over {report.years} ({report.currency.code})",
        categories=tuple(f"{d['letter']} {d['title']}" for d in designs),
        bars=(
            Bar(
                name="Cost",
                colors=tuple(design_color(d["letter"]) for d in designs),
                values=amounts,
            ),
        ),
        low=tuple(d["p10_usd"] for d in designs),
        high=tuple(d["p90_usd"] for d in designs),
        texts=tuple(_total_text(report, d) for d in designs),
    )


def _total_text(report: ReportInput, design: JSONDict) -> str:
    text = money(design["total_usd"], report.currency)
    if design["p10_usd"] is not None and design["p90_usd"] is not None:
        text += f"  ({span(design['p10_usd'], design['p90_usd'], 'USD', report.currency)})"
    return text


def cause_keys(report: ReportInput) -> list[CauseKey]:
    """Return the causes that any design has, as (side, cause), in the fixed order."""
    found = {(c["side"], c["cause"]) for d in report.designs for c in d["causes"]}
    return sorted(found, key=lambda key: (cause_order(*key), key))


def cause_amounts(
    design: JSONDict, field: str = "amount_usd", key: Callable[[JSONDict], CauseKey] | None = None
) -> dict[CauseKey, float]:
    """Return a design's cost by (side, cause). [USD]"""
    parts: dict[CauseKey, list[float]] = {}
    for cause in design["causes"]:
        place = key(cause) if key else (cause["side"], cause["cause"])
        parts.setdefault(place, []).append(cause[field])
    return {place: fsum(amounts) for place, amounts in parts.items()}


def cost_by_cause(report: ReportInput) -> BarFigure:
    """Return one stacked bar per design, one series per cause in the fixed order. [USD]"""
    keys = cause_keys(report)
    amounts = [cause_amounts(design) for design in report.designs]
    return BarFigure(
        id="cost_by_cause",
        title="What the money goes to",
        summary="Stacked bars of cost by cause; the table below has the same numbers.",
        unit="USD",
        value_title=f"Cost over {report.years} ({report.currency.code})",
        categories=tuple(f"{d['letter']} {d['title']}" for d in report.designs),
        bars=tuple(
            Bar(
                name=cause_label(side, cause),
                colors=(cause_color(side, cause),) * len(amounts),
                values=tuple(row.get((side, cause), 0.0) for row in amounts),
            )
            for side, cause in keys
        ),
        texts=tuple(money(d["total_usd"], report.currency) for d in report.designs),
    )


def waterfall(report: ReportInput, start: str, end: str) -> WaterfallFigure:
    """Return why one design costs less than another, cause by cause. [USD]

    One step per cause that differs by more than 1% of the larger total; the rest is one step.
    The two sides of a cause, such as staff, are one cause here.
    """
    first, last = _by_name(report.design(start)), _by_name(report.design(end))
    totals_usd = (fsum(first.values()), fsum(last.values()))
    changes = {name: last.get(name, 0.0) - first.get(name, 0.0) for name in _names(first, last)}
    least = tokens()["chart"]["waterfall_rest_fraction"] * max(map(abs, totals_usd))
    shown = {name: change for name, change in changes.items() if abs(change) > least}
    rest = fsum(change for name, change in changes.items() if name not in shown)
    steps = [_total_step(report, start, totals_usd[0])]
    running = totals_usd[0]
    for name, change in (*shown.items(), *((("Other", rest),) if rest else ())):
        steps.append(_change_step(report, name, running, change))
        running += change
    steps.append(_total_step(report, end, totals_usd[1]))
    return WaterfallFigure(
        id="waterfall",
        title=f"Why {end} costs {'less' if totals_usd[1] < totals_usd[0] else 'more'} than {start}",
        summary=f"Waterfall from {start} to {end}: "
        + "; ".join(f"{step.label} {step.text}" for step in steps)
        + ".",
        unit="USD",
        value_title=f"Cost over {report.years} ({report.currency.code})",
        steps=tuple(steps),
    )


def _by_name(design: JSONDict | None) -> dict[str, float]:
    if design is None:
        return {}
    amounts = cause_amounts(design, key=lambda c: ("", cause_label(c["side"], c["cause"])))
    return {name: amount for (_, name), amount in amounts.items()}


def _names(first: dict[str, float], last: dict[str, float]) -> list[str]:
    order = [entry["label"] for entry in tokens()["causes"]]
    names = dict.fromkeys((*first, *last))
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def _total_step(report: ReportInput, letter: str, total_usd: float) -> Step:
    text = money(total_usd, report.currency)
    return Step(label=letter, start=0.0, change=total_usd, kind="total", text=text)


def _change_step(report: ReportInput, name: str, start: float, change: float) -> Step:
    text = money_change(change, report.currency)
    kind = "more" if change > 0 else "less"
    return Step(label=name, start=start, change=change, kind=kind, text=text)
