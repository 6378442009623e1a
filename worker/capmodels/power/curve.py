"""A server's power curve from its idle and full power and its family, and how far to trust it."""

from __future__ import annotations

from functools import cache
from statistics import median, quantiles
from typing import TYPE_CHECKING, Literal

from capmodels.forms import named
from capmodels.numbers import percent
from capmodels.power.corners import measured_w
from capmodels.power.curves import FamilyBetween, fan_w, linear_w
from capmodels.power.families import (
    ERROR_LOADS,
    SOLD_SINCE_2017,
    TITLES,
    Family,
    HeldBy,
    family_w,
    fitted,
    held_out,
    held_out_errors,
    rotated_errors,
    rotated_median,
    segments_range_fraction,
    shape,
    two_segments,
)
from capmodels.power.measured_servers import LOADS, SOURCE, SOURCE_URL
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, Result, assumed, one_point
from capmodels.units import CountFromOne, Fraction, PowerW, Ratio

if TYPE_CHECKING:
    from collections.abc import Callable

CurveKind = Literal["family", "two_segments", "linear", "fan"]
_FAN_EXPONENT = 1.4
_WANTED_ERROR = 0.05
# Loads at which a server in use is read.
_READ_FROM, _READ_TO = 0.2, 0.4


def _fan(_family: Family, idle_w: float, full_w: float, load: float) -> float:
    return fan_w(
        power_idle_w=idle_w,
        power_max_w=full_w,
        utilization_fraction=load,
        exponent=_FAN_EXPONENT,
    )


def _two_segments(family: Family, idle_w: float, full_w: float, load: float) -> float:
    return idle_w + (full_w - idle_w) * segments_range_fraction(two_segments(family), load)


def _linear(_family: Family, idle_w: float, full_w: float, load: float) -> float:
    return linear_w(power_idle_w=idle_w, power_max_w=full_w, utilization_fraction=load)


_POWERS: dict[CurveKind, Callable[[Family, float, float, float], float]] = {
    "family": family_w,
    "two_segments": _two_segments,
    "linear": _linear,
    "fan": _fan,
}


class CurveParams(FamilyBetween):
    """A server of which idle and full power are known, perhaps more, and a load."""

    family: Family = assumed("zen4", "Processor family of the server.", extra=named(**TITLES))
    utilization_fraction: Fraction = assumed(0.3, "Load at which the power is asked.")


class CurvePoint(Result):
    """Power at a load, by each kind of curve."""

    utilization_fraction: Fraction
    family_w: PowerW
    two_segments_w: PowerW
    linear_w: PowerW
    fan_w: PowerW


class CurveError(Result):
    """Error of a kind of curve at a load, over servers that it was not fitted to."""

    curve: CurveKind
    utilization_fraction: Fraction
    median_error_fraction: Ratio
    high_error_fraction: Ratio


class CurveResult(Result):
    """Power at the load with the range that nine in ten servers held out lay in, and the curve.

    ``family_error_fraction`` is the median error at 10, 20, 30 and 50% load over all servers of
    the family, each third held out in turn; ``loaded_idle_fraction`` is the part of idle power
    that its shape keeps under load. With a reading, the family's errors are those of curves that
    pass a reading of each server at the nearest tenth, at the other loads; with a result, of
    curves with the mean power of each server's eleven.
    """

    power_w: PowerW
    power_low_w: PowerW
    power_high_w: PowerW
    knee_utilization_fraction: Fraction
    knee_range_fraction: Fraction
    points: tuple[CurvePoint, ...]
    errors: tuple[CurveError, ...]
    fitted_count: CountFromOne
    held_out_count: CountFromOne
    family_error_fraction: Ratio
    loaded_idle_fraction: Fraction


@cache
def _errors(kind: CurveKind) -> dict[float, tuple[float, float]]:
    """Median and 90% quantile of the relative error at each load, over all families."""
    found = held_out_errors(_POWERS[kind])
    return {load: (median(rows), quantiles(rows, n=10)[-1]) for load, rows in found.items()}


