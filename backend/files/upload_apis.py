"""Addresses of files that are sent in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers

from common.api import WorkspaceAPIView
from common.errors import NotFound
from common.operations import creates, operation
from common.serializers import StrictSerializer
from files import parts
from files.parsers import RawParser, require_size, take_sent
from files.selectors import upload_get

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from files.parsers import RawUpload


class UploadInputSerializer(StrictSerializer):
    name = serializers.CharField(max_length=200, help_text="The file's name.")
    bytes = serializers.IntegerField(min_value=1, max_value=1 << 50, help_text="Its size.")


class UploadOutputSerializer(serializers.Serializer[Any]):
    """A file on its way: what is here of it, and how it is cut."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()
    bytes = serializers.IntegerField(source="file.bytes_count")
    part_bytes = serializers.IntegerField(help_text="Size of each part but the last.")
    parts_count = serializers.IntegerField()
    parts_there = serializers.SerializerMethodField(help_text="Parts that are here as a whole.")
    ended = serializers.SerializerMethodField()

    def get_parts_there(self, upload: Any) -> list[int]:
        return parts.parts_there(upload)

    def get_ended(self, upload: Any) -> bool:
        return upload.ended_at is not None


class PartsInputSerializer(StrictSerializer):
    numbers = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=parts.PARTS_MAX),
        min_length=1,
        max_length=100,
    )


class PartOutputSerializer(serializers.Serializer[Any]):
    """Where a part is to be sent by PUT; an address of another host needs no sign-in."""

    number = serializers.IntegerField()
    bytes = serializers.IntegerField()
    url = serializers.CharField()


class PartsOutputSerializer(serializers.Serializer[Any]):
    """Where the parts that were asked about are to be sent, all of them."""

    results = PartOutputSerializer(many=True)


class UploadsApi(WorkspaceAPIView):
    """Begins files that are sent in parts."""

    @creates("uploads_create", takes=UploadInputSerializer, gives=UploadOutputSerializer)
    def post(self, request: Request) -> Any:
        """Announce a file; there must be room for it."""
        fields = self.given()
        return parts.upload_begin(name=fields["name"], size=fields["bytes"])


class UploadApi(WorkspaceAPIView):
    """One file on its way."""

    @operation("uploads_get", gives=UploadOutputSerializer, may="write")
    def get(self, request: Request, upload_id: UUID) -> Any:
        """Return which parts are here, to go on after a broken connection."""
        return upload_get(upload_id)

    @operation("uploads_delete")
    def delete(self, request: Request, upload_id: UUID) -> None:
        """Give the upload up, with all that was sent."""
        parts.upload_drop(upload_get(upload_id, lock=True))


class UploadPartsApi(WorkspaceAPIView):
    """Where the parts go."""

    @operation("uploads_parts", takes=PartsInputSerializer, gives=PartsOutputSerializer)
    def post(self, request: Request, upload_id: UUID) -> Any:
        """Return the addresses that parts may be sent to within the hour."""
        given = self.given()
        upload = upload_get(upload_id)
        return {"results": parts.part_addresses(upload, given["numbers"])}


class UploadPartApi(WorkspaceAPIView):
    """A part that is sent to us."""

    parser_classes = (RawParser,)
    is_upload = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Take the part in before any transaction begins."""
        require_size(request, most=parts.part_bytes_most())
        super().initial(request, *args, **kwargs)
        take_sent(request, most=parts.part_bytes_most())
        _ = request.data

    @operation("uploads_part", takes={"application/octet-stream": OpenApiTypes.BINARY})
    def put(self, request: Request, upload_id: UUID, number: str) -> None:
        """Keep a part; sent again, it takes the place of what was sent before."""
        if not (number.isascii() and number.isdecimal() and len(number) < 6):
            raise NotFound
        upload = upload_get(upload_id, lock=True)
        part = cast("RawUpload", request.data)
        parts.part_take(upload, int(number), part.file)


class UploadEndApi(WorkspaceAPIView):
    """Ends an upload."""

    @operation("uploads_end", gives=UploadOutputSerializer)
    def post(self, request: Request, upload_id: UUID) -> Any:
        """Make a file of the parts; 409 names those that are missing.

        `POST /traces?upload=ID` or `POST /imports?upload=ID` has it read; a day without either, and
        it is removed.
        """
        return parts.upload_end(upload_get(upload_id, lock=True))
