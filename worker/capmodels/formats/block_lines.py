"""Block traces that are lines of numbers: SPC, MSR Cambridge, SYSTOR '17, DiskSim, logs of fio."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused, Requests, with_lines
from capmodels.formats.line_fields import HEX, LETTER, NUMBER, SKIP, TOO_FEW, TOO_LARGE
from capmodels.formats.sane_requests import sane, unknown
from capmodels.formats.trace_format import TraceFormat
from capmodels.numbers import whole_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from numpy.typing import NDArray

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

# Pieces, and in the end the bytes that are not a whole line yet.
Pieces: TypeAlias = "Generator[Requests, None, bytes]"

_ROWS = 1 << 16
_TICKS_PER_S = 1e7
# Of fio's directions: neither a read nor a write.
_TRIM = 2
_NO_LATENCY_LOG = re.compile(r"_(bw|iops|slat)[._]")


@dataclass(frozen=True)
class Form:
    """How the lines of a format are cut, and what their fields mean."""

    kinds: tuple[int, ...]
    names: tuple[str, ...]
    comma: bool
    columns: Callable[[NDArray[np.int64], NDArray[np.float64]], Requests]


def _spc(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 3] | 32) == ord("w")
    return Requests(x[:, 4], v[:, 0].astype(np.int32), v[:, 1], v[:, 2], write, unknown(len(v)))


def _msr(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 3] | 32) == ord("w")
    at = v[:, 0] / _TICKS_PER_S
    device = v[:, 2].astype(np.int32)
    return Requests(at, device, v[:, 4] // 512, v[:, 5], write, v[:, 6] / _TICKS_PER_S)


def _systor(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 2] | 32) == ord("w")
    return Requests(x[:, 0], v[:, 3].astype(np.int32), v[:, 4] // 512, v[:, 5], write, x[:, 1])


def _five(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    device = v[:, 1].astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, v[:, 2] // 512, v[:, 3], v[:, 4] == 0, unknown(len(v)))


def _disksim(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 4] & 1) == 0
    device = v[:, 1].astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, v[:, 2], v[:, 3] * 512, write, unknown(len(v)))


def _fio_log(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    kept = v[:, 2] != _TRIM
    v, x = v[kept], x[kept]
    zero = np.zeros(len(v), dtype=np.int64)
    device = zero.astype(np.int32)
    return Requests(x[:, 0] / 1e3, device, zero, v[:, 3], v[:, 2] == 1, x[:, 1] / 1e9)


def _fio_offsets(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    """As ``_fio_log``, with places; an entry is made when its request is done."""
    found = _fio_log(v, x)
    sector = v[v[:, 2] != _TRIM, 4] // 512
    return found._replace(at_s=found.at_s - found.response_s, sector=sector)


class _InSequence:
    """Requests one after another, each a pause after the one before was done (DiskSim, validate).

    Direction, what the drive's cache was thought to do, place, size, measured time and the pause
    until the next one; times in microseconds.
    """

    def __init__(self) -> None:
        self.clock_s = 0.0

    def __call__(self, v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
        write = (v[:, 0] | 32) == ord("w")
        took_s = x[:, 4] / 1e6
        ends = self.clock_s + np.cumsum(took_s + np.maximum(x[:, 5], 0.0) / 1e6)
        at_s = np.concatenate([[self.clock_s], ends[:-1]])
        self.clock_s = float(ends[-1])
        device = np.zeros(len(v), dtype=np.int32)
        return Requests(at_s, device, v[:, 2], v[:, 3] * 512, write, took_s)


def _tencent(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    device = v[:, 4].astype(np.int32)
    return Requests(x[:, 0], device, v[:, 1], v[:, 2] * 512, v[:, 3] == 1, unknown(len(v)))


def _alibaba(v: NDArray[np.int64], x: NDArray[np.float64]) -> Requests:
    write = (v[:, 1] | 32) == ord("w")
    device = v[:, 0].astype(np.int32)
    return Requests(x[:, 4] / 1e6, device, v[:, 2] // 512, v[:, 3], write, unknown(len(v)))


# A first line of words alone is one of names where two of them are these.
_NAMES = re.compile(rb"\xef?\xbb?\xbf?[A-Za-z_]\D*\n")
_COLUMNS = frozenset(
    (b"time", b"timestamp", b"offset", b"size", b"length", b"type", b"iotype", b"opcode", b"device",
     b"device_id", b"volume", b"volumeid", b"hostname", b"disknumber", b"lun", b"response",
     b"responsetime")
)  # fmt: skip


# What may part cells where no comma does.
_CUTS, _LOOK_BYTES = (b";", b"\t", b" "), 4096


def _without_names(chunk: bytes) -> bytes:
    """A file's first lines without the line of its columns' names, where it has one."""
    found = _NAMES.match(chunk)
    words = re.findall(rb"[a-z_]+", found[0].lower()) if found else []
    return chunk[found.end() :] if found and len(_COLUMNS & set(words)) > 1 else chunk


def _numeric(text: str) -> bool:
    return text.isascii() and text.replace(".", "", 1).lstrip("-").isdecimal()


def _is_spc(row: list[str]) -> bool:
    return len(row) >= 5 and row[3].lower() in {"r", "w"} and _numeric(row[1]) and _numeric(row[4])


def _is_msr(row: list[str]) -> bool:
    return len(row) >= 7 and row[3].lower() in {"read", "write"}


def _is_systor(row: list[str]) -> bool:
    """Whether a row is of the SYSTOR '17 traces; of some it is not known if they read or write."""
    numbers = (0, 1, 3, 4, 5)
    return len(row) == 6 and row[2] in {"R", "W"} and all(_numeric(row[at]) for at in numbers)


