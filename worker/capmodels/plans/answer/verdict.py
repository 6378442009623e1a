"""The answer in sentences that a planner could repeat in a meeting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from capmodels.plans.answer.flips import flips_sentence
from capmodels.plans.answer.ranking import rank_usd
from capmodels.plans.comparison import BreakEven, DesignResult, Flip, Odds, Tie, Verdict
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.plans.words import (
    horizon_words,
    listed,
    lowered,
    money,
    percent,
    time_span,
)

if TYPE_CHECKING:
    from capmodels.plans.costing.scene import Scene

# Below this share of the draws that either of the best two wins, there is no winner.
TOSS_UP_FRACTION = 0.6


def is_toss_up(odds: Odds | None, winner: str) -> bool:
    """Whether the draws leave the winner and its strongest rival close."""
    if odds is None:
        return False
    rivals = [share for letter, share in odds.wins.items() if letter != winner]
    own, best = odds.wins.get(winner, 0.0), max(rivals, default=0.0)
    return own < TOSS_UP_FRACTION * (own + best)


def verdict_of(  # noqa: PLR0913 -- a verdict draws on every part of the answer
    order: list[DesignResult],
    columns: list[DesignResult],
    *,
    even: list[BreakEven],
    tied: list[Tie],
    odds: Odds | None,
    flips: tuple[Flip, ...],
    scene: Scene,
    asked: bool,
) -> Verdict:
    """Return the verdict; the order is of the designs that meet demand, cheapest first.

    ``asked`` says whether simulations were.
    """
    if not order:
        headline = f"No design meets demand. {_shortfalls(columns)}"
        return Verdict(kind="none_carries", headline=headline, odds_reason=NONE_MEETS)
    if len(order) == 1:
        headline = _single(order[0], columns, scene)
        reason = _no_rival(order[0], columns)
        return Verdict(kind="single", headline=headline, odds_reason=reason)
    winner, rival = order[0], order[1]
    if is_toss_up(odds, winner.letter):
        headline = f"{_load(order, columns)}{_no_winner(winner, odds)}"
        kind: Literal["toss_up", "winner"] = "toss_up"
    else:
        headline = f"{_load(order, columns)}{_cheapest(winner, rival, scene)}"
        kind = "winner"
    return Verdict(
        kind=kind,
        headline=headline,
        payoff=_payoff(order, even, tied, scene),
        odds=_odds(winner, odds),
        flips=flips_sentence(flips, scene, leader=name_of(winner) if kind == "toss_up" else None),
        odds_reason=None if odds is not None else NO_RANGES if asked else NOT_ASKED,
    )


NONE_MEETS = "No design meets demand, so there are no odds."
NO_RANGES = "No input has a range, so no uncertainty is known."
NOT_ASKED = "No simulations were asked for."


def _shortfalls(columns: list[DesignResult]) -> str:
    """Why each design that does not meet demand does not."""
    return " ".join(
        f"{name_of(column)}: {lowered(column.shortfall.sentence)}"
        for column in columns
        if column.shortfall is not None
    )


def _no_rival(only: DesignResult, columns: list[DesignResult]) -> str:
    if len(columns) == 1:
        return "One design alone has no odds. Add another to compare it with."
    return f"Only {name_of(only)} meets demand, so there are no odds."


def name_of(column: DesignResult) -> str:
    """A design's letter, or the title of what runs today."""
    return column.title if column.is_baseline else column.letter


def _load(order: list[DesignResult], columns: list[DesignResult]) -> str:
    """What carries the load and what binds; nothing where designs are given, not sized."""
    carrying = {column.letter for column in order}
    sized = [
        column
        for column in columns
        if column.letter in carrying and column.binding.label != "given"
    ]
    if not sized:
        return ""
    by_label: dict[str, list[str]] = {}
    for column in sized:
        by_label.setdefault(column.binding.label, []).append(name_of(column))
    if len(by_label) == 1:
        label = next(iter(by_label))
        binds = f"{label} bind" if label.endswith("s") else f"{label} binds"
    else:
        parts = []
        for label, names in by_label.items():
            verb = "bind" if label.endswith("s") else "binds"
            parts.append(f"{label} {verb} in {listed(names)}")
        binds = ", ".join(parts)
    short = [name_of(column) for column in columns if not column.carries_load]
    if short:
        verb = "does" if len(short) == 1 else "do"
        return f"{listed(short)} {verb} not carry the load; the others do ({binds}). "
    return f"All designs carry the load ({binds}). "


