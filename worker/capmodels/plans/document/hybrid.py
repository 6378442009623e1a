"""Own some, rent the rest: two designs of the study joined, kind of demand by kind."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from capmodels.plans.document.bounded import (
    DataTb,
    UsdPerYear,
)
from capmodels.plans.document.capacity_plan import CapacityPlan, plan_field
from capmodels.plans.document.fields import Fte, Letter, Name, unused
from capmodels.plans.document.owned import Migration
from capmodels.plans.document.services import ServiceLines
from capmodels.spec import Params, assumed, preset
from capmodels.units import Fraction

Side = Literal["owned", "rented"]


class Placement(Params):
    """Where each kind of demand lives: as in the owned design, or as in the rented one."""

    compute: Literal["owned_base", "owned", "rented"] = preset(
        "owned_base",
        "owned_base: own up to a quantile of the demand and rent the rest on demand; "
        "owned or rented: all of it.",
    )
    block: Side = Field(default="owned", title="Block storage")
    object: Side = Field(default="owned", title="Object storage")
    archive: Side = "owned"
    gpus: Side = Field(default="owned", title="GPUs")
    transfer: Literal["with_compute", "owned", "rented"] = preset(
        "with_compute", "with_compute: what is rented sends its share of it.", title="Egress"
    )
    services: Side = preset(
        "rented",
        "The lines of the owned or of the rented design, besides its own.",
        title="Other services",
    )

    @property
    def bursts(self) -> bool:
        """Whether all compute above what the owned nodes carry is rented."""
        return self.compute == "owned_base"

    @property
    def rented(self) -> frozenset[str]:
        """Kinds of demand of which all or a part is rented."""
        kinds = ("block", "object", "archive", "gpus")
        held = {kind for kind in kinds if getattr(self, kind) == "rented"}
        return frozenset(held if self.compute == "owned" else {"compute", *held})

    @property
    def owned(self) -> frozenset[str]:
        """Kinds of demand of which all or a part is owned."""
        kinds = ("block", "object", "archive", "gpus")
        held = {kind for kind in kinds if getattr(self, kind) == "owned"}
        return frozenset(held if self.compute == "rented" else {"compute", *held})


class Hybrid(Params):
    """Some of the demand lives as in an owned design, the rest as in a rented one.

    The two designs are named, not copied, so that a change of a price, or its draw, holds
    for both. The base of the compute may be owned and the rest rented on demand.
    """

    letter: Letter
    title: Name
    kind: Literal["hybrid"]
    owned_letter: Letter = Field(
        title="Same hardware as",
        description="The owned design whose nodes, space and prices it has.",
    )
    rented_letter: Letter = Field(
        title="Rent as in", description="The cloud design whose instances and prices it has."
    )
    placement: Placement = Field(default=Placement(), title="Where each kind of demand lives")
    own_quantile_fraction: Fraction = assumed(
        0.6,
        "Quantile of the hourly demand that the owned nodes serve, where the base is owned.",
        source="Own what is in use 40% of the time or more",
        low=0.4,
        high=0.8,
        title="Owned up to",
    )
    plan: CapacityPlan | None = plan_field(
        "as many nodes as the quantile asks for, and no commitments. Read where the base is owned."
    )
    burst_storage_tb: DataTb = unused(
        "Data kept in the cloud", "Block storage rented for the burst, all the time."
    )
    services: ServiceLines = ()
    staff_fte: Fte = unused("Operations", "People who run both parts.")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat", "Cost of staff typed as a sum.")
    migration: Migration = Migration()
