"""Memory power management in closed form: each technique's watts and delays at once.

After Huang 2006: for random accesses, for two processes that take turns, for equally spaced
accesses.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from capmodels.citations import HUANG_2006
from capmodels.memory import policies_told as words
from capmodels.memory.policy_points import Point, points_of
from capmodels.memory.power_policies_checks import CHECKS
from capmodels.memory.power_policies_params import IntervalsCount, MeanNs, SignedFraction
from capmodels.memory.states import (
    SELF_REFRESH_BREAK_EVEN_PUBLISHED_US,
    TECHNIQUES,
    THESIS,
    KnownMemory,
    Memory,
    Technique,
    all_self_refresh_w,
    break_even_ns,
    critical_rate_per_s,
    pdd_w,
    runtime_ratio,
    states_of,
)
from capmodels.memory.traffic import PeriodicTraffic, RandomTraffic, TwoProcessTraffic
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    derived,
    one_point,
)
from capmodels.told import Told
from capmodels.units import Fraction, PowerW, RatePerS, Ratio, Real, of_unit

SteadyTraffic = Annotated[
    RandomTraffic | TwoProcessTraffic | PeriodicTraffic, Field(discriminator="kind")
]
BreakEvenNs = Annotated[Real, of_unit("ns", ge=0)]
BreakEvenUs = Annotated[Real, of_unit("us", ge=0)]


class PoliciesInstantParams(Params):
    """Memory and steady traffic."""

    memory: Memory = KnownMemory()
    traffic: SteadyTraffic = RandomTraffic()
    active_ranks_fraction: Fraction = derived(
        0.53,
        "Ranks of the running process over all, averaged over time (PAVM).",
        source=f"{THESIS}, tables 2.6 and 2.7",
    )
    threshold_max_ratio: IntervalsCount = default(
        64.0, "Most that the predictor waits, in refresh intervals.", source=f"{THESIS}, figure 2.9"
    )
    stall_fraction: Fraction = derived(
        1.0,
        "Share of an added wait that stalls the processor; 1 is pessimistic.",
        source=f"{THESIS}, section 2.5",
    )


class PolicyRow(Result):
    """A technique's power and delay; empty where no formula holds."""

    technique: Technique
    average_w: PowerW | None
    saving_fraction: SignedFraction | None = Field(description="Of the power without management.")
    response_ns: MeanNs | None
    runtime_ratio: Ratio | None
    pdd_w: PowerW | None = Field(description="Power x delay x delay, the figure of merit.")
    reason: str | None = Field(description="Why there is no answer.")


class PoliciesInstantResult(Told):
    """One row for each technique, and the limits of any."""

    rate_per_s: RatePerS
    techniques: tuple[PolicyRow, ...]
    all_self_refresh_w: PowerW = Field(description="Every rank in self-refresh: the floor.")
    critical_rate_per_s: RatePerS = Field(
        description="Random accesses of one rank above which the predictor gives up."
    )
    powerdown_break_even_ns: BreakEvenNs | None
    self_refresh_break_even_ns: BreakEvenNs | None
    self_refresh_break_even_published_us: BreakEvenUs = Field(
        description="As the thesis states it; its formula is not given."
    )


def _row(technique: Technique, point: Point, nopm: Point, rate: float, stall: float) -> PolicyRow:
    power, response = point.power_w, point.response_ns
    if power is None or response is None or nopm.power_w is None or nopm.response_ns is None:
        return PolicyRow(
            technique=technique,
            average_w=None,
            saving_fraction=None,
            response_ns=None,
            runtime_ratio=None,
            pdd_w=None,
            reason=point.reason,
        )
    runtime = runtime_ratio(rate, response, nopm.response_ns, stall)
    merit = pdd_w(power, runtime, response, nopm.response_ns) if nopm.response_ns > 0 else None
    return PolicyRow(
        technique=technique,
        average_w=power,
        saving_fraction=1 - power / nopm.power_w if nopm.power_w > 0 else None,
        response_ns=response,
        runtime_ratio=runtime,
        pdd_w=merit,
        reason=None,
    )


def _break_even(low_w: float, high_w: float, exit_ns: float) -> float | None:
    found = break_even_ns(low_w, high_w, exit_ns)
    return found if math.isfinite(found) else None


