"""By what arrays grow where the demand says how many there are."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.forms import named, shown_when
from capmodels.plans.document.bounded import CountFromOne
from capmodels.spec import Params

StepCount = Annotated[CountFromOne, Field(le=2048)]


class Expansion(Params):
    """What is bought at once as the demand grows, where the number of arrays is left empty."""

    kind: Literal["steps", "whole"] = Field(
        default="steps",
        title="Grows by",
        description="A cluster begins with the nodes entered and takes more into itself; an array "
        "is bought with as many groups of drives as are needed and filled before the next one.",
        json_schema_extra=named(
            steps="Nodes, or groups of drives", whole="Whole clusters, or whole arrays"
        ),
    )
    step_count: StepCount | None = Field(
        default=None,
        title="Step",
        description="Nodes of a cluster, or racks or sites where these are its failure domain; "
        "drives of an array. Empty: one, of an array as many as a group has.",
        json_schema_extra={**shown_when(kind=["steps"])},
    )
