"""Load, response and power of an array of equal drives in closed form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.erlang import erlang_c
from capmodels.storage.closed_form.link_use import die_wait_ms, link_wait_ms
from capmodels.storage.closed_form.small_writes import Asked, Served
from capmodels.storage.closed_form.two_phases import two_phases, write_ms
from capmodels.storage.drive.power_states import always_on_w, one_awake_w
from capmodels.storage.drive.service import (
    MS_PER_S,
    Moments,
    mixed_moments,
    response_ms,
    revolution_ms,
)
from capmodels.storage.simulator.layout import DECLUSTERED, PARITIES

if TYPE_CHECKING:
    from capmodels.storage.closed_form.mixed_service import Service
    from capmodels.storage.closed_form.params import ArrayInstantParams
    from capmodels.storage.closed_form.two_phases import TwoPhases
    from capmodels.storage.drive.drives import Drive


class Work(NamedTuple):
    """Time for which the average request holds devices, reading and writing. [ms]"""

    read_ms: float
    write_ms: float


def written_devices(params: ArrayInstantParams) -> int:
    """Devices that a write changes."""
    if params.layout in PARITIES:
        return 1 + PARITIES[params.layout]
    return {"mirrored_set": params.disks_count, "raid10": 2}.get(params.layout, 1)


class Updates(NamedTuple):
    """Small writes in two phases at the disks of an array that keeps up."""

    found: TwoPhases
    write_ms: float | None  # response of a write; None above the load up to which it holds


def second_phases(params: ArrayInstantParams, service: Service) -> Updates | None:
    """Small writes in two phases at the disks of an array; None of others, or overloaded."""
    if not in_two_phases(params) or params.drive.kind == "ssd":
        return None
    per_ms = params.arrival_rate_per_s / MS_PER_S / params.disks_count
    many = written_devices(params)
    writes = (1 - params.read_fraction) * many
    spread = params.layout in DECLUSTERED
    asked = Asked(per_ms * params.read_fraction, per_ms * writes, many, params.disks_count, spread)
    turn_ms = revolution_ms(params.drive.speed_rpm)
    served = Served(service.read, service.write, service.fixed_ms, turn_ms)
    found = two_phases(asked, served)
    return None if found.overloaded else Updates(found, write_ms(asked, served, found))


def in_two_phases(params: ArrayInstantParams) -> bool:
    """Whether there are small writes that read first, and write once all have read."""
    return params.layout in PARITIES and params.read_fraction < 1 and not params.locked_updates


def work_of(params: ArrayInstantParams, service: Service, found: Updates | None = None) -> Work:
    """Device time of the average request: copies, or data and parities read and written.

    Without what is found of two phases, theirs is that of disks that never rest, and seek.
    """
    writes, devices = 1 - params.read_fraction, written_devices(params)
    if in_two_phases(params) and params.drive.kind == "hdd":
        second = service.write if found is None else found.found.second
        reads = params.read_fraction + writes * devices
        return Work(reads * service.read.mean_ms, writes * devices * second.mean_ms)
    between = service.between_ms if params.layout in PARITIES else 0.0
    return Work(
        params.read_fraction * service.read.mean_ms + writes * devices * between,
        writes * devices * service.write.mean_ms,
    )


def channels_count(drive: Drive) -> int:
    """Operations that a drive serves at the same time."""
    return drive.channels_count if drive.kind == "ssd" else 1


def mixed_service(share: float, service: Service) -> tuple[Moments, float]:
    """Time on a channel of reads and writes together, and their mean until answered. [ms]"""
    each = mixed_moments(((share, service.read), (1 - share, service.write)))
    return each, share * service.read_answer_ms + (1 - share) * service.answer_ms


class Waits(NamedTuple):
    """Mean wait for a device: any channel of it, or the one channel that has the data. [ms]"""

    any_ms: float
    own_ms: float


def waits_of(
    params: ArrayInstantParams, service: Service, found: Updates | None = None
) -> Waits | None:
    """Waits when each device is a queue of its own share of operations; None when overloaded.

    M/G/1 for one channel; M/G/c by Erlang's C and the variation of service for a drive of c
    channels (Allen and Cunneen). Copies and parities bring each device Poisson arrivals too, but
    for second phases of small writes, see ``two_phases``.
    """
    if in_two_phases(params) and params.drive.kind == "hdd":
        return None if found is None else Waits(found.found.wait_ms, found.found.wait_ms)
    read_ops, write_ops = params.read_fraction, (1 - params.read_fraction) * written_devices(params)
    write = service.update if params.layout in PARITIES else service.write
    ops = read_ops + write_ops
    each = mixed_moments(((read_ops / ops, service.read), (write_ops / ops, write)))
    link_ms = link_wait_ms(params, service, written_devices(params))
    channels = channels_count(params.drive)
    rate = params.arrival_rate_per_s * ops / params.disks_count / channels
    load = rate / MS_PER_S * each.mean_ms
    if load >= 1 or link_ms is None:
        return None
    own = link_ms + response_ms(rate, each) - each.mean_ms
    if params.drive.kind == "ssd" and params.drive.dies is not None:
        own = link_ms + die_wait_ms((rate * read_ops / ops, service.read), (rate, each))
    if channels == 1:
        return Waits(own, own)
    queued = erlang_c(servers=channels, offered=load * channels)
    variation = each.mean_square_ms2 / each.mean_ms**2
    any_ms = link_ms + queued * each.mean_ms / (channels * (1 - load)) * variation / 2
    return Waits(any_ms, own)


def read_wait_ms(drive: Drive, waits: Waits) -> float:
    """Mean wait of a read: for the die that has its data, where a drive is known by its dies."""
    return waits.own_ms if drive.kind == "ssd" and drive.dies is not None else waits.any_ms


def mean_response_ms(
    params: ArrayInstantParams,
    service: Service,
    waits: Waits | None,
    found: Updates | None = None,
) -> float | None:
    """Mean response where each asks one device, or writes in two phases; else None. [ms]"""
    if waits is not None and found is not None and found.write_ms is not None:
        read = service.read_answer_ms + read_wait_ms(params.drive, waits)
        return params.read_fraction * read + (1 - params.read_fraction) * found.write_ms
    if waits is None or (params.read_fraction < 1 and params.layout != "raid0"):
        return None
    share = params.read_fraction
    wait = share * read_wait_ms(params.drive, waits) + (1 - share) * waits.any_ms
    return mixed_service(share, service)[1] + wait


def array_power_w(drive: Drive, disks_count: int, rate_per_s: float, work: Work) -> float:
    """Power of devices that never sleep, full ones at most. [W]"""
    busy = rate_per_s / 1000 * (work.read_ms + work.write_ms) / channels_count(drive)
    full = min(1.0, disks_count / busy) if busy > 0 else 1.0
    per_device = rate_per_s / 1000 * full / channels_count(drive)
    power = always_on_w(
        disks_count=disks_count,
        idle_w=drive.idle_w,
        active_w=drive.active_w,
        busy_disks=per_device * work.read_ms,
    )
    write_w = drive.active_w
    if drive.kind == "ssd" and drive.write_w is not None:
        write_w = drive.write_w
    return power + (write_w - drive.idle_w) * per_device * work.write_ms


def one_awake_power_w(params: ArrayInstantParams, busy: float) -> float | None:
    """Power of copies of which one is awake; None where they cannot sleep. [W]"""
    drive = params.drive
    if drive.kind == "ssd" or drive.standby is None or params.layout != "mirrored_set":
        return None
    if busy >= 1 or params.read_fraction < 1:
        return None
    return one_awake_w(
        disks_count=params.disks_count,
        idle_w=drive.idle_w,
        active_w=drive.active_w,
        standby_w=drive.standby.power_w,
        busy_disks=busy,
    )
