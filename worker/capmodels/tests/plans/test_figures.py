"""What charts draw of comparisons, of random studies above all: it adds up, and is told."""

from __future__ import annotations

import itertools
import math
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.numbers import Currency, quantity
from capmodels.plans.causes import key_of
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.figures.actuals import paid_so_far
from capmodels.plans.figures.capacity import BINDS, capacity
from capmodels.plans.figures.certainty import tornado
from capmodels.plans.figures.commitments import commitments
from capmodels.plans.figures.compared import Compared
from capmodels.plans.figures.costs import BEFORE_LEFT, CAUSES, cost_by_cause
from capmodels.plans.figures.cumulative import CUMULATIVE, cumulative
from capmodels.plans.figures.drawn import Drawn, drawn
from capmodels.plans.figures.footprint import energy
from capmodels.plans.figures.moves import why_moved
from capmodels.plans.figures.trade_offs import ENERGY, TRADE_OFF, Point, front, trade_off
from capmodels.plans.figures.waterfall import DIFFERENCE, differences
from capmodels.plans.moves import Cause, Moved
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.random_studies import seeds_to

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import Comparison
    from capmodels.spec import JSONDict
    from capmodels.told import Figure

DOLLARS = {"code": "USD", "per_usd": 1.0}
LETTERS = "ABCDEFGH"
# Of an energy without a range.
AS_ENTERED = {"low_kwh": None, "high_kwh": None}
# Enough for odds and a tornado.
DRAWS = 200


@cache
def compared(seed: int, draws_count: int = 0) -> Comparison:
    document = document_of(random_study(seed)) | {"draws_count": draws_count}
    return compare(validate(SPEC, document))


def answer(seed: int, draws_count: int = 0) -> JSONDict:
    return compared(seed, draws_count).model_dump(mode="json")


@cache
def simulated_seed() -> int:
    """The first random study with a winner that costs, two rivals, and what moves their lead."""
    found = ((seed, answer(seed, DRAWS)) for seed in itertools.count())
    moved = ((seed, one) for seed, one in found if one["tornado"] and len(one["designs"]) > 2)
    best = ((seed, Compared(one).design(one["winner"])) for seed, one in moved)
    return next(seed for seed, winner in best if winner and winner["ranked_usd"] > 0)


def simulated() -> JSONDict:
    """Its answer, for a test to change."""
    return answer(simulated_seed(), DRAWS)


def named(found: Drawn, name: str) -> list[Figure]:
    return [one for one in found.figures if one.name == name]


def texts_of(figure: Figure) -> str:
    return f"{figure.title} {figure.summary} {figure.note}"


@pytest.mark.parametrize("seed", seeds_to(24))
def test_every_figure_says_what_it_finds_in_words_and_as_a_table(seed: int) -> None:
    found = drawn(compared(seed, DRAWS if seed % 4 == 0 else 0))
    assert {CUMULATIVE, CAUSES, TRADE_OFF} <= {one.name for one in found.figures}
    for figure in found.figures:
        assert figure.title
        assert not re.search(r"\bnan\b", texts_of(figure))
        assert len({len(column.values) for column in figure.twin}) <= 1
        for column in figure.twin:
            assert not column.said or len(column.said) == len(column.values)
        for one in figure.series:
            places = figure.rows or one.at
            assert len(one.values) == len(places)
            assert all(len(ends) in {0, len(places)} for ends in (one.low, one.high, one.base))


@pytest.mark.parametrize("seed", seeds_to(24))
def test_the_causes_and_every_waterfall_add_up_to_what_designs_are_ranked_by(seed: int) -> None:
    of = Compared(answer(seed))
    figure = cost_by_cause(of)
    # Seven causes apart and the others as one; every cause in the table.
    assert len(figure.series) <= 8
    assert {key_of(one["cause"]) for design in of.designs for one in design["causes"]} >= {
        one.role.partition("/")[2] for one in figure.series if one.name in figure.twin[0].values
    } - {"other"}
    for place, design in enumerate(of.designs):
        # What is left at the end is a line beneath the costs, no piece among them.
        left = [one["ranked_usd"] for one in design["causes"] if key_of(one["cause"]) == "salvage"]
        parts = [*left, *(one.values[place] or 0.0 for one in figure.series)]
        size = math.fsum(map(abs, parts))
        table = dict(zip(figure.twin[0].values, figure.twin[2 + place].values, strict=True))
        before = table.get(BEFORE_LEFT, design["ranked_usd"])
        assert before == pytest.approx(design["ranked_usd"] - math.fsum(left), abs=1e-9 * size)
        assert math.fsum(parts) == pytest.approx(design["ranked_usd"], rel=1e-9, abs=1e-9 * size)
        for other in of.designs:
            steps = math.fsum(change for _, change in differences(other, design))
            gap = design["ranked_usd"] - other["ranked_usd"]
            assert steps == pytest.approx(gap, rel=1e-9, abs=1e-9 * size + 1e-6)


