"""One drive with its on-board cache, replayed in a closed loop: service times one by one. [ms]

Requests are served one at a time. A read miss leaves the head reading ahead; a write is done
when the drive has taken it, if it writes behind, and is put on the platter right after.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.simulator.spindle_slots import (
    ACTIVE,
    AHEAD_IN_RUNS,
    AHEAD_LOST,
    AHEAD_SECTORS,
    AHEAD_TO_TRACK_END,
    BEGAN,
    CHANCE,
    DROPS_DELIVERED,
    FREE,
    HEAD_SWITCH,
    HIGH,
    HIT_AFTER_READ,
    HIT_AFTER_WRITE,
    HIT_IN_STREAM,
    HITS_READ_AHEAD,
    IN_STREAM,
    LAST_DONE,
    LAST_END,
    LAST_READ,
    LIMIT,
    LOW,
    MISS_AFTER_READ,
    MISS_AFTER_WRITE,
    MISS_NEAR,
    NEXT_OFFSET,
    NOW,
    OFFSET,
    PASSED,
    PASSING_SECTORS,
    READ_STREAM,
    SEGMENT_SECTORS,
    STREAM_AT,
    STREAM_HOLD,
    STREAM_SECTOR,
    TRACK,
    TURN,
    WHOLE,
    WHOLE_TRACK,
    WRITE_AFTER_READ,
    WRITE_AFTER_WRITE,
    WRITE_END,
    WRITE_NEAR_READ,
    WRITE_NEAR_WRITE,
    WRITE_SEQUENTIAL,
    WRITE_SETTLE,
    WRITES_BEHIND,
    WRITES_END_SEGMENT,
    WROTE_HIGH,
    WROTE_LOW,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FOREVER = 1e18


class Spindle(NamedTuple):
    """A drive at work. Shapes: tracks (n, 5), costs (classes, 2), segments (s, 3), arcs (s, 2).

    A segment holds the sectors from ``LOW`` to ``HIGH``, and of the physical track ``WHOLE`` what
    came past in ``PASSED`` turns since the angle ``BEGAN``.
    """

    tracks: NDArray[np.int64]
    angles: NDArray[np.float64]
    seeks: NDArray[np.float64]
    setting: NDArray[np.float64]
    costs: NDArray[np.float64]
    segments: NDArray[np.int64]
    arcs: NDArray[np.float64]
    ages: NDArray[np.float64]
    clock: NDArray[np.float64]
    here: NDArray[np.int64]


@kernel
def piece_of(s: Spindle, sector: int) -> int:
    """Index of the piece of track that holds a sector."""
    low, high = 0, s.tracks.shape[0] - 1
    while low < high:
        middle = (low + high + 1) >> 1
        if s.tracks[middle, 0] <= sector:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def wait_ms(s: Spindle, t: float, angle: float) -> float:
    """Time until an angle comes past the head."""
    share = angle - (t + s.clock[OFFSET]) / s.setting[TURN]
    return (share - math.floor(share)) * s.setting[TURN]


@kernel
def move_ms(s: Spindle, one: int, two: int) -> float:
    """Time to go from one piece of track to another: seek, head switch, or nothing."""
    distance = abs(s.tracks[two, 2] - s.tracks[one, 2])
    if distance > 0:
        return max(s.seeks[distance], s.setting[HEAD_SWITCH])
    return s.setting[HEAD_SWITCH] if s.tracks[one, 3] != s.tracks[two, 3] else 0.0


@kernel
def pass_sectors(s: Spindle, t: float, sector: int, run: tuple[int, float]) -> tuple[float, int]:
    """Read on from a sector that is under the head at ``t``: (sectors, time limit).

    Returns when, and before which sector, the head stops; leaves the track in ``here``.
    """
    left, until = run
    piece = piece_of(s, sector)
    while left > 0 and t < until:
        last = piece + 1 >= s.tracks.shape[0]
        count = left if last else min(left, s.tracks[piece + 1, 0] - sector)
        one = s.setting[TURN] / s.tracks[piece, 1]
        if t + count * one > until:
            count = int((until - t) / one)
            left = count
        t += count * one
        sector += count
        left -= count
        if left > 0:
            t += move_ms(s, piece, piece + 1)
            piece += 1
            t += wait_ms(s, t, s.angles[piece])
    s.here[TRACK] = piece
    return t, sector


@kernel
def angle_of(s: Spindle, piece: int, sector: int) -> float:
    """Angle at which a sector of a piece of track starts. [turns]"""
    return s.angles[piece] + (sector - s.tracks[piece, 0]) / s.tracks[piece, 1]


@kernel
def deliver(s: Spindle, t: float, op: tuple[int, int], pace: float) -> tuple[float, float]:
    """Read sectors from the one under the head at ``t`` on while they leave at a pace. [ms]

    Returns when the head has read them and when the last has left: what comes off one track
    leaves while the head goes to the next. Leaves the track in ``here``.
    """
    sector, left = op
    piece = piece_of(s, sector)
    gone = t
    while left > 0:
        last = piece + 1 >= s.tracks.shape[0]
        count = left if last else min(left, s.tracks[piece + 1, 0] - sector)
        gone = max(gone, t) + count * pace
        t += count * s.setting[TURN] / s.tracks[piece, 1]
        gone = max(gone, t)
        sector += count
        left -= count
        if left > 0:
            t += move_ms(s, piece, piece + 1)
            piece += 1
            t += wait_ms(s, t, s.angles[piece])
    s.here[TRACK] = piece
    return t, gone


@kernel
def reach(s: Spindle, t: float, sector: int, write: bool) -> tuple[float, float]:
    """When a sector is under the head, and how long the head waited for it."""
    piece = piece_of(s, sector)
    t += max(move_ms(s, s.here[TRACK], piece) + (s.setting[WRITE_SETTLE] if write else 0.0), 0.0)
    if s.tracks[piece, 2] != s.tracks[s.here[TRACK], 2]:
        s.clock[OFFSET] = s.clock[NEXT_OFFSET]
    wait = wait_ms(s, t, angle_of(s, piece, sector))
    return t + wait, wait


@kernel
def is_near(s: Spindle, sector: int) -> bool:
    """Whether a sector lies on the cylinder where the head is."""
    return bool(s.tracks[piece_of(s, sector), 2] == s.tracks[s.here[TRACK], 2])


@kernel
def read_ahead(s: Spindle, t: float) -> None:
    """Let the head read ahead up to ``t``."""
    active = s.here[ACTIVE]
    if active < 0:
        return
    if s.segments[active, WHOLE] >= 0:
        passed = (t - s.clock[STREAM_AT]) / s.setting[TURN]
        s.arcs[active, PASSED] = min(passed, 1.0)
        if passed >= 1.0:
            s.here[ACTIVE] = -1
        return
    run = (s.here[LIMIT] - s.here[STREAM_SECTOR], t)
    at, sector = pass_sectors(s, s.clock[STREAM_AT], s.here[STREAM_SECTOR], run)
    s.clock[STREAM_AT], s.here[STREAM_SECTOR] = at, sector
    s.segments[active, HIGH] = sector
    if sector >= s.here[LIMIT]:
        s.here[ACTIVE] = -1


@kernel
def track_bounds(s: Spindle, piece: int) -> tuple[int, int]:
    """First sector of a piece's physical track, and of the one after it."""
    low = high = piece
    while low > 0 and s.tracks[low - 1, 4] == s.tracks[piece, 4]:
        low -= 1
    while high + 1 < s.tracks.shape[0] and s.tracks[high + 1, 4] == s.tracks[piece, 4]:
        high += 1
    end = s.tracks[high + 1, 0] if high + 1 < s.tracks.shape[0] else s.tracks[high, 0]
    return s.tracks[low, 0], end


