"""What an array saves over the drives that it replaces, and when electricity has paid it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import percent, quantity

if TYPE_CHECKING:
    from capmodels.storage.closed_form.params import ArrayInstantResult, Replaced
    from capmodels.storage.simulator.params import ArrayDesign

# No drive is kept in service as long; past it, electricity is not the reason to swap. [yr]
_LONGEST_SERVICE_YEARS = 10
_LEAST_W = 0.005


def swap_sentence(
    replaces: Replaced | None,
    array: ArrayDesign,
    found: ArrayInstantResult | None,
    none: str | None,
) -> str | None:
    """Return the sentence; None where nothing is replaced."""
    if replaces is None:
        return None
    if found is None or found.saved_w is None or found.saved_usd_per_year is None:
        return f"What the swap saves is known in closed form only. {none or ''}".strip()
    count, name = replaces.disks_count, replaces.drive.name
    old = name if count == 1 else f"{count} × {name}"
    cost = _cost(replaces, array, found.payback_years)
    saved = found.saved_w
    if saved <= _LEAST_W:
        same = abs(saved) < _LEAST_W
        more = f"Uses {quantity(-saved, 'W')} more than {old}"
        return f"{f'Uses as much power as {old}' if same else more}. {cost}"
    power = found.always_on_w if found.one_awake_w is None else found.one_awake_w
    share = percent(saved / (saved + power))
    yearly = f"{quantity(found.saved_usd_per_year, 'USD')} a year"
    return f"Saves {quantity(saved, 'W')} ({share}) over {old}, {yearly}. {cost}"


def _cost(replaces: Replaced, array: ArrayDesign, years: float | None) -> str:
    unpriced = next((d.name for d in (array.drive, replaces.drive) if d.price_usd <= 0), None)
    if unpriced is not None:
        return f"The price of {unpriced} is not known: enter it for the time to pay back."
    extra = array.layout.disks_count * array.drive.price_usd
    extra -= replaces.disks_count * replaces.drive.price_usd
    if extra <= 0:
        return f"Its drives cost {quantity(-extra, 'USD')} less."
    more = f"Its drives cost {quantity(extra, 'USD')} more"
    if years is None:
        return f"{more}, which electricity never pays back."
    text = f"{more}: electricity alone pays that back in {quantity(years, 'yr')}."
    if years <= _LONGEST_SERVICE_YEARS:
        return text
    return f"{text} The case for the swap is the density of power and cooling."
