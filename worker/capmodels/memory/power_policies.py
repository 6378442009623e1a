"""Memory power management, access by access: what each technique draws and delays.

After Huang 2006, chapters 2 to 4: the compact model of a rank with its three states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.memory import policies_told as words
from capmodels.memory import power_policies_instant as instant
from capmodels.memory.power_policies_params import (
    Migration,
    PowerByCause,
    PowerPoliciesParams,
    PowerPoliciesResult,
    RankResult,
    TechniqueResult,
)
from capmodels.memory.power_policies_runs import run_checks
from capmodels.memory.states import (
    THESIS,
    PowerStates,
    Technique,
    ipd_w,
    isr_w,
    migrated_pages,
    migration_lines,
    next_threshold_ns,
    nopm_w,
    pavm_w,
    pdd_w,
    saved_fraction,
    silence_until_asleep_us,
    states_of,
)
from capmodels.memory.traffic import (
    BurstTraffic,
    MixTraffic,
    NoTraffic,
    PeriodicTraffic,
    PoissonTraffic,
    TwoProcessTraffic,
    processes_of,
)
from capmodels.spec import Context, Formula, ModelSpec, derived_check
from capmodels.units import HOURS_PER_YEAR, kwh_from_w

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.memory.rank_state import World
    from capmodels.memory.traffic_kernel import Stream

_BUCKETS = 50
_ACCESSES_MAX = 400_000_000


class TooManyAccesses(ModelError):
    """The simulated time holds more accesses than a run may take."""


class _Tally:
    """A technique's run: its ranks, and the joules up to the end of each part of the time."""

    def __init__(self, technique: Technique, states: PowerStates, world: World) -> None:
        self.technique = technique
        self.states = states
        self.world = world
        self.joules: list[float] = []

    def settle(self, at_ns: float) -> None:
        from capmodels.memory.rank_kernel import settle

        settle(self.world, at_ns)
        self.joules.append(sum(self.parts_nj(at_ns)) * 1e-9)

    def parts_nj(self, at_ns: float) -> tuple[float, float, float, float, float]:
        """Energy so far by cause, in the order of ``PowerByCause``. [nJ]"""
        states, ranks = self.states, self.world.ranks
        standby, powerdown, asleep = ranks.residency.sum(axis=0).tolist()
        modules = len(ranks.dimm_asleep)
        off_ns = float(ranks.dimm_asleep.sum())
        on_w = states.peripheral_w * states.ranks_per_dimm_count
        off_w = states.peripheral_asleep_w * states.ranks_per_dimm_count
        return (
            standby * states.standby_w,
            powerdown * states.powerdown_w,
            asleep * states.self_refresh_w,
            (modules * at_ns - off_ns) * on_w + off_ns * off_w,
            int(ranks.counts[:, 0].sum()) * states.access_nj,
        )


def _stream(params: PowerPoliciesParams, states: PowerStates, seed: int) -> Stream:
    from capmodels.memory.traffic_kernel import Scene, make_stream
    from capmodels.rng import streams

    hot = round(states.ranks_count * params.reshaping.hot_ranks_fraction)
    scene = Scene(
        ranks=states.ranks_count,
        rank_bytes=states.rank_mib * (1 << 20),
        spread=params.interleave == "rank_spread",
        hot_ranks=min(max(1, hot), states.ranks_count),
        migrate_fraction=params.reshaping.migrate_fraction,
        horizon_ns=params.horizon_ms * 1e6,
        generators=streams(seed, 2),
    )
    return make_stream(params.traffic, scene)


def _tallies(params: PowerPoliciesParams, states: PowerStates, stream: Stream) -> list[_Tally]:
    from capmodels.memory.rank_state import new_world

    wanted: list[Technique] = ["NOPM", *(t for t in params.techniques if t != "NOPM")]
    interval = states.refresh_interval_ns
    return [
        _Tally(
            technique,
            states,
            new_world(
                states,
                technique,
                switches=(stream.switch_ns, stream.process, stream.active),
                threshold_most_ns=params.threshold_max_ratio * interval,
                threshold_first_ns=params.threshold_first_ratio * interval,
            ),
        )
        for technique in wanted
    ]


