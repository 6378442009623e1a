"""What an owned cluster costs, cause by cause."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from operator import mul
from typing import TYPE_CHECKING

from capmodels.amounts import at_least, ceil, drawn, is_zero, real
from capmodels.cost.cashflow import annuity_factor
from capmodels.cost.npv import monthly_rate_fraction
from capmodels.cost.time_of_use import demand_charge_usd
from capmodels.plans.costing.array_cost import (
    UNITS_PER_RACK,
    rack_units,
    replaced_per_year,
    unit_prices_usd,
)
from capmodels.plans.costing.array_cost import peak_w as array_peak_w
from capmodels.plans.costing.array_size import storage_nodes_count
from capmodels.plans.costing.energy import Energy, add_array_energy, energy_of
from capmodels.plans.costing.group_plan import Batch, equipment_count
from capmodels.plans.costing.lease import lease_balance_usd, lease_owed_usd, lease_payment_usd
from capmodels.plans.costing.services_cost import services_usd
from capmodels.plans.costing.tariff_bill import year_bill_usd
from capmodels.plans.document.hardware import Equipment, NodeGroup
from capmodels.plans.document.owned import Lease, OwnedFields
from capmodels.series import each
from capmodels.units import MONTHS_PER_YEAR, WATTS_PER_KW
from capmodels.worked import named, since

if TYPE_CHECKING:
    from collections.abc import Hashable

    from capmodels.amounts import Amount
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.energy import NodeWatts
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.tariff_bill import TariffHours
    from capmodels.plans.document.services import ServiceLine
    from capmodels.series import Series


@dataclass(slots=True)
class OwnedCase:
    """An owned design being costed."""

    owned: OwnedFields
    scene: Scene
    plans: list[GroupPlan]
    book: Book
    carried: list[Amount] | None = None
    batches: list[Batch] = field(default_factory=list)
    energies: list[Energy] = field(default_factory=list)
    arrays: list[ArrayPlan] = field(default_factory=list)
    # Share of the egress that it sends, where that is not that of the core-hours; what else
    # leaves it a month, by interval; and the lines of services that are its.
    sent: list[Amount] | None = None
    crossing_tb: list[Amount] | None = None
    lines: tuple[ServiceLine, ...] | None = None
    # When the first machines are there, where another place is paid for until then.
    delivered_month: int = 0

    def months_in(self, at: int) -> int:
        """Months of an interval in which its machines are there."""
        interval = self.scene.intervals[at]
        return max(interval.end - max(interval.first, self.delivered_month), 0)

    def pay_interval(self, cause: str, at: int, usd_per_year: Amount) -> None:
        """Pay a yearly amount in the months of an interval with its machines there. [USD/yr]"""
        interval = self.scene.intervals[at]
        months = range(max(interval.first, self.delivered_month), interval.end)
        self.book.yearly(cause, months, usd_per_year)

    def pay_years(self, cause: str, usd_per_year: Amount, component: str | None = None) -> None:
        """Pay a yearly amount as long as its machines are there, at each year's price. [USD/yr]"""
        for year in range(self.scene.years):
            usd = usd_per_year
            if component is not None:
                usd = usd * self.scene.year_factor(component, year)
            self.book.year(cause, year, usd, since_month=self.delivered_month)

    def egress_tb(self, at: int) -> Amount:
        """Data that leaves it, mean of an interval. [TB/month]"""
        share = self.share(at) if self.sent is None else self.sent[at]
        sent = self.scene.timeline.egress_tb.mean_of(self.scene.intervals[at]) * share
        return sent if self.crossing_tb is None else sent + self.crossing_tb[at]

    def share(self, at: int) -> Amount:
        """Share of the core-hours that run on the owned nodes in an interval."""
        return 1.0 if self.carried is None else self.carried[at]

    def price_factor(self, component: str, at: int) -> Amount:
        """Price in the middle of the year of an interval over that at the start."""
        return self.scene.year_factor(component, self.scene.intervals[at].year)


def booked(case: OwnedCase | None) -> list[Batch]:
    """Purchases that stand in the books and are written off: not what goes back to a lessor."""
    if case is None:
        return []
    finance = case.owned.finance
    return [] if isinstance(finance, Lease) and finance.is_returned else case.batches


