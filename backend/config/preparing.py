"""Makes a database ready to serve; does next to nothing when it is ready already."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.migrations.executor import MigrationExecutor

from accounts.crossing import Account, account_by_email
from accounts.models import User
from accounts.services import workspace_create
from accounts.teams import home_ensure
from catalogue.fixture_rows import FixtureError
from catalogue.services import catalogue_load
from common.grants import grant_roles
from runs.services import runs_recheck
from studies.services import examples_load

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper

OWNER_ALIAS = "owner"
PLANNER_EMAIL = "planner@ampacity.local"
WORKSPACE_NAME = "My workspace"

_LOCK = 4_202_611


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let only one process prepare this database; others wait."""
    alias = OWNER_ALIAS if OWNER_ALIAS in connections else DEFAULT_DB_ALIAS
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])


def schema_prepare() -> None:
    """Migrate as the owner when something is missing, and grant the app role its rights.

    Raises
    ------
    CommandError
        When migrations are missing and no owner is given, or the database's encoding is another
        than UTF8.
    """
    has_owner = OWNER_ALIAS in connections
    connection = connections[OWNER_ALIAS if has_owner else DEFAULT_DB_ALIAS]
    require_unicode(connection)
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing and not has_owner:
        message = "Migrations are missing. Set DATABASE_OWNER_URL and run this again."
        raise CommandError(message)
    if missing:
        call_command("migrate", database=OWNER_ALIAS, verbosity=0)
    elif has_owner:
        # Migrating grants as well; this is for other roles than last time.
        grant_roles(OWNER_ALIAS)


def require_unicode(connection: BaseDatabaseWrapper) -> None:
    """Refuse a database that cannot hold every name.

    Raises
    ------
    CommandError
        When its encoding is another than UTF8.
    """
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        encoding = cursor.fetchone()[0]
    if encoding != "UTF8":
        message = f"The database's encoding is {encoding}. Make it anew with ENCODING 'UTF8'."
        raise CommandError(message)


def planner_prepare(email: str = PLANNER_EMAIL) -> Account:
    """Return the account with this address; it, or a workspace for it, is made when missing."""
    found = account_by_email(email)
    left = User.objects.filter(email=email).first() if found is None else None
    if left is not None:
        home_ensure(left.id, email)
        found = account_by_email(email)
    return found or workspace_create(email=email, name=WORKSPACE_NAME)


def data_prepare() -> None:
    """Load the catalogue where its files have changed.

    Runs that an earlier version of the plan made are computed again by the workers.

    Raises
    ------
    CommandError
        When a file of the organisation's own folder breaks a rule; it names the line.
    """
    try:
        catalogue_load(organisation=settings.CATALOGUE_FOLDER)
    except FixtureError as exc:
        raise CommandError(str(exc)) from exc
    runs_recheck()


def examples_prepare(account: Account) -> None:
    """Load the example studies into an account's workspace where their files have changed."""
    examples_load(account.workspace_id)
