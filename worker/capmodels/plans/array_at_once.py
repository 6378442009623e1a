"""What is said of an array before it is simulated: by its closed form, else as the plan knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.numbers import missing, quantity, rate
from capmodels.spec import Context, Result
from capmodels.storage.closed_form.array_outlook import SPEC as OUTLOOK
from capmodels.storage.closed_form.array_outlook import OutlookParams
from capmodels.storage.simulator.results import ArrayFigure
from capmodels.storage.simulator.told import load_text, ms_text

if TYPE_CHECKING:
    from capmodels.plans.storage_figures import ArrayFigures
    from capmodels.storage.closed_form.array_outlook import OutlookResult
    from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload


class AtOnce(Result):
    """Load, limit, response and power of an array, and how it wears."""

    figures: tuple[ArrayFigure, ...]
    overloaded: bool
    wear: str


class _Known(NamedTuple):
    load: float | None
    most_per_s: float | None
    response_ms: float | None
    power_w: float | None
    reason: str | None


def at_once(
    array: ArrayDesign,
    workload: SyntheticWorkload,
    *,
    recorded: bool,
    plan: ArrayFigures | None,
    why: str | None,
) -> AtOnce:
    """Return what is known of an array at once; ``why`` is why the plan has no figures of it."""
    outlook = OUTLOOK.run(
        OutlookParams(array=array, workload=workload, recorded=recorded), Context()
    )
    if array.layout.failed_disk_count > 0 or array.copies is not None:
        # The plan knows neither lost disks nor copies: what it says is of another array.
        plan, why = None, None
    known = _known(outlook, plan, why)
    return AtOnce(
        figures=tuple(_figures(known)),
        overloaded=known.load is not None and known.load >= 1,
        wear=_wear(outlook, plan),
    )


def _known(outlook: OutlookResult, plan: ArrayFigures | None, why: str | None) -> _Known:
    planned = why if plan is None else plan.reasons.get("response_mean_ms", why)
    response = None if plan is None else plan.response_mean_ms
    answer = outlook.closed_form
    if answer is not None:
        off = outlook.response_withheld if answer.carries_load else "The array cannot keep up."
        # The plan knows what writes wait, too.
        known = response if answer.response_mean_ms is None else answer.response_mean_ms
        return _Known(
            answer.utilization_ratio,
            answer.max_rate_per_s,
            known if off is None else None,
            answer.always_on_w if answer.one_awake_w is None else answer.one_awake_w,
            off or planned,
        )
    reason = planned or outlook.no_closed_form
    if plan is None:
        return _Known(None, None, None, None, reason)
    most = plan.iops_ceiling_per_s
    return _Known(plan.requests_per_s / most, most, response, plan.mean_w, reason)


def _figures(known: _Known) -> list[ArrayFigure]:
    rows = (
        ("load", "Load", "ratio", known.load, load_text),
        ("most", "At most", "1/s", known.most_per_s, rate),
        ("response", "Mean response", "ms", known.response_ms, ms_text),
        ("power", "Power", "W", known.power_w, lambda value: quantity(value, "W")),
    )
    return [
        ArrayFigure(
            id=name,
            label=label,
            unit=unit,
            value=value,
            text=missing() if value is None else said(value),
            note=known.reason if value is None else None,
            lower_is_better=None,
        )
        for name, label, unit, value, said in rows
    ]


def _wear(outlook: OutlookResult, plan: ArrayFigures | None) -> str:
    if outlook.wear is not None:
        return outlook.wear
    if plan is None or plan.wear_years is None:
        return "wear unknown until simulated"
    return f"worn in {quantity(plan.wear_years, 'yr')} by closed form"
