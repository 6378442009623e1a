"""How long requests to a coded cluster take, in closed form: means and percentiles. [ms]

By the law of ``percentiles_kernel``; unknown where the fullest drive, or a link, has no time left.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.cluster.beside import kinds_of, link_kinds_of, moments_of
from capmodels.storage.cluster.codes import together_fraction
from capmodels.storage.cluster.params import domains_count
from capmodels.storage.cluster.recovery import code_of, drives_count
from capmodels.storage.drive.service import MS_PER_S
from capmodels.storage.drive.times import fixed_ms, read_answer_ms, write_answer_ms

if TYPE_CHECKING:
    from capmodels.storage.cluster.links import Asked, Links
    from capmodels.storage.cluster.params import CodedCluster
    from capmodels.storage.cluster.percentiles_kernel import Alike, Request, Times
    from capmodels.storage.cluster.queues_kernel import Queue, Service


_RARE = 1e-9  # shares of requests that are left out
PERCENTILES = ("p50_ms", "p95_ms", "p99_ms", "p999_ms")


class Response(NamedTuple):
    """Mean, and within what shares of the requests stay. [ms]"""

    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    p999_ms: float


class _Ask(NamedTuple):
    """Reads or writes, as drives see them."""

    per_ms: float  # of a drive
    shards_count: int  # of a request
    service: Service


class Responses(NamedTuple):
    """Of reads, of reads without a lost shard, of writes, and of all of them."""

    read: Response
    degraded: Response
    write: Response
    mixed: Response


def ways_ms(params: CodedCluster, *, write: bool) -> tuple[tuple[float, float], ...]:
    """Ways to the farthest shard and back, with the shares of requests that have each. [ms]

    Shards are on one node, on one site, or on several, of which the farthest is waited for. A read
    of copies is served where the copy is.
    """
    machines, code = params.machines, code_of(params)
    count = code.shards_count if write else code.data_count
    domains = domains_count(machines, params.failure_domain)
    node, site = (
        together_fraction(domains, parts, count)
        for parts in (machines.nodes_count, machines.sites_count)
    )
    ways = ((node, 0.0), (site - node, machines.hop_ms), (1 - site, machines.site_hop_ms))
    return tuple((share, way) for share, way in ways if share > _RARE)


def way_ms(params: CodedCluster, *, write: bool) -> float:
    """Way to the farthest shard and back, on average. [ms]"""
    return math.fsum(share * way for share, way in ways_ms(params, write=write))


@lru_cache(maxsize=256)
def responses(
    params: CodedCluster, asked: Asked, links: Links, coding_ms: float, *, sequential: bool = False
) -> Responses | None:
    """Requests that reach the drives and those that pass the links; None: they wait for ever.

    ``sequential`` spares a disk its seeks and turns.
    """
    from capmodels.storage.cluster import percentiles_kernel as kernel
    from capmodels.storage.cluster.queues_kernel import link, steady

    out, into = (
        tuple((share, one._replace(load=one.load * more)) for share, more in kinds)
        for one, kinds in zip(map(link, links.passed), link_kinds_of(links), strict=True)
    )
    asks = _asks(params, asked, sequential=sequential)
    queues = _queues(params, asked, asks)
    if max(queue.load for _, queue in (*out, *into, *queues)) >= 1:
        return None
    others = [links.others(one.shards_count) * links.shard_ms for one in asks]
    led = (
        kernel.Led(links.reads_per_ms, others[0], 0.0, links.whole_ms),
        kernel.Led(links.writes_per_ms, links.whole_ms, coding_ms, others[1]),
    )
    away = links.away_fraction
    nodes = kernel.Nodes(
        queues, (out, into), links.shard_ms * away, away, _alike(params, asks), led
    )

    def request(*, write: bool) -> Request:
        drive, own = params.drive, asks[write].service
        if drive.kind == "ssd":
            answer = write_answer_ms if write else read_answer_ms
            own = steady((1.0, answer(drive, _shard_bytes(params, asked))))
        steady_ms = links.whole_ms + coding_ms * write
        return kernel.Request(own, asks[write].shards_count, steady_ms, write)

    def with_ways(times: Times, *, write: bool, share: float = 1.0) -> list[tuple[float, Times]]:
        return [
            (share * part, times._replace(places_ms=times.places_ms + way))
            for part, way in ways_ms(params, write=write)
        ]

    read, write = kernel.times_of(nodes, (request(write=False), request(write=True)))
    # Of links: what a cache answers passes them as well.
    share = links.reads_per_ms / ((links.reads_per_ms + links.writes_per_ms) or 1.0)
    # As many shards are read without a lost one, with a parity for it, and decoded.
    degraded = read._replace(places_ms=read.places_ms + coding_ms)
    found = [
        with_ways(read, write=False),
        with_ways(degraded, write=False),
        with_ways(write, write=True),
        with_ways(read, write=False, share=share) + with_ways(write, write=True, share=1 - share),
    ]
    return Responses(*(Response(*kernel.told(parts)) for parts in found))


def _shard_bytes(params: CodedCluster, asked: Asked) -> float:
    return max(asked.size_bytes / params.code.data_count, 512.0)


def _asks(params: CodedCluster, asked: Asked, *, sequential: bool) -> tuple[_Ask, _Ask]:
    """Reads and writes."""
    code, size = code_of(params), _shard_bytes(params, asked)
    each = drives_count(params) * MS_PER_S
    read, write = (
        _service(params, size, write=write, sequential=sequential) for write in (False, True)
    )
    return (
        _Ask(asked.reads_per_s * code.data_count / each, code.data_count, read),
        _Ask(asked.writes_per_s * code.shards_count / each, code.shards_count, write),
    )


def _service(params: CodedCluster, size: float, *, write: bool, sequential: bool) -> Service:
    """Time of a drive that a shard takes; of a solid-state drive over its channels. [ms]"""
    from capmodels.storage.cluster.percentiles_kernel import disk_service
    from capmodels.storage.cluster.queues_kernel import steady

    drive = params.drive
    if drive.kind == "ssd":
        return steady((1.0, moments_of(drive, size, write=write).mean_ms))
    if sequential:
        return steady((1.0, fixed_ms(drive, size)))
    return disk_service(drive, size, write=write)


def _queues(
    params: CodedCluster, asked: Asked, asks: tuple[_Ask, _Ask]
) -> tuple[tuple[float, Queue], ...]:
    """Kinds of drives by what they hold: share of what is asked, and how it is served."""
    from capmodels.storage.cluster.queues_kernel import Queue, mixed

    rate = sum(one.per_ms for one in asks)
    share = asks[1].per_ms / rate if rate else 0.0
    service = mixed((1 - share, asks[0].service), (share, asks[1].service))
    load = rate * service.mean_ms
    servers = params.drive.channels_count if params.drive.kind == "ssd" else 1
    return tuple(
        (part, Queue(service, load * more, servers)) for part, more in kinds_of(params, asked)
    )


def _alike(params: CodedCluster, asks: tuple[_Ask, _Ask]) -> Alike:
    """How much drives have to do with each other that a request asks."""
    from capmodels.storage.cluster.percentiles_kernel import Alike

    drives, work = drives_count(params), math.fsum(one.per_ms * one.service.mean_ms for one in asks)
    if work == 0:
        return Alike(0.0, 0.0)
    others = drives - drives / domains_count(params.machines, params.failure_domain)
    too = [one.per_ms * (one.shards_count - 1) / max(others, 1.0) for one in asks]
    services = [one.service for one in asks]
    late = math.fsum(rate * one.lesser_ms for rate, one in zip(too, services, strict=True))
    both = math.fsum(rate * one.mean_ms**2 for rate, one in zip(too, services, strict=True))
    square = math.fsum(one.per_ms * one.service.square_ms2 for one in asks)
    return Alike(late / work, both / square)
