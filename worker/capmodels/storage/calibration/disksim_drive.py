"""From the parameter files of DiskSim to a drive that can be simulated and calibrated.

They say nothing of power or price: those are taken from drives of their kind, and named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from capmodels.errors import ModelError
from capmodels.formats.chunks import FileRefused
from capmodels.formats.disksim_model import (
    TRACK_SPARING,
    disk_settings,
    extracted_disk,
    seek_pairs,
)
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
    from collections.abc import Callable

    from capmodels.formats.disksim_model import (
        DiskSettings,
        ExtractedDisk,
        ModelZone,
        SeekCurve,
    )

# Of 3.5-inch server drives of around 2000, as their data sheets have it.
_ACTIVE_W, _IDLE_W = 12.0, 9.0
_GRID_COUNT = 200
_NO_RATE_MS = 1e-3
_FIRST_TEN, _HPL_COUNT = 10, 6
# Sparing schemes with spare sectors in front, and those whose slips do not use spare ones.
_IN_FRONT, _KEPT = (5, 6), (4, 6, 7, 10)
_NAME_ENDS = re.compile(r"(_validate)?([._]model)?$")


class ReadDrive(NamedTuple):
    """A drive, the fields that its files did not give, and what they say twice and unlike."""

    drive: HardDisk
    taken: tuple[str, ...]
    notes: tuple[str, ...] = ()


def drive_of_disksim(model: str, *, seeks: str | None, settings: str | None) -> ReadDrive:
    """The drive of a ``.model`` file, with its ``.seek`` and its ``.diskspecs`` file if given.

    Raises
    ------
    FileRefused
        When something that is needed is not in them.
    """
    try:
        return _drive(model, seeks, settings)
    except ValidationError as exc:
        first = exc.errors()[0]
        place = " ".join(str(part) for part in first["loc"])
        message = f"This DiskSim file describes no drive: {place}: {first['msg']}."
        raise FileRefused(message) from exc
    except ModelError as exc:
        message = f"This DiskSim file describes no drive: {exc}"
        raise FileRefused(message) from exc


def _drive(model: str, seeks: str | None, settings: str | None) -> ReadDrive:
    disk = extracted_disk(model)
    cache = None if settings is None else disk_settings(settings)
    geometry = _geometry(disk)
    turn = revolution_ms(disk.speed_rpm)
    rates = [track_rate_mb_per_s(zone.per_track_count, turn) for zone in disk.zones]
    more: dict[str, Any] = {}
    taken = ["active_w", "idle_w"]
    if cache is None:
        taken += ["buffer", "overhead_ms"]
    else:
        more = {"buffer": _buffer(cache), "overhead_ms": cache.read_miss_ms}
    drive = HardDisk(
        name=_NAME_ENDS.sub("", disk.name).replace("_", " ") or "disk",
        capacity_gb=sum(zone_sectors(geometry)) * BYTES_PER_SECTOR / 1e9,
        speed_rpm=disk.speed_rpm,
        seek=_seek(disk, seeks, sum(zone.cylinders_count for zone in geometry.zones)),
        write_settle_ms=disk.write_settle_ms,
        same_cylinder_ms=disk.head_switch_ms,
        outer_mb_per_s=rates[0],
        inner_mb_per_s=rates[-1],
        active_w=_ACTIVE_W,
        idle_w=_IDLE_W,
        geometry=geometry,
        **more,
    )
    return ReadDrive(drive, tuple(taken), _blocks_told(disk, sum(zone_sectors(geometry))))


def _blocks_told(disk: ExtractedDisk, held: int) -> tuple[str, ...]:
    """Where the number of blocks that a file gives is not what its zones hold."""
    given = disk.blocks_count
    if given is None or given == held:
        return ()
    return (f"The zones hold {held:,} sectors, the file says {given:,}: the zones were taken.",)


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
    head, cylinder = np.average(np.mod(turns, 1.0), axis=0, weights=wide) * turn
    if disk.surfaces_count == 1:
        return 0.0, float(cylinder)
    return (float(head), float(cylinder)) if head > 0 and cylinder > 0 else (0.0, 0.0)


def _seek(disk: ExtractedDisk, seeks: str | None, cylinders: int) -> TableSeek:
    """Seeks by distance: the measured pairs, or points of the curve that the file names."""
    curve = disk.seek
    if seeks is not None and curve.kind == "extracted":
        pairs = _to_the_end(dict(zip(*seek_pairs(seeks), strict=True)), cylinders)
    elif curve.kind == "extracted":
        name = curve.file or "the seek curve"
        message = f"This DiskSim file has its seeks in another one: give {name} as well."
        raise FileRefused(message)
    else:
        law = _law(curve, cylinders)
        pairs = {n: law(n) for n in _distances(curve, cylinders)}
    wrong = next((n for n, time in pairs.items() if not time > 0), None)
    if wrong is not None:
        message = f"By this DiskSim file a seek over {wrong:,} cylinders takes no time."
        raise FileRefused(message)
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
    grid = np.geomspace(1, max(cylinders - 1, 2), _GRID_COUNT).astype(np.int64).tolist()
    found = {n for n in (*grid, *near) if 1 <= n < max(cylinders, 3)}
    return sorted(found)


def _given(value: float | None, name: str) -> float:
    if value is None:
        message = f"This DiskSim file has no {name!r}."
        raise FileRefused(message)
    return value


def _law(curve: SeekCurve, cylinders: int) -> Callable[[int], float]:
    """Seek by distance in cylinders, as DiskSim's manual has it for each type. [ms]"""
    if curve.kind == "constant":
        constant = _given(curve.constant_ms, "Constant seek time")
        return lambda _cylinders: constant
    if curve.kind in {"linear", "curve"}:
        return _three_times(curve, cylinders)
    if len(curve.two_regime) < _HPL_COUNT:
        message = "This DiskSim file needs six 'HPL seek equation values'."
        raise FileRefused(message)
    law, first = TwoRegime(*curve.two_regime[:5]), list(curve.first_ms)
    if curve.kind == "hpl" and curve.two_regime[5] > 0:
        first = [curve.two_regime[5]]
    return lambda n: first[n - 1] if n <= len(first) else two_regime_ms(law, n)


def _three_times(curve: SeekCurve, cylinders: int) -> Callable[[int], float]:
    """Through the seek to the next cylinder, the average one and the longest."""
    single = _given(curve.single_ms, "Single cylinder seek time")
    average = _given(curve.average_ms, "Average seek time")
    full = _given(curve.full_ms, "Full strobe seek time")
    stroke = max(cylinders - 1, 2)
    if curve.kind == "linear":
        # The average is reached at a third of all cylinders.
        third = max(stroke / 3, 1.5)
        return lambda n: float(np.interp(n, [1, third, stroke], [single, average, full]))
    law = three_point(min_ms=single, avg_ms=average, max_ms=full)
    return lambda n: three_point_ms(law, (n - 1) / (stroke - 1)) if n > 1 else single


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
