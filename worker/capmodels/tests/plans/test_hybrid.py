"""A hybrid against every hour, its two ends, and the newsvendor's closed form."""

from __future__ import annotations

import math

import pytest

from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
)

HYBRID = {"letter": "C", "title": "Both", "kind": "hybrid"}
HYBRID |= {"owned_letter": "A", "rented_letter": "B"}
UNIFORM = {"kind": "hourly", "values_ratio": [hour + 0.5 for hour in range(240)]}


def study(quantile: float, **changes: object) -> JSONDict:
    """Demand uniform on 0-2,000 cores; a core a year costs 0.6 owned and 1 rented."""
    group = {"cores_per_node_count": 1, "price": {"kind": "typed", "unit_price_usd": 0.6 * 8760}}
    item = {"usd_per_h": 1.0, "vcpu_count": 1, "ram_gib": 0}
    hybrid = {**HYBRID, "own_quantile_fraction": quantile}
    work = demand(busy_cores_count=1000, shape=UNIFORM, **changes)
    return plain([owned("A", group=group), cloud("B", item=item), hybrid], work)


def test_what_is_owned_and_what_is_rented_is_that_of_every_hour() -> None:
    result = column(answer(study(0.4)), "C")
    hours = [(hour + 0.5) / 120 * 1000 for hour in range(240)]
    nodes = math.ceil(sorted(hours)[95] - 1e-9)
    rented = math.fsum(max(0.0, cores - nodes) for cores in hours) / 240
    assert cause_usd(result, "hardware") == pytest.approx(nodes * 0.6 * 8760)
    assert cause_usd(result, "instances") == pytest.approx(rented * 8760, rel=1e-3)
    assert [group.name for group in result.sizing[0].groups] == ["nodes", "vm"]


def test_the_cheapest_quantile_is_one_minus_the_ratio_of_prices() -> None:
    """E10: commit (here: own) up to the quantile above which the rest is used 60% less."""
    totals = {
        percent: column(answer(study(percent / 100)), "C").total_usd for percent in range(101)
    }
    assert min(totals, key=lambda percent: totals[percent]) == pytest.approx(40, abs=1)


def test_owning_all_rents_nothing() -> None:
    whole = column(answer(study(1.0)), "C")
    assert cause_usd(whole, "instances") == 0.0
    assert cause_usd(whole, "transfer") == 0.0


def test_ram_that_stays_is_owned_and_the_burst_takes_the_larger_need() -> None:
    """At the mean 100 nodes for cores and 50 for RAM, of which half follows the load."""
    work = demand(
        busy_cores_count=1000,
        shape=UNIFORM,
        ram_gib=3200,
        ram_fixed_fraction=0.5,
        egress_tb_per_month=10,
        headroom={"cores_target_fraction": 1.0, "ram_headroom_fraction": 0.0},
    )
    rate = {"egress_tiers": [{"usd_per_gb": 0.1}], "gb_per_tb": 1000}
    both = {**HYBRID, "own_quantile_fraction": 0.5}
    result = answer(plain([owned("A"), cloud("B", transfer=rate), both], work))
    # 100 nodes carry the mean; above it E[max(0, s - 1)] = 1/4 of the work is rented.
    assert column(result, "C").sizing[0].groups[0].count == 100
    # Whole instances, half of one more on average in the half of the hours that need any.
    burst = 0.25 * max(1000 / 10, 1600 / 64) + 0.5 * 0.5
    assert cause_usd(column(result, "C"), "instances") == pytest.approx(burst * 8760, rel=2e-3)
    assert cause_usd(column(result, "C"), "transfer") == pytest.approx(0.25 * 12 * 1000, rel=2e-3)


def test_nodes_without_the_ram_of_all_the_work_carry_the_share_that_they_hold() -> None:
    """The RAM of the work asks for 10 nodes and never falls: of 8 of them, a fifth is rented."""
    work = demand(
        busy_cores_count=500,
        ram_gib=640,
        headroom={"cores_target_fraction": 1.0, "ram_headroom_fraction": 0.0},
    )
    item = {"usd_per_h": 1.0, "vcpu_count": 10, "ram_gib": 1000}

    def rented_usd(nodes: int) -> float:
        group = {"cores_per_node_count": 100, "ram_gib": 64, "count": nodes}
        designs = [owned("A", group=group), cloud("B", item=item), {**HYBRID}]
        return cause_usd(column(answer(plain(designs, work)), "C"), "instances")

    whole = 50 * 8760.0
    assert rented_usd(10) == 0.0
    for nodes in (1, 5, 8, 9):
        assert rented_usd(nodes) == pytest.approx((1.0 - nodes / 10) * whole), nodes


