"""What is said and drawn of a block trace: its figures, and series of at most 2,000 points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.block_summary_kernel import SIZE_SECTORS_MAX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.block_sums import BlockSums

POINTS_MAX = 1_000


def block_summary(sums: BlockSums, *, placed: bool = True, sized: bool = True) -> dict[str, Any]:
    """Return the figures by name, each with its unit as suffix.

    Without ``placed`` the file does not say where requests go, without ``sized`` not how
    large they are; what depends on that is left out.
    """
    found = _stream_figures(sums)
    if sized:
        found |= _size_figures(sums)
    return found | (_place_figures(sums) if placed else {})


def _size_figures(sums: BlockSums) -> dict[str, Any]:
    return {
        "read_bytes": sums.read_bytes,
        "write_bytes": sums.write_bytes,
        "size_mean_bytes": (sums.read_bytes + sums.write_bytes) / max(sums.requests_count, 1),
        "size_p50_bytes": sums.size_quantile_bytes(0.5),
        "size_p95_bytes": sums.size_quantile_bytes(0.95),
    }


def _place_figures(sums: BlockSums) -> dict[str, Any]:
    days = sums.day_footprints_bytes()
    return {
        "sequential_fraction": sums.sequential_fraction,
        "footprint_bytes": sums.footprint_bytes,
        "footprint_is_exact": sums.footprint_is_exact,
        "footprint_day_mean_bytes": sum(days) / len(days),
        "footprint_day_peak_bytes": max(days),
    }


def _stream_figures(sums: BlockSums) -> dict[str, Any]:
    return {
        "requests_count": sums.requests_count,
        "devices_count": sums.devices_count,
        "duration_s": sums.duration_s,
        "rate_per_s": sums.rate_per_s,
        "peak_rate_per_s": _peak_rate_per_s(sums),
        "read_fraction": sums.read_fraction,
        "gap_mean_s": sums.gap_mean_s,
        "gap_p50_s": sums.gap_quantile_s(0.5),
        "gap_p99_s": sums.gap_quantile_s(0.99),
        "gap_cv_ratio": sums.gap_cv_ratio,
        "idle_above_1s_fraction": sums.idle_fraction(1.0),
        "idle_above_10s_fraction": sums.idle_fraction(10.0),
        "peak_to_mean_ratio": sums.peak_to_mean_ratio,
        "dispersion_ratio": sums.dispersion_ratio,
        "backwards_count": sums.backwards_count,
        "response": sums.response(),
    }


def _peak_rate_per_s(sums: BlockSums) -> float:
    width, counts = sums.second_bins
    return float(counts.max()) / width if len(counts) else sums.rate_per_s


def block_charts(sums: BlockSums, *, placed: bool = True, sized: bool = True) -> dict[str, Any]:
    """Return rate over time, sizes, gaps, idle time and footprint as lists of numbers.

    Without ``placed`` the file does not say where requests go, without ``sized`` not how large
    they are.
    """
    width, counts, reads = sums.rates(POINTS_MAX)
    edges, gaps, time_s = sums.gap_bins()
    charts: dict[str, Any] = {
        "rate": {
            "step_s": width,
            "reads_per_s": (reads / width).tolist(),
            "writes_per_s": ((counts - reads) / width).tolist(),
        },
        "gaps": _cumulative(edges, gaps) | {"time_fraction": _shares(edges, gaps, time_s)},
    }
    if sized:
        charts["sizes"] = _sizes(sums)
    if placed:
        charts["footprint"] = {"day_bytes": sums.day_footprints_bytes()}
    responses = sums.response_bins()
    if responses[1].any():
        charts["responses"] = _cumulative(*responses)
    return charts


def _sizes(sums: BlockSums) -> dict[str, Any]:
    """Shares of the requests and of the data by size, in powers of two."""
    labels, requests, data = [], [], []
    edge = 512
    rows = sums.sizes()
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