def _run(params: PoliciesInstantParams, _context: Context) -> PoliciesInstantResult:
    states = states_of(params.memory)
    rate, points = points_of(
        states,
        params.traffic,
        active_fraction=params.active_ranks_fraction,
        threshold_ratio=params.threshold_max_ratio,
    )
    high = states.standby_w + states.peripheral_w
    rows = tuple(
        _row(technique, points[technique], points["NOPM"], rate, params.stall_fraction)
        for technique in TECHNIQUES
    )
    known = [(row.technique, {"All": row.average_w}) for row in rows if row.average_w is not None]
    return PoliciesInstantResult(
        headline=words.headline(rows),
        notes=words.notes(rate, [(row.technique, row.reason) for row in rows]),
        tables=(words.table(rows),),
        # Watts are joules of a second.
        figures=(*words.energy(known, "a second"), *words.slow_down(rows)),
        rate_per_s=rate,
        techniques=rows,
        all_self_refresh_w=all_self_refresh_w(states),
        critical_rate_per_s=critical_rate_per_s(states),
        powerdown_break_even_ns=_break_even(
            states.powerdown_w, states.standby_w, states.powerdown_exit_ns
        ),
        self_refresh_break_even_ns=_break_even(
            states.self_refresh_w + states.peripheral_asleep_w, high, states.self_refresh_exit_ns
        ),
        self_refresh_break_even_published_us=SELF_REFRESH_BREAK_EVEN_PUBLISHED_US,
    )


SPEC = ModelSpec(
    id="memory.power_policies_instant",
    version="1.2.0",
    title="Memory power policies in closed form",
    summary="Watts, response and run time of memory that powers down, refreshes itself or is "
    "directed by the operating system, without a simulation.",
    params=PoliciesInstantParams,
    result=PoliciesInstantResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text=HUANG_2006,
            section="chapters 2 to 4",
        ),
        Citation(
            text="H. Huang, P. Pillai, K. G. Shin, Design and Implementation of Power-Aware "
            "Virtual Memory, USENIX Annual Technical Conference 2003",
            url="https://www.usenix.org/legacy/events/usenix03/tech/huang.html",
        ),
    ),
    formulas=(
        Formula(
            "nopm",
            "P = N (P_standby + P_peripheral) + rate e",
            f"{THESIS}, section 2.5",
            {"N": "ranks_count", "e": "access_nj"},
        ),
        Formula(
            "ipd",
            "P = N (P_down + P_peripheral) + rate ((busy + exit) (P_standby - P_down) + e)",
            "derived from the states; confirmed by the simulation",
        ),
        Formula(
            "isr",
            "awake = B / (1/rate + B), B = (exit + busy) / (1 - rate issue)",
            "renewal of a rank with Poisson accesses; confirmed by the simulation",
        ),
        Formula(
            "pavm",
            "P = f N P_awake + (1 - f) N P_self_refresh + rate e",
            f"{THESIS}, section 2.3",
            {"f": "active_ranks_fraction"},
        ),
        Formula(
            "runtime",
            "runtime = 1 + rate (response - response without management)",
            f"{THESIS}: reproduces every printed run time of tables 2.6 to 3.4",
        ),
        Formula(
            "critical",
            "rate interval = exp(-rate interval), 0.5671",
            "drift of the predictor's threshold is zero",
        ),
    ),
    checks=(
        *CHECKS,
        Check(
            "M7 window",
            "The longest wait before a rank sleeps",
            500.0,
            lambda: PoliciesInstantParams().threshold_max_ratio * 7.8,
            source=f"{THESIS}, figure 2.9",
            kind="arithmetic",
            tests="memory.power_policies_instant.PoliciesInstantParams.threshold_max_ratio",
            printed="about 500 us",
            tolerance=5.0,
            unit="us",
            note="64 refresh intervals of 7.8 us.",
        ),
    ),
    limits=(
        "Watts of a rank are fitted to the tables: 2.98 W are not eight devices of 275 mW. The "
        "figure with the watts of clock and registers is lost.",
        "Power is averaged over the time of the accesses as they arrive; waits do not move them.",
        "Power of SPEC workloads under ISR, HW and HW-SW needs the simulation. Not reproduced: "
        "their response, the joules of the low and the high workload, the run times of tables 4.4 "
        "and 4.5.",
        "A rank with much traffic, or below the predictor's critical rate, needs the simulation.",
    ),
)
