"""Writes JSON bodies fast."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import orjson
from pydantic import BaseModel
from rest_framework.renderers import BaseRenderer

_OPTIONS = orjson.OPT_UTC_Z | orjson.OPT_NON_STR_KEYS


class OrjsonRenderer(BaseRenderer):
    """JSON by orjson; pydantic models and Decimals are understood."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """Return the body; none for an answer without content."""
        return b"" if data is None else dumps(data)


def dumps(data: Any) -> bytes:
    """Return ``data`` as JSON.

    PostgreSQL writes a stored 1e22 out in full, which Python then reads as an integer that no
    reader of JSON takes: it was a double, and is written as one.
    """
    try:
        return orjson.dumps(data, default=_default, option=_OPTIONS)
    except orjson.JSONEncodeError as exc:
        if "64-bit" not in str(exc):
            raise
        return orjson.dumps(_in_doubles(data), default=_default, option=_OPTIONS)


def _in_doubles(value: Any) -> Any:
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {key: _in_doubles(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_in_doubles(item) for item in value]
    return float(value) if isinstance(value, int) and abs(value) >= _WIDEST else value


_WIDEST = 2**63


def _default(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping | tuple | set | frozenset):
        return dict(value) if isinstance(value, Mapping) else list(value)
    return str(value)
