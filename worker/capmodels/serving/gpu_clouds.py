"""What clouds of GPUs ask for machines on demand: offers of 2026, each with its day.

Price lists collected in api-evangelist/coreweave (plans) and tgarg01/silybench-data; per machine
as it is offered, for GPUs that a machine joins.
"""

from __future__ import annotations

from typing import NamedTuple


class GpuOffer(NamedTuple):
    """A machine with GPUs: who rents it out, what is in it, its price of an hour, of which day."""

    provider: str
    gpu: str
    gpus_count: int
    usd_per_h: float
    as_of: str


_COREWEAVE, _LAMBDA = "2026-09-20", "2026-09-25"
GPU_OFFERS: tuple[GpuOffer, ...] = (
    GpuOffer("CoreWeave", "NVIDIA B200", 8, 68.80, _COREWEAVE),
    GpuOffer("CoreWeave", "NVIDIA H100", 8, 49.24, _COREWEAVE),
    GpuOffer("CoreWeave", "NVIDIA H200", 8, 50.44, _COREWEAVE),
    GpuOffer("CoreWeave", "NVIDIA A100 80 GB", 8, 21.60, _COREWEAVE),
    GpuOffer("CoreWeave", "NVIDIA L40S", 8, 18.00, _COREWEAVE),
    GpuOffer("CoreWeave", "NVIDIA RTX PRO 6000", 8, 20.00, _COREWEAVE),
    GpuOffer("Lambda", "NVIDIA H100", 8, 31.92, _LAMBDA),
    GpuOffer("Lambda", "NVIDIA B200", 8, 53.52, _COREWEAVE),
    GpuOffer("Lambda", "NVIDIA A100 80 GB", 8, 22.32, _LAMBDA),
    GpuOffer("Lambda", "NVIDIA GH200 96 GB", 1, 2.29, _LAMBDA),
    GpuOffer("Nebius", "NVIDIA H100", 1, 3.85, _LAMBDA),
    GpuOffer("Nebius", "NVIDIA H200", 1, 4.50, _LAMBDA),
    GpuOffer("Nebius", "NVIDIA B200", 1, 7.15, _LAMBDA),
    GpuOffer("Nebius", "NVIDIA L40S", 1, 1.55, _LAMBDA),
    GpuOffer("RunPod", "NVIDIA H200", 1, 4.59, _LAMBDA),
    GpuOffer("RunPod", "NVIDIA B200", 1, 6.79, _LAMBDA),
)
