"""Work per joule of processors and disks against their speed, and the cache-size flip.

After Vasudevan 2010 (FAWN thesis proposal), section 2: slow processors do more work per joule
than fast ones until what they draw beside the core counts, small slow disks move more bytes per
joule, and of two processors the better one alternates with the working set's size, as it fits
one cache after the other.
"""

from __future__ import annotations

import math

from capmodels.numbers import significant
from capmodels.performance.device_trends_params import (
    KIB,
    DeviceTrendsParams,
    DeviceTrendsResult,
    DiskPoint,
    FlipPoint,
    Platform,
    ProcessorPoint,
)
from capmodels.performance.device_trends_told import (
    disk_figure,
    disk_kind,
    flip_figure,
    processor_figure,
    short_name,
    slope_text,
    start,
    turns_bytes,
)
from capmodels.spec import Citation, Context, Formula, ModelSpec

_THESIS = "Vasudevan 2010, section 2"


def log_slope(pairs: list[tuple[float, float]]) -> float | None:
    """Slope of the least-squares line through the logarithms; None where speeds are alike.

    >>> log_slope([(1.0, 1.0), (10.0, 0.1)])
    -1.0
    """
    xs, ys = [math.log(x) for x, _ in pairs], [math.log(y) for _, y in pairs]
    middle_x, middle_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    spread = math.fsum((x - middle_x) ** 2 for x in xs)
    if spread < 1e-12:
        return None
    both = zip(xs, ys, strict=True)
    return round(math.fsum((x - middle_x) * (y - middle_y) for x, y in both) / spread, 12)


def accesses_per_j(platform: Platform, working_set_bytes: float) -> float:
    """Random accesses within a working set per joule, all cores at work. [1/J]

    A level serves the share of the working set that it holds beyond the level before it.
    """
    served, mean_ns = 0.0, 0.0
    for level in platform.caches:
        share = min(1.0, level.size_bytes / working_set_bytes)
        mean_ns += max(0.0, share - served) * level.access_ns
        served = max(served, share)
    mean_ns += (1.0 - served) * platform.memory_ns
    return platform.cores_count / (mean_ns * 1e-9 * platform.power_w)


def _flips(params: DeviceTrendsParams) -> tuple[FlipPoint, ...]:
    low, high = math.log2(4 * KIB), math.log2(64 * KIB * KIB)
    steps = params.working_sets_count - 1
    points = []
    for step in range(steps + 1):
        size = 2.0 ** (low + (high - low) * step / steps)
        rates = tuple(accesses_per_j(platform, size) for platform in params.platforms)
        best = params.platforms[rates.index(max(rates))].name
        points.append(FlipPoint(working_set_bytes=size, accesses_per_j=rates, best=best))
    return tuple(points)


def _run(params: DeviceTrendsParams, _context: Context) -> DeviceTrendsResult:
    processors = tuple(
        ProcessorPoint(
            name=one.name,
            speed_mips=one.speed_mips,
            efficiency_mips_per_w=one.speed_mips / one.power_w,
        )
        for one in params.processors
    )
    disks = tuple(
        DiskPoint(
            name=one.name,
            throughput_mb_per_s=one.throughput_mb_per_s,
            efficiency_mb_per_j=one.throughput_mb_per_s / one.power_w,
            rotation_rpm=one.rotation_rpm,
            form_factor=one.form_factor,
        )
        for one in params.disks
    )
    flips = _flips(params)
    processor_slope = log_slope([(one.speed_mips, one.efficiency_mips_per_w) for one in processors])
    disk_slope = log_slope([(one.throughput_mb_per_s, one.efficiency_mb_per_j) for one in disks])
    processor = max(processors, key=lambda one: one.efficiency_mips_per_w)
    disk = max(disks, key=lambda one: one.efficiency_mb_per_j)
    first = params.platforms[0].name
    return DeviceTrendsResult(
        headline=f"**{short_name(disk.name)}** ({disk_kind(disk)}) moves most per joule, "
        f"{significant(disk.efficiency_mb_per_j)} MB; **{short_name(processor.name)}** does most "
        f"work, {significant(processor.efficiency_mips_per_w)} million instructions.",
        notes=(
            f"Over the whole list: {slope_text(processor_slope, 'processors')}",
            slope_text(disk_slope, "Disks"),
        ),
        figures=(
            disk_figure(disks, disk),
            processor_figure(processors, processor),
            flip_figure(params, flips),
        ),
        processors=processors,
        disks=disks,
        processor_slope_ratio=processor_slope,
        disk_slope_ratio=disk_slope,
        best_processor=processor.name,
        best_disk=disk.name,
        flips=flips,
        flips_count=len(turns_bytes(flips)),
        first_share_fraction=sum(one.best == first for one in flips) / len(flips),
    )


SPEC = ModelSpec(
    id="performance.device_trends",
    version="1.1.0",
    title="Trends of devices: work per joule against speed",
    summary="Instructions per joule of processors and megabytes per joule of disks against their "
    "speed, and how the better of two processors alternates with the size of the working set.",
    params=DeviceTrendsParams,
    result=DeviceTrendsResult,
    run=_run,
    points=lambda params: params.working_sets_count,
    start=start,
    start_source="catalogue: processors of 2019 to 2024, drives on sale in 2025",
    citations=(
        Citation(
            text="V. Vasudevan, Energy-Efficient Data-intensive Computing with a Fast Array of "
            "Wimpy Nodes, thesis proposal, Carnegie Mellon University, October 2010",
            section="2",
        ),
    ),
    formulas=(
        Formula("efficiency", "MIPS/W = speed / power; MB/J = throughput / power", _THESIS),
        Formula("slope", "slope of ln(work per joule) on ln(speed), least squares", "ours"),
        Formula(
            "flip",
            "accesses/J = cores / (P sum over levels of share * t), share of the working set "
            "that a level holds beyond the level before it",
            f"ours, for the argument of {_THESIS}",
        ),
    ),
    limits=(
        "An instruction in a cycle flatters wide cores less than narrow ones; MIPS of different "
        "instruction sets are not the same work.",
        "Design power is not what a processor draws, and leaves out memory, network and disks: "
        "see fixed power.",
        "A disk's megabytes per joule say nothing of its capacity or of seeks.",
    ),
)
