"""The answer in sentences that a planner could repeat in a meeting."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from capmodels.amounts import as_number
from capmodels.numbers import is_level, is_same, names_in_order, percent
from capmodels.plans.answer.flips import flips_sentence
from capmodels.plans.answer.ranking import break_even, by_cost
from capmodels.plans.comparison import BreakEven, DesignResult, Tie, Verdict
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.plans.words import (
    RENTED,
    horizon_words,
    inside,
    lowered,
    money,
    name_parts,
    share_error_words,
    time_span,
    why_rival,
)
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.plans.answer.draws_kernel import Sureness
    from capmodels.plans.comparison import Pair, Quantity, VerdictKind
    from capmodels.plans.costing.scene import Scene

OWNED = frozenset({"owned_cluster", "disk_array", "hybrid"})

# Against a rival: share of the simulations in which a design is cheaper, and mean gap.
CLEAR = (0.75, 0.02)
PROBABLE = (0.60, 0.01)


@dataclass(frozen=True, slots=True)
class Judged:
    """The designs that compete, cheapest first, and how the leader stands against the rest.

    ``same`` are the letters that cost what the leader does, ``open`` those that cannot be
    told from it; ``certain`` says that no input has a range.
    """

    kind: VerdictKind
    order: list[DesignResult]
    same: list[str]
    open: list[str]
    certain: bool = False

    @property
    def letters(self) -> list[str]:
        """The designs that are the answer."""
        return self.same + self.open

    @property
    def rival(self) -> DesignResult | None:
        """The cheapest design that is not part of the answer."""
        return next((item for item in self.order if item.letter not in self.letters), None)


def alike(order: list[DesignResult], sure: Sureness | None) -> list[str]:
    """The letters of the designs that cost what the leader does, its own first."""
    if sure is not None and sure.odds is not None:
        return sure.same
    return [item.letter for item in order if is_level(item.ranked_usd, order[0].ranked_usd)]


def rival_of(order: list[DesignResult], sure: Sureness | None) -> DesignResult | None:
    """What the leader is held against: the cheapest that does not cost the same, if any."""
    same = alike(order, sure)
    rivals = [item for item in order[1:] if item.letter not in same]
    return next(iter(rivals or order[1:]), None)


def judge(order: list[DesignResult], sure: Sureness | None, *, certain: bool) -> Judged:
    """Hold the leader against every rival.

    Pairwise, so that similar designs do not split the odds among them: those that cost the
    same are one, and the others are held against it.
    """
    if sure is None or sure.odds is None:
        return Judged("as_entered", order, alike(order, sure), [], certain)
    rivals = [pair for pair in sure.odds.pairs if pair.rival not in sure.same]
    if not rivals:
        return Judged("same", order, sure.same, [])
    # Ties count half in the shares: what is never beaten is the cheapest, however often tied.
    if is_never_beaten(order[0]) or all(_beats(pair, CLEAR) for pair in rivals):
        return Judged("clear", order, sure.same, [])
    level = [pair.rival for pair in rivals if not _beats(pair, PROBABLE)]
    return Judged("open" if level else "probable", order, sure.same, level)


def is_never_beaten(first: DesignResult) -> bool:
    """Whether no other design costs less in any simulation: choosing it is never wrong."""
    regret_usd = first.regret_usd
    return regret_usd is not None and is_same(first.ranked_usd + regret_usd, first.ranked_usd)


def _beats(pair: Pair, bar: tuple[float, float]) -> bool:
    return pair.cheaper_fraction >= bar[0] and pair.gap_fraction >= bar[1]


def verdict_of(
    order: list[DesignResult],
    columns: list[DesignResult],
    *,
    even: list[BreakEven],
    tied: list[Tie],
    sure: Sureness | None,
    scene: Scene,
    certain: bool,
) -> Verdict:
    """Return the verdict; the order is of the designs that compete, cheapest first.

    ``certain`` says that no input has a range.
    """
    excluded = _excluded(columns, scene)
    if not order:
        none = all(column.shortfall is not None for column in columns)
        short = "No design meets demand" if none else "No design meets demand reliably"
        headline = f"**{short}.** {excluded}"
        return Verdict(kind="none", headline=headline, excluded=excluded, odds_reason=NONE_MEETS)
    if len(order) == 1:
        return Verdict(
            kind="alone" if len(columns) == 1 else "only",
            letters=(order[0].letter,),
            headline=_single(order[0], columns, scene),
            odds=None if sure is None else _spread(order[0], sure, scene),
            odds_reason=_no_rival(order[0], columns),
            entered=None if sure is None else _as_entered_beside(order, columns, sure, scene),
            excluded=excluded,
        )
    judged = judge(order, sure, certain=certain)
    decides = rests_on_cause(judged, scene)
    return Verdict(
        kind=judged.kind,
        letters=tuple(judged.letters),
        headline=f"{_HEADLINES[judged.kind](judged, sure, scene)}{_left_out(columns)}",
        payoff=_payoff(order, even, tied, sure, scene),
        odds=None if sure is None else _odds(judged, sure, scene),
        odds_reason=None if sure is not None else NO_RANGES if judged.certain else NOT_ASKED,
        entered=None if sure is None else _as_entered_beside(order, columns, sure, scene),
        because=because(judged, scene) if decides is None else None,
        rests=rests_on(decides, rests_on_value_left(judged, scene)),
        flips=None if sure is None else flips_sentence(sure.flips, scene, sure.choices),
        alternatives=None if sure is None else _alternatives(sure),
        excluded=excluded,
    )


def _alternatives(sure: Sureness) -> str | None:
    return " ".join(str(choice.sentence) for choice in sure.choices) or None


RESTS_ON = "It rests on "


def rests_on(cause: str | None, left: str | None) -> str | None:
    """Say what the lead rests on, a cause, the value left at the end, or both: once."""
    if cause is not None and left is not None and left.startswith(RESTS_ON):
        return f"{cause.removesuffix('.')}; and on {left.removeprefix(RESTS_ON)}"
    return " ".join(filter(None, (cause, left))) or None


# Causes of each side that are named, where they are at least such a share of the lead.
_NAMED_MAX, _NAMED_FROM = 2, 0.05


def because(judged: Judged, scene: Scene) -> str | None:
    """Name the causes for which the best rival pays more than the winner, and the other way round.

    It is said where no single cause decides.
    """
    first, rival = judged.order[0], judged.rival
    if rival is None or judged.kind == "open":
        return None
    own_usd, rival_usd, labels = _paid_by_cause(first, rival)
    least = _NAMED_FROM * (rival.ranked_usd - first.ranked_usd)
    currency = scene.assumptions.currency

    def pays(column: DesignResult, usd: dict[str, float], than_usd: dict[str, float]) -> str:
        # What is saved or given back is nothing that is paid.
        more = {cause: paid - than_usd.get(cause, 0.0) for cause, paid in usd.items() if paid > 0}
        named = [cause for cause in sorted(more, key=more.__getitem__) if more[cause] > least]
        told = [
            f"{money(more[cause], currency)} more for {labels[cause]}"
            for cause in named[: -_NAMED_MAX - 1 : -1]
        ]
        return f"{name_of(column)} pays {listed(told)}" if told else ""

    if not (against := pays(rival, rival_usd, own_usd)):
        return None
    own = pays(first, own_usd, rival_usd)
    return f"{against}; {own}." if own else f"{against}."


def _paid_by_cause(
    first: DesignResult, rival: DesignResult
) -> tuple[dict[str, float], dict[str, float], dict[str, str]]:
    """What two designs pay by cause, as the verdict ranks them, and names of causes. [USD]"""
    costs: tuple[dict[str, float], dict[str, float]] = ({}, {})
    labels: dict[str, str] = {}
    for column, of_causes in zip((first, rival), costs, strict=True):
        for one in column.causes:
            of_causes[one.cause] = of_causes.get(one.cause, 0.0) + one.ranked_usd
            labels[one.cause] = lowered(one.label)
    return *costs, labels


def rests_on_cause(judged: Judged, scene: Scene) -> str | None:
    """Name the cause that favours the winner most against its best rival, where that decides.

    It does where the lead would be below 2% of the winner's cost if the cause came to the same in
    both. A cause that only one of the two pays is another way to pay for the same work.
    """
    first, rival = judged.order[0], judged.rival
    if rival is None or judged.kind == "open":
        return None
    gap = rival.ranked_usd - first.ranked_usd
    own_usd, rival_usd, labels = _paid_by_cause(first, rival)
    favours = {
        cause: rival_usd[cause] - usd
        for cause, usd in own_usd.items()
        if usd > 0 and rival_usd.get(cause, 0.0) > 0
    }
    cause = max(favours, key=favours.__getitem__, default=None)
    if cause is None or not 0 < gap < favours[cause] + CLEAR[1] * abs(first.ranked_usd):
        return None
    currency, winner, other = scene.assumptions.currency, name_of(first), name_of(rival)
    rest = gap - favours[cause]
    then = f"{money(abs(rest), currency)} {'less' if rest < 0 else 'more'} than {winner}"
    if is_same(gap, favours[cause]):
        then = f"the same as {winner}"
    return (
        f"{RESTS_ON}{labels[cause]}, {money(favours[cause], currency)} less for {winner} "
        f"than for {other}: at equal {labels[cause]} {other} would cost {then}."
    )


def rests_on_value_left(judged: Judged, scene: Scene) -> str | None:
    """Say where another design is the cheapest without what is left, else its share of the lead.

    Nobody is paid what is left of hardware that works on, or of months paid in advance. Of what
    runs today the resale at the start is money.
    """
    without = {column.letter: column.ranked_usd - _left_usd(column) for column in judged.order}
    first = judged.order[0]
    lowest = names_in_order(without)[0]
    least = next(column for column in judged.order if column.letter == lowest)
    less = without[first.letter] - without[lowest]
    if lowest in judged.letters or is_level(without[first.letter], without[lowest]):
        return _share_of_value_left(judged, scene)
    currency = scene.assumptions.currency
    worth = [
        f"{money(-left, currency)} of {name_of(column)}"
        for column in (first, least)
        if (left := _left_usd(column))
    ]
    return (
        f"{RESTS_ON}the value left at the end ({listed(worth)}): without it {name_of(least)} "
        f"costs {money(less, currency)} less than {name_of(first)}."
    )


# From this share of the lead on it is said how much of it is value left.
LEFT_FROM = 0.01


def _share_of_value_left(judged: Judged, scene: Scene) -> str | None:
    """Say how much of the lead is value left, where the winner is the cheapest without it too."""
    first, rival = judged.order[0], judged.rival
    if rival is None or judged.kind == "open":
        return None
    gap = rival.ranked_usd - first.ranked_usd
    left = _left_usd(rival) - _left_usd(first)
    if gap <= 0 or left < LEFT_FROM * gap:
        return None
    currency = scene.assumptions.currency
    return (
        f"Of the {money(gap, currency)} by which {name_of(first)} costs less than "
        f"{name_of(rival)}, {money(left, currency)} ({percent(left / gap)}) is value left at the "
        "end."
    )


def _left_usd(column: DesignResult) -> float:
    """What is left at the end, on the basis of the verdict; negative, as it is no cost. [USD]"""
    if column.is_baseline:
        return 0.0
    return sum(cause.ranked_usd for cause in column.causes if cause.cause == "salvage")


def with_left_out(verdict: Verdict, left_out: list[str]) -> Verdict:
    """The verdict that names the costs which nobody entered: they are unknown, not zero."""
    if not left_out:
        return verdict
    return verdict.model_copy(update={"not_counted": f"Not counted: {listed(left_out)}."})


RELIABLY = "Only designs that meet it in at least 95% are compared."
NONE_MEETS = "No design meets demand, so there are no odds."
NO_UNCERTAINTY, NOT_SIMULATED = "no uncertainty was entered", "without simulations"
NO_RANGES = "No input has a range, so no uncertainty is known."
NOT_ASKED = "No simulations were asked for."


def _no_rival(only: DesignResult, columns: list[DesignResult]) -> str:
    if len(columns) == 1:
        return "One design alone has no odds. Add another to compare it with."
    return f"Only {name_of(only)} meets demand, so there are no odds."


def name_of(column: DesignResult) -> str:
    """A design's letter, or the title of what runs today."""
    return column.title if column.is_baseline else column.letter


