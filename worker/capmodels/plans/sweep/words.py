"""What a sweep says: its columns by name and unit, and its headline."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from capmodels.numbers import percent
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.document.pointers import leaf_at, may_vary
from capmodels.plans.document.spreads import movable
from capmodels.plans.moves import without_unknowns
from capmodels.plans.words import label_of
from capmodels.registry import get_model
from capmodels.spec import validate
from capmodels.told import Axis, Figure, Series, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.sweep.params import SweepParams
    from capmodels.plans.sweep.table import Rows
    from capmodels.spec import JSONDict

HOLDS = ("number", "flag", "text")
_OF_COMPARISON = {
    "winner": ("Cheapest design", ""),
    "lead_usd": ("What the next one costs more", "USD"),
    "cost_usd": ("Cost of {}", "USD"),
    "p10_usd": ("Cost of {}, P10", "USD"),
    "p90_usd": ("Cost of {}, P90", "USD"),
    "cheapest_fraction": ("Simulations in which {} is cheapest", "fraction"),
    "meets_demand": ("{} meets demand", ""),
    "meets_demand_fraction": ("Simulations in which {} meets demand", "fraction"),
}
_NAMED = 3


def inputs_told(document: JSONDict) -> list[JSONDict]:
    """Say which numbers of a study may be axes, with a range to begin with.

    A range of the study's own, or half to one and a half of what it is, within what the plan
    allows. Those with a range first, and of either what moves the answer farthest; what several
    designs have is there once before it is there again.
    """
    from capmodels.plans.sweep.rows_kernel import swings_usd

    study: StudySpec = validate(COMPARE, without_unknowns(document))
    ranged = {one["pointer"]: (one["low"], one["high"]) for one in document.get("ranges") or ()}
    places: list[tuple[tuple[str, ...], Any]] = [
        (("workload",), study.workload),
        (("assumptions",), study.assumptions),
        *((("designs", each.letter), each) for each in study.designs),
    ]
    ends = []
    for at, part in places:
        for leaf in movable([type(part)], part.model_dump(mode="json"), at):
            if not may_vary(leaf) or (not leaf.value and leaf.pointer not in ranged):
                continue
            low, high = ranged.get(leaf.pointer) or sorted((0.5 * leaf.value, 1.5 * leaf.value))
            if not leaf.allows(high):
                high = leaf.facts.high if leaf.facts.high is not None else leaf.value
            ends.append((leaf_at(study, leaf.pointer) or leaf, float(low), float(high)))
    swings = dict(zip([leaf.pointer for leaf, *_ in ends], swings_usd(study, ends), strict=True))
    ends.sort(key=lambda one: (one[0].pointer not in ranged, -swings[one[0].pointer]))
    # What several designs have is one question: the others of it stand behind.
    alike = [_of_any_design(leaf.pointer) for leaf, *_ in ends]
    again = [alike.index(what) < place for place, what in enumerate(alike)]
    found = [
        {
            "pointer": leaf.pointer,
            "label": label_of(study, leaf),
            "unit": leaf.facts.unit,
            "value": float(leaf.value),
            "low": low,
            "high": high,
            "is_ranged": leaf.pointer in ranged,
        }
        for leaf, low, high in ends
    ]
    order = sorted(range(len(found)), key=lambda at: (not found[at]["is_ranged"], again[at]))
    return [found[at] for at in order]


def _of_any_design(pointer: str) -> str:
    """Where an input stands in its design, without which of them."""
    return re.sub(r"^/designs/[^/]+", "", pointer)


def columns_told(sweep: SweepParams, names: Sequence[str]) -> list[JSONDict]:
    """Say each column's label and unit, and whether it is one of the axes."""
    axes = {axis.pointer for axis in sweep.axes}
    study = validate(COMPARE, without_unknowns(sweep.document)) if _compares(sweep) else None
    return [{**_told(sweep.model, study, name), "is_axis": name in axes} for name in names]


def _compares(sweep: SweepParams) -> bool:
    return sweep.model == COMPARE.id


@cache
def _units_of(model_id: str) -> dict[str, str]:
    """Unit of each field of a model's inputs and results by its name, which tells the unit."""
    model, found = get_model(model_id), dict[str, str]()
    for of in (model.params, model.result):
        schema = of.model_json_schema()
        for part in (schema, *schema.get("$defs", {}).values()):
            for name, field in part.get("properties", {}).items():
                if "unit" in field:
                    found[name] = field["unit"]
    return found


