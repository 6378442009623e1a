"""What tools found for the study, by reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.blocks import caption, chip, heading, sentence, span, strong, together, words
from reports.render.part import Page, Part
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict, ToolResult

NOT_KEPT = "No sentence is kept of this result."
EXPLAINED = (
    "What tools found for this study: simulations and closed forms beside the comparison, "
    "by reference."
)


def blocks(page: Page) -> Iterator[JSONDict]:
    """An entry for each result: title, sentence, why it is out of date, model and hash."""
    if not page.report.tools:
        return
    yield heading("Results of tools", level=1)
    yield caption(EXPLAINED)
    yield from map(_entry, page.report.tools)


def _entry(tool: ToolResult) -> JSONDict:
    stale = breakable(" ".join(tool.stale))
    return together(
        words([*chip(tool.letter), *strong(breakable(tool.title))]),
        words(sentence(tool.headline or NOT_KEPT)),
        *([words([span(f"Out of date: {stale}", "warning")])] if stale else ()),
        caption([f"{tool.model} {tool.version}, inputs ", span(tool.inputs_hash, "raw")]),
    )


PART = Part(id="tools", title="Results of tools", appendix=True, blocks=blocks)
