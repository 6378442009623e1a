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
    """Return ``data`` as JSON."""
    return orjson.dumps(data, default=_default, option=_OPTIONS)


def _default(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping | tuple | set | frozenset):
        return dict(value) if isinstance(value, Mapping) else list(value)
    return str(value)
