"""Makes the operators' schema, and an operator: ``--settings config.operators``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.contrib.auth.hashers import make_password
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from psycopg import sql

from operators.models import Operator

if TYPE_CHECKING:
    from argparse import ArgumentParser

PASSWORD_LENGTH_MIN = 14
_GRANTS = (
    "GRANT USAGE ON SCHEMA operators TO {role}",
    "GRANT SELECT ON ALL TABLES IN SCHEMA operators TO {role}",
    "GRANT UPDATE (last_login, password) ON operator TO {role}",
    "GRANT INSERT, UPDATE, DELETE ON django_session, refusal TO {role}",
    "GRANT INSERT ON django_admin_log TO {role}",
    "GRANT USAGE ON ALL SEQUENCES IN SCHEMA operators TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA operators TO {role}",
)


class Command(BaseCommand):
    """Run as the owner, after each ``manage.py prepare``."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address; the password comes on stdin."""
        parser.add_argument("email", nargs="?")
        parser.add_argument("--remove", action="store_true", help="take the account away")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do what is missing."""
        if "owner" not in connections:
            message = "Set DATABASE_OWNER_URL: the schema is the owner's."
            raise CommandError(message)
        with connections["owner"].cursor() as cursor:
            cursor.execute("CREATE SCHEMA IF NOT EXISTS operators")
        call_command("migrate", database="owner", verbosity=0)
        with connections["owner"].cursor() as cursor:
            for statement in _GRANTS:
                role = sql.Identifier(connections["default"].settings_dict["USER"])
                cursor.execute(sql.SQL(statement).format(role=role))
        if options["email"]:
            _account(options["email"].lower(), remove=options["remove"])


def _account(email: str, *, remove: bool) -> None:
    rows = Operator.objects.using("owner")
    if remove:
        rows.filter(email=email).update(is_active=False)
        return
    password = sys.stdin.readline().rstrip("\n")
    if len(password) < PASSWORD_LENGTH_MIN:
        message = f"Use a password of at least {PASSWORD_LENGTH_MIN} characters."
        raise CommandError(message)
    held = {"password": make_password(password), "is_active": True}
    rows.update_or_create(email=email, defaults=held)
