"""The price list of EC2 as AWS publishes it: an offer file of one region, or of all.

Source: AWS, "Reading the service price list file" (formatVersion v1.0): products by SKU with
their attributes, then terms by kind and SKU with price dimensions. Prices are texts.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.reading import json_of
from capmodels.imports.json_stream import Large, members
from capmodels.imports.prices import Head, Price, preview_of, price_importer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capmodels.spec import JSONDict

OFFER = "offer:AmazonEC2"
_PRODUCTS, _ON_DEMAND, _RESERVED = (
    (b"products",),
    (b"terms", b"OnDemand"),
    (b"terms", b"Reserved"),
)
_PUBLISHED = re.compile(rb'"publicationDate"\s*:\s*"(\d{4}-\d\d-\d\d)')
_FAMILY = re.compile(rb'"productFamily"\s*:\s*"([^"]*)"')
_WANTED = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "operation": "RunInstances",
}
_TERMS = {"1yr": "reserved_1y_usd_per_h", "3yr": "reserved_3y_usd_per_h"}


def fits(columns: frozenset[str]) -> bool:
    """Whether it is an offer file of EC2."""
    return OFFER in columns


def version(_columns: frozenset[str]) -> str:
    """The format that is read."""
    return "v1.0"


def read(file: Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of machine types under Linux on shared machines."""
    report(0.05, "Reading products and prices")
    published = _PUBLISHED.search(file.head)
    reading = _Reading()
    for place, key, text in members(file.path, (_PRODUCTS, _ON_DEMAND, _RESERVED)):
        reading.take(place, key, text, report)
    if reading.waiting:
        for place, key, text in members(file.path, (_ON_DEMAND, _RESERVED)):
            reading.take(place, key, text, report)
    return preview_of(
        reading.prices(),
        Head(
            provider="aws",
            source="AWS price list, AmazonEC2",
            as_of=published[1].decode() if published else "",
            currency=reading.currency,
        ),
        left_out=reading.left_out,
    )


class _Reading:
    """What has been read of an offer file so far."""

    def __init__(self) -> None:
        self.products: dict[bytes, JSONDict] = {}
        self.figures: dict[bytes, dict[str, float]] = {}
        self.left_out: dict[str, int] = {}
        self.currency = "USD"
        # Terms that came before the products they are for, which no genuine file has.
        self.waiting = False
        self._count = 0

    def take(
        self, place: tuple[bytes, ...], key: bytes, text: bytes, report: Callable[..., None]
    ) -> None:
        """Take one product, or the terms of one."""
        self._count += 1
        if self._count % 10_000 == 0:
            report(0.5, f"Read {self._count:,} products and terms")
        if place == _PRODUCTS:
            self._product(key, text)
        elif key in self.products:
            self._terms(key, text, is_reserved=place == _RESERVED)
        elif not self.products:
            self.waiting = True

    def _product(self, key: bytes, text: bytes) -> None:
        # Most products are other systems and tenancies: they are not even taken apart.
        if b"BoxUsage" in text and b'"Linux"' in text and b'"Shared"' in text:
            said = json_of(text).get("attributes", {})
            if all(said.get(name) == value for name, value in _WANTED.items()):
                self.products[key] = said
                return
        family = _FAMILY.search(text)
        name = family[1].decode("utf-8", "replace") if family else ""
        self.left_out[name] = self.left_out.get(name, 0) + 1

    def _terms(self, key: bytes, text: bytes, *, is_reserved: bool) -> None:
        for term in json_of(text).values():
            name = _term_name(term) if is_reserved else "usd_per_h"
            price = self._hourly(term)
            if name is not None and price is not None:
                self.figures.setdefault(key, {})[name] = price

    def _hourly(self, term: Any) -> float | None:
        for dimension in term.get("priceDimensions", {}).values():
            if dimension.get("unit") == "Hrs":
                for currency, amount in dimension["pricePerUnit"].items():
                    self.currency = currency
                    return _price(amount)
        return None

    def prices(self) -> Iterator[Price]:
        """Yield the prices of all products that have one."""
        for key, said in self.products.items():
            figures = self.figures.get(key, {})
            if figures.get("usd_per_h"):
                yield Price(
                    type=said["instanceType"],
                    region=said.get("regionCode") or said.get("location", ""),
                    vcpu_count=_number(said.get("vcpu")),
                    ram_gib=_number(said.get("memory")),
                    cpu=said.get("physicalProcessor", ""),
                    **figures,
                )


def _term_name(term: Any) -> str | None:
    """The figure that a reserved term is: standard, without any payment in advance."""
    said = term.get("termAttributes", {})
    if said.get("PurchaseOption") != "No Upfront" or said.get("OfferingClass") != "standard":
        return None
    return _TERMS.get(said.get("LeaseContractLength", ""))


def _price(amount: Any) -> float | None:
    """An amount as the list writes it, as text; None where it is none."""
    try:
        found = float(amount)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def _number(text: str | None) -> float | None:
    found = re.match(r"[\d,]+(?:\.\d+)?", text or "")
    return float(found[0].replace(",", "")) if found else None


def sample() -> bytes:
    """Two machine types in Ireland, one of them also under Windows, and a volume."""
    products: JSONDict = {}
    terms: JSONDict = {"OnDemand": {}, "Reserved": {}}
    for sku, name, system, vcpus, gib, price in (
        ("AAA", "m7a.large", "Linux", 2, "8 GiB", "0.1289700000"),
        ("BBB", "m7a.large", "Windows", 2, "8 GiB", "0.2209700000"),
        ("CCC", "x2idn.24xlarge", "Linux", 96, "1,536 GiB", "12.0290000000"),
    ):
        products[sku] = {
            "sku": sku,
            "productFamily": "Compute Instance",
            "attributes": {
                **_WANTED, "operatingSystem": system, "instanceType": name, "vcpu": str(vcpus),
                "memory": gib, "regionCode": "eu-west-1", "usagetype": f"EU-BoxUsage:{name}",
                "physicalProcessor": "AMD EPYC 9R14 Processor",
            },
        }  # fmt: skip
        hourly = {"unit": "Hrs", "pricePerUnit": {"USD": price}}
        terms["OnDemand"][sku] = {f"{sku}.J": {"priceDimensions": {f"{sku}.J.6": hourly}}}
        years = {}
        for length, share in (("1yr", 0.66), ("3yr", 0.45)):
            hour = {"unit": "Hrs", "pricePerUnit": {"USD": f"{float(price) * share:.6f}"}}
            years[f"{sku}.{length}"] = {
                "priceDimensions": {f"{sku}.{length}.6": hour},
                "termAttributes": {
                    "LeaseContractLength": length,
                    "OfferingClass": "standard",
                    "PurchaseOption": "No Upfront",
                },
            }
        terms["Reserved"][sku] = years
    products["DDD"] = {"sku": "DDD", "productFamily": "Storage", "attributes": {}}
    offer = {
        "formatVersion": "v1.0",
        "offerCode": "AmazonEC2",
        "publicationDate": "2026-10-20T19:04:11Z",
        "products": products,
        "terms": terms,
    }
    return json.dumps(offer, indent=1).encode()


IMPORTER = price_importer(
    id="aws_offer",
    title="AWS price list of EC2 (offer file)",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
