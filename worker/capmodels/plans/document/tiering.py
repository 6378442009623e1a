"""Colder arrays of a storage group, to which data move as they age."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, model_validator

from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.fields import Finding, Name, refuse
from capmodels.spec import Params, assumed, blank
from capmodels.units import Fraction, Real, of_unit

if TYPE_CHECKING:
    from collections.abc import Iterator

AgeDays = Annotated[Real, of_unit("days", gt=0, le=36_500)]
ReplacedPerYear = Annotated[Real, of_unit("fraction/yr", ge=0, le=100)]


# The tier that data enter.
HOTTEST = "Hot"


class ColderTier(Params):
    """An array that holds data from an age on, up to that of the next colder one."""

    name: Name = "Warm"
    from_days: AgeDays = assumed(
        30.0,
        "Data move here once they are so old.",
        source="A month",
        low=10.0,
        high=50.0,
        title="From an age of",
    )
    older_reads_fraction: Fraction = assumed(
        0.1,
        "Share of all reads, those of the tiers colder than this one included.",
        source="Reads of week-old photos are a tenth of those of a day (Muralidhar, OSDI 2014)",
        low=0.02,
        high=0.18,
        title="Reads of data so old or older",
    )
    array: ArraySpec = Field(
        description="Its data and requests are those of its ages, so its own I/O load stays empty."
    )


class Tiering(Params):
    """Data placed by age: new data enter the array above, and move on as they grow old."""

    replaced_fraction_per_year: ReplacedPerYear = assumed(
        0.2,
        "Data deleted in a year, of whatever age, and written anew, over all data. 0: "
        "nothing is deleted, and only growth enters.",
        source="Data kept for five years",
        low=0.0,
        high=0.4,
        title="Data replaced a year",
    )
    colder: tuple[ColderTier, ...] = Field(
        title="Colder tiers", description="The youngest age first.", min_length=1, max_length=4
    )

    @model_validator(mode="after")
    def _consistent(self) -> Tiering:
        refuse([*_order_findings(self.colder), *_load_findings(self.colder)])
        return self


def tiering_field() -> Any:
    """Say how data of an array are placed by age, beside the array that they enter."""
    return blank(
        "Data enter the array above and move to colder ones as they age. Empty: they stay.",
        title="Tiers by age",
    )


def _order_findings(colder: tuple[ColderTier, ...]) -> Iterator[Finding]:
    """Find tiers that are not older than those before, or that more reads go to."""
    for index, (before, here) in enumerate(pairwise(colder), 1):
        at = ("colder", index)
        if here.from_days <= before.from_days:
            sentence = (
                f"The tier before holds data from {before.from_days:g} days on. "
                "Enter a greater age, or change their order."
            )
            yield Finding((*at, "from_days"), "not_older", sentence, here.from_days)
        if here.older_reads_fraction > before.older_reads_fraction:
            sentence = (
                f"Data older than {before.from_days:g} days get {before.older_reads_fraction:g} "
                "of all reads, so older ones get no more. Enter at most as much."
            )
            yield Finding(
                (*at, "older_reads_fraction"), "too_many", sentence, here.older_reads_fraction
            )
    names = [HOTTEST.lower(), *(tier.name.lower() for tier in colder)]
    for index, name in enumerate(names[1:]):
        if name in names[: index + 1]:
            sentence = f"Another tier is called {name}. Enter another name."
            yield Finding(("colder", index, "name"), "not_unique", sentence, colder[index].name)


def _load_findings(colder: tuple[ColderTier, ...]) -> Iterator[Finding]:
    for index, tier in enumerate(colder):
        if tier.array.io is not None:
            sentence = (
                "A colder tier gets the reads of data of its age. Leave its own I/O load empty."
            )
            yield Finding(("colder", index, "array", "io"), "unused", sentence)
