"""How the power of a family of servers rises with load, fitted to measured servers.

Of each family's measured servers, in order of date, every third is held out: the others give
the shape, the held-out ones the error. The split is by server and fixed.

Since 2019 an idle server sleeps deeper than one with any load, and how deep is a matter of
firmware: power under load follows full power, and idle power in part only. That part is one
number of a family, chosen among the fitted servers by leaving out one at a time. How a family's
newer members differ is not seen at idle and full load; one reading under load shows it, and so
does the mean power of a published SPECpower result.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import mean, median
from typing import TYPE_CHECKING, Literal

from capmodels.amounts import at_least
from capmodels.power.corners import measured_w, through_mean, through_reading
from capmodels.power.measured_servers import LOADS, MeasuredServer, servers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import AmountT

Family = Literal[
    "core",
    "opteron",
    "nehalem",
    "entry",
    "sandy_bridge",
    "haswell",
    "coffee_lake",
    "skylake",
    "ice_lake",
    "sapphire_rapids",
    "rocket_lake",
    "zen1",
    "zen2",
    "zen3",
    "zen4",
]
TITLES: dict[Family, str] = {
    "core": "Xeon 3000, 5100 to 5400 and 7300, 2006 to 2009",
    "opteron": "Opteron 2000, 6000 and 8000, 2008 to 2012",
    "nehalem": "Xeon 5500, 5600 and 7500, 2009 to 2011",
    "entry": "one-socket Xeon 3400 and E3 to v3, 2010 to 2014",
    "sandy_bridge": "Xeon E5 and E5 v2, 2012 to 2014",
    "haswell": "Xeon E5 v3 and v4, 2014 to 2017",
    "coffee_lake": "one-socket Xeon E3 v5 and v6, E-2100 and E-2200, 2015 to 2020",
    "skylake": "Xeon Scalable of the first two generations and 8300H, 2017 to 2021",
    "ice_lake": "Xeon Scalable of the third generation, 2021 to 2022",
    "sapphire_rapids": "Xeon Scalable of the fourth and fifth generation, 2023 to 2024",
    "rocket_lake": "one-socket Xeon E-2300 and E-2400, 2021 to 2024",
    "zen1": "EPYC 7001, 2017 to 2019",
    "zen2": "EPYC 7002, 2019 to 2021",
    "zen3": "EPYC 7003, 2021 to 2022",
    "zen4": "EPYC 9004 and 9005, 2022 to 2025",
}
SOLD_SINCE_2017: tuple[Family, ...] = (
    *("coffee_lake", "skylake", "ice_lake", "sapphire_rapids", "rocket_lake"),
    *("zen1", "zen2", "zen3", "zen4"),
)
SPLIT = 3
ERROR_LOADS = (0.1, 0.2, 0.3, 0.5)
# Where fitted servers, each left out in turn, are off by the most of their full power: there a
# mean that is off is laid.
RESULT_LOAD = 0.6
# What holds a curve besides idle and full power: a reading at a load, or a result's mean.
HeldBy = float | Literal["result"] | None
# Parts of idle power that are tried, the whole first; fewer servers cannot choose.
_IDLE_PARTS = tuple(step / 10 for step in range(10, -1, -1))
_CHOOSING_LEAST = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """The part of idle power that stays under load, and the way from there to full power.

    ``idle_share_most`` is the greatest share of full power at which any of its servers idles.
    """

    idle_part: float
    range_fractions: tuple[float, ...]
    idle_share_most: float

    @property
    def weights(self) -> tuple[tuple[float, float], ...]:
        """What idle and full power are multiplied by at each of ``LOADS``."""
        loaded = ((self.idle_part * (1 - way), way) for way in self.range_fractions[1:])
        return ((1.0, 0.0), *loaded)


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
def shape(family: Family, by_result: bool = False) -> Shape:
    """The fitted shape of a family. Its way to full power rises, as medians of rising ways do.

    Its part of idle power is chosen for curves as they are held, ``by_result`` to a mean or not.
    """
    return _fitted_to(fitted(family), by_result)


def _fitted_to(known: Sequence[MeasuredServer], by_result: bool) -> Shape:
    return _shape_of(known, _idle_part(known, by_result))


def _shape_of(known: Sequence[MeasuredServer], idle_part: float) -> Shape:
    ways = [_ways(server, idle_part) for server in known]
    return _median_of(ways, idle_part, known[0].family)


def _median_of(ways: Sequence[Sequence[float]], idle_part: float, family: str) -> Shape:
    medians = tuple(median(column) for column in zip(*ways, strict=True))
    return Shape(idle_part, medians, _idle_share_most(family))


@cache
def _idle_share_most(family: str) -> float:
    return max(one.power_w[0] / one.power_w[-1] for one in servers() if one.family == family)


def _ways(server: MeasuredServer, idle_part: float) -> list[float]:
    """Share of the way from a part of idle power to full power at each of ``LOADS``."""
    base, full = idle_part * server.power_w[0], server.power_w[-1]
    return [0.0, *((watts - base) / (full - base) for watts in server.power_w[1:])]


def _idle_part(known: Sequence[MeasuredServer], by_result: bool) -> float:
    """The part of idle power with the least error on servers, each left out in turn."""
    if len(known) < _CHOOSING_LEAST:
        return _IDLE_PARTS[0]
    return min(_IDLE_PARTS, key=lambda part: _left_out_error(known, part, by_result))


def _left_out_error(known: Sequence[MeasuredServer], idle_part: float, by_result: bool) -> float:
    """Mean relative error of servers by the shape of the others."""
    errors = []
    ways = [_ways(server, idle_part) for server in known]
    for index, server in enumerate(known):
        others = _median_of([*ways[:index], *ways[index + 1 :]], idle_part, server.family)
        ours = _held(_between_ends(others, server), server, "result" if by_result else None)
        errors += [
            abs(watts / power_w - 1)
            for (_, watts), power_w in zip(ours, server.power_w, strict=True)
        ]
    return sum(errors) / len(errors)


def corners_of(known: Shape, idle_w: AmountT, full_w: AmountT) -> list[tuple[float, AmountT]]:
    """Load and power at each of ``LOADS``. [W]

    What a server idles above those measured is taken as drawn at every load, by drives, memory and
    cards that those have not. Definition, ours.
    """
    most = known.idle_share_most
    added_w = at_least((idle_w - full_w * most) / (1.0 - most), 0.0)
    low_w, high_w = idle_w - added_w, full_w - added_w
    return [
        (load, added_w + low_w * idle + high_w * full)
        for load, (idle, full) in zip(LOADS, known.weights, strict=True)
    ]


def _between_ends(known: Shape, server: MeasuredServer) -> list[tuple[float, float]]:
    return corners_of(known, server.power_w[0], server.power_w[-1])


def _held(
    corners: list[tuple[float, float]], server: MeasuredServer, by: HeldBy
) -> list[tuple[float, float]]:
    """A curve held to what is known of a server besides its ends."""
    if by is None:
        return corners
    if by == "result":
        return through_mean(corners, mean(server.power_w), RESULT_LOAD)
    return through_reading(corners, by, server.power_w[LOADS.index(by)])


def family_w(family: Family, idle_w: float, full_w: float, utilization_fraction: float) -> float:
    """Power at a load of a server of a family, straight between tenths. [W]"""
    watts: float = measured_w(corners_of(shape(family), idle_w, full_w), utilization_fraction)
    return watts


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
    power_of: Callable[[Family, float, float, float], float], family: Family | None = None
) -> dict[float, list[float]]:
    """Relative errors in watts at 10, 20, 30 and 50% load of servers not fitted.

    ``power_of(family, idle, full, load)`` says the watts; idle and full power are the server's
    own. Of one family, or of all.
    """
    families = TITLES if family is None else (family,)
    found: dict[float, list[float]] = {load: [] for load in ERROR_LOADS}
    for name in families:
        for server in held_out(name):
            idle, full = server.power_w[0], server.power_w[-1]
            for load in ERROR_LOADS:
                measured = server.power_w[LOADS.index(load)]
                found[load].append(abs(power_of(name, idle, full, load) - measured) / measured)
    return found


@cache
def rotated_ratios(family: Family, by: HeldBy = None) -> dict[float, tuple[float, ...]]:
    """The curve's watts over the measured ones of a family's servers, each third held out in turn.

    A third of a small family is one or two servers; in turn all are met by a shape, and by a
    part of idle power, that was fitted to the other two thirds alone. With a reading of a server
    at a tenth of load, from 0.1 to 0.9, its curve passes it, and the ratios at that load are 1;
    with its result, the curve has the mean of its eleven powers.
    """
    found: dict[float, list[float]] = {load: [] for load in ERROR_LOADS}
    for known, unseen in _turns(family, by == "result"):
        for server in unseen:
            ours = _held(_between_ends(known, server), server, by)
            for load in ERROR_LOADS:
                at = LOADS.index(load)
                found[load].append(ours[at][1] / server.power_w[at])
    return {load: tuple(ratios) for load, ratios in found.items()}


@cache
def rotated_errors(family: Family, by: HeldBy = None) -> dict[float, tuple[float, ...]]:
    """Relative errors in watts of every server of a family, each third held out in turn."""
    found = rotated_ratios(family, by)
    return {load: tuple(abs(ratio - 1) for ratio in ratios) for load, ratios in found.items()}


@cache
def _turns(family: Family, by_result: bool) -> list[tuple[Shape, list[MeasuredServer]]]:
    """The servers held out in each turn, and the shape of the others."""
    every = _all(family)
    return [
        (
            _fitted_to(
                [one for index, one in enumerate(every) if index % SPLIT != turn], by_result
            ),
            every[turn::SPLIT],
        )
        for turn in range(SPLIT)
    ]


@cache
def rotated_median(family: Family, by: HeldBy = None) -> float:
    """Median of a family's errors at the four loads, each third of its servers held out.

    With a reading, at those of the four loads that are not its own.
    """
    found = rotated_errors(family, by)
    return median(error for load, errors in found.items() if load != by for error in errors)
