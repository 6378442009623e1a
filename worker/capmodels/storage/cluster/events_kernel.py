"""What happens in a simulated cluster, in the order of time: a calendar, and links. [ms, B]

Events wait in a ring of buckets of time and are sorted when their bucket comes (R. Brown, Calendar
Queues, CACM 31(10), 1988); what is put into the present bucket is sorted in at once.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.kernel import kernel
from capmodels.storage.cluster import slots as k

if TYPE_CHECKING:
    from capmodels.storage.cluster.slots import Cluster


@kernel
def _sort_in(c: Cluster, event: int) -> None:
    """Put an event among those of the present bucket, after those of its time."""
    at, before, after = c.at[event], -1, c.marks[k.NOW]
    while after >= 0 and c.at[after] <= at:
        before, after = after, c.following[after]
    c.following[event] = after
    if before < 0:
        c.marks[k.NOW] = event
    else:
        c.following[before] = event


@kernel
def push(c: Cluster, at: float, step: int, request: int, place: int) -> None:
    """Put off a step of a request until its time."""
    event = c.marks[k.FREE]
    if event < 0:
        c.marks[k.OVERFLOW] = 1
        return
    c.marks[k.FREE] = c.following[event]
    c.at[event] = at
    row = c.events[event]
    row[k.STEP], row[k.REQUEST], row[k.PLACE] = step, request, place
    bucket = int(at * c.par[k.BUCKETS_PER_MS])
    if bucket <= c.marks[k.BUCKET]:
        _sort_in(c, event)
        return
    ring = bucket & (k.BUCKETS - 1)
    c.following[event] = c.buckets[ring]
    c.buckets[ring] = event


@kernel
def _first_bucket(c: Cluster) -> int:
    """The bucket of the earliest event that waits in the ring; 0 if none does."""
    first = math.inf
    for ring in range(k.BUCKETS):
        event = c.buckets[ring]
        while event >= 0:
            first = min(first, c.at[event])
            event = c.following[event]
    return int(first * c.par[k.BUCKETS_PER_MS]) if first < math.inf else 0


@kernel
def _open_bucket(c: Cluster) -> None:
    """Go on to the next bucket; what is a turn of the ring or more ahead stays.

    Once a turn, buckets without events are passed over: of slow links there are any number.
    """
    c.marks[k.BUCKET] += 1
    if c.marks[k.BUCKET] & (k.BUCKETS - 1) == 0:
        c.marks[k.BUCKET] = max(c.marks[k.BUCKET], _first_bucket(c))
    bucket = c.marks[k.BUCKET]
    ring = bucket & (k.BUCKETS - 1)
    event, c.buckets[ring] = c.buckets[ring], -1
    while event >= 0:
        following = c.following[event]
        if int(c.at[event] * c.par[k.BUCKETS_PER_MS]) <= bucket:
            _sort_in(c, event)
        else:
            c.following[event] = c.buckets[ring]
            c.buckets[ring] = event
        event = following


@kernel
def next_event(c: Cluster, t: float, bucket: int) -> int:
    """Take the next event up to ``t``, which lies in a bucket; -1 if there is none."""
    while True:
        event = c.marks[k.NOW]
        if event >= 0:
            if c.at[event] > t:
                return -1
            c.marks[k.NOW] = c.following[event]
            c.following[event] = c.marks[k.FREE]
            c.marks[k.FREE] = event
            return event
        if c.marks[k.BUCKET] >= bucket:
            return -1
        _open_bucket(c)


@kernel
def begin(c: Cluster, kind: int, number: int, group: int, goal: int, since: float) -> int:
    """Take in a request; -1 if too many are under way."""
    request = c.marks[k.IDLE]
    if request < 0:
        c.marks[k.OVERFLOW] = 1
        return request
    c.marks[k.IDLE] = c.resting[request]
    row = c.asked[request]
    row[k.KIND], row[k.NUMBER], row[k.GROUP], row[k.GOAL] = kind, number, group, goal
    c.timed[request, k.SINCE] = since
    return request


@kernel
def end(c: Cluster, request: int) -> None:
    """Be done with a request."""
    c.resting[request] = c.marks[k.IDLE]
    c.marks[k.IDLE] = request


@kernel
def pass_link(c: Cluster, link: int, t: float, size: float) -> float:
    """Queue data at a link that they reach at ``t``: when they have passed."""
    c.sent[link] += size
    c.link[link] = max(c.link[link], t) + size * c.par[k.LINK_PACE]
    return float(c.link[link])
