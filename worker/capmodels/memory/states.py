"""A rank's power states, the presets, and the closed forms of every policy.

After Huang 2006, chapters 1 to 4. Times in nanoseconds, so that watts times nanoseconds are
nanojoules.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.memory.currents import EnergyNj, TimeNs
from capmodels.spec import Params, assumed, blank, default, derived, preset, refusal
from capmodels.units import CountFromOne, Fraction, PowerW, Real, Whole, of_unit

THESIS = "Huang 2006"
SELF_REFRESH_BREAK_EVEN_PUBLISHED_US = 19.0
LINE_BYTES = 128
PAGE_BYTES = 4096

Technique = Literal["NOPM", "IPD", "ISR", "HW", "HW_SW", "PAVM", "PAVM_IPD"]
TECHNIQUES: tuple[Technique, ...] = ("NOPM", "IPD", "ISR", "HW", "HW_SW", "PAVM", "PAVM_IPD")
RanksCount = Annotated[Whole, of_unit("count", ge=1, le=1024)]
RankMib = Annotated[Whole, of_unit("MiB", ge=1, le=1 << 20)]
PositiveNs = Annotated[Real, of_unit("ns", gt=0, le=1e9)]
RankW = Annotated[PowerW, Field(le=1e6)]
PresetName = Literal["thesis_calibrated", "thesis_16rank", "thesis_fig24", "rdram"]

_FIT = f"fitted to the tables of {THESIS}"


class PowerStates(Params):
    """Powers and times of one rank, the smallest part whose state can be changed."""

    kind: Literal["typed"] = "typed"
    ranks_count: RanksCount = derived(12, source=f"{THESIS}, tables 2.4 and 3.1")
    ranks_per_dimm_count: CountFromOne = assumed(
        1, "Clock and registers of a module sleep only when all its ranks do."
    )
    rank_mib: RankMib = default(64, source=f"{THESIS}, table 3.1")
    standby_w: RankW = derived(2.98, source=_FIT)
    powerdown_w: RankW = derived(0.924, source=f"{THESIS}, section 4.3: 31%")
    self_refresh_w: RankW = default(0.167, source=f"{THESIS}, figure 2.4")
    peripheral_w: RankW = derived(1.145, "A rank's share of clock and registers.", source=_FIT)
    peripheral_asleep_w: RankW = derived(0.0, "The same in self-refresh.", source=_FIT)
    access_nj: EnergyNj = derived(263.0, "Of 128 bytes, above standby.", source=_FIT)
    powerdown_exit_ns: TimeNs = default(5.0, source=f"{THESIS}, section 4.3")
    self_refresh_exit_ns: TimeNs = default(1000.0, source=f"{THESIS}, section 2.2")
    rank_busy_ns: TimeNs = derived(50.0, "A rank is held for so long by an access.", source=_FIT)
    controller_ns: TimeNs = derived(10.5, "Further latency; it holds no rank.", source=_FIT)
    issue_ns: TimeNs = derived(25.0, "Least time between accesses of a rank.", source=_FIT)
    refresh_interval_ns: PositiveNs = default(
        7800.0, "The predictor looks as often.", source=f"{THESIS}, figure 2.9"
    )

    @model_validator(mode="after")
    def _states_are_ordered(self) -> PowerStates:
        if self.powerdown_w > self.standby_w:
            raise refusal(
                "powerdown_above_standby",
                "Power-down uses more power than standby. Enter at most the watts of standby.",
                at=("powerdown_w",),
                value=self.powerdown_w,
            )
        if self.ranks_count % self.ranks_per_dimm_count:
            raise refusal(
                "ranks_do_not_fill_modules",
                "The ranks do not fill whole modules. Enter a divisor of the number of ranks.",
                at=("ranks_per_dimm_count",),
                value=self.ranks_per_dimm_count,
            )
        return self


class KnownMemory(Params):
    """A preset."""

    kind: Literal["preset"] = "preset"
    name: PresetName = preset(
        "thesis_calibrated",
        "thesis_calibrated: 12 ranks, fitted to the tables. thesis_16rank: 16 ranks, "
        "two to a module, keeps the figure's 2.2 W. thesis_fig24: the figure's watts as printed, "
        "without clock and registers. rdram: 2003, each device by itself.",
    )
    ranks_count: RanksCount | None = blank("Other than the preset's.")


Memory = Annotated[KnownMemory | PowerStates, Field(discriminator="kind")]

CALIBRATED = PowerStates()
PRESETS: dict[PresetName, PowerStates] = {
    "thesis_calibrated": CALIBRATED,
    "thesis_16rank": PowerStates(
        ranks_count=16,
        ranks_per_dimm_count=2,
        rank_mib=48,
        standby_w=2.2,
        powerdown_w=0.682,
        peripheral_w=0.894,
    ),
    # 80 nJ: (4.2 - 2.2) W for the 40 ns of a burst. Clock and registers are not in the text.
    "thesis_fig24": PowerStates(
        ranks_count=16,
        rank_mib=512,
        standby_w=2.2,
        powerdown_w=1.2,
        peripheral_w=0.0,
        access_nj=80.0,
    ),
    # Huang, Pillai and Shin 2003: 313, 225, 11, 7 mW in attention, standby, nap, powerdown;
    # the exit times are recalled.
    "rdram": PowerStates(
        ranks_count=16,
        rank_mib=32,
        standby_w=0.225,
        powerdown_w=0.011,
        self_refresh_w=0.007,
        peripheral_w=0.0,
        access_nj=4.4,
        powerdown_exit_ns=225.0,
        self_refresh_exit_ns=22_510.0,
    ),
}


def states_of(memory: KnownMemory | PowerStates) -> PowerStates:
    """Return the powers and times that a preset or typed values stand for."""
    if isinstance(memory, PowerStates):
        return memory
    states = PRESETS[memory.name]
    if memory.ranks_count is None:
        return states
    per_dimm = math.gcd(states.ranks_per_dimm_count, memory.ranks_count)
    return states.model_copy(
        update={"ranks_count": memory.ranks_count, "ranks_per_dimm_count": per_dimm}
    )


def break_even_ns(low_w: float, high_w: float, exit_ns: float) -> float:
    """Shortest idle time from which a low-power state has the lower energy times delay. [ns]

    Solves (P_low t + P_high r)(t + r) = P_high t^2, our reading of the criterion that
    Huang 2006, section 4.3, takes from Fan, Ellis and Lebeck.

    >>> round(break_even_ns(0.31, 1.0, 5.0), 2)
    12.41
    """
    a = high_w - low_w
    b = -(low_w + high_w) * exit_ns
    c = -high_w * exit_ns**2
    return (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a) if a > 0 else math.inf


def all_self_refresh_w(states: PowerStates) -> float:
    """Every rank in self-refresh: the floor. [W]"""
    return states.ranks_count * (states.self_refresh_w + states.peripheral_asleep_w)


def nopm_w(states: PowerStates, rate_per_s: float) -> float:
    """Every rank always in standby. [W]"""
    idle = states.ranks_count * (states.standby_w + states.peripheral_w)
    return idle + rate_per_s * states.access_nj * 1e-9


def ipd_w(states: PowerStates, rate_per_s: float, *, held_ns: float | None = None) -> float:
    """Power-down as soon as a rank is idle, at low load of each rank. [W]"""
    held = states.rank_busy_ns + states.powerdown_exit_ns if held_ns is None else held_ns
    idle = states.ranks_count * (states.powerdown_w + states.peripheral_w)
    lifted = held * (states.standby_w - states.powerdown_w)
    return idle + rate_per_s * 1e-9 * (lifted + states.access_nj)


def isr_awake_fraction(states: PowerStates, rate_per_s: float) -> float:
    """Share of time that a rank is out of self-refresh, for Poisson accesses of equal ranks."""
    per_ns = rate_per_s * 1e-9 / states.ranks_count
    if per_ns * states.issue_ns >= 1:
        return 1.0
    awake = (states.self_refresh_exit_ns + states.rank_busy_ns) / (1 - per_ns * states.issue_ns)
    return per_ns * awake / (1 + per_ns * awake)


def isr_w(states: PowerStates, rate_per_s: float) -> float:
    """Self-refresh as soon as a rank is idle, Poisson accesses, one rank per module. [W]"""
    on = isr_awake_fraction(states, rate_per_s)
    awake = states.standby_w + states.peripheral_w
    asleep = states.self_refresh_w + states.peripheral_asleep_w
    ranks = states.ranks_count * (on * awake + (1 - on) * asleep)
    return ranks + rate_per_s * states.access_nj * 1e-9


def isr_response_ns(states: PowerStates, rate_per_s: float) -> float:
    """Mean response under immediate self-refresh, Poisson accesses. [ns]"""
    per_ns = rate_per_s * 1e-9 / states.ranks_count
    exit_ns = states.self_refresh_exit_ns
    awake = (exit_ns + states.rank_busy_ns) / max(1e-12, 1 - per_ns * states.issue_ns)
    waiting = exit_ns * (1 + per_ns * exit_ns / 2) / (1 + per_ns * awake)
    return states.rank_busy_ns + states.controller_ns + waiting


def pavm_w(
    states: PowerStates, rate_per_s: float, active_fraction: float, *, powered_down: bool = False
) -> float:
    """Ranks of the running process ready or in power-down, all others in self-refresh. [W]"""
    ranks = states.ranks_count
    awake = ipd_w(states, rate_per_s) if powered_down else nopm_w(states, rate_per_s)
    each = states.powerdown_w if powered_down else states.standby_w
    slept = (1 - active_fraction) * ranks
    lowered = each + states.peripheral_w - states.self_refresh_w - states.peripheral_asleep_w
    return awake - slept * lowered


def critical_rate_per_s(states: PowerStates) -> float:
    """Poisson rate of one rank at which the predictor's threshold stops falling. [1/s]

    x = exp(-x) with x accesses per interval, that is x = 0.5671.
    """
    x = 0.5
    for _ in range(60):
        x = (x + math.exp(-x)) / 2
    return x / states.refresh_interval_ns * 1e9


def next_threshold_ns(
    threshold_ns: float, accesses: int, *, interval_ns: float = 7800.0, most_ns: float = 499_200.0
) -> float:
    """The predictor's rule at the end of an interval (figure 2.9). [ns]"""
    if accesses:
        return min(most_ns, threshold_ns + accesses * interval_ns)
    return threshold_ns / 2 if threshold_ns < interval_ns else threshold_ns - interval_ns


