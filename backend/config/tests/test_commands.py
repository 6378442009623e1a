"""What an operator types: prepare, planner."""

from __future__ import annotations

import json
import os
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import Client

from accounts.crossing import account_by_email
from common.tenancy import workspace
from config import preparing
from jobs.models import Job
from ops.testing import owner_connection
from studies.models import Study

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("database", "outbox")]

JSON = "application/json"
WRITERS = "SELECT has_table_privilege(%s, 'jobs_job', 'UPDATE')"


def prepare(*options: str) -> dict[str, str]:
    out = StringIO()
    call_command("prepare", "--planner", *options, stdout=out)
    (line,) = out.getvalue().splitlines()
    answer: dict[str, str] = json.loads(line)
    return answer


def test_prepare_lets_the_planner_in_to_the_example_studies() -> None:
    answer = prepare()
    assert list(answer) == ["signin_code"]
    browser = Client()
    signed_in = browser.post("/api/v1/session", {"code": answer["signin_code"]}, content_type=JSON)
    assert signed_in.status_code == 200
    cards = browser.get("/api/v1/studies").json()["results"]
    assert {"free-factories", "free-factories-prototypes", "rent-or-own"} <= {
        card["slug"] for card in cards
    }


def test_prepare_alone_lets_nobody_in_and_prints_nothing() -> None:
    out = StringIO()
    call_command("prepare", stdout=out)
    assert out.getvalue() == ""
    assert account_by_email(preparing.PLANNER_EMAIL) is None


def test_a_planner_gets_the_examples_when_asked() -> None:
    call_command("planner", "new@example.org", "--examples", stdout=StringIO())
    account = account_by_email("new@example.org")
    assert account is not None
    with workspace(account.workspace_id):
        assert Study.objects.filter(slug="free-factories").exists()


def test_prepare_again_changes_nothing() -> None:
    prepare()
    account = account_by_email(preparing.PLANNER_EMAIL)
    assert account is not None
    with workspace(account.workspace_id):
        before = list(Study.objects.order_by("id").values())
        jobs = list(Job.objects.order_by("id").values())
    # The plans of purchases that the examples come with.
    assert {job["state"] for job in jobs} == {"succeeded"}
    prepare()
    assert account_by_email(preparing.PLANNER_EMAIL) == account
    with workspace(account.workspace_id):
        assert list(Study.objects.order_by("id").values()) == before
        assert list(Job.objects.order_by("id").values()) == jobs


def test_prepare_makes_a_token_when_asked() -> None:
    headers = {"authorization": f"Bearer {prepare('--token')['token']}"}
    session = Client().get("/api/v1/session", headers=headers).json()
    assert session["user"]["email"] == preparing.PLANNER_EMAIL
    assert Client().get("/api/v1/studies", headers=headers).status_code == 200


def test_prepare_grants_the_app_role_what_it_lost() -> None:
    role = connections["default"].settings_dict["USER"]
    with connections["owner"].cursor() as cursor:
        cursor.execute(f"REVOKE UPDATE ON jobs_job FROM {role}")
        preparing.schema_prepare()
        cursor.execute(WRITERS, [role])
        assert cursor.fetchone()[0]


@pytest.fixture
def no_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "OWNER_ALIAS", "nobody")


def test_without_an_owner_a_ready_database_is_left_as_it_is(no_owner: None) -> None:
    preparing.schema_prepare()


def test_without_an_owner_missing_migrations_are_told(
    no_owner: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "config.preparing.MigrationExecutor.migration_plan", lambda *_: ["0003_missing"]
    )
    with pytest.raises(CommandError, match="Set DATABASE_OWNER_URL"):
        preparing.schema_prepare()


def planner(*options: str) -> str:
    out = StringIO()
    call_command("planner", *options, stdout=out)
    return out.getvalue().strip()


def test_a_planner_is_added_once_and_let_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    password = "correct horse battery"
    monkeypatch.setattr("sys.stdin", StringIO(password + "\n"))
    codes = [planner("Ann@example.org", "--password-stdin"), planner("ann@example.org")]
    bodies = [{"code": code} for code in codes]
    bodies.append({"email": "ann@example.org", "password": password})
    answers = [Client().post("/api/v1/session", body, content_type=JSON) for body in bodies]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({answer.json()["workspace"]["id"] for answer in answers}) == 1


def test_a_planner_needs_an_address_and_a_long_password(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="'ann' is not an e-mail address"):
        planner("ann")
    monkeypatch.setattr("sys.stdin", StringIO("short\n"))
    with pytest.raises(CommandError, match="at least 12 characters"):
        planner("ann@example.org", "--password-stdin")


def test_a_database_that_cannot_hold_every_name_is_refused_with_a_sentence() -> None:
    preparing.require_unicode(connections["default"])
    name = f"test_ascii_{os.getpid()}"
    with owner_connection("postgres") as owner:
        owner.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        try:
            connection = connections["default"].copy("ascii")
            connection.settings_dict = {**connection.settings_dict, "NAME": name, "OPTIONS": {}}
            with pytest.raises(CommandError, match=r"encoding is SQL_ASCII\. Make it anew"):
                preparing.require_unicode(connection)
        finally:
            connection.close()
            owner.execute(f"DROP DATABASE {name}")
