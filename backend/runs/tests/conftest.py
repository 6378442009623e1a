"""Who takes part in the tests."""

from __future__ import annotations

import pytest

from studies.tests.people import Planner, planner, stranger


@pytest.fixture
def alice() -> Planner:
    return planner("alice")


@pytest.fixture
def bob() -> Planner:
    return planner("bob")


@pytest.fixture
def charlie() -> Planner:
    return stranger()
