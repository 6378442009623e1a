"""Work per watt and dollar, the I/O ceiling, the site's envelope and showback in a study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.performance.cluster_io import SPEC as CLUSTER_IO
from capmodels.performance.cluster_io import ClusterIoParams
from capmodels.spec import Context
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cloud,
    column,
    demand,
    document,
    owned,
    plain,
)

if TYPE_CHECKING:
    from capmodels.plans.comparison import Comparison, Row

HOURS = 8760.0
POWERED = {"power": {"kind": "constant", "power_w": 200}}


def row(result: Comparison, name: str) -> Row:
    return next(item for item in result.rows if item.id == name)


@pytest.mark.decisive
def test_work_is_core_hours_where_no_request_or_job_is_told() -> None:
    """100 busy cores on ten nodes of 200 W and $1,000, for a year."""
    result = answer(plain([owned("A", group=POWERED), cloud("B", energy=None)]))
    assert row(result, "work_per_w").values["A"] == pytest.approx(100 / 2000)
    assert row(result, "work_per_wh").values["A"] == pytest.approx(100 / 2000)
    assert row(result, "work_energy").label == "Energy per core-hour"
    assert row(result, "work_energy").values["A"] == pytest.approx(2.0 / 100)
    per_dollar = row(result, "work_per_usd")
    assert per_dollar.unit == "core-h/$"
    assert per_dollar.values["A"] == pytest.approx(100 * HOURS / 10_000)
    assert per_dollar.values["B"] == pytest.approx(100 * HOURS / (10 * HOURS))
    assert "coefficients" in row(result, "work_per_w").reasons["B"]


def test_jobs_grow_with_the_cores_and_a_joule_is_counted_for_each() -> None:
    work = demand(jobs_per_day=240.0, growth={"cores_fraction_per_year": 1.0})
    result = answer(plain([owned("A", group=POWERED | {"count": 40})], work))
    told = column(result, "A")
    jobs = 240 * 365 / 12 * sum(2 ** ((month + 0.5) / 12) for month in range(12))
    assert told.energy.kwh is not None
    assert row(result, "work_energy").label == "Joules per job"
    assert row(result, "work_energy").values["A"] == pytest.approx(told.energy.kwh * 3.6e6 / jobs)
    assert row(result, "work_per_wh").values["A"] == pytest.approx(jobs / told.energy.kwh / 1000)
    assert row(result, "work_per_w").unit == "jobs/day/W"


def test_requests_are_those_of_the_mean_load() -> None:
    """FAWN's table: a million queries a second on nodes of 2 W at 426 queries a joule."""
    result = answer(document("fawn-nodes"))
    rate, energy = row(result, "work_per_w"), row(result, "work_energy")
    assert rate.unit == "requests/s/W"
    assert rate.best == "E"
    for letter, value in rate.values.items():
        assert value is not None
        assert energy.values[letter] == pytest.approx(1.0 / value)


def test_millions_stand_in_the_unit() -> None:
    jobs = demand(jobs_per_day=1e9)
    per_dollar = row(answer(plain([owned("A"), cloud("B")], jobs)), "work_per_usd")
    assert per_dollar.unit == "M jobs/$"
    assert per_dollar.values["A"] == pytest.approx(1e9 * 365 / 10_000 / 1e6)


def test_work_per_amount_is_in_the_currency_of_the_study() -> None:
    given = plain([owned("A"), cloud("B")], demand(jobs_per_day=1e9))
    given["assumptions"]["currency"] = {"code": "JPY", "per_usd": 150.0, "as_of": "2026-11-01"}
    per_yen = row(answer(given), "work_per_usd")
    assert (per_yen.label, per_yen.unit) == ("Work per JPY of total cost", "jobs/¥")
    assert per_yen.values["A"] == pytest.approx(1e9 * 365 / (10_000 * 150.0))


def test_a_design_that_does_not_meet_demand_does_no_such_work() -> None:
    result = answer(plain([owned("A", group=POWERED | {"count": 3}), owned("B", group=POWERED)]))
    assert row(result, "work_per_w").values["A"] is None
    assert row(result, "work_per_w").reasons["A"] == "It does not meet demand."