@kernel
def came_past(s: Spindle, i: int, angle: float, turns: float) -> bool:
    """Whether a segment that takes in a whole track has seen a stretch of it pass. [turns]"""
    ahead = angle - s.arcs[i, BEGAN]
    ahead -= math.floor(ahead)
    passed = s.arcs[i, PASSED]
    return bool(passed >= 1.0 or ahead + turns <= passed)


@kernel
def held_in(s: Spindle, sector: int, sectors: int) -> int:
    """Segment that holds a whole request, the number of segments for written data, or -1."""
    if sector >= s.here[WROTE_LOW] and sector + sectors <= s.here[WROTE_HIGH]:
        return int(s.segments.shape[0])
    track, angle, turns = -2, 0.0, 0.0
    if s.setting[WHOLE_TRACK] == 1:
        piece, last = piece_of(s, sector), piece_of(s, sector + sectors - 1)
        if s.tracks[piece, 4] == s.tracks[last, 4]:
            track, turns = s.tracks[piece, 4], sectors / s.tracks[piece, 1]
            angle = angle_of(s, piece, sector)
    found = -1
    for i in range(s.segments.shape[0]):
        inside = sector >= s.segments[i, LOW] >= 0 and sector + sectors <= s.segments[i, HIGH]
        if inside or (s.segments[i, WHOLE] == track and came_past(s, i, angle, turns)):
            found = i
    return found


