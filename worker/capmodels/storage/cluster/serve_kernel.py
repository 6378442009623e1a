"""A coded cluster, request by request: drives' queues, links of nodes, rebuilding. [ms, B]

Drives and links serve first come first served. What comes later of a request waits for its time,
so that both see what they do in the order of time. Chances come of the numbers of request and shard
alone, by a hash.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from capmodels.kernel import kernel
from capmodels.storage.cluster import slots as k
from capmodels.storage.cluster.events_kernel import begin, end, next_event, pass_link, push
from capmodels.storage.cluster.placing_kernel import mixed
from capmodels.storage.cluster.shards_kernel import (
    drive_of,
    leader,
    lost_shard,
    to_read,
    to_rebuild,
    touched,
)
from capmodels.storage.simulator.bins_kernel import bin_of

if TYPE_CHECKING:
    from capmodels.storage.cluster.slots import Cluster

# Compiled kernels keep the record: touch this file when ``slots`` changes it.
_RECORD = k.cluster_dtype()
_UNIT = 2.0**-32
_LOW, _32 = np.uint64(0xFFFFFFFF), np.uint64(32)
_OF_REQUEST, _OF_WRITE, _OF_CHANCE, _OF_PIECE = 512, 256, 504, 1 << 60
_TRIES = 6  # to find a drive that takes no piece
_URGENT_TRIES = 3  # of these among the most degraded groups


@kernel
def chance(key: int) -> float:
    """Evenly drawn from 0 to 1, neither of them."""
    return (float(mixed(np.uint64(key)) >> _32) + 0.5) * _UNIT


@kernel
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


@kernel
def hop(c: Cluster, source: int, goal: int) -> float:
    """Way from a node to another and back."""
    return float(c.par[k.HOP] if c.site[source] == c.site[goal] else c.par[k.SITE_HOP])


@kernel
def note(c: Cluster, number: int, write: int, response: float) -> None:
    """Count a response, if the cluster has warmed up."""
    if number < c.plan[k.WARM]:
        return
    c.tally[k.READS + write] += 1
    c.tally[k.READ_SUM + write] += response
    c.histogram[write, bin_of(response)] += 1


@kernel
def coded(c: Cluster, size: float) -> float:
    """Time in which a core encodes or decodes data."""
    took = size / c.par[k.CODE_RATE]
    c.tally[k.CODED] += took
    return took


@kernel
def come(c: Cluster, request: int, at: float) -> None:
    """Count a shard of a request that has come, and go on once all of them have."""
    asked, timed = c.asked[request], c.timed[request]
    timed[k.DONE] = max(timed[k.DONE], at)
    asked[k.LEFT] -= 1
    if asked[k.LEFT] > 0:
        return
    kind, done, size = asked[k.KIND], timed[k.DONE], timed[k.BYTES]
    if kind == k.READ:
        push(c, done, k.SEND_ON, request, 0)
    elif kind == k.DEGRADED_READ:
        coding = coded(c, c.par[k.SIZE]) if c.plan[k.DATA] > 1 else 0.0
        push(c, done + coding, k.SEND_ON, request, 0)
    elif kind == k.OLD_DATA:
        push(c, done + coded(c, size), k.PARTIAL_WRITE, request, 0)
    elif kind == k.PIECE:
        coding = coded(c, size * asked[k.READ_COUNT]) if c.plan[k.DATA] > 1 else 0.0
        push(c, done + coding, k.PIECE_WRITE, request, 0)
    else:
        answer(c, request, 1, done)


@kernel
def answer(c: Cluster, request: int, write: int, at: float) -> None:
    """End a request that is answered at a time."""
    note(c, c.asked[request, k.NUMBER], write, at - c.timed[request, k.SINCE])
    c.marks[k.UNDER_WAY] -= 1
    end(c, request)


@kernel
def await_shards(c: Cluster, request: int, count: int, t: float, size: float) -> None:
    """Let a request wait for so many shards, of a size each, from a time on."""
    c.asked[request, k.LEFT] = c.asked[request, k.READ_COUNT] = count
    c.timed[request, k.DONE], c.timed[request, k.BYTES] = t, size


@kernel
def read_picked(c: Cluster, request: int, t: float, size: float, key: int) -> None:
    """Read so much of the shards picked, and send it to where the request is led."""
    asked, count = c.asked[request], c.marks[k.PICKED]
    await_shards(c, request, count, t, size)
    for i in range(count):
        shard = c.picked[i]
        d = drive_of(c, asked[k.GROUP], shard)
        before = c.busy[d]
        came = operate(c, d, t, size, False, key + shard)
        if asked[k.KIND] == k.PIECE:
            c.rebuilding[d] += c.busy[d] - before
        if c.node[d] == asked[k.GOAL]:
            come(c, request, came)
        else:
            push(c, came, k.SEND, request, d)


@kernel
def ends_of(c: Cluster, request: int, place: int) -> tuple[int, int]:
    """From which node to which a shard goes: read, to the leader; written, to its drive's."""
    goal, other = c.asked[request, k.GOAL], c.node[place & (k.DRIVES_MAX - 1)]
    return (goal, other) if c.asked[request, k.KIND] == k.STORED else (other, goal)


