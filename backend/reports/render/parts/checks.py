"""Checks of the models used, and the stored results that the report is pinned to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, quantity, snapshot_day, stated_day
from reports.render.blocks import caption, heading, span, table, together
from reports.render.part import Page, Part
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reports.render.contents import JSONDict, ReportInput

# Heading, what is said of it, and the head of its figures.
PUBLISHED = (
    "Against published figures",
    "What a paper or a publisher prints, and what the model gives, computed when this report "
    "was made.",
    "Published",
)
RECOMPUTED = (
    "Against figures worked out by other means",
    "No source prints these: they follow from what the source does print, by a closed form "
    "or another program.",
    "Recomputed",
)
PINNED = (
    "The report is pinned to these stored results. The same inputs, model version and seed "
    "give the same hash, and the same numbers."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """Published figures and those of other means beside ours; models, versions, hashes."""
    checks = checks_shown(page.report.checks)
    if checks:
        yield heading("Checks of the models used", level=1)
    for (title, told, word), published in ((PUBLISHED, True), (RECOMPUTED, False)):
        if rows := [row for row in checks if row["is_published"] is published]:
            yield heading(title)
            yield caption(told)
            yield checks_table(rows, word)
    if page.report.hashes:
        yield _pinned(page.report)


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


def _pinned(report: ReportInput) -> JSONDict:
    rows = [(h.label, h.model, h.version, [span(h.inputs_hash, "raw")]) for h in report.hashes]
    heads = ("Result", "Model", "Version", "Hash of the inputs")
    prices = [caption(f"Catalogue of {snapshot_day(report.snapshot)}.")] if report.snapshot else []
    return together(
        heading("Results shown"),
        caption(PINNED),
        table(heads, rows, (1.0, "auto", "auto", "auto"), left=(0, 1, 2, 3)),
        *prices,
    )


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


PART = Part(id="checks", title="Checks of the models, and hashes", blocks=blocks)
