"""An array simulated the plain way, written apart from the kernels: an event for every end. [ms]

Disks take their operations first come, first served; their platters turn, and a sector is read when
it comes past. It is slow, and shares no code with the simulator that it checks.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GOLDEN = (math.sqrt(5) - 1) / 2
_SLOWER = 2e-5  # of the speed, from disk to disk
_THRESHOLD = 3  # requests on a disk from which the next one is used


@dataclass(frozen=True)
class Platter:
    """A disk as it is described: zones (cylinders, sectors of a track) from the outside in."""

    zones: tuple[tuple[int, int], ...]
    surfaces: int
    turn_ms: float
    head_skew_ms: float
    cylinder_skew_ms: float
    fixed_ms: float
    seek_min_ms: float
    seek_avg_ms: float
    seek_max_ms: float
    write_settle_ms: float = 0.0

    @property
    def cylinders(self) -> int:
        """Cylinders of all zones."""
        return sum(count for count, _sectors in self.zones)

    @property
    def sectors(self) -> int:
        """Sectors of all zones."""
        return sum(count * self.surfaces * sectors for count, sectors in self.zones)

    def seek_ms(self, distance: int, write: bool) -> float:
        """Lee's curve through shortest, mean and longest seek; none on the same cylinder."""
        low, mean, high = self.seek_min_ms, self.seek_avg_ms, self.seek_max_ms
        u = (distance - 1) / (self.cylinders - 1)
        root, line = (15 * mean - 10 * low - 5 * high) / 3, (7 * low - 15 * mean + 8 * high) / 3
        seek = low + root * math.sqrt(u) + line * u if distance else 0.0
        return seek + (self.write_settle_ms if write else 0.0)

    def place(self, sector: int) -> tuple[int, float, int]:
        """Cylinder, angle in turns, and sectors of the track of a sector."""
        before = 0
        for cylinders, per_track in self.zones:
            inside = cylinders * self.surfaces * per_track
            if sector < inside:
                track, offset = divmod(sector, per_track)
                cylinder, surface = divmod(track, self.surfaces)
                turned = offset / per_track + surface * self.head_skew_ms / self.turn_ms
                on_cylinder = (self.surfaces - 1) * self.head_skew_ms + self.cylinder_skew_ms
                turned += cylinder * on_cylinder / self.turn_ms
                return before + cylinder, turned, per_track
            sector -= inside
            before += cylinders
        raise ValueError(sector)


class Op(NamedTuple):
    """One operation of a request at a disk."""

    request: int
    disk: int
    sector: int
    sectors: int
    write: bool


@dataclass
class Disk:
    """A disk with its queue."""

    platter: Platter
    number: int
    cylinder: int = 0
    queue: deque[Op] = field(default_factory=deque)

    def last_cylinder(self) -> int:
        """Where the head stands once all that waits is done."""
        return self.platter.place(self.queue[-1].sector)[0] if self.queue else self.cylinder

    def end_of(self, op: Op, start: float) -> float:
        """When an operation that starts now ends; the head stays where it is then."""
        p = self.platter
        cylinder, angle, per_track = p.place(op.sector)
        there = start + p.fixed_ms + p.seek_ms(abs(cylinder - self.cylinder), op.write)
        own = angle + self.number * (_GOLDEN + start / p.turn_ms * _SLOWER)
        wait = (own - there / p.turn_ms) % 1.0
        wait = wait if wait < 1.0 - 1e-6 else 0.0
        self.cylinder = cylinder
        return there + (wait + op.sectors / per_track) * p.turn_ms


