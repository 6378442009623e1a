"""Machines of a fleet sized to instance types: by what was provisioned, and by what was measured.

Of each provider the cheapest type that holds a machine. A machine as provisioned needs as many
vCPUs as a virtual one has, or those that do the work of its cores; as measured, those that do the
work of what is busy while no more than a share of them is, and the RAM in use with some on top. A
percentile of a trace goes before what the file says; of what was not measured a machine keeps what
it has.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.imports.host_names import joined
from capmodels.imports.measures import chosen, figure_said, percentile_said
from capmodels.imports.preview import Column, cents, table
from capmodels.numbers import counted
from capmodels.plans.document.workload import Headroom
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from capmodels.spec import JSONDict

# A hyperthread over a core, where the catalogue does not say how fast a type is.
_THREAD_RATIO = 0.5
DEFAULT_PERCENTILE = 95.0
_NAMED_MOST = 4
_GROUPS_SHOWN = 40
# What a sum in floating point may lack of what is needed.
_NEARLY = 1.0 - 1e-9
UNMEASURED = "not measured"
_SIZES = (
    Column("By size as provisioned", "by_size"),
    Column("An hour", "by_size_usd_per_h", "money", "USD"),
    Column("A month", "by_size_usd_per_month", "money", "USD"),
    Column("By measured use", "by_use"),
    Column("An hour", "by_use_usd_per_h", "money", "USD"),
    Column("A month", "by_use_usd_per_month", "money", "USD"),
    Column("Difference a month", "difference_usd_per_month", "money", "USD"),
    Column("In no type", "lost_count", "count"),
)
_PROVIDERS = (Column("Provider", "provider"), Column("Region", "region"), *_SIZES)
_GROUPS = (
    Column("Machines like", "name"),
    Column("Machines", "machines_count", "count"),
    Column("CPU measured", "cpu"),
    *_SIZES,
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
    entry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Where a provider's types are priced, why there, and how many have no price there."""

    provider: str
    code: str
    why: str
    unpriced_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """Types that can be rented, each with its price in its provider's region."""

    types: Sequence[InstanceType] = ()
    regions: Sequence[Region] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """How machines are sized by their use: to which percentile, and with how much on top."""

    percentile: float = DEFAULT_PERCENTILE
    cores_target_fraction: float = Headroom().cores_target_fraction
    ram_headroom_fraction: float = Headroom().ram_headroom_fraction
    source: str = "the plan's own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """What a trace says of machines by their names: shares of their CPU and of their RAM in use."""

    title: str
    percentile: float
    used: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """Like machines: vCPUs of virtual ones, else cores; what is not known is None.

    ``busy_cores_count`` and ``used_ram_gib`` are of the moment of an export, as is what
    ``used_cpu`` and ``used_ram`` hold by figure (``measures``): shares of the CPU, and GiB.
    """

    count: float
    ram_gib: float | None = None
    vcpus_count: float | None = None
    cores_count: float | None = None
    busy_cores_count: float | None = None
    used_ram_gib: float | None = None
    model: str = ""
    used_cpu: Mapping[str, float] = field(default_factory=dict)
    used_ram: Mapping[str, float] = field(default_factory=dict)
    names: Sequence[str] = ()
    # Names of the same machines in DNS, blank where there is none.
    dns_names: Sequence[str] = ()

    @property
    def name(self) -> str:
        """What they are, as a person says it."""
        if self.vcpus_count is None:
            size = counted(round(self.cores_count or 0.0, 1), "core")
        else:
            size = counted(round(self.vcpus_count, 1), "vCPU")
        return ", ".join(filter(None, (self.model, size, f"{self.ram_gib:,.4g} GiB")))


@dataclass(frozen=True, slots=True)
class Need:
    """What a type must have: vCPUs, work in reference cores, RAM; and what it goes by."""

    vcpus_count: float = 0.0
    cores_count: float = 0.0
    ram_gib: float = 0.0

    def is_met(self, one: InstanceType) -> bool:
        """Whether a type has it all."""
        ratio = one.core_ratio or _THREAD_RATIO
        return (
            one.vcpus_count >= self.vcpus_count * _NEARLY
            and one.vcpus_count * ratio >= self.cores_count * _NEARLY
            and one.ram_gib >= self.ram_gib * _NEARLY
        )


@dataclass(frozen=True, slots=True)
class Sized:
    """Like machines with what they need by both ways, and what was measured of CPU and RAM."""

    like: Like
    by_size: Need
    by_use: Need
    cpu: str
    ram: str


def headroom_source(name: str) -> str:
    """Where the plan's own room of a kind is from.

    >>> headroom_source("ram_headroom_fraction")
    "Planner's margin, 10-15%"
    """
    said = Headroom.model_json_schema()["properties"][name]["default_source"]
    return str(said["source"])


def likes_of(preview: Mapping[str, Any]) -> Iterator[Like]:
    """Yield like machines of a fleet's preview: virtual ones where it has them, else real ones."""
    for row in preview.get("sizes", ()):
        yield Like(**row)
    for row in () if preview.get("sizes") else preview.get("groups", ()):
        count = row["machines_count"]
        if not count or row["unknown_cores_count"] or row["unknown_ram_count"]:
            continue
        cores, measured = row["cores_count"] / count, row["measured_cores_count"]
        yield Like(
            count=count,
            ram_gib=row["ram_gib"] / count,
            vcpus_count=cores if preview.get("are_virtual") else None,
            cores_count=None if preview.get("are_virtual") else cores,
            used_cpu={"mean": row["busy_cores_count"] / measured} if measured else {},
        )


