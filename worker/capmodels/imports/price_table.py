"""Prices of machine types in a table: the export of instances.vantage.sh, or type and region.

The export writes numbers with words: "$0.0042 hourly", "unavailable", "1,536 GiB".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capmodels.imports.prices import Listed, figure_of, price_importer
from capmodels.providers import provider_of_types

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_EXPORT = {
    "API Name": "type",
    "On Demand": "usd_per_h",
    "vCPUs": "vcpu_count",
    "Instance Memory": "ram_gib",
    "Physical Processor": "cpu",
    "Linux Reserved cost": "reserved_1y_usd_per_h",
}
_TYPES = ("instance_type", "vm_size", "machine_type", "type")
_PRICE = re.compile(r"(?i)^(linux_)?(on_?demand_)?usd_per_h(our)?$")
_WORDS = frozenset({"type", "region", "cpu"})
# What the export is of is not in it: its page opens with this region.
_EXPORT_REGION = "us-east-1"


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has types of machines and what an hour of them costs."""
    if columns >= {"API Name", "On Demand"}:
        return True
    names = {name.lower() for name in columns}
    return bool(names & set(_TYPES)) and "region" in names and _price_column(columns) is not None


def _price_column(columns: frozenset[str]) -> str | None:
    return next((name for name in sorted(columns) if _PRICE.match(name)), None)


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of a table."""
    report(0.2, "Reading prices")
    meant = _meanings(table.columns)
    rows = table.text_rows(list(meant))
    counted = [(at, name) for at, name in enumerate(meant) if meant[name] not in _WORDS]
    said = table.marks({name: [row[at] for _, row in rows] for at, name in counted})
    marks = {meant[name]: mark for name, mark in said.items()}
    listed = Listed(
        provider=provider_of_types(row[list(meant.values()).index("type")] for _, row in rows),
        source="Price list", faults=list(table.rejected(100)[0]),
    )  # fmt: skip
    for line, row in rows:
        of = dict(zip(meant.values(), row, strict=True))
        cost = of.pop("usd_per_h")
        if not of.get("type") or cost.lower() in {"", "unavailable", "n/a", "0"}:
            continue
        place = of.pop("region", _EXPORT_REGION), of.pop("type")
        figures = {
            name: text if name == "cpu" else figure_of(text, marks[name])
            for name, text in of.items()
        }
        price = figure_of(cost, marks["usd_per_h"])
        listed.add(place, "usd_per_h", cost if price is None else price, line, **figures)
    found = listed.preview()
    if "API Name" in table.columns:
        found["notes"].append(f"The file does not name its region: {_EXPORT_REGION} is taken.")
    return found


def _meanings(columns: frozenset[str]) -> dict[str, str]:
    if "API Name" in columns:
        return {name: meaning for name, meaning in _EXPORT.items() if name in columns}
    price = _price_column(columns) or ""
    found = {price: "usd_per_h"}
    for name in sorted(columns):
        if name.lower() in _TYPES and "type" not in found.values():
            found[name] = "type"
        elif name.lower() in {"region", "vcpu_count", "ram_gib"}:
            found[name] = name.lower()
    return found


def sample() -> bytes:
    """Two types as the export writes them, one of them not for sale in the region."""
    return (
        b'"Name","API Name","Instance Memory","vCPUs","Physical Processor","On Demand",'
        b'"Linux Reserved cost"\n'
        b'"M7A Large","m7a.large","8 GiB","2 vCPUs","AMD EPYC 9R14 Processor","$0.1159 hourly",'
        b'"$0.0767 hourly"\n'
        b'"X2IDN","x2idn.24xlarge","1,536 GiB","96 vCPUs","Intel","$10.0035 hourly","$6 hourly"\n'
        b'"P2","p2.xlarge","61 GiB","4 vCPUs","Intel","unavailable","unavailable"\n'
    )


IMPORTER = price_importer(
    id="price_table",
    title="Prices of machine types (CSV of EC2 instances, or of type, region and price)",
    fits=fits,
    read=read,
    sample=sample,
)
