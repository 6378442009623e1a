"""Which permission every operation of the API asks for, read from the views themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.urls import URLPattern, URLResolver, get_resolver

from common.permissions import ANYONE, PERMISSIONS, permission_of

if TYPE_CHECKING:
    from collections.abc import Iterator

API = "api/v1/"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
_METHODS = ("get", "post", "patch", "put", "delete")
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of an address, and the permission that it asks for."""

    method: str
    path: str
    permission: str


def operations() -> Iterator[Operation]:
    """Yield every operation below ``/api/v1``, in the order of the addresses."""
    for route, view in _routes(get_resolver().url_patterns, ""):
        if route.startswith(API):
            path = "/" + _PARAMETER.sub(r"{\1}", route.removeprefix(API))
            for name in _METHODS:
                if hasattr(view, name):
                    method = name.upper()
                    yield Operation(method, path, permission_of(view, method))


def table() -> str:
    """Return the table of ``docs/api.md``."""
    asked: dict[str, list[str]] = {name: [] for name in (*PERMISSIONS, ANYONE)}
    for one in operations():
        asked[one.permission].append(f"`{one.method} {one.path}`")
    rows = ["| permission | roles | scope of a token | operations |", "| --- | --- | --- | --- |"]
    for name, listed in asked.items():
        needed = PERMISSIONS.get(name)
        roles = ", ".join(needed.roles) if needed else "anybody"
        scope = (needed.scope or "none: a person only") if needed else "none needed"
        rows.append(f"| {name} | {roles} | {scope} | {', '.join(listed)} |")
    return "\n".join(rows)


def _routes(patterns: Any, before: str) -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and hasattr(pattern.callback, "view_class"):
            yield route, pattern.callback.view_class
