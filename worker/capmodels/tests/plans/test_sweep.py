"""Sweeps: rows, what they cost against the comparison of each by itself, and faults."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pytest

from capmodels.errors import ParamsError
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.moves import without_unknowns
from capmodels.plans.sweep.params import SweepParams, placed
from capmodels.plans.sweep.rows_kernel import axis_values
from capmodels.plans.sweep.runs import chunks_of, figures_of, require_answer, rows_of
from capmodels.plans.sweep.table import Rows
from capmodels.plans.sweep.words import inputs_told
from capmodels.spec import evaluate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import document

if TYPE_CHECKING:
    from pathlib import Path

CORES: dict[str, Any] = {
    "kind": "range",
    "pointer": "/workload/busy_cores_count",
    "low": 400,
    "high": 1200,
}
PUE: dict[str, Any] = {
    "kind": "range",
    "pointer": "/assumptions/pue",
    "low": 1.1,
    "high": 1.7,
    "levels_count": 3,
}
GROWTH: dict[str, Any] = {
    "kind": "range",
    "pointer": "/workload/growth/cores_fraction_per_year",
    "low": -0.1,
    "high": 0.3,
}


def sweep(**more: Any) -> SweepParams:
    asked = {"model": COMPARE.id, "document": document("rent-or-own"), "axes": [CORES, PUE]}
    return SweepParams.model_validate({**asked, **more})


def rows(asked: SweepParams) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for chunk in chunks_of(asked):
        for name, column in orjson.loads(rows_of(chunk, lambda *_told: None)).items():
            found.setdefault(name, []).extend(column)
    return found


def alone(asked: SweepParams, at: int) -> dict[str, Any]:
    """A row's figures by the comparison of its study."""
    one = copy.deepcopy(without_unknowns(asked.document))
    for axis, values in zip(asked.axes, axis_values(asked, at, at + 1), strict=True):
        placed(one, axis.pointer, float(values[0]))
    return figures_of(evaluate(COMPARE, one))


def test_a_grid_has_every_combination_once() -> None:
    asked = sweep(axes=[{**CORES, "levels_count": 5}, PUE])
    assert asked.rows_count == 15
    cores, pue = axis_values(asked, 0, 15)
    assert len(set(zip(cores.tolist(), pue.tolist(), strict=True))) == 15
    assert (cores.min(), cores.max()) == (400, 1200)
    # Any part of it is the same rows.
    assert axis_values(asked, 4, 9)[1].tolist() == pue[4:9].tolist()


def test_a_latin_hypercube_has_one_value_in_each_stratum_of_each_axis() -> None:
    asked = sweep(sampling="latin_hypercube", sample_count=200, seed=3)
    for axis, values in zip(asked.axes, axis_values(asked, 0, 200), strict=True):
        assert axis.kind == "range"
        shares = (np.sort(values) - axis.low) / (axis.high - axis.low)
        assert (np.floor(shares * 200) == np.arange(200)).all()
    parts = [axis_values(asked, at, at + 50)[0] for at in range(0, 200, 50)]
    assert np.concatenate(parts).tolist() == axis_values(asked, 0, 200)[0].tolist()


@pytest.mark.decisive
def test_rows_at_once_cost_what_each_costs_by_itself() -> None:
    asked = sweep(axes=[{**CORES, "levels_count": 4}, PUE])
    found = rows(asked)
    assert len(found["winner"]) == 12
    for at in range(12):
        one = alone(asked, at)
        assert found["winner"][at] == one["winner"]
        for name in (name for name in one if name.startswith("cost_usd/")):
            assert found[name][at] == pytest.approx(one[name], rel=1e-9), (at, name)


