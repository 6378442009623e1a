"""Which arrays ``fast_kernel`` simulates: most that are asked for, and quick to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import ArrayDesign


def takes_short_way(design: ArrayDesign) -> bool:
    """Whether ``fast_kernel`` simulates a design: copies of one hard disk, nothing besides."""
    layout, dispatch = design.layout, design.dispatch
    return (
        layout.kind in {"single", "mirrored_set", "raid1"}
        and design.drive.kind == "hdd"
        and design.drive.buffer is None
        and design.drive.measured is None
        and not (design.drive.geometry is not None and design.drive.geometry.follows_angle)
        and design.cache is None
        and design.controller is None
        and design.copies is None
        and design.scheduler == "fcfs"
        and not layout.failed_disk_count
        and not dispatch.lazy_writes
        and dispatch.kind != "random"
    )
