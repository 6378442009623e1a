"""How fast a solid-state drive wears: what is written to its flash against what it bears."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.storage.drive.service import MS_PER_S
from capmodels.storage.drive.times import write_busy_ms
from capmodels.units import BYTES_PER_MB, GB_PER_TB

if TYPE_CHECKING:
    from capmodels.amounts import AmountT
    from capmodels.storage.drive.drives import SlcCache, SolidState

_HALVINGS = 60


def random_amplification(spare_fraction: float) -> float:
    """Flash written over data written, of small random writes over the whole drive.

    With a = 1 / (1 - spare) of flash over data, x < 1 and x exp(-x) = a exp(-a) it is
    a / (a - x): blocks of many pages that are cleaned in the order in which they were filled,
    or the emptiest first, which comes to the same (Xiang and Kurkoski, arXiv 1110.4245, 2011;
    Desnoyers, SYSTOR 2012).

    >>> round(random_amplification(1 - 1 / 1.3), 2)
    2.36
    """
    flash = 1 / (1 - spare_fraction)
    wanted = flash * math.exp(-flash)
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle * math.exp(-middle) < wanted:
            low = middle
        else:
            high = middle
    return flash / (flash - (low + high) / 2)


def amplification(device: SolidState, random_fraction: float = 1.0) -> float:
    """Flash written over data written; what is not written at random is written once.

    The entered ratio holds whatever the writes; without it the spare flash decides.
    """
    if device.write_amplification_ratio is not None:
        return device.write_amplification_ratio
    if device.spare_fraction is None:
        return 1.0
    return 1.0 + random_fraction * (random_amplification(spare_at_fill(device) or 0.0) - 1.0)


def spare_at_fill(device: SolidState) -> float | None:
    """Share of the flash that holds no data: spare flash, and what is not filled.

    Flash of capacity / (1 - spare) holds fill x capacity of data.
    """
    if device.spare_fraction is None:
        return None
    fill = 1.0 if device.fill_fraction is None else device.fill_fraction
    return 1.0 - fill * (1.0 - device.spare_fraction)


def moved_of(device: SolidState) -> tuple[float, float] | None:
    """Write amplification of a full drive and as filled; None where filling is not followed."""
    spare = spare_at_fill(device)
    if device.fill_fraction is None or device.spare_fraction is None or spare is None:
        return None
    return random_amplification(device.spare_fraction), random_amplification(spare)


def slc_gb(device: SolidState, slc: SlcCache) -> float:
    """What a drive's SLC cache takes at its fill level. [GB]"""
    fill = 1.0 if device.fill_fraction is None else device.fill_fraction
    return slc.least_gb + (slc.size_gb - slc.least_gb) * (1.0 - fill)


def flash_tb(device: SolidState, written_tb: AmountT, random_fraction: float = 1.0) -> AmountT:
    """Data that reaches the flash when so much is written to the drive. [TB]

    The drive moves valid data before it erases a block, so that flash takes more than the
    host writes (Hu et al., SYSTOR 2009). Takes arrays of draws.
    """
    return written_tb * amplification(device, random_fraction)


def endurance_flash_tb(device: SolidState) -> float | None:
    """Data that the flash bears; None where it is not known. [TB]

    Data sheets rate small random writes of the host (JESD219), with their amplification within:
    sequential ones may be more by that ratio, as those that print both say.
    """
    if device.endurance_tb is None:
        return None
    if device.endurance_of == "flash" or device.spare_fraction is None:
        return device.endurance_tb
    return device.endurance_tb * random_amplification(device.spare_fraction)


def endurance_used(
    device: SolidState, written_tb: AmountT, random_fraction: float = 1.0
) -> AmountT:
    """Share of the endurance that writing so much uses up; 0 where it is not known."""
    endurance_tb = endurance_flash_tb(device)
    if endurance_tb is None:
        return written_tb * 0.0
    return flash_tb(device, written_tb, random_fraction) / endurance_tb


def drive_writes_per_day(device: SolidState, written_tb_per_day: float) -> float:
    """How often a day the drive's capacity is written. [1/day]"""
    return written_tb_per_day * GB_PER_TB / device.capacity_gb


def sustained_write_mb_per_s(device: SolidState, size_bytes: float) -> float:
    """Rate at which a full drive takes random writes without end. [MB/s]

    No more than the rate of its channels on such writes, and than that on large ones over the
    write amplification: what is moved is written too.
    """
    channels = device.channels_count
    taken = channels * size_bytes / write_busy_ms(device, size_bytes) * MS_PER_S / BYTES_PER_MB
    return min(taken, channels * device.write_mb_per_s / amplification(device))
