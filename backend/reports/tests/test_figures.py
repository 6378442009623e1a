"""The charts' series: those of the screen, and consistent with the results."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from capmodels.numbers import money
from capmodels.registry import get_model
from reports.render.draw import steps
from reports.render.figures import capacity, certainty, costs, cumulative, footprint
from reports.render.figures.pair import default_pair
from reports.render.parts.over_time import break_even_rows
from reports.tests.samples import comparison, report, with_titles
from reports.tests.series import FILE, figures_of


def test_the_shared_comparison_has_the_shape_of_the_plans_answer() -> None:
    # When this fails, `python -m reports.tests.series` writes the fixtures anew.
    get_model("plans.compare").result.model_validate(comparison())


def test_draws_the_series_that_the_screen_draws() -> None:
    # A test of the front end holds its own figures to the same file.
    assert json.loads(json.dumps(figures_of(report()))) == json.loads(FILE.read_text())


@pytest.mark.decisive
def test_a_waterfall_ends_at_the_other_total() -> None:
    of = report()
    for design in of.designs[1:]:
        figure = costs.waterfall(of, "A", design["letter"])
        assert figure
        reached = figure.steps[0].change + math.fsum(s.change for s in figure.steps[1:-1])
        assert reached == pytest.approx(design["ranked_usd"], rel=1e-12)


def test_a_waterfall_shows_what_differs_by_more_than_one_percent() -> None:
    figure = costs.waterfall(report(), "A", "D")
    assert figure
    largest = max(figure.steps[0].change, figure.steps[-1].change)
    shown = [s for s in figure.steps[1:-1] if s.label != costs.REST]
    assert all(abs(step.change) > 0.01 * largest for step in shown)


def test_causes_add_up_to_each_total() -> None:
    of = report()
    figure = costs.cost_by_cause(of)
    for place, design in enumerate(of.designs):
        parts = [bar.values[place] or 0.0 for bar in figure.bars]
        assert math.fsum(parts) == pytest.approx(design["ranked_usd"], rel=1e-12)


def test_marks_the_break_even_on_the_challengers_curve() -> None:
    of = report()
    (mark,) = cumulative.cumulative_cost(of).marks
    curve = next(d for d in of.designs if d["letter"] == mark.letter)["cumulative_ranked_usd"]
    below, above = curve[math.floor(mark.x)], curve[math.ceil(mark.x)]
    assert min(below, above) <= mark.y <= max(below, above)


@pytest.mark.parametrize(
    ("count", "reason", "said"),
    [
        (1, None, "on, discounted"),
        (3, None, "on, discounted, the last of 3 crossings"),
        (2, "never", "in this time, discounted, after 2 crossings"),
        (0, "always", "from the first month on, discounted"),
    ],
)
def test_a_break_even_says_its_basis_and_how_many_crossings(
    count: int, reason: str | None, said: str
) -> None:
    answer = comparison()
    for row in answer["break_evens"]:
        row |= {"crossings_count": count, "reason": reason}
    assert cumulative.cumulative_cost(report(comparison=answer)).title.endswith(said)


def test_any_two_designs_have_their_break_even_and_the_table_keeps_to_the_winners() -> None:
    of = report()
    letters = [design["letter"] for design in of.designs]
    assert all(
        cumulative.break_even_of(of, one, other)
        for one in letters
        for other in letters
        if one != other
    )
    winner = of.comparison["winner"]
    rows = break_even_rows(of)
    assert len(rows) == len(letters) - 1
    assert all(winner in {row["challenger"], row["incumbent"]} for row in rows)


def test_shows_the_range_of_the_two_designs_compared_only() -> None:
    of = report()
    bands = cumulative.cumulative_cost(of).bands
    assert {band.letter for band in bands} == set(default_pair(of))


def test_without_draws_there_are_no_odds_and_no_ranges() -> None:
    result = comparison() | {"odds": None}
    for design in result["designs"]:
        design |= {"p10_usd": None, "p90_usd": None, "win_fraction": None}
        design |= {"cumulative_p10_usd": None, "cumulative_p90_usd": None}
    of = report(comparison=result)
    assert certainty.odds(of) is None
    assert cumulative.cumulative_cost(of).bands == ()
    assert set(costs.totals(of).low) == {None}


def test_one_design_has_nothing_to_be_held_against() -> None:
    of = with_titles(["Alone"])
    assert default_pair(of) == ("A", "A")
    assert costs.waterfall(of, "A", "A") is None
    assert certainty.tornado(of) is None


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_axis_of_swings_has_the_zero_that_its_title_speaks_of(
    monkeypatch: pytest.MonkeyPatch, sign: float
) -> None:
    figure = certainty.tornado(report())
    assert figure
    far = tuple(
        replace(swing, at_low=sign * 2.0e6, at_high=sign * 2.1e6) for swing in figure.swings
    )
    shown: list[tuple[float, float]] = []
    monkeypatch.setattr(
        steps, "value_axis", lambda axis, *_: shown.append(axis.get_view_interval())
    )
    figure = replace(figure, swings=far, center=sign * 2.05e6)
    assert steps.draw_tornado(figure, report().currency, 6.0)
    ((low, high),) = shown
    assert low < 0 < high


def test_a_baseline_is_what_the_winner_is_held_against() -> None:
    result = comparison()
    result["designs"][2]["is_baseline"] = True
    assert default_pair(report(comparison=result)) == ("C", result["winner"])


def test_what_is_not_known_is_said_with_its_reason() -> None:
    of = report()
    unknown = next(d for d in of.designs if d["carbon"]["basis"] == "unknown")
    said = f"{unknown['letter']}, {unknown['title']}: not known: {unknown['carbon']['reason']}"
    assert said in footprint.carbon(of).summary


def test_names_what_binds() -> None:
    result = comparison()
    assert capacity.capacity(report()).title.startswith(
        "RAM is the constraint in A and C, cores in B"
    )
    for design in result["designs"]:
        design["binding"]["label"] = "RAM"
    assert (
        capacity.capacity(report(comparison=result)).title
        == "RAM is the constraint in every design"
    )
    result["designs"][1]["carries_load"] = False
    assert capacity.capacity(report(comparison=result)).title == "B cannot meet demand"


def test_a_study_ranked_by_present_value_shows_present_values() -> None:
    of = report()
    figure = costs.totals(of)
    assert figure.title == "Present value over 3 years, mean"
    amounts = sorted(d["ranked_usd"] for d in of.designs)
    assert list(figure.bars[0].values) == amounts
    # What is told in place of the chart has the amounts that the chart shows.
    said = [figure.summary.find(money(amount, of.currency)) for amount in amounts]
    assert -1 < said[0] < said[-1]
    assert said == sorted(said)


def test_what_is_cheaper_from_the_start_has_no_crossing_to_mark() -> None:
    result = comparison()
    start, end = default_pair(report())
    for row in result["break_evens"]:
        if {row["challenger"], row["incumbent"]} == {start, end}:
            row |= {"reason": "always", "exact_months": 0.0, "cost_usd": 0.0}
    figure = cumulative.cumulative_cost(report(comparison=result))
    assert not figure.marks
    assert "from the first month on" in figure.title
