"""Reads JSON bodies strictly."""

from __future__ import annotations

import json
import math
from typing import IO, TYPE_CHECKING, Any

import orjson
from rest_framework.parsers import BaseParser

from capmodels.errors import Fault
from common.errors import BadRequest, Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class OrjsonParser(BaseParser):
    """JSON without NaN, and without the NUL character, which PostgreSQL cannot store."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the document; raise BadRequest with the place when it is not JSON."""
        # `body`, not `stream.read()`: Django limits only the size of the former.
        body: bytes = parser_context["request"]._request.body if parser_context else stream.read()
        return loads(body)


def loads(body: bytes) -> Any:
    """Return the JSON document in ``body``.

    Raises
    ------
    BadRequest
        When it is not JSON.
    Invalid
        When a number is NaN or infinite, or a text holds the NUL character.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as exc:
        if faults := _not_finite(body):
            raise Invalid(faults=faults) from exc
        message = f"The body is not JSON: {exc}."
        raise BadRequest(message) from exc
    if b"\\u0000" in body and _has_nul(document):
        message = "A text holds the NUL character (\\u0000); remove it."
        raise Invalid(message)
    return document


def _not_finite(body: bytes) -> list[Fault]:
    """Find the numbers that are none, which other writers of JSON let through."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return []
    return [
        Fault(pointer, "not_finite", "Enter a finite number.")
        for pointer, value in _leaves(document, "")
        if isinstance(value, float) and not math.isfinite(value)
    ]


def _leaves(value: Any, pointer: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            name = str(key).replace("~", "~0").replace("/", "~1")
            yield from _leaves(item, f"{pointer}/{name}")
    else:
        yield pointer, value


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(item) for pair in value.items() for item in pair)
    return isinstance(value, list) and any(_has_nul(item) for item in value)
