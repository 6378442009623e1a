"""What is ordered, committed to and rented, and when: the plan that the study refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports.render.blocks import heading, listed, new_page, sentence, span, words
from reports.render.part import Page, Part
from reports.render.text import breakable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reports.render.contents import JSONDict

TITLE = "What is bought and when"


def blocks(page: Page) -> Iterator[JSONDict]:
    """Its sentence, notes, figures and order list, what is counted, and which stored run it is."""
    from reports.render.run_pages import told_blocks

    plan = page.report.purchase
    if plan is None:
        return
    yield new_page()
    yield heading(TITLE, level=1)
    yield words(sentence(plan.result["headline"]))
    if plan.stale:
        yield words([span(f"Out of date: {breakable(' '.join(plan.stale))}", "warning")])
    yield listed(breakable(note) for note in plan.result["notes"])
    yield from told_blocks(plan.result, page.report.currency)
    if plan.notes:
        yield heading("What is counted")
        yield listed(breakable(note) for note in plan.notes)
    yield words([f"{plan.model} {plan.version}, inputs ", span(plan.inputs_hash, "raw")])


PART = Part(id="purchase", title=TITLE, blocks=blocks)
