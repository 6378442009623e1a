"""Arrays that have lost disks: operations counted by hand, loads and waits in closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.rng import streams
from capmodels.storage.drive.drives import ULTRASTAR_15K73, SolidState
from capmodels.storage.drive.service import response_ms
from capmodels.storage.drive.times import service_moments
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.build import build
from capmodels.storage.simulator.layout import Layout, lost_disks
from capmodels.storage.simulator.loop_kernel import end_run, open_loop
from capmodels.storage.simulator.params import ArrayDesign, Dispatch, SyntheticWorkload
from capmodels.storage.simulator.run import run_synthetic

pytestmark = pytest.mark.slow

SPEC = registry.get_model("storage.array")
CHUNK = 128  # sectors


def _design(kind: Any, disks: int, lost: int, **more: Any) -> ArrayDesign:
    layout = Layout(kind=kind, disks_count=disks, failed_disk_count=lost, **more)
    return ArrayDesign(
        drive=ULTRASTAR_15K73, layout=layout, dispatch=Dispatch(kind="random"), timeouts=None
    )


def _operations(design: ArrayDesign, ops: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Reads and writes that each disk does for requests a second apart."""
    run = build(design)
    at = np.arange(len(ops), dtype=np.float64) * 1000.0
    open_loop(run.machine, run.held, at, np.array(ops), 0.0, streams(1, 1)[0])
    end_run(run.machine, run.held, float(at[-1]), 0.0, streams(1, 1)[0])
    count = run.record["count"][: design.layout.disks_count]
    return [(int(row[k.READ_OPS]), int(row[k.WRITE_OPS])) for row in count]


def _total(design: ArrayDesign, ops: list[tuple[int, int, int]]) -> tuple[int, int]:
    found = _operations(design, ops)
    assert all(found[d] == (0, 0) for d in lost_disks(design.layout))
    return sum(reads for reads, _ in found), sum(writes for _, writes in found)


# Stripe s of six disks has its first parity P on disk 5 - s mod 6, the second one, Q, on the disk
# after it, and its data on those after that. The last disks are lost: 5, or 4 and 5. The cases are
# of the stripes in which these hold data, a parity or both parities; expected are reads and writes.
@pytest.mark.parametrize(
    ("lost", "stripe", "chunk", "chunks", "expected"),
    [
        # Two data chunks lost (stripe 3: P 2, Q 3, data 4 5 0 1).
        (2, 3, 0, 1, (4, 2)),  # writes lost 4, other 5 lost too: reads all, 0 1 and P Q
        (2, 3, 2, 1, (3, 3)),  # writes 0, the lost ones not: read-modify-write of 0, P and Q
        (2, 3, 0, 2, (2, 2)),  # writes both lost ones: reads the other data
        (2, 3, 1, 2, (4, 3)),  # writes 5 and 0, 4 lost and not written: reads all
        (2, 3, 0, 3, (1, 3)),  # writes 4, 5 and 0: reads 1
        (2, 3, 2, 2, (4, 4)),  # writes 0 and 1: old data and parities
        (2, 3, 0, 4, (0, 4)),  # whole stripe
        # One data chunk and the first parity lost (stripe 0: P 5, Q 0, data 1 2 3 4).
        (2, 0, 3, 1, (3, 1)),  # writes lost 4: reads 1 2 3, writes Q
        (2, 0, 0, 1, (2, 2)),  # old data and Q
        (2, 0, 0, 3, (4, 4)),  # writes 1 2 3: with Q four chunks either way
        (2, 0, 1, 3, (1, 3)),  # writes 2 3 4: reads 1
        # Both parities lost (stripe 1: P 4, Q 5, data 0 1 2 3).
        (2, 1, 0, 1, (0, 1)),
        (2, 1, 1, 3, (0, 3)),
        # One data chunk lost, disk 5 (stripe 3 and 4: P 1, Q 2, data 3 4 5 0).
        (1, 4, 2, 1, (3, 2)),  # reads the other three, writes P and Q
        (1, 4, 0, 1, (3, 3)),  # old data, P and Q
        (1, 4, 0, 2, (4, 4)),  # four either way
        (1, 3, 2, 2, (4, 4)),
        (1, 4, 1, 2, (2, 3)),  # writes 4 and lost 5: reads 3 and 0
        (1, 4, 1, 3, (1, 4)),  # writes 4, 5 and 0: reads 3
        # Only the second parity lost (stripe 1: P 4, Q 5, data 0 1 2 3).
        (1, 1, 0, 1, (2, 2)),  # old data and P: less than the three others
        (1, 1, 0, 2, (2, 3)),  # three to modify, two others: reads these
        (1, 1, 0, 4, (0, 5)),
        # None lost.
        (0, 1, 0, 1, (3, 3)),
        (0, 1, 0, 2, (2, 4)),
    ],
)
def test_raid6_writes_the_cheaper_way_of_those_that_are_left(
    lost: int, stripe: int, chunk: int, chunks: int, expected: tuple[int, int]
) -> None:
    design = _design("raid6", 6, lost, locked_updates=False)
    request = ((stripe * 4 + chunk) * CHUNK, chunks * CHUNK, 1)
    assert _total(design, [request]) == expected


