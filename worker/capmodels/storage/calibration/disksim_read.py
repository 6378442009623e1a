"""From the parameter files of DiskSim to a drive that can be simulated and calibrated.

They say nothing of power or price: those are taken from drives of their kind, and named.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from capmodels.errors import ModelError
from capmodels.formats.disksim_files import CURVE, SETTINGS, DiskFiles, Missing, missing_disk
from capmodels.formats.disksim_model import (
    TRACK_SPARING,
    disk_settings,
    extracted_disk,
    seek_table,
)
from capmodels.formats.libparam import Block, FileFault, find
from capmodels.spec import faults_of
from capmodels.storage.drive.drives import SEGMENTS_MAX, DriveBuffer, HardDisk, TableSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone, zone_plan, zone_sectors
from capmodels.storage.drive.seek import (
    TwoRegime,
    three_point,
    three_point_ms,
    two_regime_ms,
)
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms, track_rate_mb_per_s

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capmodels.formats.disksim_model import (
        DiskSettings,
        ExtractedDisk,
        ModelZone,
        SeekCurve,
        SeekTable,
    )

# Of 3.5-inch server drives of around 2000, as their data sheets have it.
_ACTIVE_W, _IDLE_W = 12.0, 9.0
_GRID_COUNT = 200
_OF_LAYOUT = (DiskGeometry.__name__, GeometryZone.__name__)
_NO_RATE_MS = 1e-3
_FIRST_TEN, _HPL_COUNT = 10, 6
# Sparing schemes with spare sectors in front, and those whose slips do not use spare ones.
_IN_FRONT, _KEPT = (5, 6), (4, 6, 7, 10)
_NAME_ENDS = re.compile(r"(_validate)?([._]model)?$")


class ReadDrive(NamedTuple):
    """A drive, what its files did not give, where it is from, and what of them was not taken.

    ``parts`` are the files of its cache, layout and seeks, ``disks`` the names of all disks in
    the files, ``missing`` files that other disks need, ``write_more_ms`` how much longer seeks of
    writes are, ``blocks_count`` the number of blocks in them where the zones hold another.
    """

    drive: HardDisk
    taken: tuple[str, ...]
    parts: dict[str, str]
    disks: tuple[str, ...]
    missing: tuple[str, ...]
    unused: tuple[str, ...]
    write_more_ms: float | None
    blocks_count: int | None


def drive_of_files(texts: Mapping[str, str], name: str | None = None) -> ReadDrive:
    """The drive of some files of DiskSim, by their names: the first in them, or the one so named.

    Raises
    ------
    FileFault
        When something that is needed is not in them.
    """
    files = DiskFiles(texts)
    found = files.disks()
    disk = _chosen(found, name, next(iter(texts)))
    try:
        return _drive(files, disk, found)
    except ValidationError as exc:
        first = faults_of(exc, {})[0]
        # What a layout is refused for stands in its file, which others name.
        file = _layout_file(files, disk) if exc.title in _OF_LAYOUT else disk.file
        place = first.pointer.strip("/").replace("/", " ")
        message = f"{file} describes no drive: {place}: {first.message}"
        raise FileFault(file, message) from exc
    except ModelError as exc:
        raise FileFault(disk.file, f"{disk.file} describes no drive: {exc}") from exc


def _layout_file(files: DiskFiles, disk: Block) -> str:
    """Where the zones of a disk stand."""
    there = find(files.model_of(disk), "Zones")
    return there[1] if there else disk.file


def _chosen(found: Sequence[Block | Missing], name: str | None, first: str) -> Block:
    """The disk of a name, or the first; what is missing counts where it may be the one."""
    fits = (one for one in found if name is None or (isinstance(one, Block) and one.name == name))
    disk = next(fits, None) or next((one for one in found if isinstance(one, Missing)), None)
    if isinstance(disk, Missing):
        raise missing_disk(disk)
    if disk is None:
        names = ", ".join(one.name for one in found)
        what = f"has no disk {name!r}; there are {names}" if names else "describes no disk"
        raise FileFault(first, f"{first} {what}.")
    return disk


def _drive(files: DiskFiles, block: Block, found: Sequence[Block | Missing]) -> ReadDrive:
    model = files.model_of(block)
    disk = extracted_disk(model)
    cache = disk_settings(block) if block.kind == SETTINGS else None
    geometry = _geometry(disk)
    held = sum(zone_sectors(geometry))
    turn = revolution_ms(disk.speed_rpm)
    rates = [track_rate_mb_per_s(zone.per_track_count, turn) for zone in disk.zones]
    more: dict[str, Any] = {}
    taken = ["active_w", "idle_w"]
    if cache is None:
        taken += ["buffer", "overhead_ms"]
    else:
        more = {"buffer": _buffer(cache), "overhead_ms": cache.read_miss_ms}
    curve, seeks = disk.file, None
    if disk.seek.kind == "extracted":
        if not disk.seek.file:
            raise FileFault(curve, f"{curve} has no {CURVE!r}, so that its seeks are not known.")
        curve = files.given(disk.seek.file, CURVE, disk.file)
        seeks = seek_table(files.texts[curve], curve)
    write_more_ms = seeks.write_more_ms if seeks else None
    drive = HardDisk(
        name=_NAME_ENDS.sub("", disk.name).replace("_", " ") or "disk",
        capacity_gb=held * BYTES_PER_SECTOR / 1e9,
        speed_rpm=disk.speed_rpm,
        seek=_seek(disk, seeks, sum(zone.cylinders_count for zone in geometry.zones)),
        write_settle_ms=disk.write_settle_ms + (write_more_ms or 0.0),
        same_cylinder_ms=disk.head_switch_ms,
        outer_mb_per_s=rates[0],
        inner_mb_per_s=rates[-1],
        active_w=_ACTIVE_W,
        idle_w=_IDLE_W,
        geometry=geometry,
        **more,
    )
    return ReadDrive(
        drive,
        tuple(taken),
        {"cache": block.file, "model": disk.file, "layout": disk.layout_file, "seeks": curve},
        tuple(one.name for one in found if not isinstance(one, Missing)),
        tuple(one.name for one in found if isinstance(one, Missing)),
        tuple(files.unused()),
        write_more_ms,
        None if disk.blocks_count == held else disk.blocks_count,
    )


def _spares(disk: ExtractedDisk, zone: ModelZone) -> dict[str, Any]:
    """Spare and slipped sectors of a zone, by the file's sparing scheme.

    They are whole tracks (1), or come by cylinder (2, 4, 5, 6), track (3), disk (7), range of
    cylinders (8) or zone (9, 10); in front in 5 and 6; slips leave them alone in 4, 6, 7, 10.
    """
    scheme, count, surfaces = disk.sparing, zone.spares_count, disk.surfaces_count
    if scheme == TRACK_SPARING:
        whole = {"spare_sectors_count": count * zone.per_track_count}
        return {**whole, "slipped_tracks": zone.slips}
    shared = {2: surfaces, 3: 1, 8: surfaces * disk.range_cylinders_count}
    shared |= dict.fromkeys((4, 5, 6), surfaces)
    if scheme == 0 or (scheme == 7 and zone is not disk.zones[-1]):
        count = 0
    return {
        "spare_sectors_count": count,
        "spared_tracks_count": shared.get(scheme),
        "spares_first": scheme in _IN_FRONT,
        "spares_kept": scheme in _KEPT,
        "slipped_sectors": zone.slips,
    }


def _gap(cylinders: int, zone: ModelZone, surfaces: int) -> list[GeometryZone]:
    """Cylinders beside a zone that hold no data."""
    if cylinders <= 0:
        return []
    spare = cylinders * surfaces * zone.per_track_count
    return [
        GeometryZone(
            cylinders_count=cylinders,
            sectors_per_track_count=zone.per_track_count,
            spare_sectors_count=spare,
        )
    ]


def _zone(disk: ExtractedDisk, zone: ModelZone, after: int) -> list[GeometryZone]:
    """A zone, with the cylinders up to the next one: to its spare ones, where it shares them."""
    cylinders, spares = zone.last_cylinder - zone.first_cylinder + 1, _spares(disk, zone)
    shares = spares.get("spared_tracks_count") is None
    beyond = after - zone.last_cylinder - 1
    if shares:
        cylinders += beyond
        more = beyond * disk.surfaces_count * zone.per_track_count
        spares["spare_sectors_count"] += more
    found = GeometryZone(
        cylinders_count=cylinders,
        sectors_per_track_count=zone.per_track_count,
        empty_sectors_count=zone.empty_count,
        head_skew_count=zone.head_skew_count % zone.per_track_count,
        cylinder_skew_count=zone.cylinder_skew_count % zone.per_track_count,
        offset_count=zone.offset_count % zone.per_track_count,
        **spares,
    )
    return [found, *([] if shares else _gap(beyond, zone, disk.surfaces_count))]


def _geometry(disk: ExtractedDisk) -> DiskGeometry:
    """Tracks with the mean of the zones' skews."""
    first = disk.zones[0]
    zones = _gap(first.first_cylinder, first, disk.surfaces_count)
    nexts = [*(zone.first_cylinder for zone in disk.zones[1:]), disk.cylinders_count]
    for zone, after in zip(disk.zones, nexts, strict=True):
        zones += _zone(disk, zone, after)
    head, cylinder = _skews_ms(disk)
    found = DiskGeometry(
        surfaces_count=disk.surfaces_count,
        zones=tuple(zones),
        head_skew_ms=head,
        cylinder_skew_ms=cylinder,
    )
    return _with_room_of(disk, found)


