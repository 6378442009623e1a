"""How the power of a family of servers rises with load, fitted to measured servers.

Of each family's measured servers, in order of date, every third is held out: the others give
the shape, the held-out ones the error. The split is by server and fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import TYPE_CHECKING, Literal

from capmodels.power.measured_servers import LOADS, MeasuredServer, servers

if TYPE_CHECKING:
    from collections.abc import Callable

Family = Literal[
    "core",
    "opteron",
    "nehalem",
    "entry",
    "sandy_bridge",
    "haswell",
    "skylake",
    "ice_lake",
    "zen2",
    "zen4",
]
TITLES: dict[Family, str] = {
    "core": "Xeon 3000, 5100 to 5400 and 7300, 2006 to 2009",
    "opteron": "Opteron 2000, 6000 and 8000, 2008 to 2012",
    "nehalem": "Xeon 5500, 5600 and 7500, 2009 to 2011",
    "entry": "one-socket Xeon 3400, E3 and E-2000, 2010 to 2024",
    "sandy_bridge": "Xeon E5 and E5 v2, 2012 to 2014",
    "haswell": "Xeon E5 v3 and v4, 2014 to 2016",
    "skylake": "Xeon Scalable of the first two generations and 8300H, 2017 to 2020",
    "ice_lake": "Xeon Scalable of the third to fifth generation, 2021 to 2024",
    "zen2": "EPYC 7002 and 7003, 2019 to 2022",
    "zen4": "EPYC 9004 and 9005, 2022 to 2025",
}
SPLIT = 3
ERROR_LOADS = (0.1, 0.2, 0.3, 0.5)


@dataclass(frozen=True, slots=True)
class TwoSegments:
    """Where a jump at low load ends, and the share of the range that it reaches."""

    knee_utilization_fraction: float
    knee_range_fraction: float


@cache
def fitted(family: Family) -> tuple[MeasuredServer, ...]:
    """Servers of a family that its shape is fitted to."""
    return tuple(server for index, server in enumerate(_all(family)) if index % SPLIT != SPLIT - 1)


@cache
def held_out(family: Family) -> tuple[MeasuredServer, ...]:
    """Servers of a family that its shape has not seen."""
    return tuple(server for index, server in enumerate(_all(family)) if index % SPLIT == SPLIT - 1)


def _all(family: Family) -> list[MeasuredServer]:
    return [server for server in servers() if server.family == family]


@cache
def shape(family: Family) -> tuple[float, ...]:
    """Share of the way from idle to full power at the loads of ``LOADS``: medians.

    Rising, as the median of rising curves is; 0 at idle and 1 at full load.
    """
    columns = zip(*(server.range_fractions for server in fitted(family)), strict=True)
    return tuple(median(column) for column in columns)


def range_fraction(family: Family, utilization_fraction: float) -> float:
    """Share of the way from idle to full power at a load, straight between tenths."""
    known = shape(family)
    step = min(int(utilization_fraction * (len(LOADS) - 1)), len(LOADS) - 2)
    part = utilization_fraction * (len(LOADS) - 1) - step
    return known[step] + (known[step + 1] - known[step]) * part


@cache
def two_segments(family: Family) -> TwoSegments:
    """Two segments with the least squared relative error in watts at the fitted servers' loads.

    At a knee the share is linear in the error, so that each of the knees, at steps of 5% of
    load, has its best share in closed form.
    """
    return min((_best_share(step / 20, family) for step in range(1, 20)), key=lambda row: row[0])[1]


def _best_share(knee: float, family: Family) -> tuple[float, TwoSegments]:
    """Squared error and the segments with the best share at a knee."""
    slopes = [segments_range_fraction(TwoSegments(knee, 1.0), load) for load in LOADS]
    bases = [segments_range_fraction(TwoSegments(knee, 0.0), load) for load in LOADS]
    rows = [
        ((slope - base) * weight, (share - base) * weight)
        for server in fitted(family)
        for slope, base, share, weight in zip(
            slopes, bases, server.range_fractions, _weights(server), strict=True
        )
    ]
    best = sum(a * b for a, b in rows) / sum(a * a for a, _ in rows)
    best = min(max(best, 0.0), 1.0)
    return sum((best * a - b) ** 2 for a, b in rows), TwoSegments(knee, best)


def _weights(server: MeasuredServer) -> list[float]:
    span = server.power_w[-1] - server.power_w[0]
    return [span / watts for watts in server.power_w]


def segments_range_fraction(segments: TwoSegments, utilization_fraction: float) -> float:
    """Share of the way from idle to full power on two segments."""
    knee, share = segments.knee_utilization_fraction, segments.knee_range_fraction
    if utilization_fraction <= knee:
        return share * utilization_fraction / knee
    return share + (1 - share) * (utilization_fraction - knee) / (1 - knee)


def held_out_errors(
    range_of: Callable[[Family, float], float], family: Family | None = None
) -> dict[float, list[float]]:
    """Relative errors in watts at 10, 20, 30 and 50% load of servers not fitted.

    ``range_of(family, load)`` says the share of the way from idle to full power; idle and
    full power are the server's own. Of one family, or of all.
    """
    families = TITLES if family is None else (family,)
    found: dict[float, list[float]] = {load: [] for load in ERROR_LOADS}
    for name in families:
        for server in held_out(name):
            idle, full = server.power_w[0], server.power_w[-1]
            for load in ERROR_LOADS:
                measured = server.power_w[LOADS.index(load)]
                ours = idle + (full - idle) * range_of(name, load)
                found[load].append(abs(ours - measured) / measured)
    return found
