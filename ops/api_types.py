"""What the pages take from the code: types of the API and of models, names, parts of reports.

python -m ops.api_types            write them to frontend/src/api-types
python -m ops.api_types --check    fail when they are not what the code says
"""

import json
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ops import frontend, places
from ops.processes import TOOLS
from ops.say import Failure

TYPES = places.FRONTEND / "src" / "api-types"
JSONDict = dict[str, Any]

MODELS = ("worker", "capmodels", "schema")
# What of a JSON schema makes a type; titles, bounds and sources are for the form, which has them.
_OF_TYPES = ("type", "enum", "const", "$ref", "required", "additionalProperties")
_OF_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")


def api_schema(folder: Path) -> Path:
    """Write what the API says of itself as JSON, once a folder. Raises `Failure` on any warning."""
    schema = folder / "schema.json"
    if schema.exists():
        return schema
    offline = [str(places.PYTHON), "-m", "ops.offline"]
    words = ("--validate", "--fail-on-warn", "--format", "openapi-json", "--file", str(schema))
    TOOLS.run([*offline, "spectacular", *words], what="the API schema", cwd=places.ROOT)
    return schema


def pages_schema(folder: Path) -> Path:
    """Write the part of it that makes the types of the pages, which have the models' own besides.

    Documents of the models are open objects; words and the refusals, which are alike, are left out.
    """
    schema = folder / "pages.json"
    if not schema.exists():
        whole = json.loads(api_schema(folder).read_text())
        parts = whole["components"].pop("responses") and whole["components"]["schemas"]
        classes = {name for name, part in parts.items() if "x-class" in part}
        for name in classes:
            del parts[name]
        for operations in whole["paths"].values():
            for one in operations.values():
                kept = {k: v for k, v in one["responses"].items() if "$ref" not in v}
                one["responses"] = kept
        schema.write_text(json.dumps(_without_words(whole, classes)))
    return schema


def _without_words(part: Any, classes: set[str]) -> Any:
    """Return a schema without texts; what refers to a class is an open object."""
    if isinstance(part, list):
        return [_without_words(one, classes) for one in part]
    if not isinstance(part, dict):
        return part
    if part.get("$ref", "").endswith("/JsonValue"):
        return {}
    refs = [one.get("$ref", "").rpartition("/")[2] for one in part.get("anyOf", ())]
    if classes.intersection(refs):
        kind = ["object", "null"] if {"type": "null"} in part["anyOf"] else "object"
        return {"type": kind, "additionalProperties": {}}
    return {
        key: _without_words(one, classes)
        for key, one in part.items()
        if not (key in {"description", "summary"} and isinstance(one, str)) and key != "examples"
    }


def models_schema(folder: Path) -> Path:
    """Write the inputs and results of the registered models as one OpenAPI document."""
    schema = folder / "models.json"
    schema.write_text(json.dumps(openapi_of(_said(*MODELS))))
    return schema


def openapi_of(models: dict[str, JSONDict]) -> JSONDict:
    """Return the models' classes by names such as ``storage.array.HardDisk``.

    A model's input is ``storage.array.Params``, its answer ``storage.array.Result``. Every field
    is there: answers are whole, and so are the documents that the pages hold.
    """
    parts: JSONDict = {}
    for model, sides in sorted(models.items()):
        for side, schema in sides.items():
            classes = {**schema.get("$defs", {}), side.capitalize(): schema}
            for name, of_class in classes.items():
                key, part = f"{model}.{name}", _typed(of_class, model)
                if parts.setdefault(key, part) != part:
                    raise Failure(f"{key} has two shapes: give one of them another name.")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Inputs and results of the models", "version": "1"},
        "paths": {},
        "components": {"schemas": parts},
    }


def _typed(schema: Any, model: str) -> Any:
    """Return a schema without what has no part in its type, its references named by the model."""
    if not isinstance(schema, dict):
        return schema
    part: JSONDict = {key: schema[key] for key in _OF_TYPES if key in schema}
    if "$ref" in part:
        part["$ref"] = part["$ref"].replace("#/$defs/", f"#/components/schemas/{model}.")
    for key in _OF_LISTS:
        if key in schema:
            part[key] = [_typed(case, model) for case in schema[key]]
    if "prefixItems" not in part and "items" in schema:
        part["items"] = _typed(schema["items"], model)
    if "additionalProperties" in part:
        part["additionalProperties"] = _typed(part["additionalProperties"], model)
    if "properties" in schema:
        fields = schema["properties"]
        part["properties"] = {name: _typed(field, model) for name, field in fields.items()}
        part["required"] = list(fields)
    return part


