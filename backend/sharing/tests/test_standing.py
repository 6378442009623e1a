"""Where studies stand: stale by newer prices, waiting for what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runs.tests.test_outlooks import bought_at, price

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


@pytest.mark.decisive
def test_newer_prices_make_a_study_stale_until_they_are_taken(
    alice: Planner, charlie: Planner
) -> None:
    price(alice, 0.4)
    fresh, stale = bought_at(alice, 0.4)["id"], bought_at(alice, 1.0)["id"]
    assert alice.get("/studies/standing").json() == {"stale": [stale], "asked": []}
    assert charlie.get("/studies/standing").json() == {"stale": [], "asked": []}
    price(alice, 0.5)
    assert set(alice.get("/studies/standing").json()["stale"]) == {fresh, stale}
    for study_id in (fresh, stale):
        assert alice.post(f"/studies/{study_id}/prices").status_code == 200
    assert alice.get("/studies/standing").json()["stale"] == []


def test_what_is_no_price_makes_no_study_stale_and_a_newer_pack_does(alice: Planner) -> None:
    value = {"value": 1.6, "quality": "published", "source": "Memo", "as_of": "2026-10-01"}
    alice.post("/packs", {"slug": "ours", "title": "Ours", "values": {"pue": value}})
    made = alice.study(draws_count=0)["id"]
    alice.post(f"/studies/{made}/pack", {"entry": "ours"})
    assert alice.get("/studies/standing").json()["stale"] == []
    alice.patch("/packs/ours", {"values": {"pue": {**value, "value": 1.7}}})
    assert alice.get("/studies/standing").json()["stale"] == [made]
    alice.delete(f"/studies/{made}/pack")
    assert alice.get("/studies/standing").json()["stale"] == []


def test_what_was_asked_for_waits_until_it_is_approved(alice: Planner, bob: Planner) -> None:
    asked, other = (alice.study(title=name, draws_count=0)["id"] for name in "ab")
    for _ in range(2):
        bob.post(f"/studies/{asked}/approvals/ask", {"sentence": "For the budget."})
    assert alice.get("/studies/standing").json()["asked"] == [asked]
    for study_id in (other, asked):
        done = alice.post(f"/studies/{study_id}/approvals", {"name": "Go", "sentence": "Yes."})
        assert done.status_code == 201
    assert alice.get("/studies/standing").json()["asked"] == []
    bob.post(f"/studies/{asked}/approvals/ask", {"sentence": "Again."})
    assert alice.get("/studies/standing").json()["asked"] == [asked]
