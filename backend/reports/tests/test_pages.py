"""Pages of runs as tables, and charts as wide as the page between its margins."""

from __future__ import annotations

import re

import pytest

from capmodels.numbers import USD
from reports.render.pdf import CONTENT_IN, FOLDER
from reports.render.run_pages import COLUMNS, _bars

MM_PER_IN = 25.4


@pytest.mark.parametrize("count", [1, COLUMNS, COLUMNS + 1, 2 * COLUMNS + 3])
def test_a_chart_of_bars_has_each_series_once_with_its_values(count: int) -> None:
    names = [f"S{number}" for number in range(count)]
    series = [{"name": name, "values": [10.0 * at, 10.0 * at + 5]} for at, name in enumerate(names)]
    figure = {
        "title": "Bars",
        "along": {"unit": "count"},
        "series": series,
        "rows": ["first", "second"],
    }
    tables = _bars(figure, USD)
    assert [head for table in tables for head in table["heads"]] == names
    for place, row in enumerate(("first", "second")):
        cells = []
        for table in tables:
            head, *rest = table["rows"][place]
            assert head == row
            assert len(rest) == len(table["heads"]) <= COLUMNS
            cells += rest
        wanted = [10 * at + (5 if place else 0) for at in range(count)]
        assert [float(cell.split()[0]) for cell in cells] == wanted


@pytest.mark.parametrize(("paper", "width_mm"), [("a4", 210.0), ("letter", 215.9)])
def test_charts_are_as_wide_as_the_page_between_its_margins(paper: str, width_mm: float) -> None:
    found = re.search(r"margin: \(x: (\d+)mm", (FOLDER / "page.typ").read_text("utf-8"))
    assert found is not None
    between_mm = width_mm - 2 * float(found[1])
    assert CONTENT_IN[paper] * MM_PER_IN == pytest.approx(between_mm, abs=1e-9)
