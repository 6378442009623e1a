"""Rule 9: elasticity. A cloud priced at average use, as if it could be released at will."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.plans.check.rule import Change, Found, Rule, clouds, demand_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Rented designs whose hours are not known."""
    work = demand_of(study)
    for design in clouds(study):
        if work is None:
            yield Found(
                "/workload/kind",
                f"{design.letter} is paid by average use, as if instances could be released at "
                "will. Enter the demand by the hour.",
            )
        elif work.shape.kind == "flat" and (work.p99_ratio or 1.0) > 1.0:
            yield Found(
                "/workload/shape",
                f"Demand peaks at {work.p99_ratio:g} times its mean, but is flat over the hours: "
                f"{design.letter} pays for no peak. Enter the shape over the hours. Fix: a day "
                "that swings up to the peak.",
                (Change("/workload/shape", _day(work.p99_ratio or 1.0)),),
            )


def _day(peak_ratio: float) -> dict[str, Any]:
    """A day whose demand swings evenly around its mean up to a peak, as far as it can."""
    swing = min(peak_ratio - 1.0, 1.0)
    hours = [1.0 + swing * math.sin(2.0 * math.pi * hour / 24) for hour in range(24)]
    return {"kind": "hourly", "values_ratio": [max(hour, 0.0) for hour in hours]}


RULE = Rule(9, "Same elasticity", find)
