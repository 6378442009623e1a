"""A tar or zip of many files, one per machine, read one after another."""

from __future__ import annotations

import io
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING

from capmodels.formats.chunks import Budget, PackingRefused, capped, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_PIECE_BYTES = 1 << 18
MEMBERS_MAX = 200_000
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError)


def is_archive(head: bytes) -> bool:
    """Whether a file begins as a tar or a zip does."""
    return head.startswith(_ZIP) or head[_TAR_MAGIC_AT : _TAR_MAGIC_AT + 5] == _TAR_MAGIC


def members(
    head: bytes, source: Iterator[bytes], budget: Budget | None = None
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Yield name and content, unpacked, of each file; each is to be read before the next one.

    Raises
    ------
    FileRefused
        When the archive is damaged, or holds more files than anybody has machines, or when its
        budget is spent, which files packed once more inside of it share.
    """
    read = _zip_members if head.startswith(_ZIP) else _tar_members
    count, budget = 0, budget or Budget()
    try:
        for name, file in read(source):
            path = PurePosixPath(name)
            if any(part.startswith((".", "__MACOSX")) for part in path.parts):
                continue
            count += 1
            if count > MEMBERS_MAX:
                message = f"The archive holds more than {MEMBERS_MAX:,} files."
                raise PackingRefused(message)
            yield path.name, plain(capped(_content(path.name, file), budget), budget)
    except _DAMAGE as exc:
        raise PackingRefused("The archive is damaged.") from exc
    except (RuntimeError, NotImplementedError) as exc:
        message = "A file of the archive is locked or packed in a way that we do not know."
        raise PackingRefused(message) from exc


def _content(name: str, file: IO[bytes]) -> Iterator[bytes]:
    """Pieces of a file of the archive."""
    try:
        while piece := file.read(_PIECE_BYTES):
            yield piece
    except _DAMAGE as exc:
        message = f"{name} in the archive is damaged."
        raise PackingRefused(message) from exc


class _Stream(io.RawIOBase):
    """Chunks as a file that can only be read on."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._left = b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """Fill the buffer as far as there is something."""
        view = memoryview(buffer)
        if not self._left:
            self._left = next(self._chunks, b"")
        part, self._left = self._left[: len(view)], self._left[len(view) :]
        view[: len(part)] = part
        return len(part)


def _tar_members(source: Iterator[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    stream = io.BufferedReader(_Stream(source), _PIECE_BYTES)
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None:
                yield member.name, file


def _zip_members(source: Iterator[bytes]) -> Iterator[tuple[str, IO[bytes]]]:
    # The list of a zip's files stands at its end.
    with tempfile.TemporaryFile(prefix="ampacity-zip-") as whole:
        for chunk in source:
            whole.write(chunk)
        with zipfile.ZipFile(whole) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    with archive.open(member) as file:
                        yield member.filename, file
