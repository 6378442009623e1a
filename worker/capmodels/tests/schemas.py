"""Walk the JSON schemas of the models, for the tests that hold for every field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels import spec

if TYPE_CHECKING:
    from collections.abc import Iterator

JSONDict = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A property of one class of a schema."""

    model: str
    side: str
    owner: str
    name: str
    schema: JSONDict

    def __str__(self) -> str:
        """Where the field is, for the test's message."""
        return f"{self.model} {self.side} {self.owner}.{self.name}"


def fields(model: spec.AnyModel, side: str) -> Iterator[Field]:
    """Every property of a model's ``params`` or ``result``, nested classes included."""
    whole = spec.params_schema(model) if side == "params" else spec.result_schema(model)
    owners = {whole["title"]: whole, **whole.get("$defs", {})}
    for owner, body in owners.items():
        for name, schema in body.get("properties", {}).items():
            yield Field(model=model.id, side=side, owner=owner, name=name, schema=schema)


def numbers(schema: JSONDict, unit: str | None = None) -> Iterator[str | None]:
    """The unit of each kind of number that a property may hold, None where it has none."""
    unit = schema.get("unit", unit)
    for branch in schema.get("anyOf", []):
        yield from numbers(branch, unit)
    if schema.get("type") in {"number", "integer"}:
        yield unit
    parts = [schema.get("items"), *schema.get("prefixItems", [])]
    for part in parts:
        if isinstance(part, dict):
            yield from numbers(part, unit)


def holds_classes(schema: JSONDict) -> bool:
    """Whether a property holds objects, whose own fields say where defaults come from."""
    parts = [schema, schema.get("items"), *schema.get("anyOf", [])]
    return any(isinstance(part, dict) and ("$ref" in part or "oneOf" in part) for part in parts)


def lists(schema: Any, place: str = "") -> Iterator[tuple[str, int | None]]:
    """Each list of any length in a schema, and the most entries that it takes."""
    if isinstance(schema, list):
        for part in schema:
            yield from lists(part, place)
    elif isinstance(schema, dict):
        if schema.get("type") == "array" and "prefixItems" not in schema:
            yield place, schema.get("maxItems")
        for key, part in schema.items():
            if key != "default":
                yield from lists(part, place if key in _BETWEEN else f"{place}/{key}")


_BETWEEN = {"$defs", "properties", "anyOf", "oneOf", "allOf"}
