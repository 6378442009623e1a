"""A study's growth from a forecast: the share a year with its range, kept by reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from capmodels.plans.document.workload import Growth
from capmodels.units import GrowthFractionPerYear
from common.errors import Conflict, Invalid
from studies.services import study_update

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.spec import JSONDict
    from runs.models import Run
    from studies.models import Study

FORECAST = "demand.forecast"
_SUFFIX = "_fraction_per_year"
KINDS = tuple(name.removesuffix(_SUFFIX) for name in Growth.model_fields)
# Fields of one quantity are drawn together: one forecast is one unknown.
_QUANTITY = "workload/growth, by the forecast"
_BOUNDED = TypeAdapter(GrowthFractionPerYear)
_LOWEST = -0.99


def growth_take(study: Study, run: Run, found: JSONDict, kinds: Sequence[str], source: str) -> None:
    """Give a study opened with ``lock=True`` the growth of a forecast's result, with its range.

    Raises
    ------
    Invalid
        When the run is no forecast.
    Conflict
        When the forecast or the study has no growth by a share.
    """
    if run.model_id != FORECAST:
        raise Invalid.at("/run", "Choose a run of a forecast.", "not_a_choice")
    if study.workload.get("kind", "demand") != "demand":
        raise Conflict("This study's work is a share of machines, which has no growth.")
    value, low, high = (_share(found.get(name)) for name in _FOUND)
    names = [f"{kind}{_SUFFIX}" for kind in kinds]
    held = study.workload.get("growth") or {}
    origin = {
        "quality": "derived",
        "source": source[:300],
        "as_of": run.created_at.date().isoformat(),
        "low": low,
        "high": high,
        "note": str(found.get("headline", "")).replace("**", ""),
        "run": str(run.pk),
    }
    pointers = [f"/growth/{name}" for name in names]
    ranges = [one for one in study.ranges if _place(one) not in pointers]
    if low < value < high:
        ranges += [
            {
                "pointer": f"/workload{pointer}",
                "low": low,
                "high": high,
                **({"quantity": _QUANTITY} if len(pointers) > 1 else {}),
            }
            for pointer in pointers
        ]
    study_update(
        study,
        {
            "workload": {**study.workload, "growth": {**held, **dict.fromkeys(names, value)}},
            "workload_provenance": {
                **study.workload_provenance,
                **dict.fromkeys(pointers, origin),
            },
            "ranges": ranges,
        },
    )


_FOUND = (
    "growth_fraction_per_year",
    "growth_low_fraction_per_year",
    "growth_high_fraction_per_year",
)


def _share(value: Any) -> float:
    """A share a year as a study takes it; nothing falls by more than all there is."""
    if value is None:
        raise Conflict("The forecast has no growth by a share: its series ends at or below zero.")
    try:
        return float(f"{_BOUNDED.validate_python(max(_LOWEST, value)):.6g}")
    except ValidationError as exc:
        message = "The forecast's growth, or an end of its range, is more than tenfold a year."
        raise Conflict(message) from exc


def _place(one: Any) -> str:
    return str(one.get("pointer", "")).removeprefix("/workload") if isinstance(one, dict) else ""
