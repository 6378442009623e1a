"""Plan against what happened, in each kind of file: the same numbers."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest

from capmodels.plans.figures.actuals import paid_so_far
from reports.render import render
from reports.render.parts.actuals import MONTH_FIGURES, NAME
from reports.tests.samples import actuals, report
from reports.tests.test_csv import rows_of


@pytest.mark.decisive
def test_csv_has_every_number_in_the_column_of_the_design() -> None:
    found = actuals()
    rows = {
        row["id"]: row for row in rows_of(render(report(), "csv")) if row["section"] == "actuals"
    }
    for month in found["months"]:
        is_known = month["actual_usd"] is not None or month["actual_kwh"] is not None
        for field in ("planned_usd", "actual_usd", "difference_usd", "actual_kwh"):
            name = f"{month['month']}.{field}"
            assert (name in rows) == is_known
            if is_known:
                text = rows[name]["A"]
                assert (float(text) if text else None) == month[field]
                assert rows[name]["B"] == ""
    (cause,) = found["causes"]
    assert float(rows[f"{cause['cause']}.difference"]["A"]) == cause["difference"]


def test_the_sheet_has_the_months_that_were_entered() -> None:
    found = actuals()
    sheet: Any = openpyxl.load_workbook(io.BytesIO(render(report(), "xlsx")))[NAME]
    heads = [cell.value for cell in sheet[3]]
    assert heads == ["Month", *(f"{label} ({unit})" for _, label, unit in MONTH_FIGURES)]
    january, february = (
        dict(zip(heads, (c.value for c in sheet[at]), strict=True)) for at in (4, 5)
    )
    first, second = found["months"][:2]
    assert (january["Month"], january["Actual (USD)"]) == ("2026-01", first["actual_usd"])
    assert january["Planned (USD)"] == first["planned_usd"]
    assert january["Difference (USD)"] == "=C4-B4"
    assert february["Actual (USD)"] is None
    assert february["Actual energy (kWh)"] == second["actual_kwh"]


def test_without_a_month_the_sheet_says_so_and_csv_nothing() -> None:
    empty = report(actuals=None)
    sheet: Any = openpyxl.load_workbook(io.BytesIO(render(empty, "xlsx")))[NAME]
    assert "No month" in sheet["A2"].value
    assert "actuals" not in {row["section"] for row in rows_of(render(empty, "csv"))}


def test_the_chart_draws_what_the_page_does() -> None:
    found = actuals()
    figure = paid_so_far(found)
    plan, actual = figure.series
    assert plan.values == tuple(one["planned_so_far_usd"] for one in found["months"])
    assert actual.values[:2] == (found["months"][0]["actual_usd"], None)
    assert figure.summary == found["sentence"]
