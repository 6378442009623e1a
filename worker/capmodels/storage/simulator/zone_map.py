"""Which track holds a sector, and at which angle, computed: zones of equal tracks. [ms]"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.simulator import slots as k

if TYPE_CHECKING:
    from numpy.typing import NDArray

ANGLE_ERROR = 1e-9  # of a turn: keeps a skew of nothing from becoming a whole turn
FIRST, PER_TRACK, FIRST_CYLINDER, PER_CYLINDER = range(4)
START, TO_SURFACE, TO_CYLINDER = range(3)


def gaps_ms(
    skewed_turns: NDArray[np.float64], needed_ms: NDArray[np.float64], turn_ms: float
) -> NDArray[np.float64]:
    """Time from the end of a track to the start of the next, which starts a skew later. [ms]

    When the head is not there by then, it comes by a whole turn later again.

    >>> gaps_ms(np.array([0.1, 0.1]), np.array([0.5, 1.5]), 10.0).round(6).tolist()
    [1.0, 11.0]
    """
    gap = (skewed_turns + ANGLE_ERROR) % 1.0 * turn_ms
    missed = np.ceil((needed_ms - gap) / turn_ms)
    found: NDArray[np.float64] = gap + np.maximum(missed, 0.0) * turn_ms
    return found


@dataclass(frozen=True)
class ZoneMap:
    """Zones of equal tracks, filled cylinder by cylinder, surface by surface.

    ``zones`` (n, 4) holds first sector, sectors per track, first cylinder and sectors per
    cylinder; ``angles`` (n, 3), in turns, where its first sector starts, how much later each next
    surface starts, and the first surface of each next cylinder (all 0 when skews are not known).
    Nothing is held per track, so that drives of millions of tracks cost no more than old ones.
    """

    zones: NDArray[np.int64]
    angles: NDArray[np.float64]
    sectors_count: int
    tracks_count: int

    def put_into(self, m: k.Machine, plan: NDArray[np.int64]) -> None:
        """Copy the map into a machine and say so in its plan."""
        count, drive = len(self.zones), m["par"][0]
        shift = max(int(self.sectors_count).bit_length() - k.ZONE_BUCKETS.bit_length() + 1, 0)
        starts = np.arange(k.ZONE_BUCKETS, dtype=np.int64) << shift
        m["zone_of"][:] = np.searchsorted(self.zones[:, FIRST], starts, side="right") - 1
        m["zones"][:count], m["zone_angles"][:count] = self.zones, self.angles
        m["zone_switches"][:count] = self.switches_ms(
            drive[k.TURN], m["seek_table"], settle_ms=drive[k.SETTLE]
        )
        m["par"][: int(plan[k.DISKS]), k.SECTORS] = self.sectors_count
        plan[k.TRACKS], plan[k.ZONES], plan[k.ZONE_SHIFT] = self.tracks_count, count, shift

    def switches_ms(
        self, turn_ms: float, seeks_ms: NDArray[np.float64], *, settle_ms: float
    ) -> NDArray[np.float64]:
        """Time from a track's end to the next surface and to the next cylinder, by zone. [ms]

        Where no skew is known it is taken to be what a write needs, the move and its settling, as
        reads and writes share one layout; a change of surface then counts as a move by one
        cylinder.
        """
        if not self.angles.any():
            return np.full((len(self.zones), 2), max(seeks_ms[1] + settle_ms, 0.0))
        surfaces = self.zones[:, PER_CYLINDER] // self.zones[:, PER_TRACK]
        back = (surfaces - 1) * self.angles[:, TO_SURFACE]
        turned = np.stack([self.angles[:, TO_SURFACE], self.angles[:, TO_CYLINDER] - back], axis=1)
        return gaps_ms(turned, seeks_ms[:2], turn_ms)
