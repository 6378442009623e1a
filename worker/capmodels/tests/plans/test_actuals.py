"""What happened beside the plan: by month, in all, by cause, and the ranges that come of it."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.answer.actuals import Actuals, compared, parse_actuals_csv, with_bill
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.opened import Term
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study

START = date(2026, 3, 9)


def planned(*, drawn: bool = True) -> dict[str, Any]:
    """A plan of 14 months whose amounts can be added up in the head."""
    running = [1000.0, *(1000.0 + 100.0 * month for month in range(1, 15))]
    design = {
        "letter": "A",
        "title": "Own",
        "cumulative_usd": running,
        "cumulative_p10_usd": [one * 0.9 for one in running] if drawn else None,
        "cumulative_p90_usd": [one * 1.1 for one in running] if drawn else None,
        "energy": {"kwh": 2800.0},
        "causes": [
            {"cause": "hardware", "label": "Hardware"},
            {"cause": "energy", "label": "Energy"},
            {"cause": "staff", "label": "Staff"},
        ],
        "years": [
            {"causes": {"hardware": 1000.0, "energy": 480.0, "staff": 720.0}},
            {"causes": {"hardware": 0.0, "energy": 80.0, "staff": 120.0}},
        ],
    }
    return {
        "winner": "A",
        "designs": [design],
        "currency": {"code": "USD", "per_usd": 1.0, "as_of": None},
    }


def driver(_letter: str, cause: str) -> Term | None:
    """The price of energy, and the people of all that is not bought."""
    price = Term(name="Price", unit="USD/kWh", values=(0.2,), pointer="/assumptions/price")
    people = Term(name="People", unit="FTE", values=(2.0,), pointer="/designs/A/staff_fte")
    return {"energy": price, "staff": people}.get(cause)


def held(rows: list[dict[str, Any]], **said: Any) -> dict[str, Any]:
    result = said.pop("result", planned())
    return compared(result, Actuals.model_validate({"rows": rows, **said}), START, driver)


def row(month: str, cost_usd: float | None = None, **other: Any) -> dict[str, Any]:
    return {"month": month, "cost_usd": cost_usd, **other}


def test_months_stand_beside_the_plan_and_sums_are_of_what_was_entered() -> None:
    found = held([row("2026-03", 1300.0, energy_kwh=150.0), row("2026-05", 90.0)])
    months = found["months"]
    assert [one["month"] for one in months[:2]] + [months[-1]["month"]] == [
        "2026-03",
        "2026-04",
        "2027-04",
    ]
    # What is bought is paid at the first month's start.
    assert (months[0]["planned_usd"], months[1]["planned_usd"]) == (1100.0, 100.0)
    assert (months[0]["difference_usd"], months[1]["difference_usd"]) == (200.0, None)
    assert found["total"] == {
        "months_count": 2,
        "planned": 1200.0,
        "actual": 1390.0,
        "difference": 190.0,
        "difference_fraction": pytest.approx(190 / 1200),
    }
    assert found["energy"]["planned"] == 200.0
    assert found["energy"]["difference"] == -50.0
    # Nobody entered April: how much it was until May is not known.
    assert [one["actual_so_far_usd"] for one in months[:3]] == [1300.0, None, None]
    assert [one["is_within"] for one in months[:2]] == [False, None]
    assert found["sentence"].replace("\N{NO-BREAK SPACE}", " ") == (
        "2 months cost $1.39 k, 16% more than planned; the sum so far is outside P10 to P90 of "
        "the approved version. 1 month used 150 kWh, 25% less than planned."
    )


def test_causes_are_told_with_their_part_of_the_year() -> None:
    energy = [row("2026-03", 50.0), row("2027-03", 44.0), row("2026-04", 40.0)]
    found = held(
        [{**one, "cause": "energy"} for one in energy] + [row("2026-03", 1100.0, cause="hardware")]
    )
    hardware, power = found["causes"]
    assert (hardware["planned"], hardware["difference"], hardware["offer"]) == (1000.0, 100.0, None)
    # 480 a year, then 80 for the two months that are left.
    assert (power["planned"], power["actual"]) == (120.0, 134.0)
    offer = power["offer"]
    assert (offer["pointer"], offer["value"]) == ("/assumptions/price", 0.2)
    # Months cost 1.00, 1.10 and 1.25 times what was planned.
    assert offer["low"] == pytest.approx(0.2)
    assert offer["high"] == pytest.approx(0.2 * (1.1 + 0.8 * 0.15))
    # In all, a month is the sum of its causes, unless it was entered.
    assert found["months"][0]["actual_usd"] == 1150.0


def test_a_range_is_from_the_tenth_to_the_ninetieth_percentile_of_all_months() -> None:
    costs = {"2026-04": 32.0, "2026-05": 36.0, "2026-06": 40.0, "2026-07": 48.0}
    found = held([row(month, usd, cause="energy") for month, usd in costs.items()])
    # 0.8, 0.9, 1.0 and 1.2 times the 40 that were planned.
    offer = found["causes"][0]["offer"]
    assert offer["low"] == pytest.approx(0.2 * (0.8 + 0.3 * 0.1))
    assert offer["high"] == pytest.approx(0.2 * (1.0 + 0.7 * 0.2))


def test_the_sum_so_far_is_judged_at_its_last_month() -> None:
    found = held([row("2026-03", 1100.0), row("2026-04", 1500.0)])
    assert [one["is_within"] for one in found["months"][:2]] == [True, False]
    assert "the sum so far is outside P10 to P90" in found["sentence"]


@pytest.mark.parametrize("lowest_usd", [0.0, -30.0])
def test_a_month_without_cost_or_with_a_refund_offers_no_range(lowest_usd: float) -> None:
    costs = {"2026-03": 50.0, "2026-04": 40.0, "2026-05": 44.0, "2026-06": lowest_usd}
    found = held([row(month, usd, cause="energy") for month, usd in costs.items()])
    assert found["causes"][0]["offer"] is None


def test_few_months_offer_no_range_and_a_plan_without_draws_has_no_band() -> None:
    rows = [row("2026-03", 70.0, cause="staff"), row("2026-04", 50.0, cause="staff")]
    found = held(rows, result=planned(drawn=False))
    assert found["causes"][0]["offer"] is None
    assert found["months"][0]["is_within"] is None
    assert found["sentence"] == "2 months cost $120, 90% less than planned."


def test_the_sentence_is_in_the_currency_of_the_study() -> None:
    yen = {**planned(), "currency": {"code": "JPY", "per_usd": 150.0, "as_of": None}}
    found = held([row("2026-03", 1300.0)], result=yen)
    assert found["sentence"].startswith("1 month cost ¥195")


@pytest.mark.parametrize(
    ("rows", "said", "pointer"),
    [
        ([row("2026-02", 1.0)], {}, "/rows/0/month"),
        ([row("2027-05", 1.0)], {}, "/rows/0/month"),
        ([row("2026-03", 1.0, cause="luck")], {}, "/rows/0/cause"),
        ([], {"letter": "B"}, "/letter"),
    ],
)
def test_what_is_none_of_the_plan_is_refused(
    rows: list[dict[str, Any]], said: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(ParamsError) as refused:
        held(rows, **said)
    assert refused.value.faults[0].pointer == pointer


def test_a_table_is_read_as_programs_write_it() -> None:
    text = "\ufeffMonth,Cost_USD,cause\n2026-03,1200.50,\n\n2026-04,,energy\n"
    assert parse_actuals_csv(text) == [
        {"month": "2026-03", "cause": "", "cost_usd": 1200.5, "energy_kwh": None},
        {"month": "2026-04", "cause": "energy", "cost_usd": None, "energy_kwh": None},
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The first line names the columns"),
        ("date,cost\n1,2\n", "The first line names the columns"),
        ("month,cost_usd\n2026-13,5\n2026-01,x\n", "Line 2, month:"),
        ("month,cost_usd\n2026-01,nan\n", "Line 2, cost_usd:"),
        ("month,cost_usd\n2026-01,1e99\n", "Line 2, cost_usd:"),
    ],
)
def test_cells_that_cannot_be_read_are_named(text: str, sentence: str) -> None:
    with pytest.raises(ParamsError) as refused:
        parse_actuals_csv(text)
    assert refused.value.faults[0].message.startswith(sentence)


@pytest.mark.parametrize("seed", range(4))
def test_what_went_as_planned_differs_by_nothing(seed: int) -> None:
    """Of random studies, whichever design was built: as planned is no difference."""
    answer = compare(validate(SPEC, document_of(random_study(seed)))).model_dump(mode="json")
    built = [one["letter"] for one in answer["designs"] if not one["is_baseline"]]
    letter = Random(seed).choice(built)
    plan = compared(answer, Actuals(letter=letter), START, driver)
    rows = [row(one["month"], one["planned_usd"]) for one in plan["months"]]
    found = held(rows, result=answer, letter=letter)
    total = next(d for d in answer["designs"] if d["letter"] == letter)["total_usd"]
    assert found["total"]["planned"] == pytest.approx(total, rel=1e-9, abs=1e-6)
    assert found["total"]["difference"] == 0.0


def test_a_bill_says_what_months_cost_in_all_and_leaves_the_rest() -> None:
    before = Actuals.model_validate(
        {
            "rows": [
                row("2026-03", 1.0, energy_kwh=150.0),
                row("2026-03", 5.0, cause="energy"),
                row("2026-06", 70.0),
            ]
        }
    )
    bill = {"2026-02": 9.0, "2026-03": 1300.0, "2026-04": 95.5}
    found = with_bill(planned(), before, START, bill)
    assert [(one.month, one.cause, one.cost_usd, one.energy_kwh) for one in found.rows] == [
        ("2026-03", "", 1300.0, 150.0),
        ("2026-03", "energy", 5.0, None),
        ("2026-04", "", 95.5, None),
        ("2026-06", "", 70.0, None),
    ]
    # The same bill again changes nothing; one of other years has nothing to say.
    assert with_bill(planned(), found, START, bill) == found
    for other in ({"2031-01": 1.0}, {}):
        with pytest.raises(ParamsError, match="not among the plan's"):
            with_bill(planned(), before, START, other)
