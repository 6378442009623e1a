"""Does a model fit, and how many requests does its cache hold?

Paged KV as in vLLM (Kwon et al. 2023, arXiv 2309.06180): what is left of the memory that the
engine may use, after weights and its own overhead, holds keys and values in blocks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.serving.accelerators import Precision
from capmodels.serving.choices import (
    AcceleratorChoice,
    Lengths,
    ListedAccelerator,
    ModelChoice,
    Ranks,
    accelerator_of,
    architecture_of,
    open_model,
)
from capmodels.serving.engine import Layout
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    one_point,
    preset,
)
from capmodels.units import BYTES_PER_GB, BYTES_PER_GIB, DataGb, Fraction, Real, Whole, of_unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.serving.accelerators import Accelerator
    from capmodels.serving.architectures import Architecture

Tokens = Annotated[Real, of_unit("tokens", ge=0)]
BytesPerToken = Annotated[Real, of_unit("B/token", ge=0)]
SignedGb = Annotated[Real, of_unit("GB")]

# Working memory of an engine per accelerator [GB], low, expected and high: six of seven vLLM
# deployments of dense 7B to 70B models on H100 had 2.0 to 2.4, one of a multimodal model of
# experts 9.8 (inference-sim, 2025); another planner measured 4.8 to 7.4 (llm-d-planner, 2026).
OVERHEAD_GB = {"dense": (1.2, 2.3, 5.6), "experts": (2.3, 8.0, 10.0)}
USABLE_FRACTION = 0.90
BLOCK_TOKENS = 16


def weights_gb(architecture: Architecture, precision: Precision, layout: Layout) -> float:
    """Weights of a replica on all its accelerators. [GB]

    Experts are there once; what is dense is there once for each data rank of attention.
    """
    parts = architecture.weight_bytes(precision)
    experts = parts.pop("experts")
    return (math.fsum(parts.values()) * layout.data + experts) / BYTES_PER_GB


def kv_bytes_per_token(
    architecture: Architecture, kv_bytes: float, layout: Layout, context_tokens: float
) -> float:
    """KV cache that a token takes on all accelerators together, in a context. [B/token]

    A token's KV lies on the ranks of one data rank; ranks beyond the KV heads hold copies,
    and every rank holds all of a latent vector.
    """
    copies = max(1.0, layout.tensor / architecture.kv_shards_count)
    return architecture.kv_elements(context_tokens) / context_tokens * kv_bytes * copies


def kv_room_gb(
    architecture: Architecture,
    accelerator: Accelerator,
    precision: Precision,
    layout: Layout,
    *,
    usable_fraction: float = USABLE_FRACTION,
    overhead_gb: float | None = None,
) -> float:
    """Room for the KV cache on a replica; negative where the model does not fit. [GB]"""
    each = overhead_of(architecture)[1] if overhead_gb is None else overhead_gb
    count = layout.accelerators
    memory = accelerator.memory_gib * BYTES_PER_GIB / BYTES_PER_GB
    return (
        usable_fraction * memory * count
        - weights_gb(architecture, precision, layout)
        - (each * count)
    )


def overhead_of(architecture: Architecture) -> tuple[float, float, float]:
    """Low, expected and high working memory of an engine per accelerator. [GB]"""
    return OVERHEAD_GB["experts" if architecture.experts_count else "dense"]


def most_requests(room_gb: float, bytes_per_token: float, prompt: float, output: float) -> float:
    """Requests whose KV the room holds, each in the middle of its output; 0 at no room."""
    blocks = math.ceil((prompt + output / 2.0) / BLOCK_TOKENS)
    return max(0.0, room_gb * BYTES_PER_GB / (bytes_per_token * blocks * BLOCK_TOKENS))


class MemoryFitParams(Params):
    """A model, an accelerator, how many of them, and the requests."""

    model: ModelChoice = preset(open_model("Llama-3.1-70B"), "The language model.")
    accelerator: AcceleratorChoice = preset(
        ListedAccelerator(name="NVIDIA H100 SXM"), "The accelerator."
    )
    precision: Precision = preset("fp8", "How weights are stored.")
    layout: Ranks = preset(Ranks(tensor_count=4), "Ranks of a replica.")
    lengths: Lengths = preset(Lengths(), "Tokens of a request.")
    kv_bits_count: Annotated[Whole, of_unit("count", ge=4, le=16)] = default(
        16, "Bits of a cached key or value.", source="vLLM's default", title="KV bits"
    )
    usable_fraction: Fraction = default(
        USABLE_FRACTION,
        "Share of the memory that the engine may use.",
        source="vLLM, gpu_memory_utilization",
        low=0.85,
        high=0.95,
    )
    overhead_gb: Annotated[Real, of_unit("GB", ge=0)] | None = preset(
        None, "Working memory of the engine per accelerator; by the kind of model when empty."
    )


class MemoryFitResult(Result):
    """Whether it fits, and what stands where."""

    fits: bool
    fits_surely: bool
    weights_gb: DataGb
    kv_room_gb: SignedGb
    kv_room_low_gb: SignedGb
    kv_room_high_gb: SignedGb
    kv_bytes_per_token: BytesPerToken
    kv_tokens: Annotated[Real, of_unit("tokens", ge=0)] = Field(title="Tokens held")
    requests_count: Annotated[Real, of_unit("count", ge=0)]
    parameters_count: Annotated[Real, of_unit("count", ge=0)]
    told: str


def _run(params: MemoryFitParams, _context: Context) -> MemoryFitResult:
    architecture, accelerator = architecture_of(params.model), accelerator_of(params.accelerator)
    layout = params.layout.as_layout()
    own = params.overhead_gb
    low, expected, high = overhead_of(architecture) if own is None else (own, own, own)

    def room(overhead: float) -> float:
        return kv_room_gb(
            architecture,
            accelerator,
            params.precision,
            layout,
            usable_fraction=params.usable_fraction,
            overhead_gb=overhead,
        )

    prompt, output = params.lengths.prompt_tokens, params.lengths.output_tokens
    each = kv_bytes_per_token(
        architecture, params.kv_bits_count / 8, layout, max(1.0, prompt + output / 2)
    )
    held, worst = room(expected), room(high)
    fits = held > 0 and most_requests(held, each, prompt, output) >= 1
    surely = worst > 0 and most_requests(worst, each, prompt, output) >= 1
    return MemoryFitResult(
        fits=fits,
        fits_surely=surely,
        weights_gb=weights_gb(architecture, params.precision, layout),
        kv_room_gb=held,
        kv_room_low_gb=worst,
        kv_room_high_gb=room(low),
        kv_bytes_per_token=each,
        kv_tokens=max(0.0, held * BYTES_PER_GB / each),
        requests_count=most_requests(held, each, prompt, output),
        parameters_count=float(architecture.weights),
        told=_told(fits=fits, surely=surely),
    )


def _told(*, fits: bool, surely: bool) -> str:
    if surely:
        return "It fits."
    return (
        "It fits only if the engine takes no more memory than expected; see the range of its room."
        if fits
        else "It does not fit."
    )


def _weights(name: str) -> Callable[[], float]:
    return lambda: architecture_of(open_model(name)).weights / 1e9


def _kv(name: str) -> Callable[[], float]:
    return lambda: kv_bytes_per_token(architecture_of(open_model(name)), 2.0, Layout(), 1.0)


def _asked(name: str, accelerator: str, precision: Precision, count: int) -> MemoryFitResult:
    params = MemoryFitParams(
        model=open_model(name),
        accelerator=ListedAccelerator(name=accelerator),
        precision=precision,
        layout=Ranks(tensor_count=count),
    )
    return _run(params, Context())


_COUNTS = {
    "Llama-3.1-8B": "8.03",
    "Llama-3.1-70B": "70.55",
    "Llama-3.1-405B": "405.85",
    "DeepSeek-R1": "671",
    "Mixtral-8x7B": "46.70",
    "Qwen3-235B-A22B": "235.1",
    "gpt-oss-120b": "116.8",
}
_KV_BYTES = {"Llama-3.1-70B": 327_680.0, "Llama-2-7B": 524_288.0, "DeepSeek-R1": 70_272.0}
_BLOCKS = {"Llama-3.1-70B": (4, 30_425.0), "Qwen2.5-7B": (1, 65_368.0)}
_CARD = "the model's published configuration"
_LOGS = "vLLM start logs of inference-sim deployments, 2025"

SPEC = ModelSpec(
    id="serving.memory_fit",
    version="1.0.0",
    title="Memory of a language model",
    summary="Whether a model fits on accelerators, and how many requests its cache holds.",
    params=MemoryFitParams,
    result=MemoryFitResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="W. Kwon et al., Efficient Memory Management for Large Language Model Serving "
            "with PagedAttention, SOSP 2023",
            url="https://arxiv.org/abs/2309.06180",
        ),
        Citation(
            text="J. Ainslie et al., GQA (grouped-query attention), 2023",
            url="https://arxiv.org/abs/2305.13245",
        ),
        Citation(
            text="DeepSeek-V2 (latent attention), 2024", url="https://arxiv.org/abs/2405.04434"
        ),
    ),
    formulas=(
        Formula(
            "room",
            "KV room = u M G - weights - G overhead",
            "vLLM",
            {"u": "usable_fraction", "M": "memory", "G": "accelerators"},
        ),
        Formula("kv", "KV per token = 2 L k d bytes, or L (c + rope) bytes with MLA", "published"),
        Formula("requests", "requests = room / (KV per token (I + O / 2))", "steady state"),
    ),
    checks=(
        *(
            Check(
                f"M1-{name}",
                f"Parameters of {name}",
                float(count),
                _weights(name),
                source=_CARD,
                kind="arithmetic",
                tests="serving.architectures.Architecture.layers_count",
                printed=count,
                tolerance=0.5 * 10.0 ** -len(count.partition(".")[2]),
                unit="10^9",
            )
            for name, count in _COUNTS.items()
        ),
        *(
            Check(
                f"M2-{name}",
                f"KV of a token of {name}",
                held,
                _kv(name),
                source=_CARD,
                unit="B",
                kind="arithmetic",
                tests="serving.architectures.Architecture.layers_count",
            )
            for name, held in _KV_BYTES.items()
        ),
        *(
            Check(
                f"M3-{name}",
                f"KV blocks of 16 tokens of {name} on H100, BF16",
                blocks,
                lambda name=name, count=count: (
                    _asked(  # type: ignore[misc]  # fields are typed at run time
                        name, "NVIDIA H100 SXM", "bf16", count
                    ).kv_tokens
                    / BLOCK_TOKENS
                ),
                source=_LOGS,
                kind="predicted",
                tests="serving.architectures.Architecture.layers_count",
                tolerance=0.01 * blocks,
                wider="What the engine keeps for itself is not printed.",
                unit="blocks",
            )
            for name, (count, blocks) in _BLOCKS.items()
        ),
    ),
    limits=(
        "Activations, CUDA graphs and buffers are the engine's overhead, whose range is shown; "
        "vision and speech towers and adapters are not counted.",
        "The fixed state of linear attention is not counted.",
    ),
)