def test_three_data_chunks_of_a_raid6_and_a_fourth_lost_are_read_whole() -> None:
    # Seven disks, stripe 0: P 6, Q 0, data 1 to 5. With disk 6 lost nothing but P is.
    assert _total(_design("raid6", 7, 1, locked_updates=False), [(0, 4 * CHUNK, 1)]) == (1, 5)
    # Stripe 2: P 4, Q 5, data 6 0 1 2 3. Disk 6 is lost: to modify takes 4 + 2, all but Q are 5.
    place = (2 * 5 + 1) * CHUNK
    assert _total(_design("raid6", 7, 1, locked_updates=False), [(place, 4 * CHUNK, 1)]) == (5, 6)


@pytest.mark.parametrize(
    ("chunk", "chunks", "expected"),
    [
        (11, 1, (2, 1)),  # stripe 3 of four: P 0, data 1 2 and 3, which is lost
        (10, 1, (2, 2)),
        (9, 2, (3, 3)),
        (0, 1, (0, 1)),  # stripe 0: P 3 is lost
        (0, 2, (0, 2)),
        (9, 3, (0, 3)),
    ],
)
@pytest.mark.decisive
def test_raid5_writes_round_the_lost_disk(
    chunk: int, chunks: int, expected: tuple[int, int]
) -> None:
    design = _design("raid5", 4, 1, locked_updates=False)
    assert _total(design, [(chunk * CHUNK, chunks * CHUNK, 1)]) == expected


def test_a_lost_chunk_of_a_raid6_is_read_from_as_many_disks_as_hold_data() -> None:
    # Stripe 3 of six disks: P 2, Q 3, data 4 5 0 1.
    reads = [(3 * 4 * CHUNK, CHUNK, 0), ((3 * 4 + 1) * CHUNK, CHUNK, 0)]
    one = _operations(_design("raid6", 6, 1), reads)
    # Disk 4 is there. Disk 5 comes from the other data and P; Q is left alone.
    assert [count for count, _ in one] == [1, 1, 1, 0, 2, 0]
    two = _operations(_design("raid6", 6, 2), reads)
    assert [count for count, _ in two] == [2, 2, 2, 2, 0, 0]


def test_copies_serve_and_take_what_is_left() -> None:
    ops = [(64 * i, 16, int(i % 2)) for i in range(300)]
    found = _operations(_design("mirrored_set", 4, 3), ops)
    assert found == [(150, 150), (0, 0), (0, 0), (0, 0)]
    found = _operations(_design("raid1", 5, 2), ops)
    assert [writes for _, writes in found] == [150, 150, 150, 0, 0]
    assert [reads for reads, _ in found[:3]] == pytest.approx([50, 50, 50], abs=20)
    # RAID-10 of six: the second of each of the last two pairs is lost.
    found = _operations(_design("raid10", 6, 2), [(CHUNK * i, 16, 1) for i in range(30)])
    assert [writes for _, writes in found] == [10, 10, 10, 0, 10, 0]


@pytest.mark.parametrize(
    "dispatch",
    ["primary_first", "response_time", "shortest_queue", "nearest_head", "random", "round_robin"],
)
def test_every_dispatch_finds_the_copies_that_are_left(dispatch: Any) -> None:
    ops = [(64 * i, 16, 0) for i in range(60)]
    for kind, disks, lost, left in (("mirrored_set", 4, 2, 2), ("raid10", 4, 2, 2)):
        design = _design(kind, disks, lost)
        design = design.model_copy(update={"dispatch": Dispatch(kind=dispatch)})
        found = _operations(design, ops)
        assert sum(reads for reads, _ in found) == 60
        assert sum(reads > 0 for reads, _ in found) <= left
        assert all(found[d] == (0, 0) for d in lost_disks(design.layout))
    turns = _design("mirrored_set", 4, 2).model_copy(update={"dispatch": Dispatch(kind=dispatch)})
    if dispatch == "round_robin":
        assert [reads for reads, _ in _operations(turns, ops)] == [30, 30, 0, 0]


