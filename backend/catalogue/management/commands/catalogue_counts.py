"""Prints how many numbers of the built-in catalogue are of each quality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from catalogue.fixture_counts import (
    entry_counts,
    markdown_by_field,
    markdown_by_kind,
    quality_counts,
)
from catalogue.fixture_rows import read_tables

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    """A Markdown table by kind, or by field, read from ``fixtures/``."""

    help = "Count the catalogue's numbers by quality, as a Markdown table."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Let the caller ask for the long table."""
        parser.add_argument("--fields", action="store_true", help="one line per field")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print the table."""
        tables = read_tables()
        counts = quality_counts(tables)
        text = (
            markdown_by_field(counts)
            if options["fields"]
            else markdown_by_kind(counts, entry_counts(tables))
        )
        self.stdout.write(text)
