"""A drive's own buffer: what it holds, and what it reads ahead or around. [ms]"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.place_kernel import place_on_tracks, track_of, zone_at

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine


@kernel
def read_ahead(m: Machine, d: int, t: float) -> None:
    """Bring the drive's reading ahead up to ``t``."""
    if m.now[d, k.AROUND] >= 0 and t >= m.now[d, k.AROUND_AT]:
        end_track(m, d)
    active = int(m.now[d, k.STREAM])
    if active < 0:
        return
    segment = m.segments[d, active]
    pace = ms_per_sector(m, d, int(segment[1]))
    until = segment[1] + math.floor((t - m.now[d, k.STREAM_AT]) / pace)
    if until >= m.now[d, k.STREAM_LIMIT]:
        until = m.now[d, k.STREAM_LIMIT]
        m.now[d, k.STREAM] = -1.0
    m.now[d, k.STREAM_AT] += (until - segment[1]) * pace
    segment[1] = max(segment[1], until)


@kernel
def ms_per_sector(m: Machine, d: int, sector: int) -> float:
    """Pace of the platter at a sector. [ms]"""
    p = m.par[d]
    if m.plan[k.TRACKS] > 0:
        return p[k.TURN] / place_on_tracks(m, sector)[0]
    outer = p[k.MS_PER_SECTOR_OUTER]
    return outer + (p[k.MS_PER_SECTOR_INNER] - outer) * sector / p[k.SECTORS]


@kernel
def segment_of(m: Machine, d: int, sector: int) -> int:
    """Segment of the drive's buffer that holds a sector, or ends where it is; -1 for none."""
    for i in range(int(m.par[d, k.SEGMENTS])):
        if m.segments[d, i, 0] <= sector < m.segments[d, i, 1]:
            return i
    active = int(m.now[d, k.STREAM])
    return active if active >= 0 and m.segments[d, active, 1] == sector else -1


@kernel
def drop_overlap(m: Machine, d: int, sector: int, sectors: int) -> None:
    """Forget the segments that a write makes old; reading ahead and around stops."""
    m.now[d, k.STREAM] = m.now[d, k.AROUND] = -1.0
    for i in range(int(m.par[d, k.SEGMENTS])):
        if sector < m.segments[d, i, 1] and sector + sectors > m.segments[d, i, 0]:
            m.segments[d, i, 0] = m.segments[d, i, 1] = 0.0


@kernel
def hold_segment(m: Machine, d: int, end: float, sector: int, sectors: int) -> None:
    """Keep what was read in the segment that was used least lately, and read ahead into it."""
    oldest = 0
    for i in range(1, int(m.par[d, k.SEGMENTS])):
        if m.segments[d, i, 2] < m.segments[d, oldest, 2]:
            oldest = i
    size = int(m.par[d, k.SEGMENT_SECTORS])
    segment = m.segments[d, oldest]
    segment[0], segment[1], segment[2] = max(sector, sector + sectors - size), sector + sectors, end
    ahead = min(sectors + int(m.par[d, k.AHEAD_SECTORS]), max(size, sectors))
    m.now[d, k.AROUND] = -1.0
    m.now[d, k.STREAM] = oldest
    m.now[d, k.STREAM_AT] = end
    m.now[d, k.STREAM_LIMIT] = min(sector + ahead, int(m.par[d, k.SECTORS]))


@kernel
def track_ends(m: Machine, d: int, sector: int) -> tuple[int, int]:
    """First sectors of the track that holds a sector and of the next, by map or by pace."""
    if m.plan[k.TRACKS] == 0:
        per_track = m.par[d, k.TURN] / ms_per_sector(m, d, sector)
        track = math.floor(sector / per_track)
        return math.ceil(track * per_track), math.ceil((track + 1) * per_track)
    if m.plan[k.ZONES] == 0:
        track = track_of(m, sector)
        last = track + 1 >= m.plan[k.TRACKS]
        end = int(m.par[d, k.SECTORS]) if last else m.tracks[track + 1, 0]
        return m.tracks[track, 0], end
    zone = zone_at(m, sector)
    inside = sector - m.zones[zone, 0]
    low = sector - inside % m.zones[zone, 1]
    return low, low + m.zones[zone, 1]


@kernel
def on_one_track(m: Machine, d: int, sector: int, sectors: int) -> bool:
    """Whether a request ends on the track where it starts."""
    return bool(sector + sectors <= track_ends(m, d, sector)[1])


@kernel
def take_track(m: Machine, d: int, at: float, sector: int) -> None:
    """Take in all of a track from when the head came onto it, if a segment has room for it.

    The segment that reading ahead fills holds what follows the request until the turn is over.
    """
    low, high = track_ends(m, d, sector)
    if high - low > m.par[d, k.SEGMENT_SECTORS]:
        return
    m.now[d, k.AROUND] = m.now[d, k.STREAM]
    m.now[d, k.AROUND_AT] = at + m.par[d, k.TURN]
    m.now[d, k.AROUND_LOW], m.now[d, k.STREAM_LIMIT] = low, high


@kernel
def end_track(m: Machine, d: int) -> None:
    """The turn is over: all of the track is held."""
    segment = m.segments[d, int(m.now[d, k.AROUND])]
    segment[0], segment[1] = m.now[d, k.AROUND_LOW], m.now[d, k.STREAM_LIMIT]
    m.now[d, k.AROUND] = m.now[d, k.STREAM] = -1.0
