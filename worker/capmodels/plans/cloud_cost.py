"""What a rented design costs under a demand, month by month, cause by cause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.plans.bands import Band, band_cost
from capmodels.plans.cloud import CloudFields, StorageTier, TransferTier
from capmodels.plans.cloud_rent import Mix, Tranche, rent
from capmodels.plans.ops import ceil, is_zero, maximum
from capmodels.units import MONTHS_PER_YEAR, gb_from_tb, transfer_h

if TYPE_CHECKING:
    from capmodels.plans.book import SumBook
    from capmodels.plans.scene import Scene


@dataclass(slots=True)
class Tariffs:
    """The price bands of a rented design, per TB and per dollar."""

    block: list[Band]
    objects: list[Band]
    egress: list[Band]
    support: list[Band]

    @classmethod
    def of(cls, cloud: CloudFields) -> Tariffs:
        """Return the bands of a design."""
        gb_per_tb = cloud.storage.gb_per_tb
        return cls(
            block=_per_tb(cloud.storage.block_tiers, gb_per_tb),
            objects=_per_tb(cloud.storage.object_tiers, gb_per_tb),
            egress=_per_tb(cloud.transfer.egress_tiers, gb_per_tb),
            support=[(band.up_to_usd_per_month, band.fraction) for band in cloud.support.bands],
        )


def _per_tb(
    tiers: tuple[StorageTier, ...] | tuple[TransferTier, ...], gb_per_tb: float
) -> list[Band]:
    return [
        (
            tier.up_to_tb,
            gb_per_tb
            * (tier.usd_per_gb_month if isinstance(tier, StorageTier) else tier.usd_per_gb),
        )
        for tier in tiers
    ]


@dataclass(slots=True)
class CloudCase:
    """A rented design being costed.

    ``burst`` is the share of the core-hours of each month that is rented, where the rest
    runs on owned nodes.
    """

    cloud: CloudFields
    scene: Scene
    book: SumBook
    tariffs: Tariffs
    mixes: list[Mix] = field(default_factory=list)
    burst: list[float] | None = None
    burst_storage_tb: float = 0.0

    @property
    def kept(self) -> float:
        """Share of list prices that is paid after the negotiated discount."""
        return 1.0 - self.cloud.negotiated_discount_fraction


def cost_cloud(case: CloudCase) -> None:
    """Write every payment of a rented design, but migration and staff, into its book."""
    for item in case.cloud.instances:
        mix = rent(item, case.cloud.commitments, case.scene)
        case.mixes.append(mix)
        for tranche in mix.tranches:
            _deposit(case, tranche)
    for month in range(case.scene.months):
        _bill(case, month)
    _leave(case)


def _deposit(case: CloudCase, tranche: Tranche) -> None:
    if is_zero(tranche.upfront_fraction):
        return
    months = tranche.end_month - tranche.start_month
    usd = tranche.count * tranche.usd_per_h * case.scene.hours_per_month * months
    paid = usd * tranche.upfront_fraction * case.kept
    case.book.point("commitment", tranche.start_month, paid, "rented")


def on_demand_ratio(cloud: CloudFields) -> float:
    """Price of an hour beyond the commitments over the on-demand price, spot included."""
    spot = cloud.spot
    if is_zero(spot.share_fraction):
        return 1.0
    useful = (1.0 - spot.discount_fraction) / (1.0 - spot.waste_fraction)
    return 1.0 - spot.share_fraction + spot.share_fraction * useful


def _bill(case: CloudCase, month: int) -> None:
    """Write one month, 0 being the first, with the discount on all of it."""
    hours = case.scene.hours_per_month
    bill = Bill(
        instances=on_demand_usd_per_h(case, month) * hours,
        commitment=committed_usd_per_h(case.mixes, month) * hours,
        storage=storage_usd(case, month),
        transfer=transfer_usd(case, month),
        copies=copy_usd(case, month),
    )
    write_bill(case, month, bill)


@dataclass(slots=True)
class Bill:
    """A month at list prices, before what comes on top of it. [USD]"""

    instances: float
    commitment: float
    storage: float
    transfer: float
    copies: float


def write_bill(case: CloudCase, month: int, bill: Bill) -> None:
    """Write a month's bill with gateways, the negotiated discount and support on it."""
    kept, transfer = case.kept, bill.transfer
    metered = bill.instances + bill.commitment + bill.storage + transfer
    if not is_zero(case.cloud.transfer.other_fraction):
        other = metered * case.cloud.transfer.other_fraction
        transfer, metered = transfer + other, metered + other
    paid = (metered + bill.copies) * kept
    support = support_usd(case, paid)
    if not case.book.keeps_causes:
        case.book.month("bill", month + 1, paid + support, "rented")
        return
    for cause, usd in (
        ("instances", bill.instances * kept),
        ("commitment", bill.commitment * kept),
        ("storage", bill.storage * kept),
        ("transfer", transfer * kept),
        ("copy", bill.copies * kept),
        ("support", support),
    ):
        case.book.month(cause, month + 1, usd, "rented")