def _said(folder: str, module: str, *words: str) -> JSONDict:
    """Return what a program of ours says as JSON."""
    command = [str(places.PYTHON), "-m", module, *words]
    said = TOOLS.run(command, what=" ".join(command[2:]), cwd=places.ROOT / folder)
    found: JSONDict = json.loads(said)
    return found


def _listed(command: tuple[str, ...], _folder: Path) -> str:
    """Return a list of the code's as a file."""
    return json.dumps(_said(*command), indent=2) + "\n"


def choices(_folder: Path) -> str:
    """Return what the models call the choices of their fields, by class and field."""
    names: JSONDict = {}
    for sides in _said(*MODELS).values():
        for schema in sides.values():
            for name, of_class in schema.get("$defs", {}).items():
                for field, part in of_class.get("properties", {}).items():
                    if "choices" in part:
                        names[f"{name}.{field}"] = part["choices"]
    return json.dumps(dict(sorted(names.items())), indent=2) + "\n"


def lengths(folder: Path) -> str:
    """Return how long the texts may be that the API takes, by body and field."""
    bodies = json.loads(pages_schema(folder).read_text())["components"]["schemas"]
    most = {
        f"{name.removesuffix('Request')}.{field}": part["maxLength"]
        for name, body in sorted(bodies.items())
        for field, part in body.get("properties", {}).items()
        if "maxLength" in part
    }
    return json.dumps(most, indent=2) + "\n"


def _types(write_schema: Callable[[Path], Path], folder: Path) -> str:
    """Return the types of a schema as the code is now."""
    made = folder / "made.d.ts"
    program = places.FRONTEND / "node_modules" / ".bin" / "openapi-typescript"
    command = [str(program), str(write_schema(folder)), "-o", str(made)]
    TOOLS.run(command, what="openapi-typescript", cwd=folder)
    return made.read_text()


def lint_schema(folder: Path) -> None:
    """Hold the schema to the rules of Redocly and Spectral. Raises `Failure` with what is wrong.

    Spectral follows every reference from everywhere, which takes two minutes of the models' own
    classes: of those it has the descriptions.
    """
    command = ["node", "scripts/lint-schema.mjs", str(api_schema(folder))]
    TOOLS.run(command, what="Redocly's rules of an API schema", cwd=places.FRONTEND)
    whole = json.loads(api_schema(folder).read_text())
    parts = whole["components"]["schemas"]
    for name, part in parts.items():
        if "x-class" in part:
            parts[name] = {"description": part["description"]}
    own = folder / "own.json"
    own.write_text(json.dumps(whole))
    program = str(places.FRONTEND / "node_modules" / ".bin" / "spectral")
    command = [program, "lint", str(own), "--ruleset", "scripts/spectral.yaml", "--quiet"]
    TOOLS.run([*command, "--display-only-failures"], what="Spectral", cwd=places.FRONTEND)


# The causes of cost with names and colours, and others that the pages list: made where they are.
LISTS = {
    "arrays.json": ("worker", "capmodels", "arrays"),
    "causes.json": ("worker", "capmodels", "causes"),
    "design-options.json": ("backend", "studies.proposals"),
    "providers.json": ("worker", "capmodels", "providers"),
    "report-parts.json": ("backend", "reports.render"),
}
FILES: dict[str, Callable[[Path], str]] = {
    "schema.d.ts": partial(_types, pages_schema),
    "models.d.ts": partial(_types, models_schema),
    "choices.json": choices,
    "lengths.json": lengths,
    **{name: partial(_listed, command) for name, command in LISTS.items()},
}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    check = "--check" in argv
    stale = []
    try:
        frontend.ensure_packages(places.FRONTEND)
        with tempfile.TemporaryDirectory(prefix="ampacity-api-") as made:
            folder = Path(made)
            lint_schema(folder)
            for name, generate in FILES.items():
                text = generate(folder)
                target = TYPES / name
                if not target.exists() or target.read_text() != text:
                    stale.append(str(target.relative_to(places.ROOT)))
                    if not check:
                        target.parent.mkdir(parents=True, exist_ok=True)
                        target.write_text(text)
    except Failure as exc:
        print(exc, file=sys.stderr)
        return 1
    if check and stale:
        print(f"out of date: {', '.join(stale)}; run python -m ops.api_types", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