def needs(like: Like, sizing: Sizing, traced: tuple[float | None, float | None] | None) -> Sized:
    """What a machine of known size needs; ``traced`` is its CPU and RAM in use in a trace."""
    ram = like.ram_gib or 0.0
    vcpus, cores = like.vcpus_count or 0.0, like.cores_count or 0.0
    cpu_of_trace, ram_of_trace = traced or (None, None)
    most, told = sizing.cores_target_fraction, UNMEASURED
    by_use = Need(vcpus, cores)
    figure = chosen(like.used_cpu, sizing.percentile)
    if cpu_of_trace is not None:
        told = f"{percentile_said(sizing.percentile)} of the trace"
        by_use = Need(vcpus * cpu_of_trace / most, cores * cpu_of_trace / most)
    elif figure is not None:
        told, share = figure_said(figure), like.used_cpu[figure]
        by_use = Need(vcpus * share / most, cores * share / most)
    elif like.busy_cores_count is not None:
        told, by_use = figure_said("moment"), Need(0.0, like.busy_cores_count / most)
    used, ram_told = _used_ram(like, sizing, ram_of_trace)
    held = ram if used is None else used * (1.0 + sizing.ram_headroom_fraction)
    by_use = Need(by_use.vcpus_count, by_use.cores_count, held)
    return Sized(like, Need(vcpus, cores, ram), by_use, told, ram_told)


def _used_ram(like: Like, sizing: Sizing, of_trace: float | None) -> tuple[float | None, str]:
    figure = chosen(like.used_ram, sizing.percentile)
    if of_trace is not None:
        said = f"{percentile_said(sizing.percentile)} of the trace"
        return of_trace * (like.ram_gib or 0.0), said
    if figure is not None:
        return like.used_ram[figure], figure_said(figure)
    if like.used_ram_gib is not None:
        return like.used_ram_gib, figure_said("moment")
    return None, UNMEASURED


def in_types(
    preview: Mapping[str, Any], market: Market, sizing: Sizing, traced: Traced | None = None
) -> JSONDict | None:
    """The fleet in types of each provider, both ways; None where there is nothing to size."""
    likes = list(likes_of(preview))
    known = [one for one in likes if one.ram_gib and (one.vcpus_count or one.cores_count)]
    if not known or not market.types:
        return None
    matches = _found(known, traced.used) if traced else {}
    machines = [
        needs(like, sizing, traced.used[matches[name]] if traced and name in matches else None)
        for one in known
        for like, name in _apart(one, matches)
    ]
    whole, unknown = _count(known), _count(likes) - _count(known)
    cpu, ram = (_counts((getattr(one, part), one) for one in machines) for part in ("cpu", "ram"))
    providers = [_provider(place, market.types, machines) for place in market.regions]
    return {
        "percentile": sizing.percentile,
        "cores_target_fraction": sizing.cores_target_fraction,
        "ram_headroom_fraction": sizing.ram_headroom_fraction,
        "headroom_source": sizing.source,
        "machines_count": whole,
        "unknown_count": unknown,
        "cpu": cpu,
        "ram": ram,
        "trace": None if traced is None else _trace_document(traced, whole, matches),
        "notes": [
            *_notes(whole, unknown, cpu, ram, sizing),
            *(() if traced is None else (_trace_note(traced, whole, matches),)),
            *map(_region_note, market.regions),
        ],
        "providers": providers,
    }


