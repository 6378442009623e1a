"""Archives of one table: a zip or tar of a file, or of its parts one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.formats.archives import is_archive, members
from capmodels.formats.chunks import FileRefused, peek
from capmodels.imports.table import PARQUET
from capmodels.imports.workbook import is_workbook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_PIECE_BYTES = 1 << 20


def unpacked(path: Path) -> Path:
    """Return the file itself; of an archive, a file beside it with what it holds.

    Parts are tables with the same first line, which is kept once.

    Raises
    ------
    FileRefused
        When an archive is damaged or holds nothing, or files that are no parts of one.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if not is_archive(head) or is_workbook(path):
        return path
    whole = path.with_name(f"{path.name}-unpacked")
    first: tuple[str, bytes] | None = None
    last = b"\n"
    with whole.open("wb") as file:
        for name, content in members(head, _pieces(path)):
            start, pieces = peek(content)
            line = start.partition(b"\n")[0]
            skipped = 0
            if first is None:
                first = name, line.strip()
            elif line.strip() == first[1] and not start.startswith(PARQUET):
                file.write(b"" if last == b"\n" else b"\n")
                skipped = len(line) + 1
            else:
                message = (
                    f"The archive holds files of different kinds ({first[0]} and {name}). "
                    "Import them one by one."
                )
                raise FileRefused(message)
            for piece in pieces:
                file.write(piece[skipped:])
                skipped, last = max(0, skipped - len(piece)), piece[-1:] or last
    if first is None:
        raise FileRefused("The archive holds no file.")
    return whole


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
