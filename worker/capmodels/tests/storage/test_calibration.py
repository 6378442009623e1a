"""The positional drive: its map, its cache, and how it fits disks that others measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from capmodels.formats.disksim_model import extracted_disk, seek_table
from capmodels.formats.libparam import Block, entries_of
from capmodels.storage.calibration.cache_rules import (
    ahead_lost_fraction,
    choose_rules,
    stream_hold_ms,
)
from capmodels.storage.calibration.disksim_read import drive_of_files
from capmodels.storage.calibration.mechanics import (
    Measured,
    Mechanics,
    demerit_fraction,
    first_half,
    fit_costs,
    half,
    modelled,
    part_of,
)
from capmodels.storage.calibration.pause_order import pauses_come, with_pauses_after
from capmodels.storage.calibration.platter import (
    agreed,
    described_platter,
    find_platter,
    spun,
    write_end_ms,
)
from capmodels.storage.disk_geometry import DESKSTAR_75GXP, sectors_count
from capmodels.storage.drive.drives import HardDisk, TableSeek
from capmodels.storage.drive.zone_holes import Spares
from capmodels.storage.simulator import replay as array_replay
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator import spindle_slots as d
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.on_board import OnBoardCache
from capmodels.storage.simulator.params import ArrayDesign
from capmodels.storage.simulator.track_map import TrackZone, map_of_zones, track_map

pytestmark = pytest.mark.slow

ZONES = (TrackZone(0, 9, 100, 10, 20), TrackZone(10, 19, 80, 8, 16))
NO_RULES = OnBoardCache(2, 60, 40, True, True)
NO_CACHE = OnBoardCache(1, 1, 0, True, False, writes_end_segment=0)


def _drive(cache: OnBoardCache = NO_CACHE) -> Mechanics:
    seeks = np.concatenate([[0.0], 1.0 + 0.1 * np.arange(25)])
    return Mechanics(map_of_zones(ZONES, surfaces_count=2), seeks, 10.0, 0.5, 0.3, cache)


def _loop(ops: list[tuple[int, int, int]], think_ms: float = 100.0) -> Measured:
    count = len(ops)
    return Measured(np.array(ops), np.zeros(count), np.full(count, think_ms))


def _times(
    drive: Mechanics, ops: list[tuple[int, int, int]], think_ms: float = 100.0
) -> list[float]:
    costs = np.zeros((d.CLASS_COUNT, 2))
    times, _kinds = modelled(drive, _loop(ops), costs)
    return [float(value) for value in times[0]]


def test_a_map_holds_every_sector_of_its_zones() -> None:
    starts = [0, *(last + 1 for last, _ in DESKSTAR_75GXP)]
    zones = [
        TrackZone(first, last, per_track, 102, 144)
        for first, (last, per_track) in zip(starts, DESKSTAR_75GXP, strict=False)
    ]
    found = map_of_zones(zones, surfaces_count=10)
    assert found.sectors_count == sectors_count(DESKSTAR_75GXP, 10)
    assert len(found.tracks) == 27_725 * 10


def test_slipped_sectors_move_the_rest_on_and_use_up_spares() -> None:
    whole = map_of_zones([TrackZone(0, 0, 100, 0, 0, spares=Spares(2))], surfaces_count=1)
    slipped = map_of_zones(
        [TrackZone(0, 0, 100, 0, 0, spares=Spares(2), slips=((40, 41),))], surfaces_count=1
    )
    assert whole.sectors_count == slipped.sectors_count == 98
    assert slipped.tracks[:, 0].tolist() == [0, 40]
    assert slipped.angles.tolist() == pytest.approx([0.0, 0.41])


def test_serpentine_cylinders_end_where_the_next_one_starts() -> None:
    found = map_of_zones([TrackZone(0, 1, 10, 0, 0)], surfaces_count=3, serpentine=True)
    assert found.tracks[:, 3].tolist() == [0, 1, 2, 2, 1, 0]


@pytest.mark.decisive
def test_a_switch_waits_for_the_skew_or_a_turn_more() -> None:
    seeks, pieces = np.array([0.0, 1.5, 2.5]), np.arange(3)
    # 100 sectors in 10 ms: the surface's skew is 1 ms, the cylinder's 2 ms or, too short, 1.2 ms.
    for skew, expected in ((20, [1.0, 2.0, 1.0]), (12, [1.0, 11.2, 1.0])):
        found = map_of_zones([TrackZone(0, 1, 100, 10, skew)], surfaces_count=2)
        assert found.switches_ms(pieces, 10.0, seeks, settle_ms=0.5) == pytest.approx(expected)
    blind = track_map(found.tracks, np.zeros(4), 400)
    assert blind.switches_ms(pieces, 10.0, seeks, settle_ms=0.5) == pytest.approx([2.0, 2.0, 2.0])


@pytest.mark.parametrize("scheduler", ["fcfs", "look"])
@pytest.mark.parametrize("whole", [True, False])
def test_requests_pay_for_the_tracks_that_they_run_past(*, scheduler: Any, whole: bool) -> None:
    tracks = map_of_zones(ZONES, surfaces_count=2)
    if not whole:
        tracks = replace(tracks, zones=np.zeros((0, 4), dtype=np.int64))
    seek = TableSeek(cylinders_count=20, distances_count=(1, 19), seeks_ms=(1.0, 5.0))
    drive = HardDisk(
        capacity_gb=1.0, speed_rpm=6000.0, seek=seek, overhead_ms=0.0,
        outer_mb_per_s=1.0, active_w=1.0, idle_w=1.0,
    )  # fmt: skip
    design = ArrayDesign(
        drive=drive,
        layout=Layout(kind="single", disks_count=1),
        scheduler=scheduler,
        timeouts=None,
    )
    # One stream of 7 sectors at a time over a whole cylinder: no seek and no rotation but at first.
    ops = np.array([(7 * i, 7, 0) for i in range(28)] + [(196, 5, 0)], dtype=np.int64)
    at = np.linspace(0.0, 2800.0, 29)
    sums = [
        array_replay.replay(design, at[:count], ops[:count], seed=3, track_map=tracks).response[
            0, k.SUM
        ]
        for count in (14, 29, 29)
    ]
    # From sector 98 to 201: a surface's skew of 1 ms and a cylinder's of 2 ms.
    assert sums[1] - sums[0] == pytest.approx(10.3 + 1.0 + 2.0)
    assert sums[2] == sums[1]


def test_a_read_takes_seek_wait_and_transfer() -> None:
    # Sector 50 of the first track comes by at half a turn; then 5 sectors of 0.1 ms.
    assert _times(_drive(), [(50, 5, 0)]) == pytest.approx([5.5])
    # The next track starts 10 sectors later; after 100 ms the platter stands at 5.5 ms again:
    # 0.5 ms of head switch, then its sector 0 is at 1 ms of the next turn.
    assert _times(_drive(), [(50, 5, 0), (100, 1, 0)])[1] == pytest.approx(0.5 + 5.0 + 0.1)


def test_a_long_read_crosses_tracks_at_their_skew() -> None:
    # Two whole tracks: the second begins 10 sectors (1 ms) after the end of the first.
    assert _times(_drive(), [(0, 200, 0)]) == pytest.approx([10.0 + 1.0 + 10.0])


def test_a_whole_track_in_any_order_takes_a_turn_from_any_angle() -> None:
    takes = _drive(NO_CACHE._replace(takes_whole_track=True))
    for think in (100.0, 103.0, 107.5, 109.9):
        ops = [(0, 100, 0), (100, 100, 0), (0, 100, 0)]
        # The next track needs a switch of 0.5 ms, and so does the way back.
        assert _times(takes, ops, think)[1:] == pytest.approx([10.5, 10.5])
        # In order it waits for the first sector besides.
        assert sum(_times(_drive(), ops, think)[1:]) > 21.0


def test_what_came_past_is_held_until_all_of_the_track_has() -> None:
    whole = _drive(OnBoardCache(2, 100, 0, True, True, takes_whole_track=True))
    costs = np.zeros((d.CLASS_COUNT, 2))
    ops = [(50, 5, 0), (20, 5, 0)]
    for think, expected in ((20.0, d.HIT_IN_STREAM), (3.0, d.MISS_NEAR)):
        _times_ms, kinds = modelled(whole, _loop(ops, think), costs)
        # Not the next sector in order, so no stream: only that the platter is not asked.
        hit = kinds[0, 1] in (d.HIT_IN_STREAM, d.HIT_AFTER_READ)
        assert hit is (expected == d.HIT_IN_STREAM)


def test_sectors_leave_while_the_head_goes_to_the_next_track() -> None:
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[d.HIT_AFTER_READ, 1] = 0.3
    # Sectors 98 and 99 pass from 9.8 ms on and have left after 0.6 ms; 100 and 101 pass from
    # 11.0 ms on, after the skew.
    times, _kinds = modelled(_drive(), _loop([(98, 4, 0)]), costs)
    assert times[0] == pytest.approx([11.6])
    costs[d.HIT_AFTER_READ, 1] = 1.0
    times, _kinds = modelled(_drive(), _loop([(98, 4, 0)]), costs)
    assert times[0] == pytest.approx([9.8 + 4.0])


def test_read_ahead_makes_the_next_read_a_hit() -> None:
    cache = OnBoardCache(2, 100, 90, True, True)
    costs = np.zeros((d.CLASS_COUNT, 2))
    loop = _loop([(0, 8, 0), (8, 8, 0), (90, 8, 0), (110, 8, 0)])
    _times_ms, kinds = modelled(_drive(cache), loop, costs)
    expected = [d.MISS_NEAR, d.HIT_IN_STREAM, d.HIT_AFTER_READ, d.MISS_NEAR]
    assert kinds[0].tolist() == expected


def test_a_drive_that_writes_behind_answers_before_the_platter() -> None:
    behind = OnBoardCache(2, 100, 90, True, True)
    assert _times(_drive(behind), [(50, 5, 1)]) == pytest.approx([0.0])
    assert _times(_drive(), [(50, 5, 1)])[0] > 5.0


def test_a_fit_recovers_overheads_and_times_of_a_made_up_drive() -> None:
    rng = np.random.Generator(np.random.PCG64(2))
    ops = np.zeros((4000, 3), dtype=np.int64)
    ops[:, 0] = rng.integers(0, 3500, 4000)
    ops[:, 1] = rng.integers(1, 30, 4000)
    ops[:, 2] = rng.integers(0, 2, 4000)
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[:, 0], costs[:, 1] = 0.7, 0.05
    thinks = rng.random(4000) * 20.0
    truth, _kinds = modelled(_drive(), Measured(ops, np.zeros(4000), thinks), costs)
    seen = Measured(ops, truth[0], thinks)
    found = fit_costs(_drive(), seen)
    for kind in (d.MISS_AFTER_READ, d.WRITE_AFTER_WRITE):
        # An overhead shows where it makes a read miss its sector: as closely as reads are many.
        assert found[kind].tolist() == pytest.approx([0.7, 0.05], abs=0.02)
        assert found[kind, 1] == pytest.approx(0.05, abs=0.001)
    costs, part = fit_costs(_drive(), first_half(seen)), half(seen, second=True)
    times, _kinds = modelled(_drive(), seen, costs)
    assert demerit_fraction(seen.service_ms[part], times[0, part]) < 0.005


def _made_up(cache: OnBoardCache, count: int = 1600) -> Measured:
    """A made-up drive's answers to runs of reads, rereads and writes."""
    rng = np.random.Generator(np.random.PCG64(6))
    ops = np.zeros((count, 3), dtype=np.int64)
    ops[:, 0] = rng.integers(0, 3300, count)
    ops[:, 1] = rng.integers(1, 9, count)
    for i in range(1, count):
        way = rng.random()
        if way < 0.4:
            ops[i, 0] = ops[i - 1, 0] + ops[i - 1, 1]
        elif way < 0.6:
            ops[i, 0] = max(ops[i - 1, 0] - rng.integers(0, 20), 0)
    ops[:, 2] = rng.random(count) < 0.2
    costs = np.full((d.CLASS_COUNT, 2), 0.02)
    loop = Measured(ops, np.zeros(count), rng.random(count) * 30.0)
    times, _kinds = modelled(_drive(cache), loop, costs)
    return Measured(ops, times[0], loop.thinks_ms)


