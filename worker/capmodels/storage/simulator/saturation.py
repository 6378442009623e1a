"""When an array cannot keep up, so that percentiles of its responses mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.storage.simulator.layout import lost_disks

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import ArrayDesign
    from capmodels.storage.simulator.results import SaturatedReason
    from capmodels.storage.simulator.run import Outcome

SATURATED_UTILIZATION = 0.98


def saturation(
    out: Outcome, *, closed: bool, copies: tuple[tuple[int, ...], ...] = ()
) -> SaturatedReason | None:
    """Why percentiles mean nothing, or None. A closed loop may run its disks at full load.

    Of the disks of a set of ``copies`` the least loaded counts: another may be kept full on
    purpose.
    """
    if out.overflow:
        return "queue_overflow"
    if closed:
        return None
    if out.rebuilt_ms > 0:
        # A rebuild takes what the requests leave of the disks.
        return "response_grows" if out.means_grow else None
    busy = out.time_ms[:, :2].sum(axis=1) / max(out.end_ms, 1e-9)
    alone = set(range(len(busy))).difference(*copies)
    least = [busy[list(disks)].min() for disks in copies]
    if max(float(share) for share in [*least, *busy[list(alone)]]) >= SATURATED_UTILIZATION:
        return "utilization"
    return "response_grows" if out.means_grow else None


def copies_of(design: ArrayDesign) -> tuple[tuple[int, ...], ...]:
    """Sets of disks that hold the same data, without those that are lost."""
    layout, lost = design.layout, lost_disks(design.layout)
    width = {"mirrored_set": layout.disks_count, "raid1": layout.disks_count, "raid10": 2}
    size = width.get(layout.kind, 1)
    if size == 1:
        return ()
    starts = range(0, layout.disks_count, size)
    return tuple(tuple(d for d in range(i, i + size) if d not in lost) for i in starts)
