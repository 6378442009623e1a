"""What requests do to an array: time on its drives, its ceilings, and its watts by state.

Arithmetic that takes arrays of draws; the service times of the drive are numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, ceil, drawn, is_zero, minimum
from capmodels.plans.costing.array_tiers import Moved
from capmodels.storage.closed_form.small_writes import Asked, Served
from capmodels.storage.closed_form.two_phases import two_phases
from capmodels.storage.drive.power_states import always_on_w
from capmodels.storage.drive.service import MS_PER_S, Moments, max_rate_per_s, revolution_ms
from capmodels.storage.drive.spin_down import Sleeper, sleep_of, standby_break_even_s
from capmodels.storage.drive.times import (
    fixed_ms,
    low_state,
    read_answer_ms,
    read_busy_ms,
    service_moments,
    write_answer_ms,
    write_busy_ms,
)
from capmodels.storage.drive.tracks import rates_mb_per_s
from capmodels.units import BITS_PER_BYTE

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.array_code import ArrayCode
    from capmodels.plans.document.array_parts import IoMix
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.storage.closed_form.two_phases import TwoPhases
    from capmodels.storage.drive.drives import HardDisk, SolidState

# Copies are kept awake up to this load, as in storage.array_instant.
AWAKE_LOAD = 0.7
# A drive that sleeps is taken as less than wholly busy.
MOST_LOAD = 0.999


@dataclass(frozen=True, slots=True)
class Operations:
    """What one request asks of the drives: operations of a kind, and one's service time."""

    reads_count: int
    writes_count: int
    read: Moments
    write: Moments
    channels: int
    read_answer: Moments  # a flash drive answers before its channel is free
    answer: Moments  # of a write
    phases: Served | None = None  # of small writes to disks, which read first and then write

    @property
    def read_ms(self) -> float:
        """Time on a drive that a read takes, all its operations together. [ms]"""
        return self.reads_count * self.read.mean_ms / self.channels

    @property
    def write_ms(self) -> float:
        """Time on drives that a write takes, all its operations together. [ms]

        Of two phases on drives that never rest: a seek before both.
        """
        first_ms = 0.0 if self.phases is None else self.phases.read.mean_ms
        return self.writes_count * (first_ms + self.write.mean_ms) / self.channels


