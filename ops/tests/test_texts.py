"""What the commands print."""

from typing import Any

import pytest

from ops import run
from ops.once import cell, comparison_text
from ops.say import table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2_970_123.4, "2,970,123"),
        (0.18612, "0.1861"),
        (None, "\N{EM DASH}"),
        (True, "yes"),
        (-1234.5, "-1,234"),
        ("A", "A"),
    ],
)
def test_a_value_in_the_table(value: object, text: str) -> None:
    assert cell(value) == text


def test_columns_line_up() -> None:
    lines = table(["", "A", "B"], [["Cost", "1", "22"], ["Energy", "333", "4"]]).splitlines()
    assert lines == [
        "          A   B",
        "------  ---  --",
        "Cost      1  22",
        "Energy  333   4",
    ]


def test_the_comparison_shows_best_values_reasons_and_the_verdict() -> None:
    result: dict[str, Any] = {
        "designs": [{"letter": "A", "title": "Rent"}, {"letter": "B", "title": "Own"}],
        "rows": [
            {
                "label": "Cost, 3 yr",
                "unit": "USD",
                "values": {"A": 2000.0, "B": None},
                "reasons": {"B": "no price of the switch"},
                "best": "A",
            }
        ],
        "verdict": {
            "kind": "winner",
            "headline": "**A is cheapest**.",
            "payoff": "Never pays off.",
        },
    }
    text = comparison_text({"title": "Rent or own"}, result)
    assert text.startswith("Rent or own\n\n  A Rent\n  B Own\n")
    assert "Cost, 3 yr [USD]  2,000 *  \N{EM DASH}\n" in text
    assert "Cost, 3 yr: no price of the switch (B)" in text
    assert text.endswith("A is cheapest.\nNever pays off.")


def test_a_pdf_is_refused_without_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run.parse(["--pdf", "report.pdf"])
    assert "--pdf goes with --once" in capsys.readouterr().err
