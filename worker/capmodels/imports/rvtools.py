"""A fleet of virtual machines: the workbook that RVTools exports from vCenter.

Sheets and columns as RVTools 4 names them (vInfo, vHost, vDatastore); sizes are in MiB, which
versions before 4.1 call MB.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from math import ceil
from statistics import median
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells
from capmodels.imports.fleet import IDLE_FRACTION
from capmodels.imports.fleet_ground import grounded
from capmodels.imports.origins import Span, origin_of, rows_said
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.table import Sheets, Table
from capmodels.imports.workbook import WORKBOOK, Workbook, written
from capmodels.numbers import counted, percent
from capmodels.written_numbers import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.spec import JSONDict

MIB_PER_GIB = 1024.0
TB_PER_MIB = 2**20 / 1e12
_HOST = (
    *("Host", "Cluster", "CPU Model", "Speed", "# CPU", "# Cores", "CPU usage %", "# Memory"),
    *("Memory usage %", "# VMs", "Vendor", "Model"),
)
_GUEST = (
    *("VM", "Powerstate", "Template", "CPUs", "Memory", "Active Memory", "Cluster"),
    *("Provisioned MiB", "Provisioned MB", "In Use MiB", "In Use MB"),
)
_STORE = ("Name", "Capacity MiB", "Capacity MB", "In Use MiB", "In Use MB")
# What says how much data there is, the nearest to what is stored first: sheet, its key below
# what is read, its columns of MiB, and how the amount is told.
_STORED = (
    ("vDatastore", "datastores", ()),
    ("vInfo", "guests", ()),
    ("vPartition", "partitions", ("Consumed MiB", "Consumed MB")),
    ("vDisk", "disks", ("Capacity MiB", "Capacity MB")),
)


_TEXTS = {
    *("Host", "Cluster", "CPU Model", "Vendor", "Model", "VM", "Powerstate", "Template"),
    *("DNS Name", "Name"),
}
# A sheet that stands alone, as RVTools exports each to CSV, is known by some of its columns.
_ALONE = {
    "vInfo": frozenset({"VM", "Powerstate", "Template", "CPUs", "Memory"}),
    "vHost": frozenset({"Host", "# Cores", "# Memory", "CPU usage %"}),
}


# A workbook, its sheets in a file each, or one of them alone.
_Book = Workbook | Sheets | Table


def fits(sheets: frozenset[str]) -> bool:
    """Whether a workbook has the sheet of virtual machines, or that of hosts, or is one in CSV."""
    is_book = bool(sheets & {"vInfo", "vHost", "tabvInfo", "tabvHost"})
    return is_book or (WORKBOOK not in sheets and any(sheets >= one for one in _ALONE.values()))


def _rows(book: _Book, sheet: str, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a sheet, which older versions call "tabvInfo" and the like, or of the one in CSV."""
    name = f"tab{sheet}" if f"tab{sheet}" in book.columns else sheet
    if isinstance(book, Workbook):
        yield from book.rows(name, wanted)
    elif isinstance(book, Sheets):
        yield from _read(book.table(name), wanted) if name in book.columns else ()
    elif book.columns >= _ALONE.get(sheet, frozenset({sheet})):
        yield from _read(book, wanted)


