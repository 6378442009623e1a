"""Which studies newer prices or another plan would move, before anybody decides."""

from __future__ import annotations

import copy
import random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.db import connection

from catalogue.models import Snapshot
from common.tenancy import workspace
from jobs.services import job_claim
from runs.tests.work import work_off
from studies import services
from studies.tests.samples import OWN, RENT

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

AT = "/instances/0/usd_per_h"


def price(planner: Planner, usd_per_h: float, **more: Any) -> None:
    """Say the price of the workspace's own entry."""
    said = {"value": usd_per_h, "quality": "published", "source": "List", "as_of": "2026-11-01"}
    body = {"title": "Ours", "values": {"usd_per_h": {**said, **more}}}
    if planner.patch("/catalogue/entries/ours", body).status_code == 404:
        made = planner.post("/catalogue/entries", {**body, "slug": "ours", "kind": "instance"})
        assert made.status_code == 201, made.content


def bought_at(planner: Planner, usd_per_h: float, **changes: Any) -> dict[str, Any]:
    """Create a study that took the price of the entry when it was this."""
    rent = copy.deepcopy(RENT)
    rent["spec"]["instances"][0]["usd_per_h"] = usd_per_h
    origin = {"quality": "published", "source": "List", "as_of": "2026-01-01", "entry": "ours"}
    rent["provenance"] = {AT: origin}
    rent["provenance"][AT] |= changes.pop("origin", {})
    designs = [copy.deepcopy(OWN), rent]
    return planner.study(**{"designs": designs, "draws_count": 0, "ranges": [], **changes})


def outlook(planner: Planner) -> dict[str, Any]:
    made = planner.post("/outlooks")
    assert made.status_code == 202, made.content
    work_off_outlook(planner, made.json())
    found: dict[str, Any] = planner.get(f"/outlooks/{made.json()['id']}").json()
    return found


def run_of(planner: Planner, study: dict[str, Any]) -> dict[str, Any]:
    """Run a study as it is saved, and return what its run is kept as."""
    made = planner.post("/runs", {"study": study["id"]}).json()
    work_off(planner, made)
    run: dict[str, Any] = planner.get(f"/runs/{made['id']}").json()
    return run


def work_off_outlook(planner: Planner, made: dict[str, Any]) -> None:
    work_off(planner, {"id": made["id"]})


def as_listed(change: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in change.items() if name not in {"label", "unit"}}
    return {"changes": [{**told, "part": ""}], "gone_count": 0}


@pytest.mark.decisive
def test_what_newer_prices_would_move_is_what_they_move_once_taken(alice: Planner) -> None:
    rng = random.Random(14)
    price(alice, 0.4)
    asked = {}
    for _ in range(4):
        study = bought_at(alice, rng.uniform(0.01, 4.0))
        asked[study["id"]] = study
    typed = alice.study(draws_count=0)
    found = outlook(alice)
    assert (found["state"], found["studies_count"], found["moved_count"]) == ("succeeded", 5, 4)
    rows = {row["study"]: row for row in found["rows"]}
    assert (rows[typed["id"]]["moved"], rows[typed["id"]]["prices_usd"]) == (False, 0.0)
    for study_id, study in asked.items():
        row = rows[study_id]
        (change,) = row["changes"]
        assert change["label"] == "m1.large: on-demand price (B)"
        assert (change["letter"], change["pointer"], change["after"]) == ("B", AT, 0.4)
        assert row["cost_usd"] == pytest.approx(study["cost_usd"])
        assert alice.get(f"/studies/{study_id}/outlook").json() == row
        assert alice.get(f"/studies/{study_id}/prices").json() == as_listed(change)
        assert alice.get(f"/studies/{study_id}").json()["cost_usd"] == study["cost_usd"]
        taken = alice.post(f"/studies/{study_id}/prices")
        assert taken.status_code == 200, taken.content
        assert taken.json()["cost_usd"] == pytest.approx(row["new_cost_usd"])
        assert taken.json()["winner"] == row["new_winner"]
        origin = taken.json()["designs"][1]["provenance"][AT]
        assert (origin["as_of"], origin["entry"]) == ("2026-11-01", "ours")
        assert alice.post(f"/studies/{study_id}/prices").status_code == 409
        undone = alice.post(f"/studies/{study_id}/undo").json()
        assert undone["designs"][1]["spec"] == study["designs"][1]["spec"]
    winners = [row["winner"] != row["new_winner"] for row in found["rows"] if row["moved"]]
    assert winners == sorted(winners, reverse=True)


