"""The entered workspace, in Python and in PostgreSQL."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection

from accounts.models import ApiToken
from common.tenancy import NoWorkspace, WrongWorkspace, current_workspace_id, workspace

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = pytest.mark.db

COUNT = "SELECT count(*) FROM accounts_apitoken"
SETTING = "SELECT current_setting('app.workspace', true)"


def sql(statement: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


@pytest.mark.decisive
def test_a_query_outside_of_a_workspace_fails(alice: Person) -> None:
    alice.token()
    with pytest.raises(NoWorkspace):
        ApiToken.objects.count()
    with pytest.raises(NoWorkspace):
        current_workspace_id()


def test_sql_outside_of_a_workspace_sees_nothing(alice: Person) -> None:
    alice.token()
    assert sql(COUNT) == 0
    with alice.workspace():
        assert sql(COUNT) == 1


def test_sql_outside_of_a_workspace_writes_nothing(alice: Person) -> None:
    with pytest.raises(DatabaseError, match="row-level security"):
        ApiToken(
            workspace_id=alice.workspace_id,
            title="x",
            token_hash="x",
            scopes=[],
            created_by_id=alice.account.user_id,
        ).save(force_insert=True)


def test_the_setting_ends_with_the_transaction_on_a_reused_connection(alice: Person) -> None:
    with alice.workspace():
        backend = sql("SELECT pg_backend_pid()")
        assert sql(SETTING) == str(alice.workspace_id)
    assert sql("SELECT pg_backend_pid()") == backend
    assert sql(SETTING) == ""
    assert sql(COUNT) == 0


def test_an_error_leaves_nothing_behind(alice: Person) -> None:
    def fail() -> None:
        alice.token()
        raise RuntimeError

    with pytest.raises(RuntimeError), alice.workspace():
        fail()
    assert sql(SETTING) == ""
    with alice.workspace():
        assert not ApiToken.objects.exists()


def test_the_same_workspace_may_be_entered_again_but_no_other(alice: Person) -> None:
    with alice.workspace():
        with alice.workspace():
            assert current_workspace_id() == alice.workspace_id
        assert sql(SETTING) == str(alice.workspace_id)
        with pytest.raises(WrongWorkspace), workspace(uuid4()):
            pass
        assert current_workspace_id() == alice.workspace_id