def on_demand_usd_per_h(case: CloudCase, month: int) -> float:
    """Mean price of an hour of what is on demand in a month, at list price. [USD/h]"""
    ratio = on_demand_ratio(case.cloud) * case.scene.price_factor("instances", month + 0.5)
    usd = 0.0
    for mix in case.mixes:
        usd = usd + mix.on_demand[month] * (mix.item.usd_per_h * ratio)
    return usd


def committed_usd_per_h(mixes: list[Mix], month: int) -> float:
    """Price of an hour of the commitments, without what was paid in advance. [USD/h]"""
    usd = 0.0
    for mix in mixes:
        for tranche in mix.tranches:
            if tranche.start_month <= month < tranche.end_month:
                paid_now = tranche.usd_per_h * (1.0 - tranche.upfront_fraction)
                usd = usd + tranche.count * paid_now
    return usd


def storage_usd(case: CloudCase, month: int) -> float:
    """What storage costs in a month at list price. [USD]"""
    storage, timeline = case.cloud.storage, case.scene.timeline
    block_tb = timeline.block_tb.monthly()[month]
    usd = band_cost(block_tb * storage.block_overhead_ratio, case.tariffs.block)
    usd = usd + band_cost(timeline.object_tb.monthly()[month], case.tariffs.objects)
    if not is_zero(storage.usd_per_iops_month):
        io = timeline.io_per_s.monthly()[month] - storage.io_included_per_s
        usd = usd + maximum(io, 0.0) * storage.usd_per_iops_month
    if not is_zero(storage.usd_per_mb_per_s_month):
        rate = timeline.throughput_mb_per_s.monthly()[month]
        rate = maximum(rate - storage.throughput_included_mb_per_s, 0.0)
        usd = usd + rate * storage.usd_per_mb_per_s_month
    usd = usd + block_tb * storage.backup_usd_per_tb_month
    return usd * case.scene.price_factor("storage", month + 0.5)


def transfer_usd(case: CloudCase, month: int, share: float = 1.0) -> float:
    """What moving a share of the data costs in a month at list price. [USD]"""
    transfer, timeline = case.cloud.transfer, case.scene.timeline
    egress = timeline.egress_tb.monthly()[month] * share
    ingress = timeline.ingress_tb.monthly()[month] * share
    usd = band_cost(egress, case.tariffs.egress)
    cross_zone = timeline.cross_zone_tb.monthly()[month] * share
    per_gb = ingress * transfer.ingress_usd_per_gb + cross_zone * transfer.cross_zone_usd_per_gb
    per_gb = per_gb + (egress + ingress) * transfer.nat_usd_per_gb
    usd = usd + per_gb * case.cloud.storage.gb_per_tb + transfer.nat_usd_per_month
    return usd * case.scene.price_factor("transfer", month + 0.5)


def copy_hours(cloud: CloudFields) -> float:
    """Billed time of one copy. [h]"""
    copying = cloud.copying
    hours = transfer_h(copying.data_tb, copying.rate_gbit_per_s)
    return ceil(hours) if copying.billing == "started_hours" else hours


def copy_usd(case: CloudCase, month: int) -> float:
    """What instances cost in a month that wait for copies. [USD]"""
    copying, scene = case.cloud.copying, case.scene
    if is_zero(copying.times_per_year) or is_zero(copying.data_tb):
        return 0.0
    waiting = 0.0
    for mix in case.mixes:
        waiting = waiting + mix.rented(month) * mix.item.usd_per_h
    hours = copy_hours(case.cloud) * copying.times_per_year / MONTHS_PER_YEAR
    return waiting * hours * scene.price_factor("instances", month + 0.5)


def support_usd(case: CloudCase, bill_usd: float) -> float:
    """What the support plan costs on a month's bill. [USD]"""
    support = case.cloud.support
    if not support.bands:
        return support.minimum_usd_per_month
    return maximum(band_cost(bill_usd, case.tariffs.support), support.minimum_usd_per_month)


def _leave(case: CloudCase) -> None:
    leaving, scene = case.cloud.exit, case.scene
    if not leaving.counted:
        return
    timeline = scene.timeline
    data_tb = timeline.block_tb.at(scene.months) + timeline.object_tb.at(scene.months)
    usd = gb_from_tb(data_tb, case.cloud.storage.gb_per_tb) * leaving.usd_per_gb
    case.book.point("transfer", scene.months, usd, "rented")