def _excluded(columns: list[DesignResult], scene: Scene) -> str | None:
    """Each design that does not compete, with the reason."""
    out = [column for column in by_cost(columns) if not column.competes]
    return " ".join(f"{name_of(column)}: {_why_not(column, scene)}" for column in out) or None


def _why_not(column: DesignResult, scene: Scene) -> str:
    if column.shortfall is not None:
        return lowered(column.shortfall.sentence)
    met = percent(column.met_fraction or 0.0)
    said = f"it meets demand as entered, but only in {met} of the simulations. {RELIABLY}"
    counts = fixed_arrays(scene, column.letter)
    if not counts:
        return said
    many = listed([f"{count:g}" for count in counts])
    return (
        f"{said} Its number of arrays is fixed at {many}: leave it empty, and as many are bought "
        "as the demand asks for when they are ordered, with the headroom that servers have."
    )


def fixed_arrays(scene: Scene, letter: str) -> list[float]:
    """The numbers of arrays that were entered for a design, tier by tier; not those sized."""
    spec = next((item for item in scene.study.designs if item.letter == letter), None)
    array, tiering = getattr(spec, "array", None), getattr(spec, "tiering", None)
    colder = [] if tiering is None else [tier.array for tier in tiering.colder]
    return [one.count for one in (array, *colder) if one is not None and one.count is not None]


