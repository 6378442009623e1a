"""Which connection a table is reached by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import Model

IDENTITY = "identity"


class Router:
    """Leads to identity by its own connection, to all else by the usual one.

    A process that is not told ``DATABASE_IDENTITY_URL`` has no way there.
    """

    def db_for_read(self, model: type[Model], **_hints: Any) -> str | None:
        """Return the connection's alias."""
        return IDENTITY if getattr(model, "is_identity", False) else None

    db_for_write = db_for_read
