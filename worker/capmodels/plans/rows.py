"""The comparison as a table: one row per figure, a value or a reason per design."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.plans.words import horizon_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.comparison import BreakEven, DesignResult
    from capmodels.plans.scene import Scene
    from capmodels.spec import JSONDict

Value = tuple[float | None, str | None]
NOT_COMPARED = "Nothing to compare it with."


def table_rows(columns: list[DesignResult], even: list[BreakEven], scene: Scene) -> list[JSONDict]:
    """Return the rows that at least one design has a value or a reason for."""
    span = horizon_words(scene.months)
    rows = [
        _row("total_usd", f"Cost, {span}", "USD", columns, lambda c: (c.total_usd, None)),
        _row("npv_usd", f"Present value, {span}", "USD", columns, lambda c: (c.npv_usd, None)),
        _row(
            "eac_usd_per_year",
            "Equivalent annual cost",
            "USD/yr",
            columns,
            lambda c: (c.eac_usd_per_year, None),
        ),
        _row(
            "start_usd", "Paid at the start", "USD", columns, lambda c: (c.cumulative_usd[0], None)
        ),
    ]
    rows += [
        _row(
            f"year_{year + 1}_usd",
            f"Year {year + 1}",
            "USD",
            columns,
            _paid_in(year),
        )
        for year in range(scene.years)
    ]
    rows += [
        _row("break_even_months", "Pays off after", "months", columns, lambda c: _pay_off(c, even)),
        _row(
            "irr_fraction",
            "Rate of return",
            "fraction/yr",
            columns,
            lambda c: (c.irr_fraction, c.irr_reason or NOT_COMPARED),
            lower=False,
        ),
        _row(
            "owed_after_horizon_usd",
            f"Still owed after {span}",
            "USD",
            columns,
            lambda c: (c.owed_after_horizon_usd, None),
        ),
        _row("energy_kwh", "Energy", "kWh", columns, lambda c: (c.energy.kwh, c.energy.reason)),
        _row(
            "carbon_kgco2e",
            "Carbon",
            "kg CO2e",
            columns,
            lambda c: (c.carbon.kgco2e, c.carbon.reason),
        ),
        _row(
            "spare_cores_fraction",
            "Spare at peak, cores",
            "fraction",
            columns,
            lambda c: (c.spare.cores_fraction, _no_spare(c)),
            lower=None,
        ),
        _row(
            "spare_ram_fraction",
            "Spare at peak, RAM",
            "fraction",
            columns,
            lambda c: (c.spare.ram_fraction, _no_spare(c)),
            lower=None,
        ),
        _row(
            "spare_disk_fraction",
            "Spare at peak, disk",
            "fraction",
            columns,
            lambda c: (c.spare.disk_fraction, _no_spare(c)),
            lower=None,
        ),
        _row("p10_usd", "Cost, P10", "USD", columns, lambda c: (c.p10_usd, _no_draws(c))),
        _row("p90_usd", "Cost, P90", "USD", columns, lambda c: (c.p90_usd, _no_draws(c))),
        _row(
            "win_fraction",
            "Wins in",
            "fraction",
            columns,
            lambda c: (c.win_fraction, _no_draws(c)),
            lower=False,
        ),
    ]
    return [row for row in rows if any(v is not None for v in row["values"].values())]


def _row(
    row_id: str,
    label: str,
    unit: str,
    columns: list[DesignResult],
    value: Callable[[DesignResult], Value],
    *,
    lower: bool | None = True,
) -> JSONDict:
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
        "best": _best(columns, values, lower),
        "lower_is_better": lower,
    }


def _best(
    columns: list[DesignResult], values: dict[str, float | None], lower: bool | None
) -> str | None:
    known = {
        column.letter: amount
        for column in columns
        if column.carries_load and (amount := values[column.letter]) is not None
    }
    if lower is None or len(known) < 2 or len(set(known.values())) < 2:
        return None
    return (min if lower else max)(known, key=lambda letter: known[letter])


def _pay_off(column: DesignResult, even: list[BreakEven]) -> Value:
    """Months until a design has cost less than its rival, undiscounted."""
    for item in even:
        if item.challenger == column.letter and not item.discounted:
            if item.exact_months is None:
                return None, f"Not within the horizon, against {item.incumbent}."
            return item.exact_months, None
    return None, "It costs less at the start, so there is nothing to pay off."


def _paid_in(year: int) -> Callable[[DesignResult], Value]:
    return lambda column: (column.years[year].cash_usd, None)


def _no_spare(column: DesignResult) -> str:
    if column.kind == "hybrid":
        return "What the nodes lack is rented."
    if column.binding.label == "given":
        return "Sized as entered, not by demand."
    return "Rented as it is needed."


def _no_draws(_column: DesignResult) -> str:
    return "No draws were asked for."