# From here on the title of a design is cut in a headline.
TITLE_LETTERS = 56


def titled(column: DesignResult) -> str:
    """A design by its title and letter, as a headline names it; what runs today by its title.

    Later sentences go by the letter.
    """
    if column.is_baseline:
        return column.title
    title = shorten(column.title, TITLE_LETTERS, placeholder=" …")
    return f"{title or 'Design'} ({column.letter})"


def _left_out(columns: list[DesignResult]) -> str:
    """Which designs are not among those compared; why stands in ``excluded``."""
    out = [name_of(column) for column in by_cost(columns) if not column.competes]
    if not out:
        return ""
    return f" {listed(out)} {'does' if len(out) == 1 else 'do'} not meet demand."


def _agree(judged: Judged, sure: Sureness | None) -> str:
    """In how many of a hundred simulations the answer is the cheapest."""
    if sure is None or sure.odds is None:
        return ""
    if is_never_beaten(judged.order[0]):
        return " No simulation disagrees."
    share = sum(sure.odds.wins[letter] for letter in judged.same)
    verb = "agrees" if round(100 * share) == 1 else "agree"
    return f" {_of_hundred(share)} simulations {verb}."


def _of_hundred(share: float) -> str:
    """Say a share of simulations.

    >>> [_of_hundred(share) for share in (1.0, 0.9999, 0.914)]
    ['All', 'More than 99 of 100', '91 of 100']
    """
    if share >= 1.0:
        return "All"
    whole = round(100 * share)
    return "More than 99 of 100" if whole == 100 else f"{whole} of 100"


