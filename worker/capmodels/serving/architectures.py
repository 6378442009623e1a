"""Language models as their published ``config.json`` has them: parameters, KV bytes, work.

Parameter counts follow the tensors of a decoder with gated MLP (Vaswani et al. 2017; GQA:
Ainslie et al. 2023, arXiv 2305.13245; MLA: DeepSeek-V2, arXiv 2405.04434). Norms and biases
are left out: under 0.1%.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from capmodels.errors import ModelError
from capmodels.spec import Params, assumed, blank, preset
from capmodels.units import Whole, of_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.serving.accelerators import Precision

Size = Annotated[Whole, of_unit("count", ge=1, le=10_000_000)]
SizeOrNone = Annotated[Whole, of_unit("count", ge=0, le=10_000_000)]

# Bytes of a stored weight. NVFP4 has one FP8 scale per 16 weights, MXFP4 an 8-bit one per 32,
# INT4 a 16-bit scale (and a zero of 4 bits) per group of 128.
WEIGHT_BYTES: dict[Precision, float] = {"bf16": 2.0, "fp8": 1.0, "fp4": 0.5625, "int4": 0.53}


class Architecture(Params):
    """A language model's shape."""

    name: str = Field(min_length=1, max_length=120, description="How it is called.")
    layers_count: Size = Field(description="Layers.")
    hidden_count: Size = Field(description="Width of the residual stream.")
    heads_count: Size = Field(description="Query heads.")
    kv_heads_count: Size = Field(title="KV heads", description="Key and value heads.")
    head_size_count: Size = Field(description="Elements of a head.")
    ffn_count: SizeOrNone = Field(title="FFN width", description="Inner width of a dense layer.")
    vocabulary_count: Size = Field(description="Tokens of the vocabulary.")
    tied: bool = preset(False, "Whether input and output embeddings are one.")
    mlp_matrices_count: Annotated[Whole, of_unit("count", ge=2, le=3)] = assumed(
        3, "Matrices of an MLP: 3 with a gate, 2 without."
    )
    experts_count: SizeOrNone = assumed(0, "Routed experts of a layer; 0 in a dense model.")
    experts_per_token_count: SizeOrNone = assumed(0, "Routed experts that a token uses.")
    expert_ffn_count: SizeOrNone = assumed(0, "Inner width of an expert.", title="Expert width")
    shared_ffn_count: SizeOrNone = assumed(
        0, "Inner width of shared experts.", title="Shared width"
    )
    moe_layers_count: SizeOrNone = assumed(0, "Layers with experts.", title="MoE layers")
    kv_lora_count: SizeOrNone = assumed(
        0, "Rank of the latent keys and values (MLA); 0 without.", title="KV rank"
    )
    q_lora_count: SizeOrNone = assumed(0, "Rank of the latent queries (MLA).", title="Query rank")
    rope_count: SizeOrNone = assumed(0, "Rotary elements of a head (MLA).", title="Rotary size")
    nope_count: SizeOrNone = assumed(0, "Other elements of a head (MLA).", title="Plain size")
    value_count: SizeOrNone = assumed(0, "Elements of a value head (MLA).", title="Value size")
    window_count: Size | None = blank("Tokens that windowed layers attend to; all when empty.")
    windowed_layers_count: SizeOrNone = assumed(0, "Layers with the window.")
    linear_layers_count: SizeOrNone = assumed(
        0, "Layers with linear attention, which keep a state instead of KV."
    )
    experts_native_fp4: bool = preset(False, "Whether it is published with experts at MXFP4.")
    source: str = preset("", "Where the shape is from.", max_length=200)

    @property
    def is_latent(self) -> bool:
        """Whether keys and values are kept as one latent vector (MLA)."""
        return self.kv_lora_count > 0

    @property
    def attention_per_layer(self) -> int:
        """Weights of one attention layer."""
        h, a = self.hidden_count, self.heads_count
        if self.is_latent:
            c, q, r = self.kv_lora_count, self.q_lora_count, self.rope_count
            n, v = self.nope_count, self.value_count
            queries = h * q + q * a * (n + r) if q else h * a * (n + r)
            return queries + h * (c + r) + c * a * (n + v) + a * v * h
        return self.head_size_count * h * (a + 2 * self.kv_heads_count) + (
            a * self.head_size_count * h
        )

    @property
    def attention_weights(self) -> int:
        """Weights of attention, all layers."""
        return self.layers_count * self.attention_per_layer

    @property
    def dense_mlp_weights(self) -> int:
        """Weights of dense layers' MLP, of shared experts and routers."""
        h, moe = self.hidden_count, self.moe_layers_count
        dense = (self.layers_count - moe) * self.mlp_matrices_count * h * self.ffn_count
        return dense + moe * h * (3 * self.shared_ffn_count + self.experts_count)

    @property
    def expert_weights(self) -> int:
        """Weights of all routed experts."""
        return (
            self.moe_layers_count
            * self.experts_count
            * 3
            * self.hidden_count
            * (self.expert_ffn_count)
        )

    @property
    def embedding_weights(self) -> int:
        """Weights of one embedding."""
        return self.vocabulary_count * self.hidden_count

    @property
    def weights(self) -> int:
        """Parameters in all."""
        embeddings = self.embedding_weights * (1 if self.tied else 2)
        return self.attention_weights + self.dense_mlp_weights + self.expert_weights + embeddings

    @property
    def used_expert_share(self) -> float:
        """Share of the routed experts that one token uses."""
        return self.experts_per_token_count / self.experts_count if self.experts_count else 0.0

    @property
    def active_weights(self) -> float:
        """Parameters that one token uses, without the input embedding."""
        return (
            self.attention_weights
            + self.dense_mlp_weights
            + self.expert_weights * self.used_expert_share
            + self.embedding_weights
        )

    @property
    def kv_elements_per_layer(self) -> int:
        """KV elements of one token in one layer."""
        if self.is_latent:
            return self.kv_lora_count + self.rope_count
        return 2 * self.kv_heads_count * self.head_size_count

    @property
    def kv_shards_count(self) -> int:
        """Ranks over which the KV of a token can be divided: not at all with MLA."""
        return 1 if self.is_latent else self.kv_heads_count

    def kv_elements(self, context_tokens: float) -> float:
        """KV elements of one sequence of a length, all layers."""
        full = self.layers_count - self.windowed_layers_count - self.linear_layers_count
        window = min(context_tokens, self.window_count or context_tokens)
        return self.kv_elements_per_layer * (
            full * context_tokens + self.windowed_layers_count * window
        )

    def weight_bytes(self, precision: Precision) -> dict[str, float]:
        """Bytes of the stored weights, by part.

        Embeddings stay at 16 bits, and so does attention where a model of experts is at 4
        bits, as in the published FP4 checkpoints of DeepSeek-R1, Kimi-K2 and gpt-oss.
        """
        linear = WEIGHT_BYTES[precision]
        attention = 2.0 if self.experts_count and linear < 1.0 else linear
        expert = 0.53125 if precision == "fp4" and self.experts_native_fp4 else linear
        return {
            "attention": self.attention_weights * attention,
            "dense": self.dense_mlp_weights * (attention if self.experts_count else linear),
            "experts": self.expert_weights * expert,
            "output": self.embedding_weights * 2.0,
            "input": 0.0 if self.tied else self.embedding_weights * 2.0,
        }


