"""Nothing of Alice's is Charlie's: foreign and missing ids get the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import connection, transaction

from common.tenancy import NoWorkspace
from studies.models import Study

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = pytest.mark.db

OF_STUDY = [
    ("GET", ""),
    ("PATCH", ""),
    ("DELETE", ""),
    ("GET", "/document"),
    ("GET", "/export"),
    ("POST", "/copy"),
    ("GET", "/designs"),
    ("POST", "/designs"),
    ("POST", "/baseline-csv"),
]
OF_DESIGN = [
    ("GET", ""),
    ("PATCH", ""),
    ("DELETE", ""),
    ("POST", "/copy"),
    ("GET", "/versions"),
    ("POST", "/versions"),
    ("GET", "/diff?against=00000000-0000-4000-8000-000000000000"),
]


def call(planner: Planner, method: str, path: str) -> tuple[int, object]:
    response = planner.client.generic(method, f"/api/v1{path}", b"{}", "application/json")
    body = response.json()
    return response.status_code, {key: body[key] for key in ("type", "title", "detail", "errors")}


@pytest.mark.parametrize(("method", "below"), OF_STUDY)
@pytest.mark.decisive
def test_charlie_cannot_tell_alices_study_from_none(
    alice: Planner, charlie: Planner, method: str, below: str
) -> None:
    study = alice.study()
    foreign = call(charlie, method, f"/studies/{study['id']}{below}")
    missing = call(charlie, method, f"/studies/{uuid4()}{below}")
    assert foreign == missing
    assert foreign[0] == 404
    assert alice.get(f"/studies/{study['id']}").json() == study


@pytest.mark.parametrize(("method", "below"), OF_DESIGN)
def test_charlie_cannot_tell_alices_design_from_none(
    alice: Planner, charlie: Planner, method: str, below: str
) -> None:
    design = alice.study()["designs"][0]
    foreign = call(charlie, method, f"/designs/{design['id']}{below}")
    assert foreign == call(charlie, method, f"/designs/{uuid4()}{below}")
    assert foreign[0] == 404
    assert alice.get(f"/designs/{design['id']}").json() == design


def test_charlie_cannot_compare_his_design_with_alices(alice: Planner, charlie: Planner) -> None:
    hers, his = alice.study()["designs"][0], charlie.study()["designs"][0]
    version = alice.post(f"/designs/{hers['id']}/versions", {"name": "secret"}).json()
    for foreign in (hers["id"], version["id"], str(uuid4())):
        assert charlie.get(f"/designs/{his['id']}/diff?against={foreign}").status_code == 404


def test_charlie_does_not_see_alices_studies_in_his_list(alice: Planner, charlie: Planner) -> None:
    alice.study()
    assert charlie.get("/studies").json()["results"] == []


def test_nobody_is_let_in_without_signing_in(alice: Planner, nobody: Planner) -> None:
    study = alice.study()
    for path in ("/studies", f"/studies/{study['id']}"):
        assert nobody.get(path).status_code == 401
    assert nobody.post("/studies", {"title": "x"}).status_code == 401


def test_studies_are_not_reached_outside_a_workspace(alice: Planner) -> None:
    alice.study()
    with pytest.raises(NoWorkspace):
        Study.objects.count()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM studies_study")
        assert cursor.fetchone() == (0,)


def test_bob_of_the_same_workspace_sees_and_changes_alices_study(
    alice: Planner, bob: Planner
) -> None:
    study = alice.study()
    assert bob.patch(f"/studies/{study['id']}", {"title": "Ours"}).status_code == 200
    assert alice.get(f"/studies/{study['id']}").json()["title"] == "Ours"


def test_designs_are_listed_for_one_workspace_page_by_page(
    alice: Planner, charlie: Planner
) -> None:
    study, other = alice.study(), alice.study()
    found = alice.get(f"/designs?study={study['id']}").json()
    assert {row["id"] for row in found["results"]} == {row["id"] for row in study["designs"]}
    assert {row["study"] for row in found["results"]} == {study["id"]}
    ids, cursor = [], ""
    while cursor is not None:
        page = alice.get(f"/designs?limit=3&cursor={cursor}").json()
        ids += [row["id"] for row in page["results"]]
        cursor = page["next_cursor"]
    everything = [row["id"] for row in (*study["designs"], *other["designs"])]
    assert sorted(ids) == sorted(everything)
    assert charlie.get("/designs").json()["results"] == []
    assert charlie.get(f"/designs?study={study['id']}").json()["results"] == []
    refused = alice.get("/designs?study=none").json()
    assert refused["errors"][0]["pointer"] == "/study"
