"""Fixtures of the backend's tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.db import connections

from accounts.testing import alice, bob, charlie, database, vera
from jobs.testing import outbox

if TYPE_CHECKING:
    from collections.abc import Iterator

# The same passwords at a thousandth of the work, which is there to slow down who guesses.
Argon2PasswordHasher.time_cost = 1
Argon2PasswordHasher.memory_cost = 64
Argon2PasswordHasher.parallelism = 1

__all__ = ["alice", "bob", "charlie", "database", "outbox", "vera"]


@pytest.fixture(autouse=True)
def _people_go_with_the_rest(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty identity after a test that Django cleans up after: it does so in one schema only."""
    yield
    marker = request.node.get_closest_marker("django_db")
    if marker is None or "identity" not in marker.kwargs.get("databases", ()):
        return
    blocker: Any = request.getfixturevalue("django_db_blocker")
    with blocker.unblock(), connections["owner"].cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(oid::regclass::text, ', ') FROM pg_class"
            " WHERE relnamespace = 'identity'::regnamespace AND relkind = 'r'"
        )
        cursor.execute(f"TRUNCATE {cursor.fetchone()[0]} CASCADE")
