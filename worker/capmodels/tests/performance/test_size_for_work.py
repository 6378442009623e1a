"""Sizes against hand sums, closed forms and what one node fewer would do."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.errors import ModelError
from capmodels.tests.asking import ask, faults

MODEL = "performance.size_for_work"
NOTHING = {
    "query_rate_per_s": 0.0,
    "dataset_tb": 0.0,
    "memory_gb": 0.0,
    "io_per_s": 0.0,
    "spare_nodes_count": 0,
}


@pytest.mark.parametrize(
    ("demand", "binding", "nodes"),
    [
        # 200,000 x 1 ms = 200 cores of 32 x 0.7.
        ({"query_rate_per_s": 200_000.0}, "queries", 9),
        # 120 TB of 16 x 0.8.
        ({"dataset_tb": 40.0}, "data", 10),
        ({"memory_gb": 2_000.0}, "memory", 10),
        ({"io_per_s": 1e6}, "io", 4),
        # 1,200 core-hours in 6 hours: 200 cores.
        ({"batch_core_h": 1_200.0}, "batch", 9),
    ],
)
def test_each_need_asks_for_its_nodes(demand: dict[str, float], binding: str, nodes: int) -> None:
    result = ask(MODEL, **(NOTHING | demand))

    assert result.binding == binding
    assert result.nodes_count == nodes


def test_the_batch_beside_requests_adds_to_them() -> None:
    demand = NOTHING | {"query_rate_per_s": 100_000.0, "batch_core_h": 600.0}

    assert ask(MODEL, **demand).nodes_count == 5
    assert ask(MODEL, **demand, batch_beside_queries=True).nodes_count == 9


@pytest.mark.decisive
def test_one_node_fewer_misses_the_latency() -> None:
    demand = NOTHING | {"query_rate_per_s": 200_000.0, "headroom_fraction": 1.0}
    result = ask(MODEL, **demand, latency_bound_ms=4.65)

    assert result.binding == "latency"
    assert result.response_ms <= 4.65
    fewer = result.nodes_count - 1
    queue = ask(
        "performance.queueing",
        arrival_rate_per_s=200_000.0 / fewer,
        service_ms=1.0,
        servers_count=32,
        percentiles_fraction=[0.99],
    )
    assert queue.percentiles[0].response_ms > 4.65


def test_a_bound_below_the_service_itself_is_refused() -> None:
    # 99% of exponential service of 1 ms takes up to 4.6 ms.
    with pytest.raises(ModelError, match=r"4\.61 ms"):
        ask(MODEL, latency_bound_ms=4.0)


def test_spare_nodes_come_on_top_and_do_not_count_as_room() -> None:
    none, two = (ask(MODEL, spare_nodes_count=count) for count in (0, 2))

    assert two.nodes_count == none.nodes_count + 2
    assert two.requirements == none.requirements


@settings(max_examples=80, derandomize=True, deadline=None)
@given(
    rate=st.floats(0, 1e6),
    data=st.floats(0, 1e4),
    memory=st.floats(0, 1e5),
    io=st.floats(0, 1e8),
)
def test_the_binding_need_is_the_largest_and_every_need_fits(
    rate: float, data: float, memory: float, io: float
) -> None:
    result = ask(MODEL, query_rate_per_s=rate, dataset_tb=data, memory_gb=memory, io_per_s=io)

    largest = max(row.nodes_count for row in result.requirements)
    assert result.serving_nodes_count == max(1, math.ceil(largest - 1e-9))
    assert all(row.used_fraction <= 1 + 1e-9 for row in result.requirements)
    by_need = {row.need: row.nodes_count for row in result.requirements}
    assert by_need[result.binding] == largest


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"headroom_fraction": 0.0}, "/headroom_fraction", "out_of_range"),
        ({"batch_deadline_h": 0.0}, "/batch_deadline_h", "out_of_range"),
        ({"node": {"cores_count": 0}}, "/node/cores_count", "out_of_range"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
