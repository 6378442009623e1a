"""What a rented design costs under a demand, month by month, cause by cause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.amounts import ceil, is_above, is_zero, maximum, minimum
from capmodels.cost.spot import useful_price
from capmodels.cost.tiered import Band, band_cost, banded, billed_bands
from capmodels.plans.costing.cloud_rent import (
    Mix,
    Offer,
    Tranche,
    mean_above,
    monthly_amounts,
    need_rates,
    rent,
    rent_by_plan,
)
from capmodels.plans.costing.kept import kept_instances
from capmodels.plans.costing.objects_cost import objects_usd
from capmodels.plans.costing.services_cost import services_usd
from capmodels.plans.costing.tokens import api_usd
from capmodels.series import Series, add, each, scaled
from capmodels.units import MONTHS_PER_YEAR, transfer_h
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.capacity_plan import CapacityPlan
    from capmodels.plans.document.cloud import CloudFields, Instances
    from capmodels.plans.document.cloud_storage import StorageTier
    from capmodels.plans.document.services import ServiceLine


# A bill below this is what the last bits of a sum leave of none.
LEAST_USD = 1e-6


@dataclass(slots=True)
class Tariffs:
    """The price bands of a rented design, per decimal TB and per dollar."""

    block: list[Band]
    objects: list[Band]
    egress: list[Band]
    support: list[Band]
    moved_gb_per_tb: Amount

    @classmethod
    def of(cls, cloud: CloudFields) -> Tariffs:
        """Return the bands of a design, in what its provider bills."""
        storage, transfer = cloud.storage, cloud.transfer
        moved = storage.gb_per_tb if transfer.gb_per_tb is None else transfer.gb_per_tb
        return cls(
            block=_stored(storage.block_tiers, storage.gb_per_tb),
            objects=_stored(storage.object_tiers, storage.gb_per_tb),
            egress=billed_bands(
                [tier.up_to_tb for tier in transfer.egress_tiers],
                [tier.usd_per_gb for tier in transfer.egress_tiers],
                moved,
            ),
            support=[(band.up_to_usd_per_month, band.fraction) for band in cloud.support.bands],
            moved_gb_per_tb=moved,
        )


def _stored(tiers: tuple[StorageTier, ...], gb_per_tb: float) -> list[Band]:
    prices = [tier.usd_per_gb_month for tier in tiers]
    return billed_bands([tier.up_to_tb for tier in tiers], prices, gb_per_tb)


@dataclass(slots=True)
class CloudCase:
    """A rented design being costed.

    ``planned`` is the same as entered, where it is drawn.
    ``burst`` is the share of the core-hours of each month that is rented, where the rest
    runs on owned nodes; ``sent`` that of the egress, and ``crossing_tb`` what else leaves
    it a month. ``lines`` are the services that are its, where they are not the cloud's.
    ``needed`` is the share of the hours in which anything that is rented is needed, where it is not
    needed in all.
    """

    cloud: CloudFields
    scene: Scene
    book: Book
    tariffs: Tariffs
    mixes: list[Mix] = field(default_factory=list)
    burst: Series | None = None
    needed: Series | None = None
    burst_storage_tb: Amount = 0.0
    sent: Series | None = None
    crossing_tb: Series | None = None
    lines: tuple[ServiceLine, ...] | None = None
    planned: CloudFields | None = None
    # Commitments of a plan, in place of its own.
    by_plan: CapacityPlan | None = None
    # First month of a hybrid that rents all before.
    since_month: int = 0
    # What each month uses, without support; as soon as it is billed. [USD]
    used_usd: Series | None = None

    @property
    def kept(self) -> Amount:
        """Share of list prices that is paid after the negotiated discount."""
        return 1.0 - self.cloud.negotiated_discount_fraction


@dataclass(slots=True)
class Bills:
    """Every month at list prices, before what comes on top of it. [USD]"""

    instances: Series
    commitment: Series
    storage: Series
    transfer: Series
    copies: Series | None
    services: Series | None = None
    # Each month's part of what was paid in advance; none where nothing was.
    prepaid: Series | None = None


def cost_cloud(case: CloudCase) -> None:
    """Write every payment of a rented design, but migration and staff, into its book."""
    scene = case.scene
    _rent(case)
    write_bills(
        case,
        Bills(
            instances=on_demand_usd(case),
            commitment=add(*(mix.committed_usd(scene) for mix in case.mixes)),
            storage=storage_usd(case),
            transfer=transfer_usd(case),
            copies=copies_usd(case),
            services=billed_services(case),
            prepaid=prepaid_usd(case),
        ),
    )
    leave(case)


def prepaid_usd(case: CloudCase) -> Series | None:
    """What each month uses of commitments paid in advance; None where none is. [USD]"""
    ahead = [
        mix.prepaid_usd(case.scene)
        for mix in case.mixes
        if any(not is_zero(tranche.upfront_fraction) for tranche in mix.tranches)
    ]
    return add(*ahead) if ahead else None


def billed_services(case: CloudCase) -> Series | None:
    """Write other vendors' services and APIs; return what is on the provider's bill, if any is."""
    lines = case.cloud.services if case.lines is None else case.lines
    others = [line for line in lines if line.vendor is not None]
    tokens = api_usd(case.cloud.token_prices, case.scene)
    billed = [services_usd(others, case.scene)] if others else []
    if billed or tokens is not None:
        billed += [] if tokens is None else [tokens]
        case.book.series("services", add(*billed), "rented")
    own = [line for line in lines if line.vendor is None]
    return services_usd(own, case.scene) if own else None


def _rent(case: CloudCase) -> None:
    """Commit and rent instances, and write what of that falls due at points of time."""
    known = case.cloud if case.planned is None else case.planned
    case.mixes = [rented_mix(case, known, place) for place in range(len(case.cloud.instances))]


def rented_mix(case: CloudCase, known: CloudFields, place: int) -> Mix:
    """Commit and rent one kind of instance, and write what falls due at points of time."""
    if case.by_plan is None:
        mix = rent(offer_of(case.cloud, place), case.scene, offer_of(known, place))
    else:
        item, scene = case.cloud.instances[place], case.scene
        mix = rent_by_plan(item, case.by_plan.commitments, scene)
        rates = need_rates(item, scene)
        amounts, level = monthly_amounts(scene), mix.committed
        kept = kept_instances(item, case.by_plan, scene) if item.gpus_count <= 0 else None
        if kept is None:
            mix.on_demand = mean_above(rates.need, amounts, rates.fleet, level, scene)
        else:
            beside, above = (*amounts, kept.less_by_ram), add(level, kept.by_cores)
            mix.on_demand = mean_above(rates.need_beside, beside, rates.fleet, above, scene)
    write_terms(case, mix)
    return mix


def write_terms(case: CloudCase, mix: Mix) -> None:
    """Write what is paid first for commitments, and what of them runs on after the horizon."""
    for tranche in mix.tranches:
        _deposit(case, tranche)
        _end(case, tranche)


def write_instances(case: CloudCase) -> None:
    """Write what instances cost, committed and on demand, and nothing else."""
    _rent(case)
    committed = add(*(mix.committed_usd(case.scene) for mix in case.mixes))
    case.book.series("commitment", scaled(committed, case.kept), "rented")
    case.book.series("instances", scaled(on_demand_usd(case), case.kept), "rented")


def offer_of(cloud: CloudFields, place: int) -> Offer:
    """One of a cloud's instances with the commitments on it."""
    item = cloud.instances[place]
    return Offer(item, cloud.commitments, on_demand_ratio(cloud, item))


