"""What a site, or the part of it that is rented, can take: power and rack units."""

from __future__ import annotations

from pydantic import Field

from capmodels.plans.document.fields import PositiveCount, PowerKwPositive
from capmodels.spec import Params


class Envelope(Params):
    """Limits of the place where a cluster stands; the plan says when they are exhausted."""

    power_kw: PowerKwPositive | None = Field(
        default=None,
        title="Power of the site",
        description="Contracted power that all racks together may draw, cooling aside. "
        "Empty: no limit.",
    )
    rack_units_count: PositiveCount | None = Field(
        default=None,
        title="Rack units of the site",
        description="Places of one unit in all racks, 42 in a common one. Empty: no limit.",
    )
