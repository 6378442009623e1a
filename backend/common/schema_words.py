"""What the API's schema says in words: of operations, parameters, fields and refusals."""

from __future__ import annotations

from typing import Any

from common.errors import (
    ApplicationError,
    Changed,
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    NotSignedIn,
    TooMany,
)
from common.meanings import COMPONENTS, EXAMPLES, MEANINGS, TAGS
from common.problems import PROBLEM_TYPE, problem_of

JSONDict = dict[str, Any]

_REF = "#/components/schemas/"
_RESPONSES = "#/components/responses/"
_HEADERS: JSONDict = {
    "Retry-After": {"description": "When to ask again. [s]", "schema": {"type": "integer"}},
    "RateLimit-Policy": {
        "description": "On every answer: what one caller may have of a process "
        "(draft-ietf-httpapi-ratelimit-headers), as `q`: milliseconds of computing, saved up "
        "within `w` seconds, and requests at once.",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left of each (`r`); `t` is in how many seconds there is room.",
        "schema": {"type": "string"},
    },
}
_REFUSALS: dict[str, ApplicationError] = {
    "401": NotSignedIn("Sign in, or send a valid token."),
    "403": Forbidden("This token lacks the scope 'write'."),
    "404": NotFound(),
    "409": Conflict("This run has ended already."),
    "412": Changed("The design was changed since it was read."),
    "422": Invalid.at("/title", "This field is required.", "required"),
    "429": TooMany("You ask for more at once than one workspace may.", retry_after_s=1),
}
_ETAG: JSONDict = {
    "ETag": {
        "description": "Of what is answered: for `If-None-Match`, and for `If-Match` of a change.",
        "schema": {"type": "string"},
    }
}
_IF_NONE_MATCH: JSONDict = {
    "in": "header",
    "name": "If-None-Match",
    "schema": {"type": "string"},
    "description": "`ETag` of what is held already: 304 without a body when it is still that.",
}


def add_words(result: JSONDict, **_hook: Any) -> JSONDict:
    """Describe what no serializer describes, and name the refusals of each operation."""
    result["servers"] = [{"url": "/", "description": "This server."}]
    result["info"]["license"] = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
    result["info"]["contact"] = {"name": "Who runs this installation"}
    result["components"]["responses"] = {
        type(error).__name__: _refusal(error) for error in _REFUSALS.values()
    }
    bodies: dict[str, str] = {}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            _operation(path, method, operation, operations)
            _body_of(operation, bodies)
    used = {tag for one in result["paths"].values() for op in one.values() for tag in op["tags"]}
    result["tags"] = [{"name": tag, "description": TAGS[tag]} for tag in sorted(used)]
    for name, component in result["components"]["schemas"].items():
        _describe(name, component, bodies)
    return result


def _operation(path: str, method: str, operation: JSONDict, beside: JSONDict) -> None:
    text = _plain(operation["description"])
    operation["description"] = text
    operation["summary"] = text.split("\n\n")[0].split("; ")[0].removesuffix(".")
    operation.setdefault("security", [])
    given = operation.setdefault("parameters", [])
    headers = {one["name"] for put in beside.values() for one in put.get("parameters", ())}
    if method == "get" and "If-Match" in headers:
        given.append(_IF_NONE_MATCH)
        operation["responses"]["304"] = {"description": "It is still what is held."}
    if method in {"get", "patch", "put"} and "If-Match" in headers:
        operation["responses"]["200"]["headers"] = _ETAG
    for one in given:
        one.setdefault("description", _of_address(one))
    if not given:
        del operation["parameters"]
    for status in _refused(path, operation, text):
        name = type(_REFUSALS[status]).__name__
        operation["responses"].setdefault(status, {"$ref": _RESPONSES + name})
    for status, response in operation["responses"].items():
        if not response.get("description") and "$ref" not in response:
            response["description"] = _ANSWERED.get(status, "Answered.")


