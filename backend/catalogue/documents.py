"""What a workspace may say about an entry of its own."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, HttpUrl

from capmodels.errors import Fault
from capmodels.units import Real
from catalogue.fields import NAME, SLUG, is_price, unit_of
from common.errors import Invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from catalogue.fixture_entries import ValueDict

FIELDS_MAX = 100
LIST_MAX = 8784
# Of which a single number is never below zero, nor is a price; figures that fits gave may be.
_NOT_BELOW_ZERO = frozenset(("W", "count", "GiB", "GB", "TB", "FTE", "yr", "months", "kg CO2e"))

Text = Annotated[str, Field(max_length=500)]
Quality = Literal["measured", "published", "recalled", "assumed", "derived", "typed"]


class ValueInput(BaseModel):
    """One field: a number, several, or a text, and where it comes from."""

    model_config = ConfigDict(extra="forbid")

    value: Real | Text | Annotated[list[Real], Field(min_length=1, max_length=LIST_MAX)]
    unit: str | None = None
    quality: Quality = "typed"
    source: Text = "Typed in"
    url: HttpUrl | None = None
    as_of: date | None = None
    low: Real | None = None
    high: Real | None = None
    note: Text = ""


class EntryInput(BaseModel):
    """A new entry; without a slug one is made from the title."""

    model_config = ConfigDict(extra="forbid")

    slug: Annotated[str, Field(max_length=80, pattern=SLUG)] | None = None
    kind: Annotated[str, Field(max_length=40, pattern=NAME)]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    values: Annotated[dict[str, ValueInput], Field(min_length=1, max_length=FIELDS_MAX)]


class EntryChangeInput(BaseModel):
    """A change; ``values`` are all that the entry then has."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    values: Annotated[dict[str, ValueInput], Field(min_length=1, max_length=FIELDS_MAX)] | None = (
        None
    )


def values_of(given: dict[str, ValueInput]) -> dict[str, ValueDict]:
    """Return the values as an entry keeps them.

    Raises
    ------
    Invalid
        With every field that breaks a rule of the catalogue.
    """
    faults = [
        Fault(f"/values/{name}{pointer}", code, message)
        for name, said in given.items()
        for pointer, code, message in _faults(name, said)
    ]
    if faults:
        raise Invalid(faults=faults)
    return {name: _value(name, said) for name, said in given.items()}


def _value(name: str, said: ValueInput) -> ValueDict:
    return {
        "value": said.value,
        "unit": unit_of(name),
        "quality": said.quality,
        "source": said.source,
        "url": str(said.url) if said.url else None,
        "as_of": said.as_of.isoformat() if said.as_of else None,
        "low": said.low,
        "high": said.high,
        "note": said.note,
    }


def _faults(name: str, said: ValueInput) -> Iterator[tuple[str, str, str]]:
    unit = unit_of(name)
    if not NAME.match(name):
        yield "", "name", "A field is named in lower case with underscores."
    if unit is None and not isinstance(said.value, str):
        yield "/value", "unit_missing", "A number's field ends in its unit, as in idle_w."
    if unit is not None and isinstance(said.value, str):
        yield "/value", "not_a_number", f"Enter a number, in {unit}."
    is_amount = is_price(name) or unit in _NOT_BELOW_ZERO
    if is_amount and isinstance(said.value, int | float) and said.value < 0:
        what = "A price" if is_price(name) else f"A number in {unit}"
        yield "/value", "below_zero", f"{what} is not below zero."
    if said.unit is not None and said.unit != unit:
        yield "/unit", "unit", f"The name of this field says {unit or 'that it is a text'}."
    if said.as_of is not None and said.as_of > datetime.now(tz=UTC).date():
        yield "/as_of", "future", "This date is in the future."
    yield from _range_faults(said)


def _range_faults(said: ValueInput) -> Iterator[tuple[str, str, str]]:
    if not isinstance(said.value, int | float):
        if said.low is not None or said.high is not None:
            yield "/low", "range", "Only a single number has a range."
        return
    if said.low is not None and said.low > said.value:
        yield "/low", "range", "The low end is above the value."
    if said.high is not None and said.high < said.value:
        yield "/high", "range", "The high end is below the value."
    if said.quality in {"recalled", "assumed"} and (said.low is None or said.high is None):
        yield "/low", "missing", f"A value that is {said.quality} needs low and high."
