"""One row of the comparison: a value, or the reason why there is none, for each design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import names_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import DesignResult
    from capmodels.spec import JSONDict

# Of what is worked out from the mean of the simulations, not from the cost as entered.
AT_MEAN = "at its mean cost"
# Rows that ``plans.workings`` opens line by line, as it does causes.
ENERGY, PER_TB_YEAR, DOWN = "energy_kwh", "array_usd_per_tb_year", "down_h_per_year"
CARBON, CARBON_PER_TB_YEAR = "carbon_kgco2e", "array_kgco2e_per_tb_year"
WORK_PER_W, WORK_PER_WH, WORK_ENERGY = "work_per_w", "work_per_wh", "work_energy"
WORK_PER_AMOUNT = "work_per_usd"
OPENED = frozenset(
    {
        *(ENERGY, PER_TB_YEAR, DOWN, CARBON, CARBON_PER_TB_YEAR),
        *(WORK_PER_W, WORK_PER_WH, WORK_ENERGY, WORK_PER_AMOUNT),
    }
)
Value = tuple[float | None, str | None]


def row_of(
    row_id: str,
    label: str,
    unit: str,
    columns: list[DesignResult],
    value: Callable[[DesignResult], Value],
    *,
    lower: bool | None = True,
) -> JSONDict:
    """Return a row; ``lower`` says whether less is better, None that neither is."""
    values: dict[str, float | None] = {}
    reasons: dict[str, str] = {}
    for column in columns:
        amount, reason = value(column)
        values[column.letter] = amount
        if amount is None and reason is not None:
            reasons[column.letter] = reason
    return {
        "id": row_id,
        "label": label,
        "unit": unit,
        "values": values,
        "reasons": reasons,
        "best": best_of(columns, values, lower=lower),
        "lower_is_better": lower,
        "is_opened": row_id in OPENED,
    }


def best_of(
    columns: list[DesignResult], values: dict[str, float | None], *, lower: bool | None
) -> str | None:
    """Return the letter of the best of these columns; none where several are equally good."""
    known = {
        column.letter: amount
        for column in columns
        if column.competes and (amount := values[column.letter]) is not None
    }
    if lower is None or len(known) < 2:
        return None
    first = names_at(known, (min if lower else max)(known.values()))
    return first[0] if len(first) == 1 else None