@kernel
def cost_ms(s: Spindle, kind: int, sectors: int) -> float:
    """Overhead and passing-on of a request of a class."""
    return s.costs[kind, 0] + s.costs[kind, 1] * sectors


@kernel
def hit(s: Spindle, t: float, op: tuple[int, int], segment: int) -> tuple[float, int]:
    """A read from the cache: its end and its class."""
    sector, sectors = op
    kind = HIT_AFTER_READ if s.here[LAST_READ] == 1 else HIT_AFTER_WRITE
    if t - s.clock[LAST_DONE] > s.setting[STREAM_HOLD]:
        s.here[IN_STREAM] = 0
    if s.here[IN_STREAM] == 1 and sector == s.here[LAST_END]:
        kind = HIT_IN_STREAM
    if segment < s.segments.shape[0]:
        s.ages[segment] = t
        if s.setting[DROPS_DELIVERED] == 1 and kind == HIT_IN_STREAM:
            s.segments[segment, LOW] = sector + sectors
        if s.setting[HITS_READ_AHEAD] == 1 and s.here[ACTIVE] == segment:
            ahead = sector + sectors + int(s.setting[AHEAD_SECTORS])
            s.here[LIMIT] = max(s.here[LIMIT], ahead)
    return t + cost_ms(s, kind, sectors), kind


@kernel
def from_stream(s: Spindle, t: float, op: tuple[int, int]) -> tuple[float, int]:
    """A read of what the head is about to read: its end and its class."""
    sector, sectors = op
    run = (sector + sectors - s.here[STREAM_SECTOR], _FOREVER)
    end, after = pass_sectors(s, s.clock[STREAM_AT], s.here[STREAM_SECTOR], run)
    s.clock[STREAM_AT], s.here[STREAM_SECTOR] = end, after
    s.segments[s.here[ACTIVE], HIGH] = after
    s.ages[s.here[ACTIVE]] = t
    s.here[IN_STREAM] = 1
    done = max(t + cost_ms(s, HIT_IN_STREAM, sectors), end + cost_ms(s, READ_STREAM, sectors))
    return done, READ_STREAM


@kernel
def may_read_ahead(s: Spindle, sector: int) -> bool:
    """Whether a read from a sector on is one after which the drive takes in more than it."""
    follows = s.here[LAST_READ] == 1 and sector == s.here[LAST_END]
    return bool(s.setting[AHEAD_IN_RUNS] == 0 or follows)


@kernel
def miss(s: Spindle, t: float, op: tuple[int, int]) -> tuple[float, int]:
    """A read from the platter: its end and its class. The head reads ahead afterwards."""
    sector, sectors = op
    kind = MISS_AFTER_READ if s.here[LAST_READ] == 1 else MISS_AFTER_WRITE
    if is_near(s, sector):
        kind = MISS_NEAR
    first, wait = reach(s, max(t + s.costs[kind, 0], s.clock[FREE]), sector, False)
    # What leaves the drive more slowly than it comes off the platter sets the pace.
    pace = s.costs[HIT_AFTER_READ, 1]
    end, done = deliver(s, first, op, pace)
    piece = s.here[TRACK]
    whole = s.setting[WHOLE_TRACK] == 1 and may_read_ahead(s, sector)
    if whole and s.tracks[piece_of(s, sector), 4] == s.tracks[piece, 4]:
        # Sectors are read as they come: all of the track has come after a turn.
        end = min(end, first - wait + s.setting[TURN])
        done = max(first + pace * sectors, end)
    done += s.costs[kind, 1] * sectors
    s.clock[STREAM_AT], s.clock[FREE] = end, done
    begin_segment(s, t, op, wait)
    if whole:
        take_track(s, first, op, wait)
    s.here[IN_STREAM] = 1
    return done, kind


