"""What small writes and reads ask of each disk of a parity array, and how it serves them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import TINY, at_least
from capmodels.storage.closed_form.common_disks import second_fraction

if TYPE_CHECKING:
    from capmodels.storage.drive.service import Moments


class Asked(NamedTuple):
    """Requests that come to one disk, and how many disks each write changes, of how many."""

    reads_per_ms: float
    writes_per_ms: float
    written_count: int
    disks_count: int
    declustered: bool = False

    @property
    def disks(self) -> tuple[int, int]:
        """How many a write changes, of how many."""
        return self.written_count, self.disks_count

    @property
    def per_ms(self) -> float:
        """Reads and first phases together."""
        return self.reads_per_ms + self.writes_per_ms

    @property
    def common_fraction(self) -> float:
        """Share of what comes to one disk of a write, both phases, that another of its gets too."""
        both = 2 * self.writes_per_ms
        share = both / at_least(self.reads_per_ms + both, TINY)
        return share * second_fraction(*self.disks, declustered=self.declustered)


class Served(NamedTuple):
    """Service of a disk's reads and of its writes that seek, their fixed part, and its turn."""

    read: Moments
    write: Moments
    fixed_ms: float
    turn_ms: float
