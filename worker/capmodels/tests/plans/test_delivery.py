"""Own machines on their way: what is paid for until they are there, by hand and in trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.check.rules.waiting import find
from capmodels.testing.sampler_kernel import hold
from capmodels.tests.plans.documents import answer, cause_usd, cloud, column, owned, plain, study_of

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

PAID = 10_000.0  # ten nodes at $1,000
RENT = 10 * 8760 / 12.0  # ten instances at $1 an hour, a month


def waiting(until: str | None, months: float = 3, lead: int = 3, **more: Any) -> JSONDict:
    move = {"parallel_letter": "B", "parallel_months": months}
    design = owned(
        "A",
        lead_time_months=lead,
        migration=move,
        staff_usd_per_year=1200,
        space={"usd_per_year": 2400},
        software={"usd_per_node_year": 120},
        group={"power": {"kind": "constant", "power_w": 100}},
        **more,
    )
    rules: dict[str, Any] = {} if until is None else {"until_delivery": until}
    electricity = {"kind": "flat", "usd_per_kwh": 0.1}
    return plain([design, cloud("B")], horizon_months=24, electricity=electricity, **rules)


def test_what_bridges_the_time_is_paid_and_own_machines_from_delivery_on() -> None:
    found = column(answer(waiting("bridged")), "A")
    assert cause_usd(found, "migration") == pytest.approx(3 * RENT)
    assert found.cumulative_usd[3] == pytest.approx(3 * RENT)
    # Paid on delivery, at the start of the fourth month.
    assert cause_usd(found, "hardware") == pytest.approx(PAID)
    assert cause_usd(found, "space") == pytest.approx(2400 * 21 / 12)
    assert cause_usd(found, "staff") == pytest.approx(1200 * 21 / 12)
    assert cause_usd(found, "software") == pytest.approx(10 * 120 * 21 / 12)
    assert cause_usd(found, "energy") == pytest.approx(8760 * 21 / 12 * 0.1)
    assert found.energy.kwh == pytest.approx(8760 * 21 / 12)
    month = (2400 + 1200 + 1200) / 12 + 8760 / 12 * 0.1
    assert found.cumulative_usd[4] == pytest.approx(3 * RENT + PAID + month)


def test_the_other_place_is_paid_until_delivery_at_least() -> None:
    for months, wanted in ((0, 3), (1, 3), (3, 3), (5, 5)):
        found = column(answer(waiting("bridged", months)), "A")
        assert cause_usd(found, "migration") == pytest.approx(wanted * RENT)


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_a_place_paid_for_in_advance_is_not_free_meanwhile(share: float) -> None:
    promise = {"term_months": 3, "discount_fraction": 0.25, "base_quantile_fraction": 1.0}
    document = waiting("bridged")
    document["designs"][1]["commitments"] = [{**promise, "upfront_fraction": share}]

    assert cause_usd(column(answer(document), "A"), "migration") == pytest.approx(0.75 * 3 * RENT)

    months = {"pointer": "/designs/A/migration/parallel_months", "low": 3.0, "high": 5.0}
    drawn = column(answer(document | {"ranges": [months], "draws_count": 400}), "A")
    mean = next(one for one in drawn.causes if one.cause == "migration")
    assert mean.ranked_usd == pytest.approx(0.75 * (3 + 3 + 5) / 3 * RENT, rel=0.02)


def test_nobody_commits_for_a_year_to_what_runs_for_three_months() -> None:
    promise = {"term_months": 12, "discount_fraction": 0.25, "base_quantile_fraction": 1.0}
    document = waiting("bridged")
    document["designs"][1]["commitments"] = [promise]
    found = answer(document)
    # Whoever takes the design itself commits.
    assert cause_usd(column(found, "B"), "commitment") == pytest.approx(0.75 * 24 * RENT)
    assert cause_usd(column(found, "A"), "migration") == pytest.approx(3 * RENT)
    price = {"pointer": "/designs/B/instances/0/usd_per_h", "low": 0.5, "high": 1.5}
    drawn = column(answer(document | {"ranges": [price], "draws_count": 400}), "A")
    mean = next(one for one in drawn.causes if one.cause == "migration")
    assert mean.ranked_usd == pytest.approx(3 * RENT, rel=0.02)


def test_work_that_waits_begins_with_its_machines_and_pays_for_no_waiting() -> None:
    found = column(answer(waiting("waits")), "A")
    assert cause_usd(found, "migration") == 0.0
    assert found.cumulative_usd[1] > PAID
    # Months in which both run, beyond the delivery, are a move's own.
    longer = column(answer(waiting("waits", 5)), "A")
    assert cause_usd(longer, "migration") == pytest.approx(2 * RENT)


def test_what_is_not_settled_pays_for_both_and_rule_30_names_it() -> None:
    both = column(answer(waiting(None)), "A")
    assert cause_usd(both, "migration") == pytest.approx(3 * RENT)
    assert cause_usd(both, "space") == pytest.approx(2400 * 2)
    (told,) = find(study_of(waiting(None)))
    assert told.pointer == "/assumptions/until_delivery"
    assert "new or moved" in told.sentence
    for until in ("bridged", "waits"):
        assert not list(find(study_of(waiting(until))))
    assert not list(find(study_of(waiting(None, months=0))))
    nobody = waiting("bridged", 0)
    nobody["designs"][0]["migration"] = {}
    (unnamed,) = find(study_of(nobody))
    assert unnamed.pointer == "/designs/A/migration/parallel_letter"


def test_a_lead_time_of_nothing_leaves_all_as_it_was() -> None:
    for lead, months in ((0, 3), (0, 0)):
        before = answer(waiting(None, months, lead))
        for until in ("bridged", "waits"):
            found = answer(waiting(until, months, lead))
            assert [one.total_usd for one in found.designs] == [
                one.total_usd for one in before.designs
            ]


@pytest.mark.parametrize("until", ["bridged", "waits"])
def test_trials_wait_as_the_point_does(until: str) -> None:
    document = waiting(until, 4)
    ranges = [
        ("/workload/busy_cores_count", 60, 160),
        ("/designs/A/migration/parallel_months", 1, 6),
        ("/designs/A/staff_usd_per_year", 1000, 1500),
    ]
    document |= {
        "ranges": [{"pointer": at, "low": low, "high": high} for at, low, high in ranges],
        "draws_count": 2000,
        "seed": 3,
    }
    for _ in range(2):  # the second time from what was kept
        held = hold(study_of(document), 20_000, 5)
        assert held is not None
        assert held.found == []
