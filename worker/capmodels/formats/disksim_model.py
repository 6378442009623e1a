"""Extracted disks in the parameter files of DiskSim: geometry, seek curve, mechanics, cache.

Parameters and what they may be: the manual of its disk model (modules ``disk``, ``mech_g1``,
``layout_g1``) and of its disks' caches.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from capmodels.formats.chunks import FileRefused
from capmodels.formats.libparam import Block, blocks_of, find

if TYPE_CHECKING:
    from collections.abc import Sequence

_INF = math.inf
SPARING_MAX = 10
TRACK_SPARING = 1
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
    name: str = ""


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

    def __init__(self, block: Block, where: str = "This DiskSim file") -> None:
        self.block, self.where = block, where

    def real(
        self, name: str, low: float = -_INF, high: float = _INF, *, default: float | None = None
    ) -> float:
        found = find(self.block, name)
        if found is None and default is not None:
            return default
        if found is None:
            raise FileRefused(f"{self.where} has no {name!r}.")
        if not isinstance(found, float):
            raise FileRefused(f"{self.where}: {name!r} has to be a number, not {_said(found)}.")
        if not low <= found <= high:
            limit = f"at least {low:g}" if found < low else f"at most {high:g}"
            raise FileRefused(f"{self.where}: {name!r} is {found:g} and has to be {limit}.")
        return found

    def whole(self, name: str, low: int, high: int, *, default: int | None = None) -> int:
        found = self.real(name, low, high, default=default)
        if found != int(found):
            raise FileRefused(f"{self.where}: {name!r} is {found:g} and has to be a whole number.")
        return int(found)

    def maybe(self, name: str) -> float | None:
        return None if find(self.block, name) is None else self.real(name, 0.0)

    def reals(self, name: str) -> tuple[float, ...]:
        found = find(self.block, name)
        if found is None:
            return ()
        if not isinstance(found, list):
            raise FileRefused(f"{self.where}: {name!r} has to be a list.")
        wrong = next((item for item in found if not isinstance(item, float)), None)
        if wrong is not None:
            raise FileRefused(f"{self.where}: {name!r} has {_said(wrong)} among its numbers.")
        return tuple(found)

    def word(self, name: str) -> str:
        found = find(self.block, name)
        return found if isinstance(found, str) else ""


def _said(value: object) -> str:
    if isinstance(value, Block):
        return "a block"
    return "a list" if isinstance(value, list) else repr(str(value)[:40])


def _zone(block: Block, number: int, units: str) -> ModelZone:
    fields = _Fields(block, f"Zone {number} of this DiskSim file")
    per_track = fields.whole("Blocks per track", 1, 1_000_000)
    own = fields.word("Skew units") or units
    if own not in {"sectors", "revolutions"}:
        raise FileRefused(f"{fields.where}: 'Skew units' are sectors or revolutions, not {own!r}.")
    scale = per_track if own == "revolutions" else 1
    first = fields.whole("First cylinder number", 0, _COUNT_MAX)
    slips = fields.reals("slips")
    if any(slip < 0 or slip != int(slip) for slip in slips):
        raise FileRefused(f"{fields.where}: slips have to be whole numbers from 0 on.")
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
    listed = find(fields.block, "Zones")
    if listed is None:
        layout = fields.block.values.get("Layout Model")
        kind = layout.kind if isinstance(layout, Block) else ""
        if kind and kind != "dm_layout_g1":
            raise FileRefused(
                f"This DiskSim file lays out its sectors by {kind!r}; dm_layout_g1 can be read."
            )
    zones = [zone for zone in listed if isinstance(zone, Block)] if isinstance(listed, list) else []
    if not zones:
        raise FileRefused("This DiskSim file has no zones.")
    units = fields.word("Skew units") or "sectors"
    found = tuple(_zone(zone, number, units) for number, zone in enumerate(zones, 1))
    found = tuple(sorted(found, key=lambda zone: zone.first_cylinder))
    for before, after in pairwise(found):
        if after.first_cylinder <= before.last_cylinder:
            raise FileRefused(
                f"In this DiskSim file cylinder {after.first_cylinder:,} is in two zones."
            )
    return found


def _seek(fields: _Fields) -> SeekCurve:
    file, two_regime = fields.word("Full seek curve"), fields.reals("HPL seek equation values")
    kind = fields.word("Seek type")
    if not kind:
        kind = "hplplus10" if two_regime else "extracted"
    known = {"linear", "curve", "constant", "hpl", "hplplus10", "extracted"}
    if kind not in known:
        raise FileRefused(f"This DiskSim file has seeks of type {kind!r}, which is not known.")
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


def _block_of(text: str, kind: str) -> Block:
    """The block of a kind: at the top, or within another one."""

    def within(blocks: Sequence[object]) -> Block | None:
        for block in blocks:
            if isinstance(block, Block):
                found = block if block.kind == kind else within(list(block.values.values()))
                if found is not None:
                    return found
        return None

    found = within(blocks_of(text))
    if found is None:
        raise FileRefused(f"This DiskSim file has no block {kind!r}.")
    return found


def extracted_disk(text: str) -> ExtractedDisk:
    """Read a ``.model`` file of DiskSim 4.

    Raises
    ------
    FileRefused
        When something that is needed is not in it or cannot be.
    """
    block = _block_of(text, "dm_disk")
    fields = _Fields(block)
    if fields.word("Access time type") == "constant":
        raise FileRefused(
            "This DiskSim file gives every access the same time; a disk that seeks and turns can "
            "be read."
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
    )


def seek_file_of(text: str) -> str:
    """Name of the file that holds the seek curve; empty when there is none."""
    found = re.search(r"Full seek curve\s*=\s*([^\s,}]+)", re.sub(r"#[^\n\r]*", "", text))
    return found[1] if found else ""


def disk_settings(text: str) -> DiskSettings:
    """Read the cache of a disk in a ``.diskspecs`` file of DiskSim 4.

    Raises
    ------
    FileRefused
        When something that is needed is not in it or cannot be.
    """
    fields = _Fields(_block_of(text, "disksim_disk"))
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


def seek_pairs(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Distances in cylinders and seeks in ms of a ``.seek`` file, further columns left out.

    >>> seek_pairs("Seek distances measured: 2\\n1, 1.25\\n8, 2.5e0, 0.01\\n")
    ((1, 8), (1.25, 2.5))

    Raises
    ------
    FileRefused
        When there are fewer than two pairs, or distances do not rise.
    """
    rows = re.findall(
        r"^[ \t]*(\d+)[ \t]*[,\s][ \t]*(-?[\d.]+(?:[eE][+-]?\d+)?)", text, re.MULTILINE
    )
    try:
        found = sorted({int(row[0]): float(row[1]) for row in rows if int(row[0]) > 0}.items())
    except ValueError:
        raise FileRefused("A seek time of this file is not a number.") from None
    if not found or any(not 0 < pair[1] < 1e5 for pair in found):
        raise FileRefused("This file has no pairs of a distance in cylinders and a seek in ms.")
    distances, times = zip(*found, strict=True)
    return distances, times
