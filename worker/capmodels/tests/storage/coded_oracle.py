"""A coded cluster simulated plainly: one heap of events, queues as lists, links as queues.

Written apart from the kernels, from what the model says of itself; only the chances are the same
numbers, by the hash of request and shard. Whole writes and reads, with a drive's or a node's loss,
no partial writes.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict, deque
from functools import partial
from typing import TYPE_CHECKING, Any

from capmodels.storage.cluster.placement import hashed

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.storage.cluster.array_params import ClusterArrayParams
    from capmodels.storage.drive.drives import HardDisk

SCALE = 2.0**-32


def uniform(key: int) -> float:
    return ((hashed(key) >> 32) + 0.5) * SCALE


class Plain:
    """Events in the order of time."""

    def __init__(self, params: ClusterArrayParams, drives_of: Callable[[int], list[int]],
                 gone: set[int]) -> None:  # fmt: skip
        self.p, self.drives_of, self.gone = params, drives_of, gone
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self.count = 0
        self.waiting: dict[Any, deque[Any]] = defaultdict(deque)
        self.working: set[Any] = set()
        self.head: dict[int, float] = defaultdict(float)
        self.busy: dict[Any, float] = defaultdict(float)
        self.responses: dict[int, tuple[bool, float]] = {}
        work, machines = params.work, params.machines
        self.shard = work.size_bytes / params.code.data_count
        self.coding = work.size_bytes / (machines.code_gb_per_s * 1e6)
        self.link = work.size_bytes / (machines.network_gbit_per_s * 125_000)

    def at(self, t: float, do: Callable[[float], None]) -> None:
        self.count += 1
        heapq.heappush(self.events, (t, self.count, do))

    def run(self) -> None:
        while self.events:
            t, _, do = heapq.heappop(self.events)
            do(t)

    def ask(self, server: Any, t: float, service: Callable[[], float],
            then: Callable[[float], None], begun: Callable[[float], None] | None = None,
            ) -> None:  # fmt: skip
        """Wait in a server's queue, first come first served; tell when it begins, and ends."""
        self.waiting[server].append((service, then, begun))
        if server not in self.working:
            self.next(server, t)

    def next(self, server: Any, t: float) -> None:
        if not self.waiting[server]:
            self.working.discard(server)
            return
        self.working.add(server)
        service, then, begun = self.waiting[server].popleft()
        if begun is not None:
            self.at(t, begun)
        took = service()
        self.busy[server] += took

        def done(now: float) -> None:
            then(now)
            self.next(server, now)

        self.at(t + took, done)

    def disk_ms(self, drive: int, key: int) -> float:
        d: HardDisk = self.p.drive  # type: ignore[assignment]  # only disks are asked
        bits = hashed(key)
        place, turn = (bits >> 32) * SCALE, (bits & 0xFFFFFFFF) * SCALE
        s: Any = d.seek
        a = (15 * s.avg_ms - 10 * s.min_ms - 5 * s.max_ms) / 3
        b = (7 * s.min_ms - 15 * s.avg_ms + 8 * s.max_ms) / 3
        far = abs(place - self.head[drive])
        seek = s.min_ms + a * math.sqrt(far) + b * far if far else 0.0
        self.head[drive] = place
        outer, inner = (
            self.shard / (rate * 1e3) for rate in (d.outer_mb_per_s, d.inner_mb_per_s or 0)
        )
        passing = outer + (inner - outer) * place
        return d.overhead_ms + seek + turn * 60_000 / d.speed_rpm + passing

    def send(self, source: int, goal: int, t: float, size: float,
             then: Callable[[float], None]) -> None:  # fmt: skip
        """Over the sender's link; from when it begins to leave over the receiver's too."""
        if source == goal:
            then(t)
            return
        ms = size / (self.p.machines.network_gbit_per_s * 125_000)
        self.ask(
            ("out", source), t, lambda: ms, lambda _now: None,
            lambda begun: self.ask(("in", goal), begun, lambda: ms, then),
        )  # fmt: skip

    def request(self, number: int, t: float) -> None:
        p, work = self.p, self.p.work
        key = number * 512 + 504
        drives = self.drives_of(int(uniform(key + 1) * p.placement_groups_count))
        whole = [(s, d) for s, d in enumerate(drives) if d not in self.gone]
        is_read = uniform(key + 2) < work.read_fraction
        (self.read if is_read else self.write)(number, t, whole)

    def read(self, number: int, t: float, whole: list[tuple[int, int]]) -> None:
        data, each = self.p.code.data_count, self.p.machines.drives_per_node_count
        used, lead = whole[:data], whole[0][1] // each
        late = self.coding if any(s >= data for s, _ in used) else 0.0

        def came(now: float) -> None:
            self.at(
                now + late, lambda then: self.ask(("out", lead), then, lambda: self.link, ended)
            )

        def ended(now: float) -> None:
            self.responses[number] = True, now - t

        one = after_all(len(used), came)
        for s, d in used:
            there = partial(self.bring, d // each, lead, one)
            self.ask(d, t, partial(self.disk_ms, d, number * 512 + s), there)

    def write(self, number: int, t: float, whole: list[tuple[int, int]]) -> None:
        each = self.p.machines.drives_per_node_count
        lead = whole[0][1] // each

        def ended(now: float) -> None:
            self.responses[number] = False, now - t

        one = after_all(len(whole), ended)

        def coded(now: float) -> None:
            for s, d in whole:
                served = partial(self.disk_ms, d, number * 512 + 256 + s)
                self.send(lead, d // each, now, self.shard, partial(self.later, d, served, one))

        took = self.coding
        self.ask(("in", lead), t, lambda: self.link, lambda now: self.at(now + took, coded))

    def bring(self, source: int, goal: int, then: Any, now: float) -> None:
        self.send(source, goal, now, self.shard, then)

    def later(self, drive: int, served: Any, then: Any, now: float) -> None:
        self.ask(drive, now, served, then)


def after_all(count: int, then: Callable[[float], None]) -> Callable[[float], None]:
    """What to call so many times, the last of which goes on."""
    left = [count]

    def one(now: float) -> None:
        left[0] -= 1
        if left[0] == 0:
            then(now)

    return one


def plain_run(params: ClusterArrayParams, drives_of: Callable[[int], list[int]],
              first: int, count: int, gone: set[int]) -> Plain:  # fmt: skip
    """Serve so many requests, numbered from ``first`` on."""
    sim, t = Plain(params, drives_of, gone), 0.0
    for number in range(first, first + count):
        t -= math.log(uniform(number * 512 + 504)) * 1000 / params.work.requests_per_s
        sim.at(t, partial(sim.request, number))
    sim.run()
    return sim
