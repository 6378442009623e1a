"""Draws sets of bad sectors after the patterns of eight drives (Huang 2006, chapter 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from capmodels.reliability.platter import Geometry, Platter, ZoneOfTracks

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

Pattern = Literal[
    "scratch", "track_start_cluster", "run", "crossing_scratch", "scatter", "servo", "uniform"
]
# Of the WD400BB: sectors from a bad one to the next on the following track, of its 884.
CROSSING_STEP_SHARE = 740 / 884


def scratch(platter: Platter, dice: random.Random) -> set[int]:
    """A line on one surface over 24 to 60 cylinders, now and then on the facing surface too."""
    tracks = min(dice.randint(24, 60), platter.cylinders)
    cylinder = dice.randrange(platter.cylinders - tracks + 1)
    surface = dice.randrange(platter.surfaces)
    offset = dice.randrange(platter.track_length(cylinder * platter.surfaces))
    bad: set[int] = set()
    for _ in range(tracks):
        track = cylinder * platter.surfaces + surface
        width = dice.randint(1, 20)
        bad |= _stretch(platter, track, offset, width)
        if dice.random() < 0.45:
            facing = (surface + dice.choice((-1, 1))) % platter.surfaces
            beside = cylinder * platter.surfaces + facing
            bad |= _stretch(platter, beside, offset, dice.randint(1, width))
        offset -= platter.surface_skew(track) + dice.randint(15, 20)
        cylinder += 1
    return bad


def track_start_cluster(platter: Platter, dice: random.Random) -> set[int]:
    """Some 1,800 sectors of one surface and a neighbor, in the outer zone, near track starts."""
    first, after = platter.tracks_of_zone(0)
    surface = dice.randrange(platter.surfaces)
    cylinders = (after - first) // platter.surfaces
    width = min(cylinders, 60)
    start = dice.randrange(cylinders - width + 1)
    depth = max(platter.per_track[0] // 10, 1)
    wanted = min(1800, width * depth)
    bad: set[int] = set()
    while len(bad) < wanted:
        near = surface if dice.random() < 0.85 else (surface + 1) % platter.surfaces
        track = (start + dice.randrange(width)) * platter.surfaces + near
        bad |= _stretch(platter, track, min(int(dice.expovariate(3 / depth)), depth - 1), 1)
    return bad


def run(platter: Platter, dice: random.Random, sectors: int) -> set[int]:
    """Consecutive sectors."""
    start = dice.randrange(max(platter.sectors - sectors, 1))
    return set(range(start, min(start + sectors, platter.sectors)))


def crossing_scratch(platter: Platter, dice: random.Random) -> set[int]:
    """A line over consecutive tracks of all surfaces, at a constant step of the sector's number."""
    tracks = platter.cylinders * platter.surfaces
    count = min(dice.randint(20, 100), tracks)
    track = dice.randrange(tracks - count + 1)
    offset = dice.randrange(platter.track_length(track))
    bad: set[int] = set()
    for index in range(count):
        per_track = platter.track_length(track + index)
        bad |= _stretch(platter, track + index, offset, dice.randint(1, 3))
        offset += round(CROSSING_STEP_SHARE * per_track) - per_track
    return bad


def scatter(platter: Platter, dice: random.Random) -> set[int]:
    """80 to 220 sectors in three or four zones, 40% to 75% of them beside another on its track."""
    zones = dice.sample(
        range(len(platter.per_track)), min(dice.randint(3, 4), len(platter.per_track))
    )
    wanted, paired = dice.randint(80, 220), dice.uniform(0.4, 0.75)
    bad: set[int] = set()
    while len(bad) < wanted:
        low, high = platter.tracks_of_zone(dice.choice(zones))
        track = dice.randrange(low, high)
        alone = dice.random() > paired / (2 - paired)
        for _ in range(1 if alone else 2):
            bad |= _stretch(platter, track, dice.randrange(platter.track_length(track)), 1)
    return bad


