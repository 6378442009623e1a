"""Memory that stands idle: what need not be bought, and what it draws.

Gibibytes and dollars of modules first, then watts: power-down, aggregation on few ranks
(after Huang 2006), and leaving modules out.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from capmodels.citations import HUANG_2006
from capmodels.memory import idle_told as words
from capmodels.memory.currents import RankWatts, rank_watts
from capmodels.memory.idle_capacity_params import (
    CausesResult,
    CoresPoint,
    IdleCapacityParams,
    IdleCapacityResult,
    PolicyResult,
)
from capmodels.memory.idle_told import Band
from capmodels.memory.modules import sheet_of
from capmodels.memory.planning import (
    POLICIES,
    MemoryFill,
    Policy,
    Population,
    by_cause_w,
    population,
    unknown_reason,
)
from capmodels.memory.states import union_fraction
from capmodels.spec import Citation, Context, Formula, ModelSpec, derived_check
from capmodels.units import HOURS_PER_YEAR, kwh_from_w


@dataclass(frozen=True, slots=True)
class Inputs:
    """One value of everything that is uncertain, for one server."""

    used_gib: float
    module_usd: float
    traffic_mb_per_s: float
    reach_fraction: float
    draw_fraction: float
    usd_per_kwh: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one draw gives, for one server."""

    idle_gib: float
    spare_gib: float
    spare_modules: int
    avoided_usd: float
    usd_per_kwh: float
    power_w: dict[Policy, float]
    causes_w: dict[Policy, dict[str, float]]


def triangular(low: float, mode: float, high: float, uniform: float) -> float:
    """Inverse distribution function of the triangular distribution."""
    if high <= low:
        return mode
    if uniform * (high - low) < mode - low:
        return low + math.sqrt(uniform * (high - low) * (mode - low))
    return high - math.sqrt((1 - uniform) * (high - low) * (high - mode))


def quantile(values: list[float], fraction: float) -> float:
    """Quantile of sorted values, straight lines between them."""
    place = fraction * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (place - below) * (values[above] - values[below])


def _inputs(params: IdleCapacityParams) -> list[Inputs]:
    """The likely values, then the draws: every input in equal slices, in random order."""
    spreads = [
        spread.values()
        for spread in (
            params.used,
            params.module_price,
            params.traffic,
            params.powerdown_reach,
            params.draw,
            params.electricity,
        )
    ]
    dice = random.Random(params.seed)
    count = params.draws_count
    columns = []
    for low, mode, high in spreads:
        order = list(range(count))
        dice.shuffle(order)
        columns.append(
            [triangular(low, mode, high, (slot + dice.random()) / count) for slot in order]
        )
    likely = Inputs(*(mode for _low, mode, _high in spreads))
    return [likely, *(Inputs(*row) for row in zip(*columns, strict=True))]


def _fill(params: IdleCapacityParams, inputs: Inputs) -> MemoryFill:
    # The parts are valid already; a draw lies between two valid values.
    return MemoryFill.model_construct(
        **dict(params.layout),
        used_gib=inputs.used_gib,
        traffic_mb_per_s=inputs.traffic_mb_per_s,
        powerdown_reach_fraction=inputs.reach_fraction,
    )


def outcome(params: IdleCapacityParams, watts: RankWatts | None, inputs: Inputs) -> Outcome:
    """Return what one server's memory wastes and draws, with one value of each input."""
    sheet = sheet_of(params.module)
    fill = _fill(params, inputs)
    counts = population(fill, sheet)
    spare = counts.modules_count - counts.needed_modules_count
    causes: dict[Policy, dict[str, float]] = {}
    if watts is not None:
        for policy in POLICIES:
            parts = by_cause_w(fill, watts, counts, policy)
            causes[policy] = {name: inputs.draw_fraction * part for name, part in parts.items()}
    return Outcome(
        idle_gib=max(0.0, counts.modules_count * sheet.capacity_gib - inputs.used_gib),
        spare_gib=spare * sheet.capacity_gib,
        spare_modules=int(spare),
        avoided_usd=spare * inputs.module_usd,
        usd_per_kwh=inputs.usd_per_kwh,
        power_w={policy: sum(parts.values()) for policy, parts in causes.items()},
        causes_w=causes,
    )


def _band(values: list[float]) -> Band:
    """The first value is the likely one, the others are draws."""
    draws = sorted(values[1:])
    return Band(values[0], quantile(draws, 0.1), quantile(draws, 0.9))