def _told(model_id: str, study: StudySpec | None, name: str) -> JSONDict:
    kind, _, letter = name.partition("/")
    if study is not None and kind in _OF_COMPARISON:
        label, unit = _OF_COMPARISON[kind]
        if not letter and not unit:
            names = {each.letter: each.title for each in study.designs}
            return {"label": label, "unit": unit, "names": names}
        return {"label": label.format(_title(study, letter)), "unit": unit}
    leaf = leaf_at(study, name) if study is not None and name.startswith("/") else None
    if study is not None and leaf is not None:
        return {"label": label_of(study, leaf), "unit": leaf.facts.unit}
    unit = _units_of(model_id).get(name.rpartition("/")[2], "")
    return {"label": name.strip("/").replace("_", " ").replace("/", ", "), "unit": unit}


def _title(study: StudySpec, letter: str) -> str:
    """A design by its name; what runs today by its own."""
    titles = {each.letter: each.title for each in study.designs}
    if study.baseline is not None:
        titles.setdefault("T", study.baseline.title)
    return titles.get(letter, letter)


def headline(sweep: SweepParams, rows: Rows) -> str:
    """Say which design is cheapest in which share of the rows, or how many rows there are."""
    count, faults = rows.count, rows.faults_count
    left = f"; {faults:,} without an answer" if faults else ""
    if not _compares(sweep) or "winner" not in rows.kinds:
        return f"{count:,} runs{left}."
    study: Any = validate(COMPARE, without_unknowns(sweep.document))
    shares = rows.shares("winner")
    if not shares:
        return f"No design has an answer in any of {count:,} rows."
    (first, most), *others = shares
    rest = [f"{_title(study, letter)} in {percent(share)}" for letter, share in others[:_NAMED]]
    also = f", {listed(rest)}" if rest else ""
    return (
        f"**{_title(study, first)}** costs least in {percent(most)} of {count:,} rows{also}{left}."
    )


def figure_of(told: JSONDict, columns: Sequence[JSONDict], of: str) -> Figure:
    """Draw what was binned: a map of means, or where each word is there."""
    named = {column["name"]: column for column in columns}
    across, along = (_axis(named[told[f"{at}_name"]], told[at]) for at in ("x", "y"))
    figure = named[of]
    common: JSONDict = {
        "name": "sweep",
        "title": f"{figure['label']} by {across.title} and {along.title}",
        "along": along,
        "across": across,
    }
    if figure["holds"] != "number":
        return Figure(kind="points", series=_apart(told, figure), **common)
    means = {(x, y): mean for x, y, _, mean in told["cells"]}
    places = range(len(told["x"]))
    return Figure(
        kind="cells",
        levels=_numbers(told["y"]),
        measure=Axis(title=figure["label"], unit=figure["unit"], from_zero=False),
        series=tuple(
            Series(
                name=str(value),
                at=_numbers(told["x"]),
                values=tuple(means.get((x, y)) for x in places),
            )
            for y, value in enumerate(told["y"])
        ),
        **common,
    )


def _apart(told: JSONDict, figure: JSONDict) -> tuple[Series, ...]:
    """Points of each word: the design that is cheapest there, by its name."""
    places = [_places(told[at]) for at in ("x", "y")]
    words: dict[str, list[tuple[float, float]]] = {}
    for x, y, word in told["points"]:
        if x is not None and y is not None and word is not None:
            words.setdefault(str(word), []).append((places[0](x), places[1](y)))
    names = figure.get("names", {})
    return tuple(
        Series(
            name=names.get(word, word),
            at=tuple(x for x, _ in points),
            values=tuple(y for _, y in points),
            style="dots",
        )
        for word, points in sorted(words.items())
    )


def _numbers(values: Sequence[Any]) -> tuple[float, ...]:
    return tuple(map(_places(values), values))


def _places(values: Sequence[Any]) -> Callable[[Any], float]:
    """Where a value stands on its axis: a number as it is, a word at its place."""
    if all(isinstance(value, int | float) for value in values):
        return float
    order = {value: float(place) for place, value in enumerate(values)}
    return lambda value: order.get(value, -1.0)


def _axis(column: JSONDict, values: Sequence[Any]) -> Axis:
    words = not all(isinstance(value, int | float) for value in values)
    return Axis(
        title=column["label"],
        unit=column["unit"],
        from_zero=False,
        ticks=_numbers(values) if words else (),
        ticks_said=tuple(map(str, values)) if words else (),
    )
