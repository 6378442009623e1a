"""Rows of the comparison about each tier of the arrays whose data are placed by age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.answer.row import row_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.answer.row import Value
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.storage_figures import TierFigures
    from capmodels.spec import JSONDict

# Id in the answer and in the row, label, unit, whether less is better, and whether it is one of
# the tier's arrays.
_ROWS = (
    ("data_tb", "data", "TB", None, False),
    ("usable_tb", "capacity", "TB", None, True),
    ("moved_in_tb_per_year", "moved in", "TB/yr", None, False),
    ("response_mean_ms", "mean response at peak", "ms", True, True),
    ("mean_w", "power, mean", "W", True, True),
    ("bought_usd", "bought", "USD", True, False),
)


def tier_rows(columns: list[DesignResult]) -> list[JSONDict]:
    """Each tier by its name, in the order in which designs have them."""
    names = dict.fromkeys(tier.name for column in columns for tier in column.tiers)
    return [
        row_of(
            f"tier_{place}_{field}",
            f"{name}: {label}",
            unit,
            columns,
            _value(name, field, of_arrays=of_arrays),
            lower=lower,
        )
        for place, name in enumerate(names, 1)
        for field, label, unit, lower, of_arrays in _ROWS
        if field != "moved_in_tb_per_year" or place > 1
    ]


def _value(name: str, field: str, *, of_arrays: bool) -> Callable[[DesignResult], Value]:
    def value(column: DesignResult) -> Value:
        tier: TierFigures | None = next((one for one in column.tiers if one.name == name), None)
        if tier is None:
            return None, f"It has no tier called {name}."
        if not of_arrays:
            return getattr(tier, field), None
        return getattr(tier.array, field), tier.array.reasons.get(field)

    return value
