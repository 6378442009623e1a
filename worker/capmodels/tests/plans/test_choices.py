"""Alternatives with odds: each is the study with it entered, in its share of simulations."""

from __future__ import annotations

import copy
import math
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.explore.triangle import means_of_parts, triangular_share
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.document.combinations import COMBINATIONS_MOST, unsettled_of
from capmodels.plans.figures.certainty import tornado
from capmodels.plans.figures.compared import Compared
from capmodels.plans.sliders import moved, with_moves
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import document, settled

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison
    from capmodels.spec import JSONDict

END = "/assumptions/end"
LIFE = "/designs/D/salvage/life_months"
FEW = 240


def answer(study: JSONDict) -> Comparison:
    return compare(validate(SPEC, study))


def with_choice(study: JSONDict, pointer: str, *others: JSONDict) -> JSONDict:
    choice = {"pointer": pointer, "others": list(others)}
    chosen = [*study["assumptions"].get("choices", ()), choice]
    return {**study, "assumptions": {**study["assumptions"], "choices": chosen}}


def what_it_says(found: Comparison) -> dict[str, Any]:
    """The numbers of the simulations, without what is entered."""
    names = ("mean_usd", "p10_usd", "p90_usd", "win_fraction", "met_fraction")
    return {
        f"{one.letter} {name}": getattr(one, name)
        for one in found.designs
        for name in names
        if getattr(one, name) is not None
    }


def other_of(study: JSONDict, rng: Random) -> tuple[str, Any]:
    """An input of a random study, and something else that it may be."""
    assumptions = study["assumptions"]
    now = {
        END: assumptions.get("end", "work_continues"),
        "/assumptions/ordering_interval": assumptions.get("ordering_interval", "quarter"),
        "/assumptions/horizon_months": assumptions.get("horizon_months", 36),
    }
    values: dict[str, tuple[Any, ...]] = {
        END: ("work_continues", "work_stops"),
        "/assumptions/ordering_interval": ("month", "quarter", "half_year", "year"),
        "/assumptions/horizon_months": (11, 24, 36, 50),
    }
    for design in study["designs"]:
        if design["kind"] == "owned_cluster":
            at = f"/designs/{design['letter']}/finance"
            now[at], values[at] = design.get("finance"), ({"kind": "lease", "term_months": 30},)
    pointer = rng.choice(sorted(values))
    return pointer, rng.choice([value for value in values[pointer] if value != now[pointer]])


@cache
def studies_with_others(count: int) -> list[tuple[JSONDict, str, Any]]:
    """Random studies, each with an input, another value of it, and no fault with that."""
    found: list[tuple[JSONDict, str, Any]] = []
    seed = 0
    while len(found) < count:
        seed += 1
        study = {**document_of(random_study(seed)), "draws_count": FEW}
        if not study["ranges"]:
            continue
        pointer, value = other_of(study, Random(seed))
        try:
            validate(SPEC, typed(study, pointer, value))
            validate(SPEC, with_choice(study, pointer, {"value": value, "odds_fraction": 1.0}))
        except ParamsError:
            continue
        found.append((study, pointer, value))
    return found


def typed(study: JSONDict, pointer: str, value: Any) -> JSONDict:
    return with_moves(study, {pointer: value})


@pytest.mark.parametrize("case", range(8))
def test_an_alternative_that_is_sure_is_the_study_with_it_entered(case: int) -> None:
    study, pointer, value = copy.deepcopy(studies_with_others(8)[case])
    sure = with_choice(study, pointer, {"value": value, "odds_fraction": 1.0})
    assert what_it_says(answer(sure)) == pytest.approx(
        what_it_says(answer(typed(study, pointer, value))), rel=1e-9, nan_ok=True
    )


@pytest.mark.parametrize("case", range(4))
def test_what_is_as_entered_or_another_thing_is_the_weighted_mean_of_both(case: int) -> None:
    study, pointer, value = copy.deepcopy(studies_with_others(8)[case])
    study["draws_count"] = 2 * FEW
    both = (answer(study), answer(typed(study, pointer, value)))
    mixed = answer(with_choice(study, pointer, {"value": value, "odds_fraction": 0.25}))
    for entered, other, one in zip(both[0].designs, both[1].designs, mixed.designs, strict=True):
        if entered.mean_usd is None or other.mean_usd is None or one.mean_usd is None:
            continue
        error = math.hypot(entered.mean_error_usd or 0.0, other.mean_error_usd or 0.0)
        mean = 0.75 * entered.mean_usd + 0.25 * other.mean_usd
        # 95% of either alone; four times as much for the quarter of the simulations
        assert one.mean_usd == pytest.approx(mean, abs=4 * error + 1e-6 * abs(mean))