def drives(**changes: Any) -> JSONDict:
    return {
        "per_node_count": 4,
        "capacity_tb": 0.5,
        "kind": "hdd",
        "throughput_mb_per_s": 60.0,
        **changes,
    }


def nodes(**changes: Any) -> JSONDict:
    return POWERED | {
        "role": "compute_and_block",
        "count": 48,
        "nic_gbit_per_s": 2.0,
        "drives": drives(),
        **changes,
    }


@pytest.mark.parametrize("gbit_per_s", [2.0, 1.0])
def test_the_ceiling_is_that_of_the_published_model(gbit_per_s: float) -> None:
    """48 nodes, 192 disks at 60 MB/s: 11.52 GB/s by the disks, as in Free Factories."""
    work = demand(block_tb=24.0, block_throughput_mb_per_s=2880.0)
    io = column(answer(plain([owned("A", group=nodes(nic_gbit_per_s=gbit_per_s))], work)), "A").io
    alone = CLUSTER_IO.run(ClusterIoParams(network_gbit_per_s=gbit_per_s, data_tb=24.0), Context())
    assert io is not None
    assert io.ceiling_mb_per_s == pytest.approx(alone.throughput_mb_per_s)
    assert io.limit == alone.limit
    assert io.read_all_h == pytest.approx(alone.job_h)
    assert io.used_fraction == pytest.approx(2880.0 / alone.throughput_mb_per_s)


def test_an_unknown_rate_is_no_ceiling_and_says_why() -> None:
    group = nodes(nic_gbit_per_s=None, drives=drives(throughput_mb_per_s=None))
    result = answer(plain([owned("A", group=group)], demand(block_tb=24.0)))
    io = column(result, "A").io
    assert io is not None
    assert io.ceiling_mb_per_s is None
    assert "drive" in io.reasons["ceiling_mb_per_s"]
    assert "network" in io.reasons["ceiling_mb_per_s"]
    assert not [item.id for item in result.rows if item.id.startswith("io_")]


def test_a_network_of_nothing_reads_nothing_and_says_so() -> None:
    group = nodes(nic_gbit_per_s=0.0)
    io = column(answer(plain([owned("A", group=group)], demand(block_tb=24.0))), "A").io
    assert io is not None
    assert (io.ceiling_mb_per_s, io.read_all_h) == (0.0, None)
    assert io.reasons["read_all_h"] == "Nothing can be read: the ceiling is 0 MB/s."


def grown(envelope: JSONDict, **group: Any) -> Comparison:
    """Demand that doubles each year, for three: 20, 40 and 80 nodes of 200 W."""
    work = demand(growth={"cores_fraction_per_year": 1.0})
    design = owned("A", group=POWERED | group, envelope=envelope)
    return answer(plain([design], work, horizon_months=36))


def test_a_site_is_exhausted_in_the_year_in_which_the_nodes_no_longer_fit() -> None:
    found = column(grown({"power_kw": 10.0, "rack_units_count": 50}, rack_units_count=2), "A")
    told = found.envelope
    assert told is not None
    assert [year.power_kw for year in told.years] == pytest.approx([4.0, 8.0, 16.0])
    assert [year.rack_units_count for year in told.years] == pytest.approx([40.0, 80.0, 160.0])
    assert (told.full_year, told.limit) == (2, "rack_units")
    (remark,) = found.remarks
    assert remark.pointer == "/designs/A/envelope/rack_units_count"
    assert "exhausted in year 2: 80 of 50 rack units" in remark.sentence


def test_a_site_that_lasts_says_for_how_long() -> None:
    result = grown({"power_kw": 64.0})
    told = column(result, "A").envelope
    assert told is not None
    assert told.full_year is None
    assert told.lasts_years == pytest.approx(4.0)
    used = row(result, "envelope_power_fraction")
    assert used.values["A"] == pytest.approx(0.25)
    assert used.notes["A"] == "full after 4.0 years"
    assert not column(result, "A").remarks


