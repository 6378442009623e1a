"""Utilization as a table with a line of names: Bitbrains, CloudWatch, IPMI, CSV."""

from __future__ import annotations

import csv
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.errors import EMPTY_FILE
from capmodels.formats.chunks import FileRefused
from capmodels.formats.metric_names import words_of
from capmodels.formats.reading import by_lines
from capmodels.formats.samples import STEP_S, Sample, Unreadable, fraction, number, time_s, why
from capmodels.formats.trace_format import TraceFormat
from capmodels.written_numbers import (
    MARKS,
    Convention,
    Mark,
    conventions_of,
    either,
    how_read,
    number_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

_NAME = re.compile(
    r"^(name|host|hostname|server|machine(_?id)?|vm(_?id)?|instance(_?id)?|node|series)\b"
)
_TIME = re.compile(r"^(date_?)?(time|timestamp|date|datetime|ts|at|epoch)\b|^time_s$")
_CPU = re.compile(r"cpu|^value$|utili[sz]ation|^average$|^busy")
_CPU_NOT = re.compile(
    r"core|mhz|capacity|provisioned|mem|ram|disk|net|count|temp|name|model|freq|thread|tdp|power"
)
_IDLE = re.compile(r"idle")
_IDLE_ALONE = re.compile(
    r"^(% ?|(usage|percent|pct|cpu)[ _])?idle([ _](percent|percentage|pct|time))?"
    r"( ?[(\[]?%[)\]]?)?$"
)
_SHARE = re.compile(r"%|percent|util|usage|load|fraction|busy")
_MEMORY = re.compile(r"mem|ram")
_MEMORY_NOT = re.compile(r"kb|mb|gb|byte|capacity|provisioned|gps|swap|name|model|type")
# "cpu-total", "web": a word, unless it says that there is no value.
_LABEL = re.compile(r"(?i)^(?!\W*$|n/?an?$|null$|none$|undefined$)(\D+|cpu[-_]?\d+)$")
_FREE = re.compile(r"free|avail|idle")
_POWER = re.compile(r"watt|power|_w$|^w$|\(w\)")


@dataclass(frozen=True)
class Columns:
    """Where a table of samples has what; -1 where it has none."""

    time: int
    name: int
    cpu: int
    memory: int
    watts: int
    used_kb: int = -1
    of_kb: int = -1
    # The column of CPUs says how idle they are, that of memory how much of it is free.
    is_idle: bool = False
    is_free: bool = False


def columns_of(head: list[str], rows: Iterable[list[str]] = ()) -> Columns | None:
    """Find the columns by their names; None when these are not the heads of such a table.

    One of which the first of ``rows`` that has a cell there says a word holds no use of anything.
    """
    names = [cell.strip().strip('"').lower() for cell in head]
    first = dict[int, str]()
    for row in rows:
        for place, cell in enumerate(row[: len(names)]):
            if cell.strip():
                first.setdefault(place, cell)
    labels = {place for place, cell in first.items() if _LABEL.search(cell)}
    named = names
    names = [name if at not in labels else "" for at, name in enumerate(names)]
    busy = [name if not _IDLE.search(name) else "" for name in names]
    cpu = _percent_first(busy, _CPU, _CPU_NOT)
    idle = -1 if cpu >= 0 else max(_percent_first(names, _CPU, _CPU_NOT), _find(names, _IDLE_ALONE))
    used = [name if not _FREE.search(name) else "" for name in names]
    memory = _find(used, _MEMORY, _MEMORY_NOT)
    memory = memory if memory >= 0 else _find(names, _MEMORY, _MEMORY_NOT)
    found = Columns(
        time=_find(names, _TIME),
        name=_find(named, _NAME),
        cpu=max(cpu, idle),
        is_idle=idle >= 0,
        memory=memory,
        is_free=memory >= 0 and _FREE.search(names[memory]) is not None,
        watts=_find(names, _POWER),
        used_kb=_find(names, re.compile(r"memory usage \[kb\]")),
        of_kb=_find(names, re.compile(r"memory capacity provisioned \[kb\]")),
    )
    timed = found.time >= 0 or (found.cpu >= 0 and _SHARE.search(names[found.cpu]) is not None)
    useful = (found.cpu >= 0 or found.watts >= 0) and timed and max(map(len, names)) <= 60
    return found if useful and not any(map(_is_number, names)) else None


def _find(names: list[str], wanted: re.Pattern[str], unless: re.Pattern[str] | None = None) -> int:
    for place, name in enumerate(names):
        if wanted.search(name) and not (unless and unless.search(name)):
            return place
    return -1


def _percent_first(names: list[str], wanted: re.Pattern[str], unless: re.Pattern[str]) -> int:
    fits = [p for p, n in enumerate(names) if wanted.search(n) and not unless.search(n)]
    return next((p for p in fits if _SHARE.search(names[p])), [*fits, -1][0])


def _is_number(text: str, mark: Mark = ".") -> bool:
    try:
        float(text.replace(".", "").replace(",", ".") if mark == "," else text)
    except ValueError:
        return False
    return True


def delimiter_of(head: str) -> str:
    """Return what separates the cells of a line."""
    return max(";\t,", key=head.count)


class Table:
    """A table with a line of names: time, name, CPU, memory, watts, in any order."""

    def __init__(self, head: str, rows: list[list[str]], report: Report) -> None:
        """Find the columns; the first rows say whether shares are fractions or percentages.

        What they say, and nothing else does, is noted.
        """
        self.report = report
        self.delimiter = delimiter_of(head)
        self.names = next(csv.reader([head], delimiter=self.delimiter))
        found = columns_of(self.names, rows)
        if found is None:
            raise FileRefused("The first line names no column of CPU use or of watts.")
        self.columns = found
        self.marks = self._marks(rows)
        self.cpu_scale = self._scale(found.cpu, rows)
        self.memory_scale = self._scale(found.memory, rows)

    def _marks(self, rows: list[list[str]]) -> dict[int, Mark]:
        """The sign before decimals of each column, as its first cells say it, or the others'.

        Where none says it, what a column holds does: no share is above 100%, no server draws
        20 kW, and kilobytes are whole.

        Raises
        ------
        FileRefused
            When watts could be read in two ways.
        """
        at = self.columns
        places = (at.cpu, at.memory, at.watts, at.used_kb, at.of_kb)
        cells = {
            str(place): [row[place] for row in rows if len(row) > place]
            for place in places
            if place >= 0
        }
        found = conventions_of(cells)
        self.report.note(*how_read({self.names[int(at)]: one for at, one in found.items()}))
        return {
            int(place): one.mark or self._held(int(place), one, cells[place])
            for place, one in found.items()
        }

    def _held(self, place: int, found: Convention, cells: list[str]) -> Mark:
        if not found.is_open:
            return "."
        point, comma = MARKS
        decimal = point if point in found.example else comma
        if place in {self.columns.used_kb, self.columns.of_kb}:
            other = comma if decimal == point else point
            return self._taken(place, found, other, "as kilobytes are whole")
        known = [number(cell, decimal) for cell in cells if _is_number(cell, decimal)]
        if place != self.columns.watts or 1e3 * max(known, default=0.0) > _MOST_W:
            is_watts = place == self.columns.watts
            most = f"no server draws {_MOST_W / 1e3:g} kW" if is_watts else "no share is above 100%"
            return self._taken(place, found, decimal, f"as {most}")
        said = either(self.names[place], found)
        raise FileRefused(f"{said}. Write the watts of one line with one or two decimals.")

    def _taken(self, place: int, found: Convention, mark: Mark, why: str) -> Mark:
        """A sign before decimals that is inferred, and noted with an example."""
        taken = f"{number_of(found.example, mark):,}"
        self.report.note(f"{self.names[place]}: “{found.example}” is read as {taken}, {why}.")
        return mark

    def _scale(self, place: int, rows: list[list[str]]) -> float:
        """What turns the column into percent: 100 when it holds fractions."""
        if place < 0:
            return 1.0
        name = self.names[place].lower()
        if "%" in name or "percent" in name:
            return 1.0
        if "fraction" in name:
            return 100.0
        mark = self.marks[place]
        said = [row[place] for row in rows if len(row) > place]
        known = [number(cell, mark) for cell in said if _is_number(cell, mark)]
        is_fraction = bool(known) and max(known) <= 1.0
        self.report.note(
            f"{self.names[place]}: no value of the first lines is above 1; read as fractions of 1."
            if is_fraction
            else f"{self.names[place]}: read as percent, as values are above 1."
        )
        return 100.0 if is_fraction else 1.0

    def sample(self, cells: list[str], name: str, row: int) -> Sample:
        """Return the sample of a line. Raises ValueError, IndexError for a line that has none."""
        at = self.columns
        when = time_s(cells[at.time]) if at.time >= 0 else row * STEP_S
        machine = cells[at.name].strip() if at.name >= 0 else name
        cpu = fraction(self._number(cells, at.cpu) * self.cpu_scale) if at.cpu >= 0 else math.nan
        # a series may say itself that it is of idle time
        is_idle = at.is_idle or (at.name >= 0 and "idle" in words_of(machine))
        cpu = 1.0 - cpu if is_idle else cpu
        watts = self._number(cells, at.watts) if at.watts >= 0 else math.nan
        return Sample(machine, when, cpu, self._memory(cells), watts)

    def _number(self, cells: list[str], place: int) -> float:
        return number(cells[place], self.marks[place])

    def _memory(self, cells: list[str]) -> float:
        at = self.columns
        if at.used_kb >= 0 and at.of_kb >= 0:
            of = self._number(cells, at.of_kb)
            return min(self._number(cells, at.used_kb) / of, 1.0) if of > 0 else math.nan
        if at.memory < 0:
            return math.nan
        share = fraction(self._number(cells, at.memory) * self.memory_scale)
        return 1.0 - share if at.is_free else share


_LOOK_ROWS = 200
# More than any server draws; NVIDIA's DGX H100, with eight GPUs, draws up to 10.2 kW (user guide).
_MOST_W = 20_000.0


def table(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """A table with names in its first line; without times, steps of 300 s are taken and said.

    Raises
    ------
    FileRefused
        When no column holds CPU use or watts.
    """
    source = iter(lines)
    skipped, head = _head(source)
    first = [line for _, line in zip(range(_LOOK_ROWS), source, strict=False)]
    cut = delimiter_of(head)
    found = Table(head, list(csv.reader(first, delimiter=cut)), report)
    if found.columns.time < 0:
        report.add(skipped, "No column holds a time: steps of 300 s are assumed.")
    rows = csv.reader(_again(first, source), delimiter=found.delimiter)
    for row, cells in enumerate(rows):
        if not cells:
            continue
        try:
            yield found.sample(_placed(cells, found), name, row)
        except (ValueError, IndexError) as exc:
            report.add(row + skipped + 1, why(exc))


def _placed(cells: list[str], found: Table) -> list[str]:
    """Return the cells of a line; with more of them than names what stands where is not known."""
    if any(cell.strip() for cell in cells[len(found.names) :]):
        raise Unreadable(
            f"{len(cells)} cells stand under {len(found.names)} names. Where decimals are written "
            "with commas, part the cells by semicolons."
        )
    return cells


def _head(source: Iterator[str]) -> tuple[int, str]:
    """Return the number of the first line that is neither blank nor a remark, and the line."""
    for line, text in enumerate(source, start=1):
        if text.strip() and not text.startswith("#"):
            return line, text
    raise FileRefused(EMPTY_FILE)


def _again(first: list[str], source: Iterator[str]) -> Iterator[str]:
    yield from first
    yield from source


def _heads(head: Head) -> list[str] | None:
    first = next((line for line in head.lines if not line.startswith("#")), "")
    names = [name.strip().strip('"').lower() for name in first.split(delimiter_of(first))]
    found = columns_of(names)
    return names if found and len(names) > 1 else None


def _is_ipmi(head: Head) -> bool:
    names = _heads(head)
    found = columns_of(names) if names else None
    return found is not None and found.cpu < 0


FORMATS = (
    TraceFormat(
        name="bitbrains",
        title="Bitbrains GWA-T-12",
        family="Bitbrains",
        kind="utilization",
        content="samples",
        sentence="A machine: milliseconds, cores, MHz, CPU in percent, memory in KB.",
        sample=b"Timestamp [ms];\tCPU cores;\tCPU capacity provisioned [MHZ];\tCPU usage [MHZ];\t"
        b"CPU usage [%];\tMemory capacity provisioned [KB];\tMemory usage [KB]\n"
        b"1376314846;\t1;\t2600;\t19;\t0.75;\t2000.0;\t500.0\n",
        sniff=lambda head: "CPU capacity provisioned [MHZ]" in head.lines[0],
        read=by_lines(table),
    ),
    TraceFormat(
        name="cloudwatch",
        title="CloudWatch",
        kind="utilization",
        content="samples",
        sentence="A CSV of timestamp and value, as the console saves a metric.",
        sample=b"timestamp,value\n2026-11-20T00:00:00Z,10.0\n2026-11-20T00:05:00Z,30.0\n",
        sniff=lambda head: _heads(head) == ["timestamp", "value"],
        read=by_lines(table),
    ),
    TraceFormat(
        name="ipmi",
        title="IPMI power",
        family="IPMI",
        kind="utilization",
        content="samples",
        sentence="A CSV with a line of names: time, watts, and perhaps name.",
        sample=b"time,name,watts\n1700000000,a,210\n1700000060,a,220\n",
        sniff=_is_ipmi,
        read=by_lines(table),
    ),
    TraceFormat(
        name="generic_csv",
        title="CSV",
        family="a CSV with a line of names: time, name, cpu, and perhaps memory, watts",
        kind="utilization",
        content="samples",
        sentence="A CSV with a line of names: time, name, cpu, and perhaps memory, watts.",
        sample=b"time,name,cpu\n1700000000,a,10\n1700000060,a,20\n",
        sniff=lambda head: _heads(head) is not None,
        read=by_lines(table),
    ),
)