def _is_tencent(row: list[str]) -> bool:
    """Whether a row is of Tencent's storage: seconds of a date, 0 or 1 before the volume."""
    numbers = len(row) == 5 and all(text.isascii() and text.isdecimal() for text in row)
    return numbers and row[3] in {"0", "1"} and 1e9 < float(row[0]) < 1e10 and row[2] != "0"


def _is_alibaba(row: list[str]) -> bool:
    return len(row) == 5 and row[1] in {"R", "W"} and all(_numeric(row[at]) for at in (0, 2, 3, 4))


def _is_fio(row: list[str]) -> bool:
    """Whether a row is of fio's log: offset, priority and time of issue may follow the size.

    What follows the size is an offset in whole sectors, or a priority: 0, 1 or hexadecimal.
    """
    whole = 4 <= len(row) <= 7 and all(map(_numeric, row[:4]))
    follow = all(_numeric(text) or text.lower().startswith("0x") for text in row[4:])
    if not (whole and follow and row[2] in {"0", "1", "2"} and float(row[3]) % 512 == 0):
        return False
    fifth = "0" if len(row) < 5 or row[4].lower().startswith("0x") else row[4]
    return fifth == "1" or float(fifth) % 512 == 0


def _is_placed(head: Head) -> bool:
    """Whether a log of fio says where requests go: in whole sectors, not all at the beginning.

    A priority may stand in the place of an offset, 0 or 1.
    """
    offsets = (whole_of(row[4]) for row in head.rows if len(row) > 4)
    placed = [at for at in offsets if at is not None]
    return head.most_rows(_is_fio) and any(placed) and all(at % 512 == 0 for at in placed)


def _is_disksim(row: list[str]) -> bool:
    return len(row) == 5 and all(map(_numeric, row[:4])) and "." in row[0]


def _is_validate(row: list[str]) -> bool:
    marks = {"hit", "miss", "doub", "trip"}
    numbers = len(row) == 6 and all(map(_numeric, row[2:]))
    return numbers and row[0].lower() in {"r", "w"} and row[1].lower() in marks


def _in_bytes(row: list[str]) -> bool:
    sizes = [whole_of(text) for text in row[2:4]]
    return row[4] in {"0", "1"} and all(size is not None and size % 512 == 0 for size in sizes)


def _is_five_columns(head: Head) -> bool:
    """Whether rows are as DiskSim's, in bytes: whole sectors, and 0 or 1 in place of flags."""
    of_five = [row for row in head.rows if len(row) == 5]
    return head.most_rows(_is_disksim) and all(map(_in_bytes, of_five))


