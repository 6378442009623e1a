"""Fixtures for all Python tests."""

from hypothesis import HealthCheck, settings

from ops.fixtures import (  # noqa: F401 -- found by pytest
    _servers_for_marked_tests,
    django_db_modify_db_settings,
    django_db_setup,
    service_urls,
)
from ops.samples import pytest_collection_modifyitems  # noqa: F401 -- found by pytest

# The same examples every time, and no verdict by the clock: the machine may be busy.
settings.register_profile(
    "ampacity",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ampacity")
