"""One device: its service times and its first-come queue."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.simulator import copies_slots as c
from capmodels.storage.simulator import slots as k
from capmodels.storage.simulator.buffer_kernel import (
    drop_overlap,
    hold_segment,
    on_one_track,
    read_ahead,
    segment_of,
    take_track,
)
from capmodels.storage.simulator.buffer_kernel import ms_per_sector as pace_at
from capmodels.storage.simulator.collecting_kernel import flash_by_fill
from capmodels.storage.simulator.copies_kernel import turned
from capmodels.storage.simulator.dies_kernel import read_dies, through_link
from capmodels.storage.simulator.measured_kernel import measured
from capmodels.storage.simulator.place_kernel import angle_at, place_on_tracks, switches_ms
from capmodels.storage.simulator.power_states_kernel import book, ready_for

if TYPE_CHECKING:
    import numpy as np

    from capmodels.storage.simulator.slots import Machine

_JUST_CAME = 1e-6  # of a turn; times of a long run are not known more closely
# From disk to disk, of a turn and of the speed, so that no two of them stay in step: the golden
# section, and speeds of 64 disks within 0.13% as data sheets allow 0.1 to 0.2%; more disks have
# the same speeds again, at other angles. Ours.
_SPINDLES_APART, _SPINDLE_ERROR, _SPEEDS = 0.6180339887498949, 2e-5, 64

# Compiled without fastmath and parallel: same seed, same answer, on any machine.


@kernel
def seek_at(m: Machine, d: int, share: float, sectors: float) -> float:
    """Seek over a share of the stroke, which is a number of sectors. [ms]"""
    p = m.par[d]
    kind = p[k.SEEK_KIND]
    if kind == 0:
        return p[k.SEEK_C] + p[k.SEEK_A] * math.sqrt(share) + p[k.SEEK_B] * share
    if kind == 1:
        return logical_seek(sectors)
    distance = max(share * (p[k.CYLINDERS] - 1), 1.0)
    if kind == 2:
        if distance < p[k.SEEK_A]:
            return p[k.SEEK_B] + p[k.SEEK_C] * math.sqrt(distance)
        return p[k.SEEK_D] + p[k.SEEK_E] * distance
    whole = min(int(distance), int(p[k.CYLINDERS]) - 1)
    part = distance - whole
    return m.seek_table[whole] * (1 - part) + m.seek_table[whole + 1] * part


@kernel
def drawn_turn_ms(m: Machine, d: int, rng: np.random.Generator) -> float:
    """How far the platter has to turn: what the queue has picked by, or drawn. [ms]"""
    chosen = m.now[d, k.CHOSEN]
    if chosen < 0:
        return rng.random() * m.par[d, k.TURN]
    m.now[d, k.CHOSEN] = -1.0
    return float(chosen)


@kernel
def turn_back_ms(m: Machine, d: int, passing: float, ready: float) -> float:
    """Turn until the sector comes where the last operation began, as a write after its read. [ms]

    The last sector passed at ``LAST_AT``, the first so much before it.
    """
    turn = m.par[d, k.TURN]
    wait = (m.now[d, k.LAST_AT] - passing - ready) / turn
    return (wait - math.floor(wait)) * turn


@kernel
def logical_seek(x: float) -> float:
    """Seek by sectors between two places, as ``seek.fs2_seek_ms``. [ms]"""
    if x < 1.1e7:
        return ((8.0e-21 * x - 1.7932e-13) * x + 1.35e-6) * x + 1.35
    return 9e-8 * x + 4.16


@kernel
def service(m: Machine, d: int, op: k.Op, start: float, rng: np.random.Generator) -> k.Op:
    """Seek, and the rest of the service, of one operation (sector, sectors, write). [ms]"""
    p = m.par[d]
    sector, sectors, write = op
    if p[k.IS_SSD] == 1:
        if write:
            return 0.0, p[k.WRITE_LATENCY] + sectors * p[k.WRITE_MS_PER_SECTOR]
        return 0.0, p[k.READ_LATENCY] + sectors * p[k.READ_MS_PER_SECTOR]
    if p[k.SERVICE_KIND] > 0:
        scale = rng.standard_exponential() if p[k.SERVICE_KIND] == 2 else 1.0
        return 0.0, p[k.FIXED] * scale
    if m.plan[k.TRACKS] > 0:
        return on_tracks(m, d, op, start, rng)
    place = sector / p[k.SECTORS]
    outer = p[k.MS_PER_SECTOR_OUTER]
    rest = p[k.FIXED] + sectors * (outer + (p[k.MS_PER_SECTOR_INNER] - outer) * place)
    if sector == m.now[d, k.LAST_END]:
        return 0.0, rest
    turning = drawn_turn_ms(m, d, rng)
    if sector == m.now[d, k.LAST_FROM]:
        turning = turn_back_ms(m, d, rest - p[k.FIXED], start + p[k.FIXED])
    m.now[d, k.TURNING] += turning
    rest += turning
    distance = abs(place - m.now[d, k.HEAD])
    seek = seek_at(m, d, distance, distance * p[k.SECTORS]) if distance > 0 else 0.0
    return seek, rest + (max(p[k.SETTLE], -seek) if write else 0.0)


@kernel
def on_tracks(m: Machine, d: int, op: k.Op, start: float, rng: np.random.Generator) -> k.Op:
    """As ``service``, on a disk with known tracks; the angle is followed or drawn. [ms]"""
    p = m.par[d]
    sector, sectors, write = op
    per_track, cylinder = place_on_tracks(m, sector)
    rest = p[k.FIXED] + sectors * p[k.TURN] / per_track + switches_ms(m, sector, sectors)
    follows = sector == m.now[d, k.LAST_END]
    if follows and p[k.PHASE] == 0:
        return 0.0, rest + switches_ms(m, sector - 1, 2)
    seek = 0.0
    if not follows:
        seek = m.seek_table[int(abs(cylinder - m.now[d, k.HEAD]))]
    elif switches_ms(m, sector - 1, 2) > 0:
        seek = m.seek_table[cylinder - place_on_tracks(m, sector - 1)[1]]
    if write:
        seek = max(seek + p[k.SETTLE], 0.0)
    if p[k.PHASE] == 0:
        turning = drawn_turn_ms(m, d, rng)
        if sector == m.now[d, k.LAST_FROM]:
            turning = turn_back_ms(m, d, sectors * p[k.TURN] / per_track, start + p[k.FIXED] + seek)
    else:
        turning = turn_to_ms(m, d, sector, start, seek)
    m.now[d, k.TURNING] += turning
    return seek, rest + turning


@kernel
def turn_to_ms(m: Machine, d: int, sector: int, start: float, seek: float) -> float:
    """Turn until a sector comes past a head that is there after a seek. [ms]"""
    p = m.par[d]
    slower = d * _SPINDLES_APART + d % _SPEEDS * start / p[k.TURN] * _SPINDLE_ERROR
    return wait_ms(start + p[k.FIXED] + seek, angle_at(m, sector) + slower, p[k.TURN])


@kernel
def wait_ms(t: float, angle: float, turn: float) -> float:
    """Time from ``t`` until an angle comes past the head; none if it has just come. [ms]"""
    wait = angle - t / turn
    wait -= math.floor(wait)
    return wait * turn if wait < 1.0 - _JUST_CAME else 0.0


@kernel
def head_after(m: Machine, d: int, op: k.Op) -> None:
    """Leave the head where the operation ends."""
    if m.plan[k.TRACKS] > 0:
        m.now[d, k.HEAD] = place_on_tracks(m, op[0])[1]
    else:
        m.now[d, k.HEAD] = op[0] / m.par[d, k.SECTORS]
    m.now[d, k.LAST_FROM], m.now[d, k.LAST_END] = op[0], op[0] + op[1]


@kernel
def is_gone(m: Machine, d: int) -> bool:
    """Whether a disk is lost and nothing stands in its place; with a rebuild the spare does."""
    spread = m.plan[k.LAYOUT] == k.DECLUSTERED
    return bool(m.now[d, k.LOST] == 1 and (spread or m.share[k.REBUILD_GAP] == 0))


@kernel
def sorts(m: Machine, d: int) -> bool:
    """Whether a device picks from its queue; the device of a cache does not."""
    return bool(m.plan[k.SCHEDULER] != k.FCFS and d < m.plan[k.DISKS])


@kernel
def pop_done(m: Machine, d: int, t: float) -> int:
    """Forget the operations that are done by ``t``; return how many are left."""
    first = m.ends[d, 0]
    last = m.ends[d, 1]
    if sorts(m, d):
        return last - first
    while first < last and m.ring[d, first & (k.RING - 1)] <= t:
        first += 1
    m.ends[d, 0] = first
    return last - first


@kernel
def may_hold(m: Machine, i: int) -> bool:
    """Whether a waiting operation is a write that its drive's memory can take."""
    one = m.waiting[i]
    return bool(m.par[int(one[k.DISK]), k.HELD_MAX] > 1 and one[k.SIZE] < 0 and one[k.EXTRA] == 0.0)


