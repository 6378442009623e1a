"""Rows of the thesis, held against the closed forms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from capmodels.memory.policy_points import points_of
from capmodels.memory.states import (
    CALIBRATED,
    PRESETS,
    THESIS,
    Technique,
    all_self_refresh_w,
    break_even_ns,
    ipd_w,
    migrated_pages,
    migration_lines,
    nopm_w,
    pavm_w,
    pdd_w,
    rank_w,
    runtime_ratio,
)
from capmodels.memory.thesis import ACTIVE_SETS, MIXED, OBSERVED, RUNTIMES
from capmodels.memory.traffic import PeriodicTraffic, TwoProcessTraffic
from capmodels.spec import Check, derived_check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capmodels.memory.states import PowerStates

_ONE_RANK = CALIBRATED.model_copy(update={"ranks_count": 1})
# The mixed workloads were run with another configuration.
_MIXED_STATES = CALIBRATED.model_copy(update={"peripheral_w": 1.493, "access_nj": 279.0})
_ACTIVE = {"low": 0.530, "high": 0.474}
_NAMES = {"PAVM_IPD": "PAVM+IPD", "HW_SW": "HW-SW"}


def _watts(
    number: str, title: str, value: tuple[float, float], source: str, ours: Callable[[], float]
) -> Check:
    published, tolerance = value
    return Check(
        number, title, published, ours, source=source, tolerance=published * tolerance, unit="W"
    )


def _derived(number: str, title: str, value: float, ours: Callable[[], float]) -> Check:
    return derived_check(
        number,
        title,
        value,
        ours,
        source=f"arithmetic from what {THESIS} states",
        tolerance=abs(value) * 1e-3,
        unit="W",
    )


def _states() -> Iterator[Check]:
    for mw, watts, name in ((525.0, 4.2, "reading"), (275.0, 2.2, "standby"), (150.0, 1.2, "down")):
        yield _watts(
            f"M1 {name}",
            f"A rank of eight devices: {name}",
            (watts, 0.0),
            f"{THESIS}, section 2.2",
            partial(rank_w, mw, 8),
        )
    yield derived_check(
        "M1 break-even",
        "Idle time from which power-down pays",
        12.41,
        partial(break_even_ns, 0.31, 1.0, 5.0),
        source=f"{THESIS}, section 4.3: self-refresh three orders of magnitude later, 19 us",
        tolerance=0.06,
        unit="ns",
    )
    sets = (("12 ranks", CALIBRATED, (49.5, 24.828, 2.004)),)
    both = (*sets, ("16 ranks", PRESETS["thesis_16rank"], (49.504, 25.216, 2.672)))
    for name, states, (ready, down, floor) in both:
        yield _derived(f"M2 {name} NOPM", f"{name}, no traffic", ready, partial(nopm_w, states, 0))
        yield _derived(f"M2 {name} IPD", f"{name}, power-down", down, partial(ipd_w, states, 0))
        yield _derived(
            f"M2 {name} asleep",
            f"{name}, all in self-refresh",
            floor,
            partial(all_self_refresh_w, states),
        )


def _tables_2() -> Iterator[Check]:
    for name, table in (("low", "2.6"), ("high", "2.7")):
        seen = OBSERVED[name]
        rate, source = seen.rate_per_s, f"{THESIS}, table {table}"
        yield _watts(
            f"M3 {name} NOPM",
            f"Workload {name}, no management",
            (seen.power_w["NOPM"], 0.003),
            source,
            partial(nopm_w, CALIBRATED, rate),
        )
        yield _watts(
            f"M3 {name} IPD",
            f"Workload {name}, immediate power-down",
            (seen.power_w["IPD"], 0.015),
            source,
            partial(ipd_w, CALIBRATED, rate),
        )
        pavm = partial(pavm_w, CALIBRATED, rate, _ACTIVE[name])
        yield _watts(
            f"M9 {name} PAVM",
            f"Workload {name}, PAVM with {_ACTIVE[name]:.3f} of the ranks awake",
            (seen.power_w["PAVM"], 0.005),
            source,
            pavm,
        )
        yield _watts(
            f"M9 {name} PAVM+IPD",
            "The same with power-down",
            (seen.power_w["PAVM_IPD"], 0.03),
            source,
            partial(pavm, powered_down=True),
        )


def _tables_3() -> Iterator[Check]:
    for number, (rate, ready, down) in enumerate(MIXED, start=1):
        source = f"{THESIS}, table 3.{number + 5}"
        ours = partial(nopm_w, _MIXED_STATES, rate)
        yield _watts(f"M4 {number} NOPM", f"Mixed {number}, none", (ready, 0.001), source, ours)
        ours = partial(ipd_w, _MIXED_STATES, rate)
        yield _watts(f"M4 {number} IPD", f"Mixed {number}, IPD", (down, 0.01), source, ours)
    allowed: dict[Technique, float] = {
        "NOPM": 0.01,
        "IPD": 0.01,
        "ISR": 0.02,
        "HW": 0.05,
        "HW_SW": 0.02,
    }
    for technique, tolerance in allowed.items():
        yield _watts(
            f"M5 {_name(technique)}",
            f"Two processes, one rank: {_name(technique)}",
            (OBSERVED["synthetic"].power_w[technique], tolerance),
            f"{THESIS}, table 3.2",
            partial(_two_processes_w, technique),
        )


def _name(technique: Technique) -> str:
    return _NAMES.get(technique, technique)


def _two_processes_w(technique: Technique) -> float:
    return _point_w(_ONE_RANK, TwoProcessTraffic(), technique)


def _point_w(
    states: PowerStates, traffic: TwoProcessTraffic | PeriodicTraffic, technique: Technique
) -> float:
    _, points = points_of(states, traffic)
    power = points[technique].power_w
    return 0.0 if power is None else power


def observed_runtime(workload: str, technique: Technique) -> float:
    """Run time ratio from a table's printed response times and counts."""
    seen = OBSERVED[workload]
    return runtime_ratio(seen.rate_per_s, seen.response_ns[technique], seen.response_ns["NOPM"])


