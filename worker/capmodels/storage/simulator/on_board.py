"""A drive's own cache and overheads, from how it is described to what ``spindle_kernel`` takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.storage.drive.measured import ENDS, REQUESTS, MeasuredRules
from capmodels.storage.drive.service import BYTES_PER_SECTOR, transfer_ms
from capmodels.storage.simulator import spindle_slots as d

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.drive.drives import DriveBuffer, HardDisk

_HITS = (d.HIT_IN_STREAM, d.HIT_AFTER_READ, d.HIT_AFTER_WRITE)


class OnBoardCache(NamedTuple):
    """What a drive's own cache does, as its settings say."""

    segments_count: int
    segment_sectors: int
    ahead_sectors: int
    ahead_to_track_end: bool
    writes_behind: bool
    hits_read_ahead: bool = False
    keeps_passing_sectors: bool = False
    drops_delivered: bool = False
    ahead_in_runs: bool = False
    writes_end_segment: int = 0
    takes_whole_track: bool = False
    stream_hold_ms: float = math.inf
    ahead_lost_fraction: float = 0.0
    write_end_ms: float = math.inf


_NO_CACHE = OnBoardCache(1, 1, 0, ahead_to_track_end=False, writes_behind=False)


def cache_of(buffer: DriveBuffer | None, rules: MeasuredRules | None = None) -> OnBoardCache:
    """A drive's buffer as its settings say; rules that they leave open are the simplest."""
    found = _NO_CACHE
    if buffer is not None:
        found = OnBoardCache(
            segments_count=buffer.segments_count,
            segment_sectors=buffer.segment_bytes // BYTES_PER_SECTOR,
            ahead_sectors=buffer.ahead_bytes // BYTES_PER_SECTOR,
            ahead_to_track_end=False,
            writes_behind=buffer.writes_behind,
            takes_whole_track=buffer.whole_tracks,
        )
    if rules is None:
        return found
    hold = rules.stream_hold_ms
    return found._replace(
        ahead_to_track_end=rules.ahead_to_track_end,
        hits_read_ahead=rules.hits_read_ahead,
        keeps_passing_sectors=rules.keeps_passing_sectors,
        drops_delivered=rules.drops_delivered,
        ahead_in_runs=rules.ahead_in_runs,
        writes_end_segment=ENDS.index(rules.written_ends),
        stream_hold_ms=math.inf if hold is None else hold,
        ahead_lost_fraction=rules.ahead_lost_fraction,
        write_end_ms=math.inf if rules.write_end_ms is None else rules.write_end_ms,
    )


def setting_of(
    cache: OnBoardCache, *, turn_ms: float, head_switch_ms: float, write_settle_ms: float
) -> NDArray[np.float64]:
    """The settings of a spindle."""
    setting = np.zeros(d.SETTING_COUNT)
    setting[d.TURN] = turn_ms
    setting[d.HEAD_SWITCH] = head_switch_ms
    setting[d.WRITE_SETTLE] = write_settle_ms
    setting[d.SEGMENT_SECTORS] = cache.segment_sectors
    setting[d.AHEAD_SECTORS] = cache.ahead_sectors
    setting[d.AHEAD_TO_TRACK_END] = cache.ahead_to_track_end
    setting[d.WRITES_BEHIND] = cache.writes_behind
    setting[d.HITS_READ_AHEAD] = cache.hits_read_ahead
    setting[d.PASSING_SECTORS] = cache.keeps_passing_sectors
    setting[d.DROPS_DELIVERED] = cache.drops_delivered
    setting[d.AHEAD_IN_RUNS] = cache.ahead_in_runs
    setting[d.WRITES_END_SEGMENT] = cache.writes_end_segment
    setting[d.WHOLE_TRACK] = cache.takes_whole_track
    setting[d.STREAM_HOLD] = cache.stream_hold_ms
    setting[d.AHEAD_LOST] = cache.ahead_lost_fraction
    setting[d.WRITE_END] = cache.write_end_ms
    return setting


def bus_ms_per_sector(drive: HardDisk) -> float:
    """Time in which a sector leaves the drive; 0 where it is not described. [ms]"""
    buffer = drive.buffer
    return 0.0 if buffer is None else transfer_ms(BYTES_PER_SECTOR, buffer.bus_mb_per_s)


def costs_of(drive: HardDisk) -> NDArray[np.float64]:
    """Overhead and time per sector of each class of requests, shape (classes, 2). [ms]"""
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[:, 0] = drive.overhead_ms
    costs[list(_HITS), 1] = bus_ms_per_sector(drive)
    rules = drive.measured
    for cost in rules.costs if rules is not None else ():
        costs[REQUESTS.index(cost.request)] = cost.overhead_ms, cost.per_sector_ms
    return costs


def start_here(here: NDArray[np.int64]) -> None:
    """Leave a spindle at its first track with nothing read or written."""
    here[...] = 0
    here[..., [d.ACTIVE, d.WROTE_LOW, d.WROTE_HIGH, d.LAST_END]] = -1
