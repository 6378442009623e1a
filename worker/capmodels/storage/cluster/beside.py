"""How fast a coded cluster recovers beside its requests, in closed form. [ms]

As ``cluster_array`` simulates it: a stream for each drive that is left begins a piece at most as
often as the limits allow (c ms from one to the next), of a lost shard whose new drive takes no
other piece; after some tries in vain (six) it waits as long. Reading a piece from k drives at once
and writing it take T, each waiting for requests and other pieces (Pollaczek and Khinchine), the
slowest of the reads by ``slowest.slowest_mean_ms``. A new drive with g groups to be rebuilt is
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

A hash lays shards on drives unevenly: with g groups for each drive what one is asked varies by

    sqrt(sum of a^2 / g) / sum of a,   a what each shard of a group is asked

(a Poisson process), and the fullest of N drives has as many deviations more as the largest of N
normal variables (Blom 1958). Reads go to drives as these hold shards. The fullest drive has no time
left long before the mean has none: where requests ask it for more than 0.9 of its time, while
drives are lost or once their shards are on others, no pace is said.

No constant is fitted. Up to half of the drives' time asked it comes within 15% of the simulator
with limits up to 45 MB/s a drive, beyond within 40% (``test_cluster_beside.py``). A lost drive's
few groups come back up to 25% and 35% more slowly than said: some drives are read from again and
again. A lost node's may come faster: what waits for the fullest drive lets others pass.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError
from capmodels.storage.closed_form.slowest import slowest_mean_ms
from capmodels.storage.cluster.codes import larger_share, together_fraction
from capmodels.storage.cluster.links import Asked, links_of
from capmodels.storage.cluster.params import Lost, domains_count
from capmodels.storage.cluster.recovery import (
    MB_PER_S_OF_GBIT,
    away_of,
    code_of,
    drives_count,
    lost_of,
)
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
    from capmodels.storage.cluster.links import Links
    from capmodels.storage.cluster.params import CodedCluster, Limit
    from capmodels.storage.drive.drives import Drive

# As of storage.cluster_array: a piece of a shard, and tries to find a drive that takes none.
PIECE_BYTES, TRIES = 4_194_304, 6
# Share of the busiest drive's time that requests may ask: how full it is, is known by chance alone.
MOST_LOAD = 0.9
# Gauss and Legendre's places and weights between 0 and 1.
_PLACES = ((0.1127016654, 5 / 18), (0.5, 8 / 18), (0.8872983346, 5 / 18))
# And of three standard normal ones, Gauss and Hermite's.
_DEVIATIONS = ((1 / 6, -math.sqrt(3)), (2 / 3, 0.0), (1 / 6, math.sqrt(3)))
# Drives by what they hold, the fullest first: where a share ends that is taken as alike.
_RANKS = (1.0, 3.0, 8.0, 25.0, 80.0, 250.0)
_NORMAL = NormalDist()
_LEAST_FREE, _MOST_LINK = 1e-4, 0.99
_ROUNDS, _SETTLED, _HALVES = 40, 1e-3, 12
_STEP, _LESS = 0.8, 0.6
# Above, a Poisson variable is taken at three places, as a normal one.
_MANY = 4.0


class Busiest(NamedTuple):
    """Share of its time that requests ask of a drive or a link."""

    load: float
    name: str


class _Class(NamedTuple):
    """New drives that are alike: how many, groups that each is to take, what it is asked."""

    drives_count: float
    groups_count: float  # of a drive, on average
    nodes_count: float  # that they are in
    load_fraction: float  # by requests, on average
    reads: bool  # whether pieces are read from them as well


class _Begun(NamedTuple):
    """Pieces that begin each ms on each class of drives, and how often a group is asked for one."""

    rates: list[float]
    asks_per_ms: float


class _Cluster(NamedTuple):
    """What a piece meets: requests to each drive, the piece's own reads and write, the rest."""

    request: Moments
    load_fraction: float  # by requests, of a drive that pieces are read from
    apart: float  # deviation of what a drive holds, over the mean
    pieces: tuple[Moments, Moments]
    answers_ms: tuple[float, float]
    reads_count: float
    read_drives_count: float
    left_count: float
    rest_ms: float  # sending and decoding
    sent_ms: float  # in which a link passes what one piece reads
    link_loads: tuple[float, float]  # of a node's link, out and in, by requests


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