@pytest.mark.parametrize("seed", range(24))
def test_rows_of_random_studies_cost_what_each_costs_by_itself(seed: int) -> None:
    study = document_of(random_study(seed))
    ranges = [one for one in study["ranges"] if one["low"] < one["high"]][:3]
    if not ranges:
        pytest.skip("This study has no range.")
    axes = [{"kind": "range", "pointer": one["pointer"], "low": one["low"], "high": one["high"]}
            for one in ranges]  # fmt: skip
    if study["workload"]["kind"] == "demand" and GROWTH["pointer"] not in str(axes):
        axes.append(GROWTH)
    asked = sweep(document=study, axes=axes, sampling="latin_hypercube", sample_count=5)
    found = rows(asked)
    for at in range(5):
        one = alone(asked, at)
        assert found["winner"][at] == one["winner"]
        for name, value in one.items():
            if name.startswith("cost_usd/"):
                assert found[name][at] == pytest.approx(value, rel=1e-9), (at, name)
            elif name.startswith("meets_demand/"):
                assert found[name][at] == value, (at, name)


@pytest.mark.parametrize("simulations_count", [0, 100])
def test_what_stays_as_it_is_wins_no_row_in_which_the_work_grows(simulations_count: int) -> None:
    line = {"type": "Old", "count": 10, "usd_per_h": 0.05}
    today = {"kind": "do_nothing", "title": "Today", "lines": [line]}
    study = {**document("rent-or-own"), "ranges": [], "baseline": today}
    study["workload"]["growth"] = {}
    asked = sweep(
        document=study,
        axes=[{**GROWTH, "low": 0.0, "levels_count": 2}],
        simulations_count=simulations_count,
    )
    found = rows(asked)
    assert found["cost_usd/T"][1] < min(found[f"cost_usd/{letter}"][1] for letter in "ABCDE")
    assert found["winner"][0] == "T"
    assert found["winner"][1] != "T"


def test_an_input_that_no_array_stands_for_is_run_by_itself() -> None:
    axes = [{"kind": "list", "pointer": "/assumptions/horizon_months", "values": [24, 36, 0]}]
    found = rows(sweep(axes=axes))
    assert found["cost_usd/D"][0] < found["cost_usd/D"][1]
    assert found["fault"][:2] == [None, None]
    assert found["fault"][2]
    assert found["winner"][2] is None


def test_simulations_of_a_row_are_those_of_its_study() -> None:
    asked = sweep(axes=[{**PUE, "levels_count": 2}], simulations_count=200, seed=1)
    found = rows(asked)
    ranges = [one for one in asked.document["ranges"] if one["pointer"] != PUE["pointer"]]
    one = copy.deepcopy({**asked.document, "ranges": ranges, "draws_count": 200, "seed": 1})
    placed(one, PUE["pointer"], 1.7)
    told = figures_of(evaluate(COMPARE, one))
    assert found["winner"][1] == told["winner"]
    for letter in "ABCDE":
        for name in (f"cost_usd/{letter}", f"p10_usd/{letter}", f"p90_usd/{letter}"):
            assert found[name][1] == pytest.approx(told[name], rel=1e-6), name
    shares = [found[f"cheapest_fraction/{letter}"][1] for letter in "ABCDE"]
    assert math.fsum(shares) == pytest.approx(1.0)


def test_any_model_is_swept_and_lists_are_named_by_place() -> None:
    given = {"assets": [{"title": "Owned", "capex_usd": 170_000.0, "opex_usd_per_year": 1e5,
                         "life_years": 3.0}]}  # fmt: skip
    axes = [{"kind": "range", "pointer": "/assets/0/capex_usd", "low": 1e5, "high": 3e5,
             "levels_count": 3}]  # fmt: skip
    asked = SweepParams.model_validate(
        {"model": "cost.equivalent_annual_cost", "document": given, "axes": axes}
    )
    found = rows(asked)
    name = "assets/0/eac_usd_per_year"
    assert found[name] == sorted(found[name])
    assert len(set(found[name])) == 3


