"""A drive as it is described, held against a trace of its service times, with its tracks.

What the description leaves open is found on the first half of the trace: how fast the platter
turns and how tracks are skewed, where the given ones do not agree with when reads ended; which
rules the drive's own cache follows; overheads. See ``platter``, ``cache_rules`` and
``mechanics``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.calibration.cache_rules import choose_rules
from capmodels.storage.calibration.mechanics import Measured, Mechanics, first_half
from capmodels.storage.calibration.platter import AGREES, Platter, agreement_of, find_platter
from capmodels.storage.drive.geometry import cylinders_of
from capmodels.storage.drive.limits import TRACKS_MAX
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.simulator.build import seeks_by_cylinder
from capmodels.storage.simulator.on_board import bus_ms_per_sector, cache_of
from capmodels.storage.simulator.track_map import map_of_zones, zones_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.storage.drive.drives import HardDisk
    from capmodels.storage.drive.geometry import DiskGeometry

# Angles that are drawn need several runs, by whose distribution rules are then chosen.
_DRAWN_RUNS = 4


class Believed(NamedTuple):
    """A drive with what its trace says: described again, and as the replay takes it."""

    drive: HardDisk
    mechanics: Mechanics
    agreement_fraction: float
    found_skews: bool


def can_be_followed(drive: HardDisk) -> bool:
    """Whether a drive's tracks are known, and not too many to be held one by one."""
    geometry = drive.geometry
    return geometry is not None and cylinders_of(geometry) * geometry.surfaces_count <= TRACKS_MAX


def mechanics_of(drive: HardDisk, geometry: DiskGeometry) -> Mechanics:
    """Platter, arm and cache of a drive as it is described."""
    turn = revolution_ms(drive.speed_rpm)
    zones, surfaces = zones_of(geometry, turn), geometry.surfaces_count
    return Mechanics(
        tracks=map_of_zones(zones, surfaces_count=surfaces),
        seeks_ms=seeks_by_cylinder(drive, cylinders_of(geometry)),
        turn_ms=turn,
        head_switch_ms=drive.same_cylinder_ms,
        write_settle_ms=drive.write_settle_ms,
        cache=cache_of(drive.buffer, drive.measured),
        angles_known=geometry.follows_angle,
    )


def described_platter(drive: HardDisk, geometry: DiskGeometry) -> Platter:
    """Turn and skews as a drive is described; the agreement is not known."""
    turn = revolution_ms(drive.speed_rpm)
    surface = geometry.head_skew_ms / turn
    step = (geometry.surfaces_count - 1) * surface + geometry.cylinder_skew_ms / turn
    return Platter(turn, surface, step, 0.0)


def best_platter(drive: HardDisk, geometry: DiskGeometry, seen: Measured) -> tuple[Platter, bool]:
    """Turn and skews: the described ones when reads agree with them, else found from the reads."""
    given, surfaces = described_platter(drive, geometry), geometry.surfaces_count
    zones, pace = zones_of(geometry, given.turn_ms), bus_ms_per_sector(drive)
    agreed = agreement_of(zones, seen, given, surfaces_count=surfaces, pace_ms=pace)
    given = given._replace(agreement_fraction=agreed)
    if agreed >= AGREES:
        return given, False
    found = find_platter(zones, seen, surfaces_count=surfaces, turn_ms=given.turn_ms, pace_ms=pace)
    return (found, True) if found.agreement_fraction >= AGREES else (given, False)


def with_platter(drive: HardDisk, geometry: DiskGeometry, platter: Platter) -> DiskGeometry:
    """The same tracks with a platter's skews, whose angle is followed if reads agree with it."""
    turn, surface = platter.turn_ms, platter.surface_turns % 1.0
    rest = (platter.cylinder_turns - (geometry.surfaces_count - 1) * platter.surface_turns) % 1.0
    known = platter.agreement_fraction >= AGREES
    skews = {"head_skew_ms": surface * turn, "cylinder_skew_ms": rest * turn} if known else {}
    return geometry.model_copy(update={**skews, "follows_angle": known})


def believed(
    drive: HardDisk,
    geometry: DiskGeometry,
    measured: Measured,
    *,
    report: Callable[[int], None] = lambda _changed_count: None,
) -> Believed:
    """The drive with turn, skews and cache rules by the first half of a trace."""
    platter, found = best_platter(drive, geometry, first_half(measured))
    tracks = with_platter(drive, geometry, platter)
    changes = {"geometry": tracks, "speed_rpm": 60_000.0 / platter.turn_ms}
    again = drive.model_copy(update=changes if found else {"geometry": tracks})
    mechanics = mechanics_of(again, tracks)
    runs = 1 if mechanics.angles_known else _DRAWN_RUNS
    cache = choose_rules(mechanics, measured, runs_count=runs, report=report)
    if again.buffer is not None:
        whole = {"whole_tracks": cache.takes_whole_track}
        again = again.model_copy(update={"buffer": again.buffer.model_copy(update=whole)})
    return Believed(again, replace(mechanics, cache=cache), platter.agreement_fraction, found)
