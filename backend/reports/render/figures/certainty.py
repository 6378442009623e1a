"""How sure: odds of each design, and the inputs that move the answer most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.figures.shapes import Bar, BarFigure, Swing, TornadoFigure
from reports.render.numbers import percent, quantity
from reports.render.tokens import design_color

if TYPE_CHECKING:
    from reports.render.contents import ReportInput

SWINGS_SHOWN = 10


def odds(report: ReportInput) -> BarFigure | None:
    """Return the share of draws in which each design is cheapest, where it was computed."""
    stated = report.comparison["odds"]
    if not stated:
        return None
    wins = stated["wins"]
    draws = f"{stated['draws_count']:,}"
    said = "; ".join(f"{d['letter']} {percent(wins.get(d['letter'], 0))}" for d in report.designs)
    return BarFigure(
        id="odds",
        title=f"Share of {draws} draws in which each design is cheapest",
        summary=f"Bar chart of {draws} draws: {said}.",
        unit="fraction",
        value_title="Share of draws won",
        categories=tuple(f"{d['letter']} {d['title']}" for d in report.designs),
        bars=(
            Bar(
                name="Draws won",
                colors=tuple(design_color(d["letter"]) for d in report.designs),
                values=tuple(wins.get(d["letter"], 0.0) for d in report.designs),
            ),
        ),
        texts=tuple(percent(wins.get(d["letter"], 0.0)) for d in report.designs),
    )


def tornado(report: ReportInput) -> TornadoFigure | None:
    """Return how far each input moves the winner's lead over the runner-up. [USD]"""
    rows = report.comparison["tornado"][:SWINGS_SHOWN]
    winner = report.design(report.comparison["winner"]) or next(iter(report.designs), None)
    rival = report.design(report.comparison["runner_up"])
    if not rows or winner is None or rival is None:
        return None
    names = f"{winner['letter']} minus {rival['letter']}"
    return TornadoFigure(
        id="tornado",
        title=f"{rows[0]['label']} moves the answer most",
        summary=f"Tornado chart of {names} at the low and high end of each input's range, "
        f"widest first: {', '.join(row['label'] for row in rows)}.",
        unit="USD",
        value_title=f"Cost of {names} over {report.years} ({report.currency.code})",
        center=winner["total_usd"] - rival["total_usd"],
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
