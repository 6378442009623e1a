"""What the addresses that take a file have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast
from uuid import UUID

from django.http import HttpResponseRedirect
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import MultiPartParser

from common.api import ListApi
from common.errors import Invalid, NotFound
from files.parsers import RawParser, RawUpload, require_size, sha256_of, take_sent
from files.selectors import file_address
from files.serializers import FileInputSerializer

if TYPE_CHECKING:
    from rest_framework.request import Request

NAME = OpenApiParameter("name", OpenApiTypes.STR, description="The file's name, for a raw body.")
TITLE = OpenApiParameter("title", OpenApiTypes.STR, description="For a raw body.")
UPLOAD = OpenApiParameter(
    "upload", OpenApiTypes.UUID, description="A file that was sent in parts, instead of a body."
)
REQUEST = {
    "application/octet-stream": OpenApiTypes.BINARY,
    "multipart/form-data": FileInputSerializer,
}


@dataclass(frozen=True, slots=True)
class Received:
    """A file that was sent, what it is called and what it is to be called.

    ``file`` is its bytes, or the id of an upload in parts, whose name is that of the file.
    """

    file: IO[bytes] | UUID
    name: str
    title: str


class UploadListApi(ListApi):
    """A list that a POST of a file adds to: as a form, or as the body."""

    parser_classes = (MultiPartParser, RawParser)
    is_upload = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Take an upload in before any transaction begins: it may take minutes."""
        whole = request.method == "POST" and "upload" not in request.query_params
        if whole:
            require_size(request)
        super().initial(request, *args, **kwargs)
        if whole:
            take_sent(request)
            file = cast("IO[bytes]", received(request).file)
            if "Idempotency-Key" in request.headers:
                request.body_sha256 = sha256_of(file)  # type: ignore[attr-defined]  # for answer_once


def received(request: Request) -> Received:
    """Return what a request sends."""
    if upload := request.query_params.get("upload"):
        try:
            return Received(UUID(upload), "", request.query_params.get("title", ""))
        except ValueError as exc:
            raise NotFound from exc
    given = request.data
    if isinstance(given, RawUpload):
        query = request.query_params
        found = Received(given.file, query.get("name", "file"), query.get("title", ""))
    else:
        form = FileInputSerializer(data=given)
        form.is_valid(raise_exception=True)
        uploaded = form.validated_data["file"]
        title = form.validated_data.get("title", "")
        found = Received(cast("IO[bytes]", uploaded), uploaded.name, title)
    if "\0" in found.name + found.title:
        raise Invalid.at("/title", "The name holds the NUL character; remove it.")
    return found


def redirect_to(kept: Any, *, name: str, media: str) -> HttpResponseRedirect | None:
    """Return the way to where a file is kept; None where we give it out ourselves."""
    address = file_address(kept, name=name, media=media)
    # Signed for a few minutes: nobody is to keep it.
    no_store = {"Cache-Control": "no-store"}
    return HttpResponseRedirect(address, headers=no_store) if address else None
