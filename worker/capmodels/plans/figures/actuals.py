"""What was paid so far beside what was planned, with the band of the simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import stated_day
from capmodels.told import Axis, Figure, Series, column

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

PAID = "Cost so far, planned and actual"
_COLUMNS = (
    ("Planned", "USD", "planned_usd"),
    ("Actual", "USD", "actual_usd"),
    ("Difference", "USD", "difference_usd"),
    ("Planned energy", "kWh", "planned_kwh"),
    ("Actual energy", "kWh", "actual_kwh"),
    ("Planned so far", "USD", "planned_so_far_usd"),
    ("P10 so far", "USD", "p10_so_far_usd"),
    ("P90 so far", "USD", "p90_so_far_usd"),
    ("Actual so far", "USD", "actual_so_far_usd"),
)


def paid_so_far(found: JSONDict) -> Figure:
    """Running sums by month of plan and actual cost, as ``answer.actuals`` found them. [USD]"""
    rows = found["months"]
    names = tuple(one["month"] for one in rows)
    at = tuple(map(float, range(len(rows))))
    fields = {name: tuple(one[name] for one in rows) for _, _, name in _COLUMNS}
    return Figure(
        kind="lines",
        name=PAID,
        title=found["sentence"].removesuffix("."),
        summary=found["sentence"],
        along=Axis(title="Cumulative cost", unit="USD"),
        across=Axis(title="", unit="count", ticks=at, ticks_said=tuple(map(stated_day, names))),
        series=(
            Series(
                name=f"Planned{', with P10 to P90' if any(fields['p90_so_far_usd']) else ''}",
                style="dashes",
                role=found["letter"],
                at=at,
                names=names,
                values=fields["planned_so_far_usd"],
                low=fields["p10_so_far_usd"],
                high=fields["p90_so_far_usd"],
            ),
            Series(
                name="Actual", role="actual", at=at, names=names, values=fields["actual_so_far_usd"]
            ),
        ),
        twin=(
            column("Month", map(stated_day, names)),
            *(column(label, fields[name], unit) for label, unit, name in _COLUMNS),
        ),
    )
