"""Sentences as a planner would say them, and numbers as sentences say them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.numbers import percent
from capmodels.plans.answer.certainty_kernel import break_points, correlations
from capmodels.plans.answer.flips import flip_words
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.assumptions import Currency
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.cumulative import cumulative
from capmodels.plans.words import label_of, money, quantity, time_span
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
    study_of,
)
from capmodels.tests.plans.random_studies import BASELINE
from capmodels.told import listed

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison

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
        (99.5, "$99.50"),
        (0.1301, "$0.13"),
        (0, "$0"),
        (-51_000, "\N{MINUS SIGN}$51 k"),
        (1.2e9, "$1.20 B"),
    ],
)
def test_money_has_three_digits(amount: float, text: str) -> None:
    assert money(amount, USD) == text


def test_amounts_are_shown_in_the_currency_of_the_study() -> None:
    euro = Currency(code="EUR", per_usd=0.86, as_of="2025-10-01")
    assert money(1_000_000, euro) == "€860 k"
    franc = Currency(code="CHF", per_usd=0.8, as_of="2025-10-01")
    assert money(1_000_000, franc) == "CHF 800 k"
    yuan = Currency(code="CNY", per_usd=7.0, as_of="2025-10-01")
    assert money(1_000_000, yuan) == "¥7.00 M"


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


@pytest.mark.decisive
def test_the_headline_names_the_cheapest_by_its_title() -> None:
    verdict = answer(plain([owned("A"), cloud("B")])).verdict
    assert verdict.kind == "as_entered"
    assert verdict.letters == ("A",)
    assert verdict.headline == (
        "**Own A (A)** costs least at the entered values: $10 k over 1 year, $78 k (89%) less "
        "than Rent B (B); no uncertainty was entered."
    )
    assert verdict.payoff == "A breaks even with B after 1.4 months, undiscounted."
    assert verdict.odds is None
    assert verdict.flips is None


def test_why_a_rival_is_held_against_is_said_where_it_is_not_the_runner_up() -> None:
    result = answer(document("rent-or-own"))
    assert (result.winner, result.runner_up) == ("D", "E")
    rented = min((column(result, one) for one in "ABC"), key=lambda one: one.ranked_usd)
    why = f"{rented.letter}, the cheapest rented design,"
    assert f"D breaks even with {why} after " in str(result.verdict.payoff)
    of = Compared(result.model_dump(mode="json"))
    title = cumulative(of, *of.pair, discounted=of.by_value).title
    assert title.startswith(f"D is cheaper than {why} from month ")
    pair = answer(document("free-factories"))
    assert "the cheapest" not in str(pair.verdict.payoff)


def test_each_design_that_does_not_meet_demand_is_named_with_its_reason() -> None:
    small = owned("A", group={"count": 2})
    both = answer(plain([small, cloud("B"), cloud("C", item={"usd_per_h": 2})])).verdict
    assert both.headline.endswith(" A does not meet demand.")
    reason = "A: the group nodes needs 10 nodes for cores in year 1 and has 2."
    assert both.excluded == reason
    alone = answer(plain([small, cloud("B")])).verdict
    assert alone.kind == "only"
    assert alone.headline == "**Only Rent B (B) meets demand**: $88 k over 1 year."
    assert (alone.excluded, alone.odds) == (reason, None)
    none = answer(plain([small])).verdict
    assert none.kind == "none"
    assert none.headline == f"**No design meets demand.** {reason}"


def test_what_a_design_lacks_is_said_with_its_field() -> None:
    study = plain([owned("A"), cloud("B")], workload=demand(block_tb=60))
    study["designs"][1]["storage"] = {"block_tiers": [{"usd_per_gb_month": 0.08}]}
    result = answer(study)
    short, whole = result.designs
    assert short.shortfall is not None
    assert short.shortfall.sentence.startswith("No disks for 60 TB of block storage")
    assert short.shortfall.pointer == "/designs/A/node_groups"
    assert leaf_or_part(study, short.shortfall.pointer)
    assert result.verdict.headline.startswith("**Only Rent B (B) meets demand**")
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
    assert result.verdict.kind == "alone"
    assert result.verdict.headline == "**Rent B (B)** costs $88 k over 1 year."
    assert result.runner_up is None
    assert result.break_evens == ()


def test_a_single_design_with_ranges_has_its_spread_and_no_verdict() -> None:
    study = plain([cloud("B")])
    study["ranges"] = [{"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.9, "high": 1.1}]
    verdict = answer({**study, "draws_count": 1000}).verdict
    assert verdict.kind == "alone"
    assert verdict.headline == "**Rent B (B)** costs $88 k on average over 1 year."
    assert verdict.odds == "B costs $83 k to $92 k (P10–P90) in 1,000 simulations."


def test_two_designs_may_cost_the_same() -> None:
    verdict = answer(plain([cloud("A"), cloud("B")])).verdict
    assert "** cost the same at the entered values: $88 k over 1 year" in verdict.headline


def test_what_runs_today_is_called_by_its_name() -> None:
    lines = [{"type": "m5", "count": 1, "usd_per_h": 0.1}]
    study = {**plain([cloud("B")]), "baseline": {**BASELINE, "lines": lines, "staff_fte": 0}}
    headline = answer(study).verdict.headline
    assert headline.startswith(
        "**What we run today** costs least at the entered values: $12 k over 1 year, "
    )


STAFF = "/designs/A/staff_usd_per_year"


def drawn(*designs: JSONDict, low: float, high: float, **more: Any) -> Comparison:
    """Designs of which the flat staff of A is uncertain; the nodes of A cost 10 k."""
    study = plain(list(designs))
    ranges = [{"pointer": STAFF, "low": low, "high": high}, *more.get("ranges", [])]
    return answer({**study, "ranges": ranges, "draws_count": 10_000})


@pytest.mark.parametrize(
    ("staff", "low", "high", "kind"),
    [
        (60_000, 55_000, 65_000, "clear"),
        (75_000, 60_000, 90_000, "probable"),
        (77_000, 60_000, 95_000, "open"),
        (77_500, 77_000, 78_000, "same"),
    ],
)
def test_the_leader_is_judged_by_odds_and_gap(
    staff: float, low: float, high: float, kind: str
) -> None:
    """B costs $87.6 k; A costs $10 k and its staff."""
    result = drawn(owned("A", staff_usd_per_year=staff), cloud("B"), low=low, high=high)
    assert result.verdict.kind == kind
    assert result.odds is not None
    pair = result.odds.pairs[0]
    mean = {item.letter: item.mean_usd or 0.0 for item in result.designs}
    assert pair.gap_usd == pytest.approx(abs(mean["A"] - mean["B"]))
    assert (pair.cheaper_fraction >= 0.75) or kind != "clear"


def test_too_close_to_call_says_what_it_depends_on() -> None:
    result = drawn(owned("A", staff_usd_per_year=77_000), cloud("B"), low=60_000, high=95_000)
    assert result.verdict.letters == ("A", "B")
    assert result.verdict.headline.startswith(
        "**Too close to call between Own A (A) and Rent B (B)** over 1 year: A ($87 k on average) "
    )
    assert result.verdict.headline.endswith(
        "It depends on staff, flat (A) (100% of the difference)."
    )
    assert result.verdict.odds is not None
    assert "of 10,000 simulations (±1 point)" in result.verdict.odds
    assert "Expected cost of a wrong choice: $2" in result.verdict.odds


def test_a_copy_of_a_design_changes_no_verdict_of_the_others() -> None:
    first = owned("A", staff_usd_per_year=60_000)
    alone = drawn(first, cloud("B"), low=50_000, high=85_000)
    copy = {**owned("C", staff_usd_per_year=60_000), "title": "Again"}
    range_of_c = {"pointer": STAFF.replace("/A/", "/C/"), "low": 50_000, "high": 85_000}
    twice = drawn(first, cloud("B"), copy, low=50_000, high=85_000, ranges=[range_of_c])
    assert alone.verdict.kind == twice.verdict.kind == "clear"
    assert twice.verdict.letters == ("A", "C")
    assert " and Again (C)** cost the same, and least: " in twice.verdict.headline
    assert alone.odds is not None
    assert twice.odds is not None
    of_b = [next(p for p in r.odds.pairs if p.rival == "B") for r in (alone, twice) if r.odds]
    assert of_b[0] == of_b[1]
    assert twice.odds.wins["A"] == twice.odds.wins["C"] == pytest.approx(alone.odds.wins["A"] / 2)
    assert twice.odds.wins["B"] == alone.odds.wins["B"]
    assert twice.odds.kinds["owned_cluster"] == pytest.approx(alone.odds.wins["A"])
    assert twice.odds.owned_fraction == twice.odds.kinds["owned_cluster"]


def test_designs_that_differ_by_a_dollar_have_odds_of_100_to_0() -> None:
    other = owned("C", staff_usd_per_year=60_001)
    range_of_c = {"pointer": STAFF.replace("/A/", "/C/"), "low": 40_001, "high": 120_001}
    result = drawn(
        owned("A", staff_usd_per_year=60_000), other, low=40_000, high=120_000, ranges=[range_of_c]
    )
    assert result.odds is not None
    assert result.odds.wins == {"A": 1.0, "C": 0.0}
    assert result.verdict.kind == "same"
    assert column(result, "C").regret_usd == pytest.approx(1.0)


@pytest.mark.decisive
def test_a_design_that_is_never_beaten_is_cheapest_however_often_it_is_tied() -> None:
    """C is what A is, and costs more in three simulations of ten."""
    study = plain([owned("A", staff_usd_per_year=60_000), owned("C", staff_usd_per_year=60_000)])
    pointer = STAFF.replace("/A/", "/C/")
    others = [{"value": 90_000, "odds_fraction": 0.3}]
    study["assumptions"] |= {"choices": [{"pointer": pointer, "others": others}]}
    result = answer({**study, "draws_count": 2000})
    assert result.odds is not None
    assert result.odds.wins == pytest.approx({"A": 0.65, "C": 0.35}, abs=0.01)
    assert (result.verdict.kind, result.verdict.letters) == ("clear", ("A",))
    assert column(result, "A").regret_usd == pytest.approx(0.0, abs=1e-6)
    told = str(result.verdict.odds)
    assert told.startswith(
        "A is never beaten: in all 2,000 simulations no other design costs less, and the same is "
        "the cost of C in 70%"
    )


def test_what_is_owed_after_the_horizon_is_charged_where_the_work_stops() -> None:
    study = document("rent-or-own", draws_count=200)
    others = [{"value": "work_stops", "odds_fraction": 0.3}]
    study["assumptions"]["choices"] = [{"pointer": "/assumptions/end", "others": others}]
    told = next(one for one in answer(study).warnings if "would still be owed" in one)
    assert told.endswith("charged in the simulations in which the work stops, not in the others.")


def test_the_sentence_the_dot_and_the_order_name_the_lowest_mean() -> None:
    """A is cheaper as entered, B on average: the range of A reaches far up."""
    result = drawn(owned("A", staff_usd_per_year=70_000), cloud("B"), low=69_000, high=150_000)
    assert column(result, "A").total_usd < column(result, "B").total_usd
    assert (result.winner, result.runner_up, result.verdict.letters) == ("B", "A", ("B",))
    rows = {row.id: row for row in result.rows}
    assert rows["mean_usd"].best == "B"
    assert rows["total_usd"].best is None
    assert rows["total_usd"].label == "Cost, 1 year, as entered"
    assert result.rows[0].id == "mean_usd"


def test_regret_is_the_mean_above_the_cheapest_of_each_trial() -> None:
    result = drawn(owned("A", staff_usd_per_year=77_000), cloud("B"), low=60_000, high=95_000)
    first, other = column(result, "A"), column(result, "B")
    assert first.regret_usd is not None
    assert other.regret_usd is not None
    assert first.mean_usd is not None
    assert other.mean_usd is not None
    # The cheapest of each trial is the same for both, so regrets differ as the means do.
    assert other.regret_usd - first.regret_usd == pytest.approx(other.mean_usd - first.mean_usd)
    # Of a triangle from 60 to 95 around 77 thousand, with B at 77.6: E[max(0, A - B)].
    assert first.regret_usd == pytest.approx(2940, rel=0.05)


@pytest.mark.parametrize("value", [0.16534143805813337, 71644942.81150018, 1 / 3, 0.1, 0.0])
def test_what_is_the_same_in_every_trial_has_no_break_point(value: float) -> None:
    gaps = np.random.default_rng(1).normal(1.0, 1.0, (2, 5000))
    drawn = np.full((1, 5000), value)
    moved = correlations(drawn, gaps)
    assert np.abs(moved).max() == 0.0
    assert break_points(drawn, gaps, [(value, value)], moved) == [None]


def test_break_points_are_those_of_the_mean() -> None:
    """With a second unknown beside it, A is cheaper on average up to its own mean gap."""
    fee = {"pointer": "/designs/B/staff_usd_per_year", "low": 0.0, "high": 40_000}
    study = plain([owned("A", staff_usd_per_year=77_000), cloud("B", staff_usd_per_year=1000)])
    study["ranges"] = [
        {"pointer": STAFF, "low": 60_000, "high": 110_000, "quantity": "our people"},
        {**fee, "quantity": "their people"},
    ]
    result = answer({**study, "draws_count": 20_000})
    flips = {flip.quantity: flip for flip in result.flips}
    mean_of_b = 87_600 + (0 + 1000 + 40_000) / 3
    assert flips["our people"].flips_at == pytest.approx(mean_of_b - 10_000, rel=0.01)
    assert flips["our people"].winner_after == "B"
    assert result.verdict.flips is not None
    assert flips["their people"].flips_at == pytest.approx(
        10_000 + (60_000 + 77_000 + 110_000) / 3 - 87_600, rel=0.05
    )
    assert [flips[name].rises for name in ("our people", "their people")] == [True, False]
    assert "; " not in result.verdict.flips
    assert "if staff of B cost less than $4" in result.verdict.flips
    assert "if staff of A cost more than $91 k a year" in result.verdict.flips


def test_flips_are_told_in_the_planners_words() -> None:
    study = plain(
        [owned("A", staff_fte=0.7), cloud("B")],
        demand(),
        staff_usd_per_fte_year=100_000,
    )
    study["ranges"] = [{"pointer": "/designs/A/staff_fte", "low": 0.5, "high": 1.0}]
    result = answer({**study, "draws_count": 1500})
    scene = Scene(study_of(study))
    (flip,) = result.flips
    assert flip_words(flip, scene) == "operations of A need more than 0.78 people"


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
    assert rows["npv_usd"].best == result.winner
    for row in result.rows:
        for letter, value in row.values.items():
            assert (value is None) == (letter in row.reasons)
    # Rented volumes are as full as owned disks may be.
    assert rows["spare_disk_fraction"].values["A"] == pytest.approx(0.15)
    assert rows["spare_disk_fraction"].reasons["E"].startswith("What its own nodes lack is rented")
    undiscounted, discounted = rows["break_even_months"], rows["break_even_discounted_months"]
    # B is moved to from A, whose months until then nobody commits to.
    assert undiscounted.label == "Pays off after, against A, undiscounted"
    assert discounted.label == "Pays off after, against A, discounted"
    pairs = (item for item in result.break_evens if (item.challenger, item.incumbent) == ("D", "A"))
    told = {item.discounted: item for item in pairs}
    assert undiscounted.values["D"] == told[False].exact_months
    assert discounted.values["D"] == told[True].exact_months
    assert undiscounted.reasons["A"].startswith("It starts no higher than D, and costs")
    assert "win_fraction" not in rows


def test_a_verdict_names_the_costs_that_nobody_entered() -> None:
    told = answer(plain([owned("A"), cloud("B", support={"bands": [{"fraction": 0.1}]})])).verdict
    assert told.not_counted is not None
    assert told.not_counted.startswith("Not counted: staff of A, ")
    assert "staff of B" in told.not_counted
    assert "support of B" not in told.not_counted


def test_the_modified_rate_of_return_is_that_of_its_definition() -> None:
    """$10,000 spent at the start saves what renting costs, month by month."""
    asked = plain([owned("A"), cloud("B")], discount_fraction_per_year=0.08)
    row = next(item for item in answer(asked).rows if item.id == "mirr_fraction")
    month = 1.08 ** (1 / 12)
    gains = sum(7300 * month ** (12 - at) for at in range(1, 13))
    assert row.values["A"] == pytest.approx(gains / 10_000 - 1.0)
    assert row.values["B"] is None


def test_another_order_at_the_entered_values_is_said() -> None:
    study = plain([owned("A", staff_fte=1.0), owned("B", staff_fte=1.5)])
    study["ranges"] = [{"pointer": "/designs/A/staff_fte", "low": 0.9, "high": 4.0}]
    result = answer({**study, "draws_count": 400})
    assert result.winner == "B"
    less = column(result, "B").total_usd - column(result, "A").total_usd
    said = f"As entered A costs least, {money(less, USD)} less than B. As entered A costs "
    assert str(result.verdict.entered).startswith(said)
    study["ranges"][0]["high"] = 1.1
    assert answer({**study, "draws_count": 400}).verdict.entered is None
    # More than twice as much at the entered values.
    study = plain([owned("A", staff_fte=1.0), owned("B", staff_fte=2.5)])
    study["ranges"] = [{"pointer": "/designs/A/staff_fte", "low": 0.9, "high": 12.0}]
    result = answer({**study, "draws_count": 400})
    assert result.winner == "B"
    entered_usd = [column(result, letter).total_usd for letter in "AB"]
    assert entered_usd[1] > 2 * entered_usd[0]
    more = money(entered_usd[1] - entered_usd[0], USD)
    said = f"As entered A costs least, {more} less than B. "
    assert str(result.verdict.entered).startswith(said)


def test_a_long_title_is_cut_in_the_headline() -> None:
    study = plain([owned("A"), cloud("B")])
    study["designs"][0]["title"] = "A title of many words " * 5
    headline = answer(study).verdict.headline
    assert headline.startswith(
        "**A title of many words A title of many words A title of … (A)** costs"
    )


def test_how_many_simulations_agree_is_said_of_a_hundred() -> None:
    shared = drawn(owned("A"), cloud("B"), low=50_000, high=120_000).verdict
    last = shared.headline.split(". ")[-1]
    assert last in {f"{share} of 100 simulations agree." for share in range(50, 100)}