def simulate(params: PowerPoliciesParams, context: Context) -> tuple[list[_Tally], Stream]:
    """Serve one stream of accesses under every technique, part by part of the time."""
    states = states_of(params.memory)
    stream = _stream(params, states, context.seed)
    tallies = _tallies(params, states, stream)
    horizon = params.horizon_ms * 1e6
    bucket = 0
    for times, ranks in stream.chunks:
        bucket = _serve(tallies, times, ranks, bucket, horizon)
        if len(times):
            context.report(min(1.0, float(times[-1]) / horizon), "Serving accesses")
        if tallies[0].world.ranks.counts[:, 0].sum() > _ACCESSES_MAX:
            message = f"There are more than {_ACCESSES_MAX:,} accesses. Shorten the simulated time."
            raise TooManyAccesses(message)
    for part in range(bucket, _BUCKETS):
        for tally in tallies:
            tally.settle(horizon * (part + 1) / _BUCKETS)
    return tallies, stream


def _serve(
    tallies: list[_Tally],
    times: NDArray[np.float64],
    ranks: NDArray[np.int16],
    bucket: int,
    horizon: float,
) -> int:
    """Serve a chunk, settling at the end of each part that it passes; return the part."""
    from capmodels.memory.rank_kernel import serve

    first = 0
    while first < len(times):
        end = horizon * (bucket + 1) / _BUCKETS
        last = first + int(times[first:].searchsorted(end))
        for tally in tallies:
            serve(tally.world, times[first:last], ranks[first:last])
            if last < len(times):
                tally.settle(end)
        bucket += last < len(times)
        first = last
    return bucket


def _closed_form_w(
    params: PowerPoliciesParams, technique: Technique, rate: float, active: float
) -> float | None:
    states = states_of(params.memory)
    if technique == "NOPM":
        return nopm_w(states, rate)
    random = isinstance(params.traffic, PoissonTraffic | NoTraffic)
    if technique == "IPD" and random:
        return ipd_w(states, rate)
    if technique == "ISR" and random and states.ranks_per_dimm_count == 1:
        return isr_w(states, rate)
    if technique in ("PAVM", "PAVM_IPD") and states.ranks_per_dimm_count == 1:
        return pavm_w(states, rate, active, powered_down=technique == "PAVM_IPD")
    return None


def _ranks(tally: _Tally, horizon: float) -> tuple[RankResult, ...]:
    from capmodels.memory.rank_state import IDLE, IDLES

    ranks = tally.world.ranks
    shares = (ranks.residency / horizon).tolist()
    idles, idle = ranks.wholes[:, IDLES].tolist(), ranks.times[:, IDLE].tolist()
    return tuple(
        RankResult(
            rank=number,
            standby_fraction=min(1.0, shares[number][0]),
            powerdown_fraction=min(1.0, shares[number][1]),
            self_refresh_fraction=min(1.0, shares[number][2]),
            idle_mean_ns=idle[number] / idles[number] if idles[number] else None,
        )
        for number in range(len(idles))
    )


def _response_ns(tally: _Tally) -> float:
    from capmodels.memory.rank_state import RESPONSE

    ranks = tally.world.ranks
    accesses = int(ranks.counts[:, 0].sum())
    return (
        float(ranks.times[:, RESPONSE].sum()) / accesses + tally.states.controller_ns
        if accesses
        else 0.0
    )


