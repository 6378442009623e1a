"""Queues against simulation, closed forms and limits."""

from __future__ import annotations

import heapq
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.erlang import erlang_b, erlang_c
from capmodels.errors import ModelError
from capmodels.performance import queueing
from capmodels.performance.queueing import QueueParams, Waiting, unit_points
from capmodels.tests.asking import ask, faults

MODEL = "performance.queueing"


def _simulated_ms(rate: float, servers: int, variation: float, count: int = 300_000) -> Any:
    """Response times of a queue with mean service 10 ms, first come first served."""
    dice = np.random.default_rng(11)
    arrivals = np.cumsum(dice.exponential(1000.0 / rate, count)).tolist()
    if variation == 0:
        service = [10.0] * count
    else:
        shape = 1 / variation**2
        service = dice.gamma(shape, 10.0 / shape, count).tolist()
    free = [0.0] * servers
    responses = []
    for at, length in zip(arrivals, service, strict=True):
        done = max(heapq.heappop(free), at) + length
        heapq.heappush(free, done)
        responses.append(done - at)
    return np.array(responses[count // 10 :])


@pytest.mark.parametrize(
    ("rate", "servers", "variation", "tolerance"),
    [
        (70.0, 1, 1.0, 0.05),
        (800.0, 10, 1.0, 0.03),
        (640.0, 8, 0.5, 0.05),
        (240.0, 3, 0.0, 0.08),
        (300.0, 5, 2.0, 0.10),
    ],
)
def test_means_and_percentiles_agree_with_simulation(
    rate: float, servers: int, variation: float, tolerance: float
) -> None:
    times = _simulated_ms(rate, servers, variation)

    result = ask(
        MODEL,
        arrival_rate_per_s=rate,
        servers_count=servers,
        service_variation_ratio=variation,
        percentiles_fraction=[0.9, 0.99],
    )

    assert result.response_mean_ms == pytest.approx(times.mean(), rel=tolerance)
    for row in result.percentiles:
        simulated = np.quantile(times, row.percentile_fraction)
        assert row.response_ms == pytest.approx(simulated, rel=tolerance)


@pytest.mark.decisive
def test_erlang_agrees_with_its_sum() -> None:
    offered, servers = 7.5, 10
    terms = [offered**k / math.factorial(k) for k in range(servers + 1)]
    blocked = terms[-1] / sum(terms)
    tail = terms[-1] * servers / (servers - offered)

    assert erlang_b(servers=servers, offered=offered) == pytest.approx(blocked, rel=1e-12)
    waiting = tail / (sum(terms[:-1]) + tail)
    assert erlang_c(servers=servers, offered=offered) == pytest.approx(waiting, rel=1e-12)


def test_one_server_has_an_exponential_response() -> None:
    # M/M/1: rate mu - lambda = 20 a second.
    (row,) = ask(
        MODEL, arrival_rate_per_s=80.0, servers_count=1, percentiles_fraction=[0.99]
    ).percentiles
    assert row.response_ms == pytest.approx(-math.log(0.01) * 50.0)


def test_share_of_late_requests_meets_the_percentile() -> None:
    (row,) = ask(MODEL, percentiles_fraction=[0.95]).percentiles
    assert ask(MODEL, latency_bound_ms=row.response_ms).late_fraction == pytest.approx(0.05)


def test_without_load_nobody_waits() -> None:
    result = ask(MODEL, arrival_rate_per_s=0.0)
    assert result.wait_mean_ms == 0
    assert result.response_mean_ms == pytest.approx(10.0)


def test_too_much_load_is_refused_with_the_servers_needed() -> None:
    with pytest.raises(ModelError, match="at least 101 servers"):
        ask(MODEL, arrival_rate_per_s=10_000.0, servers_count=100)


@pytest.mark.parametrize("variation", [0.0, 0.3, 0.5, 1.7])
@pytest.mark.parametrize("load", [0.05, 0.6, 0.97])
def test_a_percentile_is_where_the_share_of_late_requests_falls_to_it(
    load: float, variation: float
) -> None:
    waiting = Waiting(
        QueueParams(
            arrival_rate_per_s=load * 800.0, servers_count=8, service_variation_ratio=variation
        )
    )
    for fraction in (0.123, 0.5, 0.95, 0.999):
        time_s = waiting.percentile_s(fraction)
        assert waiting.late(time_s * (1 + 1e-9)) <= 1 - fraction
        assert waiting.late(time_s * (1 - 1e-9)) > 1 - fraction


def test_the_service_times_are_worked_out_once_for_a_variation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queueing.unit_points.cache_clear()
    calls: list[float] = []
    exp = math.exp

    def counted(x: float) -> float:
        calls.append(x)
        return exp(x)

    monkeypatch.setattr(math, "exp", counted)
    ask(MODEL, service_variation_ratio=0.4)
    # One for each service time and percentile; halving took 400 for each of 200 steps.
    assert len(calls) <= 4 * 400
    assert queueing.unit_points.cache_info().misses == 1


@pytest.mark.parametrize("variation", [0.25, 0.5, 1.0, 1.5])
def test_service_points_keep_mean_and_variation(variation: float) -> None:
    times = 3.0 * np.array(unit_points(variation))
    assert times.mean() == pytest.approx(3.0)
    assert times.std() / 3.0 == pytest.approx(variation, rel=0.06)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    load=st.floats(0.01, 0.98),
    servers=st.integers(1, 200),
    variation=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_more_servers_never_make_requests_wait_longer(
    load: float, servers: int, variation: float
) -> None:
    question = {
        "arrival_rate_per_s": load * servers * 100.0,
        "service_variation_ratio": variation,
        "percentiles_fraction": [0.5, 0.9],
    }
    few = ask(MODEL, servers_count=servers, **question)
    more = ask(MODEL, servers_count=servers + 1, **question)

    assert more.wait_mean_ms <= few.wait_mean_ms * (1 + 1e-9) + 1e-12
    median, high = (row.response_ms for row in few.percentiles)
    assert median <= high
    assert few.in_system_count == pytest.approx(
        question["arrival_rate_per_s"] * few.response_mean_ms / 1000
    )


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"servers_count": 0}, "/servers_count", "out_of_range"),
        ({"service_ms": 0.0}, "/service_ms", "out_of_range"),
        ({"percentiles_fraction": [1.0]}, "/percentiles_fraction/0", "out_of_range"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
