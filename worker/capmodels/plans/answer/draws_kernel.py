"""How sure the verdict is: what the trials say of the designs, in the answer's own terms. NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.explore.sampling_kernel import quantiles, triangular
from capmodels.explore.triangle import triangular_share
from capmodels.numbers import SAME, names_in_order
from capmodels.plans.answer.certainty_kernel import (
    NEAR_FRACTION,
    break_points,
    cheaper_fraction,
    correlations,
    mean_error,
    means_at_ends,
    pulls,
    same_fraction,
    shares_of,
    untied,
)
from capmodels.plans.answer.choices_kernel import odds_of_choices
from capmodels.plans.answer.flips import HELD, after, no_flip
from capmodels.plans.answer.moves_kernel import (
    BARS,
    FRESH_MOST,
    Fresh,
    bars_anew,
    flips_anew,
    longest_first,
)
from capmodels.plans.answer.trials_kernel import (
    Evaluator,
    Trials,
    run_trials,
    values_at_ends,
)
from capmodels.plans.comparison import ChoiceOdds, Flip, Member, Odds, Pair, TornadoBar
from capmodels.plans.comparison import Quantity as ToldQuantity
from capmodels.plans.document.combinations import combinations_of, has_unknowns
from capmodels.plans.document.quantities import Quantity, quantities_of
from capmodels.plans.words import inside, label_of, share_error, share_explained
from capmodels.told import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from capmodels.plans.answer.certainty_kernel import BreakPoint, Shares
    from capmodels.plans.causes import Side
    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.scene import Curves
    from capmodels.plans.document.quantities import Member as Input
    from capmodels.plans.document.study import StudySpec

    Draws = NDArray[np.float64]

BANDS = (0.1, 0.5, 0.9)
# A design competes when it meets demand in this share of the simulations.
COMPETES_FRACTION = 0.95
# Costs are the same when they are near each other in this share of the trials.
SAME_FRACTION = 0.95
# Trials that are enough to say which ranges take the mean from a cost as entered.
PULLED = 2_000


@dataclass(slots=True)
class DesignDraws:
    """What the trials say of one design; what only competing designs have may be None.

    ``causes_usd`` are the mean, P10 and P90 of each cause on each side. Where the cost as
    entered is below P10 or above P90, or farther from the mean than the gap that decides,
    ``pulls_usd`` says how far each quantity takes the mean from it.
    """

    mean_usd: float
    mean_error_usd: float
    quantiles_usd: tuple[float, ...]
    cumulative_mean_usd: tuple[float, ...]
    cumulative_usd: tuple[tuple[float, ...], ...]
    causes_usd: dict[tuple[str, Side], tuple[float, float, float]]
    met_fraction: float | None = None
    unmet_h_per_year: float | None = None
    win_fraction: float | None = None
    near_fraction: float | None = None
    regret_usd: float | None = None
    pulls_usd: tuple[float, ...] = ()


@dataclass(slots=True)
class Sureness:
    """What the trials say of a study; ``order`` are the competing letters by mean cost.

    ``same`` are the designs that cost what the leader does, itself among them.
    """

    designs: dict[str, DesignDraws]
    quantities: tuple[ToldQuantity, ...]
    order: list[str]
    same: list[str]
    draws_count: int
    odds: Odds | None = None
    flips: tuple[Flip, ...] = ()
    tornado: tuple[TornadoBar, ...] = ()
    tornado_center_usd: float | None = None
    choices: tuple[ChoiceOdds, ...] = ()


def sureness(study: StudySpec, columns: list[DesignResult], curves: Curves) -> Sureness | None:
    """Draw every quantity; None when no draws are asked for, or nothing has a range.

    Raises
    ------
    FloatingPointError
        When a sum leaves the range of numbers.
    """
    if study.draws_count == 0 or not has_unknowns(study):
        return None
    quantities = quantities_of(study)
    evaluator = Evaluator(study, curves)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        return _sureness(evaluator, quantities, columns)


def competes(column: DesignResult, met_fraction: float) -> bool:
    """Say whether a design that meets demand in such a share of the simulations is ranked."""
    return column.carries_load and met_fraction >= COMPETES_FRACTION


def _sureness(
    evaluator: Evaluator, quantities: list[Quantity], columns: list[DesignResult]
) -> Sureness:
    study = evaluator.study
    letters = [column.letter for column in columns]
    trials = run_trials(evaluator, quantities, letters, study.draws_count)
    designs = {letter: _design(trials, letter) for letter in letters}
    competing = [
        column for column in columns if competes(column, designs[column.letter].met_fraction or 0)
    ]
    order = names_in_order({one.letter: designs[one.letter].mean_usd for one in competing})
    said = tuple(_told(study, item) for item in quantities)
    told = Sureness(designs, said, order, order[:1], study.draws_count)
    if len(order) > 1:
        kinds = {column.letter: str(column.kind) for column in columns}
        _hold_against(told, trials, evaluator, quantities, kinds)
    _note_pulls(told, trials, quantities, columns)
    for letter in letters:
        # Last, for quantiles put the amounts out of order.
        row = trials.ranked_usd[letters.index(letter)]
        designs[letter].quantiles_usd = tuple(float(found) for found in quantiles(row, BANDS))
    return told


def _design(trials: Trials, letter: str) -> DesignDraws:
    ranked = trials.ranked_usd[trials.letters.index(letter)]
    running = trials.cumulative_usd[letter].mean(axis=1, dtype=np.float64).tolist()
    found = quantiles(trials.cumulative_usd[letter], BANDS)
    return DesignDraws(
        mean_usd=float(ranked.mean()),
        mean_error_usd=mean_error(ranked),
        quantiles_usd=(),
        cumulative_mean_usd=(*running[:-1], float(ranked.mean())),
        cumulative_usd=tuple(tuple(row.tolist()) for row in found),
        causes_usd=trials.of_causes(letter, _cause),
        met_fraction=float(1.0 - trials.short[trials.letters.index(letter)].mean()),
        unmet_h_per_year=float(trials.unmet_h_per_year[trials.letters.index(letter)].mean()),
    )


def _deciding_usd(told: Sureness) -> float:
    """Gap of the means by which the leader leads its best rival, 1% of its cost at least. [USD]"""
    means = {letter: told.designs[letter].mean_usd for letter in told.order}
    rivals = [usd for letter, usd in means.items() if letter not in told.same]
    if len(means) < 2:
        return math.inf
    first = means[told.order[0]]
    return max(min(rivals, default=first) - first, NEAR_FRACTION * abs(first))


def _note_pulls(
    told: Sureness,
    trials: Trials,
    quantities: list[Quantity],
    columns: list[DesignResult],
) -> None:
    """Say what takes the simulations away from a cost as entered, where that matters.

    It does where the cost as entered lies outside P10 to P90, and where it is farther from the
    mean than the gap that decides.
    """
    designs, gap_usd = told.designs, _deciding_usd(told)
    off = []
    for column, row in zip(columns, trials.ranked_usd, strict=True):
        slack = SAME * abs(column.ranked_usd)
        up_to, from_on = row <= column.ranked_usd + slack, row >= column.ranked_usd - slack
        is_outside = min(up_to.mean(), from_on.mean()) < BANDS[0]
        away_usd = abs(designs[column.letter].mean_usd - column.ranked_usd)
        if is_outside or (column.letter in told.order and away_usd > gap_usd):
            off.append(column.letter)
    if off:
        values = np.array([item.widest.value for item in quantities])
        some = slice(PULLED)
        found = pulls(trials.drawn[:, some], trials.of(off)[:, some], values)
        for letter, row in zip(off, found.T, strict=True):
            designs[letter].pulls_usd = tuple(row.tolist())


def _cause(amounts_usd: Draws) -> tuple[float, float, float]:
    """Mean, P10 and P90 of a cause."""
    mean = float(amounts_usd.mean())
    low, high = quantiles(amounts_usd, (BANDS[0], BANDS[-1]))
    return mean, float(low), float(high)


def _hold_against(
    told: Sureness,
    trials: Trials,
    evaluator: Evaluator,
    quantities: list[Quantity],
    kinds: dict[str, str],
) -> None:
    """Say of the competing designs how they do against each other."""
    order = told.order
    ranked = trials.of(order)
    shares = shares_of(ranked)
    for row, letter in enumerate(order):
        design = told.designs[letter]
        design.win_fraction = float(shares.wins[row])
        design.near_fraction = float(shares.near[row])
        design.regret_usd = float(shares.regret_usd[row])
    told.same = [
        letter
        for row, letter in enumerate(order)
        if row == 0 or same_fraction(ranked[0], ranked[row]) >= SAME_FRACTION
    ]
    rivals = [row for row, letter in enumerate(order) if letter not in told.same]
    held = ranked[rivals or [1]]
    gaps = untied(held - ranked[0], held)
    told.odds = _odds(order, ranked, shares, kinds, evaluator.study)
    moved = correlations(trials.drawn, gaps)
    ends = [(item.widest.low, item.widest.high) for item in quantities]
    explained = moved[:, 0] ** 2
    told.quantities = tuple(
        item.model_copy(
            update={
                "explains_fraction": float(share),
                "explains": share_explained(float(share), evaluator.study.draws_count),
            }
        )
        for item, share in zip(told.quantities, explained, strict=True)
    )
    named = [order[0], *(order[row] for row in rivals or [1])]
    told.choices = odds_of_choices(evaluator.study, trials, order, named)
    told.tornado_center_usd = -float(gaps[0].mean())
    study = evaluator.study
    many = len(combinations_of(study)) > FRESH_MOST
    if many:
        at_ends = -means_at_ends(trials.drawn, gaps[0], ends)
    else:
        at_ends = _gaps_at_ends(evaluator, quantities, named[:2], told.tornado_center_usd)
    leader_usd = float(ranked[0].mean())
    bars = _tornado(study, quantities, named[:2], at_ends)
    told.tornado = longest_first(bars, leader_usd, told.tornado_center_usd)
    if study.draws_count <= HELD:
        # The curves through the trials show where to look, but not where designs break even.
        return
    flips = _flips(study, quantities, break_points(trials.drawn, gaps, ends, moved), named)
    told.flips = flips
    if many:
        # Every fresh evaluation would be one of each combination: what all trials say stands.
        return
    ranked_first = [quantities[place] for place in np.argsort(-explained, kind="stable")]
    fresh = Fresh(study, ranked_first, evaluator.curves, named, gaps.mean(axis=1), leader_usd)
    told.tornado = bars_anew(fresh, told.tornado)
    members = {item.key: item.told_by(named[:2]) for item in quantities}
    currency = study.assumptions.currency
    flips = flips_anew(
        fresh, flips, told.tornado[:BARS], lambda key: no_flip(members[key], currency)
    )
    told.flips = tuple(sorted(flips, key=_nearness))


OWNED_KINDS = frozenset({"owned_cluster", "disk_array", "hybrid"})


def _odds(
    order: list[str], ranked: Draws, shares: Shares, kinds: dict[str, str], study: StudySpec
) -> Odds:
    wins = dict(zip(order, shares.wins.tolist(), strict=True))
    by_kind: dict[str, float] = {}
    for letter, share in wins.items():
        by_kind[kinds[letter]] = by_kind.get(kinds[letter], 0.0) + share
    means = ranked.mean(axis=1)
    return Odds(
        draws_count=study.draws_count,
        seed=study.seed,
        wins=wins,
        kinds=by_kind,
        owned_fraction=sum(share for kind, share in by_kind.items() if kind in OWNED_KINDS),
        pairs=tuple(
            Pair(
                rival=letter,
                cheaper_fraction=cheaper_fraction(ranked[0], ranked[row]),
                gap_usd=float(means[row] - means[0]),
                gap_fraction=float((means[row] - means[0]) / (abs(means[row]) or 1.0)),
            )
            for row, letter in enumerate(order)
            if row > 0
        ),
        errors={letter: share_error(share, study.draws_count) for letter, share in wins.items()},
    )


def label_told_by(study: StudySpec, quantity: Quantity, member: Input) -> str:
    """What a quantity is called beside the number of one of its inputs.

    With every design that has the same range of it; where another has other numbers, the one whose
    number it is stands first: Operations (B, with A in step).
    """
    label = label_of(study, member.leaf)
    varying = [one for one in quantity.members if one.low < one.high]
    if all(one.triple == member.triple for one in varying):
        return label_of_quantity(study, quantity, label)
    letters = _letters(study, varying)
    own = _letters(study, [member])
    others = [letter for letter in letters if letter not in own]
    if quantity.by_hand:
        return f"{quantity.key}: {inside(study, member.leaf.pointer, label)}"
    if not own or not others:
        return label
    return f"{label.removesuffix(f' ({own[0]})')} ({own[0]}, with {listed(others)} in step)"


def _letters(study: StudySpec, members: Iterable[Input]) -> list[str]:
    """The designs that inputs stand in, each once, in their order."""
    paths = (member.leaf.path for member in members)
    found = (study.designs[int(path[1])].letter for path in paths if path[0] == "designs")
    return list(dict.fromkeys(found))


def label_of_quantity(study: StudySpec, quantity: Quantity, label: str) -> str:
    """What a quantity is called: as by hand, or as its field, with every design it stands in.

    ``label`` is that of one of its fields.
    """
    if quantity.by_hand:
        return quantity.key
    letters = _letters(study, quantity.members)
    if len(letters) < 2:
        return label
    for letter in letters:
        label = label.removesuffix(f" ({letter})")
    return f"{label} ({listed(letters)})"


def _told(study: StudySpec, quantity: Quantity) -> ToldQuantity:
    labels = [label_of(study, member.leaf) for member in quantity.members]
    return ToldQuantity(
        key=quantity.key,
        label=label_of_quantity(study, quantity, labels[0]),
        by_hand=quantity.by_hand,
        members=tuple(
            Member(
                pointer=member.leaf.pointer,
                label=label,
                unit=member.leaf.facts.unit,
                value=member.value,
                low=member.low,
                high=member.high,
            )
            for member, label in zip(quantity.members, labels, strict=True)
        ),
    )


def _flips(
    study: StudySpec,
    quantities: list[Quantity],
    points: list[BreakPoint | None],
    order: list[str],
) -> tuple[Flip, ...]:
    """Break-points of the mean; ``order`` are the leader and its rivals, as the gaps stood."""
    flips = []
    for quantity, point in zip(quantities, points, strict=True):
        cheapest = [] if point is None else sorted(order[row + 1] for row in point.rows)
        member = quantity.told_by([order[0], *(cheapest or [order[1]])[:1]])
        at, reason, then = None, None, dict[str, Any](winner_after=None)
        if point is None:
            reason = no_flip(member, study.assumptions.currency)
        else:
            then = after(cheapest, rises=point.rises)
            share = triangular_share(quantity.widest.triple, point.value)
            at = float(triangular(member.triple, np.array([share]))[0])
        flips.append(
            Flip(
                pointer=member.leaf.pointer,
                quantity=quantity.key,
                label=label_told_by(study, quantity, member),
                unit=member.leaf.facts.unit,
                value=member.value,
                low=member.low,
                high=member.high,
                flips_at=at,
                reason=reason,
                **then,
            )
        )
    return tuple(sorted(flips, key=_nearness))


def _nearness(flip: Flip) -> tuple[bool, float]:
    """Flips first, the nearest to the middle of its range first, in widths of the range."""
    if flip.flips_at is None:
        return True, 0.0
    mean = (flip.low + flip.value + flip.high) / 3.0
    return False, abs(flip.flips_at - mean) / (flip.high - flip.low)


def _gaps_at_ends(
    evaluator: Evaluator, quantities: list[Quantity], best: list[str], mean_usd: float
) -> Draws:
    """Mean of the first design's cost less the second's at both ends of each quantity. [USD]

    One at a time, the others at their means: the verdict goes by means, and where ranges reach
    farther up than down, values as entered may favour another design.
    """
    totals = evaluator.totals(values_at_ends(quantities), best, 2 * len(quantities) + 1)
    gaps = totals[0] - totals[1]
    gaps += mean_usd - gaps[-1]
    return np.asarray(gaps[:-1].reshape(-1, 2))


def _tornado(
    study: StudySpec, quantities: list[Quantity], best: list[str], at_ends: Draws
) -> list[TornadoBar]:
    """How far each quantity moves the mean gap at the ends of its range."""
    return [
        TornadoBar(
            pointer=member.leaf.pointer,
            quantity=item.key,
            label=label_told_by(study, item, member),
            unit=member.leaf.facts.unit,
            value=member.value,
            low=member.low,
            high=member.high,
            at_low_usd=float(at_low),
            at_high_usd=float(at_high),
        )
        for item, (at_low, at_high) in zip(quantities, at_ends, strict=True)
        for member in [item.told_by(best)]
    ]
