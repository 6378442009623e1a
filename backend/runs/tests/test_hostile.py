"""No request ends in an error of ours, and each refusal names the field.

A few hundred from a fixed seed; ``python -m ops.fuzz`` sends thousands from any.
"""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.registry import all_models
from capmodels.tests import golden
from common import throttling
from common.gate import Gate, Limits
from runs.tests.hostile import body_of, cursor_of, mutated, text_of
from runs.tests.test_refusals import filled, operations
from studies.tests.samples import study

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

SEED = int(os.environ.get("FUZZ_SEED", "1"))
DOCUMENTS = int(os.environ.get("FUZZ_DOCUMENTS", "150"))
QUERIES = int(os.environ.get("FUZZ_QUERIES", "100"))
JSON = "application/json"
VALUE = {"value": 1.5, "quality": "measured", "source": "us", "as_of": "2026-07-01"}


@pytest.fixture(autouse=True)
def wide_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttling, "USUAL", Gate(Limits(inside_max=9, running_max=9, cpu_per_s=9)))


@pytest.fixture
def targets(alice: Planner) -> list[tuple[str, str, Any]]:
    """Addresses that take a document, each with one that is right."""
    held = alice.study(draws_count=0)
    params = alice.get(f"/studies/{held['id']}/document").json()
    design = held["designs"][0]
    added = {key: design[key] for key in ("title", "kind", "spec")}
    change = {"title": "x", "workload": held["workload"], "assumptions": held["assumptions"]}
    entry = {"kind": "instance", "title": "Own", "values": {"usd_per_h": VALUE}}
    models = [
        ("POST", address, {"model": model.id, "params": golden.read(model.id)["params"]})
        for model in all_models()
        if model.instant and golden.path_of(model.id).exists()
        for address in ("/evaluate", "/runs")
    ]
    plans = [
        ("POST", "/evaluate", {"model": "plans.compare", "params": params}),
        ("POST", "/evaluate", {"study": held["id"], "draws_count": 0}),
        ("POST", "/runs", {"model": "plans.compare", "params": params, "seed": 3}),
        ("POST", "/studies", study(draws_count=0)),
        ("PATCH", f"/studies/{held['id']}", change),
        ("POST", f"/studies/{held['id']}/designs", added),
        ("PATCH", f"/designs/{design['id']}", {"spec": design["spec"], "position": 1}),
        ("POST", f"/designs/{design['id']}/versions", {"name": "first"}),
        ("POST", f"/studies/{held['id']}/baseline-csv", {"csv": "m5.large,3"}),
        ("POST", "/studies/import", {"ampacity": 1, "study": study(draws_count=0)}),
        ("POST", "/tokens", {"title": "x", "scopes": ["read"], "expires_at": None}),
        ("POST", "/session", {"email": "a@example.org", "password": "x"}),
        ("POST", "/password", {"new": "correct horse battery", "old": "x"}),
        ("POST", "/catalogue/entries", entry),
        ("POST", "/reports", {"study": held["id"], "format": "pdf", "paper": "a4"}),
    ]
    return [*plans * (1 + len(models) // len(plans)), *models]


def test_no_document_is_an_error_of_ours(
    alice: Planner, targets: list[tuple[str, str, Any]]
) -> None:
    dice = random.Random(SEED)
    alice.client.raise_request_exception = False
    for number in range(DOCUMENTS):
        method, path, right = dice.choice(targets)
        body = body_of(mutated(right, dice), dice)
        headers = {"Idempotency-Key": text_of(dice).encode("ascii", "ignore").decode()}
        answer = alice.client.generic(
            method, f"/api/v1{path}", body, content_type=JSON, headers=headers
        )
        assert answer.status_code < 500, (number, method, path, body[:3_000])
        require_words(answer, (number, method, path, body[:3_000]))


def require_words(answer: Any, told: object) -> None:
    if answer.status_code != 422:
        return
    problem = answer.json()
    assert problem["detail"], told
    assert len(problem["errors"]) <= 50, told
    for fault in problem["errors"]:
        assert fault["pointer"] == "" or fault["pointer"].startswith("/"), told
        assert fault["code"], told
        assert fault["message"], told


def test_no_address_is_an_error_of_ours(alice: Planner) -> None:
    dice = random.Random(SEED)
    alice.client.raise_request_exception = False
    held = alice.study(draws_count=0)
    reads = [(path, one["get"]) for path, one in operations().items() if "get" in one]
    for number in range(QUERIES):
        path, operation = dice.choice(reads)
        names = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
        query = {
            name: cursor_of(dice) if name == "cursor" else dice.choice((text_of(dice), held["id"]))
            for name in dice.sample(names, dice.randrange(len(names) + 1))
        }
        if dice.random() < 0.1:
            query[text_of(dice)] = text_of(dice)
        address = filled(path.replace("{study_id}", held["id"]))
        answer = alice.client.get(address, query)
        assert answer.status_code < 500, (number, address, query)
        require_words(answer, (number, address, query))
