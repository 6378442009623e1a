"""Choices that nobody knows yet: what else an input may be, and how likely that is."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema

from capmodels.plans.document.fields import Name, Note, Pointer
from capmodels.spec import Params, blank, preset
from capmodels.units import Real, Whole, of_unit

Odds = Annotated[Real, of_unit("fraction", gt=0, le=1)]


def _in_order(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part with its fields in one order, so that equal ones have one hash."""
    return {
        name: _in_order(value) if isinstance(value, dict) else value
        for name, value in sorted(part.items())
    }


Part = Annotated[dict[str, Any], AfterValidator(_in_order), WithJsonSchema({"type": "object"})]
# A number, a name, yes or no, nothing, or all fields of a part.
Value = bool | Whole | Real | str | Part | None

OTHERS_MOST, ALONG_MOST, CHOICES_MOST = 8, 8, 12


class Along(Params):
    """Another input that goes along with an alternative."""

    pointer: Pointer = Field(
        title="Input", description="JSON pointer; designs by letter, /designs/D/staff_fte."
    )
    value: Value = Field(title="Value")


class Alternative(Params):
    """What an input may turn out to be instead, and how likely that is."""

    value: Value = Field(title="Value")
    odds_fraction: Odds = Field(title="Odds")
    along: tuple[Along, ...] = preset(
        (), "Other inputs that are otherwise then.", title="Along with it", max_length=ALONG_MOST
    )


class Choice(Params):
    """An input that may turn out otherwise; as entered in all simulations that are left."""

    pointer: Pointer = Field(
        title="Input", description="JSON pointer; designs by letter, /designs/D/staff_fte."
    )
    others: tuple[Alternative, ...] = Field(
        title="Alternatives", min_length=1, max_length=OTHERS_MOST
    )
    title: Name | None = blank("What it is called. Empty: as its input.", title="Name")
    note: Note | None = None
