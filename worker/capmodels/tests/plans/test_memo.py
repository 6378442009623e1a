"""What is kept between answers changes none of them."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from capmodels.errors import ParamsError
from capmodels.plans.answer import (
    bodies_kernel,
    commitment_curve,
    memo,
    moves_kernel,
    trials_kernel,
)
from capmodels.plans.answer.bodies_kernel import same
from capmodels.plans.answer.memo import Column, columns_of
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document import combinations
from capmodels.tests.plans.documents import JSONDict, answer, document, study_of
from capmodels.tests.plans.random_studies import MOVABLE, SLOW, studies

if TYPE_CHECKING:
    from collections.abc import Iterator


def columns(document_: JSONDict) -> dict[str, Column]:
    study = study_of(document_)
    return {column.result.letter: column for column in columns_of(study, Scene(study))}


def forget() -> None:
    """Keep nothing of what was answered before."""
    kept = (memo._columns, memo._bodies, commitment_curve._curves)
    designs = (trials_kernel.IN_TRIALS, trials_kernel.AT_ENDS, moves_kernel.IN_MOVES)
    for one in (*kept, *designs, trials_kernel._arrays, combinations._changed_parts):
        one.clear()


def fresh(document_: JSONDict) -> str:
    """The answer of a process that has answered nothing yet."""
    forget()
    return answer(document_).model_dump_json()


def numbers(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Paths to every number of a document."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from numbers(inner, (*path, key))
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield path


def put(document_: JSONDict, path: tuple[str | int, ...], ratio: float) -> JSONDict:
    """The document with one number times a ratio; a count stays whole."""
    changed = copy.deepcopy(document_)
    here: Any = changed
    for key in path[:-1]:
        here = here[key]
    old = here[path[-1]]
    here[path[-1]] = old * ratio if isinstance(old, float) else round(old * ratio)
    return changed


def with_change(document_: JSONDict, **assumptions: object) -> JSONDict:
    return {**document_, "assumptions": {**document_["assumptions"], **assumptions}}


@pytest.mark.many(1)
@pytest.mark.slow
@pytest.mark.parametrize("slug", ["rent-or-own", "free-factories", "disk-arrays"])
def test_every_step_of_a_slider_answers_as_a_fresh_process_does(slug: str) -> None:
    start = document(slug)
    start["draws_count"] = 60
    paths = [path for path in numbers(start) if path[0] not in {"ranges", "seed", "draws_count"}]
    steps = [start]
    chance = random.Random(7)
    for path in chance.choices(paths, k=16):
        steps += [put(start, path, ratio) for ratio in (1.25, 0.8)]
    chance.shuffle(steps)
    forget()
    answers = {}
    for index, step in enumerate(steps):
        try:
            answers[index] = answer(step).model_dump_json()
        except ParamsError:
            continue
    assert len(answers) > 20
    for index, found in answers.items():
        assert found == fresh(steps[index])


@settings(max_examples=4, deadline=None, suppress_health_check=SLOW)
@given(studies())
def test_a_random_study_answers_the_same_whatever_was_asked_before(study: JSONDict) -> None:
    require_same_whatever_was_asked(study)


@pytest.mark.deep
@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(studies())
def test_many_random_studies_answer_the_same_whatever_was_asked_before(study: JSONDict) -> None:
    require_same_whatever_was_asked(study)


def require_same_whatever_was_asked(study: JSONDict) -> None:
    moves: list[JSONDict] = [
        with_change(study, pue=1.9),
        with_change(study, tax={"counted": True, "rate_fraction": 0.3}),
        {**study, "designs": study["designs"][::-1]},
        {**study, "baseline": None}
        if all(
            design.get("migration", {}).get("parallel_letter") != "T" for design in study["designs"]
        )
        else study,
    ]
    for pointer in MOVABLE[:4]:
        part, name = pointer.strip("/").split("/")[:2]
        if isinstance(study[part].get(name), float):
            moves.append({**study, part: {**study[part], name: study[part][name] * 0.9}})
    drawn = [{**move, "draws_count": 40} for move in moves]
    moves += [with_change(move, staff_usd_per_fte_year=9e4) for move in drawn]
    expected = [fresh(move) for move in moves]
    forget()
    for _ in range(2):
        assert [answer(move).model_dump_json() for move in moves] == expected


@pytest.mark.parametrize(
    ("change", "anew"),
    [
        ({"pue": 1.61}, "DE"),
        ({"electricity": {"kind": "flat", "usd_per_kwh": 0.2}}, "DE"),
        ({"staff_usd_per_fte_year": 99_000.0}, "ABCDE"),
        ({"discount_fraction_per_year": 0.11}, "ABCDE"),
        ({"ranked_by": "present_value"}, ""),
        ({"note": "seen"}, ""),
    ],
)
@pytest.mark.decisive
def test_only_what_reads_an_assumption_is_worked_out_anew(change: JSONDict, anew: str) -> None:
    study = document("rent-or-own")
    before = columns(study)
    after = columns(with_change(study, **change))
    assert "".join(letter for letter in before if after[letter] is not before[letter]) == anew


def test_a_slider_costs_no_design_anew_that_does_not_read_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With alternatives too, in all trials and where the longest bars are evaluated anew."""
    study = document("rent-or-own", draws_count=2000)
    assert study["assumptions"]["choices"]
    forget()
    answer(with_change(study, staff_usd_per_fte_year=1.2e5))
    counted: list[str] = []
    cost = bodies_kernel.PartCoster._costed

    def counting(self: bodies_kernel.PartCoster, part: Any, *given: Any) -> Any:
        counted.append(part.letter)
        return cost(self, part, *given)

    monkeypatch.setattr(bodies_kernel.PartCoster, "_costed", counting)
    moved = answer(with_change(study, staff_usd_per_fte_year=1.3e5))
    assert counted == []
    assert moved.model_dump_json() == fresh(with_change(study, staff_usd_per_fte_year=1.3e5))


