"""The points of each technique that formulas give: watts and response for steady traffic."""

from __future__ import annotations

import math
from dataclasses import dataclass

from capmodels.memory.states import (
    TECHNIQUES,
    PowerStates,
    Technique,
    all_self_refresh_w,
    critical_rate_per_s,
    ipd_w,
    isr_response_ns,
    isr_w,
    nopm_w,
    pavm_w,
)
from capmodels.memory.traffic import PeriodicTraffic, RandomTraffic, TwoProcessTraffic

_NEEDS_RUN = "No closed form below the critical rate; the simulation answers."
_NO_PROCESSES = "The ranks of a process are given for random accesses only."
_TOO_FAST = "The accesses come too fast for the closed forms; the simulation answers."


@dataclass(frozen=True, slots=True)
class Point:
    """Power [W] and response [ns], or why there are none."""

    power_w: float | None
    response_ns: float | None
    reason: str | None = None


def _random(
    states: PowerStates, traffic: RandomTraffic, active_fraction: float
) -> dict[Technique, Point]:
    rate, ready = traffic.rate_per_s, states.rank_busy_ns + states.controller_ns
    down = ready + states.powerdown_exit_ns
    gives_up = rate / states.ranks_count > critical_rate_per_s(states)
    ipd = Point(ipd_w(states, rate), down)
    predicted = ipd if gives_up else Point(None, None, _NEEDS_RUN)
    return {
        "NOPM": Point(nopm_w(states, rate), ready),
        "IPD": ipd,
        "ISR": Point(isr_w(states, rate), isr_response_ns(states, rate)),
        "HW": predicted,
        "HW_SW": predicted,
        "PAVM": Point(pavm_w(states, rate, active_fraction), ready),
        "PAVM_IPD": Point(pavm_w(states, rate, active_fraction, powered_down=True), down),
    }


def _lowered_w(states: PowerStates) -> float:
    """What a rank saves in self-refresh over power-down. [W]"""
    return (
        states.powerdown_w
        + states.peripheral_w
        - states.self_refresh_w
        - states.peripheral_asleep_w
    )


def accesses_per_wake(states: PowerStates, gap_ns: float) -> int:
    """Equally spaced accesses that immediate self-refresh serves before it can sleep again."""
    late = states.self_refresh_exit_ns + states.rank_busy_ns - states.issue_ns
    return max(1, math.ceil(late / (gap_ns - states.issue_ns)))


def _isr_spaced(states: PowerStates, gap_ns: float, share: float) -> Point:
    """Immediate self-refresh of the first rank; others asleep. ``share``: of the time."""
    wakes = accesses_per_wake(states, gap_ns)
    awake_ns = states.self_refresh_exit_ns + (wakes - 1) * states.issue_ns + states.rank_busy_ns
    on = share * min(1.0, awake_ns / (wakes * gap_ns))
    high = states.standby_w + states.peripheral_w
    low = states.self_refresh_w + states.peripheral_asleep_w
    power = all_self_refresh_w(states) + on * (high - low)
    waited = states.self_refresh_exit_ns - (gap_ns - states.issue_ns) * (wakes - 1) / 2
    response = waited + states.rank_busy_ns + states.controller_ns
    return Point(power + share / gap_ns * states.access_nj, response)


def _two_processes(
    states: PowerStates, traffic: TwoProcessTraffic, threshold_ratio: float
) -> dict[Technique, Point]:
    quantum, gap = traffic.quantum_ms * 1e6, traffic.gap_ns
    rate = math.floor(quantum / gap) / (2 * quantum) * 1e9
    ready = states.rank_busy_ns + states.controller_ns
    down = ready + states.powerdown_exit_ns
    ipd = ipd_w(states, rate)
    # The threshold falls while the idle time rises: they meet half way.
    waits = (math.floor(threshold_ratio / 2) + 1) * states.refresh_interval_ns
    asleep = max(0.0, quantum - waits) / (2 * quantum)
    directed = max(0.0, quantum - states.refresh_interval_ns / 2) / (2 * quantum)
    others = (states.ranks_count - 1) * _lowered_w(states)
    unknown = Point(None, None, _NO_PROCESSES)
    return {
        "NOPM": Point(nopm_w(states, rate), ready),
        "IPD": Point(ipd, down),
        "ISR": _isr_spaced(states, gap, 0.5),
        "HW": Point(ipd - others - asleep * _lowered_w(states), down),
        "HW_SW": Point(ipd - others - directed * _lowered_w(states), down),
        "PAVM": unknown,
        "PAVM_IPD": unknown,
    }


def _periodic(states: PowerStates, traffic: PeriodicTraffic) -> dict[Technique, Point]:
    rate, ready = 1e9 / traffic.gap_ns, states.rank_busy_ns + states.controller_ns
    unknown, run = Point(None, None, _NO_PROCESSES), Point(None, None, _NEEDS_RUN)
    return {
        "NOPM": Point(nopm_w(states, rate), ready),
        "IPD": Point(ipd_w(states, rate), ready + states.powerdown_exit_ns),
        "ISR": _isr_spaced(states, traffic.gap_ns, 1.0),
        "HW": run,
        "HW_SW": run,
        "PAVM": unknown,
        "PAVM_IPD": unknown,
    }


def points_of(
    states: PowerStates,
    traffic: RandomTraffic | TwoProcessTraffic | PeriodicTraffic,
    *,
    active_fraction: float = 1.0,
    threshold_ratio: float = 64.0,
) -> tuple[float, dict[Technique, Point]]:
    """Return the accesses per second and each technique's power and response."""
    if isinstance(traffic, RandomTraffic):
        rate = traffic.rate_per_s
        served_ns = states.rank_busy_ns + states.powerdown_exit_ns
        if rate * 1e-9 / states.ranks_count * served_ns > 1:
            return rate, dict.fromkeys(TECHNIQUES, Point(None, None, _TOO_FAST))
        return rate, _random(states, traffic, active_fraction)
    rate = 1e9 / traffic.gap_ns * (0.5 if isinstance(traffic, TwoProcessTraffic) else 1.0)
    if traffic.gap_ns <= states.rank_busy_ns + states.powerdown_exit_ns:
        return rate, dict.fromkeys(TECHNIQUES, Point(None, None, _TOO_FAST))
    if isinstance(traffic, TwoProcessTraffic):
        return rate, _two_processes(states, traffic, threshold_ratio)
    return rate, _periodic(states, traffic)
