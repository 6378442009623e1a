"""How large a solid-state cache above disks has to be, what it saves and what it wears.

A cache that holds a day's footprint: Lee, Lee and Noh 2008; hits by size from the stack distances
of Mattson et al. 1970.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

from capmodels.errors import ModelError
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, derived_check, one_point
from capmodels.storage.drive.service import Moments, response_ms, revolution_ms, transfer_ms
from capmodels.storage.drive.times import (
    read_answer_ms,
    read_busy_ms,
    service_moments,
    write_busy_ms,
)
from capmodels.storage.drive.wear import drive_writes_per_day, endurance_used
from capmodels.storage.reuse.load import (
    DAY_LONG_S,
    Load,
    recorded_load,
    requests_of,
    typed_load,
)
from capmodels.storage.reuse.params import (
    CacheSize,
    SsdCacheParams,
    SsdCacheResult,
    TypedDays,
)
from capmodels.storage.reuse.told import cache_told
from capmodels.units import HOURS_PER_YEAR, kwh_from_w

_DAYS_PER_YEAR = 365.0
_GB_PER_TB = 1000.0


class Disks(NamedTuple):
    """The array's disks: moments of a read and a write operation, and how many a write takes."""

    disks_count: int
    idle_w: float
    active_w: float
    read: Moments
    write: Moments
    plain: Moments
    operations_per_write: int


def disks_of(params: SsdCacheParams, size_bytes: float) -> Disks:
    """Moments of the disks' operations. A small write of RAID-5 is two reads and a turn each.

    Raises
    ------
    ModelError
        When the seek curve is not one of three points.
    """
    disk = params.disk
    read = service_moments(disk, size_bytes)
    plain = service_moments(disk, size_bytes, write=True)
    if read is None or plain is None:
        message = "The closed forms need a three-point seek curve."
        raise ModelError(message)
    write, per_write = plain, 1
    if params.layout == "mirrored_set":
        per_write = params.disks_count
    elif params.layout == "raid5":
        turn, per_write = revolution_ms(disk.speed_rpm), 2
        square = plain.mean_square_ms2 + 2 * turn * plain.mean_ms + turn * turn
        write = Moments(plain.mean_ms + turn, square)
    return Disks(params.disks_count, disk.idle_w, disk.active_w, read, write, plain, per_write)


def below_cache(
    disks: Disks, *, reads_per_s: float, writes_per_s: float, plain_per_s: float = 0.0
) -> tuple[float, float | None]:
    """Busy disks, and the mean response of a read on one of them (M/G/1). [count, ms]

    Writes are those of the layout, plain ones go to one disk. No response from full load on.
    """
    parts = (
        (reads_per_s, disks.read),
        (writes_per_s * disks.operations_per_write, disks.write),
        (plain_per_s, disks.plain),
    )
    busy = sum(rate * moments.mean_ms for rate, moments in parts) / 1000
    if busy >= disks.disks_count:
        return float(disks.disks_count), None
    total = sum(rate for rate, _moments in parts)
    if total == 0:
        return 0.0, disks.read.mean_ms
    square = sum(rate * moments.mean_square_ms2 for rate, moments in parts) / total
    queue = response_ms(total / disks.disks_count, Moments(busy * 1000 / total, square))
    return busy, queue - busy * 1000 / total + disks.read.mean_ms


def disks_w(disks: Disks, busy: float) -> float:
    """Power of disks that never sleep. [W]"""
    return disks.disks_count * disks.idle_w + (disks.active_w - disks.idle_w) * busy


def _after(params: SsdCacheParams, load: Load, hit: float) -> dict[str, float]:
    """Rates of operations that the cache leaves to the disks. [1/s]"""
    reads = load.requests_per_s * load.read_fraction * (1 - hit)
    writes = load.requests_per_s * (1 - load.read_fraction)
    if params.mode == "hp08_mirror":
        return {"reads_per_s": reads, "writes_per_s": 0.0, "plain_per_s": writes}
    if params.mode == "write_back":
        back = sum(day.written_footprint_gb for day in load.days) * 1e9 / load.size_bytes
        span = load.covered_days * DAY_LONG_S
        return {"reads_per_s": reads, "writes_per_s": min(writes, back / span)}
    return {"reads_per_s": reads, "writes_per_s": writes}


