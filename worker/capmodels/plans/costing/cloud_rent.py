"""How many instances are rented: the need by the hour, commitments, and the rest on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from capmodels.amounts import (
    CEIL_SLACK,
    TINY,
    is_above,
    is_given,
    is_one,
    is_zero,
    largest,
    maximum,
    minimum,
)
from capmodels.cost.commitment import best_count
from capmodels.plans.costing.need import Fleet, Need, NeedRates, running_share
from capmodels.units import MB_PER_S_PER_GBIT_PER_S, MONTHS_PER_YEAR
from capmodels.worked import named, remembered, since

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.capacity_plan import CommittedCores
    from capmodels.plans.document.cloud import Commitment, Instances
    from capmodels.series import Series


ON_DEMAND = "Instances on demand, mean of the month"


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
    headroom, available = scene.work.headroom, scene.work.availability
    share = item.share_fraction * available.site_factor
    spare = available.spare_nodes_count if item.spare_count is None else item.spare_count
    fleet = Fleet(spare, available.sites_count)
    if item.gpus_count > 0:
        speed = scene.gpu_work(item.gpu, item.gpus_count)
        per_item = item.gpus_count * speed * headroom.gpu_target_fraction
        timeline = scene.timeline
        running = running_share(timeline.gpus_mean.today, timeline.gpus_peak.today)
        return NeedRates(0.0, 0.0, 0.0, share / per_item, 0.0, fleet, running)
    speed = item.vcpu_count * item.perf_per_vcpu_ratio * headroom.cores_target_fraction
    fixed, per_gib = scene.work.ram_fixed_fraction, 0.0
    if is_given(item.ram_gib):
        per_gib = (1.0 + headroom.ram_headroom_fraction) * share / item.ram_gib
    per_tb = share * _per_tb(item, scene)
    return NeedRates(share / speed, per_gib * fixed, per_gib * (1.0 - fixed), 0.0, per_tb, fleet)


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


def machines_at(item: Instances, scene: Scene, month: Amount, ratio: Amount) -> Amount:
    """Instances in an hour some months after the start, at a ratio of demand to its mean."""
    need, fleet = need_at(item, scene, month), need_rates(item, scene).fleet
    return need.machines(ratio, fleet, scene.curves.load.grain)


def mean_above(
    need: Callable[..., Need], series: Sequence[Series], fleet: Fleet, level: Series, scene: Scene
) -> Series:
    """Mean number of whole instances above a level in each month.

    ``need`` is that of a month, by the amounts of some series in it.
    """
    from capmodels.plans.costing.cloud_rent_kernel import Machines

    curve = scene.curves.load
    if not isinstance(level, list):
        return cast("Series", Machines.of(need(*series), fleet, curve).excess(level))
    lines = [one.lines for one in map(need, *series)]
    if scene.explains:

        def mean(line: tuple[Amount, ...], level: Amount, of: tuple[int, int]) -> float:
            return Machines.of_months([line], Fleet(*of), curve).excess(level).item()

        step = remembered(mean)
        pairs = zip(lines, level, strict=True)
        return [named(step(line, one, fleet.counts), ON_DEMAND, "instances") for line, one in pairs]
    return Machines.of_months(lines, fleet, curve).excess_of_numbers(level)


def monthly_amounts(scene: Scene) -> tuple[Series, Series, Series, Series]:
    """Cores, GiB, GPUs on average and TB moved, by month, as `NeedRates.need` takes them."""
    timeline = scene.timeline
    return (
        timeline.cores.monthly,
        timeline.ram_gib.monthly,
        timeline.gpus_mean.monthly,
        timeline.traffic_tb.monthly,
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
    above = share_needing(offer.item, scene, review, count + 1.0)
    return (1.0 - above) * is_above(count, 0.0)


def share_needing(item: Instances, scene: Scene, month: Amount, count: Amount) -> Amount:
    """Share of the hours in which at least so many instances are needed."""
    from capmodels.plans.costing.cloud_rent_kernel import Machines, one_or_all

    rates, curve = need_rates(item, scene), scene.curves.load

    def share(line: tuple[Amount, ...], count: Amount, of: tuple[int, int]) -> Amount:
        return one_or_all(Machines.of_months([line], Fleet(*of), curve).share_needing(count)[0])

    step = remembered(share) if scene.explains else share
    return step(need_at(item, scene, month).lines, count, rates.fleet.counts)


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
    need, level = need_at(offer.item, scene, start), scene.curves.load.quantile(entered)
    count = machines_at(offer.item, scene, start, level)
    if is_one(need.running):
        return count
    return count * is_above(entered + need.running, 1.0 + CEIL_SLACK)


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
    from capmodels.plans.costing.cloud_rent_kernel import Machines, one_or_all, stacked

    rates, curve = need_rates(offer.item, scene), scene.curves.load
    months = range(start, min(start + commitment.term_months, scene.months))
    grown = monthly_amounts(scene)
    needs = [rates.need(*(one[month] for one in grown)) for month in months]
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

    def find(lines: Any, usd: Any, held: Any, costs: Any, of: tuple[int, int]) -> Amount:
        """Take numbers, so that it stands as one step where the equations explain themselves."""
        fleet, (cost, part) = Fleet(*of), costs
        machines = Machines.of_months(lines, fleet, curve)
        usd, held = stacked(usd), stacked(held)

        def saves(count: Amount, count_months: int) -> Amount:
            saved: Any = usd * machines.share_needing(held + count)
            return one_or_all(saved[:count_months].sum(axis=0))

        peaks = (Need(*line).machines(curve.peak, fleet, curve.grain) for line in lines)
        most = max(map(largest, peaks))
        count = best_count(lambda count: saves(count, len(usd)) - cost, most)
        if until < len(usd):
            sooner = best_count(lambda count: saves(count, until) - cost * part, most)
            count = minimum(count, sooner)
        less: Any = usd * (machines.excess(held) - machines.excess(held + count))
        saved = one_or_all(less.sum(axis=0))
        return count * is_above(saved - cost * count, 0.0)

    lines = tuple(need.lines for need in needs)
    if scene.explains:
        find = remembered(find)
    return find(lines, tuple(usd), tuple(held), (cost, part), rates.fleet.counts)


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
    mix = Mix(offer.item)
    _commit(mix, offer, planned, scene)
    mix.committed = by_month(mix.tranches, scene, lambda tranche: tranche.count)
    rates = need_rates(mix.item, scene)
    amounts = monthly_amounts(scene)
    mix.on_demand = mean_above(rates.need, amounts, rates.fleet, mix.committed, scene)
    return mix


def rent_by_plan(item: Instances, commitments: Sequence[CommittedCores], scene: Scene) -> Mix:
    """Instances that a plan commits to by the month, and none on demand yet.

    As many as carry the cores that are committed, with what else the work needs of them.
    """
    mix, per_core = Mix(item), instances_per_core(item, scene)
    for one in commitments:
        if one.month >= scene.months or item.gpus_count > 0:
            continue
        price = item.usd_per_h * scene.price_factor("instances", one.month)
        mix.tranches.append(
            Tranche(
                count=named(one.cores_count * per_core, "Instances committed", "instances"),
                start_month=one.month,
                end_month=one.month + one.term_months,
                usd_per_h=price * (1.0 - one.discount_fraction),
                upfront_fraction=one.upfront_fraction,
            )
        )
    mix.committed = by_month(mix.tranches, scene, lambda tranche: tranche.count)
    return mix


def instances_per_core(item: Instances, scene: Scene) -> Amount:
    """Instances that a busy core of today needs with what goes with it."""
    rates, timeline = need_rates(item, scene), scene.timeline
    need = rates.need(timeline.cores.today, timeline.ram_gib.today, 0.0, timeline.traffic_tb.today)
    return maximum(need.slope, need.base + need.ram) / maximum(timeline.cores.today, TINY)


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