def slowed_h(params: CodedCluster, limit: Limit, pace: float) -> float:
    """How long a recovery takes at a share of the rate that the limits allow. [h]"""
    detection = params.recovery.detection_h
    return detection + (limit.recovery_h - detection) / pace


def slowed(params: CodedCluster, limit: Limit, pace: float | None) -> Lost:
    """What a loss sets off; its time is unknown where the pace is."""
    hours = None if pace is None else slowed_h(params, limit, pace)
    return Lost(**limit.model_dump(exclude={"recovery_h"}), recovery_h=hours)


def drive_mb_per_s(params: CodedCluster, limit: Limit, pace: float) -> float:
    """What each drive that is left reads and writes for a lost drive, on average. [MB/s]"""
    moved_mb = limit.read_tb * 1e6 * (1 + 1 / code_of(params).repair_reads)
    hours = slowed_h(params, limit, pace)
    seconds = (hours - params.recovery.detection_h) * SECONDS_PER_HOUR
    return moved_mb / seconds / max(drives_count(params) - 1, 1)


@lru_cache(maxsize=256)
def pace_fraction(params: CodedCluster, drives: float, asked: Asked) -> float | None:
    """Rate of a recovery beside requests over that of its limits alone, at most 1.

    None where requests ask more of the busiest drive, or of the links, than is believed.
    """
    if busiest(params, drives, asked).load > MOST_LOAD:
        return None
    reads = code_of(params).repair_reads
    left, limit = max(drives_count(params) - drives, 1.0), lost_of(params, drives)
    seconds = (limit.recovery_h - params.recovery.detection_h) * SECONDS_PER_HOUR
    lost_bytes = limit.read_tb * 1e12 / reads
    if seconds <= 0 or lost_bytes <= 0:
        return 1.0
    gap = seconds * MS_PER_S * PIECE_BYTES / lost_bytes
    cluster, pace = _cluster(params, drives, asked), 0.0
    for place, weight in _PLACES:
        classes = _classes(params, drives, asked, place)
        pace += weight * min(_rate(cluster, classes, gap * left) * gap, 1.0)
    return pace


def busiest(params: CodedCluster, drives: float, asked: Asked) -> Busiest:
    """What requests ask of the drive, or of the links, that are asked most.

    With so many drives lost, and once what they held is on others.
    """
    cluster = _cluster(params, drives, asked)
    links = links_of(params, asked)
    link = max(
        load * (1 + apart * _most_of(links.nodes_count))
        for load, apart in zip(links.loads, links.apart, strict=True)
    )
    found = [Busiest(link, "link"), _fullest(cluster, cluster.left_count)]
    for one in _classes(params, drives, asked, 1.0) if drives else ():
        after = cluster._replace(load_fraction=one.load_fraction)
        found.append(_fullest(after, one.drives_count))
    over = max(more for _, more in _domain_loads(params, asked))
    return max(Busiest(load * over, name) for load, name in found)


def _fullest(cluster: _Cluster, count: float) -> Busiest:
    """The one of so many drives that holds most."""
    return Busiest(cluster.load_fraction * (1 + cluster.apart * _most_of(count)), "drive")


def _most_of(count: float, rank: float = 1.0) -> float:
    """Largest, or one of a rank, of so many standard normal variables (Blom 1958)."""
    return -_NORMAL.inv_cdf((rank - 0.375) / (count + 0.25)) if count > 1 else 0.0


