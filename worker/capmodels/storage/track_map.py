"""Which track holds a sector, and at which angle: known exactly, slipped sectors included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.errors import ModelError
from capmodels.storage import array_slots as k

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class TrackMap:
    """Tracks in order of their first sector.

    ``tracks`` (n, 3) holds first sector, sectors per turn and cylinder, ``angles`` (n,) the
    part of a turn at which the first sector starts, ``bucket_sectors`` the width of a bucket of
    ``buckets``, which hold the track of their first sector.
    """

    tracks: NDArray[np.int64]
    angles: NDArray[np.float64]
    sectors_count: int
    bucket_sectors: int
    buckets: NDArray[np.int64]

    def put_into(self, m: k.Machine, plan: NDArray[np.int64]) -> None:
        """Copy the map into a machine and say so in its plan.

        Raises
        ------
        ModelError
            When there are more tracks than a machine holds.
        """
        n = len(self.tracks)
        if n > k.TRACKS_MAX or len(self.buckets) > k.TRACKS_MAX:
            message = f"A map of {n:,} tracks is too large; {k.TRACKS_MAX:,} are allowed."
            raise ModelError(message)
        m["tracks"][:n] = self.tracks
        m["angles"][:n] = self.angles
        m["buckets"][: len(self.buckets)] = self.buckets
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = self.sectors_count
        plan[k.TRACKS] = n
        plan[k.BUCKET] = self.bucket_sectors


def track_map(
    tracks: NDArray[np.int64], angles: NDArray[np.float64], sectors_count: int
) -> TrackMap:
    """Return a map of tracks in order of their first sector."""
    width = max(sectors_count // len(tracks), 1)
    starts = np.arange(0, sectors_count + width, width)
    buckets = np.searchsorted(tracks[:, 0], starts, side="right") - 1
    return TrackMap(tracks, angles, sectors_count, width, np.maximum(buckets, 0))
