"""The tracks of a drive as it is described: zones, surfaces, skews, and what follows from them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, ValidationInfo, field_validator

from capmodels.spec import Params, assumed, blank, preset, refusal, refusals
from capmodels.storage.drive.limits import CYLINDERS_MAX, ZONES_MAX
from capmodels.storage.drive.service import BYTES_PER_SECTOR, revolution_ms
from capmodels.storage.drive.zone_holes import Spares, ZonePlan, data_count, slipped
from capmodels.units import Count, CountFromOne, DurationMs, Real, of_unit

if TYPE_CHECKING:
    from collections.abc import Iterator


SECTORS_PER_TRACK_MAX = 1_000_000
PerTrack = Annotated[CountFromOne, Field(le=SECTORS_PER_TRACK_MAX)]
Cylinders = Annotated[CountFromOne, Field(lt=CYLINDERS_MAX)]
# Data sheets count whole gigabytes, and less than all tracks hold where some of them are spare.
_ABOVE, _BELOW = 1.01, 0.9
Fault = tuple[str, str, tuple[int | str, ...]]
SkewSectors = Annotated[Real, of_unit("count", ge=0, le=SECTORS_PER_TRACK_MAX)]
Slipped = Annotated[tuple[Count, ...], Field(max_length=10_000)]


class GeometryZone(Params):
    """Neighboring cylinders with the same number of sectors per track."""

    cylinders_count: Cylinders
    sectors_per_track_count: PerTrack = Field(description="Of 512 bytes.")
    spare_sectors_count: Count = assumed(
        0, "Sectors without data, of the zone or of each stretch of its tracks."
    )
    spared_tracks_count: CountFromOne | None = blank(
        "Tracks of a stretch that has spare sectors of its own; empty: the zone.",
        title="Tracks that share them",
    )
    spares_first: bool = preset(False, "Spare sectors are at the start, else at the end.")
    spares_kept: bool = preset(False, "Data of slipped sectors do not use up spare ones.")
    empty_sectors_count: Count = assumed(
        0, "At the start of the zone, of no use for data.", title="Empty front"
    )
    slipped_sectors: Slipped = preset(
        (),
        "Defective ones that are passed over, counted from the zone's first; their "
        "data use up spare sectors.",
    )
    slipped_tracks: Slipped = preset(
        (), "Tracks that are passed over, counted from the zone's first."
    )
    head_skew_count: SkewSectors | None = blank(
        "Sectors from the end of a track to the start of the next; empty: the disk's time."
    )
    cylinder_skew_count: SkewSectors | None = blank(
        "Sectors from the end of a cylinder to the start of the next; empty: the disk's time."
    )
    stretch_skew_count: SkewSectors = assumed(
        0.0, "Sectors by which each stretch with spare sectors of its own starts later."
    )
    offset_count: SkewSectors = assumed(
        0.0, "Sectors by which the zone starts later than the index mark."
    )

    @field_validator("slipped_sectors", "slipped_tracks")
    @classmethod
    def _rising(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if any(after <= before for before, after in pairwise(value)):
            raise refusal("order", "Slipped sectors and tracks have to rise.")
        return value


def zone_plan(zone: GeometryZone, surfaces_count: int) -> ZonePlan:
    """A zone as its holes are found."""
    per_track = zone.sectors_per_track_count
    return ZonePlan(
        tracks_count=zone.cylinders_count * surfaces_count,
        per_track=per_track,
        empty_count=zone.empty_sectors_count,
        spares=Spares(
            zone.spare_sectors_count,
            zone.spared_tracks_count or 0,
            zone.spares_first,
            zone.spares_kept,
        ),
        slips=slipped(zone.slipped_sectors, zone.slipped_tracks, per_track),
    )


class DiskGeometry(Params):
    """Tracks of a disk, and at which angle they start: zones at the index mark, unless they say."""

    surfaces_count: Annotated[CountFromOne, Field(le=64)]
    zones: tuple[GeometryZone, ...] = Field(
        min_length=1, max_length=ZONES_MAX, description="From the outside in."
    )
    head_skew_ms: DurationMs = assumed(
        0.0, "From the end of a track to the start of the next of its cylinder; 0: not known."
    )
    cylinder_skew_ms: Annotated[DurationMs, Field(validate_default=True)] = assumed(
        0.0, "From the end of a cylinder to the start of the next; 0: not known."
    )
    follows_angle: bool = preset(
        False,
        "The angle of the platter is followed from start to end; else how far it has "
        "to turn after a seek is random.",
    )

    @field_validator("zones")
    @classmethod
    def _from_outside_in(
        cls, value: tuple[GeometryZone, ...], info: ValidationInfo
    ) -> tuple[GeometryZone, ...]:
        faults: list[Fault] = []
        rising = value[-1].sectors_per_track_count > value[0].sectors_per_track_count
        if rising:
            text = "Enter zones from the outside in: outer tracks hold more than inner ones."
            at = (len(value) - 1, "sectors_per_track_count")
            faults.append(("zones_not_in_order", text, at))
        surfaces: int = info.data.get("surfaces_count", 0)
        for index, zone in enumerate(value if surfaces else ()):
            faults.extend(_zone_faults(zone_plan(zone, surfaces), index))
        if surfaces and not any(data_count(zone_plan(zone, surfaces)) for zone in value):
            faults.append(("too_many", "Spare sectors leave no room for data.", ()))
        if sum(zone.cylinders_count for zone in value) >= CYLINDERS_MAX:
            text = f"A disk may have {CYLINDERS_MAX - 1:,} cylinders in all."
            faults.append(("too_many_cylinders", text, ()))
        if faults:
            raise refusals(faults)
        return value

    @field_validator("cylinder_skew_ms")
    @classmethod
    def _both_or_neither(cls, value: float, info: ValidationInfo) -> float:
        head, surfaces = info.data.get("head_skew_ms"), info.data.get("surfaces_count")
        if head is None or surfaces is None or (surfaces == 1 and not head):
            return value
        if (value == 0) != (head == 0):
            raise refusal("skews", "Enter both skews, or 0 for both when they are not known.")
        return value

    @field_validator("follows_angle")
    @classmethod
    def _by_skews(cls, value: bool, info: ValidationInfo) -> bool:
        if value and info.data.get("cylinder_skew_ms") == 0:
            raise refusal("skews", "Enter the skews: without them no angle can be followed.")
        return value


def _zone_faults(plan: ZonePlan, index: int) -> Iterator[Fault]:
    if any(high > plan.size for _low, high in plan.slips):
        text = f"The zone has {plan.tracks_count:,} tracks of {plan.per_track:,} sectors."
        yield "too_far", text, (index, "slipped_tracks")
    elif plan.spares.sectors_count > plan.stretch:
        text = f"More spare sectors than all of the {plan.stretch:,} that they are among."
        yield "too_many", text, (index, "spare_sectors_count")


def cylinders_of(geometry: DiskGeometry) -> int:
    """Cylinders of a disk, spare ones included."""
    return sum(zone.cylinders_count for zone in geometry.zones)


def slowed(geometry: DiskGeometry, ratio: float) -> DiskGeometry:
    """The same tracks on a platter whose turn takes so many times as long."""
    skews = ("head_skew_ms", "cylinder_skew_ms")
    return geometry.model_copy(update={name: getattr(geometry, name) * ratio for name in skews})


def zone_sectors(geometry: DiskGeometry) -> list[int]:
    """Sectors of each zone that hold data."""
    surfaces = geometry.surfaces_count
    return [data_count(zone_plan(zone, surfaces)) for zone in geometry.zones]


def geometry_faults(geometry: DiskGeometry, drive: dict[str, object]) -> Iterator[Fault]:
    """What does not fit between tracks and the other fields of a drive, as far as they are valid.

    ``drive`` holds the fields by name.
    """
    yield from _seek_faults(cylinders_of(geometry), drive.get("seek"))
    held_gb = sum(zone_sectors(geometry)) * BYTES_PER_SECTOR / 1e9
    capacity_gb = drive.get("capacity_gb")
    if isinstance(capacity_gb, float) and not _BELOW * held_gb <= capacity_gb <= _ABOVE * held_gb:
        text = (
            f"These tracks hold {held_gb:,.4g} GB, the drive {capacity_gb:,.4g} GB. "
            "Enter the zones of this drive."
        )
        yield "capacity", text, ("zones",)
    speed_rpm = drive.get("speed_rpm")
    for name in ("head_skew_ms", "cylinder_skew_ms"):
        if isinstance(speed_rpm, float) and getattr(geometry, name) >= revolution_ms(speed_rpm):
            text = f"A skew is shorter than a turn, which takes {revolution_ms(speed_rpm):.3g} ms."
            yield "skew", text, (name,)


def _seek_faults(cylinders: int, seek: object) -> Iterator[Fault]:
    if getattr(seek, "kind", None) == "logical":
        text = "A seek by logical distance does not count cylinders. Choose another seek curve."
        yield "seek", text, ()
    counted = getattr(seek, "cylinders_count", cylinders)
    if counted != cylinders:
        text = f"The zones have {cylinders:,} cylinders, the seek curve has {counted:,}."
        yield "cylinders", text, ("zones",)
