"""Where data lie on a drive, and how fast they pass there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.drive.service import revolution_ms, transfer_ms
from capmodels.storage.drive.tracks import rates_mb_per_s, used_zones

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.storage.drive.drives import Drive


def places_of(drive: Drive, steps: int) -> NDArray[np.float64]:
    """Where on the stroke a place in the data is, and the time a byte takes there. [ms]"""
    at = np.linspace(0.0, 1.0, steps + 1)
    if drive.kind == "ssd":
        return np.zeros((steps + 1, 2))
    if drive.geometry is None:
        outer, inner = (transfer_ms(1.0, rate) for rate in rates_mb_per_s(drive))
        return np.stack([at, outer + (inner - outer) * at], axis=1)
    zones = used_zones(drive, drive.geometry)
    ends = np.concatenate([[0.0], np.cumsum([zone.share for zone in zones])])
    strokes = np.interp(at, ends, [zones[0].start, *(zone.end for zone in zones)])
    of = np.clip(np.searchsorted(ends, at, side="right") - 1, 0, len(zones) - 1)
    sectors = np.array([zone.per_track for zone in zones])[of]
    return np.stack([strokes, revolution_ms(drive.speed_rpm) / (sectors * 512.0)], axis=1)
