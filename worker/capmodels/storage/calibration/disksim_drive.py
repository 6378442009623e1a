"""A drive from the parameter files of DiskSim, as a calibration begins with it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, field_validator

from capmodels.errors import Fault, ParamsError, pointer_of
from capmodels.formats.disksim_files import base_name
from capmodels.formats.libparam import FileFault
from capmodels.numbers import counted, missing, quantity
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    blank,
    derived_check,
    refusals,
)
from capmodels.storage.calibration.disksim_read import drive_of_files
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.geometry import cylinders_of, zone_sectors
from capmodels.told import Table, TableRow, Told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.calibration.disksim_read import ReadDrive

# The largest known is a list of tracks of 170 kB.
_TEXT_MAX, _FILES_MAX, _ALL_MAX = 1_000_000, 24, 2_000_000


class NamedText(Params):
    """A file: its name, by which others name it, and what is in it."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    text: Annotated[str, Field(max_length=_TEXT_MAX)]


class DiskSimParams(Params):
    """Files of one disk, or of several."""

    files: Annotated[tuple[NamedText, ...], Field(max_length=_FILES_MAX)] = Field(
        min_length=1,
        description="Those of a disk (.diskspecs, .model, .layout, .seek) or of a system (.parv); "
        "files that name each other are found by their names, without folders.",
    )
    disk: Annotated[str, Field(max_length=200)] | None = blank(
        "Its name in the files, where they have several; empty: the first."
    )

    @field_validator("files")
    @classmethod
    def _each_name_once(cls, value: tuple[NamedText, ...]) -> tuple[NamedText, ...]:
        names = [base_name(file.name) for file in value]
        twice = [at for at, name in enumerate(names) if name in names[:at]]
        if twice:
            said = "{} is given twice. Leave one out."
            raise refusals([("twice", said.format(names[at]), (at, "name")) for at in twice])
        return value


class DiskSimDrive(Told):
    """The drive, and what its files do not say."""

    drive: HardDisk
    taken: tuple[str, ...] = Field(
        description="Fields that the files do not give, taken from drives of this kind."
    )
    disks: tuple[str, ...] = Field(description="Names of all disks in the files.")


def _run(params: DiskSimParams, _context: Context) -> DiskSimDrive:
    texts = {base_name(file.name): file.text for file in params.files}
    try:
        found = drive_of_files(texts, params.disk)
    except FileFault as exc:
        place = pointer_of("files", list(texts).index(exc.file), "text")
        raise ParamsError([Fault(place, "unreadable", str(exc))]) from exc
    return DiskSimDrive(
        headline=_headline(found.drive),
        notes=tuple(notes(found)),
        tables=(_table(found),),
        drive=found.drive,
        taken=found.taken,
        disks=found.disks,
    )


def _headline(drive: HardDisk) -> str:
    seek = drive.seek
    assert seek.kind == "table"
    assert drive.geometry is not None
    zones = sum(count > 0 for count in zone_sectors(drive.geometry))
    return (
        f"**{drive.name} is a disk of {quantity(drive.capacity_gb, 'GB')} at "
        f"{quantity(drive.speed_rpm, 'rpm')}**, with {counted(zones, 'zone')} and seeks from "
        f"{_ms(min(seek.seeks_ms))} to {_ms(max(seek.seeks_ms))}."
    )


