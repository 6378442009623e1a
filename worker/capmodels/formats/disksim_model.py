"""Extracted disks in the parameter files of DiskSim: geometry, seek curve, mechanics, cache.

Parameters and what they may be: the manual of its disk model (modules ``disk``, ``mech_g1``,
``layout_g1``) and of its disks' caches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from capmodels.formats.libparam import Block, FileFault, find, number

if TYPE_CHECKING:
    from collections.abc import Iterator

_INF = math.inf
SPARING_MAX = 10
TRACK_SPARING = 1
_SEEK_MAX_MS = 1e5
# Times in a line that has seeks of writes as well.
_DUAL_COUNT = 3
_COUNT_MAX = 1 << 31  # no disk has more cylinders, tracks or spare sectors of a zone


@dataclass(frozen=True, slots=True)
class ModelZone:
    """A zone as the file has it; skews and offset in sectors, spares and slips by the scheme."""

    first_cylinder: int
    last_cylinder: int
    per_track_count: int
    head_skew_count: float
    cylinder_skew_count: float
    offset_count: float
    empty_count: int
    spares_count: int
    slips: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeekCurve:
    """How the file says that seeks go: the kind, and the values of each kind, if given."""

    kind: str
    constant_ms: float | None = None
    single_ms: float | None = None
    average_ms: float | None = None
    full_ms: float | None = None
    file: str = ""
    first_ms: tuple[float, ...] = ()
    two_regime: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ExtractedDisk:
    """A disk's layout and mechanics."""

    surfaces_count: int
    cylinders_count: int
    blocks_count: int | None
    serpentine: bool
    sparing: int
    range_cylinders_count: int
    zones: tuple[ModelZone, ...]
    speed_rpm: float
    head_switch_ms: float
    write_settle_ms: float
    seek: SeekCurve
    name: str
    file: str
    layout_file: str


@dataclass(frozen=True, slots=True)
class DiskSettings:
    """What a ``.diskspecs`` file says of a disk's own cache; the bus passes a sector in a time."""

    caches: bool
    segments_count: int
    segment_sectors: int
    ahead_sectors: int
    writes_behind: bool
    bus_ms_per_sector: float
    read_miss_ms: float


class _Fields:
    """Values of a block by name, each held against what it may be."""

    def __init__(self, block: Block, part: str = "") -> None:
        self.block, self._part = block, part

    def fault(self, what: str, file: str = "") -> FileFault:
        name = file or self.block.file
        return FileFault(name, f"{self._part}{name}{what}")

    def found(self, name: str) -> tuple[object, str]:
        return find(self.block, name) or (None, "")

    def real(
        self, name: str, low: float = -_INF, high: float = _INF, *, default: float | None = None
    ) -> float:
        found, file = self.found(name)
        if found is None and default is not None:
            return default
        if found is None:
            raise self.fault(f" has no {name!r}.")
        if not isinstance(found, float):
            raise self.fault(f": {name!r} has to be a number, not {_said(found)}.", file)
        if not low <= found <= high:
            limit = f"at least {low:g}" if found < low else f"at most {high:g}"
            raise self.fault(f": {name!r} is {found:g} and has to be {limit}.", file)
        return found

    def whole(self, name: str, low: int, high: int, *, default: int | None = None) -> int:
        found = self.real(name, low, high, default=default)
        if found != int(found):
            file = self.found(name)[1]
            raise self.fault(f": {name!r} is {found:g} and has to be a whole number.", file)
        return int(found)

    def maybe(self, name: str) -> float | None:
        return None if self.found(name)[0] is None else self.real(name, 0.0)

    def reals(self, name: str) -> tuple[float, ...]:
        found, file = self.found(name)
        if found is None:
            return ()
        if not isinstance(found, list):
            raise self.fault(f": {name!r} has to be a list.", file)
        wrong = next((item for item in found if not isinstance(item, float)), None)
        if wrong is not None:
            raise self.fault(f": {name!r} has {_said(wrong)} among its numbers.", file)
        return tuple(found)

    def word(self, name: str) -> str:
        found = self.found(name)[0]
        return found if isinstance(found, str) else ""


