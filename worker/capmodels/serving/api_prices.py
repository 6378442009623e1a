"""What APIs ask for a million tokens of an open model: quartiles over providers.

Price table of litellm 1.110.2, taken 2026-11-28: the cheapest offer of each provider of the same
weights; distilled, fine-tuned and faster editions left out. No offer: no price.
"""

from __future__ import annotations

from typing import NamedTuple


class ApiPrice(NamedTuple):
    """Quartiles of input and output, how many providers, and the median of cached input. [USD]"""

    input_usd_per_m: tuple[float, float, float]
    output_usd_per_m: tuple[float, float, float]
    providers_count: int
    cached_usd_per_m: float | None = None


API_PRICES_DATE = "2026-11-28"
API_PRICES_SOURCE = "providers' prices, collected by litellm 1.110.2, 28 Nov 2026"
API_PRICES: dict[str, ApiPrice] = {
    "Llama-3.1-8B": ApiPrice((0.0275, 0.1, 0.2), (0.055, 0.1, 0.23), 15),
    "Llama-3.1-70B": ApiPrice((0.333, 0.695, 0.74), (0.4, 0.695, 0.74), 12),
    "Llama-3.3-70B": ApiPrice((0.2, 0.69, 0.72), (0.4, 0.72, 0.863), 22),
    "Llama-3.1-405B": ApiPrice((1.0, 2.4, 3.5), (1.2, 3.0, 3.5), 9),
    "Llama-3.2-1B": ApiPrice((0.06, 0.1, 0.1), (0.06, 0.1, 0.1), 5),
    "Llama-3.2-3B": ApiPrice((0.0275, 0.08, 0.128), (0.0438, 0.08, 0.15), 8),
    "Llama-2-7B": ApiPrice((0.075, 0.1, 0.125), (0.175, 0.2, 0.225), 2),
    "Llama-2-70B": ApiPrice((0.738, 0.825, 0.912), (1.44, 1.88, 2.31), 2),
    "Qwen2.5-7B": ApiPrice((0.055, 0.07, 0.185), (0.085, 0.1, 0.2), 3),
    "Qwen2.5-72B": ApiPrice((0.13, 0.36, 0.38), (0.4, 0.4, 0.4), 5),
    "Qwen3-8B": ApiPrice((0.0763, 0.118, 0.159), (0.154, 0.169, 0.185), 2),
    "Qwen3-32B": ApiPrice((0.08, 0.1, 0.175), (0.268, 0.375, 0.65), 8),
    "Mixtral-8x7B": ApiPrice((0.325, 0.45, 0.575), (0.425, 0.55, 0.623), 6),
    "Mixtral-8x22B": ApiPrice((0.75, 0.9, 1.05), (0.75, 0.9, 1.05), 3),
    "Qwen3-30B-A3B": ApiPrice((0.0925, 0.1, 0.115), (0.3, 0.375, 0.487), 6),
    "Qwen3-235B-A22B": ApiPrice((0.118, 0.22, 0.629), (0.585, 0.88, 1.77), 10),
    "Qwen3-Coder-480B-A35B": ApiPrice((0.32, 0.415, 0.788), (1.61, 1.8, 1.95), 6, 0.1),
    "Qwen3.5-122B-A10B": ApiPrice((0.272, 0.345, 0.4), (2.35, 2.8, 3.2), 4),
    "Qwen3.5-397B-A17B": ApiPrice((0.6, 0.6, 0.6), (3.6, 3.6, 3.6), 6, 0.22),
    "MiniMax-M2.5": ApiPrice((0.3, 0.3, 0.3), (1.2, 1.2, 1.2), 6, 0.03),
    "Llama-4-Scout": ApiPrice((0.09, 0.18, 0.2), (0.3, 0.59, 0.7), 9),
    "Llama-4-Maverick": ApiPrice((0.245, 0.27, 0.435), (0.8, 0.97, 1.32), 11),
    "gpt-oss-20b": ApiPrice((0.04, 0.06, 0.07), (0.15, 0.225, 0.3), 12, 0.0363),
    "gpt-oss-120b": ApiPrice((0.09, 0.15, 0.15), (0.4, 0.6, 0.6), 21, 0.1),
    "DeepSeek-R1": ApiPrice((0.538, 1.35, 3.0), (2.19, 5.4, 7.0), 16),
    "DeepSeek-V3.2": ApiPrice((0.28, 0.5, 0.58), (0.4, 1.5, 1.68), 9, 0.13),
    "Kimi-K2": ApiPrice((0.57, 0.6, 0.8), (2.15, 2.3, 2.5), 7),
    "Kimi-K2.5": ApiPrice((0.6, 0.6, 0.6), (3.0, 3.0, 3.0), 8, 0.1),
    "GLM-5": ApiPrice((0.775, 1.0, 1.0), (2.62, 3.2, 3.2), 7, 0.12),
}
