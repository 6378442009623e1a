"""Every drive of the catalogue can be simulated, or says what it lacks."""

from __future__ import annotations

import csv
import json
import random
import statistics
from pathlib import Path
from typing import Any

import pytest

from capmodels.__main__ import main
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73, DriveBuffer
from capmodels.storage.drive.entries import (
    INNER_SHARE,
    SEEK_MAX_SHARE,
    SEEK_MIN_SHARE,
    EntryDrive,
)
from capmodels.storage.drive.entries import drive_of as entry_drive
from capmodels.storage.drive.entry_out import entry_of as entry_out
from capmodels.storage.drive.geometry import zone_sectors
from capmodels.storage.drive.measured import ENDS, REQUESTS, MeasuredRules
from capmodels.storage.drive.service import response_ms
from capmodels.storage.drive.times import (
    read_answer_ms,
    read_busy_ms,
    service_moments,
    write_answer_ms,
    write_busy_ms,
)
from capmodels.storage.drive.tracks import rates_mb_per_s
from capmodels.tests.asking import ask

_FILE = Path(__file__).parents[4] / "fixtures" / "hardware" / "drives.csv"


def entries() -> dict[str, dict[str, Any]]:
    """Values of every row by its slug; a cell of several numbers is a list."""
    with _FILE.open(encoding="utf-8") as file:
        return {
            row["slug"]: {k: _value(v) for k, v in row.items() if v} for row in csv.DictReader(file)
        }


def _value(text: str) -> float | str | list[float]:
    try:
        numbers = [float(part) for part in text.split()]
    except ValueError:
        return text
    return numbers if len(numbers) > 1 else numbers[0]


ENTRIES = entries()


def drive_of(name: str, values: dict[str, Any]) -> Any:
    """Return what becomes of an entry; of no type, for tests know what it is."""
    found: EntryDrive = entry_drive(name, values)
    return found


@pytest.mark.parametrize("slug", [slug for slug, row in ENTRIES.items() if "year" in row])
def test_a_drive_can_be_built(slug: str) -> None:
    found = drive_of(slug, ENTRIES[slug])
    drive = found.drive
    # Drives with overlapping tracks are not simulated, and say so.
    assert (drive is None) == ("SMR" in ENTRIES[slug].get("recording", ""))
    if drive is None:
        assert found.missing
    elif drive.kind == "hdd":
        moments = service_moments(drive, 4096)
        assert moments is not None
        assert 2.0 < moments.mean_ms < 30.0
        assert moments.variance_ms2 > 0


_SHEETS = [slug for slug, row in ENTRIES.items() if row["technology"] == "ssd"]


@pytest.mark.parametrize("slug", _SHEETS)
def test_flash_serves_what_its_data_sheet_says(slug: str) -> None:
    """Little's law: at any depth the drive serves the least of depth and channels at a time."""
    row, drive = ENTRIES[slug], drive_of(slug, ENTRIES[slug]).drive
    assert drive.kind == "ssd"
    channels = drive.channels_count
    ways = {"read": (read_answer_ms, read_busy_ms), "write": (write_answer_ms, write_busy_ms)}
    for way, (answer_ms, busy_ms) in ways.items():
        if f"random_{way}_per_s" in row:
            # A closed loop at the depth of the sheet, answered before a channel is free.
            at_once = row[f"random_{way}_depth_count"] / answer_ms(drive, 4096)
            per_s = min(at_once, channels / busy_ms(drive, 4096)) * 1000
            assert per_s == pytest.approx(row[f"random_{way}_per_s"], rel=0.03)
        # One at a time, and large ones at the rate of the sheet.
        assert answer_ms(drive, 4096) == pytest.approx(row[f"{way}_latency_ms"], rel=0.01)
        large = channels * 4.194304e6 / busy_ms(drive, 4_194_304) / 1000
        assert large == pytest.approx(row[f"{way}_mb_per_s"], rel=0.02)


