"""Why one design costs less than another, cause by cause."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from capmodels.plans.causes import key_of, place_of
from capmodels.plans.figures.compared import name_of, summed_up
from capmodels.printed import printed_steps
from capmodels.told import Axis, Figure, Series, column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.numbers import Currency
    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

DIFFERENCE = "Why the difference"
REST = "Rest"
# Causes that differ by less of the larger total are summed into the rest.
LEAST = 0.01
Change = tuple[str, float]


def waterfall(of: Compared, start: str, end: str) -> Figure | None:
    """From the total of one design to that of another, a step for each cause. [USD]

    The two sides of a cause, such as staff, are one cause here. What is rented comes first: a
    step away from renting is read from the top. The printed steps add up to the printed totals.
    """
    first, last = of.design(start), of.design(end)
    if first is None or last is None or start == end:
        return None
    changes = differences(first, last)
    return bridge(
        _finding(start, end, changes),
        (name_of(first), first["ranked_usd"], start),
        changes,
        (name_of(last), last["ranked_usd"], end),
        name=DIFFERENCE,
        measure=of.measure,
        currency=of.currency,
    )


def bridge(
    title: str,
    start: tuple[str, float, str],
    changes: Sequence[Change],
    end: tuple[str, float, str],
    *,
    name: str,
    measure: str,
    currency: Currency,
) -> Figure:
    """Changes that lead from one amount to another, each with its name and role. [USD]"""
    amounts = [change for _, change in changes]
    texts, levels = printed_steps(start[1], amounts, end[1], currency)
    begins = [fsum([start[1], *amounts[:place]]) for place in range(len(amounts))]
    rows = (start[0], *(label for label, _ in changes), end[0])
    values = (start[1], *amounts, end[1])
    base = (0.0, *begins, 0.0)
    reached = tuple(begun + value for begun, value in zip(base, values, strict=True))
    return Figure(
        kind="waterfall",
        name=name,
        title=title,
        summary=summed_up(title, rows, texts, link=" "),
        along=Axis(title=measure, unit="USD"),
        rows=rows,
        row_roles=(start[2], *("more" if usd > 0 else "less" for usd in amounts), end[2]),
        row_notes=tuple(texts),
        series=(Series(name="Amount", values=values, base=base),),
        twin=(
            column("Step", rows),
            column("Amount", values, "USD", said=texts),
            column("Level after", reached, "USD", said=levels),
        ),
    )


def differences(first: JSONDict, last: JSONDict) -> list[Change]:
    """Label and change of each cause that matters, the rest summed; they add up. [USD]"""
    parts: dict[str, list[float]] = {}
    labels: dict[str, tuple[tuple[bool, int], str]] = {}
    for design, sign in ((first, -1.0), (last, 1.0)):
        for cause in design["causes"]:
            key, side = key_of(cause["cause"]), cause["side"]
            order = (side != "rented", place_of(side, cause["cause"]))
            parts.setdefault(key, []).append(sign * cause["ranked_usd"])
            labels[key] = min(labels.get(key, (order, cause["label"])), (order, cause["label"]))
    least = LEAST * max(abs(first["ranked_usd"]), abs(last["ranked_usd"]))
    changes = [(key, fsum(parts[key])) for key in sorted(parts, key=lambda key: labels[key])]
    shown = [(labels[key][1], change) for key, change in changes if abs(change) > least]
    small = [change for _, change in changes if abs(change) <= least]
    return [*shown, (REST, fsum(small))] if any(small) else shown


def _finding(start: str, end: str, changes: Sequence[Change]) -> str:
    named = [(change, label.lower()) for label, change in changes if label != REST]
    saved, added = min(named, default=(0.0, "")), max(named, default=(0.0, ""))
    found = [
        *([f"largest saving {saved[1]}"] if saved[0] < 0 else []),
        *([f"largest addition {added[1]}"] if added[0] > 0 else []),
    ]
    return f"From {start} to {end}: {', '.join(found) or 'no cause differs by more than 1%'}"
