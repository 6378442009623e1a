"""Memory power policies, simulated: against the thesis, its rules, and the closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from capmodels import registry, spec
from capmodels.errors import ModelError
from capmodels.memory.power_policies_runs import skew_of
from capmodels.memory.rank_kernel import settle, tick
from capmodels.memory.rank_state import (
    SEEN,
    SELF_REFRESH,
    STATE,
    THRESHOLD,
    World,
    new_world,
)
from capmodels.memory.states import CALIBRATED, TECHNIQUES, Technique
from capmodels.memory.thesis import OBSERVED
from capmodels.tests.asking import faults

# The kernel takes its time to compile.
pytestmark = pytest.mark.slow

SPEC = registry.get_model("memory.power_policies")
ONE_RANK = {"kind": "preset", "ranks_count": 1}
FIVE = ["NOPM", "IPD", "ISR", "HW", "HW_SW"]
TURNS = {"kind": "two_process_stream"}
LOW, HIGH = 1.7695e6, 10.0552e6


def run(seed: int = 1, **document: Any) -> Any:
    return spec.evaluate(SPEC, document, spec.Context(seed=seed))


def rows(seed: int = 1, **document: Any) -> dict[str, Any]:
    return {row.technique: row for row in run(seed, **document).techniques}


@pytest.fixture(scope="module")
def turns() -> dict[str, Any]:
    """Two processes, one rank, 100 ms, the initial turn over (check 5)."""
    return rows(memory=ONE_RANK, traffic=TURNS, horizon_ms=100.0, techniques=FIVE)


def test_two_processes_draw_what_table_3_2_prints(turns: dict[str, Any]) -> None:
    allowed: dict[Technique, float] = {
        "NOPM": 0.01,
        "IPD": 0.01,
        "ISR": 0.02,
        "HW": 0.05,
        "HW_SW": 0.02,
    }
    for technique, tolerance in allowed.items():
        printed = OBSERVED["synthetic"].power_w[technique]
        assert turns[technique].average_w == pytest.approx(printed, rel=tolerance), technique
    watts = [turns[technique].average_w for technique in FIVE]
    assert watts[0] > watts[1] > max(watts[2:4]) > min(watts[2:4]) > watts[4]


def test_two_processes_wait_as_in_table_3_2(turns: dict[str, Any]) -> None:
    assert turns["IPD"].response_ns - turns["NOPM"].response_ns == pytest.approx(5.0, abs=0.3)
    woken = turns["ISR"].delayed_self_refresh_count * 1181.25 / 100
    assert woken == pytest.approx(395_341, rel=0.03)


@pytest.mark.parametrize(("rate", "workload"), [(LOW, "low"), (HIGH, "high")])
def test_random_accesses_draw_what_tables_2_6_and_2_7_print(rate: float, workload: str) -> None:
    found = rows(
        traffic={"kind": "poisson", "rate_per_s": rate},
        horizon_ms=50.0,
        techniques=["NOPM", "IPD", "ISR"],
    )
    printed = OBSERVED[workload].power_w
    assert found["NOPM"].average_w == pytest.approx(printed["NOPM"], rel=0.003)
    assert found["IPD"].average_w == pytest.approx(printed["IPD"], rel=0.015)
    for row in found.values():
        assert row.average_w == pytest.approx(row.closed_form_w, rel=0.005)


def _world(threshold_first_ns: float = 0.0) -> World:
    switches = (np.zeros(1), np.zeros(1, np.int64), np.ones((1, 1), bool))
    return new_world(
        CALIBRATED.model_copy(update={"ranks_count": 1}),
        "HW",
        switches=switches,
        threshold_most_ns=499_200.0,
        threshold_first_ns=threshold_first_ns,
    )


def test_64_accesses_in_an_interval_saturate_the_predictor() -> None:
    world = _world()
    for accesses in (64, 1000):
        world.ranks.wholes[0, SEEN] = accesses
        tick(world.rules, world.ranks, 0.0)
        assert world.ranks.times[0, THRESHOLD] == 499_200.0


def test_a_saturated_predictor_sleeps_at_the_33rd_silent_interval() -> None:
    world = _world(499_200.0)
    settle(world, 32 * 7800.0)
    assert world.ranks.wholes[0, STATE] != SELF_REFRESH
    settle(world, 33 * 7800.0)
    assert world.ranks.wholes[0, STATE] == SELF_REFRESH
    assert world.ranks.times[0, THRESHOLD] == pytest.approx(241_800.0)


def test_a_short_threshold_halves() -> None:
    world = _world(10_000.0)
    found = []
    for interval in range(1, 6):
        settle(world, interval * 7800.0)
        found.append(world.ranks.times[0, THRESHOLD])
    assert found == pytest.approx([2200.0, 1100.0, 550.0, 275.0, 137.5])


@pytest.mark.parametrize(("rate", "power", "tolerance"), [(40e3, 1.04, 0.05), (90e3, 2.10, 0.02)])
def test_the_predictor_gives_up_above_the_critical_rate(
    rate: float, power: float, tolerance: float
) -> None:
    found = rows(
        memory=ONE_RANK,
        traffic={"kind": "poisson", "rate_per_s": rate},
        horizon_ms=500.0,
        techniques=["HW"],
    )
    assert found["HW"].average_w == pytest.approx(power, rel=tolerance)


@pytest.mark.decisive
def test_equally_spaced_accesses_follow_the_closed_forms() -> None:
    found = rows(
        memory=ONE_RANK,
        traffic={"kind": "periodic"},
        horizon_ms=20.0,
        techniques=["NOPM", "IPD", "ISR"],
    )
    for technique, power, response in (
        ("NOPM", 4.1513, 60.5),
        ("IPD", 2.1066, 65.5),
        ("ISR", 0.6089, 1060.5),
    ):
        assert found[technique].average_w == pytest.approx(power, rel=1e-3)
        assert found[technique].response_ns == pytest.approx(response, rel=1e-3)


def test_directed_by_the_system_idle_ranks_sleep() -> None:
    found = rows(traffic={"kind": "none"}, techniques=["PAVM", "PAVM_IPD"])
    assert found["PAVM"].average_w == pytest.approx(27.731, rel=1e-3)
    assert found["PAVM_IPD"].average_w == pytest.approx(14.367, rel=1e-3)
    assert found["PAVM"].delayed_self_refresh_count == 0


@pytest.mark.parametrize(
    ("quantum_ms", "ratio", "hw", "hw_sw"),
    [
        (0.25, 64.0, 4.434, 3.506),
        (10.0, 64.0, 3.508, 3.489),
        (1.0, 10 / 7.8, 3.495, 3.488),
        (1.0, 5000 / 7.8, 4.434, 3.658),
    ],
)
def test_short_turns_and_long_windows_blind_the_predictor(
    quantum_ms: float, ratio: float, hw: float, hw_sw: float
) -> None:
    found = rows(
        memory=ONE_RANK,
        traffic={**TURNS, "quantum_ms": quantum_ms},
        horizon_ms=100.0,
        techniques=["HW", "HW_SW"],
        threshold_max_ratio=ratio,
    )
    assert found["HW"].average_w == pytest.approx(hw, rel=0.03)
    # The reference hands the first process' history to the second; ours begins anew.
    assert hw_sw * 0.95 < found["HW_SW"].average_w < hw_sw * 1.03


def test_bursts_draw_less_and_wait_longer_when_they_fill_a_rank() -> None:
    found = {
        (gap, interleave): rows(
            memory={"kind": "preset", "ranks_count": 4},
            traffic={"kind": "burst", "gap_ns": gap},
            interleave=interleave,
            horizon_ms=100.0,
            techniques=["NOPM", "HW"],
        )
        for gap in (70.0, 20.0)
        for interleave in ("rank_fill", "rank_spread")
    }
    for row in found.values():
        assert row["NOPM"].average_w == pytest.approx(16.763, rel=1e-3)
    assert found[70.0, "rank_fill"]["HW"].average_w == pytest.approx(1.66, rel=0.05)
    assert found[70.0, "rank_spread"]["HW"].average_w == pytest.approx(3.51, rel=0.05)
    assert found[20.0, "rank_spread"]["NOPM"].response_ns == pytest.approx(60.5, rel=0.01)
    assert found[20.0, "rank_fill"]["NOPM"].response_ns == pytest.approx(2558, rel=0.01)


@pytest.mark.parametrize(("rate", "workload"), [(LOW, "low"), (HIGH, "high")])
def test_migration_lengthens_idle_times_of_cold_ranks(rate: float, workload: str) -> None:
    traffic = {
        "kind": "poisson",
        "rate_per_s": rate,
        "skew": [point.model_dump() for point in skew_of(workload)],
    }
    found = {
        percent: run(
            traffic=traffic,
            techniques=["HW"],
            horizon_ms=60.0,
            threshold_first_ratio=32.0,
            reshaping={"migrate_fraction": percent / 100},
        )
        for percent in (0, 1, 5)
    }
    watts = {percent: result.techniques[0].average_w for percent, result in found.items()}
    assert watts[5] < 0.75 * watts[0]
    assert watts[1] > 0.97 * watts[0]
    idle = {
        percent: [rank.idle_mean_ns for rank in result.techniques[0].ranks]
        for percent, result in found.items()
    }
    assert np.mean(idle[5][6:]) > 4 * np.mean(idle[0][6:])
    assert np.mean(idle[5][:6]) < np.mean(idle[0][:6]) / 1.5


def test_migrating_5_percent_costs_what_the_tables_hint_at() -> None:
    result = run(
        traffic={"kind": "poisson", "rate_per_s": 1000.0},
        techniques=["NOPM"],
        horizon_ms=6510.0,
        reshaping={"migrate_fraction": 0.05},
    )
    migration = result.migration
    assert migration.pages_count == 9830
    assert migration.line_accesses_count == pytest.approx(629_146, rel=0.01)
    assert migration.energy_j == pytest.approx(0.165, rel=0.01)
    assert migration.average_w == pytest.approx(0.025, rel=0.02)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"traffic": {"kind": "process_mix", "mix": "high"}, "interleave": "rank_spread"},
        {"memory": {"kind": "preset", "name": "thesis_16rank"}},
        {"memory": {"kind": "preset", "name": "rdram"}, "traffic": {"kind": "poisson"}},
    ],
    ids=["mix", "spread", "two ranks a module", "rdram"],
)
def test_whatever_is_run_the_books_balance(document: dict[str, Any]) -> None:
    result = run(**{"horizon_ms": 20.0, **document})
    assert {row.technique for row in result.techniques} == set(TECHNIQUES)
    ready = next(row for row in result.techniques if row.technique == "NOPM")
    for row in result.techniques:
        shares = row.standby_fraction + row.powerdown_fraction + row.self_refresh_fraction
        assert shares == pytest.approx(1.0, abs=1e-9)
        assert sum(row.causes.model_dump().values()) == pytest.approx(row.average_w, rel=1e-9)
        assert np.mean(row.series_w) == pytest.approx(row.average_w, rel=1e-9)
        assert row.average_w <= ready.average_w + 1e-9
        assert row.outside_count == 0
    assert run(**{"horizon_ms": 20.0, **document}) == result


def test_without_management_interleaving_does_not_matter() -> None:
    watts = [
        run(interleave=interleave, techniques=["NOPM"]).techniques[0].average_w
        for interleave in ("rank_fill", "rank_spread")
    ]
    assert watts[0] == pytest.approx(watts[1], rel=1e-3)


def test_two_ranks_of_a_module_let_its_clock_sleep_only_together() -> None:
    # Ranks 0 and 1 share a module; the process uses rank 0 alone, so only its module is awake.
    states = CALIBRATED.model_dump() | {"ranks_count": 4, "ranks_per_dimm_count": 2}
    traffic = {"kind": "none", "active_ranks_count": [1]}
    found = rows(memory=states, traffic=traffic, techniques=["PAVM"])
    awake = CALIBRATED.standby_w + 3 * CALIBRATED.self_refresh_w + 2 * CALIBRATED.peripheral_w
    assert found["PAVM"].average_w == pytest.approx(awake, rel=1e-9)


def test_a_trace_is_served_as_it_was_recorded() -> None:
    lines = ["t_ns,address,rw,pid"]
    for place in range(1000):
        at_ns, rank = place * 10_000, place % 2
        lines.append(f"{at_ns},{hex(rank * 64 * 2**20 + place * 128)},R,{300 + rank}")
    result = run(
        memory={"kind": "preset", "ranks_count": 2},
        traffic={"kind": "trace", "csv": "\n".join(lines)},
        techniques=["NOPM", "IPD", "PAVM"],
        horizon_ms=10.0,
    )
    found = {row.technique: row for row in result.techniques}
    assert result.accesses_count == 1000
    assert result.active_ranks_fraction == pytest.approx(0.5)
    # Each rank is the active one of every second turn; its wake delays the turn's one access.
    assert found["PAVM"].delayed_self_refresh_count == 1000
    assert found["PAVM"].outside_count == 0
    assert found["IPD"].response_ns == pytest.approx(65.5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,2,R,3\nnothing", "Line 2"),
        ("5,2,R,3\n4,2,R,3", "Line 2 is earlier"),
        ("t,a,rw,pid", "no access"),
    ],
)
def test_a_trace_that_cannot_be_read_is_refused_by_line(text: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        run(traffic={"kind": "trace", "csv": text})


def test_what_cannot_be_is_refused_where_it_stands() -> None:
    assert faults(
        "memory.power_policies",
        {
            "memory": {"kind": "typed", "ranks_count": 4, "ranks_per_dimm_count": 3},
            "techniques": ["IPD", "IPD"],
            "horizon_ms": 0.0,
            "traffic": {"kind": "burst", "lines_count": 100_000, "gap_ns": 70.0},
        },
    ) == {
        "/memory/ranks_per_dimm_count": "ranks_do_not_fill_modules",
        "/techniques/1": "technique_twice",
        "/horizon_ms": "out_of_range",
        "/traffic/period_ms": "burst_too_long",
    }