@pytest.mark.parametrize(
    ("layout", "sentence"),
    [
        ({"kind": "raid5", "disks_count": 4, "failed_disk_count": 2}, "at most 1 disk."),
        ({"kind": "raid6", "disks_count": 6, "failed_disk_count": 3}, "at most 2 disks."),
        ({"kind": "raid1", "disks_count": 3, "failed_disk_count": 3}, "at most 2 disks."),
        (
            {"kind": "raid10", "disks_count": 6, "failed_disk_count": 4},
            "at most 3 disks, one of each pair.",
        ),
        ({"kind": "raid0", "failed_disk_count": 1}, "does not survive the loss of a disk."),
        ({"disks_count": 1, "failed_disk_count": 1}, "does not survive the loss of a disk."),
    ],
)
def test_refuses_to_lose_more_disks_than_the_layout_survives(
    layout: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ParamsError) as refused:
        spec.evaluate(SPEC, {"array": {"layout": layout}, "replicates_count": 0})
    faults = {fault.pointer: fault.message for fault in refused.value.faults}
    assert set(faults) == {"/array/layout/failed_disk_count", "/replicates_count"}
    assert faults["/array/layout/failed_disk_count"].endswith(sentence)


def _reads(mean_ms: float, count: int, **more: Any) -> SyntheticWorkload:
    arrivals = ExponentialArrivals(mean_ms=mean_ms)
    return SyntheticWorkload(arrivals=arrivals, requests_count=count, size_bytes=4096, **more)


@pytest.mark.parametrize("lost", [1, 2])
def test_a_degraded_raid6_shares_the_lost_reads_among_the_survivors(lost: int) -> None:
    disks, count = 6, 60_000
    result: Any = result_of(
        design := _design("raid6", disks, lost),
        run_synthetic(design, _reads(20.0, count), seed=3),
        closed=False,
    )
    # Every disk has a share 1/N of the reads; each one of the lost ones goes to N - 2 others.
    assert result.reconstructed_reads_count == pytest.approx(count * lost / disks, rel=0.03)
    reads = [device.reads_count for device in result.devices]
    total = count / disks * (disks - lost + lost * (disks - 2))
    assert sum(reads) == pytest.approx(total, rel=0.02)
    if lost == 2:
        # All that are left are needed: each has the load of three disks' shares.
        assert reads[: disks - lost] == pytest.approx([count / disks * 3] * 4, rel=0.03)
    else:
        # Of the N - 2 stripes with data on the lost disk, each survivor has the second parity in
        # one and is left alone; the disk after the lost one never has it.
        shares = [2.0, 1.75, 1.75, 1.75, 1.75]
        assert reads[:5] == pytest.approx([count / disks * share for share in shares], rel=0.03)


def test_a_degraded_mirror_waits_as_an_m_g_1_queue() -> None:
    moments = service_moments(ULTRASTAR_15K73, 4096)
    assert moments is not None
    design = _design("mirrored_set", 3, 2)
    result: Any = result_of(
        design, run_synthetic(design, _reads(12.0, 150_000), seed=4), closed=False
    )
    # All requests go to the one copy that is left (Pollaczek and Khinchine).
    expected = response_ms(1000 / 12.0, moments)
    assert result.responses[0].mean_ms == pytest.approx(expected, rel=0.02)
    two = _design("mirrored_set", 3, 1)
    found: Any = result_of(two, run_synthetic(two, _reads(12.0, 150_000), seed=4), closed=False)
    expected = response_ms(500 / 12.0, moments)
    assert found.responses[0].mean_ms == pytest.approx(expected, rel=0.02)


def test_a_degraded_raid6_waits_at_each_disk_as_its_load_says() -> None:
    # Operations of flash without latency: constant times, so that a read of a lost chunk ends when
    # the last of four equal ones does. At a low load the mean wait of an operation at a disk is
    # that of M/D/1 with the disk's own rate, as each disk's arrivals are a thinned Poisson stream.
    drive = SolidState(
        capacity_gb=20.0,
        read_latency_ms=1.0,
        write_latency_ms=1.0,
        read_mb_per_s=1000.0,
        write_mb_per_s=1000.0,
        active_w=3.0,
        idle_w=1.0,
    )
    design = _design("raid6", 6, 2).model_copy(update={"drive": drive})
    count, gap_ms = 200_000, 2.0
    out = run_synthetic(design, _reads(gap_ms, count), seed=5)
    service_ms = 1.0 + 4096 / 1e6
    load = 3 / 6 / gap_ms * service_ms
    stay = service_ms + load * service_ms / (2 * (1 - load))
    for d in range(4):
        operations = out.count[d, k.READ_OPS]
        assert out.waits_ms[d, 0] / operations == pytest.approx(stay, rel=0.01)


