"""Requests of a trace that found the drive idle: their response is its service alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.errors import Fault, ModelError, ParamsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import BlockRequests
    from capmodels.storage.drive.drives import Drive

    Floats = NDArray[np.float64]
    Flags = NDArray[np.bool_]

_SECTOR_BYTES = 512
_LEAST = 40
# Requests of a direction or a class, below which nothing is fitted to them.
LEAST_OF_A_CLASS = 10
# Traces tell times no finer: a request that came less before the one ahead was done came after it.
ROUNDED_S = 3e-6
_USED_MAX = 200_000


@dataclass(frozen=True)
class Alone:
    """Requests that found the drive idle: distance from the one before, size, service time."""

    row: NDArray[np.int64]  # in the trace
    gap_sectors: Floats
    size_bytes: Floats
    write: Flags
    sequential: Flags
    service_ms: Floats

    def part(self, rows: slice | Flags) -> Alone:
        """Some of the requests."""
        columns: list[Any] = [column[rows] for column in vars(self).values()]
        return Alone(*columns)


def alone_of(requests: BlockRequests, drive: Drive) -> Alone:
    """The requests that came when all before them were done, at most the first 200,000."""
    assert requests.response_s is not None
    ends = requests.block_lba + requests.size_blocks
    capacity = drive.capacity_gb * 1e9 / _SECTOR_BYTES
    if float(ends.max()) > 1.01 * capacity:
        held = float(ends.max()) * _SECTOR_BYTES / 1e9
        message = (
            f"The trace reaches {held:,.1f} GB; {drive.name} holds {drive.capacity_gb:,.1f} GB. "
            "Choose the drive that was recorded."
        )
        raise ParamsError([Fault("/drive", "too_small", message)])
    response_s = requests.response_s.astype(np.float64)
    done = np.maximum.accumulate(requests.time_s + response_s)
    free = (requests.time_s[1:] >= done[:-1] - ROUNDED_S) & (response_s[1:] > 0)
    rows = np.flatnonzero(free)[:_USED_MAX] + 1
    if len(rows) < _LEAST:
        message = (
            f"Only {len(rows)} of {len(requests.time_s):,} requests found the drive idle; "
            f"at least {_LEAST} are needed to tell its service from its queue."
        )
        raise ModelError(message)
    gap = np.abs(requests.block_lba[rows] - ends[rows - 1]).astype(np.float64)
    return Alone(
        row=rows,
        gap_sectors=gap,
        size_bytes=requests.size_blocks[rows].astype(np.float64) * _SECTOR_BYTES,
        write=~requests.is_read[rows],
        sequential=gap == 0,
        service_ms=response_s[rows] * 1000,
    )
