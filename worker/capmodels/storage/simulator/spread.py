"""How a declustered array lays stripes over its disks: orders of the disks, slices of rows.

As OpenZFS lays out its dRAID (module/zfs/vdev_draid.c): stripes of w disks go one after another
over the n - s columns that are not spare, and begin anew after a slice of rows, in which whole
stripes fit; each slice takes the disks in another order. The last s columns of a row are spare.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.layout import DECLUSTERED, PARITIES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.layout import Layout

# Data of a disk that stay together, as in OpenZFS; a piece of a rebuild is a part of them.
ROW_BYTES = 16 << 20
PIECE_BYTES = 4 << 20


class Spread(NamedTuple):
    """Counts of a declustered layout."""

    columns: int  # of a row, without its spares
    slice_rows: int
    slice_groups: int
    row_chunks: int


def spread_of(layout: Layout) -> Spread:
    """What the rows of a declustered layout hold.

    >>> from capmodels.storage.simulator.params import Layout
    >>> spread_of(Layout(kind="draid2", disks_count=12, stripe_disks_count=6,
    ...                  distributed_spares_count=2))
    Spread(columns=10, slice_rows=3, slice_groups=5, row_chunks=256)
    """
    columns = layout.disks_count - layout.distributed_spares_count
    whole = math.lcm(columns, layout.stripe_disks_count)
    return Spread(
        columns,
        whole // columns,
        whole // layout.stripe_disks_count,
        max(ROW_BYTES // layout.chunk_bytes, 1),
    )


def slices_count(layout: Layout, disk_sectors: int, chunk_sectors: int) -> int:
    """Whole slices on disks of a size."""
    spread = spread_of(layout)
    return disk_sectors // (spread.slice_rows * spread.row_chunks * chunk_sectors)


def spread_sectors(layout: Layout, disk_sectors: int, chunk_sectors: int) -> int:
    """Sectors of data that a declustered array offers."""
    spread = spread_of(layout)
    data = layout.stripe_disks_count - PARITIES[layout.kind]
    whole = slices_count(layout, disk_sectors, chunk_sectors) * spread.slice_groups
    return whole * spread.row_chunks * data * chunk_sectors


def held_fraction(layout: Layout) -> float:
    """Share of a disk that holds data or parity; the rest is room for rebuilds."""
    if layout.kind not in DECLUSTERED:
        return 1.0
    return 1.0 - layout.distributed_spares_count / layout.disks_count


def streams_count(layout: Layout) -> int:
    """Pieces of a rebuild that are under way at the same time; half as many as disks (our choice).

    Fewer leave disks idle that are to be read; more only wait in their queues.
    """
    return max(layout.disks_count // 2, 1)


def gap_ratio(layout: Layout) -> float:
    """Time from a piece to the next, over the time that one disk takes to write one.

    Of each lost disk a piece is read from as many disks as a stripe has data, and written to one;
    all disks that are left share that.
    """
    lost = layout.failed_disk_count
    moved = layout.stripe_disks_count - PARITIES[layout.kind] + 1
    return lost * moved / max(layout.disks_count - lost, 1)


def orders_of(disks_count: int) -> NDArray[np.int64]:
    """Orders of the disks that slices take in turn, the same ones always; shape (orders, disks)."""
    import numpy as np

    rng = np.random.default_rng(2020)
    return np.stack([rng.permutation(disks_count) for _ in range(k.ORDERS)])


def put_spread(layout: Layout, m: k.Machine, plan: NDArray[Any]) -> None:
    """Put in the orders of the disks, the same ones for every run; of other layouts nothing."""
    if layout.kind not in DECLUSTERED:
        return
    spread = spread_of(layout)
    plan[[k.COLUMNS, k.SLICE_ROWS, k.SLICE_GROUPS, k.ROW_CHUNKS]] = spread
    plan[k.WIDTH] = layout.stripe_disks_count
    plan[k.REBUILD_SECTORS] = PIECE_BYTES // 512
    m["orders"][:, : layout.disks_count] = orders_of(layout.disks_count)
