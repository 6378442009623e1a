"""The numbers in what storage and other services cost, and where each was entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.costing.cloud_cost import block_overhead_ratio
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.hybrid import Hybrid

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.document.services import ServiceLine
    from capmodels.spec import JSONDict


def term(name: str, value: Amount, unit: str, pointer: str | None = None) -> JSONDict:
    """One number that went into a cause, in the shape of ``comparison.Term``."""
    return {"name": name, "value": as_number(value), "unit": unit, "pointer": pointer}


def stored_terms(case: CloudCase, at: str) -> list[JSONDict]:
    """What is stored where it is rented, and at what price there is one price."""
    timeline, storage = case.scene.timeline, case.cloud.storage
    writes = "/workload/object_use/writes_millions_per_month"
    reads = "/workload/object_use/reads_millions_per_month"
    terms = [
        term(
            "Block storage, today", as_number(timeline.block_tb.today), "TB", "/workload/block_tb"
        ),
        term(
            "Provisioned over stored",
            as_number(block_overhead_ratio(case)),
            "ratio",
            f"{at}/storage/block_overhead_ratio",
        ),
        term(
            "Object storage, today",
            as_number(timeline.object_tb.today),
            "TB",
            "/workload/object_tb",
        ),
    ]
    terms += [
        term(
            f"Objects in {item.name}",
            item.share_fraction,
            "fraction",
            f"{at}/storage/object_classes/{place}/share_fraction",
        )
        for place, item in enumerate(storage.object_classes)
    ]
    beside = (
        ("Writes, today", timeline.object_writes.today, "million/month", writes),
        ("Reads, today", timeline.object_reads.today, "million/month", reads),
        ("Archive, today", timeline.archive_tb.today, "TB", "/workload/archive_tb"),
        (
            "Discount on block storage",
            case.cloud.discounts.block_fraction,
            "fraction",
            f"{at}/discounts/block_fraction",
        ),
        (
            "Discount on object storage",
            case.cloud.discounts.object_fraction,
            "fraction",
            f"{at}/discounts/object_fraction",
        ),
    )
    return terms + [term(*told) for told in beside if told[1]]


def service_terms(item: Costed, side: Side) -> list[JSONDict]:
    """Every line of services on one side, in the design that it was entered in."""
    places: list[str] = []
    if isinstance(item.design, Baseline | DiskArray):
        return []
    if isinstance(item.design, Hybrid):
        if item.design.placement.services == side:
            places.append(item.owned_letter if side == "owned" else item.rented_letter)
    elif item.side == side:
        places.append(item.letter)
    found = [
        term(line.name, line.usd_per_month, "USD/month", f"/designs/{letter}/services/{place}")
        for letter in places
        for place, line in enumerate(_lines(item, side))
    ]
    if isinstance(item.design, Hybrid) and side == "rented":
        found += [
            term(line.name, line.usd_per_month, "USD/month", f"/designs/{item.letter}/services/{n}")
            for n, line in enumerate(item.design.services)
        ]
    return [{**told, "pointer": f"{told['pointer']}/usd_per_month"} for told in found]


def _lines(item: Costed, side: Side) -> tuple[ServiceLine, ...]:
    if side == "owned":
        return () if item.owned is None else item.owned.owned.services
    return () if item.rented is None else item.rented.cloud.services