def _policy(params: IdleCapacityParams, found: list[Outcome], policy: Policy) -> PolicyResult:
    if not found[0].power_w:
        return PolicyResult.model_validate(
            dict.fromkeys(PolicyResult.model_fields) | {"policy": policy}
        )
    servers = params.servers_count
    power = _band([servers * one.power_w[policy] for one in found])
    savings = [servers * (one.power_w["ready"] - one.power_w[policy]) for one in found]
    years = [kwh_from_w(saved, HOURS_PER_YEAR) * params.pue for saved in savings]
    prices = [kwh * one.usd_per_kwh for kwh, one in zip(years, found, strict=True)]
    saving, kwh, usd = _band(savings), _band(years), _band(prices)
    causes = found[0].causes_w[policy]
    return PolicyResult(
        policy=policy,
        average_w=power.mode,
        average_p10_w=power.p10,
        average_p90_w=power.p90,
        saving_w=saving.mode,
        saving_p10_w=saving.p10,
        saving_p90_w=saving.p90,
        saving_kwh_per_year=kwh.mode,
        saving_p10_kwh_per_year=kwh.p10,
        saving_p90_kwh_per_year=kwh.p90,
        saving_usd_per_year=usd.mode,
        saving_p10_usd_per_year=usd.p10,
        saving_p90_usd_per_year=usd.p90,
        causes=CausesResult(**{f"{name}_w": part for name, part in causes.items()}),
    )


def _cores(params: IdleCapacityParams, watts: RankWatts | None) -> tuple[CoresPoint, ...]:
    """PAVM with ever more cores: the union of their processes' ranks stays awake."""
    inputs = _likely(params)
    fill = _fill(params, inputs)
    counts = population(fill, sheet_of(params.module))
    share = min(1.0, params.process_ranks_count / counts.ranks_count)
    steps = {2**power for power in range(13) if 2**power < params.cores_count}
    return tuple(
        _cores_point(params, watts, (cores, union_fraction(share, cores)), counts)
        for cores in sorted(steps | {params.cores_count})
    )


def _likely(params: IdleCapacityParams) -> Inputs:
    return Inputs(
        params.used.mode_gib,
        params.module_price.mode_usd,
        params.traffic.mode_mb_per_s,
        params.powerdown_reach.mode_fraction,
        params.draw.mode_fraction,
        params.electricity.mode_usd_per_kwh,
    )


def _cores_point(
    params: IdleCapacityParams,
    watts: RankWatts | None,
    point: tuple[int, float],
    counts: Population,
) -> CoresPoint:
    cores, awake = point
    if params.layout.ranks_interleaved:
        awake = 1.0
    if watts is None:
        return CoresPoint(
            cores_count=cores, awake_ranks_fraction=awake, average_w=None, saving_w=None
        )
    inputs = _likely(params)
    fill = _fill(params, inputs)
    ranks = counts.ranks_count
    kept = Population(
        modules_count=counts.modules_count,
        ranks_count=ranks,
        needed_modules_count=counts.needed_modules_count,
        awake_ranks_count=min(ranks, math.ceil(awake * ranks) + fill.always_on_ranks_count),
    )
    down = sum(by_cause_w(fill, watts, counts, "power_down").values()) * inputs.draw_fraction
    power = sum(by_cause_w(fill, watts, kept, "aggregate").values()) * inputs.draw_fraction
    return CoresPoint(
        cores_count=cores,
        awake_ranks_fraction=awake,
        average_w=power,
        saving_w=down - power,
    )


def _energy_usd(params: IdleCapacityParams, one: Outcome) -> tuple[float, float]:
    """Energy [kWh] over the years that the spare modules would use, and its price. [USD]"""
    saved = params.servers_count * (one.power_w["power_down"] - one.power_w["remove"])
    kwh = kwh_from_w(saved, HOURS_PER_YEAR * params.years) * params.pue
    return max(0.0, kwh), kwh * one.usd_per_kwh


