"""How nodes' networks hold up requests to a coded cluster, in closed form. [ms]"""

from __future__ import annotations

import math
from typing import NamedTuple

Jobs = tuple[tuple[float, float], ...]


class Links(NamedTuple):
    """What requests pass over the network of a node, each way; rates of one node."""

    data_count: int
    shards_count: int
    whole_ms: float  # in which a link passes a request
    reads_per_ms: float
    writes_per_ms: float

    @property
    def shard_ms(self) -> float:
        """Time in which a link passes a shard."""
        return self.whole_ms / self.data_count

    @property
    def passed(self) -> tuple[Jobs, Jobs]:
        """What passes at once, out and in: how much a ms, and for how long."""
        data, shards, one = self.data_count, self.shards_count, self.shard_ms
        reads, writes = self.reads_per_ms, self.writes_per_ms
        return (
            ((reads, self.whole_ms), (reads * (data - 1), one), (writes, (shards - 1) * one)),
            ((writes, self.whole_ms), (reads, (data - 1) * one), (writes * (shards - 1), one)),
        )

    @property
    def wait_ms(self) -> float:
        """Wait for a node's network, out and in: M/G/1, what passes at once as one."""
        wait = 0.0
        for jobs in self.passed:
            load = sum(rate * time for rate, time in jobs)
            if load >= 1:
                return math.inf
            wait += sum(rate * time**2 for rate, time in jobs) / 2 / (1 - load)
        return wait
