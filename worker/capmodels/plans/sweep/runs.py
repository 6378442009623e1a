"""The chunks of a sweep: some rows each, done anywhere and again, and what comes of them."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import orjson

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.moves import without_unknowns
from capmodels.plans.sweep.params import SweepParams, placed
from capmodels.registry import get_model
from capmodels.spec import Context, answer, validate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

    from capmodels.chunks import Report
    from capmodels.spec import AnyModel, JSONDict

    Columns = dict[str, list[Any]]

FAULT = "fault"
# A killed worker repeats so much at most: some seconds.
_ROWS_AS_ENTERED, _SIMULATIONS, _RUNS_INSTANT, _RUNS = 5_000, 100_000, 200, 10
# Figures kept of a model of any kind.
_FIGURES_MOST, _LISTED = 60, 8


def chunks_of(sweep: SweepParams) -> list[JSONDict]:
    """Cut a sweep's rows into chunks.

    Raises
    ------
    ParamsError
        When the model has no answer for the input as it is, or an axis leads nowhere.
    """
    spec = get_model(sweep.model)
    if spec.id == COMPARE.id and _at_once(sweep) is not None:
        each = _ROWS_AS_ENTERED
        if sweep.simulations_count:
            each = max(1, _SIMULATIONS // sweep.simulations_count)
    else:
        each = _RUNS_INSTANT if spec.instant else _RUNS
    asked, rows = sweep.model_dump(mode="json"), sweep.rows_count
    return [
        {"sweep": asked, "first": first, "end": min(first + each, rows)}
        for first in range(0, rows, each)
    ]


def require_answer(sweep: SweepParams) -> None:
    """Ask the model for its input as it stands, and each axis for its ends.

    Raises
    ------
    ParamsError
        With every fault: of the input as it stands at its place there, of what an axis makes of it
        at that of the axis.
    """
    spec = get_model(sweep.model)
    validate(spec, sweep.document)
    for at, axis in enumerate(sweep.axes):
        ends: list[tuple[str, Any]]
        if axis.kind == "range":
            ends = [("low", axis.low), ("high", axis.high)]
        else:
            ends = [(f"values/{place}", value) for place, value in enumerate(axis.values)]
        for name, end in ends:
            document = copy.deepcopy(sweep.document)
            try:
                placed(document, axis.pointer, _plain(end))
                validate(spec, document)
            except ParamsError as exc:
                raise ParamsError([_of_axis(fault, at, name) for fault in exc.faults]) from exc


def _of_axis(fault: Fault, at: int, name: str) -> Fault:
    """A fault where the axis has its reason: in its pointer, or in a value."""
    is_nowhere = fault.code in {"leads_nowhere", "unknown_field"}
    return replace(fault, pointer=f"/axes/{at}/{'pointer' if is_nowhere else name}")


def rows_of(chunk: JSONDict, report: Report) -> bytes:
    """Run the rows of a chunk; columns by name, as compact JSON.

    A row without an answer has the reason in ``fault``, and nothing in the other columns.
    """
    from capmodels.plans.sweep.rows_kernel import axis_values, compared

    sweep = SweepParams.model_validate(chunk["sweep"])
    first, end = chunk["first"], chunk["end"]
    report(0.0, f"Rows {first + 1:,} to {end:,}")
    values = axis_values(sweep, first, end)
    columns: Columns = {
        axis.pointer: column.tolist() for axis, column in zip(sweep.axes, values, strict=True)
    }
    study = _at_once(sweep) if sweep.model == COMPARE.id else None
    if study is not None:
        found = compared(study, sweep, values)
        found[FAULT] = [None] * (end - first)
    else:
        found = _one_by_one(sweep, columns, end - first, report)
    return orjson.dumps({**columns, **found}, option=orjson.OPT_SERIALIZE_NUMPY)


def _at_once(sweep: SweepParams) -> Any:
    """The study of a comparison whose rows are costed together; None where they are not."""
    from capmodels.plans.sweep.rows_kernel import is_of_sums

    study = validate(COMPARE, _asked(sweep))
    return study if is_of_sums(study, sweep) else None


def _asked(sweep: SweepParams) -> JSONDict:
    """What each row asks: of a comparison as entered, or drawn where it is no axis."""
    document = sweep.document
    if sweep.model != COMPARE.id:
        return document
    if not sweep.simulations_count:
        return without_unknowns(document)
    swept = {axis.pointer for axis in sweep.axes}

    def left(rows: Any) -> list[JSONDict]:
        return [one for one in rows or () if one["pointer"] not in swept]

    assumptions = document.get("assumptions", {})
    asked = {
        **document,
        "draws_count": sweep.simulations_count,
        "seed": sweep.seed,
        "ranges": left(document.get("ranges")),
        "assumptions": {**assumptions, "choices": left(assumptions.get("choices"))},
    }
    keys = {
        quantity.key
        for quantity in quantities_of(
            validate(
                COMPARE, {**asked, "assumptions": {**asked["assumptions"], "correlations": []}}
            )
        )
    }
    tied = [
        one
        for one in assumptions.get("correlations") or ()
        if {one["first"], one["second"]} <= keys
    ]
    asked["assumptions"]["correlations"] = tied
    return asked


def _one_by_one(sweep: SweepParams, values: Columns, count: int, report: Report) -> Columns:
    spec, document = get_model(sweep.model), _asked(sweep)
    found: list[JSONDict] = []
    for place in range(count):
        report(place / count, "Running")
        row = copy.deepcopy(document)
        for pointer, column in values.items():
            placed(row, pointer, _plain(column[place]))
        try:
            found.append({**figures_of(_answer(spec, row, sweep.seed)), FAULT: None})
        except (ModelError, ParamsError) as exc:
            found.append({FAULT: str(exc)})
    names = list(dict.fromkeys(name for row in found for name in row))
    return {name: [row.get(name) for row in found] for name in names}


def _answer(spec: AnyModel, document: JSONDict, seed: int) -> BaseModel:
    params = validate(spec, document)
    result: BaseModel = answer(spec, params, Context(seed=int(getattr(params, "seed", seed))))
    return result


def _plain(value: Any) -> Any:
    """A whole number where it is one: inputs that count take no other."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def figures_of(result: BaseModel) -> JSONDict:
    """Single figures of a result, by name: of a comparison cost and cheapest design.

    What stands below is named by its way, as ``cost/total_usd`` or ``assets/0/npv_usd``; of a list
    of numbers nothing is taken.
    """
    if isinstance(result, COMPARE.result):
        designs = {each.letter: each for each in result.designs}
        drawn = any(each.mean_usd is not None for each in designs.values())
        able = sorted(each.ranked_usd for each in designs.values() if each.competes)
        found: JSONDict = {
            "winner": result.winner,
            "lead_usd": able[1] - able[0] if len(able) > 1 else None,
        }
        found |= {f"cost_usd/{letter}": each.ranked_usd for letter, each in designs.items()}
        if drawn:
            found |= {f"p10_usd/{letter}": each.p10_usd for letter, each in designs.items()}
            found |= {f"p90_usd/{letter}": each.p90_usd for letter, each in designs.items()}
        else:
            found |= {f"meets_demand/{letter}": each.competes for letter, each in designs.items()}
        return found
    return dict(list(_figures(result.model_dump(mode="json"), ""))[:_FIGURES_MOST])


def _figures(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _figures(inner, f"{name}/{key}" if name else key)
    elif isinstance(value, list) and len(value) <= _LISTED and value and isinstance(value[0], dict):
        for place, inner in enumerate(value):
            yield from _figures(inner, f"{name}/{place}")
    elif isinstance(value, int | float | bool) or (isinstance(value, str) and len(value) <= 80):
        yield name, value
