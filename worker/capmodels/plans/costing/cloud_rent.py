"""How many instances are rented: the need by the hour, commitments, and the rest on demand."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from capmodels.amounts import (
    TINY,
    as_number,
    is_above,
    is_given,
    is_zero,
    largest,
    maximum,
    minimum,
    nearest,
)
from capmodels.cost.commitment import best_count
from capmodels.plans.costing.need import Need, NeedRates
from capmodels.series import each
from capmodels.units import MB_PER_S_PER_GBIT_PER_S, MONTHS_PER_YEAR
from capmodels.worked import named, remembered, since

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.amounts import Amount
    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Commitment, Instances
    from capmodels.series import Series


ON_DEMAND = "Instances on demand, mean of the month"


def number_excess(
    need: tuple[Amount, Amount, Amount], level: Amount, excess: Callable[[float], float]
) -> float:
    """`Need.excess` for numbers: every answer asks for it in every month."""
    cores, base, ram = map(as_number, need)
    level = as_number(level)
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

    count: Amount
    start_month: int
    end_month: int
    usd_per_h: Amount
    upfront_fraction: Amount


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

    def prepaid_usd(self, scene: Scene) -> Series:
        """Each month's part of what was paid in advance for the months of the terms. [USD]"""
        hours = scene.hours_per_month
        return by_month(
            self.tranches,
            scene,
            lambda tranche: tranche.count * tranche.usd_per_h * tranche.upfront_fraction * hours,
        )


def by_month(tranches: list[Tranche], scene: Scene, value: Callable[[Tranche], Amount]) -> Series:
    """Sum over the tranches that run in each month, worked out anew where they change."""
    edges = {0, scene.months}
    for tranche in tranches:
        edges |= {tranche.start_month, min(tranche.end_month, scene.months)}
    ordered = sorted(edges)
    values = []
    for first in ordered[:-1]:
        total: Amount = 0.0
        for tranche in tranches:
            if tranche.start_month <= first < tranche.end_month:
                total = total + value(tranche)
        values.append(total)
    lengths = [last - first for first, last in pairwise(ordered)]
    return scene.form.steps(values, lengths)


def need_rates(item: Instances, scene: Scene) -> NeedRates:
    """Instances of one kind that each resource needs; one with GPUs carries GPUs only."""
    headroom = scene.work.headroom
    share = item.share_fraction * scene.work.availability.site_factor
    if item.gpus_count > 0:
        per_item = item.gpus_count * headroom.gpu_target_fraction
        return NeedRates(0.0, 0.0, 0.0, share / per_item, 0.0)
    speed = item.vcpu_count * item.perf_per_vcpu_ratio * headroom.cores_target_fraction
    fixed, per_gib = scene.work.ram_fixed_fraction, 0.0
    if is_given(item.ram_gib):
        per_gib = (1.0 + headroom.ram_headroom_fraction) * share / item.ram_gib
    return NeedRates(
        share / speed, per_gib * fixed, per_gib * (1.0 - fixed), 0.0, share * _per_tb(item, scene)
    )


def _per_tb(item: Instances, scene: Scene) -> Amount:
    """Instances whose network a TB moved a month needs; 0 where the network is unknown."""
    if item.network_gbit_per_s is None or is_zero(scene.timeline.traffic_tb.today):
        return 0.0
    rate = item.network_gbit_per_s * MB_PER_S_PER_GBIT_PER_S
    return scene.mb_per_s_per_tb_month / (rate * scene.work.headroom.io_target_fraction)


def need_at(item: Instances, scene: Scene, month: Amount) -> Need:
    """Need some months after the start."""
    timeline = scene.timeline
    return need_rates(item, scene).need(
        timeline.cores.at(month),
        timeline.ram_gib.at(month),
        timeline.gpus_mean.at(month),
        timeline.traffic_tb.at(month),
    )


def per_month(
    function: Callable[..., Amount], item: Instances, scene: Scene, *more: Series
) -> Series:
    """Apply a function to the need in the middle of each month, and to other series."""
    timeline, need = scene.timeline, need_rates(item, scene).need

    def of_month(cores: Amount, ram: Amount, gpus: Amount, moved: Amount, *rest: Amount) -> Amount:
        return function(need(cores, ram, gpus, moved), *rest)

    return each(
        of_month,
        timeline.cores.monthly,
        timeline.ram_gib.monthly,
        timeline.gpus_mean.monthly,
        timeline.traffic_tb.monthly,
        *more,
    )


