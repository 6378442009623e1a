"""A study starts with the spreads of what it takes from the catalogue and by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.document.study import RANGES_MOST
from studies.tests import samples

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def pointers(alice: Planner, study: dict[str, Any]) -> dict[str, tuple[float, float]]:
    rows = alice.get(f"/studies/{study['id']}").json()["ranges"]
    return {row["pointer"]: (row["low"], row["high"]) for row in rows}


def create(alice: Planner, **fields: Any) -> dict[str, Any]:
    answer = alice.post("/studies", fields)
    assert answer.status_code == 201, answer.content
    created: dict[str, Any] = answer.json()
    return created


def test_an_empty_study_starts_with_the_spreads_of_the_assumptions(alice: Planner) -> None:
    found = pointers(alice, create(alice, title="New"))
    # U.S. commercial prices of electricity, as the default's own source gives them.
    assert found["/assumptions/electricity/usd_per_kwh"] == (0.08, 0.18)
    assert all(name.startswith("/assumptions/") for name in found)


def test_ranges_that_are_given_stay_as_they_are(alice: Planner) -> None:
    study = create(alice, title="Points only", ranges=[])
    assert pointers(alice, study) == {}
    copy = alice.post(f"/studies/{study['id']}/copy").json()
    assert pointers(alice, copy) == {}


def test_a_design_brings_its_spreads_and_takes_them_along(alice: Planner) -> None:
    study = create(alice, title="New", workload=samples.WORKLOAD)
    shared = pointers(alice, study)
    design = alice.post(f"/studies/{study['id']}/designs", samples.OWN).json()
    found = pointers(alice, study)
    # The spread of a source, the spread of a default, and what was typed in.
    assert found["/designs/A/staff_fte"] == (0.1, 0.5)
    assert found["/designs/A/hardware_price_ratio"] == (0.7, 1.3)
    assert "/designs/A/node_groups/0/power/idle_w" not in found
    alice.delete(f"/designs/{design['id']}")
    assert pointers(alice, study) == shared


def test_a_copy_of_a_design_has_its_ranges(alice: Planner) -> None:
    study = create(alice, **samples.study())
    design = next(row for row in study["designs"] if row["letter"] == "A")
    alice.post(f"/designs/{design['id']}/copy")
    assert pointers(alice, study) == {
        "/designs/A/staff_fte": (0.1, 0.5),
        "/designs/C/staff_fte": (0.1, 0.5),
    }


def test_a_study_with_ranges_by_default_has_odds(alice: Planner) -> None:
    fields = samples.study()
    del fields["ranges"]
    study = create(alice, **fields)
    assert study["faults"] == []
    params = alice.get(f"/studies/{study['id']}/document").json()
    result = alice.post("/evaluate?include=odds", {"params": params}).json()["result"]
    assert result["odds"]["draws_count"] == 10_000
    assert result["flips"]
    assert len(result["tornado"]) >= 5


def test_a_design_whose_ranges_have_no_room_is_refused(alice: Planner) -> None:
    study = create(alice, title="Full", workload=samples.WORKLOAD)
    head = "/assumptions/choices/0/others"
    ranges = [{"pointer": f"{head}/{at}", "low": 0.0, "high": 1.0} for at in range(RANGES_MOST)]
    assert alice.patch(f"/studies/{study['id']}", {"ranges": ranges}).status_code == 200
    answer = alice.post(f"/studies/{study['id']}/designs", samples.OWN)
    assert answer.status_code == 422
    [fault] = answer.json()["errors"]
    assert fault["pointer"] == "/ranges"
    assert f"a study holds {RANGES_MOST}" in fault["message"]
    assert alice.get(f"/studies/{study['id']}").json()["designs"] == []
