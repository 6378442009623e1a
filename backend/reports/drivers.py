"""The inputs that a workbook lets one change, and what the plan answers at other values of each.

A price, a count of nodes or a growth is put at a few values (its knots) with all else as it
is; the plan's own answers there, by design, cause and year, are what the workbook's formulas
go through. Between knots they run straight, and on beyond them.
"""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.errors import ModelError
from capmodels.numbers import is_money
from capmodels.spec import Context, params_schema, validate
from reports.render.contents import DEPRECIATION, Driver
from reports.render.inputs import document_leaves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import AnyModel, JSONDict
    from reports.render.inputs import Leaf

BUSY_CORES = "/workload/busy_cores_count"
RATE = "/assumptions/discount_fraction_per_year"
# A cent over the whole horizon is no effect.
LEAST_USD = 0.005
# Of one part of a study: as many as a reader changes, and a worker has the time for.
MOST = 14
Amounts = dict[tuple[str, str], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An input to change: where it stands, what it is at, and the values to try."""

    part: str
    label: str
    unit: str
    pointer: str
    base: float
    others: tuple[float, ...]


def drivers_of(spec: AnyModel, document: JSONDict) -> tuple[Driver, ...]:
    """Return the inputs that move an amount, by their part, with the plan's answers at knots."""
    plain = {**document, "draws_count": 0}
    base = _amounts(spec, plain)
    found: list[Driver] = []
    counted: Counter[str] = Counter()
    if base is None:
        return ()
    for wanted in sorted(_wanted(spec, document), key=_last_in_its_part):
        if counted[wanted.part] < MOST and (driver := _driver(spec, plain, wanted, base)):
            found.append(driver)
            counted[wanted.part] += 1
    parts = list(dict.fromkeys(driver.part for driver in found))
    return tuple(sorted(found, key=lambda driver: parts.index(driver.part)))


def _wanted(spec: AnyModel, document: JSONDict) -> Iterator[_Wanted]:
    for letter, title, leaves in document_leaves(document, params_schema(spec)):
        part = f"{letter}, {title}" if letter else title
        for leaf in leaves:
            tried = _tried(leaf, document)
            if tried is not None:
                label, unit = " › ".join(leaf.trail), str(leaf.schema.get("unit") or "")
                yield _Wanted(part, label, unit, leaf.pointer, *tried)


def _tried(leaf: Leaf, document: JSONDict) -> tuple[float, tuple[float, ...]] | None:
    """An input's value and the others to try; None for what is no driver."""
    name = leaf.pointer.rpartition("/")[2]
    if name == "spare_nodes_count" and "/node_groups/" in leaf.pointer:
        availability = document["workload"].get("availability") or {}
        base = availability.get(name, 0) if leaf.value is None else leaf.value
        return float(base), (base + 1.0, base + 4.0)
    if isinstance(leaf.value, bool) or not isinstance(leaf.value, int | float):
        return None
    value, unit = float(leaf.value), str(leaf.schema.get("unit") or "")
    if unit == "nodes" and value >= 1:
        return value, (value + 1.0, value + 4.0)
    if unit == "fraction/yr" and leaf.pointer != RATE:
        return value, tuple(value + step for step in (-0.1, 0.1))
    if unit == "FTE" and value == 0:
        return value, (0.5, 1.0)
    priced = is_money(unit) or unit == "FTE" or leaf.pointer == BUSY_CORES
    return (value, (0.5 * value, 1.5 * value)) if priced and value > 0 else None


def _last_in_its_part(wanted: _Wanted) -> int:
    """People and pay, then prices and nodes, then changes a year: not all of a part are taken."""
    if "FTE" in wanted.unit or wanted.pointer == BUSY_CORES:
        return 0
    return 2 if wanted.unit == "fraction/yr" else 1


def _driver(spec: AnyModel, plain: JSONDict, wanted: _Wanted, base: Amounts) -> Driver | None:
    answers = {wanted.base: base}
    for value in wanted.others:
        if (answer := _amounts(spec, changed(plain, wanted.pointer, value))) is not None:
            answers[value] = answer
    knots = tuple(sorted(answers))
    moved = {
        key: tuple(_less(answers[knot].get(key, ()), base.get(key, ())) for knot in knots)
        for key in {key for answer in answers.values() for key in answer}
    }
    moved = {
        key: rows
        for key, rows in moved.items()
        if any(abs(usd) > LEAST_USD for row in rows for usd in row)
    }
    if not moved:
        return None
    return Driver(
        part=wanted.part,
        label=wanted.label,
        unit=wanted.unit,
        pointer=wanted.pointer,
        value=wanted.base,
        knots=knots,
        amounts=moved,
    )


def _less(usd: tuple[float, ...], base: tuple[float, ...]) -> tuple[float, ...]:
    years = max(len(usd), len(base))
    padded = [row + (0.0,) * (years - len(row)) for row in (usd, base)]
    return tuple(a - b for a, b in zip(*padded, strict=True))


def _amounts(spec: AnyModel, document: JSONDict) -> Amounts | None:
    """What each design pays by cause and year, and writes off; None where there is no answer."""
    try:
        params = validate(spec, document)
        answer: Any = spec.run(params, Context(seed=int(getattr(params, "seed", 0))))
    except ModelError:
        return None
    found: Amounts = {}
    for design in answer.designs:
        causes = {cause for year in design.years for cause in year.causes}
        for cause in causes:
            found[design.letter, cause] = tuple(y.causes.get(cause, 0.0) for y in design.years)
        found[design.letter, DEPRECIATION] = tuple(y.depreciation_usd for y in design.years)
    return found


def changed(document: JSONDict, pointer: str, value: float) -> JSONDict:
    """Return a document with one value of it replaced; designs are named by their letters."""
    changed = copy.deepcopy(document)
    *steps, last = pointer.removeprefix("/").split("/")
    node: Any = changed
    for step in steps:
        node = _inner(node, step)
    whole = isinstance(node.get(last), int) or last.endswith("count")
    node[last] = int(value) if whole and value.is_integer() else value
    return changed


def _inner(node: Any, step: str) -> Any:
    if isinstance(node, dict):
        return node[step]
    if step.isdigit():
        return node[int(step)]
    return next(part for part in node if part.get("letter") == step)