def node_price_usd(group: NodeGroup, scene: Scene, month: Amount) -> Amount:
    """Price of one node, drives and GPUs included, some months after the start. [USD]"""
    price = group.price
    node: Amount = 0.0
    if price.kind == "lump":
        node = price.total_usd / (group.count or 1) * scene.price_factor(price.component, month)
    elif price.kind == "parts":
        for part in price.parts:
            unit = part.unit_price_usd * (1.0 - part.discount_fraction) * part.index_ratio
            node = node + part.count * unit * scene.price_factor(part.component, month)
        node = node * (1.0 - price.discount_fraction)
    else:
        discount = price.discount_fraction if price.kind == "catalogue" else 0.0
        factor = scene.price_factor(price.component, month)
        node = price.unit_price_usd * (1.0 - discount) * factor
    drives, gpus = group.drives, group.gpus
    if drives is not None and not is_zero(drives.unit_price_usd):
        factor = scene.price_factor(drives.kind, month)
        node = node + drives.per_node_count * drives.unit_price_usd * factor
    if gpus is not None and not is_zero(gpus.unit_price_usd):
        factor = scene.price_factor("gpu", month)
        node = node + group.gpus_per_node_count * (gpus.unit_price_usd * factor)
    return named(node, "Price of a node", "USD")


def cost_owned(case: OwnedCase) -> None:
    """Write every payment of an owned design, but migration, into its book."""
    _hardware(case)
    _support_and_spares(case)
    watts: dict[Hashable, NodeWatts] = {}
    for at in range(len(case.scene.intervals)):
        share = case.share(at)
        hours = case.scene.assumptions.hours_per_year * case.months_in(at) / MONTHS_PER_YEAR
        energy = energy_of(case.plans, case.owned.equipment, case.scene, at, hours, share, watts)
        for array in case.arrays:
            add_array_energy(energy, array, case.scene, at, hours)
        case.energies.append(energy)
        _electricity(case, energy, at)
        _space(case, at)
        _network(case, at)
        _software(case, at)
        _backup(case, at)
    _sites(case)
    lines = case.owned.services if case.lines is None else case.lines
    if lines:
        case.book.series("services", _delivered(case, services_usd(lines, case.scene)))
    for array in case.arrays:
        _replaced_drives(case, array)


def _delivered(case: OwnedCase, series: Series) -> Series:
    """A monthly series from delivery on."""
    before = case.delivered_month
    if not before:
        return series
    there = case.scene.form.steps([0.0, 1.0], [before, max(case.scene.months - before, 0)])
    return each(mul, series, there)


def _hardware(case: OwnedCase) -> None:
    owned, scene = case.owned, case.scene
    racks_before: Amount = 0.0
    for at, interval in enumerate(scene.intervals):
        month = max(interval.first, case.delivered_month)
        for plan in case.plans:
            if plan.arrivals is not None:
                continue
            before = plan.counts[at - 1] if at else 0.0
            _buy(case, month, plan.counts[at] - before, plan.group)
        for item in owned.equipment:
            held = equipment_count(item, case.plans, at - 1) if at else 0.0
            _buy(case, month, equipment_count(item, case.plans, at) - held, item)
        racks = racks_count(case, at)
        rack_usd = (racks - racks_before) * owned.racks.unit_price_usd
        if not is_zero(rack_usd):
            rack_usd = rack_usd * scene.price_factor("facility", month)
            _pay_hardware(case, month, rack_usd, replaced=False)
        racks_before = racks
    for plan in case.plans:
        for month, count in sorted((plan.arrivals or {}).items()):
            usd = count * _unit_usd(plan.group, scene, month)
            _pay_hardware(case, month, usd, replaced=True)
    for array in case.arrays:
        _buy_arrays(case, array)


def _buy(case: OwnedCase, month: int, count: Amount, what: NodeGroup | Equipment) -> None:
    """Buy some at a month, and again whenever their time is over."""
    if is_zero(count):
        return
    for again in _purchases(case, month):
        _pay_hardware(case, again, count * _unit_usd(what, case.scene, again), replaced=True)


def _purchases(case: OwnedCase, month: int) -> range:
    """Months of a purchase and of what replaces it."""
    return range(month, case.scene.months, case.owned.refresh_months or case.scene.months)


def _buy_arrays(case: OwnedCase, plan: ArrayPlan) -> None:
    for at, interval in enumerate(case.scene.intervals):
        count = plan.counts[at] - (plan.counts[at - 1] if at else 0.0)
        room = plan.empties[at] - (plan.empties[at - 1] if at else 0.0)
        if is_zero(count):
            continue
        for month in _purchases(case, max(interval.first, case.delivered_month)):
            boxes = unit_prices_usd(plan.array, case.scene, month, filled=False)
            for cause, usd in unit_prices_usd(plan.array, case.scene, month).items():
                if not is_zero(usd):
                    paid = count * usd if is_zero(room) else count * usd + room * boxes[cause]
                    _pay_hardware(case, month, paid, replaced=True, of=(cause, plan.path))


