"""Results of fio: rate and latency of each job, by queue depth."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from capmodels.formats.chunks import FileRefused

_NS_PER_MS = 1e6


@dataclass(frozen=True, slots=True)
class FioRow:
    """One direction of one job."""

    job: str
    direction: str
    block_bytes: int
    queue_depth_count: int
    jobs_count: int
    iops_per_s: float
    throughput_bytes_per_s: float
    latency_mean_ms: float
    percentiles_ms: dict[float, float]


def size_bytes(text: str) -> int:
    """Bytes of fio's size: 4k, 1m, 512.

    >>> size_bytes("4k"), size_bytes("1M")
    (4096, 1048576)
    """
    factors = {"k": 2**10, "m": 2**20, "g": 2**30}
    text = text.strip().lower().removesuffix("b").removesuffix("i")
    if text[-1:] in factors:
        return int(float(text[:-1]) * factors[text[-1]])
    return int(text)


def rows(data: bytes) -> list[FioRow]:
    """Read a fio JSON file, which may begin with lines of text.

    Raises
    ------
    FileRefused
        When there is no JSON of fio in it.
    """
    start = max(data.find(b"{"), 0)
    try:
        document, _end = json.JSONDecoder().raw_decode(data[start:].decode())
    except ValueError as exc:
        raise FileRefused("There is no whole JSON in this fio file.") from exc
    if "jobs" not in document:
        raise FileRefused("This file has no jobs of fio in it.")
    common = document.get("global options", {})
    return [
        _row(job, direction, {**common, **job.get("job options", {})})
        for job in document["jobs"]
        for direction in ("read", "write", "trim")
        if job.get(direction, {}).get("total_ios", 0) or job.get(direction, {}).get("iops", 0)
    ]


def _row(job: dict[str, Any], direction: str, options: dict[str, str]) -> FioRow:
    found = job[direction]
    latency, unit = _latency(found)
    percentiles = found.get("clat_ns", {}).get("percentile", {})
    return FioRow(
        job=str(job.get("jobname", "")),
        direction=direction,
        block_bytes=size_bytes(options.get("bs", "4k").split(",")[0]),
        queue_depth_count=int(options.get("iodepth", 1)),
        jobs_count=int(options.get("numjobs", 1)),
        iops_per_s=float(found["iops"]),
        throughput_bytes_per_s=float(found.get("bw_bytes", found.get("bw", 0) * 1024)),
        latency_mean_ms=latency / unit,
        percentiles_ms={float(k): float(v) / _NS_PER_MS for k, v in percentiles.items()},
    )


def _latency(found: dict[str, Any]) -> tuple[float, float]:
    """Mean latency and how many of its unit make a millisecond: old versions give us."""
    if "lat_ns" in found:
        return float(found["lat_ns"]["mean"]), _NS_PER_MS
    return float(found.get("lat", {}).get("mean", 0.0)), 1e3
