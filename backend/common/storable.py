"""What PostgreSQL's JSON can hold of a document that is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from capmodels.errors import Fault, pointer_of

MAX_DEPTH = 32


def storable(value: Any, pointer: str = "", depth: int = 0) -> list[Fault]:
    """Return why a draft cannot be kept at all; an invalid draft otherwise can.

    PostgreSQL's JSON has no NUL character, and nesting is bounded so that no later
    walk over the document can overflow.
    """
    if _fits(value, MAX_DEPTH - depth):
        return []
    if isinstance(value, str):
        return [Fault(pointer, "bad_character", "Text cannot hold the character NUL.")]
    if depth > MAX_DEPTH:
        return [Fault(pointer, "too_deep", f"Nest at most {MAX_DEPTH} levels.")]
    faults: list[Fault] = []
    for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
        faults += storable(key, pointer) if isinstance(key, str) else []
        faults += storable(item, pointer + pointer_of(key), depth + 1)
    return faults


def _fits(value: Any, levels: int) -> bool:
    if isinstance(value, str):
        return "\0" not in value
    if isinstance(value, dict):
        return levels >= 0 and all(
            "\0" not in key and _fits(item, levels - 1) for key, item in value.items()
        )
    if isinstance(value, list):
        return levels >= 0 and all(
            isinstance(item, int | float) or _fits(item, levels - 1) for item in value
        )
    return True
