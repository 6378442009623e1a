"""What the simulator's arrays hold of copies in free space, by position. Blocks are of 4 KiB.

Numbers of blocks count from the first sector of a disk; entry 0 of the pool stands for none.
"""

from __future__ import annotations

from typing import Any

from capmodels.storage.drive.limits import DISKS_MAX

BLOCK_SECTORS = 8
# Copies go to a disk in writes of at most 64 KiB.
PIECE_BLOCKS = 16
HIGH_FRACTION, LOW_FRACTION, CRITICAL_FRACTION = 0.15, 0.10, 0.05
NEIGHBOR_FRACTION = 0.05

# The pool of all disks: what is copied, and what is read in an epoch and may be copied.
REPLICAS_MAX = 1 << 20
TABLE_SIZE = 1 << 21
# Regions of all disks.
REGIONS_MAX = 1 << 18
# Disks, and a cache's device.
DEVICES_MAX = DISKS_MAX + 1

# Entries of ``copying``: whole numbers of the whole array.
(
    ON,
    REGION_BLOCKS,
    REGIONS,  # of one disk
    DISK_BLOCKS,
    DISK_SECTORS,
    SPARE,  # free blocks at the end of a whole region
    LAST_SPARE,  # of the last region, which may be shorter
    USED,  # entries of the pool that were ever used
    FREE_ENTRY,  # first of those that are free again
    TABLE_FULL,  # 1 when the pool had no entry left
    OWN,  # 1 while the array works for itself: nothing is turned, nothing counted
    DUE_DISKS,  # disks that slept at the end of an epoch
    COPYING_COUNT,
) = range(13)

# Entries of ``epoch``. The end is 0 while nothing was asked since the last one.
LENGTH_MS, END_MS, FILES_BLOCKS_PER_MS, EPOCH_COUNT = range(4)

# Columns of ``layers``, one row per device. The first two are the ends of a list, as in
# ``regions``: of blocks read in this epoch, in the order of their first access.
(
    FIRST,
    LAST,
    HAS_LAYER,
    CLOCK,  # counts uses, so that no two have the same time
    SEEN,  # blocks in that list
    TOUCHED,  # regions used in this epoch
    FREE,  # blocks that neither files nor copies take; files can take more than there are
    TAKEN,  # blocks that files have taken since the start
    SUSPENDED,
    DUE,  # 1: slept at the end of an epoch
    BUSY,  # 1 while copies are being written
    FIRST_WRITE,  # copies that are yet to be written, in the order of their places
    LAST_WRITE,
    FLIGHT,  # of those, how many are in the write that is under way
    LIVE,  # copies that can be read
    READS,
    HITS,
    COPIED,
    WRITES,  # operations in which copies were written
    INVALIDATED,
    RECLAIMED,
    NO_ROOM,
    LAYER_COUNT,
) = range(23)

# Columns of ``regions``: copies are linked in the order of their places.
_FIRST, _LAST, PLACED, IO, ORDER, REGION_COUNT = range(6)

# Columns of ``replicas``. A place below 0: not a copy yet, or no longer one.
KEY, PLACE, USED_AT, REPLICA_COUNT = range(4)
# Columns of ``replica_links``, of half the width.
USES, NEXT, PREVIOUS, NEXT_WRITE, LINK_COUNT = range(5)
USES_MAX = (1 << 23) - 2
SEEN_ONLY, GONE = -1, -2
# Uses of a copy that is not written yet.
UNWRITTEN = -1


def fields() -> list[Any]:
    """Return the part of ``machine_dtype`` that the copies take."""
    import numpy as np

    return [
        ("copying", np.int64, (COPYING_COUNT,)),
        ("epoch", np.float64, (EPOCH_COUNT,)),
        ("layers", np.int64, (DEVICES_MAX, LAYER_COUNT)),
        ("regions", np.int64, (REGIONS_MAX, REGION_COUNT)),
        ("replicas", np.int64, (REPLICAS_MAX, REPLICA_COUNT)),
        ("replica_links", np.int32, (REPLICAS_MAX, LINK_COUNT)),
        ("replica_table", np.int32, (TABLE_SIZE,)),
    ]
