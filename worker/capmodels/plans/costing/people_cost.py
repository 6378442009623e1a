"""What every design may have: people who run it, and moving to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import is_zero, largest, maximum, minimum
from capmodels.units import gb_from_tb
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.owned import Migration
    from capmodels.series import Series


@dataclass(frozen=True, slots=True)
class People:
    """Who runs a design in a year: how many, and what is paid beside that. [USD/yr]"""

    fte: Amount
    usd_per_year: Amount


def cost_staff(
    book: Book, scene: Scene, people: list[People], side: Side, since_month: int = 0
) -> None:
    """Write what the people of each year cost, at their side of the ledger, from a month on."""
    for year, those in enumerate(people):
        usd = those.fte * scene.assumptions.staff_usd_per_fte_year + those.usd_per_year
        book.year("staff", year, usd * scene.year_factor("staff", year), side, since_month)


def cost_migration(
    book: Book, move: Migration, present_usd: Series | None, side: Side, since_month: int = 0
) -> None:
    """Write what moving costs from a month on: labour, leaving, and the present place meanwhile.

    ``present_usd`` is what running the present place costs at the end of each month; None
    takes the sum that was typed in.
    """
    once = move.labour_usd + gb_from_tb(move.exit_tb) * move.exit_usd_per_gb
    book.point("migration", since_month, once * move.overrun_ratio, side)
    if is_zero(move.parallel_months):
        return
    for month in range(since_month, book.horizon_months):
        left = move.parallel_months - (month - since_month)
        if largest(left) <= 0:
            break
        weight = minimum(maximum(left, 0.0), 1.0)
        usd = move.parallel_usd_per_month if present_usd is None else present_usd[month]
        usd = named(usd, "Running the current site, the month", "USD")
        book.month("migration", month, weight * usd * move.overrun_ratio, side)
