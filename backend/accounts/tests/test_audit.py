"""The audit: every kind of entry in words, filtered, as a table; nothing of other workspaces."""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone

from accounts.audit_words import KINDS, SAID
from accounts.selectors import audit_list
from accounts.services import audit_change, audit_record, password_set
from accounts.testing import JSON

if TYPE_CHECKING:
    from accounts.testing import Person

BACKEND = Path(__file__).resolve().parents[2]
_ACTION = re.compile(
    r"(?:audit_record|audit_change|note_design|_audit_sign_in)\(\s*[^\"]*?\"([a-z]+(?:\.[a-z]+)+)\"",
    re.S,
)


def actions() -> set[str]:
    files = [path for path in BACKEND.rglob("*.py") if "tests" not in path.parts]
    return {
        action
        for path in files
        if path.name != "testing.py"
        for action in _ACTION.findall(path.read_text("utf-8"))
    }


def test_everything_that_is_written_down_has_words() -> None:
    found = actions()
    assert len(found) > 35
    assert found - set(SAID) == set()
    assert {action.partition(".")[0] for action in SAID} == set(KINDS)


@pytest.mark.db
def test_it_is_filtered_by_kind_person_thing_and_day(alice: Person, bob: Person) -> None:
    with alice.workspace():
        audit_record(alice.principal, "study.create", target="Cluster")
        audit_record(bob.principal, "study.delete", target="Cluster")
        audit_record(bob.principal, "report.create", target="x.pdf")
    today = timezone.now().date()

    def asked(query: str) -> list[str]:
        rows = alice.get(f"audit?{query}").json()["results"]
        return [row["action"] for row in rows]

    assert asked("kind=study") == ["study.delete", "study.create"]
    assert asked("kind=study&who=BOB") == ["study.delete"]
    assert asked("what=pdf") == ["report.create"]
    assert asked(f"kind=report&since={today}&until={today}") == ["report.create"]
    assert asked(f"until={today - timedelta(days=1)}") == []
    for wrong in ("kind=x", "since=yesterday", "y=1", "who="):
        assert alice.get(f"audit?{wrong}").status_code == 422, wrong
    assert alice.get("audit?kind=study").json()["results"][0]["said"] == "deleted a study"


@pytest.mark.db
def test_the_table_holds_the_same_and_no_formulas(alice: Person, charlie: Person) -> None:
    with alice.workspace():
        audit_record(alice.principal, "study.create", target='=HYPERLINK("http://x")')
    answer = alice.get("audit.csv?kind=study")
    assert answer["Content-Type"].startswith("text/csv")
    head, row = csv.reader(answer.content.decode().splitlines())
    assert head[1] == "who"
    assert row[1] == "alice@example.org"
    assert row[5] == '\'=HYPERLINK("http://x")'
    assert len(charlie.get("audit.csv?kind=study").content.decode().splitlines()) == 1


@pytest.mark.db
def test_refused_sign_ins_are_written_down(alice: Person) -> None:
    password_set(account=alice.account, password="the one that is right")
    wrong = {"email": "alice@example.org", "password": "not that one"}
    assert Client().post("/api/v1/session", wrong, content_type=JSON).status_code == 401
    with alice.workspace():
        (row,) = audit_list(kind="session", what="127.0.0.1")
    assert (row.action, row.actor_email) == ("session.refuse", "alice@example.org")


@pytest.mark.db
def test_many_small_saves_are_one_entry(alice: Person, bob: Person) -> None:
    with alice.workspace():
        for person in (alice, alice, bob):
            audit_change(person.principal, "study.change", target="A", detail={"study": "1"})
        audit_change(alice.principal, "study.change", target="B", detail={"study": "2"})
    rows = alice.get("audit?kind=study").json()["results"]
    assert [(row["actor_email"], row["target"]) for row in rows] == [
        ("alice@example.org", "B"),
        ("bob@example.org", "A"),
        ("alice@example.org", "A"),
    ]
