"""Which two designs a report holds against each other: those that the screen does at first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput

RENTED = {"cloud", "baseline"}


def name_of(design: JSONDict) -> str:
    """Return how a design is called in a series: its letter and its title."""
    return f"{design['letter']}, {design['title']}"


def default_pair(report: ReportInput) -> tuple[str, str]:
    """Return the design to start from, and the winner, which it is held against.

    The start is what stands today where there is a baseline, else the cheapest design that
    is rented where the winner is owned, or the other way round, else the runner-up. The
    verdict speaks of the same two. Where only one meets demand, one that does not.
    """
    comparison = report.comparison
    designs = report.designs
    winner = next((d for d in designs if d["letter"] == comparison["winner"]), designs[0])
    others = sorted(
        (d for d in designs if d["letter"] != winner["letter"]),
        key=lambda d: (not d["carries_load"], d["ranked_usd"]),
    )
    able = [d for d in others if d["carries_load"]]
    side = winner["kind"] in RENTED
    baseline = (d["letter"] for d in able if d["is_baseline"])
    opposite = (d["letter"] for d in able if (d["kind"] in RENTED) != side)
    start = (
        next(baseline, None)
        or next(opposite, None)
        or comparison["runner_up"]
        or (others[0]["letter"] if others else winner["letter"])
    )
    return start, winner["letter"]
