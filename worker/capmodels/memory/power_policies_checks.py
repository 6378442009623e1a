"""Rows of the thesis, held against the closed forms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

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
MIXED_STATES = CALIBRATED.model_copy(update={"peripheral_w": 1.493, "access_nj": 279.0})
_ACTIVE = {"low": 0.530, "high": 0.474}
_SET_C = "Table 3.2: of three sets of ranks and watts the one that comes nearest to it was taken."
_NAMES = {"PAVM_IPD": "PAVM+IPD", "HW_SW": "HW-SW"}


def _watts(
    number: str, title: str, watts: float, ours: Callable[[], float], table: str, **said: Any
) -> Check:
    """A row of watts, as the thesis prints them: to a hundredth, unless another reason is said."""
    fixed: dict[str, Any] = {"kind": "predicted", "tolerance": 0.005, **said}
    fixed["printed"] = f"{watts:.2f}"
    source = f"{THESIS}, table {table}"
    return Check(number, title, watts, ours, source=source, unit="W", **fixed)


def _off(watts: float) -> dict[str, Any]:
    return {"tolerance": watts, "wider": "Nothing is left to tune: so far off is the model."}


_derived = partial(derived_check, source=f"arithmetic from what {THESIS} states", unit="W")
_SHARED = "This and the other workload: watts without traffic, and joules of an access."


def _states() -> Iterator[Check]:
    yield derived_check(
        "M1 break-even",
        "Idle time from which power-down pays",
        12.41,
        partial(break_even_ns, 0.31, 1.0, 5.0),
        source=f"{THESIS}, section 4.3: self-refresh three orders of magnitude later, 19 us",
        tests="memory.states.break_even_ns",
        tolerance=0.06,
        unit="ns",
    )
    sets = (("12 ranks", CALIBRATED, (49.5, 24.828, 2.004)),)
    both = (*sets, ("16 ranks", PRESETS["thesis_16rank"], (49.504, 25.216, 2.672)))
    for name, states, (ready, down, floor) in both:
        for way, title, watts, ours in (
            ("NOPM", "no traffic", ready, partial(nopm_w, states, 0)),
            ("IPD", "power-down", down, partial(ipd_w, states, 0)),
            ("asleep", "all in self-refresh", floor, partial(all_self_refresh_w, states)),
        ):
            yield _derived(
                f"M2 {name} {way}",
                f"{name}, {title}",
                watts,
                ours,
                tests="memory.states.PowerStates.ranks_count",
                tolerance=0.0005,
            )


def _tables_2() -> Iterator[Check]:
    off = {"low": (0.05, 0.05), "high": (0.32, 0.42)}
    for name, table in (("low", "2.6"), ("high", "2.7")):
        seen = OBSERVED[name]
        rate, down = seen.rate_per_s, off[name]
        yield _watts(
            f"M3 {name} NOPM",
            f"Workload {name}, no management",
            seen.power_w["NOPM"],
            partial(nopm_w, CALIBRATED, rate),
            table,
            kind="fitted",
            fitted_to=_SHARED,
            tests="memory.states.PowerStates.standby_w",
            tolerance=0.01,
            wider="Both were fitted together.",
        )
        fitted = {"kind": "fitted", "fitted_to": "This: watts of a rank in standby."}
        yield _watts(
            f"M3 {name} IPD",
            f"Workload {name}, immediate power-down",
            seen.power_w["IPD"],
            partial(ipd_w, CALIBRATED, rate),
            table,
            tests="memory.states.PowerStates.powerdown_w",
            **(fitted if name == "low" else {}),
            **_off(down[0]),
        )
        pavm = partial(pavm_w, CALIBRATED, rate, _ACTIVE[name])
        yield _watts(
            f"M9 {name} PAVM",
            f"Workload {name}, PAVM with {_ACTIVE[name]:.3f} of the ranks awake",
            seen.power_w["PAVM"],
            pavm,
            table,
            kind="fitted",
            fitted_to="This: the share of ranks awake was solved from it.",
            tests="memory.states.PowerStates.standby_w",
            tolerance=0.02,
            wider="The share is rounded to a thousandth.",
        )
        yield _watts(
            f"M9 {name} PAVM+IPD",
            f"Workload {name}, PAVM with power-down",
            seen.power_w["PAVM_IPD"],
            partial(pavm, powered_down=True),
            table,
            tests="memory.states.PowerStates.powerdown_w",
            **_off(down[1]),
        )


def _tables_3() -> Iterator[Check]:
    for number, (rate, ready, down) in enumerate(MIXED, start=1):
        table = f"3.{number + 5}"
        yield _watts(
            f"M4 {number} NOPM",
            f"Mixed {number}, none",
            ready,
            partial(nopm_w, MIXED_STATES, rate),
            table,
            kind="fitted",
            fitted_to="The four mixed workloads: watts beside the ranks, and joules of an access.",
            tests="memory.states.PowerStates.standby_w",
            tolerance=0.02,
            wider="All four were fitted together.",
        )
        yield _watts(
            f"M4 {number} IPD",
            f"Mixed {number}, IPD",
            down,
            partial(ipd_w, MIXED_STATES, rate),
            table,
            tests="memory.states.PowerStates.powerdown_w",
            **_off(0.26),
        )
    off: dict[Technique, float] = {"NOPM": 0.022, "ISR": 0.025, "HW": 0.16, "HW_SW": 0.04}
    for technique, watts in OBSERVED["synthetic"].power_w.items():
        fitted = {"kind": "fitted", "fitted_to": _SET_C}
        if technique == "IPD":
            fitted["fitted_to"] = "This: how long an access keeps its rank from powering down."
        yield _watts(
            f"M5 {name_of(technique)}",
            f"Two processes, one rank: {name_of(technique)}",
            watts,
            partial(_two_processes_w, technique),
            "3.2",
            tests="memory.states.PowerStates.standby_w",
            **fitted,
            **(_off(off[technique]) if technique in off else {}),
        )


def name_of(technique: Technique) -> str:
    """A technique as tables have it."""
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


def _runtimes() -> Iterator[Check]:
    for workload, printed in RUNTIMES.items():
        for technique, ratio in printed.items():
            yield Check(
                f"M6 {workload} {name_of(technique)}",
                f"Run time from the printed response, {workload}, {name_of(technique)}",
                ratio,
                partial(observed_runtime, workload, technique),
                source=f"{THESIS}, tables 2.6, 2.7, 3.2 to 3.4",
                kind="arithmetic",
                tests="memory.states.runtime_ratio",
                printed=f"{ratio:.3f}",
                tolerance=0.001,
                wider="Of response times printed to a hundredth.",
                unit="ratio",
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
            tests="memory.states.PowerStates.standby_w",
            tolerance=0.0005,
        )
    for sizes, power, table in zip(ACTIVE_SETS, (17.92, 12.16, 8.09), ("1", "2", "3"), strict=True):
        yield _derived(
            f"M10 {table}",
            f"Six processes with the ranks of table 2.{table}",
            power,
            partial(_active_sets_w, sizes),
            tests="memory.states.PowerStates.standby_w",
            tolerance=0.005,
        )
    yield Check(
        "M14",
        "Migrating 5% of 768 MB, spread over the low workload",
        0.02,
        _migration_w,
        source=f"{THESIS}, table 4.4",
        kind="predicted",
        tests="memory.states.migrated_pages",
        tolerance=0.0065,
        wider="A difference of watts printed to a hundredth.",
        unit="W",
    )


def _migration_w() -> float:
    lines = migration_lines(migrated_pages(CALIBRATED, 0.05))
    return lines * CALIBRATED.access_nj * 1e-9 / OBSERVED["low"].duration_s


CHECKS: tuple[Check, ...] = (*_states(), *_tables_2(), *_tables_3(), *_runtimes(), *_rest())
