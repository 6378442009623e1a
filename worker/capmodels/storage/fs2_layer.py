"""A disk whose scheduler copies what is read far away into free space near the head.

Runs the policy of Huang 2006, chapter 5, on requests to hot regions.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
)
from capmodels.storage.fs2_policy import BLOCK_SECTORS, Replicator
from capmodels.storage.seek import fs2_seek_ms
from capmodels.units import Count, CountFromOne, DurationMs, DurationS, EnergyJ, Fraction, Real

if TYPE_CHECKING:
    from collections.abc import Iterator

_TURN_MS = 60_000 / 7200
_MS_PER_SECTOR = 0.009
_SEEK_W, _IDLE_W = 14.0, 8.0

DiskGb = Annotated[Real, Field(gt=1, le=1000, json_schema_extra={"unit": "GB"})]
Regions = Annotated[CountFromOne, Field(ge=2, le=16)]


class Fs2LayerParams(Params):
    """A run of reads that is repeated, spread over hot regions of a disk."""

    disk_gb: DiskGb = default(78.15, source="Huang 2006, table 5.1", as_of="2006")
    regions_count: Regions = assumed(2, "Hot regions, spread evenly over the disk.")
    files_count: Annotated[CountFromOne, Field(le=20_000)] = assumed(
        400, "Blocks of a run, in a fixed order over the regions."
    )
    runs_count: Annotated[CountFromOne, Field(le=50)] = default(
        7, source="Huang 2006: the seventh run is reported", as_of="2006"
    )
    repeat_fraction: Fraction = assumed(
        1.0, "Share of reads that a run repeats in the same order; the others are elsewhere."
    )
    write_fraction: Fraction = assumed(0.0, "Share of requests that write their block.")
    free_fraction: Fraction = default(
        0.4, source="Huang 2006: 60% of disks had more than 30% unused", as_of="2004-04"
    )
    epoch_s: DurationS = assumed(60.0, "Time after which replicas are placed.")
    interval_s: DurationS = assumed(0.1, "Time between two requests.")


class Fs2LayerRun(Result):
    """One run."""

    seek_ms: DurationMs
    rotation_ms: DurationMs
    access_ms: DurationMs
    energy_j: EnergyJ
    hit_fraction: Fraction


class Fs2LayerResult(Result):
    """Every run, and what the replicas take."""

    runs: tuple[Fs2LayerRun, ...]
    replicas_count: Count
    copied_count: Count
    suspended: bool


def mean_seek_ms(starts: list[int], sectors: int) -> float:
    """Mean seek of reads of a length at given places, by start less previous end. [ms]"""
    pairs = pairwise(starts)
    seeks = [fs2_seek_ms(after - (before + sectors)) for before, after in pairs]
    return sum(seeks) / len(seeks)


def _requests(params: Fs2LayerParams, sectors: int, dice: random.Random) -> list[int]:
    """Places of a run's blocks: regions in turn, random inside a tenth of each."""
    width = sectors // params.regions_count
    used = int(width * 0.1 * (1 - params.free_fraction))
    places = []
    for index in range(params.files_count):
        base = (index % params.regions_count) * width
        places.append((base + dice.randrange(used)) // BLOCK_SECTORS * BLOCK_SECTORS)
    return places


def _run_once(
    params: Fs2LayerParams, layer: Replicator, places: list[int], dice: random.Random
) -> Fs2LayerRun:
    per_epoch = max(int(params.epoch_s / max(params.interval_s, 1e-9)), 1)
    seek_total = rotation_total = 0.0
    hits, head = layer.hits_count, 0
    for index, place in enumerate(_mixed(params, layer, places, dice)):
        if dice.random() < params.write_fraction:
            layer.write(place, BLOCK_SECTORS)
            start = place
        else:
            start = layer.read(place, BLOCK_SECTORS, head)
        distance = start - head
        seek_total += fs2_seek_ms(distance)
        # A block that follows the last one on the disk comes past the head without a wait.
        rotation_total += 0.0 if distance == 0 else dice.random() * _TURN_MS
        head = start + BLOCK_SECTORS
        if (index + 1) % per_epoch == 0:
            layer.end_epoch()
    layer.end_epoch()
    count = len(places)
    transfer = BLOCK_SECTORS * _MS_PER_SECTOR
    seek, rotation = seek_total / count, rotation_total / count
    return Fs2LayerRun(
        seek_ms=seek,
        rotation_ms=rotation,
        access_ms=seek + rotation + transfer,
        energy_j=(seek * _SEEK_W + (rotation + transfer) * _IDLE_W) / 1000,
        hit_fraction=(layer.hits_count - hits) / count,
    )


def _mixed(
    params: Fs2LayerParams, layer: Replicator, places: list[int], dice: random.Random
) -> Iterator[int]:
    """Yield the run's places, some of them replaced by random ones."""
    for place in places:
        if dice.random() < params.repeat_fraction:
            yield place
        else:
            yield dice.randrange(layer.disk_sectors // BLOCK_SECTORS) * BLOCK_SECTORS


def _run(params: Fs2LayerParams, context: Context) -> Fs2LayerResult:
    dice = random.Random(context.seed)
    sectors = int(params.disk_gb * 1e9 / 512)
    layer = Replicator(disk_sectors=sectors, free_fraction=params.free_fraction)
    places = _requests(params, sectors, dice)
    runs = tuple(_run_once(params, layer, places, dice) for _ in range(params.runs_count))
    return Fs2LayerResult(
        runs=runs,
        replicas_count=len(layer.replicas),
        copied_count=layer.copied_blocks,
        suspended=layer.suspended,
    )


def _toy_mean_seek_ms(*, replicated: bool) -> float:
    near = int(10.1e6) if replicated else int(90e6)
    return mean_seek_ms([int(10.0e6), near, int(10.2e6)] * 100, 8)


_CHECKS = (
    Check(
        id="S19a",
        title="Three files in turn: mean seek without a replica",
        source="calibrated curve of Huang 2006, section 5.5",
        published=8.127,
        tolerance=0.001,
        unit="ms",
        basis="derived",
        compute=lambda: _toy_mean_seek_ms(replicated=False),
    ),
    Check(
        id="S19b",
        title="The same with the far file copied between the others",
        source="calibrated curve of Huang 2006, section 5.5",
        published=1.526,
        tolerance=0.001,
        unit="ms",
        basis="derived",
        compute=lambda: _toy_mean_seek_ms(replicated=True),
    ),
)

SPEC = ModelSpec(
    id="storage.fs2_layer",
    version="1.0.0",
    title="Replicas in free space: the policy at work",
    summary="Runs a repeated pattern of reads over hot regions of a disk and lets the policy "
    "copy far blocks next to where the head spends its time.",
    params=Fs2LayerParams,
    result=Fs2LayerResult,
    run=_run,
    stochastic=True,
    instant=False,
    points=lambda params: params.files_count * params.runs_count,
    point_limit=1_000_000,
    citations=(
        Citation(
            text="H. Huang, W. Hung, K. G. Shin, FS2: dynamic data replication in free disk "
            "space, SOSP 2005; H. Huang, thesis, University of Michigan 2006",
            section="5.3, 5.4",
        ),
    ),
    formulas=(
        Formula(
            id="rule",
            text="read the replica when every block has one, in one piece, and it is nearer",
            source="Huang 2006, section 5.3",
        ),
        Formula(
            id="energy", text="E_A = T_s P_s + (T_r + T_t) P_i", source="Huang 2006, section 5.5.3"
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Epoch and region sizes are not printed: 60 s and four block groups are our choice.",
        "The original traces are lost, so the thesis's reductions cannot be reproduced row by row.",
    ),
)
