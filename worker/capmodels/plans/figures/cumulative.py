"""Cumulative cost by month, with the pay-off marked and the range of the two designs compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.numbers import months
from capmodels.plans.break_evens import pay_off
from capmodels.plans.figures.compared import name_of
from capmodels.told import Axis, Dot, Figure, Series, listed

if TYPE_CHECKING:
    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

CUMULATIVE = "Cumulative cost"
BASES = {False: "Cash", True: "Present value"}
# Longer horizons are ticked by the year.
_HALF_YEARS_UP_TO = 60


def cumulative(of: Compared, start: str, end: str, *, discounted: bool) -> Figure:
    """One curve per design from month 0 to its total; P10 to P90 of the two compared. [USD]

    Of what designs are ranked by it is the mean, of the other measure it is as entered; the
    break-even that is marked is that of the curves drawn.
    """
    known = discounted == of.by_value
    name = _curve(of, discounted=discounted)
    row = break_even_of(of, start, end, discounted=discounted)
    title = _finding(of, row, discounted=discounted)
    last = [of.money(one[name][-1]) for one in of.designs]
    said = "; ".join(f"{one}: {text}" for one, text in zip(of.names, last, strict=True))
    horizon = of.document["horizon_months"]
    at = tuple(map(float, range(horizon + 1)))
    every = 6 if horizon <= _HALF_YEARS_UP_TO else 12
    ticks = range(0, horizon + 1, every)
    return Figure(
        kind="lines",
        name=CUMULATIVE,
        of=BASES[discounted],
        title=title,
        summary=f"{title}. At the end: {said}.",
        along=Axis(title=CUMULATIVE, unit="USD"),
        across=Axis(
            title="Months",
            unit="count",
            ticks=tuple(map(float, ticks)),
            ticks_said=tuple(map(str, ticks)),
        ),
        series=tuple(
            Series(
                name=name_of(one),
                role=one["letter"],
                at=at[: len(one[name])],
                # Those of the first are those of all.
                names=() if place else tuple(f"month {month:.0f}" for month in at),
                values=tuple(one[name]),
                end=last[place],
                **(_band(one) if known and one["letter"] in {start, end} else {}),
            )
            for place, one in enumerate(of.designs)
        ),
        dots=_dots(of, row),
    )


def _curve(of: Compared, *, discounted: bool) -> str:
    """Return the field of a design that its curve is of."""
    if discounted == of.by_value:
        return "cumulative_ranked_usd"
    return "cumulative_npv_usd" if discounted else "cumulative_usd"


def break_even_of(of: Compared, start: str, end: str, *, discounted: bool) -> JSONDict | None:
    """Return where the curves of two designs cross; whichever of them challenges."""
    first, other = of.design(end), of.design(start)
    if first is None or other is None or start == end:
        return None
    name = _curve(of, discounted=discounted)
    is_first, found = pay_off(first[name], other[name])
    challenger, incumbent = (first, other) if is_first else (other, first)
    drawn = discounted == of.by_value and challenger.get("mean_usd") is not None
    return {
        "challenger": challenger["letter"],
        "incumbent": incumbent["letter"],
        "discounted": discounted,
        "basis": "mean" if drawn else "as_entered",
        "first_month_cheaper": found.first_month_cheaper,
        "exact_months": found.exact_months,
        "crossings_count": found.crossings_count,
        "cost_usd": found.cost_usd,
        "reason": found.reason,
    }


def _band(design: JSONDict) -> dict[str, tuple[float, ...]]:
    low, high = design.get("cumulative_p10_usd"), design.get("cumulative_p90_usd")
    return {"low": tuple(low), "high": tuple(high)} if low and high else {}


def _finding(of: Compared, row: JSONDict | None, *, discounted: bool) -> str:
    if row is None:
        return f"{CUMULATIVE}, discounted" if discounted else CUMULATIVE
    challenger, incumbent, said = row["challenger"], row["incumbent"], said_of(row)
    if row["reason"] == "same":
        return f"{listed(sorted((challenger, incumbent)))} cost the same in every month{said}"
    challenger, incumbent = (rival_of(of, one) for one in (challenger, incumbent))
    month = row["first_month_cheaper"]
    if month is not None and row["reason"] is None:
        return f"{challenger} is cheaper than {incumbent} from month {month} on{said}"
    if row["reason"] == "always":
        return f"{challenger} is cheaper than {incumbent} from the first month on{said}"
    return f"{challenger} does not become cheaper than {incumbent} in this time{said}"


def rival_of(of: Compared, letter: str) -> str:
    """A design of a break-even by its letter, and why it is the winner's rival where it is."""
    return letter if letter == of.document["winner"] else f"{letter}{of.why(letter)}"


def said_of(row: JSONDict) -> str:
    """Whether a break-even is discounted, of what, and which of how many crossings it is."""
    basis = ", discounted" if row["discounted"] else ", undiscounted"
    if row.get("basis") == "mean":
        basis = f"{basis}, mean of simulations"
    count = row["crossings_count"]
    if count < 2:
        return basis
    if row["reason"] == "never":
        return f"{basis}, after {count} crossings"
    return f"{basis}, the last of {count} crossings"


def _dots(of: Compared, row: JSONDict | None) -> tuple[Dot, ...]:
    if row is None or row["reason"] is not None or row["cost_usd"] is None:
        # Cheaper from the start, or never: there is no crossing to point at.
        return ()
    exact = row["exact_months"] or 0.0
    return (
        Dot(
            role=row["challenger"],
            at=exact,
            value=row["cost_usd"],
            text=f"{months(exact)}, {of.money(row['cost_usd'])}",
            means=f"cheaper from month {row['first_month_cheaper']} on{said_of(row)}",
        ),
    )
