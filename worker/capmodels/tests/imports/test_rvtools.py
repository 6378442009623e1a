"""Fleets from RVTools: generated workbooks against sums of our own, and damaged ones."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import load_workbook

from capmodels.formats.chunks import FileRefused
from capmodels.imports import rvtools
from capmodels.imports.packed import unpacked
from capmodels.imports.registry import Options, opened, recognised
from capmodels.imports.workbook import written
from capmodels.written_numbers import number_of

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict

_MODELS = (("Dell", "R750", "Xeon", 2), ("HPE", "DL325", "EPYC  7543", 1), ("", "", "", 2))


def generated(seed: int, hosts: int, guests: int, size: str) -> tuple[bytes, dict[str, float]]:
    """A workbook with columns in any order, and what it adds up to."""
    draw = random.Random(seed)
    whole = {"cores": 0.0, "busy": 0.0, "ram": 0.0, "vcpus": 0.0, "used": 0.0}
    names = ["Host", "CPU Model", "# CPU", "# Cores", "CPU usage %", "# Memory", "Memory usage %"]
    names += ["Vendor", "Model", "A further column"]
    draw.shuffle(names)
    machines: list[list[Any]] = [names]
    for at in range(hosts):
        vendor, model, cpu, sockets = draw.choice(_MODELS)
        cores, busy, ram = (
            sockets * draw.choice((8, 32, 64)),
            draw.uniform(0, 100),
            2 ** draw.randint(16, 21),
        )
        row = {"Host": f"esx-{at}", "CPU Model": cpu, "# CPU": sockets, "# Cores": cores,
               "CPU usage %": busy, "# Memory": ram, "Memory usage %": 50,
               "Vendor": vendor, "Model": model}  # fmt: skip
        machines.append([row.get(name) for name in names])
        whole["cores"] += cores
        whole["busy"] += cores * busy / 100
        whole["ram"] += ram / 1024
    held: list[list[Any]] = [["VM", "Powerstate", "Template", "CPUs", "Memory", f"In Use {size}"]]
    for at in range(guests):
        on, used = draw.random() < 0.8, draw.randint(0, 10**6)
        cpus = draw.randint(1, 32)
        held.append([f"vm-{at}", "poweredOn" if on else "poweredOff", False, cpus, 4096, used])
        whole["vcpus"] += cpus if on else 0
        whole["used"] += used * 2**20 / 1e12
    return written({"vHost": machines, "vInfo": held}), whole


def read(tmp_path: Path, data: bytes) -> JSONDict:
    path = tmp_path / "fleet.xlsx"
    path.write_bytes(data)
    return rvtools.read(opened(path), lambda _share, _said: None)  # type: ignore[arg-type]  # a workbook


@pytest.mark.parametrize(("seed", "size"), [(0, "MiB"), (1, "MB"), (2, "MiB")])
@pytest.mark.decisive
def test_a_fleet_is_the_sum_of_its_rows(seed: int, size: str, tmp_path: Path) -> None:
    data, whole = generated(seed, hosts=40, guests=150, size=size)
    found = read(tmp_path, data)
    totals = found["totals"]
    assert totals["hosts_count"] == 40
    assert totals["cores_count"] == whole["cores"]
    assert totals["busy_cores_count"] == pytest.approx(whole["busy"])
    assert totals["ram_gib"] == pytest.approx(whole["ram"])
    assert totals["used_ram_gib"] == pytest.approx(whole["ram"] / 2)
    assert sum(row["hosts_count"] for row in found["hosts"]) == 40
    running = next(row for row in found["guests"] if row["state"] == "on")
    assert running["vcpus_count"] == whole["vcpus"]
    drafted = rvtools.draft(found, Options(file_name="f.xlsx", as_of="2026-10-01"))
    assert drafted.workload["busy_cores_count"] == pytest.approx(whole["busy"])
    assert drafted.workload["block_tb"] == pytest.approx(whole["used"])
    assert drafted.baseline is None


def test_what_is_not_measured_is_unknown_and_told(tmp_path: Path) -> None:
    hosts: list[Any] = [("Host", "# Cores", "# Memory", "CPU usage %"), ("esx-1", 32, 262144, None)]
    hosts.append(("esx-2", "many", 262144, 10))
    found = read(tmp_path, written({"vHost": hosts, "vInfo": [["VM"]]}))
    assert "does not say how busy" in found["headline"]
    assert found["faults"] == [
        {"line": 3, "message": "vHost, # Cores: 'many' is not a number; left out."}
    ]
    drafted = rvtools.draft(found, Options(file_name="f.xlsx", as_of="2026-10-01"))
    assert drafted.workload == {"kind": "demand"}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("1,234.5", 1234.5), ("1.234,5", 1234.5), ("12,5", 12.5), ("1,234", 1234.0)),
        *(("1 234", 1234), ("0,125", 0.125), ("1234,567", 1234.567), ("1.234.567", 1234567)),
        *(("(1,500.00)", -1500), ("12.50-", -12.5), ("1'234.50", 1234.5), ("1.2E-05", 1.2e-5)),
        ("12,34,567.8", 1234567.8),
    ],
)
def test_numbers_as_spreadsheets_write_them(text: str, number: float) -> None:
    assert number_of(text) == number


def _archive(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name.replace("__", "/"), data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04 and nothing", "damaged"),
        (_archive(readme=b"hello"), "no spreadsheet"),
        (_archive(**{"xl__workbook.xml": b"<", "xl__vbaProject.bin": b"x"}), "macros"),
        (_archive(**{"xl__workbook.xml": b"<"}), "damaged"),
    ],
)
def test_what_is_no_workbook_is_refused_with_a_sentence(
    data: Any, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(FileRefused, match=said):
        opened(path)


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("capmodels.imports.workbook.UNPACKED_BYTES_MAX", 1000)
    path = tmp_path / "file"
    path.write_bytes(rvtools.sample())
    with pytest.raises(FileRefused, match="unpacks to more"):
        opened(path)


HOST = {"Host": "esx", "CPU Model": "Xeon Gold 6338", "# CPU": 2, "# Cores": 64, "CPU usage %": 50,
        "# Memory": 1048576, "Memory usage %": 25, "Vendor": "Dell", "Model": "R750"}  # fmt: skip
GUEST = {"VM": "a", "Powerstate": "poweredOn", "Template": False, "CPUs": 4, "Memory": 16384}
SHEETS: dict[str, dict[str, Any]] = {
    "vHost": HOST,
    "vInfo": GUEST | {"In Use MiB": 2 * 10**6},
    "vPartition": {"VM": "a", "Consumed MiB": 3 * 10**6},
    "vDisk": {"VM": "a", "Capacity MiB": 4 * 10**6},
    "vDatastore": {"Name": "san", "Capacity MiB": 9 * 10**6, "In Use MiB": 10**6},
}
TB = 2**20 / 1e12


def of_sheets(tmp_path: Path, sheets: dict[str, dict[str, Any]]) -> JSONDict:
    file = tmp_path / "fleet.xlsx"
    rows = {name: [list(row), list(row.values())] for name, row in sheets.items()}
    file.write_bytes(written(rows))
    found = opened(file)
    assert recognised(found.columns) is rvtools.IMPORTER
    return rvtools.read(found, lambda _share, _said: None)  # type: ignore[arg-type]  # a workbook


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        (("vHost",), {"busy_cores_count": 32.0, "ram_gib": 256.0}),
        (("vInfo",), {"block_tb": 2e6 * TB}),
        (("vHost", "vDisk"), {"busy_cores_count": 32.0, "ram_gib": 256.0, "block_tb": 4e6 * TB}),
        (("vHost", "vPartition", "vDisk"),
         {"busy_cores_count": 32.0, "ram_gib": 256.0, "block_tb": 3e6 * TB}),
        (tuple(SHEETS), {"busy_cores_count": 32.0, "ram_gib": 256.0, "block_tb": 1e6 * TB}),
    ],
)  # fmt: skip
def test_sheets_that_are_missing_leave_open_what_they_say(
    tmp_path: Path, there: tuple[str, ...], expected: dict[str, float]
) -> None:
    found = of_sheets(tmp_path, {name: SHEETS[name] for name in there})
    drafted = rvtools.draft(found, Options(file_name="f.xlsx", as_of="2026-11-23"))
    assert drafted.workload == pytest.approx({"kind": "demand"} | expected)
    told = " ".join(drafted.open_points)
    for sheet in ("vHost", "vInfo"):
        assert (f"The sheet {sheet} is not in the file" in told) == (sheet not in there)
    assert ("disks are counted as they are sized" in told) == (there == ("vHost", "vDisk"))


def test_a_workbook_of_neither_kind_is_refused_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "list.xlsx"
    file.write_bytes(written({"Sheet": [("Name", "Colour", "Age"), ("a", "red", 64)]}))
    with pytest.raises(FileRefused, match="of no kind that can be imported"):
        recognised(opened(file).columns)


@pytest.mark.parametrize("form", ["tab", "vHost", "vInfo"])
def test_older_names_of_sheets_and_sheets_alone_in_csv(form: str, tmp_path: Path) -> None:
    data, _ = generated(4, 20, 50, "MB")
    whole = read(tmp_path, data)
    book = load_workbook(io.BytesIO(data))
    if form == "tab":
        for sheet in book.worksheets:
            sheet.title = f"tab{sheet.title}"
        file = io.BytesIO()
        book.save(file)
        assert read(tmp_path, file.getvalue())["totals"] == whole["totals"]
        return
    text = io.StringIO()
    csv.writer(text).writerows(book[form].iter_rows(values_only=True))
    found = read(tmp_path, text.getvalue().encode())
    key = "totals" if form == "vHost" else "guests"
    assert found[key] == whole[key]
    assert found["rows"][form] == whole["rows"][form]
    assert f"The sheet {({'vHost', 'vInfo'} - {form}).pop()} is not in the file" in " ".join(
        found["notes"]
    )
    if form == "vHost":
        assert "running" not in found["headline"]


def test_hosts_that_do_nothing_are_told(tmp_path: Path) -> None:
    shares = [0.0, 4.9, 5.0, 60.0, None]
    sheet = {f"h{at}": share for at, share in enumerate(shares)}
    head = ("Host", "# Cores", "# Memory", "CPU usage %", "Memory usage %", "# VMs")
    rows = [head, *((name, 32, 65536, share, 10, 3) for name, share in sheet.items())]
    found = read(tmp_path, written({"vHost": rows}))
    assert found["totals"]["idle_count"] == 2
    drafted = rvtools.draft(found, Options(file_name="f.xlsx", as_of="2026-10-01"))
    assert any(point.startswith("2 hosts of 5 less than 5% busy") for point in drafted.open_points)
    hosts = next(table for table in rvtools.tables(found) if table["title"] == "Hosts")
    heads = [column["title"] for column in hosts["columns"]]
    assert hosts["rows"][0][heads.index("Virtual machines")] == 15


@pytest.mark.parametrize("form", ["RVTools_tab{}.csv", "export/RVTools_tab{}.csv", "{}.csv"])
@pytest.mark.parametrize("delimiter", [",", ";"])
@pytest.mark.decisive
def test_sheets_in_a_file_each_are_one_export(form: str, delimiter: str, tmp_path: Path) -> None:
    data, whole = generated(3, hosts=30, guests=90, size="MiB")
    book = load_workbook(io.BytesIO(data))
    cpus = book.create_sheet("vCPU")
    cpus.append(["VM", "Overall"])
    for place in range(90):
        cpus.append([f"vm-{place}", 100 * place])
    book.create_sheet("vDatastore").append(["Name", "Capacity MiB", "In Use MiB"])
    book["vDatastore"].append(["ds-1", 4_000_000, 1_500_000])
    book.create_sheet("dvSwitch").append(["Switch", "Datacenter"])
    host = book["vHost"]
    at = host.max_column + 1
    for place, speed in enumerate(["Speed", *[2000] * 30], start=1):
        host.cell(place, at, speed)
    file = io.BytesIO()
    book.save(file)
    files = {}
    for sheet in book.worksheets:
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter).writerows(sheet.iter_rows(values_only=True))
        files[form.format(sheet.title)] = text.getvalue().encode("utf-8-sig")
    packed = tmp_path / "export.zip"
    packed.write_bytes(_archive(**files))
    found = opened(unpacked(packed))
    assert recognised(found.columns) is rvtools.IMPORTER
    said = rvtools.read(found, lambda _share, _said: None)  # type: ignore[arg-type]  # sheets
    assert said == read(tmp_path, file.getvalue())
    assert said["totals"]["busy_cores_count"] == pytest.approx(whole["busy"])
    assert said["datastores"]["used_tb"] == pytest.approx(1_500_000 * 2**20 / 1e12)
    assert any(row["busy_cores_count"] for row in said["sizes"])


def test_sheets_beside_another_table_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(_archive(**{"RVTools_tabvInfo.csv": b"VM,CPUs\n", "bill.csv": b"a,b\n1,2\n"}))
    with pytest.raises(FileRefused, match=r"RVTools_tabvInfo\.csv and bill\.csv"):
        unpacked(path)


def test_running_machines_without_cpus_or_memory_are_told(tmp_path: Path) -> None:
    path = tmp_path / "book"
    head = ("VM", "Powerstate", "Template", "CPUs", "Memory")
    rows = [head, ("a", "poweredOn", False, 4, 8192), ("b", "poweredOn", False, None, 8192)]
    path.write_bytes(written({"vInfo": rows}))
    found = rvtools.IMPORTER.read(opened(path), lambda _share, _said: None)
    assert found["notes"][-1].startswith("1 running virtual machine of which the file does not say")