def _read(chunks: Iterator[bytes], name: str, report: Report, form: Form) -> Iterator[Requests]:
    kinds = np.array(form.kinds, dtype=np.int64)
    left = sign = b""
    for at, piece in enumerate(with_lines(chunks)):
        if at == 0 and form.comma:
            begun = piece[:_LOOK_BYTES]
            sign = next((one for one in _CUTS if b"," not in begun and one in begun), b"")
        whole = piece.replace(sign, b",") if sign else piece
        chunk = whole if report.lines_count else _without_names(whole)
        report.lines_count += len(chunk) < len(whole)
        for start in range(0, len(chunk), _ROWS * 8):
            left += chunk[start : start + _ROWS * 8]
            left = yield from _rows(left, form, kinds, report)
    if left.strip():
        yield from _rows(left + b"\n", form, kinds, report)


def _rows(
    data: bytes, form: Form, kinds: NDArray[np.int64], report: Report
) -> Generator[Requests, None, bytes]:
    """Yield the requests of the whole lines of ``data``; return what is left."""
    from capmodels.formats.lines_kernel import read_lines

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
            yield sane(found, report, partial(_line, skipped=skipped, before=lines))
        view = view[used:]
        if rows < _ROWS:
            return view.tobytes()


def _line(row: int, *, skipped: list[int], before: int) -> int:
    """Line of a row, less those ``before``, when the ``skipped`` ones could not be read."""
    line = row + 1
    for other in skipped:
        line += other <= line
    return line - before


def _sentence(name: str, why: int) -> str:
    if why == TOO_FEW:
        return f"The {name} is missing."
    if why == TOO_LARGE:
        return f"The {name} is too large a number."
    return f"The {name} cannot be read."


def _read_fio_log(
    chunks: Iterator[bytes], name: str, report: Report, form: Form
) -> Iterator[Requests]:
    if _NO_LATENCY_LOG.search(name):
        raise FileRefused(
            "This fio log holds rates over time or times of submission, not how long requests "
            "take. Give the latency log (lat, clat)."
        )
    report.note(
        "Latencies are read as nanoseconds, as fio logs them since version 3.0; older ones are "
        "microseconds."
    )
    return _read(chunks, name, report, form)


def _read_validate(chunks: Iterator[bytes], name: str, report: Report) -> Iterator[Requests]:
    names = ("direction", "cache", "block", "size", "service time", "pause")
    form = Form((_L, SKIP, _N, _N, _N, _N), names, False, _InSequence())
    return _read(chunks, name, report, form)


_N, _L = NUMBER, LETTER
_SPC = Form((_N, _N, _N, _L, _N), ("ASU", "LBA", "size", "opcode", "time"), True, _spc)
_MSR = Form(
    (_N, SKIP, _N, _L, _N, _N, _N),
    ("timestamp", "host", "disk", "type", "offset", "size", "response time"),
    True,
    _msr,
)
_SYSTOR = Form(
    (_N, _N, _L, _N, _N, _N),
    ("timestamp", "response", "type", "LUN", "offset", "size"),
    True,
    _systor,
)
_TENCENT = Form(
    (_N, _N, _N, _N, _N), ("timestamp", "offset", "size", "type", "volume"), True, _tencent
)
_ALIBABA = Form(
    (_N, _L, _N, _N, _N), ("device", "opcode", "offset", "length", "timestamp"), True, _alibaba
)
_FIVE = Form((_N, _N, _N, _N, _N), ("time", "device", "offset", "size", "operation"), False, _five)
_DISKSIM = Form(
    (_N, _N, _N, _N, HEX), ("time", "device", "block", "size", "flags"), False, _disksim
)
_OF_FIO = ("time", "value", "direction", "size")
_FIO_LOG = Form((_N, _N, _N, _N), _OF_FIO, True, _fio_log)
_FIO_OFFSETS = Form((_N, _N, _N, _N, _N), (*_OF_FIO, "offset"), True, _fio_offsets)

