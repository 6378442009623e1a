"""Drives with known tracks: what they refuse, and what runs of them come to in closed form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from capmodels.spec import faults_of
from capmodels.storage.disk_geometry import DESKSTAR_75GXP
from capmodels.storage.drive.drives import (
    DriveBuffer,
    HardDisk,
    SolidState,
    TableSeek,
    ThreePointSeek,
    TwoRegimeSeek,
)
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone, cylinders_of
from capmodels.storage.drive.times import fixed_ms, service_moments
from capmodels.storage.drive.tracks import rates_mb_per_s, seek_over_ms, switches_ms
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.arrivals import ClosedArrivals, ExponentialArrivals
from capmodels.storage.simulator.build import array_sectors, build, seeks_by_cylinder
from capmodels.storage.simulator.extras import FreeSpaceCopies
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Region,
    RegionAddresses,
    SyntheticWorkload,
)
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import run_synthetic
from capmodels.storage.simulator.series import quantile_ms
from capmodels.storage.simulator.short_way import takes_short_way

_LAST = [-1, *(last for last, _count in DESKSTAR_75GXP)]
GXP = DiskGeometry(
    surfaces_count=10,
    zones=tuple(
        GeometryZone(cylinders_count=last - before, sectors_per_track_count=count)
        for before, (last, count) in zip(_LAST, DESKSTAR_75GXP, strict=False)
    ),
    head_skew_ms=1.2,
    cylinder_skew_ms=1.7,
)
SEEK = ThreePointSeek(min_ms=1.2, avg_ms=8.5, max_ms=15.5)
TURN_MS = 60_000 / 7200
FOLLOWED = GXP.model_copy(update={"follows_angle": True})


def _drive(geometry: DiskGeometry | None = GXP, **more: Any) -> HardDisk:
    fields: dict[str, Any] = {"capacity_gb": 76.9, "overhead_ms": 0.0, **more}
    return HardDisk(
        speed_rpm=7200.0, seek=SEEK, outer_mb_per_s=37.0, active_w=9.0, idle_w=6.0,
        geometry=geometry, **fields,
    )  # fmt: skip


def _single(drive: HardDisk, **more: Any) -> ArrayDesign:
    layout = Layout(kind="single", disks_count=1)
    return ArrayDesign(**{"drive": drive, "layout": layout, "timeouts": None, **more})


def _faults(**changes: Any) -> list[tuple[str, str]]:
    document = _drive().model_dump(mode="json") | changes
    with pytest.raises(ValidationError) as refused:
        HardDisk.model_validate(document)
    return [(fault.pointer, fault.message) for fault in faults_of(refused.value, document)]


def test_every_fault_of_a_geometry_is_told_at_its_field() -> None:
    zones = [{"cylinders_count": 10, "sectors_per_track_count": n} for n in (100, 90, 95, 120)]
    given = {"surfaces_count": 2, "zones": zones, "head_skew_ms": 1.0, "follows_angle": True}
    found = _faults(geometry=given)
    assert [pointer for pointer, _text in found] == [
        "/geometry/zones/3/sectors_per_track_count",
        "/geometry/cylinder_skew_ms",
    ]
    assert "outside in" in found[0][1]
    good = given | {"zones": zones[:1]}
    assert [pointer for pointer, _text in _faults(geometry=good)] == ["/geometry/cylinder_skew_ms"]
    blind = good | {"head_skew_ms": 0.0}
    assert [pointer for pointer, _text in _faults(geometry=blind)] == ["/geometry/follows_angle"]
    slipped = [zones[0] | {"slipped_sectors": [5, 3]}]
    at = "/geometry/zones/0/slipped_sectors"
    assert _faults(geometry=blind | {"zones": slipped})[0][0] == at
    far = [zones[0] | {"slipped_tracks": [20]}]
    at = "/geometry/zones/0/slipped_tracks"
    assert _faults(geometry=blind | {"zones": far})[0][0] == at
    # Spare sectors are held against the whole zone: 20 tracks of 100.
    full = [zones[0] | {"spare_sectors_count": 2001}]
    at = "/geometry/zones/0/spare_sectors_count"
    assert _faults(geometry=blind | {"zones": full})[0][0] == at
    none = [zones[0] | {"spare_sectors_count": 2000}]
    assert _faults(geometry=blind | {"zones": none})[0][0] == "/geometry/zones"


def test_tracks_seek_speed_and_capacity_of_a_drive_have_to_agree() -> None:
    table = {
        "kind": "table", "cylinders_count": 100, "distances_count": [1, 99], "seeks_ms": [1, 9],
    }  # fmt: skip
    skewed = GXP.model_dump(mode="json") | {"cylinder_skew_ms": 8.4}
    found = _faults(seek=table, capacity_gb=500.0, geometry=skewed)
    assert found == [
        (
            "/geometry/zones",
            "The zones have 27,725 cylinders, the seek curve has 100.",
        ),
        (
            "/geometry/zones",
            "These tracks hold 76.89 GB, the drive 500 GB. Enter the zones of this drive.",
        ),
        (
            "/geometry/cylinder_skew_ms",
            "A skew is shorter than a turn, which takes 8.33 ms.",
        ),
    ]
    assert _faults(seek={"kind": "logical"})[0][0] == "/geometry"
    # The data sheet says 75 GB: then the rest is spare.
    assert array_sectors(_single(_drive(capacity_gb=75.0))) == 75 * 10**9 // 512 // 128 * 128
    assert array_sectors(_single(_drive(capacity_gb=77.0))) == 150_167_070 // 128 * 128


def _cylinder_shares(geometry: DiskGeometry) -> np.ndarray[Any, Any]:
    counts = [zone.cylinders_count for zone in geometry.zones]
    per_track = [zone.sectors_per_track_count for zone in geometry.zones]
    weights = np.repeat(np.array(per_track, dtype=np.float64), counts)
    shares: np.ndarray[Any, Any] = weights / weights.sum()
    return shares


def _distances(geometry: DiskGeometry) -> np.ndarray[Any, Any]:
    """Chance of every distance in cylinders between two random sectors, one by one."""
    shares = _cylinder_shares(geometry)
    size = 1 << (2 * len(shares) - 1).bit_length()
    spectrum = np.fft.rfft(shares, size)
    both = np.fft.irfft(np.abs(spectrum) ** 2, size)[: len(shares)]
    both[1:] *= 2
    return both


def _seeks_ms(cylinders: int) -> np.ndarray[Any, Any]:
    """The three-point curve counted in cylinders, as ``storage.md`` 3.1 has it."""
    a_ms, b_ms = (15 * 8.5 - 12 - 77.5) / 3, (8.4 - 127.5 + 124) / 3
    u = np.arange(cylinders - 1) / (cylinders - 2 + 1)
    return np.concatenate([[0.0], 1.2 + a_ms * np.sqrt(u) + b_ms * u])


def test_closed_forms_are_the_sums_over_all_cylinders() -> None:
    chances, seeks = _distances(GXP), _seeks_ms(cylinders_of(GXP))
    found = service_moments(_drive(), 8192)
    assert found is not None
    mean = float(chances @ seeks)
    shares = _cylinder_shares(GXP)
    turns = np.repeat(
        [16 / zone.sectors_per_track_count for zone in GXP.zones],
        [zone.cylinders_count for zone in GXP.zones],
    )
    passing = (
        float(shares @ turns) * TURN_MS + float(shares @ turns) * 15 / 16 * (9 * 1.2 + 1.7) / 10
    )
    assert fixed_ms(_drive(), 8192) == pytest.approx(passing, rel=1e-9)
    assert found.mean_ms == pytest.approx(mean + TURN_MS / 2 + passing, rel=1e-4)
    variance = float(chances @ seeks**2) - mean**2 + TURN_MS**2 / 12
    assert found.variance_ms2 == pytest.approx(variance, rel=1e-3)
    dense = seeks_by_cylinder(_drive(), cylinders_of(GXP))
    assert dense[:-1] == pytest.approx(seeks)
    assert seek_over_ms(_drive(), 27_724) == pytest.approx(15.5, abs=1e-3)


@pytest.mark.decisive
def test_one_zone_has_the_seeks_of_the_data_sheet() -> None:
    even = DiskGeometry(
        surfaces_count=2,
        zones=(GeometryZone(cylinders_count=50_000, sectors_per_track_count=1000),),
    )
    drive = _drive(even, capacity_gb=51.2)
    moments = service_moments(drive, 512)
    assert moments is not None
    assert moments.mean_ms == pytest.approx(8.5 + TURN_MS / 2 + TURN_MS / 1000, rel=1e-9)


@pytest.mark.parametrize("seek", ["table", "two_regime"])
def test_other_curves_are_read_by_cylinder(seek: str) -> None:
    count = cylinders_of(GXP)
    curves: dict[str, Any] = {
        "table": TableSeek(
            cylinders_count=count, distances_count=(1, 100, count - 1), seeks_ms=(1.0, 2.0, 15.0)
        ),
        "two_regime": TwoRegimeSeek(
            cylinders_count=count, join_count=400, near_ms=1.0, near_root_ms=0.1,
            far_ms=3.0, far_slope_ms=0.0004,
        ),
    }  # fmt: skip
    drive = _drive().model_copy(update={"seek": curves[seek]})
    dense = seeks_by_cylinder(drive, count)
    for distance in (1, 7, 100, 399, 400, 20_000, count - 1):
        assert dense[distance] == pytest.approx(seek_over_ms(drive, distance))
    assert dense[100] == pytest.approx(2.0)


def test_changes_of_track_follow_from_skews_or_from_what_a_write_needs() -> None:
    assert switches_ms(_drive()) == (1.2, 1.7)
    # A move of 2 ms misses a skew of 1.7 ms by a turn.
    late = _drive().model_copy(update={"seek": ThreePointSeek(min_ms=2.0, avg_ms=8.5, max_ms=15.5)})
    assert switches_ms(late) == pytest.approx((1.2, 1.7 + TURN_MS))
    blind = GXP.model_copy(update={"head_skew_ms": 0.0, "cylinder_skew_ms": 0.0})
    assert switches_ms(_drive(blind, write_settle_ms=0.5)) == (1.7, 1.7)
    for drive in (_drive(), late, _drive(blind, write_settle_ms=0.5)):
        m = build(_single(drive)).record
        assert m["zone_switches"][3] == pytest.approx(switches_ms(drive))


pytestmark = pytest.mark.slow


def _service_ms(design: ArrayDesign, **work: Any) -> float:
    fields: dict[str, Any] = {
        "arrivals": ExponentialArrivals(mean_ms=400.0),
        "requests_count": 120_000,
        **work,
    }
    out = run_synthetic(design, SyntheticWorkload(**fields), seed=7)
    return float(out.time_ms[:, k.ACTIVE].sum()) / out.taken


@pytest.mark.parametrize("follows", [False, True])
@pytest.mark.parametrize("size", [8192, 1 << 20])
def test_random_requests_take_the_sum_over_zones(*, follows: bool, size: int) -> None:
    drive = _drive(FOLLOWED if follows else GXP)
    expected = service_moments(drive, size)
    assert expected is not None
    assert takes_short_way(_single(drive)) != follows
    known_ms = 3 * (expected.variance_ms2 / 120_000) ** 0.5
    found = _service_ms(_single(drive), size_bytes=size)
    assert found == pytest.approx(expected.mean_ms, abs=known_ms)


@pytest.mark.parametrize("follows", [False, True])
def test_responses_are_distributed_as_seeks_and_turns_are(*, follows: bool) -> None:
    drive = _drive(FOLLOWED if follows else GXP)
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=5000.0), requests_count=200_000, size_bytes=512
    )
    out = run_synthetic(_single(drive), work, seed=3)
    chances, seeks = _distances(GXP), _seeks_ms(cylinders_of(GXP))
    shares = _cylinder_shares(GXP)
    passing = TURN_MS * float(shares @ (1 / np.repeat(
        [zone.sectors_per_track_count for zone in GXP.zones],
        [zone.cylinders_count for zone in GXP.zones],
    )))  # fmt: skip
    for fraction in (0.01, 0.1, 0.5, 0.9, 0.99):
        at = quantile_ms(out.histogram.sum(axis=0), fraction)
        left = np.clip((at - passing - seeks) / TURN_MS, 0.0, 1.0)
        # Three standard errors of a share of 200,000.
        assert float(chances @ left) == pytest.approx(fraction, abs=0.0035)


@pytest.mark.parametrize("geometry", [GXP, FOLLOWED])
@pytest.mark.parametrize("scheduler", ["fcfs", "sstf", "look"])
def test_a_scan_of_whole_tracks_takes_turns_and_switches(
    geometry: DiskGeometry, scheduler: Any
) -> None:
    design = _single(_drive(geometry), scheduler=scheduler)
    # 23 tracks of the outermost zone, each asked for when the one before is done or earlier.
    ops = np.array([(702 * i, 702, 0) for i in range(23)], dtype=np.int64)
    out = replay(design, np.zeros(23), ops, seed=1)
    switches = 20 * 1.2 + 2 * 1.7
    first = float(out.waits_ms[0, 2]) if geometry is GXP else 0.0
    assert out.end_ms - first == pytest.approx(23 * TURN_MS + switches, abs=1e-6)
    whole = replay(design, np.zeros(1), np.array([(0, 702 * 23, 0)]), seed=1)
    first = float(whole.waits_ms[0, 2]) if geometry is GXP else 0.0
    assert whole.end_ms - first == pytest.approx(23 * TURN_MS + switches, abs=1e-6)


def test_rates_fall_from_the_outer_to_the_inner_zone() -> None:
    # 43.1 to 21.6 MB/s: 702 and 351 sectors per track at 7200 rpm, storage.md 3.3.
    assert rates_mb_per_s(_drive()) == pytest.approx((43.1, 21.6), abs=0.05)
    first = 0
    rates = []
    for zone in GXP.zones:
        count = zone.sectors_per_track_count
        ops = np.array([(first, count, 0)], dtype=np.int64)
        out = replay(_single(_drive()), np.zeros(1), ops, seed=1)
        passing = out.end_ms - out.waits_ms[0, 1:].sum()
        rates.append(count * 512 / passing / 1000)
        first += zone.cylinders_count * 10 * count
    assert rates[0] == pytest.approx(43.1, abs=0.05)
    assert rates[-1] == pytest.approx(21.6, abs=0.05)
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize("arrivals", [10.0, 20.0])
def test_following_the_angle_leaves_the_mean_of_poisson_arrivals(arrivals: float) -> None:
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=2 * arrivals), requests_count=150_000, size_bytes=4096
    )
    means = []
    for geometry in (GXP, FOLLOWED):
        out = run_synthetic(_single(_drive(geometry)), work, seed=11)
        means.append(out.response[:, k.SUM].sum() / out.response[:, k.DONE].sum())
    assert means[0] == pytest.approx(means[1], rel=0.01)


def test_followed_copies_do_not_turn_in_step() -> None:
    means = []
    for geometry in (GXP, FOLLOWED):
        layout = Layout(kind="raid1", disks_count=3)
        design = _single(_drive(geometry), layout=layout)
        work = SyntheticWorkload(
            arrivals=ExponentialArrivals(mean_ms=5000.0),
            requests_count=60_000,
            read_fraction=0.0,
            size_bytes=4096,
        )
        out = run_synthetic(design, work, seed=2)
        means.append(out.response[1, k.SUM] / out.response[1, k.DONE])
    single = service_moments(_drive(), 4096)
    assert single is not None
    # The slowest of three independent waits takes three quarters of a turn on the mean.
    assert means == pytest.approx([single.mean_ms + TURN_MS / 4] * 2, rel=0.02)


def test_followed_reads_meet_their_sector_when_the_clock_says() -> None:
    design = _single(_drive(FOLLOWED))
    # Sector 351 is half a turn from the index mark, where the platter stands at the start.
    ops = np.array([(351, 1, 0), (0, 1, 0), (702, 1, 0)], dtype=np.int64)
    at: np.ndarray[Any, np.dtype[np.float64]] = np.array([0.0, TURN_MS, 10 * TURN_MS])
    ends = [replay(design, at[:count], ops[:count], seed=1).end_ms for count in (1, 2, 3)]
    sector = TURN_MS / 702
    # Half a turn; none; and on the next surface the skew of 1.2 ms.
    expected = at + np.array([TURN_MS / 2, 0.0, 1.2]) + sector
    assert ends == pytest.approx(expected, abs=1e-6)


def test_a_drive_that_follows_needs_its_buffer_to_read_on() -> None:
    ops = np.array([(8 * i, 8, 0) for i in range(80)], dtype=np.int64)
    at = np.linspace(0.0, 39.5, 80)
    bare = _drive(FOLLOWED, overhead_ms=0.1)
    out = replay(_single(bare), at, ops, seed=1)
    assert out.end_ms > 79 * TURN_MS
    held = bare.model_copy(update={"buffer": DriveBuffer()})
    assert replay(_single(held), at, ops, seed=1).end_ms < 6 * TURN_MS


LAYOUTS: list[tuple[str, dict[str, Any]]] = [
    ("one, sorted", {"scheduler": "look"}),
    ("mirror", {"layout": Layout(kind="raid1", disks_count=2)}),
    ("stripes", {"layout": Layout(kind="raid0", disks_count=4)}),
    ("parity", {"layout": Layout(kind="raid5", disks_count=4)}),
    ("cache", {"cache": CacheTier(mode="write_through", hit_fraction=0.0)}),
    ("buffer", {"drive": _drive(buffer=DriveBuffer(ahead_bytes=0, bus_mb_per_s=1e6))}),
]


@pytest.mark.parametrize("name", [name for name, _changes in LAYOUTS])
@pytest.mark.parametrize("closed", [False, True])
def test_every_array_knows_the_tracks_of_its_drives(*, name: str, closed: bool) -> None:
    design = _single(**{"drive": _drive(), **dict(LAYOUTS)[name]})
    expected = service_moments(_drive(), 4096)
    assert expected is not None
    work: dict[str, Any] = {"size_bytes": 4096, "requests_count": 60_000}
    if closed:
        alone = SyntheticWorkload(arrivals=ClosedArrivals(users_count=1), **work)
        out = run_synthetic(design, alone, seed=7)
        mean = out.end_ms / out.taken
    else:
        mean = _service_ms(design, **work)
    assert mean == pytest.approx(expected.mean_ms, rel=0.02)


def test_copies_in_free_space_spare_seeks_over_known_tracks() -> None:
    ends = (
        Region(start_fraction=0.0, end_fraction=1e-5),
        Region(start_fraction=0.6, end_fraction=0.60001),
    )
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=50.0),
        addresses=RegionAddresses(regions=ends),
        requests_count=20_000,
        size_bytes=4096,
    )
    plain = run_synthetic(_single(_drive()), work, seed=5)
    copied = run_synthetic(_single(_drive(), copies=FreeSpaceCopies()), work, seed=5)
    assert copied.copies is not None
    assert copied.copies[0].any()
    # Half of the requests would cross six tenths of the stroke.
    assert copied.waits_ms[0, 1] < 0.5 * plain.waits_ms[0, 1]


def test_spare_and_slipped_sectors_move_the_rest() -> None:
    zones = (
        GeometryZone(
            cylinders_count=10, sectors_per_track_count=100, spare_sectors_count=40,
            slipped_sectors=(5, 250),
        ),
        GeometryZone(cylinders_count=10, sectors_per_track_count=80),
    )  # fmt: skip
    geometry = DiskGeometry(surfaces_count=2, zones=zones, head_skew_ms=1.0, cylinder_skew_ms=2.0)
    drive = _drive(geometry, capacity_gb=3560 * 512 / 1e9)
    kept = geometry.model_copy(
        update={"zones": (zones[0].model_copy(update={"slipped_sectors": ()}), zones[1])}
    )
    by_track = build(_single(drive)).record
    by_zone = build(_single(_drive(kept, capacity_gb=3560 * 512 / 1e9))).record
    for m in (by_track, by_zone):
        assert m["par"][0, k.SECTORS] == 2000 - 40 + 1600
    assert by_zone["zones"][1, 0] == 1960
    pieces = by_track["tracks"][: by_track["plan"][k.TRACKS]]
    assert pieces[:4, 0].tolist() == [0, 5, 99, 199]
    assert 1960 in pieces[:, 0]


def _resident_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def test_a_drive_of_millions_of_tracks_is_built_at_once_and_stays_small() -> None:
    # 30 zones of 15,000 cylinders, 18 surfaces: 8.1 million tracks, 20 TB.
    zones = tuple(
        GeometryZone(cylinders_count=15_000, sectors_per_track_count=6600 - 120 * i)
        for i in range(30)
    )
    geometry = DiskGeometry(
        surfaces_count=18, zones=zones, head_skew_ms=0.8, cylinder_skew_ms=1.5, follows_angle=True
    )
    drive = _drive(geometry, capacity_gb=20_000.0)
    ops = np.array([(0, 8, 0), (2 * 10**10, 8, 0)], dtype=np.int64)
    replay(_single(_drive(FOLLOWED)), np.zeros(2), ops // 1000 * 8, seed=1)
    before = _resident_mb()
    run = build(_single(drive))
    assert _resident_mb() - before < 32.0
    assert run.record["plan"][k.TRACKS] == 30 * 15_000 * 18
    expected = service_moments(drive, 4096)
    assert expected is not None
    assert _service_ms(_single(drive), size_bytes=4096) == pytest.approx(expected.mean_ms, abs=0.05)


@pytest.mark.parametrize("drive", [HardDisk, SolidState])
def test_a_form_finds_every_figure_of_a_drive_under_one_title(
    drive: type[HardDisk | SolidState],
) -> None:
    schema = drive.model_json_schema()
    shown = [name for group in schema["groups"] for name in group["fields"]]
    assert sorted(shown) == sorted(set(schema["properties"]) - {"kind", "name", "on_sale"})
