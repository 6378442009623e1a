"""The streams of accesses that memory can be asked to serve."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from capmodels.memory.currents import TimeNs
from capmodels.memory.states import THESIS, PositiveNs, RanksCount
from capmodels.memory.thesis import CLOCK_HZ, PROCESSES, Mix
from capmodels.spec import Params, assumed, default, derived, preset, refusal
from capmodels.units import CountFromOne, DurationMs, Fraction, RatePerS

_TRACE_CHARACTERS_MAX = 20_000_000
_OURS = "our choice"

PositiveRate = Annotated[RatePerS, Field(gt=0, le=1e9)]
PositiveMs = Annotated[DurationMs, Field(ge=0.01, le=1e6)]
SomeLines = Annotated[CountFromOne, Field(le=1_000_000)]


class SkewPoint(Params):
    """A share of the pages, most used first, and the share of all accesses that it gets."""

    pages_fraction: Fraction
    accesses_fraction: Fraction


class RandomTraffic(Params):
    """Accesses at random times, all ranks alike."""

    kind: Literal["poisson"] = "poisson"
    rate_per_s: PositiveRate = derived(1.7695e6, source=f"{THESIS}, table 2.5, low")


class PoissonTraffic(Params):
    """Accesses at random times; pages by popularity, each on a random rank."""

    kind: Literal["poisson"] = "poisson"
    rate_per_s: PositiveRate = derived(1.7695e6, source=f"{THESIS}, table 2.5, low")
    skew: tuple[SkewPoint, ...] = preset(
        (), "Popularity of pages as in table 4.1; empty: all alike.", max_length=100
    )
    pages_count: CountFromOne = assumed(
        24_576,
        "Pages that the stream tells apart.",
        source=_OURS,
        extra={"unit": "count"},
        le=10_000_000,
    )

    @field_validator("skew")
    @classmethod
    def _rises(cls, value: tuple[SkewPoint, ...]) -> tuple[SkewPoint, ...]:
        for place, (before, after) in enumerate(pairwise(value)):
            if (
                after.pages_fraction <= before.pages_fraction
                or after.accesses_fraction <= before.accesses_fraction
            ):
                raise refusal(
                    "skew_falls",
                    "Each point must have more pages and more accesses than the one before.",
                    at=(place + 1,),
                )
        return value


class TwoProcessTraffic(Params):
    """Two processes take turns: one misses the cache all the time, the other never."""

    kind: Literal["two_process_stream"] = "two_process_stream"
    quantum_ms: PositiveMs = derived(1.0, "Time of a turn.", source=f"{THESIS}, table 3.2")
    gap_ns: PositiveNs = derived(79.4968, source=f"{THESIS}, table 3.2")


class ProcessKind(Params):
    """A process of a mix, while it runs."""

    title: str = Field(min_length=1, max_length=60)
    switches_count: CountFromOne = Field(description="How often it gets the processor; a weight.")
    quantum_ms: PositiveMs
    rate_per_s: RatePerS = Field(le=1e9, description="Accesses while it runs.")
    active_ranks_count: RanksCount = Field(description="Ranks that hold its pages.")


class MixTraffic(Params):
    """Processes take turns; each reads clusters of lines in the ranks that hold its pages."""

    kind: Literal["process_mix"] = "process_mix"
    mix: Mix | Literal["typed"] = preset(
        "low", "A workload of the thesis (tables 2.5 and 3.5), or typed."
    )
    processes: tuple[ProcessKind, ...] = preset((), "Of a typed mix.", max_length=64)
    cluster_lines_from_count: SomeLines = assumed(8, source=_OURS)
    cluster_lines_to_count: SomeLines = assumed(32, source=_OURS)
    cluster_gap_ns: PositiveNs = assumed(
        70.0,
        "Between the lines of a cluster, or four fifths of the mean gap if shorter.",
        source=_OURS,
    )

    @model_validator(mode="after")
    def _is_whole(self) -> MixTraffic:
        if self.cluster_lines_to_count < self.cluster_lines_from_count:
            raise refusal(
                "cluster_falls",
                "The longest cluster is shorter than the shortest.",
                at=("cluster_lines_to_count",),
                value=self.cluster_lines_to_count,
            )
        if self.mix == "typed" and not self.processes:
            raise refusal("processes_missing", "Enter the processes of the mix.", at=("processes",))
        return self


def processes_of(traffic: MixTraffic) -> tuple[ProcessKind, ...]:
    """Return the processes of a mix: typed, or of tables 2.5 and 3.5.

    The quantum is cycles over context switches; the rate that while the process runs.
    """
    if traffic.mix == "typed":
        return traffic.processes
    return tuple(
        ProcessKind(
            title=title,
            switches_count=switches,
            quantum_ms=cycles / switches / CLOCK_HZ * 1000,
            rate_per_s=accesses / (cycles / CLOCK_HZ),
            active_ranks_count=ranks,
        )
        for title, cycles, accesses, switches, ranks in PROCESSES[traffic.mix]
    )


class BurstTraffic(Params):
    """Consecutive lines in a burst, again and again."""

    kind: Literal["burst"] = "burst"
    lines_count: SomeLines = assumed(1000, source=_OURS)
    period_ms: PositiveMs = assumed(1.0, source=_OURS)
    gap_ns: TimeNs = assumed(70.0, source=_OURS)

    @model_validator(mode="after")
    def _ends_in_time(self) -> BurstTraffic:
        if self.lines_count * self.gap_ns > self.period_ms * 1e6:
            raise refusal(
                "burst_too_long",
                "A burst does not end before the next begins. Enter a longer period.",
                at=("period_ms",),
                value=self.period_ms,
            )
        return self


class PeriodicTraffic(Params):
    """One access after another at one rank, equally spaced."""

    kind: Literal["periodic"] = "periodic"
    gap_ns: PositiveNs = assumed(10_000.0, source=_OURS)


class TraceTraffic(Params):
    """A trace as text: a line for each access, ``nanoseconds,address,R or W,process``."""

    kind: Literal["trace"] = "trace"
    csv: str = Field(
        min_length=1,
        max_length=_TRACE_CHARACTERS_MAX,
        description="t_ns,address,rw,pid; in order of time; a first line of names is skipped.",
        title="Accesses",
    )


class NoTraffic(Params):
    """Nothing is read; processes still take turns."""

    kind: Literal["none"] = "none"
    quantum_ms: PositiveMs = assumed(1.0, source=_OURS)
    active_ranks_count: tuple[RanksCount, ...] = assumed(
        (6, 7), source=_OURS, min_length=1, max_length=64, title="Ranks of each process"
    )


Traffic = Annotated[
    PoissonTraffic
    | TwoProcessTraffic
    | MixTraffic
    | BurstTraffic
    | PeriodicTraffic
    | TraceTraffic
    | NoTraffic,
    Field(discriminator="kind"),
]


class Reshaping(Params):
    """Frequently used pages are moved to hot ranks before the run (section 4.4)."""

    migrate_fraction: Fraction = assumed(
        0.0,
        "Of all pages; the thesis recommends 0.05. Needs the traffic's pages: poisson with a skew.",
        source=_OURS,
    )
    hot_ranks_fraction: Annotated[Fraction, Field(gt=0, lt=1)] = default(
        0.5, source=f"{THESIS}, section 4.4"
    )
