"""Hours down and what they cost: by hand, against the ledger, in trials, on random studies."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.plans.compare import SPEC, compare
from capmodels.plans.workings import workings
from capmodels.spec import validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
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
    study_of,
)  # fmt: skip
from capmodels.tests.plans.random_studies import seeds_to

NEVER_FAIL: dict[str, Any] = {"machine_afr_fraction": 0.0}
TWO_SITES = {"spare_nodes_count": 0, "sites_count": 2, "survive_site_loss": True}


def hours(design: JSONDict, work: JSONDict | None = None, **of: Any) -> float | None:
    found = answer(plain([design], work, downtime=of))
    return column(found, design["letter"]).downtime.h_per_year


def test_rented_machines_are_down_as_long_as_their_provider_lets_them() -> None:
    """One zone of AWS 99.5%, several 99.99%: 52.6 minutes a year."""
    one = hours(cloud(provider="aws"), **NEVER_FAIL)
    assert one == pytest.approx(43.8)
    two = hours(cloud(provider="aws"), demand(availability=TWO_SITES), **NEVER_FAIL)
    assert two is not None
    assert two * 60 == pytest.approx(52.56)
    entered = cloud(provider="aws", uptime={"one_zone_fraction": 0.999})
    assert hours(entered, **NEVER_FAIL) == pytest.approx(8.76)


def test_what_is_not_known_is_unknown_and_has_a_reason() -> None:
    found = answer(plain([cloud(provider="other")], downtime={"usd_per_h": 100.0}))
    design = column(found, "B")
    assert design.downtime.h_per_year is None
    assert design.downtime.reason is not None
    assert cause_usd(design, "downtime") == 0
    assert any("hours down are unknown" in warning for warning in found.warnings)


def test_a_site_and_two_of_which_one_may_be_lost() -> None:
    assert hours(owned(), site_up_fraction=0.999, **NEVER_FAIL) == pytest.approx(8.76)
    two = hours(owned(), demand(availability=TWO_SITES), site_up_fraction=0.999, **NEVER_FAIL)
    assert two == pytest.approx(8760 * 0.001**2)
    both = {"spare_nodes_count": 0, "sites_count": 2}
    needed = hours(owned(), demand(availability=both), site_up_fraction=0.999, **NEVER_FAIL)
    assert needed == pytest.approx(8760 * (1 - 0.999**2))


def test_machines_of_which_some_may_be_down() -> None:
    """Ten nodes for work that takes all of them at every hour: n-out-of-n, and with one more."""
    certain = {"site_up_fraction": 1.0, "machine_afr_fraction": 0.05, "repair_h": 24.0}
    rate = 0.05129329438755058  # -ln 0.95
    q = 24 * rate / (8760 + 24 * rate)
    always = demand(shape={"kind": "hourly", "values_ratio": [1.0] * 24})
    none = hours(owned(group={"spare_nodes_count": 0}), always, **certain)
    # Below nine tenths of the work every hour is short: the flat work is at its peak at all times.
    assert none == pytest.approx(8760 * (1 - (1 - q) ** 10))
    one = hours(owned(group={"spare_nodes_count": 1}), always, **certain)
    assert one == pytest.approx(8760 * (1 - (1 - q) ** 11 - 11 * q * (1 - q) ** 10))


def test_nodes_lost_are_missed_in_the_hours_that_need_them() -> None:
    """A day of which one hour needs all ten nodes, the others half: 1/24 of the hours."""
    certain = {"site_up_fraction": 1.0, "machine_afr_fraction": 0.05, "repair_h": 24.0}
    values = [1.0] + [0.5] * 23
    peak = 24 / (1.0 + 0.5 * 23)
    work = demand(
        busy_cores_count=100 / peak,
        p99_ratio=peak,
        shape={"kind": "hourly", "values_ratio": values},
    )
    rate = 0.05129329438755058
    q = 24 * rate / (8760 + 24 * rate)
    found = hours(owned(group={"spare_nodes_count": 0}), work, **certain)
    assert found == pytest.approx(8760 * (1 - (1 - q) ** 10) / 24)


def test_data_with_a_copy_up_can_be_read_and_with_the_last_down_cannot() -> None:
    certain = {"site_up_fraction": 1.0, "machine_afr_fraction": 0.05, "repair_h": 24.0}
    rate = 0.05129329438755058
    q = 24 * rate / (8760 + 24 * rate)
    work = demand(busy_cores_count=0, block_tb=100)
    for copies in (1, 2, 3):
        drives = {"per_node_count": 1, "capacity_tb": 10 * copies, "kind": "hdd"}
        group = {"role": "block", "count": 10, "drives": drives | {"copies_count": copies}}
        from scipy import stats

        expected = 8760 * float(stats.binom.sf(copies - 1, 10, q))
        assert hours(owned(group=group), work, **certain) == pytest.approx(expected, rel=1e-6)


def test_an_hour_with_a_price_is_a_line_of_the_ledger() -> None:
    study = plain([owned(), cloud(provider="aws")], horizon_months=30, tax={"counted": True})
    without = answer(study)
    study["assumptions"]["downtime"] = {"usd_per_h": 250.0}
    with_price = answer(study)
    for letter in "AB":
        before, after = column(without, letter), column(with_price, letter)
        assert after.downtime == before.downtime
        assert after.downtime.h_per_year is not None
        usd = after.downtime.h_per_year * 250 * 30 / 12
        assert cause_usd(before, "downtime") == 0
        assert cause_usd(after, "downtime") == pytest.approx(usd)
        # Of what is deducted the tax rate is saved.
        assert after.total_usd - before.total_usd == pytest.approx(usd * (1 - 0.21))
        assert sum(year.causes["downtime"] for year in after.years) == pytest.approx(usd)
        more = [
            late.opex_usd - early.opex_usd
            for late, early in zip(after.statement, before.statement, strict=True)
        ]
        assert sum(more) == pytest.approx(usd)


def test_the_place_that_is_left_is_not_paid_twice_for_its_hours_down() -> None:
    moved = owned(migration={"parallel_months": 6, "parallel_letter": "B"})
    study = plain([moved, cloud(provider="aws")])
    without = cause_usd(column(answer(study), "A"), "migration")
    study["assumptions"]["downtime"] = {"usd_per_h": 1e4}
    assert cause_usd(column(answer(study), "A"), "migration") == without > 0


def test_a_range_of_the_cost_and_of_what_is_down_enters_the_odds() -> None:
    study = document("rent-or-own", draws_count=400)
    study["assumptions"]["downtime"] = {"usd_per_h": 1000.0}
    ranges = {"usd_per_h": (0, 2000), "site_up_fraction": (0.9996, 1), "repair_h": (4, 44)}
    study["ranges"] = [
        {"pointer": f"/assumptions/downtime/{name}", "low": low, "high": high}
        for name, (low, high) in ranges.items()
    ]
    found = answer(study)
    for design in found.designs:
        cost = next(item for item in design.causes if item.cause == "downtime")
        assert cost.p10_usd is not None
        assert cost.p90_usd is not None
        assert cost.p10_usd < cost.ranked_usd < cost.p90_usd
        # Triangles about the values: the mean is that of the values, as their product's factors.
        assert cost.ranked_usd == pytest.approx(cost.npv_usd, rel=0.1)
    assert {item.key for item in found.quantities} == {
        f"assumptions/downtime/{name}" for name in ranges
    }
    assert any("cost of an hour down" in bar.label for bar in found.tornado)


def test_the_working_of_the_cost_names_what_decides_it() -> None:
    study = document("rent-or-own")
    study["assumptions"]["downtime"] = {"usd_per_h": 1000.0}
    spec = study_of(study)
    opened = workings(spec, "D", "downtime").causes[0]
    assert opened.inputs
    named = {term.pointer for term in opened.inputs}
    of = {"usd_per_h", "site_up_fraction", "machine_afr_fraction", "repair_h"}
    assert {f"/assumptions/downtime/{name}" for name in of} <= named
    assert "/workload/availability/spare_nodes_count" in named


@pytest.mark.parametrize("seed", seeds_to(12))
def test_hours_down_of_random_studies(seed: int) -> None:
    check_random(seed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(200, 400))
def test_hours_down_of_many_random_studies(seed: int) -> None:
    check_random(seed)


def check_random(seed: int) -> None:
    """Between none and all hours; a spare machine more never adds any; their price is a sum."""
    study = document_of(random_study(seed)) | {"draws_count": 0, "ranges": []}
    study["assumptions"] |= {"correlations": [], "downtime": {"usd_per_h": 0.0}}
    found = compare(validate(SPEC, study))
    study["assumptions"]["downtime"] = {"usd_per_h": 10.0}
    priced = compare(validate(SPEC, study))
    year = study["assumptions"].get("hours_per_year", 8760.0)
    for before, after in zip(found.designs, priced.designs, strict=True):
        known = before.downtime
        if known.h_per_year is None:
            assert known.reason
            assert cause_usd(after, "downtime") == 0
            continue
        assert 0 <= known.h_per_year <= year
        parts = (known.sites_h_per_year, known.provider_h_per_year, known.machines_h_per_year)
        assert min(part for part in parts if part is not None) >= -1e-9
        assert sum(part or 0.0 for part in parts) == pytest.approx(known.h_per_year, abs=1e-9)
        cost = cause_usd(after, "downtime")
        most = known.h_per_year * 10 * study["assumptions"].get("horizon_months", 36) / 12
        assert 0 <= cost <= most * (1 + 1e-9) + 1000 * 30


@pytest.mark.decisive
def test_a_burst_zone_counts_in_the_hours_that_burst() -> None:
    """Nodes for the 23 hours of half the peak: the zone is needed in one of 24."""
    values = [1.0] + [0.5] * 23
    work = demand(p99_ratio=2.0, shape={"kind": "hourly", "values_ratio": values})
    both = {
        "letter": "C",
        "title": "Both",
        "kind": "hybrid",
        "owned_letter": "A",
        "rented_letter": "B",
        "own_quantile_fraction": 0.9,
    }
    own, rent = owned("A"), cloud("B", provider="aws")
    rent["uptime"] = {"one_zone_fraction": 0.99}
    certain = {"site_up_fraction": 1.0, "machine_afr_fraction": 0.0}
    found = column(answer(plain([own, rent, both], work, downtime=certain)), "C")
    assert found.downtime.provider_h_per_year == pytest.approx(8760 / 24 * 0.01)
    assert "in the 4.2% of the hours that need it" in str(found.downtime.what)
    # With a service of the cloud's own it is needed in all of them.
    both["services"] = [{"name": "Queue", "usd_per_month": 100.0}]
    found = column(answer(plain([own, rent, both], work, downtime=certain)), "C")
    assert found.downtime.provider_h_per_year == pytest.approx(8760 * 0.01)


def test_a_side_of_a_hybrid_that_carries_nothing_is_never_down() -> None:
    """All of it rented, or all of it owned: the hours and their cost are those of that side."""
    own, rent = owned("A"), cloud("B", provider="aws")
    for side, letter, other in (("rented", "B", "owned"), ("owned", "A", "rented")):
        kinds = ("compute", "block", "object", "archive", "gpus", "transfer", "services")
        both = {
            "letter": "C",
            "title": "Both",
            "kind": "hybrid",
            "owned_letter": "A",
            "rented_letter": "B",
            "placement": dict.fromkeys(kinds, side),
        }
        found = answer(plain([own, rent, both], downtime={"usd_per_h": 100.0}))
        alone, joined = column(found, letter), column(found, "C")
        assert joined.downtime.h_per_year == pytest.approx(alone.downtime.h_per_year)
        assert cause_usd(joined, "downtime", side) == pytest.approx(cause_usd(alone, "downtime"))
        assert cause_usd(joined, "downtime", other) == 0
