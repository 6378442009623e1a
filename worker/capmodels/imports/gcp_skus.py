"""Google Cloud's price catalogue: machine types from the prices of their cores and their RAM.

Source: Google, "Cloud Billing Catalog API", services.skus.list (v1): pages of SKUs with category,
regions and a timeline of prices. A predefined machine costs its cores and its RAM; how much RAM a
core of each kind has is of "General-purpose machine family", "Compute-optimized machine family"
and "Memory-optimized machine family" of Compute Engine's documentation, as of February 2026.
"""

from __future__ import annotations

import json
import re
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from capmodels.imports.json_stream import items
from capmodels.imports.prices import Listed, price_importer
from capmodels.numbers import whole_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.imports.json_stream import Large
    from capmodels.spec import JSONDict

_ALL = (2, 4, 8, 16, 32, 48, 64, 80, 96)
_C3D = (4, 8, 16, 30, 60, 90, 180, 360)
_C4 = (2, 4, 8, 16, 24, 32, 48, 96, 144, 192, 288)
_C4A = (1, 2, 4, 8, 16, 32, 48, 64, 72)
_C4D = (2, 4, 8, 16, 32, 48, 64, 96, 192, 384)
_N4A = (1, 2, 4, 8, 16, 32, 48, 64)
# GiB of RAM for each vCPU, and the vCPUs that machines of the kind come with.
SHAPES: dict[str, tuple[float, tuple[int, ...]]] = {
    "c2-standard": (4, (4, 8, 16, 30, 60)),
    "c2d-highcpu": (2, (2, 4, 8, 16, 32, 56, 112)),
    "c2d-highmem": (8, (2, 4, 8, 16, 32, 56, 112)),
    "c2d-standard": (4, (2, 4, 8, 16, 32, 56, 112)),
    "c3-highcpu": (2, (4, 8, 22, 44, 88, 176)),
    "c3-highmem": (8, (4, 8, 22, 44, 88, 176)),
    "c3-standard": (4, (4, 8, 22, 44, 88, 176)),
    "c3d-highcpu": (59 / 30, _C3D),
    "c3d-highmem": (8, _C3D),
    "c3d-standard": (4, _C3D),
    "c4-highcpu": (2, _C4),
    "c4-highmem": (7.75, _C4),
    "c4-standard": (3.75, _C4),
    "c4a-highcpu": (2, _C4A),
    "c4a-highmem": (8, _C4A),
    "c4a-standard": (4, _C4A),
    "c4d-highcpu": (1.875, _C4D),
    "c4d-highmem": (7.875, _C4D),
    "c4d-standard": (3.875, _C4D),
    "e2-highcpu": (1, (2, 4, 8, 16, 32)),
    "e2-highmem": (8, (2, 4, 8, 16)),
    "e2-standard": (4, (2, 4, 8, 16, 32)),
    "h3-standard": (4, (88,)),
    "m3-megamem": (15.25, (64, 128)),
    "m3-ultramem": (30.5, (32, 64, 128)),
    "n1-highcpu": (0.9, (2, 4, 8, 16, 32, 64, 96)),
    "n1-highmem": (6.5, (2, 4, 8, 16, 32, 64, 96)),
    "n1-standard": (3.75, (1, 2, 4, 8, 16, 32, 64, 96)),
    "n2-highcpu": (1, _ALL),
    "n2-highmem": (8, _ALL),
    "n2-standard": (4, (*_ALL, 128)),
    "n2d-highcpu": (1, (*_ALL, 128, 224)),
    "n2d-highmem": (8, _ALL),
    "n2d-standard": (4, (*_ALL, 128, 224)),
    "n4-highcpu": (2, (2, 4, 8, 16, 32, 48, 64, 80)),
    "n4-highmem": (8, (2, 4, 8, 16, 32, 48, 64, 80)),
    "n4-standard": (4, (2, 4, 8, 16, 32, 48, 64, 80)),
    "n4a-highcpu": (2, _N4A),
    "n4a-highmem": (8, _N4A),
    "n4a-standard": (4, _N4A),
    "n4d-highcpu": (2, _ALL),
    "n4d-highmem": (8, _ALL),
    "n4d-standard": (4, _ALL),
    "t2a-standard": (4, (1, 2, 4, 8, 16, 32, 48)),
    "t2d-standard": (4, (1, 2, 4, 8, 16, 32, 48, 60)),
}
# Families whose machines have whole GiB, and to which side.
_WHOLE = {"c3d": ceil, "c4": floor, "c4d": floor}
# Families whose machines always have a part that is priced apart from cores and RAM.
_APART = {**dict.fromkeys(("a2", "a3", "a4", "g2", "g4"), "GPUs"), "z3": "local disks"}
_HOURLY = re.compile(
    r"^(?:(?P<family>[A-Z]\d[A-Z]?)|(?P<c2>Compute optimized))"
    r"(?: AMD| Arm| Predefined| Memory-optimized)*"
    r"(?: Instance)? (?P<part>Core|Ram) running in "
)
_COMMITTED = re.compile(
    r"^Commitment v1: (?:(?P<family>[A-Z]\d[A-Z]?) |(?P<c2>Compute optimized ))?"
    r"(?:AMD |Arm |Memory-optimized )?"
    r"(?P<part>Cpu|Core|Ram) in .* for [13] Years?$"
)
_FIGURES = {
    "OnDemand": "usd_per_h",
    "Commit1Yr": "reserved_1y_usd_per_h",
    "Commit3Yr": "reserved_3y_usd_per_h",
}
_UNITS = {"core": "h", "ram": "GiBy.h"}
PAGES = "gcp:skus"
# So many are read between two signs of life.
_TOLD_EACH = 20_000
_Key = tuple[str, str, str]  # family, region, figure