def test_a_study_in_euros_says_so_with_the_units_of_what_would_move(alice: Planner) -> None:
    price(alice, 0.8)
    euros = {"code": "EUR", "per_usd": 0.5, "as_of": "2026-07-01"}
    assumptions = alice.study()["assumptions"] | {"currency": euros}
    study = bought_at(alice, 0.4, assumptions=assumptions)
    found = outlook(alice)
    row = next(row for row in found["rows"] if row["study"] == study["id"])
    assert row["currency"] == {"code": "EUR", "per_usd": 0.5}
    assert [change["unit"] for change in row["changes"]] == ["USD/h"]


def test_a_newer_price_brings_its_range_and_a_typed_one_stays(alice: Planner) -> None:
    price(alice, 0.8, quality="recalled", low=0.7, high=0.9)
    pointers = ["/designs/A/staff_fte", f"/designs/B{AT}"]
    ranges = [{"pointer": pointers[0], "low": 0.1, "high": 0.5}]
    ranges.append({"pointer": pointers[1], "low": 0.3, "high": 0.5})
    study = bought_at(alice, 0.4, ranges=ranges)
    taken = alice.post(f"/studies/{study['id']}/prices").json()
    kept = {one["pointer"]: (one["low"], one["high"]) for one in taken["ranges"]}
    assert kept == {pointers[0]: (0.1, 0.5), pointers[1]: (0.7, 0.9)}
    assert taken["designs"][0]["spec"] == study["designs"][0]["spec"]


def test_what_the_catalogue_has_no_more_stays_and_is_counted(alice: Planner) -> None:
    study = bought_at(alice, 0.4)
    row = outlook(alice)["rows"][0]
    assert (row["moved"], row["gone_count"], row["prices_count"]) == (False, 1, 0)
    assert alice.post(f"/studies/{study['id']}/prices").status_code == 409


def test_an_incomplete_study_says_what_is_newer_and_takes_it(alice: Planner) -> None:
    price(alice, 0.002)
    origin = {"field": "usd_per_h", "times": 730, "note": "× 730"}
    study = bought_at(alice, 1.0, workload={}, origin=origin, snapshot="2026-01-01-old")
    path = f"/studies/{study['id']}/prices"
    assert study["faults"]
    newer = alice.get(path).json()
    assert newer["gone_count"] == 0
    (change,) = newer["changes"]
    assert (change["letter"], change["part"], change["pointer"]) == ("B", "", AT)
    assert (change["before"], change["after"]) == (1.0, pytest.approx(0.002 * 730))
    design = alice.post(path).json()["designs"][1]
    assert design["spec"]["instances"][0]["usd_per_h"] == change["after"]
    assert design["provenance"][AT]["times"] == 730
    assert alice.get(path).json() == {"changes": [], "gone_count": 0}


def test_a_newer_snapshot_is_taken_where_no_value_is_another(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "snapshot_latest", lambda: Snapshot(id="2026-11-01-new"))
    study = alice.study(snapshot="2026-01-01-old")
    path = f"/studies/{study['id']}"
    assert alice.post(f"{path}/prices").json()["snapshot"] == "2026-11-01-new"
    assert alice.post(f"{path}/prices").status_code == 409
    assert alice.post(f"{path}/undo").json()["snapshot"] == "2026-01-01-old"


