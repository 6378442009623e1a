"""A disk array as a design of its own: storage without servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.bounded import (
    UsdPerYear,
)
from capmodels.plans.document.envelope import Envelope
from capmodels.plans.document.fields import (
    FromOneRatio,
    Fte,
    Letter,
    MonthsFromOne,
    Name,
    PositiveRatio,
    RateFraction,
    unused,
)
from capmodels.plans.document.owned import (
    Finance,
    Migration,
    OwnedFields,
    Purchase,
    Racks,
    Salvage,
    Space,
    Support,
)
from capmodels.plans.document.tiering import Tiering, tiering_field
from capmodels.spec import Params, assumed, blank
from capmodels.units import Pue

if TYPE_CHECKING:
    from typing import Any


class DiskArray(Params):
    """Arrays of one kind that hold the workload's data and serve its requests."""

    letter: Letter
    title: Name
    kind: Literal["disk_array"]
    array: ArraySpec
    tiering: Tiering | None = tiering_field()
    hardware_price_ratio: PositiveRatio = assumed(
        1.0,
        "All hardware prices of this design over those entered.",
        source="Prices as entered",
        low=0.7,
        high=1.3,
        title="Part prices",
    )
    racks: Racks = Racks()
    envelope: Envelope = Field(default=Envelope(), title="Limits of the site")
    space: Space = Space()
    support: Support = Field(default=Support(), title="Maintenance and support")
    spares_fraction_per_year: RateFraction = unused(
        "Spares", "Spare parts a year as a share of the price of what is installed."
    )
    staff_fte: Fte = unused("Operations", "People who run it.")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat", "Cost of staff typed as a sum.")
    migration: Migration = Migration()
    finance: Finance = Field(default=Purchase(), title="Buy or lease")
    salvage: Salvage = Salvage()
    refresh_months: MonthsFromOne | None = blank(
        "Age at which the array is replaced. Empty: not within the horizon."
    )
    pue: Pue | None = blank("Empty: as assumed for all.")
    provision_ratio: FromOneRatio = assumed(
        1.0, source="Contracted at peak power", title="Provisioned over drawn power"
    )

    def as_owned(self) -> OwnedFields:
        """The same as an owned cluster without nodes, by which it is costed."""
        names = OwnedFields.model_fields.keys() & type(self).model_fields.keys()
        shared: dict[str, Any] = {name: getattr(self, name) for name in names}
        return OwnedFields.model_construct(node_groups=(), **shared)
