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
    if b"\\u0000" in body and (faults := _nuls(document)):
        raise Invalid(faults=faults)
    return document


def _not_finite(body: bytes) -> list[Fault]:
    """Find the numbers that are none, which other writers of JSON let through."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return []
    return [
        Fault(place, "not_finite", "Enter a finite number.")
        for place, value in _values(document)
        if isinstance(value, float) and not math.isfinite(value)
    ]


def _nuls(document: Any) -> list[Fault]:
    """Find the texts, and the names of fields, that hold the NUL character."""
    sentence = "This holds the NUL character (\\u0000); remove it."
    return [
        Fault(place.replace("\0", ""), "nul", sentence)
        for place, value in _values(document)
        if "\0" in place.rpartition("/")[2] or (isinstance(value, str) and "\0" in value)
    ]


def _values(document: Any) -> Iterator[tuple[str, Any]]:
    """Return all values with their places; without recursion, however deep they are."""
    waiting = [("", document)]
    while waiting:
        place, value = waiting.pop()
        yield place, value
        if isinstance(value, dict | list):
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            inner = [(f"{place}/{_escaped(key)}", item) for key, item in pairs]
            waiting += reversed(inner)


def _escaped(key: str | int) -> str:
    return str(key).replace("~", "~0").replace("/", "~1")