@pytest.mark.many(2)
@pytest.mark.parametrize(
    "rules",
    [
        {"keeps_passing_sectors": True},
        {"drops_delivered": True, "writes_end_segment": 1},
        {"takes_whole_track": True},
        {"ahead_to_track_end": False},
        {"ahead_in_runs": True},
    ],
)
def test_rules_of_a_made_up_cache_are_found_from_its_first_half(rules: dict[str, Any]) -> None:
    truth = OnBoardCache(2, 60, 40, True, True)._replace(**rules)
    found = choose_rules(_drive(NO_RULES), _made_up(truth), runs_count=1)
    assert {name: getattr(found, name) for name in rules} == rules


def test_the_idle_time_that_ends_a_run_of_reads_is_found() -> None:
    cache = OnBoardCache(2, 100, 90, False, True, stream_hold_ms=40.0)
    rng = np.random.Generator(np.random.PCG64(8))
    ops = np.zeros((600, 3), dtype=np.int64)
    ops[::2, 0] = rng.integers(0, 3300, 300)
    ops[1::2, 0] = ops[::2, 0] + 4
    ops[:, 1] = 4
    costs = np.full((d.CLASS_COUNT, 2), 0.02)
    costs[d.HIT_AFTER_READ, 0] = 0.2
    thinks = rng.uniform(20.0, 60.0, 600)
    times, _kinds = modelled(_drive(cache), Measured(ops, np.zeros(600), thinks), costs)
    seen = Measured(ops, times[0], thinks)
    blind = _drive(cache._replace(stream_hold_ms=float("inf")))
    assert stream_hold_ms(blind, seen) == pytest.approx(40.0, abs=0.5)
    assert ahead_lost_fraction(blind, seen) == 0.0
    lossy = _drive(cache._replace(ahead_lost_fraction=0.2))
    times, _kinds = modelled(lossy, Measured(ops, np.zeros(600), thinks), costs)
    lost = ahead_lost_fraction(_drive(cache), Measured(ops, times[0], thinks))
    assert lost == pytest.approx(0.2, abs=0.05)