def servo(platter: Platter, dice: random.Random) -> set[int]:
    """Pairs on two surfaces at every second cylinder, some 110 sectors over seven zones."""
    zones = dice.sample(range(len(platter.per_track)), min(7, len(platter.per_track)))
    low = dice.randrange(platter.surfaces)
    high = (low + platter.surfaces // 2 + 1) % platter.surfaces
    bad: set[int] = set()
    each = max(110 // (2 * len(zones)), 1)
    for zone in zones:
        first, after = platter.tracks_of_zone(zone)
        cylinders = (after - first) // platter.surfaces
        span = min(2 * each, cylinders)
        start = first // platter.surfaces + dice.randrange(cylinders - span + 1)
        offset = dice.randrange(platter.per_track[zone])
        for cylinder in range(start, start + span, 2):
            for surface in (low, high):
                bad |= _stretch(platter, cylinder * platter.surfaces + surface, offset, 1)
    return bad


def uniform(platter: Platter, dice: random.Random, sectors: int) -> set[int]:
    """Sectors anywhere, independent of each other: what no disk of the study shows."""
    return set(dice.sample(range(platter.sectors), min(sectors, platter.sectors)))


def _stretch(platter: Platter, track: int, offset: int, width: int) -> set[int]:
    return {platter.sector_at(track, offset + i) for i in range(width)}


def draw(pattern: Pattern, platter: Platter, dice: random.Random, sectors: int) -> set[int]:
    """Bad sectors of one pattern; ``sectors`` are those of a run, or of uniform defects."""
    if pattern == "run":
        return run(platter, dice, sectors)
    if pattern == "uniform":
        return uniform(platter, dice, sectors)
    drawn: dict[str, Callable[[Platter, random.Random], set[int]]] = {
        "scratch": scratch,
        "track_start_cluster": track_start_cluster,
        "crossing_scratch": crossing_scratch,
        "scatter": scatter,
        "servo": servo,
    }
    return drawn[pattern](platter, dice)


class StudyDrive(NamedTuple):
    """A drive of the study: capacity, surfaces and the pattern of its bad sectors (table 6.2)."""

    name: str
    capacity_gb: float
    surfaces: int
    pattern: Pattern
    run_sectors: int = 0


DRIVES = (
    StudyDrive("IBM Deskstar 75GXP", 75.0, 10, "scratch"),
    StudyDrive("IBM Ultrastar 36LZX", 36.7, 12, "track_start_cluster"),
    StudyDrive("WD Caviar 205BA", 20.5, 6, "run", 2832),
    StudyDrive("WD Caviar WD400BB", 40.0, 4, "crossing_scratch", 692),
    StudyDrive("Maxtor 4K020H1 (a)", 20.0, 1, "scatter"),
    StudyDrive("Maxtor 4K020H1 (b)", 20.0, 1, "scatter"),
    StudyDrive("Quantum Fireball LCT10", 20.4, 4, "run", 27),
    StudyDrive("Quantum Fireball CX10.2A", 10.2, 3, "servo"),
)


def study_geometry(drive: StudyDrive) -> Geometry:
    """A drive's own surfaces with the 75GXP's zones, their cylinders scaled to its capacity.

    Of the eight drives only two have published zones; the others' cylinders are not known.
    """
    whole = Geometry()
    sectors = Platter(whole).sectors / whole.surfaces_count * drive.surfaces
    factor = drive.capacity_gb * 1e9 / 512 / sectors
    zones = tuple(
        ZoneOfTracks(
            last_cylinder=max(round((zone.last_cylinder + 1) * factor) - 1, 0),
            per_track_count=zone.per_track_count,
        )
        for zone in whole.zones
    )
    return whole.model_copy(update={"zones": zones, "surfaces_count": drive.surfaces})


def draw_drive(drive: StudyDrive, platter: Platter, dice: random.Random) -> set[int]:
    """Bad sectors after one of the study's drives; the WD400BB has a run and four scratches."""
    bad = draw(drive.pattern, platter, dice, drive.run_sectors)
    if drive.pattern == "crossing_scratch":
        bad |= run(platter, dice, drive.run_sectors)
        for _ in range(3):
            bad |= crossing_scratch(platter, dice)
    return bad
