"""Every combination of alternatives of a study, each as a study of its own.

What happens at the end, one site or two, the month of an exit, how machines are paid: none of them
is a number somewhere between two others. Each has a few alternatives, and a study with some of
them taken has its own machines and months. A whole number that sets the form of the calculation,
such as the horizon, may have a range: a few of its values stand for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import ValidationError

from capmodels.explore.triangle import means_of_parts, triangular_share
from capmodels.plans.document.fields import Finding
from capmodels.plans.document.parts import OfDocuments
from capmodels.plans.document.pointers import Leaf, leaf_at, may_vary, substitute
from capmodels.plans.document.quantities import quantities_of
from capmodels.sentences import sentence_of, typed_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.plans.document.choices import Choice
    from capmodels.plans.document.pointers import Path
    from capmodels.plans.document.question import Range, RangedQuestion

StudyT = TypeVar("StudyT")

# Each combination is a study of its own, costed in its own simulations.
COMBINATIONS_MOST = 24
# Values that stand for the range of a whole number.
STEPS = 5
SLACK = 1e-9

# These say how an answer is counted or read, not what may happen.
OF_THE_ANSWER = frozenset(
    {
        *("letter", "kind", "title", "note", "currency", "ranked_by", "rounding", "foresight"),
        *("choices", "correlations", "accepted", "hours_per_year", "discount_basis", "name"),
    }
)


@dataclass(frozen=True, slots=True)
class Option:
    """One alternative: what it is, how likely, and the inputs that it changes, by pointer."""

    value: Any
    odds_fraction: float
    changes: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """An input with alternatives; the first is as entered, also where it has no odds.

    ``low`` and ``high`` are the ends of the range that its values stand for, where it has one.
    """

    leaf: Leaf
    options: tuple[Option, ...]
    title: str | None = None
    low: float | None = None
    high: float | None = None

    @property
    def key(self) -> str:
        """What its simulations are drawn by."""
        return f"choice {self.leaf.pointer}"


@dataclass(frozen=True, slots=True)
class Combination(Generic[StudyT]):
    """One alternative of each choice, and the study with them entered."""

    places: tuple[int, ...]
    study: StudyT


_unsettled: OfDocuments[list[Unsettled]] = OfDocuments(32)


def unsettled_of(study: RangedQuestion) -> list[Unsettled]:
    """Return every input of a study with alternatives, and every whole number with a range."""
    parts = (study.workload, study.assumptions, study.ranges, *study.designs)
    found = _unsettled.get(*parts)
    if found is None:
        found = _read(study)
        _unsettled.put(found, *parts)
    return found


def has_unknowns(study: RangedQuestion) -> bool:
    """Whether anything of a study is drawn: a quantity with a range, or alternatives."""
    return bool(quantities_of(study) or unsettled_of(study))


def _read(study: RangedQuestion) -> list[Unsettled]:
    found = []
    for choice in study.assumptions.choices:
        leaf = leaf_at(study, choice.pointer)
        if leaf is None:
            continue
        others = [
            Option(
                other.value,
                other.odds_fraction,
                {other_at.pointer: other_at.value for other_at in other.along}
                | {choice.pointer: other.value},
            )
            for other in choice.others
        ]
        rest = 1.0 - math.fsum(other.odds_fraction for other in others)
        entered = Option(leaf.value, rest if rest > SLACK else 0.0, {})
        found.append(Unsettled(leaf, (entered, *others), choice.title))
    for item in sorted(study.ranges, key=lambda entry: entry.pointer):
        leaf = leaf_at(study, item.pointer)
        if leaf is not None and is_stepped(leaf):
            found.append(_steps(leaf, item))
    return found


def is_stepped(leaf: Leaf) -> bool:
    """Whether a number is whole and sets the form of the calculation, so that it has steps."""
    return (
        not leaf.facts.is_real
        and isinstance(leaf.value, int)
        and not isinstance(leaf.value, bool)
        and may_vary(replace(leaf, facts=replace(leaf.facts, is_real=True)))
    )


def _steps(leaf: Leaf, item: Range) -> Unsettled:
    """Whole numbers that stand for a triangular range, with their odds.

    Of few values each has what of the distribution is nearest to it; of many, five have a fifth
    each, at the mean of their fifth.
    """
    value = int(leaf.value)
    triple = (min(item.low, value), float(value), max(item.high, value))
    low, high = math.ceil(triple[0]), math.floor(triple[2])
    odds: dict[int, float] = {}
    if high <= low:
        odds[value] = 1.0
    elif high - low < STEPS:
        ends = [0.0, *(triangular_share(triple, at + 0.5) for at in range(low, high)), 1.0]
        odds = {low + place: ends[place + 1] - ends[place] for place in range(high - low + 1)}
    else:
        for mean in means_of_parts(triple, STEPS):
            at = math.floor(mean + 0.5)
            odds[at] = odds.get(at, 0.0) + 1.0 / STEPS
    options = (
        Option(at, share, {item.pointer: at} if at != value else {})
        for at, share in sorted(odds.items(), key=lambda entry: (entry[0] != value, entry[0]))
    )
    entered = () if value in odds else (Option(value, 0.0, {}),)
    return Unsettled(leaf, (*entered, *options), None, item.low, item.high)


def with_values(study: Any, changes: Mapping[str, Any]) -> Any:
    """Return a study with other values at some pointers, each part validated again.

    Raises
    ------
    ValidationError
        When a part has a fault with them.
    LookupError
        When a pointer leads nowhere.
    """
    owners: dict[Path, dict[str, Any]] = {}
    for pointer, value in changes.items():
        leaf = leaf_at(study, pointer)
        if leaf is None:
            raise LookupError(pointer)
        owners.setdefault(leaf.path[:-1], {})[str(leaf.path[-1])] = value
    # What stands deeper comes first, so that what holds it is validated with it.
    for path in sorted(owners, key=len, reverse=True):
        owner: Any = study
        for key in path:
            owner = owner[key] if isinstance(key, int) else getattr(owner, key)
        held = {name: getattr(owner, name) for name in type(owner).model_fields}
        study = substitute(study, {path: type(owner).model_validate(held | owners[path])})
    return study


_combinations: OfDocuments[tuple[Combination[Any], ...]] = OfDocuments(32)


def combinations_of(study: StudyT) -> tuple[Combination[StudyT], ...]:
    """Return every combination of alternatives that has odds, as a study without choices.

    Without choices the only one is the study itself.
    """
    whole: Any = study
    unsettled = unsettled_of(whole)
    if not unsettled:
        return (Combination((), study),)
    parts = (whole.workload, whole.assumptions, whole.baseline, whole.ranges, *whole.designs)
    found = _combinations.get(*parts)
    if found is None:
        found = tuple(_combined(study, unsettled))
        _combinations.put(found, *parts)
    return tuple(
        replace(
            one,
            study=one.study.model_copy(
                update={"draws_count": whole.draws_count, "seed": whole.seed}
            ),
        )
        for one in found
    )


def _combined(study: Any, unsettled: Sequence[Unsettled]) -> Iterator[Combination[Any]]:
    for places in _places(unsettled):
        taken = [one.options[place] for one, place in zip(unsettled, places, strict=True)]
        yield Combination(places, _settled(study, unsettled, taken))


def _places(unsettled: Sequence[Unsettled]) -> Iterator[tuple[int, ...]]:
    return product(
        *(
            [place for place, option in enumerate(one.options) if option.odds_fraction > 0]
            for one in unsettled
        )
    )


_changed_parts: OfDocuments[dict[str, Any]] = OfDocuments(64)


def with_same_parts(study: Any, changed: Any, how: str) -> Any:
    """A changed study with the objects that its parts were when changed so before.

    What was worked out from a part is found by which object it is.
    """

    def same(part: Any, now: Any) -> Any:
        if now is part:
            return now
        known = _changed_parts.get(part)
        if known is None:
            known = {}
            _changed_parts.put(known, part)
        return known.setdefault(how, now)

    designs = tuple(map(same, study.designs, changed.designs))
    workload = same(study.workload, changed.workload)
    return changed.model_copy(update={"designs": designs, "workload": workload})


def _settled(study: Any, unsettled: Sequence[Unsettled], taken: Sequence[Option]) -> Any:
    """The study with alternatives entered, and nothing left open of them."""
    changes: dict[str, Any] = {}
    for option in taken:
        changes |= option.changes
    settled = {one.leaf.pointer for one in unsettled}
    changed = with_same_parts(study, with_values(study, changes), repr(sorted(changes.items())))
    ranges = tuple(
        item
        for item in study.ranges
        if item.pointer not in settled
        and (leaf := leaf_at(changed, item.pointer)) is not None
        and may_vary(leaf)
    )
    changed = changed.model_copy(update={"ranges": ranges})
    keys = {quantity.key for quantity in quantities_of(changed)}
    tied = changed.assumptions.correlations
    left = tuple(one for one in tied if {one.first, one.second} <= keys)
    assumptions = changed.assumptions.model_copy(update={"choices": (), "correlations": left})
    return changed.model_copy(update={"assumptions": assumptions})


def choice_faults(
    study: RangedQuestion, find_faults: Callable[[Any], list[Finding]]
) -> list[Finding]:
    """Return the faults of a study's choices; ``find_faults`` finds those of a combination."""
    findings = [
        finding
        for index, choice in enumerate(study.assumptions.choices)
        for finding in _faults_of(study, choice, ("assumptions", "choices", index))
    ]
    unsettled = unsettled_of(study)
    if findings or not unsettled:
        return findings
    at = ("assumptions", "choices")
    count = math.prod(sum(option.odds_fraction > 0 for option in one.options) for one in unsettled)
    if count > COMBINATIONS_MOST:
        sentence = (
            f"These choices and ranges of whole numbers have {count} combinations, and each is "
            f"computed by itself. Leave at most {COMBINATIONS_MOST}: fewer choices, or fewer "
            "alternatives."
        )
        return [Finding(at, "too_many", sentence)]
    for places in _places(unsettled):
        taken = [one.options[place] for one, place in zip(unsettled, places, strict=True)]
        try:
            left = find_faults(_settled(study, unsettled, taken))
            fault = left[0].sentence if left else None
        except ValidationError as error:
            fault = f"{error.errors()[0]['msg'].removesuffix('.')}."
        if fault is not None:
            with_them = ", ".join(
                f"{one.leaf.facts.title} {said_plainly(option.value)}"
                for one, option in zip(unsettled, taken, strict=True)
                if option.changes
            )
            return [Finding(at, "not_possible", f"With {with_them}: {fault}")]
    return []


