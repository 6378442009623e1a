"""A study at the prices of a date: what the catalogue held of that day, kept when it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from runs.settled import runs_keep_settled
from runs.tests.test_outlooks import AT, bought_at, outlook, price
from runs.tests.test_settled import later
from runs.tests.work import work_off

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def prices_of_three_months(planner: Planner) -> None:
    for month, usd_per_h in (("03", 0.2), ("06", 0.6), ("09", 5.0)):
        price(planner, usd_per_h, as_of=f"2026-{month}-01")


def document_price(planner: Planner, study: dict[str, Any]) -> float:
    document = planner.get(f"/studies/{study['id']}/document").json()
    found: float = document["designs"][1]["instances"][0]["usd_per_h"]
    return found


@pytest.mark.decisive
def test_a_study_is_asked_at_the_prices_of_a_day(alice: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(alice, 5.0)
    path = f"/studies/{study['id']}"
    at = {"2026-03-01": 0.2, "2026-05-31": 0.2, "2026-06-01": 0.6, "2026-10-01": 5.0}
    for day, usd_per_h in at.items():
        said = alice.get(f"{path}/outlook?as_of={day}").json()
        held = alice.patch(path, {"as_of": day}).json()
        assert (held["as_of"], document_price(alice, study)) == (day, usd_per_h)
        direct = bought_at(alice, usd_per_h)
        assert held["cost_usd"] == pytest.approx(direct["cost_usd"])
        assert held["winner"] == direct["winner"] == said["new_winner"]
        assert said["new_cost_usd"] == pytest.approx(held["cost_usd"])
        # What was entered stays.
        assert held["designs"][1]["spec"] == study["designs"][1]["spec"]
        alice.patch(path, {"as_of": ""})
    assert document_price(alice, study) == 5.0


def test_what_is_not_known_of_a_day_stays_and_is_counted(alice: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(alice, 5.0)
    said = alice.get(f"/studies/{study['id']}/outlook?as_of=2026-02-28").json()
    assert (said["gone_count"], said["prices_count"], said["moved"]) == (1, 0, False)
    alice.patch(f"/studies/{study['id']}", {"as_of": "2026-02-28"})
    assert document_price(alice, study) == 5.0


def test_runs_say_of_which_day_their_prices_are(alice: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(alice, 5.0)
    alice.patch(f"/studies/{study['id']}", {"as_of": "2026-06-15"})
    assert runs_keep_settled(later()) == 1
    (run,) = alice.get(f"/runs?study={study['id']}").json()["results"]
    assert run["snapshot"] == "2026-06-15-as-of"
    assert work_off(alice, run)["params"]["designs"][1]["instances"][0]["usd_per_h"] == 0.6


def test_a_study_held_at_a_day_is_not_stale_by_newer_prices(alice: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(alice, 0.6)
    assert outlook(alice)["moved_count"] == 1
    alice.patch(f"/studies/{study['id']}", {"as_of": "2026-06-15"})
    assert outlook(alice)["moved_count"] == 0


def test_a_price_that_was_put_back_is_the_one_of_its_day(alice: Planner) -> None:
    price(alice, 0.2, as_of="2026-03-01")
    price(alice, 9.0, as_of="2026-04-01")
    price(alice, 0.2, as_of="2026-03-01")
    study = bought_at(alice, 1.0)
    alice.patch(f"/studies/{study['id']}", {"as_of": "2026-05-01"})
    assert document_price(alice, study) == 0.2


def test_prices_of_an_entry_that_went_are_kept(alice: Planner) -> None:
    price(alice, 0.2, as_of="2026-03-01")
    study = bought_at(alice, 1.0)
    assert alice.delete("/catalogue/entries/ours").status_code == 204
    alice.patch(f"/studies/{study['id']}", {"as_of": "2026-05-01"})
    assert document_price(alice, study) == 0.2


def test_one_workspace_sees_no_prices_of_another(alice: Planner, charlie: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(charlie, 1.0)
    charlie.patch(f"/studies/{study['id']}", {"as_of": "2026-06-15"})
    assert document_price(charlie, study) == 1.0


@pytest.mark.parametrize("day", ["2999-01-01", "2026-13-01", "yesterday"])
def test_a_day_that_is_none_is_refused(alice: Planner, day: str) -> None:
    study = alice.study(draws_count=0)
    assert alice.patch(f"/studies/{study['id']}", {"as_of": day}).status_code == 422


def test_the_switch_is_undone_and_goes_with_a_copy(alice: Planner) -> None:
    prices_of_three_months(alice)
    study = bought_at(alice, 5.0)
    path = f"/studies/{study['id']}"
    alice.patch(path, {"as_of": "2026-06-15"})
    assert alice.post(f"{path}/copy").json()["as_of"] == "2026-06-15"
    assert alice.post(f"{path}/undo").json()["as_of"] == ""
    assert AT in study["designs"][1]["provenance"]
