"""Rows of a sweep: the values that its axes have in each, and comparisons of many rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.sampling_kernel import quantiles, stream_of
from capmodels.plans.answer.describe import outgrown, shortfall
from capmodels.plans.answer.draws_kernel import COMPETES_FRACTION
from capmodels.plans.answer.trials_kernel import Evaluator, run_trials
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cost_designs, letter_of
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.pointers import leaf_at, may_vary, substitute
from capmodels.plans.document.quantities import quantities_of
from capmodels.plans.document.workload import DemandWorkload
from capmodels.plans.sweep.params import RangeAxis, levels_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from capmodels.plans.document.pointers import Leaf
    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.sweep.params import ListAxis, SweepParams

    Values = NDArray[Any]
    Columns = dict[str, list[Any]]


def axis_values(sweep: SweepParams, first: int, end: int) -> list[Values]:
    """Values of each axis in some rows; in a grid the last axis runs fastest."""
    if sweep.sampling == "latin_hypercube":
        return [_sampled(axis, sweep)[first:end] for axis in sweep.axes]
    rows = np.arange(first, end)
    places = np.unravel_index(rows, [levels_of(axis) for axis in sweep.axes])
    return [_levels(axis)[place] for axis, place in zip(sweep.axes, places, strict=True)]


def _levels(axis: RangeAxis | ListAxis) -> Values:
    if isinstance(axis, RangeAxis):
        return np.linspace(axis.low, axis.high, axis.levels_count)
    return _array(axis.values)


def _array(values: Sequence[Any]) -> Values:
    """Numbers as numbers, anything else as it is."""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return np.array(values, dtype=np.float64)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _sampled(axis: RangeAxis | ListAxis, sweep: SweepParams) -> Values:
    """One value in each of so many equal strata, in an order of the axis's own."""
    count, stream = sweep.sample_count, stream_of(axis.pointer, sweep.seed)
    shares = (stream.permutation(count) + stream.random(count)) / count
    if isinstance(axis, RangeAxis):
        return axis.low + (axis.high - axis.low) * shares
    return _array(axis.values)[
        np.minimum((shares * len(axis.values)).astype(int), len(axis.values) - 1)
    ]


def is_of_sums(study: StudySpec, sweep: SweepParams) -> bool:
    """Whether all rows of a comparison can be costed with arrays in place of the axes' values."""
    for axis in sweep.axes:
        leaf = leaf_at(study, axis.pointer)
        if leaf is None or not may_vary(leaf):
            return False
        ends = (axis.low, axis.high) if isinstance(axis, RangeAxis) else axis.values
        if not all(isinstance(end, int | float) and leaf.allows(end) for end in ends):
            return False
    return True


def swings_usd(study: StudySpec, ends: Sequence[tuple[Leaf, float, float]]) -> list[float]:
    """How far each input alone moves the lead of the cheapest design, from end to end. [USD]

    The lead is over the next one, as entered; of a single design its cost. All ends are costed
    at once, each in a row of its own.
    """
    count = 2 * len(ends)
    values = [np.full(count, float(leaf.value)) for leaf, _, _ in ends]
    for at, (_, low, high) in enumerate(ends):
        values[at][2 * at : 2 * at + 2] = low, high
    costs, _ = _costs(study, [leaf.path for leaf, _, _ in ends], values)
    now, met = _costs(study, [], [])
    letters = sorted(now, key=lambda letter: (not met[letter][0], now[letter][0]))
    first = costs[letters[0]]
    lead = costs[letters[1]] - first if len(letters) > 1 else first
    return [float(abs(lead[2 * at + 1] - lead[2 * at])) for at in range(len(ends))]


def compared(study: StudySpec, sweep: SweepParams, values: Sequence[Values]) -> Columns:
    """Cost of every design in each row, as entered or as the mean of simulations. [USD]

    A row is a study of its own: what is bought is decided from the values of that row.
    """
    paths = [_path(study, axis.pointer) for axis in sweep.axes]
    return (_simulated if sweep.simulations_count else _entered)(study, sweep, paths, values)


def _path(study: StudySpec, pointer: str) -> Any:
    leaf = leaf_at(study, pointer)
    if leaf is None:
        raise ValueError(pointer)
    return leaf.path


def _entered(
    study: StudySpec, _sweep: SweepParams, paths: Sequence[Any], values: Sequence[Values]
) -> Columns:
    costs, met = _costs(study, paths, values)
    return {
        **_first(costs, met),
        **{f"cost_usd/{letter}": usd.tolist() for letter, usd in costs.items()},
        **{f"meets_demand/{letter}": each.tolist() for letter, each in met.items()},
    }


