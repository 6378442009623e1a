"""A fleet as a list of machines: grouped by model for the eye, added up for a study."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.fleet_ground import grounded
from capmodels.imports.measures import chosen
from capmodels.imports.origins import Span, origin_of, rows_said
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.numbers import counted, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from capmodels.imports.cells import Cells
    from capmodels.spec import JSONDict

_MEDIAN = 50.0
# A machine of which less is busy does nothing that anybody asked for.
IDLE_FRACTION = 0.05
BYTES_PER_GIB = 2.0**30
BYTES_PER_TB = 1e12
OFF = frozenset(
    ("offline", "off", "poweredoff", "decommissioning", "decommissioned", "retired", "planned",
     "inventory", "failed", "staged", "disposed", "spare", "storage")
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A row of an inventory, or some like ones; what it does not say is None."""

    name: str = ""
    model: str = ""
    cpu: str = ""
    count: float = 1.0
    sockets_count: float | None = None
    cores_count: float | None = None
    ram_gib: float | None = None
    disk_tb: float | None = None
    busy_fraction: float | None = None
    watts: float | None = None
    price_usd: float | None = None
    bought_on: str = ""
    is_off: bool = False
    row: int = 0
    region: str = ""
    # What was measured of its CPU and of its RAM, by figure (``measures``). [1], [GiB]
    used_cpu: Mapping[str, float] = field(default_factory=dict)
    used_ram: Mapping[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Sums:
    """Like machines, or all; ``unknown_*`` counts those of which a figure is not in the file."""

    machines_count: float = 0.0
    sockets_count: float = 0.0
    cores_count: float = 0.0
    ram_gib: float = 0.0
    disk_tb: float = 0.0
    busy_cores_count: float = 0.0
    measured_cores_count: float = 0.0
    idle_count: float = 0.0
    watts: float = 0.0
    price_usd: float = 0.0
    unknown_sockets_count: float = 0.0
    unknown_cores_count: float = 0.0
    unknown_ram_count: float = 0.0
    unknown_disk_count: float = 0.0
    unknown_watts_count: float = 0.0
    unknown_price_count: float = 0.0
    rows: Span = field(default_factory=Span)

    def add(self, machine: Machine) -> None:
        """Count a machine in."""
        count = machine.count
        self.machines_count += count
        if machine.row:
            self.rows.add(machine.row)
        self._add("sockets", machine.sockets_count, count, "sockets_count")
        self._add("cores", machine.cores_count, count, "cores_count")
        self._add("ram", machine.ram_gib, count, "ram_gib")
        self._add("disk", machine.disk_tb, count, "disk_tb")
        self._add("watts", machine.watts, count, "watts")
        self._add("price", machine.price_usd, count, "price_usd")
        if machine.cores_count is not None and machine.busy_fraction is not None:
            cores = count * machine.cores_count
            self.measured_cores_count += cores
            self.busy_cores_count += cores * machine.busy_fraction
        if machine.busy_fraction is not None and machine.busy_fraction < IDLE_FRACTION:
            self.idle_count += count

    def _add(self, what: str, value: float | None, count: float, name: str) -> None:
        if value is None:
            unknown = f"unknown_{what}_count"
            setattr(self, unknown, getattr(self, unknown) + count)
        else:
            setattr(self, name, getattr(self, name) + count * value)

    def document(self) -> JSONDict:
        """The sums; what no machine says is null, never zero."""
        found = {item.name: getattr(self, item.name) for item in fields(self)}
        found["rows"] = self.rows.document()
        for what, name in (("sockets", "sockets_count"), ("cores", "cores_count"),
                           ("ram", "ram_gib"), ("disk", "disk_tb"), ("watts", "watts"),
                           ("price", "price_usd")):  # fmt: skip
            if found[f"unknown_{what}_count"] == self.machines_count:
                found[name] = None
        if not self.measured_cores_count:
            found["busy_cores_count"] = None
        return found


def preview_of(machines: Iterable[Machine], cells: Cells, *, are_virtual: bool = False) -> JSONDict:
    """Return what a fleet is; of virtual machines, cores are vCPUs.

    Raises
    ------
    FileRefused
        When it has no machine.
    """
    whole, off = Sums(), Sums()
    groups: dict[tuple[str, str, str], Sums] = defaultdict(Sums)
    sizes: dict[str, JSONDict] = {}
    regions: dict[str, float] = defaultdict(float)
    for machine in machines:
        (off if machine.is_off else whole).add(machine)
        if not machine.is_off:
            groups[machine.model, machine.cpu, _year(machine.bought_on)].add(machine)
            regions[machine.region] += machine.count if machine.region else 0.0
            _add_size(sizes, machine, are_virtual=are_virtual)
    if not whole.machines_count and not off.machines_count:
        raise FileRefused("The file names no machines.")
    totals = whole.document()
    return {
        "headline": _headline(
            totals, off.machines_count, has_use=any(size["used_cpu"] for size in sizes.values())
        ),
        "notes": _notes(whole),
        "totals": totals,
        "off": off.document(),
        "rows": whole.rows.document(),
        "groups": [
            {"model": model, "cpu": cpu, "year": year, **sums.document()}
            for (model, cpu, year), sums in sorted(
                groups.items(), key=lambda pair: (-pair[1].machines_count, pair[0])
            )
        ],
        "sizes": list(sizes.values()),
        "regions": sorted(filter(None, regions), key=lambda name: (-regions[name], name)),
        **cells.document(),
    }


def _add_size(sizes: dict[str, JSONDict], machine: Machine, *, are_virtual: bool) -> None:
    """Count a machine in with those of its size and its use, as ``fleet_types.Like`` has them."""
    size = {
        "model": machine.model,
        "vcpus_count": machine.cores_count if are_virtual else None,
        "cores_count": None if are_virtual else machine.cores_count,
        "ram_gib": machine.ram_gib,
        "used_cpu": dict(machine.used_cpu),
        "used_ram": dict(machine.used_ram),
    }
    like = sizes.setdefault(json.dumps(size), {**size, "count": 0.0, "names": []})
    like["count"] += machine.count
    if machine.name and machine.count == 1:
        like["names"].append(machine.name)


def _year(text: str) -> str:
    """The year in a date, however it is written; blank where there is none."""
    found = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    return found[0] if found else ""


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The machines by model and year."""
    columns = (
        Column("Model", "model"),
        Column("Processor", "cpu"),
        Column("Bought", "year"),
        Column("Machines", "machines_count", "count"),
        Column("Cores", "cores_count", "count"),
        Column("Cores busy", "busy_cores_count", "count"),
        Column("Idle", "idle_count", "count"),
        Column("RAM", "ram_gib", "quantity", "GiB"),
        Column("Disks", "disk_tb", "quantity", "TB"),
        Column("Power", "watts", "quantity", "W"),
    )
    return [table("Machines", columns, preview["groups"])]


def _ram_in_use(preview: Mapping[str, Any]) -> tuple[float, float]:
    """RAM in use on average, and the machines of which only what is built in is known. [GiB]"""
    total = unknown = 0.0
    for size in preview["sizes"]:
        held = size["used_ram"]
        figure = "mean" if "mean" in held else chosen(held, _MEDIAN)
        if figure is None and size["ram_gib"]:
            unknown += size["count"]
        total += size["count"] * (held[figure] if figure else size["ram_gib"] or 0.0)
    return total, unknown


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the work that a fleet carries: busy cores where measured, data on its disks."""
    whole = preview["totals"]
    workload: JSONDict = {"kind": "demand"}
    points, at_most = list(preview["notes"]), set[str]()
    if whole["busy_cores_count"]:
        workload["busy_cores_count"] = whole["busy_cores_count"]
        points.append(
            "Busy cores are those of these machines' processors: say in the work which core is "
            "meant."
        )
    if whole["ram_gib"]:
        workload["ram_gib"], unknown = _ram_in_use(preview)
        if unknown:
            at_most.add("ram_gib")
        if not unknown:
            points.append("RAM is what is in use, as listed.")
        elif unknown < whole["machines_count"]:
            points.append(
                f"RAM is what is in use, as listed; of {counted(unknown, 'machine')} without a use "
                "what is built in, of which less may be in use."
            )
        else:
            points.append("RAM is what is built in; RAM in use may be less.")
    if whole["disk_tb"]:
        workload["block_tb"] = whole["disk_tb"]
        at_most.add("block_tb")
        points.append("Data is what the disks hold when they are full; enter what is in use.")
    if whole["watts"]:
        points.append(f"The machines take {whole['watts'] / 1000:,.1f} kW as listed.")
    points.append("What the fleet costs today is not in the file: enter it as the baseline.")
    if whole.get("idle_count"):
        points.append(
            f"{counted(whole['idle_count'], 'machine')} less than {percent(IDLE_FRACTION)} busy: "
            "idle."
        )
    off = preview["off"]["machines_count"]
    if off:
        points.append(f"{counted(off, 'machine')} off or in store: not counted.")
    origin = origin_of(
        options,
        "measured" if whole["busy_cores_count"] else "published",
        rows=rows_said(preview.get("rows")),
        what=counted(whole["machines_count"], "machine"),
    )
    drafted = Drafted(
        title=f"Fleet of {options.file_name}"[:120],
        workload=workload,
        provenance={f"/{name}": origin for name in workload if name != "kind"},
        open_points=points,
        at_most=at_most,
    )
    return grounded(drafted, preview, options)


def _headline(whole: Mapping[str, Any], off: float, *, has_use: bool) -> str:
    said = counted(whole["machines_count"], "machine")
    parts = []
    if whole["cores_count"] is not None:
        parts.append(counted(round(whole["cores_count"]), "core"))
    if whole["ram_gib"] is not None:
        parts.append(f"{whole['ram_gib']:,.0f} GiB of RAM")
    if whole["disk_tb"] is not None:
        parts.append(f"{whole['disk_tb']:,.1f} TB of disks")
    if parts:
        said += f" with {' and '.join((', '.join(parts[:-1]), parts[-1]) if parts[1:] else parts)}"
    if whole["busy_cores_count"] is not None:
        busy = whole["busy_cores_count"] / whole["measured_cores_count"]
        said += f"; {percent(busy)} of the cores that were measured are busy"
    else:
        said += "; the file does not say how busy they are" + (" on average" if has_use else "")
    return f"{said}, and {off:,.0f} that {'is' if off == 1 else 'are'} off." if off else f"{said}."


def _notes(whole: Sums) -> list[str]:
    told = (
        ("cores", whole.unknown_cores_count),
        ("RAM", whole.unknown_ram_count),
        ("disks", whole.unknown_disk_count),
    )
    return [
        f"No {what} in the file for {count:,.0f} of {counted(whole.machines_count, 'machine')}: "
        "not counted there."
        for what, count in told
        if count
    ]


fleet_importer = partial(
    Importer, makes="fleet", tables=tables, draft=draft, names=("sizes.names",)
)
