"""Whether a trace's pauses come after the requests that they stand with, or before: by the platter.

A file of requests and pauses, one row each, does not say which. DiskSim reads its validation
traces as if a pause came after its request, and some of them were recorded the other way round.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.storage.calibration.mechanics import Measured

if TYPE_CHECKING:
    from capmodels.storage.calibration.mechanics import Mechanics
    from capmodels.storage.calibration.trace_params import Pauses

_PACES_MS = np.linspace(0.0, 0.2, 21)
# Chance by which the better of two readings may have agreed without being the right one.
_CHANCE = 1e-4


def pauses_come(drive: Mechanics, measured: Measured) -> Pauses:
    """Which reading of a trace's pauses the platter agrees with, as recorded being ``after``.

    Two reads from one cylinder start at angles that are known; the time between them, in turns,
    must agree with these. It does so under one of both readings only, unless all pauses are alike
    or such pairs are few. What a sector takes to leave the drive is not known, so the pace at
    which they agree best counts.
    """
    tracks = drive.tracks.tracks
    piece = np.searchsorted(tracks[:, 0], measured.ops[:, 0], side="right") - 1
    angle = drive.tracks.angles[piece] + (measured.ops[:, 0] - tracks[piece, 0]) / tracks[piece, 1]
    slow = measured.service_ms > drive.turn_ms / 2
    if drive.cache.writes_behind:
        slow &= measured.ops[:, 2] == 0
    near = tracks[piece[1:], 2] == tracks[piece[:-1], 2]
    one = np.flatnonzero(slow[1:] & slow[:-1] & near)
    if not len(one):
        return "untold"
    turned = angle[one + 1] - angle[one]
    longer = measured.ops[one + 1, 1] - measured.ops[one, 1]
    strengths = []
    for pauses in (measured.thinks_ms[one], measured.thinks_ms[one + 1]):
        passed = pauses + measured.service_ms[one + 1] - np.multiply.outer(_PACES_MS, longer)
        agreed = np.exp(2j * np.pi * (passed / drive.turn_ms - turned)).mean(axis=1)
        strengths.append(float(np.abs(agreed).max()))
    # Angles by chance agree this well at the best of all paces no more often than that (Rayleigh).
    least = math.sqrt(math.log(len(_PACES_MS) / _CHANCE) / len(one))
    after, before = strengths
    if abs(before - after) < least:
        return "untold"
    return "before" if before > after else "after"


def with_pauses_after(measured: Measured) -> Measured:
    """The same requests when the recorded pauses come before them."""
    pauses = np.append(measured.thinks_ms[1:], 0.0)
    return Measured(measured.ops, measured.service_ms, pauses)
