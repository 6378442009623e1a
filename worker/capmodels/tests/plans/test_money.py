"""Present values, rates of return, depreciation, tax and crossings; causes add up."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.cost.equivalent_annual_cost import equivalent_annual_cost_usd
from capmodels.cost.irr import irr_fractions
from capmodels.cost.npv import npv_by_month_usd
from capmodels.plans.costing.finance import crossing, depreciation_usd, irr_fraction_per_year
from capmodels.plans.costing.group_plan import Batch
from capmodels.plans.document.assumptions import Depreciation
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    owned,
    plain,
)
from capmodels.tests.plans.random_studies import BASELINE, LINES, SLOW, studies

PROPERTY = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=SLOW)


@pytest.mark.slow
@PROPERTY
@given(document=studies())
def test_causes_years_and_months_add_up_to_the_total(document: JSONDict) -> None:
    for design in answer(document).designs:
        total = design.total_usd
        slack = 1e-9 * max(math.fsum(abs(cause.amount_usd) for cause in design.causes), 1.0)
        assert math.fsum(cause.amount_usd for cause in design.causes) == pytest.approx(
            total, abs=slack, rel=0
        )
        assert math.fsum(cause.npv_usd for cause in design.causes) == pytest.approx(
            design.npv_usd, abs=slack, rel=0
        )
        assert design.cumulative_usd[-1] == pytest.approx(total, abs=slack, rel=0)
        assert design.cumulative_npv_usd[-1] == pytest.approx(design.npv_usd, abs=slack, rel=0)
        assert math.fsum(year.cash_usd for year in design.years) == pytest.approx(
            total, abs=slack, rel=0
        )
        for year in design.years:
            both = year.capex_usd + year.opex_usd
            assert both == pytest.approx(year.cash_usd, abs=slack, rel=0)
            assert math.fsum(year.causes.values()) == pytest.approx(year.cash_usd, abs=slack, rel=0)
            last = min(12 * year.year, len(design.cumulative_usd) - 1)
            so_far = math.fsum(item.cash_usd for item in design.years[: year.year])
            assert design.cumulative_usd[last] == pytest.approx(so_far, abs=slack, rel=0)


@pytest.mark.decisive
def test_payments_are_discounted_month_by_month() -> None:
    result = column(answer(plain([cloud("A")], horizon_months=36)), "A")
    flows = [0.0, *[7300.0] * 36]
    expected = npv_by_month_usd(flows, discount_fraction_per_year=0.08)
    assert result.npv_usd == pytest.approx(expected)
    assert result.eac_usd_per_year == pytest.approx(
        equivalent_annual_cost_usd(
            npv_usd=expected, discount_fraction_per_year=0.08, life_years=3.0
        )
    )
    assert result.cumulative_npv_usd[12] == pytest.approx(
        npv_by_month_usd(flows[:13], discount_fraction_per_year=0.08)
    )


def test_at_a_rate_of_zero_present_values_are_the_payments() -> None:
    result = answer(plain([owned("A"), cloud("B")], discount_fraction_per_year=0.0))
    for design in result.designs:
        assert design.npv_usd == pytest.approx(design.total_usd)
        assert design.eac_usd_per_year == pytest.approx(design.total_usd)


@PROPERTY
@given(
    spent=st.floats(1e3, 1e6),
    saved=st.lists(st.floats(10, 500), min_size=6, max_size=60),
)
def test_the_rate_of_return_is_that_of_the_single_model(spent: float, saved: list[float]) -> None:
    gains = [-spent, *saved]
    found, reason = irr_fraction_per_year(gains)
    if math.fsum(gains) < 0:
        assert found is None
        assert reason is not None
        return
    assert found is not None
    (monthly,) = irr_fractions(gains) or (found,)
    assert found == pytest.approx((1 + monthly) ** 12 - 1, rel=1e-6, abs=1e-9)


def test_a_rate_that_is_not_certain_is_not_given() -> None:
    assert irr_fraction_per_year([-100.0, 300.0, -220.0, 30.0])[0] is None
    assert irr_fraction_per_year([100.0, -50.0])[0] is None
    assert irr_fraction_per_year([0.0, 0.0])[0] is None


def test_next_to_nothing_spent_has_no_rate_of_return() -> None:
    rate, reason = irr_fraction_per_year([-1.0, 3e4, 3e4])
    assert rate is None
    assert reason == "More than 10,000% a year: hardly more is spent at the start."


def test_depreciation_follows_the_books() -> None:
    batch = Batch(month=0, paid_usd=1000.0, gone_month=72)
    macrs = Depreciation(method="macrs_5")
    assert depreciation_usd(batch, macrs, 6) == pytest.approx(
        [200.0, 320.0, 192.0, 115.2, 115.2, 57.6]
    )
    straight = Depreciation(method="straight_line", life_months=40)
    assert depreciation_usd(batch, straight, 5) == pytest.approx([300, 300, 300, 100, 0])
    late = Batch(month=12, paid_usd=1000.0, gone_month=30)
    assert depreciation_usd(late, straight, 3) == pytest.approx([0, 300, 150])


def test_tax_saves_its_rate_of_costs_and_of_what_is_written_off() -> None:
    tax = {"counted": True, "rate_fraction": 0.25}
    design = owned("A", staff_usd_per_year=1200, salvage={"fraction": 0.1})
    result = column(answer(plain([design, cloud("B")], horizon_months=24, tax=tax)), "A")
    # All of the price is written off, less what it is sold for; staff is deducted.
    assert cause_usd(result, "tax") == pytest.approx(-0.25 * (10_000 - 1000 + 2400))
    rented = column(answer(plain([cloud("B")], tax=tax)), "B")
    assert rented.total_usd == pytest.approx(87_600 * 0.75)


def test_what_is_not_written_off_when_it_goes_is_deducted_in_that_year() -> None:
    tax = {"counted": True, "rate_fraction": 0.25}
    rule = {"method": "straight_line", "life_months": 40}
    design = owned("A", salvage={"fraction": 0.1})
    found = answer(plain([design], horizon_months=24, tax=tax, depreciation=rule))
    years = column(found, "A").years
    # $10,000 over 40 months: 3,000 a year, and 4,000 left at the end, sold for 1,000.
    assert years[0].causes["tax"] == pytest.approx(-0.25 * 3000)
    assert years[1].causes["tax"] == pytest.approx(-0.25 * (3000 + 4000 - 1000))


def test_crossings_are_counted_and_the_last_one_is_told() -> None:
    rising = [0.0, 10.0, 20.0, 30.0, 40.0]
    once = crossing([15.0, 18.0, 21.0, 24.0, 27.0], rising)
    assert (once.first_month_cheaper, once.crossings_count, once.reason) == (3, 1, None)
    assert once.exact_months == pytest.approx(15 / 7)
    assert once.cost_usd == pytest.approx(150 / 7)
    thrice = crossing([5.0, 8.0, 30.0, 31.0, 32.0], rising)
    assert (thrice.first_month_cheaper, thrice.crossings_count) == (4, 3)
    back = crossing([5.0, 8.0, 12.0, 31.0, 45.0], rising)
    assert (back.first_month_cheaper, back.reason, back.crossings_count) == (None, "never", 2)
    assert crossing([50.0, 60.0], [0.0, 10.0]).reason == "never"
    always = crossing([0.0, 1.0, 2.0], [3.0, 5.0, 7.0])
    assert (always.reason, always.exact_months, always.crossings_count) == ("always", 0.0, 0)
    level = crossing([0.0, 1.0, 2.0], [0.0, 5.0, 7.0])
    assert (level.reason, level.first_month_cheaper) == ("always", 1)


def test_every_design_is_held_against_the_winner_discounted_and_not() -> None:
    result = answer(plain([owned("A"), cloud("B"), cloud("C", item={"usd_per_h": 2.0})]))
    assert result.winner == "A"
    told = [(item.challenger, item.incumbent, item.discounted) for item in result.break_evens]
    assert told[:4] == [("A", "B", False), ("A", "B", True), ("A", "C", False), ("A", "C", True)]
    first = result.break_evens[0]
    assert first.exact_months == pytest.approx(10_000 / 7300)
    assert first.first_month_cheaper == 2


def test_any_two_designs_have_their_break_even_and_the_row_is_against_one() -> None:
    """$10,000 then nothing, $7,300 a month, and $5,000 then $5,000 a month: all three cross."""
    dear = owned("C", group={"price": {"kind": "typed", "unit_price_usd": 500}})
    study = plain([owned("A"), cloud("B"), {**dear, "staff_usd_per_year": 60_000}])
    result = answer(study)
    assert result.winner == "A"
    pairs = {(i.challenger, i.incumbent): i for i in result.break_evens if not i.discounted}
    assert set(pairs) == {("A", "B"), ("A", "C"), ("C", "B")}
    # 5,000 + 5,000 t = 7,300 t, and 10,000 = 5,000 + 5,000 t.
    assert pairs["C", "B"].exact_months == pytest.approx(5000 / 2300)
    assert pairs["A", "C"].exact_months == pytest.approx(1.0)
    for item in result.break_evens:
        series = [
            design.cumulative_npv_usd if item.discounted else design.cumulative_usd
            for letter in (item.challenger, item.incumbent)
            for design in result.designs
            if design.letter == letter
        ]
        found = crossing(*series)
        assert (item.exact_months, item.crossings_count) == (
            found.exact_months,
            found.crossings_count,
        )
    row = next(row for row in result.rows if row.id == "break_even_months")
    assert row.label == "Pays off after, against B, undiscounted"
    paid = {"A": pytest.approx(10_000 / 7300), "C": pytest.approx(5000 / 2300)}
    assert row.values == {**paid, "B": None}
    assert row.rivals == {"A": "B", "B": "A", "C": "B"}
    why = "It starts no higher than A, and costs more for good after 1.4 months."
    assert row.reasons["B"] == why


def test_the_ranking_may_go_by_present_value() -> None:
    """Owned $10,000 now, rented $10,100 over three years."""
    item = {"usd_per_h": 10_100 / 3 / 87_600}
    study = plain([owned("A"), cloud("B", item=item)], horizon_months=36)
    assert answer(study).winner == "A"
    study["assumptions"]["ranked_by"] = "present_value"
    result = answer(study)
    assert result.winner == "B"
    assert "in present value" in result.verdict.headline


def test_commitments_of_today_run_off() -> None:
    study = {**plain([cloud("B")]), "baseline": BASELINE}
    today = column(answer(study), "T")
    assert today.is_baseline
    committed = 40 * 730 * 0.12 * 9
    after = 40 * 730 * 0.192 * 3
    assert cause_usd(today, "commitment") == pytest.approx(committed)
    assert cause_usd(today, "instances") == pytest.approx(after + 12 * 730 * 0.085 * 12)
    assert cause_usd(today, "services") == pytest.approx(12 * 900)
    assert cause_usd(today, "storage") == 0.0, "nobody says what of it is storage"
    line = {**LINES[0], "commitment_ends_on": "2027-09-01", "commitment_end_month": None}
    dated = {**BASELINE, "lines": [line]}
    study["assumptions"]["starts_on"] = "2026-12-01"
    same = column(answer({**study, "baseline": dated}), "T")
    assert cause_usd(same, "commitment") == pytest.approx(committed)


def test_doing_nothing_carries_no_growth() -> None:
    growing = demand(growth={"cores_fraction_per_year": 0.2})
    study = plain([cloud("B", item={"usd_per_h": 9.0})], growing)
    idle = answer({**study, "baseline": {**BASELINE, "kind": "do_nothing"}})
    assert not column(idle, "T").carries_load
    assert idle.winner == "B"
    followed = answer({**study, "baseline": BASELINE})
    assert column(followed, "T").carries_load
    assert followed.winner == "T"
    assert column(followed, "T").total_usd > column(idle, "T").total_usd


def test_the_present_place_is_paid_for_while_both_run() -> None:
    move = {"parallel_months": 3, "parallel_letter": "T"}
    study = {**plain([owned("A", migration=move)]), "baseline": BASELINE}
    result = answer(study)
    first = column(result, "T").cumulative_usd
    assert cause_usd(column(result, "A"), "migration") == pytest.approx(first[3])


@pytest.mark.slow
@PROPERTY
@given(document=studies(), factor=st.floats(1.0, 2.0))
def test_dearer_parts_and_people_never_cost_less(document: JSONDict, factor: float) -> None:
    before = answer(document)
    dearer = {**document, "designs": [dict(design) for design in document["designs"]]}
    dearer["designs"][0]["hardware_price_ratio"] *= factor
    dearer["designs"][0]["staff_fte"] *= factor
    after = answer(dearer)
    slack = 1e-9 * abs(before.designs[0].total_usd) + 1e-6
    for letter in "AC":
        assert column(after, letter).total_usd >= column(before, letter).total_usd - slack
