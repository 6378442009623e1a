"""Why a study's cost moved between two states of it, cause by cause.

What changed is shared out by the Shapley value: the change that a cause makes, averaged over all
orders in which the causes can be put in place of the old ones (Shapley, "A Value for n-Person
Games", 1953, eq. 13). The shares add up to the whole move, whatever the order. Costs are as
entered, without simulations; what a newer version of the plan moves is apart from them.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING, Any

from capmodels.errors import ModelError, ParamsError
from capmodels.plans.compare import compare
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from capmodels.spec import JSONDict

PLAN = "plans.compare"
LABELS = {
    "prices": "Prices",
    "growth": "Growth",
    "workload": "Workload",
    "designs": "Designs",
    "assumptions": "Assumptions",
    "baseline": "Current site",
}
MODEL_LABEL = "Model version"
_PRICE_WORDS = ("usd", "price", "discount")
_GONE = object()

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """What one kind of change adds to the cost. [USD]"""

    cause: str
    label: str
    amount_usd: float


@dataclass(frozen=True, slots=True)
class Moved:
    """The cost of two states as entered, and what stands between them."""

    before_usd: float
    after_usd: float
    causes: tuple[Cause, ...]


def entered_usd(comparison: Mapping[str, Any]) -> float:
    """Return the cost of the cheapest design that meets demand, as entered. [USD]

    Without one that does, of the cheapest at all.
    """
    field = "npv_usd" if comparison["ranked_by"] == "present_value" else "total_usd"
    designs = comparison["designs"]
    able = [design for design in designs if design["carries_load"]] or designs
    return float(min(design[field] for design in able))


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
    start, end = _cost(before), _cost(after)
    causes = list(_shares(before, after, start, end))
    was, is_ = entered_usd(stored_before), entered_usd(stored_after)
    # What the plan of today says of both, against what was stored of both.
    model_usd = (is_ - was) - (end - start)
    if abs(model_usd) > 1e-9 * max(abs(was), abs(is_)):
        causes.append(Cause("model", MODEL_LABEL, model_usd))
    return Moved(was, is_, tuple(causes))


def _shares(before: JSONDict, after: JSONDict, start: float, end: float) -> Iterator[Cause]:
    changes: dict[str, list[tuple[Path, Any]]] = {}
    keyed = _by_letter(before), _by_letter(after)
    for path, value in _changes((), *keyed):
        changes.setdefault(_cause_of(path), []).append((path, value))
    names = [name for name in LABELS if name in changes]
    worth: dict[frozenset[str], float] = {frozenset(): start, frozenset(names): end}

    def cost_with(chosen: frozenset[str]) -> float:
        if chosen not in worth:
            mixed = [change for name in chosen for change in changes[name]]
            worth[chosen] = _cost(_with(keyed[0], mixed))
        return worth[chosen]

    try:
        shares = {name: _shapley(name, names, cost_with) for name in names}
    except ModelError:
        # Halves of these changes make no study: they are one.
        label = " and ".join(LABELS[name].lower() for name in names).capitalize()
        yield Cause("together", label, end - start)
        return
    for name in names:
        yield Cause(name, LABELS[name], shares[name])


def _shapley(name: str, names: list[str], cost_with: Callable[[frozenset[str]], float]) -> float:
    others = [other for other in names if other != name]
    total = 0.0
    for size in range(len(others) + 1):
        weight = factorial(size) * factorial(len(others) - size) / factorial(len(names))
        for chosen in map(frozenset, combinations(others, size)):
            total += weight * (cost_with(chosen | {name}) - cost_with(chosen))
    return total


def as_entered(document: JSONDict) -> JSONDict:
    """Return the comparison of a study as entered: nothing is drawn of any range.

    Raises
    ------
    ModelError
        When the plan has no answer for it.
    """
    # Without draws, ranges and what ties them say nothing.
    settled = {**document.get("assumptions", {}), "correlations": []}
    entered = {**document, "assumptions": settled, "draws_count": 0, "ranges": []}
    try:
        study = validate(get_model(PLAN), entered)
    except ParamsError as exc:
        raise ModelError(str(exc)) from exc
    assert isinstance(study, StudySpec)
    return compare(study).model_dump(mode="json")


def _cost(document: JSONDict) -> float:
    return entered_usd(as_entered(document))


def _cause_of(path: Path) -> str:
    names = [part for part in path if isinstance(part, str)]
    if any("growth" in name for name in names):
        return "growth"
    if len(names) > 1 and any(word in names[-1] for word in _PRICE_WORDS):
        return "prices"
    return names[0]


def _changes(path: Path, before: Any, after: Any) -> Iterator[tuple[Path, Any]]:
    """Yield each place that differs, with what stands there afterwards."""
    if isinstance(before, dict) and isinstance(after, dict):
        if before.get("kind") == after.get("kind"):
            for key in dict.fromkeys((*before, *after)):
                if not path and key not in LABELS:
                    continue
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
    return {**document, "designs": [one for _, one in sorted(document["designs"].items())]}


def _by_letter(document: JSONDict) -> JSONDict:
    return {**document, "designs": {one["letter"]: one for one in document["designs"]}}