class PlainArray:
    """Requests (sector, sectors, write) at their times, on disks of one layout."""

    def __init__(
        self, platter: Platter, disks: int, *, chunk: int = 0, dispatch: str = "shortest_queue"
    ) -> None:
        """With a chunk: RAID-5, left-symmetric; without: copies, of which the dispatch picks."""
        self.disks = [Disk(platter, number) for number in range(disks)]
        self.chunk, self.dispatch, self.turn = chunk, dispatch, -1
        self.dice = random.Random(1)
        self.open: dict[int, int] = {}
        self.second: dict[int, list[Op]] = {}

    def run(
        self, at: Sequence[float], ops: Sequence[tuple[int, int, int]]
    ) -> Iterator[tuple[int, float]]:
        """Yield requests by number, with when each is done."""
        events: list[tuple[float, int, Op | None]] = [
            (t, request, None) for request, t in enumerate(at)
        ]
        count = len(events)
        while events:
            t, number, op = heapq.heappop(events)
            if op is None:
                begun = list(self._first(number, ops[number]))
                self.open[number] = len(begun)
            else:
                begun = self._ended(op)
                if self.disks[op.disk].queue:
                    following = self.disks[op.disk].queue[0]
                    end = self.disks[op.disk].end_of(following, t)
                    heapq.heappush(events, (end, count, following))
                    count += 1
                if not self.open.get(op.request, 1):
                    del self.open[op.request]
                    yield op.request, t
            for new in begun:
                disk = self.disks[new.disk]
                disk.queue.append(new)
                if len(disk.queue) == 1:
                    heapq.heappush(events, (disk.end_of(new, t), count, new))
                    count += 1

    def _ended(self, op: Op) -> list[Op]:
        """Take an operation off its disk; what follows when all of its phase are done."""
        self.disks[op.disk].queue.popleft()
        self.open[op.request] -= 1
        if self.open[op.request]:
            return []
        begun = self.second.pop(op.request, [])
        self.open[op.request] = len(begun)
        return begun

    def _first(self, request: int, op: tuple[int, int, int]) -> Iterator[Op]:
        """Yield what a request asks for at once: of a RAID-5's small write, the reads."""
        sector, sectors, write = op
        if not self.chunk:
            chosen = None if write else self._copy(sector)
            for disk in self.disks:
                if chosen in (None, disk.number):
                    yield Op(request, disk.number, sector, sectors, bool(write))
            return
        width = len(self.disks)
        number, offset = divmod(sector, self.chunk)
        stripe, index = divmod(number, width - 1)
        parity = width - 1 - stripe % width
        place = stripe * self.chunk + offset
        data = Op(request, (parity + 1 + index) % width, place, sectors, False)
        yield data
        if write:
            other = data._replace(disk=parity)
            yield other
            self.second[request] = [one._replace(write=True) for one in (data, other)]

    def _copy(self, sector: int) -> int:
        """The copy that a read goes to; of equal ones the first."""
        if self.dispatch == "random":
            return self.dice.randrange(len(self.disks))
        if self.dispatch == "round_robin":
            self.turn = (self.turn + 1) % len(self.disks)
            return self.turn
        costs: list[int] = [len(disk.queue) for disk in self.disks]
        if self.dispatch == "primary_first" and min(costs) < _THRESHOLD:
            return next(number for number, cost in enumerate(costs) if cost < _THRESHOLD)
        if self.dispatch == "nearest_head":
            cylinder = self.disks[0].platter.place(sector)[0]
            costs = [abs(cylinder - disk.last_cylinder()) for disk in self.disks]
        return costs.index(min(costs))


def responses_ms(
    array: PlainArray, at: Sequence[float], ops: Sequence[tuple[int, int, int]]
) -> list[float]:
    """Response of every request, by number."""
    found = [0.0] * len(at)
    for request, end in array.run(at, ops):
        found[request] = end - at[request]
    return found


def closed_latency_ms(platter: Platter, *, depth: int, queue: int, count: int) -> float:
    """Mean latency of single-sector reads with so many outstanding, the oldest ones sorted. [ms]

    The disk takes, of what it sorts, the one that its head reaches first.
    """
    dice, disk, now = random.Random(depth), Disk(platter, 0), 0.0
    waiting = [(0.0, dice.randrange(platter.sectors)) for _ in range(depth)]
    total, warm = 0.0, count // 10
    for number in range(count + warm):
        cylinder, found = disk.cylinder, []
        for since, sector in waiting[:queue]:
            end = disk.end_of(Op(0, 0, sector, 1, False), now)
            found.append((end, since, sector))
            disk.cylinder = cylinder
        end, since, sector = min(found)
        now, disk.cylinder = end, platter.place(sector)[0]
        waiting.remove((since, sector))
        waiting.append((now, dice.randrange(platter.sectors)))
        total += now - since if number >= warm else 0.0
    return total / count


def sorted_responses_ms(
    platter: Platter, at: Sequence[float], sectors: Sequence[int], *, queue: int
) -> list[float]:
    """Responses of single-sector reads of a disk that sorts its oldest ones by position. [ms]"""
    disk, now, done = Disk(platter, 0), 0.0, [0.0] * len(at)
    waiting: list[int] = []
    coming = 0
    for _ in at:
        now = now if waiting else max(now, at[coming])
        while coming < len(at) and at[coming] <= now:
            waiting.append(coming)
            coming += 1
        cylinder, found = disk.cylinder, []
        for number in waiting[:queue]:
            found.append((disk.end_of(Op(number, 0, sectors[number], 1, False), now), number))
            disk.cylinder = cylinder
        now, number = min(found)
        disk.cylinder = platter.place(sectors[number])[0]
        waiting.remove(number)
        done[number] = now - at[number]
    return done
