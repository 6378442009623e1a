"""What every parser of block traces yields: columns, a piece at a time, and faults by line."""

from __future__ import annotations

import math
import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
PARQUET = b"PAR1"
# What files begin with that are no text and no trace, and what they are called.
OTHERS = {
    PARQUET: "a Parquet file",
    b"Obj\x01": "an Avro file",
    b"SQLite format 3": "an SQLite database",
    b"%PDF-": "a PDF",
    b"BZh9": "packed with bzip2",
    b"\xfd7zXZ": "packed with xz",
    b"7z\xbc\xaf": "packed with 7-Zip",
}
# More faults than these are counted, not kept.
FAULTS_KEPT = 100
# An archive holds a thousand files, and each may have its own.
NOTES_KEPT = 20
# No disk has more sectors, no request asks for more.
SECTOR_MAX = 1 << 52
SIZE_MAX_BYTES = 1 << 32
# What one packed file may unpack to: more than a worker reads in its hour.
UNPACKED_BYTES_MAX = 50_000_000_000
# A zstd block of 4 bytes may stand for 128 kB, so that a slice gives at most 16 MB at once.
_SLICE_BYTES = 512
# A line that goes on for longer is none.
LINE_BYTES_MAX = 4 << 20


class Requests(NamedTuple):
    """Requests in the order of the file, each column of the same length."""

    at_s: NDArray[np.float64]
    device: NDArray[np.int32]
    sector: NDArray[np.int64]  # of 512 bytes
    size_bytes: NDArray[np.int64]
    write: NDArray[np.bool_]
    response_s: NDArray[np.float64]  # not a number where the file has none


@dataclass(frozen=True, slots=True)
class LineFault:
    """A line (or record) that could not be read."""

    line: int
    message: str


@dataclass
class Report:
    """What went wrong while a file was read, and how what could be read otherwise was read."""

    faults: list[LineFault] = field(default_factory=list)
    faults_count: int = 0
    lines_count: int = 0
    notes: list[str] = field(default_factory=list)

    def note(self, *sentences: str) -> None:
        """Keep sentences of how the file was read; of files of an archive each once."""
        new = [one for one in sentences if one not in self.notes]
        self.notes += new[: NOTES_KEPT - len(self.notes)]

    def add(self, line: int, message: str) -> None:
        """Count a fault, and keep it while there are few."""
        self.faults_count += 1
        if len(self.faults) < FAULTS_KEPT:
            self.faults.append(LineFault(line, message))

    def add_all(self, faults: Iterable[LineFault], count: int) -> None:
        """Add faults of which only the first were kept."""
        for fault in faults:
            self.add(fault.line, fault.message)
            count -= 1
        self.faults_count += count


class FileRefused(Exception):
    """The file as a whole cannot be read; the message says why."""


class PackingRefused(FileRefused):
    """What the file is packed in cannot be read, whatever it holds."""