def _read(table: Table, wanted: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows of a sheet in CSV, its numbers read as its columns write them."""
    rows = list(table.wanted_rows(wanted))
    names = [name for name in wanted if name in table.columns and name not in _TEXTS]
    marks = table.marks({name: [str(row[name] or "") for _, row in rows] for name in names})
    for number, row in rows:
        for name in names:
            with suppress(ValueError):  # what is no number is told where it is used
                row[name] = number_of(str(row[name] or ""), marks[name])
        yield number, row


# Model, processor and sockets.
_Like = tuple[str, str, int]


@dataclass(slots=True)
class Hosts:
    """Hosts of one model."""

    hosts_count: int = 0
    cores_count: float = 0.0
    busy_cores_count: float = 0.0
    ram_gib: float = 0.0
    used_ram_gib: float = 0.0
    vms_count: float = 0.0
    unmeasured_count: int = 0
    idle_count: int = 0


@dataclass(slots=True)
class Guests:
    """Virtual machines in one state."""

    vms_count: int = 0
    unknown_count: int = 0
    vcpus_count: float = 0.0
    ram_gib: float = 0.0
    active_ram_gib: float = 0.0
    provisioned_tb: float = 0.0
    used_tb: float = 0.0


def read(book: _Book, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the fleet is: hosts by model, machines by state, datastores.

    Raises
    ------
    FileRefused
        When it has neither a host nor a virtual machine.
    """
    reading = Cells()
    report(0.1, "Reading hosts")
    hosts, host_rows = _hosts(book, reading)
    report(0.4, "Reading virtual machines")
    guests = _guests(book, reading)
    if not hosts and not guests:
        raise FileRefused("The sheets vHost and vInfo have no hosts and no virtual machines.")
    sizes = _sizes(book, reading)
    report(0.8, "Reading datastores")
    capacity, used = _datastores(book, reading)
    whole = Hosts()
    for group in hosts.values():
        for name in Hosts.__slots__:
            setattr(whole, name, getattr(whole, name) + getattr(group, name))
    return {
        "headline": _headline(whole, guests),
        "notes": _notes(whole, guests),
        "totals": _document(whole),
        "hosts": [
            {
                **dict(zip(("model", "cpu", "sockets_count"), key, strict=True)),
                **_document(group),
                "rows": host_rows[key].document(),
            }
            for key, group in sorted(
                hosts.items(), key=lambda pair: (-pair[1].hosts_count, pair[0])
            )
        ],
        "guests": [{"state": state, **_document(group)} for state, group in sorted(guests.items())],
        "sizes": sizes,
        "datastores": {"capacity_tb": capacity, "used_tb": used},
        **{
            key: {"used_tb": _summed(book, sheet, names, reading)}
            for sheet, key, names in _STORED
            if names
        },
        "rows": {sheet: span.document() for sheet, span in reading.rows.items()},
        **reading.document(),
    }


def _document(group: Hosts | Guests) -> JSONDict:
    return {name: getattr(group, name) for name in type(group).__slots__}


def _hosts(book: _Book, reading: Cells) -> tuple[dict[_Like, Hosts], dict[_Like, Span]]:
    """Like hosts, and the rows that they stand in."""
    found: dict[_Like, Hosts] = defaultdict(Hosts)
    rows: dict[_Like, Span] = defaultdict(Span)
    for number, row in _rows(book, "vHost", _HOST):
        place = ("vHost", number)
        reading.take(*place)
        cores = reading.number(place, row, "# Cores")
        ram = reading.number(place, row, "# Memory")
        if cores is None or ram is None:
            continue
        model = " ".join(str(row.get(name) or "").strip() for name in ("Vendor", "Model")).strip()
        sockets = int(reading.number(place, row, "# CPU") or 0)
        key = (model, " ".join(str(row.get("CPU Model") or "").split()), sockets)
        group = found[key]
        group.hosts_count += 1
        rows[key].add(number)
        group.cores_count += cores
        group.ram_gib += ram / MIB_PER_GIB
        group.vms_count += reading.number(place, row, "# VMs") or 0.0
        busy = reading.number(place, row, "CPU usage %")
        filled = reading.number(place, row, "Memory usage %")
        if busy is None or filled is None:
            group.unmeasured_count += 1
            continue
        group.idle_count += busy < 100.0 * IDLE_FRACTION
        group.busy_cores_count += cores * busy / 100.0
        group.used_ram_gib += ram / MIB_PER_GIB * filled / 100.0
    return dict(found), rows


def _guests(book: _Book, reading: Cells) -> dict[str, Guests]:
    found: dict[str, Guests] = defaultdict(Guests)
    for number, row in _rows(book, "vInfo", _GUEST):
        place = ("vInfo", number)
        reading.take(*place)
        group = found[_state(row)]
        group.vms_count += 1
        vcpus, ram = reading.number(place, row, "CPUs"), reading.number(place, row, "Memory")
        group.unknown_count += not vcpus or not ram
        group.vcpus_count += vcpus or 0.0
        group.ram_gib += (ram or 0.0) / MIB_PER_GIB
        group.active_ram_gib += (reading.number(place, row, "Active Memory") or 0.0) / MIB_PER_GIB
        given = reading.number(place, row, "Provisioned MiB", "Provisioned MB") or 0.0
        group.provisioned_tb += given * TB_PER_MIB
        group.used_tb += (reading.number(place, row, "In Use MiB", "In Use MB") or 0.0) * TB_PER_MIB
    return dict(found)


def _sizes(book: _Book, reading: Cells) -> list[JSONDict]:
    """Like virtual machines that run: as provisioned, and what they used at that moment.

    vCPU says the MHz that a machine used, of which its host's speed makes cores, and vMemory the
    RAM that it held.
    """
    speeds = _by_name(book, "vHost", "Host", "Speed", reading)
    used_mhz = _by_name(book, "vCPU", "VM", "Overall", reading)
    used_mib = _by_name(book, "vMemory", "VM", "Consumed", reading)
    usual = median(speeds.values()) if speeds else 0.0
    quiet = Cells()  # the same cells are told of where they are counted
    found: dict[tuple[float, float, float | None, float | None], list[tuple[str, str]]]
    found = defaultdict(list)
    for number, row in _rows(book, "vInfo", ("VM", "Host", "DNS Name", *_GUEST[1:5])):
        place = ("vInfo", number)
        vcpus, ram = quiet.number(place, row, "CPUs"), quiet.number(place, row, "Memory")
        if _state(row) != "on" or not vcpus or not ram:
            continue
        name, speed = str(row.get("VM")), speeds.get(str(row.get("Host")), usual)
        mhz, mib = used_mhz.get(name), used_mib.get(name)
        busy = None if mhz is None or not speed else ceil(10.0 * mhz / speed) / 10.0
        held = None if mib is None else float(ceil(mib / MIB_PER_GIB))
        found[vcpus, ram / MIB_PER_GIB, busy, held].append((name, str(row.get("DNS Name") or "")))
    names = ("vcpus_count", "ram_gib", "busy_cores_count", "used_ram_gib")
    return [
        {
            "count": len(vms),
            **dict(zip(names, size, strict=True)),
            "names": [name for name, _ in vms],
            "dns_names": [dns for _, dns in vms],
        }
        for size, vms in sorted(found.items(), key=lambda pair: (-len(pair[1]), str(pair[0])))
    ]


def _by_name(book: _Book, sheet: str, name: str, column: str, reading: Cells) -> dict[str, float]:
    """A sheet's numbers by the names of what they are of."""
    found = {}
    for number, row in _rows(book, sheet, (name, column)):
        value = reading.number((sheet, number), row, column)
        if row.get(name) and value:
            found[str(row[name])] = value
    return found


def _state(row: Mapping[str, Any]) -> str:
    if str(row.get("Template")).lower() == "true":
        return "template"
    return "on" if str(row.get("Powerstate") or "").lower() == "poweredon" else "off"


def _datastores(book: _Book, reading: Cells) -> tuple[float, float]:
    capacity = used = 0.0
    seen: set[str] = set()
    for number, row in _rows(book, "vDatastore", _STORE):
        name = str(row.get("Name") or number)
        if name in seen:
            continue
        seen.add(name)
        place = ("vDatastore", number)
        reading.take(*place)
        capacity += (reading.number(place, row, "Capacity MiB", "Capacity MB") or 0.0) * TB_PER_MIB
        used += (reading.number(place, row, "In Use MiB", "In Use MB") or 0.0) * TB_PER_MIB
    return capacity, used


def _summed(book: _Book, sheet: str, names: tuple[str, ...], reading: Cells) -> float:
    """What the rows of a sheet come to."""
    total = 0.0
    for number, row in _rows(book, sheet, names):
        place = (sheet, number)
        reading.take(*place)
        total += (reading.number(place, row, *names) or 0.0) * TB_PER_MIB
    return total


def _headline(whole: Hosts, guests: Mapping[str, Guests]) -> str:
    running = guests.get("on", Guests())
    if not whole.hosts_count:
        return (
            f"{counted(running.vms_count, 'running virtual machine')} with "
            f"{running.vcpus_count:,.0f} vCPUs and {running.ram_gib:,.0f} GiB of RAM; the file "
            "does not say on which hosts, nor how busy they are."
        )
    said = (
        f"{counted(whole.hosts_count, 'host')}, {counted(round(whole.cores_count), 'core')} and "
        f"{whole.ram_gib:,.0f} GiB of RAM: {_guests_said(whole, guests)}"
    )
    if whole.unmeasured_count == whole.hosts_count:
        return f"{said}; the file does not say how busy they are."
    return (
        f"{said}: {whole.busy_cores_count:,.0f} cores busy ({percent(_share(whole))}), "
        f"{whole.used_ram_gib:,.0f} GiB in use."
    )


def _guests_said(whole: Hosts, guests: Mapping[str, Guests]) -> str:
    if not guests:  # what vHost says of them
        return counted(round(whole.vms_count), "virtual machine")
    return counted(guests.get("on", Guests()).vms_count, "running virtual machine")


def _share(whole: Hosts) -> float:
    return whole.busy_cores_count / whole.cores_count if whole.cores_count else 0.0


def _notes(whole: Hosts, guests: Mapping[str, Guests]) -> list[str]:
    unknown = guests["on"].unknown_count if "on" in guests else 0
    unsized = [
        f"{counted(unknown, 'running virtual machine')} of which the file does not say CPUs and "
        "memory: not in their sums."
    ]
    return [*_notes_of_hosts(whole, guests), *(unsized if unknown else [])]


def _notes_of_hosts(whole: Hosts, guests: Mapping[str, Guests]) -> list[str]:
    if not whole.hosts_count:
        return ["The sheet vHost is not in the file: hosts and how busy they are stay open."]
    notes = ["RVTools measures one moment: the peak of the work is not in the file."]
    if not guests:
        notes.append("The sheet vInfo is not in the file: virtual machines stay open.")
    if whole.unmeasured_count:
        notes.append(
            f"{counted(whole.unmeasured_count, 'host')} without a use: its work is not counted."
        )
    return notes


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """Hosts by model, and virtual machines by state."""
    return [
        table(
            "Hosts",
            (
                Column("Model", "model"),
                Column("Processor", "cpu"),
                Column("Hosts", "hosts_count", "count"),
                Column("Virtual machines", "vms_count", "count"),
                Column("Idle", "idle_count", "count"),
                Column("Cores", "cores_count", "count"),
                Column("Cores busy", "busy_cores_count", "count"),
                Column("RAM", "ram_gib", "quantity", "GiB"),
                Column("RAM in use", "used_ram_gib", "quantity", "GiB"),
            ),
            preview["hosts"],
        ),
        table(
            "Virtual machines",
            (
                Column("State", "state"),
                Column("Count", "vms_count", "count"),
                Column("vCPUs", "vcpus_count", "count"),
                Column("RAM", "ram_gib", "quantity", "GiB"),
                Column("Disk in use", "used_tb", "quantity", "TB"),
            ),
            preview["guests"],
        ),
    ]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the work that a fleet carries: busy cores, RAM in use, data in use."""
    whole, guests = preview["totals"], {row["state"]: row for row in preview["guests"]}
    running, off = guests.get("on"), guests.get("off")
    workload: JSONDict = {"kind": "demand"}
    if whole["busy_cores_count"] > 0:
        workload["busy_cores_count"] = whole["busy_cores_count"]
        workload["ram_gib"] = whole["used_ram_gib"]
    stored_in, used_tb = _stored(preview)
    if used_tb > 0:
        workload["block_tb"] = used_tb
    sheets, counts = preview.get("rows", {}), {"vHost": counted(whole["hosts_count"], "host")}
    origins = {
        sheet: origin_of(
            options,
            "measured",
            rows=rows_said(sheets.get(sheet), sheet),
            what=counts.get(sheet, ""),
        )
        for sheet in ("vHost", *(sheet for sheet, _, _ in _STORED))
    }
    open_points = [*preview["notes"]]
    if whole["hosts_count"]:
        open_points.append(
            "Busy cores are those of these hosts' processors: say in the work which core is meant."
        )
    open_points.append("What the fleet costs today is not in the file: enter it as the baseline.")
    if stored_in == "vDisk":
        open_points.append("Data in use is not in the file: disks are counted as they are sized.")
    if running:
        open_points.append(
            f"By provisioned size the same work would be {running['vcpus_count']:,.0f} vCPUs and "
            f"{running['ram_gib']:,.0f} GiB of RAM."
        )
    if whole.get("idle_count"):
        open_points.append(
            f"{counted(whole['idle_count'], 'host')} of {whole['hosts_count']:,} less than "
            f"{percent(IDLE_FRACTION)} busy: idle, as far as this moment tells."
        )
    if off and off["vms_count"]:
        open_points.append(
            f"Off: {counted(off['vms_count'], 'virtual machine')} with {off['used_tb']:.1f} TB."
        )
    drafted = Drafted(
        title=f"Fleet of {options.file_name}"[:120],
        workload=workload,
        provenance={
            f"/{name}": origins[stored_in if name == "block_tb" else "vHost"]
            for name in workload
            if name != "kind"
        },
        open_points=open_points,
    )
    return grounded(drafted, preview, options)


def _stored(preview: Mapping[str, Any]) -> tuple[str, float]:
    """The sheet that says how much data there is, and that amount. [TB]"""
    for sheet, key, _names in _STORED:
        held = preview.get(key, {})
        found = held["used_tb"] if isinstance(held, dict) and held else 0.0
        if key == "guests":
            found = sum(row["used_tb"] for row in preview["guests"])
        if found > 0:
            return sheet, float(found)
    return "vDatastore", 0.0


def sample() -> bytes:
    """A workbook of two hosts of one model, one of another, and four virtual machines."""
    return written(
        {
            "vInfo": [
                ("VM", "Powerstate", "Template", "CPUs", "Memory", "Active Memory", "In Use MiB"),
                ("web-1", "poweredOn", False, 4, 16384, 8192, 102400),
                ("web-2", "poweredOn", False, 4, 16384, 4096, 102400),
                ("old", "poweredOff", False, 8, 32768, 0, 512000),
                ("golden", "poweredOff", True, 2, 4096, 0, 20480),
            ],
            "vHost": [
                (
                    "Host",
                    "CPU Model",
                    "# CPU",
                    "# Cores",
                    "CPU usage %",
                    "# Memory",
                    "Memory usage %",
                    "# VMs",
                    "Vendor",
                    "Model",
                ),
                ("esx-1", "Xeon Gold 6338", 2, 64, 30, 1048576, 60, 1, "Dell", "R750"),
                ("esx-2", "Xeon Gold 6338", 2, 64, 50, 1048576, 60, 1, "Dell", "R750"),
                ("esx-3", "EPYC 7543", 1, 32, 10, 262144, 20, 0, "HPE", "DL325"),
            ],
            "vDatastore": [("Name", "Capacity MiB", "In Use MiB"), ("san-1", 10485760, 5242880)],
        }
    )


IMPORTER = Importer(
    id="rvtools",
    title="RVTools workbook, or one sheet of it as CSV",
    makes="fleet",
    fits=fits,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
    names=("sizes.names", "sizes.dns_names"),
    is_workbook=True,
)
