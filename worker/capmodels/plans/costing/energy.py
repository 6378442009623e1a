"""Power and energy of owned nodes over the hours: exact means over the duration curve."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, is_number, is_zero, minimum
from capmodels.cost.time_of_use import energy_charge_usd
from capmodels.plans.costing.array_cost import Draw
from capmodels.plans.costing.array_cost import peak_kw as array_peak_kw
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.costing.group_plan import equipment_count
from capmodels.plans.costing.node_memory import memory_w
from capmodels.plans.costing.service_load import busy_cores
from capmodels.plans.costing.tariffs import price_level, tariff_prices
from capmodels.power.curves import (
    family_points,
    fan_range,
    line_points,
    two_segments_points,
)
from capmodels.units import WATTS_PER_KW, kwh_from_w
from capmodels.worked import named, since

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.hardware import Equipment, FanPower, NodeGroup, Power

# A load below this draws idle power; it only keeps a quotient finite.
LEAST_LOAD = 1e-12


def mean_power_w(power: Power, load: Amount, curve: DurationCurve) -> Amount:
    """Weighted mean of P(min(load s, 1)) over the hours of a curve. [W]

    ``load`` is the mean utilisation. Every hour is held at full load by itself: piecewise
    linear curves are averaged exactly by E[w max(0, s - x)], Fan's by E[w min(load s, 1)^r].
    """
    if power.kind == "constant":
        return power.power_w * curve.weight
    if power.kind == "fan":
        return _mean_fan_w(power, at_least(load, LEAST_LOAD), curve)
    points = power_points(power)
    load = at_least(load, LEAST_LOAD)
    mean = points[0][1] * curve.weight
    before: Amount = 0.0
    for (low, low_w), (high, high_w) in itertools.pairwise(points):
        slope = (high_w - low_w) / (high - low)
        above = curve.mean if low == 0.0 else curve.excess(low / load)
        mean = mean + (slope - before) * load * above
        before = slope
    return mean - before * load * curve.excess(1.0 / load)


def _mean_fan_w(power: FanPower, load: Amount, curve: DurationCurve) -> Amount:
    """Mean of Fan's curve; below idle power, where r < 1 dips near no load, it is idle."""
    exponent = power.exponent
    if exponent >= 1.0:
        curved = fan_range(mean_share(load, curve), curve.capped_power_mean(load, exponent))
    else:
        curved = 0.0
        for value, share in zip(curve.values, curve.shares, strict=True):
            part = minimum(load * value, 1.0)
            curved = curved + share * at_least(fan_range(part, part**exponent), 0.0)
    return power.idle_w * curve.weight + (power.peak_w - power.idle_w) * curved


def power_points(power: Power) -> Sequence[tuple[Amount, Amount]]:
    """Load and power at the corners of a piecewise linear curve."""
    if power.kind == "points":
        return [(point.load_fraction, point.power_w) for point in power.points]
    if power.kind == "linear":
        return line_points(power.idle_w, power.peak_w)
    if power.kind == "family":
        one, result = power.reading, power.result
        reading = None if one is None else (one.load_fraction, one.power_w)
        mean_w = None if result is None else result.mean_w
        ends, ratio = (power.idle_w, power.peak_w), power.measured_ratio
        return family_points(power.family, *ends, reading, mean_w, ratio)
    if power.kind == "two_segments":
        knee, share = power.knee_load_fraction, power.knee_range_fraction
        return two_segments_points(power.idle_w, power.peak_w, knee, share)
    raise TypeError


_FLAT = DurationCurve((1.0,))


def power_at_w(power: Power, load: Amount) -> Amount:
    """Power at one load of at most 1. [W]"""
    return mean_power_w(power, minimum(load, 1.0), _FLAT)


NodeWatts = tuple[list["Amount"], "Amount"]


@dataclass(slots=True)
class Energy:
    """What the electricity of an interval between two orders is counted by."""

    it_kwh: Amount = 0.0
    priced_usd: Amount = 0.0
    peak_kw: Amount = 0.0
    carbon_kwh: Amount = 0.0
    by_group_kwh: dict[str, Amount] = field(default_factory=dict)
    # Mean power over each of the curves of a tariff, before cooling.
    tariff_w: list[Amount] = field(default_factory=list)