@kernel
def hold_write(m: Machine, i: int, t: float) -> None:
    """Take a waiting write into its drive's memory at ``t``, which answers it."""
    one = m.waiting[i]
    d, slot = int(one[k.DISK]), int(one[k.OF_SLOT])
    passed = t + m.par[d, k.FIXED] - one[k.SIZE] * m.par[d, k.BUS_MS_PER_SECTOR]
    m.slots[slot, k.ANSWERED] = max(m.slots[slot, k.ANSWERED], passed)
    one[k.OF_SLOT] = k.HELD_WRITE
    m.now[d, k.HELD] += 1


@kernel
def join_queue(m: Machine, d: int, t: float, op: k.Op) -> None:
    """Let an operation of the present request wait at a disk that sorts its queue."""
    i = m.tally[k.WAITING]
    if i >= k.PENDING_MAX:
        m.tally[k.OVERFLOW] = 1
        return
    m.now[d, k.QUEUED] -= t
    if m.ends[d, 1] == m.ends[d, 0] and t > m.now[d, k.FREE]:
        ready_for(m, d, t)
    one = m.waiting[i]
    one[k.DISK] = d
    one[k.PLACE] = op[0] / m.par[d, k.SECTORS]
    if m.plan[k.TRACKS] > 0:
        one[k.PLACE] = place_on_tracks(m, op[0])[1]
    one[k.SECTOR] = op[0]
    one[k.SIZE] = -op[1] if op[2] else op[1]
    one[k.EXTRA] = op[3]
    slot = m.tally[k.REQUEST]
    one[k.OF_SLOT] = slot
    if slot >= 0 and may_hold(m, i) and m.now[d, k.HELD] < m.par[d, k.HELD_MAX]:
        hold_write(m, i, t)
        slot = -1
    one[k.NUMBER] = m.ends[d, 1]
    one[k.OWN_WORK] = m.copying[c.OWN]
    one[k.SINCE] = t
    m.tally[k.WAITING] = i + 1
    if slot >= 0:
        m.slots[slot, k.OPEN] += 1
    m.ends[d, 1] += 1
    m.count[d, k.MAX_QUEUE] = max(m.count[d, k.MAX_QUEUE], m.ends[d, 1] - m.ends[d, 0])


