"""What a sweep asks: a model, its input, and which of it takes which values."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, model_validator

from capmodels.errors import Fault, ParamsError
from capmodels.numbers import whole_of
from capmodels.plans.document.fields import Finding, refuse
from capmodels.spec import JSONDict, Params, preset
from capmodels.units import Real, Whole, of_unit

ROWS_MAX = 100_000
SIMULATIONS_MAX = 10_000

Pointer = Annotated[str, Field(pattern=r"^/.+", max_length=300)]
Value = float | int | bool | str | None


class RangeAxis(Params):
    """An input between two values."""

    kind: Literal["range"] = "range"
    pointer: Pointer = Field(description="Where it stands in the input; designs by letter.")
    low: Real
    high: Real
    levels_count: Annotated[Whole, of_unit("count", ge=2, le=ROWS_MAX)] = preset(
        10, "Values of a grid, both ends among them. A Latin hypercube has as many as rows."
    )

    @model_validator(mode="after")
    def _ordered(self) -> RangeAxis:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            sentence = "The lowest value has to be below the highest."
            refuse([Finding(("high",), "not_in_order", sentence, self.high)])
        return self


class ListAxis(Params):
    """An input that takes the values of a list: numbers, or words such as a region."""

    kind: Literal["list"]
    pointer: Pointer = Field(description="Where it stands in the input; designs by letter.")
    values: tuple[Value, ...] = Field(min_length=1, max_length=1000)


Axis = Annotated[RangeAxis | ListAxis, Field(discriminator="kind")]


Sampling = Literal["grid", "latin_hypercube"]
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


class SweepParams(Params):
    """A model, its input, and the inputs that vary: a grid of all combinations, or a sample."""

    model: Annotated[str, Field(max_length=100)] = Field(description="Id of a model.")
    document: JSONDict = Field(description="The model's input, whose axes are replaced.")
    axes: Annotated[tuple[Axis, ...], Field(min_length=1, max_length=8)]
    sampling: Sampling = preset(
        "grid",
        "grid: every combination of the axes' values; latin_hypercube: so many rows, each axis "
        "evenly covered (McKay, Beckman and Conover 1979, doi:10.2307/1268522).",
    )
    sample_count: Annotated[Whole, of_unit("count", ge=2, le=ROWS_MAX)] = preset(
        1000, "Rows of a Latin hypercube."
    )
    simulations_count: Annotated[Whole, of_unit("count", ge=0, le=SIMULATIONS_MAX)] = preset(
        0, "Of a comparison: simulations of each row. 0: as entered, without ranges."
    )
    seed: Annotated[Whole, Field(ge=0, lt=2**53)] = preset(
        0, "Of the sample, and of the simulations."
    )

    @model_validator(mode="after")
    def _apart(self) -> SweepParams:
        findings = []
        for place, axis in enumerate(self.axes):
            if axis.pointer in {other.pointer for other in self.axes[:place]}:
                sentence = "This input is an axis already."
                findings.append(
                    Finding(("axes", place, "pointer"), "duplicate", sentence, axis.pointer)
                )
        if self.rows_count > ROWS_MAX:
            sentence = (
                f"These are {self.rows_count:,} rows. Ask for at most {ROWS_MAX:,}: fewer values, "
                "or a Latin hypercube."
            )
            findings.append(Finding(("axes",), "too_many", sentence))
        refuse(findings)
        return self

    @property
    def rows_count(self) -> int:
        """How many runs it is."""
        if self.sampling == "latin_hypercube":
            return self.sample_count
        return math.prod(levels_of(axis) for axis in self.axes)


def levels_of(axis: RangeAxis | ListAxis) -> int:
    """How many values an axis has in a grid."""
    return axis.levels_count if isinstance(axis, RangeAxis) else len(axis.values)


def placed(document: JSONDict, pointer: str, value: Any) -> None:
    """Put a value where a pointer leads in a document, in place.

    Items of a list are named by their letter or name, or counted from 0.

    Raises
    ------
    ParamsError
        When it leads nowhere.
    """
    *parts, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    here: Any = document
    for part in parts:
        here = here.setdefault(part, {}) if isinstance(here, dict) else _item(here, part)
        if not isinstance(here, dict | list):
            raise _nowhere(pointer)
    if isinstance(here, dict):
        here[last] = value
    elif (at := whole_of(last)) is not None and at < len(here):
        here[at] = value
    else:
        raise _nowhere(pointer)


def _item(items: list[Any], part: str) -> Any:
    for item in items:
        if isinstance(item, dict) and part in {item.get("letter"), item.get("name")}:
            return item
    at = whole_of(part)
    return items[at] if at is not None and at < len(items) else None


def _nowhere(pointer: str) -> ParamsError:
    return ParamsError([Fault("/axes", "leads_nowhere", f"There is no input at {pointer}.")])
