"""An array in closed form: service, load, response, power and break-even times at once.

After Papathanasiou and Scott 2004 (TR 837), section 4.6 of our reference, and textbook queues.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    one_point,
)
from capmodels.storage.closed_form.flash_use import (
    DepthPoint,
    FlashUse,
    Loop,
    by_depth,
    by_depth_on_dies,
    wear_of,
)
from capmodels.storage.closed_form.instant_queue import (
    Work,
    array_power_w,
    channels_count,
    mean_response_ms,
    mixed_service,
    one_awake_power_w,
    read_wait_ms,
    second_phases,
    waits_of,
    work_of,
    written_devices,
)
from capmodels.storage.closed_form.link_use import asks_one_die, link_work_ms
from capmodels.storage.closed_form.mixed_service import Service, service_of
from capmodels.storage.closed_form.params import ArrayInstantParams, ArrayInstantResult
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, ULTRASTAR_15K73, HardDisk
from capmodels.storage.drive.power_states import awake_count
from capmodels.storage.drive.service import (
    max_rate_per_s,
)
from capmodels.storage.drive.times import break_even_timeouts_s
from capmodels.storage.drive.wear import random_amplification
from capmodels.storage.simulator.request_sizes import Mixes, mixes_of
from capmodels.units import (
    BYTES_PER_MB,
    HOURS_PER_YEAR,
    kwh_from_w,
)

# Less a year than any meter tells.
_LEAST_SAVED_USD = 1e-6


class Swap(NamedTuple):
    """What an array saves over the drives that it replaces, and when it has paid."""

    saved_w: float | None
    saved_usd_per_year: float | None
    payback_years: float | None


def _swap(params: ArrayInstantParams, power_w: float) -> Swap:
    old = params.replaces
    if old is None:
        return Swap(None, None, None)
    service = service_of(old.drive, _mixes(params))
    writes = 1 - params.read_fraction
    work = Work(params.read_fraction * service.read.mean_ms, writes * service.write.mean_ms)
    saved = array_power_w(old.drive, old.disks_count, params.arrival_rate_per_s, work) - power_w
    yearly = kwh_from_w(saved, HOURS_PER_YEAR) * params.energy_usd_per_kwh
    extra = params.disks_count * params.drive.price_usd - old.disks_count * old.drive.price_usd
    return Swap(saved, yearly, payback_years(extra, yearly))


def payback_years(extra_usd: float, saved_usd_per_year: float) -> float | None:
    """Years until savings have paid what was spent more, 0 when nothing was; None: never. [yr]

    >>> round(payback_years(435.0, 8.0), 1)
    54.4
    """
    if extra_usd <= 0:
        return 0.0 if saved_usd_per_year >= 0 else None
    return extra_usd / saved_usd_per_year if saved_usd_per_year > _LEAST_SAVED_USD else None


def _mixes(params: ArrayInstantParams) -> Mixes:
    return mixes_of(params.size_bytes, params.sizes, params.write_sizes)


def _alone(params: ArrayInstantParams, service: Service) -> tuple[DepthPoint, ...]:
    mixes, share = _mixes(params), params.read_fraction
    each, alone_ms = mixed_service(share, service)
    size = share * mixes.reads.mean_bytes + (1 - share) * mixes.writes.mean_bytes
    if params.drive.kind == "ssd" and params.drive.dies is not None:
        return by_depth_on_dies(params.drive, mixes, share)
    return by_depth(Loop(alone_ms, each.mean_ms, size), channels_count(params.drive))


def _flash(params: ArrayInstantParams, read_ms: float | None) -> FlashUse | None:
    if params.drive.kind != "ssd":
        return None
    size = _mixes(params).writes.mean_bytes
    writes_per_s = params.arrival_rate_per_s * (1 - params.read_fraction)
    written = writes_per_s * written_devices(params) * size / BYTES_PER_MB / params.disks_count
    wear = wear_of(params.drive, written_mb_per_s=written, size_bytes=size)
    return FlashUse(read_response_one_die_ms=read_ms, **wear)


def _run(params: ArrayInstantParams, _context: Context) -> ArrayInstantResult:
    drive, disks = params.drive, params.disks_count
    service = service_of(drive, _mixes(params))
    phases = second_phases(params, service)
    work, most = work_of(params, service, phases), work_of(params, service)
    work_ms = work.read_ms + work.write_ms
    busy = params.arrival_rate_per_s / 1000 * work_ms / channels_count(drive)
    link_ms = link_work_ms(params, service, written_devices(params))
    load = max(busy / disks, params.arrival_rate_per_s / 1000 * link_ms / disks)
    waits = waits_of(params, service, phases) if asks_one_die(drive, _mixes(params)[0]) else None
    always_on = array_power_w(drive, disks, params.arrival_rate_per_s, work)
    one_awake = one_awake_power_w(params, busy)
    swap = _swap(params, always_on if one_awake is None else one_awake)
    first, second = (None, None) if drive.kind == "ssd" else break_even_timeouts_s(drive)
    return ArrayInstantResult(
        service_mean_ms=service.read.mean_ms,
        service_sd_ms=max(service.read.variance_ms2, 0.0) ** 0.5,
        max_rate_per_s=min(
            max_rate_per_s(most.read_ms + most.write_ms, disks * channels_count(drive)),
            max_rate_per_s(link_ms, disks) if link_ms > 0 else math.inf,
        ),
        utilization_ratio=load,
        carries_load=load < 1,
        response_mean_ms=mean_response_ms(params, service, waits, phases),
        write_response_ms=None if phases is None else phases.write_ms,
        read_response_ms=None
        if waits is None
        else service.read_answer_ms + read_wait_ms(drive, waits),
        busy_count=busy,
        awake_count=min(
            disks,
            awake_count(
                busy_disks=busy, target_utilization_fraction=params.target_utilization_fraction
            ),
        ),
        always_on_w=always_on,
        one_awake_w=one_awake,
        low_power_idle_s=first,
        standby_s=second,
        saved_w=swap.saved_w,
        saved_usd_per_year=swap.saved_usd_per_year,
        payback_years=swap.payback_years,
        by_depth=_alone(params, service),
        flash=_flash(params, None if waits is None else service.read_answer_ms + waits.own_ms),
    )


def _array(drive: HardDisk, disks: int, rate: float = 1.0) -> JSONDict:
    return {"drive": drive, "disks_count": disks, "arrival_rate_per_s": rate}


def _of(drive: HardDisk, disks: int, rate: float = 1.0) -> ArrayInstantResult:
    return _run(ArrayInstantParams.model_validate(_array(drive, disks, rate)), Context())


def _power_ratio(*, active: bool) -> float:
    """Three laptop disks over one server disk, all active or all idle."""
    laptop, server = TRAVELSTAR_7K60, ULTRASTAR_15K73
    if active:
        return 3 * laptop.active_w / server.active_w
    return 3 * laptop.idle_w / server.idle_w


_TR837 = "Papathanasiou and Scott 2004, TR 837"

_SPARE_3_OF_10 = 1 - 1 / 1.3
_SPARE_9550 = 1 - 3.2e12 / 2**42

_CHECKS = (
    Check(
        id="S6a",
        title="Always active, three laptop disks over a server disk",
        source=f"{_TR837}, table 1: half the power budget",
        published=0.5,
        printed="half",
        unit="fraction",
        compute=lambda: _power_ratio(active=True),
        kind="arithmetic",
        tests="storage.drive.drives.TRAVELSTAR_7K60",
        tolerance=0.02,
        wider="'Half'.",
    ),
    Check(
        id="S6b",
        title="All idle, three laptop disks over a server disk",
        source=f"{_TR837}, table 1",
        published=0.5,
        printed="half",
        unit="fraction",
        compute=lambda: _power_ratio(active=False),
        kind="arithmetic",
        tests="storage.drive.drives.TRAVELSTAR_7K60",
    ),
    Check(
        id="S7",
        title="Use of the server disk at one random read a second",
        source=f"{_TR837}, table 3, as we read '1..63%': 1.00 request/s is 0.63%; the copy of the "
        "paper lost digits",
        published=0.0063,
        basis="derived",
        tolerance=0.00005,
        unit="fraction",
        compute=lambda: 1.0 / _of(ULTRASTAR_15K73, 1).max_rate_per_s,
        params=lambda: _array(ULTRASTAR_15K73, 1),
        kind="fitted",
        tests="storage.drive.drives.HardDisk.speed_rpm",
        fitted_to="This use: the overhead of a request was solved from it.",
    ),
    Check(
        id="S10",
        title="One of three awake at 1 request/s: power",
        source="two disks asleep, one idle but for a read a second: powers of TR 837, table 2, as "
        "we read them; the copy of the paper lost digits",
        published=2.507,
        tolerance=0.001,
        unit="W",
        basis="derived",
        compute=lambda: _of(TRAVELSTAR_7K60, 3, 1.0).one_awake_w or 0.0,
        params=lambda: _array(TRAVELSTAR_7K60, 3, 1.0),
        kind="arithmetic",
        tests="storage.drive.drives.SleepState.power_w",
    ),
    Check(
        id="S14",
        title="Idle time from which low-power idle saves energy",
        source=f"{_TR837}, powers, joules and times of table 2 as we read them; the copy of the "
        "paper lost digits",
        published=2.110,
        tolerance=0.001,
        unit="s",
        basis="derived",
        compute=lambda: _of(TRAVELSTAR_7K60, 3).low_power_idle_s or 0.0,
        params=lambda: _array(TRAVELSTAR_7K60, 3),
        kind="arithmetic",
        tests="storage.drive.drives.HardDisk.idle_w",
    ),
    Check(
        id="amplification",
        title="Write amplification with 30% more flash than data",
        source="Xiang and Kurkoski 2011, abstract; their simulation 2.35",
        published=2.36,
        tolerance=0.005,
        unit="ratio",
        compute=lambda: random_amplification(_SPARE_3_OF_10),
        kind="predicted",
        tests="storage.closed_form.array_instant._SPARE_3_OF_10",
    ),
    Check(
        id="rated_writes",
        title="Rated sequential writes over rated random ones, 3.2 TB on 4 TiB of flash",
        source="Micron 9550 MAX, 37,200 and 17,520 TB, as StorageReview prints them",
        published=37_200 / 17_520,
        tolerance=0.1,
        unit="ratio",
        note="The flash is our reading of the capacity; those of 6.4 to 25.6 TB: 2.12 to 2.02.",
        compute=lambda: random_amplification(_SPARE_9550),
        kind="predicted",
        tests="storage.closed_form.array_instant._SPARE_9550",
        basis="derived",
        wider="The flash of the drive is our reading of its capacity.",
    ),
)

SPEC = ModelSpec(
    id="storage.array_instant",
    version="1.10.0",
    title="Disk array in closed form",
    summary="Service time, largest rate, load, response, power with every disk on or one awake, "
    "break-even idle times, response by queue depth, what a swap of drives pays and how flash "
    "wears, without a simulation.",
    params=ArrayInstantParams,
    result=ArrayInstantResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="A. E. Papathanasiou, M. L. Scott, Power-efficient Server-class Performance "
            "from Arrays of Laptop Disks, University of Rochester TR 837, May 2004",
        ),
        Citation(
            text="X. Luojie, B. M. Kurkoski, An Improved Analytic Expression for Write "
            "Amplification in NAND Flash, 2011",
            url="https://arxiv.org/abs/1110.4245",
        ),
        Citation(text="L. Takacs, Introduction to the Theory of Queues, Oxford, 1962"),
        Citation(
            text="O. Kella, W. Whitt, Useful martingales for stochastic storage processes with "
            "Levy input, Journal of Applied Probability 29, 1992"
        ),
        Citation(
            text="S. R. Bowling et al., A logistic approximation to the cumulative normal "
            "distribution, Journal of Industrial Engineering and Management 2, 2009"
        ),
    ),
    formulas=(
        Formula(
            id="power",
            text="P = n P_idle + (P_active - P_idle) rate E[S]",
            source="utilization law",
        ),
        Formula(
            id="response",
            text="R = E[S] + rate E[S^2] / (2 (1 - rate E[S]))",
            source="Pollaczek and Khinchine",
        ),
        Formula(
            id="iops",
            text="max IOPS = N c / (f_r E[S] + k (1 - f_r) (E[S_w] + between)), k = 1 RAID-0, "
            "2 RAID-10 and RAID-5, 3 RAID-6, 4 with three parities, N mirrors; between: a turn "
            "(SSD: a read) with parity",
            source="definition: a small write holds data and parity disks for one turn more; in "
            "two phases it reads and writes each of them, with a seek before both",
        ),
        Formula(
            id="two_phases",
            text="W = (e E[R^2] / 2 + b E[S^2] / 2 + b W_2 S_w) / (1 - e R), S: a turn on the "
            "share E[exp(-rate T)] of disks that nobody else asked in the first phase, T; else "
            "S_w, a write that seeks",
            source="derived: T as the slowest of services of which a share waits (Takacs 1962), "
            "W_2 as the work that is left after an exponential time (Kella and Whitt 1992); to a "
            "load of 0.7 within 3% of the simulation",
        ),
        Formula(
            id="channels",
            text="R = E[S] + C(c, a) E[S] / (c (1 - a / c)) E[S^2] / (2 E[S]^2)",
            source="Erlang's C, and Allen and Cunneen for how much service varies",
        ),
        Formula(
            id="depth",
            text="R(q) = max(R(1), q E[S] / c)",
            source="asymptotic bounds, Denning and Buzen 1978; with dies a closed loop of link "
            "and dies, followed request by request",
        ),
        Formula(
            id="amplification",
            text="A = a / (a - x), x exp(-x) = a exp(-a), x < 1, a = 1 / (1 - spare)",
            source="Xiang and Kurkoski 2011; Desnoyers 2012",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "Of a drive with known tracks, seek and transfer are means over its zones; how they hang "
        "together is left out.",
        "Random requests, first come first served, disks equally loaded.",
        "However large, a request is one operation on one disk, a write one on every disk that it "
        "changes. The simulation splits requests beyond a chunk: an operation a chunk, side by "
        "side, with a seek each; whole stripes of RAID-5 and RAID-6 it writes without reading, and "
        "on 3 disks of RAID-5, 4 or 5 of RAID-6, it reads the rest of the stripe in place of what "
        "it writes over.",
        "Write amplification is of small writes all over a full drive; those that gather on a part "
        "of it, or leave room unused, move less.",
        "A solid-state drive without dies serves a request on any free channel. If only the die "
        "that has the data can, reads wait as is said beside it. Erases are in no formula, "
        "nor what a write waits for others under way.",
        "Of a drive with dies, reads wait for their die (M/G/1) and all requests for the link "
        "(M/G/1), reads of several dies need the simulation, and by queue depth the response is of "
        "6,000 requests that are followed, of one page each: times are constant, so that the "
        "product form answers a tenth to a third later at the knee.",
        "By queue depth with held writes the response is a lower bound: at the knee the "
        "simulation's is up to a tenth longer.",
        "The response is for reads, for writes to a single disk or RAID-0, and for small writes in "
        "two phases to a load of 0.7 (within 3% of the simulation); other forked writes and "
        "sleeping disks need the simulation.",
    ),
)