def _replaced_drives(case: OwnedCase, plan: ArrayPlan) -> None:
    """Pay for drives that fail once their warranty is over, at the price that was paid."""
    share = replaced_per_year(plan, case.scene, case.owned.refresh_months)
    of = ("drives", plan.path)
    for months, value in _installed_usd(case, plan.array.warranty_months, of):
        case.book.span("replacements", months, value * share / MONTHS_PER_YEAR)


def _unit_usd(what: NodeGroup | Equipment, scene: Scene, month: Amount) -> Amount:
    if isinstance(what, NodeGroup):
        return node_price_usd(what, scene, month)
    return what.unit_price_usd * scene.price_factor(what.component, month)


def _pay_hardware(
    case: OwnedCase,
    month: int,
    amount_usd: Amount,
    *,
    replaced: bool,
    of: tuple[str, str] = ("hardware", ""),
) -> None:
    """Pay for hardware ``of`` a cause and a part of the design, and get back its salvage."""
    owned, months, (cause, part) = case.owned, case.scene.months, of
    refresh = owned.refresh_months if replaced else None
    amount_usd = since(amount_usd * owned.hardware_price_ratio, refresh)
    amount_usd = named(amount_usd, "Price paid", "USD")
    gone = months if refresh is None else min(month + refresh, months)
    case.batches.append(Batch(month, amount_usd, gone, cause, part))
    lease = owned.finance if isinstance(owned.finance, Lease) else None
    if lease is not None:
        _lease(case.book, lease, case.batches[-1])
        if case.scene.assumptions.end == "work_stops":
            case.book.point("remaining", months, lease_owed_usd(lease, case.batches[-1], months))
        if lease.is_returned:
            return
    else:
        case.book.point(cause, month, amount_usd)
    if gone == months and case.scene.assumptions.end == "work_continues":
        value = _worth_usd(case, amount_usd, gone - month)
    else:
        value = _salvage_usd(case, amount_usd, gone - month)
    if not is_zero(value):
        case.book.point("salvage", gone, -value)


def _worth_usd(case: OwnedCase, paid_usd: Amount, age_months: int) -> Amount:
    """What the rest of a machine's life is worth to work that continues. [USD]

    The price less what is got back at the end of its life is charged as an annuity over that
    life; what its months to come will be charged, at their present value, is left. Of a lease
    that is bought out, less what it still has to repay.
    """
    owned, scene = case.owned, case.scene
    kept = owned.refresh_months
    life: Amount = owned.salvage.life_months if kept is None else real(kept)
    left = at_least(life - age_months, 0.0)
    rate = monthly_rate_fraction(scene.assumptions.nominal_discount_fraction_per_year)
    step, sold = 1.0 / (1.0 + rate), paid_usd * owned.salvage.fraction
    charged = annuity_factor(rate_fraction_per_period=rate, periods=drawn(life))
    share = annuity_factor(rate_fraction_per_period=rate, periods=drawn(left)) / charged
    worth = (paid_usd - sold * step**life) * share + sold * step**left
    worth = named(since(worth, life), "Worth of the rest of its life", "USD")
    if not isinstance(owned.finance, Lease):
        return worth
    owed = lease_balance_usd(owned.finance, paid_usd, age_months)
    return since(worth, owned.finance.term_months) - owed


def _salvage_usd(case: OwnedCase, paid_usd: Amount, age_months: int) -> Amount:
    salvage = case.owned.salvage
    if is_zero(salvage.fraction) and is_zero(salvage.disposal_fraction):
        return 0.0
    share = salvage.fraction
    if salvage.method == "declining" and not is_zero(share):
        share = share ** (age_months / salvage.life_months)
    return paid_usd * (share - salvage.disposal_fraction)


def _lease(book: Book, lease: Lease, batch: Batch) -> None:
    """Spread a purchase over the months of a lease.

    The principal stands evenly by its cause, the rest of the payment as finance. What is bought
    out costs its residual at the end of the term; what is returned goes on at the same rent for
    as long as it is kept.
    """
    price, term = batch.paid_usd, lease.term_months
    payment, residual = lease_payment_usd(lease, price), price * lease.residual_fraction
    principal = (price - residual) / term
    end = batch.gone_month if lease.is_returned else min(batch.month + term, book.horizon_months)
    months = range(batch.month, end)
    book.span(batch.cause, months, principal)
    book.span("finance", months, payment - principal)
    if not lease.is_returned and batch.month + term <= book.horizon_months:
        book.point(batch.cause, batch.month + term, residual)


