"""Comments: by everybody who sees a study, settled, removed by who may; and nobody else's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from studies.services import study_create
from studies.tests.samples import study

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db


def path_of(person: Person) -> str:
    with person.workspace():
        made = study_create(**study(draws_count=0))
    return f"studies/{made.id}/comments"


@pytest.mark.decisive
def test_a_viewer_comments_and_an_editor_settles(alice: Person, bob: Person, vera: Person) -> None:
    path = path_of(alice)
    said = {
        "text": "Is this with support?",
        "letter": "A",
        "place": "cost_total",
        "place_title": "Total cost",
    }
    made = vera.post(path, said)
    assert made.status_code == 201, made.content
    (row,) = bob.get(path).json()["results"]
    assert {name: row[name] for name in said} == said
    assert (row["author"], row["resolved_at"]) == ("vera@example.org", None)
    settled = bob.patch(f"comments/{row['id']}", {"resolved": True}).json()
    assert settled["resolved_by"] == "bob@example.org"
    again = bob.patch(f"comments/{row['id']}", {"resolved": False}).json()
    assert (again["resolved_at"], again["resolved_by"]) == (None, "")
    actions = [entry["action"] for entry in alice.get("audit?kind=comment").json()["results"]]
    assert actions == ["comment.open", "comment.resolve", "comment.create"]


def test_only_its_author_or_an_owner_removes_one(alice: Person, bob: Person, vera: Person) -> None:
    path = path_of(alice)
    hers, another = (vera.post(path, {"text": text}).json()["id"] for text in "ab")
    assert bob.delete(f"comments/{hers}").status_code == 403
    assert vera.delete(f"comments/{hers}").status_code == 204
    assert alice.delete(f"comments/{another}").status_code == 204
    assert alice.get(path).json()["results"] == []


def test_what_cannot_be_is_refused(alice: Person, charlie: Person) -> None:
    path = path_of(alice)
    for wrong in ({}, {"text": ""}, {"text": "x", "letter": "H"}, {"text": "x" * 4001}, {"t": 1}):
        assert alice.post(path, wrong).status_code == 422, wrong
    assert charlie.get(path).status_code == 404
    assert charlie.post(path, {"text": "x"}).status_code == 404