def test_odds_are_those_of_both_weighted_and_told_by_alternative() -> None:
    study = settled(document("rent-or-own", draws_count=2000))
    stops = answer(typed(study, END, "work_stops"))
    mixed = answer(with_choice(study, END, {"value": "work_stops", "odds_fraction": 0.4}))
    continues = answer(study)
    assert mixed.odds is not None
    assert stops.odds is not None
    assert continues.odds is not None
    wanted = 0.6 * continues.odds.wins["D"] + 0.4 * stops.odds.wins["D"]
    assert mixed.odds.wins["D"] == pytest.approx(wanted, abs=0.03)
    (choice,) = mixed.choices
    seen = {one.label: one for one in choice.alternatives}
    assert seen["work stops"].draws_count == 800
    assert seen["work stops"].wins["D"] == pytest.approx(stops.odds.wins["D"], abs=0.05)
    assert seen["work continues"].wins["D"] == pytest.approx(continues.odds.wins["D"], abs=0.02)
    assert str(choice.sentence) in str(mixed.verdict.alternatives)
    assert 0 < (choice.explains_fraction or 0) < 1


def test_a_range_without_width_of_a_life_or_a_horizon_is_the_value() -> None:
    study = settled(document("rent-or-own", draws_count=200))
    plain = what_it_says(answer(study))
    for pointer, value in (
        (LIFE, 60),
        ("/assumptions/horizon_months", 36),
    ):
        item = {"pointer": pointer, "low": value, "high": value}
        ranged = {**study, "ranges": [*study["ranges"], item]}
        assert what_it_says(answer(ranged)) == pytest.approx(plain, rel=1e-12)


def test_the_ends_of_a_life_are_the_studies_with_them_entered() -> None:
    study = settled(document("rent-or-own", draws_count=1500))
    item = {"pointer": LIFE, "low": 40.0, "high": 80.0}
    found = answer({**study, "ranges": [*study["ranges"], item]})
    bar = next(bar for bar in found.tornado if bar.pointer == item["pointer"])
    for life, gap in ((40.0, bar.at_low_usd), (80.0, bar.at_high_usd)):
        with_life = answer(typed(study, LIFE, life))
        means = {one.letter: one.mean_usd or 0.0 for one in with_life.designs}
        assert gap == pytest.approx(means["D"] - means["E"], abs=0.02 * means["D"])


def test_values_of_a_whole_number_stand_for_its_range() -> None:
    for low, value, high in ((24, 36, 60), (35, 36, 37), (12, 12, 14), (30, 36, 36)):
        study = settled(document("rent-or-own", draws_count=100))
        study["assumptions"]["horizon_months"] = value
        item = {"pointer": "/assumptions/horizon_months", "low": low, "high": high}
        (one,) = unsettled_of(validate(SPEC, {**study, "ranges": [item]}))
        assert math.fsum(option.odds_fraction for option in one.options) == pytest.approx(1.0)
        mean = math.fsum(option.odds_fraction * option.value for option in one.options)
        assert mean == pytest.approx((low + value + high) / 3, abs=0.5)
        assert len(one.options) <= 6
        assert one.options[0].value == value


def test_parts_of_a_triangle_have_its_means() -> None:
    """By the sum of many points of the inverse distribution function, by bisection."""
    triple = (2.0, 3.0, 9.0)

    def at(share: float) -> float:
        low, high = triple[0], triple[2]
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (
                (middle, high) if triangular_share(triple, middle) < share else (low, middle)
            )
        return low

    count = 400
    points = [at((place + 0.5) / (5 * count)) for place in range(5 * count)]
    means = [math.fsum(points[part * count : (part + 1) * count]) / count for part in range(5)]
    assert means_of_parts(triple, 5) == pytest.approx(means, rel=1e-4)


def test_an_alternative_that_changes_the_winner_is_what_would_change_it() -> None:
    study = settled(document("rent-or-own", draws_count=1200))
    free = {"value": 0.0, "odds_fraction": 0.1}
    for design in study["designs"]:
        if design["letter"] == "A":
            pointer = "/designs/A/instances/0/usd_per_h"
    study["ranges"] = [one for one in study["ranges"] if one["pointer"] != pointer]
    found = answer(with_choice(study, pointer, free))
    assert found.verdict.letters == ("D",)
    assert "A becomes the cheapest if" in str(found.verdict.flips)
    assert "No single" not in str(found.verdict.flips)


def test_several_inputs_may_go_along_with_an_alternative() -> None:
    study = settled(document("rent-or-own", draws_count=300))
    along = [{"pointer": "/workload/availability/survive_site_loss", "value": True}]
    two = {"value": 2, "odds_fraction": 1.0, "along": along}
    found = answer(with_choice(study, "/workload/availability/sites_count", two))
    as_typed = with_moves(
        study,
        {
            "/workload/availability/sites_count": 2,
            "/workload/availability/survive_site_loss": True,
        },
    )
    assert what_it_says(found) == pytest.approx(what_it_says(answer(as_typed)), rel=1e-9)


