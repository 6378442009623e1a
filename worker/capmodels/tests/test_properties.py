"""What must hold for any input: properties 1-6 and 15 of the reference's section 5.13."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from capmodels.cost.npv import npv_by_month_usd, npv_by_year_usd
from capmodels.cost.owned_vs_cloud import compare
from capmodels.cost.owned_vs_cloud_params import OwnedVsCloudParams, OwnedVsCloudResult
from capmodels.performance.cluster_io import SPEC as CLUSTER_IO
from capmodels.performance.cluster_io import ClusterIoParams
from capmodels.power.curves import (
    Curve,
    FanCurve,
    LinearCurve,
    MeasuredCurve,
    PowerPoint,
    TwoSegmentsCurve,
    watts,
)
from capmodels.spec import Context
from capmodels.storage.capacity import usable_tb

settings.register_profile("same_every_time", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("same_every_time")

SLACK = 1 + 1e-12


def amounts(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high, allow_nan=False, allow_infinity=False)


fractions = amounts(0.0, 1.0)

studies = st.fixed_dictionaries(
    {
        "capex_usd": amounts(0.0, 1e7),
        "power_w": amounts(0.0, 1e6),
        "electricity_usd_per_kwh": amounts(0.0, 1.0),
        "pue": amounts(1.0, 3.0),
        "facility_usd_per_year": amounts(0.0, 1e6),
        "staff_usd_per_year": amounts(0.0, 1e6),
        "storage_tb": amounts(0.0, 1e4),
        "storage_usd_per_gb_month": amounts(0.0, 1.0),
        "horizon_years": amounts(0.1, 20.0),
        "growth_fraction_per_year": amounts(-0.5, 1.0),
        "discount_fraction_per_year": amounts(0.0, 0.5),
        "year_h": st.sampled_from([8760, 8784]),
    }
)


def compared(study: dict[str, Any], utilization: float, price: float = 0.8) -> OwnedVsCloudResult:
    group = {"utilization_fraction": utilization, "instance": {"price_usd_per_h": price}}
    return compare(OwnedVsCloudParams.model_validate(study | {"groups": [group]}))


@given(studies, fractions, fractions)
def test_cloud_cost_never_falls_as_utilisation_rises(
    study: dict[str, Any], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    low_usd, high_usd = (compared(study, value).cloud_total_usd for value in (low, high))
    assert low_usd <= high_usd * SLACK


@given(studies, fractions, amounts(0.01, 10.0), amounts(0.01, 10.0))
def test_cloud_cost_never_falls_as_the_price_rises(
    study: dict[str, Any], utilization: float, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    low_usd, high_usd = (
        compared(study, utilization, price).cloud_total_usd for price in (low, high)
    )
    assert low_usd <= high_usd * SLACK


@given(studies, fractions, amounts(0.0, 1e4))
def test_cloud_cost_never_falls_with_more_hours_or_terabytes(
    study: dict[str, Any], utilization: float, more_tb: float
) -> None:
    base = compared(study | {"year_h": 8760}, utilization).cloud_total_usd
    more = {"storage_tb": study["storage_tb"] + more_tb, "year_h": 8784}
    assert base <= compared(study | more, utilization).cloud_total_usd * SLACK


@given(studies, st.sampled_from(["capex_usd", "power_w", "electricity_usd_per_kwh"]), fractions)
def test_own_cost_never_falls_with_price_power_or_tariff(
    study: dict[str, Any], name: str, part: float
) -> None:
    less = compared(study | {name: study[name] * part}, 0.25).own_total_usd
    assert less <= compared(study, 0.25).own_total_usd * SLACK


@given(studies, fractions, fractions)
def test_break_even_never_comes_later_as_utilisation_rises(
    study: dict[str, Any], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    late, early = (_years(compared(study, value)) for value in (low, high))
    assert early <= late * SLACK + 1e-9


def _years(result: OwnedVsCloudResult) -> float:
    return math.inf if result.break_even.years is None else result.break_even.years


# Near the paper's own, so that the tie lies between idle and full use.
near_studies = studies.map(
    lambda study: (
        study
        | {
            "capex_usd": 1e5 + study["capex_usd"] / 100,
            "power_w": study["power_w"] / 100,
            "facility_usd_per_year": study["facility_usd_per_year"] / 20,
            "staff_usd_per_year": 5e4 + study["staff_usd_per_year"] / 20,
            "storage_tb": study["storage_tb"] / 500,
            "pue": 1.2,
            "growth_fraction_per_year": study["growth_fraction_per_year"] / 5,
        }
    )
)


@given(near_studies)
def test_at_the_tie_both_totals_are_equal(study: dict[str, Any]) -> None:
    tie = compared(study, 0.25).tie
    assume(tie.reason is None and tie.utilization_fraction is not None)
    assert tie.utilization_fraction is not None
    there = compared(study, tie.utilization_fraction)
    assert math.isclose(there.own_total_usd, there.cloud_total_usd, rel_tol=1e-6)


@given(studies, fractions)
@pytest.mark.decisive
def test_causes_add_up_to_the_totals(study: dict[str, Any], utilization: float) -> None:
    result = compared(study, utilization)
    for side, total in (("owned", result.own_total_usd), ("rented", result.cloud_total_usd)):
        parts = [cause.amount_usd for cause in result.causes if cause.side == side]
        assert math.isclose(sum(parts), total, rel_tol=1e-9, abs_tol=1e-9)


@given(
    st.fixed_dictionaries(
        {
            "disks_count": st.integers(1, 1000),
            "disk_mb_per_s": amounts(1.0, 1e4),
            "disk_efficiency_fraction": amounts(0.1, 1.0),
            "nodes_count": st.integers(1, 1000),
            "network_gbit_per_s": amounts(0.1, 400.0),
            "node_service_mb_per_s": st.none() | amounts(1.0, 1e4),
            "readers": st.none()
            | st.fixed_dictionaries(
                {"readers_count": st.integers(1, 1000), "reader_mb_per_s": amounts(1.0, 1e4)}
            ),
            "hot_spot": st.none()
            | st.fixed_dictionaries(
                {"hot_fraction": amounts(0.01, 1.0), "hot_disks_count": st.just(1)}
            ),
        }
    )
)
def test_throughput_is_one_of_the_limits_and_above_none(document: dict[str, Any]) -> None:
    result = CLUSTER_IO.run(ClusterIoParams.model_validate(document), Context())
    limits = {row.limit: row.mb_per_s for row in result.limits}
    assert result.throughput_mb_per_s == min(limits.values()) == limits[result.limit]
    assert result.disk_utilization_fraction is not None
    assert result.disk_utilization_fraction <= 1


@given(amounts(1e-3, 1e6), amounts(0.01, 1.0), st.integers(1, 50))
def test_twice_the_copies_leave_half_the_space(raw_tb: float, fill: float, copies: int) -> None:
    once, twice = (
        usable_tb(raw_tb=raw_tb, fill_fraction=fill, copies_count=count)
        for count in (copies, 2 * copies)
    )
    assert math.isclose(once, 2 * twice, rel_tol=1e-12)


@st.composite
def curves(draw: st.DrawFn) -> Curve:
    idle = draw(amounts(0.0, 1e3))
    highest = idle + draw(amounts(0.0, 1e3))
    ends = {"power_idle_w": idle, "power_max_w": highest}
    kind = draw(st.sampled_from(["linear", "fan", "two_segments", "measured"]))
    if kind == "linear":
        return LinearCurve.model_validate(ends)
    if kind == "fan":
        return FanCurve.model_validate(ends | {"exponent": draw(amounts(0.05, 2.0))})
    if kind == "two_segments":
        knee = {"knee_utilization_fraction": draw(amounts(0.01, 0.99))}
        return TwoSegmentsCurve.model_validate(ends | knee | {"knee_range_fraction": 0.2})
    middle = draw(amounts(idle, highest))
    loads = (0.0, draw(amounts(0.01, 0.99)), 1.0)
    pairs = zip(loads, (idle, middle, highest), strict=True)
    points = tuple(PowerPoint(utilization_fraction=load, power_w=watts) for load, watts in pairs)
    return MeasuredCurve(points=points)


@given(curves(), fractions, fractions)
def test_power_never_falls_with_load_and_stays_between_idle_and_full(
    curve: Curve, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    idle, at_low, at_high, full = (watts(curve, load) for load in (0.0, low, high, 1.0))
    slack = 1e-9
    assert idle - slack <= at_low <= at_high + slack
    assert at_high <= full + slack


positive_flows = st.lists(amounts(0.0, 1e6), min_size=1, max_size=40)


@given(positive_flows, amounts(0.0, 1.0), amounts(0.0, 1.0))
def test_npv_of_costs_never_rises_with_the_rate(
    flows: list[float], one: float, other: float
) -> None:
    low, high = sorted((one, other))
    for npv in (npv_by_year_usd, npv_by_month_usd):
        at_low, at_high = (npv(flows, discount_fraction_per_year=rate) for rate in (low, high))
        assert at_high <= at_low * SLACK


@given(positive_flows)
def test_npv_without_a_rate_is_the_sum(flows: list[float]) -> None:
    for npv in (npv_by_year_usd, npv_by_month_usd):
        value = npv(flows, discount_fraction_per_year=0.0)
        assert math.isclose(value, math.fsum(flows), rel_tol=1e-12)
