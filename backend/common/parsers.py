"""Reads JSON bodies strictly."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import orjson
from rest_framework.parsers import BaseParser

from common.errors import BadRequest, Invalid

if TYPE_CHECKING:
    from collections.abc import Mapping


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
        When a text holds the NUL character.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as exc:
        message = f"The body is not JSON: {exc}."
        raise BadRequest(message) from exc
    if b"\\u0000" in body and _has_nul(document):
        message = "A text holds the NUL character (\\u0000); remove it."
        raise Invalid(message)
    return document


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(_has_nul(item) for pair in value.items() for item in pair)
    return isinstance(value, list) and any(_has_nul(item) for item in value)
