"""Extracted disks in the parameter files of DiskSim: geometry, seek curve, mechanics."""

from __future__ import annotations

import re
from dataclasses import dataclass

from capmodels.formats.chunks import FileRefused

_ZONE = re.compile(r"dm_layout_g1_zone\s*\{(.*?)\}", re.DOTALL)
_TRACK_SPARING = 1


@dataclass(frozen=True, slots=True)
class ModelZone:
    """A zone as the file has it; skews, offset, spares and slips in sectors."""

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
class ExtractedDisk:
    """A disk's layout and mechanics; ``first_seeks_ms`` and ``two_regime`` where given."""

    surfaces_count: int
    cylinders_count: int
    serpentine: bool
    zones: tuple[ModelZone, ...]
    speed_rpm: float
    head_switch_ms: float
    write_settle_ms: float
    first_seeks_ms: tuple[float, ...]
    two_regime: tuple[float, ...]
    name: str = ""
    seek_file: str = ""


@dataclass(frozen=True, slots=True)
class DiskSettings:
    """What a ``.diskspecs`` file says of a disk's own cache; the bus passes a sector in a time."""

    segments_count: int
    segment_sectors: int
    ahead_sectors: int
    writes_behind: bool
    bus_ms_per_sector: float
    read_miss_ms: float


def _value(text: str, name: str) -> float:
    found = re.search(re.escape(name) + r"\s*=\s*(-?[\d.]+)", text)
    if found is None:
        message = f"This DiskSim file has no {name!r}."
        raise FileRefused(message)
    return float(found[1])


def _values(text: str, name: str) -> tuple[float, ...]:
    found = re.search(re.escape(name) + r"\s*=\s*\[(.*?)\]", text, re.DOTALL)
    return tuple(float(value) for value in re.findall(r"-?[\d.]+", found[1])) if found else ()


def _zone(text: str, *, tracks_are_spares: bool) -> ModelZone:
    per_track = int(_value(text, "Blocks per track"))
    spares = int(_value(text, "Number of spares"))
    return ModelZone(
        first_cylinder=int(_value(text, "First cylinder number")),
        last_cylinder=int(_value(text, "Last cylinder number")),
        per_track_count=per_track,
        head_skew_count=_value(text, "Skew for track switch"),
        cylinder_skew_count=_value(text, "Skew for cylinder switch"),
        offset_count=_value(text, "Offset of first block"),
        empty_count=int(_value(text, "Empty space at zone front")),
        spares_count=spares * per_track if tracks_are_spares else spares,
        slips=tuple(sorted(int(value) for value in _values(text, "slips"))),
    )


def extracted_disk(text: str) -> ExtractedDisk:
    """Read a ``.model`` file of DiskSim 4.

    Raises
    ------
    FileRefused
        When something that is needed is not in it.
    """
    text = re.sub(r"#.*", "", text)
    spares = int(_value(text, "Sparing scheme used")) == _TRACK_SPARING
    return ExtractedDisk(
        surfaces_count=int(_value(text, "Number of data surfaces")),
        cylinders_count=int(_value(text, "Number of cylinders")),
        serpentine=int(_value(text, "LBN-to-PBN mapping scheme")) == 1,
        zones=tuple(_zone(found, tracks_are_spares=spares) for found in _ZONE.findall(text)),
        speed_rpm=_value(text, "Rotation speed (in rpms)"),
        head_switch_ms=_value(text, "Head switch time"),
        write_settle_ms=_value(text, "Add. write settling delay"),
        first_seeks_ms=_values(text, "First ten seek times"),
        two_regime=_values(text, "HPL seek equation values"),
        name=_word(text, r"dm_disk\s+"),
        seek_file=seek_file_of(text),
    )


def seek_file_of(text: str) -> str:
    """Name of the file that holds the seek curve; empty when there is none."""
    return _word(text, r"Full seek curve\s*=\s*")


def _word(text: str, before: str) -> str:
    found = re.search(before + r"([\w.-]+)", text)
    return found[1] if found else ""


def disk_settings(text: str) -> DiskSettings:
    """Read the cache of a disk in a ``.diskspecs`` file of DiskSim 4.

    Raises
    ------
    FileRefused
        When something that is needed is not in it.
    """
    text = re.sub(r"#.*", "", text)
    return DiskSettings(
        segments_count=int(_value(text, "Number of buffer segments")),
        segment_sectors=int(_value(text, "Segment size (in blks)")),
        ahead_sectors=int(_value(text, "Maximum read-ahead (blks)")),
        writes_behind=_value(text, "Fast write level") > 0,
        bus_ms_per_sector=_value(text, "Bulk sector transfer time"),
        read_miss_ms=_value(text, "Read miss over. after read"),
    )


def seek_pairs(text: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Distances in cylinders and seeks in ms of a ``.seek`` file, further columns left out.

    >>> seek_pairs("Seek distances measured: 2\\n1, 1.25\\n8, 2.5, 0.01\\n")
    ((1, 8), (1.25, 2.5))
    """
    rows = re.findall(r"^\s*(\d+)\s*,\s*([\d.]+)", text, re.MULTILINE)
    return tuple(int(row[0]) for row in rows), tuple(float(row[1]) for row in rows)