def test_an_unknown_height_is_not_nothing() -> None:
    told = column(grown({"rack_units_count": 10}), "A").envelope
    assert told is not None
    assert (told.full_year, told.lasts_years) == (None, None)
    assert told.reason == "The rack units of some nodes are not entered."
    assert [year.rack_units_count for year in told.years] == [None] * 3


def test_teams_bear_their_shares_and_the_rest_is_not_assigned() -> None:
    teams = [
        {"name": "genomics", "compute_fraction": 0.5, "storage_fraction": 0.2},
        {"name": "web", "compute_fraction": 0.25, "storage_fraction": 0.8},
    ]
    group = nodes(count=10, drives=drives(unit_price_usd=100.0, copies_count=1))
    group["price"] = {"kind": "typed", "unit_price_usd": 600}
    storage = {
        "block_tiers": [{"usd_per_gb_month": 0}],
        "object_tiers": [{"usd_per_gb_month": 0.02}],
        "gb_per_tb": 1000,
    }
    work = demand(teams=teams, block_tb=1.0, object_tb=50.0)
    rented = cloud("B", storage=storage)
    result = answer(plain([owned("A", group=group), rented], work))
    for design in result.designs:
        assert sum(team.total_usd for team in design.showback) == pytest.approx(design.ranked_usd)
        assert [team.name for team in design.showback] == ["genomics", "web", "Not assigned"]
    # A: $10,000 of nodes, of which $4,000 are drives.
    own = column(result, "A").showback
    assert [team.total_usd for team in own] == pytest.approx([3800.0, 4700.0, 1500.0])
    # B: 87,600 hours of instances at $1, and 50 TB at $20 a month for a year.
    hired = column(result, "B").showback
    assert hired[0].compute_usd == pytest.approx(0.5 * 87_600)
    assert hired[0].storage_usd == pytest.approx(0.2 * 12_000)
    assert row(result, "showback_3_usd").label == "Showback: Not assigned"


def test_shares_above_all_there_is_are_refused() -> None:
    teams = [{"name": name, "compute_fraction": 0.6} for name in ("a", "b")]
    with pytest.raises(ParamsError, match=r"120% of computing"):
        answer(plain([owned("A")], demand(teams=teams)))


def test_the_example_has_the_ceiling_that_its_paper_prints() -> None:
    """Zaranek et al. 2008, section 2.1: 192 disks, 11 GB/s (truncated from 11.52)."""
    io = column(answer(document("free-factories")), "A").io
    assert io is not None
    assert (io.ceiling_mb_per_s, io.limit) == (11_520.0, "disk")
    assert io.network_mb_per_s == 12_000.0


def test_nodes_that_store_say_what_they_hold_beside_rented_storage() -> None:
    """Three copies of 10 drives of 6 TB a node; 100 TB at 80% full need seven nodes of 20 TB."""
    drives = {"per_node_count": 10, "capacity_tb": 6.0, "kind": "hdd", "copies_count": 3}
    group = {"role": "block", "drives": drives}
    work = demand(busy_cores_count=0, block_tb=100.0)
    work["headroom"]["disk_fill_fraction"] = 0.8
    compute = {**owned("A")["node_groups"][0], "name": "compute"}
    design = owned("A", group=group)
    result = answer(plain([design | {"node_groups": [*design["node_groups"], compute]}], work))
    assert row(result, "array_usable_tb").values["A"] == pytest.approx(7 * 20)
    # Nodes that compute cost as well; without them each TB bears all.
    assert not [item for item in result.rows if item.id == "array_usd_per_tb_year"]
    storing = answer(plain([design], work))
    price = column(storing, "A").total_usd / (7 * 20)
    assert row(storing, "array_usd_per_tb_year").values["A"] == pytest.approx(price)
    assert row(storing, "array_usd_per_tb_year").notes == {"A": "all that the design costs"}
    alone = answer(plain([owned("A")]))
    assert "array_usable_tb" not in [item.id for item in alone.rows]