def test_what_is_no_input_or_too_much_is_refused_in_words() -> None:
    with pytest.raises(ParamsError, match="no input at"):
        require_answer(sweep(axes=[{**PUE, "pointer": "/designs/Z/staff_fte"}]))
    with pytest.raises(ParamsError):
        require_answer(sweep(axes=[{**PUE, "low": -1.0}]))
    with pytest.raises(ValueError, match="at most 100,000"):
        sweep(axes=[{**CORES, "levels_count": 1000}, {**PUE, "levels_count": 101}])
    with pytest.raises(ValueError, match="valid number"):
        sweep(axes=[{**PUE, "low": "1.2"}])
    with pytest.raises(ValueError, match="an axis already"):
        sweep(axes=[PUE, PUE])


def test_rows_are_written_whole_and_binned_for_a_screen(tmp_path: Path) -> None:
    asked = sweep(axes=[{**CORES, "levels_count": 60}, {**PUE, "levels_count": 50}])
    pieces = [rows_of(chunk, lambda *_told: None) for chunk in chunks_of(asked)]
    path = tmp_path / "rows.parquet"
    Rows.of_pieces(pieces).write(path)
    found = Rows.of_file(path)
    assert (found.count, found.faults_count) == (3000, 0)
    told = found.binned(CORES["pointer"], PUE["pointer"], "lead_usd")
    # More than 40 values of each are put into 40 bins, of which each has its rows.
    assert (len(told["x"]), len(told["y"])) == (40, 40)
    assert sum(cell[2] for cell in told["cells"]) == 3000
    assert len(told["points"]) <= 2000
    column = next(one for one in found.columns() if one.name == CORES["pointer"])
    assert (column.low, column.high) == (400, 1200)
    assert math.fsum(share for _, share in found.shares("winner")) == pytest.approx(1.0)
    with pytest.raises(ParamsError, match="no 'nothing'"):
        found.binned("nothing", PUE["pointer"], "winner")


def test_rows_that_differ_in_what_they_have_are_one_table(tmp_path: Path) -> None:
    pieces = [
        orjson.dumps({"/a": [1.0, 2.0], "fault": [None, 'It\'s "bad".'], "cost": [3.5, None]}),
        orjson.dumps({"/a": [3.0], "fault": [None], "name": ["x'y"], "flag": [True]}),
    ]
    path = tmp_path / "rows.parquet"
    Rows.of_pieces(pieces).write(path)
    found = Rows.of_file(path)
    assert found.kinds == {"row": "whole", "/a": "number", "fault": "text", "cost": "number",
                           "name": "text", "flag": "flag"}  # fmt: skip
    assert found.faults_count == 1
    told = found.binned("/a", "name", "flag")
    assert told["cells"] == [[2, 0, 1, "true"]]


def test_inputs_begin_with_what_moves_the_lead_of_the_cheapest_farthest() -> None:
    study = document("flat-estate")
    told = inputs_told(study)
    ranged = [one for one in told if one["is_ranged"]]
    assert told[: len(ranged)] == ranged

    def lead_usd(pointer: str, value: float) -> float:
        moved = copy.deepcopy(without_unknowns(study))
        moved["assumptions"]["foresight"] = True
        placed(moved, pointer, value)
        first, second = (
            each.ranked_usd
            for each in sorted(evaluate(COMPARE, moved).designs, key=lambda one: one.letter)
            if each.letter in {"A", "B"}
        )
        return first - second

    swings = [
        abs(lead_usd(one["pointer"], one["high"]) - lead_usd(one["pointer"], one["low"]))
        for one in ranged
    ]
    assert swings == sorted(swings, reverse=True)


def test_an_input_of_several_designs_is_there_once_before_it_is_there_again() -> None:
    ranged = [one["pointer"] for one in inputs_told(document("rent-or-own")) if one["is_ranged"]]
    of_any = [pointer.split("/", 3)[-1] for pointer in ranged if pointer.startswith("/designs/")]
    firsts = [of_any.index(one) == place for place, one in enumerate(of_any)]
    assert firsts == sorted(firsts, reverse=True)
    assert not all(firsts)
