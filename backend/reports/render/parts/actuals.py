"""Plan against what happened: what the approved design cost and used by month."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import missing, money, money_change, percent, quantity
from reports.render.blocks import caption, heading, table, words
from reports.render.part import Page, Part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.numbers import Currency
    from reports.render.contents import JSONDict

MONTHS = ("Month", "Planned", "Actual", "Difference", "Planned energy", "Actual energy", "So far")
CAUSES = ("Cause", "Months", "Planned", "Actual", "Difference")
EXPLAINED = (
    "Months that were entered or taken from a bill, beside the version that was approved. A month "
    "that nobody entered is unknown, and sums so far end there."
)
WITHIN = {True: "within P10 to P90", False: "outside of P10 to P90"}


def blocks(page: Page) -> Iterator[JSONDict]:
    """The sentence, a line for each month and each cause; nothing where no month was entered."""
    found, currency = page.report.actuals, page.report.currency
    if found is None:
        return
    yield heading("Plan against what happened", level=1)
    approved = f"{found['approved']}, design {found['letter']}, {found['title']}. "
    yield words(approved + found["sentence"])
    yield caption(EXPLAINED)
    known = [
        one
        for one in found["months"]
        if one["actual_usd"] is not None or one["actual_kwh"] is not None
    ]
    yield _table(MONTHS, [_month(one, currency) for one in known])
    if found["causes"]:
        yield heading("By cause")
        yield _table(CAUSES, [_cause(one, currency) for one in found["causes"]])


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> JSONDict:
    return table(heads, rows, ["auto"] * len(heads), left=(0,), size_pt=9.0)


def _month(one: JSONDict, currency: Currency) -> tuple[str, ...]:
    off = one["difference_usd"]
    return (
        one["month"],
        money(one["planned_usd"], currency),
        money(one["actual_usd"], currency),
        missing() if off is None else money_change(off, currency),
        quantity(one["planned_kwh"], "kWh"),
        quantity(one["actual_kwh"], "kWh"),
        WITHIN.get(one["is_within"], missing()),
    )


def _cause(one: JSONDict, currency: Currency) -> tuple[str, ...]:
    share = one["difference_fraction"]
    of = "" if share is None else f" ({percent(share)})"
    return (
        one["label"],
        f"{one['months_count']}",
        money(one["planned"], currency),
        money(one["actual"], currency),
        money_change(one["difference"], currency) + of,
    )


PART = Part(id="actuals", title="Plan against what happened", blocks=blocks)
