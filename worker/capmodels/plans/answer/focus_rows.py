"""A design's cost as rows of FOCUS, so that finance reads own hardware beside a cloud's bill.

FinOps Open Cost and Usage Specification 1.3: BilledCost is what is paid in a period, EffectiveCost
what it uses up. A purchase is billed when it is paid and written off over its life, so its own
rows have no effective cost and rows of depreciation no billed one. What 1.3 deprecates
(ProviderName, PublisherName) stands beside what takes its place, for readers of older versions.
"""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal
from typing import TYPE_CHECKING, Any

from capmodels.numbers import Currency
from capmodels.plans.causes import BY_KEY, CAPITAL_CAUSES
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

COLUMNS = (
    "BillingAccountId", "BillingAccountName", "BillingCurrency", "BillingPeriodStart",
    "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "ChargeClass",
    "ChargeDescription", "ChargeFrequency", "BilledCost", "EffectiveCost", "ListCost",
    "ContractedCost", "PricingQuantity", "PricingUnit", "ServiceProviderName", "HostProviderName",
    "ProviderName", "PublisherName", "InvoiceIssuerName", "ServiceCategory", "ServiceName",
    "ResourceId", "ResourceName",
)  # fmt: skip
_CENT = Decimal("0.01")
_CATEGORIES = {"tax": "Tax", "credits": "Credit", "salvage": "Credit"}
_SERVICES = {
    "hardware": "Compute", "drives": "Storage", "enclosures": "Storage", "replacements": "Storage",
    "backup": "Storage", "storage": "Storage", "network": "Networking", "transfer": "Networking",
    "instances": "Compute", "commitment": "Compute", "staff": "Management and Governance",
    "depreciation": "Compute", "existing": "Compute",
}  # fmt: skip
_OWN, _RENTED = "Own hardware", "Rented capacity"
# A cell that a spreadsheet would run begins with one of these.
_RUNS = ("=", "+", "-", "@", "\t", "\r")


def focus_csv(result: Mapping[str, Any], starts_on: date) -> str:
    """Every design of a plan's answer as rows of FOCUS, year by year and cause by cause.

    Every cost is in ``BillingCurrency``, as FOCUS requires: the currency of the study.
    """
    currency = Currency.stated(result["currency"])
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="")
    writer.writeheader()
    for design in result["designs"]:
        writer.writerows(focus_rows(design, starts_on, currency))
    return text.getvalue()


def focus_rows(
    design: Mapping[str, Any], starts_on: date, currency: Currency
) -> Iterator[dict[str, str]]:
    """The rows of one design: billed they add up to its total, to the cent."""
    charges = list(_charges(design))
    billed = _cents([currency.amount(one[3]) for one in charges])
    effective = _cents([currency.amount(one[4]) for one in charges])
    months = len(design["cumulative_usd"]) - 1
    for (year, cause, side, *_), paid, used in zip(charges, billed, effective, strict=True):
        first = (year - 1) * MONTHS_PER_YEAR
        start = _moved(starts_on, first)
        end = _moved(starts_on, min(first + MONTHS_PER_YEAR, months))
        title = _plain(design["title"])
        provider = _OWN if side == "owned" else _RENTED
        is_bought = cause in CAPITAL_CAUSES and cause not in _CATEGORIES
        yield {
            "BillingAccountId": design["letter"],
            "BillingAccountName": title,
            "BillingCurrency": currency.code,
            "BillingPeriodStart": start,
            "BillingPeriodEnd": end,
            "ChargePeriodStart": start,
            "ChargePeriodEnd": end,
            "ChargeCategory": _CATEGORIES.get(cause, "Purchase" if is_bought else "Usage"),
            "ChargeDescription": _label(cause, side),
            "ChargeFrequency": "One-Time" if is_bought else "Recurring",
            "BilledCost": str(paid),
            "EffectiveCost": str(used),
            "ListCost": str(paid),
            "ContractedCost": str(paid),
            "ServiceProviderName": provider,
            "HostProviderName": provider,
            "ProviderName": provider,
            "PublisherName": provider,
            "InvoiceIssuerName": provider,
            "ServiceCategory": _SERVICES.get(cause, "Other"),
            "ServiceName": _label(cause, side),
            "ResourceId": f"{design['letter']}/{cause}",
            "ResourceName": title,
        }


Charge = tuple[int, str, str, float, float]


def _charges(design: Mapping[str, Any]) -> Iterator[Charge]:
    """Year, cause, side, what is paid and what is used up."""
    owned = {one["cause"] for one in design["causes"] if one["side"] == "owned"}
    is_written_off = any(year["depreciation_usd"] for year in design["years"])
    for year in design["years"]:
        for name, usd in year["causes"].items():
            cause = name.removeprefix("cloud_")
            side = "owned" if cause in owned and name == cause else "rented"
            bought = is_written_off and side == "owned" and cause in CAPITAL_CAUSES
            if usd:
                yield year["year"], cause, side, usd, 0.0 if bought else usd
        if year["depreciation_usd"]:
            yield year["year"], "depreciation", "owned", 0.0, year["depreciation_usd"]


def _label(cause: str, side: str) -> str:
    found = next((one for key, one in BY_KEY.items() if key == (cause, side)), None)
    return found.label if found else cause.capitalize()


def _cents(amounts: Sequence[float]) -> list[Decimal]:
    """Amounts in cents that add up to their sum in cents: what rounding takes, the next gets."""
    found, whole, before = [], Decimal(0), Decimal(0)
    for amount in amounts:
        whole += Decimal(amount)
        rounded = whole.quantize(_CENT, ROUND_HALF_EVEN)
        found.append(rounded - before)
        before = rounded
    return found


def _moved(day: date, months: int) -> str:
    """The first of the month some months later, as FOCUS writes it: periods begin with a month."""
    at = day.year * MONTHS_PER_YEAR + day.month - 1 + months
    return f"{date(at // MONTHS_PER_YEAR, at % MONTHS_PER_YEAR + 1, 1)}T00:00:00Z"


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_RUNS) else text
