"""Drives fitted to measurements: made-up drives are found again, simulated ones too."""

from __future__ import annotations

import json
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
    RAPTOR_READ,
    closed_loop_ms,
    disk_quantiles_ms,
)
from capmodels.storage.drive.drives import TRAVELSTAR_7K60
from capmodels.storage.drive.times import service_moments
from capmodels.tests.asking import ask, faults

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
    rows = reads(
        closed_loop_ms(service_ms=service, channels_count=channels, depth_count=depth)
        for depth in DEPTHS
    )
    found = ask(MODEL, rows=rows)
    assert found.channels_count == channels
    assert found.read_service_ms == pytest.approx(service)
    assert found.max_read_per_s == pytest.approx(channels / service * 1000)
    assert found.depth_demerit_fraction == pytest.approx(0, abs=1e-9)
    drive = found.drive
    small = drive.read_latency_ms + 4.096 / drive.read_mb_per_s
    assert small == pytest.approx(service)


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
    assert row.modelled_ms == pytest.approx(0.610, rel=0.02)


def test_measured_reads_of_a_sata_drive_fit_within_two_percent() -> None:
    found = ask(MODEL)
    assert found.depth_demerit_fraction < 0.02
    # Writes are buffered at first: one number of channels does not hold for them.
    assert found.write_depth_demerit_fraction > 0.1
    assert found.drive.endurance_tb == PM883.endurance_tb


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


def test_the_measured_raptor() -> None:
    alone = ask(MODEL, drive=RAPTOR, rows=[RAPTOR_READ])
    both = ask(MODEL, drive=RAPTOR, rows=[RAPTOR_READ], fit_seeks=True)
    assert alone.read_service_ms == pytest.approx(8.107, rel=0.02)
    assert both.demerit_fraction < 0.02 < alone.demerit_fraction < 0.08


def test_rows_of_fio_s_own_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def job(depth: int, jobs: int, mean_us: float) -> dict[str, Any]:
        read = {
            "total_ios": 10, "iops": 1.0, "bw_bytes": 4096, "lat_ns": {"mean": mean_us * 1000},
            "clat_ns": {"percentile": {"0.000000": 0, "50.000000": 90_000, "99.000000": 200_000}},
        }  # fmt: skip
        return {"jobname": "j", "job options": {"bs": "4k", "iodepth": str(depth),
                "numjobs": str(jobs)}, "read": read}  # fmt: skip

    text = json.dumps({"jobs": [job(1, 1, 100.0), job(4, 2, 120.0), job(8, 1, 130.0)]})
    rows = depth_rows(fio_rows(text.encode()))
    assert [(row["depth_count"], row["latency_ms"]) for row in rows] == [(1, 0.1), (8, 0.12)]
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
    assert json.loads(capsys.readouterr().out) == {"rows": rows}


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
