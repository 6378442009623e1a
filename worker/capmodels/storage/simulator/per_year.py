"""What an array comes to per year: energy, capital, and how soon it loses data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.reliability.array_loss import (
    ArrayLossParams,
    array_mttdl_h,
    failure_rate_per_h,
    loss_fraction,
)
from capmodels.reliability.array_loss import Layout as LossLayout
from capmodels.reliability.loss_chain import chain_of, loss_within, mean_time_h
from capmodels.spec import Result
from capmodels.storage.simulator.params import YearTerms
from capmodels.units import HOURS_PER_YEAR, EnergyKwh, Fraction, Real, UsdPerYear, kwh_from_w

if TYPE_CHECKING:
    from capmodels.reliability.loss_chain import Chain
    from capmodels.storage.simulator.params import ArrayDesign

Years = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "yr"})]

_LAYOUTS: dict[str, LossLayout] = {
    "raid0": "raid0",
    "concatenated": "raid0",
    "raid1": "mirror",
    "mirrored_set": "mirror",
    "raid10": "raid10",
    "raid5": "raid5",
    "raid6": "raid6",
}


class PerYear(Result):
    """A year of the array at the run's mean power, and its chance to lose data."""

    energy_kwh: EnergyKwh
    energy_usd_per_year: UsdPerYear
    capital_usd_per_year: UsdPerYear | None = Field(
        description="Drives over their time in service; empty when a price is not given."
    )
    mttdl_years: Years | None = Field(
        description="Mean time to data loss, whole disks, from the disks that are left at the "
        "start on; empty when drives never fail."
    )
    loss_fraction: Fraction = Field(
        description="Chance of a loss in the time in service; disks that are lost at the start "
        "are repaired like any other."
    )


def capital_usd(design: ArrayDesign) -> float | None:
    """Price of all drives, None when one has no price. [USD]"""
    prices = [design.drive.price_usd] * disks_count(design)
    if design.cache is not None:
        prices.append(design.cache.device.price_usd)
    return sum(prices) if all(prices) else None


def disks_count(design: ArrayDesign) -> int:
    """Disks of the layout; a single one is one, whatever their number says."""
    return 1 if design.layout.kind == "single" else design.layout.disks_count


def chain(design: ArrayDesign, repair_h: float) -> Chain:
    """Losses and repairs of an array that survives the loss of a disk. [1/h]"""
    return chain_of(
        _LAYOUTS[design.layout.kind],
        disks_count=disks_count(design),
        rate_per_h=failure_rate_per_h(design.drive.afr_fraction),
        mttr_h=repair_h,
    )


def mttdl_years(design: ArrayDesign, repair_h: float) -> float | None:
    """Mean time to data loss from the disks that are left on, None when they never fail. [yr]"""
    afr, disks = design.drive.afr_fraction, disks_count(design)
    if not 0 < afr < 1:
        return None
    lost = design.layout.failed_disk_count
    if lost:
        return mean_time_h(chain(design, repair_h), lost) / HOURS_PER_YEAR
    if disks == 1:
        return 1 / failure_rate_per_h(afr) / HOURS_PER_YEAR
    params = ArrayLossParams(
        layout=_LAYOUTS[design.layout.kind], disks_count=disks, afr_fraction=afr, mttr_h=repair_h
    )
    found = array_mttdl_h(params) / HOURS_PER_YEAR
    return found if math.isfinite(found) else None


def loss_chance(design: ArrayDesign, terms: YearTerms) -> float:
    """Chance of data loss in the time in service. [fraction]

    With disks lost at the start, the time until they are repaired counts most: the loss is then
    not at a constant rate.
    """
    mttdl, lost = mttdl_years(design, terms.repair_h), design.layout.failed_disk_count
    if mttdl is None:
        return 0.0
    if lost:
        service_h = terms.service_years * HOURS_PER_YEAR
        return min(loss_within(chain(design, terms.repair_h), lost, service_h), 1.0)
    return loss_fraction(terms.service_years, mttdl)


def per_year(design: ArrayDesign, power_w: float, years: YearTerms | None) -> PerYear:
    """A year of an array that draws ``power_w`` on average."""
    terms = years or YearTerms()
    energy = kwh_from_w(power_w, HOURS_PER_YEAR)
    capital = capital_usd(design)
    return PerYear(
        energy_kwh=energy,
        energy_usd_per_year=energy * terms.energy_usd_per_kwh,
        capital_usd_per_year=None if capital is None else capital / terms.service_years,
        mttdl_years=mttdl_years(design, terms.repair_h),
        loss_fraction=loss_chance(design, terms),
    )
