"""What signing in knows of people is out of the app role's reach: PostgreSQL itself is asked."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import salted_hmac

from accounts.mail import mail_add
from accounts.models import AuditEntry, Mail, Session, User
from accounts.services import password_of, password_set
from accounts.sessions import SESSION_PASSWORD, SessionStore
from common.grants import grant_roles
from common.routing import IDENTITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

pytestmark = pytest.mark.db

# Every column there is, also one that a later release adds.
RIGHTS = """
SELECT c.relname || '.' || a.attname
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = %s::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped
  AND has_column_privilege(%s, c.oid, a.attnum, %s)
"""
TABLES = """
SELECT relname FROM pg_class
WHERE relnamespace = 'identity'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
"""
FUNCTIONS = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = %s::regnamespace AND has_function_privilege(%s, p.oid, 'EXECUTE')
"""
ANSWERS = """
SELECT p.proname || '.' || answer
FROM pg_proc p, unnest(p.proargnames, p.proargmodes) AS each (answer, mode)
WHERE p.pronamespace = 'public'::regnamespace AND mode IN ('o', 't')
  AND has_function_privilege(%s, p.oid, 'EXECUTE')
"""
# Tables that a policy keeps to one workspace.
OF_A_WORKSPACE = """
SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND a.attname = 'workspace_id' AND c.relrowsecurity
"""
SECRET_WORDS = ("password", "secret", "session", "recovery", "sealed", "otp", "hash")


def asked(query: str, *values: str) -> set[str]:
    with connections["owner"].cursor() as cursor:
        cursor.execute(query, list(values))
        return {found for (found,) in cursor.fetchall()}


def app_may(right: str) -> set[str]:
    return asked(RIGHTS, "identity", settings.APP_ROLE, right)


@contextmanager
def altered(*changes: str) -> Iterator[None]:
    """Change something as the owner; rights are given again afterwards."""
    with connections["owner"].cursor() as cursor:
        for change in changes:
            cursor.execute(change)
    try:
        yield
    finally:
        grant_roles("owner")


@pytest.mark.decisive
def test_the_app_role_reads_no_password_secret_session_or_code(database: None) -> None:
    assert app_may("SELECT") == {"accounts_user.id", "accounts_user.email"}
    assert app_may("UPDATE") == set()
    assert {name.partition(".")[0] for name in app_may("INSERT")} == {
        "accounts_user",
        "accounts_mail",
    }
    assert asked(FUNCTIONS, "identity", settings.APP_ROLE) == set()


def test_a_column_that_is_added_is_out_of_reach_and_a_right_too_many_is_noticed(
    database: None,
) -> None:
    with connections["owner"].cursor() as cursor:
        cursor.execute("ALTER TABLE identity.accounts_user ADD COLUMN pet text")
        try:
            grant_roles("owner")
            assert "accounts_user.pet" not in app_may("SELECT")
        finally:
            cursor.execute("ALTER TABLE identity.accounts_user DROP COLUMN pet")
    grant = f"GRANT SELECT ON identity.accounts_session TO {settings.APP_ROLE}"
    with altered(grant):
        assert "accounts_session.session_key" in app_may("SELECT")
    assert "accounts_session.session_key" not in app_may("SELECT")


def test_every_table_of_a_person_is_there_and_no_other(database: None) -> None:
    models = {
        model._meta.db_table.partition('"."')
        for model in apps.get_models()
        if getattr(model, "is_identity", False)
    }
    assert {schema for schema, _, _ in models} == {"identity"}
    assert {table for _, _, table in models} == asked(TABLES)
    assert len(models) == 12


