"""EC2 machines with their prices in every region, as instances.vantage.sh publishes them (JSON).

Form by its own pages (ec2instances.info, ``instances.json``): a list of machines, or one of them,
each with ``pricing`` by region and system: ``ondemand`` and ``reserved`` by term and payment.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from capmodels.formats.reading import json_of
from capmodels.imports.json_stream import Large, members
from capmodels.imports.prices import Head, Price, draft, preview_of, tables
from capmodels.imports.registry import Importer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

_KEYS = frozenset({"instance_type", "pricing", "vCPU"})
LARGE = "ec2:instances"
_SYSTEM = "linux"
_RESERVED = {
    "yrTerm1Standard.noUpfront": "reserved_1y_usd_per_h",
    "yrTerm3Standard.noUpfront": "reserved_3y_usd_per_h",
}


def fits(columns: frozenset[str]) -> bool:
    """Whether it is a machine of the list, or the list."""
    return columns >= _KEYS or LARGE in columns


def version(_columns: frozenset[str]) -> str:
    """The list does not say its version."""
    return ""


def read(file: Document | Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of Linux machines; other systems are left out and counted."""
    left_out: dict[str, int] = {}
    faults: list[tuple[int, str]] = []

    def prices() -> Iterator[Price]:
        for count, machine in enumerate(_machines(file)):
            if count % 100 == 0:
                report(0.5, f"Read {count:,} machines")
            yield from _prices(machine, left_out, faults)

    found = list(prices())
    head = Head(provider="aws", source="EC2 instances, instances.vantage.sh")
    return preview_of(found, head, left_out=left_out, faults=faults)


def _machines(file: Document | Large) -> Iterator[Any]:
    if isinstance(file, Large):
        yield from (json_of(text) for _, _, text in members(file.path, ((),)))
        return
    for value in file.values:
        yield from value if isinstance(value, list) else [value]


def _prices(
    machine: Any, left_out: dict[str, int], faults: list[tuple[int, str]]
) -> Iterator[Price]:
    name = machine.get("instance_type")
    for region, systems in machine.get("pricing", {}).items():
        for system, said in systems.items():
            if system != _SYSTEM:
                left_out[f"prices of {system}"] = left_out.get(f"prices of {system}", 0) + 1
                continue
            try:
                figures = _figures(said)
            except (TypeError, ValueError):
                faults.append((0, f"{name} in {region}: a price is no number"))
                continue
            if figures:
                yield Price(
                    type=str(name), region=region, cpu=str(machine.get("physical_processor") or ""),
                    vcpu_count=_number(machine.get("vCPU")),
                    ram_gib=_number(machine.get("memory")), **figures,
                )  # fmt: skip


def _figures(said: Mapping[str, Any]) -> dict[str, float]:
    """Prices of an hour that are there; "N/A" and nothing are none."""
    reserved = said.get("reserved") or {}
    told = {"usd_per_h": said.get("ondemand")} | {
        figure: reserved.get(term) for term, figure in _RESERVED.items()
    }
    prices = {name: _number(price) for name, price in told.items()}
    return {name: price for name, price in prices.items() if price}


def _number(value: Any) -> float | None:
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def sample() -> bytes:
    """A machine in two regions, with prices of another system beside."""
    pricing = {
        "eu-central-1": {
            "linux": {
                "ondemand": "0.46",
                "reserved": {
                    "yrTerm1Standard.noUpfront": "0.305", "yrTerm3Standard.noUpfront": "0.209",
                    "yrTerm1Convertible.noUpfront": "0.33",
                },
            },
            "mswin": {"ondemand": "0.64"},
        },
        "us-east-1": {"linux": {"ondemand": "0.384"}},
    }  # fmt: skip
    machine = {
        "instance_type": "m5.2xlarge", "vCPU": 8, "memory": 32.0, "pricing": pricing,
        "physical_processor": "Intel Xeon Platinum 8175",
    }  # fmt: skip
    return json.dumps([machine]).encode()


IMPORTER = Importer(
    id="ec2_instances",
    title="EC2 machines with prices by region (instances.json of instances.vantage.sh)",
    makes="prices",
    fits=fits,
    version=version,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
