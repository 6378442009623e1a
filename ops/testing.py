"""A pytest plugin: a PostgreSQL cluster and a Valkey of the session's own.

Loaded by `-p ops.testing` (in pyproject.toml), because Django's settings read the environment
before any conftest is imported. The variables are set at import, the servers start when the
first test needs them. With DATABASE_URL, DATABASE_OWNER_URL, DATABASE_IDENTITY_URL and BROKER_URL
given, those are used and only a database of our own is created there.

Under pytest-xdist the controller starts the servers and migrates a template; each worker has its
own copy of it and its own broker database.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from ops import places
from ops.private import DataServices
from ops.processes import TOOLS

TEMPLATE = "test_template"
DATABASE_URLS = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL")
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
_GIVEN = "AMPACITY_TEST_URLS_GIVEN"
# A migrated database of the given server, to copy.
_TEMPLATE_GIVEN = "AMPACITY_TEST_TEMPLATE"
_SETTINGS = {
    "SECRET_KEY": "only-for-the-tests-and-not-a-secret-at-all",
    "NUMBA_CACHE_DIR": str(places.default_kernels_cache()),
    "MPLCONFIGDIR": str(places.caches(places.default_var()) / "matplotlib"),
}


def with_database(url: str, database: str) -> str:
    """The same server and role, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def test_database() -> str:
    """The name of this process's database."""
    return f"test_{_WORKER or 'main'}_{os.environ['AMPACITY_TEST_ID']}"


test_database.__test__ = False  # type: ignore[attr-defined]  # what pytest looks for


class Session:
    """The servers of one pytest session."""

    def __init__(self) -> None:
        self.services: DataServices | None = None
        self.started = False
        if not _WORKER:
            self._begin()
        for name, value in _SETTINGS.items():
            os.environ.setdefault(name, value)
        for name in DATABASE_URLS:
            os.environ[name] = with_database(os.environ[name], test_database())
        if _WORKER:
            broker = os.environ["BROKER_URL"].split("?")[0]
            number = int(_WORKER.removeprefix("gw")) + 1
            os.environ["BROKER_URL"] = f"{broker}?virtual_host={number}"

    def _begin(self) -> None:
        os.environ["AMPACITY_TEST_ID"] = str(os.getpid())
        os.environ[_GIVEN] = "1" if os.environ.get("DATABASE_URL") else ""
        if not os.environ[_GIVEN]:
            folder = Path(tempfile.mkdtemp(prefix="ampacity-test-"))
            self.services = DataServices(folder, throwaway=True)
            os.environ.update(self.services.urls())
        for name in (*DATABASE_URLS, "BROKER_URL"):
            if not os.environ.get(name):
                raise pytest.UsageError(f"DATABASE_URL is given, so {name} must be given too")

    def start(self) -> None:
        """Start the servers (controller or single process) and make this process's database."""
        if self.started:
            return
        self.started = True
        if self.services is not None:
            self.services.start_postgres()
            self.services.start_valkey()
        template = os.environ.get(_TEMPLATE_GIVEN) or (TEMPLATE if _WORKER else "template1")
        with owner_connection("postgres") as connection:
            connection.execute(f"CREATE DATABASE {test_database()} TEMPLATE {template}")

    def start_template(self) -> None:
        """Start the servers and migrate the template that each xdist worker copies."""
        self.started = True
        if self.services is not None:
            self.services.start_postgres()
            self.services.start_valkey()
        with owner_connection("postgres") as connection:
            connection.execute(f"CREATE DATABASE {TEMPLATE}")
        urls = {name: with_database(os.environ[name], TEMPLATE) for name in DATABASE_URLS}
        TOOLS.run(
            [str(places.PYTHON), str(places.MANAGE), "migrate", "--database", "owner", "-v", "0"],
            what="migrate",
            cwd=places.ROOT,
            env={**os.environ, **urls},
        )
        allow_truncate(TEMPLATE)

    def stop(self) -> None:
        """Stop what was started and remove it; in a given server drop our database."""
        if self.services is not None:
            self.services.remove()
        elif self.started and os.environ[_GIVEN]:
            ours = TEMPLATE if self._is_controller else test_database()
            with owner_connection("postgres") as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {ours} WITH (FORCE)")

    _is_controller = False

    def be_controller(self) -> None:
        """This process only hands out tests to xdist workers."""
        self._is_controller = True
        self.start_template()


@contextmanager
def owner_connection(database: str) -> Iterator[Any]:
    """An autocommit connection as the owner."""
    import psycopg

    url = with_database(os.environ["DATABASE_OWNER_URL"], database)
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def allow_truncate(database: str) -> None:
    """Let our roles empty tables: Django's transactional tests clean up by TRUNCATE."""
    roles = [urlsplit(os.environ[name]).username or "" for name in DATABASE_URLS[::2]]
    with owner_connection(database) as connection:
        connection.execute(f"GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO {', '.join(roles)}")


SESSION = Session()


def pytest_configure(config: pytest.Config) -> None:
    """Under xdist, start the servers in the controller before its workers come up."""
    if not _WORKER and getattr(config.option, "numprocesses", None):
        SESSION.be_controller()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop the servers."""
    SESSION.stop()
