"""A host that keeps so many requests under way to one drive, in the array simulator."""

from __future__ import annotations

from typing import Any

from capmodels.tests.asking import ask


def simulated_ms(drive: Any, way: str, depth: int, host_ms: float) -> float:
    """Mean latency of 4 KiB reads or writes, each asked ``host_ms`` after an answer. [ms]"""
    array = {"drive": drive.model_dump(mode="json"), "layout": {"kind": "single", "disks_count": 1}}
    arrivals = {
        "kind": "closed", "users_count": depth, "think_ms": host_ms, "think_times_vary": False,
    }  # fmt: skip
    work = {"kind": "synthetic", "arrivals": arrivals, "size_bytes": 4096,
            "requests_count": 20_000, "read_fraction": float(way == "read")}  # fmt: skip
    mean = ask("storage.array", array=array, workload=work).responses[0].mean_ms
    assert isinstance(mean, float)
    return mean