@kernel
def send(c: Cluster, request: int, place: int, t: float) -> None:
    """Send a shard on its way: it reaches the other node when it begins to leave the first."""
    source, _ = ends_of(c, request, place)
    size = c.timed[request, k.BYTES]
    leaves = max(t, c.link[source])
    pass_link(c, source, t, size)
    if leaves > t:
        push(c, leaves, k.RECEIVE, request, place)
    else:
        receive(c, request, place, t)


@kernel
def receive(c: Cluster, request: int, place: int, t: float) -> None:
    """Take a shard in from ``t`` on, to be written there, or as one more that has come."""
    source, goal = ends_of(c, request, place)
    came = pass_link(c, c.plan[k.NODES] + goal, t, c.timed[request, k.BYTES])
    way = hop(c, source, goal)
    if c.asked[request, k.KIND] == k.STORED:
        push(c, came + way / 2, k.STORE, request, place)
    else:
        come(c, request, came + way)


@kernel
def store(c: Cluster, request: int, place: int, t: float) -> None:
    """Write a shard at its drive, and tell the leader."""
    d, asked = place & (k.DRIVES_MAX - 1), c.asked[request]
    key = asked[k.NUMBER] * _OF_REQUEST + _OF_WRITE + place // k.DRIVES_MAX
    told = operate(c, d, t, c.timed[request, k.BYTES], True, key)
    if c.node[d] != asked[k.GOAL]:
        told += hop(c, asked[k.GOAL], c.node[d]) / 2
    come(c, request, told)


@kernel
def read(c: Cluster, number: int, group: int, t: float) -> None:
    """Serve a read."""
    kind, count = k.READ, to_read(c, group)
    for i in range(count if c.rank[group] >= 0 else 0):
        if c.picked[i] >= c.plan[k.DATA]:
            kind = k.DEGRADED_READ
    if kind == k.DEGRADED_READ and number >= c.plan[k.WARM]:
        c.tally[k.DEGRADED] += 1
    c.marks[k.PICKED] = count
    request = begin(c, kind, number, group, leader(c, group), t)
    if request >= 0:
        c.marks[k.UNDER_WAY] += 1
        read_picked(c, request, t, c.par[k.SHARD_SIZE], number * _OF_REQUEST)


@kernel
def changed_of(c: Cluster, number: int) -> int:
    """The shard of data that a partial write changes."""
    return int(chance(number * _OF_REQUEST + _OF_CHANCE + 4) * c.plan[k.DATA])


