"""Which two designs a report holds against each other: those that the screen does at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput


def name_of(design: JSONDict) -> str:
    """Return how a design is called in a series: its letter and its title."""
    return f"{design['letter']}, {design['title']}"


def default_pair(report: ReportInput) -> tuple[str, str]:
    """Return the design to start from, and the winner, which it is held against.

    The start is what stands today where there is a baseline, else what the winner has to pay
    off against, else the runner-up.
    """
    comparison = report.comparison
    designs = report.designs
    to = comparison["winner"] or designs[0]["letter"]
    paid_off = (
        row["incumbent"]
        for row in comparison["break_evens"]
        if row["challenger"] == to and row["first_month_cheaper"] is not None
    )
    baseline = (d["letter"] for d in designs if d["is_baseline"] and d["letter"] != to)
    other = (d["letter"] for d in designs if d["letter"] != to)
    start = (
        next(baseline, None)
        or next(paid_off, None)
        or comparison["runner_up"]
        or next(other, None)
        or to
    )
    return start, to
