"""What nodes' networks pass of requests to a coded cluster, and how they hold them up. [ms]

A node that holds a shard of what is asked serves the request. The shards of a read come to it from
the others, and what is read goes from it whole; what is written comes to it whole and goes from it
as shards. Shards on the same node pass no network.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import as_number
from capmodels.storage.cluster.recovery import MB_PER_S_OF_GBIT, away_of, code_of
from capmodels.storage.drive.service import MS_PER_S, transfer_ms

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.storage.cluster.params import CodedCluster

Jobs = tuple[tuple[float, float], ...]


class Asked(NamedTuple):
    """Requests to a whole cluster."""

    reads_per_s: float
    writes_per_s: float
    size_bytes: float


def passed_ratios(
    data_count: int, shards_count: int, read_fraction: float, away: Amount
) -> tuple[Amount, Amount]:
    """Data that nodes send and take in, over data that is asked for."""
    shards = read_fraction * (data_count - 1) + (1 - read_fraction) * (shards_count - 1)
    among = away * shards / data_count
    return read_fraction + among, 1 - read_fraction + among


class Links(NamedTuple):
    """What requests pass over the network of a node, each way; rates of one node."""

    data_count: int
    shards_count: int
    whole_ms: float  # in which a link passes a request
    reads_per_ms: float
    writes_per_ms: float
    away_fraction: float = 1.0  # of the other shards: on other nodes
    nodes_count: int = 1
    groups_count: int = 1

    @property
    def shard_ms(self) -> float:
        """Time in which a link passes a shard."""
        return self.whole_ms / self.data_count

    @property
    def passed(self) -> tuple[Jobs, Jobs]:
        """What passes at once, out and in: how much a ms, and for how long."""
        one, reads, writes = self.shard_ms, self.reads_per_ms, self.writes_per_ms
        data, shards = (self.others(count) for count in (self.data_count, self.shards_count))
        return (
            ((reads, self.whole_ms), (reads * data, one), (writes, shards * one)),
            ((writes, self.whole_ms), (reads, data * one), (writes * shards, one)),
        )

    def others(self, count: int) -> float:
        """Of so many shards, those that come from other nodes or go to them."""
        return (count - 1) * self.away_fraction

    @property
    def loads(self) -> tuple[float, float]:
        """Share of its time that a link is asked for, out and in."""
        asked = self.reads_per_ms + self.writes_per_ms
        share = self.reads_per_ms / (asked or 1.0)
        counts = self.data_count, self.shards_count
        out, into = passed_ratios(*counts, share, self.away_fraction)
        busy = asked * self.whole_ms
        return busy * as_number(out), busy * as_number(into)

    @property
    def apart(self) -> tuple[float, float]:
        """Deviation of what nodes' links are asked over the mean, out and in, by chance.

        A node serves some of the groups, by whole requests, and holds a shard of others.
        """
        one, others = self.shard_ms, self.shards_count - 1
        data, shards = (self.others(count) for count in (self.data_count, self.shards_count))
        reads, writes, whole = self.reads_per_ms, self.writes_per_ms, self.whole_ms
        out = reads * whole + writes * shards * one, reads * data * one
        into = writes * whole + reads * data * one, writes * shards * one
        found = []
        for serving, rest in (out, into):
            mean = (serving + rest) / self.nodes_count
            square = (serving**2 + (rest**2 / others if others else 0.0)) / self.nodes_count
            spread = math.sqrt(max(square - mean**2, 0.0) / self.groups_count)
            found.append(spread / mean if mean > 0 else 0.0)
        return found[0], found[1]

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


def links_of(params: CodedCluster, asked: Asked) -> Links:
    """What a node's network passes of requests to the whole cluster."""
    machines, code = params.machines, code_of(params)
    rate = machines.network_gbit_per_s * MB_PER_S_OF_GBIT
    each = MS_PER_S * machines.nodes_count
    whole = transfer_ms(asked.size_bytes, rate)
    per_ms = asked.reads_per_s / each, asked.writes_per_s / each
    return Links(
        code.data_count,
        code.shards_count,
        whole,
        *per_ms,
        away_of(params),
        machines.nodes_count,
        params.placement_groups_count,
    )