@kernel
def begin_segment(s: Spindle, t: float, op: tuple[int, int], wait: float) -> None:
    """Keep what was read in the oldest segment, and read ahead into it."""
    sector, sectors = op
    after = sector + sectors
    oldest = int(np.argmin(s.ages))
    piece = piece_of(s, sector)
    start = sector
    if s.setting[PASSING_SECTORS] == 1 and may_read_ahead(s, sector):
        low, _end = track_bounds(s, piece)
        start = max(sector - int(wait / s.setting[TURN] * s.tracks[piece, 1]), low)
    if s.setting[DROPS_DELIVERED] > 0:
        start = after
    s.segments[oldest, LOW], s.segments[oldest, HIGH] = start, after
    s.segments[oldest, WHOLE] = -1
    s.ages[oldest] = t
    limit = min(after + int(s.setting[AHEAD_SECTORS]), sector + int(s.setting[SEGMENT_SECTORS]))
    if s.setting[AHEAD_TO_TRACK_END] == 1:
        limit = min(limit, track_bounds(s, piece_of(s, after - 1))[1])
    if s.clock[CHANCE] < s.setting[AHEAD_LOST] or not may_read_ahead(s, sector):
        limit = after
    s.here[ACTIVE], s.here[STREAM_SECTOR], s.here[LIMIT] = oldest, after, limit


@kernel
def take_track(s: Spindle, first: float, op: tuple[int, int], wait: float) -> None:
    """Let the head take in all of the track where it is, from where it came onto it."""
    active, piece = s.here[ACTIVE], s.here[TRACK]
    s.segments[active, WHOLE] = s.tracks[piece, 4]
    if s.tracks[piece_of(s, op[0]), 4] == s.tracks[piece, 4]:
        passing = wait if s.setting[PASSING_SECTORS] == 1 else 0.0
        s.clock[STREAM_AT] = first - passing
        angle = angle_of(s, piece, op[0]) - passing / s.setting[TURN]
    else:
        angle = s.angles[piece]
        inside = op[0] + op[1] - s.tracks[piece, 0]
        s.clock[STREAM_AT] -= inside * s.setting[TURN] / s.tracks[piece, 1]
    s.arcs[active, BEGAN], s.arcs[active, PASSED] = angle, 0.0
    s.here[LIMIT] = -1


@kernel
def read(s: Spindle, t: float, op: tuple[int, int]) -> tuple[float, int]:
    """A read: its end and its class."""
    sector, sectors = op
    segment = held_in(s, sector, sectors)
    if segment >= 0:
        return hit(s, t, op, segment)
    active = s.here[ACTIVE]
    near = active >= 0 and s.segments[active, LOW] <= sector <= s.here[STREAM_SECTOR]
    if near and sector + sectors <= s.here[LIMIT]:
        return from_stream(s, t, op)
    s.here[ACTIVE] = -1
    return miss(s, t, op)


@kernel
def kind_of_write(s: Spindle, sector: int) -> int:
    """Class of a write: by the request before it, and whether the arm or the head must move."""
    if s.here[LAST_READ] == 1:
        return WRITE_NEAR_READ if is_near(s, sector) else WRITE_AFTER_READ
    if s.here[WROTE_LOW] <= sector <= s.here[WROTE_HIGH]:
        return WRITE_SEQUENTIAL
    near = s.tracks[piece_of(s, sector), 4] == s.tracks[s.here[TRACK], 4]
    return WRITE_NEAR_WRITE if near else WRITE_AFTER_WRITE


