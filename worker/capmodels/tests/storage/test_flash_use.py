"""Solid-state drives by themselves: write amplification, endurance, response by queue depth."""

from __future__ import annotations

import random
from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.errors import ParamsError
from capmodels.storage.drive.drives import SolidState
from capmodels.storage.drive.wear import (
    amplification,
    drive_writes_per_day,
    endurance_used,
    random_amplification,
    sustained_write_mb_per_s,
)
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    SequentialAddresses,
    SyntheticWorkload,
)
from capmodels.storage.simulator.run import run_synthetic

INSTANT = registry.get_model("storage.array_instant")
# Micron 9550 MAX, as StorageReview prints its table: capacity [TB], rated random and sequential
# writes [TB]; three drive writes a day for five years.
MAX_9550 = (
    (3.2, 17_520.0, 37_200.0),
    (6.4, 35_040.0, 74_200.0),
    (12.8, 70_080.0, 143_100.0),
    (25.6, 140_160.0, 282_600.0),
)
FLASH = SolidState(
    name="flash",
    capacity_gb=3200.0,
    read_latency_ms=0.06,
    write_latency_ms=0.03,
    read_mb_per_s=100.0,
    write_mb_per_s=50.0,
    channels_count=16,
    active_w=9.0,
    idle_w=4.0,
    endurance_tb=17_520.0,
)
SPARE = FLASH.model_copy(update={"spare_fraction": 1 - 3.2e12 / 2**42})


class Log:
    """Flash written as a log: pages of blocks, the host's place of each valid one."""

    def __init__(self, blocks: int, pages: int, *, greedy: bool) -> None:
        self.pages, self.greedy = pages, greedy
        self.free = list(range(1, blocks))
        self.full: list[int] = []
        self.held: list[list[int]] = [[] for _ in range(blocks)]
        self.valid = [0] * blocks
        self.where: dict[int, int] = {}
        self.head, self.written = 0, 0

    def put(self, page: int) -> None:
        """Write one page to the end of the log."""
        old = self.where.get(page)
        if old is not None:
            self.valid[old] -= 1
        self.where[page] = self.head
        self.held[self.head].append(page)
        self.valid[self.head] += 1
        self.written += 1
        if len(self.held[self.head]) == self.pages:
            self.full.append(self.head)
            self.head = self.free.pop(0)

    def clean(self) -> None:
        """Erase a block, the emptiest or the oldest, and write on what is valid in it."""
        victim = min(self.full, key=self.valid.__getitem__) if self.greedy else self.full[0]
        self.full.remove(victim)
        live = {page for page in self.held[victim] if self.where.get(page) == victim}
        for page in live:
            del self.where[page]
        self.held[victim], self.valid[victim] = [], 0
        self.free.append(victim)
        for page in live:
            self.put(page)


def _simulated(flash_over_data: float, *, greedy: bool, runs: bool = False) -> float:
    """Flash written over data written, after the drive has been filled twice over."""
    blocks, pages, rng = 300, 48, random.Random(4)
    # One block is always free to write to.
    user = int((blocks - 1) * pages / flash_over_data)
    log, before, counted = Log(blocks, pages, greedy=greedy), 0, 4 * user
    for index in range(4 * user + counted):
        in_turn = index < user or runs
        log.put(index % user if in_turn else rng.randrange(user))
        while not log.free:
            log.clean()
        if index == 4 * user - 1:
            before = log.written
    return (log.written - before) / counted


@pytest.mark.parametrize("flash_over_data", [1.12, 1.4])
def test_random_writes_amplify_as_a_simulated_log_does(flash_over_data: float) -> None:
    expected = random_amplification(1 - 1 / flash_over_data)
    assert _simulated(flash_over_data, greedy=False) == pytest.approx(expected, rel=0.02)
    # The emptiest first gains a little, the less the more pages a block has.
    greedy = _simulated(flash_over_data, greedy=True)
    assert 0.9 * expected < greedy < expected
    assert _simulated(flash_over_data, greedy=False, runs=True) == 1.0


def test_amplification_has_the_limits_that_it_must_have() -> None:
    # Nearly no spare flash e: 1 / (2 e); a spare as large as the data and more: nothing is moved.
    assert random_amplification(0.01) == pytest.approx(0.5 / 0.01, rel=0.02)
    assert random_amplification(0.9) == pytest.approx(1.0, abs=1e-3)
    found = [random_amplification(spare / 100) for spare in range(1, 91)]
    assert found == sorted(found, reverse=True)


def test_rated_sequential_writes_over_random_ones_are_the_amplification() -> None:
    for capacity_tb, random_tb, sequential_tb in MAX_9550:
        # 4 TiB of flash for each 3.2 TB.
        spare = 1 - 3.2e12 / 2**42
        assert sequential_tb / random_tb == pytest.approx(random_amplification(spare), rel=0.045)
        drive = FLASH.model_copy(
            update={
                "capacity_gb": capacity_tb * 1000,
                "endurance_tb": random_tb,
                "spare_fraction": spare,
            }
        )
        # Rated writes in drive writes a day, and what five years of these use up.
        days = 5 * 365
        assert drive_writes_per_day(drive, random_tb / days) == pytest.approx(3.0)
        daily_tb = 3.0 * capacity_tb
        assert endurance_used(drive, daily_tb * days) == pytest.approx(1.0)
        assert endurance_used(drive, sequential_tb, 0.0) == pytest.approx(1.0, rel=0.045)


