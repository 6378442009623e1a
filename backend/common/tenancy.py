"""The workspace that the present code works for.

All access to workspace data runs inside ``with workspace(id):``. PostgreSQL's row-level
security reads the setting made here; the managers of ``common.models`` filter by it as
well, so that there are two walls.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING
from uuid import uuid5

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

_current: ContextVar[UUID | None] = ContextVar("workspace", default=None)


class NoWorkspace(Exception):
    """Workspace data was asked for outside ``with workspace(id):``."""

    def __init__(self) -> None:
        """Say what to do about it."""
        super().__init__("Workspace data is only reached inside `with workspace(id):`.")


class WrongWorkspace(Exception):
    """A second workspace was entered inside the first."""


def current_workspace_id() -> UUID:
    """Return the id of the workspace that is entered.

    Raises
    ------
    NoWorkspace
        Outside ``with workspace(id):``.
    """
    found = _current.get()
    if found is None:
        raise NoWorkspace
    return found


def brought(foreign_id: UUID) -> UUID:
    """Return the id that a thing of another workspace has once an archive brought it into this.

    It follows from the two ids: what an archive brings twice is known the second time, and what
    documents call by the old id is found.
    """
    return uuid5(current_workspace_id(), str(foreign_id))


@contextmanager
def workspace(workspace_id: UUID) -> Iterator[None]:
    """Work for one workspace, in one transaction.

    Entering the same workspace again inside makes a savepoint; entering another
    raises WrongWorkspace.
    """
    outer = _current.get()
    if outer is not None and outer != workspace_id:
        message = "One workspace is entered already."
        raise WrongWorkspace(message)
    with transaction.atomic():
        if outer is None:
            _set(workspace_id)
        token = _current.set(workspace_id)
        try:
            yield
        finally:
            _current.reset(token)


def _set(workspace_id: UUID) -> None:
    # The third argument ends the setting with the transaction, so that a reused
    # connection never carries it into the next request.
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('app.workspace', %s, true)", [str(workspace_id)])
