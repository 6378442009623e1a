"""Large things in an object storage that speaks S3, by django-storages.

Imported only where one is given: needs the packages of ``requirements/objects.txt``.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

from botocore.config import Config
from storages.backends.s3 import S3Storage

from common.errors import Conflict

if TYPE_CHECKING:
    from datetime import datetime

    from files.models import Upload

_LIFE_S = 300
_PART_LIFE_S = 3600


class ObjectStorage(S3Storage):  # type: ignore[misc]  # django-storages has no types
    """A bucket, and addresses of what is in it that anybody may follow for five minutes."""

    def __init__(self, *, public_url: str, **settings: Any) -> None:
        """Take what ``config.env.objects`` returns."""
        self.public_url = public_url
        super().__init__(
            **settings,
            client_config=Config(
                s3={"addressing_style": "path"},
                signature_version="s3v4",
                connect_timeout=5,
                read_timeout=60,
                retries={"max_attempts": 3, "mode": "standard"},
            ),
            file_overwrite=True,
            querystring_expire=_LIFE_S,
        )

    def url(
        self, name: str, parameters: Any = None, expire: Any = None, http_method: Any = None
    ) -> str:
        """Return an address that is good for five minutes, as browsers reach it."""
        signed: str = self._public.generate_presigned_url(
            http_method or "get_object",
            Params={"Bucket": self.bucket_name, "Key": name, **(parameters or {})},
            ExpiresIn=expire or _LIFE_S,
        )
        return signed

    def parts_begin(self, name: str) -> str:
        """Open an upload in parts; return what the bucket calls it by."""
        begun = self._client.create_multipart_upload(Bucket=self.bucket_name, Key=name)
        return str(begun["UploadId"])

    def part_address(self, upload: Upload, number: int) -> str:
        """Return where a part of just this size may be sent, for an hour."""
        place = {
            **self._place(upload),
            "PartNumber": number,
            "ContentLength": upload.part_size(number),
        }
        signed: str = self._public.generate_presigned_url(
            "upload_part", Params=place, ExpiresIn=_PART_LIFE_S
        )
        return signed

    def part_write(self, upload: Upload, number: int, content: IO[bytes]) -> None:
        """Refuse: parts go straight to the bucket."""
        raise Conflict("Send this part to the address that was told for it.")

    def parts_sizes(self, upload: Upload) -> dict[int, int]:
        """Return the parts that the bucket has with their sizes. [byte]"""
        return {part["PartNumber"]: part["Size"] for part in self._parts(upload)}

    def parts_join(self, upload: Upload) -> None:
        """Make the file of its parts; raise Conflict unless the bucket then has what was sent."""
        parts = [
            {"PartNumber": part["PartNumber"], "ETag": part["ETag"]} for part in self._parts(upload)
        ]
        joined = self._client.complete_multipart_upload(
            **self._place(upload), MultipartUpload={"Parts": parts}
        )
        there = self._client.head_object(Bucket=self.bucket_name, Key=upload.file.name)
        if (there["ContentLength"], there["ETag"]) != (upload.file.bytes_count, joined["ETag"]):
            raise Conflict("The storage has another file than was sent. Send it again.")

    def parts_drop(self, name: str, token: str) -> None:
        """Give up an upload in parts, and what was made of it."""
        with suppress(self._client.exceptions.NoSuchUpload):
            self._client.abort_multipart_upload(Bucket=self.bucket_name, Key=name, UploadId=token)
        self.delete(name)

    def names_after(self, name: str) -> list[tuple[str, datetime]]:
        """Return up to a thousand names behind one, each with when it was written."""
        found = self._client.list_objects_v2(Bucket=self.bucket_name, StartAfter=name)
        return [(one["Key"], one["LastModified"]) for one in found.get("Contents", [])]

    def uploads_open(self) -> list[tuple[str, str, datetime]]:
        """Return uploads in parts that were not ended: name, token, when begun; a thousand."""
        found = self._client.list_multipart_uploads(Bucket=self.bucket_name)
        return [(one["Key"], one["UploadId"], one["Initiated"]) for one in found.get("Uploads", [])]

    def prepare(self, origin: str) -> None:
        """Make the bucket where there is none, and let pages of ``origin`` send parts to it."""
        exists = self._client.exceptions
        with suppress(exists.BucketAlreadyOwnedByYou, exists.BucketAlreadyExists):
            self._client.create_bucket(Bucket=self.bucket_name)
        rule = {
            "AllowedOrigins": [origin],
            "AllowedMethods": ["GET", "PUT"],
            "AllowedHeaders": ["*"],
            "MaxAgeSeconds": 3600,
        }
        self._client.put_bucket_cors(
            Bucket=self.bucket_name, CORSConfiguration={"CORSRules": [rule]}
        )

    def _place(self, upload: Upload) -> dict[str, str]:
        return {"Bucket": self.bucket_name, "Key": upload.file.name, "UploadId": upload.token}

    def _parts(self, upload: Upload) -> list[dict[str, Any]]:
        try:
            pages = self._client.get_paginator("list_parts").paginate(**self._place(upload))
            return [part for page in pages for part in page.get("Parts", [])]
        except self._client.exceptions.NoSuchUpload:
            return []

    @property
    def _client(self) -> Any:
        return self.connection.meta.client

    @cached_property
    def _public(self) -> Any:
        """A client that signs for the address that browsers use; it connects to nothing."""
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            endpoint_url=self.public_url,
            config=self.client_config,
        )
