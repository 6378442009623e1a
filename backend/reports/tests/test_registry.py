"""The registry of the parts of a report: each is in the files that it says, lists follow it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import openpyxl
import pytest

from capmodels import registry as models
from reports.render import registry, render
from reports.render.blocks import heading, listed
from reports.render.part import Page, Part, Sheet
from reports.render.registry import parts
from reports.render.sheet_layout import put_text
from reports.testing.pdf_reading import text_of
from reports.tests.samples import report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import ReportInput

ROOT = Path(models.__file__).parents[2]


def test_each_part_has_a_name_of_its_own_and_a_file_that_has_it() -> None:
    assert len({part.id for part in parts()}) == len(parts()) == len(registry.MODULES)
    assert all(part.title and part.formats for part in parts())
    assert [part.id for part in parts()] == list(registry.MODULES)


def with_arrays() -> ReportInput:
    """A report whose first design has an array, told for two years."""
    told = report().comparison
    figures = {"arrays_count": 1.0, "drives_count": 4.0, "usable_tb": 3.0, "mean_w": 40.0}
    years = [{"year": year, **figures} for year in (1, 2)]
    first, *others = told["designs"]
    return report(comparison={**told, "designs": [{**first, "array": {"years": years}}, *others]})


@pytest.mark.parametrize("part", parts(), ids=lambda part: part.id)
def test_each_part_is_in_the_files_that_it_says(part: Part) -> None:
    of = with_arrays()
    if part.blocks:
        assert [block["block"] for block in part.blocks(Page(of, 6.0))].count("heading") >= 1
    if part.rows:
        assert len(list(part.rows(of))) > 3


def test_the_workbook_has_the_sheets_of_all_parts_in_their_order() -> None:
    book = openpyxl.load_workbook(io.BytesIO(render(report(), "xlsx")))
    assert book.sheetnames == [sheet.name for part in parts() for sheet in part.sheets]
    for sheet in book:
        assert sheet["A1"].value, sheet.title


def test_pages_and_documents_list_the_parts() -> None:
    argv = [sys.executable, "-m", "reports.render"]
    told = json.loads(subprocess.run(argv, capture_output=True, check=True).stdout)
    assert [(one["id"], tuple(one["formats"])) for one in told] == [
        (part.id, part.formats) for part in parts()
    ]
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    for part in parts():
        pdf = "pdf (appendix)" if part.appendix else "pdf"
        files = ", ".join(pdf if one == "pdf" else one for one in part.formats)
        assert f"| {part.title} | {files} |" in text


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A part that somebody adds: a file that declares it, and a line."""
    made = ModuleType("reports.render.parts.made")
    made.__dict__["PART"] = Part(
        id="made",
        title="Rooms",
        blocks=lambda page: [heading("Rooms", level=1), listed([[page.report.title]])],
        sheets=(Sheet("Rooms", lambda _book, sheet: put_text(sheet, "A1", "Twelve") and None),),
        rows=lambda of: [("room", "count", "Rooms", "", [12.0] * len(of.designs))],
    )
    monkeypatch.setitem(sys.modules, made.__name__, made)
    monkeypatch.setattr(registry, "MODULES", (*registry.MODULES, "made"))
    parts.cache_clear()
    yield
    parts.cache_clear()


@pytest.mark.usefixtures("added")
def test_a_part_that_is_added_stands_in_every_kind_of_file() -> None:
    assert parts()[-1].formats == ("pdf", "xlsx", "csv")
    book = openpyxl.load_workbook(io.BytesIO(render(report(), "xlsx")))
    assert book["Rooms"]["A1"].value == "Twelve"
    last = render(report(), "csv").decode("utf-8-sig").splitlines()[-1]
    assert last.startswith("room,count,Rooms,,12.0")


@pytest.mark.slow
@pytest.mark.usefixtures("added")
def test_a_part_that_is_added_stands_on_the_pages() -> None:
    assert "Rooms" in text_of(render(report(document={}, checks=[]), "pdf"))
