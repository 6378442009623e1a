"""Service of a drive's operations, over all sizes of reads and of writes. [ms]"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError
from capmodels.storage.drive.service import (
    Moments,
    mixed_moments,
    revolution_ms,
    steady_moments,
)
from capmodels.storage.drive.times import (
    fixed_ms,
    link_ms,
    read_answer_ms,
    read_hold_ms,
    service_moments,
    write_answer_ms,
    write_channel_ms,
)

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import Drive
    from capmodels.storage.simulator.request_sizes import Mixes


class Service(NamedTuple):
    """Times of one operation of a drive. [ms]"""

    read: Moments
    write: Moments
    update: Moments  # a small write in place: what was there is read before
    read_answer_ms: float  # which a flash drive may give before its channel is free
    answer_ms: float  # of a write, likewise
    between_ms: float  # of an update: a turn, or a flash drive's read
    fixed_ms: float  # of a disk's write beside seek and turn: overhead, settling, transfer
    read_link: Moments  # time for which a read keeps a drive's link; 0 without one
    write_link: Moments


def service_of(drive: Drive, mixes: Mixes) -> Service:
    """Service of random operations, over all sizes of reads and of writes.

    Raises
    ------
    ModelError
        When the seek curve of a disk is not one of three points.
    """
    reads, writes = mixes
    read = mixed_moments((p, _moments(drive, size, write=False)) for size, p in reads.parts)
    write = mixed_moments((p, _moments(drive, size, write=True)) for size, p in writes.parts)
    return Service(
        read,
        write,
        mixed_moments((p, _update(drive, size)) for size, p in writes.parts),
        read_answer_ms(drive, reads.mean_bytes) if drive.kind == "ssd" else read.mean_ms,
        write_answer_ms(drive, writes.mean_bytes) if drive.kind == "ssd" else write.mean_ms,
        sum(p * _between_ms(drive, size) for size, p in writes.parts),
        sum(p * _fixed_ms(drive, size) for size, p in writes.parts),
        mixed_moments((p, _link(drive, size, write=False)) for size, p in reads.parts),
        mixed_moments((p, _link(drive, size, write=True)) for size, p in writes.parts),
    )


def _link(drive: Drive, size_bytes: float, *, write: bool) -> Moments:
    return steady_moments(link_ms(drive, size_bytes, write=write) if drive.kind == "ssd" else 0.0)


def _fixed_ms(drive: Drive, size_bytes: float) -> float:
    if drive.kind == "ssd":
        return 0.0
    return fixed_ms(drive, size_bytes) + max(drive.write_settle_ms, 0.0)


def _between_ms(drive: Drive, size_bytes: float) -> float:
    if drive.kind == "ssd":
        return _moments(drive, size_bytes, write=False).mean_ms
    return revolution_ms(drive.speed_rpm)


def _update(drive: Drive, size_bytes: float) -> Moments:
    write = _moments(drive, size_bytes, write=True)
    mean = write.mean_ms + _between_ms(drive, size_bytes)
    return Moments(mean, write.variance_ms2 + mean * mean)


def _moments(drive: Drive, size_bytes: float, *, write: bool) -> Moments:
    """Service of one size."""
    if drive.kind == "ssd":
        if write:
            return steady_moments(write_channel_ms(drive, size_bytes))
        return steady_moments(read_hold_ms(drive, size_bytes))
    found = service_moments(drive, size_bytes, write=write)
    if found is None:
        message = "The closed forms need a three-point seek curve."
        raise ModelError(message)
    return found
