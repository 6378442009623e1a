"""Fixtures for all Python tests."""

from ops.fixtures import (  # noqa: F401 -- found by pytest
    _servers_for_marked_tests,
    django_db_modify_db_settings,
    django_db_setup,
    service_urls,
)
