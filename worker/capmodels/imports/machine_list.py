"""A fleet as a table: NetBox's exports of devices and virtual machines, and any plain list.

Columns are known by their names: those of NetBox's CSV export ("Device type", "vCPUs", "Memory
(MB)", "Disk (GB)"; documentation of NetBox 4, "Devices" and "Virtual Machines"), or any of the
words that inventories use (``machine_words``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capmodels.imports import fleet
from capmodels.imports import machine_words as words
from capmodels.imports.fleet_source import Heads, read_machines
from capmodels.imports.measures import measure_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.imports.measures import Measure
    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_UNIT = re.compile(r"^(.*?)(?:\s+|\s*[\[(]\s*)(%|[kmgtp]i?[bo]|kw|w|usd)\s*[\])]?$")
# Use of what, where no per cent says that it is of processors?
_OF_ANYTHING = {"cpu", "utilization", "utilisation", "auslastung", "utilizacion", "uso"}
# Columns not read, by name.
_NAMED_MOST = 10
_REGION = frozenset(("region", "cloud region", "aws region", "azure region", "gcp region"))


def heads(columns: frozenset[str]) -> dict[str, tuple[str, str]]:
    """Return, by meaning, the column of a table and the unit in its name."""
    plain = {}
    for column in columns:
        # "cf" stands before the custom fields of NetBox.
        text = words.plain(column).removeprefix("cf ")
        found = _UNIT.match(text)
        name, unit = (found[1].strip(), found[2]) if found else (text, "")
        plain[name, unit] = column
    chosen: dict[str, tuple[str, str]] = {}
    for meaning, known in words.WORDS.items():
        for word in known:
            at = next(
                (key for key in sorted(plain) if key[0] == word and _suits(meaning, key)), None
            )
            if at is not None:
                chosen[meaning] = (plain[at], at[1])
                break
    if "name" in chosen and chosen.get("count") == chosen["name"]:
        del chosen["count"]
    return chosen


def _suits(meaning: str, key: tuple[str, str]) -> bool:
    name, unit = key
    if meaning == "busy":
        return unit == "%" or name not in _OF_ANYTHING
    if meaning == "price" and name in words.OTHERS[meaning]:
        return unit == "usd"
    return unit != "%"


def fits(columns: frozenset[str]) -> bool:
    """Whether a table lists machines: a name or model of each, and what is in them."""
    known = heads(columns)
    inside = known.keys() & {"cores", "ram", "cpu", "sockets"}
    is_netbox = known.keys() >= {"name", "model", "status"} and (
        "role" in known or bool(columns & {"Rack", "rack"})
    )
    return is_netbox or (bool(known.keys() & {"name", "model"}) and len(inside) >= 2)


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the fleet is.

    Raises
    ------
    FileRefused
        When it has no machine, or is damaged.
    """
    known = heads(table.columns)
    told = _measures(table.columns, known)
    are_virtual = "vcpu" in known.get("cores", ("", ""))[0].lower()
    known |= _region(table.columns)
    read = read_machines(table, known, told, report, are_virtual=are_virtual)
    used = {column for column, _ in known.values()} | {one.column for one in told.values()}
    if left := sorted(name for name in table.columns - used if name.strip()):
        more = f" and {len(left) - _NAMED_MOST} more" if len(left) > _NAMED_MOST else ""
        unread = f"Columns that are not read: {', '.join(left[:_NAMED_MOST])}{more}."
        read["notes"].insert(0, unread)
    return read


def _region(columns: frozenset[str]) -> dict[str, tuple[str, str]]:
    """The column of the region that machines stand in, where there is one."""
    found = sorted(name for name in columns if name.lower().replace("_", " ").strip() in _REGION)
    return {"region": (found[0], "")} if found else {}


def _measures(columns: frozenset[str], known: Heads) -> dict[str, Measure]:
    """Columns that say how busy machines are, besides the one that a fleet's work is told by."""
    found: dict[str, Measure] = {}
    meant = {column for column, _ in known.values()}
    for measure in map(measure_of, sorted(columns - meant)):
        if measure is not None:
            found.setdefault(f"{measure.part} {measure.figure}", measure)
    return found


def sample() -> bytes:
    """Three machines as an inventory has them: two at work, one in store."""
    return (
        b"Name,Manufacturer,Device type,CPU,Cores,Memory (GB),Disk (TB),CPU usage (%),Status\n"
        b"db-1,Dell,PowerEdge R750,Xeon Gold 6338,64,1024,15.36,42,Active\n"
        b"db-2,Dell,PowerEdge R750,Xeon Gold 6338,64,1024,15.36,18,Active\n"
        b"old-7,HPE,DL325,EPYC 7543,32,256,3.84,,Inventory\n"
    )


IMPORTER = fleet.fleet_importer(
    id="machine_list",
    title="List of machines (NetBox export or any CSV with cores and RAM)",
    fits=fits,
    read=read,
    sample=sample,
)
