"""Sessions in the database, each with its user, so that one statement answers who is asking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.apps import apps
from django.contrib.sessions.backends import db
from django.utils import timezone

from accounts.crossing import Account, session_by_key
from accounts.secrets import hash_of

if TYPE_CHECKING:
    from django.contrib.sessions.base_session import AbstractBaseSession

SESSION_USER = "user_id"
SESSION_WORKSPACE = "workspace_id"
SESSION_BEGAN = "began_at"
SESSION_ID = "public_id"
SESSION_AGENT = "agent"
SESSION_PASSWORD = "password_mark"
# The column is Django's; 160 bits of the hash are plenty.
STORED_LENGTH = 40


def stored_key(session_key: str | None) -> str:
    """Return what is stored of a session's key: whoever reads the table can enter no session."""
    return hash_of(session_key or "")[:STORED_LENGTH]


def mark_of(password: str) -> str:
    """Return what ties a session to the stored password, so that a new one ends it."""
    return hash_of(password)[:STORED_LENGTH]


class SessionStore(db.SessionStore):
    """Django's own store, but for what it reads: ``account`` comes with the session.

    The cookie holds the key, the table its hash.

    ``account`` is None in a session of nobody, and in one that was begun by this process
    and never read.
    """

    account: Account | None = None

    @classmethod
    def get_model_class(cls) -> type[AbstractBaseSession]:
        """Return the table's model."""
        return cast("type[AbstractBaseSession]", apps.get_model("accounts", "Session"))

    def load(self) -> dict[str, Any]:
        """Return what the session holds; an unknown or expired one holds nothing."""
        found = session_by_key(stored_key(self.session_key), timezone.now())
        if found is None:
            self._session_key = None
            return {}
        session_data, self.account = found
        held: dict[str, Any] = self.decode(session_data)
        return held

    def create_model_instance(self, data: dict[str, Any]) -> AbstractBaseSession:
        """Return the row to store, with its user in a column of its own."""
        row: Any = super().create_model_instance(data)
        row.session_key = stored_key(row.session_key)
        row.user_id = UUID(data[SESSION_USER]) if SESSION_USER in data else None
        row.workspace_id_chosen = data.get(SESSION_WORKSPACE)
        row.public_id, row.began_at = data.get(SESSION_ID), data.get(SESSION_BEGAN)
        row.agent = data.get(SESSION_AGENT, "")
        row.password_mark = data.get(SESSION_PASSWORD, "")
        return cast("AbstractBaseSession", row)

    def exists(self, session_key: str) -> bool:
        """Say whether there is a session of this key."""
        return bool(super().exists(stored_key(session_key)))

    def delete(self, session_key: str | None = None) -> None:
        """Remove a session, this one if none is named."""
        key = session_key or self.session_key
        if key is not None:
            super().delete(stored_key(key))
