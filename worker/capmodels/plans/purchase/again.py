"""The question of a plan once some of its months have passed, to be answered again from today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.result import PurchasePlanResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.purchase.result import PlannedMonth
    from capmodels.spec import JSONDict


def asked_again(params: JSONDict, result: JSONDict, passed: int) -> JSONDict:
    """Take what a plan expected of its first months for what happened, to be corrected.

    Parameters
    ----------
    params, result : dict
        Of a run of ``plans.purchase_plan``.
    passed : int
        Months that have passed since the plan's first, fewer than it has. [months]

    Returns
    -------
    dict
        The same question with demand as it was expected, or as it was, in these months, and with
        the orders and commitments of them as placed.
    """
    asked = PurchasePlanParams.model_validate(params)
    found = PurchasePlanResult.model_validate(result)
    document = asked.model_dump(mode="json")
    resources = zip(document["demand"]["others"], asked.demand.others, found.others, strict=True)
    for written, other, planned in resources:
        written["actual_mean_count"] = _passed(other.actual_mean_count, planned.months, passed)
    return {
        **document,
        "actual_mean_count": _passed(asked.actual_mean_count, found.months, passed),
        "placed_orders": [
            {
                "machine": order.machine,
                "month": order.month,
                "ordered_count": order.ordered_count,
            }
            for order in found.orders
            if order.month < passed
        ],
        "placed_commitments": [
            {
                "commitment": start.commitment,
                "month": start.month,
                "committed_count": start.committed_count,
            }
            for start in found.commitments
            if start.month < passed
        ],
    }


def _passed(known: Sequence[float], months: Sequence[PlannedMonth], passed: int) -> list[float]:
    """Mean demand of the months that have passed, as it was, then as it was expected."""
    expected = [month.demand_mean_count for month in months[:passed]]
    return [*known[:passed], *expected[len(known) :]]
