"""Copies in free space of a design: into the machine at the start, into the answer at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.spec import Result
from capmodels.storage.fs2 import table_bytes
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator.extras import COPY_BLOCK_BYTES
from capmodels.units import Count, Fraction, Real

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.extras import FreeSpaceCopies
    from capmodels.storage.simulator.slots import Machine

# What a run keeps of each disk: columns of ``layers`` from here on.
COLUMNS = slice(c.LIVE, c.LAYER_COUNT)

CopiedTb = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "TB"})]
TableMb = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "MB"})]


class DiskCopies(Result):
    """What the copies on one disk, or on all, did."""

    hits_count: Count
    hit_fraction: Fraction | None = Field(description="Reads that a copy served.")
    copies_count: Count = Field(description="Blocks of 4 KiB with a copy at the end.")
    copied_tb: CopiedTb
    copy_writes_count: Count = Field(description="Operations in which copies were written.")
    invalidated_count: Count = Field(description="Copies lost to a write of their block.")
    reclaimed_count: Count = Field(description="Copies that made room for files.")
    not_copied_count: Count = Field(
        description="Blocks read far away, for which there was no room, or no place in the table."
    )


class CopiesUse(DiskCopies):
    """What the copies in free space did."""

    table_mb: TableMb = Field(description="Memory of the copies' table in a driver.")
    table_full: bool = Field(description="A million entries were not enough: the rest is left out.")
    disks: tuple[DiskCopies, ...]


def put_copies(m: Machine, terms: FreeSpaceCopies, *, disks: int, sectors: int) -> None:
    """Lay out the free space of hard disks, at the end of every region; no copies yet."""
    blocks, size = sectors // c.BLOCK_SECTORS, terms.region_blocks
    regions = terms.regions_of(sectors)
    spare = int(size * terms.free_fraction)
    last_spare = int((blocks - (regions - 1) * size) * terms.free_fraction)
    copying = m["copying"]
    copying[c.ON] = 1
    copying[c.REGION_BLOCKS], copying[c.REGIONS] = size, regions
    copying[c.DISK_BLOCKS], copying[c.DISK_SECTORS] = blocks, sectors
    copying[c.SPARE], copying[c.LAST_SPARE] = spare, last_spare
    m["epoch"][c.LENGTH_MS] = terms.epoch_s * 1000.0
    per_h = terms.files_gb_per_h * 1e9 / COPY_BLOCK_BYTES
    m["epoch"][c.FILES_BLOCKS_PER_MS] = per_h / 3.6e6
    m["layers"][:disks, c.HAS_LAYER] = 1
    m["layers"][:disks, c.FREE] = spare * (regions - 1) + last_spare


def copied(m: Machine) -> NDArray[np.int64]:
    """What the copies on each disk came to, shape (disks, columns)."""
    return m["layers"][m["layers"][:, c.HAS_LAYER] == 1, COLUMNS].copy()


def merged_copies(
    one: NDArray[np.int64] | None, two: NDArray[np.int64] | None
) -> NDArray[np.int64] | None:
    """Two runs' copies as one: counts added, the larger number of copies at the end."""
    import numpy as np

    if one is None or two is None:
        return one
    total = one + two
    total[:, 0] = np.maximum(one[:, 0], two[:, 0])
    return total


def _figures(row: NDArray[np.int64]) -> dict[str, float | None]:
    live, reads, hits, blocks, writes, invalidated, reclaimed, left = (int(x) for x in row)
    return {
        "hits_count": hits,
        "hit_fraction": hits / reads if reads else None,
        "copies_count": live,
        "copied_tb": blocks * COPY_BLOCK_BYTES / 1e12,
        "copy_writes_count": writes,
        "invalidated_count": invalidated,
        "reclaimed_count": reclaimed,
        "not_copied_count": left,
    }


def copies_use(rows: NDArray[np.int64] | None, *, full: bool) -> CopiesUse | None:
    """Fill the part of the answer about copies, shape (disks, columns)."""
    if rows is None:
        return None
    total = rows.sum(axis=0)
    return CopiesUse.model_validate(
        {
            **_figures(total),
            "table_mb": table_bytes(int(total[0]) * COPY_BLOCK_BYTES) / 1e6,
            "table_full": full,
            "disks": [_figures(row) for row in rows],
        }
    )