def _load(params: CodedCluster, asked: Asked) -> tuple[Moments, float, float, float]:
    """A request at a drive, reads and writes of all drives a ms, and how far shards differ."""
    code, drive = code_of(params), params.drive
    shard = _shard_bytes(params, asked)
    reads = asked.reads_per_s * code.data_count / MS_PER_S
    writes = asked.writes_per_s * code.shards_count / MS_PER_S
    share = writes / (reads + writes) if reads + writes > 0 else 0.0
    read, write = (moments_of(drive, shard, write=one) for one in (False, True))
    # What a shard of data and one of parity is asked, in all; a drive holds some of each.
    parity = writes * write.mean_ms / code.shards_count
    data = reads * read.mean_ms / code.data_count + parity
    checks = code.shards_count - code.data_count
    mean = code.data_count * data + checks * parity
    square = code.data_count * data**2 + checks * parity**2
    groups = params.placement_groups_count / drives_count(params)
    apart = math.sqrt(square / groups) / mean if mean > 0 else 0.0
    return mixed_moments([(1 - share, read), (share, write)]), reads, writes, apart


def _cluster(params: CodedCluster, drives: float, asked: Asked) -> _Cluster:
    code, machines, drive = code_of(params), params.machines, params.drive
    count = drives_count(params)
    left = max(count - drives, 1.0)
    own = max(count / domains_count(machines, params.failure_domain) - drives, 0.0)
    request, reads, writes, apart = _load(params, asked)
    pieces = tuple(moments_of(drive, PIECE_BYTES, write=write) for write in (False, True))
    alone = (
        (read_answer_ms(drive, PIECE_BYTES), write_answer_ms(drive, PIECE_BYTES))
        if drive.kind == "ssd"
        else (pieces[0].mean_ms, pieces[1].mean_ms)
    )
    sent = transfer_ms(PIECE_BYTES, machines.network_gbit_per_s * MB_PER_S_OF_GBIT)
    decoded = transfer_ms(PIECE_BYTES * code.repair_reads, machines.code_gb_per_s * 1e3)
    away = away_of(params)
    domains = domains_count(machines, params.failure_domain)
    near = together_fraction(domains, machines.sites_count, round(code.repair_reads) + 1)
    hop = near * machines.hop_ms + (1 - near) * machines.site_hop_ms
    rest = (sent + hop) * away + (decoded if code.data_count > 1 else 0.0)
    return _Cluster(
        request,
        (reads / left + writes / count) * request.mean_ms,
        apart,
        (pieces[0], pieces[1]),
        alone,
        code.repair_reads,
        max(left - own, 1.0),
        left,
        rest,
        sent * code.repair_reads * away,
        links_of(params, asked).loads,
    )


def _classes(params: CodedCluster, drives: float, asked: Asked, whole: float) -> tuple[_Class, ...]:
    """New drives of a loss, of whose groups such a share has been rebuilt."""
    shards, all_drives = code_of(params).shards_count, drives_count(params)
    request, reads, writes, _ = _load(params, asked)
    load = (reads + writes) / all_drives * request.mean_ms
    machines = params.machines
    domains = domains_count(machines, params.failure_domain)
    each = all_drives / domains
    groups = params.placement_groups_count * shards * drives / all_drives * (1 - whole)
    own = max(each - drives, 0.0)
    gone = max(drives / each, 1.0)
    others = (domains - gone) * each if domains - gone >= shards else 0.0
    if own == 0 and others == 0:
        nodes = max(drives * machines.nodes_count / all_drives, 1.0)
        # On what replaces the lost ones.
        return (_Class(drives, groups / drives, nodes, load * whole, reads=False),)
    stay = 1.0 if others == 0 else 0.0
    if own > 0 and others > 0:
        share = own / each
        apart = math.prod(i / (i + share) for i in range(domains - shards, domains))
        stay = (1 - apart) / (shards / domains)
    nodes = max(machines.nodes_count / domains, 1.0)
    found = ((own, stay, nodes), (others, 1 - stay, machines.nodes_count - nodes))
    return tuple(
        _Class(
            count,
            groups * part / count,
            max(within, 1.0),
            load * (1 + whole * drives * part / count),
            reads=count is others,
        )
        for count, part, within in found
        if count * part > 0
    )


def _wait_ms(cluster: _Cluster, load: float, rates: tuple[float, float]) -> tuple[float, float]:
    """Wait of a piece at a drive, and its load, by requests and so many reads and writes a ms."""
    square = load / cluster.request.mean_ms * cluster.request.mean_square_ms2
    for rate, piece in zip(rates, cluster.pieces, strict=True):
        load += rate * piece.mean_ms
        square += rate * piece.mean_square_ms2
    return square / 2 / max(1 - load, _LEAST_FREE), min(load, 1.0)