def test_what_is_moved_from_takes_its_successors_with_it() -> None:
    study = document("rent-or-own")
    before = columns(study)
    after = columns(put(study, ("designs", 0, "staff_fte"), 2.0))
    # A runs today: the others are all moved to from there.
    assert "".join(letter for letter in before if after[letter] is not before[letter]) == "ABCDE"
    people = ("designs", 1, "staff_fte")
    after = columns(put(study, people, 0.5))
    assert after["D"] is not before["D"]  # the latest column of a document is the one kept
    again = columns(put(study, people, 0.25))
    assert "".join(letter for letter in after if again[letter] is not after[letter]) == "B"


def test_no_more_columns_are_kept_than_said() -> None:
    study = document("rent-or-own")
    for step in range(memo.COLUMNS_KEPT):
        columns(put(study, ("designs", 0, "staff_fte"), 1.0 + step / 7.0))
    assert len(memo._columns) == memo.COLUMNS_KEPT


def test_equal_parts_are_one_object_and_others_are_not() -> None:
    study = document("rent-or-own")
    first, then = study_of(study), study_of(copy.deepcopy(study))
    assert then.workload is first.workload
    assert all(a is b for a, b in zip(first.designs, then.designs, strict=True))
    moved = study_of(put(study, ("designs", 1, "staff_fte"), 2.0))
    assert moved.designs[0] is first.designs[0]
    assert moved.designs[1] != first.designs[1]


@pytest.mark.parametrize("slug", ["rent-or-own", "free-factories", "disk-arrays", "kv-2026"])
def test_the_identity_of_a_study_is_its_json(slug: str) -> None:
    study = document(slug)
    for _ in range(2):
        assert study_of(study).identity() == study_of(study).model_dump_json()
    moved = study_of(study).model_copy(update={"draws_count": 17, "baseline": None})
    assert moved.identity() == moved.model_dump_json()


def test_a_fault_is_told_again_once_it_was_mended() -> None:
    study = document("rent-or-own")
    wrong = with_change(study, electricity={"kind": "flat", "usd_per_kwh": 0.1})
    wrong["ranges"] = [*study["ranges"], {"pointer": "/designs/A/nothing", "low": 1, "high": 2}]
    for _ in range(2):
        study_of(study)
        with pytest.raises(ParamsError) as refused:
            study_of(wrong)
        place = f"/ranges/{len(study['ranges'])}/pointer"
        assert [fault.pointer for fault in refused.value.faults] == [place]
    carried = {**study["workload"], "ram_gib": 1e6}
    shares = copy.deepcopy(study["designs"])
    shares[0]["instances"][0]["share_fraction"] = 0.5
    with pytest.raises(ParamsError) as refused:
        study_of({**study, "workload": carried, "designs": shares})
    assert [fault.code for fault in refused.value.faults] == ["shares_do_not_add_up"]


def test_a_value_of_another_type_is_not_taken_for_one_that_was_read() -> None:
    study = document("rent-or-own")
    study["designs"][3]["migration"]["labour_usd"] = 1
    study_of(study)
    study["designs"][3]["migration"]["labour_usd"] = True
    with pytest.raises(ParamsError) as refused:
        study_of(study)
    assert [fault.pointer for fault in refused.value.faults] == ["/designs/3/migration/labour_usd"]


def test_parts_of_other_lengths_are_never_the_same() -> None:
    assert same((1, "a"), (1, "a"))
    assert not same((1, "a"), (1, "a", 2.0))
    assert not same((1, "a"), ())
    assert not same((1,), (1.0,))
