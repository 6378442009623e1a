"""What an array comes to per year: energy, capital, and how soon it loses data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.reliability.array_loss import (
    loss_chain_of,
    lost_within,
    mttdl_years,
    rebuild_h,
    spread_rebuild_h,
)
from capmodels.reliability.loss_params import ArrayLossParams, Hours, Repair
from capmodels.reliability.loss_params import Layout as LossLayout
from capmodels.spec import Result
from capmodels.storage.simulator.layout import DECLUSTERED
from capmodels.storage.simulator.params import YearTerms
from capmodels.units import (
    HOURS_PER_YEAR,
    SECONDS_PER_HOUR,
    EnergyKwh,
    Fraction,
    Real,
    UsdPerYear,
    kwh_from_w,
)

if TYPE_CHECKING:
    from capmodels.reliability.loss_chain import Chain
    from capmodels.storage.simulator.params import ArrayDesign

Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]

_MOST_PER_BIT = 1e-6
_LAYOUTS: dict[str, LossLayout] = {
    "raid0": "raid0",
    "concatenated": "raid0",
    "raid1": "mirror",
    "mirrored_set": "mirror",
    "raid10": "raid10",
    "raid5": "raid5",
    "raid6": "raid6",
    "raid7": "raid7",
    "single": "raid0",
    "draid1": "draid1",
    "draid2": "draid2",
    "draid3": "draid3",
}


class PerYear(Result):
    """A year of the array at the run's mean power, and its chance to lose data."""

    energy_kwh: EnergyKwh
    energy_usd_per_year: UsdPerYear
    capital_usd_per_year: UsdPerYear | None = Field(
        description="Drives over their time in service; empty when a price is not given."
    )
    repair_h: Hours = Field(description="Until a lost disk is whole again.")
    mttdl_years: Years | None = Field(
        description="Mean time until disks or a sector that a rebuild cannot read are lost, from "
        "the disks that are left at the start on; empty when drives never fail."
    )
    loss_fraction: Fraction = Field(
        description="Chance of a loss in the time in service; disks that are lost at the start "
        "are repaired like any other."
    )


def capital_usd(design: ArrayDesign, spares_count: int = 0) -> float | None:
    """Price of all drives and hot spares, None when one has no price. [USD]"""
    prices = [design.drive.price_usd] * (disks_count(design) + spares_count)
    if design.cache is not None:
        prices.append(design.cache.device.price_usd)
    return sum(prices) if all(prices) else None


def disks_count(design: ArrayDesign) -> int:
    """Disks of the layout; a single one is one, whatever their number says."""
    return 1 if design.layout.kind == "single" else design.layout.disks_count


def spares_wake_s(design: ArrayDesign) -> float:
    """Time until a spare that sleeps has spun up; 0 where it idles. [s]"""
    drive, sleeps = design.drive, design.layout.spares_sleep
    if not sleeps or drive.kind != "hdd" or drive.standby is None:
        return 0.0
    return drive.standby.up_s


def spares_w(design: ArrayDesign, terms: YearTerms) -> float:
    """Draw of hot spares, which idle or sleep until they are needed. [W]"""
    drive = design.drive
    each = drive.idle_w
    if design.layout.spares_sleep and drive.kind == "hdd" and drive.standby is not None:
        each = drive.standby.power_w
    return terms.spares_count * each


def repair_h_of(design: ArrayDesign, terms: YearTerms, rebuild_s: float | None) -> float:
    """Time until a lost disk is whole again: as entered, else waited for and rebuilt. [h]

    The rebuild takes what it took in the run, else the drive's size at the rate of its rebuild; in
    a declustered array all drives take part in it.
    """
    if terms.repair_h is not None:
        return terms.repair_h
    layout = design.layout
    spread = layout.kind in DECLUSTERED and layout.distributed_spares_count > 0
    wait = 0.0 if spread or terms.spares_count else terms.replacement_h
    if not spread and terms.spares_count:
        wait = spares_wake_s(design) / SECONDS_PER_HOUR
    if rebuild_s is not None:
        return wait + rebuild_s / SECONDS_PER_HOUR
    if spread and 0 < design.drive.afr_fraction < 1:
        return spread_rebuild_h(_loss_params(design, None))
    rate = layout.rebuild_mb_per_s or Repair().rebuild_mb_per_s
    return wait + rebuild_h(design.drive.capacity_gb, rate)


def _loss_params(design: ArrayDesign, repair_h: float | None) -> ArrayLossParams:
    """The array as the model of losses has it.

    A set of mirrors of one disk keeps no second copy: for its losses it is a disk alone.
    """
    layout, repair = design.layout, Repair()
    alone = layout.kind == "mirrored_set" and layout.disks_count == 1
    spares = layout.distributed_spares_count if layout.kind in DECLUSTERED else 0
    rate = layout.rebuild_mb_per_s or repair.rebuild_mb_per_s
    return ArrayLossParams(
        layout="raid0" if alone else _LAYOUTS[layout.kind],
        disks_count=disks_count(design),
        stripe_disks_count=layout.stripe_disks_count,
        disk_gb=design.drive.capacity_gb,
        afr_fraction=design.drive.afr_fraction,
        mttr_h=repair_h,
        repair=Repair(spares_count=spares, rebuild_mb_per_s=rate),
        unrecoverable_per_bit=min(design.drive.unrecoverable_per_bit, _MOST_PER_BIT),
    )


def chain(design: ArrayDesign, repair_h: float) -> Chain:
    """Losses and repairs of an array: that of ``reliability.array_loss``. [1/h]"""
    return loss_chain_of(_loss_params(design, repair_h))


def mttdl_of(design: ArrayDesign, repair_h: float) -> float | None:
    """Mean time to lost data from the disks that are left on, None when they never fail. [yr]"""
    if not 0 < design.drive.afr_fraction < 1:
        return None
    return mttdl_years(chain(design, repair_h), design.layout.failed_disk_count)


def loss_chance(design: ArrayDesign, terms: YearTerms, repair_h: float) -> float:
    """Chance of data loss in the time in service, from the disks that are left on. [fraction]"""
    if not 0 < design.drive.afr_fraction < 1:
        return 0.0
    lost = design.layout.failed_disk_count
    return lost_within(chain(design, repair_h), terms.service_years, lost)


def per_year(
    design: ArrayDesign, power_w: float, years: YearTerms | None, rebuild_s: float | None = None
) -> PerYear:
    """A year of an array that draws ``power_w`` on average; ``rebuild_s`` as the run had it."""
    terms = years or YearTerms()
    repair_h = repair_h_of(design, terms, rebuild_s)
    energy = kwh_from_w(power_w + spares_w(design, terms), HOURS_PER_YEAR)
    capital = capital_usd(design, terms.spares_count)
    return PerYear(
        energy_kwh=energy,
        energy_usd_per_year=energy * terms.energy_usd_per_kwh,
        capital_usd_per_year=None if capital is None else capital / terms.service_years,
        repair_h=repair_h,
        mttdl_years=mttdl_of(design, repair_h),
        loss_fraction=loss_chance(design, terms, repair_h),
    )
