"""ETags of documents: who saves over a change that they have not seen gets 409."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rest_framework.response import Response

from capmodels.errors import pointer_of
from common.errors import Conflict

if TYPE_CHECKING:
    from rest_framework.request import Request


def etag_of(revision: int) -> str:
    """Return the ETag of a document's revision."""
    return f'"{revision}"'


def revised(row: Any, told: Any, status: int = 200) -> Response:
    """Answer with a document, and the ETag of its revision."""
    return Response(told, status=status, headers={"ETag": etag_of(row.revision)})


def require_match(
    request: Request, revision: int, current: Callable[[], Mapping[str, Any]]
) -> None:
    """Let a change pass when it was made on the stored revision, or names none.

    Parameters
    ----------
    current
        Returns the stored document as the API shows it; called only on a conflict.

    Raises
    ------
    Conflict
        With ``current`` and ``difference``: the fields that the request would change
        and what is stored there now.
    """
    wanted = request.headers.get("If-Match")
    if wanted is None or wanted.strip() in {"*", etag_of(revision)}:
        return
    stored = current()
    sent = request.data if isinstance(request.data, Mapping) else {}
    raise Conflict(
        "This was changed elsewhere since you opened it. Look at the difference, then save again.",
        extra={"current": stored, "difference": difference(stored, sent)},
        headers={"ETag": etag_of(revision)},
    )


def difference(stored: Any, sent: Any, pointer: str = "") -> list[dict[str, Any]]:
    """Return each place where ``sent`` differs from ``stored``, as pointer, stored, sent.

    Fields that ``sent`` leaves out at the top are not part of it: it is a change, not a
    whole document.
    """
    if isinstance(stored, Mapping) and isinstance(sent, Mapping):
        keys = list(sent) if pointer == "" else sorted({*stored, *sent})
        return [
            row
            for key in keys
            for row in difference(stored.get(key), sent.get(key), pointer + pointer_of(key))
        ]
    if isinstance(stored, list) and isinstance(sent, list) and len(stored) == len(sent):
        return [
            row
            for index, (old, new) in enumerate(zip(stored, sent, strict=True))
            for row in difference(old, new, f"{pointer}/{index}")
        ]
    if stored == sent:
        return []
    return [{"pointer": pointer, "stored": stored, "sent": sent}]
