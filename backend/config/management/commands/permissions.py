"""Writes the table of permissions into docs/api.md, from the views."""

from __future__ import annotations

import re
from typing import Any

from django.core.management.base import BaseCommand

from config import access

TABLE = re.compile(r"\| permission \| roles .*?\n\n", re.DOTALL)


class Command(BaseCommand):
    """``python -m ops.offline permissions``."""

    help = __doc__

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Put the table of the views where the table of the page stands."""
        page = access.PAGE.read_text("utf-8")
        access.PAGE.write_text(TABLE.sub(access.table() + "\n\n", page), "utf-8")
