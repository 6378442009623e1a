"""How likely an array loses data: MTTDL, rebuild and unrecoverable reads.

Markov chains of Patterson, Gibson and Katz 1988; failure rates after Schroeder and Gibson 2007.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.reliability.loss_chain import (
    Domains,
    Group,
    group_chain,
    loss_of_groups,
    loss_within,
    mean_time_h,
    pairs_chain,
    repair_rates,
)
from capmodels.reliability.loss_params import (
    DECLUSTERED,
    ArrayLossParams,
    ArrayLossResult,
    Layout,
)
from capmodels.spec import Check, Citation, Context, Formula, ModelSpec, derived_check, one_point
from capmodels.units import (
    BITS_PER_BYTE,
    HOURS_PER_YEAR,
    SECONDS_PER_HOUR,
)

if TYPE_CHECKING:
    from capmodels.reliability.loss_chain import Chain

MOST_YEARS = 1e99  # beyond which times are not told apart
# Chains with more states, or with more steps in the time, are not followed step by step.
_STATES_MAX, _STEPS_MAX = 100, 1e15


def failure_rate_per_h(afr_fraction: float) -> float:
    """Rate of a constant hazard that gives an annual failure rate. [1/h]"""
    return -math.log1p(-afr_fraction) / HOURS_PER_YEAR


def afr_of_mttf(mttf_h: float) -> float:
    """Annual failure rate of a mean time to failure. [fraction/yr]

    >>> round(afr_of_mttf(1e6), 5)
    0.00872
    """
    return -math.expm1(-HOURS_PER_YEAR / mttf_h)


def loss_fraction(duration_years: float, mttdl_years: float) -> float:
    """Chance of a loss within a time, losses coming at a constant rate. [fraction]

    None where the mean time is beyond counting.
    """
    if mttdl_years >= MOST_YEARS:
        return 0.0
    return -math.expm1(-duration_years / mttdl_years)


def replaced_rate(afr_fraction: float, *, above_degrees: float, per_degree: float) -> float:
    """Failure rate of drives that run too warm. [1/h]

    TR 837 has 2 to 3% more failures for each degree above what the maker recommends.
    """
    return failure_rate_per_h(afr_fraction) * (1.0 + above_degrees * per_degree)


def losses_to_fail(layout: Layout, disks_count: int) -> int:
    """Disks of one group that have to be lost at once."""
    few = {"raid0": 1, "raid5": 2, "raid6": 3, "raid7": 4, "raid10": 2}
    few |= {kind: parities + 1 for kind, parities in DECLUSTERED.items()}
    return few.get(layout, disks_count)


def last_rebuild_unreadable(params: ArrayLossParams) -> float:
    """Chance that the last rebuild that a group survives meets an unreadable bit. [fraction]

    It reads all survivors: n - m disks, of a mirror one. Without it a lost disk is lost data.
    """
    members = 2 if params.layout == "raid10" else params.disks_count
    tolerated = losses_to_fail(params.layout, members) - 1
    if tolerated == 0:
        return 0.0
    disks: float = members - tolerated
    if params.layout in DECLUSTERED:
        disks = _critical_disks(params)
    bits = disks * params.disk_gb * 1e9 * BITS_PER_BYTE
    latent = 0.0
    if params.scrubbing is not None:
        # A place that arises at any time of an interval has waited half of it on average.
        waited = params.scrubbing.interval_h / HOURS_PER_YEAR / 2
        latent = disks * params.scrubbing.errors_per_year * waited
    return -math.expm1(-bits * params.unrecoverable_per_bit - latent)


def _critical_disks(params: ArrayLossParams) -> float:
    """Drives' worth of data that is read with nothing left to correct it by, when declustered.

    Only stripes that lost as many members as they survive: of (n - s) c / w stripes, each on w
    drives of n, those that hold all m lost ones, each read from w - m.

    >>> _critical_disks(ArrayLossParams(layout="draid2", disks_count=10, stripe_disks_count=10))
    8.0
    """
    drives, width = params.disks_count, params.stripe_disks_count
    tolerated = DECLUSTERED[params.layout]
    stripes = (drives - params.repair.spares_count) / width
    hit = math.comb(drives - tolerated, width - tolerated) / math.comb(drives, width)
    return stripes * hit * (width - tolerated)


def spread_rebuild_h(params: ArrayLossParams, lost: int = 1) -> float:
    """Time in which all drives that are left rebuild one into their spare room. [h]

    Of what it held each byte is worked out from as many as a stripe has data, read, and written
    once; each drive reads and writes at the rate of a rebuild.
    """
    drives = params.disks_count
    held_gb = params.disk_gb * (drives - params.repair.spares_count) / drives
    moved = params.stripe_disks_count - DECLUSTERED[params.layout] + 1
    left = max(drives - lost, 1)
    return rebuild_h(held_gb * moved / left, params.repair.rebuild_mb_per_s)


def rebuild_h(disk_gb: float, rebuild_mb_per_s: float) -> float:
    """Time to write a disk anew. [h]

    >>> round(rebuild_h(20_000.0, 100.0), 1)
    55.6
    """
    return disk_gb * 1000.0 / rebuild_mb_per_s / SECONDS_PER_HOUR


def _repairs_per_h(params: ArrayLossParams, count: int) -> tuple[float, ...]:
    """Repairs an hour by disks lost, all of them under repair."""
    if params.mttr_h is not None:
        return repair_rates(count, rebuild_h=params.mttr_h)
    own = params.repair
    alone_h = rebuild_h(params.disk_gb, own.rebuild_mb_per_s)
    wake_h = own.spare_wake_s / SECONDS_PER_HOUR
    if params.layout in DECLUSTERED:
        return _spread_rates(params, count, own.replacement_h + alone_h)
    return repair_rates(
        count,
        rebuild_h=alone_h,
        wait_h=own.replacement_h,
        spares_count=own.spares_count,
        wake_h=wake_h,
    )


def _spread_rates(params: ArrayLossParams, count: int, alone_h: float) -> tuple[float, ...]:
    """Repairs an hour of a declustered array: one after another while there is spare room. [1/h]

    A rebuild takes all drives, so that two take twice as long; without spare room a replacement is
    waited for and written alone.
    """
    rates = [0.0]
    for lost in range(1, count + 1):
        spared = min(lost, params.repair.spares_count)
        at_once = 1 / spread_rebuild_h(params, lost) if spared else 0.0
        rates.append(at_once + (lost - spared) / alone_h)
    return tuple(rates)


def loss_chain_of(params: ArrayLossParams, *, unreadable: bool = True) -> Chain:
    """The chain of an array, or of one with sectors that can always be read."""
    last = last_rebuild_unreadable(params) if unreadable else 0.0
    fate = params.shared_fate
    rate = replaced_rate(
        params.afr_fraction,
        above_degrees=fate.above_degrees,
        per_degree=fate.per_degree_fraction,
    )
    domains: tuple[Domains, ...] = ()
    if fate.domains_count is not None and fate.domain_fraction_per_year > 0:
        each = failure_rate_per_h(fate.domain_fraction_per_year)
        domains = (Domains(min(fate.domains_count, params.disks_count), each),)
    if params.layout == "raid10":
        return pairs_chain(
            params.disks_count // 2,
            rate_per_h=rate,
            repair_per_h=_repairs_per_h(params, 1)[1],
            unreadable=last,
            together_ratio=fate.together_ratio,
            domains=domains,
        )
    tolerated = losses_to_fail(params.layout, params.disks_count) - 1
    return group_chain(
        Group(
            members=params.disks_count,
            tolerated=tolerated,
            rate_per_h=rate,
            repairs_per_h=_repairs_per_h(params, tolerated),
            unreadable=last,
            together_ratio=fate.together_ratio,
            domains=domains,
        )
    )


def mttdl_years(chain: Chain, start: int = 0) -> float:
    """Mean time to lost data from a state, at most ``MOST_YEARS``. [yr]"""
    return min(mean_time_h(chain, start) / HOURS_PER_YEAR, MOST_YEARS)


def lost_within(chain: Chain, duration_years: float, start: int = 0) -> float:
    """Chance that data are lost within a time, from a state. [fraction]

    An array that begins with all disks takes about a repair's time until it loses data at its
    constant rate. Chains that are too long to be followed are taken to lose at that rate at once.
    """
    duration_h = duration_years * HOURS_PER_YEAR
    steps = max(map(sum, chain.rates)) * duration_h
    if start == 0 and (len(chain.rates) > _STATES_MAX or steps > _STEPS_MAX):
        return loss_fraction(duration_years, mttdl_years(chain))
    return min(loss_within(chain, start, duration_h), 1.0)


def _lost_in_mission(params: ArrayLossParams, *, unreadable: bool) -> float:
    """Chance of a loss in the mission; pairs that share no fate are on their own. [fraction]"""
    fate = params.shared_fate
    alone = fate.together_ratio == 1.0 and fate.domain_fraction_per_year == 0
    groups = params.disks_count // 2 if params.layout == "raid10" and alone else 1
    own = params.model_copy(update={"disks_count": params.disks_count // groups})
    one = lost_within(loss_chain_of(own, unreadable=unreadable), params.mission_years)
    return loss_of_groups(one, groups)


def _run(params: ArrayLossParams, _context: Context) -> ArrayLossResult:
    fate = params.shared_fate
    rate = replaced_rate(
        params.afr_fraction, above_degrees=fate.above_degrees, per_degree=fate.per_degree_fraction
    )
    whole = mttdl_years(loss_chain_of(params, unreadable=False))
    either = mttdl_years(loss_chain_of(params))
    failures = params.disks_count * rate * HOURS_PER_YEAR
    return ArrayLossResult(
        rate_per_h=rate,
        repair_h=1 / _repairs_per_h(params, 1)[1],
        mttdl_years=whole,
        loss_fraction=_lost_in_mission(params, unreadable=False),
        rebuild_unreadable_fraction=last_rebuild_unreadable(params),
        any_mttdl_years=either,
        block_loss_per_year=max(1 / either - 1 / whole, 0.0),
        any_loss_fraction=_lost_in_mission(params, unreadable=True),
        disk_failures_per_year=failures,
        replacements_per_year=failures / (1 - params.false_replacement_fraction),
    )


def _mttdl_years(rate_per_h: float) -> float:
    repairs = repair_rates(1, rebuild_h=24.0)
    return mean_time_h(group_chain(Group(4, 1, rate_per_h, repairs))) / HOURS_PER_YEAR


def _raid6_loss() -> float:
    params = ArrayLossParams(
        layout="raid6", disks_count=8, disk_gb=20_000.0, mttr_h=24.0, unrecoverable_per_bit=1e-15
    )
    return _run(params, Context()).any_loss_fraction


def _replaced_per_failure(healthy_fraction: float) -> float:
    params = ArrayLossParams(false_replacement_fraction=healthy_fraction)
    found = _run(params, Context())
    return found.replacements_per_year / found.disk_failures_per_year


def _warm_rate_per_h(above_degrees: float) -> float:
    fate = {"above_degrees": above_degrees, "per_degree_fraction": 0.03}
    return _run(ArrayLossParams.model_validate({"shared_fate": fate}), Context()).rate_per_h


_CHECKS = (
    derived_check(
        "S35",
        "Drives replaced for each that failed, where 14 of 23 replaced ones are healthy",
        23 / 9,
        lambda: _replaced_per_failure(14 / 23),
        source="Huang 2006, section 6.3.1: of 60 discarded disks 37 no longer started, 9 had bad "
        "sectors, 14 were healthy",
        tolerance=1e-9,
        unit="ratio",
        note="61% of those that could be tested; few drives, so a bound for planning.",
        tests="reliability.loss_params.ArrayLossParams.false_replacement_fraction",
    ),
    derived_check(
        "S32",
        "RAID-5 of four, MTTF 1,000,000 h, repair 24 h: MTTDL",
        396_400.0,
        lambda: _mttdl_years(1e-6),
        source="MTTF^2 / (N (N - 1) MTTR), Patterson, Gibson and Katz 1988",
        tolerance=400.0,
        unit="yr",
        tests="reliability.loss_chain.mean_time_h",
    ),
    derived_check(
        "S33",
        "Rebuild from 3 x 500 GB at one unreadable bit in 1e14",
        0.1131,
        lambda: _run(ArrayLossParams(), Context()).rebuild_unreadable_fraction,
        source="Poisson law",
        tolerance=0.0001,
        unit="fraction",
        params=dict,
        tests="reliability.loss_params.ArrayLossParams.disk_gb",
    ),
    derived_check(
        "raid6-unreadable",
        "RAID-6 of eight 20 TB drives, 1e-15 a bit, repair 24 h: loss in five years",
        1.4e-4,
        _raid6_loss,
        source="8 lambda, 7 lambda / mu and the chance to read 120 TB, to first order",
        tolerance=0.02e-4,
        unit="fraction",
        tests="reliability.loss_params.ArrayLossParams.mttr_h",
    ),
    Check(
        "warm",
        "Five degrees too warm at three percent a degree: more failures",
        0.15,
        lambda: _warm_rate_per_h(5.0) / _warm_rate_per_h(0.0) - 1.0,
        source="Papathanasiou and Scott 2004, TR 837, section 1: 2 to 3% for each degree; the "
        "copy of the paper lost digits of the total for five degrees, which reads 1 to 15 percent",
        kind="arithmetic",
        basis="derived",
        tests="reliability.loss_params.SharedFate.above_degrees",
        tolerance=0.005,
        unit="fraction",
    ),
    Check(
        "S34",
        "Annual failure rate of an MTTF of 1,000,000 h",
        0.0088,
        lambda: afr_of_mttf(1e6),
        source="Schroeder and Gibson 2007",
        printed="at most 0.88%",
        tolerance=0.0001,
        unit="fraction/yr",
        kind="arithmetic",
        tests="reliability.array_loss.afr_of_mttf",
        wider="The source has hours of a year over the MTTF; ours is 1 - exp of it.",
    ),
)

SPEC = ModelSpec(
    id="reliability.array_loss",
    version="2.3.0",
    title="Data loss of an array",
    summary="Mean time to data loss of mirrors and parity arrays, the chance of loss within a "
    "mission, and of an unreadable sector during a rebuild.",
    params=ArrayLossParams,
    result=ArrayLossResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="M. Holland, G. Gibson, Parity Declustering for Continuous Operation in Redundant "
            "Disk Arrays, ASPLOS 1992",
        ),
        Citation(
            text="OpenZFS documentation, dRAID: distributed spares, groups and permutations",
        ),
        Citation(
            text="IBM Spectrum Virtualize, New: Distributed RAID, 2015",
            url="https://ilovemystorage.wordpress.com/2015/11/09/ibm-spectrum-virtualize-new-distributed-raid/",
        ),
        Citation(
            text="D. A. Patterson, G. Gibson, R. H. Katz, A Case for Redundant Arrays of "
            "Inexpensive Disks (RAID), SIGMOD 1988",
        ),
        Citation(
            text="B. Schroeder, G. A. Gibson, Disk Failures in the Real World, FAST 2007",
        ),
        Citation(
            text="E. Pinheiro, W.-D. Weber, L. A. Barroso, Failure Trends in a Large Disk Drive "
            "Population, FAST 2007",
        ),
    ),
    formulas=(
        Formula(
            "mttdl",
            "MTTDL = ((2N - 1) lambda + mu) / (N (N - 1) lambda^2) for RAID-5",
            "Markov chain with n - k disks up and k under repair",
        ),
        Formula(
            "last_rebuild",
            "from m - 1 to m lost: (n - m + 1) lambda, of it P at once to lost data",
            "Markov chain; P where the last rebuild starts",
        ),
        Formula(
            "repair",
            "repair = wait for a drive (none with a spare) + size / rebuild rate",
            "definition",
        ),
        Formula(
            "spread",
            "declustered: repair = size (n - s) / n (w - m + 1) / ((n - lost) rate)",
            "all drives that are left read and write: Holland and Gibson 1992",
        ),
        Formula(
            "critical",
            "declustered: drives read with nothing left = (n - s) / w C(n - m, w - m) / "
            "C(n, w) (w - m)",
            "stripes that hold all m lost drives",
        ),
        Formula("rate", "lambda = -ln(1 - AFR) / 8760", "definition of AFR"),
        Formula("unreadable", "P = 1 - exp(-bits read * errors per bit)", "Poisson law"),
    ),
    checks=_CHECKS,
    limits=(
        "Failures come at a constant rate; shared fate, spares and scrubbing as far as entered. "
        "The two of a pair of RAID-10 lie in different enclosures or nodes. A spare in use is "
        "replaced as soon as it is rebuilt. Real failures grow with age.",
        "A rebuild with nothing left to correct by reads all survivors. The chance that a bit of "
        "them cannot be read is taken where it starts: an upper bound, about twice too high when "
        "repairs overlap half-way.",
        "In a declustered array any m + 1 drives lost at once are taken to share a stripe, as they "
        "do with thousands of stripes. Stripes that lost most are not rebuilt first, and spare "
        "room is not given back once a drive is replaced.",
        "Parts that take all of their members with them are taken to be others than those whose "
        "members are lost already.",
    ),
)
