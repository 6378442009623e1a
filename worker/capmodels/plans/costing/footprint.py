"""Energy and carbon of a design: modelled where it is owned, estimated where it is rented."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import mul
from typing import TYPE_CHECKING

from capmodels.amounts import fsum, is_zero
from capmodels.carbon.embodied import embodied_share_kgco2e
from capmodels.plans.costing.owned_cost import OwnedCase, owned_pue
from capmodels.plans.costing.use_cost import vcpu_hours_per_year
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.series import each
from capmodels.units import GRAMS_PER_KG, HOURS_PER_YEAR, MONTHS_PER_YEAR, WATTS_PER_KW
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import CloudEnergy
    from capmodels.series import Series

KG_PER_TONNE = 1000.0


@dataclass(slots=True)
class YearFootprint:
    """Electricity of a year with cooling, and the same weighted by the hours' intensity."""

    by_cause_kwh: dict[str, Amount] = field(default_factory=dict)
    kwh: Amount = 0.0
    carbon_kwh: Amount = 0.0

    def add(self, other: YearFootprint, share: float) -> None:
        """Add a share of another."""
        for cause, kwh in other.by_cause_kwh.items():
            self.by_cause_kwh[cause] = self.by_cause_kwh.get(cause, 0.0) + kwh * share
        self.kwh = self.kwh + other.kwh * share
        self.carbon_kwh = self.carbon_kwh + other.carbon_kwh * share


def owned_year(case: OwnedCase, year: int) -> YearFootprint:
    """Electricity of owned nodes in a year, 0 being the first."""
    pue = owned_pue(case.owned, case.scene)
    causes: dict[str, Amount] = {}
    it_kwh: Amount = 0.0
    carbon_kwh: Amount = 0.0
    for at in case.scene.intervals_of(year):
        energy = case.energies[at]
        for name, kwh in energy.by_group_kwh.items():
            causes[name] = causes.get(name, 0.0) + kwh
        it_kwh, carbon_kwh = it_kwh + energy.it_kwh, carbon_kwh + energy.carbon_kwh
    it_kwh = named(it_kwh, "Energy of all machines, before cooling", "kWh")
    causes["cooling"] = it_kwh * (pue - 1.0)
    return YearFootprint(causes, it_kwh * pue, carbon_kwh * pue)


def coefficients_of(case: CloudCase) -> CloudEnergy:
    """Return the coefficients of a design that is known to have them."""
    if case.cloud.energy is None:
        raise TypeError
    return case.cloud.energy


def rented_year(case: CloudCase, year: int) -> YearFootprint:
    """Estimate of the electricity of rented capacity in a year, by its coefficients."""
    scene, energy = case.scene, coefficients_of(case)
    if not _months(case, year):
        return YearFootprint()
    if isinstance(scene.study.workload, UtilizationWorkload):
        instances, stored = _by_use_kwh(case, scene.study.workload, year)
    else:
        instances, stored = _by_demand_kwh(case, year)
    cooling = (instances + stored) * (energy.pue - 1.0)
    causes = {"instances": instances, "storage": stored, "cooling": cooling}
    total = instances + stored + cooling
    return YearFootprint(causes, total, total)


def _by_use_kwh(case: CloudCase, work: UtilizationWorkload, year: int) -> tuple[Amount, Amount]:
    """Rented by average use, instances are busy while they are rented."""
    energy, scene = coefficients_of(case), case.scene
    part = scene.months_of(year) / MONTHS_PER_YEAR
    hours = vcpu_hours_per_year(case, work, scene) * part
    stored_w = work.storage_tb * energy.object_w_per_tb * energy.copies_count
    stored = stored_w * scene.assumptions.hours_per_year * part / WATTS_PER_KW
    return hours * energy.full_w_per_vcpu / WATTS_PER_KW, stored


def _by_demand_kwh(case: CloudCase, year: int) -> tuple[Amount, Amount]:
    scene, energy = case.scene, coefficients_of(case)
    hours = scene.hours_per_month * len(_months(case, year))
    cores = scene.timeline.cores.monthly
    busy = _mean(case, cores if case.burst is None else each(mul, cores, case.burst), year)
    watts: Amount = 0.0
    for mix in case.mixes:
        rented = _mean(case, mix.committed, year) + _mean(case, mix.on_demand, year)
        idle = rented * mix.item.vcpu_count * energy.idle_w_per_vcpu
        loaded = busy * mix.item.share_fraction / mix.item.perf_per_vcpu_ratio
        watts = watts + idle + loaded * (energy.full_w_per_vcpu - energy.idle_w_per_vcpu)
    stored = _stored_w(case, year)
    return watts * hours / WATTS_PER_KW, stored * hours / WATTS_PER_KW


def _months(case: CloudCase, year: int) -> range:
    first = year * MONTHS_PER_YEAR
    return range(max(first, case.since_month), first + case.scene.months_of(year))


def _mean(case: CloudCase, series: Series, year: int) -> Amount:
    months = _months(case, year)
    return case.scene.form.mean(series, months.start, months.stop)


