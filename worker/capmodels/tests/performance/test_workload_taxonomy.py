"""The advice on nodes: each rule speaks where it should and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels import registry
from capmodels.tests.asking import ask, faults

MODEL = "performance.workload_taxonomy"
BUSY = {"utilization_fraction": 1.0, "fixed_power_fraction": 0.3}


def rules(**given: Any) -> set[str]:
    return {reason.rule for reason in ask(MODEL, **(BUSY | given)).reasons}


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"serial_ms": 11.0, "latency_bound_ms": 50.0}, "serial_latency"),
        ({"working_set_per_task_gb": 4.1}, "memory_per_node"),
        ({"parallel_tasks_count": 767}, "few_tasks"),
        ({"utilization_fraction": 0.2, "fixed_power_fraction": 0.5}, "fixed_power"),
    ],
)
@pytest.mark.decisive
def test_a_rule_speaks_past_its_threshold(given: dict[str, Any], rule: str) -> None:
    assert rule in rules(**given)
    at_threshold = {
        "serial_ms": 10.0,
        "latency_bound_ms": 50.0,
        "working_set_per_task_gb": 4.0,
        "parallel_tasks_count": 768,
        "utilization_fraction": 1.0,
        "fixed_power_fraction": 0.5,
    }
    assert rule not in rules(**at_threshold)


@pytest.mark.parametrize("bound", ["seeks", "scans", "network"])
def test_waiting_for_devices_is_the_best_case(bound: str) -> None:
    result = ask(MODEL, bound_by=bound, **BUSY)
    assert (result.workload_class, result.verdict) == ("io_bound", "wimpy_win")


@pytest.mark.parametrize("bound", ["cpu", "memory_bandwidth"])
def test_bound_by_core_or_memory_it_depends(bound: str) -> None:
    result = ask(MODEL, bound_by=bound, **BUSY)
    assert (result.workload_class, result.verdict) == ("memory_or_cpu_bound", "depends")


def test_one_reason_to_lose_outweighs_a_reason_to_win() -> None:
    result = ask(MODEL, working_set_per_task_gb=64.0, **BUSY)
    assert result.workload_class == "large_memory"
    assert {reason.verdict for reason in result.reasons} == {"wimpy_lose", "wimpy_win"}
    assert result.verdict == "wimpy_lose"


def test_every_class_leads_to_a_model_that_exists() -> None:
    for given in ({}, {"bound_by": "cpu"}, {"working_set_per_task_gb": 64.0}):
        assert ask(MODEL, **given).next_model in registry.model_ids()
    late = ask(MODEL, serial_ms=50.0, latency_bound_ms=50.0)
    assert late.next_model in registry.model_ids()


def test_a_core_faster_than_the_fast_one_is_refused() -> None:
    assert faults(MODEL, {"slow_core_speed_ratio": 1.5}) == {
        "/slow_core_speed_ratio": "out_of_range"
    }
