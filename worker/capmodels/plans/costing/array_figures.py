"""What an array of a design is like: response, ceilings, wear, chance of loss. Points only."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.errors import ModelError
from capmodels.performance.queueing import QueueParams, UnstableQueue, Waiting
from capmodels.plans.costing.array_cost import (
    mean_per_s,
    power_at,
)
from capmodels.plans.costing.array_durability import cluster_of, survival_of
from capmodels.plans.costing.array_load import (
    Operations,
    awake_count,
    disk_rates,
    idle_box,
    second_phases,
    sleeper_of,
    ssd_ms,
)
from capmodels.plans.costing.array_simulation import simulations_of
from capmodels.plans.costing.array_size import (
    arrays_count,
    cluster_nodes_count,
)
from capmodels.plans.costing.array_wear import wear_of
from capmodels.plans.costing.array_years import array_years, growth_in_words
from capmodels.storage.closed_form.two_phases import ABOVE_LOAD, write_ms
from capmodels.storage.cluster.links import Asked, links_of
from capmodels.storage.cluster.responses import PERCENTILES, responses, way_ms
from capmodels.storage.drive.service import (
    MS_PER_S,
    Moments,
    fork_join_ms,
    response_ms,
    waiting_variance_ms2,
)
from capmodels.storage.drive.spin_down import wake_wait_ms
from capmodels.storage.drive.times import read_busy_ms, write_busy_ms
from capmodels.units import HOURS_PER_YEAR, MONTHS_PER_YEAR, SECONDS_PER_HOUR

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.array_load import DiskRates
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.array_code import ArrayCode
    from capmodels.plans.document.array_parts import IoMix
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.spec import JSONDict
    from capmodels.storage.cluster.links import Links
    from capmodels.storage.cluster.params import CodedCluster
    from capmodels.storage.cluster.responses import Responses

Value = tuple[float | None, str | None]

_DRIVES = "Drives of an array"
_NEVER = "Its drives' failure rate is 0."
_OVERLOADED = "The requests are more than it can serve, so they wait without end."


def array_figures(
    plan: ArrayPlan,
    scene: Scene,
    refresh_months: int | None,
    total_usd: float | None,
    kgco2e: float | None,
) -> JSONDict:
    """Everything known of the arrays at the end, as ``storage_figures.ArrayFigures``."""
    array = plan.array
    count, peak = plan.counts[-1], plan.peaks_per_s[-1]
    usable, drives = count * array.usable_tb, plan.drives_count(-1)
    each = as_number(peak / count if count else 0.0)
    response, unknown = _response(plan, each)
    percentiles, why_none = _percentiles(plan, each, (response, unknown))
    power, box = power_at(plan, -1, mean_per_s(plan, scene, -1)), idle_box(array)
    wear = wear_of(plan, scene, -1)
    survival = survival_of(plan, scene, refresh_months)
    space = tb_years(plan, scene)
    per_tb_year = kgco2e / space if kgco2e is not None and space else None
    reasons = {
        "response_mean_ms": unknown,
        **dict.fromkeys((f"response_{name}" for name in PERCENTILES), why_none),
        "wear_years": wear.reason,
        "kgco2e_per_tb_year": None if per_tb_year is not None else "Its emissions are unknown.",
        "usd_per_tb_year": None if total_usd is not None else "Its nodes cost as well.",
    }
    beside = survival.beside
    safety = {
        "loss_fraction_per_year": survival.loss_fraction,
        "object_nines_count": survival.nines_count,
        "rebuild_h": survival.rebuild_h,
    }
    why = _NEVER if survival.failures_per_year == 0 else beside.unknown
    reasons |= {name: why for name, value in safety.items() if value is None}
    if not space:
        empty = "There is no array, and so no space."
        reasons |= {"usd_per_tb_year": empty, "kgco2e_per_tb_year": empty}
    ceilings = plan.ceilings_per_s(count)
    return {
        "arrays_count": arrays_count(array, count),
        "nodes_count": cluster_nodes_count(array, count),
        "drives_count": drives,
        "raw_tb": drives * array.drive.capacity_gb / 1000.0,
        "usable_tb": usable,
        "used_fraction": plan.held_tb(scene, scene.months) / usable if usable else None,
        "iops_ceiling_per_s": count * plan.iops_ceiling_per_s(count),
        "iops_bound_by": min(ceilings, key=lambda name: as_number(ceilings[name])),
        "throughput_ceiling_mb_per_s": count * plan.stream_mb_per_s(count),
        "requests_per_s": peak,
        "response_mean_ms": response,
        **percentiles,
        "mean_w": plan.total(-1, power.total_w, box.total_w),
        "watts": {
            "drives": plan.total(-1, power.drives_w, box.drives_w),
            "cache": plan.total(-1, power.cache_w, box.cache_w),
            "enclosure": plan.total(-1, power.enclosure_w, box.enclosure_w),
        },
        "drives_busy_count": count * power.busy_count,
        "drives_asleep_count": count * power.asleep_count,
        "starts_per_drive_year": power.starts_per_s
        / array.serving_count
        * HOURS_PER_YEAR
        * SECONDS_PER_HOUR,
        "wear_years": wear.years,
        "wears_first": wear.part,
        **safety,
        "rebuild_mb_per_s": beside.mb_per_s,
        "rebuild_bound": beside.bound,
        "failures_per_year": survival.failures_per_year,
        "usd_per_tb_year": total_usd / space if total_usd is not None and space else None,
        "kgco2e_per_tb_year": per_tb_year,
        "growth": growth_in_words(plan, scene),
        "independent": array.together_ratio == 1.0 and survival.loss_fraction is not None,
        "years": array_years(plan, scene, refresh_months, partial(_yearly, plan)),
        "simulations": simulations_of(plan, as_number(count), as_number(peak)),
        "reasons": {name: reason for name, reason in reasons.items() if reason is not None},
    }


def tb_years(plan: ArrayPlan, scene: Scene) -> float:
    """Space for data over the horizon. [TB yr]"""
    by_interval = zip(plan.counts, scene.intervals, strict=True)
    months = sum(count * interval.months for count, interval in by_interval)
    return as_number(months / MONTHS_PER_YEAR * plan.array.usable_tb)


def _response(plan: ArrayPlan, requests_per_s: float) -> Value:
    if plan.array.carries == "object" and not requests_per_s:
        return None, "The work says nothing of requests to this data."
    return response_mean_ms(plan.array, plan, requests_per_s)


def _yearly(plan: ArrayPlan, requests_per_s: float) -> tuple[float | None, float | None]:
    """Mean and 99th percentile of the responses of one array."""
    found = _response(plan, requests_per_s)
    return found[0], _percentiles(plan, requests_per_s, found)[0].get("response_p99_ms")


def response_mean_ms(array: ArraySpec, plan: ArrayPlan, requests_per_s: float) -> Value:
    """Mean response of a request to one array; None with a reason when it is overloaded. [ms]

    First-come queues of equal drives (Pollaczek and Khinchine); a request in parts waits for
    the slowest (Nelson and Tantawi; in a cluster as ``storage.cluster_code`` has it); a drive that
    sleeps adds its wake-up. Of mirrored copies those that are awake answer, the others follow.
    """
    mix = plan.mix
    rates = disk_rates(array, mix, requests_per_s)
    ops = plan.ops
    busy = as_number(rates.reads * ops.read_ms + rates.writes * ops.write_ms) / MS_PER_S
    if busy >= array.serving_count:
        return None, _OVERLOADED
    try:
        if array.code is None:
            read, write = _drives_ms(array, ops, rates)
        else:
            found = cluster_responses(array, plan, requests_per_s)
            if found is None:
                return None, _OVERLOADED
            read, write = found.read.mean_ms, found.write.mean_ms
        if array.cache is not None:
            at_read, at_write = _cache_ms(array, plan, requests_per_s)
            at_read += _way_ms(array, mix, requests_per_s, write=False)
            at_write += _way_ms(array, mix, requests_per_s, write=True)
            hit = array.cache.hit_fraction
            read = hit * at_read + (1.0 - hit) * read
            write = at_write if array.cache.write_back else write
    except (ModelError, UnstableQueue):
        return None, _OVERLOADED
    if write is None:
        return None, ABOVE_LOAD
    return mix.read_fraction * read + (1.0 - mix.read_fraction) * write, None


def cluster_responses(array: ArraySpec, plan: ArrayPlan, requests_per_s: float) -> Responses | None:
    """Requests that the drives of a cluster answer; None where they would wait for ever."""
    code, mix = array.code, plan.mix
    if code is None:
        raise TypeError
    rates = disk_rates(array, mix, requests_per_s)
    cluster = cluster_of(array)
    return responses(
        cluster,
        Asked(as_number(rates.reads), as_number(rates.writes), mix.request_bytes),
        _links(cluster, mix, requests_per_s),
        _coding_ms(code, mix),
        sequential=mix.pattern == "sequential",
    )


def _percentiles(
    plan: ArrayPlan, requests_per_s: float, mean: Value
) -> tuple[JSONDict, str | None]:
    """Within what shares of the requests to a cluster stay, or why that is not known."""
    array = plan.array
    if array.code is None:
        return {}, "Known in closed form of clusters alone: simulate the array."
    if array.cache is not None:
        return {}, "Behind a cache the mean alone is known in closed form: simulate it."
    found = None if mean[0] is None else cluster_responses(array, plan, requests_per_s)
    if found is None:
        return {}, mean[1]
    told = found.mixed._asdict()
    return {f"response_{name}": told[name] for name in PERCENTILES}, None


def _links(cluster: CodedCluster, mix: IoMix, requests_per_s: float) -> Links:
    """What the networks of a cluster's nodes pass."""
    reads = requests_per_s * mix.read_fraction
    asked = Asked(reads, requests_per_s - reads, mix.request_bytes)
    return links_of(cluster, asked)


