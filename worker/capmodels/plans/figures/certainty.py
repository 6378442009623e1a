"""How sure: odds of each design, how far its cost may be off, what moves the answer most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.numbers import is_move_shown, money_change, names_at, percent, range_end
from capmodels.plans.figures.capacity import shares_axis
from capmodels.plans.figures.compared import summed_up
from capmodels.told import Axis, Figure, Series, column, listed

if TYPE_CHECKING:
    from capmodels.plans.figures.compared import Compared
    from capmodels.spec import JSONDict

SWINGS_SHOWN = 10
CHEAPEST = "Share of simulations in which it is cheapest"
_QUANTILES = ("p10_usd", "p50_usd", "p90_usd")


def odds(of: Compared) -> Figure | None:
    """The share of simulations in which each design is cheapest, where there were any."""
    stated = of.document["odds"]
    if not stated or not of.designs:
        return None
    shares = tuple(float(stated["wins"].get(letter, 0.0)) for letter in of.letters)
    best = names_at(dict(zip(of.letters, shares, strict=True)), max(shares))
    are, each = ("is", "") if len(best) == 1 else ("are", " each")
    count = f"{stated['draws_count']:,}"
    title = f"{listed(best)} {are} cheapest in {percent(max(shares))} of {count} simulations{each}"
    return Figure(
        kind="stacked",
        name="Odds",
        title=title,
        summary=summed_up(title, of.names, map(percent, shares)),
        along=shares_axis(CHEAPEST),
        rows=of.names,
        row_roles=of.letters,
        series=(Series(name="Cheapest in", values=shares),),
        twin=of.by_design(column(CHEAPEST, shares, "fraction")),
    )


def _width_usd(design: JSONDict) -> float:
    width: float = design["p90_usd"] - design["p10_usd"]
    return width


def spread_of_cost(of: Compared) -> Figure | None:
    """P10, the middle and P90 of what each design costs, where there were simulations. [USD]"""
    stated = of.document["odds"]
    drawn = [one for one in of.designs if None not in (one.get(end) for end in _QUANTILES)]
    if not stated or not drawn:
        return None
    widest = max(drawn, key=_width_usd)
    most = names_at({one["letter"]: _width_usd(one) for one in drawn}, _width_usd(widest))
    low, middle, high = (tuple(one[end] for one in drawn) for end in _QUANTILES)
    letters = tuple(one["letter"] for one in drawn)
    names = tuple(f"{one['letter']}, {one['title']}" for one in drawn)
    ranges = [of.range(*ends) for ends in zip(low, high, strict=True)]
    width = of.range(widest["p10_usd"], widest["p90_usd"])
    are = "is" if len(most) == 1 else "are"
    title = f"{listed(most)} {are} the least certain: {width} (P10–P90)"
    measure = of.measure.replace(", mean", "")
    return Figure(
        kind="ranges",
        name="How sure each cost is",
        title=title,
        summary=summed_up(title, letters, ranges),
        along=Axis(
            title=f"{measure}: P10, P50 and P90 of {stated['draws_count']:,} simulations",
            unit="USD",
            from_zero=False,
        ),
        rows=names,
        row_roles=letters,
        series=(Series(name="P50", values=middle, low=low, high=high),),
        twin=(
            column("Design", names),
            column("P10", low, "USD"),
            column("P50", middle, "USD"),
            column("P90", high, "USD"),
        ),
    )


@dataclass(frozen=True, slots=True)
class Swing:
    """An input, its value and its two ends in words, and the winner's lead at the ends. [USD]"""

    label: str
    now: str
    low: str
    high: str
    at_low_usd: float
    at_high_usd: float

    @property
    def width_usd(self) -> float:
        """How far it moves the lead."""
        return abs(self.at_high_usd - self.at_low_usd)


