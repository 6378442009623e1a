"""A day of requests to a language model replayed on replicas: times hour by hour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.formats.told_axes import clock, of_steps
from capmodels.formats.trace_store import TraceRef, inference, rows_count
from capmodels.numbers import counted, duration, percent, quantity, significant
from capmodels.rng import streams
from capmodels.serving.capacity import Percentile
from capmodels.serving.choices import Lengths, Ranks
from capmodels.serving.deployed import PositiveMs, Replica, deployed
from capmodels.serving.simulate import REQUESTS_MOST, SpreadRatio, lognormal
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    assumed,
    blank,
    default,
    preset,
)
from capmodels.told import Axis, Figure, Series, Told, facts
from capmodels.units import SECONDS_PER_HOUR, Fraction, Real, Whole, of_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DAY_H, _INTERVALS, _MS = 24, 96, 1e3
_LEAST_IN_INTERVAL = 20
BudgetTokens = Annotated[Whole, of_unit("tokens", ge=1)]
Rate = Annotated[Real, of_unit("1/s", gt=0, le=1e5)]


class GeneratedDay(Params):
    """A day whose load swings once, as people work."""

    mean_per_s: Rate = assumed(2.0, "Requests, mean of the day.", title="Mean rate")
    peak_ratio: Annotated[Real, of_unit("ratio", ge=1, le=2)] = assumed(
        1.8, "Busiest hour over the mean.", title="Busiest over mean"
    )
    lengths: Lengths = preset(Lengths(), "Mean tokens of a request.")
    spread_ratio: SpreadRatio = assumed(
        1.8, "P90 of prompts and answers over their mean; lognormal.", title="P90 over mean"
    )


class ReplayParams(Params):
    """Replicas, a day of requests, and limits that are to be kept."""

    replica: Replica = preset(
        Replica(precision="fp8", layout=Ranks(tensor_count=2), kv_bits_count=8),
        "What serves: model, accelerators, engine.",
    )
    replicas_count: Annotated[Whole, of_unit("count", ge=1, le=2000)] = assumed(
        3, "Replicas; requests go to them by turns."
    )
    trace: TraceRef | None = blank(
        "A log of requests, uploaded as a trace. Empty: a generated day.",
        title="Trace",
        extra={"trace_kind": "inference"},
    )
    generated: GeneratedDay = preset(GeneratedDay(), "In place of a log.", title="Generated day")
    rate_ratio: Annotated[Real, of_unit("ratio", gt=0, le=1000)] = assumed(
        1.0, "Requests over those of the log: above 1 it is played faster.", title="Load over log"
    )
    ttft_ms: PositiveMs = default(
        450.0, "To keep.", source="MLPerf, llama2-70b Interactive", title="TTFT limit"
    )
    tpot_ms: PositiveMs = default(
        40.0, "To keep.", source="MLPerf, llama2-70b Interactive", title="TPOT limit"
    )
    percentile_fraction: Percentile = assumed(0.99, "Percentile to tell beside the median.")
    budget_tokens: BudgetTokens = default(
        8192, "New tokens of a pass at most.", source="vLLM, max_num_batched_tokens"
    )


class ReplayResult(Told):
    """What the day came to."""

    requests_count: Annotated[Real, of_unit("count", ge=0)]
    kept_fraction: Fraction
    ttft_p50_ms: Annotated[Real, of_unit("ms", ge=0)]
    ttft_at_percentile_ms: Annotated[Real, of_unit("ms", ge=0)]
    tpot_p50_ms: Annotated[Real, of_unit("ms", ge=0)]
    tpot_at_percentile_ms: Annotated[Real, of_unit("ms", ge=0)]
    refused_count: Annotated[Real, of_unit("count", ge=0)]


class _Requests(NamedTuple):
    at_s: NDArray[np.float64]
    prompt: NDArray[np.int64]
    output: NDArray[np.int64]


class _Served(NamedTuple):
    """Of each request: when it came, its times [s], and whether it was served."""

    at_s: NDArray[np.float64]
    ttft_s: NDArray[np.float64]
    tpot_s: NDArray[np.float64]
    served: NDArray[np.bool_]


def _generated(day: GeneratedDay, seed: int) -> _Requests:
    """A day of arrivals at random, by thinning those of the busiest hour."""
    import numpy as np

    gaps, kept, prompts, outputs = streams(seed, 4)
    busiest, span = day.mean_per_s * day.peak_ratio, _DAY_H * SECONDS_PER_HOUR
    count = int(busiest * span * 1.02 + 1000)
    if count > REQUESTS_MOST:
        message = f"The day has more than {REQUESTS_MOST:,} requests. Enter a lower rate."
        raise ParamsError([Fault("/generated/mean_per_s", "too_many", message)])
    at_s = np.cumsum(gaps.exponential(1.0 / busiest, count))
    at_s = at_s[at_s < span]
    swing = 1.0 + (day.peak_ratio - 1.0) * np.cos(2.0 * np.pi * (at_s / span - 0.6))
    at_s = at_s[kept.random(len(at_s)) < swing / day.peak_ratio]
    prompt = lognormal(prompts, day.lengths.prompt_tokens, day.spread_ratio, len(at_s))
    output = lognormal(outputs, day.lengths.output_tokens, day.spread_ratio, len(at_s))
    return _Requests(at_s, prompt, output)


def _requests(params: ReplayParams, seed: int) -> _Requests:
    import numpy as np

    if params.trace is None:
        found = _generated(params.generated, seed)
    else:
        trace = inference(params.trace)
        found = _Requests(
            trace.time_s,
            np.maximum(trace.prompt_tokens.astype(np.int64), 1),
            np.maximum(trace.output_tokens.astype(np.int64), 1),
        )
    if len(found.at_s) < _LEAST_IN_INTERVAL:
        message = f"Fewer than {_LEAST_IN_INTERVAL} requests are too few to tell percentiles of."
        raise ModelError(message)
    return found._replace(at_s=found.at_s / params.rate_ratio)


def _served(params: ReplayParams, asked: _Requests) -> _Served:
    """Replay the requests, by turns on the replicas."""
    import numpy as np

    from capmodels.serving.simulate_kernel import replay

    mean = Lengths(
        prompt_tokens=float(asked.prompt.mean()), output_tokens=float(asked.output.mean())
    )
    found = deployed(params.replica, mean)
    of = type(found.of)(*(float(value) for value in found.of))
    room = found.room_tokens(mean.prompt_tokens + mean.output_tokens / 2)
    ttft, tpot = np.zeros(len(asked.at_s)), np.zeros(len(asked.at_s))
    served = np.zeros(len(asked.at_s), dtype=bool)
    for first in range(params.replicas_count):
        mine = slice(first, None, params.replicas_count)
        prompt, output = asked.prompt[mine].copy(), asked.output[mine].copy()
        if not len(prompt):
            continue
        start, token, end, _, _, _ = replay(
            of, asked.at_s[mine].copy(), prompt, output, room, int(found.most_rows),
            params.budget_tokens, 0, 0.0,
        )  # fmt: skip
        ttft[mine] = (token - start) * found.ttft_factor
        tpot[mine] = (end - token) / np.maximum(output - 1, 1)
        served[mine] = end >= 0
    if not served.any():
        raise ModelError("No request was served: none fits the cache of a replica.")
    return _Served(asked.at_s, ttft, tpot, served)


def _run(params: ReplayParams, context: Context) -> ReplayResult:
    import numpy as np

    asked = _requests(params, context.seed)
    found = _served(params, asked)
    ttft, tpot = _MS * found.ttft_s[found.served], _MS * found.tpot_s[found.served]
    kept = found.served & (_MS * found.ttft_s <= params.ttft_ms)
    kept &= _MS * found.tpot_s <= params.tpot_ms
    late = params.percentile_fraction
    ttft_p50, ttft_late = np.quantile(ttft, [0.5, late]).tolist()
    tpot_p50, tpot_late = np.quantile(tpot, [0.5, late]).tolist()
    share, named = float(kept.mean()), f"p{late * 100:g}"
    refused = int((~found.served).sum())
    span = max(float(found.at_s[-1]), 1.0)
    does = "keep" if ttft_late <= params.ttft_ms and tpot_late <= params.tpot_ms else "miss"
    fleet = counted(params.replicas_count, "replica")
    return ReplayResult(
        headline=(
            f"**{fleet[0].upper()}{fleet[1:]} {does}{'s' if params.replicas_count == 1 else ''} "
            f"the limits at {named}**: TTFT {quantity(ttft_late, 'ms')} of "
            f"{quantity(params.ttft_ms, 'ms')}, TPOT {quantity(tpot_late, 'ms')} of "
            f"{quantity(params.tpot_ms, 'ms')}; {percent(share)} of {len(found.at_s):,} requests "
            "are answered within both."
        ),
        notes=tuple(
            one
            for one in (
                f"{refused:,} requests are longer than the cache of a replica." if refused else "",
                "Requests go to the replicas by turns; each has a queue of its own.",
            )
            if one
        ),
        tables=(
            facts(
                "The day",
                (
                    ("Requests", f"{len(found.at_s):,}"),
                    ("Mean rate", quantity(len(found.at_s) / span, "1/s")),
                    ("Span", duration(span)),
                    ("Prompt, mean", f"{significant(float(asked.prompt.mean()))} tokens"),
                    ("Output, mean", f"{significant(float(asked.output.mean()))} tokens"),
                    ("TTFT p50", quantity(ttft_p50, "ms")),
                    (f"TTFT {named}", quantity(ttft_late, "ms")),
                    ("TPOT p50", quantity(tpot_p50, "ms")),
                    (f"TPOT {named}", quantity(tpot_late, "ms")),
                ),
            ),
        ),
        figures=_figures(params, found, span),
        requests_count=len(found.at_s),
        kept_fraction=share,
        ttft_p50_ms=ttft_p50,
        ttft_at_percentile_ms=ttft_late,
        tpot_p50_ms=tpot_p50,
        tpot_at_percentile_ms=tpot_late,
        refused_count=refused,
    )


def _figures(params: ReplayParams, found: _Served, span: float) -> tuple[Figure, ...]:
    """Requests, and both times at p50 and late, over the day."""
    import numpy as np

    step = span / _INTERVALS
    place = np.minimum((found.at_s / step).astype(np.int64), _INTERVALS - 1)
    counts = np.bincount(place, minlength=_INTERVALS)
    late, named = params.percentile_fraction, f"p{params.percentile_fraction * 100:g}"
    where, across = of_steps(step, _INTERVALS), clock(span)
    drawn = [
        Figure(
            kind="areas",
            name="Requests",
            title=f"Up to {significant(float(counts.max()) / step)} requests/s over "
            f"{duration(step)}",
            along=Axis(title="Requests per second", unit="1/s"),
            across=across,
            series=(Series(name="Requests", values=tuple((counts / step).tolist()), **where),),
        )
    ]
    for name, times, limit in (
        ("TTFT", found.ttft_s, params.ttft_ms), ("TPOT", found.tpot_s, params.tpot_ms),
    ):  # fmt: skip
        values: dict[float, list[float | None]] = {0.5: [], late: []}
        for at in range(_INTERVALS):
            own = _MS * times[(place == at) & found.served]
            for level, held in values.items():
                enough = len(own) >= _LEAST_IN_INTERVAL
                held.append(float(np.quantile(own, level)) if enough else None)
        above = sum(one is not None and one > limit for one in values[late])
        drawn.append(
            Figure(
                kind="lines",
                name=name,
                title=f"{name} {named} is above its limit in {above} of {_INTERVALS} intervals",
                along=Axis(title=name, unit="ms", is_log=True),
                across=across,
                limit=limit,
                series=tuple(
                    Series(name=said, values=tuple(values[level]), **where)
                    for said, level in (("p50", 0.5), (named, late))
                ),
                note=f"Over {duration(step)} each; none where fewer than {_LEAST_IN_INTERVAL} "
                "came.",
            )
        )
    return tuple(drawn)


def _count(params: ReplayParams) -> int:
    if params.trace is not None:
        return rows_count(params.trace) or 1
    return round(params.generated.mean_per_s * _DAY_H * SECONDS_PER_HOUR)


SPEC = ModelSpec(
    id="serving.replay",
    version="1.0.1",
    title="A day of AI serving replayed",
    summary="A log of requests to a language model, or a generated day, replayed request by "
    "request on replicas: times over the day, and what share keeps the limits.",
    params=ReplayParams,
    result=ReplayResult,
    run=_run,
    points=_count,
    instant=False,
    stochastic=True,
    point_limit=REQUESTS_MOST,
    quick_limit=200_000,
    citations=(
        Citation(text="P. Patel et al., Splitwise (Azure's requests of November 2023)",
                 url="https://arxiv.org/abs/2311.18677"),
        Citation(text="R. Qin et al., Mooncake, FAST 2025", url="https://arxiv.org/abs/2407.00079"),
        Citation(text="Y. Wang et al., BurstGPT, 2024", url="https://arxiv.org/abs/2401.17644"),
    ),
    formulas=(
        Formula("pass", "a pass decodes all rows, then prefills up to the budget",
                "serving.simulate"),
    ),
    checks=(
    ),
    limits=(
        "By turns: a router that knows queues or prefixes does better.",
        "Reuse of prefixes and speculative decoding are not simulated.",
    ),
)  # fmt: skip
