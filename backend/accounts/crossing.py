"""The only places where accounts cross workspaces: SECURITY DEFINER functions.

Their SQL is in ``migrations/accounts``. Nobody is signed in yet when they are called.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, connection, connections

from common.principal import Principal
from common.routing import IDENTITY

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class Account:
    """What signing in needs to know of a user; of the password only what names it."""

    user_id: UUID
    email: str
    password_mark: str
    workspace_id: UUID
    workspace_name: str
    role: str

    def principal(self) -> Principal:
        """Return the signed-in member, in the workspace that they chose."""
        return Principal(
            user_id=self.user_id,
            email=self.email,
            workspace_id=self.workspace_id,
            workspace_name=self.workspace_name,
            role=self.role,
        )


@dataclass(frozen=True, slots=True)
class Membership:
    """A workspace that a person is in, and as what."""

    id: UUID
    name: str
    role: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Invited:
    """What a link of invitation holds."""

    id: UUID
    workspace_id: UUID
    workspace_name: str
    role: str
    email: str
    invited_by: str
    expires_at: datetime
    # Whether the link came by mail to that address.
    is_mailed: bool


def account_by_email(email: str) -> Account | None:
    """Return the active user with this address, in the workspace that they joined first."""
    row = _row("SELECT * FROM identity.accounts_by_email(%s)", [email], IDENTITY)
    return Account(*row) if row else None


def account_by_id(user_id: UUID, workspace_id: UUID | None = None) -> Account | None:
    """Return the active user with this id, in that workspace if they are in it, else in one."""
    statement = "SELECT * FROM identity.accounts_by_id(%s, %s)"
    row = _row(statement, [user_id, workspace_id], IDENTITY)
    return Account(*row) if row else None


def memberships_of(user_id: UUID) -> list[Membership]:
    """Return the workspaces that a user is in, the first ones first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_memberships(%s)", [user_id])
        return [Membership(*row) for row in cursor.fetchall()]


def invitation_by_hash(token_hash: str, now: datetime) -> Invited | None:
    """Return an invitation that is open still."""
    row = _row("SELECT * FROM accounts_invited(%s, %s)", [token_hash, now])
    return Invited(*row) if row else None


def invitation_by_email(email: str, now: datetime) -> Invited | None:
    """Return the first open invitation to an address."""
    row = _row("SELECT * FROM accounts_invited_by_email(%s, %s)", [email, now])
    return Invited(*row) if row else None


def session_by_key(key: str | None, now: datetime) -> tuple[str, Account | None] | None:
    """Return what a session that has not expired holds, and the active user who is in it.

    Nobody is in one that began with another password than theirs now.
    """
    row = _row("SELECT * FROM accounts_by_session(%s, %s)", [key, now])
    if row is None:
        return None
    session_data, *account = row
    return session_data, Account(*account) if account[0] else None


def token_use(token_hash: str, now: datetime) -> Principal | None:
    """Return who holds the token, when it is neither expired nor revoked, and note its use."""
    row = _row("SELECT * FROM accounts_token_use(%s, %s)", [token_hash, now])
    if row is None:
        return None
    user_id, email, workspace_id, workspace_name, role, scopes, token_id = row
    return Principal(
        user_id=user_id,
        email=email,
        workspace_id=workspace_id,
        workspace_name=workspace_name,
        role=role,
        scopes=frozenset(scopes),
        token_id=token_id,
    )


def deletions_due(now: datetime) -> list[tuple[str, UUID]]:
    """Return what is to be deleted by now: ``workspace`` or ``person``, and its id."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT what, id FROM accounts_deletions_due(%s)", [now])
        return [(what, found) for what, found in cursor.fetchall()]


def workspace_delete(workspace_id: UUID, now: datetime) -> bool:
    """Remove a workspace that is due with all its rows; False when it is not due."""
    return bool((_row("SELECT accounts_workspace_delete(%s, %s)", [workspace_id, now]) or [0])[0])


def person_delete(user_id: UUID, name: str, now: datetime) -> bool:
    """Remove a user who is due, and call them ``name`` wherever their address stands."""
    return bool((_row("SELECT accounts_person_delete(%s, %s, %s)", [user_id, name, now]) or [0])[0])


def _row(
    statement: str, values: list[Any], alias: str = DEFAULT_DB_ALIAS
) -> tuple[Any, ...] | None:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
