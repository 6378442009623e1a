"""Fixtures for all Python tests: the session's own database and broker."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from ops.testing import DATABASE_URLS, SESSION, allow_truncate, test_database


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """pytest-django renames nothing: the database of this process is its own already."""


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    """Start the servers, migrate as the owner; tests then run as the app role."""
    SESSION.start()
    from django.core.management import call_command
    from django.db import connections

    with django_db_blocker.unblock():
        call_command("migrate", database="owner", verbosity=0)
        _without_tables_of_the_release_before(connections["owner"])
        connections["owner"].close()
    allow_truncate(test_database())
    yield
    with django_db_blocker.unblock():
        connections.close_all()


def _without_tables_of_the_release_before(owner: Any) -> None:
    """Remove tables that no model has: emptying all others would stumble over their keys.

    What becomes of their rows is held by ``files/tests/test_upgrade.py``, in a database of its own.
    """
    from django.apps import apps

    models = apps.get_models(include_auto_created=True)
    known = {model._meta.db_table for model in models} | {"django_migrations"}
    with owner.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition "
            "AND relnamespace = 'public'::regnamespace"
        )
        for (table,) in cursor.fetchall():
            if table not in known:
                cursor.execute(f'DROP TABLE "{table}" CASCADE')


@pytest.fixture(scope="session")
def service_urls(django_db_setup: None) -> dict[str, str]:
    """What leads a child process to the running servers."""
    return {name: os.environ[name] for name in (*DATABASE_URLS, "BROKER_URL")}


@pytest.fixture(autouse=True)
def _servers_for_marked_tests(request: pytest.FixtureRequest) -> None:
    """Tests marked `db` or `worker` find the servers up, whatever else they ask for."""
    markers = {marker.name for marker in request.node.iter_markers()}
    if markers & {"db", "worker"}:
        request.getfixturevalue("django_db_setup")
