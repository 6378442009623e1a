"""How many instances are rented: the need by the hour, commitments, and the rest on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.plans.ops import TINY, at_least, is_zero, maximum, minimum, nearest
from capmodels.plans.series import each
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.cloud import Commitment, Instances
    from capmodels.plans.duration import DurationCurve
    from capmodels.plans.scene import Scene
    from capmodels.plans.series import Series


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

        max(0, base + ram s - C, cores s - C) is convex and piecewise linear in s. It rises
        with the RAM from where the first line reaches C, and with the cores from where
        theirs is above that of the RAM, so its mean is a sum of E[max(0, s - x)] over these
        two corners, each times the change of slope.
        """
        by_cores = level / at_least(self.cores, TINY)
        by_ram = (level - self.base) / at_least(self.ram, TINY)
        start = at_least(minimum(by_ram, by_cores), 0.0)
        steeper = at_least(self.cores - self.ram, 0.0)
        corner = maximum(self.base / at_least(steeper, TINY), start)
        above = at_least(self.base - level, 0.0)
        return above + self.ram * curve.excess(start) + steeper * curve.excess(corner)


def number_excess(
    need: tuple[float, float, float], level: float, excess: Callable[[float], float]
) -> float:
    """`Need.excess` for numbers: every answer asks for it in every month."""
    cores, base, ram = need
    start = max(min((level - base) / max(ram, TINY), level / max(cores, TINY)), 0.0)
    mean = max(base - level, 0.0)
    if ram > 0.0:
        mean += ram * excess(start)
    steeper = cores - ram
    if steeper > 0.0:
        mean += steeper * excess(max(base / steeper, start))
    return mean


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
    committed: Series = field(default_factory=list)
    on_demand: Series = field(default_factory=list)

    def committed_usd(self, scene: Scene) -> Series:
        """Price of the commitments by month, without what was paid in advance. [USD]"""
        hours = scene.hours_per_month
        return by_month(
            self.tranches,
            scene,
            lambda tranche: (
                tranche.count * tranche.usd_per_h * (1.0 - tranche.upfront_fraction) * hours
            ),
        )


def by_month(tranches: list[Tranche], scene: Scene, value: Callable[[Tranche], float]) -> Series:
    """Sum over the tranches that run in each month, worked out anew where they change."""
    edges = {0, scene.months}
    for tranche in tranches:
        edges |= {tranche.start_month, min(tranche.end_month, scene.months)}
    ordered = sorted(edges)
    values = []
    for first in ordered[:-1]:
        total = 0.0
        for tranche in tranches:
            if tranche.start_month <= first < tranche.end_month:
                total = total + value(tranche)
        values.append(total)
    lengths = [last - first for first, last in pairwise(ordered)]
    return scene.form.steps(values, lengths)


@dataclass(frozen=True, slots=True)
class NeedRates:
    """Instances that a busy core, a GiB in use and a GPU in use need at mean demand."""

    per_core: float
    per_fixed_gib: float
    per_scaling_gib: float
    per_gpu: float

    def need(self, cores: float, ram_gib: float, gpus: float) -> Need:
        """Instances that an amount of work needs, as a function of the hour."""
        if is_zero(self.per_gpu):
            return Need(
                cores * self.per_core, ram_gib * self.per_fixed_gib, ram_gib * self.per_scaling_gib
            )
        return Need(0.0, gpus * self.per_gpu, 0.0)


def need_rates(item: Instances, scene: Scene) -> NeedRates:
    """Instances of one kind that each resource needs; one with GPUs carries GPUs only."""
    headroom = scene.work.headroom
    share = item.share_fraction * scene.work.availability.site_factor
    if item.gpus_count > 0:
        per_item = item.gpus_count * headroom.gpu_target_fraction
        return NeedRates(0.0, 0.0, 0.0, share / per_item)
    speed = item.vcpu_count * item.perf_per_vcpu_ratio * headroom.cores_target_fraction
    fixed, per_gib = scene.work.ram_fixed_fraction, 0.0
    if item.ram_gib > 0:
        per_gib = (1.0 + headroom.ram_headroom_fraction) * share / item.ram_gib
    return NeedRates(share / speed, per_gib * fixed, per_gib * (1.0 - fixed), 0.0)


def need_at(item: Instances, scene: Scene, month: float) -> Need:
    """Need some months after the start."""
    timeline = scene.timeline
    return need_rates(item, scene).need(
        timeline.cores.at(month), timeline.ram_gib.at(month), timeline.gpus_mean.at(month)
    )


def per_month(
    function: Callable[..., float], item: Instances, scene: Scene, *more: Series
) -> Series:
    """Apply a function to the need in the middle of each month, and to other series."""
    timeline, need = scene.timeline, need_rates(item, scene).need

    def of_month(cores: float, ram_gib: float, gpus: float, *rest: float) -> float:
        return function(need(cores, ram_gib, gpus), *rest)

    return each(
        of_month,
        timeline.cores.monthly,
        timeline.ram_gib.monthly,
        timeline.gpus_mean.monthly,
        *more,
    )


def rent(item: Instances, commitments: tuple[Commitment, ...], scene: Scene) -> Mix:
    """Return what is committed and rented of one kind of instance, month by month."""
    mix, curve = Mix(item), scene.curves.load
    _commit(mix, commitments, scene)
    mix.committed = by_month(mix.tranches, scene, lambda tranche: tranche.count)
    mix.on_demand = _beyond(mix, scene, curve)
    return mix


def _beyond(mix: Mix, scene: Scene, curve: DurationCurve) -> Series:
    """Instances above the commitments, mean of each month."""
    timeline, rates = scene.timeline, need_rates(mix.item, scene)
    months = (timeline.cores.monthly, timeline.ram_gib.monthly, timeline.gpus_mean.monthly)
    if rates.per_gpu or not all(isinstance(series, list) for series in (*months, mix.committed)):
        return per_month(
            lambda need, committed: need.excess(committed, curve), mix.item, scene, mix.committed
        )
    per_core, fixed, scaling = rates.per_core, rates.per_fixed_gib, rates.per_scaling_gib
    excess = curve.number_excess
    return [
        number_excess((cores * per_core, ram * fixed, ram * scaling), level, excess)
        for cores, ram, level in zip(months[0], months[1], mix.committed, strict=True)
    ]


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
