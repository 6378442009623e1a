"""Efficiencies of kernels and what serving adds to them, fitted to measurements.

``python -m bench._fit_serving DATA`` fits them again; ``python -m bench._accuracy DATA`` prints
the errors on accelerators and models that took no part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.serving.accelerators import ACCELERATORS

if TYPE_CHECKING:
    from capmodels.serving.accelerators import Accelerator, Precision


@dataclass(frozen=True, slots=True, kw_only=True)
class Efficiency:
    """Shares of the data sheet's rates that kernels reach, and the time of a step of a ring."""

    weights: float
    work: float
    half: float
    cache: float
    attention: float
    link: float
    step_us: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Factors on the times of kernels as all engines serve them, and how fast hosts improve."""

    weights: float = 1.0
    work: float = 1.0
    cache: float = 1.0
    step: float = 1.0
    link: float = 1.0
    attention: float = 1.0
    expert: float = 1.0
    expert_work: float = 1.0
    mix: float = 1.0
    fp4: float = 1.0
    fp4_work: float = 1.0
    fp4_experts: float = 1.0
    latent: float = 1.0
    yearly: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What an engine adds to the kernels: per layer, per request in a pass, before the first."""

    layer_us: float
    moe_layer_us: float
    row_us: float
    first_ms: float
    wave: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """Measured kernels of an accelerator: weights and work by precision, and the rest."""

    weights: dict[str, float]
    work: dict[str, float]
    cache: float
    attention: float
    link: float
    step_us: float


# Rooflines fitted to measured kernels (NVIDIA AIConfigurator, 2026-08): matrix products,
# attention in decode and prefill, all-reduce. In the median they are off by 5 to 15% of a
# product's time, and by 10 to 35% of an attention's.
KERNELS: dict[str, Kernels] = {
    "NVIDIA A100 SXM 80 GB": Kernels(
        weights={"bf16": 0.766},
        work={"bf16": 0.757},
        cache=0.874,
        attention=0.368,
        link=0.528,
        step_us=3.146,
    ),
    "NVIDIA B200 SXM": Kernels(
        weights={"bf16": 0.776, "fp8": 0.794, "fp4": 0.429},
        work={"bf16": 0.688, "fp8": 0.495, "fp4": 0.382},
        cache=0.887,
        attention=0.356,
        link=0.519,
        step_us=2.771,
    ),
    "NVIDIA B300 SXM": Kernels(
        weights={"bf16": 0.745, "fp8": 0.758, "fp4": 0.4},
        work={"bf16": 0.719, "fp8": 0.515, "fp4": 0.278},
        cache=0.873,
        attention=0.43,
        link=0.522,
        step_us=2.628,
    ),
    "NVIDIA GB200": Kernels(
        weights={"bf16": 0.755, "fp8": 0.8, "fp4": 0.438},
        work={"bf16": 0.656, "fp8": 0.453, "fp4": 0.364},
        cache=0.88,
        attention=0.353,
        link=0.537,
        step_us=3.279,
    ),
    "NVIDIA H100 SXM": Kernels(
        weights={"bf16": 0.831, "fp8": 0.835},
        work={"bf16": 0.796, "fp8": 0.558},
        cache=0.73,
        attention=0.432,
        link=0.614,
        step_us=1.775,
    ),
    "NVIDIA H200 SXM": Kernels(
        weights={"bf16": 0.829, "fp8": 0.851},
        work={"bf16": 0.8, "fp8": 0.579},
        cache=0.618,
        attention=0.442,
        link=0.629,
        step_us=1.769,
    ),
    "NVIDIA L40S": Kernels(
        weights={"bf16": 0.89, "fp8": 0.896},
        work={"bf16": 0.6, "fp8": 0.461},
        cache=0.828,
        attention=0.297,
        link=0.158,
        step_us=6.933,
    ),
    "NVIDIA RTX PRO 6000": Kernels(
        weights={"bf16": 0.981, "fp8": 0.982, "fp4": 0.576},
        work={"bf16": 0.79, "fp8": 0.646, "fp4": 0.671},
        cache=0.899,
        attention=0.362,
        link=0.387,
        step_us=7.347,
    ),
}
STANDS_FOR = {
    "turing": "NVIDIA A100 SXM 80 GB",
    "ampere": "NVIDIA A100 SXM 80 GB",
    "ada": "NVIDIA L40S",
    "hopper": "NVIDIA H100 SXM",
    "blackwell": "NVIDIA B200 SXM",
    "blackwell-rtx": "NVIDIA RTX PRO 6000",
    "cdna4": "NVIDIA B200 SXM",
}
# Factors on the times of kernels in serving, fitted to 1,698 distinct configurations in closed
# loop on H100, B200 and B300 (InferenceX and AIConfigurator, 2025-10 to 2026-05), and pulled to
# the kernels' own times, which lowers the error on accelerators left out. Of 4-bit experts the
# engines' kernels are twice as quick as those of the tables.
SOFTWARE = Software(
    weights=0.95, work=0.975, cache=1.01, step=1.06, link=1.19, attention=0.5, expert=0.971,
    expert_work=5.26, mix=1.04, fp4=0.736, fp4_work=0.588, fp4_experts=0.5, latent=2.49,
    yearly=1.51,
)  # fmt: skip
# Of a batch that is read from a list, without a server between: fitted to 317 rows of
# TensorRT-LLM's tables (0.17 to 1.2), on A100, H100, GH200, B200 and RTX PRO 6000.
OFFLINE = Software(
    weights=1.11, work=1.59, cache=0.8, step=0.75, link=0.41, attention=1.0, expert=0.6,
    expert_work=1.46, mix=0.59, fp4=1.18, fp4_work=1.09, fp4_experts=0.4, latent=3.34,
    yearly=1.0,
)  # fmt: skip
SOFTWARES = {"trtllm": SOFTWARE, "sglang": SOFTWARE, "vllm": SOFTWARE, "offline": OFFLINE}
HOSTS: dict[str, Host] = {
    "trtllm": Host(layer_us=44.5, moe_layer_us=36.1, row_us=10.2, first_ms=115.0, wave=0.0946),
    "sglang": Host(layer_us=28.5, moe_layer_us=80.1, row_us=10.3, first_ms=229.0, wave=0.352),
    "vllm": Host(layer_us=52.4, moe_layer_us=37.1, row_us=14.8, first_ms=55.3, wave=0.091),
    "offline": Host(layer_us=100.0, moe_layer_us=338.0, row_us=4.06, first_ms=0.0, wave=0.0),
}
MEASURED_ACCELERATORS = frozenset({"NVIDIA H100 SXM", "NVIDIA B200 SXM", "NVIDIA B300 SXM"})
MEASURED_MODELS = frozenset({
    "DeepSeek-R1", "GLM-5", "Kimi-K2.5", "Llama-3.1-70B", "Llama-3.1-8B", "MiniMax-M2.5",
    "Qwen3-32B", "Qwen3.5-397B-A17B",
})  # fmt: skip
# Generations whose kernels were not measured stand on another's: how much longer they take is
# the median over their MLPerf Offline results (v4.1 to v6.0) of models of known lengths.
SPEED: dict[str, float] = {"ada": 1.34, "cdna2": 1.2, "cdna3": 1.2, "cdna4": 0.75}
_PER_POWER = 0.4
LATEST_YEARS = 0.35
_IN_SLOTS = ((32.0, "NVIDIA L40S"), (64.0, "NVIDIA RTX PRO 6000"))
NEAR_GENERATIONS = frozenset({"ampere", "ada", "hopper", "blackwell", "blackwell-rtx"})


