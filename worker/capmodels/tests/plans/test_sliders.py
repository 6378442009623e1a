"""A slider, a bar of the tornado and a break-even move one quantity, and in one way."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.answer.flips import HELD, NOT_COMPUTED
from capmodels.plans.compare import SPEC, compare
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.study import StudySpec
from capmodels.plans.sliders import moved, ranges_left, ranges_settled, with_moves
from capmodels.spec import validate
from capmodels.tests.plans.documents import (
    answer,
    cloud,
    column,
    demand,
    owned,
    plain,
    study_of,
)

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison
    from capmodels.spec import JSONDict

DRAWS = 1001


def people(low: float = 1.0, high: float = 4.0, **changes: float) -> JSONDict:
    """Operations of two owned designs, one unknown; what is rented has none."""
    fte = {"A": 2.0, "B": 2.0, **changes}
    study = plain([owned("A", staff_fte=fte["A"]), owned("B", staff_fte=fte["B"]), cloud("C")])
    study["ranges"] = [
        {"pointer": f"/designs/{letter}/staff_fte", "low": low, "high": high} for letter in "AB"
    ]
    return {**study, "draws_count": DRAWS}


def gap_usd(result: Comparison, letters: tuple[str, str]) -> float:
    first, other = (column(result, letter).ranked_usd for letter in letters)
    return first - other


def slid(given: JSONDict, pointer: str, value: float) -> Comparison:
    return compare(validate(SPEC, with_moves(given, moved(given, {pointer: value}))))


@pytest.mark.decisive
def test_a_quantity_moves_wherever_it_stands_and_is_known_then() -> None:
    given = people()
    changes = moved(given, {"/designs/B/staff_fte": 3.0})
    assert changes == {
        "/designs/A/staff_fte": 3.0,
        "/designs/B/staff_fte": 3.0,
        "/ranges": [],
    }
    by_hand = plain([owned("A", staff_fte=3.0), owned("B", staff_fte=3.0), cloud("C")])
    found = compare(validate(SPEC, with_moves(given, changes)))
    for letter in "ABC":
        assert column(found, letter).ranked_usd == column(answer(by_hand), letter).ranked_usd


def test_each_input_is_at_the_same_share_of_its_own_range() -> None:
    """The middle of 2 in 1 to 3 is that of 20 in 10 to 30; as far beyond an end likewise."""
    given = people(A=2.0, B=20.0)
    given["ranges"][0] |= {"low": 1.0, "high": 3.0}
    given["ranges"][1] |= {"low": 10.0, "high": 30.0}
    for value in (0.5, 1.0, 1.7, 2.0, 3.0, 3.5):
        changes = moved(given, {"/designs/A/staff_fte": value})
        assert changes["/designs/A/staff_fte"] == value
        assert changes["/designs/B/staff_fte"] == pytest.approx(10 * value)


@pytest.mark.parametrize(
    ("ranges", "wanted"),
    [("drop", None), ("move", (1.5, 6.0)), ("keep", (1.0, 4.0))],
)
def test_ranges_of_what_is_moved_are_dropped_moved_along_or_kept(
    ranges: Any, wanted: tuple[float, float] | None
) -> None:
    given = people()
    found = with_moves(given, moved(given, {"/designs/A/staff_fte": 3.0}, ranges=ranges))
    ends = [(one["low"], one["high"]) for one in found["ranges"]]
    assert ends == ([] if wanted is None else [wanted, wanted])
    assert {one.get("staff_fte") for one in found["designs"][:2]} == {3.0}


def test_what_ties_a_quantity_goes_with_it() -> None:
    given = people()
    given["ranges"].append({"pointer": "/assumptions/pue", "low": 1.1, "high": 1.9})
    keys = [one.key for one in quantities_of(study_of(given))]
    tied = [{"first": keys[0], "second": keys[1], "spearman_ratio": 0.5}]
    given["assumptions"] = {**given["assumptions"], "correlations": tied}
    changes = moved(given, {"/designs/A/staff_fte": 3.0})
    assert changes["/assumptions/correlations"] == []
    assert answer(with_moves(given, changes)).winner


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ParamsError, match="no number at /designs/A/title"):
        moved(people(), {"/designs/A/title": 1.0})


def close_study(seed: int) -> JSONDict:
    """Two owned designs and a rented one of nearly one cost, and wide ranges of what moves them.

    Whole random studies have designs of other sizes, and next to nothing moves their order.
    """
    rng = Random(seed)
    nodes = rng.uniform(5, 60)
    growth = rng.uniform(0.0, 0.3)
    work = demand(busy_cores_count=10 * nodes, growth={"cores_fraction_per_year": growth})
    price = rng.uniform(2_000, 20_000)
    people = rng.uniform(0.2, 2.0)
    # A node over three years against ten vCPUs of one core each.
    hourly = (price + people * 150_000 * 3 / nodes) / (3 * 8760) * rng.uniform(0.7, 1.3)
    designs = [
        {
            **owned(letter, group={"price": {"kind": "typed", "unit_price_usd": usd}}),
            "staff_fte": fte,
            "shortfall_letter": "C",
        }
        for letter, usd, fte in (
            ("A", price, people),
            ("B", price * rng.uniform(0.7, 1.3), people * rng.uniform(0.7, 1.3)),
        )
    ]
    rented = cloud("C", item={"usd_per_h": hourly, "vcpu_count": 10, "perf_per_vcpu_ratio": 1.0})
    study = plain([*designs, rented], workload=work) | {"draws_count": DRAWS, "seed": seed}
    study["assumptions"] |= {"horizon_months": 36, "staff_usd_per_fte_year": 150_000}

    def wide(pointer: str, value: float) -> JSONDict:
        ends = value * rng.uniform(0.3, 1.0), value * rng.uniform(1.0, 2.0)
        return {"pointer": pointer, "low": ends[0], "high": ends[1]}

    study["ranges"] = [
        wide("/designs/A/staff_fte", designs[0]["staff_fte"]),
        wide("/designs/B/staff_fte", designs[1]["staff_fte"]),
        wide("/designs/A/node_groups/0/price/unit_price_usd", price),
        wide("/designs/C/instances/0/usd_per_h", hourly),
        wide("/workload/growth/cores_fraction_per_year", growth),
        wide("/workload/busy_cores_count", 10 * nodes),
    ]
    return study


def disagreements(seed: int) -> list[str]:
    """Bars of a random study's tornado, and break-evens, that a fresh evaluation contradicts."""
    given = close_study(seed)
    saved = answer(given)
    assert any(abs(bar.at_low_usd - bar.at_high_usd) > 1.0 for bar in saved.tornado)
    return [*_of_bars(given, saved), *_of_flips(given, saved)]


