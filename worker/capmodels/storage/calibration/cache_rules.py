"""Which rules a drive's own cache follows: chosen by how well they foretell a measured trace."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.storage.calibration.mechanics import (
    LEAST_OF_A_CLASS,
    MISSES,
    demerit_fraction,
    first_half,
    fit_costs,
    half,
    modelled,
    part_of,
)
from capmodels.storage.simulator import spindle_slots as d

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from capmodels.storage.calibration.mechanics import Measured, Mechanics
    from capmodels.storage.simulator.on_board import OnBoardCache

_STREAM_CLOSE_MS = 0.5  # hits that are further off are none
_HELPS = 0.99  # a rule must bring the misfit below this share of it
_LATE = 0.1  # of a turn by which a request comes too late to be a hit
_LEAST_LATE = 10
_READ_HITS = (d.HIT_IN_STREAM, d.HIT_AFTER_READ)
YES_OR_NO = (
    "ahead_to_track_end",
    "hits_read_ahead",
    "keeps_passing_sectors",
    "drops_delivered",
    "ahead_in_runs",
    "takes_whole_track",
)


def misfit(measured_ms: NDArray[np.float64], modelled_ms: NDArray[np.float64]) -> float:
    """How far a model is off, by which rules are chosen; ``modelled_ms`` of shape (runs, n).

    Of one run the mean error request by request as share of the mean: it tells a wrong rule from
    a right one long before the distribution does. Of several runs, each with what it has drawn,
    the demerit.
    """
    if len(modelled_ms) > 1:
        return demerit_fraction(measured_ms, modelled_ms.ravel())
    return float(np.abs(measured_ms - modelled_ms[0]).mean() / measured_ms.mean())


def cross_validated(drive: Mechanics, measured: Measured, *, runs_count: int) -> float:
    """Mean misfit of each half of a trace with overheads fitted on the other half."""
    found = []
    for second in (False, True):
        fitted, judged = half(measured, second=second), half(measured, second=not second)
        costs = fit_costs(drive, part_of(measured, fitted), runs_count=runs_count)
        times, _kinds = modelled(drive, measured, costs, runs_count=runs_count)
        found.append(misfit(measured.service_ms[judged], times[:, judged]))
    return sum(found) / len(found)


def _always_ahead(drive: Mechanics) -> Mechanics:
    return replace(drive, cache=drive.cache._replace(ahead_lost_fraction=0.0))


def stream_hold_ms(drive: Mechanics, measured: Measured) -> float:
    """Idle time after which sequential hits cost more, if they do: the split that fits best."""
    endless = drive.cache._replace(stream_hold_ms=math.inf)
    open_long = _always_ahead(replace(drive, cache=endless))
    costs = fit_costs(open_long, measured)
    times, kinds = modelled(open_long, measured, costs)
    stream = np.flatnonzero(kinds[0, 1:] == d.HIT_IN_STREAM) + 1
    idle = measured.thinks_ms[stream - 1]
    gaps = (measured.service_ms - times[0])[stream]
    close = np.abs(gaps - np.median(gaps)) < _STREAM_CLOSE_MS
    order = np.argsort(idle[close])
    idle, gaps = idle[close][order], gaps[close][order]
    if len(idle) < 2 * LEAST_OF_A_CLASS:
        return math.inf
    splits = range(LEAST_OF_A_CLASS, len(idle) - LEAST_OF_A_CLASS)
    spreads = [gaps[:i].var() * i + gaps[i:].var() * (len(gaps) - i) for i in splits]
    at = splits[int(np.argmin(spreads))]
    return float(idle[at - 1] + idle[at]) / 2


def ahead_lost_fraction(drive: Mechanics, measured: Measured) -> float:
    """Share of misses after which the drive did not read ahead, of those that would tell.

    They tell when the next request is to what would have been read. Why a drive does not is not
    known from outside: retries and the servo's own work are among the reasons.
    """
    if not drive.angles_known:
        return 0.0
    drive = _always_ahead(drive)
    times, kinds = modelled(drive, measured, fit_costs(drive, measured))
    after = np.isin(kinds[0, :-1], MISSES) & np.isin(kinds[0, 1:], _READ_HITS)
    late = (measured.service_ms - times[0])[1:][after] > _LATE * drive.turn_ms
    return float(late.mean()) if late.sum() >= _LEAST_LATE else 0.0


def cache_rules(given: OnBoardCache, hold_ms: float) -> list[OnBoardCache]:
    """Every cache that differs from a given one in one rule that settings leave open."""
    changes: list[dict[str, Any]] = [{name: not getattr(given, name)} for name in YES_OR_NO]
    changes += [{"writes_end_segment": way} for way in (0, 1, 2)]
    changes += [{"stream_hold_ms": hold} for hold in (math.inf, hold_ms)]
    return [changed for change in changes if (changed := given._replace(**change)) != given]


def choose_rules(
    drive: Mechanics,
    measured: Measured,
    *,
    runs_count: int,
    report: Callable[[int], None] = lambda _changed_count: None,
) -> OnBoardCache:
    """The cache rules under which each half of the first half best foretells the other.

    One rule is changed after another, each time the one that helps most, while it helps by
    a hundredth. The second half is not looked at, so that its demerit is one of foretelling.
    ``report`` is told how many rules are changed so far, before each look at all of them.
    """
    seen, drive = first_half(measured), _always_ahead(drive)
    best = cross_validated(drive, seen, runs_count=runs_count)
    for changed in count():
        report(changed)
        hold = stream_hold_ms(drive, seen) if drive.angles_known else math.inf
        tried = [replace(drive, cache=cache) for cache in cache_rules(drive.cache, hold)]
        found = [cross_validated(one, seen, runs_count=runs_count) for one in tried]
        if min(found) > best * _HELPS:
            return drive.cache._replace(ahead_lost_fraction=ahead_lost_fraction(drive, seen))
        drive, best = tried[int(np.argmin(found))], min(found)
    raise AssertionError
