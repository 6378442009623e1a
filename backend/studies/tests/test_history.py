"""Edits undone and made again, by the API."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils.timezone import now

from common.tenancy import workspace
from studies import history
from studies.models import StudyStep
from studies.tests import samples

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no two changes count as one."""
    monkeypatch.setattr(history, "_TOGETHER", timedelta(0))


def created(alice: Planner) -> dict[str, Any]:
    answer = alice.post("/studies", samples.study())
    assert answer.status_code == 201
    found: dict[str, Any] = answer.json()
    return found


def step(alice: Planner, study: dict[str, Any], which: str) -> dict[str, Any]:
    answer = alice.post(f"/studies/{study['id']}/{which}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def content(study: dict[str, Any]) -> dict[str, Any]:
    """A study without what counts its changes."""
    skipped = {"revision", "updated_at", "can_undo", "can_redo"}
    designs = [{k: v for k, v in one.items() if k not in skipped} for one in study["designs"]]
    return {**{k: v for k, v in study.items() if k not in skipped}, "designs": designs}


def test_edits_of_fields_designs_and_title_go_back_and_forth(alice: Planner) -> None:
    first = created(alice)
    assert (first["can_undo"], first["can_redo"]) == (False, False)
    url = f"/studies/{first['id']}"
    design = first["designs"][0]
    alice.patch(url, {"title": "Another title"})
    alice.patch(f"/designs/{design['id']}", {"spec": {**design["spec"], "staff_fte": 4.0}})
    assert alice.delete(f"/designs/{design['id']}").status_code == 204
    alice.post(f"{url}/designs", {"title": "New", "kind": "cloud", "spec": {}})
    last = alice.get(url).json()
    states = [step(alice, first, "undo") for _ in range(4)]
    assert [len(one["designs"]) for one in states] == [
        len(first["designs"]) - 1,
        *[len(first["designs"])] * 3,
    ]
    assert content(states[-1]) == content(first)
    assert states[-1]["can_undo"] is False
    assert alice.post(f"{url}/undo").status_code == 409
    again = [step(alice, first, "redo") for _ in range(4)]
    assert content(again[-1]) == content(last)
    assert alice.post(f"{url}/redo").status_code == 409
    revisions = [one["revision"] for one in (*states, *again)]
    assert revisions == sorted(revisions)
    assert alice.get(url).json()["can_undo"] is True


@pytest.mark.decisive
def test_a_new_edit_forgets_what_was_undone(alice: Planner) -> None:
    study = created(alice)
    url = f"/studies/{study['id']}"
    alice.patch(url, {"title": "One"})
    alice.patch(url, {"title": "Two"})
    step(alice, study, "undo")
    alice.patch(url, {"title": "Three"})
    assert alice.post(f"{url}/redo").status_code == 409
    assert step(alice, study, "undo")["title"] == "One"


def test_saves_that_come_together_are_one_edit(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = created(alice)
    url = f"/studies/{study['id']}"
    monkeypatch.setattr(history, "_TOGETHER", timedelta(hours=1))
    alice.patch(url, {"title": "One"})
    alice.patch(url, {"title": "Two"})
    assert step(alice, study, "undo")["title"] == study["title"]


def test_a_removed_design_comes_back_with_its_named_versions(alice: Planner) -> None:
    study = created(alice)
    design = study["designs"][0]
    alice.post(f"/designs/{design['id']}/versions", {"name": "As offered"})
    alice.delete(f"/designs/{design['id']}")
    step(alice, study, "undo")
    versions = alice.get(f"/designs/{design['id']}/versions").json()["results"]
    assert [one["name"] for one in versions] == ["As offered"]


def test_a_removed_design_takes_its_alternatives_with_it_and_brings_them_back(
    alice: Planner,
) -> None:
    study = created(alice)
    letters = [design["letter"] for design in study["designs"]]
    url = f"/studies/{study['id']}"
    other = {"value": 12.5, "odds_fraction": 0.2}
    choices = [{"pointer": "/assumptions/end", "others": [{**other, "value": "work_stops"}]}]
    along = [{"pointer": f"/designs/{letters[0]}/staff_fte", "value": 3.0}]
    choices += [
        {"pointer": f"/designs/{letters[0]}/staff_fte", "others": [other]},
        {"pointer": "/assumptions/pue", "others": [{**other, "along": along}]},
    ]
    alice.patch(url, {"assumptions": {**study["assumptions"], "choices": choices}})
    alice.delete(f"/designs/{study['designs'][0]['id']}")
    assert alice.get(url).json()["assumptions"]["choices"] == choices[:1]
    step(alice, study, "undo")
    assert alice.get(url).json()["assumptions"]["choices"] == choices


def test_saving_the_same_again_is_no_step_and_old_steps_go(alice: Planner) -> None:
    study = created(alice)
    url = f"/studies/{study['id']}"
    alice.patch(url, {"title": study["title"]})
    assert alice.get(url).json()["can_undo"] is False
    for number in range(history._MOST + 3):
        alice.patch(url, {"title": f"Title {number}"})
    with workspace(alice.workspace_id):
        steps = StudyStep.objects.filter(study_id=study["id"])
        assert steps.count() == history._MOST + 1
        assert steps.filter(made_at__gt=now()).count() == 0


def test_tags_are_kept_once_listed_and_filtered_by(alice: Planner) -> None:
    study = created(alice)
    other = created(alice)
    url = f"/studies/{study['id']}"
    answer = alice.patch(url, {"tags": ["2027 budget", "EU", "EU"]})
    assert answer.json()["tags"] == ["2027 budget", "EU"]
    alice.patch(f"/studies/{other['id']}", {"tags": ["EU"]})
    assert alice.get("/studies/tags").json()["results"] == [
        {"tag": "2027 budget", "studies_count": 1},
        {"tag": "EU", "studies_count": 2},
    ]
    found = alice.get("/studies?tag=2027+budget").json()["results"]
    assert [card["id"] for card in found] == [study["id"]]
    assert found[0]["tags"] == ["2027 budget", "EU"]
    assert alice.get("/studies?examples=maybe").status_code == 422
    copied = alice.post(f"{url}/copy").json()
    assert copied["tags"] == ["2027 budget", "EU"]
