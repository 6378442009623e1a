"""Fleets of every source as one table of machines, and the one reader of it.

A source is a ``FleetSource``: which column of its files is which of a machine, with its unit. A
unit stands in the column's name, in the source or in the cell; where none says it, the figure is
left out and told, as a factor of a thousand must not be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from capmodels.imports import fleet
from capmodels.imports import machine_words as words
from capmodels.imports.bill_source import bare
from capmodels.imports.cells import Cells, bytes_of
from capmodels.imports.measures import Measure, figure_said, measure_of
from capmodels.imports.table import identifier
from capmodels.numbers import counted
from capmodels.written_numbers import Mark, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.imports.registry import Importer
    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

# Of each meaning, the column of a file and its unit.
Heads = Mapping[str, tuple[str, str]]
# What of it is a number.
_NUMBERS = words.WORDS.keys() - {"name", "maker", "model", "cpu", "role", "status", "bought"}
_CELL_UNIT = re.compile(r"[a-z]", re.IGNORECASE)
_HEAD_UNIT = re.compile(r"[\[(]\s*(?:in )?(%|[kmgtp]i?b|w|kw)\s*[\])]\s*$", re.IGNORECASE)
_SUM = "disks of a machine"


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSource:
    """A source of fleets.

    ``machine`` says of each meaning (``machine_words``) the bare name of its column, without what
    stands in brackets, or several with bars, and its unit where the name has none; ``disk`` may be
    a pattern of several columns, which are added. ``used`` says the same of RAM in use. ``needed``
    are the meanings without which a file is of another source, ``sign`` a pattern that one of its
    columns has: words alone are those of many lists.
    """

    id: str
    title: str
    needed: tuple[str, ...]
    sign: str
    machine: Mapping[str, tuple[str, str]]
    sample: bytes
    used: Mapping[str, tuple[str, str]]
    are_virtual: bool

    def heads(self, columns: frozenset[str]) -> dict[str, tuple[str, str]]:
        """Return the columns of a file by their meaning."""
        found: dict[str, tuple[str, str]] = {}
        for meaning, (wanted, unit) in {**self.machine, **self.used}.items():
            for name in sorted(columns):
                if re.fullmatch(wanted, bare(re.sub(r"\s*[\[(].*$", "", name))):
                    said = _HEAD_UNIT.search(name)
                    found.setdefault(meaning, (name, said[1].lower() if said else unit))
        return found

    def fits(self, columns: frozenset[str]) -> bool:
        """Whether a table has the columns that all files of the source have."""
        is_marked = any(re.search(self.sign, name) for name in columns)
        return is_marked and self.heads(columns).keys() >= set(self.needed)

    def read(self, table: Table, report: Callable[[float, str], None]) -> JSONDict:
        """Return what the fleet is."""
        found = self.heads(table.columns)
        told = {
            f"ram {figure}": Measure(found[figure][0], "ram", figure, found[figure][1])
            for figure in self.used
            if figure in found
        }
        heads = {key: one for key, one in found.items() if key in self.machine}
        if "disk" in heads:
            table, heads["disk"] = self._with_sum(table, heads["disk"])
        return read_machines(table, heads, told, report, are_virtual=self.are_virtual)

    def _with_sum(self, table: Table, disk: tuple[str, str]) -> tuple[Table, tuple[str, str]]:
        """The table with one column of disks: of several their sum, or a cell that is none."""
        wanted = self.machine["disk"][0]
        each = [
            identifier(name)
            for name in table.columns
            if re.fullmatch(wanted, bare(re.sub(r"\s*[\[(].*$", "", name)))
        ]
        if len(each) == 1:
            return table, disk
        wrong = "".join(
            f"WHEN {one} IS NOT NULL AND TRY_CAST({one} AS DOUBLE) IS NULL THEN {one} "
            for one in each
        )
        sums = " + ".join(f"COALESCE(TRY_CAST({one} AS DOUBLE), 0)" for one in each)
        some = f"COALESCE({', '.join(each)}) IS NOT NULL"
        column = f"CASE {wrong}WHEN {some} THEN CAST({sums} AS VARCHAR) END AS {identifier(_SUM)}"
        return replace(
            table,
            types={**table.types, _SUM: "VARCHAR"},
            source=f"(SELECT *, {column} FROM {table.source})",
            numbered=f"(SELECT *, {column} FROM {table.numbered})",
        ), (_SUM, disk[1])

    def importer(self) -> Importer:
        """The importer of files of the source."""
        return fleet.fleet_importer(
            id=self.id, title=self.title, fits=self.fits, read=self.read, sample=lambda: self.sample
        )


def read_machines(
    table: Table,
    heads: Heads,
    told: Mapping[str, Measure],
    report: Callable[[float, str], None],
    *,
    are_virtual: bool,
) -> JSONDict:
    """Return what a fleet is, given its columns by their meaning, and those of use by figure.

    Raises
    ------
    FileRefused
        When it has no machine, or is damaged.
    """
    report(0.2, "Reading machines")
    cells = Cells()
    known = {**heads, **{key: (one.column, one.unit) for key, one in told.items()}}
    names = [column for column, _ in known.values()]
    found = table.text_rows(names)
    for line, said in table.rejected(100)[0]:
        cells.add(line, said)
    rows = [(line, dict(zip(known, row, strict=True))) for line, row in found]
    numeric = [(at, name) for at, name in enumerate(known) if name in _NUMBERS or name in told]
    written = table.marks({known[name][0]: [row[at] for _, row in found] for at, name in numeric})
    marks = {name: written[known[name][0]] for _, name in numeric}
    notes = []
    named = [row["cpu"] for _, row in rows if row.get("cpu")]
    # a processor's name has a letter: neither cores nor a share of them is taken for one
    if named and not any(re.search(r"[^\W\d]", one) for one in named):
        notes.append(f"{known['cpu'][0]}: numbers without a unit, as {named[0]}: not taken.")
        rows = [(line, {**row, "cpu": ""}) for line, row in rows]
    servers = [
        one for one in rows if not words.NO_SERVER.search(words.plain(one[1].get("role", "")))
    ]
    listed = [one for one in servers if not _is_total(one[1])]
    shares = _shares((row for _, row in listed), told, marks)
    machines = (_machine(_Row(*one, known, cells, marks), (told, shares)) for one in listed)
    preview = fleet.preview_of(machines, cells, are_virtual=are_virtual)
    preview["notes"] += [*notes, *_told_notes(told, shares)]
    if len(listed) < len(servers):
        preview["notes"].append(
            f"{counted(len(servers) - len(listed), 'row')} of totals: no machine, left out."
        )
    others = len(rows) - len(servers)
    if others:
        preview["notes"].append(
            f"{counted(others, 'device')} of other roles, as switches and power strips, left out."
        )
    return preview


def _is_total(row: Mapping[str, Any]) -> bool:
    """Whether a row adds up the machines above it: it is called so and nothing says what it is."""
    said = [words.plain(str(row[key])) for key in ("name", "model", "cpu") if row.get(key)]
    return len(said) == 1 and said[0].rstrip(":") in words.TOTAL


class _Row:
    """A row whose cells are asked for by meaning."""

    def __init__(
        self,
        line: int,
        row: Mapping[str, Any],
        known: Heads,
        cells: Cells,
        marks: Mapping[str, Mark],
    ) -> None:
        self.line, self.row, self.known, self.cells, self.marks = line, row, known, cells, marks

    def text(self, meaning: str) -> str:
        return " ".join(str(self.row.get(meaning) or "").split())

    def number(self, meaning: str, read: Callable[[str], float] | None = None) -> float | None:
        text = self.text(meaning)
        if not text or text == "—":
            return None
        try:
            value = read(text) if read else self.plain(meaning, text)
        except ValueError:
            column = self.known[meaning][0]
            self.cells.add(self.line, f"{column}: {text[:40]!r} is not a number")
            return None
        if value < 0:
            self.cells.add(self.line, f"{self.known[meaning][0]}: {text[:40]!r} is below zero")
            return None
        return value

    def plain(self, meaning: str, text: str) -> float:
        return number_of(text, self.marks.get(meaning))

    def size_bytes(self, meaning: str) -> float | None:
        unit = self.known.get(meaning, ("", ""))[1]
        text = self.text(meaning)
        if text and not unit and not _CELL_UNIT.search(text):
            column = self.known[meaning][0]
            self.cells.add(self.line, f"{column}: {text[:40]!r} has no unit (GB, GiB ...)")
            return None
        return self.number(
            meaning,
            lambda said: bytes_of(
                said, alone=unit.rstrip("bo") or "k", mark=self.marks.get(meaning)
            ),
        )


def _machine(row: _Row, told: _Told) -> fleet.Machine:
    sockets, each = row.number("sockets"), row.number("cores_per_socket")
    cores = row.number("cores")
    if cores is None and sockets is not None and each is not None:
        cores = sockets * each
    ram, disk = _memory_bytes(row), row.size_bytes("disk")
    busy = row.number("busy", lambda said: row.plain("busy", said.replace("%", "")) / 100.0)
    kilo = 1000.0 if row.known.get("watts", ("", ""))[1] == "kw" else 1.0
    watts = row.number(
        "watts", lambda said: row.plain("watts", said.lower().removesuffix("w")) * kilo
    )
    count = row.number("count")
    ram_gib = None if ram is None else ram / fleet.BYTES_PER_GIB
    used = {_busy_figure(row): min(busy, 1.0)} if busy is not None else {}
    return fleet.Machine(
        name=row.text("name"),
        region=row.text("region"),
        used_cpu=used | _used(row, told, "cpu", cores),
        used_ram=_used(row, told, "ram", ram_gib),
        model=" ".join(filter(None, (row.text("maker"), row.text("model")))),
        cpu=row.text("cpu"),
        count=1.0 if count is None else count,
        sockets_count=sockets,
        cores_count=cores,
        ram_gib=ram_gib,
        disk_tb=None if disk is None else disk / fleet.BYTES_PER_TB,
        busy_fraction=None if busy is None else min(busy, 1.0),
        watts=watts,
        price_usd=row.number("price", lambda said: row.plain("price", said.lstrip("$"))),
        bought_on=row.text("bought"),
        row=row.line,
        is_off=re.sub(r"[^a-z]", "", words.plain(row.text("status"))) in fleet.OFF | words.OFF,
    )


def _memory_bytes(row: _Row, meaning: str = "ram") -> float | None:
    """RAM is made in powers of two, whatever letter its unit is written with (JEDEC 100B.01)."""
    column, unit = row.known.get(meaning, ("", ""))
    text = row.text(meaning)
    if not column or not text:
        return None
    if not unit and not _CELL_UNIT.search(text):
        return row.size_bytes(meaning)
    prefix = unit[:1] or "k"
    binary = re.sub(r"(?i)([kmgtp])[bo]", r"\1ib", text)
    return row.number(
        meaning, lambda _said: bytes_of(binary, alone=f"{prefix}i", mark=row.marks.get(meaning))
    )


# Columns that say how busy machines are, by part and figure, and those that hold shares of one.
_Told = tuple["Mapping[str, Measure]", frozenset[str]]
# A meter may be off by so much of all that there is.
_METER_MOST = 1.1


def _busy_figure(row: _Row) -> str:
    """Which figure the column of a fleet's work says: the mean, or nobody knows."""
    measure = measure_of(row.known["busy"][0])
    return "listed" if measure is None else measure.figure