def _said(value: object) -> str:
    if isinstance(value, Block):
        return "a block"
    return "a list" if isinstance(value, list) else repr(str(value)[:40])


def _zone(block: Block, number: int, units: str) -> ModelZone:
    fields = _Fields(block, f"Zone {number} of ")
    per_track = fields.whole("Blocks per track", 1, 1_000_000)
    own = fields.word("Skew units") or units
    if own not in {"sectors", "revolutions"}:
        raise fields.fault(f": 'Skew units' are sectors or revolutions, not {own!r}.")
    scale = per_track if own == "revolutions" else 1
    first = fields.whole("First cylinder number", 0, _COUNT_MAX)
    slips = fields.reals("slips")
    if any(slip < 0 or slip != int(slip) for slip in slips):
        raise fields.fault(": slips have to be whole numbers from 0 on.")
    return ModelZone(
        first_cylinder=first,
        last_cylinder=fields.whole("Last cylinder number", first, _COUNT_MAX),
        per_track_count=per_track,
        head_skew_count=fields.real("Skew for track switch", default=0.0) * scale,
        cylinder_skew_count=fields.real("Skew for cylinder switch", default=0.0) * scale,
        offset_count=fields.real("Offset of first block", default=0.0) * scale,
        empty_count=fields.whole("Empty space at zone front", 0, _COUNT_MAX, default=0),
        spares_count=fields.whole("Number of spares", 0, _COUNT_MAX, default=0),
        slips=tuple(sorted({int(slip) for slip in slips})),
    )


def _zones(fields: _Fields) -> tuple[ModelZone, ...]:
    listed, file = fields.found("Zones")
    if listed is None:
        layout = fields.block.values.get("Layout Model")
        if isinstance(layout, Block) and layout.kind != "dm_layout_g1":
            what = f" lays out its sectors by {layout.kind!r}; dm_layout_g1 can be read."
            raise fields.fault(what, layout.file)
    zones = [zone for zone in listed if isinstance(zone, Block)] if isinstance(listed, list) else []
    if not zones:
        raise fields.fault(" has no zones.", file)
    units = fields.word("Skew units") or "sectors"
    found = tuple(_zone(zone, number, units) for number, zone in enumerate(zones, 1))
    found = tuple(sorted(found, key=lambda zone: zone.first_cylinder))
    for before, after in pairwise(found):
        if after.first_cylinder <= before.last_cylinder:
            raise fields.fault(f": cylinder {after.first_cylinder:,} is in two zones.", file)
    return found


def _seek(fields: _Fields) -> SeekCurve:
    file, two_regime = fields.word("Full seek curve"), fields.reals("HPL seek equation values")
    kind = fields.word("Seek type")
    if not kind:
        kind = "hplplus10" if two_regime else "extracted"
    known = {"linear", "curve", "constant", "hpl", "hplplus10", "extracted"}
    if kind not in known:
        raise fields.fault(f" has seeks of type {kind!r}, which is not known.")
    return SeekCurve(
        kind="extracted" if file else kind,
        constant_ms=fields.maybe("Constant seek time"),
        single_ms=fields.maybe("Single cylinder seek time"),
        average_ms=fields.maybe("Average seek time"),
        full_ms=fields.maybe("Full strobe seek time"),
        file=file,
        first_ms=fields.reals("First ten seek times") if kind == "hplplus10" else (),
        two_regime=two_regime,
    )