@kernel
def operate(m: Machine, d: int, start: float, op: k.Op, rng: np.random.Generator) -> k.Op:
    """Do one operation (sector, sectors, write, extra time): when answered, and when done. [ms]

    A copy in free space is looked for here, where it is known where the head stands.
    """
    if m.layers[d, c.HAS_LAYER] == 1 and m.copying[c.OWN] == 0:
        op = (turned(m, d, op[0], op[1], op[2]), op[1], op[2], op[3])
    one = (op[0], op[1], op[2])
    if m.plan[k.SPINDLE] > 0 and d < m.plan[k.DISKS]:
        done = measured(m, d, start, op, rng)
        head_after(m, d, one)
        account(m, d, op, 0.0, done - start)
        return done, done
    if m.par[d, k.SEGMENTS] > 0:
        return buffered(m, d, start, op, rng)
    seek, rest = service(m, d, one, start, rng)
    head_after(m, d, one)
    if m.par[d, k.WRITE_HOLD if op[2] else k.READ_HOLD] > 0:
        answer, held = flash(m, d, op)
        account(m, d, op, 0.0, held)
        return start + answer, start + held
    account(m, d, op, seek, rest + op[3])
    end = start + seek + rest + op[3]
    m.now[d, k.LAST_AT] = end
    return end, end


