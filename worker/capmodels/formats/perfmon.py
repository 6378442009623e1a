"""Windows' performance counters as CSV (relog, perfmon): use of processors of many machines."""

from __future__ import annotations

import csv
import re
from datetime import UTC, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from capmodels.errors import EMPTY_FILE
from capmodels.formats.chunks import FileRefused
from capmodels.formats.metric_names import Measure, sample_of
from capmodels.formats.reading import by_lines
from capmodels.formats.samples import Sample, number, why
from capmodels.formats.trace_format import TraceFormat
from capmodels.numbers import counted
from capmodels.written_numbers import Mark, conventions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.formats.chunks import Report

_LOOK_ROWS = 200
# The first cell: the format, the zone, and the minutes that UTC is ahead of its clock.
_HEAD = re.compile(r'^\ufeff?"?\(PDH-[CT]SV [\d.]+\)(?:.*\((-?\d+)\))?')
_COUNTER = re.compile(
    r"^\\\\(?P<host>[^\\]+)\\(?P<object>[^(\\]+)(?:\((?P<of>[^)]*)\))?\\(?P<what>.+)$"
)
# In English, German, French, Spanish and Italian, as Windows names them in its own language.
_OBJECTS = frozenset(
    ("processor information", "processor", "prozessorinformationen", "prozessor",
     "informations sur le processeur", "processeur", "información del procesador", "procesador",
     "informazioni processore", "processore")
)  # fmt: skip
_BUSY = frozenset(
    ("% processor time", "% processor utility", "prozessorzeit (%)", "prozessorauslastung",
     "% temps processeur", "% de tiempo de procesador", "% tempo processore")
)  # fmt: skip
_IDLE = frozenset(
    ("% idle time", "leerlaufzeit (%)", "% d’inactivité", "% d'inactivité",
     "% de tiempo inactivo", "% tempo di inattività")
)  # fmt: skip


def perfmon(lines: Iterable[str], _name: str, report: Report) -> Iterator[Sample]:
    """The totals of each machine's processors.

    Raises
    ------
    FileRefused
        When no column is the use of all processors of a machine.
    """
    source = iter(lines)
    first = next(source, None)
    if first is None:
        raise FileRefused(EMPTY_FILE)
    cut = max(",;\t", key=first.count)
    (head,) = csv.reader([first], delimiter=cut)
    columns = _columns(head)
    begun = list(islice(source, _LOOK_ROWS))
    mark = _mark(csv.reader(begun, delimiter=cut), {place for place, _ in columns.values()})
    rows = csv.reader(chain(begun, source), delimiter=cut)
    if not columns:
        raise FileRefused(
            "No counter of this file is the use of all processors of a machine, as "
            r"\\SRV1\Processor(_Total)\% Processor Time."
        )
    left_out = len(head) - 1 - len(columns)
    if left_out:
        report.note(f"Not read: {counted(left_out, 'other counter')}.")
    zone = _HEAD.match(head[0])
    ahead_s = 60.0 * float(zone[1] or 0) if zone else 0.0
    for line, cells in enumerate(rows, start=2):
        try:
            at_s = _time_s(cells[0]) + ahead_s
        except (ValueError, IndexError) as exc:
            report.add(line, why(exc))
            continue
        for host, (place, is_idle) in columns.items():
            try:
                measure: Measure = "cpu_idle" if is_idle else "cpu"
                yield sample_of(measure, host, at_s, number(cells[place], mark))
            except (ValueError, IndexError) as exc:
                report.add(line, f"{host}: {why(exc)}")


def _columns(head: list[str]) -> dict[str, tuple[int, bool]]:
    """The column of each machine, and whether it says how idle it is."""
    found: dict[str, tuple[int, bool]] = {}
    for place, name in enumerate(head[1:], start=1):
        counter = _COUNTER.match(name)
        if counter is None or counter["object"].lower() not in _OBJECTS:
            continue
        what, of = counter["what"].strip().lower(), (counter["of"] or "").lower()
        if of != "_total" or what not in _BUSY | _IDLE:
            continue
        held = found.get(counter["host"])
        if held is None or (held[1] and what not in _IDLE):
            found[counter["host"]] = place, what in _IDLE
    return found


def _mark(rows: Iterable[list[str]], places: Iterable[int]) -> Mark:
    """The sign before decimals: Windows writes that of its own language."""
    cells = [row[at] for row in rows for at in places if at < len(row)]
    return conventions_of({"use": cells})["use"].mark or "."


def _time_s(text: str) -> float:
    form = "%m/%d/%Y %H:%M:%S.%f" if "." in text else "%m/%d/%Y %H:%M:%S"
    return datetime.strptime(text, form).replace(tzinfo=UTC).timestamp()


FORMATS = (
    TraceFormat(
        name="perfmon",
        title="Windows perfmon",
        kind="utilization",
        content="samples",
        sentence="Performance counters (PDH-CSV or -TSV 4.0), as perfmon and relog save them.",
        sample=(
            rb'"(PDH-CSV 4.0) (UTC)(0)","\\A\Processor(_Total)\% Processor Time"'
            b"\n"
            b'"11/20/2026 00:00:01.123","10.5"\n"11/20/2026 00:01:01.123","30.25"\n'
        ),
        sniff=lambda head: _HEAD.match(head.lines[0]) is not None,
        read=by_lines(perfmon),
    ),
)
