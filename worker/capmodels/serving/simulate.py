"""A serving replica request by request: queue, chunked prefill, cache limit, preemption."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.errors import ModelError
from capmodels.rng import streams
from capmodels.serving.capacity import Percentile, PositiveRate
from capmodels.serving.choices import Lengths
from capmodels.serving.deployed import Replica, deployed
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    preset,
    refusal,
)
from capmodels.units import CountFromOne, DurationMs, DurationS, Fraction, Real, Whole, of_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REQUESTS_MOST = 2_000_000
_BATCHES = 20
MeanCount = Annotated[Real, of_unit("count", ge=0)]
SpreadRatio = Annotated[Real, of_unit("ratio", ge=1, le=100)]
TraceTokens = Annotated[Whole, of_unit("tokens", ge=1, le=10_000_000)]


class RandomArrivals(Params):
    """Arrivals at random: Poisson, or burstier with a gamma of a higher variation."""

    kind: Literal["random"] = "random"
    requests_per_s: PositiveRate = assumed(1.0, "Requests of this replica.")
    variation_ratio: Annotated[Real, of_unit("ratio", gt=0, le=100)] = default(
        1.0,
        "Standard deviation over mean of the time between arrivals: 1 is Poisson.",
        source="MLPerf Server; Azure conversations of November 2023: 1.1, code: 13",
    )


class UserArrivals(Params):
    """Users in closed loop: each asks again some time after its answer."""

    kind: Literal["users"] = "users"
    users_count: CountFromOne = assumed(16, "Requests in flight at most.")
    think_s: DurationS = assumed(0.0, "From an answer to the next question.")


Arrivals = Annotated[RandomArrivals | UserArrivals, Field(discriminator="kind")]


class TraceRequests(Params):
    """Requests as they were logged, in order of arrival."""

    arrival_s: tuple[DurationS, ...] = Field(
        min_length=1, max_length=200_000, description="When each arrived."
    )
    prompt_tokens: tuple[TraceTokens, ...] = Field(
        max_length=200_000, description="Tokens of its prompt."
    )
    output_tokens: tuple[TraceTokens, ...] = Field(
        max_length=200_000, description="Tokens of its answer."
    )

    @field_validator("arrival_s")
    @classmethod
    def _in_order(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        if any(later < sooner for sooner, later in pairwise(value)):
            raise refusal("order", "Enter arrivals in their order.")
        return value

    @field_validator("prompt_tokens", "output_tokens")
    @classmethod
    def _as_many(cls, value: tuple[int, ...], info: ValidationInfo) -> tuple[int, ...]:
        arrivals = info.data.get("arrival_s")
        if arrivals is not None and len(value) != len(arrivals):
            raise refusal("length", f"Enter {len(arrivals):,} values, one for each arrival.")
        return value


class SimulateParams(Params):
    """A replica, its requests, and how they arrive."""

    replica: Replica = preset(Replica(), "Who serves.")
    lengths: Lengths = preset(Lengths(), "Mean tokens of a request.")
    prompt_spread_ratio: SpreadRatio = assumed(
        1.0,
        "P90 of the prompt over its mean; 1 is constant, else lognormal.",
        source="constant lengths, as benchmarks have them",
    )
    output_spread_ratio: SpreadRatio = assumed(
        1.0,
        "P90 of the output over its mean; 1 is constant, else lognormal.",
        source="constant lengths, as benchmarks have them",
    )
    arrivals: Arrivals = preset(RandomArrivals(), "How requests arrive.")
    trace: TraceRequests | None = blank("Requests of a log, in place of random ones.")
    requests_count: Annotated[Whole, of_unit("count", ge=20, le=REQUESTS_MOST)] = assumed(
        10_000, "Requests to simulate."
    )
    budget_tokens: Annotated[Whole, of_unit("tokens", ge=64, le=131_072)] = default(
        8192,
        "New tokens of a pass at most.",
        source="vLLM, max_num_batched_tokens",
        low=2048,
        high=16_384,
        title="Token budget",
    )
    percentile_fraction: Percentile = assumed(0.99, "Percentile to tell beside the median.")


class Times(Result):
    """Times of requests: mean with its 95% confidence by batch means, and percentiles."""

    mean_ms: DurationMs
    mean_low_ms: DurationMs
    mean_high_ms: DurationMs
    median_ms: DurationMs
    p90_ms: DurationMs
    at_percentile_ms: DurationMs


class SimulateResult(Result):
    """What was measured of the simulated requests."""

    ttft: Times = Field(title="TTFT")
    tpot: Times = Field(title="TPOT")
    end_to_end: Times
    requests_per_s: Annotated[Real, of_unit("1/s", ge=0)]
    output_tokens_per_s: Annotated[Real, of_unit("tokens/s", ge=0)]
    busy_fraction: Fraction
    passes_count: MeanCount
    preemptions_count: MeanCount
    refused_count: MeanCount
    told: str


def lognormal(
    generator: np.random.Generator, mean: float, spread: float, count: int
) -> NDArray[np.int64]:
    """Lengths of a mean, whose P90 is the mean times the spread.

    P90 / mean = exp(1.2816 s - s^2 / 2) of a lognormal, whose smaller root s is taken; the
    ratio is at most exp(1.2816^2 / 2) = 2.27, where s = 1.28.
    """
    import numpy as np

    if spread <= 1.0:
        return np.full(count, max(1, round(mean)), dtype=np.int64)
    z = 1.2815515655446004
    s = z - math.sqrt(max(0.0, z * z - 2.0 * math.log(spread)))
    drawn = np.exp(generator.normal(math.log(mean) - s * s / 2.0, s, count))
    return np.maximum(1, np.rint(drawn)).astype(np.int64)


def _times(values: NDArray[np.float64], percentile: float) -> Times:
    import numpy as np

    batches = np.array([part.mean() for part in np.array_split(values, _BATCHES)])
    half = 2.093 * batches.std(ddof=1) / math.sqrt(_BATCHES) * 1e3
    mean = float(values.mean()) * 1e3
    median, p90, high = (np.quantile(values, [0.5, 0.9, percentile]) * 1e3).tolist()
    return Times(
        mean_ms=mean,
        mean_low_ms=max(0.0, mean - half),
        mean_high_ms=mean + half,
        median_ms=median,
        p90_ms=p90,
        at_percentile_ms=high,
    )


def _requests(
    params: SimulateParams, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Arrivals and lengths; each from a stream of its own, the same for every design."""
    import numpy as np

    if params.trace is not None:
        return (
            np.array(params.trace.arrival_s),
            np.array(params.trace.prompt_tokens, dtype=np.int64),
            np.array(params.trace.output_tokens, dtype=np.int64),
        )
    count = params.requests_count
    gaps, prompts, outputs = streams(seed, 3)
    arrival = np.zeros(count)
    if isinstance(params.arrivals, RandomArrivals):
        shape = params.arrivals.variation_ratio**-2
        mean = 1.0 / params.arrivals.requests_per_s
        arrival = np.cumsum(gaps.gamma(shape, mean / shape, count))
    lengths = params.lengths
    prompt = lognormal(prompts, lengths.prompt_tokens, params.prompt_spread_ratio, count)
    output = lognormal(outputs, lengths.output_tokens, params.output_spread_ratio, count)
    return arrival, prompt, output