@dataclass(frozen=True, slots=True)
class Offer:
    """Instances and the commitments on them: as entered, or as in a trial."""

    item: Instances
    commitments: tuple[Commitment, ...]
    # Price of an hour beyond the commitments over the on-demand price, spot included.
    beyond_ratio: Amount = 1.0


def base_quantile(offer: Offer, place: int, scene: Scene, review: int) -> Amount:
    """Quantile of the demand that a commitment covers: as entered, or the best one."""
    entered = offer.commitments[place].base_quantile_fraction
    if entered is not None:
        return entered
    count = base_count(offer, place, scene, review)
    above = need_at(offer.item, scene, review).share_above(count, scene.curves.load)
    return (1.0 - above) * is_above(count, 0.0)


def base_count(
    offer: Offer,
    place: int,
    scene: Scene,
    start: int,
    running: Callable[[int], Amount] | None = None,
) -> Amount:
    """Instances that a commitment covers; none where nothing is worth committing.

    As entered it is a quantile of the demand at the start, what runs already included. The best
    one is what it pays to commit beside what is ``running`` in each month of the term.
    """
    entered = offer.commitments[place].base_quantile_fraction
    if entered is None:
        return _best_base(offer, offer.commitments[place], scene, start, running)
    level = scene.curves.load.quantile(entered)
    return nearest(need_at(offer.item, scene, start).at(level))


def _best_base(
    offer: Offer,
    commitment: Commitment,
    scene: Scene,
    start: int,
    running: Callable[[int], Amount] | None,
) -> Amount:
    """Instances that cost least over a term from a month on, by the demand and prices in it.

    Each has to pay over its whole term against renting it on demand, so that the commitment never
    costs more than none, and over the months until the next review, at which it may still be made.
    An hour beyond the commitments costs what it does in its month, a committed one what it did
    at the start. Payments count at their present value where designs are ranked by that.
    """
    rates, timeline, curve = need_rates(offer.item, scene), scene.timeline, scene.curves.load
    months = range(start, min(start + commitment.term_months, scene.months))
    grown = (timeline.cores, timeline.ram_gib, timeline.gpus_mean, timeline.traffic_tb)
    needs = [rates.need(*(one.monthly[month] for one in grown)) for month in months]
    usd = [
        offer.beyond_ratio
        * scene.price_factor("instances", month + 0.5)
        * scene.present_factor(month + 1)
        for month in months
    ]
    price = paid_ratio(commitment, offer.item) * scene.price_factor("instances", start)
    cost = price * _term_factor(commitment, scene, start)
    held = [0.0 if running is None else running(month) for month in months]

    # What is not committed now can be at the next review.
    until = MONTHS_PER_YEAR if commitment.renewed else commitment.term_months
    paid = [scene.present_factor(month + 1) for month in months]
    part = sum(paid[:until]) / sum(paid)

    def find(lines: Any, usd: Any, held: Any, cost: Amount, part: Amount) -> Amount:
        """Take numbers, so that it stands as one step where the equations explain themselves."""
        terms = [
            (Need(*line), one, there) for line, one, there in zip(lines, usd, held, strict=True)
        ]

        def saves(count: Amount, count_months: int) -> Amount:
            total: Amount = 0.0
            for need, one, there in terms[:count_months]:
                total = total + one * need.share_above(there + count - 0.5, curve)
            return total

        most = math.ceil(max(largest(need.at(curve.peak)) for need, _, _ in terms))
        count = best_count(lambda count: saves(count, len(terms)) - cost, most)
        if until < len(terms):
            sooner = best_count(lambda count: saves(count, until) - cost * part, most)
            count = minimum(count, sooner)
        saved: Amount = 0.0
        for need, one, there in terms:
            less = need.excess(there, curve) - need.excess(there + count, curve)
            saved = saved + one * less
        return count * is_above(saved - cost * count, 0.0)

    lines = tuple((need.cores, need.base, need.ram, need.network) for need in needs)
    if scene.explains:
        find = remembered(find)
    return find(lines, tuple(usd), tuple(held), cost, part)


def _term_factor(commitment: Commitment, scene: Scene, start: int) -> Amount:
    """Months that a commitment is paid for, each by its factor of present value.

    What is left of the term at the end is owed where the work stops; where it continues, what
    was paid in advance for it is not counted.
    """
    ahead, end = commitment.upfront_fraction, min(start + commitment.term_months, scene.months)
    used: Amount = 0.0
    for month in range(start, end):
        used = used + scene.present_factor(month + 1)
    left = start + commitment.term_months - end
    over = -ahead if scene.assumptions.end == "work_continues" else 1.0 - ahead
    paid = ahead * commitment.term_months * scene.present_factor(start) + (1.0 - ahead) * used
    return paid + over * left * scene.present_factor(end) if left else paid