def _faults_of(
    study: RangedQuestion, choice: Choice, at: tuple[int | str, ...]
) -> Iterator[Finding]:
    """Faults of one choice that stand in it alone."""
    changed = [choice.pointer, *(one.pointer for other in choice.others for one in other.along)]
    ranged = {item.pointer for item in study.ranges if item is not None}
    chosen = [one.pointer for one in study.assumptions.choices]
    for pointer in dict.fromkeys(changed):
        leaf = leaf_at(study, pointer)
        if leaf is None:
            sentence = f"There is no input {pointer}. Choose an input of this study."
            yield Finding((*at, "pointer"), "leads_nowhere", sentence, pointer)
        elif not OF_THE_ANSWER.isdisjoint(leaf.path):
            sentence = (
                f"{leaf.facts.title} says what an answer is, not what may happen. "
                "Choose another input."
            )
            yield Finding((*at, "pointer"), "cannot_vary", sentence, pointer)
        elif pointer in ranged:
            sentence = f"{leaf.facts.title} has a range already. Remove one of the two."
            yield Finding((*at, "pointer"), "not_unique", sentence, pointer)
        elif chosen.count(pointer) + (pointer != choice.pointer) > 1:
            sentence = f"{leaf.facts.title} has alternatives already. Enter them in one choice."
            yield Finding((*at, "pointer"), "not_unique", sentence, pointer)
    total = math.fsum(other.odds_fraction for other in choice.others)
    if total > 1.0 + SLACK:
        sentence = (
            f"The odds of the alternatives add up to {typed_number(total, 'odds_fraction')}. "
            "Enter at most 100% together; what is left is as entered."
        )
        yield Finding((*at, "others"), "shares_do_not_add_up", sentence)
    if leaf_at(study, choice.pointer) is not None:
        yield from _value_faults(study, choice, at)


def _value_faults(
    study: RangedQuestion, choice: Choice, at: tuple[int | str, ...]
) -> Iterator[Finding]:
    """Values of a choice that its input cannot have, such as a text for a number."""
    for index, other in enumerate(choice.others):
        try:
            with_values(study, {choice.pointer: other.value})
        except ValidationError as error:
            item: dict[str, Any] = {**error.errors()[0]}
            inside = other.value if isinstance(other.value, dict) else {}
            below = [key for key in item["loc"] if key in inside][-1:]
            sentence = sentence_of(item)
            yield Finding((*at, "others", index, "value", *below), "not_possible", sentence)


def said_plainly(value: Any) -> str:
    """Return a value of a choice in plain words.

    >>> said_plainly("work_stops"), said_plainly(True), said_plainly(48), said_plainly(None)
    ('work stops', 'yes', '48', 'nothing')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value.replace("_", " ")
    if isinstance(value, int | float):
        return f"{value:,g}"
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return str(kind).replace("_", " ") if kind else "as entered"
