"""The parameter files of DiskSim (its library ``libparam``): blocks of names and values.

``block kind { name = value, ... }``; a value is a number (decimal, 0x..., or as C reads it), a
word, a list in brackets, or a block; ``#`` begins a comment. Instantiations and topologies are
passed over.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.formats.chunks import FileRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(r"[{}\[\],=]|[^{}\[\],=]+")
_DEPTH_MAX = 40


@dataclass
class Block:
    """A block: what it is, its name where it has one, and its values in order."""

    kind: str
    name: str = ""
    values: dict[str, object] = field(default_factory=dict)


def number(text: str) -> float | None:
    """A number as the format has it; None for a word.

    >>> number("0x10"), number("-1.5e-3"), number("atlas.seek"), number("nan")
    (16.0, -0.0015, None, None)
    """
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F]+", text):
        return float(int(text, 16))
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        return None
    found = float(text)
    return found if math.isfinite(found) else None


def blocks_of(text: str) -> list[Block]:
    """Read the blocks of a file.

    Raises
    ------
    FileRefused
        When brackets do not match or a value is missing.
    """
    bare = re.sub(r"#[^\n\r]*", "", text)
    tokens = (" ".join(found.split()) for found in _TOKEN.findall(bare))
    reader = _Reader(token for token in tokens if token)
    found = []
    while reader.here:
        words = reader.take().split()
        if reader.here == "{":
            # What stands before, such as the end of an instantiation, is not of this block.
            kind, name = (words[-2], words[-1]) if len(words) > 1 else (words[-1], "")
            found.append(reader.block(kind, name, 0))
    return found


class _Reader:
    """The tokens of a file, one ahead; an empty one after the last."""

    def __init__(self, tokens: Iterator[str]) -> None:
        self._tokens = tokens
        self.here = next(tokens, "")

    def take(self) -> str:
        token, self.here = self.here, next(self._tokens, "")
        return token

    def expect(self, token: str, after: str) -> None:
        if self.here != token:
            seen = f"{self.here[:40]!r}" if self.here else "the end of the file"
            message = f"This DiskSim file has {seen} after {after!r}, where {token!r} should stand."
            raise FileRefused(message)
        self.take()

    def block(self, kind: str, name: str, depth: int) -> Block:
        """Read from the opening brace on."""
        if depth > _DEPTH_MAX:
            message = "This DiskSim file has blocks too deep within blocks."
            raise FileRefused(message)
        self.take()
        found = Block(kind, name)
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
            message = f"This DiskSim file has no value for {key!r}."
            raise FileRefused(message)
        if self.here == "{":
            words = text.split()
            return self.block(words[0], words[-1] if len(words) > 1 else "", depth + 1)
        found = number(text)
        return text if found is None else found

    def list(self, key: str, depth: int) -> list[object]:
        """Read from the opening bracket on."""
        if depth > _DEPTH_MAX:
            message = f"This DiskSim file has lists too deep within {key!r}."
            raise FileRefused(message)
        self.take()
        found = []
        while self.here != "]":
            if self.here == ",":
                self.take()
                continue
            if not self.here:
                message = f"This DiskSim file ends within the list of {key!r}."
                raise FileRefused(message)
            found.append(self.value(key, depth + 1))
        self.take()
        return found


def find(block: Block, name: str) -> object | None:
    """A value of a block or of a block within it; None where it is not. Lists are not searched."""
    if name in block.values:
        return block.values[name]
    for value in block.values.values():
        if isinstance(value, Block):
            found = find(value, name)
            if found is not None:
                return found
    return None
