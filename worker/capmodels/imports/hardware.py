"""Hardware of machines as programs tell it in JSON: ``lshw -json``, and dmidecode turned by jc.

Sources: lshw's manual and its output (nodes with ``class``, ``id``, ``size`` and ``units``,
``configuration``, ``children``; the main memory is the node of class "memory" whose id begins so).
System Management BIOS, DMTF DSP0134, types 1, 4 and 17; jc's parser "dmidecode": a list of handles
with ``description`` and ``values``, which has no disks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.imports import fleet
from capmodels.imports.cells import Cells, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from capmodels.imports.registry import Importer
    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

    Node = Mapping[str, Any]

_BYTES_MAX = 1e24


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareSource:
    """A program that tells the parts of machines.

    ``machines`` yields the parts of each machine of a document; ``part`` says which of "system",
    "processor", "memory" and "disk" a part is, or nothing where it does not count; ``maker``,
    ``model``, ``name`` and ``cpu`` are keys of a part, ``cores`` says a processor's cores and
    ``size`` bytes of another part.
    """

    id: str
    title: str
    fits: Callable[[frozenset[str]], bool]
    machines: Callable[[list[Any]], Iterator[Iterable[Node]]]
    part: Callable[[Node], str]
    system: tuple[str, ...]
    cpu: str
    cores: tuple[str, ...]
    size: Callable[[Node], float]
    sample: bytes
    name: str = ""

    def read(self, document: Document, report: Callable[[float, str], None]) -> JSONDict:
        """Return what the machines are."""
        report(0.3, "Reading machines")
        cells = Cells()
        found = [
            self._machine(at, parts, cells)
            for at, parts in enumerate(self.machines(document.values), start=1)
        ]
        return fleet.preview_of(found, cells)

    def _machine(self, at: int, parts: Iterable[Node], cells: Cells) -> fleet.Machine:
        name = model = cpu = ""
        each: list[float | None] = []
        sizes: dict[str, float] = {}
        for one in parts:
            kind = self.part(one)
            if kind == "system" and not (model or name):  # devices of a board are of this class too
                model = " ".join(str(one.get(key) or "") for key in self.system).strip()
                name = str(one.get(self.name) or "")
            elif kind == "processor":
                cpu = cpu or " ".join(str(one.get(self.cpu) or "").split())
                each.append(cells.number(("processor", at), one, *self.cores))
            elif kind:
                try:
                    size = self.size(one)
                except ValueError:
                    said = str(one.get("size"))[:40]
                    cells.add(at, f"{kind} device: {said!r} is no size")
                    continue
                if size:
                    sizes[kind] = sizes.get(kind, 0.0) + size
        # of a processor that does not say its cores nobody knows those of the machine
        cores = sum(one for one in each if one) if all(each) else None
        ram, disk = sizes.get("memory"), sizes.get("disk")
        return fleet.Machine(
            name=name,
            model=model,
            cpu=cpu,
            sockets_count=float(len(each)) or None,
            cores_count=cores or None,
            ram_gib=ram and ram / fleet.BYTES_PER_GIB,
            disk_tb=disk and disk / fleet.BYTES_PER_TB,
        )

    def importer(self) -> Importer:
        """The importer of files of the program."""
        return fleet.fleet_importer(
            id=self.id, title=self.title, fits=self.fits, read=self.read, sample=lambda: self.sample
        )


def _systems(values: Any) -> Iterator[Iterator[Node]]:
    """Machines of lshw: one, a list of them, or lists of lists."""
    if isinstance(values, list):
        for one in values:
            yield from _systems(one)
    elif isinstance(values, dict) and values.get("class") == "system":
        yield _nodes(values)


def _nodes(system: Node) -> Iterator[Node]:
    waiting = [system]
    while waiting:
        one = waiting.pop()
        yield (
            {**one, **(one.get("configuration") or {})} if one.get("class") == "processor" else one
        )
        waiting += [child for child in one.get("children") or () if isinstance(child, dict)]


def _node_part(node: Node) -> str:
    """Which part a node of lshw is: no bank of the memory, no partition, nothing removable."""
    kind, name = str(node.get("class")), str(node.get("id", ""))
    words = f"{name} {node.get('description')}".lower()
    if kind == "processor":
        return "" if node.get("disabled") else kind
    if kind == "memory":
        return kind if name.startswith("memory") else ""
    is_loose = "removable" in (node.get("capabilities") or ())
    if kind == "disk" and (is_loose or re.search("cdrom|dvd|virtual floppy", words)):
        return ""
    return kind if kind in {"system", "disk"} else ""


def _node_bytes(node: Node) -> float:
    size, is_bytes = node.get("size"), node.get("units", "bytes") == "bytes"
    is_size = isinstance(size, int | float) and 0 < size <= _BYTES_MAX
    return float(size) if is_bytes and is_size and size is not None else 0.0


def _sets(values: list[Any]) -> Iterator[Iterator[Node]]:
    """The handles of each machine: a list of them, or a list of such lists."""
    for one in values:
        if isinstance(one, list) and one and isinstance(one[0], dict):
            yield (
                {**held["values"], "kind": str(held.get("description") or "").lower()}
                for held in one
                if isinstance(held, dict) and isinstance(held.get("values"), dict)
            )
        elif isinstance(one, list):
            yield from _sets(one)


def _handle_part(values: Node) -> str:
    """Which part a handle is; virtual machines list all the processors that they may have."""
    kinds = {"system information": "system", "memory device": "memory"}
    if values["kind"] == "processor information":
        is_empty = re.search(r"unpopulated|disabled", str(values.get("status")).lower())
        return "" if is_empty else "processor"
    return kinds.get(values["kind"], "")


def _module_bytes(values: Node) -> float:
    """A module's size: dmidecode writes GB and MB for powers of two. Raises ValueError."""
    size = str(values.get("size") or "").strip()
    if size.lower() in {"no module installed", "unknown", "not specified", "none", ""}:
        return 0.0
    return bytes_of(size.replace("B", "iB").replace("iiB", "iB"))