def of_config(text: str, name: str = "") -> Architecture:
    """Return the shape that a published ``config.json`` states.

    Raises
    ------
    ModelError
        When the text is no such file, or lacks what a decoder's shape needs.
    """
    try:
        document = json.loads(text)
    except ValueError as exc:
        raise ModelError("This is not JSON. Give the model's config.json.") from exc
    if isinstance(document, dict) and isinstance(document.get("text_config"), dict):
        document = {**document, **document["text_config"]}
    if not isinstance(document, dict) or "hidden_size" not in document:
        raise ModelError("This is no configuration of a decoder: it has no hidden_size.")
    try:
        return _shape(document, name or str(document.get("_name_or_path") or "Own model"))
    except (KeyError, TypeError, ValueError, AttributeError) as exc:
        message = f"This configuration lacks what a decoder's shape needs: {exc}."
        raise ModelError(message) from exc


def _first(document: Mapping[str, Any], *names: str, otherwise: int = 0) -> int:
    return next((int(document[name]) for name in names if document.get(name)), otherwise)


def _shape(document: Mapping[str, Any], name: str) -> Architecture:
    layers = int(document["num_hidden_layers"])
    hidden, heads = int(document["hidden_size"]), int(document["num_attention_heads"])
    experts = _first(document, "num_local_experts", "n_routed_experts", "num_experts")
    width = _first(document, "intermediate_size")
    expert_width = _first(document, "moe_intermediate_size", otherwise=width)
    step = _first(document, "interleave_moe_layer_step", "decoder_sparse_step", otherwise=1)
    dense_first = _first(document, "first_k_dense_replace")
    shared = _first(document, "shared_expert_intermediate_size", "shared_intermediate_size")
    kinds = document.get("layer_types") or []
    windowed = kinds.count("sliding_attention") + kinds.count("chunked_attention")
    window = _first(document, "sliding_window", "attention_chunk_size")
    if document.get("use_sliding_window") is False:
        window = 0
    every = _first(document, "full_attention_interval")
    linear = kinds.count("linear_attention") or (layers - layers // every if every else 0)
    is_llama4 = "llama4" in str(document.get("model_type", ""))
    return Architecture(
        name=name,
        layers_count=layers,
        hidden_count=hidden,
        heads_count=heads,
        kv_heads_count=_first(document, "num_key_value_heads", otherwise=heads),
        head_size_count=_first(document, "head_dim", otherwise=hidden // heads),
        ffn_count=_first(document, "intermediate_size_mlp", otherwise=width)
        if is_llama4
        else width,
        vocabulary_count=int(document["vocab_size"]),
        tied=bool(document.get("tie_word_embeddings", False)),
        experts_count=experts,
        experts_per_token_count=_first(document, "num_experts_per_tok", "num_experts_per_token"),
        expert_ffn_count=expert_width if experts else 0,
        shared_ffn_count=shared
        or (expert_width if is_llama4 else expert_width * _first(document, "n_shared_experts"))
        if experts
        else 0,
        moe_layers_count=(layers - dense_first) // step if experts else 0,
        kv_lora_count=_first(document, "kv_lora_rank"),
        q_lora_count=_first(document, "q_lora_rank"),
        rope_count=_first(document, "qk_rope_head_dim"),
        nope_count=_first(document, "qk_nope_head_dim"),
        value_count=_first(document, "v_head_dim"),
        window_count=window or None,
        windowed_layers_count=windowed or (layers if window and not kinds else 0),
        linear_layers_count=linear,
        experts_native_fp4="mxfp4" in json.dumps(document.get("quantization_config") or {}).lower(),
        source="config.json",
    )
