"""Why a study's cost moved between two states of it, cause by cause.

What changed is shared out by the Shapley value: the change that a cause makes, averaged over all
orders in which the causes can be put in place of the old ones (Shapley, "A Value for n-Person
Games", 1953, eq. 13). The shares add up to the whole move, whatever the order. The cost is what
the verdict goes by: the mean of the simulations where there are any, by what designs are ranked
by. Where many causes ask for many simulations the shares are of fewer of them, and what the rest
add is apart; so is what a newer version of the plan moves.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, Any

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.compare import AmountTooLarge, compare
from capmodels.plans.document.assumptions import Assumptions
from capmodels.plans.document.pointers import leaf_at
from capmodels.plans.document.study import StudySpec
from capmodels.plans.words import label_of
from capmodels.registry import get_model
from capmodels.spec import validate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.spec import JSONDict

PLAN = "plans.compare"
LABELS = {
    "prices": "Prices",
    "growth": "Growth",
    "workload": "Workload",
    "designs": "Designs",
    "assumptions": "Assumptions",
    "baseline": "Current site",
    "ranges": "Ranges",
    "draws_count": "Number of simulations",
    "seed": "Other simulations",
}
MODEL_LABEL = "Model version"
REST_LABEL = "Rest of the simulations"
# Amounts that may be worked out for the shares: designs, months, simulations of each mixture of
# causes; some seconds. At least so many simulations are taken.
AMOUNTS_MOST = 40_000_000
SIMULATIONS_LEAST = 500
_PRICE_WORDS = ("usd", "price", "discount")
_GONE = object()
# What findings are accepted for is said of a study; no cost follows from it.
_SAID = ("assumptions", "accepted")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """What one kind of change adds to the cost. [USD]"""

    cause: str
    label: str
    amount_usd: float


@dataclass(frozen=True, slots=True)
class Moved:
    """The cost of two states as their verdicts have it, and what stands between them.

    ``measure`` says what it is in words; ``simulations_count`` of how many simulations the shares
    are, 0 where they are as entered.
    """

    before_usd: float
    after_usd: float
    causes: tuple[Cause, ...]
    measure: str
    simulations_count: int


@dataclass(frozen=True, slots=True)
class ChangedInput:
    """One place at which two documents differ, and the cause that its change belongs to.

    ``pointer`` has designs by letter. What stands on one side only is None on the other; of a
    range its ends, of a list how many entries it has, of a group only that it is entered.
    """

    cause: str
    cause_label: str
    pointer: str
    label: str
    unit: str
    before: Any
    after: Any


def changed_inputs(before: JSONDict, after: JSONDict) -> list[ChangedInput]:
    """Return each input that differs between two documents of the plan, in their order.

    Raises
    ------
    ModelError
        When one of them is not a document of the plan as it is now.
    """
    studies = _read(before), _read(after)
    was, now = _keyed(before), _keyed(after)
    return [
        _changed(path, cause, (was, now), studies)
        for cause, path, _ in _by_cause(list(_changes((), was, now)))
    ]


def entered_usd(comparison: Mapping[str, Any]) -> float:
    """Return the cost of the cheapest design that meets demand, as entered. [USD]

    Without one that does, of the cheapest at all.
    """
    field = "npv_usd" if comparison["ranked_by"] == "present_value" else "total_usd"
    designs = comparison["designs"]
    able = [design for design in designs if design["carries_load"]] or designs
    return float(min(design[field] for design in able))


def ranked_usd(comparison: Mapping[str, Any]) -> float:
    """Return the cost of the cheapest design that competes, as the verdict has it. [USD]

    Without one that does, of the cheapest at all; of an early version's result as entered.
    """
    designs = comparison["designs"]
    if any("ranked_usd" not in design for design in designs):
        return entered_usd(comparison)
    able = [design for design in designs if design["competes"]] or designs
    return float(min(design["ranked_usd"] for design in able))


def moved(
    before: JSONDict,
    after: JSONDict,
    stored_before: Mapping[str, Any],
    stored_after: Mapping[str, Any],
) -> Moved:
    """Return why the cost differs between two runs, from their inputs and stored results.

    Raises
    ------
    ModelError
        When the plan as it is now has no answer for one of them.
    """
    was, is_ = ranked_usd(stored_before), ranked_usd(stored_after)
    shared = _Shares(before, after)
    causes = [*shared.causes()]
    # What the plan of today says of both, against what was stored of both.
    model_usd = (is_ - was) - shared.whole_usd
    if abs(model_usd) > 1e-9 * max(abs(was), abs(is_)):
        causes.append(Cause("model", MODEL_LABEL, model_usd))
    drawn = max(shared.simulations_of(before), shared.simulations_of(after))
    return Moved(was, is_, tuple(causes), str(stored_after.get("measure", "")), drawn)


class _Shares:
    """What each kind of change adds to the cost, by the plan of today."""

    def __init__(self, before: JSONDict, after: JSONDict) -> None:
        """Sort the changes by their causes, and cost both ends."""
        self._before, self._after = _keyed(before), _keyed(after)
        self._changes: dict[str, list[tuple[Path, Any]]] = {}
        for cause, path, value in _by_cause(list(_changes((), self._before, self._after))):
            self._changes.setdefault(cause, []).append((path, value))
        self.names = [name for name in LABELS if name in self._changes]
        self._most = _most(max(_size(before), _size(after)), 2 ** len(self.names) - 2)
        start, end = _cost(before), _cost(after)
        self.whole_usd = end - start
        self._worth = {frozenset[str](): start, frozenset(self.names): end}
        if self._is_cut(before) or self._is_cut(after):
            self._worth = {}

    def simulations_of(self, document: JSONDict) -> int:
        """Return of how many simulations the shares are."""
        count = _simulations(document)
        return count if self._most is None else min(count, self._most)

    def _is_cut(self, document: JSONDict) -> bool:
        return self.simulations_of(document) < _simulations(document)

    def causes(self) -> Iterator[Cause]:
        """Yield the share of each; they add up to the whole."""
        if not self.names:
            return
        try:
            shares = {name: self._share(name) for name in self.names}
        except ModelError:
            # Halves of these changes make no study: they are one.
            label = " and ".join(LABELS[name].lower() for name in self.names).capitalize()
            yield Cause("together", label, self.whole_usd)
            return
        for name in self.names:
            yield Cause(name, LABELS[name], shares[name])
        rest = self.whole_usd - sum(shares.values())
        if abs(rest) > 1e-9 * max(abs(self.whole_usd), *map(abs, shares.values())):
            yield Cause("simulations", REST_LABEL, rest)

    def _cost_with(self, chosen: frozenset[str]) -> float:
        if chosen not in self._worth:
            changes = [change for name in chosen for change in self._changes[name]]
            self._worth[chosen] = _cost(_with(self._before, changes), self._most)
        return self._worth[chosen]

    def _share(self, name: str) -> float:
        others = [other for other in self.names if other != name]
        total = 0.0
        for size in range(len(others) + 1):
            weight = factorial(size) * factorial(len(others) - size) / factorial(len(others) + 1)
            for chosen in map(frozenset, combinations(others, size)):
                total += weight * (self._cost_with(chosen | {name}) - self._cost_with(chosen))
        return total


def as_entered(document: JSONDict) -> JSONDict:
    """Return the comparison of a study as entered: nothing is drawn of any range.

    Raises
    ------
    ModelError
        When the plan has no answer for it.
    """
    return compare(_read(without_unknowns(document))).model_dump(mode="json")


def without_unknowns(document: JSONDict) -> JSONDict:
    """Return a study as entered: without draws, ranges, what ties them, and alternatives."""
    settled = {**document.get("assumptions", {}), "correlations": [], "choices": []}
    return {**document, "assumptions": settled, "draws_count": 0, "ranges": []}


def _read(document: JSONDict) -> StudySpec:
    try:
        study = validate(get_model(PLAN), document)
    except ParamsError as exc:
        raise ModelError(str(exc)) from exc
    assert isinstance(study, StudySpec)
    return study


def _cost(document: JSONDict, most: int | None = None) -> float:
    from capmodels.plans.answer.leading_kernel import leading_usd

    study = _read(document)
    if most is not None and study.draws_count > most:
        study = study.model_copy(update={"draws_count": most})
    try:
        return leading_usd(study)
    except (OverflowError, FloatingPointError) as exc:
        raise AmountTooLarge from exc


def _cause_of(path: Path) -> str:
    names = [part for part in path if isinstance(part, str)]
    if any("growth" in name for name in names):
        return "growth"
    if len(names) > 1 and any(word in names[-1] for word in _PRICE_WORDS):
        return "prices"
    return names[0]


def _simulations(document: JSONDict) -> int:
    return int(document.get("draws_count") or 0) if document.get("ranges") else 0


def _size(document: JSONDict) -> int:
    """Amounts of one simulation."""
    columns = len(document["designs"]) + (document.get("baseline") is not None)
    default = Assumptions.model_fields["horizon_months"].default
    months = document.get("assumptions", {}).get("horizon_months", default)
    return columns * (int(months) + 1)


def _most(size: int, mixtures: int) -> int | None:
    """Simulations of each mixture of causes that can be afforded; None where there is none."""
    return max(AMOUNTS_MOST // (size * mixtures), SIMULATIONS_LEAST) if mixtures > 0 else None


def _by_cause(found: list[tuple[Path, Any]]) -> Iterator[tuple[str, Path, Any]]:
    """Yield each change with its cause."""
    values = [(path, _cause_of(path)) for path, _ in found if path[0] != "ranges"]
    for path, value in found:
        yield (
            _range_cause(path, values) if path[0] == "ranges" else _cause_of(path),
            path,
            value,
        )


def _changed(
    path: Path, cause: str, documents: tuple[JSONDict, JSONDict], studies: tuple[Any, Any]
) -> ChangedInput:
    sides = [_standing(document, path) for document in documents]
    is_range = path[0] == "ranges"
    pointer = str(path[1]) if is_range else "".join(f"/{part}" for part in path)
    label, unit = pointer, ""
    for study in reversed(studies):
        if (leaf := leaf_at(study, pointer)) is not None:
            label, unit = label_of(study, leaf), leaf.facts.unit
            break
    if path[0] == "designs" and len(path) == 2:
        label = f"Design {path[1]}"
    return ChangedInput(
        cause=cause,
        cause_label=LABELS[cause],
        pointer=pointer,
        label=f"{label}, range" if is_range else label,
        unit=unit,
        before=sides[0],
        after=sides[1],
    )


def _standing(document: Any, path: Path) -> Any:
    """What stands at a place, in short; None where nothing does."""
    for part in path:
        try:
            document = document[part]
        except (KeyError, IndexError, TypeError):
            return None
    if isinstance(document, list):
        return f"{len(document)} " + ("entry" if len(document) == 1 else "entries")
    if not isinstance(document, dict):
        return document
    if path[0] == "ranges":
        return {"low": document["low"], "high": document["high"]}
    return document["title"] if path[0] == "designs" and len(path) == 2 else "entered"


def _range_cause(path: Path, values: list[tuple[Path, str]]) -> str:
    """A range goes with the change of the value that it is of, or of what that stands in."""
    pointer = str(path[1])
    for changed, cause in values:
        at = "".join(f"/{part}" for part in changed)
        if pointer == at or pointer.startswith(f"{at}/"):
            return cause
    return "ranges"


def _may_cost(path: Path) -> bool:
    return path != _SAID and (len(path) > 1 or path[0] in LABELS)


def _changes(path: Path, before: Any, after: Any) -> Iterator[tuple[Path, Any]]:
    """Yield each place that differs, with what stands there afterwards."""
    whole = path[:1] == ("ranges",) and len(path) == 2
    if isinstance(before, dict) and isinstance(after, dict) and not whole:
        if before.get("kind") == after.get("kind"):
            for key in dict.fromkeys((*before, *after)):
                if _may_cost((*path, key)):
                    here = (before.get(key, _GONE), after.get(key, _GONE))
                    yield from _changes((*path, key), *here)
            return
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, pair in enumerate(zip(before, after, strict=True)):
            yield from _changes((*path, place), *pair)
        return
    if before != after:
        yield path, after


def _with(before: JSONDict, changes: list[tuple[Path, Any]]) -> JSONDict:
    document: Any = deepcopy(before)
    for path, value in changes:
        place = document
        for part in path[:-1]:
            place = place[part]
        if value is _GONE:
            del place[path[-1]]
        else:
            place[path[-1]] = value
    designs = [one for _, one in sorted(document["designs"].items())]
    return {**document, "designs": designs, "ranges": [*document["ranges"].values()]}


def _keyed(document: JSONDict) -> JSONDict:
    """The document with designs by letter and ranges by pointer."""
    designs = {one["letter"]: one for one in document["designs"]}
    ranges = {one["pointer"]: one for one in document.get("ranges", ())}
    return {**document, "designs": designs, "ranges": ranges}
