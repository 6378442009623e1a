"""Numbers on the page are written as those on the screen."""

from __future__ import annotations

import json
from typing import Any

import pytest

from capmodels.numbers import (
    USD,
    Currency,
    day,
    exact,
    money,
    money_change,
    months,
    percent,
    quantity,
    significant,
    snapshot_day,
    span,
    stated_day,
)
from reports.render.draw.canvas import axis_text
from reports.tests.samples import FIXTURES

# The front end's tests hold its formats to the same file.
EXAMPLES: list[dict[str, Any]] = json.loads((FIXTURES / "numbers.json").read_text())


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: f"{row['value']} {row['unit']}")
@pytest.mark.decisive
def test_writes_a_quantity_as_the_screen_does(row: dict[str, Any]) -> None:
    assert plain(quantity(row["value"], row["unit"])) == row["text"]


def test_an_exact_half_goes_up_in_every_sentence_as_on_the_screen() -> None:
    # toFixed and the formats of a browser do so; 66.5% was 66% in the verdict, 67% in its chart.
    assert quantity(0.665, "fraction") == "67%"
    assert quantity(0.125, "fraction") == "13%"


def test_shows_an_em_dash_for_what_is_not_known() -> None:
    assert [money(None), quantity(None, "W"), months(None), significant(float("nan"))] == ["—"] * 4


def test_shows_another_currency_at_the_rate_of_the_study() -> None:
    assert plain(money(1_000_000, Currency("EUR", 0.9))) == "€900 k"
    assert plain(money(1_000_000, Currency("CHF", 0.9))) == "CHF 900 k"


def test_says_months_below_three_years_and_years_above() -> None:
    assert [plain(months(count)) for count in (28.6, 36, 40)] == [
        "28.6 months",
        "36 months",
        "3.3 years",
    ]


def test_a_half_as_it_is_written_goes_up_in_any_currency() -> None:
    texts = (money(1075), money(1075 / 0.93, Currency("EUR", 0.93)), percent(0.285))
    assert [plain(text) for text in texts] == ["$1.08 k", "€1.08 k", "29%"]


def test_what_stands_together_has_one_unit() -> None:
    ticks = [axis_text(value, "kWh", USD, 1_900.0) for value in (0.0, 500.0, 1_500.0)]
    assert [plain(text) for text in ticks] == ["0 MWh", "0.5 MWh", "1.5 MWh"]
    assert plain(axis_text(500.0, "kgCO2e", USD, 2_000.0)) == "0.5 t CO₂e"


def test_joins_the_ends_of_a_range_under_one_unit() -> None:
    assert plain(span(2_810_000, 3_140_000, "USD")) == "$2.81–3.14 M"
    assert plain(span(17, 23, "months")) == "17–23 months"
    assert plain(span(-1000, 23_000, "USD")) == "−$1.00 k to $23.0 k"
    assert plain(span(0.4, 0.6, "fraction")) == "40–60%"


def test_writes_changes_dates_and_full_values() -> None:
    assert plain(money_change(12_000)) == "+$12.0 k"
    assert day("2025-09-01") == "1 Sep 2025"
    assert [stated_day(text) for text in ("2025-09-01T10:00", "2025-09-31", "2025-09")] == [
        "1 Sep 2025",
        "2025-09-31",
        "Sep 2025",
    ]
    assert snapshot_day("2026-07-01-e9e72e09") == "1 Jul 2026 (snapshot e9e72e09)"
    assert exact(1234567.891, "USD") == "$1,234,567.891"
    assert exact(0.1301, "USD/kWh") == "$0.1301/kWh"
    assert exact(0) == "0"
    assert exact(0.0000125) == "0.0000125"
    assert exact(2.5e-16) == "2.5 × 10⁻¹⁶"
