"""One pass of a serving engine: what takes the time."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from capmodels.serving.bands import Banded, Nearness, banded
from capmodels.serving.choices import Lengths
from capmodels.serving.deployed import Replica, deployed
from capmodels.serving.engine import pass_s
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    one_point,
    preset,
)
from capmodels.units import DurationMs, Real, of_unit

Tokens = Annotated[Real, of_unit("tokens", ge=0, le=1e7)]
Rows = Annotated[Real, of_unit("count", ge=0, le=1e5)]


class EnginePassParams(Params):
    """A replica, and what it does in the pass."""

    replica: Replica = preset(Replica(), "Who serves.")
    decoded_count: Rows = assumed(16.0, "Requests of which a token is decoded.", title="Decoded")
    context_tokens: Tokens = assumed(1280.0, "Tokens before it, mean.", title="Context")
    prefill_tokens: Tokens = assumed(0.0, "Tokens of prompts in the pass.", title="Prefill")


class EnginePassResult(Result):
    """The time of a pass, and its parts."""

    pass_ms: Banded
    weights_ms: DurationMs
    work_ms: DurationMs
    cache_ms: DurationMs
    attention_ms: DurationMs = Field(title="Attention of prompts")
    links_ms: DurationMs
    host_ms: DurationMs
    bound: str = Field(title="Bound by")
    nearness: Nearness
    told: str


def _run(params: EnginePassParams, _context: Context) -> EnginePassResult:
    prompt = max(1.0, params.context_tokens)
    found = deployed(params.replica, Lengths(prompt_tokens=prompt, output_tokens=1.0))
    of, rows = found.of, params.decoded_count
    tokens = rows + params.prefill_tokens
    pairs = params.prefill_tokens**2 / 2
    cached = rows * params.context_tokens
    parts = {
        "weights": of.dense_s + of.experts_s * (1 - of.unused_share**tokens),
        "work": of.token_s * tokens,
        "cache": of.cached_s * cached,
        "attention": of.pair_s * pairs,
        "links": of.link_s + of.link_token_s * tokens,
        "host": of.layers_s + of.row_s * rows,
    }
    names = {
        "weights": "reading weights",
        "work": "matrix products",
        "cache": "reading the cache",
        "attention": "attention of prompts",
        "links": "links between accelerators",
        "host": "the engine's own work",
    }
    return EnginePassResult(
        pass_ms=banded(1e3 * pass_s(of, tokens, rows, cached, pairs), found.factors("tpot")),
        **{f"{name}_ms": 1e3 * value for name, value in parts.items()},
        bound=names[max(parts, key=lambda name: parts[name])],
        nearness=found.nearness,
        told=found.said,
    )


SPEC = ModelSpec(
    id="serving.engine_pass",
    version="1.2.0",
    title="One pass of a serving engine",
    summary="How long a pass takes that decodes some requests and prefills others, and what "
    "takes the time: weights, cache, products, links or the engine itself.",
    params=EnginePassParams,
    result=EnginePassResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="S. Williams, A. Waterman, D. Patterson, Roofline, 2009",
            url="https://doi.org/10.1145/1498765.1498785",
        ),
        Citation(
            text="R. Pope et al., Efficiently Scaling Transformer Inference, 2022",
            url="https://arxiv.org/abs/2211.05102",
        ),
    ),
    formulas=(
        Formula(
            "pass",
            "t = (t_weights^3 + t_work^3)^(1/3) + t_cache + t_attention + t_links + t_host",
            "roofline with a smooth maximum; constants fitted to measured kernels and serving",
        ),
        Formula(
            "experts",
            "experts read = 1 - (1 - e/E)^T",
            "routing at random",
            {"e": "experts per token", "E": "experts", "T": "tokens"},
        ),
    ),
    limits=("Kernels are one efficiency by accelerator and precision, not by shape.",),
)
