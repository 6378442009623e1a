"""What charts draw of a comparison, beside it where it is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
from drf_spectacular.utils import OpenApiParameter

from capmodels.plans.figures.drawn import drawn
from common.errors import Invalid
from runs.serializers import FIGURES, FIGURES_HELP
from studies.documents import PLAN

if TYPE_CHECKING:
    from rest_framework.request import Request

    from capmodels.spec import Result

PARAMETER = OpenApiParameter("figures", str, description=FIGURES_HELP)


def asked_figures(request: Request) -> str | None:
    """Return which two designs an address asks to draw; raise Invalid for what are none."""
    text: str | None = request.query_params.get("figures")
    if text is not None and not re.match(FIGURES, text):
        raise Invalid.at("/figures", "Enter two letters, as in A-D.")
    return text


def drawn_of(model: str, result: bytes | dict[str, Any] | Result, asked: str | None) -> bytes:
    """Return what charts draw of a result as JSON; nothing of what is no comparison."""
    if asked is None or model != PLAN:
        return b""
    found = orjson.loads(result) if isinstance(result, bytes) else result
    return drawn(found, *asked.split("-")).model_dump_json().encode()


def with_parts(head: dict[str, Any], **parts: bytes) -> bytes:
    """Return an object as JSON, with parts that are JSON already; empty ones are left out."""
    written = (f',"{name}":'.encode() + part for name, part in parts.items() if part)
    return orjson.dumps(head)[:-1] + b"".join(written) + b"}"