def _support_and_spares(case: OwnedCase) -> None:
    owned, book = case.owned, case.book
    covered, spares = owned.support.fraction_per_year, owned.spares_fraction_per_year
    if not is_zero(spares):
        for months, value in _installed_usd(case, 0):
            book.span("spares", months, value * spares / MONTHS_PER_YEAR)
    if not is_zero(covered):
        warranty = owned.support.warranty_months
        for months, value in _installed_usd(case, warranty):
            book.span("support", months, value * covered / MONTHS_PER_YEAR)
    case.pay_years("support", owned.support.usd_per_year)


def _installed_usd(
    case: OwnedCase, least_age_months: int, of: tuple[str, str] | None = None
) -> list[tuple[range, Amount]]:
    """Price paid for what is installed and of an age, by spans of months. [USD]

    With ``of``, of what was paid for by that cause and for that part alone.
    """
    spans = [
        (batch.month + least_age_months, batch.gone_month, batch.paid_usd)
        for batch in case.batches
        if batch.month + least_age_months < batch.gone_month
        and of in {None, (batch.cause, batch.part)}
    ]
    edges = sorted({edge for start, end, _ in spans for edge in (start, end)})
    found = []
    for first, last in pairwise(edges):
        value: Amount = 0.0
        for start, end, paid in spans:
            if start <= first < end:
                value = value + since(paid, least_age_months)
        found.append((range(first, last), named(value, "Price paid for what is installed", "USD")))
    return found


def owned_pue(owned: OwnedFields, scene: Scene) -> Amount:
    """PUE of the place: its own, or as assumed for all."""
    return scene.assumptions.pue if owned.pue is None else owned.pue


def _electricity(case: OwnedCase, energy: Energy, at: int) -> None:
    assumptions, months = case.scene.assumptions, case.months_in(at)
    if case.owned.space.electricity_included or not months:
        return
    energy.priced_usd = named(energy.priced_usd, "Electricity, before cooling", "USD")
    if case.scene.curves.tariff is not None:
        energy.priced_usd = _tariff_usd(case, case.scene.curves.tariff, energy, at)
    usd = energy.priced_usd
    if not is_zero(assumptions.demand_charge_usd_per_kw_month):
        charge = assumptions.demand_charge_usd_per_kw_month
        usd = usd + demand_charge_usd(energy.peak_kw, charge, months)
    usd = usd * case.price_factor("electricity", at) * (MONTHS_PER_YEAR / months)
    case.pay_interval("energy", at, usd)
    case.pay_interval("cooling", at, usd * (owned_pue(case.owned, case.scene) - 1.0))


def _tariff_usd(case: OwnedCase, hours: TariffHours, energy: Energy, at: int) -> Amount:
    """The part of an interval's bill under a tariff that is not cooling's. [USD]

    The meter stands before cooling, so the bill is of both; it is shared as the energy is. The
    highest powers of earlier months are those of a year before.
    """
    tariff, pue = case.scene.assumptions.electricity, owned_pue(case.owned, case.scene)
    if tariff.kind != "tariff" or not energy.tariff_w:
        return 0.0
    start = case.scene.assumptions.starts_on
    first = 0 if start is None else int(str(start)[5:7]) - 1
    first += max(case.scene.intervals[at].first, case.delivered_month)
    a_year = MONTHS_PER_YEAR // case.scene.order_months
    before = case.energies[at - a_year].tariff_w if at >= a_year else []
    bill = year_bill_usd(
        tariff,
        hours,
        energy.tariff_w,
        pue=pue,
        months=range(first, first + case.months_in(at)),
        before_w=before or None,
    )
    return bill / pue


def provisioned_kw(case: OwnedCase, at: int) -> Amount:
    """Power paid for in an interval, whether drawn or not. [kW]"""
    watts: Amount = 0.0
    for plan in case.plans:
        group = plan.group
        node_w = group.peak_w if group.provisioned_w is None else group.provisioned_w
        watts = watts + plan.counts[at] * node_w
    for item in case.owned.equipment:
        watts = watts + equipment_count(item, case.plans, at) * item.power_w
    for arrays in case.arrays:
        empty_w = array_peak_w(arrays.array, filled=False)
        watts = watts + arrays.total(at, array_peak_w(arrays.array), empty_w)
    kw = watts * case.owned.provision_ratio / WATTS_PER_KW
    return named(kw, "Provisioned power", "kW")


