"""Hardware of machines as ``dmidecode`` tells it, turned to JSON by the common converter jc.

Source: System Management BIOS, DMTF DSP0134, types 1 (system), 4 (processor) and 17 (memory
device); jc's documentation, parser "dmidecode": a list of handles with ``description`` and
``values``. Disks are not in the firmware's tables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from capmodels.imports import fleet
from capmodels.imports.cells import Cells, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

_NO_PART = frozenset({"no module installed", "unknown", "not specified", "none", ""})


def fits(keys: frozenset[str]) -> bool:
    """Whether JSON is the handles of a machine."""
    return keys >= {"handle", "description", "values"}


def read(document: Document, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the machines are.

    Raises
    ------
    FileRefused
        When there is none.
    """
    report(0.3, "Reading machines")
    cells = Cells()
    found = [_machine(at, handles, cells) for at, handles in enumerate(_sets(document.values), 1)]
    return fleet.preview_of(found, cells)


def _sets(values: list[Any]) -> Iterator[list[Mapping[str, Any]]]:
    """The handles of each machine: a list of them, or a list of such lists."""
    for one in values:
        if isinstance(one, list) and one and isinstance(one[0], dict):
            yield [handle for handle in one if isinstance(handle, dict)]
        elif isinstance(one, list):
            yield from _sets(one)


def _machine(at: int, handles: list[Mapping[str, Any]], cells: Cells) -> fleet.Machine:
    model = cpu = ""
    cores = ram = sockets = 0.0
    for handle in handles:
        values = handle.get("values")
        kind = str(handle.get("description") or "").lower()
        if not isinstance(values, dict):
            continue
        if kind == "system information":
            model = " ".join(str(values.get(n) or "") for n in ("manufacturer", "product_name"))
        elif kind == "processor information" and not _is_empty(values):
            cpu = cpu or " ".join(str(values.get("version") or "").split())
            sockets += 1
            cores += cells.number(("processor", at), values, "core_enabled", "core_count") or 0.0
        elif kind == "memory device":
            ram += _module_bytes(at, str(values.get("size") or ""), cells)
    return fleet.Machine(
        model=model.strip(),
        cpu=cpu,
        sockets_count=sockets or None,
        cores_count=cores or None,
        ram_gib=ram / fleet.BYTES_PER_GIB if ram else None,
    )


def _is_empty(values: Mapping[str, Any]) -> bool:
    """Whether a socket has no processor that works: virtual machines list all they may have."""
    return re.search(r"unpopulated|disabled", str(values.get("status")).lower()) is not None


def _module_bytes(at: int, size: str, cells: Cells) -> float:
    """A module's size: dmidecode writes GB and MB for powers of two."""
    if size.strip().lower() in _NO_PART:
        return 0.0
    try:
        return bytes_of(size.replace("B", "iB").replace("iiB", "iB"))
    except ValueError:
        cells.add(at, f"memory device: {size[:40]!r} is no size")
        return 0.0


def sample() -> bytes:
    """A machine of one processor with two of four memory slots filled."""
    return b"""[{"handle": "0x0100", "type": 1, "description": "System Information",
  "values": {"manufacturer": "HPE", "product_name": "ProLiant DL325 Gen10"}},
 {"handle": "0x0400", "type": 4, "description": "Processor Information",
  "values": {"version": "AMD EPYC 7543 32-Core Processor", "status": "Populated, Enabled",
             "core_count": "32", "core_enabled": "32", "thread_count": "64"}},
 {"handle": "0x1100", "type": 17, "description": "Memory Device", "values": {"size": "64 GB"}},
 {"handle": "0x1101", "type": 17, "description": "Memory Device", "values": {"size": "64 GB"}},
 {"handle": "0x1102", "type": 17, "description": "Memory Device",
  "values": {"size": "No Module Installed"}}]
"""


IMPORTER = fleet.fleet_importer(
    id="dmidecode",
    title="Machines as dmidecode tells them (JSON)",
    fits=fits,
    read=read,
    sample=sample,
)
