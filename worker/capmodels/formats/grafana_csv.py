"""Grafana's wide CSV: a column of times, then a column of use for each machine."""

from __future__ import annotations

import csv
import math
import re
from itertools import chain, islice
from typing import TYPE_CHECKING

from capmodels.errors import EMPTY_FILE
from capmodels.formats.chunks import FileRefused
from capmodels.formats.metric_names import Measure, sample_of, words_of
from capmodels.formats.reading import by_lines
from capmodels.formats.samples import Sample, number, time_s, why
from capmodels.formats.trace_format import TraceFormat
from capmodels.formats.utilization_tables import columns_of, delimiter_of
from capmodels.written_numbers import Mark, conventions_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from capmodels.formats.chunks import Report

_TIME = re.compile(r"^(date_?)?(time|timestamp|date)$", re.IGNORECASE)
_CPU = re.compile(r"cpu|utili[sz]ation|busy", re.IGNORECASE)
_LOOK_ROWS = 200
_MOST = 0.8  # of the first lines that have to be as the format has them


def _head(lines: Iterable[str]) -> tuple[str, int]:
    """The line of names and its number; Excel's line of the separator is passed over."""
    for line, text in enumerate(lines, start=1):
        bare = text.lstrip("\ufeff").strip()
        if bare and not bare.lower().startswith("sep="):
            return bare, line
    raise FileRefused(EMPTY_FILE)


# In percent; what rounding adds is taken for all of a machine.
_SHARE_MOST = 110.0


def _cells(text: str, cut: str) -> list[str]:
    return next(csv.reader([text], delimiter=cut), [])


def _is_value(cell: str) -> bool:
    try:
        number(cell.replace(",", "."))
    except ValueError:
        return cell.strip().lower() == "undefined"
    return True


def _is_share(cell: str) -> bool:
    """Whether a cell may be a share of a machine: columns of sizes and places are no machines."""
    if not _is_value(cell):
        return False
    return cell.strip().lower() == "undefined" or not (number(cell.replace(",", ".")) > _SHARE_MOST)


def is_grafana(lines: list[str]) -> bool:
    """Whether lines are a wide table: a time first, machines after it, numbers or blanks below.

    Where the names say what the columns hold (cpu, memory, watts), it is a table of one machine.
    """
    try:
        head, at = _head(lines)
    except FileRefused:
        return False
    cut = delimiter_of(head)
    names = [name.strip() for name in _cells(head, cut)]
    if len(names) < 2 or not _TIME.match(names[0]):
        return False
    if columns_of(names) is not None and not (
        len(names) > 2 and all(_CPU.search(name) for name in names[1:])
    ):
        return False
    rows = [_cells(line, cut) for line in lines[at : at + 20]]
    fits = [len(row) == len(names) and all(map(_is_share, row[1:])) for row in rows]
    return bool(fits) and sum(fits) > _MOST * len(fits)


def grafana(lines: Iterable[str], name: str, report: Report) -> Iterator[Sample]:
    """Use of machines side by side; percent where a cell or a name says %, or a value is above 1.

    Raises
    ------
    FileRefused
        When there is nothing in the file.
    """
    source = iter(lines)
    head, before = _head(source)
    cut = delimiter_of(head)
    names = [cell.strip() for cell in _cells(head, cut)]
    first = list(islice(source, _LOOK_ROWS))
    rows = [_cells(line, cut) for line in first]
    mark = conventions_of({"use": [c for row in rows for c in row[1:]]})["use"].mark or "."
    scale = _scale(names, rows, mark)
    for row, cells in enumerate(csv.reader(chain(first, source), delimiter=cut)):
        if not cells:
            continue
        try:
            at_s = time_s(cells[0])
        except ValueError as exc:
            report.add(before + row + 1, why(exc))
            continue
        for machine, cell in zip(names[1:], cells[1:], strict=False):
            try:
                value = number("" if cell.strip().lower() == "undefined" else cell, mark)
                measure: Measure = "cpu_idle" if "idle" in words_of(machine) else "cpu"
                yield sample_of(measure, machine or name, at_s, value * scale)
            except ValueError as exc:
                report.add(before + row + 1, f"{machine}: {why(exc)}")


def _scale(names: list[str], rows: list[list[str]], mark: Mark) -> float:
    """What turns values into percent: 100 when they are shares of 1."""
    cells = [cell for row in rows for cell in row[1:] if _is_value(cell)]
    if any("%" in text for text in (*names, *cells)):
        return 1.0
    known = [number(cell, mark) for cell in cells if cell.strip().lower() != "undefined"]
    return (
        100.0 if known and max((v for v in known if not math.isnan(v)), default=2.0) <= 1.0 else 1.0
    )


FORMATS = (
    TraceFormat(
        name="grafana",
        title="Grafana",
        kind="utilization",
        content="samples",
        sentence="A wide CSV: Time, then a column of use for each machine, plain or with %.",
        sample=b"Time,web-1,web-2\n2026-11-20 00:00:00,10%,30%\n2026-11-20 00:01:00,12%,31%\n",
        sniff=lambda head: is_grafana(head.lines),
        read=by_lines(grafana),
    ),
)
