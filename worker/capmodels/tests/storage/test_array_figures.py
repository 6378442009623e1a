"""What runs of arrays are drawn as: the same of one run and of several side by side."""

from __future__ import annotations

import functools
import math
from typing import Any

import pytest

from capmodels.registry import get_model
from capmodels.spec import Context, answer, validate
from capmodels.storage.simulator.figures import Shown, figures, in_states, power, responses
from capmodels.storage.simulator.results import ArrayResult


@functools.cache
def _run(mean_ms: float = 20.0) -> ArrayResult:
    spec = get_model("storage.array")
    document = {
        "workload": {
            "kind": "synthetic",
            "arrivals": {"kind": "exponential", "mean_ms": mean_ms},
            "requests_count": 12_000,
        },
        "curve_points_count": 3,
    }
    found = answer(spec, validate(spec, document), Context(seed=3))
    assert isinstance(found, ArrayResult)
    return found


def _shown(**runs: ArrayResult) -> list[Shown]:
    return [Shown(letter, f"Array {letter}", run) for letter, run in runs.items()]


def _withheld(run: ArrayResult) -> ArrayResult:
    none = dict.fromkeys(("mean_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p999_ms", "max_ms"))
    return run.model_copy(
        update={
            "saturated": True,
            "saturated_reason": "utilization",
            "responses": tuple(row.model_copy(update=none) for row in run.responses),
            "cdf_response_ms": (),
            "cdf_fraction": (),
        }
    )


def test_a_run_tells_its_figures_itself() -> None:
    run = _run()
    names = [figure.name for figure in run.figures]
    assert names == [
        "Response times",
        "Energy by cause",
        "Time in each state",
        "Throughput against response",
        "Power over time",
    ]
    assert run.figures[0].title.startswith("95% of requests are answered within ")
    assert all(figure.twin for figure in run.figures)


def test_the_distribution_passes_through_the_percentiles() -> None:
    run = _run()
    figure = responses(_shown(A=run, B=run))
    assert figure is not None
    shares = dict(zip(*(column.values for column in figure.twin[:2]), strict=True))
    assert shares[0.95] == run.responses[0].p95_ms
    quarter = shares[0.25]
    assert isinstance(quarter, float)
    assert run.responses[0].p50_ms is not None
    assert 0 < quarter < run.responses[0].p50_ms
    assert "by A within" in figure.title
    assert ", B within" in figure.title
    (curve, _) = figure.series
    assert curve.role == "A"
    assert curve.at == tuple(sorted(curve.at))
    assert [name.split(":")[0] for name in curve.names if name] == ["p50", "p95", "p99"]


def test_a_run_that_cannot_keep_up_has_no_curve_and_says_why() -> None:
    off = _withheld(_run())
    beside = responses(_shown(A=_run(), B=off))
    assert beside is not None
    assert beside.note == "B: a disk was busy at least 98% of the time"
    assert [one.role for one in beside.series] == ["A"]
    assert responses(_shown(A=off)) is None


def test_all_of_the_energy_is_split_by_cause() -> None:
    figure = next(one for one in figures(_shown(A=_run(), B=_run(200.0))) if one.kind == "stacked")
    watts = (_run().power_w, _run(200.0).power_w)
    for at, whole in enumerate(watts):
        assert math.fsum(one.values[at] or 0 for one in figure.series) == pytest.approx(whole)
    assert [column.values[-1] for column in figure.twin] == ["All", *watts]
    assert figure.title.startswith("A spends ")
    assert figure.row_notes[0].endswith("start-stops") or "worn in" in figure.row_notes[0]


def test_power_holds_over_each_piece_of_the_run() -> None:
    figure = power(_shown(A=_run())[0])
    assert figure is not None
    pieces = _run().power_over_time
    assert all(len(one.values) == len(pieces) == len(one.at) - 1 for one in figure.series)
    total = math.fsum(one.values[0] or 0 for one in figure.series)
    assert total == pytest.approx(pieces[0].power_w)
    assert figure.title.startswith("A draws ")


def test_states_fill_the_time_of_every_drive() -> None:
    figure = in_states(_shown(A=_run(), B=_run(200.0)))
    assert figure.rows[0] == "A  disk 0"
    assert len(figure.rows) == 6
    for at in range(len(figure.rows)):
        assert math.fsum(one.values[at] or 0 for one in figure.series) == pytest.approx(1.0)
    assert "for most of the time" in figure.title


def test_the_verdict_draws_runs_side_by_side() -> None:
    spec = get_model("storage.array_verdict")
    run = _run().model_dump_json()
    arrays = [{"letter": letter, "title": "One", "result": run} for letter in "AB"]
    found: Any = answer(spec, validate(spec, {"arrays": arrays}), Context())
    curve = next(one for one in found.figures if one.name == "Throughput against response")
    assert [one.name for one in curve.series] == ["A, One", "A, p95", "B, One", "B, p95"]
    assert "bears most" in curve.title
    assert [one.title.split()[0] for one in found.over_time] == ["A", "B"]
    assert "within **" not in found.headline
    assert found.headline.startswith("All use about ")
    entered = {"letter": "A", "power_w": 1.0, "wear": "none"}
    bare: Any = answer(spec, validate(spec, {"arrays": [entered]}), Context())
    assert bare.figures == bare.over_time == bare.tables == ()


def _table(*arrays: dict[str, Any]) -> Any:
    spec = get_model("storage.array_verdict")
    found: Any = answer(spec, validate(spec, {"arrays": list(arrays)}), Context())
    return found.tables[-1]


def _line(table: Any, head: str) -> Any:
    return next(row for row in table.rows if row.head == head)


def _ran(letter: str, run: ArrayResult) -> dict[str, Any]:
    return {"letter": letter, "title": "", "result": run.model_dump_json()}


def test_the_table_marks_the_best_of_a_line_among_arrays_that_keep_up() -> None:
    busy, calm = _run(), _run(200.0)
    table = _table(_ran("A", busy), _ran("B", calm))
    assert (table.letters, table.columns) == (("A", "B"), ("Figure", "Array A", "Array B"))
    power = _line(table, "Power")
    assert power.best == ("A" if busy.power_w < calm.power_w else "B")
    assert "95% interval" in _line(table, "Mean response").under[0]
    assert _line(table, "Busiest drive").best is None  # neither more nor less is better
    assert all(row.head != "Reads that the cache answers" for row in table.rows)
    off = _table(_ran("A", calm), _ran("B", _withheld(busy)))
    assert _line(off, "Power").best is None
    assert _line(off, "Mean response").cells[1] == "—"
    assert _line(off, "Mean response").under[1].startswith("Withheld")
    assert _line(off, "p50").under[1] is None  # said once is enough; a hint says it again
    assert _line(off, "p50").hints[1].startswith("Withheld")
    same = _table(_ran("A", busy), _ran("B", busy))
    assert all(row.best is None for row in same.rows)


def test_the_plans_figures_stand_in_a_table_of_their_own_with_why_one_has_none() -> None:
    figure = {"id": "carbon", "label": "Carbon", "unit": "kgCO2e", "value": None, "text": "—",
              "note": "Its emissions are unknown.", "lower_is_better": True}  # fmt: skip
    refused = "The plan needs a three-point seek curve."
    table = _table({"letter": "A", "figures": [figure]}, {"letter": "B", "why_none": refused})
    (row,) = table.rows
    assert row.cells == ("—", "—")
    assert row.under == row.hints == ("Its emissions are unknown.", refused)
