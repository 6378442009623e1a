"""Declustered arrays: where stripes lie, how soon a rebuild ends, how likely data are lost."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.reliability.array_loss import SPEC as LOSS
from capmodels.reliability.array_loss import failure_rate_per_h, loss_chain_of, spread_rebuild_h
from capmodels.reliability.loss_chain import mean_time_h
from capmodels.reliability.loss_params import ArrayLossParams, Repair
from capmodels.spec import Context
from capmodels.storage.cluster.params import NEARLINE_20TB
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.build import array_sectors, build
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
from capmodels.storage.simulator.run import run_synthetic
from capmodels.storage.simulator.spread import spread_of
from capmodels.storage.simulator.spread_kernel import spread_member
from capmodels.tests.asking import faults

if TYPE_CHECKING:
    from collections.abc import Iterable


def _design(**layout: Any) -> ArrayDesign:
    given = {"kind": "draid2", "disks_count": 20, "stripe_disks_count": 6, **layout}
    return ArrayDesign(drive=NEARLINE_20TB, layout=Layout.model_validate(given), timeouts=None)


def _chunks(design: ArrayDesign, stripes: Iterable[int]) -> list[list[tuple[int, int]]]:
    """Disk and place of every chunk of some stripes."""
    m = build(design).record
    width = design.layout.stripe_disks_count
    return [[spread_member(m, stripe, i) for i in range(width)] for stripe in stripes]


def test_stripes_lie_on_disks_of_their_own_and_no_two_chunks_in_one_place() -> None:
    design = _design(disks_count=13, stripe_disks_count=5, distributed_spares_count=2)
    spread = spread_of(design.layout)
    # One stripe of each group that stays together is enough; one order of the disks, all its turns.
    slices = [turn * k.ORDERS for turn in range(13)]
    groups = [part * spread.slice_groups + i for part in slices for i in range(spread.slice_groups)]
    found = _chunks(design, [group * spread.row_chunks for group in groups])
    assert all(len({d for d, _ in stripe}) == 5 for stripe in found)
    places = Counter(chunk for stripe in found for chunk in stripe)
    assert max(places.values()) == 1
    load = Counter(d for stripe in found for d, _ in stripe)
    assert len(load) == 13
    assert max(load.values()) == min(load.values())


def test_what_lost_disks_held_goes_to_room_that_nothing_else_takes() -> None:
    design = _design(disks_count=13, stripe_disks_count=5, failed_disk_count=2)
    spread = spread_of(design.layout)
    m = build(design).record
    stripes = range(0, 13 * spread.slice_groups * spread.row_chunks, spread.row_chunks)
    before = {
        chunk for stripe in stripes for chunk in [spread_member(m, stripe, i) for i in range(5)]
    }
    m["plan"][k.SPARED] = 1
    after = [spread_member(m, stripe, i) for stripe in stripes for i in range(5)]
    assert len(set(after)) == len(after)
    assert all(d < 11 for d, _ in after)
    moved = set(after) - before
    assert len(moved) == sum(d >= 11 for d, _ in before)


def test_space_is_that_of_stripes_beside_the_spares() -> None:
    held = array_sectors(_design(disks_count=60, stripe_disks_count=10)) * 512 / 1e9
    assert held == pytest.approx(58 * 20_000 * 8 / 10, rel=1e-3)


def _simulated(scheduler: str = "fcfs", gap_ms: float = 50.0, **layout: Any) -> Any:
    design = _design(**layout).model_copy(update={"scheduler": scheduler})
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=gap_ms), requests_count=4000, read_fraction=0.7
    )
    return result_of(design, run_synthetic(design, work, seed=1), closed=False)


@pytest.mark.parametrize("scheduler", ["fcfs", "sptf"])
def test_a_rebuild_takes_what_all_disks_together_need(scheduler: str) -> None:
    ours = _simulated(scheduler, failed_disk_count=1, rebuild_mb_per_s=20.0)
    params = ArrayLossParams(
        layout="draid2", disks_count=20, stripe_disks_count=6, disk_gb=20_000.0,
        repair=Repair(rebuild_mb_per_s=20.0, spares_count=2),
    )  # fmt: skip
    assert ours.rebuild_s / 3600 == pytest.approx(spread_rebuild_h(params), rel=0.01)
    # By hand: 90% of a drive, four reads and a write for each byte, nineteen drives at 20 MB/s.
    assert spread_rebuild_h(params) == pytest.approx(18e12 * 5 / 19 / 20e6 / 3600)
    assert ours.devices[-1].name == "disk 19 (lost)"
    assert ours.devices[-1].power_w == 0.0


def test_a_shelf_is_rebuilt_in_hours_and_its_requests_wait_for_it() -> None:
    shelf: dict[str, Any] = {"disks_count": 60, "stripe_disks_count": 10}
    plain = _simulated(gap_ms=5.0, **shelf)
    hurt = _simulated(gap_ms=5.0, failed_disk_count=1, rebuild_mb_per_s=100.0, **shelf)
    # A spare alone would take 20 TB at 100 MB/s: more than two days.
    assert hurt.rebuild_s < 0.3 * 20e12 / 100e6
    assert hurt.responses[0].mean_ms > 1.3 * plain.responses[0].mean_ms
    assert hurt.per_year.repair_h == pytest.approx(hurt.rebuild_s / 3600)


def test_stripes_as_wide_as_the_array_are_a_raid6() -> None:
    spread = _simulated(disks_count=6, distributed_spares_count=0)
    plain = _simulated(kind="raid6", disks_count=6)
    for ours, theirs in zip(spread.responses, plain.responses, strict=True):
        assert ours.mean_ms == pytest.approx(theirs.mean_ms, rel=0.03)


def _loss_params(**more: Any) -> ArrayLossParams:
    given = {"layout": "draid2", "disks_count": 60, "stripe_disks_count": 10, "disk_gb": 20_000.0,
             "unrecoverable_per_bit": 1e-15,
             "repair": {"spares_count": 2, "rebuild_mb_per_s": 50.0}}  # fmt: skip
    return ArrayLossParams.model_validate({**given, **more})


@pytest.mark.decisive
@pytest.mark.parametrize("spares", [0, 1, 2])
def test_losses_agree_with_a_chain_written_apart(spares: int) -> None:
    params = _loss_params(repair={"spares_count": spares, "rebuild_mb_per_s": 50.0})
    n, w, rate = 60, 10, failure_rate_per_h(params.afr_fraction)
    hours = [
        20e12 * (n - spares) / n * 9 / (n - lost) / 50e6 / 3600 for lost in (1, 2)
    ]  # all that are left
    alone = 24.0 + 20e12 / 50e6 / 3600
    repair = [
        (1 / hours[lost - 1] if spares else 0.0) + max(lost - spares, 0) / alone for lost in (1, 2)
    ]
    # Stripes that hold both of two lost drives, counted by pairs of places.
    both = (n - spares) / w * (w * (w - 1)) / (n * (n - 1))
    unreadable = 1 - math.exp(-both * 8 * 20e12 * 8 * 1e-15)
    up = [n * rate, (n - 1) * rate, (n - 2) * rate]
    generator = np.array(
        [
            [-up[0], up[0], 0.0],
            [repair[0], -repair[0] - up[1], up[1] * (1 - unreadable)],
            [0.0, repair[1], -repair[1] - up[2]],
        ]
    )
    expected = np.linalg.solve(generator, -np.ones(3))[0]
    assert mean_time_h(loss_chain_of(params)) == pytest.approx(expected, rel=1e-6)


def test_a_stripe_of_a_declustered_shelf_outlasts_a_group_that_one_spare_rebuilds() -> None:
    def lost(**more: Any) -> float:
        return LOSS.run(_loss_params(**more), Context()).loss_fraction

    alone = lost(layout="raid6", disks_count=10)
    soon_h = spread_rebuild_h(_loss_params())
    assert lost(layout="raid6", disks_count=10, mttr_h=soon_h) < alone / 30
    # Without spare room a replacement is waited for and written alone.
    assert lost(repair={"spares_count": 0, "rebuild_mb_per_s": 50.0}) > 10 * lost()


@pytest.mark.parametrize(
    ("layout", "pointer"),
    [
        ({"disks_count": 8, "stripe_disks_count": 10}, "stripe_disks_count"),
        ({"disks_count": 20, "stripe_disks_count": 2}, "stripe_disks_count"),
        ({"disks_count": 12, "distributed_spares_count": 3}, "distributed_spares_count"),
        ({"disks_count": 12, "failed_disk_count": 3}, "failed_disk_count"),
        (
            {"disks_count": 12, "distributed_spares_count": 1, "failed_disk_count": 2,
             "rebuild_mb_per_s": 50.0},
            "rebuild_mb_per_s",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_declustered_is_told_at_its_field(
    layout: dict[str, Any], pointer: str
) -> None:
    document = {"array": {"layout": {"kind": "draid2", **layout}}}
    assert f"/array/layout/{pointer}" in faults("storage.array", document)