def ram_gib(shape: str, vcpus: int) -> float:
    """RAM of a predefined machine. [GiB]

    >>> ram_gib("n1-standard", 1), ram_gib("c4-standard", 2), ram_gib("c3d-highcpu", 16)
    (3.75, 7, 32)
    """
    whole = _WHOLE.get(shape.partition("-")[0])
    said = round(vcpus * SHAPES[shape][0], 6)
    return said if whole is None else whole(said)


def fits(columns: frozenset[str]) -> bool:
    """Whether it is a page of SKUs."""
    return PAGES in columns


def read(file: Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of predefined machine types.

    Raises
    ------
    FileRefused
        When prices are in several currencies, or there is none of a machine.
    """
    reading = _Reading()
    for count, sku in enumerate(items(file, b"skus")):
        if count % _TOLD_EACH == 0:
            report(0.2, f"Read {count:,} SKUs")
        reading.take(sku)
    reading.add_machines()
    return reading.listed.preview(needs_hour=False)


class _Reading:
    """Prices of cores and of RAM, by family, region and what is paid."""

    def __init__(self) -> None:
        self.parts: dict[str, dict[_Key, float]] = {"core": {}, "ram": {}}
        self.listed = Listed(provider="gcp", source="Google Cloud price catalogue, Compute Engine")

    def take(self, sku: Mapping[str, Any]) -> None:
        """Take a SKU of a core or of RAM; count any other."""
        category, said = sku.get("category", {}), str(sku.get("description", ""))
        usage = category.get("usageType")
        pattern = _HOURLY if usage == "OnDemand" else _COMMITTED
        found = pattern.match(said) if usage in _FIGURES else None
        if found is None:
            name = str(category.get("resourceGroup") or category.get("resourceFamily") or "")
            self.listed.left_out[name] += 1
            return
        family = "c2" if found["c2"] else (found["family"] or "N1").lower()
        part = "ram" if found["part"] == "Ram" else "core"
        try:
            price = self._price(sku, _UNITS[part])
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            price = None
        if price is None:
            self.listed.faults.append((0, f"{said}: no single price for each {_UNITS[part]}"))
            return
        for region in sku.get("serviceRegions", ()):
            self.parts[part][family, str(region), _FIGURES[usage]] = price

    def _price(self, sku: Mapping[str, Any], unit: str) -> float | None:
        """The present price: the timeline is in the order of time."""
        timeline = sku.get("pricingInfo") or [{}]
        priced = timeline[-1].get("pricingExpression", {})
        rates = priced.get("tieredRates", ())
        if priced.get("usageUnit") != unit or len(rates) != 1:
            return None
        money = rates[0]["unitPrice"]
        self.listed.currencies.add(str(money.get("currencyCode")))
        self.listed.as_of = max(self.listed.as_of, str(timeline[-1].get("effectiveTime", ""))[:10])
        units, nanos = (whole_of(str(money.get(part) or 0)) for part in ("units", "nanos"))
        return None if units is None or nanos is None else units + nanos / 1e9

    def add_machines(self) -> None:
        """Add each machine type that has both prices, in each region."""
        places = sorted({key[:2] for key in self.parts["core"]})
        sized = {shape.partition("-")[0] for shape in SHAPES}
        for family, _region in places:
            if family not in sized:
                part = _APART.get(family)
                why = (
                    f"machines have {part} that are priced apart" if part else "sizes are not known"
                )
                name = f"prices of {family.upper()}, whose {why}"
                self.listed.left_out[name] += 1
        for family, region in places:
            for shape, (_each, sizes) in SHAPES.items():
                if shape.startswith(f"{family}-"):
                    for vcpus in sizes:
                        gib = ram_gib(shape, vcpus)
                        for name in _FIGURES.values():
                            at = family, region, name
                            core, ram = (self.parts[part].get(at) for part in ("core", "ram"))
                            if core is not None and ram is not None:
                                self.listed.add(
                                    (region, f"{shape}-{vcpus}"), name, vcpus * core + gib * ram,
                                    vcpu_count=vcpus, ram_gib=gib,
                                )  # fmt: skip


def sample() -> bytes:
    """Cores and RAM of one family in two regions, committed, on spot, and a disk."""

    def sku(said: str, usage: str, unit: str, nanos: int, group: str = "CPU") -> JSONDict:
        price = {"currencyCode": "USD", "units": "0", "nanos": nanos}
        priced = {"usageUnit": unit, "tieredRates": [{"startUsageAmount": 0, "unitPrice": price}]}
        return {
            "skuId": said, "description": said, "serviceRegions": ["us-central1", "us-east1"],
            "category": {"resourceFamily": "Compute", "resourceGroup": group, "usageType": usage},
            "pricingInfo": [
                {"effectiveTime": "2026-10-01T00:00:00Z", "pricingExpression": priced}
            ],
        }  # fmt: skip

    skus = [
        sku("N2 Instance Core running in Americas", "OnDemand", "h", 31_611_000),
        sku("N2 Instance Ram running in Americas", "OnDemand", "GiBy.h", 4_237_000, "RAM"),
        sku("Spot Preemptible N2 Instance Core running in Americas", "Preemptible", "h", 7_000_000),
        sku("N2 Custom Instance Core running in Americas", "OnDemand", "h", 33_000_000),
        sku("Commitment v1: N2 Cpu in Americas for 1 Year", "Commit1Yr", "h", 19_915_000),
        sku("Commitment v1: N2 Ram in Americas for 1 Year", "Commit1Yr", "GiBy.h", 2_669_000),
        sku("Storage PD Capacity", "OnDemand", "GiBy.mo", 40_000_000, "PDStandard"),
    ]
    return json.dumps({"skus": skus, "nextPageToken": ""}).encode()


IMPORTER = price_importer(
    id="gcp_skus",
    title="Google Cloud price catalogue (SKUs, JSON)",
    fits=fits,
    version=lambda _columns: "v1",
    read=read,
    sample=sample,
)
