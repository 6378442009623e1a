"""Sentences as a planner would say them, and numbers as sentences say them."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.plans.answer.flips import flip_words
from capmodels.plans.answer.verdict import is_toss_up
from capmodels.plans.comparison import Odds
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.assumptions import Currency
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.words import label_of, listed, money, percent, quantity, time_span
from capmodels.tests.plans.documents import answer, cloud, demand, document, owned, plain, study_of
from capmodels.tests.plans.random_studies import BASELINE

USD = Currency()


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (373_611.2, "$374 k"),
        (2_966_000, "$2.97 M"),
        (3_000_000, "$3.00 M"),
        (9_999_999, "$10.0 M"),
        (123_400_000, "$123 M"),
        (1840, "$1.84 k"),
        (50_612, "$51 k"),
        (99.5, "$99.5"),
        (0.1301, "$0.13"),
        (0, "$0"),
        (-51_000, "\N{MINUS SIGN}$51 k"),
        (1.2e9, "$1.20 bn"),
    ],
)
def test_money_has_three_digits(amount: float, text: str) -> None:
    assert money(amount, USD) == text


def test_amounts_are_shown_in_the_currency_of_the_study() -> None:
    euro = Currency(code="EUR", per_usd=0.86, as_of="2025-10-01")
    assert money(1_000_000, euro) == "€860 k"
    franc = Currency(code="CHF", per_usd=0.8, as_of="2025-10-01")
    assert money(1_000_000, franc) == "CHF 800 k"


def test_shares_times_and_lists() -> None:
    assert [percent(x) for x in (0.124, 0.0083, 0.0, -0.05)] == [
        "12%",
        "0.8%",
        "0%",
        "\N{MINUS SIGN}5%",
    ]
    assert [time_span(x) for x in (1, 19, 35, 36, 41)] == [
        "1 month",
        "19 months",
        "35 months",
        "3 years",
        "3.4 years",
    ]
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert quantity(2.5624, "FTE", USD) == "2.6 people"
    assert quantity(0.2, "fraction/yr", USD) == "20% a year"
    assert quantity(5260.6, "USD/socket-yr", USD) == "$5.26 k/socket-yr"


@pytest.mark.parametrize(
    ("pointer", "label"),
    [
        ("/designs/D/staff_fte", "Operations (D)"),
        ("/designs/D/migration/overrun_ratio", "Migration: overrun (D)"),
        ("/designs/A/commitments/0/discount_fraction", "Commitments: discount (A)"),
        (
            "/designs/D/node_groups/0/price/parts/1/unit_price_usd",
            "compute, 64 GB RDIMM: unit price (D)",
        ),
        ("/workload/growth/ram_fraction_per_year", "Growth: RAM"),
        ("/assumptions/pue", "PUE"),
        ("/assumptions/electricity/usd_per_kwh", "Electricity: price"),
    ],
)
def test_an_input_is_named_by_what_it_is_and_of_what(pointer: str, label: str) -> None:
    study = study_of(document("rent-or-own"))
    leaf = leaf_at(study, pointer)
    assert leaf is not None
    assert label_of(study, leaf) == label


def test_the_headline_names_what_binds_and_the_cheapest() -> None:
    verdict = answer(plain([owned("A"), cloud("B")])).verdict
    assert verdict.kind == "winner"
    assert verdict.headline == (
        "All designs carry the load (cores bind). **A is cheapest** over 1 year: $10 k, "
        "$78 k (89%) below B."
    )
    assert verdict.payoff == "A pays off against B after 2 months, undiscounted."
    assert verdict.odds is None
    assert verdict.flips is None


def test_a_design_that_is_too_small_is_named() -> None:
    small = owned("A", group={"count": 2})
    both = answer(plain([small, cloud("B"), cloud("C", item={"usd_per_h": 2})])).verdict
    assert both.headline.startswith("A does not carry the load; the others do (cores bind). ")
    alone = answer(plain([small, cloud("B")])).verdict
    assert alone.kind == "single"
    assert alone.headline == "**Only B meets demand**: $88 k over 1 year."
    none = answer(plain([small])).verdict
    assert none.kind == "none_carries"
    assert none.headline == (
        "No design meets demand. A: the group nodes needs 10 nodes for cores in year 1 and has 2."
    )


def test_what_a_design_lacks_is_said_with_its_field() -> None:
    study = plain([owned("A"), cloud("B")], workload=demand(block_tb=60))
    study["designs"][1]["storage"] = {"block_tiers": [{"usd_per_gb_month": 0.08}]}
    result = answer(study)
    short, whole = result.designs
    assert short.shortfall is not None
    assert short.shortfall.sentence.startswith("No disks for 60 TB of block storage")
    assert short.shortfall.pointer == "/designs/A/node_groups"
    assert leaf_or_part(study, short.shortfall.pointer)
    assert result.verdict.headline.startswith("**Only B meets demand**")
    assert whole.carries_load
    assert whole.shortfall is None


def leaf_or_part(study: dict[str, Any], pointer: str) -> bool:
    """Whether there is something at a pointer that names designs by letter."""
    _, _, letter, name = pointer.split("/")
    return bool(next(item for item in study["designs"] if item["letter"] == letter)[name])


def test_why_there_are_no_odds_is_said() -> None:
    price = {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.9, "high": 1.2}
    small = owned("A", group={"count": 2})
    asked: dict[str, Any] = {"draws_count": 100}

    def reason(**study: Any) -> str | None:
        return answer({**plain(study.pop("designs")), **study}).verdict.odds_reason

    both = [owned("A"), cloud("B")]
    assert reason(designs=both, ranges=[price], **asked) is None
    assert reason(designs=both, **asked) == "No input has a range, so no uncertainty is known."
    assert reason(designs=both, ranges=[price]) == "No simulations were asked for."
    only = reason(designs=[small, cloud("B")], ranges=[price], **asked)
    assert only == "Only B meets demand, so there are no odds."
    assert reason(designs=[small], **asked) == "No design meets demand, so there are no odds."
    assert (reason(designs=[cloud("B")], **asked) or "").startswith("One design alone has no odds")


def test_a_single_design_has_a_cost_and_no_rival() -> None:
    result = answer(plain([cloud("B")]))
    assert result.verdict.kind == "single"
    assert result.verdict.headline == "**B** costs $88 k over 1 year."
    assert result.runner_up is None
    assert result.break_evens == ()


def test_two_designs_may_cost_the_same() -> None:
    verdict = answer(plain([cloud("A"), cloud("B")])).verdict
    assert verdict.headline.endswith("A and B cost the same over 1 year: $88 k.")


def test_what_runs_today_is_called_by_its_name() -> None:
    lines = [{"type": "m5", "count": 1, "usd_per_h": 0.1}]
    study = {**plain([cloud("B")]), "baseline": {**BASELINE, "lines": lines, "staff_fte": 0}}
    headline = answer(study).verdict.headline
    assert "**What we run today is cheapest** over 1 year: $12 k" in headline


def test_close_odds_are_a_toss_up() -> None:
    def odds(**wins: float) -> Odds:
        return Odds(draws_count=10_000, seed=1, wins=wins)

    assert is_toss_up(odds(A=0.54, B=0.46), "A")
    assert not is_toss_up(odds(A=0.67, B=0.33), "A")
    assert is_toss_up(odds(A=0.3, B=0.4, C=0.3), "A")
    assert not is_toss_up(odds(A=0.45, B=0.25, C=0.3), "A")
    assert not is_toss_up(None, "A")


def test_a_toss_up_says_so_with_its_odds() -> None:
    study = plain([owned("A", staff_usd_per_year=77_000), cloud("B")])
    study["ranges"] = [{"pointer": "/designs/A/staff_usd_per_year", "low": 60_000, "high": 95_000}]
    result = answer({**study, "draws_count": 10_000})
    assert result.verdict.kind == "toss_up"
    assert "**No winner**: A and B are within the uncertainty (A wins in 5" in (
        result.verdict.headline
    )
    assert result.verdict.odds is not None
    assert result.verdict.odds.endswith("of 10,000 draws.")


def test_flips_are_told_in_the_planners_words() -> None:
    study = plain(
        [owned("A", staff_fte=0.7), cloud("B")],
        demand(),
        staff_usd_per_fte_year=100_000,
    )
    study["ranges"] = [{"pointer": "/designs/A/staff_fte", "low": 0.5, "high": 1.0}]
    result = answer({**study, "draws_count": 500})
    scene = Scene(study_of(study))
    told = [flip_words(flip, scene) for flip in result.flips]
    assert "operations of A need more than 0.78 people" in told
    assert "B gets more than 9% off its whole bill" in told
    assert result.verdict.flips == f"It flips if {told[0]}, or {told[1]}."


def test_a_value_outside_its_range_stretches_it_and_is_told() -> None:
    study = plain([owned("A", staff_fte=3.0), cloud("B")])
    study["ranges"] = [{"pointer": "/designs/A/staff_fte", "low": 0.5, "high": 1.0}]
    result = answer({**study, "draws_count": 200})
    assert result.warnings == (
        "The range of Operations (A), 0.5 to 1, does not hold its value 3; it is stretched to it.",
    )
    assert result.tornado[0].high == 3.0


def test_factors_of_carbon_say_of_what_they_are_and_what_is_unknown() -> None:
    carbon = {"gco2e_per_kwh": 379, "year": 2021, "zone": "SERC"}
    made = {"kgco2e": 1200, "life_months": 48}
    origin = {"year": 2023, "basis": "cradle_to_gate", "factor_source": "PAIA"}
    designs = [
        owned("A", group={"embodied": made}),
        owned("B", group={"embodied": {**made, **origin}}),
        cloud("C", energy={}),
        cloud("D", energy={"embodied_kgco2e_per_vcpu_year": 4.0}),
    ]
    result = answer(plain(designs, carbon=carbon))
    told = {column.letter: column.carbon.factors for column in result.designs}
    assert told["A"] == (
        "Electricity: 379 g CO2e/kWh (SERC, 2021, direct average). Making a node of nodes: 1,200 "
        "kg CO2e over 4 years (basis not given, year not given, source not given)."
    )
    assert str(told["B"]).endswith("over 4 years (cradle to gate, 2023, PAIA).")
    assert str(told["C"]).endswith(
        "3.75 kg CO2e/vCPU-yr (cradle to gate, 2023, Cloud Carbon Footprint)."
    )
    assert str(told["D"]).endswith("(basis not given, year not given, source not given).")
    assert result.warnings == (
        "Factors of embodied carbon have no year or no basis, so nobody can check them "
        "(A: a node of nodes; D: what is rented). Enter both beside them.",
    )


@pytest.mark.parametrize(
    ("given", "lacking"),
    [
        ({"year": 2021, "zone": "SERC"}, None),
        ({"year": 2021}, "no zone"),
        ({"zone": "SERC"}, "no year"),
        ({}, "no year and no zone"),
    ],
)
def test_a_carbon_factor_of_no_year_or_zone_is_told(
    given: dict[str, object], lacking: str | None
) -> None:
    carbon = {"gco2e_per_kwh": 379, **given}
    warnings = answer(plain([owned("A")], carbon=carbon)).warnings
    if lacking is None:
        assert warnings == ()
    else:
        (warning,) = warnings
        assert f"(379 g CO2e/kWh) has {lacking}, so" in warning
        assert "Assumptions, Carbon" in warning
    assert answer(plain([owned("A")], carbon=given)).warnings == ()


def test_rows_have_a_value_or_a_reason_and_mark_the_best() -> None:
    result = answer(document("rent-or-own"))
    rows = {row.id: row for row in result.rows}
    assert rows["total_usd"].best == result.winner
    for row in result.rows:
        for letter, value in row.values.items():
            assert (value is None) == (letter in row.reasons)
    # Rented volumes are as full as owned disks may be.
    assert rows["spare_disk_fraction"].values["A"] == pytest.approx(0.15)
    assert rows["spare_disk_fraction"].reasons["E"] == "What the nodes lack is rented."
    undiscounted, discounted = rows["break_even_months"], rows["break_even_discounted_months"]
    assert undiscounted.label == "Pays off after, against B, undiscounted"
    assert discounted.label == "Pays off after, against B, discounted"
    pairs = (item for item in result.break_evens if (item.challenger, item.incumbent) == ("D", "B"))
    told = {item.discounted: item for item in pairs}
    assert undiscounted.values["D"] == told[False].first_month_cheaper
    assert discounted.values["D"] == told[True].first_month_cheaper
    assert undiscounted.reasons["B"].startswith("It costs less than D at the start")
    assert "win_fraction" not in rows
