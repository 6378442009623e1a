"""Where to put a block's replica on the same disk: places compared on drawn defects.

Places and defects after Huang 2006, chapter 6; chances by seeded Monte Carlo.
"""

from __future__ import annotations

import math
import random
from statistics import fmean, stdev
from typing import Annotated

from pydantic import Field, ValidationInfo, field_validator

from capmodels.citations import HUANG_2006
from capmodels.reliability.defect_draw import (
    DRIVES,
    Pattern,
    StudyDrive,
    draw,
    draw_drive,
    study_geometry,
)
from capmodels.reliability.platter import (
    STRATEGIES,
    Geometry,
    Platter,
    Strategy,
    exposure,
)
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
    refusal,
)
from capmodels.units import CountFromOne, DurationMs, Fraction, Real, of_unit

_SOURCE = "Huang 2006, chapter 6"
_Z_95 = 1.96
MeanCount = Annotated[Real, of_unit("count", ge=0)]


class ReplicaPlacementParams(Params):
    """Drives that have begun to fail, and what a replica costs to write."""

    geometry: Geometry | None = blank("One disk for all patterns; empty: that of each drive.")
    pattern: Pattern | None = blank("One pattern only; empty: those of the study's eight drives.")
    sectors_count: Annotated[CountFromOne, Field(le=100_000)] = assumed(
        2832, "Sectors of a run, or of uniform defects, when that is the one pattern."
    )
    draws_count: Annotated[CountFromOne, Field(ge=2, le=2000)] = assumed(
        50, "Random sets of defects for each drive."
    )
    block_sectors_count: Annotated[CountFromOne, Field(le=1024)] = assumed(8, "Sectors of a block.")
    cylinders_away_count: Annotated[CountFromOne, Field(le=10_000)] = assumed(
        8, "How far a few cylinders are.", low=2, high=50
    )
    head_switch_ms: DurationMs = assumed(1.2, "Time to change the surface.")
    seek_min_ms: DurationMs = assumed(1.2, "Seek to the next track.")
    seek_avg_ms: DurationMs = assumed(8.5, "Average seek.")
    seek_max_ms: DurationMs = assumed(15.0, "Seek over the full stroke.")

    @field_validator("geometry")
    @classmethod
    def _in_order(cls, value: Geometry | None) -> Geometry | None:
        if value is not None:
            Platter(value)
        return value

    @field_validator("seek_max_ms")
    @classmethod
    def _rises(cls, value: float, info: ValidationInfo) -> float:
        if not info.data.get("seek_min_ms", 0) <= info.data.get("seek_avg_ms", value) <= value:
            raise refusal("not_in_order", "Enter seeks that rise from the least to the longest.")
        return value


class PlaceOnDrive(Result):
    """How often a replica at a place is lost with its block, on one kind of drive."""

    drive: str
    lost_fraction: Fraction | None = Field(
        description="Chance that the replica of a bad block is bad; empty: no such place."
    )
    low_fraction: Fraction | None
    high_fraction: Fraction | None
    lost_blocks_count: MeanCount | None = Field(
        description="Blocks of a failing drive that are lost with their replica."
    )


class PlaceResult(Result):
    """One place for replicas: what it costs and what it is worth."""

    strategy: Strategy
    extra_write_ms: DurationMs = Field(description="Time to move there after the block's write.")
    drives: tuple[PlaceOnDrive, ...]
    lost_fraction: Fraction | None = Field(
        description="Mean over the drives that have such a place."
    )


class ReplicaPlacementResult(Result):
    """Every place, and the cheapest of those that are as good as the best."""

    strategies: tuple[PlaceResult, ...]
    bad_blocks_count: MeanCount = Field(description="Blocks with a bad sector, per failing drive.")
    advised: Strategy


