"""When a site is exhausted: what a design takes of its power and rack units, year by year."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Literal

from capmodels.amounts import as_number
from capmodels.numbers import percent
from capmodels.plans.comparison import Remark
from capmodels.plans.costing.array_cost import rack_units
from capmodels.plans.costing.group_plan import equipment_count
from capmodels.plans.costing.owned_cost import provisioned_kw
from capmodels.plans.place_figures import EnvelopeFigures, EnvelopeYear
from capmodels.plans.words import three_digits
from capmodels.told import listed

if TYPE_CHECKING:
    from capmodels.plans.costing.owned_cost import OwnedCase

NO_POWER = "The power of some nodes is not entered."
NO_HEIGHT = "The rack units of some nodes are not entered."
# Beyond this nobody plans, and a rate of growth does not hold.
LONGEST_YEARS = 30.0


@dataclass(frozen=True, slots=True)
class _Track:
    """One limit of a site, and what a design takes of it in each year."""

    name: Literal["power", "rack_units"]
    what: str
    unit: str
    limit: float
    taken: tuple[float | None, ...]
    unknown: str

    @property
    def known(self) -> list[float]:
        """What is taken, year by year; nothing where a year is unknown."""
        found = [amount for amount in self.taken if amount is not None]
        return found if len(found) == len(self.taken) else []

    @property
    def full_year(self) -> int | None:
        """First year, from 1, in which more is taken than there is."""
        over = (year for year, taken in enumerate(self.known, 1) if taken > self.limit * (1 + 1e-9))
        return next(over, None)

    @property
    def lasts_years(self) -> float | None:
        """Years until it is full if it grows on as from the first year to the last."""
        known = self.known
        if len(known) < 2 or known[0] <= 0 or known[-1] <= known[0]:
            return None
        a_year = log(known[-1] / known[0]) / (len(known) - 1)
        years = len(known) - 1 + log(self.limit / known[-1]) / a_year
        return years if years <= LONGEST_YEARS else None

    def used(self, year: int) -> str:
        """``48.0 of 40 kW``, of a year from 1."""
        return f"{three_digits(self.known[year - 1])} of {three_digits(self.limit)} {self.unit}"


def envelope_figures(case: OwnedCase) -> EnvelopeFigures | None:
    """What the site has left; None where no limit of it is entered."""
    tracks = _tracks(case)
    if not tracks:
        return None
    limits = case.owned.envelope
    unknown = [track.unknown for track in tracks if not track.known]
    full = [(track.full_year, track) for track in tracks if track.full_year is not None]
    year, first = min(full, key=lambda found: found[0], default=(None, None))
    lasting = [(track.lasts_years, track) for track in tracks if track.lasts_years is not None]
    left, next_full = min(lasting, key=lambda found: found[0], default=(None, None))
    binds = first or next_full
    return EnvelopeFigures(
        power_limit_kw=limits.power_kw,
        rack_units_limit_count=limits.rack_units_count,
        years=tuple(
            EnvelopeYear(year=at + 1, power_kw=_kw(case, at), rack_units_count=_units(case, at))
            for at in range(case.scene.years)
        ),
        full_year=year,
        lasts_years=None if full or unknown else left,
        limit=None if binds is None else binds.name,
        sentence=_sentence(tracks, year, first, left),
        reason=" ".join(unknown) or None,
    )


def envelope_remark(figures: EnvelopeFigures | None, letter: str) -> Remark | None:
    """What is told of a design that its site cannot take."""
    if figures is None or figures.full_year is None:
        return None
    field = "power_kw" if figures.limit == "power" else "rack_units_count"
    return Remark(sentence=figures.sentence, pointer=f"/designs/{letter}/envelope/{field}")


def _tracks(case: OwnedCase) -> list[_Track]:
    limits, years = case.owned.envelope, range(case.scene.years)
    tracks = []
    if limits.power_kw is not None:
        taken = tuple(_kw(case, year) for year in years)
        tracks.append(_Track("power", "power", "kW", limits.power_kw, taken, NO_POWER))
    if limits.rack_units_count is not None:
        taken = tuple(_units(case, year) for year in years)
        most = limits.rack_units_count
        tracks.append(_Track("rack_units", "rack space", "rack units", most, taken, NO_HEIGHT))
    return tracks


def _kw(case: OwnedCase, year: int) -> float | None:
    """Power contracted for all that stands there at a year's end; None when unknown. [kW]"""
    known = all(
        plan.group.power is not None or plan.group.provisioned_w is not None for plan in case.plans
    )
    return as_number(provisioned_kw(case, case.scene.year_end(year))) if known else None


def _units(case: OwnedCase, year: int) -> float | None:
    """Rack units that nodes, arrays and equipment take; None when a height is unknown."""
    units, at = 0.0, case.scene.year_end(year)
    for item in case.owned.equipment:
        units += as_number(equipment_count(item, case.plans, at)) * item.rack_units_count
    for plan in case.plans:
        if plan.group.rack_units_count is None:
            return None
        units += as_number(plan.counts[at]) * plan.group.rack_units_count
    for arrays in case.arrays:
        height = rack_units(arrays.array)
        units += as_number(arrays.total(at, height, height))
    return units


def _sentence(
    tracks: list[_Track], year: int | None, first: _Track | None, left: float | None
) -> str:
    if year is not None and first is not None:
        return (
            f"The site's {first.what} is exhausted in year {year}: {first.used(year)}. "
            "Enter a larger site, or smaller nodes."
        )
    known = [track for track in tracks if track.known]
    if not known:
        return "When the site is full is unknown."
    shares = [f"{percent(track.known[-1] / track.limit)} of the {track.what}" for track in known]
    told = f"The site holds it throughout: {listed(shares)} at the end."
    if left is None:
        return told
    return f"{told} Growing on like this, it is full after {three_digits(left)} years."
