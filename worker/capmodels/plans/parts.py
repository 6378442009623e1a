"""Parts of study documents that were validated before: equal ones are the same object.

A slider changes one part of a document. The others need not be read again, and what was
worked out from them can be found by what they are.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from threading import Lock
from typing import Any

from pydantic import TypeAdapter, ValidationError

# Marshal's last format that writes a value the same way whatever else refers to it.
_FORMAT = 2


class Parts:
    """The parts of one kind that were read last."""

    def __init__(self, kind: Any, kept: int) -> None:
        """Say of which type they are, and how many to keep."""
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self._kept = kept
        self._found: OrderedDict[bytes, Any] = OrderedDict()
        self._lock = Lock()

    def read(self, document: Any) -> Any:
        """Return the part that a document is; one with faults is returned as it is."""
        try:
            key = marshal.dumps(document, _FORMAT)
        except ValueError:
            return document
        found = self._found.get(key)
        if found is None:
            try:
                found = self._adapter.validate_python(document)
            except ValidationError:
                return document
        with self._lock:
            self._found[key] = found
            self._found.move_to_end(key)
            if len(self._found) > self._kept:
                self._found.popitem(last=False)
        return found