def extra_write_ms(params: ReplicaPlacementParams, strategy: Strategy, cylinders: int) -> float:
    """Time to get from a block to its replica; seeks by the three-point curve of Lee 1993. [ms]"""
    if strategy == "same_track":
        return 0.0
    if strategy == "other_surface":
        return params.head_switch_ms
    away = {"neighbor_track": 1, "few_cylinders": params.cylinders_away_count}
    distance = away.get(strategy, cylinders // 3)
    low, middle, high = params.seek_min_ms, params.seek_avg_ms, params.seek_max_ms
    part = max((distance - 1) / max(cylinders - 1, 1), 0.0)
    root, line = (15 * middle - 10 * low - 5 * high) / 3, (7 * low - 15 * middle + 8 * high) / 3
    return low + root * math.sqrt(part) + line * part


def _drives(params: ReplicaPlacementParams) -> tuple[StudyDrive, ...]:
    if params.pattern is None:
        return DRIVES
    return (StudyDrive(params.pattern, 75.0, 10, params.pattern, params.sectors_count),)


def _platter(params: ReplicaPlacementParams, drive: StudyDrive) -> Platter:
    if params.geometry is not None:
        return Platter(params.geometry)
    return Platter(Geometry() if params.pattern is not None else study_geometry(drive))


def _sets(
    params: ReplicaPlacementParams, drive: StudyDrive, platter: Platter, seed: int
) -> list[set[int]]:
    """Drawn sets of bad sectors; set i depends on the seed, the drive and i alone."""
    found = []
    for index in range(params.draws_count):
        dice = random.Random(f"{seed}/{drive.name}/{index}")
        if params.pattern is not None:
            found.append(draw(params.pattern, platter, dice, params.sectors_count))
        else:
            found.append(draw_drive(drive, platter, dice))
    return found


def on_drive(
    params: ReplicaPlacementParams,
    drive: StudyDrive,
    platter: Platter,
    *,
    sets: list[set[int]],
    strategy: Strategy,
) -> PlaceOnDrive:
    """Chance that a replica is lost with its block, mean over the drawn sets, 95% interval."""
    if strategy == "other_surface" and platter.surfaces < 3:
        nothing = dict.fromkeys(("lost_fraction", "low_fraction", "high_fraction"))
        return PlaceOnDrive(drive=drive.name, lost_blocks_count=None, **nothing)
    pairs = [
        exposure(
            platter,
            bad,
            strategy,
            block=params.block_sectors_count,
            cylinders_away=params.cylinders_away_count,
        )
        for bad in sets
    ]
    shares = [both / originals for originals, both in pairs]
    mean = fmean(shares)
    half = _Z_95 * stdev(shares) / math.sqrt(len(shares))
    return PlaceOnDrive(
        drive=drive.name,
        lost_fraction=mean,
        low_fraction=max(mean - half, 0.0),
        high_fraction=min(mean + half, 1.0),
        lost_blocks_count=fmean(both for _originals, both in pairs),
    )


def _run(params: ReplicaPlacementParams, context: Context) -> ReplicaPlacementResult:
    drives = _drives(params)
    platters = [_platter(params, drive) for drive in drives]
    rows: dict[Strategy, list[PlaceOnDrive]] = {strategy: [] for strategy in STRATEGIES}
    blocks: list[float] = []
    for index, (drive, platter) in enumerate(zip(drives, platters, strict=True)):
        sets = _sets(params, drive, platter, context.seed)
        size = params.block_sectors_count
        blocks += [len({sector // size for sector in bad}) for bad in sets]
        for strategy, row in rows.items():
            row.append(on_drive(params, drive, platter, sets=sets, strategy=strategy))
        context.report((index + 1) / len(drives), "Placing replicas")
    cylinders = platters[0].cylinders
    places = tuple(
        PlaceResult(
            strategy=strategy,
            extra_write_ms=extra_write_ms(params, strategy, cylinders),
            drives=tuple(row),
            lost_fraction=_mean([one.lost_fraction for one in row]),
        )
        for strategy, row in rows.items()
    )
    return ReplicaPlacementResult(
        strategies=places, bad_blocks_count=fmean(blocks), advised=_advised(places)
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _advised(places: tuple[PlaceResult, ...]) -> Strategy:
    """Cheapest place that every drive has and that loses at most 1% more than the best one."""
    whole = [
        place
        for place in places
        if place.lost_fraction is not None
        and all(one.lost_fraction is not None for one in place.drives)
    ]
    best = min(place.lost_fraction or 0.0 for place in whole)
    good = [place for place in whole if (place.lost_fraction or 0.0) <= best + 0.01]
    return min(good, key=lambda place: place.extra_write_ms).strategy


def _one(pattern: Pattern) -> JSONDict:
    return {"pattern": pattern, "sectors_count": 2832, "draws_count": 20}


def _lost(pattern: Pattern, strategy: Strategy) -> float:
    params = ReplicaPlacementParams.model_validate(_one(pattern))
    found = _run(params, Context(seed=1))
    return next(p.lost_fraction or 0.0 for p in found.strategies if p.strategy == strategy)


_CHECKS = (
    derived_check(
        "run-next",
        "A run of 2,832 sectors, the replica beside its block: lost",
        354 / 355,
        lambda: _lost("run", "same_track"),
        source=f"{_SOURCE}: the longest run; all blocks but the last are followed by a bad one",
        tolerance=0.0001,
        unit="fraction",
        params=lambda: _one("run"),
        tests="reliability.replica_placement.ReplicaPlacementParams.sectors_count",
    ),
)

SPEC = ModelSpec(
    id="reliability.replica_placement",
    version="1.0.0",
    title="Replicas on the same disk",
    summary="Compares places for a block's replica on the same disk: what it costs to write "
    "there, and how often both are lost to the defects that failing drives show.",
    params=ReplicaPlacementParams,
    result=ReplicaPlacementResult,
    run=_run,
    stochastic=True,
    instant=False,
    points=lambda params: params.draws_count * (1 if params.pattern else len(DRIVES)),
    citations=(
        Citation(text=HUANG_2006, section="6"),
        Citation(
            text="L. N. Bairavasundaram et al., An Analysis of Latent Sector Errors in Disk "
            "Drives, SIGMETRICS 2007"
        ),
    ),
    formulas=(
        Formula(
            "lost",
            "lost = blocks bad at both places / blocks bad at the first",
            "definition; mean over random sets of defects",
        ),
        Formula("interval", "95% interval = mean +- 1.96 s / sqrt(sets)", "central limit theorem"),
    ),
    checks=_CHECKS,
    limits=(
        "Eight drives, one pattern each, weighted equally: a comparison of places, not a rate.",
        "Zones and surfaces of six of the drives are not published: the 75GXP's zones are scaled "
        "to their capacity.",
        "Random defects agree with the thesis's advice except here: a few cylinders away it holds "
        "the 36LZX's cluster to be left behind, ours spans sixty; another surface it holds to be "
        "unsafe on the WD400BB, ours meets no second region there.",
        "A whole disk that is lost takes every replica on it along.",
    ),
)
