"""What else was proposed to save a disk array's energy, beside laptop disks, at one load.

Multi-speed disks (DRPM, Gurumurthi et al. 2003), idle arrays (MAID, Colarelli and Grunwald 2002)
and popular-data concentration (PDC, Pinheiro and Bianchini 2004), as presets of one machine.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from capmodels.errors import ModelError
from capmodels.numbers import percent, quantity
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec
from capmodels.storage.alternatives_params import (
    AlternativeRow,
    AlternativesParams,
    AlternativesResult,
    Kind,
)
from capmodels.storage.drive.drives import HardDisk
from capmodels.storage.drive.geometry import slowed
from capmodels.storage.drive.power_states import awake_count, years_to_rating
from capmodels.storage.drive.service import Moments, response_ms
from capmodels.storage.drive.spin_down import Sleeper, sleep_of, standby_break_even_s, wake_wait_ms
from capmodels.storage.drive.times import low_state, service_moments
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.extras import Timeouts
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    Dispatch,
    Region,
    RegionAddresses,
    SyntheticWorkload,
    UniformAddresses,
)
from capmodels.units import HOURS_PER_YEAR, SECONDS_PER_HOUR, kwh_from_w

_SECONDS_PER_YEAR = HOURS_PER_YEAR * SECONDS_PER_HOUR
# Fewer starts than one in a thousand years are none.
_STARTS_MIN = 1e-3
# Below it, watts read the same.
_SAME_FRACTION = 0.0005


class Words(NamedTuple):
    """What an alternative is called, and what it is."""

    title: str
    about: str


WORDS: dict[Kind, Words] = {
    "always_on": Words("Always on", "Server disks that never sleep"),
    "laptop": Words(
        "Laptop disks",
        "Papathanasiou and Scott 2004: copies on laptop disks, of which few are awake",
    ),
    "multi_speed": Words(
        "Multi-speed disks (DRPM)",
        "Gurumurthi et al. 2003: disks that run at the slowest speed that meets the load",
    ),
    "idle_array": Words(
        "Idle array (MAID)",
        "Colarelli and Grunwald 2002: the sleeping disks, with what cache disks leave to them",
    ),
    "concentrated": Words(
        "Popular data concentrated (PDC)",
        "Pinheiro and Bianchini 2004: what is read most lies on the first disks, others sleep",
    ),
}
NOT_SOLD: dict[Kind, str] = {
    "multi_speed": "Disks that serve requests at several speeds were proposed, never sold; some "
    "disks idle at a lower speed.",
}


class Answer(NamedTuple):
    """Power, mean response (None: overloaded) and starts of a drive. [W, ms, 1/yr]"""

    power_w: float
    response_ms: float | None
    starts_per_year: float | None
    drives_count: int
    awake_count: float


def popular_share(part: float, exponent: float) -> float:
    """Share of requests that the most popular part of the data draws: x^(1 - exponent).

    >>> round(popular_share(0.1, 0.7), 3)
    0.501
    """
    return min(max(part, 0.0), 1.0) ** (1 - exponent)


def at_speed(drive: HardDisk, speed_rpm: float, params: AlternativesParams) -> HardDisk:
    """The drive at another speed: rates follow it, the spindle's power by a power law.

    Electronics and the arm draw what they did.
    """
    ratio = speed_rpm / drive.speed_rpm
    fixed = drive.idle_w * params.electronics_fraction
    idle = fixed + (drive.idle_w - fixed) * ratio**params.speed_exponent
    inner, tracks = drive.inner_mb_per_s, drive.geometry
    return drive.model_copy(
        update={
            "geometry": None if tracks is None else slowed(tracks, 1 / ratio),
            "name": f"{drive.name} at {speed_rpm:,.0f} rpm",
            "speed_rpm": speed_rpm,
            "idle_w": idle,
            "active_w": idle + drive.active_w - drive.idle_w,
            "outer_mb_per_s": drive.outer_mb_per_s * ratio,
            "inner_mb_per_s": None if inner is None else inner * ratio,
        }
    )


def moments_of(drive: HardDisk, params: AlternativesParams) -> Moments:
    """Moments of a random read.

    Raises
    ------
    ModelError
        When the seek curve is not one of three points.
    """
    moments = service_moments(drive, params.size_bytes)
    if moments is None:
        message = "The closed forms need a three-point seek curve."
        raise ModelError(message)
    return moments


def _queue(rate: float, moments: Moments) -> float | None:
    return response_ms(rate, moments) if rate * moments.mean_ms < 1000 else None


def _always_on(drive: HardDisk, params: AlternativesParams) -> Answer:
    moments = moments_of(drive, params)
    each = params.arrival_rate_per_s / params.disks_count
    load = min(each * moments.mean_ms / 1000, 1.0)
    watts = drive.idle_w + (drive.active_w - drive.idle_w) * load
    count = params.disks_count
    return Answer(count * watts, _queue(each, moments), 0.0, count, float(count))


def _laptop(params: AlternativesParams) -> Answer:
    """Sets of copies, as many of each awake as its load needs, the others in standby."""
    drive, copies = params.laptop_drive, params.laptop_copies_count
    moments = moments_of(drive, params)
    each = params.arrival_rate_per_s / params.disks_count
    busy = each * moments.mean_ms / 1000
    awake = min(
        copies,
        awake_count(
            busy_disks=busy, target_utilization_fraction=params.target_utilization_fraction
        ),
    )
    asleep_w = drive.standby.power_w if drive.standby else drive.idle_w
    one = awake * drive.idle_w + (copies - awake) * asleep_w
    watts = one + (drive.active_w - drive.idle_w) * min(busy, copies)
    count = params.disks_count
    response = _queue(each / awake, moments)
    return Answer(count * watts, response, None, count * copies, float(count * awake))


def slowest_speed(params: AlternativesParams) -> HardDisk:
    """The server's disk at the slowest speed that carries the load; at the fastest if none does."""
    each = params.arrival_rate_per_s / params.disks_count
    top = params.server_drive.speed_rpm
    for speed in sorted({*(s for s in params.speeds_rpm if s < top), top}):
        drive = at_speed(params.server_drive, speed, params)
        if each * moments_of(drive, params).mean_ms <= 1000 * params.target_utilization_fraction:
            return drive
    return params.server_drive


