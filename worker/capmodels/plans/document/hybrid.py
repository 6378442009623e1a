"""Own the base, rent the rest: two designs of the study joined."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from capmodels.plans.document.bounded import (
    DataTb,
    UsdPerYear,
)
from capmodels.plans.document.fields import Fte, Letter, Name, unused
from capmodels.plans.document.owned import Migration
from capmodels.spec import Params, default
from capmodels.units import Fraction


class Hybrid(Params):
    """Nodes as in an owned design up to a quantile of the demand, the rest rented as in a cloud.

    The two designs are named, not copied, so that a change of a price, or its draw, holds
    for both. Storage, network and backup are those of the owned design; what is rented is
    on demand, and sends its share of the egress.
    """

    letter: Letter = Field(title="Letter")
    title: Name = Field(title="Title")
    kind: Literal["hybrid"] = Field(title="Kind")
    owned_letter: Letter = Field(
        title="Own as in", description="The owned design whose nodes, space and prices it has."
    )
    rented_letter: Letter = Field(
        title="Rent as in", description="The cloud design whose instances and prices it has."
    )
    own_quantile_fraction: Fraction = default(
        0.6,
        source="Own what is in use 40% of the time or more",
        quality="assumed",
        low=0.4,
        high=0.9,
        title="Owned up to",
        description="Quantile of the hourly demand that the owned nodes serve.",
    )
    burst_storage_tb: DataTb = unused(
        "Data kept in the cloud", "Block storage rented for the burst, all the time."
    )
    staff_fte: Fte = unused("Operations", "People who run both parts.")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat", "Cost of staff typed as a sum.")
    migration: Migration = Field(default=Migration(), title="Migration")
