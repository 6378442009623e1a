"""Commitments of today, resale, credits, a first-year bonus, a real discount rate: by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from capmodels.plans.check.like_for_like import check
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    owned,
    plain,
    study_of,
)

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

# Two machines at $1 for 100 hours a month, committed for half a year.
LINE = {
    "type": "vm",
    "count": 2,
    "hours_per_month": 100,
    "usd_per_h": 1.0,
    "commitment_end_month": 6,
    "after_usd_per_h": 2.0,
}


def left(*designs: JSONDict, **baseline: object) -> JSONDict:
    today = {"lines": [LINE], "commitments_owed_by_all": True, **baseline}
    return {**plain(list(designs)), "baseline": today}


@pytest.mark.decisive
def test_who_leaves_pays_what_is_committed_until_it_runs_off() -> None:
    result = answer(left(cloud("A")))
    assert cause_usd(column(result, "A"), "remaining") == pytest.approx(6 * 200)
    assert cause_usd(column(result, "T"), "remaining") == 0


def test_months_in_which_both_are_paid_have_the_commitment_in_them() -> None:
    beside = {"parallel_letter": "T", "parallel_months": 1.5}
    result = answer(left(cloud("A", migration=beside)))
    assert cause_usd(column(result, "A"), "migration") == pytest.approx(1.5 * 200)
    assert cause_usd(column(result, "A"), "remaining") == pytest.approx(4.5 * 200)


def test_resale_of_what_stands_is_for_those_who_leave_it_and_book_value_for_nobody() -> None:
    document = left(cloud("A"), resale_usd=700, book_value_usd=90_000)
    document["baseline"]["commitments_owed_by_all"] = False
    result = answer(document)
    without = answer({**document, "baseline": {"lines": [LINE]}})
    for letter, more in (("A", -700), ("T", 0)):
        before, after = column(without, letter).total_usd, column(result, letter).total_usd
        assert after - before == pytest.approx(more)


def test_every_simulation_owes_as_the_answer_as_entered_does() -> None:
    document = left(cloud("A"), owned("B"), resale_usd=700)
    price = {"pointer": "/designs/A/instances/0/usd_per_h", "low": 1.0, "high": 1.0}
    result = answer({**document, "ranges": [price], "draws_count": 20})
    for letter in "AB":
        found = column(result, letter)
        assert found.mean_usd == pytest.approx(found.total_usd)


def test_a_column_that_is_kept_follows_what_runs_today() -> None:
    first = answer(left(cloud("A")))
    document = left(cloud("A"))
    document["baseline"]["lines"][0] = {**LINE, "commitment_end_month": 3}
    second = answer(document)
    paid = column(first, "A").total_usd - column(second, "A").total_usd
    assert paid == pytest.approx(3 * 200)


def test_credits_pay_a_bill_as_far_as_they_go() -> None:
    """Ten instances cost $7,300 a month; $6,000 over three months are $2,000 each."""
    paid = answer(plain([cloud("A", credits={"usd": 6000, "months": 3})]))
    assert cause_usd(column(paid, "A"), "credits") == pytest.approx(-6000)
    lost = answer(plain([cloud("A", credits={"usd": 1e6, "months": 2})]))
    assert cause_usd(column(lost, "A"), "credits") == pytest.approx(-2 * 7300)


def test_credits_pay_the_bill_of_given_machines_as_far_as_they_go() -> None:
    work = {
        "kind": "utilization",
        "utilization_fraction": 0.5,
        "machines": [{"name": "m", "node_count": 4, "cores_per_node_count": 8}],
    }
    bill_usd = column(answer(plain([cloud("A")], work)), "A").total_usd
    assert bill_usd > 0
    given = {"usd": 100 * bill_usd, "months": 2}
    lost = answer(plain([cloud("A", credits=given)], work))
    assert cause_usd(column(lost, "A"), "credits") == pytest.approx(-bill_usd * 2 / 12)


def test_a_bonus_is_written_off_in_the_year_of_purchase() -> None:
    taxed: JSONDict = {"tax": {"counted": True, "rate_fraction": 0.2}, "horizon_months": 24}
    rule = {"method": "macrs_5", "bonus_fraction": 1.0}
    result = answer(plain([owned("A")], depreciation=rule, **taxed))
    years = column(result, "A").years
    # Ten nodes at $1,000, of which a fifth is saved at once, and nothing after.
    assert years[0].depreciation_usd == pytest.approx(10_000)
    assert years[0].causes["tax"] == pytest.approx(-2000)
    assert years[1].causes["tax"] == pytest.approx(0)


def test_inflation_is_put_on_a_real_discount_rate() -> None:
    real: JSONDict = {"discount_basis": "real", "inflation_fraction_per_year": 0.03}
    given: JSONDict = {"ranked_by": "present_value", "discount_fraction_per_year": 0.05}
    by_real = column(answer(plain([cloud("A")], **given, **real)), "A")
    nominal: JSONDict = {**given, "discount_fraction_per_year": 1.05 * 1.03 - 1}
    assert by_real.npv_usd == pytest.approx(
        column(answer(plain([cloud("A")], **nominal)), "A").npv_usd
    )


def test_a_star_accepts_nothing() -> None:
    document = plain([cloud("A", staff_fte=1), cloud("B")])
    document["assumptions"]["accepted"] = [{"finding": "*", "because": "all of it"}]
    result = check(study_of(document))
    assert result.open_count == len(result.findings) > 0