@pytest.mark.decisive
def test_the_owned_side_pays_the_traffic_of_the_work_that_it_carries() -> None:
    work = demand(
        busy_cores_count=1000,
        shape=UNIFORM,
        egress_tb_per_month=10,
        headroom={"cores_target_fraction": 1.0, "ram_headroom_fraction": 0.0},
    )
    at_home = owned("A", network={"usd_per_tb": 7.0})
    both = {**HYBRID, "own_quantile_fraction": 0.5}
    rate = {"egress_tiers": [{"usd_per_gb": 0.1}]}
    result = answer(plain([at_home, cloud("B", transfer=rate), both], work))
    alone = cause_usd(column(result, "A"), "network")
    assert alone == pytest.approx(10 * 12 * 7.0)
    # Above the mean, a quarter of the work is rented and takes its traffic along.
    assert cause_usd(column(result, "C"), "network") == pytest.approx(0.75 * alone, rel=2e-3)


PLACES = ("compute", "block", "object", "archive", "gpus", "transfer", "services")


def joined(side: str) -> JSONDict:
    """A hybrid all of which lives on one side, and the two designs with all their fixed costs."""
    at_home = owned(
        "A",
        equipment=[{"name": "switch", "unit_price_usd": 9000}],
        network={"transit_usd_per_month": 800},
        sites=[{"name": "here", "usd_per_year": 12_000, "once_usd": 500}],
        space={"usd_per_year": 3000},
        support={"usd_per_year": 700},
        software={"usd_per_year": 900},
        staff_fte=2,
    )
    away = cloud(
        "B",
        support={"minimum_usd_per_month": 100, "bands": [{"fraction": 0.1}]},
        transfer={"nat_usd_per_month": 33},
        credits={"usd": 12_000, "months": 12},
        staff_fte=1,
    )
    hybrid = {**HYBRID, "placement": dict.fromkeys(PLACES, side), "staff_fte": 3}
    return plain([at_home, away, hybrid], demand(), staff_usd_per_fte_year=100_000)


@pytest.mark.parametrize(("side", "letter"), [("owned", "A"), ("rented", "B")])
def test_a_hybrid_of_one_side_costs_what_that_side_does(side: str, letter: str) -> None:
    """$100 of support, $33 of gateways and $1,000 of credits a month pay for nothing there."""
    result = answer(joined(side))
    whole, alone = column(result, "C"), column(result, letter)
    ours = {item.cause: item.amount_usd for item in whole.causes if item.amount_usd}
    theirs = {item.cause: item.amount_usd for item in alone.causes if item.amount_usd}
    assert ours == pytest.approx(theirs)


def test_the_people_of_both_sides_run_a_hybrid_of_both() -> None:
    study = joined("owned")
    study["workload"]["shape"] = UNIFORM
    study["designs"][2]["placement"]["compute"] = "owned_base"
    assert cause_usd(column(answer(study), "C"), "staff") == pytest.approx(300_000)


def test_nothing_rented_in_a_month_has_no_support() -> None:
    plan = {"minimum_usd_per_month": 100, "bands": [{"fraction": 0.1}]}
    idle = cloud("B", support=plan)
    study = plain([owned("A"), idle], demand(busy_cores_count=0))
    assert column(answer(study), "B").total_usd == 0.0


def test_a_hybrid_has_the_prices_of_the_designs_that_it_names() -> None:
    before = column(answer(document("rent-or-own")), "E")
    dearer = document("rent-or-own")
    dearer["designs"][3]["hardware_price_ratio"] = 1.1
    after = column(answer(dearer), "E")
    assert cause_usd(after, "hardware") == pytest.approx(1.1 * cause_usd(before, "hardware"))
