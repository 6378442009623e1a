"""Own a cluster or rent its equivalent: totals, break-even and tie utilisation.

After the two comparisons of Zaranek et al. 2008 ("Free Factories"), with growth of the
work, a discount rate and monthly payments added.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from capmodels.cost import cashflow
from capmodels.cost.break_even import BreakEvenTime, Streams, break_even
from capmodels.cost.owned_vs_cloud_checks import published_checks
from capmodels.cost.owned_vs_cloud_params import (
    BreakEven,
    Cause,
    Copy,
    Monthly,
    NodeGroup,
    OwnedVsCloudParams,
    OwnedVsCloudResult,
    Side,
    Tie,
    Transfer,
)
from capmodels.numbers import percent
from capmodels.spec import Citation, Context, Formula, ModelSpec
from capmodels.units import MONTHS_PER_YEAR, gb_from_tb, kwh_from_w, transfer_h

PAPER_ROUNDING_USD = 1000.0


def instances_equivalent(group: NodeGroup) -> float:
    """Instances that stand for a group of nodes; a real number. [count]

    Raises nothing: the shapes refuse an explicit equivalence without its number.
    """
    instance, disks = group.instance, group.nodes_count * group.disks_per_node_count
    by_core = group.nodes_count * group.cores_per_node_count / instance.cores_count
    by_disk_count = disks / instance.disks_count
    by_capacity = disks * group.disk_tb / instance.storage_tb
    counts = {
        "by_core": by_core,
        "by_disk_count": by_disk_count,
        "by_capacity": by_capacity,
        "max_of_all": max(by_core, by_disk_count, by_capacity),
        "explicit": group.instances_count or 0.0,
    }
    return counts[group.equivalence]


def full_usd_per_h(group: NodeGroup) -> float:
    """Price of an hour of all of a group's instances. [USD/h]"""
    return instances_equivalent(group) * group.instance.price_usd_per_h


def transfer_usd(transfer: Transfer, *, gb_per_tb: float = 1000.0) -> float:
    """Price of the data moved in and out in one period. [USD]"""
    into = gb_from_tb(transfer.in_tb, gb_per_tb) * transfer.in_usd_per_gb
    out = gb_from_tb(transfer.out_tb, gb_per_tb) * transfer.out_usd_per_gb
    return into + out


def copy_h(copy: Copy, *, billing: str = "exact") -> float:
    """Billed time of one copy. [h]"""
    hours = transfer_h(copy.data_tb, copy.network_gbit_per_s)
    return float(math.ceil(hours)) if billing == "started_hours" else hours


def round_half_up(amount_usd: float, unit_usd: float = PAPER_ROUNDING_USD) -> float:
    """Round as the paper does, halves upwards. [USD]

    >>> round_half_up(26805.6), round_half_up(43500.0)
    (27000.0, 44000.0)
    """
    return math.floor(amount_usd / unit_usd + 0.5) * unit_usd


