"""How long requests wait for servers that share a queue: means and percentiles.

M/M/c after Erlang, exact; M/G/c by the approximation of Lee and Longton (Allen-Cunneen), whose
mean is exact for one server and for exponential service.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import lru_cache
from typing import Annotated

from pydantic import ConfigDict, Field

from capmodels.erlang import erlang_c
from capmodels.errors import ModelError
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
)
from capmodels.units import Fraction, RatePerS, Ratio, Real, of_unit

_SERVERS_MAX = 100_000
_MS_PER_S = 1000.0
_BISECTIONS = 200
_POINTS = 400

PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]
PositiveMs = Annotated[Real, of_unit("ms", gt=0)]
TimeMs = Annotated[Real, of_unit("ms", ge=0)]
MeanCount = Annotated[Real, of_unit("count", ge=0)]
Servers = Annotated[int, of_unit("count", strict=True, ge=1, le=_SERVERS_MAX)]
Percentile = Annotated[Real, of_unit("fraction", gt=0, lt=1)]


class UnstableQueue(ModelError):
    """More arrives than the servers can do."""


class QueueParams(Params):
    """Arrivals, servers, and how service times vary."""

    model_config = ConfigDict(validate_default=True)

    arrival_rate_per_s: RatePerS = assumed(800.0, "Requests, at random times.")
    service_ms: PositiveMs = assumed(10.0, "Mean time of one request on one server.")
    service_variation_ratio: Ratio = assumed(
        1.0, "Standard deviation of service over its mean: 0 constant, 1 exponential."
    )
    servers_count: Servers = assumed(10, "Servers that share the queue.")
    percentiles_fraction: Annotated[tuple[Percentile, ...], Field(max_length=20)] = assumed(
        (0.5, 0.95, 0.99, 0.999), "Percentiles of the response time."
    )
    latency_bound_ms: PositiveMs | None = blank(
        "Response time to keep; says how many requests miss it."
    )


class PercentileTime(Result):
    """Time within which a share of the requests is answered."""

    percentile_fraction: Percentile
    response_ms: TimeMs


class QueueResult(Result):
    """Load, waiting and response."""

    utilization_fraction: Fraction
    waiting_fraction: Fraction
    wait_mean_ms: TimeMs
    response_mean_ms: TimeMs
    in_queue_count: MeanCount
    in_system_count: MeanCount
    percentiles: tuple[PercentileTime, ...]
    late_fraction: Fraction | None
    exact: bool


class Waiting:
    """Waiting at c servers: its probability and its mean when it happens."""

    def __init__(self, params: QueueParams) -> None:
        """Work the queue out.

        Raises
        ------
        UnstableQueue
            When the load is not below 1.
        """
        self.service_s = params.service_ms / _MS_PER_S
        offered = params.arrival_rate_per_s * self.service_s
        self.load = offered / params.servers_count
        if self.load >= 1:
            message = (
                f"Load {self.load:.3g} is not below 1, so the queue grows without end. "
                f"Enter at least {math.floor(min(offered, 1e15)) + 1:,} servers."
            )
            raise UnstableQueue(message)
        self.delayed = erlang_c(servers=params.servers_count, offered=offered)
        spread = (1 + params.service_variation_ratio**2) / 2
        # Mean wait of those who wait: 1 / (c mu (1 - rho)) for M/M/c, stretched for M/G/c.
        self.wait_if_s = spread * self.service_s / (params.servers_count * (1 - self.load))
        self.wait_s = self.delayed * self.wait_if_s
        self.variation = params.service_variation_ratio

    def late(self, time_s: float) -> float:
        """Share of requests whose response takes longer.

        For service that is not exponential, waiting keeps its exponential tail and service
        is taken as gamma of the same mean and variation, by quadrature over it.
        """
        drain = 1.0 / self.wait_if_s
        if self.variation == 1.0:
            return self._late_exponential(time_s, 1.0 / self.service_s, drain)
        drain_per_unit = drain * self.service_s
        time_units = time_s / self.service_s
        units = unit_points(self.variation)
        served = bisect_right(units, time_units)
        waits = math.fsum(math.exp(drain_per_unit * (u - time_units)) for u in units[:served])
        return (len(units) - served + self.delayed * waits) / len(units)

    def _late_exponential(self, time_s: float, mu: float, theta: float) -> float:
        """As ``late``, exact: service at a rate mu, waiting none or exponential with rate theta."""
        served = math.exp(-mu * time_s)
        if math.isclose(mu, theta, rel_tol=1e-9):
            return served * (1 + self.delayed * mu * time_s)
        waited = math.exp(-theta * time_s)
        both = self.delayed * (mu * waited - theta * served) / (mu - theta)
        return (1 - self.delayed) * served + both

    def percentile_s(self, fraction: float) -> float:
        """Response time that a share of the requests stays within. [s]"""
        if self.variation == 1.0:
            return self._exponential_percentile_s(fraction)
        return self.service_s * self._percentile_units(1 - fraction)

    def _percentile_units(self, late: float) -> float:
        """Least time after which at most a share is late, in mean service times.

        After each of the equally likely service times the waiting of all so far decays as one
        exponential, so the crossing is found by going through them once.
        """
        units = unit_points(self.variation)
        drain, count = self.service_s / self.wait_if_s, len(units)
        waiting, before = 0.0, units[0]
        for place, unit in enumerate(units):
            if unit > before:
                waiting *= math.exp(drain * (before - unit))
            waiting, before = waiting + 1.0, unit
            room = late - (count - 1 - place) / count
            if room < 0:
                continue
            share = self.delayed * waiting / count
            if share <= room:
                return unit
            last = place == count - 1
            reached = unit + math.log(share / room) / drain if room > 0 else math.inf
            if last or reached < units[place + 1]:
                return reached
        return units[-1]

    def _exponential_percentile_s(self, fraction: float) -> float:
        low, high = 0.0, self.service_s
        while self.late(high) > 1 - fraction and high < 1e300:
            high *= 2
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self.late(middle) > 1 - fraction else (low, middle)
        return high


@lru_cache(maxsize=64)
def unit_points(variation: float) -> tuple[float, ...]:
    """Equally likely service times, rising: a gamma of mean 1 and a variation.

    By the Wilson-Hilferty approximation of its quantiles, rescaled to the mean; constant
    service has one point.
    """
    if variation == 0:
        return (1.0,)
    root = variation**2 / 9
    raw = [max(0.0, 1 - root + z * math.sqrt(root)) ** 3 for z in _normal_quantiles()]
    scale = len(raw) / math.fsum(raw)
    return tuple(scale * one for one in raw)


@lru_cache(maxsize=1)
def _normal_quantiles() -> tuple[float, ...]:
    """Middles of equally likely parts of the normal distribution."""
    from statistics import NormalDist

    normal = NormalDist()
    return tuple(normal.inv_cdf((place + 0.5) / _POINTS) for place in range(_POINTS))


def _run(params: QueueParams, _context: Context) -> QueueResult:
    waiting = Waiting(params)
    response_s = waiting.wait_s + waiting.service_s
    bound = params.latency_bound_ms
    times_ms = [waiting.percentile_s(one) * _MS_PER_S for one in params.percentiles_fraction]
    return QueueResult(
        utilization_fraction=waiting.load,
        waiting_fraction=min(1.0, waiting.delayed),
        wait_mean_ms=waiting.wait_s * _MS_PER_S,
        response_mean_ms=response_s * _MS_PER_S,
        in_queue_count=params.arrival_rate_per_s * waiting.wait_s,
        in_system_count=params.arrival_rate_per_s * response_s,
        percentiles=tuple(
            PercentileTime(percentile_fraction=one, response_ms=time)
            for one, time in zip(params.percentiles_fraction, times_ms, strict=True)
        ),
        late_fraction=None
        if bound is None
        else min(1.0, max(0.0, waiting.late(bound / _MS_PER_S))),
        exact=params.service_variation_ratio == 1.0,
    )


def _check(check_id: str, title: str, value: float, unit: str, **inputs: float) -> Check:
    def compute() -> float:
        result = _run(QueueParams.model_validate(inputs), Context())
        return result.waiting_fraction if unit == "fraction" else result.wait_mean_ms

    return derived_check(
        check_id,
        title,
        value,
        compute,
        source="closed form",
        tests="performance.queueing.QueueParams.service_ms",
        tolerance=1e-9 * value,
        unit=unit,
        params=lambda: inputs,
    )


_CHECKS = (
    _check("Q1", "M/M/1 at 80% load: mean wait", 40.0, "ms",
           arrival_rate_per_s=80.0, service_ms=10.0, servers_count=1),
    _check("Q2", "M/D/1 at 80% load: half of that", 20.0, "ms",
           arrival_rate_per_s=80.0, service_ms=10.0, servers_count=1,
           service_variation_ratio=0.0),
    _check("Q3", "M/M/2 at 50% load: a third waits", 1 / 3, "fraction",
           arrival_rate_per_s=100.0, service_ms=10.0, servers_count=2),
)  # fmt: skip

SPEC = ModelSpec(
    id="performance.queueing",
    version="1.0.1",
    title="Queue at servers",
    summary="Waiting and response times of requests at servers that share a queue, their "
    "percentiles, and how many miss a bound.",
    params=QueueParams,
    result=QueueResult,
    run=_run,
    points=lambda params: params.servers_count,
    citations=(
        Citation(text="A. K. Erlang, on waiting times in telephone exchanges, 1917"),
        Citation(
            text="A. M. Lee, P. A. Longton, Queueing processes associated with airline passenger "
            "check-in, Operational Research Quarterly 10, 1959"
        ),
    ),
    formulas=(
        Formula(
            "erlang_c",
            "C = c B / (c - a (1 - B)), B_k = a B_(k-1) / (k + a B_(k-1))",
            "Erlang 1917",
            {"a": "arrival_rate_per_s service", "c": "servers_count"},
        ),
        Formula(
            "wait",
            "W = C s (1 + v^2) / (2 c (1 - rho))",
            "Lee and Longton 1959; exact for v = 1 and for c = 1",
            {"v": "service_variation_ratio", "s": "service_ms"},
        ),
        Formula(
            "percentile",
            "P(T > t) from service and an exponential wait with probability C",
            "exact for M/M/c; otherwise an approximation",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Arrivals are random and independent; bursts make waits longer.",
        "With service that is not exponential, percentiles are approximate: within ten "
        "percent of simulation up to 90% load.",
    ),
)