def _with_room_of(disk: ExtractedDisk, geometry: DiskGeometry) -> DiskGeometry:
    """The same tracks, slips beyond the spare sectors left out where the file counts them as room.

    DiskSim counts a zone's sectors by its spares alone. Where the number of blocks that is given
    agrees, the next zone starts where it has it, and not later by what is slipped too much.
    """
    held = sum(zone_sectors(geometry))
    surfaces = geometry.surfaces_count
    roomy = [zone.model_copy(update=_within_spares(zone, surfaces)) for zone in geometry.zones]
    found = geometry.model_copy(update={"zones": tuple(roomy)})
    counted = sum(zone_sectors(found))
    return found if disk.blocks_count == counted != held else geometry


def _within_spares(zone: GeometryZone, surfaces_count: int) -> dict[str, Any]:
    """Slips that the spare sectors of their stretch take in; of the rest of a zone none."""
    if zone.spares_kept:
        return {}
    plan = zone_plan(zone, surfaces_count)
    left = [zone.spare_sectors_count] * plan.whole_count + [0]
    within = []
    for sector in zone.slipped_sectors:
        stretch = sector // plan.stretch
        left[stretch] -= 1
        if left[stretch] >= 0:
            within.append(sector)
    tracks = zone.spare_sectors_count // zone.sectors_per_track_count
    return {
        "slipped_sectors": tuple(within),
        "slipped_tracks": zone.slipped_tracks[:tracks],
    }