def _cost(column: DesignResult, scene: Scene) -> str:
    """What a design costs by the chosen measure, and how that is counted."""
    assumptions = scene.assumptions
    cost = money(column.ranked_usd, assumptions.currency)
    return f"{cost}{measure(column, assumptions.ranked_by)}"


def measure(column: DesignResult, ranked_by: str) -> str:
    """How an amount is counted: in present value, on average."""
    of = " in present value" if ranked_by == "present_value" else ""
    return of if column.mean_usd is None else f"{of} on average"


def _less(first: DesignResult, rival: DesignResult, scene: Scene) -> str:
    """How much less one design costs than another: $51 k (12%) less than Rent (A)."""
    cost, other = first.ranked_usd, rival.ranked_usd
    share = (other - cost) / abs(other) if other else 0.0
    less = money(other - cost, scene.assumptions.currency)
    return f"{less} ({percent(share)}) less than {titled(rival)}"


def _named(
    judged: Judged, letters: list[str], name: Callable[[DesignResult], str] = name_of
) -> str:
    names = {column.letter: name(column) for column in judged.order}
    return listed([names[letter] for letter in letters])


def _clear(judged: Judged, sure: Sureness | None, scene: Scene) -> str:
    first, rival, span = judged.order[0], judged.rival, horizon_words(scene.months)
    word = " probably" if judged.kind == "probable" else ""
    costs = "cost the same, and least" if len(judged.same) > 1 else "costs least"
    less = "" if rival is None else f", {_less(first, rival, scene)}"
    return (
        f"**{_named(judged, judged.same, titled)}**{word} {costs}: {_cost(first, scene)} over "
        f"{span}{less}.{_agree(judged, sure)}"
    )