def _stored_w(case: CloudCase, year: int) -> Amount:
    """Mean power of what is stored in a year, all copies."""
    energy, timeline = coefficients_of(case), case.scene.timeline
    block_tb = timeline.block_tb.year_mean(year) + case.burst_storage_tb
    objects_tb = timeline.object_tb.year_mean(year) + timeline.archive_tb.year_mean(year)
    watts = block_tb * energy.storage_w_per_tb + objects_tb * energy.object_w_per_tb
    return watts * energy.copies_count


def rents_gpus(case: CloudCase, *, all_of_it: bool) -> bool:
    """Whether GPUs are rented, for which there are no coefficients; of a hybrid, what it rents."""
    items = case.cloud.instances if all_of_it else [mix.item for mix in case.mixes]
    return any(item.gpus_count > 0 for item in items)


def cost_carbon(
    book: Book, scene: Scene, owned: OwnedCase | None, rented: CloudCase | None
) -> None:
    """Write what the emissions of electricity cost at the internal price of carbon."""
    carbon = scene.assumptions.carbon
    if is_zero(carbon.usd_per_t) or carbon.gco2e_per_kwh is None:
        return
    per_kwh = carbon.gco2e_per_kwh / GRAMS_PER_KG / KG_PER_TONNE * carbon.usd_per_t
    for year in range(scene.years):
        sides: list[tuple[Side, Amount, int]] = []
        if owned is not None:
            kwh = owned_year(owned, year).carbon_kwh
            sides.append(("owned", kwh, owned.delivered_month))
        if rented is not None and rented.cloud.energy is not None:
            kwh = rented_year(rented, year).carbon_kwh
            sides.append(("rented", kwh, rented.since_month))
        first = year * MONTHS_PER_YEAR
        for side, kwh, since in sides:
            if months := range(max(first, since), first + scene.months_of(year)):
                book.yearly("carbon", months, kwh * per_kwh * MONTHS_PER_YEAR / len(months), side)


def owned_embodied_kgco2e(case: OwnedCase) -> tuple[Amount, Amount, Amount] | None:
    """Embodied emissions of owned nodes, amortised to the horizon: mode, low, high.

    Each node counts for the months that it is in place over its life. None when a group
    has no figure.
    """
    mode: Amount = 0.0
    low: Amount = 0.0
    high: Amount = 0.0
    for plan in case.plans:
        embodied = plan.group.embodied
        if embodied is None:
            return None
        there = _months_in_place(plan.counts, case)
        least = embodied.kgco2e if embodied.low_kgco2e is None else embodied.low_kgco2e
        most = embodied.kgco2e if embodied.high_kgco2e is None else embodied.high_kgco2e
        mode += _amortised_kgco2e(embodied.kgco2e, there, embodied.life_months)
        low += _amortised_kgco2e(least, there, embodied.life_months)
        high += _amortised_kgco2e(most, there, embodied.life_months)
    for arrays in case.arrays:
        made = _array_embodied_kgco2e(arrays, case)
        if made is None:
            return None
        mode, low, high = mode + made[0], low + made[1], high + made[2]
    return mode, low, high


def _amortised_kgco2e(made_kgco2e: Amount, months: Amount, life_months: Amount) -> Amount:
    """Part of what making something emitted that falls on some months of its life. [kg CO2e]"""
    return embodied_share_kgco2e(
        embodied_kgco2e=made_kgco2e,
        duration_h=months / MONTHS_PER_YEAR * HOURS_PER_YEAR,
        life_years=life_months / MONTHS_PER_YEAR,
        resource_fraction=1.0,
    )


def _months_in_place(counts: list[Amount], case: OwnedCase) -> Amount:
    return sum(count * case.months_in(at) for at, count in enumerate(counts))


def _array_embodied_kgco2e(
    plan: ArrayPlan, case: OwnedCase
) -> tuple[Amount, Amount, Amount] | None:
    array, embodied = plan.array, plan.array.embodied
    if embodied is None:
        return None
    drives = (array.disks_count + array.spares_count) * embodied.drive_kgco2e
    boxes = embodied.enclosure_kgco2e * array.enclosures_count
    there = _months_in_place(plan.counts, case)
    made = _amortised_kgco2e(drives + boxes, there, embodied.life_months)
    empty = _months_in_place(plan.empties, case)
    if not is_zero(empty):
        spares = array.spares_count * embodied.drive_kgco2e
        made = made + _amortised_kgco2e(spares + boxes, empty, embodied.life_months)
    return made, made * embodied.low_ratio, made * embodied.high_ratio


def rented_embodied_kgco2e(case: CloudCase) -> tuple[Amount, Amount, Amount] | None:
    """Embodied emissions of rented vCPUs over the horizon: mode, low, high; None if unknown."""
    scene, energy = case.scene, coefficients_of(case)
    rate = energy.embodied_kgco2e_per_vcpu_year
    if rate is None:
        return None
    if isinstance(scene.study.workload, UtilizationWorkload):
        hours = vcpu_hours_per_year(case, scene.study.workload, scene)
        vcpu_years = hours / scene.assumptions.hours_per_year * scene.months / MONTHS_PER_YEAR
    else:
        vcpu_years = 0.0
        for mix in case.mixes:
            instance_months = fsum((*mix.committed, *mix.on_demand))
            vcpu_years += instance_months * mix.item.vcpu_count / MONTHS_PER_YEAR
    amount = vcpu_years * rate
    return amount, amount * energy.low_ratio, amount * energy.high_ratio
