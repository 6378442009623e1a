"""Why the cost of a study moved between two runs, cause by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import counted, money_change
from capmodels.plans.figures.waterfall import bridge

if TYPE_CHECKING:
    from capmodels.numbers import Currency
    from capmodels.plans.moves import Moved
    from capmodels.told import Figure

# Less than half a cent is printed as nothing.
_LEAST = 0.005


def why_moved(found: Moved, currency: Currency) -> Figure:
    """From the cost of one run to that of another, one step per cause. [USD]

    Its ends are to be called by when the runs were.
    """
    drawn = found.simulations_count
    of = f" of {counted(drawn, 'simulation')}" if drawn else ", as entered"
    measure = found.measure[:1].lower() + found.measure[1:]
    figure = bridge(
        _finding(found, currency),
        ("Before", found.before_usd, ""),
        [(cause.label, cause.amount_usd) for cause in found.causes],
        ("After", found.after_usd, ""),
        name=f"Why the cost moved: {measure}{of}",
        measure="",
        currency=currency,
    )
    return figure.model_copy(update={"summary": ""})


def _finding(found: Moved, currency: Currency) -> str:
    """Say what the cost moved by, and each cause: of +$212 k: prices +$220 k, model −$8 k."""
    change = found.after_usd - found.before_usd
    causes = sorted(found.causes, key=lambda cause: -abs(cause.amount_usd))
    amounts = (change, *(cause.amount_usd for cause in causes))
    if all(abs(usd * currency.per_usd) < _LEAST for usd in amounts):
        return "The cost did not move"
    parts = (f"{one.label.lower()} {money_change(one.amount_usd, currency)}" for one in causes)
    return f"Of {money_change(change, currency)}: {', '.join(parts)}"