def _of_bars(given: JSONDict, saved: Comparison) -> list[str]:
    if saved.runner_up is None or saved.winner is None or saved.odds is None:
        return []
    order = [one.letter for one in sorted(saved.designs, key=lambda one: one.ranked_usd)]
    best = [letter for letter in order if column(saved, letter).competes][:2]
    pair = (saved.winner, saved.runner_up)
    size = max(abs(column(saved, letter).ranked_usd) for letter in best)
    found = []
    for bar in saved.tornado[:3]:
        for value, told in ((bar.low, bar.at_low_usd), (bar.high, bar.at_high_usd)):
            here = gap_usd(slid(given, bar.pointer, value), pair)
            was = saved.tornado_center_usd or 0.0
            off = abs(here - told)
            wrong = (here - was) * (told - was) < 0 and min(
                abs(here - was), abs(told - was)
            ) > 0.01 * size
            if wrong or off > 0.1 * max(abs(here - was), abs(told - was)) + 6e-3 * size:
                found.append(
                    f"{bar.pointer} at {value}: {told:.0f}, fresh {here:.0f}, was {was:.0f}"
                )
    return found


def _of_flips(given: JSONDict, saved: Comparison) -> list[str]:
    found = []
    none = {flip.quantity for flip in saved.flips if flip.flips_at is None}
    for bar in saved.tornado[:3]:
        over = max(bar.at_low_usd, bar.at_high_usd)
        if bar.quantity in none and over > 0:
            found.append(f"{bar.pointer}: no break-even, but {over:.0f} at an end")
    for flip in saved.flips[:2]:
        if flip.flips_at is None or flip.winner_after is None or saved.winner is None:
            continue
        here = slid(given, flip.pointer, flip.flips_at)
        gap = gap_usd(here, (saved.winner, flip.winner_after))
        size = abs(column(here, saved.winner).ranked_usd)
        if abs(gap) > 0.025 * size:
            found.append(f"{flip.pointer} at {flip.flips_at}: {gap:.0f} of {size:.0f}")
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_fresh_evaluation_has_the_sign_and_size_of_every_move(seed: int) -> None:
    assert disagreements(seed) == []


