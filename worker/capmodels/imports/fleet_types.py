"""Machines of a fleet sized to instance types: by what was provisioned, and by what was measured.

Of each provider the cheapest type that holds a machine. A machine as provisioned needs as many
vCPUs as a virtual one has, or those that do the work of its cores; as measured, those that do the
work of its busy cores while no more than the plan's share of them is busy, and the RAM in use.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.imports.preview import Column, cents, table
from capmodels.numbers import counted, percent
from capmodels.plans.document.workload import Headroom
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from capmodels.spec import JSONDict

# A hyperthread over a core, where the catalogue does not say how fast a type is.
_THREAD_RATIO = 0.5
_NAMED_MOST = 4
_COLUMNS = (
    Column("Provider", "provider"),
    Column("By size as provisioned", "by_size"),
    Column("A month", "by_size_usd", "money", "USD"),
    Column("By measured use", "by_use"),
    Column("A month", "by_use_usd", "money", "USD"),
    Column("In no type", "lost", "count"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceType:
    """A type that can be rented; ``core_ratio`` is what a vCPU does over a reference core."""

    provider: str
    name: str
    vcpus_count: float
    ram_gib: float
    usd_per_h: float
    core_ratio: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """Like machines: vCPUs of virtual ones, else cores; what was not measured is None."""

    count: float
    ram_gib: float
    vcpus_count: float | None = None
    cores_count: float | None = None
    busy_cores_count: float | None = None
    used_ram_gib: float | None = None


def likes_of(preview: Mapping[str, Any]) -> Iterator[Like]:
    """Yield like machines of a fleet's preview: virtual ones where it has them, else real ones."""
    for row in preview.get("sizes", ()):
        yield Like(**row)
    for row in preview.get("groups", ()):
        count = row["machines_count"]
        if not count or row["cores_count"] is None or row["ram_gib"] is None:
            continue
        if row["unknown_cores_count"] or row["unknown_ram_count"]:
            continue
        cores, measured = row["cores_count"] / count, row["measured_cores_count"]
        yield Like(
            count=count,
            ram_gib=row["ram_gib"] / count,
            vcpus_count=cores if preview.get("are_virtual") else None,
            cores_count=None if preview.get("are_virtual") else cores,
            busy_cores_count=cores * row["busy_cores_count"] / measured if measured else None,
        )


def sized(preview: Mapping[str, Any], types: Sequence[InstanceType]) -> JSONDict | None:
    """The fleet in types of each provider, both ways; None where there is nothing to size."""
    likes = list(likes_of(preview))
    if not likes or not types:
        return None
    busiest = Headroom().cores_target_fraction
    rows = [
        _row(name, [one for one in types if one.provider == name], likes, busiest)
        for name in sorted({one.provider for one in types})
    ]
    whole = sum(like.count for like in likes)
    measured = sum(like.count for like in likes if like.busy_cores_count is not None)
    note = (
        f"Of {counted(whole, 'machine')}, {measured:,.0f} with a measured use, which is that of "
        f"the moment or mean in the file; at most {percent(busiest)} of the vCPUs busy. The "
        "cheapest type of the catalogue that holds each, on demand, in the provider's first region."
    )
    return table("Sized to instance types", _COLUMNS, rows, note)


def _row(
    provider: str, types: Sequence[InstanceType], likes: Sequence[Like], busiest: float
) -> JSONDict:
    size: dict[str, float] = defaultdict(float)
    use: dict[str, float] = defaultdict(float)
    size_usd = use_usd = lost = 0.0
    cheap = sorted(types, key=lambda one: (one.usd_per_h, one.name))
    for like in likes:
        held = next((one for one in cheap if _holds(one, like)), None)
        if held is None:
            lost += like.count
            continue
        size[held.name] += like.count
        size_usd += like.count * held.usd_per_h * HOURS_PER_MONTH
        least = next((one for one in cheap if _does(one, like, busiest)), None)
        if least is not None:
            use[least.name] += like.count
            use_usd += like.count * least.usd_per_h * HOURS_PER_MONTH
    return {
        "provider": provider,
        "by_size": _said(size),
        "by_size_usd": cents(size_usd) if size else None,
        "by_use": _said(use),
        "by_use_usd": cents(use_usd) if use else None,
        "lost": lost,
    }


def _holds(one: InstanceType, like: Like) -> bool:
    """Whether a type has what a machine was given."""
    cores = like.cores_count or 0.0
    needed = cores / _ratio(one) if like.vcpus_count is None else like.vcpus_count
    return one.vcpus_count >= needed and one.ram_gib >= like.ram_gib


def _does(one: InstanceType, like: Like, busiest: float) -> bool:
    """Whether a type does what was measured of a machine, and leaves it its RAM in use."""
    if like.busy_cores_count is None:
        return False
    ram = like.ram_gib if like.used_ram_gib is None else like.used_ram_gib
    return one.vcpus_count * _ratio(one) * busiest >= like.busy_cores_count and one.ram_gib >= ram


def _ratio(one: InstanceType) -> float:
    return one.core_ratio or _THREAD_RATIO


def _said(found: Mapping[str, float]) -> str:
    if not found:
        return "not measured"
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{count:,.0f} x {name}" for name, count in ordered[:_NAMED_MOST]]
    return ", ".join(named) + (" ..." if len(found) > _NAMED_MOST else "")
