"""What a study's design cost is kept, compared with what was approved, and feeds the ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from accounts.models import AuditEntry
from capmodels.imports import focus
from common.tenancy import workspace
from imports.tests.test_imports_api import imported
from runs.tests.work import work_off
from studies.tests.samples import study

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def approved(alice: Planner) -> str:
    """Make and approve a study of two years from January 2026 on; return its id."""
    given = study(draws_count=200)
    given["assumptions"]["starts_on"] = "2026-01-01"
    made: str = alice.post("/studies", given).json()["id"]
    answer = alice.post(f"/studies/{made}/approvals", {"name": "Go", "sentence": "Agreed."})
    work_off(alice, answer.json()["run"])
    return made


def put(alice: Planner, study_id: str, body: dict[str, Any]) -> Any:
    return alice.client.put(
        f"/api/v1/studies/{study_id}/actuals", body, content_type="application/json"
    )


def test_what_happened_is_held_against_what_was_approved(alice: Planner) -> None:
    made = approved(alice)
    path = f"/studies/{made}/actuals"
    assert alice.get(path).json()["rows"] == []
    months = (("2026-01", 2600), ("2026-02", 2400), ("2026-03", 2700))
    table = "".join(f"{month},instances,{cost}\n" for month, cost in months)
    text = f"month,cause,cost_usd\n{table}"
    found = put(alice, made, {"letter": "B", "csv": text}).json()
    assert found["approved"] == "Go"
    compared = found["comparison"]
    assert compared["figure"]["title"] == compared["sentence"].removesuffix(".")
    assert compared["starts_on"] == "2026-01"
    assert compared["total"]["planned"] == pytest.approx(3 * 2336)
    assert compared["months"][0]["p10_so_far_usd"] <= compared["months"][0]["p90_so_far_usd"]
    (cause,) = compared["causes"]
    assert cause["offer"]["pointer"] == "/designs/B/instances/0/usd_per_h"
    assert alice.get(path).json() == found
    # One click puts it into the study, in place of what stood there.
    for _ in range(2):
        assert alice.post(f"{path}/range", {"cause": "instances"}).status_code == 200
    ranges = alice.get(f"/studies/{made}").json()["ranges"]
    mine = [one for one in ranges if one["pointer"] == cause["offer"]["pointer"]]
    assert mine == [{name: cause["offer"][name] for name in ("pointer", "low", "high")}]
    assert alice.get(f"/studies/{made}").json()["faults"] == []
    assert alice.post(f"{path}/range", {"cause": "staff"}).status_code == 409
    with workspace(alice.workspace_id):
        actions = list(AuditEntry.objects.values_list("action", flat=True))
    assert actions.count("study.actuals") == 1
    assert actions.count("study.range") == 2


def test_a_bill_is_what_happened_by_one_click(alice: Planner) -> None:
    made = approved(alice)
    put(alice, made, {"letter": "B", "rows": [{"month": "2026-05", "cost_usd": 7}]})
    bill = focus.IMPORTER.sample()
    assert alice.person
    data = (bill, bill.replace(b"2026-09", b"2031-03"), bill.replace(b"USD", b"EUR"))
    *ids, euros = (imported(alice.person, one)["id"] for one in data)
    offered = alice.get(f"/studies/{made}/actuals").json()["bills"]
    assert {one["id"] for one in offered} == {*ids, euros}
    found = put(alice, made, {"letter": "B", "bill": ids[0]}).json()
    assert [(row["month"], row["cost_usd"]) for row in found["rows"]] == [
        ("2026-05", 7),
        ("2026-09", pytest.approx(254.61)),
    ]
    assert put(alice, made, {"bill": ids[1]}).json()["errors"][0]["pointer"] == "/bill"
    assert put(alice, made, {"bill": str(uuid4())}).status_code == 404
    assert "in EUR" in put(alice, made, {"bill": euros}).json()["detail"]


def test_what_cannot_be_is_refused_and_nothing_is_kept(alice: Planner) -> None:
    bare = alice.post("/studies", study(draws_count=0)).json()["id"]
    assert put(alice, bare, {"rows": []}).status_code == 409
    assert alice.get(f"/studies/{bare}/actuals").json()["reason"].startswith("Approve a version")
    made = approved(alice)
    one = {"month": "2026-01", "cost_usd": 5}
    for body, pointer in (
        ({"rows": [{"month": "2028-01"}]}, "/rows/0/month"),
        ({"rows": [one, one]}, ""),
        ({"rows": [{**one, "cause": "luck"}]}, "/rows/0/cause"),
        ({"rows": [{**one, "month": "May"}]}, "/rows/0/month"),
        ({"csv": "a,b\n"}, "/csv"),
        ({"letter": "H", "rows": []}, "/letter"),
    ):
        answer = put(alice, made, body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
    assert alice.get(f"/studies/{made}/actuals").json()["rows"] == []
