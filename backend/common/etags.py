"""Changes of documents: ETags, and merge patches.

Who saves over a change that they have not seen gets 412; who reads what they have already, 304.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import orjson
from rest_framework.response import Response

from capmodels.errors import pointer_of
from common.errors import Changed

if TYPE_CHECKING:
    from rest_framework.request import Request


# Of what is stored the database chooses the order.
_SORTED = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS


def etag_of(revision: int, told: Any = None) -> str:
    """Return the ETag of a document's revision, and of all that is told with it.

    Of a study that is its designs and its verdict, which change without it: whoever reads has
    these already only where the whole tag is the same. Who changes it needs the revision alone.
    """
    if told is None:
        return f'"{revision}"'
    body = orjson.dumps(told, default=str, option=_SORTED)
    return f'"{revision}-{blake2b(body, digest_size=6).hexdigest()}"'


def revised(row: Any, told: Any, status: int = 200) -> Response:
    """Answer with a document, and the ETag of what is told."""
    return Response(told, status=status, headers={"ETag": etag_of(row.revision, told)})


def is_known(request: Request, etag: str | None) -> bool:
    """Whether a reader has this answer already, by If-None-Match (RFC 9110, 13.1.2)."""
    have = request.headers.get("If-None-Match", "")
    if request.method != "GET" or etag is None or not have:
        return False
    known = [one.strip().removeprefix("W/") for one in have.split(",")]
    return "*" in known or etag in known


def merged(document: Any, patch: Any) -> Any:
    """Return a document with a JSON merge patch applied.

    Parameters
    ----------
    document
        What is stored; not changed.
    patch
        An object is merged key by key, null removes a key, anything else takes the place of what
        is stored.

    Returns
    -------
    Any
        The new document, which may share parts with both.

    Notes
    -----
    RFC 7396, section 2.

    Examples
    --------
    >>> merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None, "e": 3}, "d": [2]})
    {'a': {'c': 2, 'e': 3}, 'd': [2]}
    """
    if not isinstance(patch, Mapping):
        return patch
    result = dict(document) if isinstance(document, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def merged_parts(row: Any, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes of a row's fields with its stored documents merged into them.

    An origin is one value: a new one takes the place of the whole old one.
    """
    parts = dict(changes)
    for name, value in changes.items():
        if isinstance(value, Mapping):
            stored = getattr(row, name) or {}
            if name.endswith("provenance"):
                stored = {pointer: stored[pointer] for pointer in stored if pointer not in value}
            parts[name] = merged(stored, value)
    return parts


def require_match(
    request: Request, revision: int, current: Callable[[], Mapping[str, Any]]
) -> None:
    """Let a change pass when it was made on the stored revision, or names none.

    Parameters
    ----------
    current
        Returns the stored document as the API shows it; called only when they differ.

    Raises
    ------
    Changed
        With ``current`` and ``difference``: the fields that the request would change
        and what is stored there now.
    """
    wanted = request.headers.get("If-Match")
    if wanted is None or re.fullmatch(rf'\*|"{revision}(-[0-9a-f]+)?"', wanted.strip()):
        return
    stored = current()
    sent = request.data if isinstance(request.data, Mapping) else {}
    if request.method == "PATCH":
        sent = {name: merged(stored.get(name), value) for name, value in sent.items()}
    raise Changed(
        "This was changed elsewhere since you opened it. Look at the difference, then save again.",
        extra={"current": stored, "difference": difference(stored, sent)},
        headers={"ETag": etag_of(revision, stored)},
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
