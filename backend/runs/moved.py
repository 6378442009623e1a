"""Which figures of two results differ, and by how much."""

from __future__ import annotations

from typing import Any

from studies.documents import differences

FIGURES_MAX = 1_000


def figures_moved(before: Any, after: Any) -> dict[str, Any]:
    """Return the figures that differ, the largest relative change first; at most a thousand."""
    moved = [
        {
            "pointer": change["pointer"],
            "before": change["before"],
            "after": change["after"],
            "relative_fraction": _relative(change["before"], change["after"]),
        }
        for change in differences(before, after)
    ]
    # What is not a number, such as another winner, comes first of all.
    moved.sort(key=lambda row: -abs(row["relative_fraction"] or float("inf")))
    known = [abs(row["relative_fraction"]) for row in moved if row["relative_fraction"] is not None]
    return {
        "same": not moved,
        "moved_count": len(moved),
        "largest_relative_fraction": max(known, default=None),
        "moved": moved[:FIGURES_MAX],
    }


def _relative(before: Any, after: Any) -> float | None:
    numbers = all(
        isinstance(value, int | float) and not isinstance(value, bool) for value in (before, after)
    )
    return (after - before) / abs(before) if numbers and before else None