def _found(likes: Sequence[Like], used: Iterable[str]) -> dict[str, str]:
    """Machines in a trace: by their names, else by those that they have in DNS."""
    found = joined((name for one in likes for name in one.names), used)
    taken = set(found.values())
    dns = [
        (other, name)
        for one in likes
        for name, other in zip(one.names, one.dns_names, strict=False)
        if other and name not in found
    ]
    more = joined((other for other, _ in dns), [other for other in used if other not in taken])
    return found | {name: more[other] for other, name in dns if other in more}


def _apart(one: Like, matches: Mapping[str, str]) -> Iterator[tuple[Like, str]]:
    """Machines that a trace has, each for itself, and the others together."""
    found = [name for name in one.names if name in matches]
    for name in found:
        yield _with_count(one, 1.0), name
    if one.count > len(found):
        yield _with_count(one, one.count - len(found)), ""


def _with_count(one: Like, count: float) -> Like:
    return Like(
        count=count, ram_gib=one.ram_gib, vcpus_count=one.vcpus_count, cores_count=one.cores_count,
        busy_cores_count=one.busy_cores_count, used_ram_gib=one.used_ram_gib, model=one.model,
        used_cpu=one.used_cpu, used_ram=one.used_ram,
    )  # fmt: skip


def _count(likes: Iterable[Like]) -> float:
    return sum(one.count for one in likes)


def _counts(told: Iterable[tuple[str, Sized]]) -> dict[str, float]:
    """Machines by what was measured of them, most first."""
    found: dict[str, float] = defaultdict(float)
    for said, one in told:
        found[said] += one.like.count
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


class _Lot:
    """Types that some machines become by both ways; those that one way has no type for are lost."""

    def __init__(self) -> None:
        self.count = self.lost = 0.0
        self.by_size: dict[str, float] = defaultdict(float)
        self.by_use: dict[str, float] = defaultdict(float)
        self.cpu: dict[str, float] = defaultdict(float)

    def add(self, one: Sized, held: InstanceType | None, least: InstanceType | None) -> None:
        count = one.like.count
        self.count += count
        self.cpu[one.cpu] += count
        if held is None or least is None:
            self.lost += count
            return
        self.by_size[held.name] += count
        self.by_use[least.name] += count

    def take(self, other: _Lot) -> None:
        """Add the machines of another."""
        self.count += other.count
        self.lost += other.lost
        for name in ("by_size", "by_use", "cpu"):
            for key, count in getattr(other, name).items():
                getattr(self, name)[key] += count

    def document(self, name: str, types: Mapping[str, InstanceType]) -> JSONDict:
        found: JSONDict = {
            "name": name, "machines_count": self.count, "lost_count": self.lost,
            "cpu": dict(sorted(self.cpu.items(), key=lambda pair: (-pair[1], pair[0]))),
        }  # fmt: skip
        for way in ("by_size", "by_use"):
            ordered = sorted(getattr(self, way).items(), key=lambda pair: (-pair[1], pair[0]))
            found[way] = [
                {
                    "type": key, "entry": types[key].entry, "count": count,
                    "usd_per_h": types[key].usd_per_h,
                }
                for key, count in ordered
            ]  # fmt: skip
            hourly = sum(row["count"] * row["usd_per_h"] for row in found[way])
            found[f"{way}_usd_per_h"] = hourly
            found[f"{way}_usd_per_month"] = hourly * HOURS_PER_MONTH
        difference = found["by_use_usd_per_month"] - found["by_size_usd_per_month"]
        return {**found, "difference_usd_per_month": difference}


def _provider(place: Region, types: Sequence[InstanceType], machines: Sequence[Sized]) -> JSONDict:
    mine = [one for one in types if one.provider == place.provider]
    cheap = sorted(mine, key=lambda one: (one.usd_per_h, one.name))
    held: dict[Need, InstanceType | None] = {}

    def cheapest(need: Need) -> InstanceType | None:
        if need not in held:
            held[need] = next((one for one in cheap if need.is_met(one)), None)
        return held[need]

    lots: dict[str, _Lot] = defaultdict(_Lot)
    whole = _Lot()
    for one in machines:
        lots[one.like.name].add(one, cheapest(one.by_size), cheapest(one.by_use))
    for lot in lots.values():
        whole.take(lot)
    by_name = {one.name: one for one in reversed(cheap)}
    ordered = sorted(lots.items(), key=lambda pair: (-pair[1].count, pair[0]))
    return {
        **whole.document("All", by_name),
        "provider": place.provider,
        "region": place.code,
        "region_why": place.why,
        "unpriced_count": place.unpriced_count,
        "groups": [lot.document(name, by_name) for name, lot in ordered],
    }


