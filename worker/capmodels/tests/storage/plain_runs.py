"""Reads and writes of arrays of disks, by the simulator and by the array written apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, Dispatch
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import WARM_UP_FRACTION, chunk_size
from capmodels.tests.storage.plain_array import PlainArray, responses_ms
from capmodels.tests.storage.plain_disk import DISK, PLATTER

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from capmodels.storage.simulator.run import Outcome

_SECTORS, _CHUNK, _READ_FRACTION = 8, 128, 0.7

on_every_layout: Callable[[Any], Any] = pytest.mark.parametrize(
    ("layout", "dispatch", "gap_ms"),
    [
        (Layout(kind="raid5", disks_count=5), "shortest_queue", 5.5),
        (Layout(kind="raid1", disks_count=2), "shortest_queue", 6.5),
        (Layout(kind="raid1", disks_count=2), "nearest_head", 9.0),
        (Layout(kind="mirrored_set", disks_count=3), "round_robin", 7.0),
        (Layout(kind="mirrored_set", disks_count=3), "primary_first", 7.0),
    ],
    ids=["raid5", "pair", "nearest", "three", "filled"],
)


class BothWays(NamedTuple):
    """What the simulator says of a run, and responses that count of reads and of writes. [ms]"""

    ours: Outcome
    theirs: tuple[NDArray[np.float64], NDArray[np.float64]]


def both_ways(layout: Layout, dispatch: Any, gap_ms: float, count: int) -> BothWays:
    """Simulate as many requests both ways."""
    width, parity = layout.disks_count, layout.kind == "raid5"
    rng = np.random.Generator(np.random.PCG64(3))
    at = np.cumsum(rng.standard_exponential(count) * gap_ms)
    ops = np.zeros((count, 3), dtype=np.int64)
    places = PLATTER.sectors // _CHUNK * _CHUNK * (width - 1 if parity else 1) // _SECTORS
    ops[:, 0], ops[:, 1] = rng.integers(0, places, count) * _SECTORS, _SECTORS
    ops[:, 2] = rng.random(count) >= _READ_FRACTION
    design = ArrayDesign(drive=DISK, layout=layout, dispatch=Dispatch(kind=dispatch), timeouts=None)
    ours = replay(design, at, ops, seed=1)
    plain = PlainArray(PLATTER, width, chunk=_CHUNK if parity else 0, dispatch=dispatch)
    asked: list[Any] = [tuple(op) for op in ops.tolist()]
    theirs = np.array(responses_ms(plain, at.tolist(), asked), dtype=float)
    # The warm-up ends with a chunk.
    step = chunk_size(count)
    counted = np.arange(count) >= -(-int(WARM_UP_FRACTION * count) // step) * step
    reads, writes = (theirs[counted & (ops[:, 2] == write)] for write in (0, 1))
    return BothWays(ours, (reads, writes))
