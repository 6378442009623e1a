"""How fast a coded cluster recovers beside its requests, in closed form. [ms]

As ``cluster_array`` simulates it: a stream for each drive that is left begins a piece at most as
often as the limits allow (c ms from one to the next), of a lost shard whose new drive takes no
other piece; after some tries in vain (six) it waits as long. Reading a piece from k drives at once
and writing it take T, each waiting for requests and other pieces (Pollaczek and Khinchine), the
slowest of the reads by ``slowest.slowest_moments``. A new drive with g groups to be rebuilt is
asked g a times a ms while it takes none, so that it is busy for a share and a piece begins at

    u = a T g / (1 + a T g),   X = sum of u / T = a sum of g (1 - u)

and of groups a share x waits for a busy drive: s streams together ask s (1 - x^6) / (1 - x) times
in the mean time between their turns, max(T, c) after a piece and c without. That gives a. The
groups of each drive are as many as a Poisson variable says. Groups become whole one by one; the
pace is the mean over that, by Gauss and Legendre. What is read for a piece waits as one for the
link of the node where it is written, which a lost drive's node has nearly all of.

A lost drive's groups stay in its failure domain where that still wins them (straw2, Weil et al. and
its revision of 2014): drawn times exponential, of D domains among the first n, one's rate less by
the lost share 1 - f, with E[exp(-f t)] of the n-th of the others the product of i / (i + f), i from
D - n to D - 1.

No constant is fitted. With up to 45 MB/s a drive entered it comes within 15% of the simulator up to
half of the drives' time asked, within 25% up to 0.6; with 130 MB/s, which hold nothing back, a lost
drive within 25% and 30%, too fast (``test_cluster_beside.py``): drives are taken to hold equally
many groups, and some that hold more are read from again and again.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError
from capmodels.storage.closed_form.slowest import slowest_moments
from capmodels.storage.cluster.params import domains_count
from capmodels.storage.cluster.recovery import MB_PER_S_OF_GBIT, code_of, drives_count, lost_of
from capmodels.storage.drive.service import (
    MS_PER_S,
    Moments,
    mixed_moments,
    steady_moments,
    transfer_ms,
)
from capmodels.storage.drive.times import (
    read_answer_ms,
    read_busy_ms,
    service_moments,
    write_answer_ms,
    write_busy_ms,
)
from capmodels.units import SECONDS_PER_HOUR

if TYPE_CHECKING:
    from capmodels.storage.cluster.params import CodedCluster, Lost
    from capmodels.storage.drive.drives import Drive

# As of storage.cluster_array: a piece of a shard, and tries to find a drive that takes none.
PIECE_BYTES, TRIES = 4_194_304, 6
# Gauss and Legendre's places and weights between 0 and 1.
_PLACES = ((0.1127016654, 5 / 18), (0.5, 8 / 18), (0.8872983346, 5 / 18))
_MOST_LOAD, _MOST_LINK = 0.95, 0.99
_ROUNDS, _SETTLED = 60, 1e-3
_STEP, _LESS = 0.8, 0.6
# Above, a Poisson variable is taken at three places, as a normal one.
_MANY = 12.0


class Asked(NamedTuple):
    """Requests to a whole cluster."""

    reads_per_s: float
    writes_per_s: float
    size_bytes: float


class _Class(NamedTuple):
    """New drives that are alike: how many, and groups that each is to take on average."""

    drives_count: float
    groups_count: float
    nodes_count: float  # that they are in


class _Cluster(NamedTuple):
    """What a piece meets: requests to each drive, the piece's own reads and write, the rest."""

    requests_per_ms: float
    request: Moments
    pieces: tuple[Moments, Moments]
    answers_ms: tuple[float, float]
    reads_count: int
    left_count: float
    rest_ms: float  # sending and decoding
    sent_ms: float  # in which a link passes what one piece reads
    link_load: float  # of a node's link, by requests


def moments_of(drive: Drive, size_bytes: float, *, write: bool) -> Moments:
    """Time of an operation on a drive, of a solid-state drive over its channels. [ms, ms^2].

    Raises
    ------
    ModelError
        When a disk's seek has no three points.
    """
    if drive.kind == "ssd":
        busy = write_busy_ms if write else read_busy_ms
        return steady_moments(busy(drive, size_bytes) / drive.channels_count)
    found = service_moments(drive, size_bytes, write=write)
    if found is None:
        message = "Enter the drive's shortest, mean and longest seek."
        raise ModelError(message)
    return found


