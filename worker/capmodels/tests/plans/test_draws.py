"""Draws are the point, many times: same equations, same numbers; odds, bands and flips hold."""

from __future__ import annotations

import math
import random
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.amounts import fsum
from capmodels.plans import sliders
from capmodels.plans.answer.trials_kernel import Evaluator
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.designs import cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.pointers import leaf_at, may_vary, substitute
from capmodels.plans.document.quantities import quantities_of
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    document,
    in_hindsight,
    owned,
    plain,
    settled,
    study_of,
)
from capmodels.tests.plans.random_studies import MOVABLE, SLOW, studies

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.study import StudySpec

ROWS = 4


def moved(study: StudySpec, seed: int) -> dict[Path, np.ndarray[Any, Any]]:
    """Arrays in place of every movable input, within the schema's bounds."""
    chance, values = random.Random(seed), {}
    for pointer in MOVABLE:
        leaf = leaf_at(study, pointer)
        if leaf is None or not may_vary(leaf):
            continue
        row = [float(leaf.value) * chance.uniform(0.6, 1.6) for _ in range(ROWS)]
        row = [value if leaf.allows(value) else float(leaf.value) for value in row]
        values[leaf.path] = np.array(row)
    return values


def point_amounts(study: StudySpec) -> dict[str, tuple[float, float]]:
    """Total and present value of every design by the scalar path."""
    scene = Scene(study)
    discount = Discount(study.assumptions.discount_fraction_per_year, scene.months)
    amounts = {}
    for item in cost_designs(scene, lambda: CauseBook(scene.months)):
        assert isinstance(item.book, CauseBook)
        amounts[item.letter] = (
            fsum(item.book.cash()),
            fsum(item.book.present(discount)),
        )
    return amounts


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(document_=studies(), seed=st.integers(0, 10**6))
def test_every_draw_equals_the_point_with_the_same_values(document_: JSONDict, seed: int) -> None:
    require_draws_equal_points(document_, seed)


@pytest.mark.deep
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=SLOW)
@given(document_=studies(), seed=st.integers(0, 10**6))
def test_every_draw_of_many_studies_equals_the_point(document_: JSONDict, seed: int) -> None:
    require_draws_equal_points(document_, seed)


def require_draws_equal_points(document_: JSONDict, seed: int) -> None:
    study = in_hindsight(study_of(document_))
    values = moved(study, seed)
    scene, books = Evaluator(study, Scene(study).curves).books(values, ROWS)
    discount = Discount(scene.assumptions.discount_fraction_per_year, scene.months)
    for row in range(ROWS):
        point = substitute(study, {path: float(array[row]) for path, array in values.items()})
        for letter, (total, npv) in point_amounts(point).items():
            cash: Any = books[letter].cash()
            present: Any = books[letter].present(discount)
            slack = 1e-12 * max(float(np.abs(cash[:, row]).sum()), 1.0)
            assert abs(float(cash[:, row].sum()) - total) <= slack
            assert abs(float(present[:, row].sum()) - npv) <= slack


def test_a_move_is_bridged_on_demand_in_the_trials_in_which_it_is_shorter_than_a_term() -> None:
    move = {"parallel_months": 5.5, "parallel_letter": "B"}
    terms = [{"term_months": 6, "discount_fraction": 0.5}]
    study = plain([owned(migration=move), cloud(commitments=terms)])
    values = moved(study_of(study), 0)
    [months] = [row for path, row in values.items() if path[-1] == "parallel_months"]
    assert months.min() < 6 < months.max()
    require_draws_equal_points(study, 0)


def rent_or_own(draws_count: int) -> JSONDict:
    """The example with the hardware sold at the end: that is closer than what it says."""
    study = document("rent-or-own", draws_count=draws_count)
    study["assumptions"]["end"] = "work_stops"
    return study


@pytest.fixture(scope="module")
def sure() -> Comparison:
    return answer(rent_or_own(2000))


