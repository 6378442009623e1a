"""Requests that a disk can have had, told from those that it cannot."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.chunks import FAULTS_KEPT, SECTOR_MAX, SIZE_MAX_BYTES, Requests

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from capmodels.formats.chunks import Report


def unknown(n: int) -> NDArray[np.float64]:
    """A column of what a file does not say."""
    return np.full(n, math.nan)


def sane(found: Requests, report: Report, line_of: Callable[[int], int]) -> Requests:
    """The requests that a disk can have had; the others are faults at their lines.

    ``line_of`` counts from the lines that the report has seen.
    """
    wrong = {
        "The place lies on no disk.": (found.sector < 0) | (found.sector > SECTOR_MAX),
        "The size is none of a request.": (found.size_bytes < 0)
        | (found.size_bytes > SIZE_MAX_BYTES),
        "The response time is negative.": found.response_s < 0,
    }
    bad = np.logical_or.reduce(list(wrong.values()))
    if not bad.any():
        return found
    places = np.flatnonzero(bad)
    for row in places[:FAULTS_KEPT]:
        message = next(text for text, rows in wrong.items() if rows[row])
        report.add(report.lines_count + line_of(int(row)), message)
    report.faults_count += max(len(places) - FAULTS_KEPT, 0)
    columns: list[Any] = [column[~bad] for column in found]
    return Requests(*columns)
