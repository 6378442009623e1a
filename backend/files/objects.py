"""Large things in an object storage that speaks S3, by django-storages.

Imported only where one is given: needs the packages of ``requirements/objects.txt``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from botocore.config import Config
from storages.backends.s3 import S3Storage

_LIFE_S = 300


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

    @cached_property
    def _public(self) -> Any:
        """A client that signs for the address that browsers use; it connects to nothing."""
        return self._create_session().client(
            "s3",
            region_name=self.region_name,
            endpoint_url=self.public_url,
            config=self.client_config,
        )