def _of_address(parameter: JSONDict) -> str:
    thing = parameter["name"].removesuffix("_id")
    if parameter["in"] == "path" and thing != parameter["name"]:
        return f"Id of the {thing.replace('_', ' ')}."
    return MEANINGS.get(parameter["name"], "")


_ANSWERED = {"200": "Done.", "201": "Made.", "202": "Begun; it ends later.", "204": "Done."}


def _refused(path: str, operation: JSONDict, text: str) -> list[str]:
    """Return the statuses that an operation refuses with, besides the default."""
    given = operation.get("parameters", ())
    signed_in = bool(operation["security"]) and {} not in operation["security"]
    takes = "requestBody" in operation or any(one["in"] == "query" for one in given)
    cases = {
        "401": signed_in,
        "403": signed_in,
        "404": "{" in path,
        "409": "409" in text,
        "412": any(one["name"] == "If-Match" for one in given),
        "422": takes,
        "429": True,
    }
    return [status for status, holds in cases.items() if holds]


def _refusal(error: ApplicationError) -> JSONDict:
    content = {"schema": {"$ref": f"{_REF}Problem"}, "example": problem_of(error)}
    said: JSONDict = {"description": f"{error.title}.", "content": {PROBLEM_TYPE: content}}
    return said | ({"headers": _HEADERS} if isinstance(error, TooMany) else {})


def _body_of(operation: JSONDict, bodies: dict[str, str]) -> None:
    """Note which operation a component is the body, or the answer, of."""
    body = operation.get("requestBody", {})
    for part, said in (
        (body, "Body"),
        *((one, "Answer") for one in operation["responses"].values()),
    ):
        for media in part.get("content", {}).values():
            name = str(media.get("schema", {}).get("$ref", "")).removeprefix(_REF)
            summary = operation["summary"][:1].lower() + operation["summary"][1:]
            bodies.setdefault(name, f"{said} of *{summary}*.")
            row = name.removeprefix("Paginated").removesuffix("List")
            bodies.setdefault(row, f"A row of *{summary}*.")


def _describe(name: str, component: JSONDict, bodies: dict[str, str]) -> None:
    base = name.removeprefix("Patched").removesuffix("Request")
    if _is_inherited(component.get("description", "")):
        del component["description"]
    if name.startswith("Paginated"):
        component["description"] = "A page of a list."
    usual = COMPONENTS.get(base) or bodies.get(name) or bodies.get(f"{name}Request") or ""
    component["description"] = _plain(component.get("description") or usual)
    _fields(component)


# What two bases say of themselves is no word of what is made of them.
_INHERITED = ("Refuses fields that it does not know", "The state of the job that makes")


def _is_inherited(text: str) -> bool:
    return text.startswith(_INHERITED)


def _fields(part: Any) -> None:
    """Describe the properties of a schema, those of its parts too."""
    if not isinstance(part, dict):
        return
    # Fields may share one schema, as they were declared.
    fields = {name: dict(field) for name, field in part.get("properties", {}).items()}
    if fields:
        part["properties"] = fields
    for name, field in fields.items():
        field["description"] = _plain(field.get("description") or MEANINGS.get(name, ""))
        if name in EXAMPLES and field.get("type") == "string" and "enum" not in field:
            field.setdefault("examples", [EXAMPLES[name]])
        _fields(field)
    for key in ("items", "additionalProperties"):
        _fields(part.get(key))
    for key in ("anyOf", "oneOf", "allOf"):
        for one in part.get(key, ()):
            _fields(one)


def _plain(text: str) -> str:
    """Return a docstring as Markdown: code between single marks, lines of a paragraph joined."""
    paragraphs = text.replace("``", "`").strip().split("\n\n")
    if any(one.lstrip().startswith("* ") for one in paragraphs):
        return "\n\n".join(paragraphs)
    return "\n\n".join(" ".join(one.split()) for one in paragraphs)