def notes(found: ReadDrive) -> Iterator[str]:
    """What is to be known of a drive that was read."""
    drive = found.drive
    if len(found.disks) > 1:
        names = ", ".join(found.disks)
        yield f"The files have {len(found.disks)} disks: {names}; {drive.name} was read."
    if found.missing:
        yield f"Not given, so not read: {', '.join(found.missing)}."
    if found.unused:
        yield f"Nothing was taken from {', '.join(found.unused)}."
    if found.blocks_count is not None:
        assert drive.geometry is not None
        held = sum(zone_sectors(drive.geometry))
        yield (
            f"The zones hold {held:,} sectors, the file says {found.blocks_count:,}: the zones "
            "were taken."
        )
    if found.write_more_ms is not None:
        yield (
            f"{found.parts['seeks']} has seeks of writes of their own. Their mean difference from "
            f"those of reads, {_ms(found.write_more_ms)}, is in the write settling."
        )
    powers = f"{quantity(drive.active_w, 'W')} active and {quantity(drive.idle_w, 'W')} idle"
    yield f"Power is not in the files; {powers} are those of server drives of around 2000."
    if "buffer" in found.taken:
        overhead = _ms(drive.overhead_ms)
        yield (
            "The disk's settings (.diskspecs) are not given: it is taken to have no cache and a "
            f"controller time of {overhead}."
        )
    yield "Price and failure rate are not in the files; enter them before costs are compared."


def _ms(value: float) -> str:
    return quantity(value, "ms")


def _table(found: ReadDrive) -> Table:
    rows = [
        TableRow(head=head, cells=(said, found.parts[part] if part else missing()))
        for head, said, part in _rows(found)
    ]
    columns = ("Part", "As read", "File")
    return Table(title="What the files say", columns=columns, rows=tuple(rows))


def _rows(found: ReadDrive) -> Iterator[tuple[str, str, str]]:
    """Part of the drive, its figures, and which of the files has it."""
    drive, geometry = found.drive, found.drive.geometry
    assert geometry is not None
    held = [zone for zone, n in zip(geometry.zones, zone_sectors(geometry), strict=True) if n]
    per_track = [zone.sectors_per_track_count for zone in held]
    yield "Speed", quantity(drive.speed_rpm, "rpm"), "model"
    surfaces = counted(geometry.surfaces_count, "surface")
    yield "Tracks", f"{surfaces}, {counted(cylinders_of(geometry), 'cylinder')}", "layout"
    of = f"{min(per_track):,} to {max(per_track):,} sectors a track"
    yield "Zones", f"{counted(len(held), 'zone')} of {of}", "layout"
    skews = f"{_ms(geometry.head_skew_ms)} by track, {_ms(geometry.cylinder_skew_ms)} by cylinder"
    yield "Skews", skews if geometry.cylinder_skew_ms else "not known", "layout"
    seek = drive.seek
    assert seek.kind == "table"
    steps = counted(len(seek.seeks_ms), "distance")
    ends = f"{_ms(seek.seeks_ms[0])} to the next cylinder, {_ms(seek.seeks_ms[-1])} over all"
    yield "Seeks", f"{ends}; {steps}", "seeks"
    settle = _ms(drive.write_settle_ms)
    yield "Write settling", settle, "model" if found.write_more_ms is None else "seeks"
    yield "Change of head", _ms(drive.same_cylinder_ms), "model"
    yield "Cache", _cache(drive), "" if "buffer" in found.taken else "cache"
    yield "Controller time", _ms(drive.overhead_ms), "" if "buffer" in found.taken else "cache"


def _cache(drive: HardDisk) -> str:
    cache = drive.buffer
    if cache is None:
        return "none"
    size, ahead = (quantity(value, "B") for value in (cache.segment_bytes, cache.ahead_bytes))
    writes = "writes behind" if cache.writes_behind else "writes through"
    return f"{counted(cache.segments_count, 'segment')} of {size}, {ahead} read ahead, {writes}"


