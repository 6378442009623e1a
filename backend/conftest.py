"""Fixtures of the backend's tests."""

from accounts.testing import alice, bob, charlie, database, vera
from jobs.testing import outbox

__all__ = ["alice", "bob", "charlie", "database", "outbox", "vera"]
