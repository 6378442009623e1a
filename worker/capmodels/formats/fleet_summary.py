"""What a fleet's daily statistics say: failure rates by model, and how long its drives last."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from capmodels import registry, spec
from capmodels.errors import ModelError

if TYPE_CHECKING:
    from capmodels.formats.backblaze_csv import Fleet

_RATES, _LIFETIMES = "reliability.fleet_rates", "reliability.lifetimes"
_COHORTS_SHOWN = 200
_CURVES_MAX = 6
_FAILURES_LEAST = 5
_POINTS_MAX = 400
_BYTES_PER_TB = 1e12


def fleet_summary(fleet: Fleet) -> dict[str, Any]:
    """Return the fleet's figures by name, the unit as suffix."""
    rate = _rates(fleet)["fleet"]
    return {
        "drives_count": len(fleet.drives),
        "models_count": len(fleet.models),
        "drive_days_count": sum(one.drive_days_count for one in fleet.models.values()),
        "failures_count": sum(one.failures_count for one in fleet.models.values()),
        "days_count": len(fleet.days),
        "first_day": date.fromordinal(min(fleet.days)).isoformat(),
        "last_day": date.fromordinal(max(fleet.days)).isoformat(),
        "afr_per_year": rate["afr_per_year"],
        "afr_low_per_year": rate["low_per_year"],
        "afr_high_per_year": rate["high_per_year"],
    }


def fleet_charts(fleet: Fleet) -> dict[str, Any]:
    """Return rates by model, those with most drive days first, and curves where there are any."""
    curves, reason = _curves(fleet)
    return {
        "fleet": {
            "cohorts": [_cohort(fleet, rate) for rate in _rates(fleet)["cohorts"][:_COHORTS_SHOWN]],
            "models_count": len(fleet.models),
            "confidence_fraction": 0.95,
        },
        "lifetimes": {"curves": curves, "reason": reason},
    }


def _rates(fleet: Fleet) -> dict[str, Any]:
    document = {**fleet.fleet_rates(), "confidence_fraction": 0.95}
    return spec.evaluate(registry.get_model(_RATES), document).model_dump(mode="json")


def _cohort(fleet: Fleet, rate: dict[str, Any]) -> dict[str, Any]:
    of_model = fleet.models[rate["name"]]
    size = of_model.capacity_bytes
    return {
        **rate,
        "drives_count": of_model.drives_count,
        "drive_days_count": of_model.drive_days_count,
        "failures_count": of_model.failures_count,
        "capacity_tb": None if size is None else size / _BYTES_PER_TB,
    }


def _curves(fleet: Fleet) -> tuple[list[dict[str, Any]], str | None]:
    """Survival of all drives and of the models of which most failed; else why there is none."""
    failures = sum(one.failures_count for one in fleet.models.values())
    if failures < _FAILURES_LEAST:
        few = "No drive" if not failures else f"Only {failures} of the drives"
        return [], f"{few} failed in this record: too few for a curve of survival. Add more days."
    often = sorted(
        (name for name, one in fleet.models.items() if one.failures_count >= _FAILURES_LEAST),
        key=lambda name: (-fleet.models[name].failures_count, name),
    )
    found, reason = [], None
    for name in (None, *often[: _CURVES_MAX - 1]):
        try:
            found.append(_curve(fleet, name))
        except ModelError as exc:
            reason = reason or str(exc)
    return found, None if found else reason


def _curve(fleet: Fleet, name: str | None) -> dict[str, Any]:
    """Kaplan-Meier curve, thinned for the screen, and the Weibull law of one model, or of all.

    Raises
    ------
    ModelError
        When the record is too thin for it.
    """
    drives = [one for one in fleet.drives.values() if name is None or one.model == name]
    document = fleet.lifetimes(name, whole_days=True)
    found = spec.evaluate(registry.get_model(_LIFETIMES), document).model_dump(mode="json")
    points = found.pop("curve")
    every = max(1, -(-len(points) // _POINTS_MAX))
    kept = [point for at, point in enumerate(points) if at % every == 0 or at == len(points) - 1]
    return {
        "name": name or "All drives",
        "drives_count": len(drives),
        "failures_count": sum(one.failed for one in drives),
        **{key: [point[key] for point in kept] for key in kept[0]},
        **found,
    }
