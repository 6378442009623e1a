"""A fleet as a table: NetBox's exports of devices and virtual machines, and any plain list.

Columns are known by their names: those of NetBox's CSV export ("Device type", "vCPUs", "Memory
(MB)", "Disk (GB)"; documentation of NetBox 4, "Devices" and "Virtual Machines"), or any of the
words that inventories use. A unit stands in the column's name or in the cell; where neither has
one, the figure is left out and told, as a factor of a thousand must not be guessed.
"""

from __future__ import annotations

import re
from math import inf
from typing import TYPE_CHECKING, Any

from capmodels.imports import fleet
from capmodels.imports.cells import Cells, Mark, bytes_of, mark_of, number_of
from capmodels.imports.measures import Measure, figure_said, measure_of
from capmodels.imports.table import identifier
from capmodels.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

WORDS: dict[str, tuple[str, ...]] = {
    "name": ("name", "hostname", "host", "server", "device", "machine", "fqdn", "vm",
             "machine name", "vm name", "server name", "host name"),
    "maker": ("manufacturer", "vendor", "make", "brand"),
    "model": ("device type", "type", "model", "product", "server model", "chassis"),
    "cpu": ("cpu", "cpu description", "cpu model", "processor", "processor model", "processors"),
    "sockets": ("sockets", "cpus", "cpu count", "socket count", "processor count"),
    "cores_per_socket": ("cores per socket", "cores per cpu"),
    "cores": ("cores", "cpu cores", "core count", "total cores", "vcpus", "vcpu", "physical cores"),
    "ram": ("memory", "ram", "total memory", "memory size", "installed memory"),
    "disk": ("disk", "storage", "disk size", "disks", "local storage", "total disk"),
    "watts": ("power", "watts", "power draw", "average power"),
    "count": ("quantity", "qty", "count", "number"),
    "role": ("role", "device role"),
    "status": ("status", "state", "power state", "powerstate"),
    "bought": ("purchase date", "purchased", "bought", "in service", "install date", "year",
               "commissioned"),
    "price": ("price", "purchase price", "cost", "unit price"),
    "region": ("region", "cloud region", "aws region", "azure region", "location"),
}  # fmt: skip
_TEXTS = ("name", "maker", "model", "cpu", "role", "status", "bought", "region")
# Roles of devices in a rack that carry no work.
_NO_SERVER = re.compile(
    r"switch|router|firewall|\bpdu\b|\bups\b|patch|console|\bkvm\b|access point|modem|"
    r"load balancer|cable|cooling|sensor|camera|printer|telephone|\bspine\b|\bleaf\b|\btor\b",
    re.IGNORECASE,
)
# What stands between words of a column's name: signs, or a capital as in cpuDescription.
_BETWEEN = re.compile(r"[_\-.]+|(?<=[a-z])(?=[A-Z][a-z])")
_UNIT = re.compile(r"^(.*?)(?:\s+|\s*[\[(]\s*)(%|[kmgtp]i?b|kw|w|usd)\s*[\])]?$")
# A meter may be off by so much of all that there is.
_METER_MOST = 1.1
_CELL_UNIT = re.compile(r"[a-z]", re.IGNORECASE)


def heads(columns: frozenset[str]) -> dict[str, tuple[str, str]]:
    """Return, by meaning, the column of a table and the unit in its name."""
    plain = _plain(columns)
    chosen: dict[str, tuple[str, str]] = {}
    for meaning, words in WORDS.items():
        for word in words:
            at = next((key for key in sorted(plain) if key[0] == word and key[1] != "%"), None)
            if at is not None:
                chosen[meaning] = (plain[at], at[1])
                break
    return chosen


def _plain(columns: frozenset[str]) -> dict[tuple[str, str], str]:
    """Columns by their plain names and the units in them."""
    plain = {}
    for column in columns:
        # "cf" stands before the custom fields of NetBox.
        text = " ".join(_BETWEEN.sub(" ", column).lower().split()).removeprefix("cf ")
        found = _UNIT.match(text)
        name, unit = (found[1].strip(), found[2]) if found else (text, "")
        plain[name, unit] = column
    return plain


def measures(columns: frozenset[str]) -> dict[str, tuple[str, Measure]]:
    """Return, by part and figure, the columns that say how busy machines are, and what they say."""
    found: dict[str, tuple[str, Measure]] = {}
    meant = {column for column, _ in heads(columns).values()}
    for (name, unit), column in sorted(_plain(columns).items()):
        measure = None if column in meant else measure_of(name, unit)
        if measure is not None:
            found.setdefault(f"{measure.part} {measure.figure}", (column, measure))
    return found


