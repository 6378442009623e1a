"""Fits a drive with known tracks to a trace, request by request, in the order as recorded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from capmodels.errors import ModelError
from capmodels.storage.calibration.array_answers import array_times_ms, ops_of, warm_count
from capmodels.storage.calibration.cache_rules import YES_OR_NO
from capmodels.storage.calibration.measured_drive import believed, mechanics_of
from capmodels.storage.calibration.mechanics import (
    LEAST_OF_A_CLASS,
    Measured,
    Mechanics,
    borrowed,
    demerit_fraction,
    first_half,
    fit_costs,
    half,
    modelled,
    part_of,
)
from capmodels.storage.calibration.pause_order import pauses_come, with_pauses_after
from capmodels.storage.calibration.trace_params import ClassFit, Fit, Pauses, TracksFit
from capmodels.storage.drive.measured import ENDS, REQUESTS, MeasuredRules, RequestCost
from capmodels.storage.simulator import spindle_slots as d
from capmodels.storage.simulator.on_board import costs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.spec import Context
    from capmodels.storage.calibration.measured_drive import Believed
    from capmodels.storage.drive.drives import HardDisk
    from capmodels.storage.drive.geometry import DiskGeometry

    Floats = NDArray[np.float64]
    Way = tuple[Literal["read", "write"], bool, Literal["platter", "buffer"]]

_USED_MAX = 20_000
_LEAST = 200
_REORDERED_FRACTION = 0.05
_RUNS = 16
_RULES = 6  # changes of rules that are usual, for the progress alone
_IN_ORDER = {d.HIT_IN_STREAM, d.READ_STREAM, d.WRITE_SEQUENTIAL}
_HITS = {d.HIT_IN_STREAM, d.HIT_AFTER_READ, d.HIT_AFTER_WRITE}


def one_by_one(requests: BlockRequests) -> Measured:
    """Requests as a closed loop: service from when the one before was done, and the pause after.

    Raises
    ------
    ModelError
        When there are too few, or the drive took them in another order than they came.
    """
    assert requests.response_s is not None
    rows = slice(0, _USED_MAX)
    arrived = requests.time_s[rows].astype(np.float64) * 1000.0
    done = arrived + requests.response_s[rows].astype(np.float64) * 1000.0
    if len(done) < _LEAST:
        message = f"At least {_LEAST} requests are needed to follow a drive over its tracks."
        raise ModelError(message)
    free = np.concatenate([arrived[:1], np.maximum.accumulate(done)[:-1]])
    late = float((done < free).mean())
    if late > _REORDERED_FRACTION:
        message = (
            f"{late:.0%} of the requests were done before one that came earlier. A drive is "
            "followed over its tracks where it takes requests in their order; leave the tracks out."
        )
        raise ModelError(message)
    started = np.maximum(arrived, free)
    service = np.maximum(done - started, 0.0)
    pauses = np.append(started[1:] - (started + service)[:-1], 0.0)
    return Measured(ops_of(requests, rows), service, np.maximum(pauses, 0.0))


def by_tracks(
    drive: HardDisk, geometry: DiskGeometry, requests: BlockRequests, context: Context
) -> Fit:
    """Fit a drive, skews and cache rules included, and model all requests again."""
    measured = one_by_one(requests)
    described = mechanics_of(drive, geometry)
    pauses = pauses_come(described, first_half(measured))
    if pauses == "before":
        measured = with_pauses_after(measured)

    def report(changed_count: int) -> None:
        done = changed_count / (changed_count + _RULES)
        context.report(done, "Trying rules of the drive's cache")

    found = believed(drive, geometry, measured, report=report)
    costs = fit_costs(found.mechanics, first_half(measured), runs_count=_RUNS)
    drawn: dict[str, Any] = {"runs_count": _RUNS, "seed": context.seed}
    times, kinds = modelled(found.mechanics, measured, costs, **drawn)
    sheet, _kinds = modelled(described, measured, costs_of(drive), **drawn)
    one, two = half(measured, second=False), half(measured, second=True)
    service = measured.service_ms
    fitted = _fitted(found, costs, np.bincount(kinds[0, one], minlength=d.CLASS_COUNT))
    held_back = part_of(measured, two)
    warm = warm_count(len(held_back.ops))
    sheet_demerit = demerit_fraction(service[two], np.maximum(sheet[:, two], 0.0).ravel())
    if drive.measured is not None:
        # What an earlier calibration gave back is judged as it was there.
        again = _array_ms(drive, held_back, context.seed)
        sheet_demerit = demerit_fraction(held_back.service_ms[warm:], again)
    return Fit(
        drive=fitted,
        classes=_classes(found.mechanics, costs, kinds[0]),
        measured_ms=held_back.service_ms[warm:],
        modelled_ms=_array_ms(fitted, held_back, context.seed),
        # Overheads below 0 save time, but an array answers no request before it came.
        fitted_demerit=demerit_fraction(service[one], np.maximum(times[:, one], 0.0).ravel()),
        sheet_demerit=sheet_demerit,
        tracks=_tracks(found, pauses),
    )


def _array_ms(drive: HardDisk, part: Measured, seed: int) -> Floats:
    """What an array of a drive answers; where its angles are drawn, of several runs. [ms]"""
    follows = drive.geometry is not None and drive.geometry.follows_angle
    return array_times_ms(drive, part, runs_count=1 if follows else _RUNS, seed=seed)


def _fitted(found: Believed, costs: Floats, seen: NDArray[np.int64]) -> HardDisk:
    """The drive with what was found: overheads by kind of request, below 0 too, and its rules.

    Kinds of which too few were ``seen`` take what those like them do, or the drive's overhead.
    """
    told = seen >= LEAST_OF_A_CLASS
    told[[kind for kind, _like in borrowed(told)]] = True
    cache = found.mechanics.cache
    hold = cache.stream_hold_ms
    rules = MeasuredRules(
        costs=tuple(
            RequestCost(request=name, overhead_ms=float(cost[0]), per_sector_ms=float(cost[1]))
            for name, cost, known in zip(REQUESTS, costs, told, strict=True)
            if known
        ),
        written_ends=ENDS[cache.writes_end_segment],
        stream_hold_ms=hold if math.isfinite(hold) else None,
        ahead_lost_fraction=cache.ahead_lost_fraction,
        ahead_to_track_end=cache.ahead_to_track_end,
        hits_read_ahead=cache.hits_read_ahead,
        keeps_passing_sectors=cache.keeps_passing_sectors,
        drops_delivered=cache.drops_delivered,
        ahead_in_runs=cache.ahead_in_runs,
        write_end_ms=cache.write_end_ms if math.isfinite(cache.write_end_ms) else None,
    )
    # The closed forms know one overhead, of a read from the platter, and none below 0.
    overhead = max(float(costs[d.MISS_AFTER_READ, 0]), 0.0)
    found_too: dict[str, Any] = {"overhead_ms": overhead, "measured": rules}
    if found.drive.buffer is not None:
        # Requests were followed as a drive takes them that puts writes on the platter as they come.
        found_too["buffer"] = found.drive.buffer.model_copy(update={"held_writes_count": 1})
    return found.drive.model_copy(update=found_too)


def _way(kind: int, *, behind: bool) -> Way:
    if kind < d.WRITE_SEQUENTIAL:
        return "read", kind in _IN_ORDER, "buffer" if kind in _HITS else "platter"
    return "write", kind in _IN_ORDER, "buffer" if behind else "platter"


def _classes(mechanics: Mechanics, costs: Floats, kinds: NDArray[np.int64]) -> tuple[ClassFit, ...]:
    """Classes of requests that the replay tells apart, joined by direction, order and path."""
    counts: dict[Way, int] = {}
    sums: dict[Way, float] = {}
    for kind in range(d.CLASS_COUNT):
        count = int((kinds == kind).sum())
        if count:
            way = _way(kind, behind=mechanics.cache.writes_behind)
            counts[way] = counts.get(way, 0) + count
            sums[way] = sums.get(way, 0.0) + count * float(costs[kind, 0])
    return tuple(
        ClassFit(
            way=way[0],
            sequential=way[1],
            requests_count=count,
            path=way[2],
            overhead_ms=sums[way] / count,
        )
        for way, count in counts.items()
    )


def _tracks(found: Believed, pauses: Pauses) -> TracksFit:
    geometry, cache = found.drive.geometry, found.mechanics.cache
    assert geometry is not None
    rules = {name: bool(getattr(cache, name)) for name in YES_OR_NO}
    hold = cache.stream_hold_ms
    return TracksFit(
        speed_rpm=found.drive.speed_rpm,
        head_skew_ms=geometry.head_skew_ms,
        cylinder_skew_ms=geometry.cylinder_skew_ms,
        agreement_fraction=found.agreement_fraction,
        found_skews=found.found_skews,
        follows_angle=geometry.follows_angle,
        pauses=pauses,
        written_ends=ENDS[cache.writes_end_segment],
        stream_hold_ms=hold if math.isfinite(hold) else None,
        ahead_lost_fraction=cache.ahead_lost_fraction,
        **rules,
    )
