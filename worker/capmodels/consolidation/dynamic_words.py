"""What a replayed day says: its saving a year, its best policy, and the sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.consolidation.dynamic_params import Saving
from capmodels.numbers import counted, percent, quantity, significant
from capmodels.units import HOURS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.consolidation.dynamic_params import DayResult, DynamicParams, StaticPlan

_STILL = {"NPA", "DVFS"}


def drawn_kwh(day: DayResult) -> float:
    """All that a day draws: hosts, copying and switching. [kWh]"""
    return day.energy_kwh + day.moving_kwh + day.switching_kwh


def saving_of(
    params: DynamicParams, day: DayResult, still: DayResult | None, duration_h: float
) -> Saving | None:
    """What a year of such days saves against machines left in place; None without that day."""
    if still is None or duration_h <= 0:
        return None
    a_year = HOURS_PER_YEAR / duration_h * params.pue
    kwh = (drawn_kwh(still) - drawn_kwh(day)) * a_year
    carbon = params.carbon_gco2e_per_kwh
    return Saving(
        kwh_per_year=kwh,
        usd_per_year=kwh * params.electricity_usd_per_kwh,
        kgco2e_per_year=None if carbon is None else kwh * carbon / 1000.0,
    )


def best_of(days: Sequence[DayResult]) -> DayResult | None:
    """The moving policy of least energy times broken service (ESV), the article's own measure."""
    moving = [day for day in days if day.policy not in _STILL]
    return min(moving, key=lambda day: day.esv_kwh, default=None)


def headline(
    params: DynamicParams, static: StaticPlan, best: DayResult | None, hosts_count: int
) -> str:
    """The hosts at the percentile, where machines move and where they do not."""
    share = f"{params.percentile_fraction * 100:g}th percentile"
    still = f"{counted(static.hosts_count, 'host')} if nothing moves"
    binds = "CPU" if static.binding == "cpu" else "memory"
    if not static.fits:
        still = f"more than the {hosts_count} hosts if nothing moves"
    if best is None:
        return f"At the {share} this load needs **{still}**; {binds} is the constraint."
    hosts = math.ceil(best.hosts_on_percentile_count - 1e-9)
    return (
        f"At the {share} this load needs **{hosts} of {hosts_count} hosts** with {best.policy}, "
        f"and {still}; {binds} is the constraint there."
    )


def notes(
    params: DynamicParams, static: StaticPlan, best: DayResult | None, duration_h: float
) -> tuple[str, ...]:
    """What the answer rests on: moves, broken service, saving, and how memory counts."""
    said = [
        f"Without moves, hosts are short of CPU for {percent(static.short_fraction)} of their "
        f"time; no plan needs fewer than {counted(static.bound_count, 'host')} of the largest kind."
    ]
    if best is not None:
        said.insert(
            0,
            f"{best.policy} makes {significant(best.moves_per_host_per_day)} moves a day per host "
            f"({best.migrations_count:,} in {quantity(duration_h, 'h')}), at most "
            f"{best.hosts_on_most_count} hosts are on, and hosts are at 100% CPU for "
            f"{percent(best.slatah_fraction)} of their active time (SLATAH).",
        )
        said += _saved(best)
    if not params.memory_limits:
        said.append("Moves do not look at memory: it limits the first placement only.")
    return tuple(said)


def _saved(best: DayResult) -> list[str]:
    saving = best.saving
    if saving is None:
        return []
    if saving.kwh_per_year <= 0:
        return ["It saves nothing against leaving all machines in place."]
    parts = [quantity(saving.kwh_per_year, "kWh"), quantity(saving.usd_per_year, "USD")]
    if saving.kgco2e_per_year is not None:
        parts.append(quantity(saving.kgco2e_per_year, "kgCO2e"))
    moving = quantity(best.moving_kwh + best.switching_kwh, "kWh")
    return [
        f"A year of such days saves {' and '.join([', '.join(parts[:-1]), parts[-1]])} against "
        f"leaving all machines in place, less the {moving} that copying and switching draw in "
        "the time replayed."
    ]