_SETTINGS = """disksim_disk EXAMPLE {
  Model = source example.model,
  Bulk sector transfer time = 0.025, Read miss over. after read = 0.5,
  Number of buffer segments = 4, Segment size (in blks) = 256,
  Maximum read-ahead (blks) = 128, Enable caching in buffer = 1, Fast write level = 0
}
"""
_MODEL = """dm_disk EXAMPLE_model {
  Number of data surfaces = 4, Number of cylinders = 1000, Block count = 446000,
  Mechanical Model = dm_mech_g1 {
    Access time type = trackSwitchPlusRotation,
    Seek type = extracted, Full seek curve = example.seek,
    Add. write settling delay = 0.5, Head switch time = 0.8,
    Rotation speed (in rpms) = 7200, Percent error in rpms = 0
  },
  Layout Model = dm_layout_g1 {
    LBN-to-PBN mapping scheme = 0, Sparing scheme used = 0, Rangesize for sparing = 1,
    Zones = [
      dm_layout_g1_zone {
        First cylinder number = 0, Last cylinder number = 499, Blocks per track = 128,
        Offset of first block = 0, Empty space at zone front = 0,
        Skew for track switch = 16, Skew for cylinder switch = 24,
        Number of spares = 0, slips = [], defects = []
      },
      dm_layout_g1_zone {
        First cylinder number = 500, Last cylinder number = 999, Blocks per track = 95,
        Offset of first block = 0, Empty space at zone front = 0,
        Skew for track switch = 12, Skew for cylinder switch = 18,
        Number of spares = 0, slips = [], defects = []
      }
    ]
  }
}
"""
_SEEKS = "Seek distances measured: 3\n1, 1.5\n300, 9.0\n999, 16.0\n"


def _example() -> JSONDict:
    """A disk of two zones in the three files of a disk."""
    texts = {"example.diskspecs": _SETTINGS, "example.model": _MODEL, "example.seek": _SEEKS}
    return {"files": [{"name": name, "text": text} for name, text in texts.items()]}


def _read() -> HardDisk:
    return _run(DiskSimParams.model_validate(_example()), Context()).drive


_derived = partial(derived_check, source="files of a disk of two zones", params=_example)

SPEC = ModelSpec(
    id="storage.disksim_drive",
    version="1.0.0",
    title="Drive from DiskSim's files",
    summary="A disk's tracks, seeks, cache and overheads from the parameter files of DiskSim 4, "
    "as a drive that is simulated and calibrated.",
    params=DiskSimParams,
    result=DiskSimDrive,
    run=_run,
    points=lambda params: sum(len(file.text) for file in params.files),
    point_limit=_ALL_MAX,
    citations=(
        Citation(
            text="J. S. Bucy, J. Schindler, S. W. Schlosser, G. R. Ganger, The DiskSim Simulation "
            "Environment Version 4.0 Reference Manual, CMU-PDL-08-101, 2008",
        ),
    ),
    formulas=(
        Formula(
            "capacity",
            "capacity = 512 B * (sectors of all zones - empty front - spare sectors)",
            "DiskSim 4.0 manual, dm_layout_g1",
        ),
        Formula(
            "skew",
            "skew = part of a turn, mean of the zones by their cylinders",
            "DiskSim 4.0 manual, dm_layout_g1; definition of a mean",
        ),
        Formula(
            "write_settling",
            "write settling = additional settling + mean (seek of a write - seek of a read)",
            "DiskSim 4.0 manual, dm_mech_g1; files of seeks with four columns",
        ),
    ),
    checks=(
        _derived(
            "capacity",
            "Two zones of 500 cylinders, 4 surfaces, 128 and 95 sectors a track",
            2_000 * (128 + 95) * 512 / 1e9,
            lambda: _read().capacity_gb,
            unit="GB",
            tests="storage.drive.drives.HardDisk.capacity_gb",
        ),
        _derived(
            "outer",
            "128 sectors in a turn of 7,200 rpm",
            128 * 512 * 120 / 1e6,
            lambda: _read().outer_mb_per_s,
            unit="MB/s",
            tests="storage.drive.drives.HardDisk.outer_mb_per_s",
        ),
    ),
    start=_example,
    start_source="An illustrative disk of two zones",
    limits=(
        "Layouts other than dm_layout_g1 are not read, nor disks that take the same time for "
        "every access.",
        "Of a disk's overheads one is taken, that of a read which misses its cache.",
    ),
)
