"""Hosts that keep so many requests under way to a drive: in the array simulator, and apart."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

from capmodels.storage.simulator.arrivals import ClosedArrivals
from capmodels.tests.asking import ask

DEPTHS = (1, 2, 4, 8, 16, 32, 64)


class Host(NamedTuple):
    """One thread: its time for each request, and what waking adds to the answer and to that."""

    own_ms: float = 0.017
    late_ms: float = 0.009
    longer_ms: float = 0.009
    sleeps_ms: float = 0.028


def _followed(depth: int, drive: tuple[float, float, float], host: Host) -> tuple[float, float]:
    """Mean latency and the thread's mean time for each, event by event, written apart. [ms]

    The drive (alone, wait for each other write, ceiling) answers; the thread takes one answer at a
    time, asks again, and sleeps where the next answer is farther than its processor stays awake.
    """
    alone, wait, each = drive
    out = [(alone, 0.0)] * depth
    free = turn = latency = busy = 0.0
    for nth in range(6000):
        answered, came = heapq.heappop(out)
        sleeps = answered - free > host.sleeps_ms
        seen = max(answered, free) + (host.late_ms if sleeps else 0.0)
        own = host.own_ms + (host.longer_ms if sleeps else 0.0)
        if nth >= 1000:
            latency, busy = latency + (seen - came) / 5000, busy + own / 5000
        free = seen + own
        turn = max(turn, free) + each
        others = sum(end > free for end, _came in out)
        heapq.heappush(out, (max(free + alone + others * wait, turn), free))
    return latency, busy


def followed_rows(way: str, drive: tuple[float, float, float], host: Host) -> list[dict[str, Any]]:
    """What fio would print of such a drive and host, by depth."""
    found = ((depth, *_followed(depth, drive, host)) for depth in DEPTHS)
    return [
        {"way": way, "depth_count": depth, "latency_ms": latency,
         "rate_per_s": depth * 1000 / (latency + host_ms)}
        for depth, latency, host_ms in found
    ]  # fmt: skip


def simulated_ms(drive: Any, way: str, depth: int, host_ms: float) -> float:
    """Mean latency of 4 KiB reads or writes, each asked ``host_ms`` after an answer. [ms]"""
    one = ClosedArrivals(users_count=depth, think_ms=host_ms, think_times_vary=False)
    return asked_ms(drive, way, one)


def asked_ms(drive: Any, way: str, arrivals: ClosedArrivals, count: int = 20_000) -> float:
    """Mean latency of 4 KiB reads or writes of one drive in a closed loop. [ms]"""
    array = {"drive": drive.model_dump(mode="json"), "layout": {"kind": "single", "disks_count": 1}}
    work = {"kind": "synthetic", "arrivals": arrivals.model_dump(), "size_bytes": 4096,
            "requests_count": count, "read_fraction": float(way == "read")}  # fmt: skip
    mean = ask("storage.array", array=array, workload=work).responses[0].mean_ms
    assert isinstance(mean, float)
    return mean
