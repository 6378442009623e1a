"""How fast this machine is beside the one that the targets are for: four fixed pieces of work.

A row's figure is judged as it would be there: divided by how many times slower the piece of work
is here that fits the row. What is raw stands beside it; ratios to rivals are of one machine anyway.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import simpy

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from typing import Any

_REPEATS = 300
_LOOPS = 5_000
_STREAM_BYTES = 1 << 24
_EVENTS = 400


@dataclass(frozen=True, slots=True)
class Gauge:
    """A fixed piece of work, and how long it takes on the machine of the targets. [s]"""

    what: str
    reference_s: float
    work: Callable[[], None]

    def measured_s(self) -> float:
        """The shortest of several times: what else the machine does only lengthens them. [s]"""
        taken = []
        for _ in range(_REPEATS):
            started = time.perf_counter()
            self.work()
            taken.append(time.perf_counter() - started)
        return min(taken)

    def slowness(self) -> float:
        """How many times slower this machine is than the one of the targets."""
        return self.measured_s() / self.reference_s


def _loop() -> None:
    total = 0
    for number in range(_LOOPS):
        total += number * number % 7


_FROM, _TO = np.ones(_STREAM_BYTES // 8), np.empty(_STREAM_BYTES // 8)


def _stream() -> None:
    np.multiply(_FROM, 3.0, out=_TO)


def _fsync() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 8192)
        file.flush()
        os.fsync(file.fileno())


def _simpy() -> None:
    def server(env: simpy.Environment) -> Generator[simpy.Event, Any, None]:
        line = simpy.Resource(env)
        for _ in range(_EVENTS // 4):
            with line.request() as turn:
                yield turn
                yield env.timeout(1.0)

    env = simpy.Environment()
    env.process(server(env))
    env.run()


GAUGES: dict[str, Gauge] = {
    "python": Gauge(f"{_LOOPS:,} turns of a loop in Python", 0.204e-3, _loop),
    "stream": Gauge(f"NumPy over {_STREAM_BYTES >> 20} MiB, there and back", 0.95e-3, _stream),
    "fsync": Gauge("8 KiB written and brought to the disk", 0.25e-3, _fsync),
    "simpy": Gauge(f"{_EVENTS:,} events of SimPy", 0.43e-3, _simpy),
}


def slowness_here() -> dict[str, float]:
    """How many times slower than the machine of the targets this one is, by gauge."""
    return {name: gauge.slowness() for name, gauge in GAUGES.items()}
