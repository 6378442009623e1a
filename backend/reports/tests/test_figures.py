"""The charts' series, which screen and print share: consistent with the results."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.numbers import money
from capmodels.plans.figures.capacity import capacity
from capmodels.plans.figures.certainty import odds, spread_of_cost, tornado
from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.costs import cost_by_cause, totals
from capmodels.plans.figures.cumulative import break_even_of, cumulative
from capmodels.plans.figures.drawn import drawn
from capmodels.plans.figures.footprint import carbon
from capmodels.plans.figures.waterfall import REST, waterfall
from reports.render.draw import steps
from reports.render.parts.over_time import break_even_rows
from reports.tests.samples import comparison, report, with_titles
from reports.tests.series import FILE, answer_json, drawn_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import JSONDict
    from capmodels.told import Figure


def over_time(answer: JSONDict | None = None) -> Figure:
    """The cumulative cost that a report shows."""
    of = Compared(answer or comparison())
    return cumulative(of, *of.pair, discounted=of.by_value)


def leaves(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every text and number of a document, with its place."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, f"{at}/{key}")
    else:
        yield at, value


def test_the_shared_comparison_is_the_plans_answer() -> None:
    # When this fails, `python -m reports.tests.series` writes the fixtures anew.
    now, kept = dict(leaves(json.loads(answer_json()))), dict(leaves(comparison()))
    assert now.keys() == kept.keys()
    moved = [
        at
        for at, value in now.items()
        if value != (pytest.approx(kept[at], 1e-6, 1e-6) if type(value) is float else kept[at])
    ]
    assert moved == []


def test_the_front_end_is_tested_on_what_is_drawn_of_it() -> None:
    # When this fails, `python -m reports.tests.series` writes the fixtures anew.
    assert drawn_json() == FILE.read_text()


@pytest.mark.decisive
def test_a_waterfall_ends_at_the_other_total() -> None:
    of = Compared(comparison())
    for design in of.designs[1:]:
        figure = waterfall(of, "A", design["letter"])
        assert figure
        reached = math.fsum(value or 0.0 for value in figure.series[0].values[:-1])
        assert reached == pytest.approx(design["ranked_usd"], rel=1e-12)


def test_a_waterfall_shows_what_differs_by_more_than_one_percent() -> None:
    figure = waterfall(Compared(comparison()), "A", "D")
    assert figure
    (first, *changes, last) = (value or 0.0 for value in figure.series[0].values)
    shown = [usd for row, usd in zip(figure.rows[1:], changes, strict=False) if row != REST]
    assert all(abs(usd) > 0.01 * max(first, last) for usd in shown)


def test_causes_add_up_to_each_total() -> None:
    of = report()
    figure = cost_by_cause(of.compared)
    for place, design in enumerate(of.designs):
        left = [cause["ranked_usd"] for cause in design["causes"] if cause["cause"] == "salvage"]
        parts = [*left, *(one.values[place] or 0.0 for one in figure.series)]
        assert math.fsum(parts) == pytest.approx(design["ranked_usd"], rel=1e-12)


def test_marks_the_break_even_on_the_challengers_curve() -> None:
    of = report()
    (dot,) = over_time().dots
    curve = next(d for d in of.designs if d["letter"] == dot.role)["cumulative_ranked_usd"]
    below, above = curve[math.floor(dot.at)], curve[math.ceil(dot.at)]
    assert min(below, above) <= dot.value <= max(below, above)


def test_a_break_even_says_its_basis() -> None:
    assert over_time().title.endswith("on, discounted, mean of simulations")


def test_any_two_designs_have_their_break_even_and_the_table_keeps_to_the_winners() -> None:
    of = report()
    letters = [design["letter"] for design in of.designs]
    assert all(
        break_even_of(of.compared, one, other, discounted=True)
        for one in letters
        for other in letters
        if one != other
    )
    winner = of.comparison["winner"]
    rows = break_even_rows(of)
    assert len(rows) == len(letters) - 1
    assert all(winner in {row["challenger"], row["incumbent"]} for row in rows)


def test_shows_the_range_of_the_two_designs_compared_only() -> None:
    banded = {one.role for one in over_time().series if one.low}
    assert banded == set(Compared(comparison()).pair)


def test_without_draws_there_are_no_odds_and_no_ranges() -> None:
    result = comparison() | {"odds": None}
    for design in result["designs"]:
        design |= {"p10_usd": None, "p90_usd": None, "win_fraction": None}
        design |= {"cumulative_p10_usd": None, "cumulative_p90_usd": None}
    of = Compared(result)
    assert odds(of) is None
    assert spread_of_cost(of) is None
    assert not any(one.low for one in over_time(result).series)
    assert set(totals(of).series[1].low) == {None}


def test_one_design_has_nothing_to_be_held_against() -> None:
    of = with_titles(["Alone"]).compared
    assert of.pair == ("A", "A")
    assert waterfall(of, "A", "A") is None
    assert tornado(of) is None


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_axis_of_swings_has_the_zero_that_its_title_speaks_of(
    monkeypatch: pytest.MonkeyPatch, sign: float
) -> None:
    answer = comparison() | {"tornado_center_usd": sign * 2.05e6}
    for row in answer["tornado"]:
        row |= {"at_low_usd": sign * 2.0e6, "at_high_usd": sign * 2.1e6}
    figure = tornado(Compared(answer))
    assert figure
    shown: list[tuple[float, float]] = []
    monkeypatch.setattr(
        steps, "value_axis", lambda axis, *_: shown.append(axis.get_view_interval())
    )
    assert steps.draw_tornado(figure, report().currency, 6.0)
    ((low, high),) = shown
    assert low < 0 < high


def test_a_baseline_is_what_the_winner_is_held_against() -> None:
    result = comparison()
    result["designs"][2]["is_baseline"] = True
    assert Compared(result).pair == ("C", result["winner"])


def test_what_is_not_known_is_said_with_its_reason() -> None:
    of = report()
    unknown = next(d for d in of.designs if d["carbon"]["basis"] == "unknown")
    said = f"{unknown['letter']}, {unknown['title']}: not known: {unknown['carbon']['reason']}"
    assert said in carbon(of.compared).summary


def test_names_what_binds_with_its_limit() -> None:
    result = comparison()
    for design in result["designs"]:
        held = {"label": "disk", "limit_fraction": 0.85, "used_fraction": 0.84, "group": None}
        design["binding"] |= held
    # E is a hybrid, whose use is not known: it is not counted among all.
    assert capacity(Compared(result)).title == (
        "Disk (limit 85%) is the constraint in every design with a value (E has none)"
    )
    held = {"label": "cores", "limit_fraction": 0.7, "used_fraction": 0.69}
    result["designs"][0]["binding"] |= held
    assert "cores (limit 70%) in A" in capacity(Compared(result)).title
    result["designs"][1]["carries_load"] = False
    assert capacity(Compared(result)).title == "B cannot meet demand"


def test_a_study_ranked_by_present_value_shows_present_values() -> None:
    of = report()
    figure = totals(of.compared)
    assert figure.title == "Present value over 3 years, mean"
    amounts = sorted(d["ranked_usd"] for d in of.designs)
    assert list(figure.series[0].values) == amounts
    # What is told in place of the chart has the amounts that the chart shows.
    said = [figure.summary.find(money(amount, of.currency)) for amount in amounts]
    assert -1 < said[0] < said[-1]
    assert said == sorted(said)


def test_what_is_cheaper_from_the_start_has_no_crossing_to_mark() -> None:
    result = comparison()
    start, end = Compared(result).pair
    for design in result["designs"]:
        if design["letter"] in {start, end}:
            least = 1.0 if design["letter"] == end else 2.0
            count = len(design["cumulative_ranked_usd"])
            design["cumulative_ranked_usd"] = [least * month for month in range(count)]
    figure = over_time(result)
    assert not figure.dots
    assert "from the first month on" in figure.title


def test_what_is_drawn_tells_the_years_as_they_are_printed() -> None:
    of = comparison()
    told = drawn(of).years["A"]
    assert all(re.fullmatch(r"\$[\d,]+\u00a0k", text) for text in told["cash_usd"])
    *years, whole = (int(re.sub(r"\D", "", text)) for text in told["cash_usd"])
    assert sum(years) == whole
    (design,) = (one for one in of["designs"] if one["letter"] == "A")
    for year, printed in zip(design["years"], years, strict=True):
        assert abs(year["cash_usd"] / 1000 - printed) <= 1
    assert {len(line) for line in told.values()} == {4}


def test_an_answer_of_an_older_version_is_told_as_one_of_today() -> None:
    old = comparison()
    del old["measure"]
    for design in old["designs"]:
        del design["ranked_usd"]
        for part in (*design["causes"], *design["years"]):
            del part["ranked_usd"]
    found = drawn(old)
    assert found.unsaid["measure"] == "Present value, as entered"
    first = found.unsaid["designs"][0]
    assert first["causes"][0]["ranked_usd"] == old["designs"][0]["causes"][0]["npv_usd"]
    assert "ranked_usd" not in found.years["A"]
    assert drawn(comparison()).unsaid == {}