@kernel
def flash(m: Machine, d: int, op: k.Op) -> k.Op:
    """Operate a drive that holds its channels: time to the answer, and of a channel. [ms]

    The extra time of a small write in place is that of a read, which holds a channel as well.
    """
    p = m.par[d]
    latency, hold, extra = p[k.READ_LATENCY], p[k.READ_HOLD], 0.0
    passing = op[1] * p[k.READ_MS_PER_SECTOR]
    if op[2]:
        if op[3] > 0:
            extra = max(op[3], passing, hold)
        latency, hold = p[k.WRITE_LATENCY], p[k.WRITE_HOLD]
        passing = op[1] * p[k.WRITE_MS_PER_SECTOR]
    # What passes the link before dies has passed it.
    answer = latency if p[k.DIE_SECTORS] > 0 else latency + passing / p[k.CHANNELS]
    return answer + op[3], max(answer, passing, hold) + max(extra, op[3])


@kernel
def from_buffer(m: Machine, d: int, start: float, op: k.Op, passing: float) -> float:
    """When a read of what the drive holds, or is reading ahead, is answered; -1 of other data."""
    sector, sectors = op[0], op[1]
    held = segment_of(m, d, sector)
    missing = sector + sectors - m.segments[d, held, 1] if held >= 0 else 0.0
    coming = held == int(m.now[d, k.STREAM]) and sector + sectors <= m.now[d, k.STREAM_LIMIT]
    if held < 0 or (missing > 0 and not coming):
        return -1.0
    m.segments[d, held, 2] = start
    rest = max(passing, max(missing, 0.0) * pace_at(m, d, sector))
    m.tally[k.BUFFER_HITS] += 1
    account(m, d, op, 0.0, rest)
    return float(start + rest)


@kernel
def buffered(m: Machine, d: int, start: float, op: k.Op, rng: np.random.Generator) -> k.Op:
    """As ``operate``, on a drive with a buffer: read-ahead, and writes taken before the platter."""
    sector, sectors, write, extra = op
    p = m.par[d]
    passing = p[k.FIXED] + sectors * p[k.BUS_MS_PER_SECTOR]
    read_ahead(m, d, start)
    if not write and extra == 0.0:
        end = from_buffer(m, d, start, op, passing)
        if end >= 0:
            return end, end
    seek, rest = service(m, d, (sector, sectors, write), start, rng)
    around = p[k.WHOLE_TRACKS] == 1 and not write and on_one_track(m, d, sector, sectors)
    if around:
        # Sectors are read as they come: all of the track has come after a turn.
        turn = min(rest, p[k.FIXED] + p[k.TURN])
        m.now[d, k.TURNING] -= rest - turn
        rest = turn
    head_after(m, d, (sector, sectors, write))
    late = 0.0 if write else sectors * max(p[k.BUS_MS_PER_SECTOR] - pace_at(m, d, sector), 0.0)
    account(m, d, op, seek, rest + extra + late)
    end = start + seek + rest + extra
    m.now[d, k.LAST_AT] = end
    if write:
        drop_overlap(m, d, sector, sectors)
        behind = start + passing if p[k.WRITES_BEHIND] == 1 and extra == 0.0 else end
        return min(behind, end), end
    hold_segment(m, d, end, sector, sectors)
    if around and extra == 0.0:
        take_track(m, d, start + seek + p[k.FIXED], sector)
    # Over a bus that is slower than the platter data leave the drive later than they come.
    return end + late, end + late


@kernel
def follows_fill(m: Machine, d: int) -> bool:
    """Whether a drive's collecting or its SLC cache is followed."""
    return bool(m.par[d, k.BLOCK_WRITES] > 0 or m.par[d, k.PAST_SLC_MS_PER_SECTOR] > 0)