def tornado(of: Compared) -> Figure | None:
    """How far each input moves the winner's lead over the runner-up, largest first. [USD]

    Of a choice the ends are those of its alternatives between which the mean lead differs most.
    What moves it by less than is written of the costs or of the lead has no bar.
    """
    winner, rival = of.design(of.document["winner"]), of.design(of.document["runner_up"])
    if winner is None or rival is None:
        return None
    rows = _of_ranges(of)
    if chosen := _of_choices(of, winner["letter"], rival["letter"]):
        rows = sorted([*rows, *chosen], key=lambda row: -row.width_usd)
    center_usd = _center(of, winner, rival)
    rows = [
        row
        for row in rows
        if is_move_shown((center_usd, row.at_low_usd, row.at_high_usd), winner["ranked_usd"])
    ][:SWINGS_SHOWN]
    if not rows:
        return None
    title = f"{rows[0].label} moves the difference most: {of.money(rows[0].width_usd)}"
    minus = f"{winner['letter']} minus {rival['letter']}"
    labels = tuple(row.label for row in rows)
    now, low, high = (tuple(getattr(row, end) for row in rows) for end in ("now", "low", "high"))
    at_low = tuple(row.at_low_usd for row in rows)
    at_high = tuple(row.at_high_usd for row in rows)
    said = (
        f"{money_change(row.at_low_usd, of.currency)} at {row.low},"
        f" {money_change(row.at_high_usd, of.currency)} at {row.high}"
        for row in rows
    )
    base = (center_usd,) * len(rows)
    return Figure(
        kind="swings",
        name="What moves the answer",
        title=title,
        summary=summed_up(title, labels, said),
        along=Axis(title=f"{minus}, mean; left of zero {winner['letter']} is cheaper", unit="USD"),
        measure=Axis(title=minus, unit="USD"),
        rows=labels,
        row_roles=tuple(
            "flips" if (row.at_low_usd > 0) != (row.at_high_usd > 0) else "" for row in rows
        ),
        series=(
            Series(name="At the low value", role="low", values=at_low, base=base, texts=low),
            Series(name="At the high value", role="high", values=at_high, base=base, texts=high),
        ),
        twin=(
            column("Input", labels),
            column("Now", now),
            column("Low", low),
            column("High", high),
            column("Difference at low", at_low, "USD"),
            column("Difference at high", at_high, "USD"),
        ),
    )


def _of_ranges(of: Compared) -> list[Swing]:
    rows = of.document["tornado"]
    now, low, high = (_said(of, rows, end) for end in ("value", "low", "high"))
    return [
        Swing(row["label"], now[at], low[at], high[at], row["at_low_usd"], row["at_high_usd"])
        for at, row in enumerate(rows)
    ]


def _of_choices(of: Compared, winner: str, rival: str) -> list[Swing]:
    """A bar of each choice of which at least two alternatives were simulated."""
    found = []
    for choice in of.document.get("choices", ()):
        leads = {
            one["label"]: one["mean_usd"][winner] - one["mean_usd"][rival]
            for one in choice["alternatives"]
            if {winner, rival} <= one["mean_usd"].keys()
        }
        if len(leads) < 2:
            continue
        # In the order in which the alternatives stand: numbers rise.
        least, most = min(leads, key=leads.__getitem__), max(leads, key=leads.__getitem__)
        first, last = sorted((least, most), key=list(leads).index)
        now = next(one["label"] for one in choice["alternatives"] if one["entered"])
        found.append(Swing(choice["label"], now, first, last, leads[first], leads[last]))
    return found


def _said(of: Compared, rows: list[JSONDict], end: str) -> tuple[str, ...]:
    return tuple(range_end(row[end], row["unit"], of.currency) for row in rows)


def _center(of: Compared, winner: JSONDict, rival: JSONDict) -> float:
    """Where the bars start; results stored before version 2.14 have them as entered. [USD]"""
    center = of.document.get("tornado_center_usd")
    return of.entered_usd(winner) - of.entered_usd(rival) if center is None else float(center)