def type_tables(found: Mapping[str, Any]) -> list[JSONDict]:
    """Providers side by side, and of each the groups of machines, both sizes beside each other."""
    rows = [
        {
            **_row(one),
            "provider": one["provider"],
            "region": f"{one['region']}, {one['region_why']}",
        }
        for one in found["providers"]
    ]
    tables = [table("Sized to instance types", _PROVIDERS, rows, " ".join(found["notes"]))]
    for one in found["providers"]:
        shown, others = one["groups"][:_GROUPS_SHOWN], len(one["groups"]) - _GROUPS_SHOWN
        note = f"The largest groups; {others:,} others are in the sum." if others > 0 else ""
        title = f"Machines in types of {one['provider']}, {one['region']}"
        tables.append(table(title, _GROUPS, map(_row, (*shown, one)), note))
    return tables


def _row(lot: Mapping[str, Any]) -> JSONDict:
    """A row of a table: what no type holds costs nothing, and is told as none."""
    row: JSONDict = {name: lot[name] for name in ("name", "machines_count", "lost_count")}
    row["cpu"] = ", ".join(f"{said}: {count:,.0f}" for said, count in lot["cpu"].items())
    for way in ("by_size", "by_use"):
        row[way] = _said({one["type"]: one["count"] for one in lot[way]})
    for column in _SIZES:
        if column.said_as == "money":
            row[column.key] = cents(lot[column.key]) if lot["by_size"] else None
    return row


def _said(found: Mapping[str, float]) -> str:
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    named = [f"{count:,.0f} x {name}" for name, count in ordered[:_NAMED_MOST]]
    return (", ".join(named) + (" ..." if len(found) > _NAMED_MOST else "")) or "none"


def _notes(
    whole: float,
    unknown: float,
    cpu: Mapping[str, float],
    ram: Mapping[str, float],
    sizing: Sizing,
) -> list[str]:
    """What was measured of how many, and what is left free."""
    notes = [
        f"Of {counted(whole, 'machine')}, {_measured(cpu)} with a measured use of the CPU"
        f"{_ways(cpu)}, {_measured(ram)} with one of the RAM{_ways(ram)}; the others keep what "
        "they have.",
        f"By use at most {100.0 * sizing.cores_target_fraction:.4g}% of the vCPUs are busy, and "
        f"{100.0 * sizing.ram_headroom_fraction:.4g}% of the RAM in use is kept free on top ("
        f"{sizing.source}).",
        "The cheapest type of the catalogue that holds each, on demand; a machine that one of the "
        "two ways has no type for is in neither sum.",
    ]
    if unknown:
        notes.append(f"{counted(unknown, 'machine')} without known cores or RAM: in no size.")
    return notes


def _measured(found: Mapping[str, float]) -> str:
    return f"{sum(count for said, count in found.items() if said != UNMEASURED):,.0f}"


def _ways(found: Mapping[str, float]) -> str:
    said = [
        f"{count:,.0f} {way if way.startswith('at ') else f'by the {way}'}"
        for way, count in found.items()
        if way != UNMEASURED
    ]
    return f" ({', '.join(said)})" if said else ""


def _trace_document(traced: Traced, whole: float, matches: Mapping[str, str]) -> JSONDict:
    return {
        "title": traced.title,
        "machines_count": len(traced.used),
        "joined_count": len(matches),
        "unjoined_count": whole - len(matches),
    }


def _trace_note(traced: Traced, whole: float, matches: Mapping[str, str]) -> str:
    return (
        f"Of {counted(len(traced.used), 'machine')} in the trace {traced.title}, "
        f"{len(matches):,} are machines of the fleet by name, with or without a domain; "
        f"{whole - len(matches):,.0f} of the fleet are not in it, or their name means several."
    )


def _region_note(place: Region) -> str:
    if not place.unpriced_count:
        return f"{place.provider}: prices of {place.code}, {place.why}."
    missing = counted(place.unpriced_count, "type")
    return f"{place.provider}: prices of {place.code}, {place.why}; none there for {missing}."