def _row(
    params: PowerPoliciesParams, tally: _Tally, nopm: _Tally, *, active: float
) -> TechniqueResult:
    horizon = params.horizon_ms * 1e6
    ranks, counts = tally.world.ranks, tally.world.ranks.counts.sum(axis=0).tolist()
    power, base = tally.joules[-1] / horizon * 1e9, nopm.joules[-1] / horizon * 1e9
    rate = counts[0] / horizon * 1e9
    response, base_response = _response_ns(tally), _response_ns(nopm)
    slower = rate * 1e-9 * (response - base_response) * params.stall_fraction
    shares = [min(1.0, s) for s in (ranks.residency.mean(axis=0) / horizon).tolist()]
    parts = [part / horizon for part in tally.parts_nj(horizon)]
    before = [0.0, *tally.joules[:-1]]
    year = kwh_from_w(power, HOURS_PER_YEAR) * params.pue
    base_year = kwh_from_w(base, HOURS_PER_YEAR) * params.pue
    return TechniqueResult(
        technique=tally.technique,
        average_w=power,
        closed_form_w=_closed_form_w(params, tally.technique, rate, active),
        saving_fraction=saved_fraction(power, base),
        energy_j=tally.joules[-1],
        response_ns=response,
        runtime_ratio=max(0.0, 1 + slower),
        pdd_w=pdd_w(power, max(0.0, 1 + slower), response, base_response) if rate else power,
        delayed_powerdown_count=counts[1],
        delayed_self_refresh_count=counts[2],
        outside_count=counts[4],
        standby_fraction=shares[0],
        powerdown_fraction=shares[1],
        self_refresh_fraction=shares[2],
        energy_kwh_per_year=year,
        saving_usd_per_year=(base_year - year) * params.electricity_usd_per_kwh,
        causes=PowerByCause(
            standby_w=parts[0],
            powerdown_w=parts[1],
            self_refresh_w=parts[2],
            peripheral_w=parts[3],
            access_w=parts[4],
        ),
        ranks=_ranks(tally, horizon),
        series_w=tuple(
            max(0.0, (after - earlier) / horizon * 1e9 * _BUCKETS)
            for after, earlier in zip(tally.joules, before, strict=True)
        ),
    )


def _migration(params: PowerPoliciesParams, states: PowerStates) -> Migration | None:
    pages = migrated_pages(states, params.reshaping.migrate_fraction)
    if not pages:
        return None
    joules = migration_lines(pages) * states.access_nj * 1e-9
    return Migration(
        pages_count=pages,
        line_accesses_count=migration_lines(pages),
        energy_j=joules,
        average_w=joules / params.horizon_ms * 1000,
    )


def _run(params: PowerPoliciesParams, context: Context) -> PowerPoliciesResult:
    tallies, stream = simulate(params, context)
    states = states_of(params.memory)
    active = float((stream.active.mean(axis=1) * stream.share).sum())
    rows = {tally.technique: tally for tally in tallies}
    accesses = int(tallies[0].world.ranks.counts[:, 0].sum())
    rate = accesses / params.horizon_ms * 1000
    found = tuple(
        _row(params, rows[technique], rows["NOPM"], active=min(1.0, active))
        for technique in params.techniques
    )
    causes = [(row.technique, _joules(row)) for row in found]
    return PowerPoliciesResult(
        headline=words.headline(found),
        notes=words.notes(rate, ()),
        tables=(words.table(found),),
        figures=(*words.energy(causes, "the time simulated"), *words.slow_down(found)),
        accesses_count=accesses,
        rate_per_s=rate,
        active_ranks_fraction=min(1.0, active),
        techniques=found,
        migration=_migration(params, states),
        warnings=_warnings(params, rows),
    )


_CAUSES = {
    "standby_w": "Standby",
    "powerdown_w": "Power-down",
    "self_refresh_w": "Self-refresh",
    "peripheral_w": "Clock and registers",
    "access_w": "Accesses",
}


def _joules(row: TechniqueResult) -> dict[str, float]:
    """Energy of the time simulated by cause. [J]"""
    seconds = row.energy_j / row.average_w if row.average_w > 0 else 0.0
    return {name: getattr(row.causes, key) * seconds for key, name in _CAUSES.items()}


def _warnings(params: PowerPoliciesParams, rows: dict[Technique, _Tally]) -> tuple[str, ...]:
    found = []
    known = isinstance(params.traffic, PoissonTraffic) and params.interleave == "rank_fill"
    if params.reshaping.migrate_fraction and not known:
        found.append("Only pages of poisson traffic that fills ranks are moved; none were.")
    outside = sum(int(tally.world.ranks.counts[:, 4].sum()) for tally in rows.values())
    if outside:
        found.append(f"{outside:,} accesses met ranks that the system had put to sleep.")
    return tuple(found)


