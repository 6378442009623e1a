"""What charts draw of a comparison, beside it where it is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import orjson
from drf_spectacular.utils import OpenApiParameter

from capmodels.plans.figures.drawn import drawn
from common.errors import Invalid
from runs.serializers import FIGURES, FIGURES_HELP, FIGURES_WANTED
from studies.documents import PLAN

if TYPE_CHECKING:
    from rest_framework.request import Request

    from capmodels.plans.figures.drawn import Drawn
    from capmodels.spec import Result

PARAMETER = OpenApiParameter("figures", str, description=FIGURES_HELP)


def asked_figures(request: Request) -> str | None:
    """Return which two designs an address asks to draw; raise Invalid for what are none."""
    text: str | None = request.query_params.get("figures")
    if text is not None and not re.match(FIGURES, text):
        raise Invalid.at("/figures", FIGURES_WANTED)
    return text


def drawn_of(
    model: str, result: bytes | dict[str, Any] | Result, asked: str | None
) -> Drawn | None:
    """Return what charts draw of a result; nothing of what is no comparison."""
    if asked is None or model != PLAN:
        return None
    found = orjson.loads(result) if isinstance(result, bytes) else result
    return drawn(found, *asked.split("-"))


def answered(head: dict[str, Any], result: bytes, found: Drawn | None) -> bytes:
    """Return an answer as JSON: its head, a result that is JSON already, what charts draw of it."""
    written = orjson.dumps(head)[:-1] + b',"result":' + result
    if found is not None:
        written += b',"drawn":' + found.model_dump_json().encode()
    return written + b"}"
