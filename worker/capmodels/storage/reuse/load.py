"""What is asked of an array, as the advisor on caches takes it: typed, listed or recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.storage.reuse.params import CacheDay, SsdCacheParams, TypedDays
from capmodels.units import SECONDS_PER_HOUR

if TYPE_CHECKING:
    from capmodels.formats.trace_types import BlockRequests
    from capmodels.storage.reuse.distances import Reuse

DAY_LONG_S = 24 * SECONDS_PER_HOUR


class Load(NamedTuple):
    """What is asked of the array, on the mean, and how its data are reused."""

    requests_per_s: float
    read_fraction: float
    size_bytes: float
    days: tuple[CacheDay, ...]
    covered_days: float
    footprint_gb: float
    points: tuple[tuple[float, float], ...]  # of a typed curve: size [GB], share of reads
    reuse: Reuse | None
    trace: BlockRequests | None

    @property
    def day_gb(self) -> float:
        """Largest footprint of a day. [GB]"""
        return max(day.footprint_gb for day in self.days)

    def hit_fraction(self, cache_gb: float) -> float:
        """Share of read data that a cache of a size holds."""
        if self.reuse is not None:
            return self.reuse.read_hit_fraction(cache_gb)
        return interpolated(self.points, cache_gb)


def interpolated(points: tuple[tuple[float, float], ...], cache_gb: float) -> float:
    """Value of a piecewise linear curve from (0, 0) on, level beyond its last point.

    >>> interpolated(((10.0, 0.4), (20.0, 0.6)), 15.0)
    0.5
    """
    before = (0.0, 0.0)
    for after in points:
        if cache_gb <= after[0]:
            part = (cache_gb - before[0]) / (after[0] - before[0])
            return before[1] + part * (after[1] - before[1])
        before = after
    return before[1]


def typed_load(demand: TypedDays) -> Load:
    """Load of a day as the planner knows it."""
    rate = demand.requests_per_s * demand.size_bytes * DAY_LONG_S / 1e9
    read_gb = rate * demand.read_fraction
    day = CacheDay(
        footprint_gb=demand.footprint_gb,
        new_gb=min(demand.new_gb, demand.footprint_gb),
        read_gb=read_gb,
        written_gb=rate - read_gb,
        written_footprint_gb=min(demand.written_footprint_gb, demand.footprint_gb),
    )
    points = tuple((point.cache_gb, point.read_hit_fraction) for point in demand.reuse)
    if not points:
        # A cache that holds a day misses what is new; below a day a straight line.
        hit = max(1 - demand.new_gb / read_gb, 0.0) if read_gb else 0.0
        points = ((demand.footprint_gb, hit),)
    return Load(
        requests_per_s=demand.requests_per_s,
        read_fraction=demand.read_fraction,
        size_bytes=float(demand.size_bytes),
        days=(day,),
        covered_days=1.0,
        footprint_gb=demand.footprint_gb,
        points=points,
        reuse=None,
        trace=None,
    )


def recorded_load(params: SsdCacheParams) -> Load:
    """Load of a record of requests.

    Raises
    ------
    ModelError
        When all requests came at once.
    ParamsError
        When the trace cannot be read here.
    """
    from capmodels.storage.reuse.distances import DAY_S, SECTOR_BYTES, reuse_of

    trace = requests_of(params)
    duration = float(trace.time_s.max() - trace.time_s.min())
    if duration <= 0:
        message = "All requests came at once. A record with times is needed."
        raise ModelError(message)
    reuse = reuse_of(
        trace, block_bytes=params.block_bytes, accesses_max_count=params.accesses_max_count
    )
    count = trace.time_s.size
    return Load(
        requests_per_s=count / duration,
        read_fraction=float(trace.is_read.mean()),
        size_bytes=float(trace.size_blocks.mean()) * SECTOR_BYTES,
        days=tuple(CacheDay(**day._asdict()) for day in reuse.days),
        covered_days=duration / DAY_S,
        footprint_gb=reuse.footprint_gb,
        points=(),
        reuse=reuse,
        trace=trace,
    )


def requests_of(params: SsdCacheParams) -> BlockRequests:
    """Requests of the document or of the uploaded trace."""
    import numpy as np

    from capmodels.formats.trace_store import block_requests
    from capmodels.formats.trace_types import BlockRequests

    demand = params.demand
    if demand.kind == "trace":
        found = block_requests(demand.trace, "/demand/trace")
        if found.time_s.size < 2:
            message = "The trace has fewer than two requests."
            raise ParamsError([Fault("/demand/trace", "too_short", message)])
        return found
    assert demand.kind == "requests"
    return BlockRequests(
        time_s=np.array(demand.times_s, dtype=np.float64),
        device=np.zeros(len(demand.times_s), dtype=np.int32),
        block_lba=np.array(demand.sectors, dtype=np.int64),
        size_blocks=np.array(demand.sectors_count, dtype=np.int32),
        is_read=~np.array(demand.writes, dtype=np.bool_),
    )
