"""What an answer holds: a comparison in short, of the rest of it what is asked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
from drf_spectacular.utils import OpenApiParameter

from capmodels.plans.figures.drawn import drawn
from capmodels.plans.summary import PARTS, fields_left_out, summary
from common.errors import Invalid
from runs.serializers import FIGURES, FIGURES_HELP, FIGURES_WANTED
from studies.documents import PLAN

if TYPE_CHECKING:
    from collections.abc import Collection

    from rest_framework.request import Request

    from capmodels.spec import JSONDict, Result

# What charts draw stands beside the result.
DRAWN = "drawn"
NAMES = (*PARTS, DRAWN)
_WANTED = f"Choose among {', '.join(NAMES)}."
PARAMETERS = (
    OpenApiParameter(
        "include",
        {"type": "array", "items": {"type": "string", "enum": list(NAMES)}},
        description="Of a comparison, the parts that are wanted besides its `summary`, each by "
        "itself or with commas between: `designs` whole, with their years, sizing and lines; "
        "`break_evens`, with equal costs and levels of commitment; `odds`, with ranges, flips and "
        "what moves the answer; `rows` of the table; these as `result`. `drawn` is what charts "
        "draw. What another model answers is whole.",
    ),
    OpenApiParameter("figures", str, description=FIGURES_HELP),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted of a comparison: parts by name, and two designs to draw."""

    parts: frozenset[str]
    figures: str

    @classmethod
    def of(cls, request: Request) -> Asked:
        """Read an address; raise Invalid for what is no part, or no two designs."""
        said = ",".join(request.query_params.getlist("include")).split(",")
        figures = request.query_params.get("figures", "-")
        if unknown := [name for name in said if name and name not in NAMES]:
            raise Invalid.at(
                "/include", f"There is no part {unknown[0]!r}. {_WANTED}", "not_a_choice"
            )
        if not re.match(FIGURES, figures):
            raise Invalid.at("/figures", FIGURES_WANTED)
        return cls(frozenset(filter(None, said)), figures)


def told(model: str, result: bytes | Result, asked: Asked) -> JSONDict:
    """Return what an answer holds of a result, by name, for the renderer.

    A result is JSON already where it is stored; it is parsed only where it is read.
    """
    if model != PLAN:
        return {"result": _as_json(result)}
    found: Any = orjson.loads(result) if isinstance(result, bytes) else result
    answer: JSONDict = {"summary": summary(found)}
    if parts := asked.parts - {DRAWN}:
        dropped = fields_left_out(parts)
        if isinstance(found, dict) and dropped:
            answer["result"] = {key: part for key, part in found.items() if key not in dropped}
        else:
            answer["result"] = _as_json(result, dropped)
    if DRAWN in asked.parts:
        pair = asked.figures.split("-")
        _require_there({one.letter for one in answer["summary"].designs}, pair)
        answer["drawn"] = drawn(found, *pair)
    return answer


def _require_there(letters: Collection[str], pair: list[str]) -> None:
    """Refuse letters of designs that a comparison does not have, and one held against itself."""
    for letter in filter(None, pair):
        if letter not in letters:
            message = (
                f"There is no design {letter} here. Choose among {', '.join(sorted(letters))}."
            )
            raise Invalid.at("/figures", message, "leads_nowhere")
    if pair[0] and pair[0] == pair[1]:
        raise Invalid.at("/figures", "Enter two designs, as in A-B.", "twice")


def _as_json(result: bytes | Result, dropped: Collection[str] = ()) -> orjson.Fragment:
    written = result if isinstance(result, bytes) else result.model_dump_json(exclude=set(dropped))
    return orjson.Fragment(written)