def _written_gb_per_day(load: Load, hit: float) -> tuple[float, float]:
    """Data written to the cache per day: what is written, and what is copied in after a miss."""
    written = sum(day.written_gb for day in load.days) / load.covered_days
    read = sum(day.read_gb for day in load.days) / load.covered_days
    return written, read * (1 - hit)


def _cache_w(params: SsdCacheParams, load: Load, written_gb: float, hit: float) -> float:
    """Power of one device, linear in its use, at the mean load. [W]"""
    device = params.device
    reads_gb = sum(day.read_gb for day in load.days) / load.covered_days * hit
    reading = reads_gb * 1000 / device.read_mb_per_s / DAY_LONG_S
    beyond_ms = read_busy_ms(device, load.size_bytes)
    beyond_ms -= transfer_ms(load.size_bytes, device.read_mb_per_s)
    reading += load.requests_per_s / 1000 * load.read_fraction * hit * beyond_ms
    writes_per_day = written_gb * 1e9 / load.size_bytes
    writing = writes_per_day / DAY_LONG_S * write_busy_ms(device, load.size_bytes) / 1000
    top = device.active_w if device.write_w is None else device.write_w
    share = min((reading + writing) / device.channels_count, 1.0)
    mixed = (reading * device.active_w + writing * top) / max(reading + writing, 1e-12)
    return device.idle_w + share * (mixed - device.idle_w)


def at_size(params: SsdCacheParams, load: Load, cache_gb: float, uncached_w: float) -> CacheSize:
    """What a cache of one size does to power, response, wear and cost."""
    device, hit = params.device, load.hit_fraction(cache_gb)
    disks = disks_of(params, load.size_bytes)
    busy, miss_ms = below_cache(disks, **_after(params, load, hit))
    devices = max(math.ceil(cache_gb / device.capacity_gb - 1e-9), 1)
    written, filled = _written_gb_per_day(load, hit)
    one_w = _cache_w(params, load, written + filled, hit)
    cache_w = one_w + (devices - 1) * device.idle_w
    saved = uncached_w - disks_w(disks, busy) - cache_w
    fast_ms = read_answer_ms(device, load.size_bytes)
    tb_per_year = (written + filled) * _DAYS_PER_YEAR / _GB_PER_TB
    wear = _wear_years(params, devices, tb_per_year)
    rounds = 1 if wear is None else max(math.ceil(params.life_years / max(wear, 1e-9) - 1e-9), 1)
    purchase = devices * device.price_usd * rounds
    kwh = kwh_from_w(saved, HOURS_PER_YEAR)
    return CacheSize(
        cache_gb=cache_gb,
        holds_a_day=cache_gb * (1 - params.spare_fraction) >= load.day_gb * (1 - 1e-9),
        devices_count=devices,
        read_hit_fraction=hit,
        read_response_ms=None if miss_ms is None else hit * fast_ms + (1 - hit) * miss_ms,
        disks_w=disks_w(disks, busy),
        cache_w=cache_w,
        saved_w=saved,
        saved_fraction=saved / uncached_w if uncached_w > 0 else 0.0,
        saved_kwh_per_year=kwh,
        written_tb_per_year=tb_per_year,
        drive_writes_per_day=drive_writes_per_day(device, (written + filled) / 1000 / devices),
        wear_years=wear,
        purchase_usd=purchase,
        net_usd=kwh * params.life_years * params.electricity_usd_per_kwh - purchase,
    )


def _wear_years(params: SsdCacheParams, devices: int, tb_per_year: float) -> float | None:
    used = endurance_used(params.device, tb_per_year / devices)
    return 1.0 / used if used > 0 else None


def _sizes_gb(params: SsdCacheParams, load: Load) -> list[float]:
    if params.sizes_gb:
        return sorted(set(params.sizes_gb))
    top = max(load.footprint_gb, 1e-6)
    return [top * 2.0 ** (step / 2) for step in range(-12, 2)]


