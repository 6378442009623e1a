"""The models' classes as components of the API's schema, so that integrators get them typed.

A field of an answer or a body that holds a model's document says so by ``shaped``; the hook
``add_models`` puts the components in and lets the field refer to them. They are the classes that
the models themselves check with: nothing is described twice.
"""

from __future__ import annotations

import re
from collections import Counter
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import models_json_schema

from capmodels import registry
from capmodels.plans.comparison import Comparison
from capmodels.plans.figures.drawn import Drawn
from capmodels.plans.purchase.as_design import HeldAgainst
from capmodels.plans.summary import Summary, fields_left_out
from capmodels.plans.sweep.params import ListAxis, RangeAxis
from capmodels.titles import title_of
from capmodels.told import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator

JSONDict = dict[str, Any]

OF = "x-of"
# Marks what is a model's, not the API's own.
CLASS = "x-class"
_REF = "#/components/schemas/"
# Made anew of what is stored, or asked now, so that they have the present shape.
_MADE = {"Summary", "Drawn", "SweepAxis"}
# The plan whose input a study is, and what its designs have besides their spec.
_PLAN = "StudySpec"
_HEAD = ("letter", "title", "kind")
# JSON Schema has no such words: OpenAPI wants those of one's own behind an x.
_PLAIN_WORDS = {
    "$ref", "type", "title", "description", "default", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format", "enum",
    "const", "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "properties",
    "required", "additionalProperties", "minProperties", "maxProperties", "propertyNames", "anyOf",
    "oneOf", "allOf", "discriminator", "examples",
}  # fmt: skip
# Fields that mean the same wherever a class has them and does not say more.
_EVERYWHERE = {
    "as_of": "Day for which it holds.",
    "id": "Key, the same in every answer.",
    "is_best": "It is the best of its list.",
    "label": "As shown to people.",
    "letter": "Letter of the design in its study.",
    "name": "What it is called.",
    "note": "What to know of it.",
    "pointer": "JSON pointer to the input that it is about.",
    "price_as_of": "Day of the price.",
    "reason": "Why it is so, or why there is no value.",
    "reasons": "Why a value is missing, by its key.",
    "sentence": "What it comes to, in a sentence.",
    "source": "Where it is from.",
    "title": "As shown to people.",
    "unit": "Unit of the values beside it.",
    "warnings": "What to know before relying on the answer.",
}
_COMMON: dict[str, JSONDict] = {
    "JsonValue": {"description": "Any JSON value."},
    "OpenDocument": {
        "description": "A document that has not the models' present shape: a draft that is not "
        "complete or not right yet, whose `faults` say what it lacks, or one that an earlier "
        "version of its model wrote.",
        "type": "object",
        "additionalProperties": {"$ref": f"{_REF}JsonValue"},
    },
}


def shaped(of: str, **said: Any) -> JSONDict:
    """Return the schema of a field that holds a document of a component's shape."""
    return {"type": "object", "additionalProperties": {}, OF: of, **said}


def add_models(result: JSONDict, **_hook: Any) -> JSONDict:
    """Put the models' classes among the components, and refer to them where fields say so."""
    result = deepcopy(result)  # parts of it are the fields' own
    schemas = result["components"]["schemas"]
    names = _names(frozenset(schemas))
    # Generators of clients call a class by its title.
    parts = {
        names[key]: {**_renamed(part, names), "title": names[key]}
        for key, part in _classes().items()
    }
    classes = deepcopy(_COMMON) | parts | _unions(parts, names)
    schemas.update({name: {**one, CLASS: True} for name, one in classes.items()})
    _refer(result)
    return result


@cache
def _classes() -> dict[str, JSONDict]:
    """Return the schema of every class of every model, once, as OpenAPI takes it."""
    models = registry.all_models()
    asked = [one for model in models for one in (model.params, model.result)]
    asked += [Figure, Drawn, Summary, HeldAgainst, RangeAxis, ListAxis]
    _, document = models_json_schema(
        [(one, "validation") for one in dict.fromkeys(asked)], ref_template=_REF + "{model}"
    )
    parts: dict[str, JSONDict] = {
        key: _open_api(part) for key, part in document["$defs"].items() if key != "JsonValue"
    }
    for model in models:
        for side, one in (("Input", model.params), ("Answer", model.result)):
            part = parts[_key_of(one, parts)]
            part.setdefault("x-models", []).append(model.id)
            part["description"] += f" {side} of the model `{model.id}`."
    # Of a comparison an answer has the parts that are asked for.
    whole = parts[_key_of(Comparison, parts)]
    whole["required"] = [key for key in whole["required"] if key not in fields_left_out(())]
    for tag, key in sorted(set(_tagged(parts))):
        # Of a union the tag has to be there, whatever it is on its own.
        held = parts[key].get("required", [])
        parts[key]["required"] = held if tag in held else [*held, tag]
    return parts


def _tagged(part: Any) -> Iterator[tuple[str, str]]:
    """Yield what tells the classes of each union apart, and their keys."""
    if isinstance(part, list):
        for one in part:
            yield from _tagged(one)
    if isinstance(part, dict):
        if isinstance(tag := part.get("discriminator"), dict) and "mapping" in tag:
            for ref in tag["mapping"].values():
                yield tag["propertyName"], ref.removeprefix(_REF)
        for one in part.values():
            yield from _tagged(one)


def _key_of(one: type, parts: JSONDict) -> str:
    """Return the key of a class: its name, with its module where two classes have one name."""
    long = f"{one.__module__}.{one.__qualname__}".replace(".", "__")
    return long if long in parts else one.__name__


