"""Who takes part in the tests."""

from accounts.testing import database
from studies.tests.people import alice, bob, charlie, nobody

__all__ = ["alice", "bob", "charlie", "database", "nobody"]