def paid_ratio(commitment: Commitment, item: Instances) -> Amount:
    """Price of a committed hour of an instance over its price on demand."""
    for price in commitment.prices:
        if price.name == item.name:
            return price.usd_per_h / maximum(item.usd_per_h, TINY)
    return 1.0 - commitment.discount_fraction


def rent(offer: Offer, scene: Scene, planned: Offer) -> Mix:
    """Return what is committed and rented of one kind of instance, month by month.

    ``planned`` is the offer as entered, where it is drawn: what is committed at the start
    is decided by it.
    """
    mix, curve = Mix(offer.item), scene.curves.load
    _commit(mix, offer, planned, scene)
    mix.committed = by_month(mix.tranches, scene, lambda tranche: tranche.count)
    mix.on_demand = _beyond(mix, scene, curve)
    return mix


def _beyond(mix: Mix, scene: Scene, curve: DurationCurve) -> Series:
    """Instances above the commitments, mean of each month."""
    timeline, rates = scene.timeline, need_rates(mix.item, scene)
    months = (timeline.cores.monthly, timeline.ram_gib.monthly, timeline.traffic_tb.monthly)
    if not isinstance(mix.committed, list):
        from capmodels.plans.costing.cloud_rent_kernel import mean_excess

        cores, ram_gib, traffic_tb = months
        amounts = (cores, ram_gib, timeline.gpus_mean.monthly, traffic_tb)
        return cast("Series", mean_excess(rates, amounts, mix.committed, curve))
    if rates.per_gpu:
        return per_month(
            lambda need, committed: need.excess(committed, curve), mix.item, scene, mix.committed
        )
    fixed, scaling, excess = rates.per_fixed_gib, rates.per_scaling_gib, curve.number_excess
    needs = zip(rates.slopes(timeline), months[1], mix.committed, strict=True)
    if scene.explains:
        mean = remembered(number_excess)
        return [
            named(mean((work, ram * fixed, ram * scaling), level, excess), ON_DEMAND, "instances")
            for work, ram, level in needs
        ]
    return [
        number_excess((work, ram * fixed, ram * scaling), level, excess)
        for work, ram, level in needs
    ]


def _commit(mix: Mix, offer: Offer, planned: Offer, scene: Scene) -> None:
    """Review the commitments at the start of each year and fill them up to their base.

    The base is that of the demand as it is known then. A base is rounded to whole instances.
    """
    for review in range(0, scene.months, MONTHS_PER_YEAR):
        view = scene.decided(review)
        seen = planned if view is scene.planned else offer
        for place, commitment in enumerate(offer.commitments):
            if commitment.renewed or review == 0:
                _top_up(scene, mix, commitment, (seen, place, view), review)


def _running(mix: Mix, month: int) -> Amount:
    """Instances committed at the start of a month."""
    total: Amount = 0.0
    for tranche in mix.tranches:
        if tranche.start_month <= month < tranche.end_month:
            total = total + tranche.count
    return total


def _top_up(
    scene: Scene, mix: Mix, commitment: Commitment, seen: tuple[Offer, int, Scene], review: int
) -> None:
    """Commit what the base lacks; where terms end within a year it is renewed at once.

    ``seen`` is the offer, which of its commitments, and the demand as known at the review.
    """
    offer, place, view = seen
    best = commitment.base_quantile_fraction is None
    base = 0.0 if best else base_count(offer, place, view, review)
    start = review
    while start < min(review + MONTHS_PER_YEAR, scene.months):
        if best:
            lacking = base_count(offer, place, view, start, lambda month: _running(mix, month))
        else:
            lacking = maximum(base - _running(mix, start), 0.0)
        if not is_zero(lacking):
            price = mix.item.usd_per_h * scene.price_factor("instances", start)
            mix.tranches.append(
                Tranche(
                    count=named(
                        since(lacking, commitment.term_months), "Instances committed", "instances"
                    ),
                    start_month=start,
                    end_month=start + commitment.term_months,
                    usd_per_h=price * paid_ratio(commitment, mix.item),
                    upfront_fraction=commitment.upfront_fraction,
                )
            )
        if not commitment.renewed or commitment.term_months >= MONTHS_PER_YEAR:
            break
        start += commitment.term_months
