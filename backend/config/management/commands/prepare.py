"""Makes the database ready to serve; for one's own machine, makes a planner as well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from accounts import services
from common.startup import require_app_role
from common.tenancy import workspace
from config import preparing

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from accounts.crossing import Account


class Command(BaseCommand):
    """Migrates and loads the catalogue; with a planner, prints a line of JSON with a code."""

    help = __doc__
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take ``--planner`` and ``--token``."""
        parser.add_argument(
            "--planner",
            action="store_true",
            help="make a planner with the example studies, and a code that signs them in: not "
            "where logs are kept",
        )
        parser.add_argument(
            "--token", action="store_true", help="with --planner: an API token as well"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it; messages go to stderr, the line to stdout."""
        with preparing.one_at_a_time():
            preparing.schema_prepare()
            require_app_role()
            preparing.data_prepare()
            if options["planner"]:
                account = preparing.planner_prepare()
                preparing.examples_prepare(account)
        if not options["planner"]:
            return
        line = {"signin_code": services.code_create(user_id=account.user_id)}
        if options["token"]:
            line["token"] = _token(account)
        self.stdout.write(json.dumps(line))


def _token(account: Account) -> str:
    with workspace(account.workspace_id):
        return services.token_create(principal=account.principal(), title="Command line")[1]