@cache
def _errors_with(by: float | Literal["result"]) -> dict[float, tuple[float, float]]:
    """As ``_errors`` of families, of curves that are held, at the loads not of the reading."""
    rows = {
        load: [error for family in TITLES for error in rotated_errors(family, by)[load]]
        for load in ERROR_LOADS
        if load != by
    }
    return {load: (median(row), quantiles(row, n=10)[-1]) for load, row in rows.items()}


def _errors_of(kind: CurveKind, by: HeldBy) -> dict[float, tuple[float, float]]:
    return _errors(kind) if kind != "family" or by is None else _errors_with(by)


def _held_by(params: CurveParams) -> HeldBy:
    """What holds the curve: a result, or the tenth of load next to a reading."""
    reading = params.reading
    if reading is None:
        return None if params.result is None else "result"
    return min(LOADS[1:-1], key=lambda load: abs(load - reading.utilization_fraction))


def _high_error(params: CurveParams) -> float:
    """Error that nine in ten held-out servers stay below: of the nearest of the four loads.

    None at idle, at full load and at a reading, which are given; at least the family's own
    median error.
    """
    load, reading = params.utilization_fraction, params.reading
    if load in (0.0, 1.0) or (reading is not None and load == reading.utilization_fraction):
        return 0.0
    by = _held_by(params)
    known = _errors_of("family", by)
    nearest = min(known, key=lambda one: abs(one - load))
    return max(known[nearest][1], median(rotated_errors(params.family, by)[nearest]))


def _run(params: CurveParams, _context: Context) -> CurveResult:
    idle, full = params.power_idle_w, params.power_max_w

    def at(kind: CurveKind, load: float) -> float:
        return _POWERS[kind](params.family, idle, full, load)

    corners, by = params.corners_w, _held_by(params)
    segments = two_segments(params.family)
    power = measured_w(corners, params.utilization_fraction)
    error = _high_error(params)
    return CurveResult(
        power_w=power,
        power_low_w=max(idle, power * (1 - error)),
        power_high_w=min(params.power_max_w, power * (1 + error)),
        knee_utilization_fraction=segments.knee_utilization_fraction,
        knee_range_fraction=segments.knee_range_fraction,
        points=tuple(
            CurvePoint(
                utilization_fraction=load,
                family_w=measured_w(corners, load),
                two_segments_w=at("two_segments", load),
                linear_w=at("linear", load),
                fan_w=at("fan", load),
            )
            for load in LOADS
        ),
        errors=tuple(
            CurveError(
                curve=kind,
                utilization_fraction=load,
                median_error_fraction=middle,
                high_error_fraction=high,
            )
            for kind in _POWERS
            for load, (middle, high) in _errors_of(kind, by).items()
        ),
        fitted_count=len(fitted(params.family)),
        held_out_count=len(held_out(params.family)),
        family_error_fraction=rotated_median(params.family, by),
        loaded_idle_fraction=shape(params.family, by == "result").idle_part,
    )


def _uncertain() -> str:
    """The families with a median error above 5%, with it and the number of servers."""
    return "; ".join(
        f"{title} ({100 * rotated_median(family):.0f}%, "
        f"{len(fitted(family)) + len(held_out(family))} servers)"
        for family, title in TITLES.items()
        if rotated_median(family) > _WANTED_ERROR
    )


def _with_reading() -> float:
    """The largest median error of a family sold since 2017 with a reading at a usual load."""
    loads = [load for load in LOADS if _READ_FROM <= load <= _READ_TO]
    return max(rotated_median(family, load) for family in SOLD_SINCE_2017 for load in loads)


def _with_result() -> float:
    """The largest median error of a family sold since 2017 with a published result."""
    return max(rotated_median(family, "result") for family in SOLD_SINCE_2017)


