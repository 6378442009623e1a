"""How fast a solid-state drive wears: what is written to its flash against what it bears."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.storage.drives import SolidState


def flash_tb(device: SolidState, written_tb: float) -> float:
    """Data that reaches the flash when so much is written to the drive. [TB]

    The drive moves valid data before it erases a block, so that flash takes more than the
    host writes (Hu et al., SYSTOR 2009). Takes arrays of draws.
    """
    return written_tb * device.write_amplification_ratio


def endurance_used(device: SolidState, written_tb: float) -> float:
    """Share of the endurance that writing so much uses up; 0 where it is not known."""
    if device.endurance_tb is None:
        return 0.0
    return flash_tb(device, written_tb) / device.endurance_tb
