"""The link before the dies of a solid-state drive, under the requests of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.storage.drive.service import MS_PER_S, mixed_moments, response_ms
from capmodels.storage.drive.times import read_hold_ms
from capmodels.storage.simulator.layout import PARITIES

if TYPE_CHECKING:
    from capmodels.storage.closed_form.mixed_service import Service
    from capmodels.storage.closed_form.params import ArrayInstantParams
    from capmodels.storage.drive.drives import Drive
    from capmodels.storage.drive.service import Moments
    from capmodels.storage.simulator.request_sizes import Mix


def _passes(params: ArrayInstantParams, written: int) -> tuple[float, float]:
    """Reads and writes that pass links for the average request; an update reads before."""
    writes = (1 - params.read_fraction) * written
    return params.read_fraction + (writes if params.layout in PARITIES else 0.0), writes


def link_work_ms(params: ArrayInstantParams, service: Service, written: int) -> float:
    """Time of links for the average request, which writes so many devices. [ms]"""
    reads, writes = _passes(params, written)
    return reads * service.read_link.mean_ms + writes * service.write_link.mean_ms


def link_wait_ms(params: ArrayInstantParams, service: Service, written: int) -> float | None:
    """Mean wait for a device's link, M/G/1; None when overloaded. [ms]"""
    reads, writes = _passes(params, written)
    ops = reads + writes
    parts = ((reads / ops, service.read_link), (writes / ops, service.write_link))
    each = mixed_moments(parts)
    rate = params.arrival_rate_per_s * ops / params.disks_count
    if rate * each.mean_ms >= MS_PER_S:
        return None
    return response_ms(rate, each) - each.mean_ms


def die_wait_ms(reads: tuple[float, Moments], all_ops: tuple[float, Moments]) -> float:
    """Mean wait of a read for its die, from rates at the die [1/s] and times of reads and of all.

    What is under way is of reads and writes; only reads queue at a die that is busy, as a write
    takes one that is free.
    """
    (read_rate, read), (rate, each) = reads, all_ops
    under_way = rate / MS_PER_S * each.mean_square_ms2 / 2
    return under_way / (1 - read_rate / MS_PER_S * read.mean_ms)


def asks_one_die(drive: Drive, reads: Mix) -> bool:
    """Whether no read is larger than what lies on one die; so it is without dies."""
    if drive.kind == "hdd" or drive.dies is None:
        return True
    return all(read_hold_ms(drive, size) == read_hold_ms(drive, 1) for size, _p in reads.parts)
