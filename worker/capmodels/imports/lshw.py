"""Hardware of machines as ``lshw -json`` prints it: one machine, a list, or one a line.

Source: lshw's manual and its JSON output (nodes with ``class``, ``id``, ``product``, ``vendor``,
``size`` and ``units``, ``configuration``, ``children``). The main memory is the node of class
"memory" whose id begins with "memory"; a processor's cores are its configuration's "cores".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.imports import fleet
from capmodels.imports.cells import Cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

# A disk is of class "disk"; partitions below it are of class "volume", and not counted again.
_NO_DISKS = ("cdrom", "dvd", "virtual floppy")


def fits(keys: frozenset[str]) -> bool:
    """Whether JSON is a machine of lshw."""
    return keys >= {"id", "class"} and bool(keys & {"children", "configuration", "handle"})


def read(document: Document, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the machines are.

    Raises
    ------
    FileRefused
        When there is none.
    """
    report(0.3, "Reading machines")
    return fleet.preview_of((_machine(node) for node in _systems(document.values)), Cells())


def _systems(values: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(values, list):
        for one in values:
            yield from _systems(one)
    elif isinstance(values, dict) and values.get("class") == "system":
        yield values


def _nodes(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += [child for child in one.get("children") or () if isinstance(child, dict)]


def _machine(system: Mapping[str, Any]) -> fleet.Machine:
    ram = disk = None
    each: list[float | None] = []
    cpu = ""
    for node in _nodes(system):
        kind, size = node.get("class"), _size(node)
        if kind == "processor" and not node.get("disabled"):
            cpu = cpu or " ".join(str(node.get("product") or "").split())
            each.append(_cores(node))
        elif kind == "memory" and str(node.get("id", "")).startswith("memory") and size:
            ram = (ram or 0.0) + size
        elif kind == "disk" and size and not _is_removable(node):
            disk = (disk or 0.0) + size
    # of a processor that does not say its cores nobody knows those of the machine
    cores = sum(one for one in each if one) if all(each) else None
    return fleet.Machine(
        name=str(system.get("id") or ""),  # lshw calls the whole by its host name
        model=" ".join(str(system.get(name) or "") for name in ("vendor", "product")).strip(),
        cpu=cpu,
        sockets_count=float(len(each)) or None,
        cores_count=cores or None,
        ram_gib=ram and ram / fleet.BYTES_PER_GIB,
        disk_tb=disk and disk / fleet.BYTES_PER_TB,
    )


_BYTES_MAX = 1e24


def _size(node: Mapping[str, Any]) -> float:
    size = node.get("size")
    is_bytes = node.get("units", "bytes") == "bytes"
    if not is_bytes or not isinstance(size, int | float) or not 0 < size <= _BYTES_MAX:
        return 0.0
    return float(size)


def _cores(node: Mapping[str, Any]) -> float | None:
    given = node.get("configuration") or {}
    for name in ("enabledcores", "cores"):
        try:
            return float(given[name])
        except (KeyError, TypeError, ValueError):
            continue
    return None


def _is_removable(node: Mapping[str, Any]) -> bool:
    """Optical drives, and what says that it can be taken out: sticks and cards."""
    words = f"{node.get('id')} {node.get('description')}".lower()
    return "removable" in (node.get("capabilities") or ()) or any(w in words for w in _NO_DISKS)


def sample() -> bytes:
    """A machine of two processors, 512 GiB and two disks."""
    return b"""{"id": "db-1", "class": "system", "product": "PowerEdge R750", "vendor": "Dell Inc.",
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
"""


IMPORTER = fleet.fleet_importer(
    id="lshw",
    title="Machines as lshw -json prints them",
    fits=fits,
    read=read,
    sample=sample,
)
