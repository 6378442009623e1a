"""Reports of disk arrays: every format draws them, and the workbook's formulas agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from capmodels.registry import get_model
from capmodels.spec import Context, params_schema, validate
from reports.render import render
from reports.render.workbook import SUMMARY, YEARS
from reports.testing.excel import Sheets
from reports.testing.pdf_reading import pages_of, text_of
from reports.tests.samples import report
from studies.services import EXAMPLES

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, ReportInput


@pytest.fixture(scope="module")
def arrays() -> ReportInput:
    """The example study of disk arrays, its title as long as a planner may make it."""
    study = yaml.safe_load((EXAMPLES / "disk-arrays.yaml").read_text("utf-8"))["study"]
    designs: list[JSONDict] = [
        {**{name: part[name] for name in ("letter", "title", "kind")}, **part["spec"]}
        for part in study["designs"]
    ]
    plan = get_model("plans.compare")
    names = ("workload", "assumptions", "ranges")
    document: dict[str, Any] = {"designs": designs, **{name: study[name] for name in names}}
    params = validate(plan, {**document, "draws_count": 200})
    answer = plan.run(params, Context()).model_dump(mode="json")
    return report(
        title=study["title"], comparison=answer, document=document, schema=params_schema(plan)
    )


def test_the_table_has_the_rows_of_arrays(arrays: ReportInput) -> None:
    text = render(arrays, "csv").decode("utf-8-sig")
    for label in ("Cost per TB-year", "Chance of data loss", "Mean response at peak", "Drives"):
        assert label in text


def test_the_workbook_sums_drives_as_capital(arrays: ReportInput) -> None:
    sheets = Sheets(render(arrays, "xlsx"))
    for design in arrays.comparison["designs"]:
        letter = design["letter"]
        row = sheets.find(SUMMARY, "A", f"{letter}, ", after=6)
        assert sheets.get(SUMMARY, f"C{row}") == pytest.approx(design["total_usd"], abs=0.006)
        head = sheets.find(YEARS, "A", f"{letter}, ")
        capital = sheets.find(YEARS, "A", "of it capital", after=head)
        bought = design["years"][0]["capex_usd"]
        assert sheets.get(YEARS, f"B{capital}") == pytest.approx(bought, abs=0.1)


@pytest.mark.slow
def test_the_pages_show_arrays_and_nothing_runs_off_them(arrays: ReportInput) -> None:
    pdf = render(arrays, "pdf")
    text = text_of(pdf)
    assert "Disk array" in text
    assert "1 in 43" in text
    for page in pages_of(pdf):
        for _, left, bottom, right, top in page.boxes:
            assert left >= 0
            assert bottom >= 0
            assert right <= page.width
            assert top <= page.height
