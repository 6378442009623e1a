"""The rate of a declustered array's rebuild beside requests, from a walk over its stripes. [ms]

Of a slice of rows, in which the disks keep their order, what a disk lost lies in stripes beside it:
the nearest disks read nearly all pieces of the slice, and one writes them. As many pieces as are
under way at once (``spread.streams_count``) seldom reach over more than two slices, so that the
disks between are the ones that decide, not the mean over all. The walk goes through slices in the
order of ``spread`` with mean times alone: on each disk a piece waits for the work there,

    V' = max(V + S - (1 - U) t, W)

after a time t, requests bringing U ms of work each ms and W being what they leave on average by
themselves (Pollaczek and Khinchine). S is without seek and turn where the piece follows the one
before on the disk and no request came between; else, where none came, it seeks over a row. Pieces
begin when one before has been written, and not before the rate as entered allows. No constant is
fitted.

Of disks it comes within 15% of the simulator up to 0.8 of their time asked, and within 20% up to
0.9, too fast; of flash within 35% (``test_spread_rebuild.py``). Above, it is up to twice as fast
as simulated, never slower: pieces wait for the unluckiest of many disks, and mean times are all
that the walk knows. Disks are taken to be asked alike; those of some GB, with few slices, are not,
so that some of them have no time left long before the mean has none.
"""

from __future__ import annotations

import heapq
import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.closed_form.rebuild import MOST_LOAD
from capmodels.storage.drive.seek import three_point_ms
from capmodels.storage.drive.service import revolution_ms, transfer_ms
from capmodels.storage.drive.times import (
    fixed_ms,
    read_answer_ms,
    read_busy_ms,
    seek_curve,
    service_moments,
    write_answer_ms,
)
from capmodels.storage.simulator.spread import PIECE_BYTES, ROW_BYTES, orders_of

if TYPE_CHECKING:
    from capmodels.storage.closed_form.rebuild import Survivors
    from capmodels.storage.drive.drives import Drive

_PIECES_OF_ROW = ROW_BYTES // PIECE_BYTES
# Pieces that are walked over, and how often all that are under way at once at least.
_PIECES_COUNT, _WINDOWS = 600, 6
_BYTES_PER_GB = 1e9
# Share of the drives' time that requests ask, above which it is only said to be too fast.
BELIEVED_LOAD = 0.9


class Spread(NamedTuple):
    """Drives of a stripe, data and parity together, and drives' worth of room for rebuilds."""

    width_count: int
    spares_count: int


class _Piece(NamedTuple):
    """The disks that a piece is read from, the one it is written to, and its place on each."""

    readers: tuple[int, ...]
    spare: int
    place: int


class _Times(NamedTuple):
    """Service of a piece that follows another, is a row away, or comes after a request. [ms]"""

    following: float
    near: float
    far: float
    write_more: float  # of a write that seeks
    kept: float = 1.0  # share of it for which a drive of several channels is kept from others


