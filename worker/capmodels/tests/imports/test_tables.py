"""Tables as strangers write them: marks of decimals, titles above, ends of lines, sheets."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import workbook
from capmodels.imports.registry import opened, recognised

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict

HEAD = ["Name", "Model", "CPU", "Cores", "Memory (GB)", "Disk (TB)", "CPU usage (%)", "Price"]
ABOVE = {
    "nothing": [],
    "a title": [["Inventory of Example"], []],
    "a title of Excel's": [["Inventory"] + [""] * 7, [""] * 8],
    "pairs": [["Version", "1.0"], ["Exported", "2026-11-01"], ["By", "CMDB"]],
}


def read(path: Path, data: bytes) -> JSONDict:
    file = path / "file"
    file.write_bytes(data)
    table = opened(file)
    found: JSONDict = recognised(table.columns).read(table, lambda _share, _said: None)
    return found


def said(value: float, mark: str) -> str:
    """A number with groups of thousands, without decimals where it has none."""
    text = f"{value:,.2f}" if value % 1 else f"{value:,.0f}"
    return text if mark == "." else text.translate(str.maketrans(",.", ".,"))


def machines(seed: int) -> list[list[str | float]]:
    draw = random.Random(seed)
    rows: list[list[str | float]] = [
        [f"m{at}", "R750", "Xeon Gold 6338", draw.choice([32, 64]), draw.choice([512, 1024, 2048]),
         draw.choice([3.84, 7.68, 1.0]), draw.randint(1, 99), draw.choice([8500.0, 12250.5])]
        for at in range(30)
    ]  # fmt: skip
    return [*rows, ["last", "R750", "Xeon Gold 6338", 64, 1024, 15.36, 12, 9999.5]]


def written(
    rows: list[list[str | float]], delimiter: str, mark: str, above: list[list[str]], end: str
) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerows(above)
    writer.writerow(HEAD)
    for row in rows:
        writer.writerow([one if isinstance(one, str) else said(one, mark) for one in row])
    return text.getvalue().encode()


@pytest.mark.parametrize("above", ABOVE.values(), ids=list(ABOVE))
@pytest.mark.parametrize(("delimiter", "mark"), [(",", "."), (";", ","), ("\t", ","), ("|", ".")])
def test_a_list_is_read_with_either_mark_below_any_title(
    above: list[list[str]], delimiter: str, mark: str, tmp_path: Path
) -> None:
    rows = machines(len(above) + ord(delimiter))
    found = read(tmp_path, written(rows, delimiter, mark, above, "\n"))
    whole = found["totals"]
    assert found["faults_count"] == 0
    assert whole["machines_count"] == len(rows)
    assert whole["ram_gib"] == sum(float(row[4]) for row in rows)
    assert whole["disk_tb"] == pytest.approx(sum(float(row[5]) for row in rows), rel=1e-12)
    assert whole["price_usd"] == pytest.approx(sum(float(row[7]) for row in rows), rel=1e-12)
    busy = sum(float(row[3]) * float(row[6]) / 100 for row in rows)
    assert whole["busy_cores_count"] == pytest.approx(busy, rel=1e-12)
    first = len(above) + 2
    assert found["rows"] == [first, first + len(rows) - 1, len(rows)]


def test_what_excel_says_of_its_delimiter_is_no_head(tmp_path: Path) -> None:
    rows = machines(1)
    plain = read(tmp_path, written(rows, ";", ",", [], "\r\n"))
    told = read(tmp_path, b"sep=;\r\n" + written(rows, ";", ",", [], "\r\n"))
    assert told["totals"] | {"rows": None} == plain["totals"] | {"rows": None}


def test_lines_that_end_in_two_ways_and_cells_of_two_lines_are_read(tmp_path: Path) -> None:
    rows = machines(2)
    rows[3][1] = "R750\nwith a note"
    head, _, rest = written(rows, ",", ".", [], "\r\n").partition(b"\r\n")
    for end in (b"\r\n", b"\n"):
        assert read(tmp_path, head + end + rest)["totals"]["machines_count"] == len(rows)


def test_a_table_in_a_spreadsheet_is_read_as_the_table(tmp_path: Path) -> None:
    rows = machines(3)
    sheets: dict[str, Any] = {"Sheet": [["Read me"]], "Servers": [["Exported today"], HEAD, *rows]}
    plain = read(tmp_path, written(rows, ",", ".", [["Exported today"]], "\n"))
    assert read(tmp_path, workbook.written(sheets)) == plain


@pytest.mark.parametrize("is_calculated", [False, True])
def test_a_formula_without_its_value_is_refused(is_calculated: bool, tmp_path: Path) -> None:
    rows = [("Description", "Qty", "Unit price", "Total"), ("Server", 2, 1000, "=B2*C2")]
    data = workbook.written({"Sheet": rows})
    if is_calculated:  # as a spreadsheet program saves it
        whole = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(whole, "w") as new:
            for name in old.namelist():
                text = old.read(name).replace(b"</f><v />", b"</f><v>2000</v>")
                new.writestr(name, text.replace(b"</f><v></v>", b"</f><v>2000</v>"))
        assert "2,000.00" in read(tmp_path, whole.getvalue())["headline"]
        return
    with pytest.raises(FileRefused, match="A formula in the spreadsheet has no value"):
        read(tmp_path, data)
