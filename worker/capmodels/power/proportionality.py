"""Energy of a unit of work by load, of one server and of a group that switches servers off.

Single servers are far from proportional; a group of them nears it by switching whole servers
off, at the price of waking them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Annotated

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.power.curves import fan_w
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
    refusal,
)
from capmodels.units import (
    Count,
    CountFromOne,
    DurationS,
    EnergyJ,
    Fraction,
    PowerW,
    Ratio,
    Real,
    of_unit,
)

_POINTS_MAX = 1_000
_SLACK = 1e-9
_THESIS = "Vasudevan 2010, section 2"

PositiveW = Annotated[Real, of_unit("W", gt=0)]
Bend = Annotated[Real, of_unit("1", gt=0, le=2)]
PositiveFraction = Annotated[Fraction, Field(gt=0)]
Points = Annotated[int, of_unit("count", strict=True, ge=2, le=_POINTS_MAX)]


def work_per_j(*, work: float, power_w: float, duration_s: float) -> float:
    """Work done per joule, the thesis' metric: performance per watt. [1/J]

    >>> work_per_j(work=1000.0, power_w=10.0, duration_s=5.0)
    20.0
    """
    return work / (power_w * duration_s)


def idle_share_above(*, load_fraction: float, power_fraction: float) -> float:
    """Least idle share of a linear server that draws a share of its peak at a load.

    From b + (1 - b) u = p: b = (p - u) / (1 - u).

    >>> round(idle_share_above(load_fraction=0.2, power_fraction=0.5), 6)
    0.375
    """
    return (power_fraction - load_fraction) / (1 - load_fraction)


class ProportionalityParams(Params):
    """A kind of server, how many, and how full they are kept while others are off."""

    model_config = ConfigDict(validate_default=True)

    power_idle_w: PowerW = assumed(150.0, "One server, on and idle.")
    power_max_w: PositiveW = assumed(280.0, "One server at full load.")
    exponent: Bend = default(
        1.0,
        "Bend of the power curve.",
        source="Fan, Weber, Barroso 2007; 1 is the line",
        as_of="2007",
    )
    servers_count: Annotated[CountFromOne, Field(le=1_000_000)] = assumed(
        100, "Servers of the group."
    )
    target_fraction: PositiveFraction = assumed(0.7, "Load to which servers are filled.")
    always_on_count: Count = assumed(2, "Servers that stay on whatever the load.", title="Kept on")
    power_sleep_w: PowerW = assumed(10.0, "One server asleep.")
    wake_j: EnergyJ = assumed(8_400.0, "Energy to sleep and wake one.")
    points_count: Points = assumed(21, "Points of the curves, from no load to full.")

    @field_validator("power_max_w")
    @classmethod
    def _max_above_idle(cls, value: float, info: ValidationInfo) -> float:
        idle = info.data.get("power_idle_w", 0.0)
        if value < idle:
            raise refusal("max_below_idle", f"Enter at least the idle power, {idle:g} W.")
        return value


class LoadPoint(Result):
    """The group at one load: all on, and as few as carry it."""

    load_fraction: Fraction
    all_on_w: PowerW
    servers_on_count: Count
    switched_w: PowerW
    all_on_energy_ratio: Ratio | None
    switched_energy_ratio: Ratio | None


class ProportionalityResult(Result):
    """Curves by load, how proportional each way is, and the shortest sleep that pays."""

    points: tuple[LoadPoint, ...]
    dynamic_range_fraction: Fraction
    all_on_proportionality_fraction: Annotated[Real, of_unit("fraction")]
    switched_proportionality_fraction: Annotated[Real, of_unit("fraction")]
    shortest_sleep_s: DurationS | None


def servers_on(params: ProportionalityParams, load: float) -> int:
    """Fewest servers that carry a load at the target, at least those kept on."""
    needed = math.ceil(load * params.servers_count / params.target_fraction - _SLACK)
    kept = max(min(params.always_on_count, params.servers_count), needed)
    return min(params.servers_count, kept)


def _group_w(params: ProportionalityParams, load: float, on: int) -> float:
    """Power of a group of which some are on and share the load evenly. [W]"""
    share = min(1.0, load * params.servers_count / on) if on else 0.0
    one = fan_w(
        power_idle_w=params.power_idle_w,
        power_max_w=params.power_max_w,
        utilization_fraction=share,
        exponent=params.exponent,
    )
    return on * one + (params.servers_count - on) * params.power_sleep_w


def _point(params: ProportionalityParams, load: float) -> LoadPoint:
    on = servers_on(params, load)
    everything, fewest = _group_w(params, load, params.servers_count), _group_w(params, load, on)
    full = load * params.servers_count * params.power_max_w
    return LoadPoint(
        load_fraction=load,
        all_on_w=everything,
        servers_on_count=on,
        switched_w=fewest,
        all_on_energy_ratio=everything / full if full > 0 else None,
        switched_energy_ratio=fewest / full if full > 0 else None,
    )


def proportionality_fraction(loads: list[float], powers_w: list[float], peak_w: float) -> float:
    """Return 1 - (A - 1/2) / (1/2), A being the area under power over peak: 1 is proportional.

    A server that always draws its peak has 0. By the trapezoid rule over the points.
    """
    area = 0.0
    pairs = list(zip(loads, powers_w, strict=True))
    for (low, low_w), (high, high_w) in pairwise(pairs):
        area += (high - low) * (low_w + high_w) / 2
    return 2.0 - 2.0 * area / peak_w


def _run(params: ProportionalityParams, _context: Context) -> ProportionalityResult:
    last = params.points_count - 1
    points = tuple(_point(params, step / last) for step in range(params.points_count))
    loads, peak = [point.load_fraction for point in points], points[-1].all_on_w
    saved = params.power_idle_w - params.power_sleep_w
    return ProportionalityResult(
        points=points,
        dynamic_range_fraction=1 - params.power_idle_w / params.power_max_w,
        all_on_proportionality_fraction=proportionality_fraction(
            loads, [point.all_on_w for point in points], peak
        ),
        switched_proportionality_fraction=proportionality_fraction(
            loads, [point.switched_w for point in points], peak
        ),
        shortest_sleep_s=params.wake_j / saved if saved > 0 else None,
    )


def _energy_at_fifth() -> float:
    params = ProportionalityParams.model_validate(
        {"power_idle_w": 0.375 * 280.0, "power_max_w": 280.0}
    )
    return _point(params, 0.2).all_on_energy_ratio or 0.0


_CHECKS = (
    Check(
        "D19",
        "JouleSort 2010: records sorted per joule",
        44_884.0,
        lambda: work_per_j(work=1e8, power_w=2228.0, duration_s=1.0),
        source="FAWNSort, 100 million records in 2,228 J",
        printed="44,884 +/- 248",
        tolerance=1.0,
        unit="1/J",
        kind="arithmetic",
        tests="power.proportionality.work_per_j",
        wider="Of the printed 248.",
    ),
    Check(
        "D26",
        "JouleSort 2010: the same from time and watts",
        44_884.0,
        lambda: work_per_j(work=1e8, power_w=104.9, duration_s=21.2),
        source="FAWNSort, 21.2 s at 104.9 W",
        printed="44,884 +/- 248",
        tolerance=248.0,
        unit="1/J",
        kind="arithmetic",
        tests="power.proportionality.work_per_j",
        wider="The printed uncertainty.",
    ),
    derived_check(
        "D27",
        "Idle share of a linear server with half of peak power at 20% load",
        0.375,
        lambda: idle_share_above(load_fraction=0.2, power_fraction=0.5),
        source=f"{_THESIS}: over 50% of peak at 20% of capacity",
        tolerance=1e-9,
        unit="fraction",
        tests="power.proportionality.idle_share_above",
    ),
    derived_check(
        "D28",
        "Energy of work of that server at 20% load over that at full load",
        2.5,
        _energy_at_fifth,
        source=_THESIS,
        tolerance=1e-9,
        unit="ratio",
        tests="power.proportionality.ProportionalityParams.power_idle_w",
    ),
)

SPEC = ModelSpec(
    id="power.proportionality",
    version="1.0.0",
    title="Energy proportionality",
    summary="Energy of work by load, for a group of servers that are all on and for one that "
    "switches those it does not need off.",
    params=ProportionalityParams,
    result=ProportionalityResult,
    run=_run,
    points=lambda params: params.points_count,
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="2",
        ),
        Citation(
            text="X. Fan, W.-D. Weber, L. A. Barroso, Power provisioning for a warehouse-sized "
            "computer, ISCA 2007",
            url="https://doi.org/10.1145/1250662.1250665",
        ),
    ),
    formulas=(
        Formula(
            "on",
            "on = max(kept, ceil(load N / target)), load shared evenly",
            "ensemble proportionality, Vasudevan 2010; rule ours",
            {"N": "servers_count", "target": "target_fraction"},
        ),
        Formula("energy_ratio", "P / (load N P_max)", "energy per work over full load"),
        Formula(
            "proportionality",
            "EP = 2 - 2 area under P / P_peak",
            "Ryckbosch, Polfliet, Eeckhout 2011, estimated from memory",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Data on servers that are off must be kept elsewhere; its movement is left out.",
        "Waking takes time: keep enough servers on for the steepest rise of load.",
    ),
)
