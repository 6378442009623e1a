"""What a site, or the part of it that is rented, can take: power and rack units."""

from __future__ import annotations

from capmodels.plans.document.fields import PositiveCount, PowerKwPositive
from capmodels.spec import Params, blank


class Envelope(Params):
    """Limits of the place where a cluster stands; the plan says when they are exhausted."""

    power_kw: PowerKwPositive | None = blank(
        "Contracted power that all racks together may draw, cooling aside. Empty: no limit.",
        title="Power of the site",
    )
    rack_units_count: PositiveCount | None = blank(
        "Places of one unit in all racks, 42 in a common one. Empty: no limit.",
        title="Rack units of the site",
    )
