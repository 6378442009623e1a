"""A drive with known tracks fitted to a trace, and drives from DiskSim's files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.__main__ import main
from capmodels.errors import ModelError
from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import joined, unpack_requests
from capmodels.formats.trace_store import held, using
from capmodels.rng import streams
from capmodels.spec import Context
from capmodels.storage.calibration.array_answers import alone_in
from capmodels.storage.calibration.calibrate_trace import SPEC
from capmodels.storage.calibration.disksim_read import drive_of_files
from capmodels.storage.calibration.measured_drive import mechanics_of
from capmodels.storage.calibration.mechanics import Measured, modelled
from capmodels.storage.calibration.trace_params import (
    CalibrateTraceParams,
    RecordedRequests,
    ServedRequests,
)
from capmodels.storage.drive.drives import DriveBuffer, HardDisk, ThreePointSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.tracks import drive_sectors
from capmodels.storage.simulator import queue_kernel
from capmodels.storage.simulator import spindle_slots as d
from capmodels.storage.simulator.build import build

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.slow

GEOMETRY = DiskGeometry(
    surfaces_count=3,
    zones=(
        GeometryZone(
            cylinders_count=200, sectors_per_track_count=100, spare_sectors_count=100,
            slipped_sectors=(777, 31_000),
        ),
        GeometryZone(cylinders_count=200, sectors_per_track_count=80),
    ),
    head_skew_ms=1.97,
    cylinder_skew_ms=3.31,
    follows_angle=True,
)  # fmt: skip
TRUTH = HardDisk(
    capacity_gb=107_900 * 512 / 1e9,
    speed_rpm=60_000 / 10.02,
    seek=ThreePointSeek(min_ms=1.0, avg_ms=3.0, max_ms=5.0),
    same_cylinder_ms=0.5,
    write_settle_ms=0.3,
    overhead_ms=0.2,
    outer_mb_per_s=5.0,
    active_w=10.0,
    idle_w=8.0,
    geometry=GEOMETRY,
    buffer=DriveBuffer(
        segments_count=2, segment_bytes=30_720, ahead_bytes=20_480, bus_mb_per_s=10.24,
        writes_behind=True,
    ),
)  # fmt: skip


def _served(
    drive: HardDisk, count: int = 5000, pause_ms: float | None = None
) -> tuple[ServedRequests, NDArray[np.int64]]:
    """What a drive would answer to reads near and far, some in order, and to some writes."""
    rng = np.random.Generator(np.random.PCG64(4))
    ops = np.zeros((count, 3), dtype=np.int64)
    places = np.cumsum(rng.choice([0, 0, 0, 40, 2000, -2000, 30_000], count))
    ops[:, 0] = (places + rng.integers(0, 300, count)) % 107_000
    ops[1::4, 0] = ops[:-1:4, 0] + 6
    ops[:, 1] = rng.integers(1, 9, count)
    ops[:, 2] = rng.random(count) < 0.1
    ops[1::4, 2] = 0
    thinks = rng.random(count) * 40.0 if pause_ms is None else np.full(count, pause_ms)
    costs = np.zeros((d.CLASS_COUNT, 2))
    costs[:, 0] = 0.2
    costs[[d.HIT_IN_STREAM, d.HIT_AFTER_READ, d.HIT_AFTER_WRITE], 1] = 0.05
    assert drive.geometry is not None
    seen = Measured(ops, np.zeros(count), thinks)
    times, _kinds = modelled(mechanics_of(drive, drive.geometry), seen, costs)
    done = np.cumsum(times[0] + thinks)
    served = ServedRequests(
        times_s=tuple((done - times[0] - thinks).clip(0.0) / 1000),
        sectors=tuple(ops[:, 0].tolist()),
        sectors_count=tuple(ops[:, 1].tolist()),
        writes=tuple(ops[:, 2] == 1),
        responses_ms=tuple(times[0].tolist()),
    )
    return served, ops


def _run(drive: HardDisk, served: ServedRequests) -> Any:
    return SPEC.run(CalibrateTraceParams(drive=drive, demand=served), Context(seed=1))


def test_speed_and_skews_are_found_where_the_described_ones_do_not_agree() -> None:
    served, _ops = _served(TRUTH)
    skews = {"head_skew_ms": 2.0, "cylinder_skew_ms": 3.3, "follows_angle": False}
    blunt = TRUTH.model_copy(
        update={"geometry": GEOMETRY.model_copy(update=skews), "speed_rpm": 6000.0}
    )
    found = _run(blunt, served)
    assert found.tracks.found_skews
    assert found.tracks.follows_angle
    assert found.tracks.speed_rpm == pytest.approx(60_000 / 10.02, rel=1e-4)
    assert found.tracks.head_skew_ms == pytest.approx(1.97, abs=0.05)
    assert found.tracks.cylinder_skew_ms == pytest.approx(3.31, abs=0.1)
    assert found.drive.overhead_ms == pytest.approx(0.2, abs=0.1)
    assert found.demerit_fraction < 0.01
    assert found.sheet_demerit_fraction > 2 * found.demerit_fraction
    assert sum(row.requests_count for row in found.classes) == 5000
    # What comes out can go in again, and is then believed as it is.
    again = HardDisk.model_validate(found.drive.model_dump(mode="json"))
    assert again.geometry is not None
    assert again.geometry.follows_angle


@pytest.fixture(scope="module")
def as_described() -> tuple[ServedRequests, Any]:
    """What the drive answered, and the fit of the drive as it is described."""
    served, _ops = _served(TRUTH)
    return served, _run(TRUTH, served)


def test_described_skews_that_agree_are_kept(as_described: tuple[ServedRequests, Any]) -> None:
    _served_here, found = as_described
    assert not found.tracks.found_skews
    assert found.tracks.agreement_fraction > 0.9
    assert found.drive.geometry == GEOMETRY
    assert found.demerit_fraction < 0.02


def test_the_error_shown_is_that_of_the_drive_returned_in_an_array(
    as_described: tuple[ServedRequests, Any],
) -> None:
    served, found = as_described
    rules = found.drive.measured
    assert rules is not None
    costs = {cost.request: cost for cost in rules.costs}
    # Hits and writes have overheads of their own, that of a hit grows with its sectors.
    assert costs["hit_after_read"].per_sector_ms == pytest.approx(0.05, abs=0.01)
    again = HardDisk.model_validate(found.drive.model_dump(mode="json"))
    # The second half, put to storage.array itself, in a closed loop with the pauses of the trace.
    middle = len(served.times_s) // 2
    half = slice(middle, None)
    done = np.array(served.times_s) + np.array(served.responses_ms) / 1000
    document = {
        "array": {
            "drive": again.model_dump(mode="json"),
            "layout": {"kind": "single", "disks_count": 1},
            "timeouts": None,
        },
        "workload": {
            "kind": "trace",
            # In a closed loop the times are those after which the next request comes.
            "starts_ms": list(_gaps_as_times(np.array(served.times_s), done)[half] * 1000),
            "sectors": served.sectors[half],
            "sectors_count": served.sectors_count[half],
            "writes": served.writes[half],
        },
        "replay": {"timing": "closed"},
    }
    array = registry.get_model("storage.array")
    answer = spec.evaluate(array, document, Context(seed=1)).responses[0]
    assert answer.mean_ms == pytest.approx(found.modelled_mean_ms, rel=0.02)
    assert answer.mean_ms == pytest.approx(found.measured_mean_ms, rel=0.02)
    assert _run(again, served).sheet_demerit_fraction == pytest.approx(found.demerit_fraction)


def test_writes_that_the_sheet_holds_are_not_held_beside_what_was_measured() -> None:
    assert TRUTH.buffer is not None
    memory = TRUTH.buffer.model_copy(update={"held_writes_count": 8})
    sheet = TRUTH.model_copy(update={"buffer": memory})
    served, ops = _served(TRUTH)
    run = build(alone_in(sheet, scheduler="look"))
    pauses = np.random.default_rng(18).exponential(20.0, len(ops))
    took = queue_kernel.one_by_one(run.machine, run.held, pauses, ops, streams(5, 1)[0])
    done = np.cumsum(took + pauses)
    times = {"times_s": tuple((done - took) / 1000), "responses_ms": tuple(took)}
    found = _run(sheet, served.model_copy(update=times))
    assert found.drive.buffer.held_writes_count == 1
    again = _run(found.drive, served.model_copy(update=times))
    assert again.sheet_demerit_fraction == pytest.approx(found.demerit_fraction)


def _gaps_as_times(times_s: NDArray[Any], done_s: NDArray[Any]) -> NDArray[Any]:
    pauses = np.append(np.maximum(times_s[1:] - done_s[:-1], 0.0), 0.0)
    found: NDArray[Any] = np.cumsum(pauses) - pauses
    return found


@pytest.mark.many(1)
@pytest.mark.parametrize("pauses", ["after", "before", "untold"])
def test_a_file_of_requests_and_pauses_is_read_as_the_platter_says(pauses: str) -> None:
    served, ops = _served(TRUTH, 3000, pause_ms=25.0 if pauses == "untold" else None)
    times, took = np.array(served.times_s) * 1e6, np.array(served.responses_ms) * 1e3
    gaps = np.append(times[1:] - times[:-1] - took[:-1], 0.0)
    if pauses == "before":
        gaps = np.roll(gaps, 1)
    rows = (
        f"{'RW'[op[2]]} Hit {op[0]} {op[1]} {service:.5f} {gap:.5f}\n"
        for op, service, gap in zip(ops, took, gaps.clip(0.0), strict=True)
    )
    kept: list[bytes] = []
    assert ingest(["".join(rows).encode()], kept.append).format == "disksim_validate"
    trace_id = "00000000-0000-4000-8000-000000000001"
    loader, refs = held({trace_id: joined(map(unpack_requests, kept))})
    with using(loader):
        demand = RecordedRequests(trace=refs[trace_id])
        found = SPEC.run(CalibrateTraceParams(drive=TRUTH, demand=demand), Context(seed=1))
    assert found.tracks is not None
    assert found.tracks.pauses == pauses
    assert found.tracks.follows_angle
    assert found.demerit_fraction < 0.02


def test_overheads_below_zero_are_kept_where_they_save() -> None:
    served, _ops = _served(TRUTH, 2000)
    fast = TRUTH.model_copy(update={"write_settle_ms": 1.5, "overhead_ms": 0.0})
    found = _run(fast, served)
    # Told of too much settling, writes to the platter are answered sooner than it says.
    assert found.demerit_fraction < 0.05
    assert any(cost.overhead_ms < 0 for cost in found.drive.measured.costs) or (
        found.drive.buffer.writes_behind
    )


def test_a_drive_cannot_be_measured_without_its_tracks() -> None:
    bare = TRUTH.model_dump(mode="json") | {"geometry": None, "measured": {"costs": []}}
    with pytest.raises(ValueError, match="Enter them"):
        HardDisk.model_validate(bare)


def test_a_drive_of_too_many_tracks_is_fitted_by_distance() -> None:
    zones = (GeometryZone(cylinders_count=700_000, sectors_per_track_count=3000),)
    many = DiskGeometry(surfaces_count=4, zones=zones)
    large = TRUTH.model_copy(update={"geometry": many, "capacity_gb": 4300.0})
    served, _ops = _served(TRUTH, 300)
    assert _run(large, served).tracks is None


def test_what_cannot_be_followed_is_said() -> None:
    served, _ops = _served(TRUTH, 100)
    with pytest.raises(ModelError, match="At least 200 requests"):
        _run(TRUTH, served)
    count = 400
    swapped = ServedRequests(
        times_s=tuple(0.1 * i for i in range(count)),
        sectors=(0,) * count,
        sectors_count=(8,) * count,
        writes=(False,) * count,
        responses_ms=tuple(5.0 if i % 3 else 150.0 for i in range(count)),
    )
    with pytest.raises(ModelError, match="33% of the requests were done before"):
        _run(TRUTH, swapped)


MODEL = """dm_disk MAKER_ONE_validate.model { Number of data surfaces = 2, Number of cylinders = 12,
 Full seek curve = one.seek,
 LBN-to-PBN mapping scheme = 0, Sparing scheme used = 9,
 Zones = [ dm_layout_g1_zone { First cylinder number = 0, Last cylinder number = 4,
  Blocks per track = 20, Offset of first block = 0.0, Empty space at zone front = 4,
  Skew for track switch = 2.0, Skew for cylinder switch = 4.0, Number of spares = 6,
  slips = [ 7, 3 ], defects = [] },
  dm_layout_g1_zone { First cylinder number = 6, Last cylinder number = 11,
  Blocks per track = 10, Offset of first block = 3.0, Empty space at zone front = 0,
  Skew for track switch = 1.0, Skew for cylinder switch = 2.0, Number of spares = 0,
  slips = [], defects = [] } ],
 Head switch time = 0.1, Rotation speed (in rpms) = 6000,
 Add. write settling delay = 0.2 }"""
SEEKS = "Seek distances measured: 2\n1, 1.5\n11, 3.5\n"
SETTINGS = """disksim_disk ONE { Model = source params/one.model,
 Bulk sector transfer time = 0.1, Number of buffer segments = 3,
 Segment size (in blks) = 60, Maximum read-ahead (blks) = 40, Fast write level = 2,
 Read miss over. after read = 0.3 }"""


def test_a_drive_is_read_from_the_files_of_disksim() -> None:
    found = drive_of_files({"one.model": MODEL, "one.seek": SEEKS, "one.diskspecs": SETTINGS})
    drive, taken = found.drive, found.taken
    geometry = drive.geometry
    assert geometry is not None
    # The cylinder between the zones, empty sectors and spares hold no data.
    assert [zone.cylinders_count for zone in geometry.zones] == [6, 6]
    assert geometry.zones[0].spare_sectors_count == 6 + 40
    assert geometry.zones[0].empty_sectors_count == 4
    assert geometry.zones[0].slipped_sectors == (3, 7)
    assert drive_sectors(drive) == 5 * 2 * 20 - 10 + 6 * 2 * 10
    # A tenth and a fifth of a turn of 10 ms on either zone.
    assert geometry.head_skew_ms == pytest.approx(1.0)
    assert geometry.cylinder_skew_ms == pytest.approx(2.0)
    assert [zone.head_skew_count for zone in geometry.zones] == [2.0, 1.0]
    assert [zone.cylinder_skew_count for zone in geometry.zones] == [4.0, 2.0]
    assert [zone.offset_count for zone in geometry.zones] == [0.0, 3.0]
    assert drive.name == "MAKER ONE"
    assert (drive.same_cylinder_ms, drive.write_settle_ms, drive.overhead_ms) == (0.1, 0.2, 0.3)
    assert drive.buffer is not None
    assert drive.buffer.bus_mb_per_s == pytest.approx(5.12)
    assert drive.buffer.writes_behind
    assert taken == ("active_w", "idle_w")
    assert found.blocks_count is None
    with pytest.raises(FileRefused, match=r"seek curve from one\.seek: give that file as well"):
        drive_of_files({"one.model": MODEL})


def test_a_two_regime_curve_of_disksim_becomes_a_table() -> None:
    curve = """HPL seek equation values = [ 4, 1.0, 0.5, 1.6, 0.2, -1.0 ],
     First ten seek times = [ 1.1, 1.2 ],"""
    model = MODEL.replace("Full seek curve = one.seek,", curve)
    seek = drive_of_files({"one.model": model}).drive.seek
    assert seek.kind == "table"
    found = dict(zip(seek.distances_count, seek.seeks_ms, strict=True))
    assert (found[1], found[2]) == (1.1, 1.2)
    assert found[3] == pytest.approx(1.0 + 0.5 * 3**0.5)
    assert found[11] == pytest.approx(1.6 + 0.2 * 11)


def test_the_shell_prints_a_drive_to_paste(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "one.model").write_text(MODEL)
    (tmp_path / "one.seek").write_text(SEEKS)
    assert main(["disksim", str(tmp_path / "one.model")]) == 0
    said = capsys.readouterr()
    assert "Power is not in the files" in said.err
    assert "no cache" in said.err
    assert "sectors, the file says" not in said.err
    assert HardDisk.model_validate(json.loads(said.out)).geometry is not None
    counted = MODEL.replace(
        "Number of cylinders = 12,", "Number of cylinders = 12, Block count = 99,"
    )
    (tmp_path / "one.model").write_text(counted)
    assert main(["disksim", str(tmp_path / "one.model")]) == 0
    said_twice = "The zones hold 310 sectors, the file says 99: the zones were taken."
    assert said_twice in capsys.readouterr().err
    (tmp_path / "two.model").write_text("dm_disk TWO { }")
    assert main(["disksim", str(tmp_path / "two.model")]) == 2
