"""Daily drive statistics: drive days, failures and ages by drive, and the models they feed."""

from __future__ import annotations

import gzip
import io
import json
import math
import zipfile
from typing import TYPE_CHECKING

import pytest

from capmodels import __main__ as shell
from capmodels import registry, spec
from capmodels.formats.backblaze_csv import Fleet
from capmodels.formats.chunks import FileRefused
from capmodels.formats.ingest import Ingested, ingest

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "date,serial_number,model,capacity_bytes,failure,smart_9_normalized,smart_9_raw\n"
DAYS = (
    HEAD + "2024-01-01,A,M1,4000,0,100,2400\n2024-01-01,B,M1,4000,0,100,4800\n"
    "2024-01-01,C,M2,-1,0,,\n",
    HEAD + "2024-01-02,A,M1,4000,1,100,2424\n2024-01-02,B,M1,4000,0,100,4824\n"
    "2024-01-02,C,M2,8000,0,,\n",
    HEAD + "2024-01-03,B,M1,4000,0,100,4848\n2024-01-03,C,M2,8000,0,,\n",
)


def fleet_of(*texts: str) -> Fleet:
    fleet = Fleet()
    for text in texts:
        fleet.read([text.encode()])
    return fleet


@pytest.mark.decisive
def test_drive_days_and_failures_by_model() -> None:
    fleet = fleet_of(*DAYS)
    assert fleet.rows_count == 8
    assert fleet.faults_count == 0
    one, two = fleet.models["M1"], fleet.models["M2"]
    assert (one.drive_days_count, one.failures_count, one.drives_count) == (5, 1, 2)
    assert (two.drive_days_count, two.failures_count, two.capacity_bytes) == (3, 0, 8000)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_ages_do_not_depend_on_the_order_of_the_files(order: tuple[int, ...]) -> None:
    fleet = fleet_of(*(DAYS[i] for i in order))
    drives = fleet.drives
    assert {serial: drive.failed for serial, drive in drives.items()} == {
        "A": True,
        "B": False,
        "C": False,
    }
    assert drives["A"].last_days == pytest.approx(101)
    assert drives["A"].entered_days == pytest.approx(99)
    assert drives["B"].last_days == pytest.approx(202)
    assert drives["B"].entered_days == pytest.approx(199)


def test_pieces_and_packing_change_nothing() -> None:
    packed = gzip.compress(DAYS[0].encode())
    pieces = [packed[i : i + 7] for i in range(0, len(packed), 7)]
    fleet = Fleet()
    fleet.read(pieces)
    assert fleet.models == fleet_of(DAYS[0]).models


def test_faults_have_line_numbers_and_the_rest_is_read() -> None:
    text = DAYS[0] + "2024-01-01,D,M1,4000,yes,,\nnonsense\n2024-01-01,E,M1,4000,0,,12\n"
    fleet = fleet_of(text)
    assert [fault.line for fault in fleet.faults] == [5, 6]
    assert "E" in fleet.drives


def test_another_file_is_refused() -> None:
    with pytest.raises(FileRefused, match="no column 'date'"):
        fleet_of("a,b\n1,2\n")


def test_rates_of_the_fleet_have_intervals() -> None:
    model = registry.get_model("reliability.fleet_rates")
    found = spec.evaluate(model, fleet_of(*DAYS).fleet_rates())
    assert [cohort.name for cohort in found.cohorts] == ["M1", "M2"]
    assert found.fleet.afr_per_year == pytest.approx(1 / (8 / 365))
    assert found.cohorts[1].high_per_year == pytest.approx(-math.log(0.025) / (3 / 365))


def test_lifetimes_count_drives_from_when_they_were_seen() -> None:
    document = fleet_of(*DAYS).lifetimes("M1")
    assert document["drives_count"] == [1, 1]
    assert document["failed"] == [True, False]
    assert document["durations_years"] == pytest.approx([101 / 365.25, 202 / 365.25], abs=1e-4)
    assert document["entered_years"] == pytest.approx([99 / 365.25, 199 / 365.25], abs=1e-4)