SPARE = SolidState(
    capacity_gb=0.4,
    read_latency_ms=0.0,
    write_latency_ms=0.0,
    read_mb_per_s=500.0,
    write_mb_per_s=100.0,
    active_w=3.0,
    write_w=4.0,
    idle_w=1.0,
)


@pytest.mark.parametrize(
    ("kind", "disks", "lost", "sources"),
    [
        ("raid5", 4, 1, 3),
        ("raid6", 6, 1, 4),
        ("raid6", 6, 2, 4),
        ("raid10", 6, 3, 3),
        ("raid1", 4, 3, 1),
        ("mirrored_set", 3, 1, 1),
    ],
)
@pytest.mark.parametrize("rate", [50.0, 1000.0])
def test_one_pass_rebuilds_all_that_is_lost(
    kind: Any, disks: int, lost: int, sources: int, rate: float
) -> None:
    design = _design(kind, disks, lost, rebuild_mb_per_s=rate).model_copy(update={"drive": SPARE})
    out = run_synthetic(design, _reads(100.0, 200), seed=6)
    result: Any = result_of(design, out, closed=False)
    sectors = int(0.4e9 / 512)
    # No faster than the rate that is asked for, nor than a spare writes; after the last piece,
    # of 1 MiB, nothing is waited for.
    least_s = 400 / min(rate, 100.0)
    assert result.rebuild_s > least_s - 1.048576 / rate
    assert result.rebuild_s == pytest.approx(least_s, rel=0.02)
    spares = lost_disks(design.layout)
    written = [int(out.count[d, k.WRITE_SECTORS]) for d in spares]
    assert written == [sectors] * lost
    read = int(out.count[:, k.READ_SECTORS].sum())
    asked = int(out.tally[k.LOST_READS]) * (disks - 3 if kind != "raid5" else 2) * 8 + 200 * 8
    copied = asked if kind in {"raid5", "raid6"} else 200 * 8
    assert read == sources * sectors + copied
    # The spares are in place afterwards, and serve.
    assert all(out.count[d, k.READ_OPS] > 0 for d in spares)
    assert [device.name for device in result.devices if "spare" in device.name] == [
        f"disk {d} (spare)" for d in sorted(spares)
    ]
    if kind == "raid6" and lost == 1:
        # The survivors are left out in turn.
        shares = out.count[:5, k.READ_SECTORS] / sectors
        assert shares == pytest.approx(np.full(5, 4 / 5), abs=0.02)


@pytest.mark.parametrize(
    ("kind", "disks", "lost"), [("raid6", 6, 2), ("raid10", 6, 3), ("mirrored_set", 4, 2)]
)
@pytest.mark.parametrize("rate", [None, 20.0])
def test_time_and_energy_are_conserved_with_disks_lost(
    kind: Any, disks: int, lost: int, rate: float | None
) -> None:
    design = _design(kind, disks, lost, rebuild_mb_per_s=rate)
    out = run_synthetic(design, _reads(20.0, 10_000, read_fraction=0.7), seed=7)
    gone = set(lost_disks(design.layout)) if rate is None else set()
    for d in range(disks):
        time = 0.0 if d in gone else out.end_ms
        assert float(out.time_ms[d].sum()) == pytest.approx(time, rel=1e-6)
        power = np.array([15.6, 15.6, 12.0, 0.0, 0.0, 0.0])
        assert float(out.energy_mj[d].sum()) == pytest.approx(
            float((out.time_ms[d] * power).sum()), rel=1e-6
        )


def test_what_is_read_anyway_is_read_once_for_a_lost_chunk_beside_it() -> None:
    # Stripe 3 of six disks: P 2, Q 3, data 4 5 0 1; disk 5 is lost, then disk 4 too.
    stripe = 3 * 4 * CHUNK
    whole = [(stripe, 4 * CHUNK, 0)]
    assert _operations(_design("raid6", 6, 1), whole) == [
        (1, 0), (1, 0), (1, 0), (0, 0), (1, 0), (0, 0),
    ]  # fmt: skip
    assert [reads for reads, _ in _operations(_design("raid6", 6, 2), whole)] == [1, 1, 1, 1, 0, 0]
    # The end of the lost chunk and the start of the next: that one is read to where the lost one's
    # part ends, all others that part alone.
    part = [(stripe + CHUNK + 100, CHUNK, 0)]
    design = _design("raid6", 6, 1)
    assert [reads for reads, _ in _operations(design, part)] == [1, 1, 1, 0, 1, 0]
    run = build(design)
    open_loop(run.machine, run.held, np.zeros(1), np.array(part), 0.0, streams(1, 1)[0])
    sectors = run.record["count"][:6, k.READ_SECTORS]
    assert sectors.tolist() == [CHUNK, 28, 28, 0, 28, 0]