def _read_ms(cluster: _Cluster, rate: float, written: float) -> float:
    """Time in which a piece is read from its drives, where so many a ms begin, and are written."""
    each = rate * cluster.reads_count / cluster.read_drives_count
    writes, queues = written / cluster.read_drives_count, []
    for share, more in _held(cluster.apart, cluster.read_drives_count):
        load = cluster.load_fraction * more
        queues.append((share, *_wait_ms(cluster, load, (each * more, writes))))
    service = cluster.pieces[0]
    slowest = slowest_mean_ms(service, queues, cluster.reads_count)
    return slowest - service.mean_ms + cluster.answers_ms[0]


def kinds_of(params: CodedCluster, asked: Asked) -> list[tuple[float, float]]:
    """Drives by what they hold: the share of what is asked, and each one's over the mean."""
    held = _held(_load(params, asked)[3], drives_count(params))
    domains = _domain_loads(params, asked)
    return [(part * share, over * more) for part, over in domains for share, more in held]


def _domain_loads(params: CodedCluster, asked: Asked) -> tuple[tuple[float, float], ...]:
    """Shares of what is asked that larger and smaller racks or sites get, over the mean of drives.

    Where these are the failure domain; reads go to the shards of data, which are drawn first.
    """
    nodes, code = params.machines.nodes_count, code_of(params)
    domains = min(domains_count(params.machines, params.failure_domain), nodes)
    each, larger = divmod(nodes, domains)
    request, reads, writes, _ = _load(params, asked)
    if not larger or request.mean_ms == 0:
        return ((1.0, 1.0),)
    read, write = (
        rate * moments_of(params.drive, _shard_bytes(params, asked), write=one).mean_ms
        for rate, one in ((reads, False), (writes, True))
    )
    share = read * larger_share(nodes, domains, code.data_count)
    share = (share + write * larger_share(nodes, domains, code.shards_count)) / (read + write or 1)
    there = larger * (each + 1) / nodes
    if share == 0:
        return ((1.0, 1.0),)
    return ((share, share / there), (1 - share, (1 - share) / (1 - there)))


def _shard_bytes(params: CodedCluster, asked: Asked) -> float:
    return max(asked.size_bytes / params.code.data_count, 512.0)


def link_kinds_of(links: Links) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """As ``kinds_of``, of nodes' links, out and in."""
    out, into = (_held(apart, links.nodes_count) for apart in links.apart)
    return out, into


def _held(apart: float, count: float) -> list[tuple[float, float]]:
    """Shares of what is asked that go to drives alike, and to each of them over the mean."""
    held = [(share, max(1 + apart * away, 0.0)) for share, away in _ranks(count)]
    whole = math.fsum(share * more for share, more in held)
    return [(share * more / whole, more) for share, more in held]


@lru_cache(maxsize=32)
def _ranks(count: float) -> tuple[tuple[float, float], ...]:
    """Shares of so many drives by what they hold, and each share's place in deviations."""
    bounds = [0.0, *(one for one in _RANKS if one < count), count]
    found = []
    for first, last in itertools.pairwise(bounds):
        rank = min((first + last + 1) / 2, count)
        found.append(((last - first) / count, _most_of(count, rank)))
    # So that they are the mean together.
    mean = math.fsum(share * away for share, away in found)
    return tuple((share, away - mean) for share, away in found)


def _write_ms(cluster: _Cluster, one: _Class, rate: float, away: float) -> float:
    """Time from reading to the written piece on a new drive, where so many a ms begin in all.

    A drive takes one piece at a time, so that it waits for requests and what is read there.
    """
    each = rate * cluster.reads_count / cluster.read_drives_count if one.reads else 0.0
    load = one.load_fraction * max(1 + cluster.apart * away, 0.0)
    wait, _ = _wait_ms(cluster, load, (each, 0.0))
    return wait + cluster.answers_ms[1] + cluster.rest_ms