FORMATS = (
    TraceFormat(
        name="msr",
        title="MSR Cambridge",
        kind="block",
        content="requests",
        sentence="Ticks of 100 ns, host, disk, Read or Write, offset, size, response time.",
        sample=b"128172299571726563,prxy,0,Write,1105182720,512,2072\n"
        b"128172299572726563,prxy,1,Read,1105183232,4096,1000\n",
        sniff=lambda head: head.most_rows(_is_msr),
        read=partial(_read, form=_MSR),
    ),
    TraceFormat(
        name="systor",
        title="SYSTOR '17",
        kind="block",
        content="requests",
        sentence="Seconds, response in seconds, R or W, LUN, offset, size, by commas.",
        sample=b"1456095145.500000000,0.000210000,W,0,4096000,8192\n"
        b"1456095145.501250000,0.007800000,R,2,8192000,131072\n",
        sniff=lambda head: head.most_rows(_is_systor),
        read=partial(_read, form=_SYSTOR),
    ),
    TraceFormat(
        name="spc",
        title="SPC",
        kind="block",
        content="requests",
        sentence="Unit, block, size, R or W, time, by commas (UMass, Financial and WebSearch).",
        sample=b"0,657728,8192,R,0.011413\n1,20939840,4096,W,0.011436\n0,657744,8192,r,0.026214\n",
        sniff=lambda head: head.most_rows(_is_spc),
        read=partial(_read, form=_SPC),
    ),
    TraceFormat(
        name="alibaba_block",
        title="Alibaba block traces",
        family="Alibaba",
        kind="block",
        content="requests",
        sentence="Device, R or W, offset and length in bytes, microseconds, by commas.",
        sample=b"64,R,126703644672,4096,1577808000000045\n65,W,126703648768,8192,1577808000001045\n",
        sniff=lambda head: head.most_rows(_is_alibaba),
        read=partial(_read, form=_ALIBABA),
    ),
    TraceFormat(
        name="tencent_block",
        title="Tencent block traces",
        family="Tencent",
        kind="block",
        content="requests",
        sentence="Seconds, offset and size in sectors, 0 for a read, volume, by commas.",
        sample=b"1538323200,12910952,128,0,1063\n1538323201,6338688,8,1,1064\n",
        sniff=lambda head: head.most_rows(_is_tencent),
        read=partial(_read, form=_TENCENT),
    ),
    TraceFormat(
        name="five_columns",
        title="five columns",
        kind="block",
        content="requests",
        sentence="Milliseconds, device, offset and size in bytes, 1 for a read, by spaces.",
        sample=b"0.000 0 200626176 4096 0\n223.412 1 3159347200 36864 1\n",
        sniff=_is_five_columns,
        read=partial(_read, form=_FIVE),
    ),
    TraceFormat(
        name="disksim",
        title="DiskSim ASCII",
        family="DiskSim",
        kind="block",
        content="requests",
        sentence="Milliseconds, device, block, blocks, flags in hexadecimal, by spaces.",
        sample=b"0.841280\t0\t100488819\t11\t1\n11.286345\t3\t21478932\t16\tc\n",
        sniff=lambda head: head.most_rows(_is_disksim),
        read=partial(_read, form=_DISKSIM),
    ),
    TraceFormat(
        name="disksim_validate",
        title="DiskSim, measured",
        family="DiskSim",
        kind="block",
        content="requests",
        sentence="R or W, Hit or Miss, block, blocks, measured and pause in us, by spaces.",
        sample=b"R Miss 12345 8 9123.0 1500.0\nW Miss 99 16 4410.5 0.0\n",
        sniff=lambda head: head.most_rows(_is_validate),
        read=_read_validate,
    ),
    TraceFormat(
        name="fio_offsets",
        title="fio log with offsets",
        family="fio log",
        kind="block",
        content="requests",
        sentence="Milliseconds of the end, latency in ns, direction, size, offset (log_offset=1).",
        sample=b"12, 7413926, 1, 4096, 81920, 0\n21, 8252175, 0, 4096, 40960, 0\n",
        sniff=_is_placed,
        read=partial(_read_fio_log, form=_FIO_OFFSETS),
    ),
    TraceFormat(
        name="fio_log",
        title="fio log",
        kind="latency",
        content="requests",
        sentence="Milliseconds, latency in ns, direction, size: requests without their places.",
        sample=b"1767, 74139269, 1, 0\n3618, 1925227518, 0, 4096\n",
        sniff=lambda head: head.most_rows(_is_fio) and not _is_placed(head),
        read=partial(_read_fio_log, form=_FIO_LOG),
    ),
)
