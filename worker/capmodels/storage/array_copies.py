"""Copies in free space on a simulated disk: requests are turned to them, and copies written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.fs2_policy import BLOCK_SECTORS, Replicator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.array_terms import FreeSpaceCopies
    from capmodels.storage.workload_draw import Chunk

# Copies go to the disk in writes of at most 64 KiB.
_WRITE_BLOCKS = 16
OWN_WRITE = 2


@dataclass
class Copier:
    """The policy between the requests and the disk; times in ms, places in sectors.

    On a disk that serves first come, first served the order of service is the order of arrival,
    so where the head stands is known without knowing when.
    """

    terms: FreeSpaceCopies
    disk_sectors: int
    layer: Replicator = field(init=False)
    head: int = 0
    epoch_end_ms: float = 0.0

    def __post_init__(self) -> None:
        """Start with no copies."""
        self.layer = Replicator(
            disk_sectors=self.disk_sectors,
            region_blocks=max(self.terms.region_bytes // (512 * BLOCK_SECTORS), 1),
            free_fraction=self.terms.free_fraction,
        )
        self.epoch_end_ms = self.terms.epoch_s * 1000.0

    def turned(self, at: NDArray[np.float64], ops: NDArray[np.int64]) -> Chunk:
        """Requests as the disk gets them, and the writes of copies at the ends of epochs."""
        times: list[float] = []
        found: list[tuple[int, int, int]] = []
        for t, (sector, sectors, write) in zip(at.tolist(), ops.tolist(), strict=True):
            while t >= self.epoch_end_ms:
                self._end_epoch(times, found)
            start = sector
            if write:
                self.layer.write(sector, sectors)
            else:
                start = self.layer.read(sector, sectors, self.head)
            self.head = start + sectors
            times.append(t)
            found.append((start, sectors, write))
        return np.array(times), np.array(found, dtype=np.int64).reshape(-1, 3)

    def _end_epoch(self, times: list[float], found: list[tuple[int, int, int]]) -> None:
        self.layer.end_epoch()
        for start, blocks in self.layer.written:
            for first in range(start, start + blocks, _WRITE_BLOCKS):
                count = min(_WRITE_BLOCKS, start + blocks - first)
                times.append(self.epoch_end_ms)
                found.append((first * BLOCK_SECTORS, count * BLOCK_SECTORS, OWN_WRITE))
                self.head = (first + count) * BLOCK_SECTORS
        self.layer.written.clear()
        self.epoch_end_ms += self.terms.epoch_s * 1000.0
