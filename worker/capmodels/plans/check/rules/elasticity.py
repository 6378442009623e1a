"""Rule 9: elasticity. A cloud priced at average use, as if it could be released at will.

And storage that grows by whole clusters or arrays beside one that grows by nodes or groups.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.plans.check.rule import Change, Found, Rule, arrays, clouds, demand_of
from capmodels.plans.document.array_expansion import Expansion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.document.study import StudySpec


def find(study: StudySpec) -> Iterator[Found]:
    """Rented designs whose hours are not known, and storage that grows in larger pieces."""
    yield from _larger_pieces(study)
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


def _larger_pieces(study: StudySpec) -> Iterator[Found]:
    stores = arrays(study)
    finer = dict.fromkeys(letter for letter, _, array in stores if array.in_steps)
    for letter, pointer, array in stores:
        steps = array.model_copy(update={"expansion": Expansion()})
        if array.in_steps or not steps.in_steps or not finer.keys() - {letter}:
            continue
        what, by = ("arrays", "groups of drives")
        if array.code is not None:
            what, by = ("clusters", "nodes")
        others = ", ".join(other for other in finer if other != letter)
        yield Found(
            f"{pointer}/expansion/kind",
            f"{letter} grows by whole {what}, the storage of {others} in steps. "
            f"Fix: {letter} grows by {by}.",
            (Change(f"{pointer}/expansion", {"kind": "steps"}),),
        )


def _day(peak_ratio: float) -> dict[str, Any]:
    """A day whose demand swings evenly around its mean up to a peak, as far as it can."""
    swing = min(peak_ratio - 1.0, 1.0)
    hours = [1.0 + swing * math.sin(2.0 * math.pi * hour / 24) for hour in range(24)]
    return {"kind": "hourly", "values_ratio": [max(hour, 0.0) for hour in hours]}


RULE = Rule(9, "Same elasticity", find)
