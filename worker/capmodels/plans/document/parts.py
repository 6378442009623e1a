"""Parts of study documents that were validated before: equal ones are the same object.

A slider changes one part of a document. The others need not be read again, and what was
worked out from them can be found by what they are.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

V = TypeVar("V")

# Marshal's last format that writes a value the same way whatever else refers to it.
_FORMAT = 2


def _one(_value: object) -> int:
    return 1


class Latest(Generic[V]):
    """The values that were asked for last, so many of them, or of such sizes together."""

    def __init__(self, kept: int, size: Callable[[V], int] = _one) -> None:
        """Say how many to keep, or how much by a function of a value's size."""
        self._kept, self._size, self._held = kept, size, 0
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """Return the value of a key, if it is still here."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: V) -> None:
        """Keep a value, and let go of the one that nobody has asked for longest."""
        with self._lock:
            before = self._values.pop(key, None)
            self._held += self._size(value) - (0 if before is None else self._size(before))
            self._values[key] = value
            while self._held > self._kept:
                _, gone = self._values.popitem(last=False)
                self._held -= self._size(gone)

    def clear(self) -> None:
        """Keep nothing of what is here."""
        with self._lock:
            self._values.clear()
            self._held = 0

    def __len__(self) -> int:
        """How many values are here."""
        return len(self._values)


class OfDocuments(Generic[V]):
    """What was found last of some documents, which are the same when they are one object."""

    def __init__(self, kept: int, size: Callable[[V], int] = _one) -> None:
        """Say how many to keep, or how much by a function of a finding's size."""
        # With the documents, so that the id of none is used again while it stands here.
        self._found: Latest[tuple[tuple[object, ...], V]] = Latest(kept, lambda one: size(one[1]))

    def get(self, *documents: object) -> V | None:
        """Return what was found of these documents, if it is still here."""
        found = self._found.get(tuple(map(id, documents)))
        return None if found is None else found[1]

    def put(self, value: V, *documents: object) -> None:
        """Keep what was found of these documents."""
        self._found.put(tuple(map(id, documents)), (documents, value))

    def clear(self) -> None:
        """Keep nothing of what is here."""
        self._found.clear()

    def __len__(self) -> int:
        """How many findings are here."""
        return len(self._found)


class Parts:
    """The parts of one kind that were read last."""

    def __init__(self, kind: Any, kept: int) -> None:
        """Say of which type they are, and how many to keep."""
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self._read: Latest[Any] = Latest(kept)
        self._written: OfDocuments[str] = OfDocuments(kept)

    def read(self, document: Any) -> Any:
        """Return the part that a document is; one with faults is returned as it is."""
        try:
            key = marshal.dumps(document, _FORMAT)
        except ValueError:
            return document
        found = self._read.get(key)
        if found is None:
            try:
                found = self._adapter.validate_python(document)
            except ValidationError:
                return document
            self._read.put(key, found)
        return found

    def read_around(self, document: Any) -> tuple[Any | None, set[str]]:
        """Return the part without its fields that have faults, and their names.

        None when what is left makes no part.
        """
        try:
            return self._adapter.validate_python(document), set()
        except ValidationError as error:
            if not isinstance(document, dict):
                return None, set()
            found = (
                next((str(key) for key in item["loc"] if key in document), None)
                for item in error.errors()
            )
            wrong = {key for key in found if key is not None}
        try:
            rest = {key: value for key, value in document.items() if key not in wrong}
            return self._adapter.validate_python(rest), wrong
        except ValidationError:
            return None, set()

    def written(self, part: Any) -> str:
        """Return a part as pydantic writes it in JSON."""
        text = self._written.get(part)
        if text is None:
            text = self._adapter.dump_json(part).decode()
            self._written.put(text, part)
        return text