def racks_count(case: OwnedCase, at: int) -> Amount:
    """Racks that the nodes of an interval fill."""
    nodes: Amount = 0.0
    alone: Amount = 0.0
    for plan in case.plans:
        if plan.group.nodes_per_rack_count is None:
            nodes = nodes + plan.counts[at]
        else:
            alone = alone + ceil(plan.counts[at] / plan.group.nodes_per_rack_count)
    racks: Amount = nodes / case.owned.racks.nodes_per_rack_count
    for arrays in case.arrays:
        height = rack_units(arrays.array)
        racks = racks + arrays.total(at, height, height) / UNITS_PER_RACK
    return named(ceil(racks) + alone, "Racks", "racks")


# Of a machine whose height is not entered.
_UNITS_USUAL = 2.0


def rack_units_count(case: OwnedCase, at: int) -> Amount:
    """Height of the nodes, arrays and equipment of an interval. [U]"""
    units: Amount = 0.0
    for plan in case.plans:
        units = units + plan.counts[at] * (plan.group.rack_units_count or _UNITS_USUAL)
    for item in case.owned.equipment:
        units = units + equipment_count(item, case.plans, at) * item.rack_units_count
    for arrays in case.arrays:
        height = rack_units(arrays.array)
        units = units + arrays.total(at, height, height)
    return units


def _space(case: OwnedCase, at: int) -> None:
    space = case.owned.space
    usd: Amount = space.usd_per_year
    if not is_zero(space.usd_per_kw_month):
        usd = usd + provisioned_kw(case, at) * space.usd_per_kw_month * MONTHS_PER_YEAR
    if not is_zero(space.usd_per_rack_month):
        usd = usd + racks_count(case, at) * space.usd_per_rack_month * MONTHS_PER_YEAR
    usd = usd * case.price_factor("space", at)
    case.pay_interval("space", at, usd)
    months, term = case.scene.months, space.term_months
    stops = case.scene.assumptions.end == "work_stops" and at == len(case.scene.intervals) - 1
    if stops and term and months % term and not is_zero(usd):
        case.book.point("remaining", months, usd / MONTHS_PER_YEAR * (term - months % term))


def _network(case: OwnedCase, at: int) -> None:
    network, scene = case.owned.network, case.scene
    usd: Amount = network.transit_usd_per_month
    usd = usd + network.cross_connects_count * network.cross_connect_usd_per_month
    for link in case.owned.links:
        usd = usd + link.usd_per_month
    if not is_zero(network.usd_per_tb) and scene.demand is not None:
        usd = usd + case.egress_tb(at) * network.usd_per_tb
    case.pay_interval("network", at, usd * MONTHS_PER_YEAR * case.price_factor("space", at))


def _software(case: OwnedCase, at: int) -> None:
    software = case.owned.software
    usd: Amount = software.usd_per_year
    for plan in case.plans:
        group = plan.group
        per_node = software.usd_per_core_year * group.cores_per_node_count
        per_node = per_node + software.usd_per_socket_year * group.sockets_per_node_count
        usd = usd + plan.counts[at] * (per_node + software.usd_per_node_year)
    for array in case.arrays:
        nodes = storage_nodes_count(array.array, array.counts[at])
        usd = usd + nodes * software.usd_per_storage_node_year
    case.pay_interval("software", at, usd * case.price_factor("software", at))


def backup_tb(case: OwnedCase, at: int) -> Amount:
    """Data kept in backup in an interval. [TB]"""
    scene = case.scene
    backup = case.owned.backup
    if backup.data_tb is not None:
        return backup.data_tb
    if scene.demand is None:
        return scene.stored_tb
    timeline, interval = scene.timeline, scene.intervals[at]
    block = timeline.block_tb.mean_of(interval)
    if backup.covers == "block":
        return block
    return block + timeline.object_tb.mean_of(interval) + timeline.archive_tb.mean_of(interval)


def _backup(case: OwnedCase, at: int) -> None:
    price = case.owned.backup.usd_per_tb_month
    if not is_zero(price):
        usd = backup_tb(case, at) * price * MONTHS_PER_YEAR
        case.pay_interval("backup", at, usd * case.price_factor("storage", at))


def _sites(case: OwnedCase) -> None:
    for site in case.owned.sites:
        case.book.point("site", case.delivered_month, site.once_usd)
    for link in case.owned.links:
        case.book.point("network", case.delivered_month, link.once_usd)
    yearly = 0.0
    for site in case.owned.sites:
        yearly = yearly + site.usd_per_year
    case.pay_years("site", yearly, "space")
