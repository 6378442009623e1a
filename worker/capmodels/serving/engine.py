"""The time of one pass of a serving engine: a roofline with measured efficiencies.

Roofline: Williams, Waterman, Patterson 2009, :doi:`10.1145/1498765.1498785`. Work of prefill
and decode as in Pope et al. 2022 (arXiv 2211.05102). Reductions by the alpha-beta model, two
in a layer. A deployment is a handful of coefficients (``Deployment``), so that the same
``pass_s`` runs over arrays of plans and inside the compiled simulation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.serving.fitted import (
    HOSTS,
    LATEST_YEARS,
    SOFTWARE,
    SOFTWARES,
    SPEED,
    Host,
    Software,
    efficiency_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.serving.accelerators import Accelerator, Precision
    from capmodels.serving.architectures import Architecture

# A number, or an array of numbers of several deployments.
Values = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a replica is divided: tensor, data (attention) and pipeline ranks."""

    tensor: int = 1
    data: int = 1
    pipeline: int = 1

    @property
    def accelerators(self) -> int:
        """Accelerators of a replica."""
        return self.tensor * self.data * self.pipeline


class Deployment(NamedTuple):
    """A model on a layout of accelerators, as the coefficients of a pass."""

    dense_s: Values
    experts_s: Values
    unused_share: Values
    token_s: Values
    cached_s: Values
    pair_s: Values
    link_token_s: Values
    link_s: Values
    layers_s: Values
    row_s: Values
    first_s: Values
    mix: Values
    stages: Values


def pass_s(of: Values, tokens: Values, rows: Values, cached: Values, pairs: Values) -> Values:
    """Time of a pass. [s]

    Parameters
    ----------
    of
        The deployment's coefficients.
    tokens
        New tokens: one of each decoded row, and those of prompts.
    rows
        Requests being decoded or prefilled, for which the host works.
    cached
        Tokens that the decoded rows read from the KV cache.
    pairs
        Half the sum of the squared lengths of what is prefilled: pairs of causal attention.
    """
    read = of.dense_s + of.experts_s * (1.0 - of.unused_share**tokens)
    work = of.token_s * tokens
    gemm = (read**3.0 + work**3.0) ** (1.0 / 3.0)
    attention = of.cached_s * cached + of.pair_s * pairs
    return gemm + attention + of.link_s + of.link_token_s * tokens + of.layers_s + of.row_s * rows


def rate_tflop_per_s(accelerator: Accelerator, precision: Precision) -> float:
    """Dense rate at which weights of a precision are multiplied. [TFLOP/s]

    Weights that the accelerator cannot multiply as stored are widened to the next format
    that it has; 4-bit integers always are.
    """
    half = accelerator.half_tflop_per_s
    if precision in {"bf16", "int4"}:
        return half
    if precision == "fp4" and accelerator.fp4_tflop_per_s is not None:
        return accelerator.fp4_tflop_per_s
    if precision == "fp4" or accelerator.fp8_tflop_per_s is None:
        return half
    return accelerator.fp8_tflop_per_s


class Roofline(NamedTuple):
    """A model on a layout of accelerators by its kernels alone, before what serving adds."""

    dense_s: Values
    experts_s: Values
    unused_share: Values
    dense_work_s: Values
    expert_work_s: Values
    cached_s: Values
    pair_s: Values
    link_token_s: Values
    step_s: Values
    layers: Values
    moe_layers: Values
    is_fp4: Values
    has_experts: Values
    is_latent: Values
    stages: Values
    speed: Values