def _sleeping_drive(params: AlternativesParams) -> HardDisk:
    return params.server_drive.model_copy(update={"standby": params.sleeping})


def _sleeper(params: AlternativesParams) -> Sleeper:
    drive, low = params.server_drive, low_state(params.sleeping)
    after = params.standby_after_s
    if after is None:
        after = max(standby_break_even_s(drive.idle_w, low), 0.0)
    return Sleeper(drive.idle_w, drive.active_w, low, after)


def _sleeping(params: AlternativesParams, rates: list[float]) -> Answer:
    """Disks at their own rates, each spun down after its idle time."""
    sleeper, moments = _sleeper(params), moments_of(params.server_drive, params)
    power = starts = total_ms = asleep = 0.0
    overloaded = False
    for rate in rates:
        load = min(rate * moments.mean_ms / 1000, 1 - 1e-9)
        one = sleep_of(sleeper, rate_per_s=rate, load_fraction=load)
        power += one.power_w
        starts += one.starts_per_s
        asleep += one.asleep_fraction
        queue = _queue(rate, moments)
        overloaded |= queue is None
        total_ms += rate * ((queue or 0.0) + wake_wait_ms(sleeper, rate))
    count, every = len(rates), sum(rates)
    response = None if overloaded or every == 0 else total_ms / every
    per_drive = starts / count * _SECONDS_PER_YEAR
    return Answer(power, response, per_drive, count, count - asleep)


def _idle_array(params: AlternativesParams) -> Answer:
    """Cache disks always on hold copies of what is popular; what misses wakes a passive disk."""
    count, cached = params.disks_count, params.cache_disks_count
    hits = popular_share(cached / count, params.popularity_exponent)
    fast = params.model_copy(
        update={
            "disks_count": cached,
            "arrival_rate_per_s": params.arrival_rate_per_s * hits,
        }
    )
    cache = _always_on(params.server_drive, fast)
    missed = params.arrival_rate_per_s * (1 - hits)
    passive = _sleeping(params, [missed / count] * count)
    response = None
    if cache.response_ms is not None and (passive.response_ms is not None or missed == 0):
        response = hits * cache.response_ms + (1 - hits) * (passive.response_ms or 0.0)
    return Answer(
        cache.power_w + passive.power_w,
        response,
        passive.starts_per_year,
        count + cached,
        cached + passive.awake_count,
    )


def concentrated_shares(params: AlternativesParams) -> list[float]:
    """Share of requests on each disk, data laid out by popularity; no disk above the target load.

    What a disk cannot carry is taken over by the next ones, which give up less popular data.
    """
    count = params.disks_count
    service_s = moments_of(params.server_drive, params).mean_ms / 1000
    demand = params.arrival_rate_per_s * service_s
    most = max(params.target_utilization_fraction / demand if demand else 1.0, 1 / count)
    shares, over = [], 0.0
    for disk in range(count):
        low = popular_share(disk / count, params.popularity_exponent)
        wanted = popular_share((disk + 1) / count, params.popularity_exponent) - low + over
        shares.append(min(wanted, most))
        over = wanted - shares[-1]
    # Rounding aside nothing is left over: count times the cap is at least one.
    return shares