def _drives_ms(array: ArraySpec, ops: Operations, rates: DiskRates) -> tuple[float, float | None]:
    """Mean response of a read and a write at the drives, None where that is not known. [ms]"""
    if ops.phases is None or not rates.writes:
        both = as_number(rates.reads), as_number(rates.writes)
        read, write = (_parts_ms(array, ops, both, write=way) for way in (False, True))
        return read, write
    return _phases_ms(array, ops, rates)


def _phases_ms(array: ArraySpec, ops: Operations, rates: DiskRates) -> tuple[float, float | None]:
    """As ``_drives_ms``, of small writes that read first. [ms]"""
    phases, served = second_phases(array, ops, rates), ops.phases
    if phases is None or served is None:
        raise TypeError
    asked, found = phases
    if found.overloaded:
        raise ModelError(_OVERLOADED)
    waking = _waking_ms(array, asked.per_ms * MS_PER_S)
    wait, load = found.wait_ms + waking, found.load_fraction
    read = fork_join_ms(
        response_mean_ms=wait + served.read.mean_ms,
        response_sd_ms=math.sqrt(
            max(served.read.variance_ms2, 0.0) + waiting_variance_ms2(wait, load)
        ),
        load_fraction=load,
        parts_count=ops.reads_count,
    )
    write = write_ms(asked, served, found)
    return read, None if write is None else write + waking


