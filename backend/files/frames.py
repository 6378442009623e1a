"""Pieces that are read one by one, in one file: each with its length before it."""

from __future__ import annotations

import struct
import tempfile
import weakref
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_LENGTH = struct.Struct(">I")


class Spool:
    """Pieces on their way to the storage: on disk, not in memory."""

    def __init__(self) -> None:
        """Open a file without a name, which is gone when it is closed."""
        self._file: IO[bytes] = tempfile.TemporaryFile(prefix="ampacity-spool-")  # noqa: SIM115 -- kept open
        weakref.finalize(self, self._file.close)
        self.bytes_count = 0

    def keep(self, piece: bytes) -> None:
        """Write a piece."""
        self._file.write(_LENGTH.pack(len(piece)))
        self._file.write(piece)
        self.bytes_count += _LENGTH.size + len(piece)

    def file(self) -> IO[bytes]:
        """Return all of it, from the first byte."""
        self._file.seek(0)
        return self._file


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the pieces that a spool kept."""
    while head := file.read(_LENGTH.size):
        yield file.read(_LENGTH.unpack(head)[0])
