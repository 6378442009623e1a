"""What the tools' models say: their sentences, tables and figures, and what they begin with."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry, spec
from capmodels.cases import cases_of, start_of
from capmodels.performance import cluster_job, workload_taxonomy
from capmodels.performance.device_trends_params import FlipPoint
from capmodels.performance.device_trends_told import turns_bytes

MODELS = (
    "performance.workload_taxonomy",
    "performance.device_trends",
    "performance.cluster_job",
    "performance.kv_node_choice",
    "memory.idle_capacity",
    "consolidation.servers",
)


def _ask(model: spec.AnyModel, **params: Any) -> Any:
    return spec.evaluate(model, params)


@pytest.mark.parametrize("model_id", MODELS)
def test_a_tool_begins_with_this_decade_and_has_the_papers_inputs_at_hand(model_id: str) -> None:
    model = registry.get_model(model_id)
    start, cases = start_of(model), cases_of(model)
    assert model.start_source
    if model.paper is None:
        assert "paper" not in [case["check"] for case in cases]
        return
    papers = cases[0]
    assert papers["check"] == "paper"
    assert start != papers["params"]
    for params in (start, papers["params"]):
        said = spec.evaluate(model, params or {})
        assert "**" in said.headline


@pytest.mark.parametrize("model_id", MODELS)
def test_rows_have_a_cell_for_each_column_and_series_a_value_for_each_place(model_id: str) -> None:
    model = registry.get_model(model_id)
    said = spec.evaluate(model, start_of(model) or {})
    for table in said.tables:
        assert {len(row.cells) + 1 for row in table.rows} == {len(table.columns)}
    for figure in said.figures:
        for series in figure.series:
            assert len(series.values) == len(figure.rows or series.at)
            assert len(series.kinds) in {0, len(series.values)}


def test_advice_marks_the_limit_that_is_passed() -> None:
    said = _ask(workload_taxonomy.SPEC, parallel_tasks_count=433, slow_slots_count=768)
    _why, limits = said.tables
    assert [row.is_best for row in limits.rows] == [False, False, True]
    assert limits.rows[2].cells == ("433 tasks", "768 slots", "they lose")
    assert said.headline.startswith("**Slow nodes are likely to lose here.** There are 433 tasks")


def test_trends_turn_where_another_platform_becomes_the_better_one() -> None:
    flips = tuple(
        FlipPoint(working_set_bytes=4.0**at, accesses_per_j=(1.0, 1.0), best=best)
        for at, best in enumerate("aaba")
    )
    assert turns_bytes(flips) == [8.0, 32.0]


def _times(*seconds: float) -> dict[str, Any]:
    """Two clusters of one core a node whose only task takes so long."""
    cluster = {
        "cores_per_node_count": 1, "threads_per_node_count": 1, "slots_per_node_count": 1,
        "disks_count": 1, "disk_mb_per_s": 1e6, "ports_count": 1, "port_mb_per_s": 1e6,
    }  # fmt: skip
    return {
        "job": {
            "fixed_s": 0.0,
            "phases": [{"name": "all", "task_cpu_s": 100.0, "tasks_count": 100}],
        },
        "clusters": [
            {"name": name, "nodes_count": 10, "core_speed_ratio": 1000.0 / one, **cluster}
            for name, one in zip(("box", "rack"), seconds, strict=True)
        ],
    }


def test_clusters_are_told_by_speed_or_at_equal_time_by_nodes() -> None:
    job = cluster_job.SPEC
    said = _ask(job, **_times(500.0, 1000.0)).headline
    assert said.startswith("As entered, **box does the job 2.00 times as fast** as rack")
    assert "50% less energy a job" in said
    assert "; it waits for cores longest. " in said
    equal = _ask(job, **_times(500.0, 1000.0), equal="time").headline
    assert equal.startswith("At equal time, **5 nodes of box do what 10 of rack do**")


def test_the_grid_counts_what_is_drawn_over_it_in_its_own_unit() -> None:
    grid = {
        "nodes_low_count": 1, "nodes_high_count": 2, "nodes_steps_count": 2,
        "disks_low_count": 1, "disks_high_count": 2, "disks_steps_count": 2,
    }  # fmt: skip
    for measure, best in (("time_s", min), ("performance_per_w", max)):
        said = _ask(cluster_job.SPEC, **_times(500.0, 1000.0), map={**grid, "measure": measure})
        _lines, cells = said.figures[:2]
        energy_j, time_s = said.map.energy_j, said.map.time_s
        want = time_s if measure == "time_s" else [[3.6e6 / one for one in row] for row in energy_j]
        assert [list(series.values) for series in cells.series] == [list(row) for row in want]
        top = best(value for row in want for value in row)
        shown = f"{top:.0f}" if measure == "time_s" else f"{top:.3g}"
        assert shown.replace(",", "") in said.figures[0].title.replace(",", "")