def slowed(params: CodedCluster, lost: Lost, pace: float) -> Lost:
    """What a loss sets off, recovered at a share of the rate that the limits allow."""
    detection = params.recovery.detection_h
    return lost.model_copy(update={"recovery_h": detection + (lost.recovery_h - detection) / pace})


def drive_mb_per_s(params: CodedCluster, lost: Lost) -> float:
    """What each drive that is left reads and writes for a lost drive, on average. [MB/s]"""
    moved_mb = lost.read_tb * 1e6 * (1 + 1 / code_of(params).repair_reads)
    seconds = (lost.recovery_h - params.recovery.detection_h) * SECONDS_PER_HOUR
    return moved_mb / seconds / max(drives_count(params) - 1, 1)


@lru_cache(maxsize=256)
def pace_fraction(params: CodedCluster, drives: float, asked: Asked) -> float:
    """Rate of a recovery beside requests over that of its limits alone, at most 1."""
    reads = code_of(params).repair_reads
    left, limit = max(drives_count(params) - drives, 1.0), lost_of(params, drives)
    seconds = (limit.recovery_h - params.recovery.detection_h) * SECONDS_PER_HOUR
    lost_bytes = limit.read_tb * 1e12 / reads
    if seconds <= 0 or lost_bytes <= 0:
        return 1.0
    gap = seconds * MS_PER_S * PIECE_BYTES / lost_bytes
    cluster = _cluster(params, drives, asked)
    rate, pace = 0.5 / gap, 0.0
    for place, weight in _PLACES:
        rate = _rate(cluster, _classes(params, drives, 1 - place), gap * left, rate)
        pace += weight * min(rate * gap, 1.0)
    return pace


def _cluster(params: CodedCluster, drives: float, asked: Asked) -> _Cluster:
    code, machines, drive = code_of(params), params.machines, params.drive
    left = max(drives_count(params) - drives, 1.0)
    shard = max(asked.size_bytes / code.data_count, 512.0)
    reads = asked.reads_per_s * code.data_count / left / MS_PER_S
    writes = asked.writes_per_s * code.shards_count / drives_count(params) / MS_PER_S
    total = reads + writes
    share = writes / total if total > 0 else 0.0
    both = [(1 - share, moments_of(drive, shard, write=False))]
    both.append((share, moments_of(drive, shard, write=True)))
    pieces = tuple(moments_of(drive, PIECE_BYTES, write=write) for write in (False, True))
    alone = (
        (read_answer_ms(drive, PIECE_BYTES), write_answer_ms(drive, PIECE_BYTES))
        if drive.kind == "ssd"
        else (pieces[0].mean_ms, pieces[1].mean_ms)
    )
    sent = transfer_ms(PIECE_BYTES, machines.network_gbit_per_s * MB_PER_S_OF_GBIT)
    decoded = transfer_ms(PIECE_BYTES * code.repair_reads, machines.code_gb_per_s * 1e3)
    rest = sent + machines.hop_ms + (decoded if code.data_count > 1 else 0.0)
    # A read goes to the node that leads its group and on; a write there, and on to its shards.
    passed = asked.reads_per_s + asked.writes_per_s * code.shards_count / code.data_count
    passed *= transfer_ms(asked.size_bytes, machines.network_gbit_per_s * MB_PER_S_OF_GBIT)
    return _Cluster(
        total,
        mixed_moments(both),
        (pieces[0], pieces[1]),
        alone,
        round(code.repair_reads),
        left,
        rest,
        sent * code.repair_reads if machines.nodes_count > 1 else 0.0,
        passed / MS_PER_S / machines.nodes_count,
    )


