"""The API schema: served as JSON; every operation may answer with the one error shape."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import orjson
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator

from common.problems import PROBLEM_TYPE

if TYPE_CHECKING:
    from django.http import HttpRequest

_TEXT = {"type": "string"}
_COMPONENTS: dict[str, Any] = {
    "Fault": {
        "type": "object",
        "description": "One thing that is wrong with the request, at a JSON pointer.",
        "required": ["pointer", "code", "message"],
        "properties": {"pointer": _TEXT, "code": _TEXT, "message": _TEXT},
    },
    "Problem": {
        "type": "object",
        "description": "RFC 9457 problem document with all faults at once.",
        "required": ["type", "title", "status", "detail", "errors"],
        "properties": {
            "type": _TEXT,
            "title": _TEXT,
            "status": {"type": "integer"},
            "detail": _TEXT,
            "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
        },
    },
}
_PROBLEM = {
    "description": "Refused",
    "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def add_problem(result: dict[str, Any], **_hook: Any) -> dict[str, Any]:
    """Give every operation the error shape as its default answer."""
    result.setdefault("components", {}).setdefault("schemas", {}).update(_COMPONENTS)
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("default", _PROBLEM)
    return result


def schema(_request: HttpRequest) -> HttpResponse:
    """Answer with the schema, made once a process: it takes seconds."""
    return HttpResponse(schema_json(), content_type="application/json")


@cache
def schema_json() -> bytes:
    """What the API says of itself."""
    return orjson.dumps(SchemaGenerator().get_schema(request=None, public=True))  # type: ignore[no-untyped-call]  # untyped in its package