def _way_ms(array: ArraySpec, mix: IoMix, requests_per_s: float, *, write: bool) -> float:
    """What the way to a cluster's cache adds: a hop, the network, coding what is written."""
    code = array.code
    if code is None:
        return 0.0
    cluster = cluster_of(array)
    links = _links(cluster, mix, requests_per_s)
    way = way_ms(cluster, write=write) + links.wait_ms + links.whole_ms
    return way + _coding_ms(code, mix) * write


def _coding_ms(code: ArrayCode, mix: IoMix) -> float:
    coding = mix.request_bytes / (code.code_gb_per_s * 1e9) * MS_PER_S
    return coding if code.data_count > 1 else 0.0


def _parts_ms(
    array: ArraySpec,
    ops: Operations,
    rates: tuple[float, float],
    *,
    write: bool,
) -> float:
    """Mean response of a read or a write at the drives. [ms]"""
    reads_per_s = rates[0] * ops.reads_count / _readers(array, ops, rates)
    writes_per_s = rates[1] * ops.writes_count / array.serving_count
    rate = reads_per_s + writes_per_s
    share = writes_per_s / rate if rate else float(write)
    mixed = Moments(
        (1 - share) * ops.read.mean_ms + share * ops.write.mean_ms,
        (1 - share) * ops.read.mean_square_ms2 + share * ops.write.mean_square_ms2,
    )
    load = rate * mixed.mean_ms / MS_PER_S / ops.channels
    wait = _wait_ms(rate, mixed, ops.channels) + _waking_ms(array, rate)
    own = ops.answer if write else ops.read_answer
    mean = wait + own.mean_ms
    return fork_join_ms(
        response_mean_ms=mean,
        response_sd_ms=math.sqrt(max(own.variance_ms2, 0.0) + waiting_variance_ms2(wait, load)),
        load_fraction=load,
        parts_count=ops.writes_count if write else ops.reads_count,
    )


