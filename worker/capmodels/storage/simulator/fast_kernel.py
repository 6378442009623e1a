"""The simulator's short way: one hard disk or copies of it, first come first served, no cache. [ms]

It does what ``loop_kernel.open_loop`` does, in the same order and to the same numbers, with the
chances of a chunk drawn beforehand: a generator that is passed down costs more than the arithmetic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.device_kernel import pop_done, push_end, seek_at
from capmodels.storage.simulator.layout_kernel import nearest, primary_first, round_robin, shortest
from capmodels.storage.simulator.loop_kernel import record
from capmodels.storage.simulator.op_kernel import all_disks
from capmodels.storage.simulator.place_kernel import switches_ms, track_of, zone_switches_ms
from capmodels.storage.simulator.power_states_kernel import sleeps_after, wake

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.slots import Machine

# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.machine_dtype()


@kernel
def find_places(m: Machine, ops: NDArray[np.int64], found: NDArray[np.float64]) -> None:
    """Fill in where each request puts the head, and its fixed time, shape (2, n)."""
    p = m.par[0]
    if m.plan[k.ZONES] > 0:
        by_zones(m, ops, found)
        return
    outer = p[k.MS_PER_SECTOR_OUTER]
    slope = p[k.MS_PER_SECTOR_INNER] - outer
    for i in range(ops.shape[0]):
        if m.plan[k.TRACKS] > 0:
            track = track_of(m, ops[i, 0])
            found[0, i] = m.tracks[track, 2]
            found[1, i] = p[k.FIXED] + ops[i, 1] * p[k.TURN] / m.tracks[track, 1]
            found[1, i] += switches_ms(m, ops[i, 0], ops[i, 1])
        else:
            found[0, i] = ops[i, 0] / p[k.SECTORS]
            found[1, i] = p[k.FIXED] + ops[i, 1] * (outer + slope * found[0, i])


@kernel
def by_zones(m: Machine, ops: NDArray[np.int64], found: NDArray[np.float64]) -> None:
    """As ``find_places``, on a map of whole zones; a cylinder by the reciprocal of its sectors."""
    p = m.par[0]
    zones, shift = m.plan[k.ZONES], m.plan[k.ZONE_SHIFT]
    for i in range(ops.shape[0]):
        sector = ops[i, 0]
        zone = m.zone_of[sector >> shift]
        while zone + 1 < zones and m.zones[zone + 1, 0] <= sector:
            zone += 1
        # Half a sector keeps the quotient off the whole numbers, where it might be rounded down.
        inside = sector - m.zones[zone, 0]
        per_track = m.zones[zone, 1]
        found[0, i] = m.zones[zone, 2] + int((inside + 0.5) / m.zones[zone, 3])
        found[1, i] = p[k.FIXED] + ops[i, 1] * p[k.TURN] / per_track
        track = int((inside + 0.5) / per_track)
        if inside + ops[i, 1] > (track + 1) * per_track:
            found[1, i] += zone_switches_ms(m, zone, sector, ops[i, 1])


@kernel
def seek_to(m: Machine, d: int, place: float) -> float:
    """Seek of a disk to a place. [ms]"""
    distance = abs(place - m.now[d, k.HEAD])
    if m.plan[k.TRACKS] > 0:
        return m.seek_table[int(distance)]
    return seek_at(m, d, distance, distance * m.par[d, k.SECTORS]) if distance > 0 else 0.0


@kernel
def start_of(m: Machine, d: int, t: float, waiting: int) -> float:
    """When an operation that comes at ``t`` starts; an idle disk's gap is booked. [ms]"""
    free = m.now[d, k.FREE]
    if waiting > 0 or t <= free:
        return free
    if t - free >= sleeps_after(m, d):
        wake(m, d, t)
        return m.now[d, k.FREE]
    m.time_ms[d, k.IDLE] += t - free
    m.energy_mj[d, k.IDLE] += (t - free) * m.par[d, k.P_IDLE]
    return t


