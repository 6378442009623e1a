"""Drives fitted to measurements: made-up drives are found again, simulated ones too."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels import __main__ as shell
from capmodels import registry, spec
from capmodels.errors import ModelError
from capmodels.formats.fio_json import depth_rows
from capmodels.formats.fio_json import rows as fio_rows
from capmodels.storage.calibration.calibrate_drive import (
    PM883,
    RAPTOR,
)
from capmodels.storage.calibration.loop_fit import fit_loop
from capmodels.storage.calibration.queue_fit import held_latency_ms, latency_ms
from capmodels.storage.calibration.single_fit import disk_quantiles_ms
from capmodels.storage.drive.drives import TRAVELSTAR_7K60
from capmodels.storage.drive.seek import three_point_ms
from capmodels.storage.drive.times import read_answer_ms, seek_curve, service_moments
from capmodels.tests.asking import ask, faults
from capmodels.tests.storage.plain_array import closed_latency_ms
from capmodels.tests.storage.plain_disk import DISK, PLATTER
from capmodels.tests.storage.raptor import RAPTOR_READ

if TYPE_CHECKING:
    from pathlib import Path

MODEL = "storage.calibrate_drive"
DEPTHS = (1, 2, 4, 8, 16, 32, 64)


def reads(latencies: Any) -> list[dict[str, Any]]:
    return [
        {"way": "read", "depth_count": depth, "latency_ms": latency}
        for depth, latency in zip(DEPTHS, latencies, strict=True)
    ]


@pytest.mark.parametrize(("service", "channels"), [(0.1, 8), (0.08, 13), (0.3, 1), (0.02, 60)])
def test_a_made_up_drive_is_found_again(service: float, channels: int) -> None:
    rows = reads(service * max(1.0, depth / channels) for depth in DEPTHS)
    found = ask(MODEL, rows=rows)
    assert found.channels_count == channels
    assert found.read_service_ms == pytest.approx(service)
    assert found.max_read_per_s == pytest.approx(channels / service * 1000)
    assert found.depth_demerit_fraction == pytest.approx(0, abs=1e-9)
    assert read_answer_ms(found.drive, 4096) == pytest.approx(service)


@pytest.mark.slow
def test_the_fitted_drive_answers_in_the_simulator_as_it_was_fitted() -> None:
    fitted = ask(MODEL)
    workload = {
        "kind": "synthetic", "requests_count": 3000, "size_bytes": 4096,
        "arrivals": {"kind": "closed", "users_count": 32, "think_ms": 0.0},
    }  # fmt: skip
    array = {
        "drive": fitted.drive.model_dump(mode="json"), "timeouts": None,
        "layout": {"kind": "single", "disks_count": 1},
    }  # fmt: skip
    found = ask("storage.array", array=array, workload=workload)
    row = next(row for row in fitted.depths if row.way == "read" and row.depth_count == 32)
    assert found.responses[0].mean_ms == pytest.approx(row.modelled_ms, rel=0.02)
    assert row.modelled_ms == pytest.approx(0.6047, rel=0.02)


def test_measured_rows_of_a_sata_drive_fit_as_told() -> None:
    found = ask(MODEL)
    assert found.depth_demerit_fraction < 0.025
    # Writes are answered from a buffer, which holds a channel for longer.
    assert found.write_depth_demerit_fraction < 0.01
    assert found.drive.write_hold_ms > 2 * found.drive.write_latency_ms
    assert found.drive.endurance_tb == PM883.endurance_tb


@pytest.mark.parametrize(("way", "off"), [("read", 0.02), ("write", 0.03)])
def test_half_of_the_depths_foretell_the_other_half(way: str, off: float) -> None:
    model = registry.get_model(MODEL)
    rows = [row for row in spec.validate(model, {}).rows if row.way == way]
    fit = fit_loop(rows[::2])
    errors = [abs(fit.at(row.depth_count) / row.latency_ms - 1) for row in rows[1::2]]
    assert max(errors) < off


def test_the_fitted_drive_holds_writes_in_the_simulator_as_they_were_measured() -> None:
    found = ask(MODEL)
    array = registry.get_model("storage.array")
    for depth, measured_ms in ((1, 0.0383), (64, 1.2656)):
        document = {
            "array": {
                "drive": found.drive.model_dump(mode="json"),
                "layout": {"kind": "single", "disks_count": 1},
            },
            "workload": {
                "kind": "synthetic",
                "arrivals": {"kind": "closed", "users_count": depth},
                "requests_count": 20_000,
                "read_fraction": 0.0,
                "size_bytes": 4096,
            },
        }
        answer = spec.evaluate(array, document, spec.Context(seed=1)).responses[0]
        assert answer.mean_ms == pytest.approx(measured_ms, rel=0.1)


def test_rows_that_are_not_used_say_why() -> None:
    single = {"way": "read", "depth_count": 1, "latency_ms": 12.0}
    lost = {"way": "read", "depth_count": 4, "latency_ms": 300.0, "timed_out": True}
    quick = {"way": "write", "depth_count": 1, "latency_ms": 0.2}
    slow = {"way": "write", "depth_count": 1, "latency_ms": 12.7}
    found = ask(MODEL, drive=RAPTOR, rows=[single, lost, quick])
    reasons = [row.unused_reason for row in found.depths]
    assert reasons[0] is None
    assert "timed out" in reasons[1]
    assert "too short to fill" in reasons[2]
    assert (found.queue_count, found.queue_order, found.held_writes_count) == (None, None, None)
    found = ask(MODEL, drive=RAPTOR, rows=[single, slow])
    assert found.drive.write_settle_ms == pytest.approx(0.7, abs=0.01)
    assert found.write_depth_demerit_fraction == pytest.approx(0.0)


def test_of_a_row_in_which_a_command_timed_out_the_percentiles_count() -> None:
    points = [{"percent_ratio": p, "latency_ms": 8.0} for p in (1.0, 50.0, 99.0)]
    row = {"way": "read", "depth_count": 1, "latency_ms": 40.0, "timed_out": True}
    found = ask(MODEL, drive=RAPTOR, rows=[{**row, "percentiles": points}])
    assert found.read_service_ms == pytest.approx(8.0)
    with pytest.raises(ModelError, match="timed out"):
        ask(MODEL, rows=[row])


def _elevator(depth: int) -> float:
    """Latency of reads that a host gives to a disk upwards by sector, one after the other. [ms]"""
    dice = random.Random(depth)
    curve = seek_curve(TRAVELSTAR_7K60)
    assert curve is not None
    waiting, head, busy_ms, served = [dice.random() for _ in range(depth - 1)], 0.5, 0.0, 4000
    for _ in range(served):
        if not waiting:
            waiting = [dice.random()]
        place = min(waiting, key=lambda at: (at < head, at))
        waiting[waiting.index(place)] = dice.random()
        busy_ms += three_point_ms(curve, abs(place - head)) + dice.random() * 8.3333 + 0.4
        head = place
    return depth * busy_ms / served


@pytest.mark.decisive
def test_a_disk_behind_an_elevator_is_told_from_one_that_sorts_by_position() -> None:
    rows = [
        {"way": "read", "depth_count": depth, "latency_ms": _elevator(depth)}
        for depth in (1, 4, 16, 64)
    ]
    found = ask(MODEL, drive=TRAVELSTAR_7K60.model_dump(), rows=rows)
    assert (found.queue_order, found.queue_count) == ("clook", None)
    for depth in (8, 32):
        ours = latency_ms(found.drive, 4096, depth=depth, queue=None, order="clook")
        assert ours == pytest.approx(_elevator(depth), rel=0.05)


def test_held_writes_are_found_and_say_how_deeper_rows_go() -> None:
    one_ms = held_latency_ms(TRAVELSTAR_7K60, 4096, depth=1, held=16)
    rows: list[dict[str, Any]] = [{"way": "read", "depth_count": 1, "latency_ms": 14.6}]
    rows += [
        {"way": "write", "depth_count": depth, "latency_ms": depth * one_ms} for depth in (1, 8, 64)
    ]
    found = ask(MODEL, drive=TRAVELSTAR_7K60.model_dump(), rows=rows)
    assert found.held_writes_count == 16
    assert found.write_depth_demerit_fraction < 0.03
    assert found.drive.buffer.writes_behind
    assert found.drive.buffer.held_writes_count == 16
    assert found.max_write_per_s == pytest.approx(1000 / one_ms, rel=0.03)


@pytest.mark.decisive
@pytest.mark.parametrize("depth", [1, 32])
def test_a_disk_that_holds_writes_simulates_as_it_was_fitted(depth: int) -> None:
    buffer = {"writes_behind": True, "held_writes_count": 16}
    drive = {**TRAVELSTAR_7K60.model_dump(), "buffer": buffer}
    document = {
        "array": {
            "drive": drive,
            "layout": {"kind": "single", "disks_count": 1},
            "timeouts": None,
        },
        "workload": {
            "kind": "synthetic",
            "arrivals": {"kind": "closed", "users_count": depth, "think_ms": 0},
            "requests_count": 6000,
            "read_fraction": 0.0,
            "size_bytes": 4096,
        },
    }
    answer = spec.evaluate(registry.get_model("storage.array"), document, spec.Context(seed=1))
    fitted = held_latency_ms(TRAVELSTAR_7K60, 4096, depth=depth, held=16)
    assert answer.responses[0].mean_ms == pytest.approx(fitted, rel=0.03)
    # With reads beside them writes are answered from the memory while it has room.
    document["workload"] = {
        "kind": "synthetic",
        "requests_count": 6000,
        "size_bytes": 4096,
        "arrivals": {"kind": "exponential", "mean_ms": 40.0}, "read_fraction": 0.5,
    }  # fmt: skip
    answer = spec.evaluate(registry.get_model("storage.array"), document, spec.Context(seed=1))
    reads, writes = (
        next(row for row in answer.responses if row.requests == kind)
        for kind in ("reads", "writes")
    )
    assert writes.mean_ms < 1.0
    assert reads.mean_ms > 14.0


@pytest.mark.slow
@pytest.mark.decisive
@pytest.mark.parametrize("queue", [1, 8, 32])
def test_a_disk_is_found_to_sort_as_many_as_it_does(queue: int) -> None:
    # Of a disk written apart, whose platter is followed; half of the depths are told.
    measured = {
        depth: closed_latency_ms(PLATTER, depth=depth, queue=queue, count=1200)
        for depth in (1, 2, 4, 16, 32)
    }
    sheet = DISK.model_copy(update={"geometry": None, "overhead_ms": 0.0, "write_settle_ms": 0.0})
    rows = [
        {"way": "read", "depth_count": depth, "latency_ms": measured[depth]} for depth in (1, 4, 32)
    ]
    found = ask(MODEL, drive=sheet.model_dump(), size_bytes=512, rows=rows)
    assert found.queue_count == queue
    assert found.drive.overhead_ms == pytest.approx(0.15, abs=0.25)
    for depth in (2, 16):
        ours = latency_ms(found.drive, 512, depth=depth, queue=found.queue_count)
        assert ours == pytest.approx(measured[depth], rel=0.1)


@pytest.mark.slow
def test_a_sorting_disk_simulates_as_it_was_fitted() -> None:
    document = {
        "array": {
            "drive": TRAVELSTAR_7K60.model_dump(),
            "layout": {"kind": "single", "disks_count": 1},
            "timeouts": None,
            "scheduler": "sptf",
            "queue_count": 8,
        },
        "workload": {
            "kind": "synthetic",
            "arrivals": {"kind": "closed", "users_count": 16, "think_ms": 0},
            "requests_count": 8000,
            "size_bytes": 4096,
        },
    }
    answer = spec.evaluate(registry.get_model("storage.array"), document, spec.Context(seed=1))
    fitted = latency_ms(TRAVELSTAR_7K60, 4096, depth=16, queue=8)
    assert answer.responses[0].mean_ms == pytest.approx(fitted, rel=0.03)


@pytest.mark.decisive
def test_percentiles_of_a_disk_are_those_of_its_law() -> None:
    quantiles = disk_quantiles_ms(TRAVELSTAR_7K60, 8192)
    moments = service_moments(TRAVELSTAR_7K60, 8192)
    assert moments is not None
    assert sum(quantiles) / 99 == pytest.approx(moments.mean_ms, rel=0.003)
    variance = sum((q - moments.mean_ms) ** 2 for q in quantiles) / 99
    # The percentiles leave out the outermost half percent of both ends.
    assert variance == pytest.approx(moments.variance_ms2, rel=0.07)
    # The steepest seek over no distance and no turn; the longest of both.
    assert quantiles[0] > 1.0 + 0.47
    assert quantiles[-1] < 16.0 + 8.34 + 0.48


def test_a_disk_s_overhead_and_seeks_are_found_again() -> None:
    true = TRAVELSTAR_7K60.model_copy(
        update={
            "overhead_ms": 0.9,
            "seek": TRAVELSTAR_7K60.seek.model_copy(update={"avg_ms": 8.2, "max_ms": 13.0}),
        }
    )
    times = disk_quantiles_ms(true, 8192)
    row = {
        "way": "read", "depth_count": 1, "latency_ms": sum(times) / 99,
        "percentiles": [
            {"percent_ratio": float(i + 1), "latency_ms": time} for i, time in enumerate(times)
        ],
    }  # fmt: skip
    document = {
        "drive": TRAVELSTAR_7K60.model_dump(mode="json"), "rows": [row], "size_bytes": 8192,
    }  # fmt: skip
    found = ask(MODEL, **document, fit_seeks=True)
    assert found.drive.overhead_ms == pytest.approx(0.9, abs=0.02)
    assert found.drive.seek.avg_ms == pytest.approx(8.2, abs=0.02)
    assert found.demerit_fraction < 0.002 < found.sheet_demerit_fraction
    alone = ask(MODEL, **document)
    assert found.demerit_fraction < alone.demerit_fraction < found.sheet_demerit_fraction


@pytest.mark.parametrize("deep_as", ["sheet", "single"])
def test_stretched_seeks_are_kept_where_depths_held_back_are_not_met_worse(deep_as: str) -> None:
    """Reads alone are of shorter seeks; the deeper ones of the sheet's, or of the same."""
    sheet = TRAVELSTAR_7K60
    seeks = sheet.seek.model_copy(update={"avg_ms": 6.0, "max_ms": 9.0})
    quick = sheet.model_copy(update={"seek": seeks})
    times = disk_quantiles_ms(quick, 8192)
    single = {
        "way": "read", "depth_count": 1, "latency_ms": sum(times) / 99,
        "percentiles": [
            {"percent_ratio": float(i + 1), "latency_ms": time} for i, time in enumerate(times)
        ],
    }  # fmt: skip
    true = quick if deep_as == "single" else sheet
    deep = [
        {"way": "read", "depth_count": depth,
         "latency_ms": latency_ms(true, 8192, depth=depth, queue=None)}
        for depth in (2, 4, 8, 16, 32)
    ]  # fmt: skip
    document = {"drive": sheet.model_dump(mode="json"), "size_bytes": 8192}
    found = ask(MODEL, **document, rows=[single, *deep], fit_seeks=True)
    plain = ask(MODEL, **document, rows=[single, *deep])
    said = [note for note in found.notes if note.startswith("The seeks stay as the sheet has them")]
    if deep_as == "sheet":
        assert found.drive == plain.drive
        assert len(said) == 1
    else:
        assert found.drive.seek.avg_ms == pytest.approx(6.0, abs=0.25)
        assert found.depth_demerit_fraction < plain.depth_demerit_fraction
        assert not said


