"""The database backend that ``ENGINE`` names."""

from __future__ import annotations

import select

import psycopg
from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL, asked whether it is there only when there is a sign that it is not."""

    def is_usable(self) -> bool:
        """Say whether the kept connection can be used for the next request.

        A server that ends a connection says so, or closes it: either way there is something
        to read. On an idle connection there is nothing, and one round trip is saved.
        """
        if self.connection is None:
            return False
        waiting = select.poll()
        try:
            waiting.register(self.connection.pgconn.socket, select.POLLIN)
        except psycopg.Error:
            return False
        if not waiting.poll(0):
            return True
        usable: bool = super().is_usable()
        return usable
