"""What every parser of block traces yields: columns, a piece at a time, and faults by line."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
# More faults than these are counted, not kept.
FAULTS_KEPT = 100
# No disk has more sectors, no request asks for more.
SECTOR_MAX = 1 << 52
SIZE_MAX_BYTES = 1 << 32


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


class FileRefused(Exception):
    """The file as a whole cannot be read; the message says why."""


def plain(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked when they are gzip or zstd.

    Raises
    ------
    FileRefused
        When a packed file is damaged.
    """
    source = iter(chunks)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= 4:
            break
    rest = _again(head, source)
    if head.startswith(GZIP):
        return _gunzip(rest)
    if head.startswith(ZSTD):
        return _unzstd(rest)
    return rest


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
                raise FileRefused("The gzip file is damaged.") from exc
            if found:
                yield found
            data, inside = inflate.unconsumed_tail, True
            if inflate.eof:
                data = inflate.unused_data
                inflate, inside = zlib.decompressobj(wbits=31), False
    if inside:
        raise FileRefused("The gzip file ends too early.")


def _unzstd(chunks: Iterator[bytes]) -> Iterator[bytes]:
    import zstandard

    opened = zstandard.ZstdDecompressor()
    unpack, inside = opened.decompressobj(), False
    for chunk in chunks:
        data = chunk
        while data:
            try:
                found = unpack.decompress(data)
            except zstandard.ZstdError as exc:
                raise FileRefused("The zstd file is damaged.") from exc
            if found:
                yield found
            data, inside = b"", True
            if unpack.eof:
                # Several frames follow each other in one file.
                data = unpack.unused_data
                unpack, inside = opened.decompressobj(), False
    if inside:
        raise FileRefused("The zstd file ends too early.")


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
    at, device, sector, size, write, response = zip(*values, strict=True)
    return Requests(
        np.array(at, dtype=np.float64),
        np.array(device, dtype=np.int32),
        np.array(sector, dtype=np.int64),
        np.array(size, dtype=np.int64),
        np.array(write, dtype=np.bool_),
        np.array(response, dtype=np.float64),
    )
