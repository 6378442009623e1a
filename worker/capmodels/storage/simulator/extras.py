"""What an array has besides its disks and their layout: when they sleep, a controller, copies."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.forms import IN_MIB, shown_when, when_empty
from capmodels.spec import Params, assumed, default
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator.request_sizes import SizeBytes
from capmodels.storage.simulator.slots import UNDER_WAY_MOST
from capmodels.units import CountFromOne, DurationMs, DurationS, Fraction, Real

SECTOR_BYTES = 512
# Copies are of whole blocks of this many bytes.
COPY_BLOCK_BYTES = c.BLOCK_SECTORS * SECTOR_BYTES
# A second for a request is no controller's.
ControllerMs = Annotated[DurationMs, Field(le=1000)]
# What the modes of a cache are called.
CACHE_MODES = {
    "hp08_mirror": "Mirrored write buffer",
    "write_back": "Write-back",
    "write_through": "Write-through",
}


class Timeouts(Params):
    """Idle times after which a drive goes to sleep; empty: the break-even times."""

    low_power_idle_s: DurationS | None = Field(
        default=None,
        title="Low-power idle after",
        description="Empty: the break-even time.",
        json_schema_extra=shown_when(up__drive__low_power_idle=True),
    )
    standby_s: DurationS | None = Field(
        default=None,
        title="Standby after",
        description="Measured from the start of idleness. Empty: the break-even time.",
        json_schema_extra=shown_when(up__drive__standby=True),
    )


class FreeSpaceCopies(Params):
    """Blocks that are read far away are copied into free space near the head (Huang 2006)."""

    free_fraction: Fraction = default(
        0.4,
        source="Huang 2006: 60% of disks had more than 30% unused",
        as_of="2004-04",
        title="Free space",
        description="Of each disk.",
    )
    epoch_s: Annotated[Real, Field(ge=1, json_schema_extra={"unit": "s"})] = assumed(
        60.0, "Time after which copies are placed.", title="Copied every"
    )
    region_bytes: SizeBytes = assumed(
        536_870_912,
        "Stretch of a disk whose reads are counted together.",
        title="Use is counted by",
        extra=IN_MIB,
    )
    files_gb_per_h: Annotated[Real, Field(ge=0, json_schema_extra={"unit": "GB/h"})] = assumed(
        0.0,
        "Free space of each disk that files come to use; copies make room for them.",
        title="Files take of it",
    )

    @property
    def region_blocks(self) -> int:
        """Blocks of a region."""
        return max(self.region_bytes // COPY_BLOCK_BYTES, 1)

    def regions_of(self, sectors: int) -> int:
        """Regions of a disk of so many sectors."""
        return -(-(sectors // c.BLOCK_SECTORS) // self.region_blocks)


class Controller(Params):
    """What stands between a host and its drives: every request passes it, one after another."""

    read_ms: ControllerMs = assumed(0.0, "Its own time for a read.", title="Time for a read")
    write_ms: ControllerMs = assumed(0.0, "Its own time for a write.", title="Time for a write")
    depth_count: Annotated[CountFromOne, Field(le=UNDER_WAY_MOST)] | None = Field(
        default=None,
        title="Requests at once",
        description="Requests that it passes on at once; others wait in the host. Empty: all.",
        json_schema_extra=when_empty("all"),
    )