def _asleep(params: SsdCacheParams, load: Load, cache: CacheSize) -> tuple[float, float] | None:
    """Power of disks that sleep in the recorded gaps, without and with the cache. [W]

    None without a record of every request, or for disks that have no standby.
    """
    from capmodels.storage.reuse.sleep import asleep_w

    if load.reuse is None or load.trace is None or load.reuse.sampled_fraction < 1:
        return None
    if params.disk.standby is None:
        return None
    disks = disks_of(params, load.size_bytes)
    before = {
        "reads_per_s": load.requests_per_s * load.read_fraction,
        "writes_per_s": load.requests_per_s * (1 - load.read_fraction),
    }
    busy = below_cache(disks, **before)[0]
    left = below_cache(disks, **_after(params, load, cache.read_hit_fraction))[0]
    touched = load.reuse.missed_requests(cache.cache_gb)
    plain = asleep_w(params, load.trace, None, busy_count=busy)
    cached = asleep_w(params, load.trace, touched, busy_count=left)
    return plain, cached + cache.cache_w


def _run(params: SsdCacheParams, _context: Context) -> SsdCacheResult:
    typed = params.demand.kind == "typed"
    load = typed_load(params.demand) if params.demand.kind == "typed" else recorded_load(params)
    disks = disks_of(params, load.size_bytes)
    busy, response = below_cache(
        disks,
        reads_per_s=load.requests_per_s * load.read_fraction,
        writes_per_s=load.requests_per_s * (1 - load.read_fraction),
    )
    uncached = disks_w(disks, busy)
    day_cache_gb = max(load.day_gb, 1e-6) / (1 - params.spare_fraction)
    advised = at_size(params, load, day_cache_gb, uncached)
    asleep = None if typed else _asleep(params, load, advised)
    sampled = load.reuse.sampled_fraction if load.reuse is not None else 1.0
    return _told(
        days=load.days,
        covered_days_count=load.covered_days,
        sampled_fraction=sampled,
        day_gb=load.day_gb,
        footprint_gb=load.footprint_gb,
        requests_per_s=load.requests_per_s,
        read_fraction=load.read_fraction,
        uncached_w=uncached,
        uncached_response_ms=response if load.read_fraction > 0 else None,
        sizes=tuple(at_size(params, load, size, uncached) for size in _sizes_gb(params, load)),
        advised=advised,
        asleep_uncached_w=asleep[0] if asleep else None,
        asleep_cached_w=asleep[1] if asleep else None,
        warnings=_warnings(params, load, advised, response=response, sampled=sampled),
    )


def _told(**found: Any) -> SsdCacheResult:
    return SsdCacheResult(**found, **cache_told(found))


def _warnings(
    params: SsdCacheParams,
    load: Load,
    advised: CacheSize,
    *,
    response: float | None,
    sampled: float,
) -> tuple[str, ...]:
    wear = advised.wear_years
    said = {
        "less_than_a_day": load.covered_days < 1 - 1e-9,
        "overloaded_without_cache": response is None,
        "wears_out_in_service": wear is not None and wear < params.life_years,
        "costs_more_than_it_saves": advised.net_usd < 0,
        "sampled": sampled < 1,
    }
    return tuple(word for word, yes in said.items() if yes)


def _faults(cache_blocks: int) -> float:
    """Misses of the reference string of Belady, Nelson and Shedler, one block a second."""
    from capmodels.storage.reuse.distances import reuse_of

    params = SsdCacheParams.model_validate(
        {
            "demand": {
                "kind": "requests",
                "times_s": [float(i) for i in range(12)],
                "sectors": [8 * block for block in (1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5)],
                "sectors_count": [8] * 12,
                "writes": [False] * 12,
            }
        }
    )
    reuse = reuse_of(requests_of(params), block_bytes=4096, accesses_max_count=1000)
    return 12 * (1 - reuse.read_hit_fraction(cache_blocks * reuse.block_gb))


def _most_saved() -> float:
    """Share saved when every disk is busy before and none after, the cache idling."""
    params = SsdCacheParams()
    disks = disks_of(params, 16_384.0)
    before, after = disks_w(disks, float(disks.disks_count)), disks_w(disks, 0.0)
    return 1 - (after + params.device.idle_w) / before


def _reads(requests_per_s: float) -> SsdCacheParams:
    """Reads only, each of which finds its block: the most that a cache can take off the disks."""
    day = TypedDays(requests_per_s=requests_per_s, read_fraction=1.0, new_gb=0.0)
    return SsdCacheParams(demand=day)


_STRING = "Belady, Nelson and Shedler 1969: 1 2 3 4 1 2 5 1 2 3 4 5"

_textbook = partial(Check, source=_STRING, kind="predicted")

