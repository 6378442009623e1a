"""Seeks of reads at given places, worked out by FS2's own curve."""

from __future__ import annotations

from itertools import pairwise

from capmodels.storage.drive.seek import fs2_seek_ms


def mean_seek_ms(starts: list[int], sectors: int) -> float:
    """Mean seek of reads of a length at given places, by start less previous end. [ms]"""
    pairs = pairwise(starts)
    seeks = [fs2_seek_ms(after - (before + sectors)) for before, after in pairs]
    return sum(seeks) / len(seeks)
