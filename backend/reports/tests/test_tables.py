"""The table of the comparison marks what is best, whatever the comparison says of it."""

from __future__ import annotations

import pytest

from reports.render.parts.comparison import comparison_table
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
