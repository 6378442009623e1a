"""The people of the tests: Alice owns a workspace, Bob is a member of it, Charlie is a stranger.

Their fixtures use real transactions on reused connections. Inside an outer test
transaction the workspace's setting would survive, and a test of isolation would lie.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import connections, transaction
from django.test import Client

from accounts.crossing import Account
from accounts.models import User
from accounts.services import code_create, member_new, token_create, workspace_create
from accounts.sessions import mark_of
from common.principal import EDITOR, VIEWER
from common.tenancy import workspace

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from common.principal import Principal

JSON = "application/json"


@dataclass(frozen=True)
class Person:
    """Somebody with an account, signed in with a browser of their own."""

    account: Account
    client: Client = field(default_factory=Client)

    @property
    def principal(self) -> Principal:
        """Return who they are to a service."""
        return self.account.principal()

    @property
    def workspace_id(self) -> UUID:
        """Return their workspace's id."""
        return self.account.workspace_id

    def workspace(self) -> AbstractContextManager[None]:
        """Enter their workspace."""
        return workspace(self.workspace_id)

    def get(self, path: str, **options: Any) -> Any:
        """GET below /api/v1/."""
        return self.client.get(f"/api/v1/{path}", **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        """POST JSON below /api/v1/."""
        return self.client.post(f"/api/v1/{path}", body, content_type=JSON, **options)

    def patch(self, path: str, body: Any, **options: Any) -> Any:
        """PATCH JSON below /api/v1/."""
        return self.client.patch(f"/api/v1/{path}", body, content_type=JSON, **options)

    def delete(self, path: str, **options: Any) -> Any:
        """DELETE below /api/v1/."""
        return self.client.delete(f"/api/v1/{path}", **options)

    def token(self, *scopes: str) -> dict[str, str]:
        """Return the header of a new token with these scopes, all when none are named."""
        with self.workspace():
            _, secret = token_create(
                principal=self.principal, title="test", scopes=list(scopes) or None
            )
        return {"authorization": f"Bearer {secret}"}


def sign_in(account: Account) -> Person:
    """Return the person, signed in with a one-time code."""
    person = Person(account)
    response = person.post("session", {"code": code_create(user_id=account.user_id)})
    assert response.status_code == 200, response.content
    return person


def join(owner: Account, email: str, role: str = EDITOR) -> Account:
    """Add a member to somebody's workspace."""
    user_id = uuid4()
    with workspace(owner.workspace_id):
        user = User(id=user_id, email=email)
        user.set_unusable_password()
        member_new(user, role)
    mark = mark_of(user.password)
    return Account(user_id, email, mark, owner.workspace_id, owner.workspace_name, role)


@pytest.fixture
def database(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let a test use the database in real transactions, and empty it afterwards.

    Deleting the few rows of a test takes milliseconds; truncating every table, as
    pytest-django's ``transactional_db`` does, takes more than most tests.
    """
    with django_db_blocker.unblock():
        yield
        _empty()


def _empty() -> None:
    quoted = connections["owner"].ops.quote_name
    tables = [quoted(model._meta.db_table) for model in apps.get_models()]
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_policies WHERE policyname = 'cleaner'")
        known = {name for (name,) in cursor.fetchall()}
        for table in tables:
            if table.rpartition(".")[2].strip('"') not in known:
                # Row-level security hides rows from the owner as well.
                cursor.execute(f"CREATE POLICY cleaner ON {table} TO CURRENT_USER USING (true)")
        # Foreign keys are checked at the commit, so that the order does not matter.
        cursor.execute(";".join(f"DELETE FROM {table}" for table in tables))


@pytest.fixture
def alice(database: None) -> Person:
    """Return Alice, who owns a workspace."""
    return sign_in(workspace_create(email="alice@example.org", name="Alice's"))


@pytest.fixture
def bob(alice: Person) -> Person:
    """Return Bob, an editor in Alice's workspace."""
    return sign_in(join(alice.account, "bob@example.org"))


@pytest.fixture
def vera(alice: Person) -> Person:
    """Return Vera, a viewer in Alice's workspace."""
    return sign_in(join(alice.account, "vera@example.org", VIEWER))


@pytest.fixture
def charlie(database: None) -> Person:
    """Return Charlie, who has a workspace elsewhere."""
    return sign_in(workspace_create(email="charlie@example.org", name="Charlie's"))
