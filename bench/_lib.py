"""What the benches share: rows, percentiles, a private stack.

A bench is a file `bench/<name>.py` with `def rows() -> Iterable[Row]`.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from ops.net import Client
from ops.once import throwaway_stack
from ops.postgres import Cluster
from ops.say import Failure
from ops.signals import raise_on_signals
from ops.stack import Stack

# Other figures (bytes, shares, cents) do not depend on the speed of a machine.
_TIMES, _RATES = frozenset({"s", "ms"}), frozenset({"1/s"})


@dataclass(frozen=True)
class Row:
    """One measured figure, its target, and a rival's figure where there is one.

    `ratio` says how many times better than the rival we are (None without one). `fits` names the
    gauge of the machine that a time or a rate goes with; it is judged as the machine of the targets
    would have it, which this one is `slowness` times slower than (None: as the gauges say that
    were read before all benches).
    """

    name: str
    what: str
    unit: str
    measured: float
    target: float
    target_is: str  # "<=" or ">="
    rival: float | None = None
    rival_name: str | None = None
    ratio_needed: float | None = None
    fits: str = "python"
    slowness: float | None = None

    @property
    def judged(self) -> float:
        """The figure as the machine of the targets would have it."""
        slowness = 1.0 if self.slowness is None else self.slowness
        if self.unit in _TIMES:
            return self.measured / slowness
        return self.measured * slowness if self.unit in _RATES else self.measured

    @property
    def ratio(self) -> float | None:
        """How many times better than the rival, above 1 is better."""
        if self.rival is None or self.measured == 0 or self.rival == 0:
            return None
        return self.rival / self.measured if self.target_is == "<=" else self.measured / self.rival

    @property
    def ok(self) -> bool:
        """Whether the target, and the ratio to the rival if one is asked for, are met."""
        near = self.judged <= self.target if self.target_is == "<=" else self.judged >= self.target
        if self.ratio_needed is None:
            return near
        return near and self.ratio is not None and self.ratio >= self.ratio_needed


def at_most(name: str, what: str, unit: str, measured: float, target: float) -> Row:
    """A figure that must not be above its target."""
    return Row(name, what, unit, measured, target, "<=")


def at_least(name: str, what: str, unit: str, measured: float, target: float) -> Row:
    """A figure that must not be below its target."""
    return Row(name, what, unit, measured, target, ">=")


def fitting(gauge: str, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows whose speed goes with another gauge of the machine than Python's."""
    return (replace(row, fits=gauge) for row in rows)


def percentile(values: Sequence[float], fraction: float) -> float:
    """The value below which `fraction` of the sample lies, interpolated linearly."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    place = fraction * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values: Sequence[float]) -> float:
    """The 50th percentile."""
    return percentile(values, 0.5)


def times_s(body: Callable[[], object], *, repeats: int, warm_ups: int = 1) -> list[float]:
    """Wall-clock seconds of each of `repeats` calls, after some that do not count."""
    for _ in range(warm_ups):
        body()
    taken = []
    for _ in range(repeats):
        started = time.perf_counter()
        body()
        taken.append(time.perf_counter() - started)
    return taken


def server_timing_ms(header: str, name: str = "total") -> float:
    """The duration of one entry of a Server-Timing header. [ms]"""
    for entry in header.split(","):
        parts = [part.strip() for part in entry.split(";")]
        if parts[0] == name:
            for part in parts[1:]:
                if part.startswith("dur="):
                    return float(part.removeprefix("dur="))
    raise ValueError(f"no '{name}' in Server-Timing: {header}")


@dataclass(frozen=True)
class Running:
    """A private stack that is up, and a client with a token."""

    stack: Stack
    client: Client

    def environment(self) -> dict[str, str]:
        """The variables of its processes, to work on its database directly."""
        return {**self.stack.environment(), **self.stack.identity()}

    @property
    def cluster(self) -> Cluster:
        """The stack's own database server."""
        if self.stack.data is None:
            raise Failure("the stack has no database of its own")
        return self.stack.data.cluster

    def past_policies(self) -> psycopg.Connection[Any]:
        """A connection that no policy holds back."""
        return psycopg.connect(self.cluster.url("postgres"), autocommit=True)


@contextmanager
def private_stack() -> Iterator[Running]:
    """Start everything on a throw-away folder and free ports; remove it afterwards.

    Call from the main thread (the services die with the thread that starts them).
    """
    stack = throwaway_stack()
    try:
        stack.start(prepare_args=("--token",))
        yield Running(stack, Client(stack.url, stack.prepared["token"]))
    finally:
        stack.remove()


def stop_cleanly_on_signals() -> None:
    """Turn Ctrl-C and TERM into an exception, so that private stacks are removed."""
    raise_on_signals()
