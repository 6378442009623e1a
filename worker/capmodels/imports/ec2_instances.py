"""EC2 machines with their prices in every region, as instances.vantage.sh publishes them (JSON).

Form by its own pages (ec2instances.info, ``instances.json``): a list of machines, or one of them,
each with ``pricing`` by region and system: ``ondemand`` and ``reserved`` by term and payment.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from capmodels.formats.reading import json_of
from capmodels.imports.json_stream import Large, members
from capmodels.imports.prices import Listed, figure_of, price_importer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


def read(file: Document | Large, report: Callable[[float, str], None]) -> JSONDict:
    """Return the prices of Linux machines; other systems are left out and counted."""
    listed = Listed(provider="aws", source="EC2 instances, instances.vantage.sh")
    for count, machine in enumerate(_machines(file)):
        if count % 100 == 0:
            report(0.5, f"Read {count:,} machines")
        name = str(machine.get("instance_type"))
        held: JSONDict = {
            "vcpu_count": figure_of(machine.get("vCPU")),
            "ram_gib": figure_of(machine.get("memory")),
            "cpu": str(machine.get("physical_processor") or ""),
        }
        for region, systems in machine.get("pricing", {}).items():
            for system in systems.keys() - {_SYSTEM}:
                listed.left_out[f"prices of {system}"] += 1
            said = systems.get(_SYSTEM) or {}
            prices = {"usd_per_h": said.get("ondemand")} | {
                figure: (said.get("reserved") or {}).get(term) for term, figure in _RESERVED.items()
            }
            for figure, price in prices.items():
                if figure_of(price):  # "N/A" and nothing are none
                    listed.add((region, name), figure, price, **held)
    return listed.preview(needs_hour=False)


def _machines(file: Document | Large) -> Iterator[Any]:
    if isinstance(file, Large):
        yield from (json_of(text) for _, _, text in members(file.path, ((),)))
        return
    for value in file.values:
        yield from value if isinstance(value, list) else [value]


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


IMPORTER = price_importer(
    id="ec2_instances",
    title="EC2 machines with prices by region (instances.json of instances.vantage.sh)",
    fits=fits,
    read=read,
    sample=sample,
)
