"""What a run of the array simulator answers: the result's fields, filled from an outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.storage.drive.power_states import years_to_rating
from capmodels.storage.drive.wear import amplification, endurance_flash_tb, flash_tb
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.copies import copies_use
from capmodels.storage.simulator.figure_rows import table_of
from capmodels.storage.simulator.figures import Shown, figures, power
from capmodels.storage.simulator.layout import DECLUSTERED, lost_disks
from capmodels.storage.simulator.per_year import per_year
from capmodels.storage.simulator.results import (
    PERCENTILES,
    ArrayMeasures,
    ArrayResult,
    CacheUse,
    DeviceUse,
    Requests,
    Responses,
    StateUse,
)
from capmodels.storage.simulator.saturation import copies_of, saturation
from capmodels.storage.simulator.series import (
    CurvePoint,
    cdf_points,
    energy_shares,
    percentile_intervals,
    percentile_ms,
    power_pieces,
)
from capmodels.storage.simulator.spread import held_fraction
from capmodels.storage.simulator.told import told

if TYPE_CHECKING:
    from capmodels.storage.drive.drives import Drive
    from capmodels.storage.simulator.params import ArrayDesign, YearTerms
    from capmodels.storage.simulator.run import Outcome

# A tail percentile of fewer requests says little.
TAIL_REQUESTS_MIN = 10_000
# Percentiles from here on are of the tail.
_TAIL_SHARE = 0.99
_SECONDS_PER_YEAR = 8760.0 * 3600.0


def _responses(out: Outcome, rows: list[int], requests: Requests, shown: bool) -> Responses:
    total = out.response[rows].sum(axis=0)
    histogram = out.histogram[rows].sum(axis=0)
    count = int(total[k.DONE])
    if count == 0 or not shown:
        names = (name for name, _, _ in PERCENTILES)
        nothing = dict.fromkeys(("mean_ms", "sd_ms", *names, "max_ms"))
        return Responses(requests=requests, requests_count=count, **nothing)
    mean = total[k.SUM] / count
    variance = max(total[k.SUM_SQUARES] / count - mean * mean, 0.0)
    largest_ms = float(out.response[rows, k.LARGEST].max())
    below = _TAIL_SHARE if count < TAIL_REQUESTS_MIN else 1.0
    percentiles = {
        name: percentile_ms(histogram, share, largest_ms) if share < below else None
        for name, share, _ in PERCENTILES
    }
    return Responses(
        requests=requests,
        requests_count=count,
        mean_ms=float(mean),
        sd_ms=float(variance**0.5),
        max_ms=largest_ms,
        **percentiles,
    )


def _years(design: ArrayDesign, out: Outcome, d: int) -> float | None:
    """Years until a device's rating is used up at this pace. [yr]"""
    per_year = _SECONDS_PER_YEAR / max(out.end_ms / 1000, 1e-9)
    drive = _drive(design, out, d)
    if drive.kind == "hdd":
        starts = float(out.count[d, k.SPIN_UPS]) * per_year
        return years_to_rating(starts_per_year=starts, rating_count=drive.start_stop_rating_count)
    endurance_tb = endurance_flash_tb(drive)
    if endurance_tb is None:
        return None
    written_tb = _tb(out, d, k.WRITE_SECTORS)
    taken_tb = flash_tb(drive, written_tb, _random_fraction(design, out, d))
    return years_to_rating(starts_per_year=taken_tb * per_year, rating_count=endurance_tb)


def _tb(out: Outcome, d: int, sectors: int) -> float:
    """Data of a device by a count of its sectors. [TB]"""
    return float(out.count[d, sectors]) * 512 / 1e12


def _operations(out: Outcome, d: int) -> int:
    return int(out.count[d, k.READ_OPS] + out.count[d, k.WRITE_OPS])


def _random_fraction(design: ArrayDesign, out: Outcome, d: int) -> float:
    """Share of a device's writes that are at random: all of those to a cache."""
    return 1.0 if _is_cache(design, out, d) else out.random_fraction


def _is_cache(design: ArrayDesign, out: Outcome, d: int) -> bool:
    return design.cache is not None and d == len(out.time_ms) - 1