def test_the_odds_share_out_all_draws(sure: Comparison) -> None:
    assert sure.odds is not None
    assert sum(sure.odds.wins.values()) == pytest.approx(1.0, abs=1e-12)
    assert all(sure.odds.wins[item.letter] == item.win_fraction for item in sure.designs)


def test_the_same_seed_gives_the_same_answer_and_another_seed_another(sure: Comparison) -> None:
    again = rent_or_own(2000)
    assert answer(again) == sure
    other = answer({**again, "seed": 2})
    assert other.odds is not None
    assert sure.odds is not None
    assert other.odds.wins != sure.odds.wins
    assert other.odds.wins["D"] == pytest.approx(sure.odds.wins["D"], abs=0.06)


def test_the_order_of_the_ranges_does_not_change_the_draws(sure: Comparison) -> None:
    turned = rent_or_own(2000)
    turned["ranges"] = turned["ranges"][::-1]
    assert answer(turned).odds == sure.odds


@pytest.mark.parametrize("ranked_by", ["cash", "present_value"])
def test_causes_and_months_lead_to_the_mean_that_designs_are_ranked_by(ranked_by: str) -> None:
    study = settled(document("rent-or-own", draws_count=500))
    study["assumptions"]["ranked_by"] = ranked_by
    for design in answer(study).designs:
        parts = math.fsum(cause.ranked_usd for cause in design.causes)
        assert parts == pytest.approx(design.mean_usd, rel=1e-12)
        assert design.cumulative_ranked_usd[-1] == design.mean_usd
        years = math.fsum(year.ranked_usd for year in design.years)
        assert years == pytest.approx(design.mean_usd, rel=1e-12)
        assert years != pytest.approx(math.fsum(year.cash_usd for year in design.years), rel=1e-3)
        for cause in design.causes:
            assert cause.p10_usd is not None
            assert cause.p90_usd is not None
            assert cause.p10_usd <= cause.p90_usd
    study["ranges"] = []
    for design in answer(study).designs:
        entered = design.total_usd if ranked_by == "cash" else design.npv_usd
        parts = math.fsum(cause.ranked_usd for cause in design.causes)
        assert parts == pytest.approx(entered, rel=1e-12)
        assert design.cumulative_ranked_usd[-1] == pytest.approx(entered, rel=1e-12)
        years = math.fsum(year.ranked_usd for year in design.years)
        assert years == pytest.approx(entered, rel=1e-12)


def test_a_cause_is_drawn_as_its_own_range() -> None:
    study = plain([owned(staff_usd_per_year=50_000), cloud()])
    study["ranges"] = [{"pointer": "/designs/A/staff_usd_per_year", "low": 20_000, "high": 110_000}]
    causes = column(answer({**study, "draws_count": 40_000}), "A").causes
    staff = next(cause for cause in causes if cause.cause == "staff")
    # Triangular(20, 50, 110) thousand: its mean is 60, F(x) = (x - 20)^2 / 2700 below the mode.
    assert staff.ranked_usd == pytest.approx(60_000, rel=0.005)
    assert staff.p10_usd == pytest.approx(20_000 + 1000 * math.sqrt(270), rel=0.005)
    assert staff.p90_usd == pytest.approx(110_000 - 1000 * math.sqrt(540), rel=0.005)
    for other in causes:
        if other.cause != "staff":
            assert other.ranked_usd == pytest.approx(other.amount_usd, rel=1e-12)


def test_bands_are_ordered_and_end_at_the_totals(sure: Comparison) -> None:
    cash = document("rent-or-own", draws_count=2000)
    cash["assumptions"]["ranked_by"] = "cash"
    for design in answer(cash).designs:
        # Bands are kept in single precision.
        assert (design.cumulative_p10_usd or ())[-1] == pytest.approx(design.p10_usd, rel=1e-6)
        assert (design.cumulative_p90_usd or ())[-1] == pytest.approx(design.p90_usd, rel=1e-6)
    for design in sure.designs:
        low, middle, high = (
            design.cumulative_p10_usd or (),
            design.cumulative_p50_usd or (),
            design.cumulative_p90_usd or (),
        )
        assert len(low) == len(middle) == len(high) == sure.horizon_months + 1
        assert all(a <= b <= c for a, b, c in zip(low, middle, high, strict=True))