def silence_until_asleep_us(*, interval_ns: float = 7800.0, most_ns: float = 499_200.0) -> float:
    """Silence after which a predictor at its most begins self-refresh. [us]

    The idle time rises while the threshold falls; both are looked at once an interval.

    >>> round(silence_until_asleep_us(), 1)
    257.4
    """
    threshold, idle = most_ns, 0.0
    while idle <= threshold:
        threshold = next_threshold_ns(threshold, 0, interval_ns=interval_ns, most_ns=most_ns)
        idle += interval_ns
    return idle / 1000


def runtime_ratio(
    accesses_per_s: float, response_ns: float, nopm_response_ns: float, stall_fraction: float = 1.0
) -> float:
    """Run time over that without power management, every added wait stalling the processor."""
    return 1 + stall_fraction * accesses_per_s * (response_ns - nopm_response_ns) * 1e-9


def saved_fraction(power_w: float, before_w: float) -> float:
    """Share of a power that another one saves; none of none.

    >>> round(saved_fraction(13.58, 14.79), 4)
    0.0818
    """
    return 1 - power_w / before_w if before_w > 0 else 0.0


def pdd_w(power_w: float, runtime: float, response_ns: float, nopm_response_ns: float) -> float:
    """Power x delay x delay, the thesis' figure of merit (section 2.5). [W]"""
    return power_w * runtime * response_ns / nopm_response_ns


def union_fraction(active_fraction: float, cores: int) -> float:
    """Expected share of ranks that at least one of ``cores`` independent processes uses."""
    return 1 - (1 - active_fraction) ** cores


def migration_lines(pages: int) -> int:
    """Line accesses of copying pages: each line is read and written."""
    return pages * 2 * (PAGE_BYTES // LINE_BYTES)


def migrated_pages(states: PowerStates, fraction: Fraction) -> int:
    """Pages that a share of all memory makes."""
    return math.floor(fraction * states.ranks_count * states.rank_mib * (1 << 20) / PAGE_BYTES)