def _drive(design: ArrayDesign, out: Outcome, d: int) -> Drive:
    cache = design.cache if _is_cache(design, out, d) else None
    return design.drive if cache is None else cache.device


def _name(design: ArrayDesign, out: Outcome, d: int) -> str:
    layout = design.layout
    if _is_cache(design, out, d):
        return "cache"
    if d in lost_disks(layout):
        stays = layout.rebuild_mb_per_s is None or layout.kind in DECLUSTERED
        return f"disk {d} (lost)" if stays else f"disk {d} (spare)"
    return f"disk {d}"


def _access_split(design: ArrayDesign, out: Outcome, d: int) -> dict[str, float | None]:
    """Mean time of an operation by part, of a disk; write amplification of a solid-state drive."""
    drive, operations = _drive(design, out, d), _operations(out, d)
    names = ("seek_mean_ms", "rotation_mean_ms", "transfer_mean_ms")
    if drive.kind == "ssd" or not operations:
        share = _random_fraction(design, out, d)
        ratio = amplification(drive, share) if drive.kind == "ssd" else None
        return {**dict.fromkeys(names), "write_amplification_ratio": ratio}
    seek, turning = float(out.waits_ms[d, 1]), max(float(out.waits_ms[d, 2]), 0.0)
    rest = max(float(out.time_ms[d, :2].sum()) - seek - turning, 0.0)
    parts = (part / operations for part in (seek, turning, rest))
    return {**dict(zip(names, parts, strict=True)), "write_amplification_ratio": None}


def _access_energy_j(out: Outcome, d: int) -> float | None:
    """Energy of an operation of a device, idle time not counted. [J]"""
    operations = _operations(out, d)
    if not operations:
        return None
    return float(out.energy_mj[d, [k.ACTIVE, k.SEEK]].sum()) / 1000 / operations


def _device(design: ArrayDesign, out: Outcome, d: int) -> DeviceUse:
    total = max(out.end_ms, 1e-9)
    shares = out.time_ms[d] / total
    return DeviceUse(
        name=_name(design, out, d),
        power_w=float(out.energy_mj[d].sum() / total),
        utilization_fraction=min(float(shares[:2].sum()), 1.0),
        states=tuple(
            StateUse(
                state=name,
                time_fraction=min(max(float(share), 0.0), 1.0),
                energy_j=max(float(energy) / 1000, 0.0),
            )
            for name, share, energy in zip(k.STATE_NAMES, shares, out.energy_mj[d], strict=True)
        ),
        spin_ups_count=int(out.count[d, k.SPIN_UPS]),
        low_power_wakes_count=int(out.count[d, k.LPI_WAKES]),
        reads_count=int(out.count[d, k.READ_OPS]),
        writes_count=int(out.count[d, k.WRITE_OPS]),
        read_tb=_tb(out, d, k.READ_SECTORS),
        written_tb=_tb(out, d, k.WRITE_SECTORS),
        max_queue_count=int(out.count[d, k.MAX_QUEUE]),
        mean_queue_count=max(float(out.waits_ms[d, 0]) / total, 0.0),
        load_unloads_count=int(out.count[d, k.SPIN_UPS] + out.count[d, k.LPI_WAKES]),
        **_access_split(design, out, d),
        access_energy_j=_access_energy_j(out, d),
        years_to_rating_years=_years(design, out, d),
    )


def _cache(design: ArrayDesign, out: Outcome) -> CacheUse | None:
    if design.cache is None:
        return None
    hits, misses = int(out.tally[k.CACHE_READ_HITS]), int(out.tally[k.CACHE_READ_MISSES])
    return CacheUse(
        read_hits_count=hits,
        read_misses_count=misses,
        hit_fraction=hits / (hits + misses) if hits + misses else None,
        fills_count=int(out.tally[k.CACHE_FILLS]),
        writes_count=int(out.tally[k.CACHE_WRITES]),
        plain_copies_count=int(out.tally[k.PLAIN_COPIES]),
        destages_count=int(out.tally[k.DESTAGES]),
        woken_destages_count=int(out.tally[k.WOKEN_DESTAGES]),
        written_tb=_tb(out, -1, k.WRITE_SECTORS),
        dirty_blocks_count=out.dirty_blocks,
        dirty_tb=out.dirty_blocks * design.cache.block_bytes / 1e12,
    )