def _as_entered(judged: Judged, _sure: Sureness | None, scene: Scene) -> str:
    first, rival, span = judged.order[0], judged.rival, horizon_words(scene.months)
    why = NO_UNCERTAINTY if judged.certain else NOT_SIMULATED
    names, cost = _named(judged, judged.same, titled), f"{_cost(first, scene)} over {span}"
    if rival is None:
        return f"**{names}** cost the same at the entered values: {cost}; {why}."
    costs = "cost the same, and least" if len(judged.same) > 1 else "costs least"
    less = _less(first, rival, scene)
    return f"**{names}** {costs} at the entered values: {cost}, {less}; {why}."


def _same(judged: Judged, _sure: Sureness | None, scene: Scene) -> str:
    names, span = _named(judged, judged.same, titled), horizon_words(scene.months)
    return (
        f"**{names}** cost the same over {span}: "
        f"{_cost(judged.order[0], scene)}; the differences are below 1%."
    )


def _open(judged: Judged, sure: Sureness | None, scene: Scene) -> str:
    if sure is None or sure.odds is None:
        raise TypeError
    span, first = horizon_words(scene.months), judged.order[0]
    pair = next(pair for pair in sure.odds.pairs if pair.rival == judged.open[0])
    rival = next(item for item in judged.order if item.letter == pair.rival)
    depends = depends_on(sure, scene.study)
    on = "" if depends is None else f" It depends on {depends}."
    return (
        f"**Too close to call between {_named(judged, judged.letters, titled)}** over {span}: "
        f"{name_of(first)} ({_cost(first, scene)}) is cheaper than {name_of(rival)} in "
        f"{percent(pair.cheaper_fraction)} of {sure.odds.draws_count:,} simulations, by "
        f"{percent(pair.gap_fraction)} on average.{on}"
    )


_HEADLINES = {
    "clear": _clear,
    "probable": _clear,
    "as_entered": _as_entered,
    "same": _same,
    "open": _open,
}


def depends_on(sure: Sureness, study: Any) -> str | None:
    """The unknown that explains most of the difference between the leader and its rival."""
    told = [
        *((one.explains_fraction, one.label, one.members[0].pointer) for one in sure.quantities),
        *((one.explains_fraction, one.label, one.pointer) for one in sure.choices),
    ]
    share, label, pointer = max(told, key=lambda one: one[0] or 0.0, default=(None, "", ""))
    if not share:
        return None
    return f"{inside(study, pointer, label)} ({percent(share)} of the difference)"


def _single(only: DesignResult, columns: list[DesignResult], scene: Scene) -> str:
    cost, span = _cost(only, scene), horizon_words(scene.months)
    if len(columns) == 1:
        return f"**{titled(only)}** costs {cost} over {span}."
    return f"**Only {titled(only)} meets demand**: {cost} over {span}."