# Zones of the same skews by time; their starts, and those of stretches with spare sectors of
# their own (6 cylinders of 3 surfaces), are as nothing tells.
SPUN = (
    TrackZone(0, 199, 100, 19.7, 33.1, offset=31.0),
    TrackZone(200, 399, 80, 15.76, 26.48, offset=7.0),
)
STRETCHED = tuple(
    zone._replace(spares=Spares(30, 18), stretch_skew=skew)
    for zone, skew in zip(SPUN, (11.0, 52.0), strict=True)
)


def _seen_on(
    zones: tuple[TrackZone, ...], cache: OnBoardCache = NO_CACHE, turn_ms: float = 10.02
) -> Measured:
    """Requests near and far, a fifth of them writes, with the times that such a disk takes."""
    truth = Mechanics(
        map_of_zones(zones, surfaces_count=3),
        1.0 + 0.01 * np.arange(401, dtype=np.float64), turn_ms, 0.5, 0.3, cache,
    )  # fmt: skip
    rng = np.random.Generator(np.random.PCG64(4))
    ops = np.zeros((2500, 3), dtype=np.int64)
    middle = np.cumsum(rng.choice([0, 0, 0, 40, 2000, -2000, 30_000], 2500))
    ops[:, 0] = (middle + rng.integers(0, 300, 2500)) % 104_000
    ops[:, 1] = rng.integers(1, 9, 2500)
    ops[:, 2] = rng.random(2500) < 0.2
    thinks = rng.random(2500) * 40.0
    costs = np.full((d.CLASS_COUNT, 2), 0.05)
    times, _kinds = modelled(truth, Measured(ops, np.zeros(2500), thinks), costs)
    return Measured(ops, times[0], thinks)