def _rebuild(design: ArrayDesign, out: Outcome) -> tuple[float | None, float | None]:
    """Rate of the rebuild of a disk, and the time that all it held takes at it. [MB/s, s]"""
    done = float(out.tally[k.REBUILT_SECTORS]) * 512 / 1e6
    if done == 0 or out.rebuilt_ms == 0:
        return None, None
    layout = design.layout
    if layout.kind in DECLUSTERED:
        done /= layout.failed_disk_count
    rate = done / (out.rebuilt_ms / 1000)
    return rate, design.drive.capacity_gb * held_fraction(layout) * 1000 / rate


def result_of(
    design: ArrayDesign,
    out: Outcome,
    *,
    closed: bool,
    curve: tuple[CurvePoint, ...] = (),
    years: YearTerms | None = None,
) -> ArrayResult:
    """Fill the result from an outcome."""
    run = _measures(design, out, closed=closed, curve=curve, years=years)
    measured = {name: getattr(run, name) for name in ArrayMeasures.model_fields}
    alone = Shown(letter="", title="", run=run)
    over_time = power(alone)
    drawn = (*figures((alone,)), *(() if over_time is None else (over_time,)))
    return ArrayResult(**measured, **told(run)._asdict(), tables=(table_of(run),), figures=drawn)


def _measures(
    design: ArrayDesign,
    out: Outcome,
    *,
    closed: bool,
    curve: tuple[CurvePoint, ...],
    years: YearTerms | None,
) -> ArrayMeasures:
    from capmodels.storage.simulator.run import mean_interval_ms

    reason = saturation(out, closed=closed, copies=copies_of(design))
    shown = reason is None
    seconds = out.end_ms / 1000
    energy = float(out.energy_mj.sum()) / 1000
    mean, half = mean_interval_ms(out.batches)
    low = high = None
    if half is not None and shown:
        low, high = max(mean - half, 0.0), mean + half
    cdf = cdf_points(out) if shown else ((), ())
    rate, rebuild_s = _rebuild(design, out)
    few = int(out.response[:, k.DONE].sum()) < TAIL_REQUESTS_MIN
    found = {"few_requests": few, "saturated": not shown, "trace_folded": out.folded}
    return ArrayMeasures(
        duration_s=seconds,
        requests_count=out.taken,
        power_w=energy / max(seconds, 1e-12),
        energy_j=energy,
        energy_kwh=energy / 3.6e6,
        energy_per_1000_requests_j=energy / max(out.taken, 1) * 1000,
        responses=(
            _responses(out, [0, 1], "all", shown),
            _responses(out, [0], "reads", shown),
            _responses(out, [1], "writes", shown),
        ),
        mean_interval_low_ms=low,
        mean_interval_high_ms=high,
        percentile_intervals=percentile_intervals(out) if shown else (),
        cdf_response_ms=cdf[0],
        cdf_fraction=cdf[1],
        throughput_per_s=out.taken / max(seconds, 1e-12),
        throughput_mb_per_s=out.bytes_moved / 1e6 / max(seconds, 1e-12),
        mean_in_system_count=mean * out.taken / max(out.end_ms, 1e-9),
        saturated=not shown,
        saturated_reason=reason,
        devices=tuple(_device(design, out, d) for d in range(len(out.time_ms))),
        power_over_time=power_pieces(out),
        energy_by_cause=energy_shares(design, out),
        curve=curve,
        stopped_early=out.stopped,
        cache=_cache(design, out),
        copies=copies_use(out.copies, full=out.copies_full),
        buffer_hits_count=int(out.tally[k.BUFFER_HITS]),
        parity_operations_count=int(out.tally[k.PARITY_OPS]),
        reconstructed_reads_count=int(out.tally[k.LOST_READS]),
        rebuild_mb_per_s=rate,
        rebuild_s=rebuild_s,
        per_year=per_year(design, energy / max(seconds, 1e-12), years, rebuild_s),
        warnings=tuple(word for word, holds in found.items() if holds),
    )
