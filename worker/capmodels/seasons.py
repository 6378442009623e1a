"""The seasons of a series: which are told from so many values, and by how many waves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Step = Literal["hour", "day", "month", "quarter"]
YEAR_STEPS: dict[Step, float] = {"hour": 8766.0, "day": 365.25, "month": 12.0, "quarter": 4.0}


@dataclass(frozen=True, slots=True)
class Season:
    """A period in steps, its waves, and the counts of values from and below which it is told."""

    period: float
    waves_count: int
    name: str = ""
    from_count: float = 0.0
    below_count: float = math.inf


# Two whole seasons at least. A year of hours or days: one and a half, as its seasons are not told
# from a trend by much less. All hours of a week are told apart from eight weeks on.
_WEEKS_8 = 8 * 168
_SEASONS: dict[Step, tuple[Season, ...]] = {
    "hour": (
        Season(24, 6, "day", 2 * 24, _WEEKS_8),
        Season(168, 3, "week", 2 * 168, _WEEKS_8),
        Season(168, 84, "week", _WEEKS_8),
        Season(YEAR_STEPS["hour"], 3, "year", 1.5 * YEAR_STEPS["hour"]),
    ),
    "day": (
        Season(7, 3, "week", 2 * 7),
        Season(YEAR_STEPS["day"], 3, "year", 1.5 * YEAR_STEPS["day"]),
    ),
    "month": (Season(12, 6, "year", 2 * 12),),
    "quarter": (Season(4, 2, "year", 2 * 4),),
}


def seasons_of(step: Step, count: int) -> tuple[Season, ...]:
    """Seasons that are told from so many values of a step."""
    return tuple(one for one in _SEASONS[step] if one.from_count <= count < one.below_count)
