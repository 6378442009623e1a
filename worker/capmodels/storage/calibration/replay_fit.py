"""How near a calibrated drive comes to a trace whose requests wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, get_args

import numpy as np

from capmodels.storage.calibration.alone import ROUNDED_S
from capmodels.storage.calibration.array_answers import alone_in, ops_of, within
from capmodels.storage.calibration.trace_params import ReplayFit
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.params import Scheduler
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import WARM_UP_FRACTION, chunk_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.storage.drive.drives import Drive

ORDERS: tuple[Scheduler, ...] = get_args(Scheduler)
# The slowest order and the fastest, between which the others lie.
BOUNDS: tuple[Scheduler, ...] = ("fcfs", "sptf")
_SORTED = 32  # as many as a SATA drive's own queue holds
_LEAST = 1000
# Share of requests that have to wait: fewer are rounding of a trace that waits itself.
_WAITING = 0.01


class Recorded(NamedTuple):
    """Requests (sector, sectors, write) at their times, and their responses. [ms]"""

    at_ms: NDArray[np.float64]
    ops: NDArray[np.int64]
    response_ms: NDArray[np.float64]


def _recorded(requests: BlockRequests, rows: slice) -> Recorded:
    assert requests.response_s is not None
    times = requests.time_s[rows].astype(np.float64)
    response = requests.response_s[rows].astype(np.float64) * 1000.0
    return Recorded((times - times[0]) * 1000.0, ops_of(requests, rows), response)


def _means_ms(
    drive: Drive, recorded: Recorded, scheduler: Scheduler, seed: int
) -> tuple[float, float]:
    """Mean response as measured and as simulated, of the same requests. [ms]"""
    queue = _SORTED if scheduler == "sptf" else None
    design = alone_in(drive, scheduler=scheduler, queue_count=queue)
    ops = within(recorded.ops, design)
    out = replay(design, recorded.at_ms, ops, seed=seed)
    step = chunk_size(len(ops))
    warm = -(-int(WARM_UP_FRACTION * len(ops)) // step) * step
    ours = out.response[:, k.SUM].sum() / max(out.response[:, k.DONE].sum(), 1.0)
    return float(recorded.response_ms[warm:].mean()), float(ours)


def has_waits(requests: BlockRequests) -> bool:
    """Whether enough requests came while another was under way to judge a drive by their waits."""
    whole = _recorded(requests, slice(0, len(requests.time_s)))
    done = np.maximum.accumulate(whole.at_ms + whole.response_ms)
    waited = whole.at_ms[1:] < done[:-1] - ROUNDED_S * 1000
    return len(whole.ops) >= _LEAST and bool(waited.mean() >= _WAITING)


def replayed_in(
    drive: Drive,
    requests: BlockRequests,
    rows: slice,
    seed: int,
    orders: Sequence[Scheduler] = ORDERS,
) -> tuple[Scheduler, float, float]:
    """The queue's order in which a drive comes nearest to rows of a trace at their times.

    One between the slowest and the fastest is taken where it is at most half as far off: of two
    that are about as near, half of a trace cannot tell. With their mean response as measured, and
    as simulated in this order. [ms]
    """
    recorded = _recorded(requests, rows)
    ways = orders if drive.kind == "hdd" else orders[:1]
    pairs = {way: _means_ms(drive, recorded, way, seed) for way in ways}
    off_ms = {way: abs(ours - measured) for way, (measured, ours) in pairs.items()}
    best, bound = (min(some, key=off_ms.__getitem__) for some in (ways, set(ways) & set(BOUNDS)))
    taken = best if off_ms[best] <= off_ms[bound] / 2 else bound
    return taken, *pairs[taken]


def replay_fit(drive: Drive, requests: BlockRequests, seed: int) -> ReplayFit | None:
    """Replay the second half on the fitted drive, in the queue's order that fits the first one.

    None where requests are few, hardly any came while another was under way, or all of the second
    half are said to have taken no time.
    """
    if not has_waits(requests):
        return None
    count = len(requests.time_s)
    best, _, _ = replayed_in(drive, requests, slice(0, count // 2), seed)
    second = _recorded(requests, slice(count // 2, count))
    measured, ours = _means_ms(drive, second, best, seed)
    if measured <= 0:
        return None
    return ReplayFit(
        scheduler=best,
        requests_count=len(second.ops),
        measured_mean_ms=measured,
        modelled_mean_ms=ours,
        error_fraction=ours / measured - 1,
    )
