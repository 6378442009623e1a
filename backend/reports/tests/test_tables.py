"""The table of the comparison marks what is best, whatever the comparison says of it."""

from __future__ import annotations

import pytest

from reports.render.inputs import value_text
from reports.render.parts.years import year_tables
from reports.render.rows import comparison_table
from reports.tests import samples

ROWS = samples.comparison()["rows"]


@pytest.mark.parametrize("place", range(len(ROWS)), ids=[row["id"] for row in ROWS])
@pytest.mark.decisive
def test_the_cell_of_the_best_value_is_marked_and_no_other(place: int) -> None:
    row = ROWS[place]
    known = {letter: value for letter, value in row["values"].items() if value is not None}
    choose = {True: min, False: max}.get(row["lower_is_better"])
    wanted = choose(known, key=lambda letter: known[letter]) if choose and known else None
    report = samples.report()
    cells = comparison_table(report)["rows"][place]["cells"]
    letters = [design["letter"] for design in report.designs]
    marked = [letter for letter, cell in zip(letters, cells, strict=True) if cell["best"]]
    if row["best"] is None:  # a tie, or nothing to be best at
        assert marked == []
    else:
        assert marked == [wanted]


def test_years_are_headed_from_the_first_with_the_total_behind_the_last() -> None:
    report = samples.report()
    count = max(len(design["years"]) for design in report.designs)
    heads = [head for part in year_tables(report) for head in part["heads"]]
    assert heads == [*(f"Year {year}" for year in range(1, count + 1)), "Total"]


def test_what_is_not_known_has_a_note_that_says_why_and_what_is_known_has_none() -> None:
    report = samples.report()
    letters = [design["letter"] for design in report.designs]
    missing = 0
    for row, told in zip(ROWS, comparison_table(report)["rows"], strict=True):
        for letter, cell in zip(letters, told["cells"], strict=True):
            unknown = row["values"].get(letter) is None and bool(row["reasons"].get(letter))
            missing += unknown
            assert (cell["note"] > 0) is unknown
    assert missing > 0


@pytest.mark.parametrize(("count", "shown"), [(6, True), (7, False)])
def test_a_list_of_seven_numbers_is_told_by_its_length_and_extent(count: int, shown: bool) -> None:
    values = [float(one) for one in range(1, count + 1)]
    assert (value_text(values, None).count(",") == count - 1) is shown