@kernel
def write_all(c: Cluster, request: int, t: float, size: float, changed: int) -> None:
    """Write a stripe, or with ``changed`` what changes with that shard."""
    asked, count = c.asked[request], 0
    asked[k.KIND] = k.STORED
    for shard in range(c.plan[k.SHARDS]):
        if drive_of(c, asked[k.GROUP], shard) < 0:
            continue
        if changed < 0 or touched(c, shard, changed):
            c.picked[count] = shard
            count += 1
    await_shards(c, request, count, t, size)
    for i in range(count):
        d = drive_of(c, asked[k.GROUP], c.picked[i])
        place = c.picked[i] * k.DRIVES_MAX + d
        if c.node[d] == asked[k.GOAL]:
            store(c, request, place, t)
        else:
            send(c, request, place, t)


@kernel
def read_old(c: Cluster, request: int, t: float) -> None:
    """Begin a partial write: read the old data and parities, or what they are worked out from."""
    group, number, count = c.asked[request, k.GROUP], c.asked[request, k.NUMBER], 0
    changed = changed_of(c, number)
    if drive_of(c, group, changed) < 0:
        count = to_rebuild(c, group, changed)
    else:
        for shard in range(c.plan[k.SHARDS]):
            if touched(c, shard, changed) and drive_of(c, group, shard) >= 0:
                c.picked[count] = shard
                count += 1
    c.marks[k.PICKED] = count
    c.asked[request, k.KIND] = k.OLD_DATA
    read_picked(c, request, t, c.par[k.PARTIAL_SIZE], number * _OF_REQUEST)


@kernel
def next_shard(c: Cluster, t: float, key: int) -> tuple[int, int]:
    """A group and its lost shard, whose drive takes no other piece at present; -1 if none is.

    Of the most degraded groups, then of all that are left, so that no stream rests while drives of
    the former are taken: an order of priorities within limits of each drive, as Ceph and HDFS have.
    """
    done = c.marks[k.REBUILT]
    left = c.plan[k.LOST_GROUPS] - done
    for attempt in range(_TRIES if left > 0 else 0):
        among = c.alike_until[done] - done if attempt < _URGENT_TRIES else left
        group = c.order[done + int(chance(key + _OF_WRITE - 10 + attempt) * among)]
        shard = lost_shard(c, group)
        if shard >= 0 and c.taking[c.after[group, shard]] <= t:
            return group, shard
    return -1, -1


@kernel
def read_piece(c: Cluster, request: int, t: float) -> None:
    """Begin a piece of a lost shard: read what it is worked out from, at where it is rebuilt."""
    asked = c.asked[request]
    key = _OF_PIECE + asked[k.NUMBER] * _OF_WRITE
    group, shard = next_shard(c, t, key)
    if group < 0:
        asked[k.NUMBER] += c.plan[k.STREAMS]
        push(c, t + c.par[k.PIECE_GAP], k.PIECE_READ, request, 0)
        return
    d = c.after[group, shard]
    c.taking[d] = math.inf
    c.marks[k.PICKED] = to_rebuild(c, group, shard)
    asked[k.GROUP], asked[k.GOAL], asked[k.DRIVE] = group, c.node[d], d
    c.timed[request, k.SINCE] = t
    read_picked(c, request, t, c.par[k.PIECE_SIZE], key)


@kernel
def write_piece(c: Cluster, request: int, t: float) -> None:
    """End a piece where it is rebuilt, and begin the next one of the stream at its time."""
    asked = c.asked[request]
    d, key = asked[k.DRIVE], _OF_PIECE + asked[k.NUMBER] * _OF_WRITE + _OF_WRITE - 2
    before = c.busy[d]
    c.taking[d] = operate(c, d, t, c.par[k.PIECE_SIZE], True, key)
    c.rebuilding[d] += c.busy[d] - before
    c.tally[k.PIECES] += 1
    asked[k.NUMBER] += c.plan[k.STREAMS]
    at = max(c.taking[d], c.timed[request, k.SINCE] + c.par[k.PIECE_GAP])
    push(c, at, k.PIECE_READ, request, 0)