def energy_of(
    plans: list[GroupPlan],
    equipment: tuple[Equipment, ...],
    scene: Scene,
    at: int,
    hours: Amount,
    carried: Amount = 1.0,
    known: dict[Hashable, NodeWatts] | None = None,
) -> Energy:
    """Energy of some hours of an interval (0 is the first), before cooling.

    ``carried`` is the share of the core-hours that run on these nodes; ``carbon_kwh``
    weighs each hour by its carbon intensity over the mean. ``known`` is what one node draws at
    loads of other intervals of this design.
    """
    energy = Energy()
    for plan in plans:
        count = plan.counts[at]
        if is_zero(count) or plan.group.power is None:
            continue
        group = plan.group
        load = named(group_load(plan, scene, at, carried), "Mean load of a node", "fraction")
        use = None if group.gpus is None else gpu_use(plan, scene, at)
        draws, peak_w = _node_watts(plan, load, use, scene, {} if known is None else known)
        _add(energy, group.name, [count * drawn for drawn in draws], hours, scene)
        energy.peak_kw = energy.peak_kw + count * peak_w / WATTS_PER_KW
    for item in equipment:
        watts = equipment_count(item, plans, at) * item.power_w
        if not is_zero(watts):
            draws = _by_curve(scene, partial(_steady_w, watts))
            _add(energy, item.name, draws, hours, scene)
            energy.peak_kw = energy.peak_kw + watts / WATTS_PER_KW
    return energy


def _node_watts(
    plan: GroupPlan,
    load: Amount,
    use: Amount | None,
    scene: Scene,
    known: dict[Hashable, NodeWatts],
) -> NodeWatts:
    """What a node of a group draws at a load: over the hours by curve, and at most. [W]"""
    alike = is_number(load) and (use is None or is_number(use))
    key = (plan.place, load, use) if alike else None
    if key is None or key not in known:
        group = plan.group
        draws = _by_curve(scene, partial(_drawn_w, group, load, use, scene))
        # Of the energy, of its price and of its carbon each hour has its own weight.
        draws = [named(watts, "Power of a node, mean over the hours", "W") for watts in draws]
        found = draws, _peak_w(group, load, use, scene)
        if key is None:
            return found
        known[key] = found
    return known[key]


def add_array_energy(energy: Energy, plan: ArrayPlan, scene: Scene, at: int, hours: Amount) -> None:
    """Add what disk arrays draw in some hours of an interval, before cooling."""
    if is_zero(plan.counts[at]):
        return
    _add(energy, plan.name, _by_curve(scene, Draw(plan, scene, at).mean_w), hours, scene)
    energy.peak_kw = energy.peak_kw + array_peak_kw(plan, scene, at)


def _steady_w(watts: Amount, curve: DurationCurve) -> Amount:
    return watts * curve.weight


def _by_curve(scene: Scene, mean_w: Callable[[DurationCurve], Amount]) -> list[Amount]:
    """Mean power over the hours: plain, weighted by price, and weighted by carbon.

    Then over each of the curves of a tariff, where there is one.
    """
    curves, plain = scene.curves, mean_w(scene.curves.load)
    electricity = scene.assumptions.electricity
    prices = tariff_prices(electricity) if electricity.kind == "time_of_use" else []
    if not all(map(is_number, prices)):
        bands = zip(prices, curves.bands, strict=True)
        priced = sum((price * mean_w(band) for price, band in bands), 0.0)
    else:
        priced = plain if curves.price is None else mean_w(curves.price)
    if electricity.kind == "time_of_use":
        # Which hours a price holds for decides the curve that it weighs.
        hours = (hour for item in electricity.tariffs for hour in (item.from_h, item.to_h))
        priced = since(priced, *hours)
    tariff = () if curves.tariff is None else tuple(map(mean_w, curves.tariff.curves))
    return [plain, priced, plain if curves.carbon is None else mean_w(curves.carbon), *tariff]


def _add(energy: Energy, name: str, draws: list[Amount], hours: Amount, scene: Scene) -> None:
    kwh, priced, carbon = (
        named(kwh_from_w(watts, hours), f"Energy of {name}", "kWh") for watts in draws[:3]
    )
    before: list[Amount] = energy.tariff_w or [0.0] * len(draws[3:])
    energy.tariff_w = [one + watts for one, watts in zip(before, draws[3:], strict=True)]
    energy.it_kwh = energy.it_kwh + kwh
    energy.priced_usd = energy.priced_usd + energy_charge_usd(
        priced, price_level(scene.assumptions.electricity)
    )
    energy.carbon_kwh = energy.carbon_kwh + carbon
    energy.by_group_kwh[name] = energy.by_group_kwh.get(name, 0.0) + kwh


