"""The database that tests see."""

import os
from urllib.parse import urlsplit

import pytest
from django.db import connection

from ops.testing import with_database

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def test_tests_run_as_a_role_that_row_level_security_binds() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False)


def test_the_environment_leads_to_the_database_in_use() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), current_user")
        database, role = cursor.fetchone()
    url = urlsplit(os.environ["DATABASE_URL"])
    assert (url.path, url.username) == (f"/{database}", role)


def test_only_the_database_of_a_url_changes() -> None:
    url = "postgresql://app@/one?host=%2Ftmp%2Fx&port=5432"
    assert with_database(url, "two") == "postgresql://app@/two?host=%2Ftmp%2Fx&port=5432"