def _readers(array: ArraySpec, ops: Operations, rates: tuple[float, float]) -> float:
    """Drives that reads are spread over: all, or the copies that are awake."""
    if array.power_policy.kind != "threshold" or array.copies == 1:
        return array.serving_count
    busy = (rates[0] * ops.read_ms + rates[1] * ops.write_ms) / MS_PER_S
    return as_number(awake_count(array, busy))


def _wait_ms(rate_per_s: float, service: Moments, channels: int) -> float:
    """Mean wait at one drive with some channels. [ms]"""
    if rate_per_s == 0:
        return 0.0
    if channels == 1:
        return response_ms(rate_per_s, service) - service.mean_ms
    variation = math.sqrt(max(service.variance_ms2, 0.0)) / service.mean_ms
    queue = QueueParams(
        arrival_rate_per_s=rate_per_s,
        service_ms=service.mean_ms,
        service_variation_ratio=variation,
        servers_count=channels,
    )
    return Waiting(queue).wait_s * MS_PER_S


def _waking_ms(array: ArraySpec, rate_per_s: float) -> float:
    """What waking adds, where every drive sleeps; of copies, one that is awake answers."""
    drive = array.drive
    if array.power_policy.kind != "threshold" or drive.kind != "hdd" or array.copies > 1:
        return 0.0
    return wake_wait_ms(sleeper_of(array, drive), rate_per_s)


def _cache_ms(array: ArraySpec, plan: ArrayPlan, requests_per_s: float) -> tuple[float, float]:
    """Mean response of the cache to a read that hits, and to a write. [ms]"""
    cache = array.cache
    if cache is None:
        raise TypeError
    read, write = ssd_ms(cache.device, plan.mix.request_bytes)
    reading = read_busy_ms(cache.device, plan.mix.request_bytes)
    writing = write_busy_ms(cache.device, plan.mix.request_bytes)
    mean = plan.mix.read_fraction * reading + (1.0 - plan.mix.read_fraction) * writing
    rate = requests_per_s / cache.count
    wait = _wait_ms(rate, Moments(mean, mean * mean), cache.device.channels_count)
    return wait + read, wait + write


def array_shortfall(plan: ArrayPlan, scene: Scene) -> str | None:
    """Why arrays do not hold the data or serve the requests; None when they do."""
    words = {"disk": "the data", "iops": "the requests", "throughput": "the throughput"}
    for at, interval in enumerate(scene.intervals):
        if not plan.carries(at):
            needs = plan.required[at]
            resource = max(needs, key=lambda name: as_number(needs[name]))
            return (
                f"{needs[resource]:.2f} such arrays are needed for {words[resource]} of year "
                f"{interval.year + 1}; it has {plan.counts[at]:.0f}."
            )
    return None
