"""The parameter files of DiskSim (its library ``libparam``): blocks of names and values.

``block kind { name = value, ... }``; a value is a number (decimal, 0x..., or as C reads it), a
word, a list in brackets, or a block; ``#`` begins a comment. ``source NAME`` stands for what is in
another file. Instantiations and topologies are passed over.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from capmodels.formats.chunks import FileRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"[{}\[\],=]|[^{}\[\],=]+")
_DEPTH_MAX = 40
# No number is written with more characters.
_DIGITS_MAX = 64


class FileFault(FileRefused):
    """What is wrong with one of several files."""

    def __init__(self, file: str, message: str) -> None:
        """Keep which file it is."""
        super().__init__(message)
        self.file = file


class Source(NamedTuple):
    """The name of a file whose content stands here."""

    name: str


@dataclass
class Block:
    """A block: what it is, its name where it has one, its values in order, and its file."""

    kind: str
    name: str = ""
    values: dict[str, object] = field(default_factory=dict)
    file: str = ""


def number(text: str) -> float | None:
    """A number as the format has it; None for a word.

    >>> number("0x10"), number("-1.5e-3"), number("atlas.seek"), number("nan")
    (16.0, -0.0015, None, None)
    """
    if len(text) > _DIGITS_MAX:
        return None
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F]+", text):
        return float(int(text, 16))
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return None
    found = float(text)
    return found if math.isfinite(found) else None


def entries_of(text: str, file: str) -> list[Block | Source]:
    """Read the blocks of a file, and the names of files whose blocks stand between them.

    Raises
    ------
    FileFault
        When brackets do not match or a value is missing.
    """
    bare = re.sub(r"#[^\n\r]*", "", text)
    tokens = (" ".join(found.split()) for found in _TOKEN.findall(bare))
    reader = _Reader((token for token in tokens if token), file)
    found: list[Block | Source] = []
    while reader.here:
        words = reader.take().split()
        found += [Source(name) for word, name in pairwise(words) if word == "source"]
        if reader.here == "{":
            # What stands before, such as the end of an instantiation, is not of this block.
            kind, name = (words[-2], words[-1]) if len(words) > 1 else (words[-1], "")
            found.append(reader.block(kind, name, 0))
    return found


class _Reader:
    """The tokens of a file, one ahead; an empty one after the last."""

    def __init__(self, tokens: Iterator[str], file: str) -> None:
        self._tokens, self._file = tokens, file
        self.here = next(tokens, "")

    def take(self) -> str:
        token, self.here = self.here, next(self._tokens, "")
        return token

    def expect(self, token: str, after: str) -> None:
        if self.here != token:
            seen = f"{self.here[:40]!r}" if self.here else "the end of the file"
            raise self.fault(f"has {seen} after {after[:40]!r}, where {token!r} should stand.")
        self.take()

    def fault(self, what: str) -> FileFault:
        return FileFault(self._file, f"{self._file} {what}")

    def block(self, kind: str, name: str, depth: int) -> Block:
        """Read from the opening brace on."""
        if depth > _DEPTH_MAX:
            raise self.fault("has blocks too deep within blocks.")
        self.take()
        found = Block(kind, name, file=self._file)
        while self.here != "}":
            if self.here == ",":
                self.take()
                continue
            key = self.take()
            self.expect("=", key or kind)
            found.values[key] = self.value(key, depth)
        self.take()
        return found

    def value(self, key: str, depth: int) -> object:
        """Read one value of a name."""
        if self.here == "[":
            return self.list(key, depth)
        text = self.take()
        if not text or text in "{}],=":
            raise self.fault(f"has no value for {key[:40]!r}.")
        words = text.split()
        if self.here == "{":
            return self.block(words[0], words[-1] if len(words) > 1 else "", depth + 1)
        if words[0] == "source" and words[1:]:
            return Source(words[1])
        found = number(text)
        return text if found is None else found

    def list(self, key: str, depth: int) -> list[object]:
        """Read from the opening bracket on."""
        if depth > _DEPTH_MAX:
            raise self.fault(f"has lists too deep within {key[:40]!r}.")
        self.take()
        found = []
        while self.here != "]":
            if self.here == ",":
                self.take()
                continue
            if not self.here:
                raise self.fault(f"ends within the list of {key[:40]!r}.")
            found.append(self.value(key, depth + 1))
        self.take()
        return found


def find(block: Block, name: str) -> tuple[object, str] | None:
    """A value of a block or of a block within it, and the file that it stands in.

    None where it is not. Lists are not searched.
    """
    waiting, seen = [block], set[int]()
    while waiting:
        here = waiting.pop()
        if name in here.values:
            return here.values[name], here.file
        if id(here) not in seen:
            inner = [value for value in here.values.values() if isinstance(value, Block)]
            waiting += reversed(inner)
        seen.add(id(here))
    return None
