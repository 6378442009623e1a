"""What ``storage.array`` answers for a drive in a closed loop: the same machine, the same rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.rng import streams
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.build import array_sectors
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign
from capmodels.storage.simulator.run import WARM_UP_FRACTION, Runner, chunk_size, run_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.storage.calibration.mechanics import Measured
    from capmodels.storage.drive.drives import Drive, HardDisk
    from capmodels.storage.simulator.workload_draw import Chunk


def alone_in(drive: Drive, **terms: Any) -> ArrayDesign:
    """An array of one such drive that never sleeps."""
    layout = Layout(kind="single", disks_count=1)
    return ArrayDesign(drive=drive, layout=layout, timeouts=None, **terms)


def ops_of(requests: BlockRequests, rows: slice) -> NDArray[np.int64]:
    """Requests of a trace as the machine takes them: sector, sectors, whether it writes."""
    columns: list[NDArray[Any]] = [
        requests.block_lba[rows],
        requests.size_blocks[rows],
        ~requests.is_read[rows],
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def within(ops: NDArray[np.int64], design: ArrayDesign) -> NDArray[np.int64]:
    """The same, moved to where the array has room for them."""
    size = array_sectors(design)
    moved = ops.copy()
    moved[:, 1] = np.minimum(ops[:, 1], size)
    moved[:, 0] = np.minimum(ops[:, 0], size - moved[:, 1])
    return moved


def spread_ms(histogram: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """So many times as evenly spread as those that a histogram counts, rising. [ms]"""
    edges = np.arange(len(histogram) + 1)
    octave, inside = np.divmod(edges, k.BINS_PER_OCTAVE)
    values = np.ldexp(1.0 + inside / k.BINS_PER_OCTAVE, octave + k.BIN_LOW_EXPONENT)
    seen = np.concatenate([[0], np.cumsum(histogram)]).astype(np.float64)
    wanted = (np.arange(count) + 0.5) / count * seen[-1]
    filled = np.flatnonzero(np.diff(seen) > 0)
    at = filled[np.searchsorted(seen[filled + 1], wanted)]
    part = (wanted - seen[at]) / (seen[at + 1] - seen[at])
    found: NDArray[np.float64] = values[at] + part * (values[at + 1] - values[at])
    return found


def warm_count(count: int) -> int:
    """How many first requests of a run are left out of what it answers."""
    return int(count * WARM_UP_FRACTION)


def array_times_ms(
    drive: HardDisk, part: Measured, *, runs_count: int, seed: int
) -> NDArray[np.float64]:
    """Response times of one such drive to measured requests, with their pauses. [ms]

    As many times as there are requests after the ``warm_count`` first, from all runs together.
    """
    design = alone_in(drive)
    total = np.zeros(k.BINS_COUNT, dtype=np.int64)
    count = len(part.ops)
    step = chunk_size(count)

    def pieces() -> Iterator[Chunk]:
        for start in range(0, count, step):
            yield part.thinks_ms[start : start + step], part.ops[start : start + step]

    for rng in streams(seed, runs_count):
        runner = Runner(design, rng, users=1, total=count)
        total += run_chunks(runner, pieces()).histogram.sum(axis=0)
    return spread_ms(total, count - warm_count(count))
