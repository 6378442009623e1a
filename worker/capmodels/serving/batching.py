"""Continuous batching in closed form: throughput, TTFT and TPOT of a replica.

Scheduling by iterations (Orca, Yu et al., OSDI 2022), chunked prefill (Sarathi-Serve, arXiv
2403.02310), paged KV (vLLM, arXiv 2309.06180). The balance of a replica with B rows in decode:
each step decodes B rows, and on average prefills the B / (O - 1) prompts that replace those
which finish.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import ceil, is_below, maximum, minimum
from capmodels.serving.engine import Values, pass_s

if TYPE_CHECKING:
    from capmodels.serving.engine import Deployment

CHUNK_TOKENS = 8192.0
_ROUNDS = 60
_BISECTIONS = 30
_EULER = math.e


class Balance(NamedTuple):
    """A replica in balance."""

    decoded: Values
    requests_per_s: Values
    ttft_s: Values
    tpot_s: Values
    prefill_share: Values
    queued: Values


def prefill_s(of: Deployment, prompt: Values) -> Values:
    """Time of a prompt prefilled alone, in chunks. [s]"""
    chunks = ceil(prompt / CHUNK_TOKENS)
    return chunks * pass_s(of, prompt / chunks, 1.0, 0.0, prompt * prompt / chunks / 2.0)


def prefill_in_batch_s(of: Deployment, prompt: Values) -> Values:
    """Time that a prompt adds where chunks are full, so that weights are read for many. [s]"""
    share = prompt / CHUNK_TOKENS
    full = pass_s(of, CHUNK_TOKENS, 1.0, 0.0, 0.0) * share
    return full + of.pair_s * prompt * prompt / 2.0


def decode_s(of: Deployment, rows: Values, prompt: Values, output: Values) -> Values:
    """Time of a pass that decodes rows in the middle of their output. [s]"""
    return pass_s(of, rows, rows, rows * (prompt + output / 2.0), 0.0)


def tpot_s(of: Deployment, rows: Values, prompt: Values, output: Values) -> Values:
    """Time per output token with so many rows in decode. [s]

    A pass, and the part of it in which the prompts of successors are prefilled.
    """
    steps = maximum(output - 1.0, 1.0)
    return of.stages * (
        decode_s(of, rows / of.stages, prompt, output)
        + of.mix * prefill_in_batch_s(of, prompt) * rows / of.stages / steps
    )


def at_rows(of: Deployment, rows: Values, prompt: Values, output: Values) -> Balance:
    """Return the balance at a number of rows in decode, with prompts arriving at random.

    The wait for the prefill of others is that of M/D/1 with the prefill's share of the time.
    """
    steps = maximum(output - 1.0, 1.0)
    tpot = tpot_s(of, rows, prompt, output)
    rate = rows / (steps * tpot)
    added = of.mix * prefill_in_batch_s(of, prompt)
    share = minimum(rate * added, 0.999)
    wait = added * share / (2.0 * (1.0 - share))
    ttft = of.first_s + prefill_s(of, prompt) + decode_s(of, rows, prompt, output) / 2 + wait
    return Balance(rows, rate, ttft, tpot, share, rows * 0.0)


def closed_loop(
    of: Deployment, in_flight: Values, prompt: Values, output: Values, most: Values
) -> Balance:
    """Return the balance with a constant number of requests in the system.

    Fixed point of ``rows + rate TTFT = in flight``; beyond ``most`` in the cache they queue.
    """
    within = minimum(in_flight, most)
    rows = within * 0.9
    for _ in range(_ROUNDS):
        found = at_rows(of, rows, prompt, output)
        rows = 0.5 * rows + 0.5 * maximum(within - found.requests_per_s * found.ttft_s, 1e-3)
    found = at_rows(of, rows, prompt, output)
    cycle = found.ttft_s + maximum(output - 1.0, 0.0) * found.tpot_s
    queued = maximum(in_flight - within, 0.0)
    rate = within / cycle
    return found._replace(requests_per_s=rate, ttft_s=found.ttft_s + queued / rate, queued=queued)


class _Cycle(NamedTuple):
    """What an arrival meets: the least time to its first token, and mean and variance on top."""

    least_s: Values
    mean_s: Values
    variance: Values
    idle: Values


def _met(of: Deployment, found: Balance, prompt: Values, output: Values) -> _Cycle:
    """Return what an arrival at random meets.

    A pass of a replica decodes for t and prefills all that arrived in the pass before, for a
    each: C' = t + a Poisson(lambda C), with rho = lambda a. So E C = t / (1 - rho) and Var C =
    a rho E C / (1 - rho^2). An arrival meets a pass of the length-biased mean E C^2 / E C, waits
    for the rest of it, and then for a pass with all that arrived in the one it met (a queue with
    gated service and vacations; derived here, cf. Takagi, Queueing Analysis 1, 1991).
    """
    a = of.mix * prefill_in_batch_s(of, prompt)
    t = decode_s(of, found.decoded, prompt, output)
    share = found.prefill_share
    mean = t / (1.0 - share)
    spread = a * share * mean / (1.0 - share * share)
    met = mean + spread / mean
    variance = ((met * met + spread) / 3.0 - met * met / 4.0 + a * share * met) + spread * share * (
        1.0 + share
    )
    return _Cycle(t + a, (0.5 + share) * met, variance, _EULER ** (-1.0 * found.decoded))


def open_ttft_s(of: Deployment, found: Balance, prompt: Values, output: Values) -> Values:
    """Mean time to the first token with arrivals at random. [s]

    A replica that is idle, as with a probability of exp(-rows), prefills at once.
    """
    met = _met(of, found, prompt, output)
    busy = (1.0 - met.idle) * (met.least_s + met.mean_s)
    return of.first_s + met.idle * prefill_s(of, prompt) + busy


def first_token_s(
    of: Deployment, found: Balance, prompt: Values, output: Values, percentile: float
) -> Values:
    """Time to the first token at a percentile, with arrivals at random. [s]

    What is on top of the least is taken as gamma of the same mean and variance, by the
    approximation of Wilson and Hilferty 1931 (:doi:`10.1073/pnas.17.12.684`).
    """
    met = _met(of, found, prompt, output)
    ninth = met.variance / (met.mean_s * met.mean_s) / 9.0
    root = 1.0 - ninth + _normal(percentile) * ninth**0.5
    busy = (1.0 - met.idle) * (met.least_s + met.mean_s * root**3.0)
    return of.first_s + met.idle * prefill_s(of, prompt) + busy


def _normal(percentile: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(percentile)


def per_token_s(found: Balance, percentile: float) -> Values:
    """Time per output token at a percentile: nearly the mean, for it averages over steps. [s]

    The ratio of P99 and mean was 1.05 (1.01 to 1.31) in 35 runs on H200 (inference-sim, 2025);
    1.1 is used, and less at lower percentiles as of an exponential tail.
    """
    spread = 0.1 * math.log1p(-percentile) / math.log1p(-0.99)
    return found.tpot_s * (1.0 + spread)


def within_limits(
    of: Deployment,
    prompt: Values,
    output: Values,
    most: Values,
    *,
    ttft_s: Values,
    tpot_s: Values,
    percentile: float = 0.99,
) -> Balance:
    """Return the fullest balance that keeps both limits, by bisection of the rows.

    ``most`` rows at most; rows of 0 where not even one request keeps the limits. Both times
    rise with the rows.
    """
    low, high = prompt * 0.0, most * 1.0
    for _ in range(_BISECTIONS):
        rows = (low + high) / 2.0
        found = at_rows(of, rows, prompt, output)
        fine = is_below(
            maximum(
                first_token_s(of, found, prompt, output, percentile) / ttft_s,
                per_token_s(found, percentile) / tpot_s,
            ),
            1.0,
        )
        low = low + (rows - low) * fine
        high = rows + (high - rows) * fine
    alone = is_below(low, 0.5)
    return at_rows(of, low * (1.0 - alone) + 1e-9 * alone, prompt, output)


def rows_at_rate(
    of: Deployment, rate_per_s: Values, prompt: Values, output: Values, most: Values
) -> Values:
    """Return the rows in decode at a rate of requests, by bisection; ``most`` beyond it."""
    low, high = most * 0.0, most * 1.0
    for _ in range(2 * _BISECTIONS):
        rows = (low + high) / 2.0
        slower = is_below(at_rows(of, rows, prompt, output).requests_per_s / rate_per_s, 1.0)
        low = low + (rows - low) * slower
        high = high + (rows - high) * (1.0 - slower)
    return high


def most_per_s(of: Deployment, prompt: Values, output: Values, most: Values) -> Balance:
    """Return the balance with the cache full: the rate without any limit of latency."""
    return at_rows(of, most, prompt, output)


def start_wave_s(of: Deployment, share: Values, in_flight: Values, prompt: Values) -> Values:
    """What the wave at the start of a benchmark adds to the mean TTFT. [s]

    All requests in flight arrive together and are prefilled one after another; ``share`` is
    the part of that time by which the mean of a run rises.
    """
    return share * in_flight * prefill_in_batch_s(of, prompt)
