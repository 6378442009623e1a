"""What trends of devices say, and the devices of this decade that they begin with."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from capmodels.numbers import percent, quantity, significant
from capmodels.performance.device_trends_params import KIB, PROCESSORS
from capmodels.told import Axis, Figure, Series, listed

if TYPE_CHECKING:
    from capmodels.performance.device_trends_params import (
        DeviceTrendsParams,
        DiskPoint,
        FlipPoint,
        ProcessorPoint,
    )

# Of the catalogue: drives on sale, what they read in order and draw meanwhile.
_DISKS_NOW = (
    ("WD Ultrastar DC HC580 24 TB (2023)", 298.0, 7.4, 7_200.0, "3.5 inch"),
    ("Seagate Exos X24 24 TB (2023)", 285.0, 8.9, 7_200.0, "3.5 inch"),
    ("Toshiba MG11 24 TB (2024)", 309.0, 8.8, 7_200.0, "3.5 inch"),
    ("Seagate Exos M 30 TB (2025)", 275.0, 10.5, 7_200.0, "3.5 inch"),
    ("Kingston DC600M 960 GB (2023)", 560.0, 1.45, None, "2.5 inch flash"),
    ("Solidigm D7-PS1010 7.68 TB (2024)", 14_500.0, 18.0, None, "2.5 inch flash"),
    ("Solidigm D5-P5336 122.88 TB QLC (2025)", 7_400.0, 15.0, None, "2.5 inch flash"),
    ("Micron 6550 ION 61.44 TB (2024)", 12_000.0, 20.0, None, "E3.S flash"),
)
_FIRST = "EPYC 7742"


def start() -> dict[str, Any]:
    """Processors since 2019, and drives on sale."""
    names = [one.name for one in PROCESSORS]
    first = next(at for at, name in enumerate(names) if name.startswith(_FIRST))
    keys = ("name", "throughput_mb_per_s", "power_w", "rotation_rpm", "form_factor")
    return {
        "processors": [one.model_dump() for one in PROCESSORS[first:]],
        "disks": [dict(zip(keys, row, strict=True)) for row in _DISKS_NOW],
    }


def short_name(name: str) -> str:
    """A name without what follows its comma or bracket.

    >>> short_name("Atom Z500, 1 x 0.8 GHz (2008)")
    'Atom Z500'
    """
    return name.split(",", maxsplit=1)[0].split("(", maxsplit=1)[0].strip() or name


def disk_kind(disk: DiskPoint) -> str:
    """Width and turns of a disk: 2.5 inch, 5,400 rpm."""
    turns = "" if disk.rotation_rpm is None else f", {disk.rotation_rpm:,.0f} rpm"
    return f"{disk.form_factor}{turns}"


def turns_bytes(flips: tuple[FlipPoint, ...]) -> list[float]:
    """Working sets at which another platform becomes the better one. [B]"""
    pairs = pairwise(flips)
    return [
        math.sqrt(one.working_set_bytes * two.working_set_bytes)
        for one, two in pairs
        if one.best != two.best
    ]


def _size(size_bytes: float) -> str:
    mib = size_bytes / KIB**2
    return quantity(mib, "MiB") if mib >= 1 else quantity(size_bytes / KIB, "KiB")


def slope_text(slope: float | None, what: str) -> str:
    """Twice the speed comes with so much more or less work per joule."""
    if slope is None:
        return f"{what}: all are equally fast."
    change = 2.0**slope - 1.0
    way = "less" if change < 0 else "more"
    return f"{what}: twice the speed comes with {percent(abs(change))} {way} work per joule."


def flip_figure(params: DeviceTrendsParams, flips: tuple[FlipPoint, ...]) -> Figure:
    marks = turns_bytes(flips)
    return Figure(
        kind="lines",
        name="Working set and caches",
        title=f"The better platform changes at {listed([_size(one) for one in marks])}"
        if marks
        else "One platform is better at every working set",
        across=Axis(title="Working set", unit="KiB", is_log=True),
        along=Axis(title="Accesses per joule", unit="1/J", is_log=True),
        series=tuple(
            Series(
                name=platform.name,
                at=tuple(point.working_set_bytes / KIB for point in flips),
                values=tuple(point.accesses_per_j[at] for point in flips),
            )
            for at, platform in enumerate(params.platforms)
        ),
        marks=tuple(one / KIB for one in marks),
        note="A platform is better while a cache of it still holds the working set. Platforms and "
        "access times are assumed.",
    )


def processor_figure(processors: tuple[ProcessorPoint, ...], best: ProcessorPoint) -> Figure:
    """Work per joule of processors against their speed."""
    return Figure(
        kind="points",
        name="Processors: work per joule",
        title=f"{short_name(best.name)} does most work per joule: "
        f"{significant(best.efficiency_mips_per_w)} million instructions",
        across=Axis(title="Speed", unit="MIPS", is_log=True),
        along=Axis(title="Work", unit="MIPS/W", is_log=True),
        series=(
            Series(
                name="Processors",
                at=tuple(one.speed_mips for one in processors),
                values=tuple(one.efficiency_mips_per_w for one in processors),
                names=tuple(one.name for one in processors),
            ),
        ),
        best=best.name,
    )


def disk_figure(disks: tuple[DiskPoint, ...], best: DiskPoint) -> Figure:
    """Megabytes per joule of disks against their throughput, a mark for each width."""
    kinds = dict.fromkeys(one.form_factor for one in disks)
    return Figure(
        kind="points",
        name="Disks: work per joule",
        title=f"A disk of {disk_kind(best)} moves most: {significant(best.efficiency_mb_per_j)} MB "
        "per joule",
        across=Axis(title="Throughput", unit="MB/s", is_log=True),
        along=Axis(title="Work", unit="MB/J", is_log=True),
        series=tuple(
            Series(
                name=kind or "Other",
                at=tuple(one.throughput_mb_per_s for one in disks if one.form_factor == kind),
                values=tuple(one.efficiency_mb_per_j for one in disks if one.form_factor == kind),
                names=tuple(one.name for one in disks if one.form_factor == kind),
            )
            for kind in kinds
        ),
        best=best.name,
    )
