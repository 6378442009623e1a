"""Prices as Azure's retail price service answers: pages of items, one page or several in a list.

Source: Microsoft Learn, "Azure Retail Prices overview" (API version 2023-01-01-preview).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.json_stream import Large, items
from capmodels.imports.prices import Head, Price, preview_of, price_importer
from capmodels.imports.texts import pages_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

HOURS_PER_TERM = {"1 Year": 8760.0, "3 Years": 26280.0}
_TERMS = {"1 Year": "reserved_1y_usd_per_h", "3 Years": "reserved_3y_usd_per_h"}
_PLANS = {"1 Year": "savings_plan_1y_usd_per_h", "3 Years": "savings_plan_3y_usd_per_h"}
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
    currencies: set[str] = set()
    as_of = ""
    left_out: dict[str, int] = {}
    found: dict[tuple[str, str], dict[str, Any]] = {}
    faults: list[tuple[int, str]] = []
    for count, item in enumerate(_items(file)):
        if count % _TOLD_EACH == 0:
            report(0.2, f"Read {count:,} prices")
        currencies.add(str(item.get("currencyCode")))
        as_of = max(as_of, str(item.get("effectiveStartDate", ""))[:10])
        try:
            _take(item, found, left_out)
        except (TypeError, ValueError, AttributeError):
            said = f"{item.get('armSkuName')} in {item.get('armRegionName')}"
            faults.append((0, f"{said}: {str(item.get('retailPrice'))[:40]!r} is no price"))
    if len(currencies) > 1:
        several = ", ".join(sorted(currencies))
        raise FileRefused(f"The prices are in several currencies ({several}).")
    return preview_of(
        _prices(found),
        Head(
            provider="azure",
            source="Azure retail prices",
            as_of=as_of,
            currency=currencies.pop() if currencies else "USD",
        ),
        left_out=left_out,
        faults=faults,
    )


def _items(file: Large | Document) -> Iterator[Mapping[str, Any]]:
    """Prices on their pages, in a list, or one after another."""
    return items(file, b"Items") if isinstance(file, Large) else pages_of(file.values)


def _take(
    item: Mapping[str, Any], found: dict[tuple[str, str], dict[str, Any]], left_out: dict[str, int]
) -> None:
    words = f"{item.get('productName', '')} {item.get('skuName', '')}"
    name, kind = item.get("armSkuName"), item.get("type")
    other = any(word in words for word in _OTHER)
    is_hour = item.get("unitOfMeasure") == "1 Hour"
    if item.get("serviceName") != "Virtual Machines" or not name or other or not is_hour:
        family = str(item.get("serviceName", "")) + (" of other kinds" if name and other else "")
        left_out[family] = left_out.get(family, 0) + 1
        return
    figures = found.setdefault((str(name), str(item.get("armRegionName", ""))), {})
    price = float(item.get("retailPrice") or 0.0)
    if kind == "Consumption":
        figures.setdefault("usd_per_h", price)
        for plan in item.get("savingsPlan") or ():
            if plan.get("term") in _PLANS:
                figures[_PLANS[plan["term"]]] = float(plan["retailPrice"])
    elif kind == "Reservation" and item.get("reservationTerm") in _TERMS:
        # The price of a reservation is that of its whole term, whatever its unit says.
        term = str(item["reservationTerm"])
        figures[_TERMS[term]] = price / HOURS_PER_TERM[term]
    else:
        kept = str(kind or "no kind of price")
        left_out[kept] = left_out.get(kept, 0) + 1


def _prices(found: Mapping[tuple[str, str], Mapping[str, Any]]) -> Iterator[Price]:
    for (name, region), figures in found.items():
        if figures.get("usd_per_h"):
            yield Price(type=name, region=region, **figures)


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