def roofline(
    architecture: Architecture,
    accelerator: Accelerator,
    precision: Precision,
    layout: Layout,
    *,
    kv_bytes: float = 2.0,
) -> Roofline:
    """Return the times that the kernels of a pass take, by their measured efficiencies.

    Parameters
    ----------
    kv_bytes
        Of a cached element. [B]

    Notes
    -----
    With t tensor and d data ranks of attention, G = t d: dense weights are read whole by each
    of d, experts once in all, KV of a row by one of min(t, KV heads); work is shared by G.
    All pipeline stages together do one pass; each holds its part of the layers.
    """
    known = efficiency_of(accelerator, precision)
    bytes_of = architecture.weight_bytes(precision)
    t, d = layout.tensor, layout.data
    g = t * d
    read = accelerator.bandwidth_tb_per_s * 1e12
    half = accelerator.half_tflop_per_s * 1e12
    full = rate_tflop_per_s(accelerator, precision) * 1e12 * known.work
    plain = architecture.attention_weights + architecture.dense_mlp_weights
    mixed = architecture.experts_count and precision in {"fp4", "int4"}
    at_half = architecture.embedding_weights + (plain if mixed else 0)
    at_full = plain + architecture.embedding_weights - at_half
    used = architecture.expert_weights * architecture.used_expert_share
    layers = architecture.layers_count
    full_layers = layers - architecture.windowed_layers_count - architecture.linear_layers_count
    head = float(architecture.head_size_count)
    if architecture.is_latent:
        head = (architecture.nope_count + architecture.rope_count + architecture.value_count) / 2
    ranks = g if architecture.experts_count else t
    ring = 2.0 * (ranks - 1) / ranks / d * architecture.hidden_count * 2.0
    return Roofline(
        dense_s=(bytes_of["attention"] + bytes_of["dense"] + bytes_of["output"])
        / (t * read * known.weights),
        experts_s=bytes_of["experts"] / (g * read * known.weights),
        unused_share=1.0 - architecture.used_expert_share if architecture.experts_count else 1.0,
        dense_work_s=2.0 * (at_full / full + at_half / (half * known.half)) / g,
        expert_work_s=2.0 * used / full / g,
        cached_s=full_layers
        * architecture.kv_elements_per_layer
        * kv_bytes
        / (d * min(t, architecture.kv_shards_count) * read * known.cache),
        pair_s=4.0 * full_layers * architecture.heads_count * head / (g * half * known.attention),
        link_token_s=2 * layers * ring / (accelerator.link_gb_per_s * 1e9 * known.link),
        step_s=2 * layers * known.step_us * 1e-6 * math.log2(ranks),
        layers=float(layers),
        moe_layers=float(architecture.moe_layers_count),
        is_fp4=1.0 if precision == "fp4" else 0.0,
        has_experts=1.0 if architecture.experts_count else 0.0,
        is_latent=1.0 if architecture.is_latent else 0.0,
        stages=float(layout.pipeline),
        speed=SPEED.get(accelerator.generation, 1.0),
    )


def served(
    of: Roofline, host: Host, *, software: Software = SOFTWARE, years: Values = 0.0
) -> Deployment:
    """Return a roofline as an engine serves it: with the factors fitted to measured serving.

    Parameters
    ----------
    host
        What the engine adds to kernels.
    years
        Date of the engine, from the start of 2026: newer ones add less. [yr]
    """
    by = software
    fp4_dense = 1.0 + of.is_fp4 * (1.0 - of.has_experts) * (by.fp4 - 1.0)
    fp4_experts = 1.0 + of.is_fp4 * (by.fp4_experts - 1.0)
    fp4_work = 1.0 + of.is_fp4 * (by.fp4_work - 1.0)
    latent = 1.0 + of.is_latent * (by.latent - 1.0)
    newer = of.speed / by.yearly**years
    own = of.speed
    return Deployment(
        dense_s=of.dense_s * by.weights * fp4_dense * own,
        experts_s=of.experts_s * by.weights * by.expert * fp4_experts * own,
        unused_share=of.unused_share,
        token_s=(of.dense_work_s + of.expert_work_s * by.expert_work) * by.work * fp4_work * own,
        cached_s=of.cached_s * by.cache * latent * own,
        pair_s=of.pair_s * by.attention * own,
        link_token_s=of.link_token_s * by.link,
        link_s=of.step_s * by.step,
        layers_s=(of.layers * host.layer_us + of.moe_layers * host.moe_layer_us) * 1e-6 * newer,
        row_s=host.row_us * 1e-6 * newer,
        first_s=host.first_ms * 1e-3 * newer,
        mix=by.mix,
        stages=of.stages,
    )


def deployment(
    architecture: Architecture,
    accelerator: Accelerator,
    precision: Precision,
    layout: Layout,
    *,
    kv_bytes: float = 2.0,
    engine: str = "vllm",
    years: float = LATEST_YEARS,
) -> Deployment:
    """Return the coefficients of a model that an engine serves on a layout of accelerators."""
    kernels = roofline(architecture, accelerator, precision, layout, kv_bytes=kv_bytes)
    return served(kernels, HOSTS[engine], software=SOFTWARES[engine], years=years)


def slowed(of: Deployment, factor: Values) -> Deployment:
    """Return a deployment that takes a factor longer in all it does."""
    times = {name for name in Deployment._fields if name.endswith("_s")}
    return of._replace(**{name: getattr(of, name) * factor for name in times})


def stacked(many: Sequence[Roofline]) -> Roofline:
    """Return rooflines as one, whose figures are arrays."""
    import numpy as np

    return Roofline(*(np.array(column, dtype=np.float64) for column in zip(*many, strict=True)))
