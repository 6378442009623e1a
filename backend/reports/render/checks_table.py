"""Checks of models as a table: a figure of a source, or worked out by other means, beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, quantity, stated_day
from reports.render.blocks import span, table
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.render.contents import JSONDict


def checks_table(rows: Sequence[JSONDict], word: str) -> JSONDict:
    """Return checks as a table, a figure of a source beside ours."""
    cells = [
        (
            *(row["model"], breakable(row["title"]), breakable(row["source"])),
            *(row["figure"], row["ours"]),
            [_mark(row)],
        )
        for row in rows
    ]
    heads = ("Model", "Check", "Source", word, "Ours", "")
    return table(heads, cells, ("auto", 1.5, 1.2, "auto", "auto", "auto"), left=(0, 1, 2, 5))


def _mark(row: JSONDict) -> JSONDict:
    if not row["ok"]:
        return span("✗ differs", "bad")
    if row["measured"]:
        return span(f"agreed {stated_day(row['measured'])}", "muted")
    return span("✓ agrees", "good")


def checks_shown(checks: Sequence[JSONDict]) -> list[JSONDict]:
    """Return checks as a report shows them: a figure beside ours.

    ``is_published`` says that a paper or a publisher states it; others are worked out anew,
    by other means than the model's. What holds our own earlier figures only is left out.
    """
    return [
        {
            "is_published": check["basis"] == "published",
            "model": check["model"],
            "title": check["title"],
            "source": check["source"],
            "figure": check.get("printed") or _check_value(check["published"], check["unit"]),
            "ours": _check_value(check["ours"], check["unit"]),
            "ok": bool(check["ok"]),
            "measured": check.get("measured"),
        }
        for check in checks
        if check["basis"] != "regression"
    ]


def _check_value(value: float | bool | str | None, unit: str) -> str:
    if value is None:
        return missing()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return quantity(value, unit)
