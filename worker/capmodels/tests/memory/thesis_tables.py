"""Tables of the thesis, as tests ask them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.memory.power_policies_checks import observed_runtime
from capmodels.memory.states import pdd_w
from capmodels.memory.thesis import OBSERVED

if TYPE_CHECKING:
    from capmodels.memory.states import Technique


def observed_pdd_w(workload: str, technique: Technique) -> float:
    """Power x delay x delay from a table's printed power and response times. [W]"""
    seen = OBSERVED[workload]
    runtime = observed_runtime(workload, technique)
    response, base = seen.response_ns[technique], seen.response_ns["NOPM"]
    return pdd_w(seen.power_w[technique], runtime, response, base)
