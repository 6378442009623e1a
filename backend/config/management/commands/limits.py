"""Shows and sets how much a workspace may have, where that is not what all others may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from accounts.crossing import account_by_email
from accounts.limits import limits_set
from common import quotas
from common.errors import Invalid
from common.tenancy import workspace

if TYPE_CHECKING:
    from argparse import ArgumentParser

_NONE, _USUAL = "none", "usual"


class Command(BaseCommand):
    """Prints each quota of a workspace: what is used, and how much may be."""

    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the workspace, and what to set."""
        parser.add_argument("workspace", help="its id, or the address of who has it")
        parser.add_argument(
            "limits",
            nargs="*",
            metavar="NAME=LIMIT",
            help=f"a number, '{_NONE}' for no limit, '{_USUAL}' for what all others may",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Set what is given, then print all."""
        given = dict(_parted(text) for text in options["limits"])
        changes = {name: _limit(text) for name, text in given.items() if text != _USUAL}
        with workspace(_workspace_id(options["workspace"])):
            if given:
                try:
                    limits_set(actor="operator", changes=changes, removed={*given} - {*changes})
                except Invalid as exc:
                    raise CommandError("; ".join(fault.message for fault in exc.faults)) from exc
            for one in quotas.usage():
                limit = "no limit" if one.limit is None else f"{one.limit:g}"
                name, unit = one.quota.name, one.quota.unit
                self.stdout.write(f"{name}: {one.used:.4g} of {limit} {unit}")


def _parted(text: str) -> tuple[str, str]:
    name, sign, limit = text.partition("=")
    if not sign:
        message = f"{text!r} is not NAME=LIMIT."
        raise CommandError(message)
    return name, limit


def _limit(text: str) -> float | None:
    if text == _NONE:
        return None
    try:
        return float(text)
    except ValueError as exc:
        message = f"{text!r} is no number, nor '{_NONE}' or '{_USUAL}'."
        raise CommandError(message) from exc


def _workspace_id(text: str) -> UUID:
    if "@" in text:
        account = account_by_email(text.lower())
        if account is None:
            message = f"Nobody has the address {text!r}."
            raise CommandError(message)
        return account.workspace_id
    try:
        return UUID(text)
    except ValueError as exc:
        message = f"{text!r} is neither an id nor an address."
        raise CommandError(message) from exc
