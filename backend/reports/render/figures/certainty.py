"""How sure: odds of each design, and the inputs that move the answer most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import money, money_change, percent, quantity
from reports.render.figures.pair import name_of
from reports.render.figures.shapes import Bar, BarFigure, Swing, TornadoFigure
from reports.render.tokens import design_color

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

SWINGS_SHOWN = 10


def odds(report: ReportInput) -> BarFigure | None:
    """Return the share of simulations in which each design is cheapest, where it was computed."""
    stated = report.comparison["odds"]
    if not stated:
        return None
    designs = report.designs
    shares = [stated["wins"].get(design["letter"], 0.0) for design in designs]
    best = designs[shares.index(max(shares))]["letter"]
    title = f"{best} is cheapest in {percent(max(shares))} of {stated['draws_count']:,} simulations"
    said = "; ".join(f"{name_of(d)}: {percent(s)}" for d, s in zip(designs, shares, strict=True))
    return BarFigure(
        id="odds",
        title=title,
        summary=f"{title}. {said}.",
        unit="fraction",
        value_title="Share of simulations in which it is cheapest",
        categories=tuple(name_of(design) for design in designs),
        bars=(
            Bar(
                name="Cheapest in",
                colors=tuple(design_color(design["letter"]) for design in designs),
                values=tuple(shares),
            ),
        ),
        texts=tuple(percent(share) for share in shares),
    )


def tornado(report: ReportInput) -> TornadoFigure | None:
    """Return how far each input moves the winner's lead over the runner-up. [USD]"""
    rows = report.comparison["tornado"][:SWINGS_SHOWN]
    winner = report.design(report.comparison["winner"])
    rival = report.design(report.comparison["runner_up"])
    if not rows or winner is None or rival is None:
        return None
    first = rows[0]
    widest = money(abs(first["at_high_usd"] - first["at_low_usd"]), report.currency)
    title = f"{first['label']} moves the difference most: {widest}"
    names = f"{winner['letter']} minus {rival['letter']}, mean ({report.currency.code})"
    return TornadoFigure(
        id="tornado",
        title=title,
        summary=f"{title}. {'; '.join(_said(report, row) for row in rows)}.",
        unit="USD",
        value_title=f"{names}; left of zero {winner['letter']} is cheaper",
        center=_center(report, winner, rival),
        swings=tuple(
            Swing(
                label=row["label"],
                low_text=quantity(row["low"], row["unit"], report.currency),
                high_text=quantity(row["high"], row["unit"], report.currency),
                at_low=row["at_low_usd"],
                at_high=row["at_high_usd"],
            )
            for row in rows
        ),
    )


def _center(report: ReportInput, winner: JSONDict, rival: JSONDict) -> float:
    """Where the bars start; results stored before version 2.14 have them as entered. [USD]"""
    center = report.comparison.get("tornado_center_usd")
    entered = report.entered_usd(winner) - report.entered_usd(rival)
    return entered if center is None else float(center)


def _said(report: ReportInput, row: JSONDict) -> str:
    ends = ", ".join(
        f"{money_change(row[f'at_{end}_usd'], report.currency)}"
        f" at {quantity(row[end], row['unit'], report.currency)}"
        for end in ("low", "high")
    )
    return f"{row['label']}: {ends}"
