"""What today's machines cost when they stay: commitments run off, growth is added or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.fields import months_between

if TYPE_CHECKING:
    from capmodels.plans.baseline import Baseline, BaselineLine
    from capmodels.plans.book import SumBook
    from capmodels.plans.scene import Scene


def commitment_end(line: BaselineLine, scene: Scene) -> int | None:
    """Months from the start until a line's commitment has run off; None without one."""
    if line.commitment_end_month is not None:
        return line.commitment_end_month
    start = scene.assumptions.starts_on
    if line.commitment_ends_on is None or start is None:
        return None
    return max(months_between(start, line.commitment_ends_on), 0)


def cost_baseline(baseline: Baseline, scene: Scene, book: SumBook) -> None:
    """Write every payment of the baseline, but staff, into its book.

    What is committed keeps its price until it runs off. With growth, what is added is paid
    at the price without commitment.
    """
    for line in baseline.lines:
        _line(baseline, line, scene, book)
    for month in range(scene.months):
        usd = baseline.other_usd_per_month * _growth(baseline, scene, month)
        book.month("storage", month + 1, usd, "rented")


def _growth(baseline: Baseline, scene: Scene, month: int) -> float:
    """Demand of a month over that of today, where the baseline follows it."""
    if baseline.kind == "do_nothing" or scene.demand is None:
        return 1.0
    return scene.timeline.cores.monthly()[month] / scene.work.busy_cores_count


def _line(baseline: Baseline, line: BaselineLine, scene: Scene, book: SumBook) -> None:
    end = commitment_end(line, scene)
    open_usd_per_h = line.usd_per_h if line.after_usd_per_h is None else line.after_usd_per_h
    hours = line.count * line.hours_per_month
    for month in range(scene.months):
        factor = scene.price_factor("instances", month + 0.5)
        growth = _growth(baseline, scene, month)
        committed = end is not None and month < end
        if committed:
            book.month("commitment", month + 1, hours * line.usd_per_h, "rented")
        open_share = growth - 1.0 if committed else growth
        usd = hours * open_share * open_usd_per_h * factor
        book.month("instances", month + 1, usd, "rented")