def sustained_share(accelerator: Accelerator) -> float:
    """Share of the rate of the card whose kernels it stands on that its power sustains.

    A card of the same maker's chips that may draw less per FLOP/s of its sheet (H100 PCIe: 350 W
    of 757 TFLOP/s, SXM: 700 W of 989) clocks lower under products. The exponent is 0.4 in the
    median of what PCIe, NVL and L4 reach beside their SXM and L40S in MLPerf's BERT, GPT-J,
    ResNet-50 and Stable Diffusion (3.1 to 4.1, Offline; 0.25 to 0.6): power goes with clock times
    voltage squared, which rises with the clock.
    """
    reference = STANDS_FOR.get(accelerator.generation, "")
    is_own = accelerator.name in KERNELS or accelerator.generation in SPEED.keys() - {"ada"}
    if is_own or accelerator.tdp_w is None or reference not in ACCELERATORS:
        return 1.0
    sheet = ACCELERATORS[reference]
    assert sheet.tdp_w is not None
    per_rate = accelerator.tdp_w / accelerator.half_tflop_per_s
    return min(1.0, per_rate * sheet.half_tflop_per_s / sheet.tdp_w) ** _PER_POWER


def efficiency_of(accelerator: Accelerator, precision: Precision) -> Efficiency:
    """Return what kernels reach on an accelerator: measured, or as on one of its generation."""
    of = (
        KERNELS.get(accelerator.name)
        or KERNELS[STANDS_FOR.get(accelerator.generation, "NVIDIA H100 SXM")]
    )
    stored = precision if precision in of.weights else "bf16"
    wide = stored
    if precision in {"fp8", "fp4"} and getattr(accelerator, f"{precision}_tflop_per_s") is None:
        wide = "bf16"
    # Ranks that only a slot joins reduce as those of the measured cards in such slots do.
    links = next(
        (KERNELS[card] for most, card in _IN_SLOTS if accelerator.link_gb_per_s <= most), of
    )
    held = sustained_share(accelerator)
    return Efficiency(
        weights=of.weights[stored],
        work=of.work[wide] * held,
        half=of.work["bf16"] * held,
        cache=of.cache,
        attention=of.attention * held,
        link=links.link,
        step_us=links.step_us,
    )