def test_the_shell_gives_the_params(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for index, text in enumerate(DAYS):
        (tmp_path / f"{index}.csv").write_text(text)
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    assert shell.main(["fleet", *paths]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == fleet_of(*DAYS).fleet_rates()
    (tmp_path / "bad.csv").write_text("x\n")
    assert shell.main(["fleet", str(tmp_path / "bad.csv")]) == 2


def ingested(data: bytes, name: str = "days.csv") -> Ingested:
    return ingest(iter([data]), lambda _piece: None, name)


def failing_fleet() -> str:
    """400 drives of ages 0 to 8 years, seen on two days a year apart; one of ten fails then."""
    rows = "".join(
        f"{day},S{i},{'AB'[i % 2]},4000000000000,{int(fails and i % 10 == 0)},100,"
        f"{24 * (2 + 7 * i)}\n"
        for day, fails in (("2023-01-01", False), ("2024-01-01", True))
        for i in range(400)
    )
    return HEAD + rows


@pytest.mark.slow
def test_a_fleet_s_file_is_known_by_content_and_summed_up() -> None:
    found = ingested(gzip.compress(failing_fleet().encode()))
    assert (found.kind, found.format, found.rows_count) == ("fleet", "backblaze", 800)
    assert found.summary["failures_count"] == 40
    assert found.summary["afr_per_year"] == pytest.approx(40 / (800 / 365))
    first = found.charts["fleet"]["cohorts"][0]
    assert (first["name"], first["drives_count"], first["capacity_tb"]) == ("A", 200, 4.0)
    assert first["low_per_year"] < first["afr_per_year"] < first["high_per_year"]


@pytest.mark.slow
def test_survival_of_a_fleet_is_that_of_the_model_on_the_same_drives() -> None:
    found = ingested(failing_fleet().encode())
    whole, *others = found.charts["lifetimes"]["curves"]
    assert [curve["name"] for curve in others] == ["A"]
    model = registry.get_model("reliability.lifetimes")
    direct = spec.evaluate(model, fleet_of(failing_fleet()).lifetimes())
    assert whole["weibull_shape_ratio"] == pytest.approx(direct.weibull_shape_ratio, rel=1e-3)
    assert whole["survival_fraction"][-1] == pytest.approx(direct.curve[-1].survival_fraction)
    assert len(whole["age_years"]) == len(whole["low_fraction"]) <= 401


def test_too_few_failures_say_why_there_is_no_curve() -> None:
    found = ingested(DAYS[1].encode())
    assert found.charts["lifetimes"]["curves"] == []
    assert "Only 1 of the drives" in found.charts["lifetimes"]["reason"]


def test_a_zip_of_days_is_one_fleet() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for index, text in enumerate(DAYS):
            archive.writestr(f"2024-01-0{index + 1}.csv", text)
        archive.writestr("cpu.csv", "time,name,cpu\n0,a,10\n60,a,11\n")
    found = ingested(file.getvalue(), "quarter.zip")
    assert (found.kind, found.rows_count, found.summary["days_count"]) == ("fleet", 8, 3)
    assert "does not hold statistics of drives" in found.faults[0].message


@pytest.mark.parametrize(
    "row",
    [
        "2024-01-01,D,M1,inf,0,,\n",
        "2024-01-01,D,M1,4000,0,,nan\n",
        "2024-01-01,D,M1,4000,0,,1e999\n",
        "2024-01-01\n",
        f"2024-01-01,{'x' * 200_000},M1,4000,0,,\n",
        "\x00\xff\x00\n",
    ],
)
def test_a_bad_row_is_a_fault_with_its_line(row: str) -> None:
    found = ingested((DAYS[0] + row).encode())
    assert (found.rows_count, found.faults_count) == (3, 1)
    assert found.faults[0].line == 5
