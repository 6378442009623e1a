"""Counts the cells of ``fixtures/`` by quality."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from catalogue.fields import unit_of
from catalogue.fixture_rows import QUALITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from catalogue.fixture_rows import Table

Counts = dict[tuple[str, str], Counter[str]]


def quality_counts(tables: Iterable[Table]) -> Counts:
    """Return, for each kind and field that holds numbers, how many cells have each quality.

    Texts name a thing and are left out; an inherited value counts where it stands.
    """
    counts: Counts = {}
    for table in tables:
        for row in table.rows:
            for name, cell in row.cells.items():
                if unit_of(name) is not None:
                    counts.setdefault((row.kind, name), Counter())[cell.origin.quality] += 1
    return counts


def entry_counts(tables: Iterable[Table]) -> Counter[str]:
    """Return the number of entries of each kind."""
    return Counter(row.kind for table in tables for row in table.rows)


def markdown_by_kind(counts: Counts, entries: Counter[str]) -> str:
    """Return one line per kind and the sum of all."""
    lines = []
    whole: Counter[str] = Counter()
    for kind in sorted(entries):
        sums = sum((found for (of, _), found in counts.items() if of == kind), Counter[str]())
        whole += sums
        lines.append(_line([kind, entries[kind]], sums))
    lines.append(_line(["**all**", entries.total()], whole))
    return _table(["kind", "entries"], lines)


def markdown_by_field(counts: Counts) -> str:
    """Return one line per field of each kind."""
    lines = [_line([kind, f"`{field}`"], counts[kind, field]) for kind, field in sorted(counts)]
    return _table(["kind", "field"], lines)


def _table(heads: list[str], lines: list[str]) -> str:
    columns = [*heads, "numbers", *QUALITIES]
    rule = ["---"] * len(heads) + ["---:"] * (len(columns) - len(heads))
    return "\n".join([_row(columns), _row(rule), *lines])


def _line(heads: list[str | int], counts: Counter[str]) -> str:
    return _row([*heads, counts.total(), *(counts[quality] for quality in QUALITIES)])


def _row(cells: Iterable[str | int]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
