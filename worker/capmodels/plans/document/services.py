"""Lines of a design for services that nothing here sizes: bought by the month."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from capmodels.plans.document.bounded import UsdPerMonth
from capmodels.plans.document.fields import IsoDate, Name, Note, refuse, unique
from capmodels.spec import Params, blank, preset

GrowsWith = Literal["nothing", "cores", "ram", "block", "object", "archive", "transfer", "gpus"]


class ServiceLine(Params):
    """A managed database, cache, search, CDN or software as a service."""

    name: Name = Field(title="Service")
    usd_per_month: UsdPerMonth = Field(title="Price a month", description="Today.")
    grows_with: GrowsWith = preset(
        "nothing", "The kind of demand that its amount grows with, at that demand's rate."
    )
    vendor: Name | None = blank(
        "Empty: the cloud provider of the design, whose discount on the bill and "
        "support plan then hold for it as well."
    )
    source: Note | None = blank("Where the amount is from: a bill, a quote.")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


def _told_apart(lines: tuple[ServiceLine, ...]) -> tuple[ServiceLine, ...]:
    refuse(unique([line.name for line in lines], (), "name"))
    return lines


ServiceLines = Annotated[
    tuple[ServiceLine, ...],
    Field(
        title="Other services",
        description="What the work uses besides: managed databases, caches, search, CDN, "
        "software as a service.",
        max_length=32,
    ),
    AfterValidator(_told_apart),
]
