"""What a log of requests to language models comes to, and what it is told by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.told_axes import SHARE, clock, decades, most, of_steps
from capmodels.numbers import duration, percent, quantity, significant
from capmodels.told import Axis, Figure, Series
from capmodels.units import SECONDS_PER_HOUR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.formats.trace_types import InferenceTrace

    Summary = Mapping[str, Any]

_STEPS = 240
# Requests of a user in an hour, as a stream assumes them.
REQUESTS_PER_USER_H = 12.0
_POINTS = 60
_BURSTS, _POISSON = 1.3, 0.7


def inference_summary(trace: InferenceTrace) -> dict[str, Any]:
    """Return the log's figures by name, the unit as suffix."""
    import numpy as np

    time_s, prompt, output = trace.time_s, trace.prompt_tokens, trace.output_tokens
    span = float(time_s[-1]) if len(time_s) > 1 else 0.0
    hours = np.bincount((time_s // SECONDS_PER_HOUR).astype(np.int64))
    whole = min(max(span, 1.0), SECONDS_PER_HOUR)
    busiest = float(hours.max()) / whole
    mean = len(time_s) / max(span, 1.0)
    gaps = np.diff(time_s)
    varies = float(gaps.std() / gaps.mean()) if len(gaps) and gaps.mean() > 0 else 0.0
    seen = float(trace.seen_tokens.sum() / max(prompt.sum(), 1))
    lengths = {
        f"{name}_{said}_tokens": float(value)
        for name, of in (("prompt", prompt), ("output", output))
        for said, value in (
            ("mean", of.mean()),
            *((f"p{level}", np.quantile(of, level / 100)) for level in (50, 90, 99)),
        )
    }
    return {
        "start_s": trace.start_s,
        "duration_s": span,
        "prompts_count": len(time_s),
        "rate_per_s": mean,
        "busiest_rate_per_s": busiest,
        "gap_cv_ratio": varies,
        "seen_fraction": seen,
        **lengths,
        # The stream that asks as much, as a study's workload has it.
        "stream": {
            "users_count": max(1, round(busiest * SECONDS_PER_HOUR / REQUESTS_PER_USER_H)),
            "requests_per_user_h": REQUESTS_PER_USER_H,
            "mean_fraction": min(1.0, mean / busiest),
            "prompt_tokens": max(1.0, float(prompt.mean())),
            "output_tokens": max(1.0, float(output.mean())),
        },
    }


def inference_charts(trace: InferenceTrace) -> dict[str, Any]:
    """Return arrivals over time, and how long prompts and answers are."""
    import numpy as np

    span = max(float(trace.time_s[-1]), 1.0)
    step = span / _STEPS
    counts = np.bincount(
        np.minimum((trace.time_s / step).astype(np.int64), _STEPS - 1), minlength=_STEPS
    )
    shares = np.linspace(0.0, 1.0, _POINTS)
    return {
        "prompts": {"step_s": step, "rate_per_s": (counts / step).tolist()},
        "lengths": {
            "share": shares.tolist(),
            "prompt_tokens": np.quantile(trace.prompt_tokens, shares).tolist(),
            "output_tokens": np.quantile(trace.output_tokens, shares).tolist(),
        },
    }


def inference_headline(of: Summary) -> str:
    """One sentence: how many requests, how fast, how long they are."""
    return (
        f"{of['prompts_count']:,} requests to language models in {duration(of['duration_s'])}, "
        f"{significant(of['rate_per_s'])} per second, {of['prompt_mean_tokens']:,.0f} prompt and "
        f"{of['output_mean_tokens']:,.0f} output tokens on average."
    )


def inference_notes(of: Summary) -> Iterator[str]:
    """The other sentences."""
    for name, said in (("prompt", "Prompts"), ("output", "Answers")):
        half, nine, late = (f"{of[f'{name}_p{level}_tokens']:,.0f}" for level in (50, 90, 99))
        yield f"{said} have {half} tokens in the median, {nine} at p90, {late} at p99."
    varies = of["gap_cv_ratio"]
    kind = (
        "in bursts: the closed form is too kind, replay them"
        if varies > _BURSTS
        else "about at random"
        if varies > _POISSON
        else "evenly"
    )
    yield (
        f"The busiest hour asks {quantity(of['busiest_rate_per_s'], '1/s')}; requests come {kind} "
        f"(the gaps vary by {significant(varies, 2)} times their mean)."
    )
    if of["seen_fraction"] > 0:
        yield (
            f"{percent(of['seen_fraction'])} of the prompts' tokens begin as an earlier prompt "
            "did: a cache of prefixes saves their prefill, which no figure here counts."
        )


def inference_figures(charts: Mapping[str, Any]) -> Iterator[Figure]:
    """Arrivals over time, and how long prompts and answers are."""
    step, rates = charts["prompts"]["step_s"], charts["prompts"]["rate_per_s"]
    yield Figure(
        kind="areas",
        name="Requests over time",
        title=f"Up to {significant(most(rates))} requests/s over {duration(step)}",
        along=Axis(title="Requests per second", unit="1/s"),
        across=clock(len(rates) * step),
        series=(Series(name="Requests", values=tuple(rates), **of_steps(step, len(rates))),),
    )
    lengths = charts["lengths"]
    half = lengths["prompt_tokens"][_POINTS // 2]
    longest = max(*lengths["prompt_tokens"], *lengths["output_tokens"], 10.0)
    yield Figure(
        kind="lines",
        name="Lengths",
        title=f"Half of the prompts have up to {half:,.0f} tokens",
        along=SHARE,
        across=decades("Tokens", "tokens", (1.0, longest), lambda value: f"{value:,.0f}"),
        series=tuple(
            Series(
                name=name,
                values=tuple(lengths["share"]),
                at=tuple(max(1.0, value) for value in lengths[key]),
            )
            for name, key in (("Prompts", "prompt_tokens"), ("Answers", "output_tokens"))
        ),
    )
