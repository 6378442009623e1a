"""What a study said before: the cost of its cheapest design and the odds of each, run by run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.numbers import money, money_change, names_at, percent
from capmodels.plans.figures.capacity import shares_axis
from capmodels.told import Axis, Dot, Figure, Series, column, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from capmodels.numbers import Currency


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What a run found when: the cheapest design, its cost as designs are ranked, all odds."""

    at: datetime
    winner: str
    cost_usd: float | None
    odds: Mapping[str, float] | None

    @property
    def cheapest(self) -> list[str]:
        """The winner, and what is the cheapest as often: several that cost the same."""
        odds = self.odds or {}
        return sorted(names_at(odds, odds[self.winner])) if self.winner in odds else [self.winner]

    @property
    def at_ms(self) -> float:
        """Milliseconds since 1970."""
        return self.at.timestamp() * 1000


def over_runs(newest_first: Iterable[Kept], currency: Currency) -> tuple[Figure, ...]:
    """Cost and odds over time, each where two runs know it. [USD, fraction]"""
    runs = [*newest_first][::-1]
    costly = [run for run in runs if run.cost_usd is not None]
    sure = [run for run in runs if run.odds is not None]
    cost = [_cost(costly, currency)] if len(costly) > 1 else []
    return (*cost, *([_odds(sure)] if len(sure) > 1 else []))


def _cost(runs: Sequence[Kept], currency: Currency) -> Figure:
    costs = [run.cost_usd or 0.0 for run in runs]
    now, change = money(costs[-1], currency), money_change(costs[-1] - costs[0], currency)
    return _lines(
        runs,
        {"Cost": costs},
        {"role": "actual", "kinds": tuple(_cheapest(run) for run in runs)},
        name="Cost over time",
        title=f"Cost of the cheapest design: {now}, {change} in {len(runs)} runs",
        along=Axis(title="Cost", unit="USD"),
        dots=tuple(
            Dot(role=run.winner, at=run.at_ms, value=cost, text=run.winner)
            for run, cost, before in zip(runs, costs, [None, *runs], strict=False)
            if before is None or run.winner != before.winner
        ),
    )


def _cheapest(run: Kept) -> str:
    return f"{listed(run.cheapest)} {'is' if len(run.cheapest) == 1 else 'are'} cheapest"


def _odds(runs: Sequence[Kept]) -> Figure:
    odds, winner = [run.odds or {} for run in runs], runs[-1].winner
    first, last = odds[0].get(winner), odds[-1].get(winner)
    before = "not a design" if first is None else percent(first)
    best = runs[-1].cheapest
    are, each = ("is", "") if len(best) < 2 else ("are", " each")
    return _lines(
        runs,
        {letter: [own.get(letter) for own in odds] for letter in sorted(set().union(*odds))},
        {},
        name="Odds over time",
        title="How sure it was, run by run"
        if last is None
        else f"{listed(best)} {are} cheapest in {percent(last)} of the simulations{each}, in the "
        f"first run {before}",
        along=shares_axis("Cheapest in"),
    )


def _lines(
    runs: Sequence[Kept],
    of: Mapping[str, Sequence[float | None]],
    own: dict[str, Any],
    **said: Any,
) -> Figure:
    """A line for each name, in the look of a design of that name unless it has its ``own``."""
    at, unit = tuple(run.at_ms for run in runs), said["along"].unit
    return Figure(
        kind="lines",
        summary=f"{said['title']}.",
        across=Axis(title="Time (UTC)", unit="instant"),
        series=tuple(
            Series(style="steps", at=at, name=name, values=values, **({"role": name} | own))
            for name, values in of.items()
        ),
        twin=(
            column("Run (UTC)", (run.at.isoformat(" ")[:16] for run in runs)),
            column("Cheapest", (listed(run.cheapest) for run in runs)),
            *(column(name, values, unit) for name, values in of.items()),
        ),
        **said,
    )