def fits(columns: frozenset[str]) -> bool:
    """Whether a table lists machines: a name or model of each, and what is in them."""
    known = heads(columns)
    inside = known.keys() & {"cores", "ram", "cpu", "sockets"}
    is_netbox = (
        "model" in known
        and known.keys() >= {"name", "status"}
        and (bool(columns & {"Role", "role", "Device role", "device_role", "Rack", "rack"}))
    )
    return is_netbox or (bool(known.keys() & {"name", "model"}) and len(inside) >= 2)


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the fleet is.

    Raises
    ------
    FileRefused
        When it has no machine, or is damaged.
    """
    report(0.2, "Reading machines")
    told, cells = measures(table.columns), Cells()
    known = heads(table.columns) | {
        key: (column, measure.unit) for key, (column, measure) in told.items()
    }
    names = [column for column, _ in known.values()]
    select = ", ".join(f"CAST({identifier(name)} AS VARCHAR)" for name in names)
    found = table.rows(f"SELECT {select} FROM {table.source}")
    for line, said in table.rejected(100)[0]:
        cells.add(line, said)
    rows = enumerate((dict(zip(known, row, strict=True)) for row in found), table.first_row)
    mark = mark_of(str(row[at] or "") for at, name in enumerate(known) if name not in _TEXTS
                   for row in found)  # fmt: skip
    servers = [one for one in rows if not _NO_SERVER.search(str(one[1].get("role") or ""))]
    shares = _shares((row for _, row in servers), told, mark)
    are_virtual = "vcpu" in known.get("cores", ("", ""))[0].lower()
    machines = (
        _machine(_Row(line, row, known, cells, mark, shares), told)
        for line, row in servers
        if any(row.values())
    )
    preview = fleet.preview_of(machines, cells, are_virtual=are_virtual)
    preview["notes"] += _told_notes(told.values(), shares)
    others = len(found) - len(servers)
    if others:
        preview["notes"].append(
            f"{counted(others, 'device')} of other roles, as switches and power strips, left out."
        )
    return preview


def _told_notes(told: Iterable[tuple[str, Measure]], shares: frozenset[str]) -> list[str]:
    """Which columns say how busy machines are, each with what it is taken for."""
    held: dict[str, list[str]] = {}
    for column, one in told:
        unit = ", in shares of one, as no cell is above 1" if column in shares else ""
        held.setdefault(one.part.upper(), []).append(f"{figure_said(one.figure)} ({column}{unit})")
    return [f"{part} in use as the file says: {', '.join(said)}." for part, said in held.items()]


def _shares(
    rows: Iterable[Mapping[str, Any]],
    told: Mapping[str, tuple[str, Measure]],
    mark: Mark | None,
) -> frozenset[str]:
    """Columns of CPU without a unit whose numbers are shares of one: some above 0, none above 1."""
    tops = {key: 0.0 for key, (_, one) in told.items() if (one.part, one.unit) == ("cpu", "")}
    for row in rows:
        for key, top in tops.items():
            try:
                tops[key] = max(top, number_of(str(row[key] or "0"), mark))
            except ValueError:
                tops[key] = inf  # with a sign of percent, or a word
    return frozenset(told[key][0] for key, top in tops.items() if 0.0 < top <= 1.0)


class _Row:
    """A row whose cells are asked for by meaning."""

    def __init__(
        self,
        line: int,
        row: Mapping[str, Any],
        known: Mapping[str, tuple[str, str]],
        cells: Cells,
        mark: Mark | None,
        shares: frozenset[str],
    ) -> None:
        self.line, self.row, self.known, self.cells, self.mark = line, row, known, cells, mark
        self.shares = shares

    def text(self, meaning: str) -> str:
        return " ".join(str(self.row.get(meaning) or "").split())

    def number(self, meaning: str, read: Callable[[str], float] | None = None) -> float | None:
        text = self.text(meaning)
        if not text or text == "—":
            return None
        try:
            value = read(text) if read else self.plain(text)
        except ValueError:
            column = self.known[meaning][0]
            self.cells.add(self.line, f"{column}: {text[:40]!r} is not a number")
            return None
        if value < 0:
            self.cells.add(self.line, f"{self.known[meaning][0]}: {text[:40]!r} is below zero")
            return None
        return value

    def plain(self, text: str) -> float:
        return number_of(text, self.mark)

    def fraction(self, meaning: str) -> float | None:
        """A share, of one or of a hundred; none where it is far above all that there is."""
        column = self.known.get(meaning, ("", ""))[0]
        whole = 1.0 if column in self.shares else 100.0
        value = self.number(meaning, lambda said: self.plain(said.replace("%", "")) / whole)
        if value is not None and value > _METER_MOST:
            self.cells.add(self.line, f"{column}: {self.text(meaning)[:40]!r} is above 100%")
            return None
        return value if value is None else min(value, 1.0)

    def size_bytes(self, meaning: str) -> float | None:
        unit = self.known.get(meaning, ("", ""))[1]
        text = self.text(meaning)
        if text and not unit and not _CELL_UNIT.search(text):
            column = self.known[meaning][0]
            self.cells.add(self.line, f"{column}: {text[:40]!r} has no unit (GB, GiB ...)")
            return None
        return self.number(
            meaning, lambda said: bytes_of(said, alone=unit.rstrip("b") or "k", mark=self.mark)
        )


def _machine(row: _Row, told: Mapping[str, tuple[str, Measure]]) -> fleet.Machine:
    sockets, each = row.number("sockets"), row.number("cores_per_socket")
    cores = row.number("cores")
    if cores is None and sockets is not None and each is not None:
        cores = sockets * each
    ram, disk = _memory_bytes(row), row.size_bytes("disk")
    kilo = 1000.0 if row.known.get("watts", ("", ""))[1] == "kw" else 1.0
    watts = row.number("watts", lambda said: row.plain(said.lower().removesuffix("w")) * kilo)
    count = row.number("count")
    ram_gib = None if ram is None else ram / fleet.BYTES_PER_GIB
    used = _used(told, "cpu", lambda key, unit: _used_cpu(row, key, unit, cores))
    return fleet.Machine(
        name=row.text("name"),
        region=row.text("region"),
        used_cpu=used,
        used_ram=_used(told, "ram", lambda key, unit: _used_ram_gib(row, key, unit, ram_gib)),
        model=" ".join(filter(None, (row.text("maker"), row.text("model")))),
        cpu=row.text("cpu"),
        count=1.0 if count is None else count,
        sockets_count=sockets,
        cores_count=cores,
        ram_gib=ram_gib,
        disk_tb=None if disk is None else disk / fleet.BYTES_PER_TB,
        busy_fraction=used.get("mean", used.get("listed")),
        watts=watts,
        price_usd=row.number("price", lambda said: row.plain(said.lstrip("$"))),
        bought_on=row.text("bought"),
        row=row.line,
        is_off=re.sub(r"[^a-z]", "", row.text("status").lower()) in fleet.OFF,
    )


def _used(
    told: Mapping[str, tuple[str, Measure]],
    part: str,
    read: Callable[[str, str], float | None],
) -> dict[str, float]:
    """What a row's columns say of a part's use, by figure."""
    found = {one.figure: read(key, one.unit) for key, (_, one) in told.items() if one.part == part}
    return {figure: value for figure, value in found.items() if value is not None}


def _used_cpu(row: _Row, key: str, unit: str, cores: float | None) -> float | None:
    if unit != "cores":
        return row.fraction(key)
    value = row.number(key)
    return value / cores if value is not None and cores else None


def _used_ram_gib(row: _Row, key: str, unit: str, ram_gib: float | None) -> float | None:
    if unit == "%" or row.text(key).endswith("%"):
        share = row.fraction(key)
        return None if share is None or ram_gib is None else share * ram_gib
    held = _memory_bytes(row, key)
    return None if held is None else held / fleet.BYTES_PER_GIB


def _memory_bytes(row: _Row, meaning: str = "ram") -> float | None:
    """RAM is made in powers of two, whatever letter its unit is written with (JEDEC 100B.01)."""
    column, unit = row.known.get(meaning, ("", ""))
    text = row.text(meaning)
    if not column or not text:
        return None
    if not unit and not _CELL_UNIT.search(text):
        return row.size_bytes(meaning)
    prefix = unit[:1] or "k"
    binary = re.sub(r"(?i)([kmgtp])b", r"\1ib", text)
    return row.number(meaning, lambda _said: bytes_of(binary, alone=f"{prefix}i", mark=row.mark))


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
