"""The workbook: its formulas give the model's figures, and follow what is changed."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from capmodels.registry import get_model
from capmodels.spec import Context, params_schema, validate
from reports.render import render
from reports.render.cover import WARNING, verdict_points
from reports.render.parts.workings import paid_months
from reports.render.text import unmarked
from reports.render.workbook import ASSUMPTIONS, COMPUTED, MONTHS, SUMMARY, YEARS
from reports.testing.excel import Sheets
from reports.tests.samples import comparison, document, report, with_titles

if TYPE_CHECKING:
    from reports.render.contents import JSONDict

HORIZON_YEARS = 3
# Amounts are in whole cents that add up, so each is a little off, and a sum of them too.
CENTS = 0.1


@pytest.fixture(scope="module")
def file() -> bytes:
    return render(report(), "xlsx")


def row_of(sheets: Sheets, letter: str, line: str) -> int:
    head = sheets.find(YEARS, "A", f"{letter}, ")
    return sheets.find(YEARS, "A", line, after=head)


def summary_of(sheets: Sheets, letter: str, column: str) -> Any:
    return sheets.get(SUMMARY, f"{column}{sheets.find(SUMMARY, 'A', f'{letter}, ', after=6)}")


def test_the_formulas_give_the_models_figures(file: bytes) -> None:
    sheets = Sheets(file)
    for design in comparison()["designs"]:
        letter = design["letter"]
        for year, amounts in enumerate(design["years"]):
            column = "BCDEFGH"[year]
            for line, field in (
                ("Cost, undiscounted", "cash_usd"),
                ("of it capital", "capex_usd"),
                ("of it operating", "opex_usd"),
                ("Depreciation", "depreciation_usd"),
                ("Present value", "npv_usd"),
            ):
                ours = sheets.get(YEARS, f"{column}{row_of(sheets, letter, line)}")
                assert ours == pytest.approx(amounts[field], abs=CENTS), (letter, line)
        assert summary_of(sheets, letter, "C") == pytest.approx(design["total_usd"], abs=0.006)
        assert summary_of(sheets, letter, "E") == pytest.approx(design["npv_usd"], abs=CENTS)
        assert summary_of(sheets, letter, "F") == pytest.approx(
            design["eac_usd_per_year"], abs=CENTS
        )
        assert summary_of(sheets, letter, "H") == 0.0


def cells_of(sheets: Sheets, sheet: str, row: int) -> list[float]:
    return [sheets.get(sheet, f"{column}{row}") for column in "BCDE"]


@pytest.mark.parametrize("change", [0.0, 0.123456])
def test_printed_cents_add_up_along_and_across(file: bytes, change: float) -> None:
    sheets = Sheets(file)
    for column in "BCDEFG":
        row = sheets.find(ASSUMPTIONS, "A", "Staff", after=9)
        sheets.set(ASSUMPTIONS, f"{column}{row}", change)
    for design in comparison()["designs"]:
        for sheet in (COMPUTED, YEARS):
            head = sheets.find(sheet, "A", f"{design['letter']}, ")
            last = sheets.find(sheet, "A", "Cost, undiscounted", after=head)
            printed = [
                [round(usd * 100) for usd in cells_of(sheets, sheet, row)]
                for row in range(head + 1, last + 1)
            ]
            # Nothing stands behind the cents that are shown.
            for row in range(head + 1, last):
                for usd in cells_of(sheets, sheet, row)[:-1]:
                    assert usd == round(usd, 2)
            *causes, cash = printed
            assert [sum(column) for column in zip(*causes, strict=True)] == cash
            assert all(sum(years) == total for *years, total in printed)
            if change == 0.0:
                assert cash[-1] == math.floor(design["total_usd"] * 100 + 0.5)


def test_says_all_that_the_verdict_says(file: bytes) -> None:
    """What Compare and the PDF say beside the headline, in the same words."""
    sheet = openpyxl.load_workbook(io.BytesIO(file))[SUMMARY]
    said = " ".join(str(cell.value) for (cell,) in sheet["A1:A60"] if cell.value)
    points = verdict_points(comparison())
    assert {"Pay-off", "As entered", WARNING} <= {label for label, _ in points}
    for label, sentence in points:
        assert f"{label}: {unmarked(sentence)}" in said
        assert f"{label}: {label}" not in said
        assert not sentence[:1].islower()


@pytest.mark.decisive
def test_names_the_cheapest_and_how_far_above_it_the_others_are(file: bytes) -> None:
    sheets = Sheets(file)
    result = comparison()
    place = sheets.find(SUMMARY, "A", "Cheapest at entered values")
    assert sheets.get(SUMMARY, f"C{place}") == result["winner"]
    cheapest = min(report().compared.entered_usd(d) for d in result["designs"])
    for design in result["designs"]:
        above = summary_of(sheets, design["letter"], "D")
        assert above == pytest.approx(report().compared.entered_usd(design) - cheapest, abs=CENTS)


def test_a_design_that_does_not_carry_the_load_is_not_the_cheapest() -> None:
    result = comparison()
    winner = next(d for d in result["designs"] if d["letter"] == result["winner"])
    winner["carries_load"] = False
    sheets = Sheets(render(report(comparison=result), "xlsx"))
    place = sheets.find(SUMMARY, "A", "Cheapest at entered values")
    assert sheets.get(SUMMARY, f"C{place}") == result["runner_up"]


def answer(discount_fraction_per_year: float) -> JSONDict:
    spec = get_model("plans.compare")
    study = document()
    study["assumptions"]["discount_fraction_per_year"] = discount_fraction_per_year
    found: JSONDict = spec.run(validate(spec, study), Context()).model_dump(mode="json")
    return found


def test_a_changed_discount_rate_gives_what_the_model_gives_at_that_rate() -> None:
    """What hardware is worth at the end is an amount of its own rate, and stays as computed."""
    before, after = answer(0.08), answer(0.03)
    sheets = Sheets(render(report(comparison=before), "xlsx"))
    sheets.set(ASSUMPTIONS, "B4", 0.03)
    followed = 0
    for was, design in zip(before["designs"], after["designs"], strict=True):
        if was["total_usd"] != pytest.approx(design["total_usd"]):
            continue
        letter, followed = design["letter"], followed + 1
        assert summary_of(sheets, letter, "E") == pytest.approx(design["npv_usd"], abs=CENTS)
        assert summary_of(sheets, letter, "F") == pytest.approx(
            design["eac_usd_per_year"], abs=CENTS
        )
    assert followed >= 3
    assert "stays as computed at 8%" in str(sheets.get(ASSUMPTIONS, "C4"))


def test_without_a_discount_rate_the_present_value_is_the_cost(file: bytes) -> None:
    sheets = Sheets(file)
    sheets.set(ASSUMPTIONS, "B4", 0.0)
    for design in comparison()["designs"]:
        assert summary_of(sheets, design["letter"], "E") == pytest.approx(
            design["total_usd"], abs=CENTS
        )
        assert summary_of(sheets, design["letter"], "F") == pytest.approx(
            design["total_usd"] / HORIZON_YEARS, abs=CENTS
        )


def test_dearer_hardware_makes_the_owned_design_dearer_by_that(file: bytes) -> None:
    sheets = Sheets(file)
    design = next(d for d in comparison()["designs"] if d["kind"] == "owned_cluster")
    hardware = sum(year["causes"]["hardware"] for year in design["years"])
    letters = [sheets.get(ASSUMPTIONS, f"{c}9") for c in "BCDEFGHI"]
    column = "BCDEFGHI"[letters.index(design["letter"])]
    sheets.set(ASSUMPTIONS, f"{column}{sheets.find(ASSUMPTIONS, 'A', 'Hardware', after=9)}", 0.1)
    cost = summary_of(sheets, design["letter"], "C")
    assert cost == pytest.approx(design["total_usd"] + 0.1 * hardware, abs=CENTS)
    # Purchases are paid at the start of a year, the first one not discounted at all.
    first = 0.1 * design["years"][0]["causes"]["hardware"]
    more = summary_of(sheets, design["letter"], "E") - design["npv_usd"]
    assert first <= more + 1e-6 <= 0.1 * hardware + 1e-3


def test_an_amount_typed_over_moves_total_and_present_value(file: bytes) -> None:
    sheets = Sheets(file)
    design = comparison()["designs"][0]
    row = sheets.find(COMPUTED, "A", "Storage", after=4)
    before = sheets.get(COMPUTED, f"C{row}")
    sheets.set(COMPUTED, f"C{row}", before + 10_000.0)
    assert summary_of(sheets, "A", "C") == pytest.approx(design["total_usd"] + 10_000.0)
    # Spread over the second year: discounted by a year and a half.
    more = summary_of(sheets, "A", "E") - design["npv_usd"]
    assert more == pytest.approx(10_000.0 * 1.08**-1.5, abs=CENTS)


def test_payments_by_month_add_up_to_the_models_present_value() -> None:
    for design in comparison()["designs"]:
        months = paid_months(design, 0.08)
        step = 1.08 ** (-1 / 12)
        total = sum(s * step**m + e * step ** (m + 1) for m, (s, e) in enumerate(months))
        assert total == pytest.approx(design["npv_usd"], rel=1e-9)
        assert sum(s + e for s, e in months) == pytest.approx(design["total_usd"], rel=1e-9)


def test_has_units_in_its_heads_and_no_error(file: bytes) -> None:
    sheets = Sheets(file)
    heads = [cell.value for cell in sheets.book[SUMMARY][6] if cell.value]
    assert all("(" in head for head in heads[2:])
    for sheet in sheets.book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    assert isinstance(sheets.get(sheet.title, cell.coordinate), int | float | str)


def test_every_sum_of_the_year_by_year_table_is_a_formula(file: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(file))
    numbers = [c for row in book[YEARS].iter_rows() for c in row if c.data_type == "n" and c.value]
    assert numbers == []
    assert book[MONTHS].max_row == 3 + 12 * HORIZON_YEARS


def test_holds_inputs_with_units_and_sources_odds_and_charts() -> None:
    params = validate(get_model("plans.compare"), document()).model_dump(mode="json")
    schema = params_schema(get_model("plans.compare"))
    of = report(document=params, schema=schema)
    book = openpyxl.load_workbook(io.BytesIO(render(of, "xlsx")))
    rows = {(row[0], row[1]): row for row in book["Inputs"].iter_rows(min_row=4, values_only=True)}
    cores = rows["Workload", "Busy cores, mean"]
    assert (cores[2], cores[3]) == (params["workload"]["busy_cores_count"], "cores")
    assert {part[:1] for part, _ in rows} >= {d["letter"] for d in params["designs"]}
    assert book["Sources"].max_row > 4
    result = comparison()
    for row, design in enumerate(result["designs"], start=4):
        stated = result["odds"]["wins"].get(design["letter"])
        assert book["Odds"][f"B{row}"].value == stated
        assert book["Odds"][f"D{row}"].value == pytest.approx(design["p50_usd"])
    assert len(book["Charts"]._charts) == 2


def test_a_title_with_control_characters_is_cleaned() -> None:
    book = openpyxl.load_workbook(io.BytesIO(render(report(title="bell\x07 title"), "xlsx")))
    assert book.properties.title == "bell title"


def test_text_that_looks_like_a_formula_stays_text() -> None:
    of = with_titles(['=HYPERLINK("http://example.com","x")', "+1", "@SUM(A1)", "-2"])
    book = openpyxl.load_workbook(io.BytesIO(render(of, "xlsx")))
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row]
    assert not [c for c in cells if c.data_type == "f" and "HYPERLINK" in str(c.value)]
    assert any(c.data_type == "s" and "HYPERLINK" in str(c.value) for c in cells)


def test_every_sheet_prints_on_the_width_of_a_page_with_its_heads_repeated(file: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(file))
    for sheet in book:
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert sheet.page_setup.fitToHeight == 0
        assert sheet.oddFooter.right.text == "&P / &N"
        assert sheet.freeze_panes is not None
    for name in (YEARS, COMPUTED, MONTHS):
        assert book[name].print_title_rows == "$1:$3"
    # The helping columns and sentences wider than the table would make the print tiny.
    assert book[SUMMARY].print_area.startswith("'Summary'!$A$1:$I$")
    assert "A3:I3" in {str(found) for found in book[SUMMARY].merged_cells.ranges}


def test_all_cells_have_one_typeface(file: bytes) -> None:
    book = openpyxl.load_workbook(io.BytesIO(file))
    faces = {
        cell.font.name
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    }
    assert faces == {"Arial"}


def test_the_sums_beside_the_amounts_as_computed_are_formulas_too(file: bytes) -> None:
    sheets = Sheets(file)
    for design in comparison()["designs"]:
        head = sheets.find(COMPUTED, "A", f"{design['letter']}, ")
        row = sheets.find(COMPUTED, "A", "Cost, undiscounted", after=head)
        assert sheets.get(COMPUTED, f"B{row}") == pytest.approx(
            design["years"][0]["cash_usd"], abs=CENTS
        )


def test_the_summary_has_the_hours_down_of_each_design_and_what_they_are_made_of() -> None:
    of = report()
    sheet = openpyxl.load_workbook(io.BytesIO(render(of, "xlsx")))[SUMMARY]
    rows = {str(row[0]).partition(",")[0]: row[1:3] for row in sheet.iter_rows(values_only=True)}
    for design in of.designs:
        known = design["downtime"]
        hours, what = rows[design["letter"]]
        assert hours == pytest.approx(known["h_per_year"], rel=1e-14)
        assert what == known["what"].replace("\u00a0", " ")
