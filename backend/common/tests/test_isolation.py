"""Two walls between workspaces. The tests here fail when the policy of a table is dropped."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, connections
from django.utils import timezone

from accounts.models import ApiToken, AuditEntry
from common.partitions import partitions_ahead
from common.tenancy import NoWorkspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accounts.testing import Person

pytestmark = pytest.mark.db

# The base manager, as relations and cascades use it, has no wall in Python: what keeps
# the rows apart here is PostgreSQL alone.
TOKENS = ApiToken._base_manager

WITHOUT_RLS = """
SELECT c.relname FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id')
  AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (
      SELECT FROM pg_policy p
      WHERE p.polrelid = c.oid AND pg_get_expr(p.polqual, c.oid) LIKE '%app.workspace%'))
"""


def require_isolated(alice: Person, charlie: Person) -> None:
    """Fail unless Charlie can neither see, change, remove nor plant Alice's rows."""
    with alice.workspace():
        row = TOKENS.get(created_by_id=alice.account.user_id)
    with charlie.workspace():
        assert not TOKENS.filter(id=row.id).exists()
        assert TOKENS.filter(id=row.id).update(title="mine now") == 0
        assert TOKENS.filter(id=row.id).delete()[0] == 0
    with pytest.raises(DatabaseError, match="row-level security"), charlie.workspace():
        TOKENS.create(
            workspace_id=alice.workspace_id,
            title="planted",
            token_hash="planted",
            scopes=[],
            created_by_id=charlie.account.user_id,
        )
    with alice.workspace():
        assert TOKENS.get(id=row.id).title == "test"


@contextmanager
def altered(change: str, undo: str) -> Iterator[None]:
    """Change a table as the owner for a while."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(change)
        try:
            yield
        finally:
            cursor.execute(undo)


def test_postgres_keeps_workspaces_apart(alice: Person, charlie: Person) -> None:
    alice.token()
    require_isolated(alice, charlie)


@pytest.mark.parametrize(
    ("change", "undo"),
    [
        (
            "ALTER TABLE accounts_apitoken DISABLE ROW LEVEL SECURITY",
            "ALTER TABLE accounts_apitoken ENABLE ROW LEVEL SECURITY",
        ),
        (
            "CREATE POLICY hole ON accounts_apitoken USING (true)",
            "DROP POLICY hole ON accounts_apitoken",
        ),
        (
            "CREATE POLICY hole ON accounts_apitoken FOR SELECT USING (true)",
            "DROP POLICY hole ON accounts_apitoken",
        ),
        (
            "ALTER POLICY workspace_isolation ON accounts_apitoken USING (false)",
            "ALTER POLICY workspace_isolation ON accounts_apitoken USING "
            "(workspace_id = NULLIF(current_setting('app.workspace', true), '')::uuid)",
        ),
    ],
)
def test_the_test_of_isolation_notices_a_hole(
    alice: Person, charlie: Person, change: str, undo: str
) -> None:
    alice.token()
    with altered(change, undo), pytest.raises((AssertionError, ApiToken.DoesNotExist)):
        require_isolated(alice, charlie)


@pytest.mark.decisive
def test_every_table_of_workspace_data_is_shut(database: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(WITHOUT_RLS)
        assert cursor.fetchall() == []


def test_a_table_without_its_policy_would_be_found(database: None) -> None:
    with (
        altered(
            "ALTER TABLE jobs_job NO FORCE ROW LEVEL SECURITY",
            "ALTER TABLE jobs_job FORCE ROW LEVEL SECURITY",
        ),
        connection.cursor() as cursor,
    ):
        cursor.execute(WITHOUT_RLS)
        assert cursor.fetchall() == [("jobs_job",)]


def test_a_month_to_come_is_shut_as_well(alice: Person, charlie: Person) -> None:
    later = timezone.now() + timedelta(days=3660)
    name = f"accounts_auditentry_{later:%Y_%m}"
    with alice.workspace():
        assert partitions_ahead("accounts_auditentry", later) == 3
        AuditEntry.objects.create(actor_email="a", action="b", month=later.date().replace(day=1))
        found = AuditEntry._base_manager.filter(month__gt=timezone.now())
        assert found.count() == 1
    with charlie.workspace(), connection.cursor() as cursor:
        assert not found.exists()
        cursor.execute(WITHOUT_RLS)
        assert cursor.fetchall() == []
    # not even its own workspace comes in by the side
    with pytest.raises(DatabaseError, match="permission denied"), alice.workspace():
        connection.cursor().execute(f"SELECT FROM {name}")
    with (
        altered(f"ALTER TABLE {name} DISABLE ROW LEVEL SECURITY", ""),
        connection.cursor() as cursor,
    ):
        cursor.execute(WITHOUT_RLS)
        assert cursor.fetchall() == [(name,)]


def test_every_model_of_workspace_data_has_the_wall_in_python() -> None:
    for model in apps.get_models():
        if any(field.attname == "workspace_id" for field in model._meta.concrete_fields):
            with pytest.raises(NoWorkspace):
                model._default_manager.all()


def test_users_of_other_workspaces_are_not_seen(alice: Person, charlie: Person) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM identity.accounts_user")
        assert cursor.fetchone()[0] == 0
    with alice.workspace(), connection.cursor() as cursor:
        cursor.execute("SELECT email FROM identity.accounts_user")
        assert cursor.fetchall() == [("alice@example.org",)]