def _spread(column: DesignResult, sure: Sureness, scene: Scene) -> str:
    """The range of one design's cost."""
    low, _middle, high = sure.designs[column.letter].quantiles_usd
    currency = scene.assumptions.currency
    ends = f"{money(low, currency)} to {money(high, currency)}"
    return f"{name_of(column)} costs {ends} (P10–P90) in {sure.draws_count:,} simulations."


def _payoff(
    order: list[DesignResult],
    even: list[BreakEven],
    tied: list[Tie],
    sure: Sureness | None,
    scene: Scene,
) -> str | None:
    winner, rival = order[0].letter, opposite(order).letter
    runner_up = rival_of(order, sure)
    kinds = {one.letter: one.kind for one in order}
    why = why_rival(rival, kinds, None if runner_up is None else runner_up.letter)
    if isinstance(scene.study.workload, UtilizationWorkload):
        return _payoff_at_use(order, tied, why, scene)
    pair = next(
        (
            item
            for item in even
            if {item.challenger, item.incumbent} == {winner, rival}
            and item.discounted == scene.by_value
        ),
        None,
    )
    if pair is None:
        return None
    challengers, incumbents = (_level(one, order) for one in (pair.challenger, pair.incumbent))
    challenger, incumbent = (
        f"{listed(names)}{why if letter == rival else ''}"
        for letter, names in ((pair.challenger, challengers), (pair.incumbent, incumbents))
    )
    several = len(challengers) > 1
    basis = _basis(pair)
    if pair.reason == "same":
        return None
    if pair.reason == "always":
        are = "are" if several else "is"
        return f"{challenger} {are} cheaper than {incumbent} from the start, {basis}."
    if pair.exact_months is None:
        span = horizon_words(scene.months)
        return (
            f"The higher upfront cost of {challenger} is not recovered against {incumbent} "
            f"within {span}, {basis}{_crossings(pair)}."
        )
    after = time_span(pair.exact_months)
    breaks = "break" if several else "breaks"
    return f"{challenger} {breaks} even with {incumbent} after {after}, {basis}{_crossings(pair)}."


def _level(letter: str, order: list[DesignResult]) -> list[str]:
    """A design and those that have cost the same as it in every month, by name."""
    curve = next(one.cumulative_ranked_usd for one in order if one.letter == letter)
    return sorted(
        name_of(one) for one in order if all(map(is_same, one.cumulative_ranked_usd, curve))
    )


def opposite(order: list[DesignResult]) -> DesignResult:
    """The cheapest design that is bought where the winner is rented, or the other way round.

    Of designs of one side the cheapest that does not cost the same.
    """
    side = order[0].kind in RENTED
    other = next((item for item in order[1:] if (item.kind in RENTED) != side), None)
    if other is not None:
        return other
    costly = (one for one in order[1:] if not is_same(one.ranked_usd, order[0].ranked_usd))
    return next(costly, order[1])


def _basis(pair: BreakEven) -> str:
    basis = "discounted" if pair.discounted else "undiscounted"
    return f"{basis}, on average" if pair.basis == "mean" else basis


def _crossings(pair: BreakEven) -> str:
    if pair.crossings_count < 2:
        return ""
    if pair.reason == "never":
        return f", after {pair.crossings_count} crossings"
    return f", the last of {pair.crossings_count} crossings"