IMPORTERS = tuple(
    one.importer()
    for one in (
        HardwareSource(
            id="lshw",
            title="Machines as lshw -json prints them",
            fits=lambda keys: (
                keys >= {"id", "class"} and bool(keys & {"children", "configuration", "handle"})
            ),
            machines=_systems,
            part=_node_part,
            system=("vendor", "product"),
            name="id",  # lshw calls the whole by its host name
            cpu="product",
            cores=("enabledcores", "cores"),
            size=_node_bytes,
            sample=b"""{"id": "db-1", "class": "system", "product": "PowerEdge R750", \
"vendor": "Dell Inc.",
 "children": [{"id": "core", "class": "bus", "children": [
  {"id": "memory", "class": "memory", "units": "bytes", "size": 549755813888,
   "children": [{"id": "bank:0", "class": "memory", "units": "bytes", "size": 68719476736}]},
  {"id": "cpu:0", "class": "processor", "product": "Intel(R) Xeon(R) Gold 6338",
   "units": "Hz", "size": 2000000000, "configuration": {"cores": "32", "threads": "64"}},
  {"id": "cpu:1", "class": "processor", "product": "Intel(R) Xeon(R) Gold 6338",
   "configuration": {"cores": "32", "threads": "64"}},
  {"id": "raid", "class": "storage", "children": [
   {"id": "disk:0", "class": "disk", "units": "bytes", "size": 3840755982336,
    "children": [{"id": "volume", "class": "volume", "size": 3840755982336}]},
   {"id": "disk:1", "class": "disk", "units": "bytes", "size": 3840755982336},
   {"id": "cdrom", "class": "disk", "description": "DVD reader"}]}]}]}
""",
        ),
        HardwareSource(
            id="dmidecode",
            title="Machines as dmidecode tells them (JSON)",
            fits=lambda keys: keys >= {"handle", "description", "values"},
            machines=_sets,
            part=_handle_part,
            system=("manufacturer", "product_name"),
            cpu="version",
            cores=("core_enabled", "core_count"),
            size=_module_bytes,
            sample=b"""[{"handle": "0x0100", "type": 1, "description": "System Information",
  "values": {"manufacturer": "HPE", "product_name": "ProLiant DL325 Gen10"}},
 {"handle": "0x0400", "type": 4, "description": "Processor Information",
  "values": {"version": "AMD EPYC 7543 32-Core Processor", "status": "Populated, Enabled",
             "core_count": "32", "core_enabled": "32", "thread_count": "64"}},
 {"handle": "0x1100", "type": 17, "description": "Memory Device", "values": {"size": "64 GB"}},
 {"handle": "0x1101", "type": 17, "description": "Memory Device", "values": {"size": "64 GB"}},
 {"handle": "0x1102", "type": 17, "description": "Memory Device",
  "values": {"size": "No Module Installed"}}]
""",
        ),
    )
)
