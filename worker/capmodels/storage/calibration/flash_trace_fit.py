"""Fits a solid-state drive to the requests of a trace that found it idle.

Of each direction its latency, at the rate of the sheet, or with a rate of its own where that is
nearer: a request takes a constant and the time of its size.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from capmodels.storage.calibration.alone import LEAST_OF_A_CLASS
from capmodels.storage.calibration.mechanics import demerit_fraction
from capmodels.storage.drive.times import read_answer_ms, write_answer_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from capmodels.storage.calibration.alone import Alone
    from capmodels.storage.drive.drives import SolidState

    Floats = NDArray[np.float64]


class _Way(NamedTuple):
    """Names of a direction's parameters."""

    latency: str
    rate: str
    hold: str


_WAYS = {
    False: _Way("read_latency_ms", "read_mb_per_s", "read_hold_ms"),
    True: _Way("write_latency_ms", "write_mb_per_s", "write_hold_ms"),
}


def answers_ms(drive: SolidState, alone: Alone) -> Floats:
    """What a drive with nothing to do takes to answer each of some requests. [ms]"""
    found = np.empty(len(alone.size_bytes))
    for write, answer_ms in ((False, read_answer_ms), (True, write_answer_ms)):
        rows = alone.write == write
        sizes, which = np.unique(alone.size_bytes[rows], return_inverse=True)
        found[rows] = np.array([answer_ms(drive, size) for size in sizes])[which]
    return found


def fit_flash_trace(drive: SolidState, first: Alone) -> SolidState:
    """The drive with what the first half tells of each direction that has enough requests."""
    for write, way in _WAYS.items():
        mine = first.part(first.write == write)
        if len(mine.service_ms) >= LEAST_OF_A_CLASS:
            drive = min(_candidates(drive, mine, way), key=partial(_off, mine))
    return drive


def _off(mine: Alone, drive: SolidState) -> float:
    return demerit_fraction(mine.service_ms, answers_ms(drive, mine))


def _candidates(drive: SolidState, mine: Alone, way: _Way) -> Iterator[SolidState]:
    """The drive with another latency, and with the rate that the sizes tell as well."""
    rest = float((mine.service_ms - answers_ms(drive, mine)).mean())
    yield drive.model_copy(update={way.latency: max(getattr(drive, way.latency) + rest, 0.0)})
    if drive.dies is not None or not np.ptp(mine.size_bytes):
        return
    slope, constant = (float(v) for v in np.polyfit(mine.size_bytes, mine.service_ms, 1))
    if slope * mine.size_bytes.max() <= 1e-6 * mine.service_ms.max():
        return
    at_once = drive.channels_count if getattr(drive, way.hold) > 0 else 1
    rate = 1 / slope / 1000 / at_once
    yield drive.model_copy(update={way.latency: max(constant, 0.0), way.rate: rate})