@pytest.mark.decisive
def test_a_cost_that_is_one_range_has_the_quantiles_of_the_triangle() -> None:
    study = plain([owned(staff_usd_per_year=50_000), cloud()])
    study["ranges"] = [{"pointer": "/designs/A/staff_usd_per_year", "low": 20_000, "high": 110_000}]
    result = column(answer({**study, "draws_count": 40_000}), "A")
    fixed = result.total_usd - 50_000
    # Triangular(20, 50, 110) thousand: F(x) = (x - 20)^2 / 2700 below the mode.
    assert result.p10_usd == pytest.approx(fixed + 20_000 + 1000 * math.sqrt(270), rel=0.005)
    assert result.p50_usd == pytest.approx(fixed + 110_000 - 1000 * math.sqrt(2700), rel=0.005)
    assert result.p90_usd == pytest.approx(fixed + 110_000 - 1000 * math.sqrt(540), rel=0.005)


def test_a_flip_is_where_both_cost_the_same() -> None:
    study = plain([owned(staff_usd_per_year=50_000), cloud()])
    study["ranges"] = [{"pointer": "/designs/A/staff_usd_per_year", "low": 20_000, "high": 90_000}]
    result = answer({**study, "draws_count": 2_000})
    (flip,) = result.flips
    # Ten nodes at $1,000 against ten instances at $1 an hour.
    assert flip.flips_at == pytest.approx(87_600 - 10_000, rel=0.002)
    assert (flip.winner_after, flip.rises) == ("B", True)


def test_a_flip_is_told_by_a_field_that_has_a_range() -> None:
    """A point, tied by hand to another design's range, does not say where the verdict turns."""
    study = plain([owned(staff_usd_per_year=100_000), cloud(staff_usd_per_year=5_000)])
    tied = {"quantity": "People"}
    study["ranges"] = [
        {"pointer": "/designs/A/staff_usd_per_year", "low": 100_000, "high": 100_000, **tied},
        {"pointer": "/designs/B/staff_usd_per_year", "low": 1_000, "high": 90_000, **tied},
    ]
    (flip,) = answer({**study, "draws_count": 2_000}).flips
    assert (flip.pointer, flip.low, flip.high) == ("/designs/B/staff_usd_per_year", 1_000, 90_000)
    # Ten instances at $1 an hour and these people against $1,000 a node and $100,000.
    assert flip.flips_at == pytest.approx(110_000 - 87_600, rel=0.01)


def test_at_every_flip_the_means_of_the_two_are_level(sure: Comparison) -> None:
    """Of a fresh evaluation of the study with the quantity known to be there."""
    entered = rent_or_own(2000)
    found = [flip for flip in sure.flips if flip.flips_at is not None]
    assert len(found) >= 2
    for place, flip in enumerate(found):
        # The nearest ones are found in the thick of the trials, the others from few of them.
        slack = 0.003 if place < 2 else 0.01
        at = {flip.pointer: float(flip.flips_at or 0.0)}
        there = answer(sliders.with_moves(entered, sliders.moved(entered, at)))
        one, other = (column(there, str(who)) for who in (sure.winner, flip.winner_after))
        assert one.ranked_usd == pytest.approx(other.ranked_usd, rel=slack)


def test_flips_stand_nearest_first_and_say_why_there_is_none(sure: Comparison) -> None:
    near = [
        abs(flip.flips_at - (flip.low + flip.value + flip.high) / 3) / (flip.high - flip.low)
        for flip in sure.flips
        if flip.flips_at is not None
    ]
    assert near == sorted(near)
    for flip in sure.flips:
        assert (flip.flips_at is None) == (flip.reason is not None) == (flip.winner_after is None)


