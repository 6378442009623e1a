"""Every operation x every role x own and foreign ids: who may not, cannot, and learns nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.services import token_create
from common.permissions import ANYONE, PERMISSIONS
from common.principal import ROLES
from config import access
from runs.services import run_study
from studies.selectors import study_get
from studies.services import study_create
from studies.tests.samples import study

if TYPE_CHECKING:
    from accounts.testing import Person

ASKED = [one for one in access.operations() if one.permission != ANYONE]
ASSET = {"title": "Ours", "capex_usd": 1e5, "opex_usd_per_year": 1e4, "life_years": 3.0}
SWEEP = {
    "model": "cost.equivalent_annual_cost",
    "document": {"assets": [ASSET]},
    "axes": [{"kind": "range", "pointer": "/assets/0/capex_usd", "low": 1e5, "high": 2e5}],
}
# What a body of `{}` would change for the caller: asked apart, where it is tested.
OWN_EFFECT = {("POST", "/workspaces/{workspace_id}/leave")}


@pytest.mark.decisive
def test_the_table_of_the_page_is_that_of_the_views() -> None:
    written = access.table() in access.PAGE.read_text("utf-8")
    assert written, "run .venv/bin/python -m ops.offline permissions"


def test_open_operations_are_few_and_known() -> None:
    found = {(one.method, one.path) for one in access.operations() if one.permission == ANYONE}
    assert found == {
        ("GET", "/session"),
        ("POST", "/session"),
        ("POST", "/session/openid"),
        ("POST", "/session/openid/answer"),
        ("POST", "/session/saml"),
        ("GET", "/session/saml/metadata"),
        ("POST", "/session/saml/acs"),
        ("POST", "/session/saml/answer"),
        ("DELETE", "/session"),
        ("GET", "/service"),
        ("POST", "/join"),
        ("POST", "/join/look"),
        ("GET", "/sign-up"),
        ("POST", "/sign-up"),
        ("POST", "/password/forgotten"),
        ("POST", "/mailed"),
        ("POST", "/mailed/look"),
    }


def ask(client: Client, one: access.Operation, ids: dict[str, str]) -> tuple[int, Any]:
    path = re.sub(r"\{(\w+)\}", lambda name: ids.get(name[1], str(uuid4())), one.path)
    answer = client.generic(one.method, f"/api/v1{path}", b"{}", "application/json")
    if "json" not in answer.headers.get("Content-Type", ""):
        return answer.status_code, answer.content
    return answer.status_code, answer.json()


@pytest.mark.db
def test_only_who_may_gets_past_the_door(
    alice: Person, bob: Person, vera: Person, outbox: list[Any]
) -> None:
    """With ids that do not exist: 401 for nobody, 403 for a lesser role, neither for the rest.

    A link lets in to what it shows, and nowhere else.
    """
    people = dict(zip(ROLES, (alice, bob, vera), strict=True))
    link = Client(headers={"authorization": f"Link {link_of(alice)[1]}"})
    wrong: list[tuple[Any, ...]] = []
    for one in ASKED:
        if (one.method, one.path) in OWN_EFFECT:
            continue
        roles = PERMISSIONS[one.permission].roles
        found = {role: ask(person.client, one, {})[0] for role, person in people.items()}
        found |= {"link": ask(link, one, {})[0], "nobody": ask(Client(), one, {})[0]}
        for who, status in found.items():
            known = who in people and one.permission != "shared"
            refused = {403 if known else 401}
            if (status in refused) != (who not in roles) or status in ({401, 403} - refused):
                wrong.append((who, one, status))
    assert wrong == []


def link_of(alice: Person) -> tuple[str, str]:
    """Return id and secret of a link that shares a study of Alice's."""
    with alice.workspace():
        made = study_create(**study(draws_count=0))
    shared = alice.post(f"studies/{made.id}/shares", {"with_inputs": True}).json()
    return shared["id"], shared["link"].partition("#")[2]


def held_by(alice: Person) -> dict[str, str]:
    """Return an id of each kind that Alice's workspace holds."""
    with alice.workspace():
        made = study_create(**study(draws_count=0))
        run = run_study(study_get(made.id))
        token, _ = token_create(principal=alice.principal, title="hers")
        design = made.designs.first()
    assert design
    invitation = alice.post("invitations", {"role": "viewer"}).json()["id"]
    report = alice.post("reports", {"study": str(made.id), "format": "pdf"}).json()["id"]
    comment = alice.post(f"studies/{made.id}/comments", {"text": "hers"}).json()["id"]
    return {
        "study_id": str(made.id),
        "comment_id": comment,
        "archive_id": alice.post("archives/export").json()["id"],
        "design_id": str(design.id),
        "run_id": str(run.pk),
        "report_id": report,
        "token_id": str(token.id),
        "invitation_id": invitation,
        "member_id": alice.get("members").json()["results"][0]["id"],
        "session_id": alice.get("sessions").json()["results"][0]["id"],
        "workspace_id": str(alice.workspace_id),
        "share_id": link_of(alice)[0],
        "upload_id": alice.post("uploads", {"name": "x", "bytes": 9}).json()["id"],
        "outlook_id": alice.post("outlooks").json()["id"],
        "sweep_id": alice.post("sweeps", SWEEP).json()["id"],
        "scim_id": alice.post("scim/v2/Users", {"userName": "dora@example.org"}).json()["id"],
        "group_id": alice.post("scim/v2/Groups", {"displayName": "hers"}).json()["id"],
        "webhook_id": alice.post("webhooks", {"url": "https://example.org/x"}).json()["id"],
    }


@pytest.mark.db
def test_a_foreign_id_has_the_answer_of_one_that_does_not_exist(
    alice: Person, vera: Person, charlie: Person, outbox: list[Any]
) -> None:
    ids = held_by(alice)
    before = {path: alice.get(path).content for path in ("studies", "members", "tokens", "runs")}
    leaks = []
    for one in ASKED:
        if not set(re.findall(r"\{(\w+)\}", one.path)) & set(ids):
            continue
        foreign, missing = ask(charlie.client, one, ids), ask(charlie.client, one, {})
        if foreign != missing or foreign[0] < 400:
            leaks.append((one, foreign, missing))
        if "viewer" not in PERMISSIONS[one.permission].roles:
            assert ask(vera.client, one, ids) == ask(vera.client, one, {})
    assert leaks == []
    assert before == {path: alice.get(path).content for path in before}


def test_every_kind_of_id_is_walked() -> None:
    named = {name for one in ASKED for name in re.findall(r"\{(\w+)\}", one.path)}
    # Uploads take a file; their own tests ask for foreign ones. Models, papers, formats and the
    # catalogue are the same for all.
    # A delivery is asked for below its webhook. What SCIM says of itself is the same for all.
    alike = {"model_id", "paper_id", "format_id", "slug", "number", "name", "rest"}
    assert named - {"delivery_id", "trace_id", "import_id", *alike} == {
        *("study_id", "design_id", "run_id", "report_id", "token_id", "invitation_id"),
        *(
            "member_id",
            "scim_id",
            "group_id",
            "session_id",
            "workspace_id",
            "share_id",
            "webhook_id",
            "outlook_id",
            "sweep_id",
            "upload_id",
            "comment_id",
            "archive_id",
        ),
    }
