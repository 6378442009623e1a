"""Where a sector lies on a disk with known tracks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from capmodels.storage.simulator.slots import Machine


@kernel
def track_of(m: Machine, sector: int) -> int:
    """Index of the track that holds a sector."""
    track = m.buckets[sector // m.plan[k.BUCKET]]
    while track + 1 < m.plan[k.TRACKS] and m.tracks[track + 1, 0] <= sector:
        track += 1
    return track


@kernel
def zone_at(m: Machine, sector: int) -> int:
    """Index of the zone that holds a sector."""
    zone = m.zone_of[sector >> m.plan[k.ZONE_SHIFT]]
    while zone + 1 < m.plan[k.ZONES] and m.zones[zone + 1, 0] <= sector:
        zone += 1
    return zone


@kernel
def place_on_tracks(m: Machine, sector: int) -> tuple[int, int]:
    """Sectors per track, and cylinder, of a sector: by zone where zones are whole."""
    if m.plan[k.ZONES] == 0:
        track = track_of(m, sector)
        return m.tracks[track, 1], m.tracks[track, 2]
    zone = zone_at(m, sector)
    inside = sector - m.zones[zone, 0]
    return m.zones[zone, 1], m.zones[zone, 2] + inside // m.zones[zone, 3]


@kernel
def angle_at(m: Machine, sector: int) -> float:
    """Angle at which a sector starts, whole turns included: by zone where zones are whole."""
    if m.plan[k.ZONES] == 0:
        track = track_of(m, sector)
        return float(m.angles[track] + (sector - m.tracks[track, 0]) / m.tracks[track, 1])
    zone = zone_at(m, sector)
    per_track, per_cylinder = m.zones[zone, 1], m.zones[zone, 3]
    cylinder, left = divmod(sector - m.zones[zone, 0], per_cylinder)
    surface, offset = divmod(left, per_track)
    angles = m.zone_angles[zone]
    return float(angles[0] + surface * angles[1] + cylinder * angles[2] + offset / per_track)


@kernel
def switches_ms(m: Machine, sector: int, sectors: int) -> float:
    """Time between the ends of tracks that an operation runs past, and the next starts. [ms]"""
    if m.plan[k.ZONES] > 0:
        return zone_switches_ms(m, zone_at(m, sector), sector, sectors)
    track = track_of(m, sector)
    total = 0.0
    while track + 1 < m.plan[k.TRACKS] and m.tracks[track + 1, 0] < sector + sectors:
        total += m.switches[track]
        track += 1
    return total


@kernel
def zone_switches_ms(m: Machine, zone: int, sector: int, sectors: int) -> float:
    """As ``switches_ms``, in a zone without spared or slipped sectors. [ms]"""
    per_track, per_cylinder = m.zones[zone, 1], m.zones[zone, 3]
    first = sector - m.zones[zone, 0]
    last = first + sectors - 1
    cylinders = last // per_cylinder - first // per_cylinder
    surfaces = last // per_track - first // per_track - cylinders
    return surfaces * m.zone_switches[zone, 0] + cylinders * m.zone_switches[zone, 1]
