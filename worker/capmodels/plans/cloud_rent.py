"""How many instances are rented: the need by the hour, commitments, and the rest on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.plans.ops import TINY, choose, is_zero, maximum, nearest
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
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
        by_ram = maximum((level - self.base) / maximum(self.ram, TINY), 0.0)
        by_cores = level / maximum(self.cores, TINY)
        return choose(
            by_ram <= by_cores,
            lambda: self._from_ram(by_ram, level, curve),
            lambda: self.cores * curve.excess(by_cores),
        )

    def _from_ram(self, start: float, level: float, curve: DurationCurve) -> float:
        above = maximum(self.base - level, 0.0) + self.ram * curve.excess(start)
        steeper = maximum(self.cores - self.ram, 0.0)
        if is_zero(steeper):
            return above
        corner = self.base / maximum(steeper, TINY)
        return above + steeper * curve.excess(maximum(corner, start))


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


def need_of(item: Instances, scene: Scene, *, cores: float, ram_gib: float, gpus: float) -> Need:
    """Instances of one kind that an amount of work needs, as a function of the hour."""
    work, share = scene.work, item.share_fraction
    headroom = work.headroom
    if item.gpus_count > 0:
        per_item = item.gpus_count * headroom.gpu_target_fraction
        return Need(0.0, gpus * share / per_item, 0.0)
    speed = item.vcpu_count * item.perf_per_vcpu_ratio * headroom.cores_target_fraction
    need = Need(cores * share / speed, 0.0, 0.0)
    if item.ram_gib > 0:
        by_ram = ram_gib * (1.0 + headroom.ram_headroom_fraction) * share / item.ram_gib
        need.base = by_ram * work.ram_fixed_fraction
        need.ram = by_ram - need.base
    return need


def need_at(item: Instances, scene: Scene, month: float) -> Need:
    """Need some months after the start."""
    timeline = scene.timeline
    return need_of(
        item,
        scene,
        cores=timeline.cores.at(month),
        ram_gib=timeline.ram_gib.at(month),
        gpus=timeline.gpus_mean.at(month),
    )


def need_in(item: Instances, scene: Scene, month: int) -> Need:
    """Need in the middle of a month, 0 being the first."""
    timeline = scene.timeline
    return need_of(
        item,
        scene,
        cores=timeline.cores.monthly()[month],
        ram_gib=timeline.ram_gib.monthly()[month],
        gpus=timeline.gpus_mean.monthly()[month],
    )


def rent(item: Instances, commitments: tuple[Commitment, ...], scene: Scene) -> Mix:
    """Return what is committed and rented of one kind of instance, month by month."""
    mix = Mix(item)
    _commit(mix, commitments, scene)
    for month in range(scene.months):
        need = need_in(item, scene, month)
        mix.on_demand.append(need.excess(mix.committed[month], scene.curves.load))
    return mix


def _commit(mix: Mix, commitments: tuple[Commitment, ...], scene: Scene) -> None:
    """Review the commitments at the start of each year and fill them up to their base."""
    months = scene.months
    mix.committed = [0.0] * months
    for review in range(0, months, MONTHS_PER_YEAR):
        need = need_at(mix.item, scene, review)
        for commitment in commitments:
            if commitment.renewed or review == 0:
                _top_up(scene, mix, commitment, need, review)


def _top_up(scene: Scene, mix: Mix, commitment: Commitment, need: Need, review: int) -> None:
    """Commit what the base lacks; where terms end within a year it is renewed at once."""
    base = nearest(need.at(scene.curves.load.quantile(commitment.base_quantile_fraction)))
    start = review
    while start < min(review + MONTHS_PER_YEAR, scene.months):
        lacking = maximum(base - mix.committed[start], 0.0)
        if not is_zero(lacking):
            price = mix.item.usd_per_h * scene.price_factor("instances", start)
            end = start + commitment.term_months
            paid = price * (1.0 - commitment.discount_fraction)
            mix.tranches.append(Tranche(lacking, start, end, paid, commitment.upfront_fraction))
            for month in range(start, min(end, scene.months)):
                mix.committed[month] = mix.committed[month] + lacking
        if not commitment.renewed or commitment.term_months >= MONTHS_PER_YEAR:
            break
        start += commitment.term_months
