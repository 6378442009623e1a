"""Studies over HTTP: drafts, conflicts, lists, copies."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from capmodels.registry import get_model
from common.tenancy import workspace
from studies.models import Design, Study
from studies.serializers import StudyCardDesignSerializer, StudyCardSerializer
from studies.tests import samples

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def queries_of(planner: Planner, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert planner.get(path).status_code == 200
    return len(queries)


def pointers(faults: list[dict[str, str]]) -> list[str]:
    return [fault["pointer"] for fault in faults]


@pytest.mark.decisive
def test_alice_creates_a_study_and_it_has_a_verdict(alice: Planner) -> None:
    study = alice.study()
    assert study["slug"] == "own-or-rent"
    assert study["faults"] == []
    assert study["winner"] in {"A", "B"}
    assert study["verdict"]["headline"]
    assert study["cost_usd"] > 0
    assert [design["letter"] for design in study["designs"]] == ["A", "B"]


def test_an_incomplete_draft_is_kept_and_its_faults_come_back(alice: Planner) -> None:
    study = alice.study(workload={"kind": "utilization"}, designs=[])
    assert {"/workload/utilization_fraction", "/workload/machines", "/designs"} <= set(
        pointers(study["faults"])
    )
    stored = alice.get(f"/studies/{study['id']}").json()
    assert stored["workload"] == {"kind": "utilization"}
    assert stored["faults"] == study["faults"]
    assert stored["verdict"] is None


def test_a_fault_in_one_piece_hides_none_in_another(alice: Planner) -> None:
    study = alice.study()
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": -1}})
    rent = study["designs"][1]["id"]
    saved = alice.patch(f"/designs/{rent}", {"spec": {"instances": []}}).json()
    assert pointers(saved["faults"]) == ["/instances"]
    faults = alice.get(f"/studies/{study['id']}").json()["faults"]
    assert set(pointers(faults)) == {"/assumptions/horizon_months", "/designs/B/instances"}


def test_an_invalid_value_is_kept_as_typed(alice: Planner) -> None:
    study = alice.study()
    draft = {**samples.WORKLOAD, "utilization_fraction": "a quarter"}
    saved = alice.patch(f"/studies/{study['id']}", {"workload": draft}).json()
    assert saved["workload"]["utilization_fraction"] == "a quarter"
    assert pointers(saved["faults"]) == ["/workload/utilization_fraction"]
    assert saved["faults"][0]["message"] == "Enter a number."


def test_a_change_of_price_moves_the_verdict(alice: Planner) -> None:
    study = alice.study()
    spec = {"instances": [{"name": "m1.large", "usd_per_h": 40.0, "vcpu_count": 2}]}
    alice.patch(f"/designs/{study['designs'][1]['id']}", {"spec": spec})
    after = alice.get(f"/studies/{study['id']}").json()
    assert after["winner"] == "A"
    assert after["verdict"] != study["verdict"] or study["winner"] == "A"


def test_saving_needs_the_revision_that_was_edited(alice: Planner) -> None:
    study = alice.study()
    path = f"/studies/{study['id']}"
    first = alice.get(path)
    mine = alice.patch(path, {"title": "Mine"}, **{"If-Match": first["ETag"]})
    assert mine.status_code == 200
    assert mine["ETag"] != first["ETag"]
    theirs = alice.patch(
        path,
        {"title": "Theirs", "assumptions": {"horizon_months": 12}},
        **{"If-Match": first["ETag"]},
    )
    assert theirs.status_code == 412
    assert theirs["ETag"] == mine["ETag"]
    assert theirs.json()["difference"] == [
        {"pointer": "/title", "stored": "Mine", "sent": "Theirs"},
        {"pointer": "/assumptions/horizon_months", "stored": 24, "sent": 12},
    ]
    assert alice.get(path).json()["title"] == "Mine"


def test_editing_a_design_does_not_conflict_with_editing_its_study(alice: Planner) -> None:
    study = alice.study()
    etag = alice.get(f"/studies/{study['id']}")["ETag"]
    alice.patch(f"/designs/{study['designs'][0]['id']}", {"title": "Ours"})
    renamed = alice.patch(f"/studies/{study['id']}", {"title": "New"}, **{"If-Match": etag})
    assert renamed.status_code == 200


def test_a_field_that_is_not_known_is_refused(alice: Planner) -> None:
    response = alice.post("/studies", {"title": "x", "workloads": {}})
    assert response.status_code == 422
    assert pointers(response.json()["errors"]) == ["/workloads"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/title"),
        ({"title": ""}, "/title"),
        ({"title": "x" * 201}, "/title"),
        ({"title": "x", "workload": []}, "/workload"),
        ({"title": "x", "ranges": {}}, "/ranges"),
        ({"title": "x", "seed": -1}, "/seed"),
        (
            {"title": "x", "assumptions_provenance": {"/pue": {"quality": "true"}}},
            "/assumptions_provenance",
        ),
        (
            {"title": "x", "workload_provenance": {"/a": {"quality": "typed", "as_of": 2026}}},
            "/workload_provenance",
        ),
        (
            {"title": "x", "workload_provenance": {"/a": {"quality": "typed", "low": "1"}}},
            "/workload_provenance",
        ),
        (
            {
                "title": "x",
                "workload_provenance": {"/a": {"quality": "typed", "url": "javascript:alert(1)"}},
            },
            "/workload_provenance",
        ),
        ({"title": "x", "designs": [{"title": "y"}]}, "/designs/0/kind"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_place(
    alice: Planner, body: dict[str, Any], pointer: str
) -> None:
    response = alice.post("/studies", body)
    assert response.status_code == 422
    assert pointer in pointers(response.json()["errors"])
    assert alice.get("/studies").json()["results"] == []


def test_a_bottomless_draft_is_refused(alice: Planner) -> None:
    tree: Any = {}
    for _ in range(100):
        tree = {"a": tree}
    response = alice.post("/studies", {"title": "x", "workload": tree})
    assert response.status_code == 422
    assert response.json()["errors"][0]["code"] == "too_deep"


def test_studies_of_one_title_get_slugs_of_their_own(alice: Planner) -> None:
    assert [alice.study()["slug"] for _ in range(3)] == [
        "own-or-rent",
        "own-or-rent-2",
        "own-or-rent-3",
    ]
    assert alice.study(title="¿¡!?")["slug"] == "study"


def test_a_creating_post_takes_effect_once_per_key(alice: Planner) -> None:
    key = {"Idempotency-Key": "abc"}
    first = alice.post("/studies", samples.study(), **key)
    again = alice.post("/studies", samples.study(), **key)
    assert again.status_code == 201
    assert again.json() == first.json()
    assert len(alice.get("/studies").json()["results"]) == 1


def test_cards_are_listed_last_changed_first_and_paged(alice: Planner) -> None:
    titles = [f"Study {i}" for i in range(5)]
    studies = [alice.study(title=title) for title in titles]
    alice.patch(f"/studies/{studies[0]['id']}", {"question": "Why?"})
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = alice.get(f"/studies?limit=2&cursor={cursor}").json()
        seen += [card["title"] for card in page["results"]]
        cursor = page["next_cursor"]
    assert seen == ["Study 0", "Study 4", "Study 3", "Study 2", "Study 1"]


@pytest.mark.parametrize("sort", ["title", "-title", "cost_usd", "-cost_usd", "updated_at"])
def test_cards_are_sorted_and_paged_without_a_gap(alice: Planner, sort: str) -> None:
    for title in ("b", "c", "a", "c"):
        alice.study(title=title)
    alice.study(title="draft", designs=[])
    ids: list[str] = []
    cursor = ""
    while cursor is not None:
        page = alice.get(f"/studies?limit=2&sort={sort}&cursor={cursor}").json()
        ids += [card["id"] for card in page["results"]]
        cursor = page["next_cursor"]
    assert len(ids) == len(set(ids)) == 5
    if sort.endswith("title"):
        cards = alice.get(f"/studies?sort={sort}").json()["results"]
        titles = [card["title"] for card in cards]
        assert titles == sorted(titles, reverse=sort.startswith("-"))


def test_an_unknown_order_is_refused(alice: Planner) -> None:
    assert alice.get("/studies?sort=colour").status_code == 422


def test_cards_are_found_by_a_part_of_the_title(alice: Planner) -> None:
    alice.study(title="Rent or own")
    alice.study(title="Nodes")
    found = alice.get("/studies?q=RENT").json()["results"]
    assert [card["title"] for card in found] == ["Rent or own"]


def test_the_list_and_a_study_take_a_constant_number_of_queries(alice: Planner) -> None:
    study = alice.study()
    few = queries_of(alice, "/studies"), queries_of(alice, f"/studies/{study['id']}")
    for letter in "CDEFGH":
        design = {**samples.RENT, "letter": letter, "title": letter}
        assert alice.post(f"/studies/{study['id']}/designs", design).status_code == 201
    for _ in range(3):
        alice.study()
    many = queries_of(alice, "/studies"), queries_of(alice, f"/studies/{study['id']}")
    assert few == many


def test_a_copy_is_a_study_of_its_own(alice: Planner) -> None:
    study = alice.study()
    copy = alice.post(f"/studies/{study['id']}/copy").json()
    assert copy["id"] != study["id"]
    assert copy["title"] == "Copy of Own or rent?"
    assert copy["verdict"] == study["verdict"]
    document = f"/studies/{copy['id']}/document"
    assert alice.get(document).json() == alice.get(f"/studies/{study['id']}/document").json()
    alice.delete(f"/designs/{copy['designs'][0]['id']}")
    assert len(alice.get(f"/studies/{study['id']}").json()["designs"]) == 2


def test_deleting_a_study_removes_its_designs(alice: Planner) -> None:
    study = alice.study()
    assert alice.delete(f"/studies/{study['id']}").status_code == 204
    assert alice.get(f"/studies/{study['id']}").status_code == 404
    with workspace(alice.workspace_id):
        assert not Study.objects.exists()
        assert not Design.objects.exists()


def test_typing_over_a_number_makes_the_planner_its_source(alice: Planner) -> None:
    study = alice.study()
    own = study["designs"][0]
    spec = {**own["spec"], "staff_fte": 0.75}
    saved = alice.patch(f"/designs/{own['id']}", {"spec": spec}).json()
    assert saved["provenance"]["/staff_fte"]["quality"] == "typed"
    assert saved["provenance"]["/node_groups/0/power/idle_w"] == {
        "quality": "measured",
        "source": "Power meter",
    }


def test_a_number_that_comes_with_its_origin_keeps_it(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    origin = {"quality": "published", "source": "Survey", "as_of": "2026-01-01"}
    change = {
        "spec": {**own["spec"], "staff_fte": 0.75},
        "provenance": {**own["provenance"], "/staff_fte": origin},
    }
    saved = alice.patch(f"/designs/{own['id']}", change).json()
    assert saved["provenance"]["/staff_fte"] == origin


def test_what_is_removed_takes_its_origin_with_it(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    spec = {key: value for key, value in own["spec"].items() if key != "staff_fte"}
    saved = alice.put(f"/designs/{own['id']}", {"spec": spec}).json()
    assert set(saved["provenance"]) == {"/node_groups/0/power/idle_w"}


@pytest.mark.parametrize("number", [1e22, 1e-300, 5e-324, 1.7e308, 2**53, 0.1])
def test_numbers_come_back_as_they_were_sent(alice: Planner, number: float) -> None:
    study = alice.study(workload={"x": [number]})
    stored = alice.get(f"/studies/{study['id']}").json()["workload"]
    assert stored == {"x": [number]}


def test_a_study_takes_as_many_draws_as_the_plan(alice: Planner) -> None:
    study = alice.study()
    path = f"/studies/{study['id']}"
    assert alice.patch(path, {"draws_count": 50_000}).status_code == 200
    refused = alice.patch(path, {"draws_count": 50_001})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/draws_count"


def test_a_card_has_what_the_schema_says(alice: Planner) -> None:
    alice.study()
    card = alice.get("/studies").json()["results"][0]
    assert set(card) == set(StudyCardSerializer().fields)
    assert set(card["designs"][0]) == set(StudyCardDesignSerializer().fields)


def test_of_two_tabs_that_save_at_once_one_is_told(alice: Planner) -> None:
    study = alice.study()
    statuses: list[int] = []

    def save(title: str) -> None:
        response = alice.patch(f"/studies/{study['id']}", {"title": title}, **{"If-Match": '"1"'})
        statuses.append(response.status_code)
        connections.close_all()

    tabs = [Thread(target=save, args=(title,)) for title in ("Mine", "Yours")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(statuses) == [200, 412]
    assert alice.get(f"/studies/{study['id']}").json()["revision"] == 2


def test_a_bug_in_the_plan_does_not_cost_what_was_typed(
    alice: Planner, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    study = alice.study()
    spec = get_model("plans.compare")

    def fail(_params: Any, _context: Any) -> Any:
        raise ZeroDivisionError

    broken = replace(spec, run=fail)
    monkeypatch.setattr("studies.checking.get_model", lambda _model_id: broken)
    saved = alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 12}})
    assert saved.status_code == 200
    assert saved.json()["assumptions"] == {"horizon_months": 12}
    assert saved.json()["verdict"] is None
    assert "the plan failed on a draft" in caplog.text


def test_a_patch_keeps_what_it_does_not_name(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    saved = alice.patch(f"/designs/{own['id']}", {"spec": {"staff_fte": 0.75}}).json()
    assert saved["spec"] == {**own["spec"], "staff_fte": 0.75}
    group = {**own["spec"]["node_groups"][0]}
    emptied = alice.patch(f"/designs/{own['id']}", {"spec": {"staff_fte": None}}).json()
    assert emptied["spec"] == {k: v for k, v in own["spec"].items() if k != "staff_fte"}
    assert emptied["spec"]["node_groups"] == [group]


def test_a_put_replaces_the_parts_that_it_names(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    saved = alice.put(f"/designs/{own['id']}", {"spec": {"staff_fte": 0.75}}).json()
    assert saved["spec"] == {"staff_fte": 0.75}
    assert saved["title"] == own["title"]


def test_a_patch_of_an_older_revision_differs_where_it_says_so(alice: Planner) -> None:
    own = alice.study()["designs"][0]
    path = f"/designs/{own['id']}"
    alice.patch(path, {"spec": {"staff_fte": 0.75}})
    late = alice.patch(path, {"spec": {"staff_fte": 0.5}}, **{"If-Match": '"1"'})
    assert late.status_code == 412
    assert late.json()["difference"] == [
        {"pointer": "/spec/staff_fte", "stored": 0.75, "sent": 0.5}
    ]


def test_who_has_the_revision_already_gets_no_body(alice: Planner) -> None:
    path = f"/studies/{alice.study()['id']}"
    etag = alice.get(path).headers["ETag"]
    again = alice.get(path, **{"If-None-Match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    assert alice.get(path, **{"If-None-Match": '"0"'}).status_code == 200


def test_nothing_is_refused_in_the_framework_s_words(alice: Planner) -> None:
    refused = alice.post("/studies", {"title": "x", "tags": ["t" * 41]}).json()
    assert [one["message"] for one in refused["errors"]] == [
        "The text is too long. Enter at most 40 characters."
    ]
    wrong = alice.client.put("/api/v1/studies")
    assert wrong.status_code == 405
    assert wrong.json()["detail"] == "This address does not take requests of this method."


def test_a_study_whose_design_has_changed_is_not_the_one_that_was_read(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    path, design = f"/studies/{study['id']}", study["designs"][0]
    read = alice.get(path).headers["ETag"]
    alice.patch(f"/designs/{design['id']}", {"title": "Renamed"})
    again = alice.get(path, **{"If-None-Match": read})
    assert (again.status_code, again.headers["ETag"] == read) == (200, False)
    assert again.json()["designs"][0]["title"] == "Renamed"
    # The study's own fields are as they were read, so a change of them is not refused.
    assert alice.patch(path, {"title": "New"}, **{"If-Match": read}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("post", "undo", {}),
        ("post", "redo", {}),
        ("post", "prices", {}),
        ("delete", "pack", None),
        ("post", "designs", {"title": "X", "kind": "cloud", "spec": {}}),
        ("post", "designs/propose", {"option": "owned"}),
        ("post", "designs/explored", {"key": "x"}),
        ("post", "actuals/range", {"cause": "energy"}),
    ],
)
def test_no_way_to_change_a_study_passes_over_what_was_not_seen(
    alice: Planner, method: str, path: str, body: Any
) -> None:
    study = alice.study()
    sent = [] if body is None else [body]
    late = getattr(alice, method)(f"/studies/{study['id']}/{path}", *sent, **{"If-Match": '"99"'})
    assert late.status_code == 412, late.content
