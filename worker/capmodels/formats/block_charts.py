"""The series of a block trace's charts, at most 2,000 points each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.block_summary_kernel import SIZE_SECTORS_MAX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.trace_summary import Summary

POINTS_MAX = 1_000


def block_charts(summary: Summary, *, placed: bool = True, sized: bool = True) -> dict[str, Any]:
    """Return rate over time, sizes, gaps, idle time and footprint as lists of numbers.

    Without ``placed`` the file does not say where requests go, without ``sized`` not how large
    they are.
    """
    width, counts, reads = summary.rates(POINTS_MAX)
    edges, gaps, time_s = summary.gap_bins()
    charts: dict[str, Any] = {
        "rate": {
            "step_s": width,
            "reads_per_s": (reads / width).tolist(),
            "writes_per_s": ((counts - reads) / width).tolist(),
        },
        "gaps": _cumulative(edges, gaps) | {"time_fraction": _shares(edges, gaps, time_s)},
    }
    if sized:
        charts["sizes"] = _sizes(summary)
    if placed:
        charts["footprint"] = {"day_bytes": summary.day_footprints_bytes()}
    responses = summary.response_bins()
    if responses[1].any():
        charts["responses"] = _cumulative(*responses)
    return charts


def _sizes(summary: Summary) -> dict[str, Any]:
    """Shares of the requests and of the data by size, in powers of two."""
    labels, requests, data = [], [], []
    edge = 512
    rows = summary.sizes()
    while edge // 2 < SIZE_SECTORS_MAX * 512 * 2:
        mine = [(size, count) for size, count in rows if edge // 2 < size <= edge]
        labels.append(edge)
        requests.append(sum(count for _, count in mine))
        data.append(sum(size * count for size, count in mine))
        edge *= 2
    used = [place for place, count in enumerate(requests) if count]
    low, high = (used[0], used[-1] + 1) if used else (0, 0)
    return {
        "upto_bytes": labels[low:high],
        "requests_count": requests[low:high],
        "bytes": data[low:high],
    }


def _span(counts: NDArray[np.int64]) -> slice:
    used = np.flatnonzero(counts)
    return slice(max(int(used[0]) - 1, 0), int(used[-1]) + 1) if len(used) else slice(0, 0)


def _cumulative(edges: NDArray[np.float64], counts: NDArray[np.int64]) -> dict[str, Any]:
    """Share of the values that do not exceed each edge, where there are any. [s]"""
    span = _span(counts)
    total = max(int(counts.sum()), 1)
    return {
        "upto_s": edges[span].tolist(),
        "fraction": (np.cumsum(counts)[span] / total).tolist(),
    }


def _shares(
    edges: NDArray[np.float64], gaps: NDArray[np.int64], time_s: NDArray[np.float64]
) -> list[float]:
    """Share of all time that lies in gaps no longer than each edge."""
    found: list[float] = (np.cumsum(time_s)[_span(gaps)] / max(time_s.sum(), 1e-12)).tolist()
    return found
