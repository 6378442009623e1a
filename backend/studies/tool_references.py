"""A run of a tool as a study and its file refer to it. Without the database."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from capmodels.spec import JSONDict
from common.storable import storable

MOST = 40
# The pages of tools, as their addresses name them.
TOOLS = (
    *("nodes", "scaling", "consolidation", "replay", "memory", "arrays", "codes", "rebuilds"),
    *("advice", "forecast", "purchases", "sweep", "serving", "serving-day", "trends"),
)


def _kept(value: Any) -> Any:
    if faults := storable(value):
        raise ValueError(faults[0].message)
    return value


Kept = Annotated[JSONDict, AfterValidator(_kept)]
Text = Annotated[str, AfterValidator(_kept)]


class ToolRun(BaseModel):
    """A run of a tool, as a study and its file refer to it.

    ``state`` is what the tool's page was opened with, so that it opens so again.
    ``taken_values`` are the study's values that the input was taken from, by pointer with
    designs named by letter; ``taken_entries`` the catalogue's entries, by name, with a digest
    of their values; ``taken_series`` the trace, bill or run that a series of it was read from.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    run: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]
    tool: Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=40)]
    title: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_kept)]
    design: Annotated[str, Field(pattern=r"^[A-H]?$")] = ""
    model: Annotated[str, Field(max_length=100), AfterValidator(_kept)]
    model_version: Annotated[str, Field(max_length=40), AfterValidator(_kept)]
    params_version: Annotated[int, Field(ge=1)] = 1
    params: Kept
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    inputs_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    state: Kept = {}
    headline: Annotated[str, Field(max_length=2_000), AfterValidator(_kept)] = ""
    taken_values: Kept = {}
    taken_entries: Annotated[dict[str, str], AfterValidator(_kept)] = {}
    taken_series: Annotated[dict[str, str], AfterValidator(_kept)] = {}


ToolRuns = Annotated[list[ToolRun], Field(max_length=MOST)]
