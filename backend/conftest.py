"""Fixtures of the backend's tests."""

from accounts.testing import alice, bob, charlie, database

__all__ = ["alice", "bob", "charlie", "database"]