def _run(params: IdleCapacityParams, _context: Context) -> IdleCapacityResult:
    sheet, servers = sheet_of(params.module), params.servers_count
    watts = rank_watts(sheet)
    found = [outcome(params, watts, inputs) for inputs in _inputs(params)]
    idle = _band([servers * one.idle_gib for one in found])
    spare = _band([servers * one.spare_gib for one in found])
    avoided = _band([servers * one.avoided_usd for one in found])
    energy = _band([_energy_usd(params, one)[1] for one in found]) if watts else None
    counts = population(_fill(params, _likely(params)), sheet)
    modules, spares = int(counts.modules_count) * servers, found[0].spare_modules * servers
    policies = tuple(_policy(params, found, policy) for policy in POLICIES)
    cores = _cores(params, watts)
    reason = None if watts else unknown_reason(sheet)
    return IdleCapacityResult(
        headline=words.headline(idle.mode, (spares, modules, spare.mode), avoided),
        notes=(reason or words.saved(policies),),
        tables=(words.table(policies),),
        figures=words.figures(policies, cores),
        idle_gib=idle.mode,
        idle_p10_gib=idle.p10,
        idle_p90_gib=idle.p90,
        spare_gib=spare.mode,
        spare_p10_gib=spare.p10,
        spare_p90_gib=spare.p90,
        spare_modules_count=spares,
        modules_count=modules,
        avoided_usd=avoided.mode,
        avoided_p10_usd=avoided.p10,
        avoided_p90_usd=avoided.p90,
        energy_usd=energy.mode if energy else None,
        energy_p10_usd=energy.p10 if energy else None,
        energy_p90_usd=energy.p90 if energy else None,
        energy_kwh=_energy_usd(params, found[0])[0] if watts else None,
        policies=policies,
        cores=cores,
        basis="modelled" if watts else "unknown",
        reason=reason,
        warnings=_warnings(params, counts.modules_count * sheet.capacity_gib),
    )


def _warnings(params: IdleCapacityParams, capacity_gib: float) -> tuple[str, ...]:
    found = []
    if params.layout.ranks_interleaved:
        found.append(
            "Addresses are spread over the ranks of a channel: no rank can be emptied, so "
            "aggregation saves nothing beyond power-down until that is switched off."
        )
    if params.used.high_gib > capacity_gib:
        found.append("More memory is used than is installed.")
    return tuple(found)


def _example_usd() -> float:
    """Sixteen modules, 0.8 W less for each, at 0.10 USD/kWh and a PUE of 1.5. [USD/yr]"""
    return kwh_from_w(16 * 0.8, HOURS_PER_YEAR) * 1.5 * 0.10


SPEC = ModelSpec(
    id="memory.idle_capacity",
    version="1.1.0",
    title="Idle memory",
    summary="How much of a server's memory stands idle: gibibytes and modules that need not be "
    "bought, in dollars; then watts, kWh and dollars of power-down, aggregation and removal.",
    params=IdleCapacityParams,
    result=IdleCapacityResult,
    run=_run,
    points=lambda params: params.draws_count,
    start=words.start,
    paper=None,
    start_source="catalogue: a server of 1.5 TB, 64 GB modules at the prices of March 2026; watts "
    "as of DDR4, as no data sheet of DDR5 prints its currents",
    point_limit=5_000,
    citations=(
        Citation(
            text=HUANG_2006,
            section="2.3, 2.6, 4.2",
        ),
        Citation(text="Micron, TN-40-07: Calculating memory power for DDR4 SDRAM, 2017"),
    ),
    formulas=(
        Formula(
            "spare",
            "spare = installed - ceil(used (1 + headroom) / module / channels) channels modules",
            "definition: sets of modules, one for each interleaved channel",
            {"channels": "interleaved_channels_count"},
        ),
        Formula(
            "aggregate",
            "P = awake P_awake + asleep P_self_refresh; asleep (1 - wakes x time awake)",
            "Huang 2006, sections 2.3 and 2.6",
            {"wakes": "wake_all_per_s", "time awake": "wake_all_s"},
        ),
        Formula(
            "union",
            "awake share = 1 - (1 - ranks of a process / ranks)^cores",
            "expected union of independent processes; Huang 2006, section 2.3, asks for the union",
        ),
    ),
    checks=(
        derived_check(
            "M22",
            "16 modules with 0.8 W less each, PUE 1.5, 0.10 USD/kWh",
            17.0,
            _example_usd,
            source="arithmetic of the reference's section 6: about 17 USD a server-year",
            printed="about 17 USD",
            tolerance=0.5,
            unit="USD/yr",
            tests="units.kwh_from_w",
        ),
    ),
    limits=(
        "Used memory is what is used at the busiest time: memory that is filled with files only "
        "because it is there counts as idle if you leave it out of what is used.",
        "The thesis supports emptying ranks of one processor's memory; it does not show that "
        "today's servers gain by switching ranks at every context switch. With many cores the "
        "union of their ranks leaves little, as the table of cores shows.",
        "Emptying ranks needs a system that moves pages and a controller that lets ranks refresh "
        "themselves; most servers interleave, and need a restart to leave ranks out.",
        "Fewer modules or awake ranks also mean less bandwidth; that is not priced.",
        "Inputs are sampled independently from triangular distributions.",
        "Modules left out save money only if they are not yet bought, or can be used elsewhere.",
    ),
)