def _payoff_at_use(
    order: list[DesignResult], tied: list[Tie], why: str, scene: Scene
) -> str | None:
    """Two thresholds, each with its own words: pay-off at this use, tie over the horizon.

    Both at the entered values: the mean over a range of use is the answer at no use of it.
    """
    span, currency = horizon_words(scene.months), scene.assumptions.currency
    winner, rival = order[0], opposite(order)
    pair = break_even(winner, rival, discounted=scene.by_value, basis="as_entered")
    if pair.reason == "same":
        return None
    by_letter = {column.letter: column for column in order}
    challenger, incumbent = by_letter[pair.challenger], by_letter[pair.incumbent]
    verbs = {"owned_cluster": "owning", "cloud": "renting"}
    challengers = _level(challenger.letter, order)
    doing = verbs.get(challenger.kind, listed(challengers))
    several = challenger.kind not in verbs and len(challengers) > 1
    drawn = "As entered, at" if winner.mean_usd is not None else "At"
    tie = next((item for item in tied if set(item.between) == {winner.letter, rival.letter}), None)
    use = as_number(scene.mean_use)
    here, there = _apart(use, use if tie is None or tie.value is None else tie.value)
    # Of two designs it is plain which the other is.
    against = ""
    if len(order) > 2:
        others = listed(_level(incumbent.letter, order))
        against = f" against {others}{why if incumbent is rival else ''}"
    at = f"{drawn} {here} use, {doing}{why if challenger is rival else ''}"
    how = f"{_basis(pair)}{_crossings(pair)}"
    if pair.exact_months is None:
        do = "do" if several else "does"
        first = f"{at} {do} not pay off{against} within {span}, {how}"
    else:
        saves = money(_entered_usd(incumbent, scene) - _entered_usd(challenger, scene), currency)
        after = time_span(pair.exact_months)
        pay, save = ("pay", "each saves") if several else ("pays", "saves")
        first = f"{at} {pay} off{against} after {after}, {how}, and {save} {saves} over {span}"
    if tie is None or tie.value is None or {winner.kind, rival.kind} != set(verbs):
        return f"{first}."
    begins = f"owning begins to pay at {there} use over {span}"
    return f"{first}; {begins}, below it renting is cheaper."


def _apart(one: float, other: float) -> tuple[str, str]:
    """Two shares with the digits that tell them apart.

    >>> _apart(0.25, 0.2123), _apart(0.211, 0.2123), _apart(0.2, 0.2)
    (('25%', '21%'), ('21.1%', '21.2%'), ('20%', '20%'))
    """
    for text in (percent, "{:.1%}".format, "{:.2%}".format):
        if text(one) != text(other):
            return text(one), text(other)
    return percent(one), percent(other)


def _odds(judged: Judged, sure: Sureness, scene: Scene) -> str | None:
    odds = sure.odds
    if odds is None:
        return None
    first = judged.order[0]
    verb = "are" if len(judged.same) > 1 else "is"
    names = _named(judged, judged.same)
    tied = [(pair.rival, 2 * (1 - pair.cheaper_fraction)) for pair in odds.pairs]
    level = [(rival, share) for rival, share in tied if rival not in judged.same and share > 0]
    if is_never_beaten(first) and level:
        same = listed([f"{_named(judged, [rival])} in {percent(share)}" for rival, share in level])
        said = (
            f"{names} {verb} never beaten: in all {odds.draws_count:,} simulations no other design "
            f"costs less, and the same is the cost of {same}"
        )
    else:
        shares = sum(odds.wins[letter] for letter in judged.same)
        said = (
            f"{names} {verb} cheapest in {percent(shares)} of "
            f"{odds.draws_count:,} simulations ({share_error_words(shares, odds.draws_count)})"
        )
    kinds = {item.kind for item in judged.order}
    if kinds & OWNED and kinds - OWNED:
        said += f"; owning in some form in {percent(odds.owned_fraction)}"
    regret = ""
    if first.regret_usd is not None:
        amount = money(first.regret_usd, scene.assumptions.currency)
        # What is cheapest in each trial is the same for all: of one cost, of one regret.
        least = [name_of(one) for one in judged.order if is_same(one.ranked_usd, first.ranked_usd)]
        regret = f" Expected cost of a wrong choice: {amount} for {listed(least)}."
    return f"{said}.{regret}"


def _entered_usd(column: DesignResult, scene: Scene) -> float:
    """What a design costs at the entered values, by the measure of the ranking. [USD]"""
    return column.npv_usd if scene.by_value else column.total_usd


