"""Checks of models as a table: a figure of a source, or worked out by other means, beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from capmodels.numbers import missing, quantity
from capmodels.spec import Kind
from reports.render.blocks import span, table
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.render.contents import JSONDict


def checks_table(rows: Sequence[JSONDict], word: str) -> JSONDict:
    """Return checks as a table, a figure of a source beside ours."""
    cells = [
        (
            *(row["model"], breakable(row["title"]), breakable(row["source"]), row["kind"]),
            *(row["figure"], row["ours"]),
            [_mark(row)],
        )
        for row in rows
    ]
    heads = ("Model", "Check", "Source", "Kind", word, "Ours", "")
    widths = ("auto", 1.5, 1.2, "auto", "auto", "auto", "auto")
    return table(heads, cells, widths, left=(0, 1, 2, 3, 6))


def _mark(row: JSONDict) -> JSONDict:
    if row["outcome"] == "differs":
        return span(f"✗ {row['said']}", "bad")
    if row["outcome"] == "apart" or row["measured"]:
        return span(row["said"], "muted")
    return span(f"✓ {row['said']}", "good")


def checks_shown(checks: Sequence[JSONDict]) -> list[JSONDict]:
    """Return checks as a report shows them: a figure beside ours.

    ``is_published`` says that a paper or a publisher states it; others are worked out anew,
    by other means than the model's. What counts most stands first: a figure that took no part in
    making ours, then one that an input was solved from, then numbers of the source, recombined.
    """
    return [
        {
            "is_published": check["basis"] == "published",
            "kind": check["kind"],
            "model": check["model"],
            "title": check["title"],
            "source": check["source"],
            "figure": check.get("printed") or _check_value(check["published"], check["unit"]),
            "ours": _check_value(check["ours"], check["unit"]),
            "outcome": check["outcome"],
            "said": check["said"],
            "measured": check.get("measured"),
        }
        for check in sorted(checks, key=lambda check: get_args(Kind).index(check["kind"]))
    ]


def _check_value(value: float | bool | str | None, unit: str) -> str:
    if value is None:
        return missing()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return quantity(value, unit)
