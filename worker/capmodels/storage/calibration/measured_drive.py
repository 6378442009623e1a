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
from capmodels.storage.calibration.platter import (
    AGREES,
    CYLINDER_SKEW,
    START,
    STRETCH_SKEW,
    SURFACE_SKEW,
    Platter,
    agreed,
    described_platter,
    find_platter,
    spun,
    write_end_ms,
)
from capmodels.storage.drive.geometry import cylinders_of
from capmodels.storage.drive.limits import TRACKS_MAX
from capmodels.storage.drive.service import revolution_ms
from capmodels.storage.simulator.build import seeks_by_cylinder
from capmodels.storage.simulator.on_board import cache_of
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


def best_platter(
    drive: HardDisk, geometry: DiskGeometry, seen: Measured
) -> tuple[Platter, bool, float]:
    """Turn and skews, those described when reads agree with them, else found from the reads.

    Also whether they were found, and by how much later a write is answered than a read. [ms]
    """
    turn, surfaces = revolution_ms(drive.speed_rpm), geometry.surfaces_count
    disk = spun(zones_of(geometry, turn), seen, surfaces_count=surfaces, turn_ms=turn)
    best, pace = agreed(disk, described_platter(disk))
    found = best.agreement_fraction < AGREES
    if found:
        best = max(best, find_platter(disk), key=lambda one: one.agreement_fraction)
        found = best.agreement_fraction >= AGREES
        pace = agreed(disk, best)[1]
    return best, found, write_end_ms(disk, best, pace)


def with_platter(geometry: DiskGeometry, platter: Platter) -> DiskGeometry:
    """The same tracks with skews that were found, the same time on all zones."""
    surface, step = platter.skews_turns[0, [SURFACE_SKEW, CYLINDER_SKEW]]
    rest = (step - (geometry.surfaces_count - 1) * surface) % 1.0
    zones = tuple(
        zone.model_copy(
            update={
                "head_skew_count": None,
                "cylinder_skew_count": None,
                "stretch_skew_count": float(skews[STRETCH_SKEW]) * zone.sectors_per_track_count,
                "offset_count": float(skews[START]) * zone.sectors_per_track_count,
            }
        )
        for zone, skews in zip(geometry.zones, platter.skews_turns, strict=True)
    )
    turn = platter.turn_ms
    skews = {"head_skew_ms": float(surface) * turn, "cylinder_skew_ms": float(rest) * turn}
    return geometry.model_copy(update={**skews, "zones": zones})


def believed(
    drive: HardDisk,
    geometry: DiskGeometry,
    measured: Measured,
    *,
    report: Callable[[int], None] = lambda _changed_count: None,
) -> Believed:
    """The drive with turn, skews and cache rules by the first half of a trace."""
    platter, found, write_end = best_platter(drive, geometry, first_half(measured))
    tracks = with_platter(geometry, platter) if found else geometry
    follows = platter.agreement_fraction >= AGREES
    tracks = tracks.model_copy(update={"follows_angle": follows})
    changes = {"speed_rpm": 60_000.0 / platter.turn_ms} if found else {}
    again = drive.model_copy(update={**changes, "geometry": tracks})
    mechanics = mechanics_of(again, tracks)
    if follows and not mechanics.cache.writes_behind:
        mechanics = replace(mechanics, cache=mechanics.cache._replace(write_end_ms=write_end))
    runs = 1 if mechanics.angles_known else _DRAWN_RUNS
    cache = choose_rules(mechanics, measured, runs_count=runs, report=report)
    if again.buffer is not None:
        whole = {"whole_tracks": cache.takes_whole_track}
        again = again.model_copy(update={"buffer": again.buffer.model_copy(update=whole)})
    return Believed(again, replace(mechanics, cache=cache), platter.agreement_fraction, found)
