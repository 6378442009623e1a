"""How long drives take to seek, pass data and serve, and which rests save energy."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.storage.drive.dies import pages_of
from capmodels.storage.drive.power_states import (
    LowState,
    Transition,
    break_even_s,
    envelope_crossing_s,
)
from capmodels.storage.drive.seek import (
    ThreePoint,
    three_point,
    three_point_mean_ms,
    three_point_mean_square_ms2,
)
from capmodels.storage.drive.service import Moments, disk_moments, revolution_ms, transfer_ms
from capmodels.storage.drive.tracks import mean_transfer_ms, seek_moments, transfer_variance_ms2

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import HardDisk, SleepState, SolidState


def low_state(state: SleepState) -> LowState:
    """Return the state as the closed forms take it."""
    return LowState(
        state.power_w, Transition(state.down_j, state.down_s), Transition(state.up_j, state.up_s)
    )


def break_even_timeouts_s(drive: HardDisk) -> tuple[float | None, float | None]:
    """Break-even times of a drive: to low-power idle, and to standby. [s]

    None for a state that it does not have or that draws no less.

    >>> [round(t, 3) for t in break_even_timeouts_s(TRAVELSTAR_7K60)]
    [2.11, 14.084]
    """
    low = low_state(drive.low_power_idle) if drive.low_power_idle else None
    deep = low_state(drive.standby) if drive.standby else None
    first = second = None
    if low is not None and low.power_w < drive.idle_w:
        first = break_even_s(down=low.down, up=low.up, idle_w=drive.idle_w, low_w=low.power_w)
    if deep is not None and low is not None and first is not None:
        second = envelope_crossing_s(low, deep) if deep.power_w < low.power_w else None
    elif deep is not None and deep.power_w < drive.idle_w:
        second = break_even_s(down=deep.down, up=deep.up, idle_w=drive.idle_w, low_w=deep.power_w)
    first = None if first is None else max(first, 0.0)
    second = None if second is None else max(second, 0.0)
    return first, second


def seek_curve(drive: HardDisk) -> ThreePoint | None:
    """Return the three-point curve of a drive, None when its seek is of another kind."""
    seek = drive.seek
    if seek.kind != "three_point":
        return None
    return three_point(min_ms=seek.min_ms, avg_ms=seek.avg_ms, max_ms=seek.max_ms)


def fixed_ms(drive: HardDisk, size_bytes: float) -> float:
    """Overhead and mean transfer of a request. [ms]"""
    return drive.overhead_ms + mean_transfer_ms(drive, size_bytes)


def service_moments(drive: HardDisk, size_bytes: float, *, write: bool = False) -> Moments | None:
    """Moments of random service of one size; None without a three-point curve."""
    curve = seek_curve(drive)
    if curve is None:
        return None
    seeks = three_point_mean_ms(curve), three_point_mean_square_ms2(curve)
    if drive.geometry is not None:
        seeks = seek_moments(curve, drive, drive.geometry)
    settle = max(drive.write_settle_ms, -seeks[0]) if write else 0.0
    return disk_moments(
        seek_mean_ms=seeks[0],
        seek_mean_square_ms2=seeks[1],
        turn_ms=revolution_ms(drive.speed_rpm),
        fixed_ms=fixed_ms(drive, size_bytes) + settle,
        transfer_range_ms=math.sqrt(12 * transfer_variance_ms2(drive, size_bytes)),
    )


def link_ms(drive: SolidState, size_bytes: float, *, write: bool) -> float:
    """Time for which a request keeps the link of a drive with dies; else none. [ms]"""
    if drive.dies is None:
        return 0.0
    own = drive.dies.link_write_ms if write else drive.dies.link_read_ms
    rate = drive.write_mb_per_s if write else drive.read_mb_per_s
    return own + transfer_ms(size_bytes, rate * drive.channels_count)


def read_answer_ms(drive: SolidState, size_bytes: float) -> float:
    """Time in which a solid-state drive with nothing to do answers a read. [ms]

    Data of a drive that holds its channels lie on many of them, and pass at their rate together.
    """
    if drive.dies is not None:
        pages = math.ceil(pages_of(size_bytes, drive.dies) / drive.channels_count)
        # As ``dies_kernel.read_dies``: the last page of a die is answered in its latency.
        before = (pages - 1) * max(drive.read_latency_ms, drive.read_hold_ms)
        return link_ms(drive, size_bytes, write=False) + before + drive.read_latency_ms
    at_once = drive.channels_count if drive.read_hold_ms > 0 else 1
    return drive.read_latency_ms + transfer_ms(size_bytes, drive.read_mb_per_s) / at_once


def read_busy_ms(drive: SolidState, size_bytes: float) -> float:
    """Time for which a read keeps a channel of a solid-state drive, or its part of the link. [ms]

    So many channels over it are the most reads that a drive serves.
    """
    part = drive.channels_count * link_ms(drive, size_bytes, write=False)
    return max(read_hold_ms(drive, size_bytes), part)


def read_hold_ms(drive: SolidState, size_bytes: float) -> float:
    """Time for which a read keeps a channel of a solid-state drive, or dies in sum. [ms]"""
    if drive.dies is not None:
        each = max(drive.read_latency_ms, drive.read_hold_ms)
        return pages_of(size_bytes, drive.dies) * each
    passing = transfer_ms(size_bytes, drive.read_mb_per_s)
    return max(read_answer_ms(drive, size_bytes), drive.read_hold_ms, passing)


def write_answer_ms(drive: SolidState, size_bytes: float) -> float:
    """Time in which a solid-state drive with nothing to do answers a write. [ms]

    A drive that holds writes takes them into its buffer at the rate of all its channels.
    """
    if drive.dies is not None:
        return link_ms(drive, size_bytes, write=True) + drive.write_latency_ms
    at_once = drive.channels_count if drive.write_hold_ms > 0 else 1
    return drive.write_latency_ms + transfer_ms(size_bytes, drive.write_mb_per_s) / at_once


def write_busy_ms(drive: SolidState, size_bytes: float) -> float:
    """Time for which a write keeps a channel of a solid-state drive, or its part of the link. [ms]

    Bounds random writes by the time that each holds a channel, and large ones by its rate.
    """
    part = drive.channels_count * link_ms(drive, size_bytes, write=True)
    return max(write_channel_ms(drive, size_bytes), part)


def write_channel_ms(drive: SolidState, size_bytes: float) -> float:
    """Time for which a write keeps a channel of a solid-state drive. [ms]"""
    passing = transfer_ms(size_bytes, drive.write_mb_per_s)
    if drive.dies is not None:
        return max(drive.write_latency_ms, drive.write_hold_ms, passing)
    return max(write_answer_ms(drive, size_bytes), drive.write_hold_ms, passing)
