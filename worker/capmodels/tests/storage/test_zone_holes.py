"""Sectors without data: what a zone holds and where, against a list of all of its sectors."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.storage.drive.zone_holes import Spares, data_count, slipped
from capmodels.storage.simulator.track_map import TrackZone, map_of_zones, plan_of

SURFACES = 3


@st.composite
def zones(draw: st.DrawFn) -> TrackZone:
    cylinders, per_track = draw(st.integers(1, 6)), draw(st.integers(2, 12))
    tracks = cylinders * SURFACES
    stretch = draw(st.sampled_from([0, 1, SURFACES, 2 * SURFACES]))
    most = per_track * (stretch or tracks)
    spares = Spares(
        draw(st.integers(0, most // 2)), stretch, draw(st.booleans()), draw(st.booleans())
    )
    whole = sorted(draw(st.sets(st.integers(0, tracks - 1), max_size=2)))
    single = sorted(draw(st.sets(st.integers(0, tracks * per_track - 1), max_size=8)))
    return TrackZone(
        5, 4 + cylinders, per_track, 1.0, 2.0, empty=draw(st.integers(0, 5 * per_track)),
        spares=spares, slips=slipped(single, whole, per_track),
    )  # fmt: skip


def _listed(zone: TrackZone) -> list[int]:
    """Sectors of a zone that hold data, each looked at for itself."""
    size = (zone.last_cylinder - zone.first_cylinder + 1) * SURFACES * zone.per_track
    stretch = min((zone.spares.tracks_count * zone.per_track) or size, size)
    bad = {at for low, high in zone.slips for at in range(low, high)}
    found: list[int] = []
    for start in range(0, size, stretch):
        end = min(start + stretch, size)
        good = [at for at in range(start, end) if at not in bad]
        gone = end - start - len(good)
        if end - start == stretch:
            spare = zone.spares.sectors_count
            spare = spare if zone.spares.kept else max(spare - gone, 0)
            spare = min(spare, len(good))
            good = good[spare:] if zone.spares.first else good[: len(good) - spare]
        found += good
    # As DiskSim's ``layout_g1`` has it: a data sector's number in the zone, less the empty front.
    return found[zone.empty :]


@settings(deadline=None, derandomize=True)
@given(zones())
def test_a_zone_holds_what_a_list_of_its_sectors_holds(zone: TrackZone) -> None:
    listed = _listed(zone)
    assert data_count(plan_of(zone, SURFACES)) == len(listed)
    if not listed:
        return
    found = map_of_zones([zone], surfaces_count=SURFACES)
    assert found.sectors_count == len(listed)
    places = np.arange(len(listed))
    piece = np.searchsorted(found.tracks[:, 0], places, side="right") - 1
    rows = found.tracks[piece]
    track = rows[:, 4] - 5 * SURFACES
    turned = track - track // SURFACES + 2.0 * (track // SURFACES)
    skew = turned / zone.per_track % 1.0
    start = (found.angles[piece] - skew) % 1.0 * zone.per_track
    inside = np.round(start) % zone.per_track + places - rows[:, 0]
    assert (track * zone.per_track + inside).astype(int).tolist() == listed