def _costs(
    study: StudySpec, paths: Sequence[Any], values: Sequence[Values]
) -> tuple[dict[str, Values], dict[str, Values]]:
    """Cost of each design in each row, and whether it meets demand there; one row without paths."""
    count = len(values[0]) if values else 1
    known = study.assumptions.model_copy(update={"foresight": True})
    study = study.model_copy(update={"assumptions": known})
    evaluator, given = Evaluator(study, Scene(study).curves), dict(zip(paths, values, strict=True))
    _, items, books = evaluator.costed(given, count)
    costs = {item.letter: book.ranked_usd() for item, book in zip(items, books, strict=True)}
    out = _lacking(study, substitute(study, given))
    met = {
        item.letter: np.broadcast_to((np.asarray(item.short) == 0) & ~out(item.letter), count)
        for item in items
    }
    return costs, {letter: each.astype(bool) for letter, each in met.items()}


def _lacking(study: StudySpec, here: StudySpec) -> Callable[[str], Values]:
    """Say of designs where they carry no load whatever they have of it, as the comparison does.

    A design that has no instances, price or accelerator for the work lacks it in each row; today's
    stays behind where the work of a row grows.
    """
    scene = Scene(study)
    never = {
        item.letter
        for item in cost_designs(scene, lambda: CauseBook(scene.months))
        if not np.any(np.asarray(item.short))
        and not isinstance(item.design, Baseline)
        and shortfall(item, scene.of(item.design)) is not None
    }
    work = here.workload if isinstance(here.workload, DemandWorkload) else None
    behind = here.baseline is not None and outgrown(here.baseline, work)
    today = None if here.baseline is None else letter_of(here.baseline)
    return lambda letter: np.asarray(behind if letter == today else letter in never)


def _first(costs: dict[str, Values], able: dict[str, Values]) -> Columns:
    """The cheapest design that meets demand in each row, and what the next one costs more."""
    letters = list(costs)
    usd = np.stack([np.where(able[letter], costs[letter], np.inf) for letter in letters])
    order = np.argsort(usd, axis=0, kind="stable")
    ranked = np.take_along_axis(usd, order, axis=0)
    known = np.isfinite(ranked[0])
    lead = np.full(ranked.shape[1], np.inf)
    if len(letters) > 1:
        lead[known] = ranked[1][known] - ranked[0][known]
    return {
        "winner": [
            letters[at] if is_one else None for at, is_one in zip(order[0], known, strict=True)
        ],
        "lead_usd": [float(each) if np.isfinite(each) else None for each in lead],
    }


def _simulated(
    study: StudySpec, sweep: SweepParams, paths: Sequence[Any], values: Sequence[Values]
) -> Columns:
    curves, quantities = Scene(study).curves, quantities_of(study)
    rows: Columns = {}
    for row in zip(*values, strict=True):
        here = substitute(study, dict(zip(paths, map(float, row), strict=True)))
        evaluator = Evaluator(here, curves)
        letters = [each.letter for each in here.designs] + (["T"] if here.baseline else [])
        trials = run_trials(evaluator, quantities, letters, sweep.simulations_count)
        costs, met = trials.ranked_usd.mean(axis=1), 1.0 - trials.short.mean(axis=1)
        out = _lacking(here, here)
        able = (met >= COMPETES_FRACTION) & ~np.array([bool(out(letter)) for letter in letters])
        first = _first(
            {letter: costs[at : at + 1] for at, letter in enumerate(letters)},
            {letter: able[at : at + 1] for at, letter in enumerate(letters)},
        )
        low, high = quantiles(trials.ranked_usd.copy(), (0.1, 0.9))
        among = np.where(able[:, None], trials.ranked_usd, np.inf).argmin(axis=0)
        told: dict[str, Any] = {"winner": first["winner"][0], "lead_usd": first["lead_usd"][0]}
        for at, letter in enumerate(letters):
            told |= {
                f"cost_usd/{letter}": float(costs[at]),
                f"p10_usd/{letter}": float(low[at]),
                f"p90_usd/{letter}": float(high[at]),
                f"cheapest_fraction/{letter}": float((among == at).mean()),
                f"meets_demand_fraction/{letter}": float(met[at]),
            }
        for name, value in told.items():
            rows.setdefault(name, []).append(value)
    return rows