def _concentrated(params: AlternativesParams) -> Answer:
    shares = concentrated_shares(params)
    return _sleeping(params, [params.arrival_rate_per_s * share for share in shares])


def _workload(
    params: AlternativesParams, rate: float, shares: list[float] | None = None
) -> SyntheticWorkload:
    """Reads at a rate, uniform or with so much on each disk's part of the data."""
    addresses: RegionAddresses | UniformAddresses = UniformAddresses()
    if shares is not None:
        count = len(shares)
        addresses = RegionAddresses(
            regions=tuple(
                Region(
                    start_fraction=disk / count,
                    end_fraction=(disk + 1) / count,
                    weight_ratio=share,
                )
                for disk, share in enumerate(shares)
            )
        )
    return SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=1000 / max(rate, 1e-6)),
        size_bytes=params.size_bytes,
        addresses=addresses,
    )


def preset(kind: Kind, params: AlternativesParams) -> tuple[ArrayDesign, SyntheticWorkload]:
    """The array and the workload that simulate an alternative.

    Of laptop disks one set with its share of the load, of an idle array its passive disks with
    what the cache disks leave to them, the others whole.
    """
    count, rate = min(params.disks_count, 64), params.arrival_rate_per_s
    timeouts = Timeouts(standby_s=_sleeper(params).timeout_s)
    drive = _sleeping_drive(params)
    # One disk after another: what lies on a disk before the next one follows is the whole disk.
    whole = max(int(drive.capacity_gb * 1e9) // 512, 1) * 512
    layout = Layout(kind="concatenated", disks_count=count, chunk_bytes=whole)
    sleeping = {"drive": drive, "timeouts": timeouts, "layout": layout}
    if kind == "laptop":
        copies = Layout(kind="mirrored_set", disks_count=params.laptop_copies_count)
        design = ArrayDesign(drive=params.laptop_drive, layout=copies, timeouts=Timeouts())
        return design, _workload(params, rate / params.disks_count)
    if kind == "concentrated":
        shares = concentrated_shares(params)[:count]
        return ArrayDesign(**sleeping), _workload(params, rate, shares)
    if kind == "idle_array":
        part = params.cache_disks_count / params.disks_count
        missed = rate * (1 - popular_share(part, params.popularity_exponent))
        return ArrayDesign(**sleeping), _workload(params, missed)
    spinning = params.server_drive if kind == "always_on" else slowest_speed(params)
    design = ArrayDesign(
        drive=spinning,
        layout=Layout(kind="raid0", disks_count=count),
        dispatch=Dispatch(kind="shortest_queue"),
        timeouts=None,
    )
    return design, _workload(params, rate)


def _row(kind: Kind, answer: Answer, params: AlternativesParams, base_w: float) -> AlternativeRow:
    rated = params.laptop_drive if kind == "laptop" else params.server_drive
    array, workload = preset(kind, params)
    words = WORDS[kind]
    starts = answer.starts_per_year or 0.0
    return AlternativeRow(
        kind=kind,
        sold=kind not in NOT_SOLD,
        note=NOT_SOLD.get(kind),
        drives_count=answer.drives_count,
        awake_count=answer.awake_count,
        speed_rpm=array.drive.speed_rpm if isinstance(array.drive, HardDisk) else 0.0,
        power_w=answer.power_w,
        saved_fraction=1 - answer.power_w / base_w if base_w > 0 else 0.0,
        kwh_per_year=kwh_from_w(answer.power_w, HOURS_PER_YEAR),
        response_mean_ms=answer.response_ms,
        starts_per_year=answer.starts_per_year,
        rating_years=years_to_rating(
            starts_per_year=starts if starts >= _STARTS_MIN else 0.0,
            rating_count=rated.start_stop_rating_count,
        ),
        proposed=kind not in {"always_on", "laptop"},
        sets_workload=kind != "multi_speed",
        title=words.title,
        about=words.about,
        told=_told(answer, base_w),
        preset=json.dumps(
            {
                "array": array.model_dump(mode="json"),
                "workload": workload.model_dump(mode="json"),
            }
        ),
    )


def _told(answer: Answer, base_w: float) -> str:
    """Its drives, power and response in a line."""
    saved = 1 - answer.power_w / base_w if base_w > 0 else 0.0
    share = f"{percent(abs(saved))} {'less' if saved > 0 else 'more'} than always on"
    response = answer.response_ms
    parts = (
        f"{answer.drives_count} disks",
        quantity(answer.power_w, "W"),
        "as much as always on" if abs(saved) < _SAME_FRACTION else share,
        "overloaded" if response is None else quantity(response / 1000, "s"),
    )
    return " · ".join(parts)


def _run(params: AlternativesParams, _context: Context) -> AlternativesResult:
    base = _always_on(params.server_drive, params)
    answers: dict[Kind, Answer] = {
        "always_on": base,
        "laptop": _laptop(params),
        "multi_speed": _always_on(slowest_speed(params), params),
        "idle_array": _idle_array(params),
        "concentrated": _concentrated(params),
    }
    rows = tuple(_row(kind, answer, params, base.power_w) for kind, answer in answers.items())
    carrying = [row for row in rows if row.response_mean_ms is not None]
    least = min(carrying, key=lambda row: row.power_w) if carrying else None
    return AlternativesResult(rows=rows, least_power=least.kind if least else None)


def _saving(rate: float, kind: Kind = "laptop") -> float:
    params = AlternativesParams(disks_count=1, arrival_rate_per_s=rate)
    return next(r.saved_fraction for r in _run(params, Context()).rows if r.kind == kind)


_TR837 = "Papathanasiou and Scott 2004, TR 837"
_LOST = "50% to 80%, as we read 'from 5% to 8%'; the copy of the paper lost zeros"

_CHECKS = (
    Check(
        "S10",
        "1 request/s, three laptop disks for a server disk: saving",
        0.80,
        lambda: _saving(1.0),
        source=f"{_TR837}, abstract: {_LOST}",
        basis="derived",
        note="The load is ours: the abstract names none.",
        tolerance=0.01,
        unit="fraction",
        params=lambda: {"disks_count": 1, "arrival_rate_per_s": 1.0},
        kind="predicted",
        tests="storage.drive.drives.SleepState.power_w",
        wider="Ends of a range over the workloads of the paper.",
    ),
    Check(
        "S10 busy",
        "100 requests/s, three laptop disks for a server disk: saving",
        0.50,
        lambda: _saving(100.0),
        source=f"{_TR837}, abstract: {_LOST}",
        basis="derived",
        note="The load is ours: the paper does not say at which one it saves least.",
        tolerance=0.03,
        unit="fraction",
        params=lambda: {"disks_count": 1, "arrival_rate_per_s": 100.0},
        kind="predicted",
        tests="storage.alternatives_params.AlternativesParams.laptop_drive",
        wider="Ends of a range over the workloads of the paper.",
    ),
)

SPEC = ModelSpec(
    id="storage.alternatives",
    version="1.3.0",
    title="Alternatives to laptop disks",
    summary="Power, response and wear of multi-speed disks, idle arrays and popular-data "
    "concentration against laptop disks and disks always on, at the same load.",
    params=AlternativesParams,
    result=AlternativesResult,
    run=_run,
    points=lambda params: params.disks_count,
    citations=(
        Citation(
            text="A. E. Papathanasiou, M. L. Scott, Power-efficient Server-class Performance "
            "from Arrays of Laptop Disks, University of Rochester TR 837, May 2004",
        ),
        Citation(
            text="S. Gurumurthi et al., DRPM: Dynamic Speed Control for Power Management in "
            "Server Class Disks, ISCA 2003"
        ),
        Citation(
            text="D. Colarelli, D. Grunwald, Massive Arrays of Idle Disks for Storage Archives, "
            "Supercomputing 2002"
        ),
        Citation(
            text="E. Pinheiro, R. Bianchini, Energy Conservation Techniques for Disk "
            "Array-Based Servers, ICS 2004"
        ),
    ),
    formulas=(
        Formula(
            "speed",
            "P_idle(rpm) = P_electronics + P_spindle (rpm / top rpm)^exponent",
            "Gurumurthi et al. 2003",
        ),
        Formula(
            "sleep",
            "power of a renewal cycle: idle up to the time-out, asleep, busy",
            "Poisson arrivals; ours, held against the simulator",
        ),
        Formula(
            "popular",
            "share of requests on the most popular part x = x^(1 - exponent)",
            "Zipf's law, continuous",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Reads only, Poisson arrivals, popularity that does not change: what moving or copying "
        "data costs is left out, which favors idle arrays and concentration.",
        "Multi-speed disks stay at the slowest speed that meets the mean load.",
        "The figures of the three papers (such as 1/15 of the power for an archive) belong to "
        "traces and disks that are not at hand; none is reproduced here.",
        "A laptop set's awake disks share its load and its others never wake; the queue "
        "threshold and its spin-ups are in the simulation.",
        "Presets hold at most 64 disks.",
        "Of Papathanasiou and Scott 2004 not counted: mirrors that make parity unnecessary, so "
        "that n + 1 disks become 3 n and not 3 n + 3; and failures by heat, 2 to 3% more for each "
        "degree above the rating, of which no curve of these disks is at hand.",
        "The copy of that paper lost digits: its 50% to 80%, 0.63%, and the watts, joules and "
        "times of table 2 are our reading, and are shown as worked out, not as printed.",
    ),
)
