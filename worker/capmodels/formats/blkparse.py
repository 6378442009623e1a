"""Text of blkparse: a request is issued (D) and completed (C); queued (Q) gives the response."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from capmodels.formats.chunks import SECTOR_MAX, SIZE_MAX_BYTES, Requests, lines, one_request
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

# Device, cpu, sequence, time, process, action, what (RWBS), sector + sectors.
_LINE = re.compile(
    rb"\s*(\d+),(\d+)\s+\d+\s+\d+\s+([\d.]+)\s+\d+\s+([A-Z]+)\s+([A-Z]+)\s+(\d+) \+ (\d+)"
)
_EVENT = re.compile(rb"\s*\d+,\d+\s+\d+\s+\d+\s+[\d.]+\s+\d+\s+[A-Z]+\s")
_ROWS = 1 << 14
_OPEN_MAX = 1 << 16

Row = tuple[float, int, int, int, bool, float]
Key = tuple[int, int]


class Pairing:
    """Starts that wait for their completion, by device and sector."""

    def __init__(self) -> None:
        """Start with none open."""
        self.queued: dict[Key, float] = {}
        self.issued: dict[Key, float] = {}

    def see(self, match: re.Match[bytes]) -> Row | None:
        """Take one event; return the request that it completes."""
        major, minor, at, action, what, sector, sectors = match.groups()
        time, place, count = float(at), int(sector), int(sectors)
        device = int(major) * 256 + int(minor)
        key = (device, place)
        if action == b"Q":
            _keep(self.queued, key, time)
        elif action == b"D":
            _keep(self.issued, key, time)
        elif action == b"C":
            issued = self.issued.pop(key, None)
            began = self.queued.pop(key, issued)
            if began is not None and count and b"N" not in what:
                return began, device, place, count * 512, b"W" in what, time - began
        return None


def _keep(table: dict[Key, float], key: Key, time: float) -> None:
    """Remember a start; the oldest one goes when there are too many without an end."""
    if len(table) >= _OPEN_MAX:
        table.pop(next(iter(table)))
    table[key] = time


def _read(chunks: Iterator[bytes], _name: str, report: Report) -> Iterator[Requests]:
    """Yield completed requests, in order of completion; the summary at the end is passed over."""
    pairing = Pairing()
    rows: list[Row] = []
    others: list[int] = []  # lines that are no events: of the summary, unless an event follows
    for number, line in enumerate(lines(chunks), start=1):
        match = _LINE.match(line)
        if match is None:
            if _EVENT.match(line):
                continue
            if _looks_like_event(line):
                report.add(number, "The event cannot be read.")
            elif line.strip() and b":" not in line and len(others) < _OPEN_MAX:
                others.append(number)
            continue
        while others:
            report.add(others.pop(0), "The line is no event.")
        try:
            row = _completed(pairing, match)
        except ValueError:
            report.add(number, "The event holds a number that no disk has.")
            continue
        if row is not None:
            rows.append(row)
        if len(rows) >= _ROWS:
            yield one_request(rows)
            rows = []
    if rows:
        yield one_request(rows)


def _completed(pairing: Pairing, match: re.Match[bytes]) -> Row | None:
    """Return the request that an event completes.

    Raises
    ------
    ValueError
        When a number cannot be one, or is larger than any disk has.
    """
    row = pairing.see(match)
    if row is not None and not _fits(row):
        raise ValueError
    return row


def _fits(row: Row) -> bool:
    at_s, device, sector, size, _write, response_s = row
    finite = math.isfinite(at_s) and math.isfinite(response_s)
    return finite and device < 1 << 31 and sector <= SECTOR_MAX and size <= SIZE_MAX_BYTES


def _looks_like_event(line: bytes) -> bool:
    cells = line.split()
    return bool(cells) and re.fullmatch(rb"\d+,\d+", cells[0]) is not None


def _is_event(line: str) -> bool:
    cells = line.split()
    return len(cells) >= 6 and all(map(str.isdigit, cells[0].split(",", 1))) and "," in cells[0]


def _is_blkparse(head: Head) -> bool:
    return any(_is_event(line) for line in head.lines[:20])


FORMATS = (
    TraceFormat(
        name="blkparse",
        title="blkparse",
        kind="block",
        content="requests",
        sentence="Events as blkparse prints them; a request goes from its start to its end.",
        sample=b"""  8,64  11     2949    33.779662409 90790  D   W 7614344 + 24 [fio]
  8,64  11     2950    33.791580458     0  C   W 7614344 + 24 [0]
  8,64  11     2951    33.800000000 90790  D   R 100 + 8 [fio]
  8,64  11     2952    33.801000000     0  C   R 100 + 8 [0]
""",
        sniff=_is_blkparse,
        read=_read,
    ),
)