def _check(load: float) -> Check:
    percent = round(100 * load)
    return Check(
        id=f"PC{percent}",
        title=f"Median error of the family's curve at {percent}% load of servers not fitted",
        source=f"{SOURCE}; every third server of a family held out",
        published=0.0,
        tolerance=0.05,
        unit="fraction",
        basis="derived",
        kind="predicted",
        tests="power.curve.measured_w",
        compute=lambda: _errors("family")[load][0],
    )


SPEC = ModelSpec(
    id="power.curve",
    version="1.4.0",
    title="Power curve of a server family",
    summary="Power at any load of a server of which idle and full power are known, by the shape "
    "of its family's measured servers, and the error of such curves on servers not fitted.",
    params=CurveParams,
    result=CurveResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text=SOURCE, url=SOURCE_URL),
        Citation(
            text="X. Fan, W.-D. Weber, L. A. Barroso, Power provisioning for a "
            "warehouse-sized computer, ISCA 2007",
            url="https://doi.org/10.1145/1250662.1250665",
        ),
    ),
    formulas=(
        Formula(
            id="family",
            text="P(u) = c P_idle + (P_max - c P_idle) s(u) at each tenth of load; s the median "
            "over the family's fitted servers, c the part of idle power that stays under load, "
            "with the least error on fitted servers left out in turn; what P_idle is above the "
            "greatest share of P_max at which a measured one idles counts at every load",
            source="fitted to SPECpower_ssj2008 results",
            symbols={"P_idle": "power_idle_w", "P_max": "power_max_w", "c": "loaded_idle_fraction"},
        ),
        Formula(
            id="reading",
            text="with a reading P_r at load r: P(u) + (P_r - P(r)) n(u), n rising straight from 0 "
            "at idle to 1 at r and falling straight to 0 at full load; kept from P_idle to P_max",
            source="definition, ours",
            symbols={"P_r": "reading.power_w", "r": "reading.utilization_fraction"},
        ),
        Formula(
            id="result",
            text="with an overall result R and O operations at full load, the mean over idle and "
            "ten loads is O / (2 R); what P is off by there is laid as a reading at 60% of load, "
            "where fitted servers left out in turn are off by most",
            source="SPECpower_ssj2008 run and reporting rules; the laying is ours",
            symbols={
                "R": "result.overall_ssj_ops_per_w",
                "O": "result.full_load_ssj_ops_per_s",
            },
        ),
        Formula(
            id="two_segments",
            text="s(u) = k u / u_k up to the knee, then straight to 1; u_k and k by least "
            "squared relative error in watts",
            source="fitted to the same servers",
            symbols={"u_k": "knee_utilization_fraction", "k": "knee_range_fraction"},
        ),
        Formula(
            id="error",
            text="error = |P - P_measured| / P_measured at 10, 20, 30 and 50% load of servers "
            "held out, idle and full power known",
            source="hold-out by server, fixed split",
        ),
    ),
    checks=tuple(_check(load) for load in ERROR_LOADS),
    limits=(
        "The servers were tuned for the benchmark: few disks and little memory, power saving on. "
        "A server in use may idle far higher; give its own idle power. What it idles above any of "
        "its family is taken as drawn at every load; of such servers no measured curve is at hand.",
        f"{sum(len(fitted(family)) for family in TITLES)} servers are fitted and "
        f"{sum(len(held_out(family)) for family in TITLES)} held out. Each third of a family "
        "held out in turn, the median error over 10, 20, 30 and 50% load is above 5% in: "
        f"{_uncertain()}. Few servers of these are measured here, and their firmware differs. "
        f"With a published result it is at most {percent(_with_result())} in each of "
        f"{len(SOLD_SINCE_2017)} families sold since 2017, with one reading at "
        f"{percent(_READ_FROM)} to {percent(_READ_TO)} load {percent(_with_reading())}.",
        "One held-out server in ten is off by more than an eighth at 10% load: where power "
        "decides, measure, and use the measured points.",
    ),
)