@kernel
def go_on(c: Cluster, step: int, request: int, at: float) -> None:
    """Do what happens to a request as a whole at its time."""
    if step == k.SEND_ON:
        answer(c, request, 0, pass_link(c, c.asked[request, k.GOAL], at, c.par[k.SIZE]))
    elif step == k.WRITE:
        write_all(c, request, at, c.par[k.SHARD_SIZE], -1)
    elif step == k.READ_OLD:
        read_old(c, request, at)
    elif step == k.PARTIAL_WRITE:
        changed = changed_of(c, c.asked[request, k.NUMBER])
        write_all(c, request, at, c.par[k.PARTIAL_SIZE], changed)
    elif step == k.PIECE_READ and c.marks[k.END] == 0:
        read_piece(c, request, at)
    elif step == k.PIECE_WRITE and c.marks[k.END] == 0:
        write_piece(c, request, at)


@kernel
def do_step(c: Cluster, step: int, request: int, place: int, at: float) -> None:
    """Do what happens to a request, or to one of its shards, at its time."""
    if step == k.SEND:
        send(c, request, place, at)
    elif step == k.RECEIVE:
        receive(c, request, place, at)
    elif step == k.STORE:
        store(c, request, place, at)
    else:
        go_on(c, step, request, at)


@kernel
def work_until(c: Cluster, t: float, bucket: int) -> None:
    """Do what happens up to ``t``, and up to a bucket of the calendar."""
    while True:
        event = next_event(c, t, bucket)
        if event < 0:
            return
        row = c.events[event]
        do_step(c, row[k.STEP], row[k.REQUEST], row[k.PLACE], c.at[event])


@kernel
def work_out(c: Cluster) -> None:
    """Answer what is under way."""
    while c.marks[k.UNDER_WAY] > 0 and c.marks[k.OVERFLOW] == 0:
        work_until(c, math.inf, c.marks[k.BUCKET] + 1)


@kernel
def take_write(c: Cluster, number: int, group: int, t: float, key: int) -> None:
    """Take in a write: what it brings is coded where its group is led."""
    goal = leader(c, group)
    partial = chance(key + 3) < c.par[k.PARTIAL_SHARE]
    size = c.par[k.PARTIAL_SIZE] if partial else c.par[k.SIZE]
    request = begin(c, k.STORED, number, group, goal, t)
    if request < 0:
        return
    c.marks[k.UNDER_WAY] += 1
    came = pass_link(c, c.plan[k.NODES] + goal, t, size)
    if partial and c.plan[k.DATA] > 1:
        push(c, came, k.READ_OLD, request, 0)
        return
    if c.plan[k.DATA] > 1:
        came += coded(c, size)
    push(c, came, k.PARTIAL_WRITE if partial else k.WRITE, request, 0)


@kernel
def serve(c: Cluster, seed: int) -> float:
    """Serve a phase's requests, numbered from ``seed`` on; return when the last one came."""
    p, total, t = c.par, c.plan[k.REQUESTS], 0.0
    for stream in range(c.plan[k.STREAMS]):
        request = begin(c, k.PIECE, seed + stream, 0, 0, 0.0)
        push(c, p[k.PIECE_GAP] * stream / c.plan[k.STREAMS], k.PIECE_READ, request, 0)
    for place in range(total):
        number = seed + place
        key = number * _OF_REQUEST + _OF_CHANCE
        t -= math.log(chance(key)) * p[k.GAP]
        if c.plan[k.STREAMS] > 0:
            whole = place * c.lost_before[c.plan[k.LOST_GROUPS]] // total
            while c.lost_before[c.marks[k.REBUILT] + 1] <= whole:
                c.marks[k.REBUILT] += 1
        work_until(c, t, int(t * p[k.BUCKETS_PER_MS]))
        if c.marks[k.OVERFLOW] != 0:
            return t
        group = int(chance(key + 1) * c.plan[k.GROUPS])
        if chance(key + 2) < p[k.READ_SHARE]:
            read(c, number, group, t)
        else:
            take_write(c, number, group, t, key)
    c.marks[k.END] = 1
    work_out(c)
    return t
