"""Hours down a year, and what they are made of, as the comparison shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, is_zero
from capmodels.numbers import percent, quantity
from capmodels.plans.answer.row import DOWN, row_of
from capmodels.plans.comparison import DowntimeFigures
from capmodels.plans.costing.downtime import (
    mean_downtime,
    needed_fraction,
    promised,
    unknown_downtime,
)
from capmodels.providers import PROVIDERS
from capmodels.told import listed

if TYPE_CHECKING:
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.scene import Scene
    from capmodels.spec import JSONDict


def down_figures(item: Costed, scene: Scene) -> DowntimeFigures:
    """Return the hours down of a design, or why they are unknown."""
    why = unknown_downtime(scene, item.owned, item.rented)
    if why is not None:
        return DowntimeFigures(reason=why)
    down = mean_downtime(scene, item.owned, item.rented)
    sites, provider = as_number(down.sites_h), as_number(down.provider_h)
    machines = as_number(down.machines_h)
    parts = []
    if item.owned is not None:
        parts.append(f"{quantity(sites, 'h/yr')} of {_sites(scene)}")
    if item.rented is not None:
        parts.append(f"{quantity(provider, 'h/yr')} by {_term(item.rented)}{_when(item)}")
    if machines > 0 or not parts:
        parts.append(f"{quantity(machines, 'h/yr')} of more machines than are to spare")
    return DowntimeFigures(
        h_per_year=as_number(down.total_h),
        sites_h_per_year=None if item.owned is None else sites,
        provider_h_per_year=None if item.rented is None else provider,
        machines_h_per_year=machines,
        what=f"{listed(parts)}.",
    )


def _when(item: Costed) -> str:
    """In how many hours a hybrid needs what it rents, where it does not in all."""
    case = item.rented
    if item.owned is None or case is None or case.needed is None:
        return ""
    intervals = case.scene.intervals
    needed = sum(
        as_number(needed_fraction(case, at)) * interval.months / case.scene.months
        for at, interval in enumerate(intervals)
    )
    return f" in the {percent(needed)} of the hours that need it"


def _sites(scene: Scene) -> str:
    available, up = scene.work.availability, scene.assumptions.downtime.site_up_fraction
    one = f"a site that is up {_exact(up)} of the time"
    if available.sites_count == 1:
        return one
    lost = (
        "one of which may be lost" if available.survive_site_loss else "none of which may be lost"
    )
    return f"{available.sites_count} sites ({lost}), each up {_exact(up)} of the time"


def _term(case: CloudCase) -> str:
    """What a provider promises, as entered or as it publishes it."""
    available = case.scene.work.availability
    several = available.sites_count > 1 and available.survive_site_loss
    held = promised(case.cloud)[1 if several else 0]
    entered = case.cloud.uptime.zones_fraction if several else case.cloud.uptime.one_zone_fraction
    published = PROVIDERS.get(case.cloud.provider)
    where = "over several zones" if several else "in one zone"
    if entered is not None or published is None or published.uptime is None or held is None:
        return f"the {_exact(held)} that is promised {where}"
    return (
        f"the {_exact(held)} that {published.title} promises {where} ({published.uptime.as_of[:4]})"
    )


def _exact(fraction: object) -> str:
    """A share near 1 with all its digits: 99.99%."""
    return percent(None) if not isinstance(fraction, float) else f"{fraction * 100:.6g}%"


def down_row(columns: list[DesignResult], told: str) -> JSONDict:
    """Hours down a year of each design."""
    row = row_of(
        DOWN,
        f"Hours down a year{told}",
        "h/yr",
        columns,
        lambda c: (c.downtime.h_per_year, c.downtime.reason),
    )
    row["notes"] = {
        column.letter: column.downtime.what
        for column in columns
        if column.downtime.what is not None
    }
    return row


def uncounted_downtime(columns: list[DesignResult], scene: Scene) -> list[str]:
    """Say of which designs an hour down has a price and the hours are unknown."""
    if is_zero(scene.assumptions.downtime.usd_per_h):
        return []
    unknown = [column for column in columns if column.downtime.h_per_year is None]
    if not unknown:
        return []
    letters = listed([column.letter for column in unknown])
    reasons = " ".join(dict.fromkeys(column.downtime.reason or "" for column in unknown))
    return [f"No cost of downtime is counted in {letters}, whose hours down are unknown: {reasons}"]
