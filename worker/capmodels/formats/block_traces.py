"""Block traces of several kinds, known by their content, as columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from capmodels.formats.blkparse import blkparse_requests
from capmodels.formats.chunks import (
    FAULTS_KEPT,
    SECTOR_MAX,
    SIZE_MAX_BYTES,
    FileRefused,
    LineFault,
    Requests,
    peek,
    plain,
    with_lines,
)
from capmodels.formats.lines_kernel import HEX, LETTER, NUMBER, SKIP, TOO_FEW, TOO_LARGE, read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from numpy.typing import NDArray

# Pieces, and in the end the bytes that are not a whole line yet.
Pieces: TypeAlias = "Generator[Requests, None, bytes]"
Kind = Literal["spc", "msr", "five_columns", "disksim", "vscsi1", "vscsi2", "blkparse", "fio_log"]

_ROWS = 1 << 16
_READ, _TICKS_PER_S = ord("R"), 1e7
SCSI_READS = (0x08, 0x28, 0x88, 0xA8)
SCSI_WRITES = (0x0A, 0x2A, 0x8A, 0xAA)


@dataclass
class Report:
    """What went wrong while a file was read."""

    faults: list[LineFault] = field(default_factory=list)
    faults_count: int = 0
    lines_count: int = 0

    def add(self, line: int, message: str) -> None:
        """Count a fault, and keep it while there are few."""
        self.faults_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(LineFault(line, message))


@dataclass(frozen=True)
class Form:
    """How the lines of a format are cut, and what their fields mean."""

    kinds: tuple[int, ...]
    names: tuple[str, ...]
    comma: bool
    columns: Callable[[NDArray[np.int64], NDArray[np.float64]], Requests]


def _none(n: int) -> NDArray[np.float64]:
    return np.full(n, math.nan)


def _spc(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 3] | 32) == ord("w")
    return Requests(x[:, 4], v[:, 0].astype(np.int32), v[:, 1], v[:, 2], write, _none(len(v)))


def _msr(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 3] | 32) == ord("w")
    at = v[:, 0] / _TICKS_PER_S
    device = v[:, 2].astype(np.int32)
    return Requests(at, device, v[:, 4] // 512, v[:, 5], write, v[:, 6] / _TICKS_PER_S)


def _five(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    device = v[:, 1].astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, v[:, 2] // 512, v[:, 3], v[:, 4] == 0, _none(len(v)))


def _disksim(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 4] & 1) == 0
    device = v[:, 1].astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, v[:, 2], v[:, 3] * 512, write, _none(len(v)))


def _fio_log(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    zero = np.zeros(len(v), dtype=np.int64)
    device = zero.astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, zero, v[:, 3], v[:, 2] == 1, x[:, 1] / 1e9)


_N, _L = NUMBER, LETTER
FORMS: dict[str, Form] = {
    "spc": Form((_N, _N, _N, _L, _N), ("ASU", "LBA", "size", "opcode", "time"), True, _spc),
    "msr": Form(
        (_N, SKIP, _N, _L, _N, _N, _N),
        ("timestamp", "host", "disk", "type", "offset", "size", "response time"),
        True,
        _msr,
    ),
    "five_columns": Form(
        (_N, _N, _N, _N, _N), ("time", "device", "offset", "size", "operation"), False, _five
    ),
    "disksim": Form(
        (_N, _N, _N, _N, HEX), ("time", "device", "block", "size", "flags"), False, _disksim
    ),
    "fio_log": Form((_N, _N, _N, _N), ("time", "value", "direction", "size"), True, _fio_log),
}


def detect(head: bytes) -> Kind:
    """Return the kind of a file from its first bytes, unpacked.

    Raises
    ------
    FileRefused
        When it is none that we know.
    """
    binary = _detect_binary(head)
    if binary is not None:
        return binary
    lines = [line for line in head.decode("latin-1").splitlines() if line.strip()][:200]
    if any(_is_blkparse(line) for line in lines[:20]):
        return "blkparse"
    rows = [_cells(line) for line in lines[: max(len(lines) - 1, 1)]]
    found = next((kind for kind, fits in _TESTS if sum(map(fits, rows)) > len(rows) / 2), None)
    if not rows or found is None:
        message = (
            "This is not a block trace that we know. Give SPC, MSR Cambridge, vscsi, DiskSim, "
            "blkparse text or a fio log."
        )
        raise FileRefused(message)
    if found == "disksim" and all(_in_bytes(row) for row in rows if len(row) == 5):
        return "five_columns"
    return found


def _detect_binary(head: bytes) -> Kind | None:
    commands = SCSI_READS + SCSI_WRITES
    if len(head) >= 32 and b"\0" in head[:64]:
        first = np.frombuffer(head[: len(head) // 32 * 32], dtype=VSCSI_1)[:64]
        if np.isin(first["cmd"], commands).mean() > 0.5 and (first["ver"] >> 8 == 1).all():
            return "vscsi1"
        second = np.frombuffer(head[: len(head) // 40 * 40], dtype=VSCSI_2)[:64]
        if len(second) and (second["ver"] >> 8 == 2).all():
            return "vscsi2"
        raise FileRefused("This binary file is not a vscsi trace.")
    return None


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split(",")] if "," in line else line.split()


def _numeric(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdigit()


def _is_spc(row: list[str]) -> bool:
    return len(row) >= 5 and row[3].lower() in {"r", "w"} and _numeric(row[1]) and _numeric(row[4])


def _is_msr(row: list[str]) -> bool:
    return len(row) >= 7 and row[3].lower() in {"read", "write"}


def _is_fio(row: list[str]) -> bool:
    return len(row) in {4, 5} and all(map(_numeric, row)) and row[2] in {"0", "1", "2"}


def _is_disksim(row: list[str]) -> bool:
    return len(row) == 5 and all(map(_numeric, row[:4])) and "." in row[0]


def _in_bytes(row: list[str]) -> bool:
    return row[4] in {"0", "1"} and all(
        text.isdigit() and int(text) % 512 == 0 for text in row[2:4]
    )


def _is_blkparse(line: str) -> bool:
    cells = line.split()
    return len(cells) >= 6 and cells[0].replace(",", "").isdigit() and "," in cells[0]


_TESTS: tuple[tuple[Kind, Callable[[list[str]], bool]], ...] = (
    ("msr", _is_msr),
    ("spc", _is_spc),
    ("disksim", _is_disksim),
    ("fio_log", _is_fio),
)

VSCSI_1 = np.dtype(
    [("sn", "<u4"), ("len", "<u4"), ("nsg", "<u4"), ("cmd", "<u2"), ("ver", "<u2"),
     ("lbn", "<u8"), ("ts", "<u8")]
)  # fmt: skip
VSCSI_2 = np.dtype(
    [("cmd", "<u2"), ("ver", "<u2"), ("sn", "<u4"), ("len", "<u4"), ("nsg", "<u4"),
     ("lbn", "<u8"), ("ts", "<u8"), ("rt", "<u8")]
)  # fmt: skip


def requests(chunks: Iterable[bytes], report: Report) -> Iterator[Requests]:
    """Yield the requests of a trace of any kind, in pieces of at most 65,536.

    Raises
    ------
    FileRefused
        When the file is of no known kind, or damaged.
    """
    head, whole = peek(plain(chunks))
    if not head.strip():
        raise FileRefused("The file is empty.")
    return requests_of(detect(head), whole, report)


def requests_of(kind: str, whole: Iterator[bytes], report: Report) -> Iterator[Requests]:
    """Yield the requests of an unpacked file of a known kind."""
    if kind in FORMS:
        return _from_lines(whole, FORMS[kind], report)
    if kind == "blkparse":
        return blkparse_requests(whole, report.add)
    return _from_vscsi(whole, VSCSI_1 if kind == "vscsi1" else VSCSI_2, report)


def _from_lines(chunks: Iterator[bytes], form: Form, report: Report) -> Iterator[Requests]:
    kinds = np.array(form.kinds, dtype=np.int64)
    left = b""
    for chunk in with_lines(chunks):
        for start in range(0, len(chunk), _ROWS * 8):
            left += chunk[start : start + _ROWS * 8]
            left = yield from _rows(left, form, kinds, report)
    if left.strip():
        yield from _rows(left + b"\n", form, kinds, report)


def _rows(
    data: bytes, form: Form, kinds: NDArray[np.int64], report: Report
) -> Generator[Requests, None, bytes]:
    """Yield the requests of the whole lines of ``data``; return what is left."""
    view = np.frombuffer(data, dtype=np.uint8)
    while True:
        values = np.empty((_ROWS, len(kinds)), dtype=np.int64)
        decimals = np.empty((_ROWS, len(kinds)), dtype=np.int64)
        faults = np.zeros((FAULTS_KEPT, 3), dtype=np.int64)
        rows, lines, wrong, used = read_lines(view, kinds, form.comma, values, decimals, faults)
        for line, place, why in faults[: min(wrong, FAULTS_KEPT)]:
            report.add(report.lines_count + int(line), _sentence(form.names[int(place)], int(why)))
        report.faults_count += max(wrong - FAULTS_KEPT, 0)
        report.lines_count += lines
        if rows:
            whole = values[:rows]
            found = form.columns(whole, whole / 10.0 ** decimals[:rows])
            skipped = [int(line) for line in np.sort(faults[: min(wrong, FAULTS_KEPT), 0])]
            yield _sane(found, report, partial(_line, skipped=skipped, before=lines))
        view = view[used:]
        if rows < _ROWS:
            return view.tobytes()


def _line(row: int, *, skipped: list[int], before: int) -> int:
    """Line of a row, less those ``before``, when the ``skipped`` ones could not be read."""
    line = row + 1
    for other in skipped:
        line += other <= line
    return line - before


def _record(row: int, *, lines: NDArray[np.int64]) -> int:
    return int(lines[row])


def _sane(found: Requests, report: Report, line_of: Callable[[int], int]) -> Requests:
    """The requests that a disk can have had; the others are faults at their lines.

    ``line_of`` counts from the lines that the report has seen.
    """
    wrong = {
        "The place lies on no disk.": (found.sector < 0) | (found.sector > SECTOR_MAX),
        "The size is none of a request.": (found.size_bytes < 0)
        | (found.size_bytes > SIZE_MAX_BYTES),
        "The response time is negative.": found.response_s < 0,
    }
    bad = np.logical_or.reduce(list(wrong.values()))
    if not bad.any():
        return found
    places = np.flatnonzero(bad)
    for row in places[:FAULTS_KEPT]:
        message = next(text for text, rows in wrong.items() if rows[row])
        report.add(report.lines_count + line_of(int(row)), message)
    report.faults_count += max(len(places) - FAULTS_KEPT, 0)
    columns: list[Any] = [column[~bad] for column in found]
    return Requests(*columns)


def _sentence(name: str, why: int) -> str:
    if why == TOO_FEW:
        return f"The {name} is missing."
    if why == TOO_LARGE:
        return f"The {name} is too large a number."
    return f"The {name} cannot be read."


def _from_vscsi(chunks: Iterator[bytes], record: np.dtype, report: Report) -> Iterator[Requests]:
    left = b""
    size = record.itemsize
    for chunk in chunks:
        left += chunk
        count = len(left) // size
        if not count:
            continue
        rows = np.frombuffer(left[: count * size], dtype=record)
        left = left[count * size :]
        known = np.isin(rows["cmd"], SCSI_READS + SCSI_WRITES)
        for place in np.flatnonzero(~known)[:FAULTS_KEPT]:
            report.add(report.lines_count + int(place) + 1, "The command neither reads nor writes.")
        report.lines_count += count
        lines = np.flatnonzero(known) + 1 - count
        yield _sane(_scsi_columns(rows[known]), report, partial(_record, lines=lines))
    if left:
        report.add(report.lines_count + 1, "The last record is cut off.")


def _scsi_columns(rows: NDArray[np.void]) -> Requests:
    response = rows["rt"] / 1e6 if "rt" in (rows.dtype.names or ()) else _none(len(rows))
    return Requests(
        rows["ts"] / 1e6,
        np.zeros(len(rows), dtype=np.int32),
        rows["lbn"].astype(np.int64),
        rows["len"].astype(np.int64),
        np.isin(rows["cmd"], SCSI_WRITES),
        response,
    )