def _run(params: SimulateParams, context: Context) -> SimulateResult:
    import numpy as np

    from capmodels.serving.simulate_kernel import replay

    arrival, prompt, output = _requests(params, context.seed)
    mean = Lengths(
        prompt_tokens=max(1.0, float(prompt.mean())), output_tokens=max(1.0, float(output.mean()))
    )
    found = deployed(params.replica, mean)
    closed = params.trace is None and isinstance(params.arrivals, UserArrivals)
    users = params.arrivals.users_count if isinstance(params.arrivals, UserArrivals) else 0
    think = params.arrivals.think_s if isinstance(params.arrivals, UserArrivals) else 0.0
    start, first, end, passes, preempted, busy = replay(
        type(found.of)(*(float(value) for value in found.of)),
        arrival,
        prompt,
        output,
        found.room_tokens(mean.prompt_tokens + mean.output_tokens / 2),
        int(found.most_rows),
        params.budget_tokens,
        users if closed else 0,
        think,
    )
    served = end >= 0
    kept = np.flatnonzero(served)
    # The first tenth warms up: a start wave in closed loop, an empty queue in an open one.
    kept = kept[len(kept) // 10 :] if len(kept) > 10 * _BATCHES else kept
    if len(kept) < _BATCHES:
        raise ModelError("Fewer than 20 requests were served: the others do not fit the cache.")
    ttft = (first[kept] - start[kept]) * found.ttft_factor
    tpot = (end[kept] - first[kept]) / np.maximum(output[kept] - 1, 1)
    span = float(end[kept].max() - start[kept].min())
    rate = len(kept) / span
    refused = int(np.count_nonzero(~served))
    return SimulateResult(
        ttft=_times(ttft, params.percentile_fraction),
        tpot=_times(
            tpot[output[kept] > 1] if (output[kept] > 1).any() else tpot, params.percentile_fraction
        ),
        end_to_end=_times(end[kept] - start[kept], params.percentile_fraction),
        requests_per_s=rate,
        output_tokens_per_s=float(output[kept].sum()) / span,
        busy_fraction=min(1.0, busy / float(end.max())),
        passes_count=float(passes),
        preemptions_count=float(preempted),
        refused_count=float(refused),
        told=found.said,
    )


def _alone() -> float:
    """TPOT of requests one after another, against the closed form of one."""
    from capmodels.serving.batching import decode_s

    params = SimulateParams(arrivals=UserArrivals(users_count=1), requests_count=40)
    found = deployed(params.replica, params.lengths)
    ours = _run(params, Context()).tpot.mean_ms
    lengths = params.lengths
    return ours / (1e3 * decode_s(found.of, 1.0, lengths.prompt_tokens, lengths.output_tokens))


SPEC = ModelSpec(
    id="serving.simulate",
    version="1.2.0",
    title="Serving, request by request",
    summary="A replica simulated pass by pass: random or bursty arrivals, users in closed loop, "
    "or a log; chunked prefill, the limit of the cache, and preemption.",
    params=SimulateParams,
    result=SimulateResult,
    run=_run,
    points=lambda params: len(params.trace.arrival_s) if params.trace else params.requests_count,
    instant=False,
    stochastic=True,
    point_limit=REQUESTS_MOST,
    quick_limit=100_000,
    citations=(
        Citation(
            text="W. Kwon et al., PagedAttention, SOSP 2023", url="https://arxiv.org/abs/2309.06180"
        ),
        Citation(
            text="A. Agrawal et al., Vidur: a large-scale simulation framework, MLSys 2024",
            url="https://arxiv.org/abs/2405.05465",
        ),
    ),
    formulas=(
        Formula(
            "pass",
            "a pass decodes all rows, then prefills up to the budget; its time is that of "
            "serving.engine_pass",
            "scheduling by iterations with chunked prefill",
        ),
    ),
    checks=(
        derived_check(
            "Q4",
            "One request at a time: TPOT over the closed form's",
            1.0,
            _alone,
            source="closed form",
            tolerance=0.02,
            unit="ratio",
            tests="serving.batching.decode_s",
            kind="predicted",
        ),
    ),
    limits=(
        "One replica: behind a random router each has a queue of its own.",
        "Reuse of prefixes and speculative decoding are not simulated.",
    ),
)