def extracted_disk(block: Block) -> ExtractedDisk:
    """Read the block ``dm_disk`` of a disk, as a ``.model`` file of DiskSim 4 holds it.

    Raises
    ------
    FileFault
        When something that is needed is not in it or cannot be.
    """
    fields = _Fields(block)
    if fields.word("Access time type") == "constant":
        raise fields.fault(
            " gives every access the same time; a disk that seeks and turns can be read."
        )
    zones = _zones(fields)
    blocks = fields.maybe("Block count")
    return ExtractedDisk(
        surfaces_count=fields.whole("Number of data surfaces", 1, 64),
        cylinders_count=max(
            fields.whole("Number of cylinders", 1, _COUNT_MAX), zones[-1].last_cylinder + 1
        ),
        blocks_count=None if blocks is None else int(blocks),
        serpentine=fields.whole("LBN-to-PBN mapping scheme", 0, 2) > 0,
        sparing=fields.whole("Sparing scheme used", 0, SPARING_MAX),
        range_cylinders_count=fields.whole("Rangesize for sparing", 1, _COUNT_MAX, default=1),
        zones=zones,
        speed_rpm=fields.real("Rotation speed (in rpms)", 1.0, 1e6),
        head_switch_ms=fields.real("Head switch time", 0.0, 1e5),
        write_settle_ms=fields.real("Add. write settling delay", -1e3, 1e5),
        seek=_seek(fields),
        name=block.name,
        file=block.file,
        layout_file=fields.found("Zones")[1],
    )


def disk_settings(block: Block) -> DiskSettings:
    """Read the cache of a disk in its block ``disksim_disk``, as a ``.diskspecs`` file holds it.

    Raises
    ------
    FileFault
        When something that is needed is not in it or cannot be.
    """
    fields = _Fields(block)
    fast = fields.real("Fast write level", 0.0, 2.0, default=0.0)
    caches = fields.real("Enable caching in buffer", 0.0, 2.0, default=1.0)
    return DiskSettings(
        caches=caches > 0,
        segments_count=fields.whole("Number of buffer segments", 0, _COUNT_MAX),
        segment_sectors=fields.whole("Segment size (in blks)", 0, _COUNT_MAX),
        ahead_sectors=fields.whole("Maximum read-ahead (blks)", 0, _COUNT_MAX, default=0),
        writes_behind=fast > 0,
        bus_ms_per_sector=fields.real("Bulk sector transfer time", 0.0, 1e3, default=0.0),
        read_miss_ms=fields.real("Read miss over. after read", 0.0, 1e3, default=0.0),
    )


class SeekTable(NamedTuple):
    """Seeks by distance in cylinders, and how much longer those of writes are on average. [ms]

    The latter is None where the file has no seeks of writes.
    """

    distances: tuple[int, ...]
    times_ms: tuple[float, ...]
    write_more_ms: float | None


def seek_table(text: str, file: str) -> SeekTable:
    """Read a ``.seek`` file: distance, seek, its standard deviation, seek of a write.

    Deviations are left out. A file may have two, three or four columns.

    >>> seek_table("Seek distances measured: 2\\n1, 1.25\\n8, 2.5e0, 0.01\\n", "x.seek")
    SeekTable(distances=(1, 8), times_ms=(1.25, 2.5), write_more_ms=None)
    >>> seek_table("1, 1.0, 0.01, 1.5\\n8, 2.0, 0.01, 2.25\\n", "x.seek").write_more_ms
    0.375

    Raises
    ------
    FileFault
        When there are no pairs, or a time is none.
    """
    rows = dict(sorted(_seek_rows(text, file)))
    times = [row[0] for row in rows.values()]
    if not rows or any(not 0 < time < _SEEK_MAX_MS for time in times):
        message = f"{file} has no pairs of a distance in cylinders and a seek in ms."
        raise FileFault(file, message)
    more = [row[2] - row[0] for row in rows.values() if row[2:] > (0,)]
    extra = math.fsum(more) / len(more) if more else None
    return SeekTable(tuple(rows), tuple(times), extra)


def _seek_rows(text: str, file: str) -> Iterator[tuple[int, tuple[float, ...]]]:
    """Distance, and the times beside it, of the lines that begin with a distance."""
    for line in text.splitlines():
        cells = line.partition("#")[0].replace(",", " ").split()
        distance = number(cells[0]) if cells[1:] else None
        if distance is None or not 0 < distance < _COUNT_MAX or distance != int(distance):
            continue
        times = [number(cell) for cell in cells[1 : _DUAL_COUNT + 1]]
        if None in times:
            raise FileFault(file, f"A seek time of {file} is not a number.")
        yield int(distance), tuple(time for time in times if time is not None)
