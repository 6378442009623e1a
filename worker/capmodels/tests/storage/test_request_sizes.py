"""Requests of several sizes: what is drawn, and what the simulator makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels.errors import ParamsError
from capmodels.registry import get_model
from capmodels.rng import streams
from capmodels.spec import validate
from capmodels.storage.array import SERVER
from capmodels.storage.drive.drives import MTRON_3035
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Region,
    RegionAddresses,
    Replay,
    SequentialAddresses,
    SyntheticWorkload,
    TraceWorkload,
    UniformAddresses,
    ZipfAddresses,
)
from capmodels.storage.simulator.replay import in_memory, requests_of, run_trace
from capmodels.storage.simulator.request_sizes import SizeShare, mixes_of, most_bytes
from capmodels.storage.simulator.run import run_synthetic
from capmodels.storage.simulator.workload_draw import Draw

SECTORS = 146_484_375
SMALL, MEDIUM, LARGE = 4096, 12_288, 1_048_576
MIX = tuple(
    SizeShare(size_bytes=size, weight_ratio=weight)
    for size, weight in ((SMALL, 6.0), (MEDIUM, 3.0), (LARGE, 1.0))
)
MEAN_BYTES = 0.6 * SMALL + 0.3 * MEDIUM + 0.1 * LARGE
REGIONS = RegionAddresses(
    regions=(
        Region(start_fraction=0.0, end_fraction=0.1, stay_fraction=0.5),
        Region(start_fraction=0.5, end_fraction=1.0),
    )
)
ADDRESSES: dict[str, Any] = {
    "uniform": UniformAddresses(),
    "zipf": ZipfAddresses(blocks_count=5000),
    "regions": REGIONS,
    "sequential": SequentialAddresses(),
}
# Sums of first sectors, and writes, of the version that knew one size alone.
BEFORE = {
    "uniform": (366_046_851_744, 1974),
    "zipf": (338_392_854_240, 1974),
    "regions": (204_212_462_112, 2023),
    "sequential": (373_317_329_184, 1961),
}


def _work(count: int = 5000, **more: Any) -> SyntheticWorkload:
    return SyntheticWorkload(requests_count=count, **{"read_fraction": 0.6, **more})


def _drawn(work: SyntheticWorkload, chunk: int = 700) -> tuple[Any, Any]:
    chunks = list(Draw(work, SECTORS, streams(7, 3)).chunks(chunk))
    return np.concatenate([at for at, _ in chunks]), np.concatenate([ops for _, ops in chunks])


@pytest.mark.parametrize("kind", ADDRESSES)
def test_one_size_draws_what_it_drew_before_there_were_several(kind: str) -> None:
    work = _work(addresses=ADDRESSES[kind], size_bytes=MEDIUM)
    at, ops = _drawn(work)
    assert (ops[:, 0].sum(), ops[:, 2].sum()) == BEFORE[kind]
    assert at.sum() == pytest.approx(130_005_048.830_522_33, rel=1e-12)
    listed = work.model_copy(update={"size_bytes": 512, "sizes": MIX[1:2]})
    again, the_same = _drawn(listed)
    assert (at == again).all()
    assert (ops == the_same).all()


@pytest.mark.parametrize("kind", ["uniform", "zipf", "regions"])
@pytest.mark.decisive
def test_sizes_come_by_weight_and_every_request_is_aligned_to_its_own(kind: str) -> None:
    work = _work(40_000, addresses=ADDRESSES[kind], sizes=MIX, write_sizes=MIX[2:])
    at, ops = _drawn(work, 7000)
    reads = ops[ops[:, 2] == 0, 1] * 512
    shares = [(reads == share.size_bytes).mean() for share in MIX]
    # Three standard deviations of a share of 24,000.
    assert shares == pytest.approx([0.6, 0.3, 0.1], abs=0.0095)
    assert (ops[ops[:, 2] == 1, 1] * 512 == LARGE).all()
    assert (ops[:, 0] % ops[:, 1] == 0).all()
    assert (ops[:, 0] + ops[:, 1] <= SECTORS).all()
    plain_at, plain = _drawn(work.model_copy(update={"sizes": (), "write_sizes": ()}), 7000)
    assert (plain_at == at).all()
    assert (plain[:, 2] == ops[:, 2]).all()
    assert abs(plain[:, 0] - ops[:, 0]).max() < 2 * LARGE // 512 or kind == "zipf"


def test_a_block_is_at_one_place_whatever_size_is_asked_for() -> None:
    popular = ZipfAddresses(blocks_count=50, sorted_by_popularity=True)
    sizes = (SizeShare(size_bytes=4096), SizeShare(size_bytes=65_536))
    _, ops = _drawn(_work(addresses=popular, sizes=sizes))
    assert set(ops[ops[:, 1] == 8, 0]) == set(ops[ops[:, 1] == 128, 0])


def test_a_run_goes_on_where_the_last_request_ended() -> None:
    runs = SequentialAddresses(continue_fraction=0.9)
    _, ops = _drawn(_work(20_000, addresses=runs, sizes=MIX), 10_000)
    follows = ops[1:, 0] == ops[:-1, 0] + ops[:-1, 1]
    assert follows.mean() == pytest.approx(0.9, abs=0.01)
    assert (ops[1:][~follows, 0] % ops[1:][~follows, 1] == 0).all()


def test_what_requests_ask_for_at_most_holds_and_is_not_far_off() -> None:
    for sizes in (MIX, MIX[:1]):
        mixes = mixes_of(8192, sizes)
        most = most_bytes(mixes, 0.6, 20_000)
        _, ops = _drawn(_work(20_000, sizes=sizes))
        asked = int(ops[:, 1].sum()) * 512
        assert asked <= most < 1.5 * asked
    assert most == asked


def test_a_list_needs_a_weight() -> None:
    spec = get_model("storage.array")
    nothing = [{"size_bytes": 4096, "weight_ratio": 0.0}]
    for name in ("sizes", "write_sizes"):
        with pytest.raises(ParamsError, match="size"):
            validate(spec, {"workload": {"kind": "synthetic", name: nothing}})


def test_a_size_that_is_no_whole_sectors_says_what_would_be() -> None:
    document = {"workload": {"kind": "synthetic", "sizes": [{"size_bytes": 1000}]}}
    with pytest.raises(ParamsError) as refused:
        validate(get_model("storage.array"), document)
    faults = [(fault.pointer, fault.message) for fault in refused.value.faults]
    assert faults == [("/workload/sizes/0/size_bytes", "Enter a multiple of 512, such as 1024.")]


def _result(design: ArrayDesign, work: SyntheticWorkload) -> Any:
    return result_of(design, run_synthetic(design, work, seed=3), closed=False)


@pytest.mark.slow
def test_bytes_and_wear_are_those_of_the_sizes_drawn() -> None:
    design = ArrayDesign(
        drive=MTRON_3035, layout=Layout(kind="raid1", disks_count=2), timeouts=None
    )
    arrivals = ExponentialArrivals(mean_ms=100.0)
    work = _work(20_000, arrivals=arrivals, sizes=MIX[:1], write_sizes=MIX)
    out = run_synthetic(design, work, seed=3)
    result = result_of(design, out, closed=False)
    draw = Draw(work, int(32e9) // 512, [streams(3, 4)[i] for i in (0, 1, 3)])
    ops = np.concatenate([ops for _, ops in draw.chunks(333)])
    written = int(ops[ops[:, 2] == 1, 1].sum()) * 512
    assert out.bytes_moved == ops[:, 1].sum() * 512
    assert written == pytest.approx(0.4 * 20_000 * MEAN_BYTES, rel=0.04)
    assert result.throughput_mb_per_s * result.duration_s == pytest.approx(out.bytes_moved / 1e6)
    for device in result.devices:
        assert device.written_tb == written / 1e12
        worn = 3200.0 / device.written_tb * result.duration_s / (8760 * 3600)
        assert device.years_to_rating_years == pytest.approx(worn)


@pytest.mark.slow
def test_one_size_of_a_list_answers_as_the_size_itself() -> None:
    for design in (SERVER, SERVER.model_copy(update={"cache": CacheTier()})):
        plain = _work(3000, size_bytes=MEDIUM)
        listed = _work(3000, sizes=MIX[1:2], write_sizes=MIX[1:2])
        assert _result(design, plain) == _result(design, listed)


@pytest.mark.slow
def test_a_cache_holds_the_blocks_of_all_sizes() -> None:
    cached = SERVER.model_copy(update={"cache": CacheTier(mode="write_back")})
    work = _work(3000, arrivals=ExponentialArrivals(mean_ms=200.0), sizes=MIX, read_fraction=0.5)
    out = run_synthetic(cached, work, seed=3)
    asked = out.bytes_moved
    held = int(out.count[1, k.WRITE_SECTORS]) * 512
    # Whatever is read or written goes to the cache, and little of it is asked for twice.
    assert held == pytest.approx(asked, rel=0.02)
    assert _result(cached, work).cache.written_tb == held / 1e12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kib", "at_kib", "disks", "written_kib"),
    [
        (4, 0, 4, 4 + 4),
        # Over the edge of two chunks: both halves, and as much parity.
        (8, 60, 4, 8 + 8),
        (96, 0, 4, 96 + 64),
        (96, 32, 4, 96 + 64),
        # A whole stripe, one and a half, and a part of one that is reconstructed.
        (192, 0, 4, 192 + 64),
        (288, 0, 4, 288 + 2 * 64),
        (80, 8, 8, 80 + 64),
        # Over the edge of two stripes: one of each.
        (64, 160, 4, 64 + 32 + 32),
    ],
)
def test_parity_arrays_write_what_is_asked_for_and_its_parity(
    kib: int, at_kib: int, disks: int, written_kib: int
) -> None:
    trace = TraceWorkload(
        starts_ms=(0.0,), sectors=(2 * at_kib,), sectors_count=(2 * kib,), writes=(True,)
    )
    for kind, parities in (("raid5", 1), ("raid6", 2)):
        for locked in (True, False):
            shape: Any = kind
            # As many data disks.
            count = disks - 1 + parities
            layout = Layout(kind=shape, disks_count=count, locked_updates=locked)
            out = run_trace(
                SERVER.model_copy(update={"layout": layout}),
                in_memory(requests_of(trace)),
                Replay(),
                seed=1,
            )
            written = int(out.count[:, k.WRITE_SECTORS].sum()) / 2
            assert written == kib + parities * (written_kib - kib)