def observed_pdd_w(workload: str, technique: Technique) -> float:
    """Power x delay x delay from a table's printed power and response times. [W]"""
    seen = OBSERVED[workload]
    runtime = observed_runtime(workload, technique)
    response, base = seen.response_ns[technique], seen.response_ns["NOPM"]
    return pdd_w(seen.power_w[technique], runtime, response, base)


def _hw_sw_is_lowest() -> bool:
    return all(
        min(seen.power_w, key=partial(observed_pdd_w, name)) == "HW_SW"
        for name, seen in OBSERVED.items()
    )


def _runtimes() -> Iterator[Check]:
    for workload, printed in RUNTIMES.items():
        for technique, ratio in printed.items():
            yield Check(
                f"M6 {workload} {_name(technique)}",
                f"Run time from the printed response, {workload}, {_name(technique)}",
                ratio,
                partial(observed_runtime, workload, technique),
                source=f"{THESIS}, tables 2.6, 2.7, 3.2 to 3.4",
                tolerance=0.0015,
                unit="ratio",
            )
    yield Check(
        "M6 merit",
        "HW-SW has the lowest power x delay x delay in all three workloads",
        True,
        _hw_sw_is_lowest,
        source=f"{THESIS}, figure 3.10",
    )


def _active_sets_w(sizes: tuple[int, ...]) -> float:
    """Mean power of 16 ranks, each process' ranks awake for an equal time. [W]"""
    figure = PRESETS["thesis_fig24"]
    return pavm_w(figure, 0.0, sum(sizes) / len(sizes) / figure.ranks_count)


def _rest() -> Iterator[Check]:
    for technique, power in (("NOPM", 4.1513), ("IPD", 2.1066), ("ISR", 0.6089)):
        ours = partial(_point_w, _ONE_RANK, PeriodicTraffic())
        yield _derived(
            f"M8 {technique}",
            f"One access every 10 us: {technique}",
            power,
            partial(ours, technique),
        )
    for sizes, power, table in zip(ACTIVE_SETS, (17.92, 12.16, 8.09), ("1", "2", "3"), strict=True):
        yield _derived(
            f"M10 {table}",
            f"Six processes with the ranks of table 2.{table}",
            power,
            partial(_active_sets_w, sizes),
        )
    yield Check(
        "M14",
        "Migrating 5% of 768 MB, spread over the low workload",
        0.02,
        _migration_w,
        source=f"{THESIS}, table 4.4: 0.02 W, table 4.5: 0.01 W",
        tolerance=0.01,
        unit="W",
    )


def _migration_w() -> float:
    lines = migration_lines(migrated_pages(CALIBRATED, 0.05))
    return lines * CALIBRATED.access_nj * 1e-9 / OBSERVED["low"].duration_s


CHECKS: tuple[Check, ...] = (*_states(), *_tables_2(), *_tables_3(), *_runtimes(), *_rest())
