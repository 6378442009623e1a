"""Idle memory: limits, order, and arithmetic that can be done by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.explore.sampling_kernel import triangular as triangular_at
from capmodels.explore.sampling_kernel import uniforms
from capmodels.memory.idle_capacity import quantile, triangular
from capmodels.tests.asking import ask, faults

MODEL = "memory.idle_capacity"


def _exactly(**values: float) -> dict[str, Any]:
    """Inputs without a range, by the unit of each."""
    return {
        name: {f"{side}_{unit}": values[name] for side in ("low", "mode", "high")}
        for name, unit in (
            ("used", "gib"),
            ("module_price", "usd"),
            ("traffic", "mb_per_s"),
            ("powerdown_reach", "fraction"),
            ("draw", "fraction"),
            ("electricity", "usd_per_kwh"),
        )
        if name in values
    }


CERTAIN = _exactly(
    used=512.0,
    module_price=300.0,
    traffic=0.0,
    powerdown_reach=1.0,
    draw=1.0,
    electricity=0.1,
)


def test_what_is_certain_has_no_range() -> None:
    answer = ask(MODEL, **CERTAIN)
    assert answer.idle_gib == answer.idle_p10_gib == answer.idle_p90_gib == 512.0
    assert answer.avoided_usd == answer.avoided_p10_usd == answer.avoided_p90_usd == 8 * 300.0
    for row in answer.policies:
        assert row.saving_p10_w == pytest.approx(row.saving_w)
        assert row.saving_p90_w == pytest.approx(row.saving_w)


@pytest.mark.decisive
def test_a_spared_module_saves_its_power_down_watts() -> None:
    # 2 ranks of 18 devices at 25 and 3 mA, refresh, and the register: by hand.
    rank_w = 18 * (0.025 * 1.2 + 0.003 * 2.5)
    refresh_w = 18 * (0.250 - 0.047) * 1.2 * 350 / 7800
    module_w = 2 * (rank_w + refresh_w) + 0.5
    rows = {row.policy: row for row in ask(MODEL, **CERTAIN).policies}
    spared = rows["remove"].saving_w - rows["power_down"].saving_w
    assert spared == pytest.approx(8 * module_w, rel=1e-9)
    assert rows["remove"].saving_kwh_per_year == pytest.approx(
        rows["remove"].saving_w * 8.76 * 1.5, rel=1e-9
    )


def test_each_policy_saves_at_least_as_much_as_the_one_before() -> None:
    answer = ask(MODEL)
    savings = [row.saving_w for row in answer.policies]
    assert savings == sorted(savings)
    for row in answer.policies:
        assert row.average_w == pytest.approx(sum(row.causes.model_dump().values()), rel=1e-9)
        assert row.average_p10_w <= row.average_p90_w
    assert answer.headline.startswith("**512\N{NO-BREAK SPACE}GiB stand idle**: 8 of 32 modules")


def test_waking_all_ranks_all_the_time_undoes_aggregation() -> None:
    rows = {
        row.policy: row
        for row in ask(MODEL, layout={"wake_all_per_s": 10.0, "wake_all_s": 1.0}).policies
    }
    assert rows["aggregate"].average_w == pytest.approx(rows["power_down"].average_w)


def test_more_cores_leave_less_of_what_the_system_could_switch_off() -> None:
    points = ask(MODEL, cores_count=64, process_ranks_count=4).cores
    assert [point.cores_count for point in points] == [1, 2, 4, 8, 16, 32, 64]
    awake = [point.awake_ranks_fraction for point in points]
    assert awake[0] == pytest.approx(4 / 64)
    assert awake[-1] == pytest.approx(1 - (60 / 64) ** 64)
    savings = [point.saving_w for point in points]
    assert savings == sorted(savings, reverse=True)
    assert savings[-1] < 0.1 * savings[0]


def test_the_union_is_that_of_drawn_processes() -> None:
    dice = np.random.default_rng(1)
    drawn = [
        len(set(np.concatenate([dice.choice(64, 4, replace=False) for _ in range(16)])))
        for _ in range(2000)
    ]
    share = next(p.awake_ranks_fraction for p in ask(MODEL).cores if p.cores_count == 16)
    assert share == pytest.approx(float(np.mean(drawn)) / 64, abs=0.005)


def test_without_currents_money_is_answered_and_watts_are_not() -> None:
    answer = ask(
        MODEL,
        module={"kind": "known", "name": "ddr5_rdimm_64"},
        layout={"interleaved_channels_count": 4},
        servers_count=100,
    )
    assert answer.basis == "unknown"
    assert answer.avoided_usd == 100 * 4 * 250.0
    assert answer.energy_usd is None
    assert all(row.average_w is None for row in answer.policies)
    assert " W " not in answer.headline


def test_draws_have_the_quantiles_of_the_distribution() -> None:
    triple = (1.0, 3.0, 9.0)
    drawn = triangular_at(triple, uniforms("used", 100_000, 1))
    ours = sorted(triangular(*triple, (slot + 0.5) / 2000) for slot in range(2000))
    for fraction in (0.1, 0.5, 0.9):
        assert quantile(ours, fraction) == pytest.approx(np.quantile(drawn, fraction), rel=0.01)
    # Below the mode the distribution function is (x - low)^2 / ((high - low)(mode - low)).
    assert triangular(*triple, 0.1) == pytest.approx(1 + math.sqrt(0.1 * 8 * 2))


def test_spread_over_ranks_is_said_to_save_nothing() -> None:
    answer = ask(MODEL, layout={"ranks_interleaved": True})
    rows = {row.policy: row for row in answer.policies}
    assert rows["aggregate"].average_w == pytest.approx(rows["power_down"].average_w)
    assert "spread over the ranks" in answer.warnings[0]


def test_values_out_of_order_are_refused_where_they_stand() -> None:
    used = {"low_gib": 600.0, "mode_gib": 512.0, "high_gib": 700.0}
    assert faults(MODEL, {"used": used, "years": 0.0}) == {
        "/used/mode_gib": "not_in_order",
        "/years": "out_of_range",
    }
