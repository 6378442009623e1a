"""Designs over HTTP: letters, drafts, versions, differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from studies.tests import samples

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def test_a_new_design_gets_the_first_free_letter(alice: Planner) -> None:
    study = alice.study()
    alice.delete(f"/designs/{study['designs'][0]['id']}")
    body = {"title": "Draft", "kind": "cloud"}
    created = alice.post(f"/studies/{study['id']}/designs", body)
    assert created.status_code == 201
    assert created.json()["letter"] == "A"
    listed = alice.get(f"/studies/{study['id']}/designs").json()["results"]
    assert [design["letter"] for design in listed] == ["B", "A"]


def test_a_letter_that_is_taken_is_a_conflict(alice: Planner) -> None:
    study = alice.study()
    body = {"title": "Draft", "kind": "cloud", "letter": "B"}
    assert alice.post(f"/studies/{study['id']}/designs", body).status_code == 409


def test_a_ninth_design_is_a_conflict(alice: Planner) -> None:
    study = alice.study()
    path = f"/studies/{study['id']}/designs"
    codes = [alice.post(path, {"title": "x", "kind": "cloud"}).status_code for _ in range(7)]
    assert codes == [201] * 6 + [409]


def test_a_kind_that_does_not_exist_is_a_fault_of_the_draft(alice: Planner) -> None:
    study = alice.study()
    body = {"title": "Draft", "kind": "moon_base"}
    created = alice.post(f"/studies/{study['id']}/designs", body).json()
    (fault,) = created["faults"]
    assert (fault["pointer"], fault["code"]) == ("/kind", "not_a_choice")


@pytest.mark.decisive
def test_a_second_tab_gets_the_difference(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    path = f"/designs/{own['id']}"
    etag = alice.get(path)["ETag"]
    alice.patch(path, {"spec": {**own["spec"], "staff_fte": 1.0}}, **{"If-Match": etag})
    late = alice.patch(path, {"spec": {**own["spec"], "staff_fte": 2.0}}, **{"If-Match": etag})
    assert late.status_code == 412
    assert late.json()["difference"] == [{"pointer": "/spec/staff_fte", "stored": 1.0, "sent": 2.0}]
    assert late.json()["current"]["spec"]["staff_fte"] == 1.0


def test_what_a_new_cluster_lacks_is_rented_as_in_the_first_cloud(alice: Planner) -> None:
    study = alice.post("/studies", {"title": "Ours"}).json()
    path = f"/studies/{study['id']}/designs"
    alone = alice.post(path, {"title": "Own", "kind": "owned_cluster"}).json()
    assert "shortfall_letter" not in alone["spec"]
    alice.post(path, {"title": "Cloud", "kind": "cloud"})
    beside = alice.post(path, {"title": "Own too", "kind": "owned_cluster"}).json()
    assert beside["spec"]["shortfall_letter"] == "B"
    said = {"title": "Own, short", "kind": "owned_cluster", "spec": {"shortfall_letter": None}}
    assert alice.post(path, said).json()["spec"]["shortfall_letter"] is None


def test_a_copy_stands_beside_its_original(alice: Planner) -> None:
    study = alice.study()
    copy = alice.post(f"/designs/{study['designs'][0]['id']}/copy")
    assert copy.status_code == 201
    assert copy.json()["letter"] == "C"
    assert copy.json()["spec"] == study["designs"][0]["spec"]
    assert copy.json()["title"] == "Copy of Own eight nodes"


def test_a_named_version_keeps_the_design_as_it_was(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    path = f"/designs/{own['id']}"
    version = alice.post(f"{path}/versions", {"name": "first offer"})
    assert version.status_code == 201
    alice.patch(path, {"spec": {**own["spec"], "staff_fte": 1.5}, "title": "Own, more staff"})
    kept = alice.get(f"{path}/versions").json()["results"]
    assert [(row["name"], row["spec"]) for row in kept] == [("first offer", own["spec"])]
    diff = alice.get(f"{path}/diff?against={version.json()['id']}").json()
    assert diff["against_title"] == "first offer"
    assert diff["differences"] == [
        {
            "pointer": "/title",
            "change": "changed",
            "before": "Own eight nodes",
            "after": "Own, more staff",
        },
        {"pointer": "/staff_fte", "change": "changed", "before": 0.25, "after": 1.5},
    ]


def test_a_version_name_is_used_once(alice: Planner) -> None:
    path = f"/designs/{alice.study()['designs'][0]['id']}/versions"
    assert alice.post(path, {"name": "v1"}).status_code == 201
    assert alice.post(path, {"name": "v1"}).status_code == 409
    assert len(alice.get(path).json()["results"]) == 1


def test_a_design_is_compared_with_another(alice: Planner) -> None:
    own, rent = alice.study()["designs"]
    diff = alice.get(f"/designs/{rent['id']}/diff?against={own['id']}").json()
    by_pointer = {row["pointer"]: row for row in diff["differences"]}
    assert by_pointer["/kind"]["before"] == "owned_cluster"
    assert by_pointer["/node_groups"]["change"] == "removed"
    assert by_pointer["/instances"]["after"] == samples.RENT["spec"]["instances"]


def test_a_diff_against_nothing_is_refused(alice: Planner) -> None:
    path = f"/designs/{alice.study()['designs'][0]['id']}/diff"
    assert alice.get(path).status_code == 422
    assert alice.get(f"{path}?against=x").status_code == 422


def test_designs_are_moved(alice: Planner) -> None:
    study = alice.study()
    alice.patch(f"/designs/{study['designs'][0]['id']}", {"position": 9})
    listed = alice.get(f"/studies/{study['id']}").json()["designs"]
    assert [design["letter"] for design in listed] == ["B", "A"]
