"""What an hour of an accelerator costs: on demand, the median of offers; owned, all in.

Offers of AWS, Azure, CoreWeave, RunPod, Lambda and Nebius, 2026-06 to 2026-11, of shapes whose
price is mostly the accelerator's; spot and commitments left out. No offer: no price.
"""

from __future__ import annotations

RENT_USD_PER_H: dict[str, float] = {
    "NVIDIA T4": 0.752,  # 5 offers, 0.526 to 1.09
    "NVIDIA A10G": 1.42,  # 5 offers, 1.01 to 2.04
    "NVIDIA L4": 1.15,  # 5 offers, 0.805 to 1.67
    "NVIDIA L40S": 2.25,  # 8 offers, 1.09 to 3.77
    "NVIDIA RTX PRO 6000": 4.14,  # 5 offers, 2.5 to 4.14
    "AWS Inferentia2": 1.08,  # 3 offers, 0.758 to 1.08
    "NVIDIA A100 SXM 40 GB": 2.74,  # 3 offers, 1.99 to 3.4
    "NVIDIA A100 SXM 80 GB": 2.75,  # 6 offers, 1.39 to 4.1
    "NVIDIA H100 SXM": 4.29,  # 11 offers, 2.69 to 12.3
    "NVIDIA H200 SXM": 5.45,  # 6 offers, 3.59 to 10.6
    "NVIDIA B200 SXM": 6.99,  # 7 offers, 5.98 to 14.2
    "NVIDIA B300 SXM": 17.8,  # one offer
    "AWS Trainium1": 1.34,  # 2 offers, 1.34 to 1.34
    "NVIDIA A10": 2.25,  # 2 offers, 1.29 to 3.2
    "NVIDIA A100 PCIe 80 GB": 3.67,  # 2 offers, 3.67 to 3.67
    "NVIDIA H100 NVL": 6.98,  # 3 offers, 3.19 to 6.98
    "AMD MI300X": 6,  # one offer
    "NVIDIA GB200": 18.8,  # 2 offers, 10.5 to 27
    "NVIDIA L40": 1.25,  # one offer
    "NVIDIA GH200 96 GB": 4.39,  # 2 offers, 2.29 to 6.5
    "NVIDIA H100 PCIe": 2.89,  # 3 offers, 1.99 to 3.29
    "Google TPU v6e": 2.83,  # 2 offers, 2.7 to 2.97
}

# Everything in: servers, network, space, power and capital. The lower figure is of an operator of
# the largest size, the higher of a smaller one, over 24 hours of each day: a public TCO model.
# Others: unknown.
OWNED_SOURCE = "SemiAnalysis InferenceX TCO model, April 2026"
OWNED_USD_PER_H: dict[str, tuple[float, float]] = {
    "NVIDIA H100 SXM": (1.30, 1.69),
    "NVIDIA H200 SXM": (1.41, 1.74),
    "NVIDIA B200 SXM": (1.95, 2.34),
    "NVIDIA B300 SXM": (2.34, 2.81),
    "NVIDIA GB200": (2.21, 2.75),
    "NVIDIA GB300": (2.65, 3.30),
    "AMD MI300X": (1.12, 1.40),
    "AMD MI325X": (1.28, 1.59),
    "AMD MI355X": (1.48, 1.90),
}
