"""What a rented design costs by the use of given machines, as studies of 2008 priced it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import is_zero, maximum, minimum
from capmodels.cost.tiered import band_cost
from capmodels.plans.costing.cloud_cost import CloudCase, copy_hours, on_demand_ratio, support_usd
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Instances
    from capmodels.plans.document.workload import Machines, UtilizationWorkload


def equivalent_count(item: Instances, machines: Machines) -> Amount:
    """Instances that stand for machines; a real number. [count]"""
    if item.equivalence == "explicit":
        return 0.0 if item.instances_count is None else item.instances_count
    disks = machines.node_count * machines.disks_per_node_count
    ways = {
        "by_core": (machines.node_count * machines.cores_per_node_count, item.vcpu_count),
        "by_disk_count": (disks, item.disks_count),
        "by_capacity": (disks * machines.disk_tb, item.disks_tb),
    }
    if item.equivalence != "max_of_all":
        amount, each = ways[item.equivalence]
        return amount / each
    count = 0.0
    for amount, each in ways.values():
        if not is_zero(each):
            count = maximum(count, amount / each)
    return count


def use_of(machines: Machines, work: UtilizationWorkload) -> Amount:
    """Utilisation of some machines: their own, or the study's."""
    own = machines.utilization_fraction
    return work.utilization_fraction if own is None else own


def full_usd_per_h(case: CloudCase, work: UtilizationWorkload, *, in_use: bool) -> Amount:
    """Price of an hour of all instances: at full use, or at the use that there is on spot or off.

    [USD/h]
    """
    usd: Amount = 0.0
    for item in case.cloud.instances:
        for machines in work.machines:
            if item.replaces in {None, machines.name}:
                count = equivalent_count(item, machines) * item.share_fraction
                used = use_of(machines, work) * on_demand_ratio(case.cloud, item) if in_use else 1.0
                usd = usd + count * item.usd_per_h * used
    return usd


def cost_cloud_by_use(case: CloudCase, work: UtilizationWorkload) -> None:
    """Write every payment of a rented design, but migration and staff, into its book.

    Instances are paid by average use, as if they could be released at will.
    """
    scene, book, kept = case.scene, case.book, case.kept
    agreed, lines = case.cloud.discounts, case.cloud.services
    once = _moved_usd(case, work) * kept * (1.0 - agreed.transfer_fraction)
    billed = sum(line.usd_per_month for line in lines if line.vendor is None)
    beside = sum(line.usd_per_month for line in lines if line.vendor is not None)
    if work.transfer_period == "once":
        book.point("transfer", 0, once, "rented")
    for year in range(scene.years):
        instances, copies = _compute_usd(case, work, year)
        stored: Amount = band_cost(work.storage_tb, case.tariffs.objects) * MONTHS_PER_YEAR
        stored = stored * scene.year_factor("storage", year) * (1.0 - agreed.object_fraction)
        moved: Amount = 0.0
        if work.transfer_period == "yearly":
            moved = once * scene.year_factor("transfer", year)
        bill = (instances + stored + copies) * kept + moved
        other = (bill - copies * kept) * case.cloud.transfer.other_fraction
        risen = scene.year_factor("services", year) * MONTHS_PER_YEAR
        services = billed * risen * kept
        bill = bill + services
        support = support_usd(case, (bill + other) / MONTHS_PER_YEAR) * MONTHS_PER_YEAR
        book.year("instances", year, instances * kept, "rented")
        book.year("storage", year, stored * kept, "rented")
        book.year("transfer", year, moved + other, "rented")
        book.year("copy", year, copies * kept, "rented")
        book.year("support", year, support, "rented")
        book.year("services", year, services + beside * risen, "rented")
        _credit(case, bill + other + support, year)


def _credit(case: CloudCase, bill_usd_per_year: Amount, year: int) -> None:
    """Pay a year's bills with the provider's credits, as far as they go."""
    given, first = case.cloud.credits, year * MONTHS_PER_YEAR
    last = min(first + case.scene.months_of(year), given.months)
    if last > first and not is_zero(given.usd):
        usd = minimum(bill_usd_per_year / MONTHS_PER_YEAR, given.usd / given.months)
        case.book.span("credits", range(first, last), -usd, "rented")


def _compute_usd(case: CloudCase, work: UtilizationWorkload, year: int) -> tuple[Amount, Amount]:
    """Instances and copies of a year, at list price. [USD/yr]"""
    scene, copying = case.scene, case.cloud.copying
    factor = scene.year_factor("instances", year)
    used = full_usd_per_h(case, work, in_use=True) * scene.assumptions.hours_per_year
    waiting = full_usd_per_h(case, work, in_use=False) * copying.times_per_year
    return used * factor, waiting * copy_hours(case.cloud) * factor


def _moved_usd(case: CloudCase, work: UtilizationWorkload) -> Amount:
    """What the data moved in a period costs, at list price. [USD]"""
    transfer, gb_per_tb = case.cloud.transfer, case.tariffs.moved_gb_per_tb
    into = work.transfer_in_tb * transfer.ingress_usd_per_gb * gb_per_tb
    return into + band_cost(work.transfer_out_tb, case.tariffs.egress)


def vcpu_hours_per_year(case: CloudCase, work: UtilizationWorkload, scene: Scene) -> Amount:
    """Hours of vCPUs rented in a year. [h/yr]"""
    count: Amount = 0.0
    for item in case.cloud.instances:
        for machines in work.machines:
            if item.replaces in {None, machines.name}:
                instances = equivalent_count(item, machines) * item.share_fraction
                count = count + instances * item.vcpu_count * use_of(machines, work)
    return count * scene.assumptions.hours_per_year