def write_bills(case: CloudCase, bills: Bills) -> None:
    """Write the bills with gateways, the negotiated discount and support on them.

    Shares of the bill, for gateways and for support, go by what a month uses: a commitment counts
    with the month's part of its price, whenever that is paid. AWS charges support on the charges
    of a month before credits (https://aws.amazon.com/premiumsupport/pricing/) and has a payment in
    advance among those of the month in which it is made, whose bands are then lower; by accrual
    the same money is charged evenly, and paying earlier makes no bill smaller.
    """
    book, kept = case.book, case.kept
    share = case.cloud.transfer.other_fraction
    metered = add(bills.instances, bills.commitment, bills.storage, bills.transfer)
    used = metered if bills.prepaid is None else add(metered, bills.prepaid)
    gateways = scaled(used, share)
    paid = scaled(add(metered, gateways), kept)
    for beside in (bills.copies, bills.services):
        if beside is not None:
            paid = add(paid, scaled(beside, kept))
    accrued = paid
    if bills.prepaid is not None:
        prepaid = scaled(bills.prepaid, kept)
        accrued = add(paid, prepaid)
        book.prepaid_usd = scaled(prepaid, book.rented_ratio)
    if case.scene.explains:
        accrued = [named(usd, "Bill of the month", "USD") for usd in accrued]
    case.used_usd = accrued
    support = support_by_month(case, accrued)
    _credit(case, add(paid, support))
    parts = (
        ("instances", bills.instances),
        ("commitment", bills.commitment),
        ("storage", bills.storage),
        ("transfer", add(bills.transfer, gateways)),
        ("copy", bills.copies),
        ("services", bills.services),
    )
    book.bill(paid, {cause: part for cause, part in parts if part is not None}, kept)
    book.series("support", support, "rented")