@lru_cache(maxsize=256)
def spread_rebuild_mb_per_s(
    drive: Drive, left: Survivors, spread: Spread, entered_mb_per_s: float
) -> float | None:
    """Rate at which each drive that is left reads and writes for a rebuild. [MB/s]

    At most as entered; None where requests leave the drives next to no time. A disk
    whose seek has no three points keeps the rate as entered. Flash never seeks; with several
    channels it is taken as a drive that is so many times as fast, as requests to it have to be.
    """
    if left.busiest_load > MOST_LOAD:
        return None
    times = _times(drive)
    if times is None:
        return entered_mb_per_s
    moved = (left.reading_count + 1) / left.left_count
    gap = transfer_ms(PIECE_BYTES, entered_mb_per_s) * moved
    streams = max((left.left_count + 1) // 2, 1)
    pieces = _pieces(left.left_count + 1, left.reading_count, spread)
    each = _walk(_Disks(left, times), pieces, streams, gap)
    return min(transfer_ms(PIECE_BYTES, each / moved), entered_mb_per_s)


def _times(drive: Drive) -> _Times | None:
    if drive.kind == "ssd":
        read, write = read_answer_ms(drive, PIECE_BYTES), write_answer_ms(drive, PIECE_BYTES)
        kept = read_busy_ms(drive, PIECE_BYTES) / drive.channels_count
        return _Times(read, read, read, write - read, kept / read)
    far, curve = service_moments(drive, PIECE_BYTES), seek_curve(drive)
    if far is None or curve is None:
        return None
    following = fixed_ms(drive, PIECE_BYTES)
    stroke = ROW_BYTES / (drive.capacity_gb * _BYTES_PER_GB)
    near = following + revolution_ms(drive.speed_rpm) / 2 + three_point_ms(curve, min(stroke, 1.0))
    return _Times(following, near, far.mean_ms, max(drive.write_settle_ms, 0.0))


@lru_cache(maxsize=32)
def _pieces(disks: int, reading: int, spread: Spread) -> tuple[_Piece, ...]:
    """The first pieces that the last disk lost, slice after slice, as the simulator takes them."""
    columns, width = disks - spread.spares_count, spread.width_count
    rows, lost = math.lcm(columns, width) // columns, disks - 1
    many, found = max(_PIECES_COUNT, _WINDOWS * (disks // 2)), list[_Piece]()
    orders = orders_of(disks).tolist()
    for part in itertools.count():
        turn, nth = divmod(part, len(orders))
        order = [(disk + turn) % disks for disk in orders[nth]]
        at = order.index(lost)
        # A slice in which the disk is spare has nothing of it.
        for row in range(rows if at < columns else 0):
            first = (row * columns + at) // width * width
            group = [order[(first + i) % columns] for i in range(width)]
            begins = (part * rows + row) * _PIECES_OF_ROW
            for place in range(begins, begins + _PIECES_OF_ROW):
                turned = (group[(i + place) % width] for i in range(width))
                readers = [disk for disk in turned if disk != lost][:reading]
                found.append(_Piece(tuple(readers), order[columns], place))
        if len(found) >= many:
            break
    return tuple(found)


class _Disks:
    """Work left on each disk when it was last asked, and what it did then."""

    def __init__(self, left: Survivors, times: _Times) -> None:
        load = left.requests_per_ms * left.request.mean_ms
        self.times, self.free_fraction = times, 1 - load
        self.per_ms = load / left.request.mean_ms
        square = left.request.mean_square_ms2
        self.still_ms = self.per_ms * square / (2 * self.free_fraction)
        self.work_ms = [self.still_ms] * (left.left_count + 1)
        self.asked_at = [0.0] * (left.left_count + 1)
        self.next_place = [-1] * (left.left_count + 1)

    def ends(self, disks: tuple[int, ...], at: float, place: int, more: float) -> float:
        """When a piece that disks are asked for is done by all of them."""
        times, last = self.times, 0.0
        free, still, per_ms, kept = self.free_fraction, self.still_ms, self.per_ms, times.kept
        near, far = times.near + more, times.far + more
        work_ms, asked_at, next_place = self.work_ms, self.asked_at, self.next_place
        for disk in disks:
            gap = at - asked_at[disk]
            waits = work_ms[disk] - free * gap
            waits = max(waits, still)
            once = times.following if next_place[disk] == place else near
            service = far + (once - far) * math.exp(-per_ms * gap)
            work_ms[disk], asked_at[disk] = waits + service * kept, at
            next_place[disk] = place + 1
            last = max(last, waits + service)
        return at + last


def _walk(disks: _Disks, pieces: tuple[_Piece, ...], streams: int, gap_ms: float) -> float:
    """Mean time from a piece to the next, without the first ones, which find all disks idle."""
    # Each waits for a time, in order of number: to be read (0), written (1), or followed (2).
    due = [(number * gap_ms, number, 0) for number in range(streams)]
    done, number, warm, begins, at = 0, streams, len(pieces) // 4, 0.0, 0.0
    more = disks.times.write_more
    while done < len(pieces) - streams:
        at, nth, state = heapq.heappop(due)
        piece = pieces[nth % len(pieces)]
        if state == 0:
            heapq.heappush(due, (disks.ends(piece.readers, at, piece.place, 0.0), nth, 1))
        elif state == 1:
            heapq.heappush(due, (disks.ends((piece.spare,), at, piece.place, more), nth, 2))
        else:
            done += 1
            begins = at if done == warm else begins
            heapq.heappush(due, (max(at, number * gap_ms), number, 0))
            number += 1
    return (at - begins) / (done - warm)
