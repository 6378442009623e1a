"""Members of the large objects of a JSON file, one at a time: price lists have hundreds of MB."""

from __future__ import annotations

import mmap
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.reading import json_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

# A string as a whole, or a bracket outside of one (RFC 8259, sections 4, 5 and 7).
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(_STRING + rb"|[{}\[\]]", re.DOTALL)
_MEMBER_DEPTH = 8
_DEPTH_MAX = 40


def _object(depth: int) -> bytes:
    """A pattern of an object with objects in it, so many deep; it never tries anything twice."""
    inner = b"|" + _object(depth - 1) if depth else b""
    return rb'\{(?:[^{}"]++|' + _STRING + inner + rb")*+\}"


# A member whose value is an object, after the comma of the one before.
_MEMBER = re.compile(rb'[\s,]*+"([^"\\]*+)"\s*+:\s*+(' + _object(_MEMBER_DEPTH) + rb")", re.DOTALL)
MEMBER_BYTES_MAX = 4 << 20
# An element of a list that is an object.
_ELEMENT = re.compile(rb"[\s,]*+()(" + _object(_MEMBER_DEPTH) + rb")", re.DOTALL)
# So much of the file is in memory at most before it is let go.
_WINDOW = 32 << 20


@dataclass(frozen=True, slots=True)
class Large:
    """An opened file of JSON that is not read whole; ``columns`` are the names in its head."""

    path: Path
    head: bytes
    columns: frozenset[str]


Place = tuple[bytes, ...]


def members(path: Path, wanted: Collection[Place]) -> Iterator[tuple[Place, bytes, bytes]]:
    """Yield place, key and text of each object that is a member of what is at a wanted place.

    ``(b"terms", b"OnDemand")`` is the place of the object of that name in the one called terms.
    Elements of lists have no key: ``(b"terms", b"savingsPlan", b"", b"rates")``.

    Raises
    ------
    FileRefused
        When brackets do not fit together, or nest too deeply, or a member is too large.
    """
    places = frozenset(wanted)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        yield from _members(text, places)


def items(file: Large, name: bytes) -> Iterator[dict[str, Any]]:
    """Yield the objects of the list of a name, of every page of a file.

    Pages follow one another, or are in a list; where the file's head does not name the list, the
    file is such a list itself.

    Raises
    ------
    FileRefused
        As ``members``, or when an object cannot be read.
    """
    places = [(name,), (b"", name)] if b'"' + name + b'"' in file.head else [()]
    for _, _, text in members(file.path, places):
        yield json_of(text.decode("utf-8", "replace"))


def _members(text: mmap.mmap, places: frozenset[Place]) -> Iterator[tuple[Place, bytes, bytes]]:
    stack: list[bytes] = []
    lists: list[bool] = []
    key, at, freed = b"", 0, 0
    while found := _TOKEN.search(text, at):
        token, at = found[0], found.end()
        if token in b"{[":
            stack.append(b"" if lists and lists[-1] else key)
            lists.append(token == b"[")
            _require_depth(stack)
            place = tuple(stack[1:])
            if place and place[:-1] in places:
                message = "The JSON cannot be read: it ends early, or a price is no object."
                raise FileRefused(message)
            if place in places:
                kind = _ELEMENT if token == b"[" else _MEMBER
                while member := kind.match(text, at):
                    at = member.end()
                    yield place, member[1], _cut(text, member.start(2), at)
                    freed = _let_go(text, freed, at)
        elif token in b"}]":
            _close(stack)
            lists.pop()
        else:
            key = token[1:-1]
    if stack:
        raise FileRefused("The JSON cannot be read: it ends before its last bracket.")


def _require_depth(stack: list[bytes]) -> None:
    if len(stack) > _DEPTH_MAX:
        raise FileRefused("The JSON is nested too deeply.")


def _close(stack: list[bytes]) -> None:
    if not stack:
        raise FileRefused("The JSON cannot be read: a bracket is closed twice.")
    stack.pop()


def _cut(text: mmap.mmap, begin: int, end: int) -> bytes:
    if end - begin > MEMBER_BYTES_MAX:
        raise FileRefused("The JSON has a member that is larger than any price can be.")
    return text[begin:end]


def _let_go(text: mmap.mmap, begin: int, end: int) -> int:
    """Let go of pages that were read, a window at a time; return up to where."""
    if end - begin < _WINDOW:
        return begin
    last = end - end % mmap.PAGESIZE
    text.madvise(mmap.MADV_DONTNEED, begin, last - begin)
    return last