def _blunt(zones: tuple[TrackZone, ...]) -> list[TrackZone]:
    return [
        zone._replace(head_skew=20.0, cylinder_skew=33.0, offset=0.0, stretch_skew=0.0)
        for zone in zones
    ]


@pytest.mark.parametrize("turn_ms", [10.02, 9.87])
@pytest.mark.parametrize("stretched", [False, True])
def test_turn_and_skews_are_found_from_when_reads_ended(*, stretched: bool, turn_ms: float) -> None:
    zones = STRETCHED if stretched else SPUN
    seen = _seen_on(zones, turn_ms=turn_ms)
    found = find_platter(spun(_blunt(zones), seen, surfaces_count=3, turn_ms=10.0))
    assert found.agreement_fraction > 0.97
    assert found.turn_ms == pytest.approx(turn_ms, rel=5e-5)
    surface, cylinder, stretch, start = found.skews_turns.T
    assert surface == pytest.approx(0.197, abs=0.003)
    assert cylinder == pytest.approx(2 * 0.197 + 0.331, abs=0.003 if stretched else 3e-4)
    assert start[1] - start[0] == pytest.approx(7 / 80 - 31 / 100 + (start[1] > 0.5), abs=0.02)
    if stretched:
        # From stretch to stretch the skews of its cylinders have come as well.
        drift = 6 * (cylinder - 0.725)
        assert (stretch + drift - [0.11, 0.65] + 0.5) % 1.0 - 0.5 == pytest.approx(0.0, abs=2e-3)