def _classes(params: CodedCluster, drives: float, there: float) -> tuple[_Class, ...]:
    """New drives of a loss, of whose groups so much is still to be rebuilt."""
    shards, all_drives = code_of(params).shards_count, drives_count(params)
    machines = params.machines
    domains = domains_count(machines, params.failure_domain)
    each = all_drives / domains
    groups = params.placement_groups_count * shards * drives / all_drives * there
    own = max(each - drives, 0.0)
    gone = max(drives / each, 1.0)
    others = (domains - gone) * each if domains - gone >= shards else 0.0
    if own == 0 and others == 0:
        own, nodes = drives, drives * machines.nodes_count / all_drives
        return (_Class(own, groups / own, max(nodes, 1.0)),)  # on what replaces the lost ones
    stay = 1.0 if others == 0 else 0.0
    if own > 0 and others > 0:
        share = own / each
        apart = math.prod(i / (i + share) for i in range(domains - shards, domains))
        stay = (1 - apart) / (shards / domains)
    nodes = max(machines.nodes_count / domains, 1.0)
    found = ((own, stay, nodes), (others, 1 - stay, machines.nodes_count - nodes))
    return tuple(
        _Class(count, groups * part / count, max(within, 1.0))
        for count, part, within in found
        if count * part > 0
    )


def _piece_ms(cluster: _Cluster, rate: float) -> float:
    """Time of a piece where so many begin a ms: read at once, brought together and written."""
    pieces = rate * (cluster.reads_count + 1) / cluster.left_count
    share = 1 / (cluster.reads_count + 1)
    piece = mixed_moments([(1 - share, cluster.pieces[0]), (share, cluster.pieces[1])])
    load = cluster.requests_per_ms * cluster.request.mean_ms + pieces * piece.mean_ms
    square = cluster.requests_per_ms * cluster.request.mean_square_ms2
    square += pieces * piece.mean_square_ms2
    wait = square / 2 / max(1 - load, 1 - _MOST_LOAD)
    service = cluster.pieces[0]
    slowest, _ = slowest_moments(service, wait, min(load, _MOST_LOAD), cluster.reads_count)
    read = slowest - service.mean_ms + cluster.answers_ms[0]
    return read + wait + cluster.answers_ms[1] + cluster.rest_ms


def _link_ms(cluster: _Cluster, one: _Class, rate: float) -> float:
    """Wait for the link of a new drive's node, where so many pieces a ms come to drives alike."""
    load = rate / one.nodes_count * cluster.sent_ms + cluster.link_load
    return load * cluster.sent_ms / 2 / max(1 - load, 1 - _MOST_LINK)


def _rate(cluster: _Cluster, classes: tuple[_Class, ...], turn_ms: float, begun: float) -> float:
    """Pieces that begin each ms with so much time between the turns of a stream at least."""
    groups = math.fsum(one.drives_count * one.groups_count for one in classes)
    spread = [_poisson(one.groups_count) for one in classes]
    rates = [begun * one.drives_count * one.groups_count / groups for one in classes]
    asks, step, before = cluster.left_count / turn_ms / groups, _STEP, 0.0
    for _ in range(_ROUNDS):
        piece, found, waiting, working = _piece_ms(cluster, sum(rates)), [], 0.0, 0.0
        for one, numbers, rate in zip(classes, spread, rates, strict=True):
            took = piece + _link_ms(cluster, one, rate)
            used = [(c * (1 - 1 / (1 + asks * took * n)), n) for n, c in numbers]
            found.append(one.drives_count * math.fsum(u for u, _ in used) / took)
            waiting += one.drives_count * math.fsum(u * n for u, n in used) / groups
            working += found[-1] * max(took, turn_ms)
        begins = 1 - waiting**TRIES
        between = begins * working / sum(found) + (1 - begins) * turn_ms
        tries = math.fsum(waiting**nth for nth in range(TRIES))
        next_asks = cluster.left_count / between * tries / groups
        away = sum(found) - sum(rates)
        if abs(away) < _SETTLED * sum(rates) and abs(next_asks - asks) < _SETTLED * asks:
            break
        # Most of the way, and less where it swings about the end.
        step, before = step * (_LESS if away * before < 0 else 1.0), away
        rates = [rate * (new / rate) ** step for rate, new in zip(rates, found, strict=True)]
        asks = next_asks
    return sum(rates)


def _poisson(mean: float) -> tuple[tuple[float, float], ...]:
    """Numbers and chances of a Poisson variable."""
    if mean > _MANY:
        away = math.sqrt(3 * mean)
        return ((mean - away, 1 / 6), (mean, 2 / 3), (mean + away, 1 / 6))
    last = math.ceil(mean + 6 * math.sqrt(mean) + 2)
    return tuple(
        (float(n), math.exp(-mean + n * math.log(mean) - math.lgamma(n + 1))) for n in range(last)
    )
