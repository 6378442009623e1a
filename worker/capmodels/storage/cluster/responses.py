"""How long requests to a coded cluster take, in closed form: means and percentiles. [ms]

By the law of ``percentiles_kernel``; unknown where the fullest drive, or a link, has no time left.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.cluster.beside import Asked, kinds_of, moments_of
from capmodels.storage.cluster.recovery import code_of, drives_count
from capmodels.storage.drive.service import MS_PER_S
from capmodels.storage.drive.times import fixed_ms, read_answer_ms, write_answer_ms

if TYPE_CHECKING:
    from capmodels.storage.cluster.links import Links
    from capmodels.storage.cluster.params import CodedCluster
    from capmodels.storage.cluster.percentiles_kernel import Queue, Service, Times


PERCENTILES = ("p50_ms", "p95_ms", "p99_ms", "p999_ms")


class Response(NamedTuple):
    """Mean, and within what shares of the requests stay. [ms]"""

    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    p999_ms: float


class Responses(NamedTuple):
    """Of reads, of reads without a lost shard, of writes, and of all of them."""

    read: Response
    degraded: Response
    write: Response
    mixed: Response


def way_ms(params: CodedCluster, *, write: bool) -> float:
    """Way to the farthest shard and back. [ms]

    With several sites shards are on all of them: a write waits for the farthest, and a read too.
    A read of copies is served where the copy is.
    """
    machines = params.machines
    if not write and params.code.data_count == 1:
        return 0.0
    return machines.site_hop_ms if machines.sites_count > 1 else machines.hop_ms


@lru_cache(maxsize=256)
def responses(
    params: CodedCluster, asked: Asked, links: Links, coding_ms: float, *, sequential: bool = False
) -> Responses | None:
    """Requests that reach the drives and those that pass the links; None: they wait for ever.

    ``sequential`` spares a disk its seeks and turns.
    """
    from capmodels.storage.cluster import percentiles_kernel as kernel

    out, into = (kernel.link(jobs) for jobs in links.passed)
    queues = _queues(params, asked, sequential=sequential)
    if max(queue.load for queue in (out, into, *(queue for _, queue in queues))) >= 1:
        return None

    def times(*, write: bool) -> Times:
        drive, size = params.drive, _shard_bytes(params, asked)
        own = _service(params, size, write=write, sequential=sequential)
        if drive.kind == "ssd":
            answer = write_answer_ms if write else read_answer_ms
            own = kernel.steady((1.0, answer(drive, size)))
        shards = links.shards_count if write else links.data_count
        steady = way_ms(params, write=write) + links.whole_ms + coding_ms * write
        request = kernel.Request(own, queues, shards, links.shard_ms, (out, into), steady, write)
        return kernel.times_of(request)

    read, write = times(write=False), times(write=True)
    # Of links: what a cache answers passes them as well.
    share = links.reads_per_ms / ((links.reads_per_ms + links.writes_per_ms) or 1.0)
    # As many shards are read without a lost one, with a parity for it, and decoded.
    degraded = read._replace(places_ms=read.places_ms + coding_ms)
    found = [[(1.0, read)], [(1.0, degraded)], [(1.0, write)], [(share, read), (1 - share, write)]]
    return Responses(*(Response(*kernel.told(parts)) for parts in found))


def _shard_bytes(params: CodedCluster, asked: Asked) -> float:
    return max(asked.size_bytes / params.code.data_count, 512.0)


def _service(params: CodedCluster, size: float, *, write: bool, sequential: bool) -> Service:
    """Time of a drive that a shard takes; of a solid-state drive over its channels. [ms]"""
    from capmodels.storage.cluster import percentiles_kernel as kernel

    drive = params.drive
    if drive.kind == "ssd":
        return kernel.steady((1.0, moments_of(drive, size, write=write).mean_ms))
    if sequential:
        return kernel.steady((1.0, fixed_ms(drive, size)))
    return kernel.disk_service(drive, size, write=write)


def _queues(
    params: CodedCluster, asked: Asked, *, sequential: bool
) -> tuple[tuple[float, Queue], ...]:
    """Kinds of drives by what they hold: share of what is asked, and how it is served."""
    from capmodels.storage.cluster import percentiles_kernel as kernel

    code, size, drives = code_of(params), _shard_bytes(params, asked), drives_count(params)
    reads = asked.reads_per_s * code.data_count / drives / MS_PER_S
    writes = asked.writes_per_s * code.shards_count / drives / MS_PER_S
    share = writes / (reads + writes) if reads + writes > 0 else 0.0
    parts = ((1 - share, False), (share, True))
    service = kernel.mixed(
        *(
            (part, _service(params, size, write=write, sequential=sequential))
            for part, write in parts
        )
    )
    load = (reads + writes) * service.mean_ms
    return tuple(
        (part, kernel.Queue(service, load * more)) for part, more in kinds_of(params, asked)
    )