def _open_api(schema: Any, name: str = "") -> Any:
    """Return a schema of pydantic with only the words of JSON Schema, each property described."""
    if isinstance(schema, list):
        return [_open_api(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key if key in _PLAIN_WORDS else f"x-{key}": value for key, value in schema.items()}
    for key in ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems"):
        if key in made:
            made[key] = _open_api(made[key])
    if "prefixItems" in made:
        made["items"] = {"anyOf": made["prefixItems"]}
    for bound, strict in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if bound in made and strict in made:
            sign = 1 if bound == "minimum" else -1
            del made[bound if sign * made[strict] >= sign * made[bound] else strict]
    if "properties" in made:
        fields = made["properties"]
        made["properties"] = {key: _open_api(field, key) for key, field in fields.items()}
    if "default" in made and ("$ref" in made or isinstance(made["default"], dict | list)):
        # Only of a plain value generators of clients make what is left out.
        made["x-default"] = made.pop("default")
    if name:
        made["description"] = described(name, schema)
    if made.get("$ref") == f"{_REF}JsonValue" or not set(made) - {"title", "description"}:
        made = {**made, "$ref": f"{_REF}JsonValue"}
    return made


def described(name: str, schema: JSONDict) -> str:
    """Return what a field of a model is: its title, what is said of it, its unit."""
    title = schema.get("title") or title_of(name)
    text = schema.get("description") or _EVERYWHERE.get(name, "")
    if "const" in schema and not text:
        text = f"Always `{schema['const']}`, which tells it from others in its place."
    unit = schema.get("unit") or _unit_within(schema)
    return " ".join(filter(None, (f"{title}." if title[-1] not in ".?" else title, text))) + (
        f" [{unit}]" if unit else ""
    )


def _unit_within(schema: JSONDict) -> str:
    """Return the unit of a list's items or of a value that may be null."""
    inner = [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())]
    units = [part["unit"] for part in inner if isinstance(part, dict) and part.get("unit")]
    return str(units[0]) if units else ""


def _names(taken: frozenset[str]) -> dict[str, str]:
    """Return what each class is called: with its family before it where others have its name."""
    plain = {key: key.rpartition("__")[2] for key in _classes()}
    often = Counter([*plain.values(), *taken, *_COMMON])
    names: dict[str, str] = {}
    for key, name in plain.items():
        folders = key.split("__")[1:-1] if "__" in key else ["model"]
        prefixes = ([""] if often[name] == 1 else []) + [folders[0], "_".join(folders)]
        tried = ["".join(w.capitalize() for w in one.split("_")) + name for one in prefixes]
        free = [one for one in tried if one not in names.values() and one not in taken]
        names[key] = free[0]
    return names


def _renamed(part: Any, names: dict[str, str]) -> Any:
    if isinstance(part, list):
        return [_renamed(one, names) for one in part]
    if not isinstance(part, dict):
        if isinstance(part, str) and part.startswith(_REF):
            key = part.removeprefix(_REF)
            return _REF + names.get(key, key)
        return part
    return {key: _renamed(one, names) for key, one in part.items()}


def _unions(parts: dict[str, JSONDict], names: dict[str, str]) -> dict[str, JSONDict]:
    """Return what stands for several classes: a work, a design, the inputs of all models."""
    plan = parts[names[_PLAN]]["properties"]
    design = {**plan["designs"]["items"], "description": "A design, by its `kind`."}
    found = {
        "Workload": {**plan["workload"], "description": "The work, by its `kind`."},
        "Design": design,
        "SweepAxis": {
            "description": "An input that varies: between two values, or over a list.",
            "anyOf": [{"$ref": _REF + names[one.__name__]} for one in (RangeAxis, ListAxis)],
        },
    }
    specs = []
    for kind, ref in design["discriminator"]["mapping"].items():
        whole = deepcopy(parts[ref.removeprefix(_REF)])
        for key in _HEAD:
            del whole["properties"][key]
        whole["required"] = [key for key in whole.get("required", ()) if key not in _HEAD]
        whole["title"] = name = f"{ref.removeprefix(_REF)}Spec"
        whole["description"] += f" As `spec` of a design of the kind `{kind}`."
        found[name] = whole
        specs.append({"$ref": _REF + name})
    found["DesignSpec"] = {"description": "A design, by its `kind` beside it.", "anyOf": specs}
    for name, of in (("ModelParams", "Input"), ("ModelResult", "Answer")):
        start = re.compile(rf"{of} of the model `")
        refs = [{"$ref": _REF + key} for key, one in parts.items() if start.search(_said(one))]
        found[name] = {"description": f"{of} of the model that is named.", "anyOf": refs}
    return found


def _said(part: JSONDict) -> str:
    return str(part.get("description", ""))


def _refer(part: Any) -> None:
    """Let each field refer to the component that it names; what stays open is any JSON."""
    if isinstance(part, list):
        for one in part:
            _refer(one)
    if not isinstance(part, dict):
        return
    if OF in part:
        of, nullable = part.pop(OF), "null" in part.get("type", ())
        part.pop("type"), part.pop("additionalProperties")
        # Generators take the first that fits: a model's class would take any document and drop it.
        names = (of,) if of in _MADE else ("OpenDocument", of)
        shapes = [{"$ref": _REF + name} for name in names]
        part["anyOf"] = [*shapes, *([{"type": "null"}] if nullable else ())]
    if part.get("oneOf") == [{}, {"type": "null"}]:
        part["$ref"] = f"{_REF}JsonValue"
        del part["oneOf"]
    for key in ("additionalProperties", "items"):
        if part.get(key) == {}:
            part[key] = {"$ref": f"{_REF}JsonValue"}
    for one in part.values():
        _refer(one)
