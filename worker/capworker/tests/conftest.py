"""Fixtures of the worker's tests."""

from accounts.testing import alice, charlie, database
from jobs.testing import outbox

__all__ = ["alice", "charlie", "database", "outbox"]
