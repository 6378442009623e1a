"""Reads JSON bodies strictly."""

from __future__ import annotations

import json
import math
import weakref
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any, cast

import orjson
from rest_framework.parsers import BaseParser

from capmodels.errors import FAULTS_MOST, Fault, pointer_of
from common.errors import BadRequest, Invalid, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from django.http import HttpRequest


# What a body may hold where its view says nothing else, and where it may be a document.
BODY_BYTES_MAX = 64 * 1024
DOCUMENT_BYTES_MAX = 2_000_000
# Above what any model takes. Counted before the body is read as JSON, by signs that also
# stand inside of texts, so these are upper bounds.
_PIECE_BYTES = 64 * 1024
_SIGNS_MOST = {b":": 100_000, b"{": 50_000, b"[": 50_000, b",": 1_600_000}


class BodyParser(BaseParser):
    """Reads a whole body into memory, as long as its view allows (``body_bytes_max``)."""


class OrjsonParser(BodyParser):
    """JSON without NaN, and without the NUL character, which PostgreSQL cannot store.

    A view says by ``body_bytes_max`` how large a body it takes.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the document; raise BadRequest with the place when it is not JSON."""
        return loads(body_of(stream, parser_context))


class MergePatchParser(OrjsonParser):
    """The same where a client says that it is a merge patch (RFC 7396)."""

    media_type = "application/merge-patch+json"


def is_chunked(environ: Mapping[str, Any]) -> bool:
    """Whether a body comes in chunks, without its length; who serves marks where it ends."""
    coding = str(environ.get("HTTP_TRANSFER_ENCODING", "")).lower()
    return "chunked" in coding and bool(environ.get("wsgi.input_terminated"))


def take_chunks(request: HttpRequest, most: int) -> None:
    """Read a body that comes in chunks, so that it is from now on as one whose length was given.

    Raises
    ------
    TooLarge
        When there is more than ``most``; no more of it is read then. [B]
    """
    if not is_chunked(request.META):
        return
    given, length = request.META["wsgi.input"], 0
    body = SpooledTemporaryFile[bytes](BODY_BYTES_MAX)
    weakref.finalize(request, body.close)
    while piece := given.read(min(_PIECE_BYTES, most + 1 - length)):
        length += len(piece)
        if length > most:
            raise TooLarge(f"The request has more bytes than the {most:,} that are taken here.")
        body.write(piece)
    body.seek(0)
    del request.META["HTTP_TRANSFER_ENCODING"]
    request.META["CONTENT_LENGTH"] = str(length)
    request._stream = body  # type: ignore[assignment]  # a file, if a spooled one


def body_of(stream: IO[Any], context: Mapping[str, Any] | None) -> bytes:
    """Return a request's body.

    Raises
    ------
    TooLarge
        When it is larger than its view takes; it is not read then.
    """
    if context is None:
        return cast("bytes", stream.read())
    most = getattr(context.get("view"), "body_bytes_max", BODY_BYTES_MAX)
    given = context["request"].META.get("CONTENT_LENGTH") or "0"
    if int(given) > most:
        message = f"The request has {int(given):,} bytes; at most {most:,} are taken here."
        raise TooLarge(message)
    # `body`, not `stream.read()`: Django limits only the size of the former.
    return cast("bytes", context["request"]._request.body)


def loads(body: bytes) -> Any:
    """Return the JSON document in ``body``.

    Raises
    ------
    BadRequest
        When it is not JSON.
    TooLarge
        When it holds more values than anything here takes.
    Invalid
        When a number is NaN or infinite, or a text holds the NUL character.
    """
    if any(body.count(sign) > most for sign, most in _SIGNS_MOST.items()):
        message = "The body holds more fields or entries than anything here takes."
        raise TooLarge(message)
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
        Fault(pointer_of(*place), "not_finite", "Enter a finite number.")
        for place in _places(document, lambda _key, value: _is_no_number(value))
    ]


def _is_no_number(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _nuls(document: Any) -> list[Fault]:
    """Find the texts, and the names of fields, that hold the NUL character."""
    sentence = "This holds the NUL character (\\u0000); remove it."
    return [
        Fault(pointer_of(*place).replace("\0", ""), "nul", sentence)
        for place in _places(document, lambda key, value: _is_nul(key) or _is_nul(value))
    ]


def _is_nul(value: Any) -> bool:
    return isinstance(value, str) and "\0" in value


Key = str | int


def _places(document: Any, wrong: Callable[[Key, Any], bool]) -> list[tuple[Key, ...]]:
    """Return the first places of what is wrong, in order; as deep as the document may be.

    Only the way down to the present value is kept, so that the search takes no memory
    to speak of, however large the document is.
    """
    found: list[tuple[Key, ...]] = [()] if wrong("", document) else []
    way: list[Key] = []
    levels = [_pairs(document)]
    while levels and len(found) < FAULTS_MOST:
        pair = next(levels[-1], None)
        if pair is None:
            levels.pop()
            del way[-1:]
            continue
        key, value = pair
        if wrong(key, value):
            found.append((*way, key))
        if isinstance(value, dict | list):
            way.append(key)
            levels.append(_pairs(value))
    return found


def _pairs(value: Any) -> Iterator[tuple[Key, Any]]:
    if isinstance(value, dict):
        return iter(value.items())
    return enumerate(value) if isinstance(value, list) else iter(())
