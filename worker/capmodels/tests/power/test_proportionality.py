"""Proportionality against hand sums, limits and what switching can at most save."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.tests.asking import ask, faults

MODEL = "power.proportionality"


def test_a_group_at_low_load_switches_most_servers_off() -> None:
    result = ask(MODEL, points_count=11)
    point = result.points[1]

    # 10 servers' worth of work at 70%: 15 on, each 2/3 loaded.
    assert point.servers_on_count == 15
    assert point.switched_w == pytest.approx(15 * (150 + 130 * 2 / 3) + 85 * 10)
    assert point.all_on_w == pytest.approx(100 * (150 + 13))


def test_a_server_without_idle_power_is_proportional() -> None:
    result = ask(MODEL, power_idle_w=0.0, power_sleep_w=0.0)
    assert result.all_on_proportionality_fraction == pytest.approx(1.0)
    assert result.points[10].all_on_energy_ratio == pytest.approx(1.0)


def test_a_server_that_always_draws_its_peak_is_not() -> None:
    result = ask(MODEL, power_idle_w=280.0)
    assert result.all_on_proportionality_fraction == pytest.approx(0.0)
    assert result.dynamic_range_fraction == 0


@pytest.mark.decisive
def test_a_linear_server_s_proportionality_is_its_dynamic_range() -> None:
    result = ask(MODEL)
    assert result.all_on_proportionality_fraction == pytest.approx(result.dynamic_range_fraction)


def test_sleep_pays_when_it_lasts_longer_than_waking_costs() -> None:
    assert ask(MODEL).shortest_sleep_s == pytest.approx(8_400 / 140)
    assert ask(MODEL, power_sleep_w=150.0).shortest_sleep_s is None


@settings(max_examples=80, derandomize=True, deadline=None)
@given(
    idle=st.floats(10, 280),
    target=st.floats(0.3, 1.0),
    servers=st.integers(1, 500),
)
def test_switching_linear_servers_off_never_costs_more(
    idle: float, target: float, servers: int
) -> None:
    result = ask(MODEL, power_idle_w=idle, target_fraction=target, servers_count=servers)

    for point in result.points:
        assert point.switched_w <= point.all_on_w * (1 + 1e-9)
        assert point.servers_on_count * target >= min(
            point.load_fraction * servers, servers * target
        ) * (1 - 1e-6)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"power_max_w": 100.0}, "/power_max_w", "max_below_idle"),
        ({"exponent": 2.5}, "/exponent", "out_of_range"),
        ({"target_fraction": 0.0}, "/target_fraction", "out_of_range"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
