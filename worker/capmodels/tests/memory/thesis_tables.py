"""Tables of the thesis, as tests ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.memory.power_policies_checks import observed_runtime
from capmodels.memory.states import pdd_w
from capmodels.memory.thesis import OBSERVED
from capmodels.memory.traffic import SkewPoint

if TYPE_CHECKING:
    from capmodels.memory.states import Technique

# Table 4.1: share of pages that receives 75, 90, 95 and 99% of the accesses.
ACCESS_SHARES = (0.75, 0.90, 0.95, 0.99)
PAGE_SHARES = {
    "low": (0.0568, 0.1427, 0.1860, 0.2581),
    "high": (0.0053, 0.0149, 0.0498, 0.1638),
}


def skew_of(workload: str) -> tuple[SkewPoint, ...]:
    """Return table 4.1's row of the low or the high workload."""
    return tuple(
        SkewPoint(pages_fraction=pages, accesses_fraction=accesses)
        for pages, accesses in zip(PAGE_SHARES[workload], ACCESS_SHARES, strict=True)
    )


def observed_pdd_w(workload: str, technique: Technique) -> float:
    """Power x delay x delay from a table's printed power and response times. [W]"""
    seen = OBSERVED[workload]
    runtime = observed_runtime(workload, technique)
    response, base = seen.response_ns[technique], seen.response_ns["NOPM"]
    return pdd_w(seen.power_w[technique], runtime, response, base)