_CASES: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("drive_cases.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("case", _CASES, ids=[case["title"] for case in _CASES])
def test_an_entry_becomes_a_drive(case: dict[str, Any]) -> None:
    made = drive_of(case["title"], case["values"]).drive.model_dump(mode="json")
    assert {name: made[name] for name in case["drive"]} == _near(case["drive"])


def _near(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _near(one) for name, one in value.items()}
    return pytest.approx(value, rel=1e-9) if isinstance(value, float) else value


def test_a_drive_of_unknown_rates_has_the_channels_that_it_is_said_to_have() -> None:
    row = ENTRIES["ssd-mtron-3035-32gb"]
    assert "random_read_per_s" not in row
    drive = drive_of("Mtron", row | {"channels_count": 4.0}).drive
    assert drive.kind == "ssd"
    assert (drive.channels_count, drive.write_hold_ms) == (4, 0.0)
    assert write_busy_ms(drive, 4096) == write_answer_ms(drive, 4096)


@pytest.mark.decisive
def test_the_laptop_disk_is_that_of_the_paper() -> None:
    found = drive_of("7K60", ENTRIES["hdd-hitachi-travelstar-7k60"]).drive
    assert found.kind == "hdd"
    assert found.standby == TRAVELSTAR_7K60.standby
    assert found.low_power_idle == TRAVELSTAR_7K60.low_power_idle
    assert (found.active_w, found.idle_w) == (2.5, 2.0)
    assert found.seek == TRAVELSTAR_7K60.seek


def test_the_tracks_of_a_disk_hold_what_it_offers() -> None:
    found = {}
    for slug, row in ENTRIES.items():
        drive = drive_of(slug, row).drive if "zone_cylinders_count" in row else None
        if drive is None or drive.kind == "ssd" or drive.geometry is None:
            continue
        found[slug] = sum(zone_sectors(drive.geometry))
        # Of the HP disk 3.6% of the sectors are neither counted as spare nor offered.
        rel = 0.04 if slug == "hdd-hp-c2247a" else 0.01
        assert found[slug] * 512e-9 == pytest.approx(drive.capacity_gb, rel=rel)
        # The rates of the entry are those of its outermost and innermost tracks.
        rates = drive.outer_mb_per_s, drive.inner_mb_per_s
        assert rates == pytest.approx(rates_mb_per_s(drive), rel=0.005)
    # Huang's tables 6.3 and 6.5, summed; sectors that DiskSim's models of measured disks count.
    assert found["hdd-ibm-deskstar-75gxp"] == 150_167_070
    assert found["hdd-ibm-ultrastar-36lzx"] == 72_165_216
    counted = {"quantum-atlas-10k": 17_938_986, "seagate-cheetah-9lp": 17_783_240}
    for name, sectors in counted.items():
        assert found[f"hdd-{name}"] == pytest.approx(sectors, rel=0.01)


def test_a_measured_disk_serves_as_it_was_measured() -> None:
    # WD Raptor, one 4 KiB read at a time over the whole disk: 8.1 ms measured by fio.
    entry = drive_of("Raptor", ENTRIES["hdd-wd-raptor-wd740gd"]).drive
    assert entry.kind == "hdd"
    moments = service_moments(entry, 4096)
    assert moments is not None
    assert response_ms(0.0, moments) == pytest.approx(8.107, rel=0.06)


def test_what_is_missing_is_said() -> None:
    bare = {"technology": "hdd", "capacity_tb": 1.0, "rpm": 7200.0}
    found = drive_of("x", bare)
    assert found.drive is None
    assert found.missing == ("seek time", "transfer rate", "power at work", "idle power")
    assert "unit_price_usd" not in ENTRIES["hdd-quantum-atlas-10k"]
    atlas = drive_of("Atlas", ENTRIES["hdd-quantum-atlas-10k"])
    assert "/price_usd" not in atlas.origins


@pytest.mark.parametrize(
    "change", [{"rpm": -1.0}, {"throughput_mb_per_s": 0.0}, {"seek_ms": 0.0}, {"idle_w": -3.0}]
)
def test_figures_that_no_drive_has_make_none(change: dict[str, float]) -> None:
    row = ENTRIES["hdd-hitachi-travelstar-7k60"]
    found = drive_of("x", row | change)
    assert (found.drive, found.missing) == (None, ("figures that a drive can have",))


def test_a_figure_says_the_field_that_it_comes_from_and_how_if_it_is_another() -> None:
    values = {"technology": "hdd", "capacity_tb": 1.0, "rpm": 7200.0, "idle_w": 5.0,
              "read_w": 7.0, "seek_ms": 9.0, "throughput_mb_per_s": 150.0}  # fmt: skip
    origins = drive_of("x", values).origins
    assert origins["/seek/avg_ms"] == ("seek_ms", None)
    assert origins["/inner_mb_per_s"].field == "throughput_mb_per_s"
    assert (origins["/inner_mb_per_s"].how or "").startswith("half the outer rate")
    assert "/afr_fraction" not in origins
    flash = drive_of("y", _CASES[0]["values"]).origins
    assert flash["/channels_count"].how == "random reads a second times the latency of one"


def test_what_a_disk_does_not_say_is_as_the_catalogue_s_disks_have_it() -> None:
    def median(part: str, whole: str) -> float:
        rows = [row for row in ENTRIES.values() if part in row and whole in row]
        assert len(rows) > 50
        return statistics.median(float(row[part]) / float(row[whole]) for row in rows)

    assert median("seek_min_ms", "seek_ms") == pytest.approx(SEEK_MIN_SHARE, abs=0.02)
    assert median("seek_max_ms", "seek_ms") == pytest.approx(SEEK_MAX_SHARE, abs=0.1)
    assert median("inner_mb_per_s", "throughput_mb_per_s") == pytest.approx(INNER_SHARE, abs=0.03)


FLAGS = (
    "ahead_to_track_end",
    "hits_read_ahead",
    "keeps_passing_sectors",
    "drops_delivered",
    "ahead_in_runs",
)


def _calibrated(dice: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a calibration may find, as the drive has it and as fields of an entry."""
    costs = [
        {
            "request": request,
            "overhead_ms": dice.uniform(-2.0, 2.0),
            "per_sector_ms": dice.uniform(-0.01, 0.01),
        }
        for request in REQUESTS
        if dice.random() < 0.6
    ]
    flags = {name: dice.random() < 0.5 for name in FLAGS}
    others = {
        "written_ends": dice.choice(ENDS),
        "stream_hold_ms": dice.uniform(0.0, 50.0),
        "ahead_lost_fraction": dice.random(),
        "write_end_ms": dice.uniform(-2.0, 2.0),
    }
    fields: dict[str, Any] = {
        f"{cost['request']}_{name}": cost[name]
        for cost in costs
        for name in ("overhead_ms", "per_sector_ms")
    }
    fields |= {name: "yes" for name, on in flags.items() if on} | others
    return {"costs": costs, **flags, **others}, fields


def test_what_a_calibration_found_is_read_from_the_fields_of_an_entry() -> None:
    dice = random.Random(6)
    tracks = {
        "surfaces_count": 2, "zone_cylinders_count": [3000.0, 3000.0],
        "zone_sectors_per_track_count": [960.0, 720.0], "head_skew_ms": 0.9,
        "cylinder_skew_ms": 1.3, "follows_angle": "yes", "capacity_tb": 10_080_000 * 512e-12,
        "rpm": 10_000, "seek_ms": 4.0, "throughput_mb_per_s": 80.0, "read_w": 9.0, "idle_w": 6.0,
    }  # fmt: skip
    for _ in range(20):
        rules, fields = _calibrated(dice)
        overheads = {"overhead_ms": dice.uniform(0.0, 2.0), "write_settle_ms": dice.uniform(-1, 1)}
        drive = drive_of("Lab", tracks | fields | overheads).drive
        assert drive.measured == MeasuredRules.model_validate(rules)
        assert {name: getattr(drive, name) for name in overheads} == overheads
        assert drive.geometry.follows_angle
    # Without the tracks that they are of they are refused, not left out.
    bare = {name: value for name, value in tracks.items() if not name.startswith("zone_")}
    assert drive_of("Lab", bare | {"read_stream_overhead_ms": -0.1}).drive is None
    assert drive_of("Lab", tracks).drive.measured is None


@pytest.mark.parametrize("slug", list(ENTRIES))
def test_a_drive_of_the_catalogue_becomes_the_entry_that_makes_it_again(slug: str) -> None:
    drive = drive_of(slug, ENTRIES[slug]).drive
    if drive is not None:
        assert entry_out(drive).lost == ()


@pytest.mark.parametrize("seed", range(20))
def test_a_disk_s_own_memory_is_made_again_from_its_entry(seed: int) -> None:
    dice = random.Random(seed)
    memory = DriveBuffer(
        segments_count=dice.randint(1, 64),
        segment_bytes=512 * dice.randint(1, 10_000),
        ahead_bytes=512 * dice.randint(0, 10_000),
        bus_mb_per_s=dice.uniform(1, 1200),
        writes_behind=dice.random() < 0.5,
        held_writes_count=dice.choice([1, 2, 32, 256]),
        whole_tracks=dice.random() < 0.5,
    )
    drive = ULTRASTAR_15K73.model_copy(update={"buffer": memory})
    entry = entry_out(drive)
    assert entry.lost == ()
    # Numbers of an entry are stored without saying whether they are whole.
    said = {k: float(v) if isinstance(v, int) else v for k, v in entry.values.items()}
    again = drive_of("ours", said)
    assert again.drive.buffer == memory
    assert again.origins["/buffer/bus_mb_per_s"].field == "buffer_bus_mb_per_s"
    assert drive_of("ours", said | {"buffer_segment_bytes": [1.0, 2.0]}).drive is None
    assert drive_of("ours", said | {"buffer_bus_mb_per_s": "fast"}).drive is None


def test_a_calibrated_drive_is_written_as_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    costs = [{"request": REQUESTS[0], "overhead_ms": 0.25, "per_sector_ms": -0.001}]
    rules = {"costs": costs, "ahead_to_track_end": True, "written_ends": ENDS[-1]}
    slug = next(slug for slug, row in ENTRIES.items() if "zone_cylinders_count" in row)
    measured = MeasuredRules.model_validate(rules)
    drive = drive_of(slug, ENTRIES[slug]).drive.model_copy(update={"measured": measured})
    path = tmp_path / "calibrated.json"
    path.write_text(json.dumps({"error": 0.01, "drive": drive.model_dump(mode="json")}))
    assert main(["entry", str(path), "--slug", "ours", "--title", "Ours, bay 7"]) == 0
    said = capsys.readouterr()
    (row,) = csv.DictReader(said.out.splitlines())
    assert (row["slug"], row["title"]) == ("ours", "Ours, bay 7")
    given = {k: json.loads(v) if v[0] == "[" else _value(v) for k, v in row.items() if v}
    again = drive_of("ours", given).drive
    assert (again.measured, again.geometry, said.err) == (measured, drive.geometry, "")
    curve = {"kind": "curve", "distances": [1, 900], "times_ms": [1.0, 9.0]}
    path.write_text(json.dumps({"kind": "hdd", "seek": curve}))
    assert main(["entry", str(path), "--slug", "ours"]) == 2
    assert "no drive" in capsys.readouterr().err


def test_a_drive_that_was_found_to_have_dies_is_made_again_from_its_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask("storage.calibrate_drive")
    assert found.waits_for_dies
    dies = found.drive.dies.model_copy(update={"page_bytes": 32_768})
    drive = found.drive.model_copy(update={"dies": dies})
    path = tmp_path / "calibrated.json"
    path.write_text(json.dumps({"drive": drive.model_dump(mode="json")}))
    assert main(["entry", str(path), "--slug", "ours"]) == 0
    said = capsys.readouterr()
    (row,) = csv.DictReader(said.out.splitlines())
    assert float(row["die_link_read_ms"]) == dies.link_read_ms
    given = {k: _value(v) for k, v in row.items() if v}
    again = drive_of("ours", given)
    assert (again.drive.dies, said.err) == (dies, "")
    assert again.origins["/dies/link_read_ms"].field == "die_link_read_ms"
    for name in ("read_hold_ms", "write_hold_ms", "read_latency_ms", "write_mb_per_s"):
        assert getattr(again.drive, name) == pytest.approx(getattr(drive, name)), name
    without = {k: v for k, v in given.items() if not k.startswith("die_")}
    assert drive_of("ours", without).drive.dies is None