def _skews_ms(disk: ExtractedDisk) -> tuple[float, float]:
    """Mean skews from track to track and to the next cylinder; 0 unless both are known. [ms]"""
    turn = revolution_ms(disk.speed_rpm)
    turns = [
        (
            zone.head_skew_count / zone.per_track_count,
            zone.cylinder_skew_count / zone.per_track_count,
        )
        for zone in disk.zones
    ]
    wide = [zone.last_cylinder - zone.first_cylinder + 1 for zone in disk.zones]
    head, cylinder = (
        sum(part % 1.0 * cylinders for part, cylinders in zip(parts, wide, strict=True))
        / sum(wide)
        * turn
        for parts in zip(*turns, strict=True)
    )
    if disk.surfaces_count == 1:
        return 0.0, cylinder
    return (head, cylinder) if head > 0 and cylinder > 0 else (0.0, 0.0)


def _seek(disk: ExtractedDisk, seeks: SeekTable | None, cylinders: int) -> TableSeek:
    """Seeks by distance: the measured pairs, or points of the curve that the file names."""
    curve, where = disk.seek, disk.file
    if seeks is not None:
        pairs = _to_the_end(dict(zip(seeks.distances, seeks.times_ms, strict=True)), cylinders)
    else:
        law = _law(curve, cylinders, where)
        pairs = {n: law(n) for n in _distances(curve, cylinders)}
    wrong = next((n for n, time in pairs.items() if not time > 0), None)
    if wrong is not None:
        raise FileFault(where, f"By {where} a seek over {wrong:,} cylinders takes no time.")
    return TableSeek(
        cylinders_count=cylinders, distances_count=tuple(pairs), seeks_ms=tuple(pairs.values())
    )