def operations_of(array: ArraySpec, mix: IoMix) -> Operations:
    """Operations of a request: pieces by stripe unit, copies, or data and parity.

    A small write on parity reads and writes every drive that it touches, on disks in two phases as
    ``storage.array_instant`` has them; a write of whole stripes, or one after another, only writes.
    """
    if array.code is not None:
        return _coded(array, array.code, mix)
    width, parities = array.per_group, array.parities
    pieces = min(-(-mix.request_bytes // array.stripe_unit_bytes), int(array.data_disks))
    piece_bytes = mix.request_bytes / pieces
    whole = parities > 0 and (mix.pattern == "sequential" or pieces >= width - parities)
    small = parities > 0 and not whole
    if whole:
        writes = pieces + parities * -(-pieces // (width - parities))
    else:
        writes = pieces * array.copies + parities
    drive = array.drive
    if drive.kind == "ssd":
        return _flash(drive, piece_bytes, (pieces, writes), small=small)
    read, write = _service(drive, piece_bytes, mix)
    phases = None
    if small:
        fixed = fixed_ms(drive, piece_bytes) + max(drive.write_settle_ms, 0.0)
        phases = Served(read, write, fixed, revolution_ms(drive.speed_rpm))
    return Operations(pieces, writes, read, write, 1, read, write, phases)


def second_phases(
    array: ArraySpec, ops: Operations, rates: DiskRates
) -> tuple[Asked, TwoPhases] | None:
    """Small writes in two phases at rates of requests to one array; None where there are none."""
    if ops.phases is None or is_zero(rates.writes):
        return None
    each = MS_PER_S * array.serving_count
    asked = Asked(
        drawn(rates.reads * ops.reads_count / each),
        drawn(rates.writes * ops.writes_count / each),
        ops.writes_count,
        int(array.serving_count) if array.declustered else array.per_group,
        array.declustered,
    )
    return asked, two_phases(asked, ops.phases)


def _writing_ms(array: ArraySpec, ops: Operations, rates: DiskRates) -> Amount:
    """Time on drives that a write takes at rates of requests, all its operations. [ms]"""
    found = second_phases(array, ops, rates)
    if found is None:
        return ops.write_ms
    return ops.writes_count * (ops.read.mean_ms + found[1].second.mean_ms)


def _coded(array: ArraySpec, code: ArrayCode, mix: IoMix) -> Operations:
    """Operations of a request that is spread over all data shards of a stripe."""
    counts = code.data_count, code.code.shards_count
    piece_bytes = max(mix.request_bytes / code.data_count, 512.0)
    if array.drive.kind == "ssd":
        return _flash(array.drive, piece_bytes, counts, small=False)
    read, write = _service(array.drive, piece_bytes, mix)
    return Operations(*counts, read, write, 1, read, write)


def _flash(
    drive: SolidState, piece_bytes: float, counts: tuple[int, int], *, small: bool
) -> Operations:
    """Operations on solid-state drives; a small write in place reads first."""
    read, write = ssd_ms(drive, piece_bytes)
    reading, writing = read_busy_ms(drive, piece_bytes), write_busy_ms(drive, piece_bytes)
    return Operations(
        reads_count=counts[0],
        writes_count=counts[1],
        read=steady(reading),
        write=steady(writing + reading * small),
        channels=drive.channels_count,
        read_answer=steady(read),
        answer=steady(write + read * small),
    )


def _service(drive: HardDisk, piece_bytes: float, mix: IoMix) -> tuple[Moments, Moments]:
    """Service of one read of a disk, and of one operation that writes."""
    if mix.pattern == "sequential":
        once = steady(fixed_ms(drive, piece_bytes))
        return once, once
    read_moments = service_moments(drive, piece_bytes)
    write_moments = service_moments(drive, piece_bytes, write=True)
    if read_moments is None or write_moments is None:
        raise TypeError
    return read_moments, write_moments


def ssd_ms(drive: SolidState, size_bytes: float) -> tuple[float, float]:
    """Time in which one channel answers a read and a write. [ms]"""
    return read_answer_ms(drive, size_bytes), write_answer_ms(drive, size_bytes)


def steady(mean_ms: float) -> Moments:
    """Service that always takes the same time."""
    return Moments(mean_ms, mean_ms * mean_ms)


@dataclass(slots=True)
class DiskRates:
    """Requests a second that reach the drives of one array, behind its cache."""

    reads: Amount
    writes: Amount


def disk_rates(array: ArraySpec, mix: IoMix, requests_per_s: Amount) -> DiskRates:
    """Split requests to one array into those that reach its drives."""
    reads = requests_per_s * mix.read_fraction
    writes = requests_per_s * (1.0 - mix.read_fraction)
    if array.cache is not None:
        reads = reads * (1.0 - array.cache.hit_fraction)
        if array.cache.write_back:
            writes = writes * (1.0 - array.cache.absorbed_fraction)
    return DiskRates(reads, writes)


def ceilings_per_s(array: ArraySpec, mix: IoMix, ops: Operations) -> dict[str, Amount]:
    """Requests a second that drives, cache and controller of one array each bear. [1/s]"""
    rates = disk_rates(array, mix, 1.0)
    per_request = rates.reads * ops.read_ms + rates.writes * ops.write_ms
    found: dict[str, Amount] = {
        "drives": max_rate_per_s(at_least(per_request, TINY), array.serving_count)
    }
    if array.cache is not None:
        busy = cache_busy(array, mix, 1.0)
        found["cache"] = array.cache.count / at_least(busy, TINY)
    if array.enclosure.io_per_s is not None:
        found["controller"] = array.enclosure.io_per_s * array.enclosures_count
    if array.code is not None:
        found["network"] = network_per_s(array, mix, array.code.nodes_count)
    return found


def network_per_s(array: ArraySpec, mix: IoMix, nodes_count: Amount) -> Amount:
    """Requests a second that the network of the nodes entered bears among so many. [1/s]"""
    code = array.code
    if code is None:
        raise TypeError
    passed = code.passed_ratio(mix.read_fraction, array.disks_count, nodes_count)
    return node_bytes_per_s(code) * code.nodes_count / (mix.request_bytes * passed)


def stream_mb_per_s(array: ArraySpec, nodes_count: Amount | None = None) -> Amount:
    """Rate at which one array is read from end to end, of a cluster among so many nodes. [MB/s]"""
    drive = array.drive
    if drive.kind == "ssd":
        one = drive.read_mb_per_s * drive.channels_count
    else:
        outer, inner = rates_mb_per_s(drive)
        one = (outer + inner) / 2
    rate: Amount = one * (array.data_disks if array.parities else array.disks_count)
    if array.declustered:
        rate = one * array.serving_count * (1 - array.parities / array.per_group)
    if array.code is not None:
        data = array.disks_count * array.code.data_count / array.per_group
        passed = array.code.passed_ratio(1.0, array.disks_count, nodes_count)
        sent = node_bytes_per_s(array.code) / 1e6 / passed
        rate = minimum(one * data, sent * array.code.nodes_count)
    limit = array.enclosure.throughput_mb_per_s
    return rate if limit is None else minimum(rate, limit * array.enclosures_count)


def node_bytes_per_s(code: ArrayCode) -> Amount:
    """What a node can send. [B/s]"""
    return code.network_gbit_per_s * 1e9 / BITS_PER_BYTE


def cache_busy(array: ArraySpec, mix: IoMix, requests_per_s: Amount) -> Amount:
    """Cache devices busy at the same time. [count]"""
    cache = array.cache
    if cache is None:
        return 0.0
    read = read_busy_ms(cache.device, mix.request_bytes)
    write = write_busy_ms(cache.device, mix.request_bytes)
    reads = mix.read_fraction * (cache.hit_fraction * read + (1.0 - cache.hit_fraction) * write)
    writes = (1.0 - mix.read_fraction) * write
    return requests_per_s * (reads + writes) / MS_PER_S / cache.device.channels_count


@dataclass(slots=True)
class ArrayPower:
    """Mean draw of one array, by what draws it, and how its drives spend their time."""

    drives_w: Amount
    cache_w: Amount
    enclosure_w: Amount
    starts_per_s: Amount
    asleep_count: Amount
    busy_count: Amount

    @property
    def total_w(self) -> Amount:
        """All of it. [W]"""
        return self.drives_w + self.cache_w + self.enclosure_w


_STILL = Moved()


def array_power(
    array: ArraySpec,
    mix: IoMix,
    requests_per_s: Amount,
    ops: Operations,
    moved: Moved = _STILL,
) -> ArrayPower:
    """Draw of one array at a rate of requests, and while it streams what moves. [W]"""
    rates = disk_rates(array, mix, requests_per_s)
    busy_read = rates.reads * ops.read_ms / MS_PER_S + moved.out_fraction * array.serving_count
    writing_ms = _writing_ms(array, ops, rates)
    busy_write = rates.writes * writing_ms / MS_PER_S + moved.in_fraction * array.serving_count
    full = at_least((busy_read + busy_write) / array.serving_count, 1.0)
    busy_read, busy_write = busy_read / full, busy_write / full
    enclosures_w = array.enclosure.power_w * array.enclosures_count
    power = ArrayPower(0.0, _cache_w(array, mix, requests_per_s), enclosures_w, 0, 0, 0)
    power.busy_count = busy_read + busy_write
    if array.power_policy.kind == "threshold" and array.drive.kind == "hdd":
        work = (rates, ops, moved.batches_per_s)
        _sleeping(power, array, array.drive, (busy_read, busy_write), work)
    else:
        power.drives_w = _awake_w(array, array.serving_count, busy_read) + (
            _write_w(array) * busy_write + spares_w(array)
        )
    return power


def idle_box(array: ArraySpec) -> ArrayPower:
    """Draw of an array without its drives: spares, cache and what is around them, at rest."""
    cache = 0.0 if array.cache is None else array.cache.count * array.cache.device.idle_w
    drives_w = array.spares_count * _spare_w(array)
    enclosures_w = array.enclosure.power_w * array.enclosures_count
    return ArrayPower(drives_w, cache, enclosures_w, 0.0, 0.0, 0.0)


def spares_w(array: ArraySpec) -> Amount:
    """Draw of hot spares, which idle or sleep until a drive fails. [W]"""
    return array.idle_spares_count * _spare_w(array)


def _spare_w(array: ArraySpec) -> Amount:
    drive = array.drive
    each = drive.idle_w
    sleeps = array.spares_sleep or array.power_policy.kind == "threshold"
    if sleeps and drive.kind == "hdd" and drive.standby is not None:
        each = low_state(drive.standby).power_w
    return each


def _awake_w(array: ArraySpec, disks_count: Amount, busy: Amount) -> Amount:
    drive = array.drive
    draw = always_on_w(disks_count=1, idle_w=drive.idle_w, active_w=drive.active_w, busy_disks=busy)
    return draw + (disks_count - 1) * drive.idle_w


def _write_w(array: ArraySpec) -> Amount:
    """What a drive draws more when it writes than when it idles. [W]"""
    drive = array.drive
    if drive.kind == "ssd" and drive.write_w is not None:
        return drive.write_w - drive.idle_w
    return drive.active_w - drive.idle_w


def _cache_w(array: ArraySpec, mix: IoMix, requests_per_s: Amount) -> Amount:
    cache = array.cache
    if cache is None:
        return 0.0
    device = cache.device
    busy = minimum(cache_busy(array, mix, requests_per_s), float(cache.count))
    return cache.count * device.idle_w + busy * (device.active_w - device.idle_w)


def sleeper_of(array: ArraySpec, drive: HardDisk) -> Sleeper:
    """A drive that may be spun down, with its idle time or the break-even one."""
    if drive.standby is None or array.power_policy.kind != "threshold":
        raise TypeError
    low, timeout = low_state(drive.standby), array.power_policy.idle_timeout_s
    if timeout is None:
        timeout = at_least(standby_break_even_s(drive.idle_w, low), 0.0)
    return Sleeper(drive.idle_w, drive.active_w, low, timeout)


def awake_count(array: ArraySpec, busy_count: Amount) -> Amount:
    """Drives of mirrored sets that stay awake: in each as many as the load needs, at least 1."""
    needed = ceil(busy_count / array.groups / AWAKE_LOAD)
    return array.groups * minimum(at_least(needed, 1.0), float(array.copies))


def _sleeping(
    power: ArrayPower,
    array: ArraySpec,
    drive: HardDisk,
    busy: tuple[Amount, Amount],
    work: tuple[DiskRates, Operations, Amount],
) -> None:
    """Fill in drives that sleep: mirrored sets by copies, others drive by drive.

    Of the copies, as many stay awake as the reads need; the others only take writes. Every
    drive wakes for a batch of moved data.
    """
    (reads, writes), (rates, ops, batches_per_s), n = busy, work, array.serving_count
    sleeper, writes_per_s = sleeper_of(array, drive), rates.writes * ops.writes_count
    if array.copies > 1:
        awake = awake_count(array, reads + writes)
        rate, load = writes_per_s / n + batches_per_s, writes / n
        steady_w = _awake_w(array, awake, reads + writes * awake / n)
    else:
        awake, steady_w = 0.0, 0.0
        rate = (writes_per_s + rates.reads * ops.reads_count) / n + batches_per_s
        load = (reads + writes) / n
    sleep = sleep_of(sleeper, rate_per_s=rate, load_fraction=minimum(load, MOST_LOAD))
    sleeping = n - awake
    power.drives_w = steady_w + sleeping * sleep.power_w + spares_w(array)
    power.starts_per_s = sleeping * sleep.starts_per_s
    power.asleep_count = sleeping * sleep.asleep_fraction
