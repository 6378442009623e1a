"""A server's memory for a plan: what it draws, what stands idle, what a policy saves.

For plans: give what is installed and used, the module, the policy; get watts (or why they
are unknown), idle gibibytes and the modules that need not be bought.

    answer = memory_power(
        MemoryFill(installed_gib=1024.0, used_gib=512.0), module="ddr4_3200_rdimm_32",
        policy="power_down",
    )
    answer.average_w, answer.idle_gib, answer.saving_w

The policies, after Huang 2006: ``ready`` never powers down (NOPM); ``power_down`` does so
when a rank is idle (IPD); ``aggregate`` also gathers the used pages on few ranks and keeps
the others in self-refresh (PAVM+IPD, done once and not at every context switch);
``remove`` leaves out the modules that aggregation would empty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from capmodels.amounts import TINY, at_least, ceil, minimum
from capmodels.memory.currents import (
    LINE_BYTES,
    ModuleCurrents,
    RankWatts,
    missing_currents,
    rank_watts,
)
from capmodels.memory.modules import MODULES, ModuleName
from capmodels.spec import Params, assumed, preset
from capmodels.units import (
    Count,
    CountFromOne,
    DataGib,
    DurationS,
    Fraction,
    RatePerS,
    ThroughputMbPerS,
)

ChannelsCount = Annotated[CountFromOne, Field(le=256)]
WakeS = Annotated[DurationS, Field(le=1e6)]
Policy = Literal["ready", "power_down", "aggregate", "remove"]
POLICIES: tuple[Policy, ...] = ("ready", "power_down", "aggregate", "remove")
CAUSES = ("standby", "powerdown", "self_refresh", "refresh", "register", "traffic")
_IO_NJ = 3.0


class MemoryLayout(Params):
    """How much memory a server has, and how it is reached."""

    installed_gib: DataGib = assumed(1024.0, "All modules together.")
    headroom_fraction: Fraction = assumed(
        0.2, "Kept free above what is used, as a share of it.", low=0.1, high=0.4
    )
    read_fraction: Fraction = assumed(0.67, "Share of the traffic that reads.")
    row_hit_fraction: Fraction = assumed(
        0.4, "Share of the traffic that finds its row open.", low=0.1, high=0.7
    )
    interleaved_channels_count: ChannelsCount = assumed(
        8,
        "Channels over which addresses are spread: modules are added and ranks sleep in sets of "
        "this many.",
        low=1,
        high=16,
    )
    ranks_interleaved: bool = preset(
        False,
        "Whether addresses are spread over the ranks of a channel as well; then no "
        "rank can be emptied.",
    )
    always_on_ranks_count: Count = assumed(
        2, "Ranks kept awake for DMA buffers and the kernel.", low=1, high=8
    )
    wake_all_per_s: RatePerS = assumed(
        0.2, "How often kernel threads touch memory everywhere.", low=0.0, high=10.0
    )
    wake_all_s: WakeS = assumed(
        0.05, "How long all ranks then stay awake.", low=0.001, high=1.0, title="Time awake then"
    )


class MemoryFill(MemoryLayout):
    """A server's memory in use."""

    used_gib: DataGib = assumed(512.0, "Used at the busiest time.", low=256.0, high=716.8)
    traffic_mb_per_s: ThroughputMbPerS = assumed(
        20_000.0, "Read and written by all processors.", low=5_000.0, high=60_000.0
    )
    powerdown_reach_fraction: Fraction = assumed(
        0.8,
        "Share of a rank's idle time that its controller spends in power-down; 1 is the "
        "paper's immediate power-down.",
        low=0.4,
        high=1.0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPower:
    """The answer. Watts are of the server's modules; None where a current is unknown."""

    average_w: float | None
    ready_w: float | None
    saving_w: float | None
    by_cause_w: dict[str, float]
    idle_gib: float
    spare_gib: float
    spare_modules_count: float
    modules_count: float
    ranks_count: float
    awake_ranks_count: float
    basis: Literal["modelled", "unknown"]
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """Modules and ranks of a server, and how many the used memory needs."""

    modules_count: float
    ranks_count: float
    needed_modules_count: float
    awake_ranks_count: float


def population(fill: MemoryFill, module: ModuleCurrents) -> Population:
    """Count modules and ranks, and those that used memory and headroom need.

    Whole sets of interleaved channels; ranks of the sets that DMA and the kernel use are
    always on.
    """
    modules = at_least(ceil(fill.installed_gib / module.capacity_gib), 1.0)
    step = minimum(fill.interleaved_channels_count, modules)
    kept_gib = minimum(fill.used_gib * (1 + fill.headroom_fraction), modules * module.capacity_gib)
    needed = at_least(ceil(kept_gib / module.capacity_gib), 1.0)
    ranks = modules * module.ranks_count
    rank_gib = module.capacity_gib / module.ranks_count
    awake = at_least(ceil(kept_gib / rank_gib) + fill.always_on_ranks_count, 1.0)
    if fill.ranks_interleaved:
        awake = ranks
    return Population(
        modules_count=modules,
        ranks_count=ranks,
        needed_modules_count=minimum(modules, ceil(needed / step) * step),
        awake_ranks_count=minimum(ranks, ceil(awake / step) * step),
    )


def _access_j(fill: MemoryFill, watts: RankWatts) -> float:
    """Energy of one line: burst, a row where none is open, drivers on the bus. [J]"""
    burst = watts.read_j * fill.read_fraction + watts.write_j * (1 - fill.read_fraction)
    return burst + watts.row_j * (1 - fill.row_hit_fraction) + _IO_NJ * 1e-9


def _awake_w(
    fill: MemoryFill, watts: RankWatts, *, accesses_per_s: float, ranks: float, reach: float
) -> tuple[float, float]:
    """Standby and power-down watts of ranks that share the traffic evenly."""
    held_s = (watts.busy_ns + watts.powerdown_exit_ns) * 1e-9
    idle = at_least(1 - accesses_per_s / at_least(ranks, TINY) * held_s, 0.0)
    down = reach * idle
    return ranks * (1 - down) * watts.standby_w, ranks * down * watts.powerdown_w


def by_cause_w(
    fill: MemoryFill, watts: RankWatts, counts: Population, policy: Policy
) -> dict[str, float]:
    """Watts of all modules under a policy, by cause. The sum is the average power."""
    modules, ranks = counts.modules_count, counts.ranks_count
    awake = ranks
    if policy == "remove":
        modules = counts.needed_modules_count
        ranks = awake = modules * watts.ranks_count
    all_awake = 1.0
    if policy == "aggregate":
        awake = counts.awake_ranks_count
        all_awake = min(1.0, fill.wake_all_per_s * fill.wake_all_s)
    asleep = (ranks - awake) * (1 - all_awake)
    asleep_modules = (ranks - awake) // watts.ranks_count * (1 - all_awake)
    accesses = fill.traffic_mb_per_s * 1e6 / LINE_BYTES
    reach = 0.0 if policy == "ready" else fill.powerdown_reach_fraction
    standby, powerdown = _awake_w(
        fill, watts, accesses_per_s=accesses, ranks=ranks - asleep, reach=reach
    )
    registers = watts.register_w * (modules - asleep_modules)
    return {
        "standby": standby,
        "powerdown": powerdown,
        "self_refresh": asleep * watts.self_refresh_w,
        "refresh": (ranks - asleep) * watts.refresh_w,
        "register": registers + watts.register_asleep_w * asleep_modules,
        "traffic": accesses * _access_j(fill, watts),
    }


def memory_power(
    fill: MemoryFill, *, module: ModuleName | ModuleCurrents, policy: Policy
) -> MemoryPower:
    """Return what a server's memory draws under a policy, and what of it stands idle.

    ``module`` is a name of ``modules.MODULES`` or a data sheet. With a current unknown the
    watts are None, ``basis`` is ``unknown`` and ``reason`` names the currents; gibibytes and
    counts are answered all the same. ``spare_*`` are whole modules, in sets of interleaved
    channels, that need not be bought. Pure arithmetic, no state; what is installed and used
    may be arrays of draws, and so is the answer then. [W, GiB]
    """
    sheet = module if isinstance(module, ModuleCurrents) else MODULES[module]
    counts = population(fill, sheet)
    spare = counts.modules_count - counts.needed_modules_count
    watts = rank_watts(sheet)
    causes: dict[str, float] = {}
    average = ready = None
    if watts is not None:
        causes = by_cause_w(fill, watts, counts, policy)
        average = sum(causes.values())
        ready = sum(by_cause_w(fill, watts, counts, "ready").values())
    return MemoryPower(
        average_w=average,
        ready_w=ready,
        saving_w=None if average is None or ready is None else ready - average,
        by_cause_w=causes,
        idle_gib=at_least(counts.modules_count * sheet.capacity_gib - fill.used_gib, 0.0),
        spare_gib=spare * sheet.capacity_gib,
        spare_modules_count=spare,
        modules_count=counts.modules_count,
        ranks_count=counts.ranks_count,
        awake_ranks_count=counts.awake_ranks_count,
        basis="unknown" if watts is None else "modelled",
        reason=None if watts is not None else unknown_reason(sheet),
    )


def unknown_reason(module: ModuleCurrents) -> str:
    """Say which currents are missing, and where they are found."""
    names = ", ".join(missing_currents(module))
    return (
        f"The currents {names} of “{module.title}” are not known here; enter them "
        "from the vendor's data sheet."
    )