def _cheapest(winner: DesignResult, rival: DesignResult, scene: Scene) -> str:
    assumptions = scene.assumptions
    cost = rank_usd(winner, assumptions.ranked_by)
    gap = rank_usd(rival, assumptions.ranked_by) - cost
    span = horizon_words(scene.months)
    currency = assumptions.currency
    if gap == 0:
        both = f"{name_of(winner)} and {name_of(rival)}"
        return f"{both} cost the same over {span}: {money(cost, currency)}."
    of = " in present value" if assumptions.ranked_by == "present_value" else ""
    share = gap / abs(cost + gap) if cost + gap else 0.0
    return (
        f"**{name_of(winner)} is cheapest** over {span}: {money(cost, currency)}{of}, "
        f"{money(gap, currency)} ({percent(share)}) below {name_of(rival)}."
    )


def _single(only: DesignResult, columns: list[DesignResult], scene: Scene) -> str:
    cost = money(rank_usd(only, scene.assumptions.ranked_by), scene.assumptions.currency)
    span = horizon_words(scene.months)
    if len(columns) == 1:
        return f"**{name_of(only)}** costs {cost} over {span}."
    return f"**Only {name_of(only)} meets demand**: {cost} over {span}."


def _no_winner(winner: DesignResult, odds: Odds | None) -> str:
    if odds is None:
        return ""
    rival = max(
        (letter for letter in odds.wins if letter != winner.letter), key=lambda x: odds.wins[x]
    )
    return (
        f"**No winner**: {winner.letter} and {rival} are within the uncertainty "
        f"({winner.letter} wins in {percent(odds.wins[winner.letter])} of "
        f"{odds.draws_count:,} draws)."
    )


def _payoff(
    order: list[DesignResult], even: list[BreakEven], tied: list[Tie], scene: Scene
) -> str | None:
    winner, rival = order[0].letter, opposite(order).letter
    pair = next(
        (
            item
            for item in even
            if {item.challenger, item.incumbent} == {winner, rival} and not item.discounted
        ),
        None,
    )
    if pair is None:
        return None
    if isinstance(scene.study.workload, UtilizationWorkload):
        return _payoff_at_use(order, pair, tied, scene)
    names = {column.letter: name_of(column) for column in order}
    challenger, incumbent = names[pair.challenger], names[pair.incumbent]
    if pair.reason == "always":
        return f"{challenger} is cheaper than {incumbent} from the start."
    if pair.exact_months is None or pair.first_month_cheaper is None:
        span = horizon_words(scene.months)
        return (
            f"{challenger}, which costs more at the start, does not pay off "
            f"against {incumbent} within {span}, undiscounted{_crossings(pair)}."
        )
    after = time_span(pair.first_month_cheaper)
    return (
        f"{challenger} pays off against {incumbent} after {after}, undiscounted{_crossings(pair)}."
    )


def opposite(order: list[DesignResult]) -> DesignResult:
    """The cheapest design that is bought where the winner is rented, or the other way round."""
    rented = {"cloud", "baseline"}
    side = order[0].kind in rented
    return next((item for item in order[1:] if (item.kind in rented) != side), order[1])


def _crossings(pair: BreakEven) -> str:
    if pair.crossings_count < 2:
        return ""
    if pair.reason == "never":
        return f", after {pair.crossings_count} crossings"
    return f", the last of {pair.crossings_count} crossings"


def _payoff_at_use(
    order: list[DesignResult], pair: BreakEven, tied: list[Tie], scene: Scene
) -> str | None:
    """Two thresholds, each with its own words: pay-off at this use, tie over the horizon."""
    work, span = scene.study.workload, horizon_words(scene.months)
    if not isinstance(work, UtilizationWorkload):
        return None
    winner, rival = order[0], opposite(order)
    gap = rank_usd(rival, "cash") - rank_usd(winner, "cash")
    saves = money(abs(gap), scene.assumptions.currency)
    verbs = {"owned_cluster": "owning", "cloud": "renting"}
    by_letter = {column.letter: column for column in order}
    challenger = by_letter[pair.challenger]
    doing = verbs.get(challenger.kind, challenger.letter)
    use = percent(scene.mean_use)
    if pair.exact_months is None or pair.first_month_cheaper is None:
        first = (
            f"At {use} use, {doing} does not pay off within {span}, undiscounted{_crossings(pair)}"
        )
    else:
        after = f"{time_span(pair.first_month_cheaper)}, undiscounted{_crossings(pair)},"
        first = f"At {use} use, {doing} pays off after {after} and saves {saves} over {span}"
    tie = next((item for item in tied if set(item.between) == {winner.letter, rival.letter}), None)
    if tie is None or tie.value is None or {winner.kind, rival.kind} != set(verbs):
        return f"{first}."
    return f"{first}; below {percent(tie.value)} renting is cheaper over {span}."


def _odds(winner: DesignResult, odds: Odds | None) -> str | None:
    if odds is None:
        return None
    share = percent(odds.wins.get(winner.letter, 0.0))
    return f"{name_of(winner)} wins in {share} of {odds.draws_count:,} draws."