def tie_utilization_fraction(
    *, own_usd: float, cloud_other_usd: float, cloud_full_usd: float
) -> float:
    """Utilisation at which the rented compute makes both totals equal; may be outside 0-1.

    ``own_usd`` and ``cloud_other_usd`` are totals over the horizon without the rented
    compute, ``cloud_full_usd`` that compute at full use.
    """
    return (own_usd - cloud_other_usd) / cloud_full_usd


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A cause of cost: what it costs at once and in the first year."""

    cause: str
    side: Side
    label: str
    once_usd: float = 0.0
    usd_per_year: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rates:
    """Logarithms of the yearly factors of growth and discount."""

    growth_log: float
    discount_log: float

    def of(self, side: Side) -> float:
        return self.growth_log if side == "rented" else 0.0


def owned_yearly_usd(params: OwnedVsCloudParams) -> dict[str, float]:
    """Yearly cost of owning, by cause. [USD/yr]"""
    energy = kwh_from_w(params.power_w, params.year_h) * params.electricity_usd_per_kwh
    return {
        "energy": energy,
        "cooling": energy * (params.pue - 1),
        "site": params.facility_usd_per_year,
        "staff": params.staff_usd_per_year,
    }


def cloud_yearly_usd(params: OwnedVsCloudParams) -> dict[str, float]:
    """Cost of renting in the first year, by cause. [USD/yr]"""
    compute_usd_per_h = math.fsum(
        full_usd_per_h(group) * group.utilization_fraction for group in params.groups
    )
    stored_gb = gb_from_tb(params.storage_tb, params.gb_per_tb)
    moved = transfer_usd(params.transfer, gb_per_tb=params.gb_per_tb)
    return {
        "instances": compute_usd_per_h * params.year_h,
        "storage": stored_gb * params.storage_usd_per_gb_month * MONTHS_PER_YEAR,
        "transfer": moved if params.transfer.period == "yearly" else 0.0,
        "copy": params.copy_in.copies_per_year * copy_usd(params),
    }


def copy_usd(params: OwnedVsCloudParams) -> float:
    """Price of one copy: the instances wait, and are paid, while it lasts. [USD]"""
    instances = math.fsum(instances_equivalent(group) for group in params.groups)
    full = math.fsum(full_usd_per_h(group) for group in params.groups)
    waiting = params.copy_in.instances_count or instances
    return copy_h(params.copy_in, billing=params.billing) * full * waiting / instances


_LABELS = {
    "hardware": "Hardware",
    "energy": "Energy",
    "cooling": "Cooling",
    "site": "Space and network",
    "staff": "Staff",
    "instances": "Instances",
    "storage": "Object storage",
    "transfer": "Transfer",
    "copy": "Waiting for copies",
}


def _parts(params: OwnedVsCloudParams) -> tuple[_Part, ...]:
    moved = transfer_usd(params.transfer, gb_per_tb=params.gb_per_tb)
    at_once = {
        "hardware": params.capex_usd,
        "transfer": moved if params.transfer.period == "once" else 0.0,
    }
    keep = round_half_up if params.rounding == "paper" else float
    sides: tuple[tuple[Side, dict[str, float]], ...] = (
        ("owned", {"hardware": 0.0} | owned_yearly_usd(params)),
        ("rented", cloud_yearly_usd(params)),
    )
    return tuple(
        _Part(
            cause=cause,
            side=side,
            label=_LABELS[cause],
            once_usd=at_once.get(cause, 0.0),
            usd_per_year=keep(usd_per_year),
        )
        for side, yearly in sides
        for cause, usd_per_year in yearly.items()
    )


def _cumulative_usd(parts: tuple[_Part, ...], rates: _Rates, months: float) -> list[float]:
    return [
        part.once_usd
        + cashflow.cumulative_usd(
            usd_per_year=part.usd_per_year,
            growth_log_per_year=rates.of(part.side),
            months=months,
        )
        for part in parts
    ]


def _cumulative_npv_usd(parts: tuple[_Part, ...], rates: _Rates, months: float) -> list[float]:
    return [
        part.once_usd
        + cashflow.cumulative_npv_usd(
            usd_per_year=part.usd_per_year,
            growth_log_per_year=rates.of(part.side),
            discount_log_per_year=rates.discount_log,
            months=months,
        )
        for part in parts
    ]


def _side(parts: tuple[_Part, ...], side: Side) -> tuple[_Part, ...]:
    return tuple(part for part in parts if part.side == side)


def _monthly(parts: tuple[_Part, ...], rates: _Rates, months: float) -> Monthly:
    times = [float(month) for month in range(math.ceil(months))] + [months]
    series: dict[str, tuple[float, ...]] = {"time_months": tuple(times)}
    names: tuple[tuple[str, Side], ...] = (("own", "owned"), ("cloud", "rented"))
    for name, side in names:
        chosen = _side(parts, side)
        running = [math.fsum(_cumulative_usd(chosen, rates, time)) for time in times]
        present = [math.fsum(_cumulative_npv_usd(chosen, rates, time)) for time in times]
        steps = [now - before for before, now in pairwise([0.0, *running])]
        series |= {
            f"{name}_usd": tuple(steps),
            f"{name}_cumulative_usd": tuple(running),
            f"{name}_cumulative_npv_usd": tuple(present),
        }
    return Monthly.model_validate(series)


def _break_even(streams: Streams, *, discounted: bool) -> BreakEven:
    time = break_even(streams)
    return BreakEven(
        discounted=discounted,
        years=time.years,
        reason=time.reason,
        crossings_count=len(time.crossings_years),
        crossings_years=time.crossings_years,
        sentence=_break_even_sentence(time, discounted=discounted),
    )


def _break_even_sentence(time: BreakEvenTime, *, discounted: bool) -> str:
    money = "discounted" if discounted else "undiscounted"
    if time.years is None:
        return f"Owning never pays off ({money})."
    if time.reason == "always":
        return f"Owning is cheaper from the start ({money})."
    text = f"Owning pays off after {time.years:.1f} years ({money})"
    if any(crossing > time.years for crossing in time.crossings_years):
        return f"{text}; after {time.crossings_years[-1]:.1f} years renting is cheaper again."
    return f"{text}."


def _tie(params: OwnedVsCloudParams, parts: tuple[_Part, ...], rates: _Rates) -> Tie:
    months = params.horizon_years * MONTHS_PER_YEAR
    others = tuple(part for part in parts if part.cause != "instances")
    full = math.fsum(full_usd_per_h(group) for group in params.groups) * params.year_h
    value = tie_utilization_fraction(
        own_usd=math.fsum(_cumulative_usd(_side(others, "owned"), rates, months)),
        cloud_other_usd=math.fsum(_cumulative_usd(_side(others, "rented"), rates, months)),
        cloud_full_usd=cashflow.cumulative_usd(
            usd_per_year=full, growth_log_per_year=rates.growth_log, months=months
        ),
    )
    return tie_of(value)


def tie_of(value: float) -> Tie:
    """Word a tie utilisation; below 0 it is reported as 0."""
    if value < 0:
        return Tie(
            utilization_fraction=0.0,
            reason="owning_cheaper_idle",
            sentence="Owning is cheaper even idle.",
        )
    if value > 1:
        return Tie(
            utilization_fraction=value,
            reason="renting_cheaper_full",
            sentence="Renting is cheaper even at full use.",
        )
    sentence = f"Both cost the same at {percent(value)} utilisation; above it owning is cheaper."
    return Tie(utilization_fraction=value, reason=None, sentence=sentence)


def _warnings(params: OwnedVsCloudParams) -> tuple[str, ...]:
    busiest = max(group.utilization_fraction for group in params.groups)
    end = busiest * (1 + params.growth_fraction_per_year) ** params.horizon_years
    if end > 1:
        return (
            f"The work outgrows the owned nodes: {percent(end)} of their cores at the horizon. "
            "Owning is priced as if they still met demand.",
        )
    return ()


def compare(params: OwnedVsCloudParams) -> OwnedVsCloudResult:
    """Answer the comparison: totals, causes, break-even, tie, monthly series."""
    rates = _Rates(
        growth_log=cashflow.yearly_log(params.growth_fraction_per_year),
        discount_log=cashflow.yearly_log(params.discount_fraction_per_year),
    )
    months = params.horizon_years * MONTHS_PER_YEAR
    parts = _parts(params)
    amounts = _cumulative_usd(parts, rates, months)
    present = _cumulative_npv_usd(parts, rates, months)
    causes = tuple(
        Cause(
            cause=part.cause,
            side=part.side,
            label=part.label,
            formula=part.cause,
            amount_usd=amount,
            npv_usd=npv,
        )
        for part, amount, npv in zip(parts, amounts, present, strict=True)
    )
    own_usd, cloud_usd = _total(causes, "owned"), _total(causes, "rented")
    streams = _streams(parts, rates)
    paper = params.rounding == "paper"
    groups = params.groups
    return OwnedVsCloudResult(
        cheaper=_cheaper(own_usd, cloud_usd),
        own_total_usd=own_usd,
        cloud_total_usd=cloud_usd,
        own_npv_usd=math.fsum(cause.npv_usd for cause in causes if cause.side == "owned"),
        cloud_npv_usd=math.fsum(cause.npv_usd for cause in causes if cause.side == "rented"),
        own_printed_usd=round_half_up(own_usd) if paper else None,
        cloud_printed_usd=round_half_up(cloud_usd) if paper else None,
        own_usd_per_year=streams.own_usd_per_year,
        cloud_usd_per_year=streams.cloud_usd_per_year,
        cloud_once_usd=math.fsum(part.once_usd for part in _side(parts, "rented")),
        instances_count=math.fsum(instances_equivalent(group) for group in groups),
        compute_full_usd_per_h=math.fsum(full_usd_per_h(group) for group in groups),
        copy_h=copy_h(params.copy_in, billing=params.billing),
        break_even=_break_even(replace(streams, discount_log_per_year=0.0), discounted=False),
        break_even_discounted=_break_even(streams, discounted=True),
        tie=_tie(params, parts, rates),
        causes=causes,
        monthly=_monthly(parts, rates, months),
        warnings=_warnings(params),
    )


def _total(causes: tuple[Cause, ...], side: Side) -> float:
    return math.fsum(cause.amount_usd for cause in causes if cause.side == side)


def _cheaper(own_usd: float, cloud_usd: float) -> Literal["owned", "cloud", "equal"]:
    if own_usd == cloud_usd:
        return "equal"
    return "owned" if own_usd < cloud_usd else "cloud"


def _streams(parts: tuple[_Part, ...], rates: _Rates) -> Streams:
    owned, rented = _side(parts, "owned"), _side(parts, "rented")
    return Streams(
        gap_usd=math.fsum(part.once_usd for part in owned)
        - math.fsum(part.once_usd for part in rented),
        own_usd_per_year=math.fsum(part.usd_per_year for part in owned),
        cloud_usd_per_year=math.fsum(part.usd_per_year for part in rented),
        growth_log_per_year=rates.growth_log,
        discount_log_per_year=rates.discount_log,
    )


def _run(params: OwnedVsCloudParams, _context: Context) -> OwnedVsCloudResult:
    return compare(params)


FORMULAS = (
    Formula(
        "hardware",
        "hardware = price, paid at the start",
        "Zaranek et al. 2008, section 2.1",
        {"price": "capex_usd"},
    ),
    Formula(
        "site",
        "site = yearly price of space and network * years",
        "Zaranek et al. 2008, section 2.1",
        {"yearly price": "facility_usd_per_year", "years": "horizon_years"},
    ),
    Formula(
        "staff",
        "staff = yearly cost of people * years",
        "Zaranek et al. 2008, section 2.1",
        {"yearly cost": "staff_usd_per_year", "years": "horizon_years"},
    ),
    Formula(
        "energy",
        "energy = P * hours * price",
        "Zaranek et al. 2008, section 2.1",
        {"P": "power_w / 1000", "hours": "year_h", "price": "electricity_usd_per_kwh"},
    ),
    Formula("cooling", "cooling = energy * (PUE - 1)", "definition of PUE", {"PUE": "pue"}),
    Formula(
        "instances",
        "instances = sum over groups of n * p * u * hours",
        "Zaranek et al. 2008, section 2.1",
        {
            "n": "instances that stand for the group, such as nodes * cores / instance cores",
            "p": "instance.price_usd_per_h",
            "u": "utilization_fraction",
        },
    ),
    Formula(
        "storage",
        "storage = TB * (GB in a TB) * price * 12",
        "Zaranek et al. 2008, sections 2.1 and 4.5",
        {"TB": "storage_tb", "price": "storage_usd_per_gb_month"},
    ),
    Formula(
        "transfer", "transfer = in * price_in + out * price_out", "Zaranek et al. 2008, section 2.1"
    ),
    Formula(
        "copy",
        "copy = copies * hours * full price of an hour * waiting share; "
        "hours = TB * 8e12 / (Gbit/s * 1e9) / 3600",
        "Zaranek et al. 2008, section 4.5",
    ),
    Formula(
        "cumulative",
        "cost(m) = once + yearly/12 * (q^m - 1)/(q - 1), q = (1 + g)^(1/12)",
        "geometric sum; for g = 0 it is Zaranek et al. 2008, section 2.1",
        {"m": "months", "g": "growth_fraction_per_year; 0 for what is owned"},
    ),
    Formula(
        "npv",
        "npv(m) = once + sum over k = 1..m of yearly/12 * q^(k-1) / (1 + r)^(k/12)",
        "payments at the end of each month",
        {"r": "discount_fraction_per_year"},
    ),
    Formula(
        "break_even",
        "break-even = (capex - once) / (cloud_yearly - own_yearly) when g = r = 0; "
        "else the last time at which the cumulative costs cross upwards",
        "derived from Zaranek et al. 2008, section 2.1",
    ),
    Formula(
        "tie",
        "tie = (own total - cloud total without compute) / compute at full use",
        "derived from Zaranek et al. 2008, section 2.1",
    ),
)

SPEC = ModelSpec(
    id="cost.owned_vs_cloud",
    version="1.0.0",
    title="Owned versus cloud",
    summary="What a cluster costs against renting its equivalent by use, month by month, "
    "when owning pays off, and at which utilisation both cost the same.",
    params=OwnedVsCloudParams,
    result=OwnedVsCloudResult,
    run=_run,
    points=lambda params: len(params.groups),
    citations=(
        Citation(
            text="A. W. Zaranek, T. Clegg, W. Vandewege, G. M. Church, Free Factories: "
            "Unified Infrastructure for Data Intensive Web Services, USENIX ATC 2008",
            section="2.1 (48 nodes), 4.5 (two prototype clusters)",
        ),
    ),
    formulas=FORMULAS,
    checks=published_checks(compare),
    limits=(
        "Instances are paid by average use, as if they could be released at will; the "
        "paper says itself that data-intensive work cannot. Copies price part of that.",
        "By core 48 nodes equal 96 instances; by disk capacity, with the 1.69 TB that the "
        "type was usually listed with, 114. The equivalence is a choice.",
        "No price decline, no residual value, no replacement of failed parts, no request "
        "fees, no capacity for peaks.",
        "What is owned costs the same at any utilisation, and does not grow with the work.",
    ),
)
