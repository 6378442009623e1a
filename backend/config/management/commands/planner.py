"""Adds a planner with a workspace of their own, or lets one in again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.utils import timezone

from accounts import mailed, services, two_step
from config import preparing

if TYPE_CHECKING:
    from argparse import ArgumentParser

PASSWORD_LENGTH_MIN = 12


class Command(BaseCommand):
    """Prints a code that signs the planner in once, within ten minutes."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address, whether a password comes on stdin, and whether examples are loaded."""
        parser.add_argument("email")
        parser.add_argument("--password-stdin", action="store_true")
        parser.add_argument(
            "--without-codes", action="store_true", help="ask for one-time codes no more"
        )
        parser.add_argument(
            "--confirmed", action="store_true", help="the address is known to be theirs"
        )
        parser.add_argument(
            "--examples", action="store_true", help="load the example studies as well"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Create what is missing, and print the code."""
        email = options["email"].lower()
        try:
            validate_email(email)
        except ValidationError as exc:
            message = f"{email!r} is not an e-mail address."
            raise CommandError(message) from exc
        account = preparing.planner_prepare(email)
        if options["examples"]:
            preparing.examples_prepare(account)
        if options["password_stdin"]:
            services.password_set(account=account, password=_password())
        if options["without_codes"]:
            two_step.end_by(account, "operator")
        if options["confirmed"]:
            mailed.verify(account, timezone.now())
        self.stdout.write(services.code_create(user_id=account.user_id))


def _password() -> str:
    password = sys.stdin.readline().rstrip("\n")
    if len(password) < PASSWORD_LENGTH_MIN:
        message = f"Use a password of at least {PASSWORD_LENGTH_MIN} characters."
        raise CommandError(message)
    return password
