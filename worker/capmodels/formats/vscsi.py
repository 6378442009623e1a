"""vscsi: binary records of SCSI commands, as VMware's vscsiStats and those after it write them."""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from capmodels.formats.chunks import FAULTS_KEPT, FileRefused, Requests
from capmodels.formats.sane_requests import sane, unknown
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Head

SCSI_READS = (0x08, 0x28, 0x88, 0xA8)
SCSI_WRITES = (0x0A, 0x2A, 0x8A, 0xAA)
VSCSI_1 = np.dtype(
    [("sn", "<u4"), ("len", "<u4"), ("nsg", "<u4"), ("cmd", "<u2"), ("ver", "<u2"),
     ("lbn", "<u8"), ("ts", "<u8")]
)  # fmt: skip
VSCSI_2 = np.dtype(
    [("cmd", "<u2"), ("ver", "<u2"), ("sn", "<u4"), ("len", "<u4"), ("nsg", "<u4"),
     ("lbn", "<u8"), ("ts", "<u8"), ("rt", "<u8")]
)  # fmt: skip


def _is_first(head: Head) -> bool:
    if not head.is_binary or len(head.data) < VSCSI_1.itemsize:
        return False
    rows = _first_records(head, VSCSI_1)
    known = np.isin(rows["cmd"], SCSI_READS + SCSI_WRITES).mean() > 0.5
    return bool(known and (rows["ver"] >> 8 == 1).all())


def _is_second(head: Head) -> bool:
    """Whether records of the second kind begin; a binary file of neither kind is refused.

    Raises
    ------
    FileRefused
        When the file is binary and no vscsi trace.
    """
    if not head.is_binary:
        return False
    rows = _first_records(head, VSCSI_2)
    if len(rows) and (rows["ver"] >> 8 == 2).all():
        return True
    raise FileRefused("This binary file is not a vscsi trace.")


def _first_records(head: Head, record: np.dtype) -> NDArray[np.void]:
    size = record.itemsize
    return np.frombuffer(head.data[: len(head.data) // size * size], dtype=record)[:64]


def _record(row: int, *, lines: NDArray[np.int64]) -> int:
    return int(lines[row])


def _read(
    chunks: Iterator[bytes], _name: str, report: Report, record: np.dtype
) -> Iterator[Requests]:
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
        yield sane(_scsi_columns(rows[known]), report, partial(_record, lines=lines))
    if left:
        report.add(report.lines_count + 1, "The last record is cut off.")


def _scsi_columns(rows: NDArray[np.void]) -> Requests:
    response = rows["rt"] / 1e6 if "rt" in (rows.dtype.names or ()) else unknown(len(rows))
    return Requests(
        rows["ts"] / 1e6,
        np.zeros(len(rows), dtype=np.int32),
        rows["lbn"].astype(np.int64),
        rows["len"].astype(np.int64),
        np.isin(rows["cmd"], SCSI_WRITES),
        response,
    )


FORMATS = (
    TraceFormat(
        name="vscsi1",
        title="vscsi",
        kind="block",
        content="requests",
        sentence="Binary records of 32 bytes: number, length, command, block and time.",
        sample=b"".join(
            struct.pack("<IIIHHQQ", i, 4096, 1, (0x28, 0x2A)[i % 2], 0x0100, 8 * i, 1000 * i)
            for i in range(5)
        ),
        sniff=_is_first,
        read=partial(_read, record=VSCSI_1),
    ),
    TraceFormat(
        name="vscsi2",
        title="vscsi 2",
        family="vscsi",
        kind="block",
        content="requests",
        sentence="Binary records of 40 bytes, response times with them.",
        sample=b"".join(
            struct.pack("<HHIIIQQQ", (0x28, 0x2A)[i % 2], 0x0200, i, 4096, 1, 8 * i, 1000 * i, 250)
            for i in range(5)
        ),
        sniff=_is_second,
        read=partial(_read, record=VSCSI_2),
    ),
)