@kernel
def serve(m: Machine, d: int, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """Queue one operation (sector, sectors, write, extra time) at ``t``; return its end. [ms]

    On a disk that sorts its queue the end is not known yet: the operation joins the present
    request's slot, and ``t`` is returned.
    """
    if m.par[d, k.CHANNELS] > 1 or follows_fill(m, d):
        return serve_parallel(m, d, t, op, rng)
    if sorts(m, d):
        join_queue(m, d, t, op)
        return t
    waiting = pop_done(m, d, t)
    if waiting == 0 and t > m.now[d, k.FREE]:
        ready_for(m, d, t)
    answered, end = operate(m, d, m.now[d, k.FREE], op, rng)
    m.now[d, k.FREE] = end
    m.now[d, k.QUEUED] += end - t
    push_end(m, d, end, waiting)
    return answered


@kernel
def account(m: Machine, d: int, op: k.Op, seek: float, rest: float) -> None:
    """Book one operation's energy and count it."""
    p = m.par[d]
    m.now[d, k.SEEKING] += seek
    m.now[d, k.TURNING] += op[3]
    power = p[k.P_WRITE] if op[2] and p[k.IS_SSD] == 1 else p[k.P_ACTIVE]
    if p[k.P_SEEK] >= 0:
        book(m, d, k.SEEK, seek, p[k.P_SEEK])
        book(m, d, k.ACTIVE, rest, power)
    else:
        book(m, d, k.ACTIVE, seek + rest, power)
    if op[2]:
        m.count[d, k.WRITE_OPS] += 1
        m.count[d, k.WRITE_SECTORS] += op[1]
    else:
        m.count[d, k.READ_OPS] += 1
        m.count[d, k.READ_SECTORS] += op[1]


@kernel
def push_end(m: Machine, d: int, end: float, waiting: int) -> None:
    """Remember a completion; too many of them at once mark the run as overflown."""
    if waiting + 1 >= k.RING:
        m.tally[k.OVERFLOW] = 1
        return
    if waiting == 0:
        # Start over: the ring's first entries stay in the processor's cache.
        m.ends[d, 0] = m.ends[d, 1] = 0
    m.ring[d, m.ends[d, 1] & (k.RING - 1)] = end
    m.ends[d, 1] += 1
    m.count[d, k.MAX_QUEUE] = max(m.count[d, k.MAX_QUEUE], waiting + 1)


@kernel
def serve_parallel(m: Machine, d: int, t: float, op: k.Op, rng: np.random.Generator) -> float:
    """As ``serve``, on a device with parallel channels: the first free one takes it. [ms]

    Time busy is channel time over the number of channels, so that the states' times add up. An
    operation may keep its channel after its answer.
    """
    if m.par[d, k.DIE_SECTORS] > 0:
        t_link = through_link(m, d, t, op)
        if not op[2]:
            return serve_on_dies(m, d, (t, t_link), op, rng)
        return serve_on_any(m, d, (t, t_link), op, rng)
    return serve_on_any(m, d, (t, t), op, rng)


@kernel
def serve_on_dies(
    m: Machine, d: int, when: tuple[float, float], op: k.Op, rng: np.random.Generator
) -> float:
    """Serve a read (came, passed the link) on the dies that have its data."""
    waiting = pop_done(m, d, when[0])
    answered, end, held = read_dies(m, d, when[1], op, rng)
    account(m, d, op, 0.0, held / m.par[d, k.CHANNELS])
    m.now[d, k.QUEUED] += end - when[0]
    m.now[d, k.FREE] = max(m.now[d, k.FREE], end)
    push_end(m, d, end, waiting)
    return answered


@kernel
def others_ms(m: Machine, d: int, came: float) -> float:
    """How much later a write is answered for the others that have no answer as it comes. [ms]"""
    others = 0
    for channel in range(int(m.par[d, k.CHANNELS])):
        others += m.answered[d, channel] > came
    return float(others * m.par[d, k.WRITE_WAIT])


@kernel
def serve_on_any(
    m: Machine, d: int, when: tuple[float, float], op: k.Op, rng: np.random.Generator
) -> float:
    """Serve an operation (came, passed the link) on the first channel that is free."""
    t = when[0]
    channels = int(m.par[d, k.CHANNELS])
    best = 0
    for channel in range(1, channels):
        if m.channels[d, channel] < m.channels[d, best]:
            best = channel
    waiting = pop_done(m, d, t)
    start = max(when[1], m.channels[d, best])
    dies = m.par[d, k.DIE_SECTORS] > 0
    if dies or m.par[d, k.WRITE_HOLD if op[2] else k.READ_HOLD] > 0:
        answer, held = flash(m, d, op)
    else:
        seek, rest = service(m, d, (op[0], op[1], op[2]), start, rng)
        answer = held = seek + (rest + op[3])
    if follows_fill(m, d):
        answer, held = flash_by_fill(m, d, best, op, (start, answer, held), rng)
    if op[2] and m.par[d, k.WRITE_WAIT] > 0:
        # It waits for them while it waits for its channel.
        answer += max(when[1] + others_ms(m, d, t) - start, 0.0)
        held = max(held, answer)
        m.answered[d, best] = start + answer
    account(m, d, op, 0.0, held / channels)
    end = start + held
    m.now[d, k.QUEUED] += end - t
    m.channels[d, best] = end
    m.now[d, k.FREE] = max(m.now[d, k.FREE], end)
    push_end(m, d, end, waiting)
    return start + answer