class Budget:
    """What a packed file may unpack to and how long that may take, kept while it is read.

    Files within a file share it; the time runs from when it is made.
    """

    def __init__(
        self,
        bytes_max: int | None = None,
        seconds_max: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.bytes_max = UNPACKED_BYTES_MAX if bytes_max is None else bytes_max
        self.bytes_left = self.bytes_max
        self._clock, self._end_s, self._seconds_max = clock, clock() + seconds_max, seconds_max

    def spend(self, count: int) -> None:
        """Take so many bytes of it.

        Raises
        ------
        FileRefused
            When no bytes are left, or no time.
        """
        self.bytes_left -= count
        if self.bytes_left < 0:
            message = f"The file unpacks to more than {self.bytes_max / 1e9:g} GB."
            raise PackingRefused(message)
        if self._clock() > self._end_s:
            raise PackingRefused(
                f"The file takes longer to read than the {self._seconds_max:g} s that one may. "
                "Export what is needed of it as CSV."
            )


def plain(chunks: Iterable[bytes], budget: Budget | None = None) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked when they are gzip or zstd.

    Raises
    ------
    FileRefused
        When a packed file is damaged, or unpacks to more than anybody has measured.
    """
    source = iter(chunks)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= 4:
            break
    rest = _again(head, source)
    if head.startswith(GZIP):
        return capped(_gunzip(rest), budget or Budget())
    if head.startswith(ZSTD):
        return capped(_gathered(_unzstd(rest)), budget or Budget())
    return rest


def called(head: bytes) -> str | None:
    """What a file is that is no text, by its first bytes; None where they are of no known kind.

    >>> called(b"PAR1\\x15\\x04"), called(b"time,cpu\\n")
    ('a Parquet file', None)
    """
    return next((name for start, name in OTHERS.items() if head.startswith(start)), None)


def capped(pieces: Iterator[bytes], budget: Budget) -> Iterator[bytes]:
    """Pass unpacked pieces on as long as the budget lasts."""
    for piece in pieces:
        budget.spend(len(piece))
        yield piece


def with_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pass pieces of a text on as long as its lines end.

    Raises
    ------
    FileRefused
        Before a reader that waits for the end of a line has kept all of the file.
    """
    open_bytes = 0
    for piece in pieces:
        end = piece.rfind(b"\n")
        open_bytes = open_bytes + len(piece) if end < 0 else len(piece) - end - 1
        if open_bytes > LINE_BYTES_MAX:
            message = f"A line of the file is longer than {LINE_BYTES_MAX >> 20} MiB."
            raise FileRefused(message)
        yield piece


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a text without their ends."""
    left = b""
    for piece in with_lines(pieces):
        *whole, left = (left + piece).split(b"\n")
        yield from whole
    if left:
        yield left


def _again(head: bytes, source: Iterator[bytes]) -> Iterator[bytes]:
    if head:
        yield head
    yield from source


def _gunzip(chunks: Iterator[bytes]) -> Iterator[bytes]:
    inflate, inside = zlib.decompressobj(wbits=31), False
    for chunk in chunks:
        data = chunk
        while data:
            try:
                found = inflate.decompress(data, 1 << 22)
            except zlib.error as exc:
                raise PackingRefused("The gzip file is damaged.") from exc
            if found:
                yield found
            data, inside = inflate.unconsumed_tail, True
            if inflate.eof:
                data = inflate.unused_data
                inflate, inside = zlib.decompressobj(wbits=31), False
    if inside:
        raise PackingRefused("The gzip file ends too early.")


def _unzstd(chunks: Iterator[bytes]) -> Iterator[bytes]:
    import zstandard

    opened = zstandard.ZstdDecompressor()
    unpack, inside = opened.decompressobj(), False
    for data in _slices(chunks):
        left = data
        while left:
            try:
                found = unpack.decompress(left)
            except zstandard.ZstdError as exc:
                raise PackingRefused("The zstd file is damaged.") from exc
            if found:
                yield found
            left, inside = b"", True
            if unpack.eof:
                # Several frames follow each other in one file.
                left = unpack.unused_data
                unpack, inside = opened.decompressobj(), False
    if inside:
        raise PackingRefused("The zstd file ends too early.")


def _gathered(pieces: Iterator[bytes], least_bytes: int = 1 << 20) -> Iterator[bytes]:
    """Put small pieces together: each one costs its reader a call."""
    held, size = [], 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= least_bytes:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _slices(chunks: Iterator[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE_BYTES):
            yield chunk[start : start + _SLICE_BYTES]


def peek(source: Iterator[bytes], size: int = 1 << 16) -> tuple[bytes, Iterator[bytes]]:
    """Return the first bytes of a stream, and the whole stream."""
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= size:
            break
    return head[:size], _again(head, source)


def glued(pieces: Sequence[Requests]) -> Requests:
    """Return pieces as one, in order."""
    import numpy as np

    columns: list[Any] = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    return Requests(*columns)


def cut(piece: Requests, first: int, end: int | None) -> Requests:
    """Return rows of a piece, without copying."""
    columns: list[Any] = [column[first:end] for column in piece]
    return Requests(*columns)


def filled(pieces: Iterable[Requests]) -> Iterator[Requests]:
    """Yield the pieces that hold any request."""
    return (piece for piece in pieces if len(piece.at_s))


def in_order(pieces: Iterable[Requests], window: int = 1 << 16) -> Iterator[Requests]:
    """Yield requests by time where the file is out of order by less than ``window`` rows.

    Files by completion, or of several processors, are so; those in order pass as they are.
    """
    import numpy as np

    kept: Requests | None = None
    for piece in pieces:
        whole = piece if kept is None else glued([kept, piece])
        if (np.diff(whole.at_s) >= 0).all():
            kept = cut(whole, -1, None)
            if len(whole.at_s) > 1:
                yield cut(whole, 0, -1)
            continue
        order = np.argsort(whole.at_s, kind="stable")
        columns: list[Any] = [column[order] for column in whole]
        ready = max(len(order) - window, 0)
        kept = cut(Requests(*columns), ready, None)
        if ready:
            yield cut(Requests(*columns), 0, ready)
    if kept is not None:
        yield kept


def one_request(values: list[tuple[float, int, int, int, bool, float]]) -> Requests:
    """Columns of rows (time, device, sector, bytes, write, response)."""
    import numpy as np

    at, device, sector, size, write, response = zip(*values, strict=True)
    return Requests(
        np.array(at, dtype=np.float64),
        np.array(device, dtype=np.int32),
        np.array(sector, dtype=np.int64),
        np.array(size, dtype=np.int64),
        np.array(write, dtype=np.bool_),
        np.array(response, dtype=np.float64),
    )
