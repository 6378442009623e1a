"""How many instances are rented: the need by the hour, commitments, and the rest on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.plans.ops import TINY, choose, is_zero, maximum, nearest, smallest
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.cloud import Commitment, Instances
    from capmodels.plans.duration import DurationCurve
    from capmodels.plans.scene import Scene


@dataclass(slots=True)
class Need:
    """Instances needed at an hour with demand s: the larger of ``cores s`` and ``base + ram s``."""

    cores: float
    base: float
    ram: float

    def at(self, ratio: float) -> float:
        """Instances at one ratio of demand to its mean."""
        return maximum(self.cores * ratio, self.base + self.ram * ratio)

    def excess(self, level: float, curve: DurationCurve) -> float:
        """Mean number of instances above a level of 0 or more, over the hours.

        max(0, base + ram s - C, cores s - C) is convex and piecewise linear in s, so its
        mean is a sum of E[max(0, s - x)] over its corners, each times the change of slope.
        """
        if is_zero(self.cores) and is_zero(self.ram):
            return maximum(self.base - level, 0.0)
        if self._ram_rules(curve):
            return self._line_excess(level, curve)
        by_ram = maximum((level - self.base) / maximum(self.ram, TINY), 0.0)
        by_cores = level / maximum(self.cores, TINY)
        return choose(
            by_ram <= by_cores,
            lambda: self._line_excess(level, curve) + self._steeper_excess(by_ram, curve),
            lambda: self.cores * curve.excess(by_cores),
        )

    def _ram_rules(self, curve: DurationCurve) -> bool:
        """Whether RAM needs more than cores even at the busiest hour, so at all."""
        return smallest(self.base + (self.ram - self.cores) * curve.peak) >= 0.0

    def _line_excess(self, level: float, curve: DurationCurve) -> float:
        """Mean of max(0, base + ram s - C)."""
        if is_zero(self.ram):
            return maximum(self.base - level, 0.0)
        start = (level - self.base) / maximum(self.ram, TINY)
        if smallest(start) >= 0.0:
            return self.ram * curve.excess(start)
        above = maximum(self.base - level, 0.0)
        return above + self.ram * curve.excess(maximum(start, 0.0))

    def _steeper_excess(self, start: float, curve: DurationCurve) -> float:
        """What the line of the cores has above that of the RAM, beyond where it crosses."""
        steeper = maximum(self.cores - self.ram, 0.0)
        if is_zero(steeper):
            return 0.0
        corner = self.base / maximum(steeper, TINY)
        return steeper * curve.excess(maximum(corner, start))


@dataclass(slots=True)
class Tranche:
    """Instances committed together: how many, until when, at what price."""

    count: float
    start_month: int
    end_month: int
    usd_per_h: float
    upfront_fraction: float


@dataclass(slots=True)
class Mix:
    """One kind of instance over the months."""

    item: Instances
    tranches: list[Tranche] = field(default_factory=list)
    committed: list[float] = field(default_factory=list)
    on_demand: list[float] = field(default_factory=list)

    def rented(self, month: int) -> float:
        """Mean number of instances in a month (0 is the first), committed or not."""
        return self.committed[month] + self.on_demand[month]

    def committed_usd_per_h(self, months: int) -> list[float]:
        """Price of an hour of the commitments by month, without what was paid in advance."""
        return _by_month(
            self.tranches,
            months,
            lambda tranche: tranche.count * tranche.usd_per_h * (1.0 - tranche.upfront_fraction),
        )


def _by_month(
    tranches: list[Tranche], months: int, value: Callable[[Tranche], float]
) -> list[float]:
    """Sum over the tranches that run in each month, computed anew only when they change."""
    edges = {0, months}
    edges.update(tranche.start_month for tranche in tranches)
    edges.update(tranche.end_month for tranche in tranches)
    inside = sorted(edge for edge in edges if edge <= months)
    amounts: list[float] = []
    for first, last in zip(inside, inside[1:], strict=False):
        total = 0.0
        for tranche in tranches:
            if tranche.start_month <= first < tranche.end_month:
                total = total + value(tranche)
        amounts += [total] * (last - first)
    return amounts


@dataclass(frozen=True, slots=True)
class Demand:
    """What an instance need is worked out for: busy cores, RAM in use, GPUs in use."""

    cores: float
    ram_gib: float
    gpus: float


def need_of(item: Instances, scene: Scene, demand: Demand) -> Need:
    """Instances of one kind that an amount of work needs, as a function of the hour."""
    headroom, share = scene.work.headroom, item.share_fraction
    if item.gpus_count > 0:
        per_item = item.gpus_count * headroom.gpu_target_fraction
        return Need(0.0, demand.gpus * (share / per_item), 0.0)
    speed = item.vcpu_count * item.perf_per_vcpu_ratio * headroom.cores_target_fraction
    need = Need(demand.cores * (share / speed), 0.0, 0.0)
    if item.ram_gib > 0:
        per_gib = (1.0 + headroom.ram_headroom_fraction) * share / item.ram_gib
        by_ram = demand.ram_gib * per_gib
        need.base = by_ram * scene.work.ram_fixed_fraction
        need.ram = by_ram - need.base
    return need


def need_at(item: Instances, scene: Scene, month: float) -> Need:
    """Need some months after the start."""
    timeline = scene.timeline
    demand = Demand(
        timeline.cores.at(month), timeline.ram_gib.at(month), timeline.gpus_mean.at(month)
    )
    return need_of(item, scene, demand)


def needs_by_month(item: Instances, scene: Scene) -> list[Need]:
    """Need in the middle of each month, the first month first."""
    timeline = scene.timeline
    months = zip(
        timeline.cores.monthly(),
        timeline.ram_gib.monthly(),
        timeline.gpus_mean.monthly(),
        strict=True,
    )
    return [need_of(item, scene, Demand(*amounts)) for amounts in months]


def rent(item: Instances, commitments: tuple[Commitment, ...], scene: Scene) -> Mix:
    """Return what is committed and rented of one kind of instance, month by month."""
    mix = Mix(item)
    _commit(mix, commitments, scene)
    mix.committed = _by_month(mix.tranches, scene.months, lambda tranche: tranche.count)
    curve = scene.curves.load
    mix.on_demand = [
        need.excess(committed, curve)
        for need, committed in zip(needs_by_month(item, scene), mix.committed, strict=True)
    ]
    return mix


def _commit(mix: Mix, commitments: tuple[Commitment, ...], scene: Scene) -> None:
    """Review the commitments at the start of each year and fill them up to their base."""
    for review in range(0, scene.months, MONTHS_PER_YEAR):
        need = need_at(mix.item, scene, review)
        for commitment in commitments:
            if commitment.renewed or review == 0:
                _top_up(scene, mix, commitment, need, review)


def _running(mix: Mix, month: int) -> float:
    """Instances committed at the start of a month."""
    total = 0.0
    for tranche in mix.tranches:
        if tranche.start_month <= month < tranche.end_month:
            total = total + tranche.count
    return total


def _top_up(scene: Scene, mix: Mix, commitment: Commitment, need: Need, review: int) -> None:
    """Commit what the base lacks; where terms end within a year it is renewed at once.

    A base is rounded to whole instances.
    """
    base = nearest(need.at(scene.curves.load.quantile(commitment.base_quantile_fraction)))
    start = review
    while start < min(review + MONTHS_PER_YEAR, scene.months):
        lacking = maximum(base - _running(mix, start), 0.0)
        if not is_zero(lacking):
            price = mix.item.usd_per_h * scene.price_factor("instances", start)
            mix.tranches.append(
                Tranche(
                    count=lacking,
                    start_month=start,
                    end_month=start + commitment.term_months,
                    usd_per_h=price * (1.0 - commitment.discount_fraction),
                    upfront_fraction=commitment.upfront_fraction,
                )
            )
        if not commitment.renewed or commitment.term_months >= MONTHS_PER_YEAR:
            break
        start += commitment.term_months
