"""What an hour of an accelerator costs on demand: the median of offers.

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