def test_skews_that_are_described_agree_and_others_do_not() -> None:
    seen = _seen_on(STRETCHED, turn_ms=10.0)
    for zones, least, most in ((STRETCHED, 0.97, 1.0), (_blunt(STRETCHED), 0.0, 0.5)):
        disk = spun(zones, seen, surfaces_count=3, turn_ms=10.0)
        platter, _pace = agreed(disk, described_platter(disk))
        assert least <= platter.agreement_fraction <= most


def test_reads_tell_by_how_much_later_a_write_is_answered() -> None:
    through = NO_CACHE._replace(writes_behind=False)
    for late in (-0.7, 0.4):
        seen = _seen_on(SPUN, through._replace(write_end_ms=late), turn_ms=10.0)
        disk = spun(SPUN, seen, surfaces_count=3, turn_ms=10.0)
        platter, pace = agreed(disk, described_platter(disk))
        # Each of 4.5 sectors on the mean costs a write 0.05 ms besides.
        assert write_end_ms(disk, platter, pace) == pytest.approx(late + 0.225, abs=0.1)


def test_what_of_a_write_passes_before_the_arm_moves_is_lost_in_the_turn() -> None:
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[:, 0] = 2.0
    ops = [(50, 5, 1)]
    through = NO_CACHE._replace(writes_behind=False)
    ends = {
        # Sector 50 is there at 5 ms, five sectors have passed at 5.5 ms.
        np.inf: 5.5 + 2.0,
        0.5: 5.5 + 0.5,
        2.0: 5.5 + 2.0,
        # It comes 6 ms before and so misses the sector by a turn.
        -4.0: 15.5 - 4.0,
    }
    for end_ms, expected in ends.items():
        drive = _drive(through._replace(write_end_ms=end_ms))
        times, _kinds = modelled(drive, _loop(ops), costs)
        assert times[0, 0] == pytest.approx(expected)