def _link_ms(cluster: _Cluster, one: _Class, rate: float) -> float:
    """Wait for the link of a new drive's node, where so many pieces a ms come to drives alike."""
    load = rate / one.nodes_count * cluster.sent_ms + cluster.link_loads[1]
    return load * cluster.sent_ms / 2 / max(1 - load, 1 - _MOST_LINK)


def _rate(cluster: _Cluster, classes: tuple[_Class, ...], turn_ms: float) -> float:
    """Pieces that begin each ms with so much time between the turns of a stream at least."""
    groups = math.fsum(one.drives_count * one.groups_count for one in classes)
    read_too = math.fsum(one.drives_count * one.groups_count for one in classes if one.reads)
    each = cluster.reads_count * cluster.pieces[0].mean_ms
    each += read_too / groups * cluster.pieces[1].mean_ms
    most = 1 + cluster.apart * max(away for _, away in _ranks(cluster.read_drives_count))
    free = 1 / most - cluster.load_fraction
    low, high = 0.0, min(free * cluster.read_drives_count / each, cluster.left_count / turn_ms)
    begun = _Begun([0.0 for _ in classes], cluster.left_count / turn_ms / groups)
    for _ in range(_HALVES):
        rate = (low + high) / 2
        read = _read_ms(cluster, rate, rate * read_too / groups)
        begun = _begun(cluster, classes, turn_ms, (rate, read, begun))
        if sum(begun.rates) > rate:
            low = rate
        else:
            high = rate
    return (low + high) / 2


def _begun(
    cluster: _Cluster,
    classes: tuple[_Class, ...],
    turn_ms: float,
    beside: tuple[float, float, _Begun],
) -> _Begun:
    """What begins where pieces wait as beside so many and are read in a time, from a guess on."""
    rate, read, (rates, asks) = beside
    groups = math.fsum(one.drives_count * one.groups_count for one in classes)
    spread = [_poisson(one.groups_count) for one in classes]
    times = [
        [(share, read + _write_ms(cluster, one, rate, away)) for share, away in _DEVIATIONS]
        for one in classes
    ]
    steps, before = [_STEP] * len(classes), rates
    for _ in range(_ROUNDS):
        found, waiting, working = [0.0 for _ in classes], 0.0, 0.0
        for nth, one in enumerate(classes):
            link = _link_ms(cluster, one, rates[nth])
            for share, alone in times[nth]:
                took, drives = alone + link, one.drives_count * share
                used = [(c * (1 - 1 / (1 + asks * took * n)), n) for n, c in spread[nth]]
                begun = drives * math.fsum(u for u, _ in used) / took
                waiting += drives * math.fsum(u * n for u, n in used) / groups
                working += begun * max(took, turn_ms)
                found[nth] += begun
        begins = 1 - min(waiting, 1.0) ** TRIES
        between = begins * working / sum(found) + (1 - begins) * turn_ms
        tries = math.fsum(min(waiting, 1.0) ** nth for nth in range(TRIES))
        away = [new - old for new, old in zip(found, rates, strict=True)]
        next_asks = cluster.left_count / between * tries / groups
        small = max(map(abs, away)) < _SETTLED * sum(found)
        if small and abs(next_asks - asks) < _SETTLED * asks:
            break
        # Most of the way, and less where it swings about the end, as where links are full.
        steps = [
            step * (_LESS if one * last < 0 else 1.0)
            for step, one, last in zip(steps, away, before, strict=True)
        ]
        rates = [old + step * one for old, step, one in zip(rates, steps, away, strict=True)]
        asks, before = next_asks, away
    return _Begun(rates, asks)


@lru_cache(maxsize=256)
def _poisson(mean: float) -> tuple[tuple[float, float], ...]:
    """Numbers and chances of a Poisson variable."""
    if mean > _MANY:
        away = math.sqrt(3 * mean)
        return ((mean - away, 1 / 6), (mean, 2 / 3), (mean + away, 1 / 6))
    last = math.ceil(mean + 6 * math.sqrt(mean) + 2)
    return tuple(
        (float(n), math.exp(-mean + n * math.log(mean) - math.lgamma(n + 1))) for n in range(last)
    )
