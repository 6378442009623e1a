"""What today's machines cost when they stay: commitments run off, growth is added or not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.amounts import is_zero, largest, maximum, minimum
from capmodels.series import each, scaled
from capmodels.worked import since

if TYPE_CHECKING:
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.baseline import Baseline, BaselineLine
    from capmodels.plans.document.owned import Migration
    from capmodels.series import Series


def cost_baseline(baseline: Baseline, scene: Scene, book: Book) -> None:
    """Write every payment of the baseline, but staff, into its book.

    What is committed keeps its price until it runs off, own machines until they are taken out.
    With growth, what is added is paid at the price without commitment.
    """
    for line in baseline.lines:
        _line(baseline, line, scene, book)
    growth = _growth(baseline, scene)
    # Nobody says what of it is storage: it has no cause that names one.
    book.series("services", scaled(growth, baseline.other_usd_per_month), "rented")


def cost_leaving(
    baseline: Baseline, scene: Scene, book: Book, move: Migration, since_month: int = 0
) -> None:
    """Write what a design that leaves today's machines still owes for them, and what they fetch.

    Months in which both are paid, from the move on, have the commitments in them already.
    """
    beside = move.parallel_months if move.parallel_letter == "T" else 0.0
    if not is_zero(baseline.resale_usd or 0.0):
        book.point("salvage", 0, -(baseline.resale_usd or 0.0), "rented")
    if not baseline.commitments_owed_by_all:
        return
    for line in baseline.lines:
        end = min(line.committed_months(scene.assumptions.starts_on) or 0, scene.months)
        hours = line.count * line.hours_per_month
        usd = since(hours * line.usd_per_h, line.commitment_end_month)
        first = min(since_month + math.ceil(largest(beside)), end)
        for month in range(since_month, first):
            paid = minimum(maximum(beside - (month - since_month), 0.0), 1.0)
            book.month("remaining", month, (1.0 - paid) * usd, "rented")
        book.span("remaining", range(first, end), usd, "rented")


def _growth(baseline: Baseline, scene: Scene) -> Series:
    """Demand by month over that of today, where the baseline follows it."""
    if baseline.kind == "do_nothing" or scene.demand is None:
        return scene.form.constant(1.0, scene.months)
    timeline = scene.timeline
    grown = timeline.block_tb if is_zero(timeline.cores.today) else timeline.cores
    if is_zero(grown.today):
        return scene.form.constant(1.0, scene.months)
    return grown.factors


def _line(baseline: Baseline, line: BaselineLine, scene: Scene, book: Book) -> None:
    committed_months = line.committed_months(scene.assumptions.starts_on)
    end = min(committed_months or line.until_month or 0, scene.months)
    open_usd_per_h = line.usd_per_h if line.after_usd_per_h is None else line.after_usd_per_h
    hours = since(line.count * line.hours_per_month, line.commitment_end_month)
    kept = "instances" if committed_months is None else "commitment"
    book.span(kept, range(end), hours * line.usd_per_h, "rented")
    committed = scene.form.steps([1.0, 0.0], [end, scene.months - end])
    added = each(lambda grown, kept: grown - kept, _growth(baseline, scene), committed)
    paid = scene.priced("instances", scaled(added, hours * open_usd_per_h))
    book.series("instances", paid, "rented")
