"""Writes the client's types and operations from the API's schema (OpenAPI 3.1).

python clients/python/generate.py SCHEMA.yaml      writes types.py and operations.py
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

PACKAGE = Path(__file__).parent / "ampacity_client"
JSON = "application/json"
_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_NOTE = '"""Generated from the API\'s schema by generate.py. Do not edit."""'

Schema = Mapping[str, Any]


def type_of(schema: Schema) -> str:
    """Return the Python type of a JSON schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key in ("allOf", "oneOf", "anyOf"):
        if key in schema:
            return _union(schema[key])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return _union([{**schema, "type": kind} for kind in kinds])
    return _plain_type(schema)


def _union(parts: list[Schema]) -> str:
    found = dict.fromkeys(type_of(part) for part in parts)
    return "Any" if "Any" in found else " | ".join(found)


def _plain_type(schema: Schema) -> str:
    kind = schema.get("type")
    if kind == "null":
        return "None"
    if "enum" in schema:
        return f"Literal[{', '.join(repr(value) for value in schema['enum'] if value is not None)}]"
    if schema.get("format") == "binary":
        return "bytes"
    if kind == "array":
        return f"list[{type_of(schema['items'])}]"
    if kind == "object":
        inner = schema.get("additionalProperties")
        values = type_of(inner) if isinstance(inner, Mapping) and inner else "Any"
        return f"dict[str, {values}]"
    return _PLAIN.get(kind or "", "Any")


def types(schema: Schema) -> str:
    """Return the module of typed dictionaries."""
    lines = [_NOTE, "", "from __future__ import annotations", ""]
    lines += ["from typing import Any, Literal, NotRequired, TypeAlias, TypedDict", ""]
    for name, component in sorted(schema["components"]["schemas"].items()):
        lines += _type_lines(name, component)
    return "\n".join(lines).rstrip() + "\n"


def _type_lines(name: str, component: Schema) -> Iterator[str]:
    if component.get("type") != "object" or "properties" not in component:
        # A string: the names that it holds may be defined further down.
        yield from (f"{name}: TypeAlias = {type_of(component)!r}", "")
        return
    required = set(component.get("required", ()))
    fields = [
        (key, type_of(field) if key in required else f"NotRequired[{type_of(field)}]")
        for key, field in component.get("properties", {}).items()
    ]
    yield from ("", f"class {name}(TypedDict):")
    if text := _sentence(component.get("description", "")):
        yield from (f'    """{text}"""', "")
    yield from (f"    {key}: {kind}" for key, kind in fields)
    yield from ("", "")


def _sentence(text: str) -> str:
    return " ".join(text.split()).replace('"', "'").replace("\\", "")


def operations(schema: Schema) -> str:
    """Return the module with one method per operation."""
    body: list[str] = []
    for path, methods in sorted(schema["paths"].items()):
        for method, operation in methods.items():
            body += _operation_lines(path, method, operation)
    head = [
        _NOTE,
        "",
        "from __future__ import annotations",
        "",
        "from typing import Any, Literal",
        "",
    ]
    head += [
        "from ampacity_client import types",
        "from ampacity_client.transport import Transport",
        "",
    ]
    head += [
        "",
        "class Operations(Transport):",
        '    """Every operation of the API, by its id."""',
        "",
    ]
    return "\n".join(head + body).rstrip() + "\n"


def _operation_lines(path: str, method: str, operation: Schema) -> Iterator[str]:
    places: dict[str, list[Schema]] = {"path": [], "query": [], "header": []}
    for parameter in operation.get("parameters", ()):
        places[parameter["in"]].append(parameter)
    body_type, media = _body(operation)
    given = ["self", *(f"{p['name']}: str" for p in places["path"])]
    given += [f"body: {body_type}"] if body_type else []
    options = [_option(parameter) for parameter in (*places["query"], *places["header"])]
    given += ["*", *options] if options else []
    result, reader = _answer(operation)
    yield f"    def {operation['operationId']}({', '.join(given)}) -> {result}:"
    yield f'        """{_sentence(operation.get("description", operation["operationId"]))}"""'
    address = re.sub(r"\{(\w+)\}", r"{self.quoted(\1)}", path)
    arguments = [f'"{method.upper()}"', f'{"f" if address != path else ""}"{address}"']
    if places["query"]:
        pairs = ", ".join(f'"{p["name"]}": {_safe(p["name"])}' for p in places["query"])
        arguments.append(f"query={{{pairs}}}")
    headers = [f'"{p["name"]}": {_safe(p["name"])}' for p in places["header"]]
    headers += [f'"Content-Type": "{media}"'] if media not in {"", JSON} else []
    arguments += [f"headers={{{', '.join(headers)}}}"] if headers else []
    arguments += ["body=body"] if body_type else []
    call = f"self.{reader}({', '.join(arguments)})"
    if result == "None":
        yield from (f"        {call}", "")
    else:
        yield from (f"        answer: {result} = {call}", "        return answer", "")


def _safe(name: str) -> str:
    plain = re.sub(r"\W", "_", name).lower()
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def _option(parameter: Schema) -> str:
    kind = _qualified(type_of(parameter["schema"]))
    name = _safe(parameter["name"])
    return f"{name}: {kind}" if parameter.get("required") else f"{name}: {kind} | None = None"


def _qualified(kind: str) -> str:
    """Return a type as seen from the module beside that of the types."""
    return re.sub(r"\b(?!Any\b|Literal\b|None\b)([A-Z]\w+)(?![\w']*')", r"types.\1", kind)


def _body(operation: Schema) -> tuple[str, str]:
    content = operation.get("requestBody", {}).get("content", {})
    if JSON in content and len(content) == 1:
        return _qualified(type_of(content[JSON]["schema"])), JSON
    return ("bytes", next(iter(content))) if content else ("", "")


def _answer(operation: Schema) -> tuple[str, str]:
    success = next(answer for code, answer in operation["responses"].items() if code[0] == "2")
    content = success.get("content", {})
    if JSON in content and len(content) == 1:
        return _qualified(type_of(content[JSON]["schema"])), "ask_json"
    return ("bytes" if content else "None"), "ask_bytes"


def generate(schema: Schema) -> dict[str, str]:
    """Return the generated modules by file name."""
    return {"types.py": types(schema), "operations.py": operations(schema)}


def main(arguments: list[str]) -> int:
    """Write the modules from a schema file."""
    schema = yaml.safe_load(Path(arguments[0]).read_text("utf-8"))
    for name, text in generate(schema).items():
        (PACKAGE / name).write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
