"""Where a chunk of an array lies: RAID-0, RAID-5 left-symmetric, RAID-6, as Linux md does."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """A chunk's disk and its number on that disk."""

    disk: int
    row: int


def raid0_place(chunk: int, disks_count: int) -> Place:
    """Chunk k lies on disk k mod N, as number k div N.

    >>> raid0_place(6, 4)
    Place(disk=2, row=1)
    """
    return Place(chunk % disks_count, chunk // disks_count)


def parity_disk(stripe: int, disks_count: int) -> int:
    """Disk with the (first) parity of a stripe."""
    return disks_count - 1 - stripe % disks_count


def parity_place(chunk: int, disks_count: int, parity_count: int = 1) -> Place:
    """Place of a data chunk in a left-symmetric RAID-5 (or RAID-6 with two parities).

    Stripe s has its parity on disk p = N - 1 - (s mod N) (and p + 1); data follow it round.

    >>> parity_place(3, 4), parity_place(4, 4)
    (Place(disk=3, row=1), Place(disk=0, row=1))
    """
    data_count = disks_count - parity_count
    stripe, index = divmod(chunk, data_count)
    first = parity_disk(stripe, disks_count) + parity_count
    return Place((first + index) % disks_count, stripe)


def write_ios(*, chunks_count: int, disks_count: int, parity_count: int = 1) -> int:
    """Operations of a write of part of a stripe: the cheaper of the two ways.

    Read-modify-write takes 2 (k + parities), reconstruct-write N; a full stripe N writes.

    >>> [write_ios(chunks_count=k, disks_count=5) for k in (1, 2, 3, 4)]
    [4, 5, 5, 5]
    """
    return min(2 * (chunks_count + parity_count), disks_count)
