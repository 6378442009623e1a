"""The comparison as CSV."""

from __future__ import annotations

import csv
import io

import pytest

from reports.render import render
from reports.render.parts.footprint import carbon_factors
from reports.render.rows import comparison_table
from reports.tests.samples import comparison, report, with_titles


def rows_of(file: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))


@pytest.mark.decisive
def test_every_figure_reads_back_exactly() -> None:
    result = comparison()
    rows = {(row["section"], row["id"]): row for row in rows_of(render(report(), "csv"))}
    for row in result["rows"]:
        for letter, value in row["values"].items():
            text = rows["comparison", row["id"]][letter]
            assert (float(text) if text else None) == value
        assert rows["comparison", row["id"]]["unit"] == row["unit"]
    for design in result["designs"]:
        for cause in design["causes"]:
            section = "value_left" if cause["cause"] == "salvage" else "cause"
            found = rows[section, f"{cause['side']}.{cause['cause']}"]
            assert float(found[design["letter"]]) == cause["ranked_usd"]
            if cause["p10_usd"] < cause["p90_usd"]:
                low = rows[section, f"{cause['side']}.{cause['cause']}.p10"]
                assert float(low[design["letter"]]) == cause["p10_usd"]
        for year in design["years"]:
            assert float(rows["year", f"{year['year']}.cash"][design["letter"]]) == year["cash_usd"]


def test_what_is_said_beside_a_value_follows_it_in_csv_and_table() -> None:
    result = comparison()
    row = next(one for one in result["rows"] if one["values"]["A"] is not None)
    row["notes"] = {"A": "SSD cache of the disk array, by writes"}
    found = rows_of(render(report(comparison=result), "csv"))
    note = next(one for one in found if one["id"] == f"{row['id']}.note")
    assert [note["label"], note["A"], note["B"]] == [f"{row['label']}: what", row["notes"]["A"], ""]
    cells = comparison_table(report(comparison=result))["rows"][result["rows"].index(row)]["cells"]
    assert cells[0]["below"].replace("\u200b", "") == row["notes"]["A"]


def test_factors_of_carbon_are_told_once_for_the_designs_that_they_are_for() -> None:
    result = comparison()
    for design in result["designs"]:
        design["carbon"]["factors"] = "Electricity: 379 g." if design["letter"] != "B" else None
    given = report(comparison=result)
    row = next(one for one in rows_of(render(given, "csv")) if one["id"] == "carbon.factors")
    assert (row["A"], row["B"]) == ("Electricity: 379 g.", "")
    [told] = carbon_factors(given)
    assert told["letters"].split(", ") == [
        design["letter"] for design in result["designs"] if design["letter"] != "B"
    ]


def test_text_that_looks_like_a_formula_stays_text() -> None:
    titles = ['=HYPERLINK("http://example.com")', "+1", "-1, then", "@a", "plain, with a comma"]
    head = rows_of(render(with_titles(titles), "csv"))[0]
    assert [head[letter] for letter in "ABCDE"] == [*(f"'{t}" for t in titles[:4]), titles[4]]
