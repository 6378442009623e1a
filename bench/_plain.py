"""How near the simulator of arrays comes to one written apart, the plain way.

Requests are the same on both sides, and so are the disks, whose platters are followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bench._lib import Row, at_most
from capmodels.registry import get_model
from capmodels.reliability.array_loss import failure_rate_per_h
from capmodels.reliability.loss_chain import Group, group_chain, mean_time_h, repair_rates
from capmodels.spec import evaluate, validate
from capmodels.storage.calibration.loop_fit import fit_loop
from capmodels.storage.calibration.queue_fit import latency_ms
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, Dispatch
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import WARM_UP_FRACTION, chunk_size
from capmodels.storage.simulator.series import quantile_ms
from capmodels.tests.reliability.exact_chain import exact_years
from capmodels.tests.storage.plain_array import (
    PlainArray,
    closed_latency_ms,
    responses_ms,
    sorted_responses_ms,
)
from capmodels.tests.storage.plain_disk import DISK, PLATTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_PERCENT, _SECTORS, _CHUNK = 100.0, 8, 128
_DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_CALIBRATE = "storage.calibrate_drive"
Columns = tuple["NDArray[np.float64]", "NDArray[np.int64]"]


def _drawn(count: int, gap_ms: float, *, disks: int, reads: float, sectors: int) -> Columns:
    rng = np.random.Generator(np.random.PCG64(11))
    at = np.cumsum(rng.standard_exponential(count) * gap_ms)
    ops = np.zeros((count, 3), dtype=np.int64)
    size = PLATTER.sectors // _CHUNK * _CHUNK * disks
    ops[:, 0], ops[:, 1] = rng.integers(0, size // sectors, count) * sectors, sectors
    ops[:, 2] = rng.random(count) >= reads
    return at, ops


def _counted(count: int) -> int:
    """Requests of the warm-up, which ends with a chunk."""
    step = chunk_size(count)
    return -(-int(WARM_UP_FRACTION * count) // step) * step


def _off(ours: float, theirs: float) -> float:
    return _PERCENT * abs(ours / theirs - 1)


def _arrays() -> Iterator[Row]:
    cases: list[tuple[str, Any, int, str, float]] = [
        ("RAID-5 of 5, 70% reads", "raid5", 5, "shortest_queue", 4.5),
        ("2 mirrors, 70% reads", "raid1", 2, "shortest_queue", 6.3),
        ("2 mirrors, nearest head", "raid1", 2, "nearest_head", 7.0),
        ("3 mirrors, filled in turn", "mirrored_set", 3, "primary_first", 6.0),
    ]
    count = 300_000
    for what, kind, disks, dispatch, gap_ms in cases:
        parity = kind == "raid5"
        at, ops = _drawn(
            count, gap_ms, disks=disks - 1 if parity else 1, reads=0.7, sectors=_SECTORS
        )
        layout, how = (
            Layout(kind=kind, disks_count=disks),
            Dispatch.model_validate({"kind": dispatch}),
        )
        out = replay(
            ArrayDesign(drive=DISK, layout=layout, dispatch=how, timeouts=None), at, ops, seed=1
        )
        plain = PlainArray(PLATTER, disks, chunk=_CHUNK if parity else 0, dispatch=dispatch)
        requests = [(int(a), int(b), int(c)) for a, b, c in ops]
        theirs = np.array(responses_ms(plain, at.tolist(), requests))[_counted(count) :]
        writes = ops[_counted(count) :, 2] == 1
        means, tails = [], []
        for write in (0, 1):
            seen = theirs[writes == write]
            means.append(_off(float(out.response[write, k.SUM] / len(seen)), float(seen.mean())))
            tail = float(quantile_ms(out.histogram[write], 0.999))
            tails.append(_off(tail, float(np.quantile(seen, 0.999))))
        yield at_most("plain array", f"{what}: means of reads and writes", "%", max(means), 0.5)
        yield at_most("plain array", f"{what}: p99.9 of either", "%", max(tails), 2.0)


def _positional() -> Iterator[Row]:
    count, queue = 40_000, 8
    at, ops = _drawn(count, 4.4, disks=1, reads=1.0, sectors=1)
    design = ArrayDesign(
        drive=DISK.model_copy(update={"write_settle_ms": 0.0}),
        layout=Layout(kind="single", disks_count=1),
        timeouts=None,
        scheduler="sptf",
        queue_count=queue,
    )
    out = replay(design, at, ops, seed=1)
    theirs = sorted_responses_ms(PLATTER, at.tolist(), ops[:, 0].tolist(), queue=queue)
    seen = np.array(theirs)[_counted(count) :]
    mean = float(out.response[0, k.SUM] / out.response[0, k.DONE])
    yield at_most("positional queue", "8 sorted, mean", "%", _off(mean, float(seen.mean())), 1.0)
    tail = float(quantile_ms(out.histogram[0], 0.99))
    off = _off(tail, float(np.quantile(seen, 0.99)))
    yield at_most("positional queue", "8 sorted, p99", "%", off, 2.0)


def _halves() -> Iterator[Row]:
    rows = validate(get_model(_CALIBRATE), {}).rows
    for way in ("read", "write"):
        told = [row for row in rows if row.way == way]
        fit = fit_loop(told[::2])
        off = max(_off(fit.at(row.depth_count), row.latency_ms) for row in told[1::2])
        yield at_most("fio", f"PM883 {way}s, the other half of depths 1 to 64", "%", off, 10.0)
    yield from _sorting_disks()


def _sorting_disks() -> Iterator[Row]:
    sheet = DISK.model_copy(update={"geometry": None, "overhead_ms": 0.0, "write_settle_ms": 0.0})
    for queue in (8, 32):
        seen = {
            depth: closed_latency_ms(PLATTER, depth=depth, queue=queue, count=6000)
            for depth in _DEPTHS
        }
        half = [
            {"way": "read", "depth_count": depth, "latency_ms": seen[depth]}
            for depth in _DEPTHS[::2]
        ]
        asked = {"drive": sheet.model_dump(), "size_bytes": 512, "rows": half}
        found = evaluate(get_model(_CALIBRATE), asked)
        sorted_count = found.queue_count or 1
        off = max(
            _off(latency_ms(found.drive, 512, depth=depth, queue=sorted_count), seen[depth])
            for depth in _DEPTHS[1::2]
        )
        what = f"disk that sorts {queue}, reads, the other half of depths 1 to 64"
        yield at_most("fio", what, "%", off, 10.0)


def _chains() -> Iterator[Row]:
    rate, bits = failure_rate_per_h(0.017), 0.38
    for what, members, tolerated in (("RAID-6 of 8", 8, 2), ("3 mirrors", 3, 2), ("8+3", 11, 3)):
        group = Group(members, tolerated, rate, repair_rates(tolerated, rebuild_h=24.0), bits)
        ours = mean_time_h(group_chain(group)) / 8760
        off = abs(ours / exact_years(members, tolerated, rate, 24.0, bits) - 1)
        yield at_most("loss", f"{what}, against exact fractions", "", off, 1e-6)


def rows() -> Iterator[Row]:
    """Arrays, sorted queues, calibrations and losses, each against a way written apart."""
    for part in (_arrays, _positional, _halves, _chains):
        yield from part()
