"""RAID-5 and mirrors against an array that is simulated the plain way, written apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, Dispatch
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import WARM_UP_FRACTION, chunk_size
from capmodels.storage.simulator.series import quantile_ms
from capmodels.tests.storage.plain_array import PlainArray, responses_ms
from capmodels.tests.storage.plain_disk import DISK, PLATTER

pytestmark = pytest.mark.slow

COUNT, SECTORS, CHUNK = 20_000, 8, 128


def _requests(disks: int, gap_ms: float, read_fraction: float) -> tuple[Any, Any]:
    rng = np.random.Generator(np.random.PCG64(3))
    at = np.cumsum(rng.standard_exponential(COUNT) * gap_ms)
    size = PLATTER.sectors // CHUNK * CHUNK * disks
    ops = np.zeros((COUNT, 3), dtype=np.int64)
    ops[:, 0], ops[:, 1] = rng.integers(0, size // SECTORS, COUNT) * SECTORS, SECTORS
    ops[:, 2] = rng.random(COUNT) >= read_fraction
    return at, ops


@pytest.mark.decisive
@pytest.mark.parametrize(
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
def test_reads_and_writes_take_as_long_as_the_plain_way(
    layout: Layout, dispatch: Any, gap_ms: float
) -> None:
    width = layout.disks_count
    at, ops = _requests(width - 1 if layout.kind == "raid5" else 1, gap_ms, 0.7)
    design = ArrayDesign(drive=DISK, layout=layout, dispatch=Dispatch(kind=dispatch), timeouts=None)
    out = replay(design, at, ops, seed=1)
    chunk = CHUNK if layout.kind == "raid5" else 0
    plain = PlainArray(PLATTER, width, chunk=chunk, dispatch=dispatch)
    theirs = np.array(responses_ms(plain, at.tolist(), [tuple(op) for op in ops.tolist()]))
    # The warm-up ends with a chunk.
    step = chunk_size(COUNT)
    counted = np.arange(COUNT) >= -(-int(WARM_UP_FRACTION * COUNT) // step) * step
    for write in (0, 1):
        seen = theirs[counted & (ops[:, 2] == write)]
        ours = float(out.response[write, k.SUM] / out.response[write, k.DONE])
        assert ours == pytest.approx(seen.mean(), rel=0.003)
        for share, within in ((0.5, 0.005), (0.99, 0.015)):
            assert quantile_ms(out.histogram[write], share) == pytest.approx(
                np.quantile(seen, share), rel=within
            )