@kernel
def write(s: Spindle, t: float, op: tuple[int, int]) -> tuple[float, int]:
    """A write: its end and its class."""
    sector, sectors = op
    s.here[ACTIVE] = -1
    kind = kind_of_write(s, sector)
    done = t + cost_ms(s, kind, sectors)
    behind = s.setting[WRITES_BEHIND] == 1
    if behind and s.clock[FREE] > t:
        done = max(done, s.clock[FREE] + s.costs[kind, 1] * sectors)
    # Written through, what does not pass at the end passes before the arm moves.
    early = 0.0 if s.setting[WRITE_END] == math.inf else s.costs[kind, 0] - s.setting[WRITE_END]
    first, _wait = reach(s, max(done, s.clock[FREE]) if behind else t + early, sector, True)
    end, _after = pass_sectors(s, first, sector, (sectors, _FOREVER))
    s.clock[FREE] = end
    hold_written(s, sector, sector + sectors)
    forget(s, t, op)
    s.here[IN_STREAM] = 0
    return (done if behind else end + cost_ms(s, kind, sectors) - early), kind


@kernel
def hold_written(s: Spindle, low: int, high: int) -> None:
    """Keep written sectors; those that follow on the last ones are kept with them."""
    joined = low == s.here[WROTE_HIGH] and high - s.here[WROTE_LOW] <= s.setting[SEGMENT_SECTORS]
    if not joined:
        s.here[WROTE_LOW] = low
    s.here[WROTE_HIGH] = high


@kernel
def forget(s: Spindle, t: float, op: tuple[int, int]) -> None:
    """Drop the segments, or what they hold up to its end, that a write makes useless."""
    way = s.setting[WRITES_END_SEGMENT]
    if way == 2:
        oldest = int(np.argmin(s.ages))
        s.segments[oldest] = -1
        s.ages[oldest] = t
        for i in range(s.segments.shape[0]):
            if s.segments[i, LOW] <= op[0] < s.segments[i, HIGH]:
                s.segments[i, LOW] = op[0] + op[1]
    if way != 0:
        return
    track = s.tracks[piece_of(s, op[0]), 4]
    for i in range(s.segments.shape[0]):
        over = op[0] < s.segments[i, HIGH] and op[0] + op[1] > s.segments[i, LOW]
        if over or s.segments[i, WHOLE] == track:
            s.segments[i] = -1


@kernel
def put_off(s: Spindle, delay: float) -> None:
    """Let what the platter has done come so much later, so that a read's end is where it was."""
    s.clock[OFFSET] -= delay
    s.clock[STREAM_AT] += delay
    s.clock[FREE] += delay


@kernel
def replay(
    s: Spindle,
    ops: NDArray[np.int64],
    thinks_ms: NDArray[np.float64],
    unknown: NDArray[np.float64],
    held_ms: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Service times and classes of requests (sector, sectors, write), shape (n, 3).

    The next request comes its think time after the end of the last. ``unknown``, shape (n, 2),
    draws for each request what is not known: by how much the platter's angle is off once the arm
    has moved to another cylinder [ms], and from 0 to 1 whether the drive reads ahead.
    """
    service = np.empty(ops.shape[0])
    kinds = np.empty(ops.shape[0], dtype=np.int64)
    for i in range(ops.shape[0]):
        t = s.clock[NOW]
        read_ahead(s, t)
        op = (ops[i, 0], ops[i, 1])
        s.clock[NEXT_OFFSET], s.clock[CHANCE] = unknown[i, 0], unknown[i, 1]
        done, kind = write(s, t, op) if ops[i, 2] == 1 else read(s, t, op)
        service[i], kinds[i] = done - t, kind
        s.here[LAST_READ] = 1 - ops[i, 2]
        s.here[LAST_END] = op[0] + op[1]
        end = done
        if held_ms.size:
            end = t + held_ms[i]
            if kind <= MISS_NEAR and kind >= READ_STREAM:
                put_off(s, end - done)
        s.clock[LAST_DONE] = end
        s.clock[NOW] = end + thinks_ms[i]
    return service, kinds