def _credit(case: CloudCase, bills: Series) -> None:
    """Pay the first months' bills with the provider's credits, as far as they go."""
    given, months = case.cloud.credits, case.scene.months
    if is_zero(given.usd):
        return
    lasting = min(given.months, months)
    limits = case.scene.form.steps([given.usd / given.months, 0.0], [lasting, months - lasting])
    paid = each(lambda usd, most: -minimum(usd, most), bills, limits)
    case.book.series("credits", paid, "rented")


def _deposit(case: CloudCase, tranche: Tranche) -> None:
    if is_zero(tranche.upfront_fraction):
        return
    months = tranche.end_month - tranche.start_month
    usd = tranche.count * tranche.usd_per_h * case.scene.hours_per_month * months
    paid = usd * tranche.upfront_fraction * case.kept
    case.book.point("commitment", tranche.start_month, paid, "rented")


def _end(case: CloudCase, tranche: Tranche) -> None:
    """What of a commitment runs on after the horizon: paid for already, or owed."""
    scene = case.scene
    left = tranche.end_month - scene.months
    if left <= 0:
        return
    usd = tranche.count * tranche.usd_per_h * scene.hours_per_month * left * case.kept
    if scene.assumptions.end == "work_stops":
        owed = usd * (1.0 - tranche.upfront_fraction)
        case.book.point("remaining", scene.months, owed, "rented")
    elif not is_zero(tranche.upfront_fraction):
        case.book.point("salvage", scene.months, -usd * tranche.upfront_fraction, "rented")


def on_demand_ratio(cloud: CloudFields, item: Instances) -> Amount:
    """Price of an hour beyond the commitments over the list price: spot, discount agreed."""
    spot, agreed = cloud.spot, cloud.discounts.instances_fraction
    kept = 1.0 if is_zero(agreed) else 1.0 - agreed
    if is_zero(spot.share_fraction) or (spot.covers == "gpus" and item.gpus_count <= 0):
        return kept
    useful = useful_price(1.0 - spot.discount_fraction, spot.waste_fraction)
    ratio = 1.0 - spot.share_fraction + spot.share_fraction * useful
    return ratio if is_zero(agreed) else ratio * kept


def on_demand_usd(case: CloudCase) -> Series:
    """What is on demand costs by month, at list price. [USD]"""
    hours = case.scene.hours_per_month
    parts = (
        scaled(mix.on_demand, mix.item.usd_per_h * (on_demand_ratio(case.cloud, mix.item) * hours))
        for mix in case.mixes
    )
    return case.scene.priced("instances", add(*parts))


def block_overhead_ratio(case: CloudCase) -> Amount:
    """Block storage provisioned over the data on it: as entered, else 1 over the disk fill."""
    entered = case.cloud.storage.block_overhead_ratio
    if entered is None:
        return 1.0 / case.scene.work.headroom.disk_fill_fraction
    return entered


def storage_usd(case: CloudCase) -> Series:
    """What storage costs by month at list price less the discounts agreed on it. [USD]"""
    agreed = case.cloud.discounts
    parts = [
        scaled(_block_usd(case), 1.0 - agreed.block_fraction),
        scaled(
            objects_usd(case.cloud.storage, case.tariffs.objects, case.scene),
            1.0 - agreed.object_fraction,
        ),
    ]
    return case.scene.priced("storage", add(*parts))


def _block_usd(case: CloudCase) -> Series:
    """What block storage costs by month, with its IOPS, throughput and backup. [USD]"""
    storage, timeline, tariffs = case.cloud.storage, case.scene.timeline, case.tariffs
    block, target = timeline.block_tb.monthly, case.scene.work.headroom.io_target_fraction
    parts = [banded(scaled(block, block_overhead_ratio(case)), tariffs.block)]
    for rates, free, price in (
        (timeline.io_per_s, storage.io_included_per_s, storage.usd_per_iops_month),
        (
            timeline.throughput_mb_per_s,
            storage.throughput_included_mb_per_s,
            storage.usd_per_mb_per_s_month,
        ),
    ):
        if not is_zero(price):
            parts.append(_above(scaled(rates.monthly, 1.0 / target), free, price))
    if not is_zero(storage.backup_usd_per_tb_month):
        parts.append(scaled(block, storage.backup_usd_per_tb_month))
    return add(*parts)


