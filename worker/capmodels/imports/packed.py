"""Archives of one table: a zip or tar of a file, of its parts one after another, or of sheets."""

from __future__ import annotations

import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING

from capmodels.formats.archives import is_archive, members
from capmodels.formats.chunks import PARQUET, Budget, FileRefused, peek
from capmodels.imports.workbook import is_workbook

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE_BYTES = 1 << 20
SECONDS_MAX = 900.0
# A sheet of RVTools, which exports each to a file of its own: RVTools_tabvInfo.csv.
_SHEET = re.compile(r"(?:^|[_\- ])(?:tab)?(d?v[A-Z]\w*)\.csv(?:\.gz|\.zst)?$")


class _Whole:
    """Parts of one table as one file: the same first line, kept once."""

    def __init__(self, file: IO[bytes], name: str) -> None:
        self.file, self.name = file, name
        self.line: bytes | None = None
        self.last = b"\n"

    def add(self, name: str, content: Iterator[bytes]) -> None:
        start, pieces = peek(content)
        line = start.partition(b"\n")[0]
        skipped = 0
        if self.line is None:
            self.line = line.strip()
        elif line.strip() == self.line and not start.startswith(PARQUET):
            self.file.write(b"" if self.last == b"\n" else b"\n")
            skipped = len(line) + 1
        else:
            raise _of_several_kinds(self.name, name)
        for piece in pieces:
            self.file.write(piece[skipped:])
            skipped, self.last = max(0, skipped - len(piece)), piece[-1:] or self.last


def _of_several_kinds(one: str, other: str) -> FileRefused:
    return FileRefused(
        f"The archive holds files of different kinds ({one} and {other}). Import them one by one."
    )


def unpacked(path: Path) -> Path:
    """Return the file itself; of an archive, a file beside it with what it holds.

    Parts are tables with the same first line, which is kept once. Sheets of RVTools, a file each,
    become a folder of them.

    Raises
    ------
    FileRefused
        When an archive is damaged or holds nothing, or files that are no parts of one.
    """
    with path.open("rb") as file:
        head = file.read(512)
    if not is_archive(head) or is_workbook(path):
        return path
    folder = Path(tempfile.mkdtemp(prefix="unpacked-", dir=path.parent))
    with ExitStack() as files:
        found: dict[str, _Whole] = {}
        for name, content in members(head, _pieces(path), Budget(seconds_max=SECONDS_MAX)):
            sheet = _SHEET.search(name)
            key = sheet[1] if sheet else ""
            other = next((one for key_of, one in found.items() if bool(key_of) != bool(key)), None)
            if other is not None:
                raise _of_several_kinds(other.name, name)
            if key not in found:
                whole = files.enter_context((folder / (key or "whole")).open("wb"))
                found[key] = _Whole(whole, name)
            found[key].add(name, content)
    if not found:
        raise FileRefused("The archive holds no file.")
    return folder / "whole" if "" in found else folder


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_PIECE_BYTES):
            yield piece
