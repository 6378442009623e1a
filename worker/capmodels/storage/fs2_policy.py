"""Replication into free space as a working policy: what is copied where, and who reads it.

After Huang 2006, sections 5.3 and 5.4. Lengths of epoch and region are not printed there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

HIGH_FRACTION = 0.15
LOW_FRACTION = 0.10
CRITICAL_FRACTION = 0.05
BLOCK_SECTORS = 8
NEIGHBOR_FRACTION = 0.05


@dataclass
class Replica:
    """A copy of one block."""

    place: int
    region: int
    used_at: int = 0
    uses_count: int = 0


@dataclass
class Extent:
    """A stretch of free blocks."""

    start: int
    blocks: int


@dataclass
class Replicator:
    """Decides on replicas; places are in sectors, everything is kept in blocks of 8.

    ``region_blocks`` (131,072 are four block groups, 512 MiB) and the share of each region that
    files leave free at its end are set at the start.
    """

    disk_sectors: int
    region_blocks: int = 131_072
    free_fraction: float = 0.4
    replicas: dict[int, Replica] = field(default_factory=dict)
    free: list[list[Extent]] = field(default_factory=list)
    counts: Counter[int] = field(default_factory=Counter)
    candidates: dict[int, None] = field(default_factory=dict)
    taken_blocks: int = 0
    suspended: bool = False
    clock: int = 0
    copied_blocks: int = 0
    hits_count: int = 0
    reads_count: int = 0
    written: list[tuple[int, int]] = field(default_factory=list)  # first block, blocks

    def __post_init__(self) -> None:
        """Lay out the free space: the end of every region."""
        blocks = self.disk_sectors // BLOCK_SECTORS
        for start in range(0, blocks, self.region_blocks):
            size = min(self.region_blocks, blocks - start)
            spare = int(size * self.free_fraction)
            self.free.append([Extent(start + size - spare, spare)] if spare else [])

    def region_of(self, block: int) -> int:
        """Region that holds a block."""
        return block // self.region_blocks

    def free_share(self) -> float:
        """Share of the disk that neither files nor replicas take."""
        blocks = sum(extent.blocks for extents in self.free for extent in extents)
        return (blocks - self.taken_blocks) * BLOCK_SECTORS / self.disk_sectors

    def read(self, sector: int, sectors: int, head: int) -> int:
        """Where a read starts: at a replica of the whole request if that is nearer."""
        blocks = range(sector // BLOCK_SECTORS, (sector + sectors - 1) // BLOCK_SECTORS + 1)
        self.clock += 1
        self.reads_count += 1
        start = self._replica_start(blocks)
        if start is not None:
            start += sector % BLOCK_SECTORS
            if abs(start - head) < abs(sector - head):
                for block in blocks:
                    self.replicas[block].used_at = self.clock
                    self.replicas[block].uses_count += 1
                self.hits_count += 1
                self.counts[self.region_of(start // BLOCK_SECTORS)] += 1
                return start
        self.counts[self.region_of(blocks[0])] += 1
        self.candidates.update(dict.fromkeys(blocks))
        return sector

    def _replica_start(self, blocks: range) -> int | None:
        """First sector of the replicas of all blocks, None when not whole or not in one piece."""
        places = [self.replicas[block].place for block in blocks if block in self.replicas]
        if len(places) < len(blocks):
            return None
        if any(place != places[0] + index for index, place in enumerate(places)):
            return None
        return places[0] * BLOCK_SECTORS

    def write(self, sector: int, sectors: int) -> None:
        """A write makes the replicas of its blocks invalid; they are never brought up to date."""
        self.clock += 1
        first, last = sector // BLOCK_SECTORS, (sector + sectors - 1) // BLOCK_SECTORS
        self.counts[self.region_of(first)] += 1
        for block in range(first, last + 1):
            self.candidates.pop(block, None)
            if block in self.replicas:
                self.invalidate(block)

    def invalidate(self, block: int) -> None:
        """Drop one replica and free its place."""
        replica = self.replicas.pop(block)
        self.free[replica.region].append(Extent(replica.place, 1))

    def occupy(self, blocks: int) -> None:
        """Files take (or, below 0, give back) so much free space; replicas make room."""
        self.taken_blocks += blocks
        self.reclaim()

    def reclaim(self) -> None:
        """Keep to the watermarks: cold replicas go below 10%, whole regions below 5%."""
        if self.free_share() < CRITICAL_FRACTION:
            for region in sorted({replica.region for replica in self.replicas.values()}):
                if self.free_share() >= LOW_FRACTION:
                    break
                self._drop_region(region)
        elif self.free_share() < LOW_FRACTION:
            cold = sorted(
                self.replicas,
                key=lambda block: (self.replicas[block].uses_count, self.replicas[block].used_at),
            )
            for block in cold:
                if self.free_share() >= LOW_FRACTION:
                    break
                self.invalidate(block)
        self._set_suspended()

    def _drop_region(self, region: int) -> None:
        for block in [b for b, replica in self.replicas.items() if replica.region == region]:
            self.invalidate(block)

    def _set_suspended(self) -> None:
        share = self.free_share()
        if share < LOW_FRACTION:
            self.suspended = True
        elif share >= HIGH_FRACTION:
            self.suspended = False

    def end_epoch(self) -> int:
        """Copy what was read outside the hot region to it or near it; return blocks copied."""
        self._set_suspended()
        if not self.counts or self.suspended:
            self._forget_epoch()
            return 0
        hot = self.counts.most_common(1)[0][0]
        wanted = [
            block
            for block in self.candidates
            if block not in self.replicas and self.region_of(block) != hot
        ]
        copied = self._place_all(wanted, hot)
        self._forget_epoch()
        self.reclaim()
        return copied

    def _forget_epoch(self) -> None:
        self.counts.clear()
        self.candidates.clear()

    def _targets(self, hot: int) -> list[int]:
        """The hot region, then neighbors within 5% of the disk, those with more room first."""
        reach = max(int(len(self.free) * NEIGHBOR_FRACTION), 1)
        near = [
            region
            for region in range(max(hot - reach, 0), min(hot + reach + 1, len(self.free)))
            if region != hot
        ]
        near.sort(key=lambda region: -sum(extent.blocks for extent in self.free[region]))
        return [hot, *near]

    def _place_all(self, wanted: list[int], hot: int) -> int:
        """Lay blocks one after another, in the order of their first access."""
        room = int((self.free_share() - LOW_FRACTION) * self.disk_sectors / BLOCK_SECTORS)
        left = wanted[: max(room, 0)]
        copied = 0
        for region in self._targets(hot):
            extents = self.free[region]
            extents.sort(key=lambda extent: -extent.blocks)
            while left and extents:
                extent = extents[0]
                count = min(extent.blocks, len(left))
                for index, block in enumerate(left[:count]):
                    self.replicas[block] = Replica(extent.start + index, region, self.clock)
                self.written.append((extent.start, count))
                left = left[count:]
                copied += count
                extent.start += count
                extent.blocks -= count
                if extent.blocks == 0:
                    extents.pop(0)
        self.copied_blocks += copied
        return copied