def test_what_another_version_of_the_plan_moves_is_told_apart(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    work_off(alice, alice.post("/runs", {"study": study["id"]}).json())
    assert alice.get(f"/studies/{study['id']}/outlook").json()["model_usd"] is None
    with workspace(alice.workspace_id), connection.cursor() as cursor:
        cursor.execute("UPDATE runs_run SET model_version = '0.9'")
        cursor.execute(
            "UPDATE runs_result SET data = jsonb_set(jsonb_set(data, '{designs,0,total_usd}',"
            " '1.0'), '{designs,0,npv_usd}', '1.0')"
        )
    row = outlook(alice)["rows"][0]
    assert (row["moved"], row["model_version"], row["prices_usd"]) == (True, "0.9", 0.0)
    assert row["model_usd"] == pytest.approx(row["cost_usd"] - 1.0)


def test_incomplete_studies_are_left_out(alice: Planner) -> None:
    alice.study(designs=[])
    found = outlook(alice)
    assert (found["studies_count"], found["rows"]) == (0, [])


def test_one_at_a_time_and_it_can_be_cancelled(alice: Planner, charlie: Planner) -> None:
    alice.study(draws_count=0)
    made = alice.post("/outlooks").json()
    assert alice.post("/outlooks").status_code == 409
    assert charlie.post("/outlooks").status_code == 202
    assert charlie.post(f"/outlooks/{made['id']}/cancel").status_code == 404
    assert alice.post(f"/outlooks/{made['id']}/cancel").json()["state"] == "cancelled"
    assert job_claim(job_id=made["id"], workspace_id=alice.workspace_id) is None
    assert alice.post("/outlooks").status_code == 202
    assert [one["rows"] for one in [alice.get(f"/outlooks/{made['id']}").json()]] == [None]


def test_only_the_latest_are_kept(alice: Planner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.outlooks.KEPT", 2)
    made = [outlook(alice)["id"] for _ in range(3)]
    assert [one["id"] for one in alice.get("/outlooks").json()["results"]] == [made[2], made[1]]


def test_charlie_sees_none_of_it(alice: Planner, charlie: Planner) -> None:
    study = alice.study(draws_count=0)
    found = outlook(alice)
    assert charlie.get("/outlooks").json()["results"] == []
    for path in (f"/outlooks/{found['id']}", f"/studies/{study['id']}/outlook"):
        missing = path.replace(found["id"], str(uuid4())).replace(study["id"], str(uuid4()))
        answers = [charlie.get(one) for one in (path, missing)]
        assert [one.status_code for one in answers] == [404, 404]
        assert answers[0].json() == answers[1].json()


def test_what_one_study_would_say_is_what_it_says_once_taken(alice: Planner) -> None:
    price(alice, 0.4, low=0.2, high=1.2)
    ranges = [{"pointer": f"/designs/B{AT}", "low": 0.1, "high": 0.9}]
    study = bought_at(alice, 0.3, draws_count=500, ranges=ranges)
    row = alice.get(f"/studies/{study['id']}/outlook").json()
    assert row["simulations_count"] == 500
    assert row["cost_usd"] == pytest.approx(run_of(alice, study)["cost_usd"])
    assert alice.post(f"/studies/{study['id']}/prices").status_code == 200
    taken = run_of(alice, study)
    assert row["new_headline"] == taken["headline"]
    assert row["new_cost_usd"] == pytest.approx(taken["cost_usd"])
    # Of many at once nothing is drawn, and nothing else is said of them.
    price(alice, 0.5, low=0.2, high=1.2)
    (many,) = outlook(alice)["rows"]
    assert many["simulations_count"] == 0
    assert "without simulations" in many["new_headline"]


def test_of_many_of_an_entry_the_newer_price_is_taken_as_often(alice: Planner) -> None:
    price(alice, 0.4, low=0.2, high=0.8)
    study = bought_at(alice, 0.6, origin={"times": 2, "field": "usd_per_h"})
    row = alice.get(f"/studies/{study['id']}/outlook").json()
    assert [change["after"] for change in row["changes"]] == [0.8]