def test_a_drive_may_read_ahead_only_in_runs() -> None:
    """A lone read leaves nothing more behind; one that follows on another does."""
    ops = [(10, 4, 0), (20, 4, 0), (50, 4, 0), (54, 4, 0), (62, 4, 0)]
    cache = NO_RULES._replace(ahead_to_track_end=False)
    # 40 sectors ahead of the first read's end, at 14, are those up to 54.
    for in_runs, hits in ((False, [1, 2, 4]), (True, [4])):
        drive = _drive(cache._replace(ahead_in_runs=in_runs))
        _times, kinds = modelled(drive, _loop(ops), np.zeros((d.CLASS_COUNT, 2)))
        assert np.flatnonzero(kinds[0] <= d.READ_STREAM).tolist() == hits


def test_the_platter_tells_whether_pauses_come_before_or_after() -> None:
    seen, drive = _made_up(NO_RULES, 3000), _drive(NO_RULES)
    assert pauses_come(drive, seen) == "after"
    shifted = Measured(seen.ops, seen.service_ms, np.roll(seen.thinks_ms, 1))
    assert pauses_come(drive, shifted) == "before"
    assert with_pauses_after(shifted).thinks_ms[:-1] == pytest.approx(seen.thinks_ms[:-1])


def test_pauses_that_are_alike_or_of_few_or_unknown_angles_are_taken_as_recorded() -> None:
    seen, drive = _made_up(NO_RULES, 3000), _drive(NO_RULES)
    alike = Measured(seen.ops, seen.service_ms, np.full(len(seen.ops), 7.0))
    assert pauses_come(drive, alike) == "untold"
    assert pauses_come(drive, part_of(seen, slice(40))) == "untold"
    assert pauses_come(drive, part_of(seen, slice(1))) == "untold"
    dice = np.random.Generator(np.random.PCG64(2))
    drawn = Measured(seen.ops, seen.service_ms, dice.uniform(0.0, 50.0, len(seen.ops)))
    assert pauses_come(drive, drawn) == "untold"


def test_demerit_of_a_shift_is_the_shift() -> None:
    times = np.random.Generator(np.random.PCG64(1)).random(1000) + 1
    assert demerit_fraction(times, times + 0.03) == pytest.approx(0.03 / times.mean())
    assert demerit_fraction(times, np.repeat(times, 4)) == pytest.approx(0.0)


MODEL = """dm_disk X { Number of data surfaces = 2, Number of cylinders = 5,
 LBN-to-PBN mapping scheme = 1, Sparing scheme used = 1, Full seek curve = x.seek,
 Zones = [ dm_layout_g1_zone { First cylinder number = 0, Last cylinder number = 4,
  Blocks per track = 10, Offset of first block = 0.0, Empty space at zone front = 0,
  Skew for track switch = 2.0, Skew for cylinder switch = 3.0, Number of spares = 1,
  slips = [ 7, 3 ], defects = [] } ],
 Head switch time = 0.1, Rotation speed (in rpms) = 6000, # Head switch time = 9
 Add. write settling delay = 0.2 }"""


def test_parameter_files_of_disksim() -> None:
    (block,) = entries_of(MODEL, "x.model")
    assert isinstance(block, Block)
    disk = extracted_disk(block)
    assert (disk.surfaces_count, disk.serpentine, disk.head_switch_ms) == (2, True, 0.1)
    assert disk.zones[0].slips == (3, 7)
    # One spare track of ten sectors, and two tracks that are slipped.
    assert disk.zones[0].spares_count == 1
    texts = {"x.model": MODEL, "x.seek": "1, 1.2\n4, 2.5\n"}
    geometry = drive_of_files(texts).drive.geometry
    assert geometry is not None
    assert geometry.zones[0].spare_sectors_count == 10
    assert geometry.zones[0].slipped_tracks == (3, 7)
    read = seek_table("Seek distances measured: 1\n1,\t1.245\n", "x.seek")
    assert read == ((1,), (1.245,), None)