def test_a_cause_too_small_for_its_column_is_not_said_to_be_nothing() -> None:
    given = simulated()
    given["currency"] = {"code": "USD", "per_usd": 1.0}
    place, design = next(
        (at, one) for at, one in enumerate(given["designs"]) if len(one["causes"]) > 1
    )
    small, large, *rest = design["causes"]
    small["ranked_usd"], large["ranked_usd"], design["ranked_usd"] = 357.0, 3e6 - 357.0, 3e6
    for one in rest:
        one["ranked_usd"] = 0.0
    said = cost_by_cause(Compared(given)).twin[2 + place].said
    assert "$357" in said
    assert said[-1] == "$3,000\u00a0k"


@pytest.mark.parametrize("seed", seeds_to(24))
def test_what_figures_read_of_an_answer_is_written_out_for_them(seed: int) -> None:
    result = compared(seed, DRAWS if seed % 8 == 0 else 0)
    assert drawn(result) == drawn(result.model_dump(mode="json"))


def test_any_two_designs_are_held_against_each_other_and_others_are_the_usual_ones() -> None:
    given = simulated()
    letters = [one["letter"] for one in given["designs"]]
    usual = drawn(given)
    assert usual.pair == Compared(given).pair
    assert drawn(given, "Z", "").pair == usual.pair
    for start in letters:
        for end in letters:
            found = drawn(given, start, end)
            assert found.pair == (start, end)
            assert bool(named(found, DIFFERENCE)) == (start != end)
            for figure in named(found, CUMULATIVE):
                assert (start == end) or (start in figure.title and end in figure.title)


def test_as_an_older_version_stored_it_an_answer_is_as_entered() -> None:
    stored = answer(3)
    for key in ("measure", "commitments", "tornado_center_usd"):
        del stored[key]
    for design in stored["designs"]:
        for cause in design["causes"]:
            del cause["ranked_usd"], cause["p10_usd"], cause["p90_usd"]
        del design["cumulative_ranked_usd"], design["cumulative_p10_usd"], design["p50_usd"]
    (figure,) = named(drawn(stored), CAUSES)
    assert ", as entered" in figure.along.title
    now = cost_by_cause(Compared(answer(3)))
    assert [one.values for one in figure.series] == [one.values for one in now.series]


