"""Prices as Azure's retail price service answers: pages of items, one page or several in a list.

Source: Microsoft Learn, "Azure Retail Prices overview" (API version 2023-01-01-preview).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capmodels.imports.json_stream import Large, items
from capmodels.imports.prices import Listed, plan_price, price_importer
from capmodels.imports.texts import pages_of
from capmodels.units import HOURS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

_YEARS = {"1 Year": 1, "3 Years": 3}
# Machines that are not the plain ones under Linux, by the words of their product and SKU.
_OTHER = ("Windows", "Spot", "Low Priority", "CloudServices", "Cloud Services", "Dedicated")


PAGES = "azure:prices"
# So many are read between two signs of life.
_TOLD_EACH = 20_000
_ITEM = frozenset({"armSkuName", "armRegionName", "retailPrice", "currencyCode"})


def fits(columns: frozenset[str]) -> bool:
    """Whether it is a page of retail prices."""
    return PAGES in columns or columns >= _ITEM


def read(file: Large | Document, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of virtual machines under Linux.

    Raises
    ------
    FileRefused
        When prices are in several currencies, or there is none of a machine.
    """
    listed = Listed(provider="azure", source="Azure retail prices")
    found = items(file, b"Items") if isinstance(file, Large) else pages_of(file.values)
    for count, item in enumerate(found):
        if count % _TOLD_EACH == 0:
            report(0.2, f"Read {count:,} prices")
        listed.currencies.add(str(item.get("currencyCode")))
        listed.as_of = max(listed.as_of, str(item.get("effectiveStartDate", ""))[:10])
        try:
            _take(item, listed)
        except (TypeError, ValueError, AttributeError):
            said = f"{item.get('armSkuName')} in {item.get('armRegionName')}"
            listed.faults.append((0, f"{said}: {str(item.get('retailPrice'))[:40]!r} is no price"))
    return listed.preview()


def _take(item: Mapping[str, Any], listed: Listed) -> None:
    words = f"{item.get('productName', '')} {item.get('skuName', '')}"
    name, kind = item.get("armSkuName"), item.get("type")
    other = any(word in words for word in _OTHER)
    is_hour = item.get("unitOfMeasure") == "1 Hour"
    if item.get("serviceName") != "Virtual Machines" or not name or other or not is_hour:
        family = str(item.get("serviceName", "")) + (" of other kinds" if name and other else "")
        listed.left_out[family] += 1
        return
    place = str(item.get("armRegionName", "")), str(name)
    price = float(item.get("retailPrice") or 0.0)
    term = str(item.get("reservationTerm"))
    if kind == "Consumption":
        listed.add(place, "usd_per_h", price)
        for plan in item.get("savingsPlan") or ():
            if plan.get("term") in _YEARS:
                figure = plan_price("savings_plan", _YEARS[plan["term"]])
                listed.add(place, figure, float(plan["retailPrice"]))
    elif kind == "Reservation" and term in _YEARS:
        # The price of a reservation is that of its whole term, whatever its unit says.
        hourly = price / (HOURS_PER_YEAR * _YEARS[term])
        listed.add(place, plan_price("reserved", _YEARS[term]), hourly)
    else:
        listed.left_out[str(kind or "no kind of price")] += 1


def sample() -> bytes:
    """A page with a machine on demand, reserved, on spot, and under Windows."""

    def item(**said: Any) -> JSONDict:
        return {
            "currencyCode": "USD", "retailPrice": 0.096, "armRegionName": "westeurope",
            "effectiveStartDate": "2026-09-01T00:00:00Z", "productName": "Dasv6 Series",
            "skuName": "D2as v6", "serviceName": "Virtual Machines", "unitOfMeasure": "1 Hour",
            "type": "Consumption", "armSkuName": "Standard_D2as_v6", **said,
        }  # fmt: skip

    items = [
        item(savingsPlan=[{"term": "1 Year", "retailPrice": 0.071, "unitPrice": 0.071}]),
        item(type="Reservation", reservationTerm="1 Year", retailPrice=525.6),
        item(skuName="D2as v6 Spot", retailPrice=0.02),
        item(productName="Dasv6 Series Windows", retailPrice=0.188),
        item(serviceName="Storage", armSkuName="", unitOfMeasure="1 GB/Month"),
    ]
    page = {"BillingCurrency": "USD", "CustomerEntityId": "Default", "Items": items}
    return json.dumps({**page, "NextPageLink": None, "Count": len(items)}).encode()


IMPORTER = price_importer(
    id="azure_retail",
    title="Azure retail prices (JSON)",
    fits=fits,
    read=read,
    sample=sample,
)
