"""A day of dynamic consolidation: which hosts stay on, what they draw, what it breaks.

After Beloglazov and Buyya 2012, with the policies named as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.consolidation.dynamic_load import Load, load_of
from capmodels.consolidation.dynamic_params import (
    DayResult,
    DynamicParams,
    DynamicResult,
    HostType,
    Policy,
    StepPoint,
    arrangement,
    machine_types,
)
from capmodels.consolidation.dynamic_published import day_checks, published_rows
from capmodels.consolidation.dynamic_start import paper, start
from capmodels.consolidation.dynamic_told import figures, tables
from capmodels.consolidation.dynamic_words import best_of, headline, notes, saving_of
from capmodels.consolidation.static_plan import static_plan
from capmodels.errors import ModelError
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, one_point
from capmodels.units import JOULES_PER_KWH, SECONDS_PER_DAY, SECONDS_PER_HOUR, kwh_from_w

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.consolidation.dynamic_state import Hosts, Machines

_OVERLOAD = {"thr": 0, "iqr": 1, "mad": 2, "lr": 3, "lrr": 4, "dvfs": 0, "npa": 0}
_SELECTION = {"mmt": 0, "mu": 1, "rs": 2, "mc": 3}
# The simulator's clock: the first step begins here, and energy is summed from zero.
_START_S = 0.1
_DRAWS_PER_STEP = 256
# In the first hour every machine is still where it was placed.
_SETTLES_S = 3600.0


class NoRoom(ModelError):
    """The machines do not fit on the hosts at all."""


def full_power_kwh(*, hosts: list[HostType], step_s: float, duration_h: float) -> float:
    """Energy of all hosts at full power, from the start to the last whole step. [kWh]

    The baseline without power awareness (NPA): nothing is ever switched off or slowed.
    """
    steps = int((duration_h * SECONDS_PER_HOUR - _START_S) // step_s)
    at_s = _START_S + steps * step_s
    return sum(kwh_from_w(host.power_w[-1], at_s / SECONDS_PER_HOUR) for host in hosts)


def _arrays(params: DynamicParams, load: Load) -> tuple[Hosts, Machines]:
    import numpy as np

    from capmodels.consolidation.dynamic_state import Hosts, Machines

    hosts = arrangement(params.hosts)
    trace = load.cpu_fraction
    kinds = machine_types(params, len(trace))
    core = np.array([host.core_mips for host in hosts])
    return (
        Hosts(
            core_mips=core,
            total_mips=core * np.array([host.cores_count for host in hosts]),
            ram_mb=np.array([host.ram_mb for host in hosts]),
            network_mb_per_s=np.array([host.network_mbit_per_s / 8 for host in hosts]),
            power_w=np.array([host.power_w for host in hosts]),
        ),
        Machines(
            mips=np.array([kind.mips for kind in kinds]),
            ram_mb=np.array([kind.ram_mb for kind in kinds]),
            utilization_fraction=trace,
        ),
    )


def _day(params: DynamicParams, load: Load, policy: Policy, seed: int) -> DayResult:
    hosts = arrangement(params.hosts)
    if policy.overload == "npa":
        energy = full_power_kwh(hosts=hosts, step_s=load.step_s, duration_h=load.duration_h)
        return DayResult.without_moves(
            policy.name, energy_kwh=energy, hosts_on_mean_count=len(hosts)
        )
    import numpy as np

    from capmodels import compiler

    compiler.load()
    from capmodels.consolidation.dynamic_day_kernel import simulate_day
    from capmodels.rng import streams

    host_arrays, machine_arrays = _arrays(params, load)
    steps = int(load.duration_h * SECONDS_PER_HOUR / load.step_s) + 1
    placed, totals, series = simulate_day(
        host_arrays,
        machine_arrays,
        policy=np.array(
            [
                _OVERLOAD[policy.overload],
                _SELECTION[policy.selection],
                int(policy.overload != "dvfs"),
                int(params.memory_limits),
            ]
        ),
        settings=np.array(
            [
                policy.threshold_fraction,
                policy.safety_ratio,
                params.fallback_fraction,
                load.step_s,
            ]
        ),
        draws=streams(seed, 1)[0].random((steps, _DRAWS_PER_STEP)),
        end_s=load.duration_h * SECONDS_PER_HOUR,
    )
    if placed < len(load.cpu_fraction):
        message = (
            f"Machine {placed + 1} of {len(load.cpu_fraction)} finds no host with room "
            "for its MIPS and memory. Add hosts."
        )
        raise NoRoom(message)
    return _day_result(params, policy.name, totals, series)


def _day_result(
    params: DynamicParams, name: str, totals: NDArray[np.float64], series: NDArray[np.float64]
) -> DayResult:
    import numpy as np

    on_s, short_s, asked, _given, lost, energy_j, moves, switches, copy_s = totals.tolist()
    slatah = short_s / on_s if on_s > 0 else 0.0
    pdm = lost / asked if asked > 0 else 0.0
    energy = energy_j / JOULES_PER_KWH
    settled = series[series[:, 0] > _SETTLES_S] if (series[:, 0] > _SETTLES_S).any() else series
    on = settled[:, 2] if len(settled) else np.zeros(1)
    mean = float(series[:, 2].mean()) if len(series) else 0.0
    days = float(series[-1, 0]) / SECONDS_PER_DAY if len(series) else 0.0
    return DayResult(
        policy=name,
        hosts_on_percentile_count=float(np.percentile(on, params.percentile_fraction * 100.0)),
        hosts_on_most_count=int(on.max()),
        moves_per_host_per_day=moves / (mean * days) if mean > 0 and days > 0 else 0.0,
        energy_kwh=energy,
        migrations_count=int(moves),
        moving_kwh=2 * params.overhead_w * copy_s / JOULES_PER_KWH,
        switches_count=int(switches),
        switching_kwh=switches * params.wake_j / JOULES_PER_KWH,
        hosts_on_mean_count=mean,
        slatah_fraction=slatah,
        pdm_fraction=pdm,
        slav_fraction=slatah * pdm,
        esv_kwh=energy * slatah * pdm,
        series=tuple(
            StepPoint(
                at_h=at_s / SECONDS_PER_HOUR,
                energy_kwh=joules / JOULES_PER_KWH,
                hosts_on_count=int(on),
                migrations_count=int(moved),
            )
            for at_s, joules, on, moved in series.tolist()
        ),
    )


def _run(params: DynamicParams, context: Context) -> DynamicResult:
    load = load_of(params, context.seed)
    days = []
    for number, policy in enumerate(params.policies):
        context.report(number / len(params.policies), f"Running {policy.name}")
        days.append(_day(params, load, policy, context.seed))
    static = static_plan(params, load)
    still = next((day for day in days if day.policy == "DVFS"), None)
    days = [
        day.model_copy(update={"saving": saving_of(params, day, still, load.duration_h)})
        for day in days
    ]
    best, hosts_count = best_of(days), len(arrangement(params.hosts))
    return DynamicResult(
        headline=headline(params, static, best, hosts_count),
        notes=notes(params, static, best, load.duration_h),
        tables=(*tables(static, days, best, hosts_count), *published_rows(params, load, days)),
        figures=figures(days, best, hosts_count, load.duration_h),
        best_policy=best and best.policy,
        static=static,
        machines_count=len(load.cpu_fraction),
        hosts_count=hosts_count,
        duration_h=load.duration_h,
        days=tuple(days),
    )


def _npa_kwh() -> float:
    hosts = arrangement(DynamicParams.model_fields["hosts"].default)
    return full_power_kwh(hosts=hosts, step_s=300.0, duration_h=24.0)


_ARTICLE = "Beloglazov and Buyya 2012"

SPEC = ModelSpec(
    id="consolidation.dynamic",
    version="1.5.0",
    title="Consolidation over a day",
    summary="Virtual machines are packed onto fewer hosts as their load changes: energy, "
    "migrations and broken service levels under the published policies.",
    params=DynamicParams,
    result=DynamicResult,
    run=_run,
    points=one_point,
    instant=False,
    start=start,
    paper=paper,
    stochastic=True,
    citations=(
        Citation(
            text="A. Beloglazov, R. Buyya, Optimal online deterministic algorithms and adaptive "
            "heuristics for energy and performance efficient dynamic consolidation of virtual "
            "machines in cloud data centers, Concurrency and Computation 24(13), 2012",
            url="https://doi.org/10.1002/cpe.1867",
            section="4 to 6",
        ),
    ),
    formulas=(
        Formula(
            "slatah",
            "SLATAH = host time short of what was asked / host time on",
            f"{_ARTICLE}, equation 1",
        ),
        Formula("pdm", "PDM = MIPS withheld by migrations / MIPS asked", f"{_ARTICLE}, equation 2"),
        Formula("slav", "SLAV = SLATAH PDM; ESV = E SLAV", f"{_ARTICLE}, equations 3, 4"),
        Formula(
            "moving",
            "E_moving = 2 P_overhead sum of copy times; copy time = memory / (network / 2); "
            "E_switching = switches E_wake",
            "as in consolidation.plan; copy times of the simulator",
        ),
        Formula(
            "overload",
            "IQR: u > 1 - s IQR; MAD: u > 1 - s MAD; LR, LRR: s u(t + migration) >= 1",
            f"{_ARTICLE}, section 5",
            {"s": "safety_ratio"},
        ),
    ),
    checks=(
        Check(
            "NPA",
            "800 hosts without power awareness, one day",
            2410.80,
            _npa_kwh,
            source="CloudSim 3.0.3, PlanetLab experiment",
            tolerance=0.005,
            unit="kWh",
            params=lambda: {"generated": {}, "policies": ({"overload": "npa"}, {})},
            kind="predicted",
            tests="consolidation.dynamic_params.HostType.power_w",
            printed="2,410.80",
        ),
        *day_checks("1.5.0", "2026-11-24"),
    ),
    limits=(
        "Memory limits where machines may move only where memory_limits is chosen; as in the "
        "simulator it otherwise counts for the first placement and the time of a migration.",
        "Cooling, and applications that react to a shortage, are left out.",
        "A machine that asks for nothing at a step is taken as ended, as in the simulator that "
        "this follows, unless you say that it is only idle.",
        "Generated load is made up: it shows how policies differ, not what yours would save.",
        "Switching a host on or off takes no time. The energy of switching and copying is shown "
        "apart "
        "from the energy, which is the simulator's.",
        "The public PlanetLab day of 3 March 2011 is not shipped: its checks say when they were "
        "last measured. Dropped under Traces and replayed with the published hosts, the day is "
        "known by its values, and the answer and its PDF set our rows beside the simulator's.",
    ),
)