def test_what_is_entered_goes_before_what_is_derived() -> None:
    by_hand = SPARE.model_copy(update={"write_amplification_ratio": 3.0})
    assert [amplification(d) for d in (FLASH, by_hand)] == [1.0, 3.0]
    assert amplification(by_hand, 0.0) == 3.0
    ratio = random_amplification(0.2724)
    assert amplification(SPARE) == pytest.approx(ratio, rel=1e-4)
    assert amplification(SPARE, 0.5) == pytest.approx((1 + ratio) / 2, rel=1e-4)
    cells = SPARE.model_copy(update={"endurance_of": "flash"})
    assert endurance_used(cells, 1.0) == pytest.approx(ratio / 17_520, rel=1e-4)
    assert endurance_used(SPARE, 1.0) == pytest.approx(1 / 17_520)
    with pytest.raises(ParamsError):
        spec.validate(INSTANT, {"drive": {**SPARE.model_dump(), "spare_fraction": 1.0}})


def test_a_full_drive_takes_random_writes_no_faster_than_it_can_move_data() -> None:
    ratio = amplification(SPARE)
    # Large writes take every channel's rate, small ones their latency too.
    assert sustained_write_mb_per_s(FLASH, 1 << 30) == pytest.approx(800.0, rel=1e-4)
    assert sustained_write_mb_per_s(SPARE, 1 << 30) == pytest.approx(800.0 / ratio, rel=1e-4)
    held = SPARE.model_copy(update={"write_hold_ms": 0.5})
    assert sustained_write_mb_per_s(held, 4096) == pytest.approx(16 * 4096 / 0.5e-3 / 1e6)


def _instant(**more: Any) -> Any:
    return spec.evaluate(INSTANT, {"layout": "raid0", "disks_count": 1, **more})


@pytest.mark.decisive
def test_wear_of_a_load_is_what_reaches_each_drive() -> None:
    terms = {"drive": SPARE.model_dump(), "arrival_rate_per_s": 1000.0, "read_fraction": 0.5}
    for layout, devices in (("raid0", 1), ("mirrored_set", 4), ("raid5", 2)):
        found = _instant(**terms, layout=layout, disks_count=4, size_bytes=8192).flash
        daily_tb = 500 * 8192 * devices / 4 * 86_400 / 1e12
        assert found.drive_writes_per_day == pytest.approx(daily_tb / 3.2)
        assert found.wear_years == pytest.approx(17_520 / daily_tb / 365)
    assert _instant(drive=SPARE.model_dump()).flash.wear_years is None


@pytest.mark.slow
def test_a_closed_loop_of_each_depth_has_the_response_of_its_bounds() -> None:
    sizes = [{"size_bytes": 4096}, {"size_bytes": 65_536}]
    for read_fraction in (1.0, 0.6):
        mix = {"read_fraction": read_fraction, "sizes": sizes}
        points = _instant(drive=FLASH.model_dump(), **mix).by_depth
        assert [point.depth_count for point in points] == [1, 2, 4, 8, 16, 32, 64, 128, 256]
        alone = points[0].response_ms
        assert [point.response_ms for point in points[:5]] == pytest.approx([alone] * 5)
        assert points[-1].response_ms == pytest.approx(16 * alone)
        for point in points[::2]:
            arrivals = ClosedArrivals(users_count=point.depth_count, think_ms=0.0)
            work = SyntheticWorkload(arrivals=arrivals, requests_count=40_000, **mix)
            design = ArrayDesign(drive=FLASH, layout=Layout(kind="single"), timeouts=None)
            run = result_of(design, run_synthetic(design, work, seed=1), closed=True)
            assert run.responses[0].mean_ms == pytest.approx(point.response_ms, rel=0.006)
            assert run.throughput_per_s == pytest.approx(point.requests_per_s, rel=0.006)


@pytest.mark.slow
def test_a_simulated_drive_wears_by_the_pattern_of_its_writes() -> None:
    arrivals = ExponentialArrivals(mean_ms=10.0)
    design = ArrayDesign(
        drive=SPARE, layout=Layout(kind="single"), timeouts=None, cache=CacheTier(device=SPARE)
    )
    plain = design.model_copy(update={"cache": None})
    runs = SequentialAddresses(continue_fraction=0.75)
    ratio = amplification(SPARE)

    def device(array: ArrayDesign, index: int, **more: Any) -> Any:
        work = SyntheticWorkload(
            arrivals=arrivals, requests_count=3000, read_fraction=0.0, size_bytes=4096, **more
        )
        return result_of(array, run_synthetic(array, work, seed=2), closed=False).devices[index]

    at_random, in_runs = device(plain, 0), device(plain, 0, addresses=runs)
    assert at_random.write_amplification_ratio == ratio
    assert in_runs.write_amplification_ratio == 0.25 * ratio + 0.75
    longer = in_runs.years_to_rating_years / at_random.years_to_rating_years
    assert longer == pytest.approx(ratio / (0.25 * ratio + 0.75), rel=1e-9)
    # A cache is written at random whatever is asked for.
    assert device(design, 1, addresses=runs).write_amplification_ratio == ratio