def test_a_choice_that_is_moved_is_known() -> None:
    study = with_choice(
        settled(document("rent-or-own", draws_count=300)),
        END,
        {"value": "work_stops", "odds_fraction": 0.5},
    )
    study["ranges"].append({"pointer": "/assumptions/horizon_months", "low": 24, "high": 48})
    changes = moved(study, {"/assumptions/horizon_months": 30.0})
    known = with_moves(study, changes)
    assert known["assumptions"]["horizon_months"] == 30
    assert [one["pointer"] for one in known["ranges"]].count("/assumptions/horizon_months") == 0
    assert len(known["assumptions"]["choices"]) == 1


@pytest.mark.parametrize(
    ("pointer", "others", "sentence"),
    [
        (END, [{"value": "never", "odds_fraction": 0.5}], "Choose one of"),
        (END, [{"value": "work_stops", "odds_fraction": 0.7}] * 2, "add up to 140%"),
        ("/assumptions/ranked_by", [{"value": "cash", "odds_fraction": 0.5}], "what an answer is"),
        ("/assumptions/nothing", [{"value": 1, "odds_fraction": 0.5}], "There is no input"),
        (
            "/assumptions/horizon_months",
            [{"value": 0, "odds_fraction": 0.5}],
            "Enter",
        ),
        (
            "/assumptions/horizon_months",
            [{"value": 30 + at, "odds_fraction": 0.1} for at in range(8)],
            f"Leave at most {COMBINATIONS_MOST}",
        ),
    ],
)
def test_a_choice_that_cannot_be_is_refused(
    pointer: str, others: list[JSONDict], sentence: str
) -> None:
    study = with_choice(settled(document("rent-or-own", draws_count=10)), pointer, *others)
    if len(others) == 8:
        study = with_choice(
            study,
            "/assumptions/ordering_interval",
            *({"value": value, "odds_fraction": 0.2} for value in ("month", "half_year")),
        )
    with pytest.raises(ParamsError) as refused:
        validate(SPEC, study)
    assert any(sentence in fault.message for fault in refused.value.faults)


def test_a_value_that_an_input_cannot_have_is_refused_where_it_stands() -> None:
    base = settled(document("rent-or-own", draws_count=10))
    for pointer, value in ((END, "never"), ("/assumptions/horizon_months", 0), (LIFE, "48")):
        study = with_choice(base, pointer, {"value": value, "odds_fraction": 0.5})
        with pytest.raises(ParamsError) as refused:
            validate(SPEC, study)
        assert refused.value.faults[0].pointer == "/assumptions/choices/0/others/0/value"


def test_a_choice_is_a_bar_among_those_of_ranges() -> None:
    study = settled(document("rent-or-own", draws_count=2000))
    study = with_choice(study, END, {"value": "work_stops", "odds_fraction": 0.3})
    study = with_choice(
        study,
        LIFE,
        {"value": 36, "odds_fraction": 0.2},
        {"value": 72, "odds_fraction": 0.2},
    )
    found = answer(study)
    assert found.winner is not None
    assert found.runner_up is not None
    figure = tornado(Compared(found.model_dump(mode="json")))
    assert figure is not None
    low, high = figure.series
    assert low.texts is not None
    assert high.texts is not None
    for choice in found.choices:
        at = figure.rows.index(choice.label)
        leads = [
            one.mean_usd[found.winner] - one.mean_usd[found.runner_up]
            for one in choice.alternatives
        ]
        assert {low.values[at], high.values[at]} == {min(leads), max(leads)}
        labels = [one.label for one in choice.alternatives]
        assert labels.index(low.texts[at]) < labels.index(high.texts[at])
    ends = zip(low.values, high.values, strict=True)
    widths = [abs((first or 0.0) - (last or 0.0)) for first, last in ends]
    assert widths == sorted(widths, reverse=True)
    # Longest first, of all unknowns together.
    assert max(widths) >= max(abs(bar.at_high_usd - bar.at_low_usd) for bar in found.tornado)


def test_one_ranking_of_what_moves_the_answer_holds_choices_too() -> None:
    result = answer(document("rent-or-own", draws_count=1000))
    (choice,) = result.choices
    figure = tornado(Compared(result.model_dump(mode="json")))
    assert figure is not None
    labels = {bar.quantity: bar.label for bar in result.tornado} | {choice.pointer: choice.label}
    ranked = [labels[key] for key in result.moves_most]
    assert ranked[: len(figure.rows)] == list(figure.rows)
    assert choice.label in ranked
    assert [key for key in result.moves_most if key != choice.pointer] == [
        bar.quantity for bar in result.tornado
    ]


def test_a_share_below_what_the_simulations_tell_is_said_as_less_than_that() -> None:
    result = answer(document("rent-or-own", draws_count=1000))
    said = [*(one.explains for one in result.quantities), *(one.explains for one in result.choices)]
    assert "less than 1%" in said
    assert not [one for one in said if one is None or "1 in" in one]
