"""Bad sectors along tracks and heads: drawn after a pattern or listed, located and recognized.

After Huang 2006, chapter 6: eight discarded drives, good as patterns, never as rates.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from statistics import median
from typing import Annotated, Literal

from pydantic import Field, field_validator

from capmodels.citations import HUANG_2006
from capmodels.errors import Fault, ParamsError
from capmodels.reliability.defect_draw import Pattern, draw
from capmodels.reliability.platter import STRATEGIES, Geometry, Place, Platter, Strategy, exposure
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    one_point,
)
from capmodels.units import Count, CountFromOne, Fraction, Real, Whole, of_unit

_PLACES_SHOWN = 2000
_SOURCE = "Huang 2006, chapter 6"
# Share of a pattern's sectors from which it is said to be of a kind.
_MOST = 0.6
_WORST = 0.55
_SAFE_BELOW, _UNSAFE_FROM = 0.01, 0.25

Seen = Literal["scratch", "track_start_cluster", "run", "crossing_scratch", "servo", "scatter"]
Sector = Annotated[Whole, Field(ge=0)]
Tracks = Annotated[Real, of_unit("count")]


class DrawnDefects(Params):
    """Bad sectors drawn after a pattern."""

    kind: Literal["drawn"] = "drawn"
    pattern: Pattern = "scratch"
    sectors_count: Annotated[CountFromOne, Field(le=100_000)] = assumed(
        2832, "Sectors of a run, or of uniform defects; the other patterns generate their own."
    )


class ListedDefects(Params):
    """Bad sectors of a drive, from its log or a surface scan."""

    kind: Literal["listed"] = "listed"
    sectors: tuple[Sector, ...] = Field(min_length=1, max_length=100_000)


class DefectPatternsParams(Params):
    """A disk and its bad sectors."""

    geometry: Geometry = Geometry()
    defects: Annotated[DrawnDefects | ListedDefects, Field(discriminator="kind")] = DrawnDefects()
    block_sectors_count: Annotated[CountFromOne, Field(le=1024)] = assumed(
        8, "Sectors of a block that has a replica."
    )
    cylinders_away_count: Annotated[CountFromOne, Field(le=10_000)] = assumed(
        8, "How far a few cylinders are."
    )

    @field_validator("geometry")
    @classmethod
    def _in_order(cls, value: Geometry) -> Geometry:
        Platter(value)
        return value


class DefectPlace(Result):
    """Where a bad sector lies."""

    sector: Sector
    zone: Count
    cylinder: Count
    surface: Count
    track: Count
    offset: Count


class SharedBy(Result):
    """How many bad sectors a surface or a zone has."""

    number_count: Count = Field(description="Of the surface or zone, from 0.")
    sectors_count: Count


class ReplicaExposure(Result):
    """What a place for replicas is worth against these defects."""

    strategy: Strategy
    lost_fraction: Fraction = Field(
        description="Blocks with a bad sector whose replica has one too."
    )
    safe: Literal["yes", "partly", "no"]


class DefectPatternsResult(Result):
    """The defects by surface, zone and track, what they look like, and where a replica is safe."""

    sectors_count: Count
    tracks_count: Count
    surfaces: tuple[SharedBy, ...]
    zones: tuple[SharedBy, ...]
    worst_surface_fraction: Fraction
    shared_track_fraction: Fraction = Field(description="Bad sectors with another on their track.")
    longest_run_count: Count
    track_step_count: Tracks | None = Field(
        description="Commonest step from a bad track to the next."
    )
    offset_step_count: Tracks | None = Field(
        description="Sectors that a bad place moves back from a cylinder to the next; a little "
        "more than the surface skew: a scratch."
    )
    surface_skew_count: Count
    looks_like: Seen
    replicas: tuple[ReplicaExposure, ...]
    places: tuple[DefectPlace, ...] = Field(description="At most 2,000, in order.")


def surface_of(track: int, surfaces: int) -> int:
    """Surface of a track, tracks numbered cylinder by cylinder.

    >>> surface_of(31438, 4), surface_of(30194, 3)
    (2, 2)
    """
    return track % surfaces


def longest_run(sectors: list[int]) -> int:
    """Length of the longest stretch of consecutive sectors.

    >>> longest_run([1, 2, 3, 7, 8])
    3
    """
    best = length = 1
    for before, after in pairwise(sectors):
        length = length + 1 if after == before + 1 else 1
        best = max(best, length)
    return best


def steps_back(firsts: list[tuple[int, int, int]], surfaces: int) -> list[tuple[int, int]]:
    """Tracks about one cylinder on, and by how many sectors their bad place lies further back.

    ``firsts`` are (track, offset, sectors per track) by track. A track more or less than a cylinder
    is allowed: sectors that a drive has slipped shift its tracks.

    >>> steps_back([(8, 300, 702), (18, 280, 702), (29, 682, 702)], 10)
    [(18, 20), (29, 300)]
    """
    found = []
    for index, (track, offset, _per_track) in enumerate(firsts):
        for later, there, per_track in firsts[index + 1 :]:
            if later - track > surfaces + 1:
                break
            if later - track >= surfaces - 1:
                found.append((later, (offset - there) % per_track))
    return found


def _firsts(places: list[Place]) -> list[tuple[int, int, int]]:
    """First bad place of each track, in order."""
    firsts: dict[int, tuple[int, int, int]] = {}
    for place in places:
        firsts.setdefault(place.track, (place.track, place.offset, place.per_track))
    return sorted(firsts.values())


def _looks_like(sectors: list[int], places: list[Place], platter: Platter, worst: float) -> Seen:
    """Name the pattern that most of the sectors follow."""
    if len(sectors) > 1 and longest_run(sectors) >= _MOST * len(sectors):
        return "run"
    tracks = sorted({place.track for place in places})
    steps = Counter(after - before for before, after in pairwise(tracks))
    if len(tracks) > 2 and steps[1] >= _MOST * (len(tracks) - 1):
        return "crossing_scratch"
    shallow = sum(place.offset < place.per_track / 10 for place in places)
    if worst >= _WORST and shallow >= _MOST * len(places):
        return "track_start_cluster"
    if _follows_skew(_firsts(places), platter):
        return "scratch"
    pairs = sum(steps[step] for step in steps if 0 < step < 2 * platter.surfaces)
    if len(tracks) > 2 and pairs >= 0.8 * (len(tracks) - 1):
        return "servo"
    return "scatter"


def _follows_skew(firsts: list[tuple[int, int, int]], platter: Platter) -> bool:
    """Whether most bad places step back by the surface skew and a little more."""
    near = []
    for track, back in steps_back(firsts, platter.surfaces):
        per_track = platter.track_length(track)
        near.append((back - platter.surface_skew(track)) % per_track <= per_track / 20)
    return len(near) > 2 and sum(near) >= _MOST * len(near)


def _verdict(lost: float) -> Literal["yes", "partly", "no"]:
    if lost < _SAFE_BELOW:
        return "yes"
    return "partly" if lost < _UNSAFE_FROM else "no"


def _sectors(params: DefectPatternsParams, platter: Platter, seed: int) -> list[int]:
    defects = params.defects
    if defects.kind == "drawn":
        dice = random.Random(seed)
        return sorted(draw(defects.pattern, platter, dice, defects.sectors_count))
    beyond = next((i for i, s in enumerate(defects.sectors) if s >= platter.sectors), None)
    if beyond is not None:
        message = f"The disk has {platter.sectors:,} sectors only. Correct the list or the zones."
        raise ParamsError([Fault(f"/defects/sectors/{beyond}", "out_of_range", message)])
    return sorted(set(defects.sectors))


def _shares(counted: Counter[int]) -> tuple[SharedBy, ...]:
    return tuple(
        SharedBy(number_count=number, sectors_count=count)
        for number, count in sorted(counted.items())
    )


def _replicas(
    params: DefectPatternsParams, platter: Platter, bad: set[int]
) -> tuple[ReplicaExposure, ...]:
    rows = []
    for strategy in STRATEGIES:
        originals, both = exposure(
            platter,
            bad,
            strategy,
            block=params.block_sectors_count,
            cylinders_away=params.cylinders_away_count,
        )
        lost = both / originals
        rows.append(ReplicaExposure(strategy=strategy, lost_fraction=lost, safe=_verdict(lost)))
    return tuple(rows)


def _run(params: DefectPatternsParams, context: Context) -> DefectPatternsResult:
    platter = Platter(params.geometry)
    sectors = _sectors(params, platter, context.seed)
    places = [platter.locate(sector) for sector in sectors]
    surfaces = Counter(surface_of(place.track, platter.surfaces) for place in places)
    on_track = Counter(place.track for place in places)
    tracks = sorted(on_track)
    steps = Counter(after - before for before, after in pairwise(tracks))
    back = [step for _track, step in steps_back(_firsts(places), platter.surfaces)]
    worst = max(surfaces.values()) / len(sectors)
    return DefectPatternsResult(
        sectors_count=len(sectors),
        tracks_count=len(tracks),
        surfaces=_shares(surfaces),
        zones=_shares(Counter(place.zone for place in places)),
        worst_surface_fraction=worst,
        shared_track_fraction=sum(n for n in on_track.values() if n > 1) / len(sectors),
        longest_run_count=longest_run(sectors),
        track_step_count=steps.most_common(1)[0][0] if steps else None,
        offset_step_count=median(back) if back else None,
        surface_skew_count=platter.surface_skew(tracks[0]),
        looks_like=_looks_like(sectors, places, platter, worst),
        replicas=_replicas(params, platter, set(sectors)),
        places=tuple(
            DefectPlace(
                sector=sector,
                zone=place.zone,
                cylinder=place.track // platter.surfaces,
                surface=surface_of(place.track, platter.surfaces),
                track=place.track,
                offset=place.offset,
            )
            for sector, place in zip(sectors[:_PLACES_SHOWN], places, strict=False)
        ),
    )


# Rows that the thesis prints: bad sector, track, and surface where it gives one.
DESKSTAR_ROWS = (
    (813160, 1158), (819801, 1168), (827144, 1178), (833786, 1188), (841128, 1198),
    (847770, 1208), (855112, 1218), (862455, 1229), (869096, 1238), (876439, 1248),
    (883080, 1258), (890423, 1268), (897064, 1278), (904407, 1288), (911048, 1298),
    (918391, 1308), (925032, 1318), (932375, 1328), (939017, 1338), (946359, 1348),
    (953702, 1359), (960343, 1368), (967686, 1378), (974327, 1388),
)  # fmt: skip
SURFACE_ROWS = (
    (31438, 4, 2), (31439, 4, 3), (31440, 4, 0), (31441, 4, 1), (31442, 4, 2), (31443, 4, 3),
    (31444, 4, 0), (31445, 4, 1), (31446, 4, 2), (31447, 4, 3), (31448, 4, 0), (31449, 4, 1),
    (31450, 4, 2), (31451, 4, 3), (31452, 4, 0), (31453, 4, 1), (31454, 4, 2), (31455, 4, 3),
    (31456, 4, 0), (31502, 4, 2), (31503, 4, 3), (31504, 4, 0),
    (30194, 3, 2), (30195, 3, 0), (30200, 3, 2), (30201, 3, 0), (30206, 3, 2), (30207, 3, 0),
    (30212, 3, 2), (30213, 3, 0), (30218, 3, 2), (30219, 3, 0), (30224, 3, 2), (30224, 3, 2),
    (30225, 3, 0), (30230, 3, 2), (30231, 3, 0), (30236, 3, 2), (30237, 3, 0), (30242, 3, 2),
    (30243, 3, 0), (30248, 3, 2), (30249, 3, 0), (30254, 3, 2), (30255, 3, 0), (30260, 3, 2),
)  # fmt: skip


def _printed_step_back() -> float:
    """Median step of the rows printed for the 75GXP."""
    firsts = [(track, sector % 702, 702) for sector, track in DESKSTAR_ROWS]
    return float(median(back for _track, back in steps_back(firsts, Geometry().surfaces_count)))


_CHECKS = (
    Check(
        "S31",
        "Deskstar 75GXP: step back from a bad track to the next",
        377.5,
        _printed_step_back,
        source="Huang 2006, section 6.3.2 and figure 6.10, of the rows of table 6.4",
        printed="375-380",
        tolerance=2.5,
        kind="arithmetic",
        tests="reliability.defect_patterns.steps_back",
    ),
    Check(
        "S30c",
        "Offset between neighbors on one surface",
        360.0,
        lambda: float(Platter(Geometry()).surface_skew(0)),
        source="Huang 2006, section 6.3.2",
        kind="arithmetic",
        tests="reliability.platter.Geometry.head_skew_count",
        tolerance=0.0,
    ),
    Check(
        "surfaces",
        "Rows of two drives whose printed surface follows from the track, of 46",
        46.0,
        lambda: float(
            sum(surface_of(track, surfaces) == surface for track, surfaces, surface in SURFACE_ROWS)
        ),
        source="Huang 2006, rows of tables 6.8 (22) and 6.12 (24 that are legible), counted",
        basis="derived",
        kind="arithmetic",
        tests="reliability.defect_patterns.surface_of",
        unit="count",
    ),
)

SPEC = ModelSpec(
    id="reliability.defect_patterns",
    version="1.0.0",
    title="Defects of a disk",
    summary="Locates bad sectors on tracks and surfaces, names the pattern that they follow, and "
    "says where a replica would have survived them.",
    params=DefectPatternsParams,
    result=DefectPatternsResult,
    run=_run,
    points=one_point,
    stochastic=True,
    instant=False,
    citations=(Citation(text=HUANG_2006, section="6"),),
    formulas=(
        Formula("surface", "surface = track mod surfaces", _SOURCE),
        Formula(
            "skew",
            "surface skew = (head skew (surfaces - 1) + cylinder skew) mod sectors per track",
            "Huang 2006, section 6.3.2",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Eight drives were characterized: their defects are patterns to plan against, not rates.",
        "Slipped and spare sectors of a drive shift its sectors; with the published geometry "
        "alone 352 of the 575 bad sectors of one drive came to lie on the wrong surface.",
        "The widths of the random patterns are our choice where the thesis has plots only.",
    ),
)
