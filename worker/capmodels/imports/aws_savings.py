"""Savings plans as AWS publishes them: rates of machine types under Compute or EC2 instance plans.

Source: AWS, "Reading the service price list file for a Savings Plan" (JSON): products, each a plan
with its payment and length, then for each plan the rate of every product that it covers.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.reading import json_of
from capmodels.imports.json_stream import Large, members
from capmodels.imports.prices import Head, Price, plan_price, preview_of, price_importer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capmodels.spec import JSONDict

# What plans of a family are called among prices.
FIGURES = {
    "ComputeSavingsPlans": "savings_plan",
    "EC2InstanceSavingsPlans": "instance_savings_plan",
}
PAYMENTS = {
    "No Upfront": "",
    "Partial Upfront": "partial_upfront",
    "All Upfront": "all_upfront",
}
_COLUMNS = {f"savings:{name}": name for name in FIGURES}
_PRODUCTS, _RATES = (b"products",), (b"terms", b"savingsPlan", b"", b"rates")
_PUBLISHED = re.compile(rb'"publicationDate"\s*:\s*"(\d{4}-\d\d-\d\d)')
_SHARED = re.compile(r"(?:^|-)BoxUsage(?::|$)")
_LINUX = "RunInstances"
_YEARS = {"1yr": 1, "3yr": 3}


def fits(columns: frozenset[str]) -> bool:
    """Whether it is a file of savings plans for machines."""
    return bool(columns & _COLUMNS.keys())


def version(columns: frozenset[str]) -> str:
    """Which kind of plan."""
    return next(_COLUMNS[name] for name in columns if name in _COLUMNS)


def read(file: Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return what an hour of machine types costs under each plan, by term and payment.

    Raises
    ------
    FileRefused
        When it has no such plan, or prices in several currencies.
    """
    report(0.05, "Reading plans and rates")
    published = _PUBLISHED.search(file.head)
    reading = _Reading()
    for count, (place, _key, text) in enumerate(members(file.path, (_PRODUCTS, _RATES))):
        if count % 10_000 == 0:
            report(0.5, f"Read {count:,} plans and rates")
        reading.take(text, is_plan=place == _PRODUCTS)
    return preview_of(
        reading.prices(),
        Head(
            provider="aws",
            source=f"AWS price list, {version(file.columns)}",
            as_of=published[1].decode() if published else "",
            currency=reading.currency(),
        ),
        left_out=reading.left_out,
        faults=reading.faults,
    )


class _Reading:
    """What has been read so far: plans may stand before or after their rates."""

    def __init__(self) -> None:
        self.figures: dict[str, str] = {}
        self.rates: dict[tuple[str, str, str], float] = {}
        self.currencies: set[str] = set()
        self.left_out: dict[str, int] = {}
        self.faults: list[tuple[int, str]] = []

    def take(self, text: bytes, *, is_plan: bool) -> None:
        """Take a plan, or what a product costs under one."""
        if is_plan:
            self._plan(json_of(text))
        elif b"BoxUsage" in text and b'"RunInstances"' in text:
            self._rate(json_of(text))
        else:
            self._leave("rates of other systems and services")

    def _leave(self, what: str) -> None:
        self.left_out[what] = self.left_out.get(what, 0) + 1

    def _plan(self, said: Any) -> None:
        attributes = said.get("attributes", {})
        family = said.get("productFamily") or attributes.get("productFamily")
        years = _YEARS.get(attributes.get("purchaseTerm", ""))
        paid = PAYMENTS.get(attributes.get("purchaseOption", ""))
        if family in FIGURES and years and paid is not None:
            self.figures[said["sku"]] = plan_price(FIGURES[family], years, paid)
        else:
            self._leave("plans of other kinds and terms")

    def _rate(self, said: Any) -> None:
        is_shared = _SHARED.search(said.get("discountedUsageType", ""))
        is_linux = said.get("discountedOperation") == _LINUX and said.get("unit") == "Hrs"
        if not is_shared or not is_linux:
            self._leave("rates of other systems and services")
            return
        try:
            plan, _, _product = said["rateCode"].partition(".")
            rate = said["discountedRate"]
            key = (plan, said["discountedRegionCode"], said["discountedInstanceType"])
            self.rates[key] = float(rate["price"])
            self.currencies.add(rate["currency"])
        except (KeyError, TypeError, ValueError, AttributeError):
            self.faults.append((0, f"{str(said.get('rateCode'))[:60]}: no rate of a machine"))

    def currency(self) -> str:
        """The currency of all rates."""
        if len(self.currencies) > 1:
            raise FileRefused(f"Rates are in several currencies: {', '.join(self.currencies)}.")
        return next(iter(self.currencies), "USD")

    def prices(self) -> Iterator[Price]:
        """Yield a price for each type and region that has one under a plan that is taken."""
        found: dict[tuple[str, str], dict[str, float]] = {}
        for (plan, region, name), rate in self.rates.items():
            if plan in self.figures:
                found.setdefault((region, name), {})[self.figures[plan]] = rate
        for (region, name), figures in found.items():
            yield Price(type=name, region=region, cpu="", **figures)


def sample() -> bytes:
    """Two lengths and two payments, two types, one of them also under Windows and dedicated."""
    products, plans = [], []
    for sku, years, payment in (("P1", 1, "No Upfront"), ("P3", 3, "No Upfront"),
                                ("PA", 3, "All Upfront")):  # fmt: skip
        attributes = {"purchaseOption": payment, "purchaseTerm": f"{years}yr"}
        products.append({
            "sku": sku, "productFamily": "ComputeSavingsPlans",
            "serviceCode": "ComputeSavingsPlans", "attributes": attributes,
        })  # fmt: skip
        rates = [
            {
                "discountedSku": f"D{n}", "discountedUsageType": f"EU-{usage}:{name}",
                "discountedOperation": operation, "discountedServiceCode": "AmazonEC2",
                "rateCode": f"{sku}.D{n}", "unit": "Hrs",
                "discountedRate": {"price": f"{price / years:.5f}", "currency": "USD"},
                "discountedRegionCode": "eu-west-1", "discountedInstanceType": name,
            }
            for n, (name, usage, operation, price) in enumerate((
                ("m7a.large", "BoxUsage", "RunInstances", 0.0938),
                ("m7a.large", "BoxUsage", "RunInstances:0002", 0.1858),
                ("m7a.large", "DedicatedUsage", "RunInstances", 0.0995),
                ("m7a.large", "HostBoxUsage", "RunInstances", 0.001),
                ("q9.large", "BoxUsage", "RunInstances", 0.5),
            ))
        ]  # fmt: skip
        length = {"duration": years, "unit": "year"}
        plans.append({"sku": sku, "leaseContractLength": length, "rates": rates})
    said = {
        "version": "20261020190411", "publicationDate": "2026-10-20T19:04:11Z",
        "regionCode": "eu-west-1", "products": products, "terms": {"savingsPlan": plans},
    }  # fmt: skip
    return json.dumps(said, indent=1).encode()


IMPORTER = price_importer(
    id="aws_savings",
    title="AWS savings plans (price list file)",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