@kernel
def serve_one(
    m: Machine, d: int, t: float, one: tuple[int, int, int], times: tuple[float, float, float]
) -> float:
    """As ``device_kernel.serve`` for (sector, sectors, write), (place, fixed, rotation). [ms]"""
    sector, sectors, write = one
    place, rest, rotation = times
    waiting = pop_done(m, d, t)
    start = start_of(m, d, t, waiting)
    seek = 0.0
    if sector != m.now[d, k.LAST_END]:
        seek = seek_to(m, d, place)
        m.now[d, k.SEEKING] += seek
        m.now[d, k.TURNING] += rotation
        if write == 0:
            rest += rotation
        elif m.plan[k.TRACKS] > 0:
            seek = max(seek + m.par[d, k.SETTLE], 0.0)
            rest += rotation
        else:
            rest += rotation + max(m.par[d, k.SETTLE], -seek)
    elif m.plan[k.TRACKS] > 0:
        rest += switches_ms(m, sector - 1, 2)
    m.now[d, k.HEAD] = place
    m.now[d, k.LAST_END] = sector + sectors
    spend(m, d, seek, rest)
    m.count[d, k.READ_OPS + write] += 1
    m.count[d, k.READ_SECTORS + write] += sectors
    end = start + seek + rest
    m.now[d, k.FREE] = end
    m.now[d, k.QUEUED] += end - t
    push_end(m, d, end, waiting)
    return end


@kernel
def spend(m: Machine, d: int, seek: float, rest: float) -> None:
    """Book the time and energy of an operation."""
    p = m.par[d]
    if p[k.P_SEEK] >= 0:
        m.time_ms[d, k.SEEK] += seek
        m.energy_mj[d, k.SEEK] += seek * p[k.P_SEEK]
        m.time_ms[d, k.ACTIVE] += rest
        m.energy_mj[d, k.ACTIVE] += rest * p[k.P_ACTIVE]
    else:
        m.time_ms[d, k.ACTIVE] += seek + rest
        m.energy_mj[d, k.ACTIVE] += (seek + rest) * p[k.P_ACTIVE]


@kernel
def pick_copy(m: Machine, t: float, sector: int) -> int:
    """The copy that serves a read."""
    first, last = all_disks(m)
    if last == 1:
        return first
    way = m.plan[k.DISPATCH]
    if way == k.SHORTEST:
        return shortest(m, first, last, t, False)
    if way == k.NEAREST:
        return nearest(m, first, last, sector)
    if way == k.ROUND_ROBIN:
        return round_robin(m, first, last)
    return primary_first(m, first, last, t)


@kernel
def record_all(m: Machine, writes: NDArray[np.int64], responses: NDArray[np.float64]) -> None:
    """Count the responses that are not below 0."""
    for i in range(responses.size):
        if responses[i] >= 0:
            record(m, writes[i] == 1, responses[i])


@kernel
def fast_loop(
    machine: NDArray[np.uint8],
    at: NDArray[np.float64],
    ops: NDArray[np.int64],
    warm: float,
    draws: NDArray[np.float64],
    scratch: NDArray[np.float64],
) -> int:
    """Requests ``ops`` (sector, sectors, write) at given times, shape (n,) and (n, 3).

    ``draws`` holds a chance for every operation, ``scratch`` (3, n) is overwritten. Returns how
    many requests were taken: fewer than n when a queue overflowed.
    """
    m = machine.view(_RECORD)[0]
    find_places(m, ops, scratch)
    width, turn = m.plan[k.DISKS], m.par[0, k.TURN]
    drawn = 0
    for i in range(at.size):
        t = at[i]
        one = (ops[i, 0], ops[i, 1], ops[i, 2])
        end = t
        if one[2] == 0 or width == 1:
            d = pick_copy(m, t, one[0])
            times = (scratch[0, i], scratch[1, i], draws[drawn] * turn)
            end = serve_one(m, d, t, one, times)
            drawn += 1
        else:
            for d in range(width):
                times = (scratch[0, i], scratch[1, i], draws[drawn] * turn)
                end = max(end, serve_one(m, d, t, one, times))
                drawn += 1
        scratch[2, i] = end - t if t >= warm else -1.0
        if m.tally[k.OVERFLOW] == 1:
            record_all(m, ops[: i + 1, 2], scratch[2, : i + 1])
            return i + 1
    record_all(m, ops[:, 2], scratch[2, : at.size])
    return at.size
