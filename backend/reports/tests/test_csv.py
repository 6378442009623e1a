"""The comparison as CSV."""

from __future__ import annotations

import csv
import io

from reports.render import render
from reports.tests.samples import comparison, report, with_titles


def rows_of(file: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"))))


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
            found = rows["cause", f"{cause['side']}.{cause['cause']}"]
            assert float(found[design["letter"]]) == cause["amount_usd"]
        for year in design["years"]:
            assert float(rows["year", f"{year['year']}.cash"][design["letter"]]) == year["cash_usd"]


def test_text_that_looks_like_a_formula_stays_text() -> None:
    titles = ['=HYPERLINK("http://example.com")', "+1", "-1, then", "@a", "plain, with a comma"]
    head = rows_of(render(with_titles(titles), "csv"))[0]
    assert [head[letter] for letter in "ABCDE"] == [*(f"'{t}" for t in titles[:4]), titles[4]]