def test_of_what_the_app_reads_elsewhere_each_secret_is_a_workspaces_own(database: None) -> None:
    found = {
        name
        for name in asked(RIGHTS, "public", settings.APP_ROLE, "SELECT")
        if any(word in name.partition(".")[2] for word in SECRET_WORDS)
    }
    assert "sharing_webhook.secret" in found
    assert {name.partition(".")[0] for name in found} <= asked(OF_A_WORKSPACE)
    answers = {
        name
        for name in asked(ANSWERS, settings.APP_ROLE)
        if any(word in name.partition(".")[2] for word in SECRET_WORDS)
    }
    # Of the session whose key is given, and what of the password it began with.
    assert answers == {"accounts_by_session.session_data", "accounts_by_session.password_mark"}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT password FROM identity.accounts_user",
        "SELECT * FROM identity.accounts_session",
        "SELECT sealed_secret FROM identity.accounts_authenticator",
        "SELECT 1 FROM identity.accounts_mail",
        "UPDATE identity.accounts_user SET password = ''",
        "UPDATE identity.accounts_user SET email = 'mine@example.org'",
        "DELETE FROM identity.accounts_user",
        "INSERT INTO identity.accounts_session VALUES ('k', 'd', now(), NULL)",
        "INSERT INTO identity.accounts_openidsubject (issuer) VALUES ('i')",
        "SELECT * FROM identity.accounts_by_email('alice@example.org')",
    ],
)
def test_the_app_is_refused_even_in_its_own_workspace(alice: Person, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="permission denied"),
        alice.workspace(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_app_adds_nobody_to_a_workspace_that_it_is_not_in(alice: Person) -> None:
    stranger = User(email="eve@example.org")
    with pytest.raises(DatabaseError, match="row-level security"), alice.workspace():
        stranger.save(using="default", force_insert=True)


def test_a_worker_of_the_release_before_reads_addresses_and_mails_on(
    alice: Person, charlie: Person
) -> None:
    with alice.workspace(), connection.cursor() as cursor:
        cursor.execute("SELECT email FROM accounts_member JOIN accounts_user u ON u.id = user_id")
        assert cursor.fetchall() == [("alice@example.org",)]
        cursor.execute(
            """INSERT INTO accounts_mail (id, kind, "to", about, created_at, due_at, attempts)
               VALUES (gen_random_uuid(), 'verify', 'a@example.org', '{}', now(), now(), 0)"""
        )
    assert Mail.objects.get().to == "a@example.org"
    for refused in ("SELECT kind FROM accounts_mail", "UPDATE accounts_user SET email = 'x'"):
        with (
            pytest.raises(DatabaseError, match="permission denied"),
            alice.workspace(),
            connection.cursor() as cursor,
        ):
            cursor.execute(refused)


def test_the_role_of_signing_in_reads_nothing_of_a_workspace(alice: Person) -> None:
    assert settings.IDENTITY_ROLE
    assert asked(RIGHTS, "public", settings.IDENTITY_ROLE, "SELECT") == {
        "accounts_member.user_id",
        "accounts_member.workspace_id",
        *(f"django_migrations.{name}" for name in ("id", "app", "name", "applied")),
    }
    for right in ("INSERT", "UPDATE"):
        assert asked(RIGHTS, "public", settings.IDENTITY_ROLE, right) == set()
    with connections[IDENTITY].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM accounts_member")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM identity.accounts_user")
        assert cursor.fetchone() == (1,)


def test_who_is_signed_in_is_served_without_that_role(alice: Person, bob: Person) -> None:
    """What answers each request needs no second connection: the web's seats have one each."""
    with CaptureQueriesContext(connections[IDENTITY]) as found:
        for path in ("studies", "members", "session", "audit", "workspaces"):
            assert alice.get(path).status_code == 200, path
        alice.post("evaluate", {"model": "cost.npv", "params": {}})
        with alice.workspace():
            mail_add("verify", "alice@example.org")
    assert [each["sql"] for each in found] == []


def test_a_refused_change_of_a_password_changes_neither_it_nor_the_audit(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = password_of(alice.account.user_id)
    monkeypatch.setattr(AuditEntry, "objects", None)
    with pytest.raises(AttributeError):
        password_set(account=alice.account, password="correct horse battery staple")
    assert password_of(alice.account.user_id) == before


def test_what_is_undone_in_a_workspace_mails_nobody(alice: Person) -> None:
    with alice.workspace():
        mail_add("verify", "alice@example.org")
        transaction.set_rollback(True)
    assert Mail.objects.count() == 0


def test_sessions_of_the_release_before_stay_open_unless_the_password_was_changed(
    alice: Person, bob: Person
) -> None:
    """Theirs is an HMAC of the password, which only the present one can show to be right."""
    for person, password in ((alice, password_of(alice.account.user_id)), (bob, "another")):
        row = Session.objects.get(user_id=person.account.user_id)
        held: dict[str, Any] = SessionStore().decode(row.session_data)
        del held[SESSION_PASSWORD]
        hmac = salted_hmac("accounts.session", password, algorithm="sha256").hexdigest()
        row.session_data = SessionStore().encode({**held, "password_hmac": hmac})
        row.password_mark = ""
        row.save()
        assert person.get("session").status_code == 401
    step = import_module("migrations.accounts.0014_identity").sessions_mark
    step(apps, SimpleNamespace(connection=connections["owner"]))
    assert alice.get("session").status_code == 200
    assert bob.get("session").status_code == 401
    # It can go on elsewhere, which writes it anew.
    entered = alice.post("session/workspace", {"workspace": str(alice.workspace_id)})
    assert entered.status_code == 200
    assert alice.get("session").status_code == 200
