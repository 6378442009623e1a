"""A creating POST with an ``Idempotency-Key`` takes effect once, however often it is sent."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import orjson
from django.db import connection
from rest_framework.response import Response

from common.errors import Invalid
from common.models import IdempotencyKey
from common.renderers import dumps
from common.tenancy import current_workspace_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

KEY_LENGTH_MAX = 200

_CLAIM = """
INSERT INTO common_idempotencykey (id, workspace_id, key, path, request_hash, created_at)
VALUES (%s, %s, %s, %s, %s, now()) ON CONFLICT DO NOTHING
"""


def answer_once(
    key: str,
    request: Request,
    handle: Callable[[], Response],
    *,
    secret_fields: tuple[str, ...] = (),
) -> Response:
    """Return the handler's answer, or the one that this key got before.

    A second request that arrives meanwhile waits for the first one's transaction. A
    handler that raises rolls the key back as well, so the request may be repeated.

    Raises
    ------
    Invalid
        When the key is too long, or was used for another request.
    """
    if len(key) > KEY_LENGTH_MAX:
        message = f"The Idempotency-Key is longer than {KEY_LENGTH_MAX} characters."
        raise Invalid(message)
    request_hash = _hash_of(request)
    if not _claimed(key, request.path, request_hash):
        return _stored(key, request.path, request_hash)
    response = handle()
    body = {**response.data, **dict.fromkeys(secret_fields)} if secret_fields else response.data
    IdempotencyKey.objects.filter(key=key, path=request.path).update(
        status=response.status_code, body=_plain(body), etag=response.headers.get("ETag", "")
    )
    return response


def _hash_of(request: Request) -> str:
    # Who reads a large body as a stream has hashed it already.
    known = request.__dict__.get("body_sha256")
    body_hash = known or hashlib.sha256(request._request.body).hexdigest()
    query = request.META.get("QUERY_STRING", "")
    return hashlib.sha256(f"{query}\n{body_hash}".encode()).hexdigest() if query else body_hash


def _claimed(key: str, path: str, request_hash: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [uuid4(), current_workspace_id(), key, path, request_hash])
        return bool(cursor.rowcount == 1)


def _stored(key: str, path: str, request_hash: str) -> Response:
    row = IdempotencyKey.objects.get(key=key, path=path)
    if row.request_hash != request_hash:
        message = "This Idempotency-Key was used for another request. Take a new one."
        raise Invalid(message)
    headers = {"Idempotent-Replayed": "true", **({"ETag": row.etag} if row.etag else {})}
    return Response(row.body, status=row.status, headers=headers)


def _plain(body: Any) -> Any:
    return orjson.loads(dumps(body))
