"""Reads an upload to disk, piece by piece."""

from __future__ import annotations

import hashlib
import tempfile
import weakref
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from capmodels.errors import EMPTY_FILE
from common.errors import BadRequest, Invalid, TooLarge
from common.parsers import is_chunked, take_chunks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rest_framework.request import Request

_PIECE_BYTES = 1 << 20


@dataclass(frozen=True)
class RawUpload:
    """A request's whole body, on disk."""

    file: IO[bytes]


class RawParser(BaseParser):
    """The body is the file."""

    media_type = "*/*"

    def parse(  # type: ignore[override]  # a parser may return anything
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> RawUpload:
        """Write the body to a file without a name, which is gone when it is closed."""
        file: IO[bytes] = tempfile.TemporaryFile(prefix="ampacity-upload-")  # noqa: SIM115 -- kept open
        while piece := stream.read(_PIECE_BYTES):
            file.write(piece)
        expected = parser_context["request"].META.get("CONTENT_LENGTH") if parser_context else None
        if expected and file.tell() != int(expected):
            raise BadRequest("The upload was cut off. Send the file again.")
        upload = RawUpload(file)
        weakref.finalize(upload, file.close)
        return upload


def require_size(request: Request, *, most: int | None = None) -> None:
    """Refuse a body that is too large before any of it is read.

    One that comes in chunks is measured as it is read (``take_sent``).

    Raises
    ------
    Invalid
        When the body is empty.
    TooLarge
        Above the limit of the installation.
    BadRequest
        When the request gives no length, and is not sent in chunks.
    """
    if is_chunked(request.META):
        return
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length.isdigit():
        raise BadRequest("Say how large the upload is (Content-Length).")
    if int(length) == 0:
        raise Invalid.at("/file", EMPTY_FILE, "empty")
    most = most or settings.TRACE_BYTES_MAX
    if int(length) > most:
        message = (
            f"The file has {int(length) / 1e9:.2f} GB; at most {most / 1e9:.1f} GB may be sent. "
            "Pack it with gzip or zstd, or cut it into shorter spans."
        )
        raise TooLarge(message)


def take_sent(request: Request, *, most: int | None = None) -> None:
    """Read a body that comes in chunks to disk; one whose length is given is left to its parser.

    Only for a caller who may send: what it takes is known when it is here.

    Raises
    ------
    Invalid, TooLarge, BadRequest
        As ``require_size``.
    """
    take_chunks(request._request, most or settings.TRACE_BYTES_MAX)
    require_size(request, most=most)


def sha256_of(file: IO[bytes]) -> str:
    """Return the hash of a file, read from its start."""
    file.seek(0)
    found = hashlib.sha256()
    while piece := file.read(_PIECE_BYTES):
        found.update(piece)
    return found.hexdigest()