def _above(rates: Series, free: Amount, price: Amount) -> Series:
    """Price of what is above a free amount."""
    return each(lambda rate: maximum(rate - free, 0.0) * price, rates)


def transfer_usd(case: CloudCase) -> Series:
    """What moving the data costs by month at list price less the discount agreed on it. [USD]

    Where a part of the work runs elsewhere, that part's share does not move here.
    """
    transfer, timeline = case.cloud.transfer, case.scene.timeline
    gb_per_tb, nat = case.tariffs.moved_gb_per_tb, transfer.nat_usd_per_gb

    def moved(data_tb: Series, shares: Series | None) -> Series:
        return data_tb if shares is None else each(lambda tb, part: tb * part, data_tb, shares)

    sent = moved(timeline.egress_tb.monthly, case.sent)
    if case.crossing_tb is not None:
        sent = add(sent, case.crossing_tb)
    free_tb = transfer.free_gb_per_month / gb_per_tb
    paid = sent if is_zero(free_tb) else each(lambda tb: maximum(tb - free_tb, 0.0), sent)
    parts = [banded(paid, case.tariffs.egress)]
    if not is_zero(nat):
        parts.append(scaled(sent, nat * gb_per_tb))
    for price, amounts, shares in (
        (transfer.ingress_usd_per_gb + nat, timeline.ingress_tb, case.sent),
        (transfer.cross_zone_usd_per_gb, timeline.cross_zone_tb, case.burst),
    ):
        if not is_zero(price):
            parts.append(scaled(moved(amounts.monthly, shares), price * gb_per_tb))
    if not is_zero(transfer.nat_usd_per_month) and case.mixes:
        running = add(*(add(mix.committed, mix.on_demand) for mix in case.mixes))
        flat = transfer.nat_usd_per_month
        parts.append(each(lambda count: is_above(count, 0.0) * flat, running))
    kept = 1.0 - case.cloud.discounts.transfer_fraction
    return case.scene.priced("transfer", scaled(add(*parts), kept))


def copy_hours(cloud: CloudFields) -> Amount:
    """Billed time of one copy. [h]"""
    copying = cloud.copying
    hours = transfer_h(copying.data_tb, copying.rate_gbit_per_s)
    return ceil(hours) if copying.billing == "started_hours" else hours


def copies_usd(case: CloudCase) -> Series | None:
    """What instances cost by month that wait for copies, if any do. [USD]"""
    copying, scene = case.cloud.copying, case.scene
    if is_zero(copying.times_per_year) or is_zero(copying.data_tb):
        return None
    hours = copy_hours(case.cloud) * copying.times_per_year / MONTHS_PER_YEAR
    parts = (
        scaled(add(mix.committed, mix.on_demand), mix.item.usd_per_h * hours) for mix in case.mixes
    )
    return scene.priced("instances", add(*parts))


def support_usd(case: CloudCase, bill_usd: Amount) -> Amount:
    """What the support plan costs on a month's bill; nothing where nothing is billed. [USD]"""
    least = case.cloud.support.minimum_usd_per_month
    usd = band_cost(bill_usd, case.tariffs.support)
    return usd if is_zero(least) else maximum(usd, least) * is_above(bill_usd, LEAST_USD)


def support_by_month(case: CloudCase, bills: Series) -> Series:
    """What the support plan costs on every month's bill. [USD]"""
    if is_zero(case.cloud.support.minimum_usd_per_month):
        return banded(bills, case.tariffs.support)
    return each(lambda usd: support_usd(case, usd), bills)


def leave(case: CloudCase) -> None:
    """Write what taking the data out at the end costs, where that is counted."""
    leaving, scene = case.cloud.exit, case.scene
    if not leaving.counted:
        return
    timeline = scene.timeline
    data_tb = timeline.block_tb.at(scene.months) + timeline.object_tb.at(scene.months)
    data_tb = data_tb + timeline.archive_tb.at(scene.months)
    usd = data_tb * case.tariffs.moved_gb_per_tb * leaving.usd_per_gb
    case.book.point("transfer", scene.months, usd, "rented")