def _told_notes(told: Mapping[str, Measure], shares: frozenset[str]) -> list[str]:
    """Which columns say how busy machines are, each with what it is taken for."""
    held: dict[str, list[str]] = {}
    for key, one in told.items():
        unit = ", in shares of one, as no cell is above 1" if key in shares else ""
        held.setdefault(one.part.upper(), []).append(
            f"{figure_said(one.figure)} ({one.column}{unit})"
        )
    return [f"{part} in use as the file says: {', '.join(said)}." for part, said in held.items()]


def _shares(
    rows: Iterable[Mapping[str, Any]], told: Mapping[str, Measure], marks: Mapping[str, Mark]
) -> frozenset[str]:
    """Columns of CPU without a unit whose numbers are shares of one: some above 0, none above 1."""
    tops = {key: 0.0 for key, one in told.items() if (one.part, one.unit) == ("cpu", "")}
    for row in rows:
        for key, top in tops.items():
            try:
                tops[key] = max(top, number_of(str(row[key] or "0"), marks.get(key)))
            except ValueError:
                tops[key] = inf  # with a sign of percent, or a word
    return frozenset(key for key, top in tops.items() if 0.0 < top <= 1.0)


def _used(row: _Row, told: _Told, part: str, whole: float | None) -> dict[str, float]:
    """What a row says of a part's use, by figure: shares of the CPU, GiB of the RAM."""
    found = {}
    for key, one in told[0].items():
        if one.part == part:
            value = _used_one(row, key, one, whole, is_share=key in told[1])
            if value is not None:
                found[one.figure] = value
    return found


def _used_one(
    row: _Row, key: str, one: Measure, whole: float | None, *, is_share: bool
) -> float | None:
    if one.unit == "cores":
        value = row.number(key)
        return value / whole if value is not None and whole else None
    if one.part == "cpu" or one.unit == "%" or row.text(key).endswith("%"):
        share = _fraction(row, key, 1.0 if is_share else 100.0)
        if one.part == "cpu":
            return share
        return None if share is None or whole is None else share * whole
    held = _memory_bytes(row, key)
    return None if held is None else held / fleet.BYTES_PER_GIB


def _fraction(row: _Row, key: str, of: float) -> float | None:
    """A share of all that there is; one far above all of it is none."""
    value = row.number(key, lambda said: row.plain(key, said.replace("%", "")) / of)
    if value is None or value <= _METER_MOST:
        return value if value is None else min(value, 1.0)
    row.cells.add(row.line, f"{row.known[key][0]}: {row.text(key)[:40]!r} is above 100%")
    return None
