"""What the comparison says of a design's place, its data rates, and who shares its cost."""

from __future__ import annotations

from typing import Literal

from capmodels.spec import Result


class EnvelopeYear(Result):
    """Power contracted and rack units taken in one year; None where it is not known."""

    year: int
    power_kw: float | None
    rack_units_count: float | None


class EnvelopeFigures(Result):
    """What a site has left, year by year, and when it is exhausted.

    ``full_year`` is the first year of the horizon in which the design no longer fits;
    ``lasts_years`` how long it fits if it grows on after the horizon as within it.
    """

    power_limit_kw: float | None
    rack_units_limit_count: float | None
    years: tuple[EnvelopeYear, ...]
    full_year: int | None
    lasts_years: float | None
    limit: Literal["power", "rack_units"] | None
    sentence: str
    reason: str | None = None


class IoFigures(Result):
    """How fast all disks of a design can be read in its last year, and what the work asks."""

    disks_mb_per_s: float | None
    network_mb_per_s: float | None
    ceiling_mb_per_s: float | None
    limit: Literal["disk", "network", "controller"] | None
    needed_mb_per_s: float | None
    used_fraction: float | None
    read_all_h: float | None
    reasons: dict[str, str]


class TeamCost(Result):
    """What a team, an account or a tag bears of a design's cost."""

    name: str
    compute_usd: float
    storage_usd: float
    total_usd: float
    share_fraction: float