def _to_the_end(pairs: dict[int, float], cylinders: int) -> dict[int, float]:
    """Pairs up to the longest seek, beyond the last on the line through the last two."""
    distances = list(pairs)
    last = distances[-1]
    if last < cylinders - 1 or len(pairs) == 1:
        slope = 0.0
        if len(pairs) > 1:
            before = distances[-2]
            slope = max((pairs[last] - pairs[before]) / (last - before), 0.0)
        end = max(cylinders - 1, last + 1)
        return {**pairs, end: pairs[last] + slope * (end - last)}
    return pairs


def _distances(curve: SeekCurve, cylinders: int) -> list[int]:
    """Distances at which a curve is taken: more where it is short, and where it changes."""
    join = int(min(curve.two_regime[0], cylinders)) if curve.two_regime else 1
    near = (*range(1, _FIRST_TEN + 2), join - 1, join)
    longest, steps = max(cylinders - 1, 2), _GRID_COUNT - 1
    grid = [int(longest ** (step / steps)) for step in range(_GRID_COUNT)]
    found = {n for n in (*grid, *near) if 1 <= n < max(cylinders, 3)}
    return sorted(found)


def _given(value: float | None, name: str, where: str) -> float:
    if value is None:
        raise FileFault(where, f"{where} has no {name!r}.")
    return value


def _law(curve: SeekCurve, cylinders: int, where: str) -> Callable[[int], float]:
    """Seek by distance in cylinders, as DiskSim's manual has it for each type. [ms]"""
    if curve.kind == "constant":
        constant = _given(curve.constant_ms, "Constant seek time", where)
        return lambda _cylinders: constant
    if curve.kind in {"linear", "curve"}:
        return _three_times(curve, cylinders, where)
    if len(curve.two_regime) < _HPL_COUNT:
        raise FileFault(where, f"{where} needs six 'HPL seek equation values'.")
    law, first = TwoRegime(*curve.two_regime[:5]), list(curve.first_ms)
    if curve.kind == "hpl" and curve.two_regime[5] > 0:
        first = [curve.two_regime[5]]
    return lambda n: first[n - 1] if n <= len(first) else two_regime_ms(law, n)


def _three_times(curve: SeekCurve, cylinders: int, where: str) -> Callable[[int], float]:
    """Through the seek to the next cylinder, the average one and the longest."""
    single = _given(curve.single_ms, "Single cylinder seek time", where)
    average = _given(curve.average_ms, "Average seek time", where)
    full = _given(curve.full_ms, "Full strobe seek time", where)
    stroke = max(cylinders - 1, 2)
    if curve.kind == "linear":
        # The average is reached at a third of all cylinders.
        third = max(stroke / 3, 1.5)
        return lambda n: _between(n, (1, third, stroke), (single, average, full))
    law = three_point(min_ms=single, avg_ms=average, max_ms=full)
    return lambda n: three_point_ms(law, (n - 1) / (stroke - 1)) if n > 1 else single


def _between(at: float, places: Sequence[float], values: Sequence[float]) -> float:
    """Value on the lines through points, the end ones beyond them."""
    last = len(places) - 1
    i = min(max(bisect_right(places, at) - 1, 0), last - 1)
    part = (min(max(at, places[0]), places[last]) - places[i]) / (places[i + 1] - places[i])
    return values[i] + part * (values[i + 1] - values[i])


def _buffer(cache: DiskSettings) -> DriveBuffer | None:
    if not cache.caches or not cache.segments_count or not cache.segment_sectors:
        return None
    bus = BYTES_PER_SECTOR / max(cache.bus_ms_per_sector, _NO_RATE_MS) / 1000
    return DriveBuffer(
        segments_count=min(cache.segments_count, SEGMENTS_MAX),
        segment_bytes=cache.segment_sectors * BYTES_PER_SECTOR,
        ahead_bytes=cache.ahead_sectors * BYTES_PER_SECTOR,
        bus_mb_per_s=bus,
        writes_behind=cache.writes_behind,
    )
