"""What each design costs: totals with their range, and the causes that they are made of."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from capmodels.numbers import money, percent
from capmodels.plans.causes import key_of, place_of
from capmodels.plans.figures.compared import name_of, summed_up
from capmodels.plans.words import lowered
from capmodels.printed import printed_before
from capmodels.told import Axis, Figure, Series, column, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict
    from capmodels.told import Column

CAUSES, BEFORE_LEFT = "Cost by cause", "Cost before value left"
# So many causes are drawn apart: more hues are not told from each other.
_APART_MAX = 7
_SIDES = ("owned", "rented")


def totals(of: Compared) -> Figure:
    """What designs are ranked by, cheapest first, with P10 and P90. [USD]"""
    designs = of.by_cost(of.designs)
    names = tuple(map(name_of, designs))
    said = [of.money(one["ranked_usd"]) for one in designs]
    parts = "; ".join(f"{name} {text}" for name, text in zip(names, said, strict=True))
    return Figure(
        kind="stacked",
        name="Cost by design",
        title=of.measure,
        summary=f"{of.measure}: {parts}.",
        along=Axis(title="", unit="USD"),
        rows=names,
        row_roles=tuple(one["letter"] for one in designs),
        row_notes=tuple(_total_text(of, one) for one in designs),
        series=(
            Series(name="Cost", values=tuple(one["ranked_usd"] for one in designs)),
            Series(
                name="P10 to P90",
                style="range",
                values=(None,) * len(designs),
                low=tuple(one.get("p10_usd") for one in designs),
                high=tuple(one.get("p90_usd") for one in designs),
            ),
        ),
    )


def _total_text(of: Compared, design: JSONDict) -> str:
    text = of.money(design["ranked_usd"])
    if not design["carries_load"]:
        return f"{text}, does not meet demand"
    low, high = design.get("p10_usd"), design.get("p90_usd")
    return text if low is None or high is None else f"{text}  ({of.range(low, high)})"


def cause_series(of: Compared) -> tuple[Series, ...]:
    """One series per cause and side that any design has, in the fixed order. [USD]

    Its ends are P10 and P90 of the designs that have it once: those of several do not add up.
    """
    found: dict[tuple[str, str], list[list[JSONDict]]] = {}
    for place, design in enumerate(of.designs):
        for cause in design["causes"]:
            key = (cause["side"], key_of(cause["cause"]))
            found.setdefault(key, [[] for _ in of.designs])[place].append(cause)
    order = sorted(found, key=lambda key: (_SIDES.index(key[0]), place_of(*key)))
    made = (_series(*key, found[key]) for key in order)
    return tuple(one for one in made if any(one.values))


def _series(side: str, key: str, causes: Sequence[Sequence[JSONDict]]) -> Series:
    ends = [_ends(one) for one in causes]
    known = any(low is not None for low, _ in ends)
    return Series(
        name=next(cause["label"] for one in causes for cause in one),
        role=f"{side}/{key}",
        values=tuple(fsum(cause["ranked_usd"] for cause in one) for one in causes),
        low=tuple(low for low, _ in ends) if known else (),
        high=tuple(high for _, high in ends) if known else (),
    )


def _ends(causes: Sequence[JSONDict]) -> tuple[float | None, float | None]:
    if len(causes) != 1:
        return None, None
    low, high = causes[0].get("p10_usd"), causes[0].get("p90_usd")
    return (None, None) if low is None or high is None or low == high else (low, high)


def is_value_left(series: Series) -> bool:
    """Whether a series of `cause_series` is what is left at the end: it is no cause of cost."""
    return series.role.endswith("/salvage")


def cost_by_cause(of: Compared) -> Figure:
    """A bar of pieces per design, a series per cause in the fixed order. [USD]

    Value left is no piece, for nobody is paid it: it stands beneath the costs, in the notes of the
    rows and in the table, where the costs before it have a sum of their own. The seven causes that
    cost most over all designs are drawn apart, the others as one; the table has each.
    """
    every, title = cause_series(of), _largest(of)
    series, left = _apart(every)
    before = tuple(fsum(one.values[place] or 0.0 for one in series) for place in _places(of))
    lines = [*series, *([Series(name=BEFORE_LEFT, values=before)] if left else []), *left]
    return Figure(
        kind="stacked",
        name=CAUSES,
        title=title,
        summary=summed_up(title, of.names, (of.money(one["ranked_usd"]) for one in of.designs)),
        along=Axis(title=f"{of.measure}{', before value left' if left else ''}", unit="USD"),
        rows=of.names,
        row_roles=of.letters,
        row_notes=tuple(_less_left(of, left, place) for place in _places(of)) if left else (),
        series=_drawn(series),
        twin=(
            column("Cause", (*(one.name for one in lines), "Total")),
            column("Side", (*(one.role.partition("/")[0] for one in lines), "")),
            *(_printed(of, series, left, place) for place in _places(of)),
        ),
    )


def _drawn(series: Sequence[Series]) -> tuple[Series, ...]:
    if len(series) <= _APART_MAX:
        return tuple(series)
    ranked = sorted(series, key=lambda one: -fsum(abs(value or 0.0) for value in one.values))
    apart = [one for one in series if one in ranked[:_APART_MAX]]
    rest = ranked[_APART_MAX:]
    return (
        *apart,
        Series(
            name=f"Other ({len(rest)} causes)" if len(rest) > 1 else rest[0].name,
            role="owned/other",
            values=tuple(
                fsum(value or 0.0 for value in column)
                for column in zip(*(one.values for one in rest), strict=True)
            ),
        ),
    )


def _places(of: Compared) -> range:
    return range(len(of.designs))


def _apart(every: Sequence[Series]) -> tuple[list[Series], list[Series]]:
    """The causes of cost, and what is left at the end."""
    return [one for one in every if not is_value_left(one)], list(filter(is_value_left, every))


def _less_left(of: Compared, left: Sequence[Series], place: int) -> str:
    """What a design costs: before value left, the value left, and less it."""
    total = of.designs[place]["ranked_usd"]
    worth = -fsum(one.values[place] or 0.0 for one in left)
    if not worth:
        return of.money(total)
    return f"{of.money(total + worth)} less {of.money(worth)} value left: {of.money(total)}"


def _printed(of: Compared, series: Sequence[Series], left: Sequence[Series], place: int) -> Column:
    """The causes of one design, value left and their total, printed so that they add up.

    One that is less than half of what the column counts in is said in full, not as nothing.
    """
    design = of.designs[place]
    costs, rest = ([one.values[place] or 0.0 for one in part] for part in (series, left))
    total = design["ranked_usd"]
    causes, before, after, whole = printed_before(costs, rest, total, of.currency)
    nothing = money(0.0, of.currency)
    said = [
        of.money(value) if value and part == nothing else part
        for value, part in zip((*costs, *rest), (*causes, *after), strict=True)
    ]
    if rest:
        costs.append(fsum(costs))
        said.insert(len(causes), before)
    return column(design["letter"], (*costs, *rest, total), "USD", (*said, whole))


def _largest(of: Compared) -> str:
    design = of.first
    largest = max(design["causes"], key=lambda c: c["ranked_usd"], default=None) if design else None
    if not design or not largest or not largest["label"] or design["ranked_usd"] <= 0:
        return CAUSES
    # Of what is paid: credits, and what is left at the end, are no causes of cost.
    paid = fsum(cause["ranked_usd"] for cause in design["causes"] if cause["ranked_usd"] > 0)
    share = percent(largest["ranked_usd"] / paid)
    taken = [cause["label"] for cause in design["causes"] if cause["ranked_usd"] < 0]
    less = f" before {listed(list(dict.fromkeys(map(lowered, taken))))}" if taken else ""
    return f"Largest cause of {design['letter']}: {largest['label']}, {share} of its cost{less}"
