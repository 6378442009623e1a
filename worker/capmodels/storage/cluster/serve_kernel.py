"""A coded cluster, request by request: drives' queues, links of nodes, rebuilding. [ms, B]

Drives serve first come first served; what comes later of a request (its writes, what is written
back, pieces that are rebuilt) waits in a heap until its time, so that drives see operations in the
order of time. Chances come of the numbers of request and shard alone, by a hash.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from capmodels.storage.cluster import slots as k
from capmodels.storage.cluster.placing_kernel import mixed

if TYPE_CHECKING:
    from capmodels.storage.cluster.slots import Cluster

# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.cluster_dtype()
_UNIT = 2.0**-32
_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_OF_REQUEST, _OF_WRITE, _OF_CHANCE, _OF_PIECE = 512, 256, 504, 1 << 60
_TRIES = 6  # to find a drive that takes no piece


@njit(cache=True)
def chance(key: int) -> float:
    """Evenly drawn from 0 to 1, neither of them."""
    return (float(mixed(np.uint64(key)) >> _32) + 0.5) * _UNIT


@njit(cache=True)
def operate(c: Cluster, d: int, t: float, size: float, write: bool, key: int) -> float:
    """Queue an operation at a drive that it reaches at ``t``: when it is answered."""
    p, channel = c.par, d
    for other in range(1, c.plan[k.CHANNELS]):
        if c.free[other * c.plan[k.DRIVES] + d] < c.free[channel]:
            channel = other * c.plan[k.DRIVES] + d
    start = max(c.free[channel], t)
    if c.plan[k.IS_SSD] == 1:
        pace = p[k.WRITE_PACE] if write else p[k.READ_PACE]
        hold = p[k.WRITE_HOLD] if write else p[k.READ_HOLD]
        at_once = c.plan[k.CHANNELS] if hold > 0 else 1
        answer = p[k.WRITE_LATENCY] if write else p[k.READ_LATENCY]
        answer += size * pace / at_once
        hold = max(answer, hold, size * pace)
    else:
        drawn = mixed(np.uint64(key))
        at = float(drawn >> _32) * (_UNIT * k.TABLE)
        whole = int(at)
        part, low, high = at - whole, c.places[whole], c.places[whole + 1]
        stroke = low[0] + (high[0] - low[0]) * part
        distance = abs(stroke - c.head[d])
        c.head[d] = stroke
        seek = 0.0
        if distance > 0:
            seek = p[k.SEEK_C] + p[k.SEEK_A] * math.sqrt(distance) + p[k.SEEK_B] * distance
        if write:
            seek += max(p[k.SETTLE], -seek)
        turning = float(drawn & _LOW) * _UNIT * p[k.TURN]
        passing = size * (low[1] + (high[1] - low[1]) * part)
        answer = hold = p[k.FIXED] + seek + turning + passing
    c.free[channel] = start + hold
    c.busy[d] += hold
    return start + answer


@njit(cache=True)
def pass_link(c: Cluster, link: int, t: float, size: float) -> float:
    """Send data over a link from ``t`` on, in what is left of its slots of time: when it ends."""
    pace, width = c.par[k.LINK_PACE], c.par[k.LINK_SLOT]
    c.sent[link] += size
    rate, left, slot = c.par[k.LINK_RATE], size, int(t * c.par[k.SLOTS_PER_MS])
    room, end, links = rate * width, t + size * pace, 2 * c.plan[k.NODES]
    begin = t
    for _ in range(k.SLOTS):
        at = (slot & (k.SLOTS - 1)) * links + link
        if c.turns[at] != slot:
            if c.turns[at] > slot:
                return end  # so far ahead that this slot is forgotten
            c.turns[at], c.links[at] = slot, 0.0
        after = (slot + 1) * width
        taken = min(room - c.links[at], (after - begin) * rate, left)
        if taken > 0:
            c.links[at] += taken
            left -= taken
        if left <= 0:
            return max(end, slot * width + c.links[at] * pace)
        slot += 1
        begin = after
    return end


@njit(cache=True)
def between(c: Cluster, source: int, goal: int, t: float, size: float) -> float:
    """Data from a node to another, in passing over both of their links: when it has come."""
    if source == goal:
        return t
    out = pass_link(c, source, t, size)
    return max(out, pass_link(c, c.plan[k.NODES] + goal, t, size))


@njit(cache=True)
def hop(c: Cluster, source: int, goal: int) -> float:
    """Way from a node to another and back."""
    return float(c.par[k.HOP] if c.site[source] == c.site[goal] else c.par[k.SITE_HOP])


@njit(cache=True)
def drive_of(c: Cluster, group: int, shard: int) -> int:
    """The drive that holds a shard at present, -1 while it is lost."""
    d = c.groups[group, shard]
    if c.rank[group] < 0 or not c.lost[d]:
        return d
    if c.rank[group] < int(c.tally[k.PROGRESS] * c.plan[k.LOST_GROUPS]):
        return c.after[group, shard]
    return -1


@njit(cache=True)
def leader(c: Cluster, group: int) -> int:
    """The node that serves a group: that of its first shard that is there."""
    for shard in range(c.plan[k.SHARDS]):
        d = drive_of(c, group, shard)
        if d >= 0:
            return c.node[d]
    return 0


@njit(cache=True)
def group_of_shard(c: Cluster, shard: int) -> int:
    """The local group of a shard, -1 for a parity over all."""
    data, locals_count = c.plan[k.DATA], c.plan[k.LOCALS]
    if locals_count == 0 or shard >= data + locals_count:
        return -1
    return shard % locals_count if shard < data else shard - data


@njit(cache=True)
def local_set(c: Cluster, group: int, shard: int) -> int:
    """Pick what a lost shard is worked out from in its local group; 0 where more of it is lost."""
    own, count = group_of_shard(c, shard), 0
    if own < 0:
        return 0
    for other in range(c.plan[k.DATA] + c.plan[k.LOCALS]):
        if other == shard or group_of_shard(c, other) != own:
            continue
        if drive_of(c, group, other) < 0:
            return 0
        c.picked[count] = other
        count += 1
    return count


@njit(cache=True)
def any_set(c: Cluster, group: int) -> int:
    """Pick as many shards as there are of data, of those that are there."""
    count, data = 0, c.plan[k.DATA]
    for place in range(c.plan[k.SHARDS]):
        # Data, then parities over all, then those of local groups.
        shard = place
        if place >= data:
            shard = place + c.plan[k.LOCALS]
            if shard >= c.plan[k.SHARDS]:
                shard -= c.plan[k.SHARDS] - data
        if count < data and drive_of(c, group, shard) >= 0:
            c.picked[count] = shard
            count += 1
    return count


@njit(cache=True)
def to_rebuild(c: Cluster, group: int, shard: int) -> int:
    """Pick the shards that a lost one is worked out from."""
    count = local_set(c, group, shard)
    return count if count > 0 else any_set(c, group)


@njit(cache=True)
def data_set(c: Cluster) -> int:
    """Pick all shards of data."""
    for shard in range(c.plan[k.DATA]):
        c.picked[shard] = shard
    return int(c.plan[k.DATA])


@njit(cache=True)
def to_read(c: Cluster, group: int) -> int:
    """Pick the shards that a read of an object takes: its data, or as many others."""
    if c.rank[group] < 0:
        return data_set(c)
    data, gone, count = c.plan[k.DATA], -1, 0
    for shard in range(data):
        if drive_of(c, group, shard) < 0:
            gone, count = shard, count + 1
    if count == 0:
        return data_set(c)
    if count > 1 or local_set(c, group, gone) == 0:
        return any_set(c, group)
    # The rest of its local group is read anyway; its local parity stands in.
    data_set(c)
    c.picked[gone] = data + group_of_shard(c, gone)
    return int(data)


@njit(cache=True)
def note(c: Cluster, number: int, write: int, response: float) -> None:
    """Count a response, if the cluster has warmed up."""
    if number < c.plan[k.WARM]:
        return
    c.tally[k.READS + write] += 1
    c.tally[k.READ_SUM + write] += response
    place = int((math.log2(max(response, 1e-6)) - k.BINS_LOW) * k.BINS_PER_OCTAVE)
    c.histogram[write, min(max(place, 0), k.BINS_COUNT - 1)] += 1


@njit(cache=True)
def coded(c: Cluster, size: float) -> float:
    """Time in which a core encodes or decodes data."""
    took = size / c.par[k.CODE_RATE]
    c.tally[k.CODED] += took
    return took


@njit(cache=True)
def read_picked(c: Cluster, group: int, op: tuple[float, float], goal: int, key: int) -> float:
    """Read so much of the shards picked, from a time on, and bring it to a node: when all is."""
    t, size = op
    done = t
    for i in range(int(c.tally[k.PICKED])):
        shard = c.picked[i]
        d = drive_of(c, group, shard)
        came = operate(c, d, t, size, False, key + shard)
        if c.node[d] != goal:
            came = between(c, c.node[d], goal, came, size) + hop(c, c.node[d], goal)
        done = max(done, came)
    return done


@njit(cache=True)
def read(c: Cluster, number: int, group: int, t: float) -> None:
    """Serve a read."""
    goal = leader(c, group)
    count = to_read(c, group)
    whole = True
    for i in range(count):
        whole = whole and c.picked[i] < c.plan[k.DATA]
    c.tally[k.PICKED] = count
    done = read_picked(c, group, (t, c.par[k.SHARD_SIZE]), goal, number * _OF_REQUEST)
    if not whole:
        if c.plan[k.DATA] > 1:
            done += coded(c, c.par[k.SIZE])
        if number >= c.plan[k.WARM]:
            c.tally[k.DEGRADED] += 1
    done = pass_link(c, goal, done, c.par[k.SIZE])
    note(c, number, 0, done - t)


@njit(cache=True)
def push(c: Cluster, at: float, kind: int, group: int, number: int, since: float) -> None:
    """Put off work until its time."""
    place = int(c.tally[k.PENDING])
    if place >= k.PENDING_MAX:
        c.tally[k.OVERFLOW] = 1
        return
    c.tally[k.PENDING] += 1
    while place > 0 and c.pending[(place - 1) >> 1, k.AT] > at:
        c.pending[place] = c.pending[(place - 1) >> 1]
        place = (place - 1) >> 1
    row = c.pending[place]
    row[k.AT], row[k.KIND], row[k.GROUP], row[k.NUMBER], row[k.SINCE] = (
        at, float(kind), float(group), float(number), since,
    )  # fmt: skip


@njit(cache=True)
def drop_first(c: Cluster) -> None:
    """Take the first work off the heap."""
    last = int(c.tally[k.PENDING]) - 1
    c.tally[k.PENDING] = last
    place, below = 0, 1
    while below < last:
        if below + 1 < last and c.pending[below + 1, k.AT] < c.pending[below, k.AT]:
            below += 1
        if c.pending[below, k.AT] >= c.pending[last, k.AT]:
            break
        c.pending[place] = c.pending[below]
        place, below = below, 2 * below + 1
    c.pending[place] = c.pending[last]


@njit(cache=True)
def write_shard(c: Cluster, d: int, source: int, op: tuple[float, float], key: int) -> float:
    """Send a shard to its drive, from a node and a time on: when it is written and told."""
    t, size = op
    if c.node[d] == source:
        return operate(c, d, t, size, True, key)
    half = hop(c, source, c.node[d]) / 2
    came = between(c, source, c.node[d], t, size) + half
    return operate(c, d, came, size, True, key) + half


@njit(cache=True)
def touched(c: Cluster, shard: int, changed: int) -> bool:
    """Whether a shard changes with one of data: itself and its parities; of copies all."""
    if shard < c.plan[k.DATA]:
        return shard == changed
    if shard < c.plan[k.DATA] + c.plan[k.LOCALS]:
        return group_of_shard(c, shard) == group_of_shard(c, changed)
    return True


@njit(cache=True)
def write_all(c: Cluster, work: tuple[int, int, float, float], size: float, changed: int) -> None:
    """Write a stripe, or with ``changed`` what changes with that shard, and end the request."""
    number, group, t, since = work
    source, done = leader(c, group), t
    for shard in range(c.plan[k.SHARDS]):
        d = drive_of(c, group, shard)
        if d < 0 or (changed >= 0 and not touched(c, shard, changed)):
            continue
        key = number * _OF_REQUEST + _OF_WRITE + shard
        done = max(done, write_shard(c, d, source, (t, size), key))
    note(c, number, 1, done - since)


@njit(cache=True)
def changed_of(c: Cluster, number: int) -> int:
    """The shard of data that a partial write changes."""
    return int(chance(number * _OF_REQUEST + _OF_CHANCE + 4) * c.plan[k.DATA])


@njit(cache=True)
def read_old(c: Cluster, group: int, number: int, t: float, since: float) -> None:
    """Begin a partial write: read the old data and parities, or what they are worked out from."""
    changed, size, count = changed_of(c, number), c.par[k.PARTIAL_SIZE], 0
    if drive_of(c, group, changed) < 0:
        count = to_rebuild(c, group, changed)
    else:
        for shard in range(c.plan[k.SHARDS]):
            if touched(c, shard, changed) and drive_of(c, group, shard) >= 0:
                c.picked[count] = shard
                count += 1
    c.tally[k.PICKED] = count
    done = read_picked(c, group, (t, size), leader(c, group), number * _OF_REQUEST)
    push(c, done + coded(c, size), k.PARTIAL_WRITE, group, number, since)


@njit(cache=True)
def lost_shard(c: Cluster, group: int) -> int:
    """The first shard of a group that is lost, -1 if none is."""
    for shard in range(c.plan[k.SHARDS]):
        if c.lost[c.groups[group, shard]] and drive_of(c, group, shard) < 0:
            return shard
    return -1


@njit(cache=True)
def next_shard(c: Cluster, t: float, key: int) -> tuple[int, int]:
    """A group and its lost shard, whose drive takes no other piece at present; -1 if none is."""
    done = int(c.tally[k.PROGRESS] * c.plan[k.LOST_GROUPS])
    left = c.plan[k.LOST_GROUPS] - done
    for attempt in range(_TRIES if left > 0 else 0):
        group = c.order[done + int(chance(key + _OF_WRITE - 10 + attempt) * left)]
        shard = lost_shard(c, group)
        if shard >= 0 and c.taking[c.after[group, shard]] <= t:
            return group, shard
    return -1, -1


@njit(cache=True)
def read_piece(c: Cluster, number: int, t: float) -> None:
    """Begin a piece of a lost shard: read what it is worked out from, at where it is rebuilt."""
    key = _OF_PIECE + number * _OF_WRITE
    group, shard = next_shard(c, t, key)
    if group < 0:
        push(c, t + c.par[k.PIECE_GAP], k.PIECE_READ, 0, number + c.plan[k.STREAMS], 0.0)
        return
    d = c.after[group, shard]
    c.taking[d] = math.inf
    goal, count = c.node[d], to_rebuild(c, group, shard)
    c.tally[k.PICKED] = count
    size = c.par[k.PIECE_SIZE]
    c.tally[k.PIECE_READS] += count * size
    for i in range(count):
        c.tally[k.PIECE_NETWORK] += size * (c.node[drive_of(c, group, c.picked[i])] != goal)
    came = read_picked(c, group, (t, size), goal, key)
    if c.plan[k.DATA] > 1:
        came += coded(c, size * count)
    push(c, came, k.PIECE_WRITE, d, number, t)


@njit(cache=True)
def write_piece(c: Cluster, d: int, number: int, t: float, since: float) -> None:
    """End a piece where it is rebuilt, and begin the next one of the stream at its time."""
    key = _OF_PIECE + number * _OF_WRITE + _OF_WRITE - 2
    c.taking[d] = operate(c, d, t, c.par[k.PIECE_SIZE], True, key)
    c.tally[k.PIECES] += 1
    at = max(c.taking[d], since + c.par[k.PIECE_GAP])
    push(c, at, k.PIECE_READ, 0, number + c.plan[k.STREAMS], 0.0)


@njit(cache=True)
def work_until(c: Cluster, t: float) -> None:
    """Do what waits for a time up to ``t``."""
    while c.tally[k.PENDING] > 0 and c.pending[0, k.AT] <= t:
        row = c.pending[0]
        at, kind, group = row[k.AT], int(row[k.KIND]), int(row[k.GROUP])
        number, since = int(row[k.NUMBER]), row[k.SINCE]
        drop_first(c)
        if kind == k.WRITE:
            write_all(c, (number, group, at, since), c.par[k.SHARD_SIZE], -1)
        elif kind == k.PARTIAL:
            read_old(c, group, number, at, since)
        elif kind == k.PARTIAL_WRITE:
            changed = changed_of(c, number)
            write_all(c, (number, group, at, since), c.par[k.PARTIAL_SIZE], changed)
        elif c.tally[k.END] == 0:
            if kind == k.PIECE_READ:
                read_piece(c, number, at)
            else:
                write_piece(c, group, number, at, since)


@njit(cache=True)
def take_write(c: Cluster, number: int, group: int, t: float, key: int) -> None:
    """Take in a write: what it brings is coded where its group is led."""
    goal = c.plan[k.NODES] + leader(c, group)
    partial = chance(key + 3) < c.par[k.PARTIAL_SHARE]
    size = c.par[k.PARTIAL_SIZE] if partial else c.par[k.SIZE]
    came = pass_link(c, goal, t, size)
    if partial and c.plan[k.DATA] > 1:
        push(c, came, k.PARTIAL, group, number, t)
        return
    if c.plan[k.DATA] > 1:
        came += coded(c, size)
    push(c, came, k.PARTIAL_WRITE if partial else k.WRITE, group, number, t)


@njit(cache=True)
def serve(c: Cluster, seed: int) -> float:
    """Serve a phase's requests, numbered from ``seed`` on; return when the last one came."""
    p, total, t = c.par, c.plan[k.REQUESTS], 0.0
    for stream in range(c.plan[k.STREAMS]):
        push(c, p[k.PIECE_GAP] * stream / c.plan[k.STREAMS], k.PIECE_READ, 0, seed + stream, 0.0)
    for place in range(total):
        number = seed + place
        key = number * _OF_REQUEST + _OF_CHANCE
        t -= math.log(chance(key)) * p[k.GAP]
        c.tally[k.PROGRESS] = place / total
        work_until(c, t)
        group = int(chance(key + 1) * c.plan[k.GROUPS])
        if chance(key + 2) < p[k.READ_SHARE]:
            read(c, number, group, t)
        else:
            take_write(c, number, group, t, key)
    c.tally[k.END] = 1
    work_until(c, math.inf)
    return t
