"""What is printed: parts add up to their total, years are rounded each by itself."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.numbers import USD, Currency
from capmodels.printed import (
    YEAR_FIELDS,
    printed_before,
    printed_steps,
    printed_years,
)
from capmodels.rounding import half_up, whole_parts
from reports.render.parts.causes import cause_table
from reports.tests.samples import FIXTURES, report

EXAMPLES: list[dict[str, Any]] = json.loads((FIXTURES / "parts.json").read_text())

AMOUNTS = st.lists(st.floats(-1e12, 1e12).map(lambda usd: usd if abs(usd) > 1e-6 else 0.0))
SCALES = {"": 1.0, "k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def units_of(text: str) -> tuple[int, str]:
    """A printed amount as a whole number of its last digit, and what its unit is."""
    found = re.fullmatch(r"(−?)[$€]([\d,]+)(?:\.(\d+))?\u00a0?(\w?)", text)
    assert found, text
    sign, whole, cents, suffix = found.groups()
    units = int(whole.replace(",", "") + (cents or ""))
    return (-units if sign else units), f"{len(cents or '')}{suffix}"


def added(texts: list[str]) -> int:
    """Sum of printed amounts, all of which that are not zero must have one unit."""
    read = [units_of(text) for text in texts]
    assert len({unit for units, unit in read if units}) <= 1, texts
    return sum(units for units, _ in read)


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: row["sum"])
def test_prints_parts_as_the_screen_does(row: dict[str, Any]) -> None:
    currency = USD if row["per_usd"] == 1.0 else Currency("EUR", row["per_usd"])
    parts, _, _, total = printed_before(row["amounts"], (), row["total"], currency)
    assert [part.replace("\u00a0", " ") for part in parts] == row["parts"]
    assert total.replace("\u00a0", " ") == row["sum"]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(amounts=AMOUNTS, rate=st.sampled_from([1.0, 0.9, 157.3]))
@pytest.mark.decisive
def test_printed_parts_add_up_to_the_printed_total(amounts: list[float], rate: float) -> None:
    total = math.fsum(amounts)
    parts, _, _, printed = printed_before(amounts, (), total, Currency("EUR", rate))
    assert added(parts) == units_of(printed)[0]


def test_a_sum_is_rounded_as_wherever_else_it_stands() -> None:
    costs, left = [100_000.4, 67_882.25], [-1_000.4]
    printed = printed_before(costs, left, math.fsum([*costs, *left]), USD)
    assert printed == (["$100,001", "$67,882"], "$167,883", ["−$1,001"], "$166,882")
    (year, _), *_ = printed_years([{"opex_usd": math.fsum(costs)}], USD).values()
    assert year == printed[1]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    changes=st.lists(st.floats(-1e9, 1e9).map(lambda usd: usd if abs(usd) > 1e-6 else 0.0)),
    start=st.floats(1.0, 1e9),
    rate=st.sampled_from([1.0, 157.3]),
)
def test_printed_steps_lead_from_the_printed_start_to_the_printed_end(
    changes: list[float], start: float, rate: float
) -> None:
    end = math.fsum([start, *changes])
    (first, *steps, last), levels = printed_steps(start, changes, end, Currency("EUR", rate))
    assert added([first, *(step.removeprefix("+") for step in steps)]) == added([last])
    assert levels[-2:] == [last, last]
    assert levels[0] == first


@settings(max_examples=300, deadline=None, derandomize=True)
@given(amounts=st.lists(st.floats(-1e9, 1e9)))
def test_no_part_is_a_unit_off(amounts: list[float]) -> None:
    total = math.fsum(amounts)
    whole = whole_parts(amounts, total)
    assert sum(whole) == half_up(total)
    assert all(abs(part - amount) < 1.0 + 1e-6 for part, amount in zip(whole, amounts, strict=True))


YEAR = st.fixed_dictionaries(
    {
        name: st.floats(-1e8, 1e9).map(lambda usd: usd if abs(usd) > 1e-6 else 0.0)
        for name in ("capex_usd", "opex_usd", "depreciation_usd", "npv_usd", "ranked_usd")
    }
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(YEAR, min_size=1, max_size=10))
def test_amounts_of_years_are_rounded_each_by_itself(years: list[dict[str, float]]) -> None:
    for year in years:
        year["cash_usd"] = year["capex_usd"] + year["opex_usd"]
    lines = printed_years(years, USD)
    assert tuple(lines) == YEAR_FIELDS
    _, kind = max((units_of(cells[-1]) for cells in lines.values()), key=lambda read: abs(read[0]))
    one = SCALES[kind[1:]] / 10 ** int(kind[0])
    for field, cells in lines.items():
        amounts = [year[field] for year in years]
        for text, usd in zip(cells, (*amounts, math.fsum(amounts)), strict=True):
            assert abs(units_of(text)[0] * one - usd) <= one / 2 + 1e-3


def test_the_tables_of_a_report_add_up_as_printed() -> None:
    of = report()
    causes = cause_table(of)
    before, total = causes["sums"]
    assert [row["label"] for row in causes["left"]] == ["Value left"]
    for at, letter in enumerate(one["letter"] for one in of.designs):
        kinds = (causes["rows"], causes["left"])
        costs, left = (
            [cell["text"] for row in rows if (cell := row["cells"][at])["text"]] for rows in kinds
        )
        assert added(costs) == units_of(before["said"][at])[0], letter
        assert added([*costs, *left]) == units_of(total["said"][at])[0], letter
