"""Walk the JSON schemas of the models, for the tests that hold for every field."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Strict
from pydantic.fields import FieldInfo

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


def lax_numbers(model: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[str]:
    """Numbers of a class, and of the classes below it, that take a text or a boolean for one."""
    if model in seen:
        return
    seen.add(model)
    for name, info in model.model_fields.items():
        if any(not strict for strict in _numbers_of(info.annotation, info.metadata)):
            yield f"{model.__name__}.{name}"
        for below in _classes_of(info.annotation):
            yield from lax_numbers(below, seen)


def _numbers_of(annotation: Any, metadata: typing.Sequence[Any]) -> Iterator[bool]:
    """Of each number in an annotation, whether it is strict."""
    origin = typing.get_origin(annotation)
    if annotation in {int, float}:
        inner = [part.metadata if isinstance(part, FieldInfo) else [part] for part in metadata]
        yield any(isinstance(part, Strict) and part.strict for parts in inner for part in parts)
    elif origin is typing.Annotated:
        kind, *said = typing.get_args(annotation)
        yield from _numbers_of(kind, said)
    else:
        kept = metadata if origin in {typing.Union, types.UnionType} else ()
        for part in typing.get_args(annotation):
            yield from _numbers_of(part, kept)


def _classes_of(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in typing.get_args(annotation):
        yield from _classes_of(part)
