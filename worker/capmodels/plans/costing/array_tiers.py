"""Data of a storage group by age: what each tier holds, the reads it gets, and what moves on.

Data leave at a rate r of what there is, whatever their age, so of what has come in a share
e^(-r a) is left at an age a. What came in by then is all that there was, S(t - a), so

    older(a, t) = S(t - a) e^(-r a)

is held by tiers from that age on, and in a year [t, t + 1] the amount
older(t + 1) - older(t) + r * mean of older moves past that age. S before the start is taken as
growing as it does at the start. All values may be arrays of draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import TINY, at_least, is_zero, minimum
from capmodels.plans.document.tiering import HOTTEST
from capmodels.units import (
    DAYS_PER_YEAR,
    HOURS_PER_YEAR,
    MB_PER_TB,
    MONTHS_PER_YEAR,
    SECONDS_PER_DAY,
    SECONDS_PER_HOUR,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.amounts import Amount
    from capmodels.plans.document.array_parts import IoMix
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.tiering import Tiering

    Stored = Callable[[Amount], Amount]  # all data, by month [TB]


class Moved(NamedTuple):
    """Shares of the time in which the drives of an array stream what moves, and how often a day."""

    out_fraction: Amount = 0.0
    in_fraction: Amount = 0.0
    batches_per_s: Amount = 0.0


# Moves wait for a batch a day, so that drives that sleep can go on sleeping.
BATCHES_PER_S = 1 / SECONDS_PER_DAY


def older_tb(stored: Stored, month: Amount, days: Amount, replaced_per_year: Amount) -> Amount:
    """Data of an age or older at a month. [TB]"""
    if is_zero(days):
        return stored(month)
    years = days / DAYS_PER_YEAR
    there = stored(month - years * MONTHS_PER_YEAR) * math.e ** (-replaced_per_year * years)
    return minimum(there, stored(month))


def moved_tb(stored: Stored, month: Amount, days: Amount, replaced_per_year: Amount) -> Amount:
    """Data that come to an age within the year that ends at a month. [TB/yr]"""
    first, middle, last = (
        older_tb(stored, month - back, days, replaced_per_year) for back in (12.0, 6.0, 0.0)
    )
    mean = (first + 4.0 * middle + last) / 6.0  # Simpson
    return at_least(last - first + replaced_per_year * mean, 0.0)


@dataclass(frozen=True, slots=True)
class Tier:
    """Ages of the data that one kind of arrays holds, and the reads that they get."""

    name: str
    place: int | None  # among the colder tiers; None where data enter
    from_days: Amount
    to_days: Amount | None
    reads_fraction: Amount
    replaced_per_year: Amount

    def held_tb(self, stored: Stored, month: Amount) -> Amount:
        """Data between its ages. [TB]"""
        held = older_tb(stored, month, self.from_days, self.replaced_per_year)
        if self.to_days is None:
            return held
        colder = older_tb(stored, month, self.to_days, self.replaced_per_year)
        return at_least(held - colder, 0.0)

    def moved_in_tb(self, stored: Stored, month: Amount) -> Amount:
        """Data that come from the tier before it, in the year up to a month. [TB/yr]"""
        if self.place is None:
            return 0.0
        return moved_tb(stored, month, self.from_days, self.replaced_per_year)

    def moved_out_tb(self, stored: Stored, month: Amount) -> Amount:
        """Data that go on to a colder one, in the year up to a month. [TB/yr]"""
        if self.to_days is None:
            return 0.0
        return moved_tb(stored, month, self.to_days, self.replaced_per_year)

    def requests_fraction(self, mix: IoMix) -> Amount:
        """Share of all requests: reads by age; every write enters the hottest."""
        writes = 1.0 - mix.read_fraction if self.place is None else 0.0
        return writes + mix.read_fraction * self.reads_fraction

    def mix_of(self, mix: IoMix) -> IoMix:
        """What its requests look like."""
        reads = mix.read_fraction * self.reads_fraction
        own = 1.0 if self.place is not None else reads / at_least(self.requests_fraction(mix), TINY)
        return mix.model_copy(update={"read_fraction": own})


def tiers_of(array: ArraySpec, tiering: Tiering) -> list[tuple[ArraySpec, Tier]]:
    """Return every kind of arrays, the hottest first, with its ages.

    Drawn ages and shares are kept in order by the less of neighbours: no data get more reads
    than all data of their age or older.
    """
    reads, days = [1.0], [0.0]
    for colder in tiering.colder:
        reads.append(minimum(reads[-1], colder.older_reads_fraction))
        days.append(colder.from_days)
    arrays = [array] + [
        colder.array.model_copy(update={"carries": array.carries, "io": array.io})
        for colder in tiering.colder
    ]
    names = [HOTTEST, *(colder.name for colder in tiering.colder)]
    last = len(names) - 1
    return [
        (
            arrays[at],
            Tier(
                name=name,
                place=at - 1 if at else None,
                from_days=days[at],
                to_days=days[at + 1] if at < last else None,
                reads_fraction=reads[at] - (reads[at + 1] if at < last else 0.0),
                replaced_per_year=tiering.replaced_fraction_per_year,
            ),
        )
        for at, name in enumerate(names)
    ]


def mb_per_s(tb_per_year: Amount) -> Amount:
    """Mean rate of so much a year. [MB/s]"""
    return tb_per_year * MB_PER_TB / (HOURS_PER_YEAR * SECONDS_PER_HOUR)
