"""The shipped catalogue in tests: read from its files once for a database, then copied."""

from __future__ import annotations

from django.db import connections, transaction

from catalogue.models import Entry, Snapshot
from catalogue.services import catalogue_load


def shipped_load() -> Snapshot:
    """Make the built-in entries those of the shipped files, where there are none yet."""
    with transaction.atomic(using="owner"), connections["owner"].cursor() as cursor:
        cursor.execute("SELECT to_regnamespace('kept') IS NULL")
        (is_first,) = cursor.fetchone()
        if is_first:
            catalogue_load()
            cursor.execute("CREATE SCHEMA kept")
        for model in (Entry, Snapshot):
            table = model._meta.db_table
            cursor.execute(
                f"CREATE TABLE kept.{table} AS TABLE {table}"
                if is_first
                else f"INSERT INTO {table} SELECT * FROM kept.{table}"
            )
    return Snapshot.objects.using("owner").get()
