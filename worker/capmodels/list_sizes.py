"""Lists of a model's input are counted before any entry of them is looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic_core import CoreSchema, PydanticKnownError, core_schema

# Of a longer list only the first wrong entry is told: with an error for each of half a
# million entries, saying what is wrong would take seconds and hundreds of megabytes.
ALL_TOLD_MAX = 2_000
_LISTS = {"list", "tuple", "set", "frozenset"}
# What holds values or functions, not further schemas.
_LEAVES = frozenset(
    {"default", "default_factory", "expected", "function", "metadata", "serialization"}
)


@dataclass(frozen=True, slots=True)
class AtMost:
    """Refuses a list that is too long before its entries are validated."""

    entries_count: int

    def __call__(self, value: Any) -> Any:
        """Pass the value on; raise `too_long` for a list above the limit."""
        if isinstance(value, list | tuple) and len(value) > self.entries_count:
            detail = {
                "field_type": "List",
                "max_length": self.entries_count,
                "actual_length": len(value),
            }
            raise PydanticKnownError("too_long", detail)
        return value


def bounded(schema: CoreSchema, owner: type) -> CoreSchema:
    """Return the schema of ``owner`` with each of its own lists counted first.

    Classes inside of it have been through this themselves.
    """
    found: CoreSchema = _bounded(schema, owner)
    return found


def _bounded(node: Any, owner: type) -> Any:
    if isinstance(node, list):
        return [_bounded(part, owner) for part in node]
    if isinstance(node, tuple):
        return tuple(_bounded(part, owner) for part in node)
    if not isinstance(node, dict) or _is_done(node, owner):
        return node
    # A map of fields is no schema, and any of its keys may be the name of a field.
    leaves = _LEAVES if isinstance(node.get("type"), str) else frozenset()
    inner = {key: part if key in leaves else _bounded(part, owner) for key, part in node.items()}
    most = inner.get("max_length")
    if not leaves or inner["type"] not in _LISTS or most is None:
        return inner
    if most > ALL_TOLD_MAX:
        inner["fail_fast"] = True
    return core_schema.no_info_before_validator_function(AtMost(most), inner)


def _is_done(node: dict[str, Any], owner: type) -> bool:
    if node.get("type") == "function-before":
        return isinstance(node["function"]["function"], AtMost)
    return node.get("type") == "model" and node["cls"] is not owner