def _scaled(value: Any, factor: float, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _scaled(inner, factor, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_scaled(inner, factor, key) for inner in value]
    return value * factor if key.endswith("_usd") and isinstance(value, float) else value


def eight(given: JSONDict) -> JSONDict:
    title = "A design with a name so long that it has to be cut somewhere <b>& here</b>"
    designs = given["designs"]
    many = [
        designs[at % len(designs)] | {"letter": x, "title": title} for at, x in enumerate(LETTERS)
    ]
    return given | {"designs": many}


@pytest.mark.parametrize(
    "hard",
    [
        pytest.param(lambda given: given | {"designs": given["designs"][:1]}, id="one design"),
        pytest.param(eight, id="eight designs with long names"),
        pytest.param(lambda given: _scaled(given, 1e-6), id="tiny amounts"),
        pytest.param(lambda given: _scaled(given, 1e9), id="huge amounts"),
        pytest.param(lambda given: given | {"odds": None, "tornado": []}, id="nothing drawn"),
        pytest.param(lambda given: given | {"winner": None, "runner_up": None}, id="no winner"),
    ],
)
def test_what_is_hard_to_draw_is_told(hard: Callable[[JSONDict], JSONDict]) -> None:
    found = drawn(hard(simulated()))
    assert len(found.figures) > 5
    assert all("None" not in texts_of(one).removesuffix("None") for one in found.figures)


@pytest.mark.parametrize(
    ("discounted", "curve", "dots", "said"),
    [
        (False, (2e6, 0, 0, 3e6, 3e6), [], "in this time, undiscounted, after 2 crossings"),
        (False, (2e6, 0, 2e6, 0, 0), [3], "on, undiscounted, the last of 3 crossings"),
        (True, (2e6, 0, 0, 0, 0), [1], "on, discounted"),
        (True, (1e6, 0, 0, 0, 0), [1], "from month 1 on, discounted"),
    ],
)
@pytest.mark.parametrize("drawn", [True, False], ids=["mean", "as entered"])
def test_a_break_even_is_that_of_the_curves_drawn_and_says_its_basis(
    discounted: bool,
    curve: tuple[float, ...],
    dots: list[int],
    said: str,
    drawn: bool,
) -> None:
    """Of the verdict's measure that of the means, of the other one that as entered."""
    given = simulated() | {"currency": DOLLARS}
    of = Compared(given)
    start, end = of.pair
    known = discounted == of.by_value
    field = "ranked_usd" if known else "npv_usd" if discounted else "usd"
    for one in given["designs"]:
        flat = (5e5, 5e5, 1e6, 1e6, 1e6)
        one[f"cumulative_{field}"] = list(curve if one["letter"] == end else flat)
        if not drawn:
            one["mean_usd"] = None
    figure = cumulative(Compared(given), start, end, discounted=discounted)
    told, _, basis = figure.title.partition(", mean of simulations")
    assert f"{told}{basis}".endswith(said)
    assert ("mean of simulations" in figure.title) == (known and drawn)
    # The dot pairs the crossing's own time with what both have cost then.
    assert len(figure.dots) == len(dots)
    for dot, month in zip(figure.dots, dots, strict=True):
        stated = float(dot.text.partition("\u00a0")[0])
        assert stated == pytest.approx(dot.at, abs=0.051)
        assert month - 1 < dot.at <= month
        running = [one[f"cumulative_{field}"] for one in given["designs"] if one["letter"] == end]
        low, high = running[0][month - 1], running[0][month]
        at = low + (high - low) * (dot.at - (month - 1))
        assert dot.value == pytest.approx(at)


def test_shares_of_what_a_design_has_are_shown_where_it_has_them() -> None:
    given = answer(1)
    (design, *_) = given["designs"]
    design["spare"] |= {"iops_fraction": 0.3, "gpu_fraction": 0.25, "disk_fraction": None}
    design["binding"] |= {"resource": "gpu", "label": "queries", "group": None}
    design["binding"] |= {"used_fraction": 0.75, "limit_fraction": 0.8}
    design["carries_load"] = True
    figure = capacity(Compared(given | {"designs": [design]}))
    assert re.fullmatch(r"Queries \(limit \d+%\) are the constraint in every design", figure.title)
    texts = dict(zip(figure.rows, figure.series[0].texts, strict=True))
    assert texts["GPUs"] == f"{design['letter']} {BINDS}"
    assert texts["IOPS"] == design["letter"]
    assert [column.values for column in figure.twin if column.label == "GPUs used"] == [(0.75,)]


def test_what_is_not_known_has_its_reason() -> None:
    given = answer(1)
    unknown = {"kwh": None, "low_kwh": None, "high_kwh": None, "basis": "unknown"}
    for design in given["designs"]:
        design |= {"energy": unknown | {"reason": "No meter"}, "energy_by_cause_kwh": {}}
    figure = energy(Compared(given))
    assert figure.title == "Energy is not known for these designs"
    assert set(figure.row_reasons) == {"No meter"}
    against = trade_off(Compared(given), ENERGY)
    assert against.series == ()
    assert against.note
    assert against.note.splitlines()[0].endswith(" — No meter")


def _curve(letter: str, **fields: Any) -> JSONDict:
    points = [(0.0, 150_000.0), (0.6, 100_000.0), (1.0, 140_000.0)]
    return {
        "letter": letter,
        "label": "36 months, 55% off",
        "is_best": False,
        "committed_fraction": 0.3,
        "cost_usd": 120_000.0,
        "points": [{"committed_fraction": at, "cost_usd": usd} for at, usd in points],
    } | fields


def test_a_commitment_says_what_another_level_would_save() -> None:
    given = answer(1) | {"currency": DOLLARS}
    assert commitments(Compared(given | {"commitments": []})) is None
    figure = commitments(Compared(given | {"commitments": [_curve("A")]}))
    assert figure
    assert figure.title == (
        "A commits 30% of its peak demand: $20.0\u00a0k above the level that costs least, 60%"
    )
    assert figure.series[0].at == (0.0, 0.3, 0.6, 1.0)
    assert [(dot.at, dot.text) for dot in figure.dots] == [(0.3, "A  30%, $120\u00a0k")]
    # The table has what the chart draws, the level chosen among it.
    assert figure.twin[1].values == figure.series[0].at
    assert figure.twin[2].values == figure.series[0].values
    best = [_curve("A", is_best=True), _curve("B", is_best=True)]
    both = commitments(Compared(given | {"commitments": best}))
    assert both
    assert both.title == "Each commitment stands at the level that costs least"
    one = commitments(Compared(given | {"commitments": best}), "B")
    assert one
    assert one.title.endswith("the level that costs least")
    assert [series.role for series in one.series] == ["B"]


def test_swings_start_where_the_lead_stands_and_say_the_inputs_own_values() -> None:
    # Choices have bars of their own: test_choices.
    answers = (answer(seed, DRAWS) | {"choices": []} for seed in itertools.count())
    given, figure = next((one, found) for one in answers if (found := tornado(Compared(one))))
    low, high = figure.series
    assert set(low.base) == {given["tornado_center_usd"]}
    shown = [row for row in given["tornado"] if row["label"] in figure.rows]
    assert low.values == tuple(row["at_low_usd"] for row in shown[:10])
    assert len(high.texts) == len(figure.rows)
    of = Compared(given | {"tornado_center_usd": None})
    winner, rival = of.design(given["winner"]), of.design(given["runner_up"])
    assert winner
    assert rival
    entered = tornado(of)
    assert entered
    assert entered.series[0].base[0] == of.entered_usd(winner) - of.entered_usd(rival)


def test_no_bar_stands_for_a_move_that_is_not_written() -> None:
    """A lead of cents between designs of thousands is no lead, nor is a cent of a lead a move."""
    given = simulated()
    first, *_ = given["tornado"]
    winner = Compared(given).design(given["winner"])
    assert winner
    cost_usd = winner["ranked_usd"]

    def with_leads(*leads_usd: tuple[float, float], center_usd: float) -> Figure | None:
        ends = [{"at_low_usd": low, "at_high_usd": high} for low, high in leads_usd]
        bars = [first | {"label": f"{at}"} | one for at, one in enumerate(ends)]
        moved = {"tornado": bars, "tornado_center_usd": center_usd, "choices": []}
        return tornado(Compared(given | moved))

    cent = cost_usd * 1e-7
    assert with_leads((-cent, cent), (cent, -2 * cent), center_usd=cent) is None
    lead = cost_usd / 10
    figure = with_leads((-lead, -lead - cent), (-lead, lead), center_usd=-lead)
    assert figure
    assert figure.rows == ("1",)


@pytest.mark.parametrize("seed", seeds_to(24)[::4])
def test_no_two_ends_of_a_bar_are_written_alike(seed: int) -> None:
    for figure in named(drawn(compared(seed, DRAWS)), "What moves the answer"):
        low, high = figure.series
        for ends in zip(low.base, low.values, high.values, strict=True):
            assert len({quantity(end, "USD") for end in ends if end is not None}) > 1


@pytest.mark.parametrize("seed", seeds_to(24)[::3])
def test_every_cell_without_a_value_says_why(seed: int) -> None:
    given = compared(seed)
    silent = [
        (row.id, letter)
        for row in given.rows
        for letter, value in row.values.items()
        if value is None and not row.reasons.get(letter)
    ]
    assert silent == []


def test_a_hybrid_without_a_spare_says_what_of_its_own_nodes_is_fullest() -> None:
    answers = map(compared, itertools.count())
    told = next(
        found
        for one in answers
        if (
            found := [
                (design.binding, row.reasons[design.letter])
                for row in one.rows
                if row.id.startswith("spare_")
                for design in one.designs
                if design.kind == "hybrid" and design.binding.used_fraction is not None
            ]
        )
    )
    for binding, reason in told:
        assert f"of its own nodes {binding.label} is nearest to its limit" in reason


def test_the_front_holds_what_nothing_beats_in_both() -> None:
    points = [
        Point({}, usd, value) for usd, value in ((3.0, 1.0), (1.0, 5.0), (2.0, 6.0), (4.0, 1.0))
    ]
    assert front(points) == [points[1], points[0]]


def test_what_was_paid_has_a_row_for_each_month() -> None:
    fields = ("planned_usd", "actual_usd", "difference_usd", "planned_kwh", "actual_kwh")
    month: JSONDict = dict.fromkeys(fields, 1.0) | {"month": "2026-07"}
    sums = ("planned_so_far_usd", "p10_so_far_usd", "p90_so_far_usd", "actual_so_far_usd")
    found = {"letter": "A", "sentence": "Paid.", "months": [month | dict.fromkeys(sums, 2.0)]}
    figure = paid_so_far(found)
    assert figure.twin[0].values == ("Jul 2026",)
    assert [one.values for one in figure.series] == [(2.0,), (2.0,)]
    assert figure.series[0].name == "Planned, with P10 to P90"


def _moved(*amounts_usd: float, measure: str = "Cost over 3 years", count: int = 0) -> Moved:
    names = ("Prices", "Growth")[: len(amounts_usd)]
    causes = tuple(
        Cause(name.lower(), name, usd) for name, usd in zip(names, amounts_usd, strict=True)
    )
    return Moved(1000.0, 1000.0 + math.fsum(amounts_usd), causes, measure, count)


def test_what_moved_a_cost_is_told_in_its_currency() -> None:
    yen = Currency("JPY", 150.0)
    figure = why_moved(_moved(400.0, -100.0), yen)
    plain = [text.replace("\u00a0", " ") for text in (figure.title, *figure.row_notes)]
    assert plain[0] == "Of +¥45.0 k: prices +¥60.0 k, growth −¥15.0 k"
    assert plain[1:] == ["¥150,000", "+¥60,000", "−¥15,000", "¥195,000"]
    assert figure.name == "Why the cost moved: cost over 3 years, as entered"
    mean = _moved(5.0, measure="Present value over 3 years, mean", count=10_000)
    assert why_moved(mean, yen).name == (
        "Why the cost moved: present value over 3 years, mean of 10,000 simulations"
    )


def test_a_cost_did_not_move_where_every_cause_moved_it_by_nothing() -> None:
    yen = Currency("JPY", 150.0)
    assert why_moved(_moved(0.0, 1e-5), yen).title == "The cost did not move"
    assert "prices" in why_moved(_moved(5.0, -5.0), yen).title


def test_the_least_of_a_trade_off_is_of_the_designs_with_a_value() -> None:
    given = simulated() | {"currency": DOLLARS}
    able = given["designs"]
    for design in able:
        design["energy"] |= {"kwh": 1.0 + design["ranked_usd"], "reason": None} | AS_ENTERED
    without = [design["letter"] for design in able[1:2]]
    able[1]["energy"] |= {"kwh": None, "reason": "No coefficients."}
    figure = trade_off(Compared(given), ENERGY)
    least = "has both the least cost on average and the least energy of those with a value"
    assert figure.title.endswith(f" {least} ({without[0]} has none)")


@pytest.mark.parametrize(
    ("kwh", "title"),
    [
        ((3.0, 1.0), "A costs least on average, B has the least energy"),
        ((3.0, 2.0, 1.0), "A costs least on average, C has the least energy, B lies between"),
        ((3.0, 4.0, 1.0), "A costs least on average, C has the least energy, B is beaten in both"),
        (
            (4.0, 3.0, 2.0, 1.0),
            "A costs least on average, D has the least energy, B and C lie between",
        ),
        ((1.0, 2.0), "A has both the least cost on average and the least energy"),
    ],
)
def test_a_trade_off_names_both_ends_and_what_lies_between(
    kwh: tuple[float, ...], title: str
) -> None:
    given = simulated() | {"currency": DOLLARS}
    first = given["designs"][0]
    given["designs"] = [
        {
            **first,
            "letter": letter,
            "ranked_usd": 100.0 + place,
            "energy": {**first["energy"], "kwh": energy, "reason": None, **AS_ENTERED},
        }
        for place, (letter, energy) in enumerate(zip("ABCD", kwh, strict=False))
    ]
    assert trade_off(Compared(given), ENERGY).title == title