_CHECKS = (
    Check(
        "hp08-saving",
        "Four disks, 30% reads, 100 requests/s: saving of the mirrored write buffer",
        0.14,
        lambda: _run(SsdCacheParams(), Context()).advised.saved_fraction,
        source="Lee, Lee and Noh 2008, section 4",
        printed="approximately 14%",
        tolerance=0.03,
        unit="fraction",
        params=dict,
        kind="fitted",
        tests="storage.drive.drives.HardDisk.active_w",
        wider="'Approximately'; with a share of reads of ours.",
        fitted_to="This saving: the paper prints no share of reads, 30% is ours.",
    ),
    Check(
        "hp08-reads",
        "Four disks, reads only, 100 requests/s: most that a cache can save",
        0.14,
        lambda: _run(_reads(100.0), Context()).advised.saved_fraction,
        source="Lee, Lee and Noh 2008, section 4",
        printed="approximately 14%",
        tolerance=0.039,
        unit="fraction",
        params=lambda: _reads(100.0).model_dump(),
        kind="predicted",
        tests="storage.drive.drives.HardDisk.active_w",
        wider="Even if the cache answered every read: for a request the measured disks do more "
        "than one operation.",
    ),
    derived_check(
        "S24",
        "Four busy disks that a cache lays idle, never asleep: saving",
        0.2755,
        _most_saved,
        source="1 - (4 x 7.96 + 0.5) / (4 x 11.16), powers of Lee, Lee and Noh 2008",
        tolerance=0.0005,
        unit="fraction",
        tests="storage.ssd_cache.disks_w",
    ),
    _textbook(
        "lru-3",
        "Misses of the textbook's reference string with three places",
        10.0,
        lambda: _faults(3),
        tests="storage.reuse.distances.Reuse.read_hit_fraction",
    ),
    _textbook(
        "lru-4",
        "The same with four places",
        8.0,
        lambda: _faults(4),
        tests="storage.reuse.distances.Reuse.read_hit_fraction",
    ),
)

SPEC = ModelSpec(
    id="storage.ssd_cache",
    version="1.3.0",
    title="Solid-state cache, advised",
    summary="From a trace or a day's footprint: the size of cache that holds a day, hits by size, "
    "what it saves in power and response, what it wears, and what it costs.",
    params=SsdCacheParams,
    result=SsdCacheResult,
    run=_run,
    points=one_point,
    instant=False,
    citations=(
        Citation(
            text="H. J. Lee, K. H. Lee, S. H. Noh, Augmenting RAID with an SSD for Energy "
            "Relief, HotPower 2008",
        ),
        Citation(
            text="R. L. Mattson et al., Evaluation Techniques for Storage Hierarchies, IBM "
            "Systems Journal 9(2), 1970",
        ),
        Citation(
            text="C. A. Waldspurger et al., Efficient MRC Construction with SHARDS, FAST 2015",
        ),
    ),
    formulas=(
        Formula(
            "hits",
            "a cache of C blocks hits when fewer than C other blocks came since",
            "Mattson et al. 1970: least recently used is a stack algorithm",
        ),
        Formula(
            "saved",
            "saved W = (busy disks before - after) (P_active - P_idle) - cache W",
            "utilization law",
        ),
        Formula(
            "wear",
            "years = endurance / (write amplification (written + filled per year))",
            "definition",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Blocks that are read or written enter the cache; the least recently used leave it. Hits "
        "are counted by block, power and response at the mean rate of the record.",
        "A record shorter than a day only bounds a day's footprint from below.",
        "Written back: each block once a day, as a small write of its layout; neighbors that "
        "could go together are not merged.",
        "Lee, Lee and Noh 2008: the approximately 14% of the write-heavy trace at low load is "
        "fitted (15% to 17%), as the share of reads is ours. Not reproduced: the 14% of the "
        "read-only trace, which needs more than one disk operation per request (10% if the cache "
        "answered every read). Not predicted: responses, 17% better for that trace at high load, "
        "which follows how many reads found their block, and that is not printed; and up to 30% "
        "worse for the write-heavy one at low load, of which the authors know no reason: it needs "
        "a device that writes slowly, and the times of theirs are not printed.",
        "The less than 10% that they print for 200 and 500 requests a second cannot be predicted: "
        "how many reads found their block is not printed (if all did, 19% and 27%), and the disks "
        "limited the replay. For how long blocks are used is drawn by day without values; only its "
        "bounds are printed: 30 GB a day, of which less than 10 GB new.",
    ),
)