def test_the_tornado_is_the_gap_at_the_ends_of_each_range(sure: Comparison) -> None:
    swings = [round(abs(bar.at_high_usd - bar.at_low_usd), 2) for bar in sure.tornado]
    assert swings == sorted(swings, reverse=True)
    study = study_of(rent_or_own(0))
    quantities = {item.key: item for item in quantities_of(study)}
    # What is known only after the purchase moves no purchase, so that prices alone compare.
    priced = [bar for bar in sure.tornado if re.search("price|discount|staff", bar.pointer)]
    assert len(priced) >= 4
    # All others are at their means, and the bars start at the mean that the verdict goes by.
    means = {
        member.leaf.path: sum(member.triple) / 3
        for item in quantities.values()
        for member in item.members
    }
    center = sure.tornado_center_usd
    assert center is not None
    leader, rival = (column(sure, str(letter)) for letter in (sure.winner, sure.runner_up))
    assert leader.mean_usd is not None
    assert rival.mean_usd is not None
    assert center == pytest.approx(leader.mean_usd - rival.mean_usd, rel=1e-9)

    def gap_usd(held: dict[Any, float]) -> float:
        totals = point_amounts(substitute(study, means | held))
        return totals[str(sure.winner)][1] - totals[str(sure.runner_up)][1]

    for bar in priced:
        members = quantities[bar.quantity].members
        assert bar.pointer in {member.leaf.pointer for member in members}
        for end, gap in (("low", bar.at_low_usd), ("high", bar.at_high_usd)):
            moved = gap_usd({member.leaf.path: getattr(member, end) for member in members})
            # The longest are fresh evaluations of few trials: near the straight line of prices.
            near = pytest.approx(moved - gap_usd({}), rel=0.05, abs=1e-3 * leader.mean_usd)
            assert gap - center == near


def test_what_two_designs_share_is_drawn_once() -> None:
    """The hybrid has the prices of the owned design: where those are high, so is it."""
    study = settled(document("rent-or-own", draws_count=2000))
    study["assumptions"]["ranked_by"] = "cash"
    study["ranges"] = [{"pointer": "/designs/D/hardware_price_ratio", "low": 0.2, "high": 4.0}]
    result = answer(study)
    owned_, both = column(result, "D"), column(result, "E")
    assert owned_.p90_usd is not None
    assert owned_.p10_usd is not None
    assert both.p90_usd is not None
    assert both.p10_usd is not None
    assert both.p90_usd - both.p10_usd > 0.5 * (owned_.p90_usd - owned_.p10_usd)
    rented = column(result, "A")
    assert rented.p10_usd == pytest.approx(rented.total_usd, rel=1e-9)
    assert rented.p90_usd == pytest.approx(rented.total_usd, rel=1e-9)


def test_no_probability_is_shown_that_was_not_computed() -> None:
    for study in (
        document("rent-or-own"),
        {**settled(document("rent-or-own", draws_count=500)), "ranges": []},
    ):
        result = answer(study)
        assert result.odds is None
        assert result.flips == ()
        assert result.tornado == ()
        assert result.verdict.odds is None
        assert all(design.p50_usd is None for design in result.designs)


def test_a_design_that_does_not_carry_the_load_takes_no_part_in_the_odds() -> None:
    small = owned("A", group={"count": 2})
    study = plain([small, cloud("B"), cloud("C", item={"usd_per_h": 1.1})])
    study["ranges"] = [{"pointer": "/designs/C/instances/0/usd_per_h", "low": 0.8, "high": 1.4}]
    result = answer({**study, "draws_count": 500})
    assert result.odds is not None
    assert set(result.odds.wins) == {"B", "C"}
    assert column(result, "A").win_fraction is None
