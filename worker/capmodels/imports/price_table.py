"""Prices of machine types in a table: the export of instances.vantage.sh, or type and region.

The export writes numbers with words: "$0.0042 hourly", "unavailable", "1,536 GiB".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from capmodels.imports.prices import Head, Price, preview_of, price_importer
from capmodels.imports.table import identifier
from capmodels.providers import provider_of_types
from capmodels.written_numbers import Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
_NUMBER = re.compile(r"^\s*\$?\s*(\d(?:[\d,.]*\d)?)")
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
    names = ", ".join(f"CAST({identifier(name)} AS VARCHAR)" for name in meant)
    rows = table.rows(f"SELECT {names} FROM {table.source}")
    faults: list[tuple[int, str]] = list(table.rejected(100)[0])
    counted = [(at, name) for at, name in enumerate(meant) if meant[name] not in _WORDS]
    said = table.marks({name: [str(row[at] or "") for row in rows] for at, name in counted})
    marks = {meant[name]: mark for name, mark in said.items()}
    prices = list(_prices(enumerate(rows, table.first_row), list(meant.values()), faults, marks))
    notes = preview_of(
        prices,
        Head(provider=provider_of_types(price.type for price in prices), source="Price list"),
        faults=faults,
    )
    if "API Name" in table.columns:
        notes["notes"].append(f"The file does not name its region: {_EXPORT_REGION} is taken.")
    return notes


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


def _prices(
    rows: Iterable[tuple[int, Sequence[Any]]],
    meanings: Sequence[str],
    faults: list[tuple[int, str]],
    marks: Mapping[str, Mark],
) -> Iterator[Price]:
    for line, row in rows:
        said = {name: str(cell or "").strip() for name, cell in zip(meanings, row, strict=True)}
        cost = said.pop("usd_per_h")
        if not said.get("type") or cost.lower() in {"", "unavailable", "n/a", "0"}:
            continue
        price = _number(cost, marks["usd_per_h"])
        if price is None:
            faults.append((line, f"{cost[:40]!r} is not a price"))
            continue
        yield Price(
            type=said["type"],
            region=said.get("region", _EXPORT_REGION),
            usd_per_h=price,
            vcpu_count=_number(said.get("vcpu_count", ""), marks.get("vcpu_count")),
            ram_gib=_number(said.get("ram_gib", ""), marks.get("ram_gib")),
            cpu=said.get("cpu", ""),
            reserved_1y_usd_per_h=_number(
                said.get("reserved_1y_usd_per_h", ""), marks.get("reserved_1y_usd_per_h")
            ),
        )


def _number(text: str, mark: Mark | None) -> float | None:
    found = _NUMBER.match(text)
    try:
        return number_of(found[1], mark) if found else None
    except ValueError:
        # Larger than any figure is.
        return None


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
