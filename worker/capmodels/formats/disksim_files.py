"""Files of DiskSim that are given together: which of them name which, and the disks in them.

A file names another by ``source NAME``, for what stands in it, or as its ``Full seek curve``. Of a
name its last part counts: what is given is in no folder. A file that has another name now stands in
where it alone can be what is meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from capmodels.formats.libparam import Block, FileFault, Source, entries_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

SETTINGS, MODEL, CURVE = "disksim_disk", "dm_disk", "Full seek curve"
# What a value that is in another file is called in a sentence.
_CALLED = {"Model": "its model", "Layout Model": "its layout", CURVE: "its seek curve"}
# Blocks of a disk lie in one another five deep; more than this is a chain without end.
_DEEPEST = 60


def base_name(name: str) -> str:
    """The last part of a path.

    >>> base_name("../params/x.seek"), base_name("C:\\\\disks\\\\x.parv"), base_name("x.seek")
    ('x.seek', 'x.parv', 'x.seek')
    """
    return re.split(r"[/\\]", name)[-1]


class Missing(NamedTuple):
    """A file that another one names where disks are, and that is not given."""

    name: str
    by: str


class DiskFiles:
    """Files by their names without folders."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Read each file.

        Raises
        ------
        FileFault
            When brackets of a file do not match or a value is missing.
        """
        self.texts = texts
        self.used: set[str] = set()
        self._entries = {name: entries_of(text, name) for name, text in texts.items()}
        self._whole: set[int] = set()
        self._stand_ins = dict(_stand_ins(self._entries))

    def _here(self, name: str) -> str:
        """The name under which a file that is named would be given."""
        base = base_name(name)
        return self._stand_ins.get(base, base)

    def disks(self) -> list[Block | Missing]:
        """Blocks of disks in the order of the files, from those on that no other one names."""
        named = {self._here(name) for entries in self._entries.values() for name in _named(entries)}
        first = self._disks(name for name in self._entries if name not in named)
        return first or self._disks(self._entries)

    def _disks(self, files: Iterable[str]) -> list[Block | Missing]:
        seen: set[str] = set()
        return [
            entry
            for file in files
            if file not in seen
            for entry in self._blocks(file, (), seen)
            if isinstance(entry, Missing) or entry.kind in {SETTINGS, MODEL}
        ]

    def unused(self) -> list[str]:
        """Files of which nothing was taken, and that name none."""
        return [
            name
            for name, entries in self._entries.items()
            if name not in self.used and not any(isinstance(entry, Source) for entry in entries)
        ]

    def _blocks(
        self, file: str, path: tuple[str, ...], seen: set[str]
    ) -> Iterator[Block | Missing]:
        """Blocks at the top of a file, and of the files that it names there, each once."""
        seen.add(file)
        for entry in self._entries[file]:
            if isinstance(entry, Block):
                yield entry
                continue
            name = self._here(entry.name)
            if name in (*path, file):
                raise _circle(name, file)
            if name not in self._entries:
                yield Missing(name, file)
            elif name not in seen:
                yield from self._blocks(name, (*path, file), seen)

    def model_of(self, disk: Block) -> Block:
        """The block ``dm_disk`` of a disk, with the blocks of other files where they are named.

        Raises
        ------
        FileFault
            When a file that it names is not given, or leads back to itself.
        """
        self._fill(disk, (disk.file,))
        found = disk if disk.kind == MODEL else disk.values.get("Model")
        if not isinstance(found, Block) or found.kind != MODEL:
            raise FileFault(disk.file, f"{disk.file} has no 'Model' that is a block {MODEL!r}.")
        return found

    def _fill(self, block: Block, path: tuple[str, ...]) -> None:
        """Put blocks of other files in where they are named."""
        self.used.add(block.file)
        if id(block) in self._whole:
            return
        self._whole.add(id(block))
        for key, value in block.values.items():
            block.values[key] = self._filled(value, key, block.file, path)

    def _filled(self, value: object, key: str, file: str, path: tuple[str, ...]) -> object:
        if len(path) > _DEEPEST:
            raise FileFault(file, f"{file} has blocks too deep within blocks.")
        if isinstance(value, Source):
            name = self.given(value.name, key, file)
            if name in path:
                raise _circle(name, file)
            path = (*path, name)
            value = next(self._blocks(name, path, set()), None)
            if isinstance(value, Missing):
                raise _not_given(value.name, key, value.by)
            if value is None:
                raise FileFault(name, f"{name} has no block; {file} takes {_called(key)} from it.")
        if isinstance(value, Block):
            self._fill(value, (*path, value.file))
        elif isinstance(value, list):
            return [self._filled(item, key, file, (*path, "")) for item in value]
        return value

    def given(self, name: str, key: str, by: str) -> str:
        """The name under which a file that another one names is given.

        Raises
        ------
        FileFault
            When it is not.
        """
        found = self._here(name)
        if found not in self._entries:
            raise _not_given(found, key, by)
        self.used.add(found)
        return found


def with_named(texts: Mapping[str, str], beside: Callable[[str], str | None]) -> dict[str, str]:
    """Files and those that they name, as far as they are ``beside`` them.

    Raises
    ------
    FileFault
        When brackets of a file do not match or a value is missing.
    """
    found, waiting = dict(texts), list(texts)
    while waiting:
        file = waiting.pop()
        for name in _named(entries_of(found[file], file)):
            text = None if name in found else beside(name)
            if text is not None:
                found[name] = text
                waiting.append(name)
    return found


def _named(entries: Iterable[object]) -> Iterator[str]:
    """Names of files in the entries of a file."""
    return (name for _key, name in _references(entries))


def _references(entries: Iterable[object], key: str = "") -> Iterator[tuple[str, str]]:
    """Names of files in the entries of a file, each with what it is named for."""
    values = [(key, value) for value in entries]
    while values:
        key, value = values.pop()
        if isinstance(value, Source):
            yield key, base_name(value.name)
        elif isinstance(value, list):
            values += [(key, item) for item in value]
        elif isinstance(value, Block):
            values += value.values.items()
            curve = value.values.get(CURVE)
            if isinstance(curve, str):
                yield CURVE, base_name(curve)


def _stand_ins(given: Mapping[str, list[Block | Source]]) -> Iterator[tuple[str, str]]:
    """Names of files that are not given, each with the one file that can be what is meant."""
    wanted = {
        (key, name)
        for entries in given.values()
        for key, name in _references(entries)
        if name not in given
    }
    named = {name for entries in given.values() for name in _named(entries)}
    for key, name in wanted:
        fit = [file for file in given if file not in named and _can_be(key, given[file])]
        if len(fit) == 1 and sum(other == key for other, _ in wanted) == 1:
            yield name, fit[0]


def _can_be(key: str, entries: list[Block | Source]) -> bool:
    """Whether a file has what others are named for."""
    if key == CURVE:
        return not entries
    kind = {"Model": MODEL, "Layout Model": "dm_layout", "": SETTINGS}.get(key)
    return kind is not None and any(
        isinstance(entry, Block) and entry.kind.startswith(kind) for entry in entries
    )


def _called(key: str) -> str:
    return _CALLED.get(key, repr(key[:40]))


def _not_given(name: str, key: str, by: str) -> FileFault:
    return FileFault(by, f"{by} takes {_called(key)} from {name}: give that file as well.")


def _circle(name: str, by: str) -> FileFault:
    what = "itself" if name == by else f"{name}, which leads back to {by}"
    return FileFault(by, f"{by} takes a part from {what}.")


def missing_disk(missing: Missing) -> FileFault:
    """What is said of a disk whose file is not given."""
    message = f"{missing.by} takes its disk from {missing.name}: give that file as well."
    return FileFault(missing.by, message)
