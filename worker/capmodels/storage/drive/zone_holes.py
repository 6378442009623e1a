"""Which sectors of a zone hold no data: its empty front, spare and slipped ones.

Sectors are counted from the zone's first one, track after track. Spare sectors come once for the
zone or once for each stretch of so many whole tracks, at its end or at its start; what is left over
of a zone after its last whole stretch has none. Slipped sectors or tracks are passed over. Their
data use up the spare ones of the stretch unless these are kept for later; where there are too few,
all that follows moves on and the zone holds less (DiskSim's manual, sparing schemes 0 to 10).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Hole = tuple[int, int]


class Spares(NamedTuple):
    """Where a zone's spare sectors are; ``tracks_count`` of a stretch, 0: the whole zone."""

    sectors_count: int = 0
    tracks_count: int = 0
    first: bool = False
    kept: bool = False


class ZonePlan(NamedTuple):
    """A zone as far as its holes go; ``slips`` as stretches of sectors, rising, not touching."""

    tracks_count: int
    per_track: int
    empty_count: int
    spares: Spares
    slips: tuple[Hole, ...]

    @property
    def size(self) -> int:
        """All sectors of the zone."""
        return self.tracks_count * self.per_track

    @property
    def stretch(self) -> int:
        """Sectors of a stretch with spare ones."""
        return min(self.spares.tracks_count or self.tracks_count, self.tracks_count) * (
            self.per_track
        )

    @property
    def whole_count(self) -> int:
        """Stretches that have all of their tracks."""
        return self.size // self.stretch


def slipped(sectors: Iterable[int], tracks: Iterable[int], per_track: int) -> tuple[Hole, ...]:
    """Slipped sectors and tracks as stretches of sectors, those that touch joined.

    >>> slipped([7, 8, 31], [2], 10)
    ((7, 9), (20, 30), (31, 32))
    """
    found: list[Hole] = []
    single = [(at, at + 1) for at in sectors]
    whole = [(at * per_track, (at + 1) * per_track) for at in tracks]
    for low, high in sorted(single + whole):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return tuple(found)


def _by_stretch(plan: ZonePlan) -> dict[int, list[Hole]]:
    """Slips of each stretch that has any, and of the first."""
    found: dict[int, list[Hole]] = {0: []}
    for low, high in plan.slips:
        for at in range(low // plan.stretch, (min(high, plan.size) - 1) // plan.stretch + 1):
            start = at * plan.stretch
            piece = max(low, start), min(high, start + plan.stretch, plan.size)
            found.setdefault(at, []).append(piece)
    return found


def _bounds(plan: ZonePlan, at: int, slips: list[Hole]) -> tuple[int, int, int]:
    """Sectors of a stretch beside its spares: from, to, slipped ones not counted; its start."""
    start = at * plan.stretch
    size = min(plan.stretch, plan.size - start)
    spares = plan.spares.sectors_count if at < plan.whole_count else 0
    gone = sum(high - low for low, high in slips)
    room = size - gone
    used = 0 if plan.spares.kept else gone
    left = min(max(spares - used, 0), room)
    return (left, room, start) if plan.spares.first else (0, room - left, start)


def _special(plan: ZonePlan) -> Iterator[tuple[int, list[Hole], tuple[int, int, int]]]:
    """Stretches that are not as all others, with slips or empty in front: data from, to, start.

    What is empty in front is counted in sectors that would hold data, over as many stretches as
    it takes.
    """
    slips = _by_stretch(plan)
    empty, at = plan.empty_count, 0
    while empty > 0 and at * plan.stretch < plan.size:
        own = slips.pop(at, [])
        low, high, start = _bounds(plan, at, own)
        taken = min(empty, high - low)
        yield at, own, (low + taken, high, start)
        empty, at = empty - taken, at + 1
    for rest, own in slips.items():
        yield rest, own, _bounds(plan, rest, own)


@lru_cache(maxsize=512)
def data_count(plan: ZonePlan) -> int:
    """Sectors of a zone that hold data."""
    found = plan.size - plan.whole_count * min(plan.spares.sectors_count, plan.stretch)
    for at, _slips, (low, high, start) in _special(plan):
        spares = plan.spares.sectors_count if at < plan.whole_count else 0
        found += high - low - (min(plan.stretch, plan.size - start) - min(spares, plan.stretch))
    return found


def _nth(start: int, slips: list[Hole], index: int) -> int:
    """Where the sector is that is so many not slipped ones after a start."""
    at = start + index
    for low, high in slips:
        if low > at:
            break
        at += high - low
    return at


def special_holes(plan: ZonePlan) -> Iterator[tuple[int, list[Hole]]]:
    """Holes of the first stretch and of each that is not as all others, by number."""
    for at, slips, (low, high, start) in _special(plan):
        end = min(start + plan.stretch, plan.size)
        inner = [hole for hole in slips if hole[0] >= start]
        after = end if high <= low else _nth(start, slips, high - 1) + 1
        before = end if high <= low else _nth(start, slips, low)
        yield at, sorted({(start, before), (after, end), *inner})
