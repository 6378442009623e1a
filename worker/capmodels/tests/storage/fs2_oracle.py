"""The policy of copies in free space once more, plainly: dictionaries, and free places by looking.

After Huang 2006, sections 5.3 and 5.4. It shares no line with the kernels that it is held against.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

BLOCK_SECTORS = 8


@dataclass
class Replica:
    """A copy of one block."""

    place: int
    used_at: int
    uses_count: int = 0


@dataclass
class Oracle:
    """One disk; places are in sectors, everything is kept in blocks of 8."""

    disk_sectors: int
    region_blocks: int
    free_fraction: float
    replicas: dict[int, Replica] = field(default_factory=dict)
    counts: Counter[int] = field(default_factory=Counter)
    candidates: dict[int, None] = field(default_factory=dict)
    taken_blocks: int = 0
    suspended: bool = False
    clock: int = 0
    copied_blocks: int = 0
    hits_count: int = 0
    reads_count: int = 0
    invalidated_count: int = 0
    reclaimed_count: int = 0
    not_copied_count: int = 0

    @property
    def regions_count(self) -> int:
        """Regions of the disk, the last one may be shorter."""
        return -(-(self.disk_sectors // BLOCK_SECTORS) // self.region_blocks)

    def region_of(self, block: int) -> int:
        """Region that holds a block."""
        return min(block // self.region_blocks, self.regions_count - 1)

    def spare(self, region: int) -> range:
        """Places at the end of a region that files leave free."""
        start = region * self.region_blocks
        end = min(start + self.region_blocks, self.disk_sectors // BLOCK_SECTORS)
        return range(end - int((end - start) * self.free_fraction), end)

    def free_places(self, region: int) -> list[int]:
        """Places of a region's free space that hold no copy."""
        taken = {replica.place for replica in self.replicas.values()}
        return [place for place in self.spare(region) if place not in taken]

    def extents(self, region: int) -> list[list[int]]:
        """Stretches of free places, long ones first."""
        found: list[list[int]] = []
        for place in self.free_places(region):
            if found and found[-1][-1] == place - 1:
                found[-1].append(place)
            else:
                found.append([place])
        return sorted(found, key=lambda extent: (-len(extent), extent[0]))

    def free_share(self) -> float:
        """Share of the disk that neither files nor copies take."""
        spare = sum(len(self.spare(region)) for region in range(self.regions_count))
        blocks = spare - len(self.replicas) - self.taken_blocks
        return blocks * BLOCK_SECTORS / self.disk_sectors

    def read(self, sector: int, sectors: int, head: int) -> int:
        """Where a read starts: at a copy of the whole request if that is nearer."""
        blocks = range(sector // BLOCK_SECTORS, (sector + sectors - 1) // BLOCK_SECTORS + 1)
        self.reads_count += 1
        places = [self.replicas[block].place for block in blocks if block in self.replicas]
        if len(places) == len(blocks) and places == list(range(places[0], places[0] + len(places))):
            start = places[0] * BLOCK_SECTORS + sector % BLOCK_SECTORS
            if abs(start - head) < abs(sector - head):
                self.hits_count += 1
                self.counts[self.region_of(places[0])] += 1
                for block in blocks:
                    self.clock += 1
                    self.replicas[block].used_at = self.clock
                    self.replicas[block].uses_count += 1
                return start
        self.counts[self.region_of(blocks[0])] += 1
        self.candidates.update(
            dict.fromkeys(block for block in blocks if block not in self.replicas)
        )
        return sector

    def write(self, sector: int, sectors: int) -> int:
        """A write makes the copies of its blocks invalid; they are never brought up to date."""
        first, last = sector // BLOCK_SECTORS, (sector + sectors - 1) // BLOCK_SECTORS
        self.counts[self.region_of(first)] += 1
        for block in range(first, last + 1):
            self.candidates.pop(block, None)
            if self.replicas.pop(block, None) is not None:
                self.invalidated_count += 1
        return sector

    def occupy(self, blocks: int) -> None:
        """Files take (or, below 0, give back) so much free space; copies make room."""
        self.taken_blocks += blocks
        if self.free_share() < 0.05:
            for region in range(self.regions_count):
                if self.free_share() < 0.10:
                    inside = [b for b, r in self.replicas.items() if r.place in self.spare(region)]
                    self._reclaim(inside)
        elif self.free_share() < 0.10:
            while self.replicas and self.free_share() < 0.10:
                self._reclaim([min(self.replicas, key=self._warmth)])
        self._set_suspended()

    def _warmth(self, block: int) -> tuple[int, int]:
        return self.replicas[block].uses_count, self.replicas[block].used_at

    def _reclaim(self, blocks: list[int]) -> None:
        self.reclaimed_count += len(blocks)
        for block in blocks:
            del self.replicas[block]

    def _set_suspended(self) -> None:
        if self.free_share() < 0.10:
            self.suspended = True
        elif self.free_share() >= 0.15:
            self.suspended = False

    def end_epoch(self) -> int:
        """Copy what was read outside the hot region to it or near it; return blocks copied."""
        self._set_suspended()
        copied = 0
        if self.counts:
            hot = self.counts.most_common(1)[0][0]
            wanted = [block for block in self.candidates if self.region_of(block) != hot]
            room = int((self.free_share() - 0.10) * self.disk_sectors / BLOCK_SECTORS)
            places = [] if self.suspended else self._places(hot)[: max(room, 0)]
            for block, place in zip(wanted, places, strict=False):
                self.clock += 1
                self.replicas[block] = Replica(place, self.clock)
                copied += 1
            self.not_copied_count += len(wanted) - copied
        self.copied_blocks += copied
        self.counts.clear()
        self.candidates.clear()
        return copied

    def _places(self, hot: int) -> list[int]:
        """Free places in the order of use: the hot region, then its neighbors with more room."""
        reach = max(int(self.regions_count * 0.05), 1)
        near = [
            region
            for region in range(self.regions_count)
            if region != hot and abs(region - hot) <= reach
        ]
        near.sort(key=lambda region: -len(self.free_places(region)))
        return [
            place for region in (hot, *near) for extent in self.extents(region) for place in extent
        ]