@pytest.mark.parametrize("seed", range(3))
def test_no_break_even_is_stated_that_no_fresh_evaluation_has(seed: int) -> None:
    """A page asks for 1,000 simulations while a slider is held: too few to evaluate anew."""
    given = close_study(seed)
    held = answer({**given, "draws_count": HELD})
    assert held.verdict.flips == NOT_COMPUTED
    assert held.flips == ()
    assert held.tornado


def test_what_moves_a_level_pair_by_cents_is_not_ranked_before_the_rest() -> None:
    """Two designs that cost the same: what moves their difference by cents stays in its order."""
    staff = {"A": 0.5, "B": 1.0}
    designs = [owned(letter, staff_usd_per_year=1000.0) for letter in staff]
    given = plain(designs) | {"draws_count": DRAWS}
    given["ranges"] = [
        {
            "pointer": f"/designs/{letter}/staff_usd_per_year",
            "low": 1000 - off,
            "high": 1000 + off,
            "quantity": f"Staff of {letter}",
        }
        for letter, off in staff.items()
    ]
    study = validate(SPEC, given)
    assert isinstance(study, StudySpec)
    saved = compare(study)
    widths = [abs(bar.at_high_usd - bar.at_low_usd) for bar in saved.tornado]
    assert widths != sorted(widths, reverse=True)
    assert [bar.quantity for bar in saved.tornado] == [one.key for one in quantities_of(study)]


@pytest.mark.parametrize("seed", range(6))
def test_a_label_names_the_design_whose_number_stands_beside_it(seed: int) -> None:
    given = close_study(seed) | {"draws_count": 50}
    saved = answer(given)
    members = {
        one.key: {member.pointer: member for member in one.members} for one in saved.quantities
    }
    named = 0
    for bar in saved.tornado:
        own = members[bar.quantity]
        numbers = {(one.low, one.value, one.high) for one in own.values() if one.low < one.high}
        letters = {pointer.split("/")[2] for pointer in own if pointer.startswith("/designs/")}
        if len(letters) > 1 and len(numbers) > 1:
            whose = bar.pointer.split("/")[2]
            assert f"({whose}, with " in bar.label
            named += 1
    assert named


@pytest.mark.deep
def test_fresh_evaluations_have_the_sign_and_size_of_every_move() -> None:
    assert {seed: found for seed in range(6, 120) if (found := disagreements(seed))} == {}


@pytest.mark.parametrize(
    ("now", "told"), [(2.0, False), (2.1, False), (2.4, True), (5.0, True), (0.5, True)]
)
def test_a_range_that_no_longer_fits_its_changed_value_is_told(now: float, told: bool) -> None:
    """2 in 1.6 to 2.5 has its mean at 2.03; beside 2.4 it stays at 2.17."""
    before = people(low=1.6, high=2.5)
    after = people(low=1.6, high=2.5, A=now)
    left = ranges_left(before, after)
    assert [one["pointer"] for one in left] == (["/designs/A/staff_fte"] if told else [])
    for one in left:
        assert f"is {now:g}, before 2, and its range is still 1.6 to 2.5" in one["message"]
    assert ranges_settled(after["ranges"], left, "keep") == after["ranges"]
    assert len(ranges_settled(after["ranges"], left, "drop")) == 2 - told
    first, other = ranges_settled(after["ranges"], left, "move")
    assert other == after["ranges"][1]
    assert first["low"] == pytest.approx(1.6 * now / 2 if told else 1.6)
    # Whoever changes the range too has looked at it.
    after["ranges"][0]["high"] = 2.6
    assert ranges_left(before, after) == []


def test_ranges_of_drafts_are_told_of_as_far_as_they_can_be_read() -> None:
    draft = {"ranges": [{"pointer": "/designs/Z/x", "low": 1, "high": 2}, {"pointer": "/a"}]}
    assert ranges_left(draft, draft) == []
    assert ranges_left({}, {}) == []