def test_the_measured_raptor() -> None:
    alone = ask(MODEL, drive=RAPTOR, rows=[RAPTOR_READ])
    both = ask(MODEL, drive=RAPTOR, rows=[RAPTOR_READ], fit_seeks=True)
    assert alone.read_service_ms == pytest.approx(8.107, rel=0.02)
    assert both.demerit_fraction < 0.02 < alone.demerit_fraction < 0.08


def test_rows_of_fio_s_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def job(depth: int, jobs: int, mean_us: float, worst_ms: float = 1.0) -> dict[str, Any]:
        read = {
            "total_ios": 10, "iops": depth * 1e6 / mean_us, "bw_bytes": 4096,
            "lat_ns": {"mean": mean_us * 1000},
            "clat_ns": {"mean": mean_us * 900, "max": worst_ms * 1e6,
                        "percentile": {"0.000000": 0, "50.000000": 90_000, "99.000000": 200_000}},
        }  # fmt: skip
        return {"jobname": "j", "job options": {"bs": "4k", "iodepth": str(depth),
                "numjobs": str(jobs)}, "read": read}  # fmt: skip

    text = json.dumps(
        {
            "jobs": [
                job(1, 1, 100.0),
                job(4, 2, 120.0, 30_500.0),
                job(2, 4, 130.0),
                job(8, 1, 140.0),
            ]
        }
    )
    rows, _unused = depth_rows(fio_rows(text.encode()))
    # The drive's own time, of equal depths the first without a command that timed out, and the
    # rate where it is that of all that asked.
    assert [row["rate_per_s"] for row in rows] == [pytest.approx(1e4), None]
    assert [(row["depth_count"], round(row["latency_ms"], 6)) for row in rows] == [
        (1, 0.09),
        (8, 0.117),
    ]
    assert rows[0]["percentiles"] == [
        {"percent_ratio": 50.0, "latency_ms": 0.09},
        {"percent_ratio": 99.0, "latency_ms": 0.2},
    ]
    found = ask(MODEL, rows=rows)
    # All requests take the fitted time, half of them took less than 0.09 ms.
    assert found.demerit_fraction > 0.1
    path = tmp_path / "fio.json"
    path.write_text(text)
    assert shell.main(["fio", str(path)]) == 0
    assert json.loads(capsys.readouterr().out) == {"size_bytes": 4096, "rows": rows}


def test_what_cannot_be_fitted_is_said() -> None:
    row = {"way": "read", "depth_count": 2, "latency_ms": 1.0}
    with pytest.raises(ModelError, match="depth 1"):
        ask(MODEL, drive=RAPTOR, rows=[row])
    assert faults(MODEL, {"rows": [row, row]}) == {"/rows/1": "doubled"}
    assert faults(MODEL, {"rows": [{**row, "way": "write"}]}) == {"/rows": "missing"}
    seek = {"kind": "logical"}
    with pytest.raises(ModelError, match="three-point"):
        spec.evaluate(
            registry.get_model(MODEL), {"drive": {**RAPTOR, "seek": seek}, "rows": [RAPTOR_READ]}
        )
