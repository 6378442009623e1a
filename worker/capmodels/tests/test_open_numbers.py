"""Every reader of numbers asks where a column could be read in two ways, and reads what decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.formats.chunks import FileRefused, Report
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_told import HOW_READ, trace_told
from capmodels.formats.utilization_tables import table as utilization
from capmodels.imports import workbook
from capmodels.imports.registry import Options, importer_of, opened, recognised
from capmodels.imports.table import Table
from capmodels.plans.answer.actuals import parse_actuals_csv
from capmodels.plans.document.baseline_csv import parse_baseline_csv

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.written_numbers import Mark

OPEN = ("1.234", "2.500")
POINT, COMMA = [1.234, 2.5], [1234.0, 2500.0]


def baseline(cells: tuple[str, str], mark: Mark | None, _folder: Path) -> list[float]:
    lines = [f"m{at};1;{cell}" for at, cell in enumerate(cells)]
    return [line["hours_per_month"] for line in parse_baseline_csv("\n".join(lines), mark)]


def actuals(cells: tuple[str, str], mark: Mark | None, _folder: Path) -> list[float]:
    lines = [f"2026-0{at};{cell}" for at, cell in enumerate(cells, start=1)]
    text = "\n".join(["month;cost_usd", *lines])
    return [row["cost_usd"] for row in parse_actuals_csv(text, mark)]


def imported(text: str, mark: Mark | None, folder: Path) -> Any:
    (folder / "file.csv").write_text(text, "utf-8")
    table = opened(folder / "file.csv", None, mark)
    found = recognised(table.columns)
    return found, found.read(table, lambda _share, _said: None)


def quote(cells: tuple[str, str], mark: Mark | None, folder: Path) -> list[float]:
    lines = [f"Server {at};1;{cell}" for at, cell in enumerate(cells)]
    found, preview = imported("\n".join(["Description;Qty;Unit price", *lines]), mark, folder)
    return [row[-1] for row in found.tables(preview)[0]["rows"]]


def inventory(cells: tuple[str, str], mark: Mark | None, folder: Path) -> list[float]:
    lines = [f"m{at};R750;Xeon Gold 6338;32;{cell}" for at, cell in enumerate(cells)]
    text = "\n".join(["Name;Model;CPU;Cores;Memory (GB)", *lines])
    _, preview = imported(text, mark, folder)
    return [preview["totals"]["ram_gib"]]


def rvtools(cells: tuple[str, str], mark: Mark | None, folder: Path) -> list[float]:
    lines = [f"vm{at};poweredOn;False;2;{cell}" for at, cell in enumerate(cells)]
    _, preview = imported("\n".join(["VM;Powerstate;Template;CPUs;Memory", *lines]), mark, folder)
    return [guest["ram_gib"] * 1024 for guest in preview["guests"]]


def tariff(cells: tuple[str, str], mark: Mark | None, folder: Path) -> list[float]:
    days = [f"2026-01-01 {hour:02}:00 UTC;{cells[hour % 2]}" for hour in range(24)]
    _, preview = imported("\n".join(["Time (UTC);Price [EUR/kWh]", *days]), mark, folder)
    return list(preview["values"][:2])


READERS: dict[str, Any] = {
    "baseline": (baseline, lambda values: values),
    "actuals": (actuals, lambda values: values),
    "quote": (quote, lambda values: values),
    "inventory": (inventory, lambda values: [sum(values)]),
    "rvtools": (rvtools, lambda values: [sum(values)]),
    "tariff": (tariff, lambda values: values),
}


@pytest.mark.parametrize("name", READERS)
def test_a_column_that_could_be_read_in_two_ways_is_asked_about(name: str, tmp_path: Path) -> None:
    read, _ = READERS[name]
    with pytest.raises((ParamsError, FileRefused)) as refused:
        read(OPEN, None, tmp_path)
    faults = getattr(refused.value, "faults", None)
    sentence = faults[0].message if faults else str(refused.value)
    assert "“1.234” may be 1.234 or 1,234.0, and no number says which" in sentence


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("cells", "mark", "values"),
    [
        (OPEN, ".", POINT),
        (OPEN, ",", COMMA),
        (("1.234", "2.5"), None, [1.234, 2.5]),
        (("1.234", "2.500,5"), None, [1234.0, 2500.5]),
        (("1.234", "0.5"), ",", [1.234, 0.5]),
        (("1234", "2500"), None, COMMA),
    ],
)
def test_what_was_chosen_or_what_the_column_says_decides(
    name: str, cells: tuple[str, str], mark: Mark | None, values: list[float], tmp_path: Path
) -> None:
    read, shown = READERS[name]
    assert read(cells, mark, tmp_path) == pytest.approx(shown(values))


@pytest.mark.parametrize(
    ("cells", "mark", "wanted"),
    [
        (("1.234", "2.500,5"), None, ["Price [EUR/kWh]: read with decimal commas, as its numbers"]),
        (("0.5", "1.25"), None, []),
        (OPEN, ",", ["Price [EUR/kWh]: “1.234” may be 1.234 or 1,234.0"]),
    ],
)
def test_how_numbers_are_read_is_noted_with_what_is_read(
    cells: tuple[str, str], mark: Mark | None, wanted: list[str], tmp_path: Path
) -> None:
    days = [f"2026-01-01 {hour:02}:00 UTC;{cells[hour % 2]}" for hour in range(24)]
    (tmp_path / "file.csv").write_text("\n".join(["Time (UTC);Price [EUR/kWh]", *days]), "utf-8")
    table = opened(tmp_path / "file.csv", None, mark)
    assert isinstance(table, Table)
    recognised(table.columns).read(table, lambda _share, _said: None)

    assert len(table.notes) == len(wanted)
    assert all(map(str.startswith, table.notes, wanted))


def test_a_spreadsheets_own_number_is_no_text_with_thousands(tmp_path: Path) -> None:
    sheets = {"Quote": [("Description", "Qty", "Unit price"), ("Server", 1, 12.125)]}
    (tmp_path / "file").write_bytes(workbook.written(sheets))
    for mark in (None, ",", "."):
        file = opened(tmp_path / "file", None, mark)
        preview = importer_of("quote").read(file, lambda _share, _said: None)
        (row,) = importer_of("quote").tables(preview)[0]["rows"]
        assert row[-1] == 12.125


@pytest.mark.parametrize(
    ("head", "cells", "wanted"),
    [
        ("cpu %", ("1.234", "2.500"), (0.01234, 0.025)),
        ("watts", ("85.123", "90.456"), (85.123, 90.456)),
        ("watts", ("1.234", "2.50"), (1.234, 2.5)),
        ("watts", ("1.234", "2.500,5"), (1234.0, 2500.5)),
    ],
)
def test_a_trace_is_read_as_what_its_columns_hold(
    head: str, cells: tuple[str, str], wanted: tuple[float, float]
) -> None:
    lines = [f"time;{head}", *(f"{at};{cell}" for at, cell in enumerate(cells))]
    found = list(utilization(lines, "m", Report()))
    values = [one.cpu_fraction if head == "cpu %" else one.watts for one in found]
    assert values == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("head", "cells", "wanted"),
    [
        (
            "cpu %",
            ("1.234", "2.500"),
            "cpu %: “1.234” is read as 1.234, as no share is above",
        ),
        ("watts", ("85.123", "90.456"), "watts: “85.123” is read as 85.123, as no server"),
        ("watts", ("1.234", "2.500,5"), "watts: read with decimal commas, as its numbers say."),
        ("watts", ("1,234", "2.50"), "watts: read with decimal points, as its numbers say."),
        ("cpu", ("0.25", "0.75"), "cpu: no value of the first lines is above 1; read as fractions"),
        ("cpu", ("25", "75"), "cpu: read as percent, as values are above 1."),
        ("cpu %", ("1.5", "2.5"), None),
    ],
)
def test_a_trace_says_how_its_numbers_were_read(
    head: str, cells: tuple[str, str], wanted: str | None
) -> None:
    lines = [f"time;{head}", *(f"{at};{cell}" for at, cell in enumerate(cells))]
    found = ingest(["\n".join(lines).encode()], lambda _packed: None, "m")
    notes = trace_told(found.kind, found.summary, found.charts).notes
    assert [one for one in notes if "read" in one] == [
        one for one in notes if wanted and one.startswith(wanted)
    ]
    assert wanted is None or any(one.startswith(wanted) for one in notes)
    assert (HOW_READ in found.summary) is (wanted is not None)


@pytest.mark.parametrize("read", [parse_baseline_csv, parse_actuals_csv])
def test_what_is_pasted_says_how_its_numbers_were_read(read: Any) -> None:
    open_lines = {
        parse_baseline_csv: "type;count;hours\nm;1;{}\nn;1;{}",
        parse_actuals_csv: "month;cost_usd\n2026-01;{}\n2026-02;{}",
    }[read]
    for cells, mark, wanted in (
        (("1.234", "2.500,5"), None, "read with decimal commas, as its numbers say."),
        (("1.234", "2.500"), ",", "read as 1,234.0, as chosen."),
        (("1.5", "2.5"), None, ""),
    ):
        notes: list[str] = []
        read(open_lines.format(*cells), mark, notes=notes)
        assert len(notes) == bool(wanted)
        assert all(one.endswith(wanted) for one in notes)


def test_a_quote_says_how_its_numbers_were_read(tmp_path: Path) -> None:
    lines = "Description;Qty;Unit price\nServer;1;1.234\nRack;1;2.500,50\n"
    (tmp_path / "file").write_text(lines)
    preview = importer_of("quote").read(opened(tmp_path / "file", None, None), lambda *_: None)
    assert "Unit price: read with decimal commas, as its numbers say." in preview["notes"]


def test_a_trace_whose_watts_could_be_either_is_refused() -> None:
    lines = ["time;watts", "0;1.234", "1;2.500"]
    with pytest.raises(FileRefused, match=r"watts: “1\.234” may be 1\.234 or 1,234\.0"):
        list(utilization(lines, "m", Report()))


def test_a_quotes_numbers_stay_as_they_were_chosen_when_its_columns_mean_something_else(
    tmp_path: Path,
) -> None:
    lines = "Item;Pieces;Cost\nServer;1;1.234\nRack;1;2.500\n"
    (tmp_path / "file").write_text(lines)
    reader = importer_of("quote")
    mapping = {"description": "Item", "quantity": "Pieces", "unit_price": "Cost"}
    preview = reader.read(opened(tmp_path / "file", None, ","), lambda _share, _said: None)
    rows = reader.tables({**preview, "mapping": mapping})[0]["rows"]
    assert [row[-1] for row in rows] == [1234.0, 2500.0]
    preview = reader.read(opened(tmp_path / "file"), lambda _share, _said: None)
    with pytest.raises(ParamsError, match="may be"):
        reader.draft(preview, Options(file_name="q", as_of="2026-11-01", mapping=mapping))