def _estimated_accesses(params: PowerPoliciesParams) -> int:
    """Accesses to serve, each technique's own: what a run costs."""
    traffic, seconds = params.traffic, params.horizon_ms / 1000
    techniques = len({"NOPM", *params.techniques})
    if isinstance(traffic, MixTraffic):
        kinds = processes_of(traffic)
        time_ms = sum(kind.switches_count * kind.quantum_ms for kind in kinds)
        work = sum(kind.switches_count * kind.quantum_ms * kind.rate_per_s for kind in kinds)
        return int(techniques * seconds * work / time_ms)
    if isinstance(traffic, PoissonTraffic):
        return int(techniques * seconds * traffic.rate_per_s)
    if isinstance(traffic, TwoProcessTraffic | PeriodicTraffic):
        return int(techniques * seconds / traffic.gap_ns * 1e9)
    if isinstance(traffic, BurstTraffic):
        return int(techniques * seconds * traffic.lines_count / traffic.period_ms * 1000)
    return techniques


def _last_w(params: PowerPoliciesParams) -> float:
    """Mean power under the last technique of a run. [W]"""
    tallies, _ = simulate(params, Context())
    return tallies[-1].joules[-1] / params.horizon_ms * 1000


SPEC = ModelSpec(
    id="memory.power_policies",
    version="1.1.0",
    title="Memory power policies",
    summary="Ranks power down, refresh themselves or are directed by the operating system, "
    "access by access: watts by cause, delays and idle times of seven techniques on the same "
    "traffic.",
    params=PowerPoliciesParams,
    result=PowerPoliciesResult,
    run=_run,
    instant=False,
    stochastic=True,
    points=_estimated_accesses,
    quick_limit=50_000_000,
    citations=instant.SPEC.citations,
    formulas=(
        Formula(
            "power",
            "P = sum over ranks and states of P(state) time(state) / T + rate e",
            f"{THESIS}, section 2.2",
            {"e": "access_nj"},
        ),
        Formula(
            "threshold",
            "quiet interval: Th - t (Th / 2 below t); busy: Th + accesses t, at most Th_max",
            f"{THESIS}, figure 2.9",
            {"t": "refresh_interval_ns", "Th_max": "threshold_max_ratio"},
        ),
        Formula(
            "runtime",
            "runtime = 1 + rate (response - response without management) stall",
            f"{THESIS}, tables 2.6 to 3.4",
            {"stall": "stall_fraction"},
        ),
    ),
    checks=(
        *run_checks(_last_w),
        derived_check(
            "M7 saturates",
            "Accesses in one interval that bring the threshold to its most",
            499.2,
            lambda: next_threshold_ns(0.0, 64) / 1000,
            source=f"{THESIS}, figure 2.9: a window of about 500 us",
            unit="us",
            tests="memory.power_policies.next_threshold_ns",
        ),
        derived_check(
            "M7 asleep",
            "Silence after which a saturated predictor begins self-refresh",
            257.4,
            silence_until_asleep_us,
            source=f"{THESIS}, figure 2.9",
            unit="us",
            tests="memory.power_policies.silence_until_asleep_us",
        ),
    ),
    limits=(
        "One limit of accesses per rank represents the data bus and the controller's queues; "
        "reads, writes and open rows are alike.",
        "Power is averaged over the time of the accesses as they arrive; waits do not move them.",
        "Entering a state is free. Refresh is part of a state's power. The predictor's own power "
        "and the memory that a context switch touches are left out.",
        "HW-SW sends ranks that the running process does not use to self-refresh, and wakes none "
        "before it is needed.",
        "SPEC workloads are simulated as processes that take turns, for their traces are not "
        "public: ISR uses 33 to 56% of the printed power, the predictor 12 to 37% more, HW-SW 22 "
        "to 55% more, PAVM with power-down 6 to 8% more. Their response, their joules, and the run "
        "times of tables 4.4 and 4.5 are not reproduced.",
        "Of tables 3.10 and 4.3 the direction is checked; table 3.2, turns and bursts by "
        "tests of the simulation; the closed forms' card shows their formulas.",
        "The thesis' order of policies is not reproduced: of Mixed 3, PAVM with power-down uses "
        "20.78 W here and the predictor 20.90 W, where the thesis prints 19.26 and 17.58 W.",
        "Page counters, page placement by the system and their cost are not simulated.",
    ),
)
