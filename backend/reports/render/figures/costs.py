"""What each design costs: totals with their range, and the causes that they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from capmodels.numbers import money, percent, span
from reports.render.figures.pair import name_of
from reports.render.figures.shapes import Bar, BarFigure, Step, WaterfallFigure
from reports.render.printed import printed_steps
from reports.render.tokens import cause_color, cause_order, design_color, tokens

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

RENTED_LAST = 100


@dataclass(frozen=True, slots=True)
class CauseSeries:
    """One cause on one side: an amount per design, its P10 and P90 where known. [USD]"""

    side: str
    cause: str
    label: str
    amounts: tuple[float, ...]
    ranges: tuple[tuple[float, float] | None, ...]


def totals(report: ReportInput) -> BarFigure:
    """Return what designs are ranked by, cheapest first, P10-P90 as range. [USD]"""
    designs = sorted(report.designs, key=lambda d: (not d["carries_load"], report.rank_usd(d)))
    said = "; ".join(f"{name_of(d)} {money(report.rank_usd(d), report.currency)}" for d in designs)
    return BarFigure(
        id="totals",
        title=report.cost_words,
        summary=f"{report.cost_words}: {said}.",
        unit="USD",
        value_title=report.currency.code,
        categories=tuple(name_of(d) for d in designs),
        bars=(
            Bar(
                name="Cost",
                colors=tuple(design_color(d["letter"]) for d in designs),
                values=tuple(report.rank_usd(d) for d in designs),
            ),
        ),
        low=tuple(d["p10_usd"] for d in designs),
        high=tuple(d["p90_usd"] for d in designs),
        texts=tuple(_total_text(report, d) for d in designs),
    )


def _total_text(report: ReportInput, design: JSONDict) -> str:
    text = money(report.rank_usd(design), report.currency)
    if not design["carries_load"]:
        return f"{text}, does not meet demand"
    if design["p10_usd"] is not None and design["p90_usd"] is not None:
        text += f"  ({span(design['p10_usd'], design['p90_usd'], 'USD', report.currency)})"
    return text


def cause_series(report: ReportInput) -> list[CauseSeries]:
    """Return one series per cause and side that any design has, in the fixed order."""
    found: dict[tuple[str, str], list[list[JSONDict]]] = {}
    for place, design in enumerate(report.designs):
        for cause in design["causes"]:
            key = (cause["side"], _key(cause))
            found.setdefault(key, [[] for _ in report.designs])[place].append(cause)
    series = [_series(side, causes) for (side, _), causes in found.items()]
    shown = [one for one in series if any(one.amounts)]
    return sorted(shown, key=lambda one: _owned_first(one.side, one.cause))


def _series(side: str, causes: list[list[JSONDict]]) -> CauseSeries:
    first = next(cause for of_design in causes for cause in of_design)
    return CauseSeries(
        side,
        first["cause"],
        first["label"],
        tuple(fsum(cause["ranked_usd"] for cause in of_design) for of_design in causes),
        tuple(_range(of_design) for of_design in causes),
    )


def _range(causes: list[JSONDict]) -> tuple[float, float] | None:
    """P10 and P90 of one cause; those of several do not add up."""
    if len(causes) != 1:
        return None
    low, high = causes[0]["p10_usd"], causes[0]["p90_usd"]
    return None if low is None or low == high else (low, high)


def _key(cause: JSONDict) -> str:
    return str(cause["cause"]).removeprefix("cloud_")


def _owned_first(side: str, cause: str) -> int:
    return (0 if side == "owned" else RENTED_LAST) + cause_order(side, cause)


def cost_by_cause(report: ReportInput) -> BarFigure:
    """Return one stacked bar per design, one series per cause in the fixed order. [USD]"""
    title = _largest(report)
    said = "; ".join(
        f"{name_of(d)}: {money(report.rank_usd(d), report.currency)}" for d in report.designs
    )
    count = len(report.designs)
    return BarFigure(
        id="causes",
        title=title,
        summary=f"{title}. {said}.",
        unit="USD",
        value_title=f"{report.cost_words} ({report.currency.code})",
        categories=tuple(name_of(d) for d in report.designs),
        bars=tuple(
            Bar(
                name=one.label,
                colors=(cause_color(one.side, one.cause),) * count,
                values=one.amounts,
            )
            for one in cause_series(report)
        ),
        texts=tuple(money(report.rank_usd(d), report.currency) for d in report.designs),
    )


def _largest(report: ReportInput) -> str:
    design = report.design(report.comparison["winner"]) or report.designs[0]
    largest = max(design["causes"], key=lambda c: c["ranked_usd"], default=None)
    if not largest or not largest["label"] or report.rank_usd(design) <= 0:
        return "Cost by cause"
    share = percent(largest["ranked_usd"] / report.rank_usd(design))
    return f"Largest cause of {design['letter']}: {largest['label']}, {share} of its cost"


def waterfall(report: ReportInput, start: str, end: str) -> WaterfallFigure | None:
    """Return why one design costs less than another, cause by cause. [USD]

    One step per cause that differs by more than 1% of the larger total; the rest is one step.
    The two sides of a cause, such as staff, are one cause here. What is rented comes first: a
    step away from renting is read from the top. The printed steps add up to the printed totals.
    """
    first, last = report.design(start), report.design(end)
    if first is None or last is None or start == end:
        return None
    changes = _differences(first, last)
    title = _waterfall_title(start, end, changes)
    totals = report.rank_usd(first), report.rank_usd(last)
    texts = printed_steps(totals[0], [change for _, change in changes], totals[1], report.currency)
    steps = [_total_step(first, texts[0])]
    running = totals[0]
    for (name, change), text in zip(changes, texts[1:-1], strict=True):
        kind = "more" if change > 0 else "less"
        steps.append(Step(label=name, start=running, change=change, kind=kind, text=text))
        running += change
    steps.append(_total_step(last, texts[-1]))
    names = (name_of(first), *(name for name, _ in changes), name_of(last))
    said = "; ".join(f"{name} {s.text}" for name, s in zip(names, steps, strict=True))
    return WaterfallFigure(
        id="waterfall",
        title=title,
        summary=f"{title}. {said}.",
        unit="USD",
        value_title=f"{report.cost_words} ({report.currency.code})",
        steps=tuple(steps),
    )


REST = "Rest"


def _differences(first: JSONDict, last: JSONDict) -> list[tuple[str, float]]:
    """Return label and change of each cause that matters, the rest summed."""
    parts: dict[str, list[float]] = {}
    labels: dict[str, tuple[int, str]] = {}
    for design, sign in ((first, -1.0), (last, 1.0)):
        for cause in design["causes"]:
            key, order = _key(cause), _rented_first(cause)
            parts.setdefault(key, []).append(sign * cause["ranked_usd"])
            if key not in labels or order < labels[key][0]:
                labels[key] = (order, cause["label"])
    largest = max(abs(first["ranked_usd"]), abs(last["ranked_usd"]))
    least = largest * tokens()["chart"]["waterfall_rest_fraction"]
    changes = [(key, fsum(parts[key])) for key in sorted(parts, key=lambda key: labels[key])]
    shown = [(labels[key][1], change) for key, change in changes if abs(change) > least]
    small = [change for _, change in changes if abs(change) <= least]
    return [*shown, (REST, fsum(small))] if any(small) else shown


def _rented_first(cause: JSONDict) -> int:
    place = cause_order(cause["side"], cause["cause"])
    return place + (0 if cause["side"] == "rented" else RENTED_LAST)


def _waterfall_title(start: str, end: str, changes: list[tuple[str, float]]) -> str:
    named = [(name, change) for name, change in changes if name != REST]
    saved = min((c for c in named if c[1] < 0), key=lambda c: c[1], default=None)
    added = max((c for c in named if c[1] > 0), key=lambda c: c[1], default=None)
    head = f"From {start} to {end}"
    if saved and added:
        return f"{head}: largest saving {saved[0].lower()}, largest addition {added[0].lower()}"
    if saved:
        return f"{head}: largest saving {saved[0].lower()}"
    if added:
        return f"{head}: largest addition {added[0].lower()}"
    return f"{head}: no cause differs by more than 1%"


def _total_step(design: JSONDict, text: str) -> Step:
    letter, total = design["letter"], design["ranked_usd"]
    return Step(label=letter, start=0.0, change=total, kind="total", text=text)