# Ranges that are named as the reason, and the least share that each has in it.
RANGES_NAMED, RANGES_FROM = 3, 0.1
# What the ranges have to account for of a difference before any is named as its reason.
EXPLAINED_FROM = 0.5


def _as_entered_beside(
    order: list[DesignResult], columns: list[DesignResult], sure: Sureness, scene: Scene
) -> str | None:
    """Say where costs as entered lead elsewhere than their means, and which ranges do it.

    Of every design whose mean is farther from its cost as entered than the gap that decides, or
    whose cost as entered is outside P10 to P90; None without any, and where another design is
    not the cheapest as entered.
    """
    currency = scene.assumptions.currency
    told = [column for column in by_cost(columns) if sure.designs[column.letter].pulls_usd]
    below = [item for item in told if _entered_usd(item, scene) < _mean_usd(item, sure)]
    sentences = []
    least = min(order, key=lambda column: (_entered_usd(column, scene), column.ranked_usd))
    if not is_same(_entered_usd(least, scene), _entered_usd(order[0], scene)) and (
        least.letter not in {order[0].letter, *sure.same}
    ):
        less = _entered_usd(order[0], scene) - _entered_usd(least, scene)
        sentences.append(
            f"As entered {name_of(least)} costs least, {money(less, currency)} less than "
            f"{name_of(order[0])}."
        )
    if below:
        sentences.append(_beside(below, sure, scene, is_below=True))
    if above := [item for item in told if item not in below]:
        sentences.append(_beside(above, sure, scene, is_below=False))
    return " ".join(sentences) or None


def _mean_usd(column: DesignResult, sure: Sureness) -> float:
    return sure.designs[column.letter].mean_usd


def _beside(columns: list[DesignResult], sure: Sureness, scene: Scene, *, is_below: bool) -> str:
    """Say it of designs on one side of their means, with the ranges that do most to them."""
    currency, sign = scene.assumptions.currency, 1.0 if is_below else -1.0
    side, far = ("less", "higher") if is_below else ("more", "lower")
    parts = [
        f"{name_of(column)} {money(_entered_usd(column, scene), currency)}, "
        f"{money(abs(_mean_usd(column, sure) - _entered_usd(column, scene)), currency)} {side}"
        for column in columns
    ]
    first = name_of(columns[0])
    parts[0] = f"{first} costs{parts[0].removeprefix(first)} than on average"
    said = f"As entered {'; '.join(parts)}"
    rows = (sure.designs[column.letter].pulls_usd for column in columns)
    pulls = [max(sign * sum(amounts), 0.0) for amounts in zip(*rows, strict=True)]
    away = [abs(_mean_usd(column, sure) - _entered_usd(column, scene)) for column in columns]
    ranked = sorted(zip(pulls, sure.quantities, strict=True), key=lambda item: -item[0])
    most = [item for pull, item in ranked if pull > RANGES_FROM * sum(pulls)][:RANGES_NAMED]
    if sure.choices:
        said += "; the mean is over the alternatives, too"
    explained = (
        sign * sum(sure.designs[column.letter].pulls_usd) >= EXPLAINED_FROM * usd
        for column, usd in zip(columns, away, strict=True)
    )
    if not most or not all(explained):
        return f"{said}; no single range explains that."
    verb, ranges = ("is", "range") if len(most) == 1 else ("are", "ranges")
    of = listed([_unknown(item, scene) for item in most])
    return f"{said}: the {ranges} of {of} {verb} skewed towards {far} costs."


def _unknown(quantity: Quantity, scene: Scene) -> str:
    """An unknown without whose it is: as named by hand, else as in transit (network)."""
    leaf = leaf_at(scene.study, quantity.members[0].pointer)
    if quantity.by_hand or leaf is None:
        return quantity.key
    named = name_parts(scene.study, leaf)
    held = ", ".join(named.within)
    within = f" ({inside(scene.study, quantity.members[0].pointer, held)})" if held else ""
    return f"{named.name}{within}"