def group_load(plan: GroupPlan, scene: Scene, at: int, carried: Amount = 1.0) -> Amount:
    """Mean utilisation of a group's nodes in an interval."""
    group, work = plan.group, scene.demand
    if work is None:
        return scene.mean_use
    if group.role == "service" and work.service is not None:
        busy = busy_cores(group, scene, at) * carried * group.share_fraction
        return busy / at_least(plan.counts[at] * group.cores_per_node_count, TINY)
    if group.role not in {"compute", "compute_and_block"}:
        return group.duty_fraction
    cores = plan.counts[at] * group.cores_per_node_count * group.perf_per_core_ratio
    share = carried * group.share_fraction
    # Among draws there may be some without work, and so without nodes.
    return scene.timeline.cores.mean_of(scene.intervals[at]) * share / at_least(cores, TINY)


def power_of(group: NodeGroup) -> Power:
    """Return the power model of a group that is known to have one."""
    if group.power is None:
        raise TypeError
    return group.power


def _drawn_w(
    group: NodeGroup, load: Amount, use: Amount | None, scene: Scene, curve: DurationCurve
) -> Amount:
    added = group.adder_w + memory_w(group)
    if _follows(group, scene):
        drawn = mean_power_w(power_of(group), load, curve) + added * curve.weight
    else:
        drawn = (power_at_w(power_of(group), load) + added) * curve.weight
    if group.gpus is None:
        return group.at_wall_w(drawn)
    follows = use is None and _follows(group, scene)
    share = mean_share(load, curve) if follows else _given(use, load) * curve.weight
    return group.at_wall_w(drawn) + gpus_w(group, share, curve.weight)


def _given(use: Amount | None, load: Amount) -> Amount:
    return minimum(load, 1.0) if use is None else use


def mean_share(load: Amount, curve: DurationCurve) -> Amount:
    """Weighted mean of min(load s, 1) over the hours of a curve."""
    load = at_least(load, LEAST_LOAD)
    return load * (curve.mean - curve.excess(1.0 / load))


def gpu_use(plan: GroupPlan, scene: Scene, at: int) -> Amount | None:
    """Mean load of the GPUs of a group in an interval; None when it is that of their node."""
    group, gpus = plan.group, plan.group.gpus
    if gpus is None or gpus.use_fraction is not None:
        return None if gpus is None else gpus.use_fraction
    if group.role != "gpu" or scene.demand is None:
        return None
    speed = scene.gpu_work(group.gpu, group.gpus_per_node_count)
    there = at_least(plan.counts[at] * group.gpus_per_node_count * speed, TINY)
    return minimum(
        scene.timeline.gpus_mean.mean_of(scene.intervals[at]) * group.share_fraction / there, 1.0
    )


def gpus_w(group: NodeGroup, share: Amount, weight: Amount = 1.0) -> Amount:
    """Draw at the wall of a node's GPUs at a load, straight from idle to their limit. [W]

    ``share`` is the load times ``weight``, the mean of the weights of the hours.
    """
    gpus = group.gpus
    if gpus is None:
        return 0.0
    one_w = gpus.idle_w * weight + (gpus.peak_w - gpus.idle_w) * share
    return group.gpus_per_node_count * one_w / gpus.psu_efficiency_fraction


def _follows(group: NodeGroup, scene: Scene) -> bool:
    """Whether a group's load follows the hours of the demand."""
    return scene.demand is not None and group.role in {"compute", "compute_and_block", "service"}


def _peak_w(group: NodeGroup, load: Amount, use: Amount | None, scene: Scene) -> Amount:
    ratio = scene.curves.load.peak if _follows(group, scene) else 1.0
    node = power_at_w(power_of(group), load * ratio) + group.adder_w + memory_w(group)
    if group.gpus is None:
        return group.at_wall_w(node)
    return group.at_wall_w(node) + gpus_w(group, _given(use, load * ratio))
