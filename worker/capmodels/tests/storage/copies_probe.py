"""The kernels of copies in free space, one decision at a time, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.drive.drives import WD_80GB
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.copies_kernel import (
    close_epoch,
    next_piece,
    occupy,
    piece_written,
    turned,
)
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.simulator.extras import FreeSpaceCopies

READ, WRITE, END_EPOCH, OCCUPY = range(4)
_RECORD = k.machine_dtype()


@kernel
def _steps(
    machine: NDArray[np.uint8], d: int, steps: NDArray[np.int64], found: NDArray[np.int64]
) -> None:
    """Do each step (kind, sector or blocks, sectors, head); what it comes to goes into ``found``.

    Copies are written as soon as an epoch ends.
    """
    m = machine.view(_RECORD)[0]
    for i in range(steps.shape[0]):
        kind, sector, sectors, head = steps[i]
        m.now[d, k.LAST_END] = head
        if kind == OCCUPY:
            occupy(m, d, sector)
        elif kind == END_EPOCH:
            found[i] = close_epoch(m, d)
            while next_piece(m, d)[1] > 0:
                piece_written(m, d)
        else:
            found[i] = turned(m, d, sector, sectors, kind == WRITE)


class Probe:
    """The copies on one of several disks."""

    def __init__(self, terms: FreeSpaceCopies, disk_sectors: int, d: int = 1) -> None:
        """Three disks of so many sectors; the steps are those of disk ``d``."""
        drive = WD_80GB.model_copy(update={"capacity_gb": disk_sectors * 512 / 1e9})
        layout = Layout(kind="raid0", disks_count=3)
        design = ArrayDesign(drive=drive, layout=layout, timeouts=None, copies=terms)
        self.d, self.run = d, build(design)
        self.m = self.run.record

    def do(self, *steps: tuple[int, int, int, int]) -> list[int]:
        """Do steps (kind, sector or blocks, sectors, head); where each started."""
        found = np.zeros(len(steps), np.int64)
        _steps(self.run.machine, self.d, np.array(steps, np.int64), found)
        return found.tolist()

    def figure(self, column: int) -> int:
        """A column of the disk's row."""
        return int(self.m["layers"][self.d, column])

    def copies(self) -> dict[int, tuple[int, int, int]]:
        """Place, time of last use and uses of the copy of each block."""
        found = {}
        for region in range(int(self.m["copying"][c.REGIONS])):
            row = self.d * int(self.m["copying"][c.REGIONS]) + region
            entry = self.m["regions"][row, c.FIRST]
            while entry:
                one, links = self.m["replicas"][entry], self.m["replica_links"][entry]
                found[int(one[c.KEY]) >> 7] = (
                    int(one[c.PLACE]),
                    int(one[c.USED_AT]),
                    int(links[c.USES]),
                )
                entry = links[c.NEXT]
        return found
