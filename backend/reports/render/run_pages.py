"""A run of any model as data for the page: its answer and inputs, laid out by their schemas.

No model has a layout of its own. What its schema says of a value (title, unit) stands beside it:
single values are facts, lists of parts are tables, lists of numbers are series told by their ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.numbers import USD, Currency, day, missing, quantity
from reports.render.blocks import (
    caption,
    heading,
    linked,
    listed,
    note,
    span,
    strong,
    svg,
    table,
    together,
    words,
)
from reports.render.checks_table import checks_shown, checks_table
from reports.render.inputs import Leaf, additional, is_parts, leaves_of, resolved
from reports.render.text import breakable, clean, segments, shortened

if TYPE_CHECKING:
    from datetime import datetime

    from reports.render.contents import JSONDict

# A page's width holds so many columns; longer tables go on below, under their first column.
COLUMNS = 6
ROWS = 40
WORDS_LISTED = 12
FOOTER_TITLE = 52
PINNED = (
    "The report is pinned to this stored run. The same inputs, model version and seed give the "
    "same hash, and the same numbers."
)
# Sentences of an answer, which stand at its head.
SENTENCES = ("headline", "notes", "warnings")
# Tables and figures that a model gives as data (`capmodels.told`).
TOLD = ("tables", "figures")
_BARS = {"stacked", "grouped", "columns", "ranges"}
Trail = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInput:
    """Everything that the report of a run says."""

    title: str
    summary: str
    model: str
    version: str
    params: JSONDict
    params_schema: JSONDict
    result: JSONDict
    result_schema: JSONDict
    created_at: datetime
    inputs_hash: str
    seed: int
    formulas: Sequence[JSONDict] = ()
    citations: Sequence[JSONDict] = ()
    limits: Sequence[str] = ()
    checks: Sequence[JSONDict] = ()

    @property
    def currency(self) -> Currency:
        """The currency that amounts are shown in: the one that its inputs state."""
        return Currency.of(self.params)


@dataclass(slots=True)
class Laid:
    """A document as it stands on the page, its amounts in a currency."""

    currency: Currency
    charts: list[JSONDict] = field(default_factory=list)
    facts: list[JSONDict] = field(default_factory=list)
    series: list[JSONDict] = field(default_factory=list)
    tables: list[JSONDict] = field(default_factory=list)


def run_data(run: RunInput) -> JSONDict:
    """Return everything that the template shows, as JSON-ready values."""
    return {
        "meta": {
            "plain_title": clean(run.title),
            "title": breakable(run.title),
            "short_title": shortened(run.title, FOOTER_TITLE),
            "summary": breakable(run.summary),
            "created": day(run.created_at),
            "year": run.created_at.year,
            "month": run.created_at.month,
            "day": run.created_at.day,
        },
        "headline": segments(_text(run.result.get("headline"))),
        # A warning may be one of the notes too.
        "notes": list(
            dict.fromkeys(
                breakable(text) for name in SENTENCES[1:] for text in _texts(run.result, name)
            )
        ),
        "blocks": list(_blocks(run)),
    }


def _blocks(run: RunInput) -> Iterator[JSONDict]:
    yield heading("Answer", level=1)
    yield from _laid_blocks(_answer(run), "Figure")
    yield heading("Inputs", level=1)
    yield from _laid_blocks(laid_out(run.params, run.params_schema, run.currency), "Input")
    yield heading("The model", level=1)
    yield caption(f"{run.model} {run.version}")
    if run.formulas:
        yield heading("Equations")
        yield from map(_equation, run.formulas)
    if run.limits:
        yield heading("Limits")
        yield listed(breakable(text) for text in run.limits)
    if run.citations:
        yield heading("Sources")
        yield listed(
            [linked(breakable(one["text"]), one.get("url") or "")] for one in run.citations
        )
    if checks := checks_shown(run.checks):
        yield heading("Checks")
        yield checks_table(checks, "Figure")
    stored = (run.model, run.version, str(run.seed), [span(run.inputs_hash, "raw")])
    yield together(
        heading("Result shown"),
        caption(PINNED),
        table(
            ("Model", "Version", "Seed", "Hash of the inputs"),
            [stored],
            ("auto", "auto", "auto", 1.0),
            left=range(4),
        ),
    )


def told_blocks(result: JSONDict, currency: Currency) -> Iterator[JSONDict]:
    """The figures and tables that a model tells, for a page of another report."""
    laid = Laid(currency)
    tell(laid, result)
    return _laid_blocks(laid, "Figure")


def _answer(run: RunInput) -> Laid:
    told = TOLD if all(key in run.result for key in TOLD) else ()
    shapes = run.result_schema.get("properties", {})
    in_tables = [key for key, shape in shapes.items() if told and shape.get("in_tables")]
    apart = {*SENTENCES, *told, *in_tables}
    answer = {key: value for key, value in run.result.items() if key not in apart}
    laid = laid_out(answer, run.result_schema, run.currency)
    if told:
        tell(laid, run.result)
    return laid


def _laid_blocks(laid: Laid, what: str) -> Iterator[JSONDict]:
    yield from laid.charts
    if laid.facts:
        facts = [(fact["label"], strong(fact["value"])) for fact in laid.facts]
        yield table((what, "Value"), facts, (1.1, 1.0), left=(0, 1), size_pt=8.0)
    if laid.series:
        yield heading("Series")
        yield table(
            ("Series", "Values", "First", "Last", "Lowest", "Highest"),
            [(one["label"], one["count"], *one["cells"]) for one in laid.series],
            (1.7, 0.6, 1.0, 1.0, 1.0, 1.0),
        )
    for one in laid.tables:
        yield heading(one["title"])
        yield table(("", *one["heads"]), one["rows"], (1.2, *(1.0 for _ in one["heads"])))
        if one["note"]:
            yield note(one["note"])


def _equation(one: JSONDict) -> JSONDict:
    symbols = "; ".join(f"{symbol}: {clean(meaning)}" for symbol, meaning in one["symbols"].items())
    under = [text for text in (breakable(one["source"]), symbols) if text]
    return words([breakable(one["text"]), *(span(text, "below") for text in under)])


def laid_out(document: JSONDict, schema: JSONDict, currency: Currency = USD) -> Laid:
    """Return a document as facts, series and tables, each value with its title and unit."""
    laid = Laid(currency)
    _lay(laid, document, schema, schema, ())
    return laid


def tell(laid: Laid, result: JSONDict) -> None:
    """Put what a model tells first: its figures, and what they show as tables or series."""
    laid.charts = [
        block for one in result["figures"] if (block := _chart(one, laid.currency)) is not None
    ]
    tables = [_told_table(one) for one in result["tables"]]
    for figure in result["figures"]:
        twin = _untold(figure.get("twin") or [], result["tables"])
        if twin and len(twin[0]["values"]) <= ROWS:
            tables += _twin(figure["title"], twin, laid.currency)
        elif figure["kind"] in _BARS:
            tables += _bars(figure, laid.currency)
        elif figure["kind"] != "regions":
            unit = (figure["measure"] or figure["along"])["unit"]
            laid.series += [
                _series(one["values"], unit, (figure["name"], one["name"]), laid.currency)
                for one in figure["series"]
                if _is_numbers(one["values"])
            ]
    laid.tables = tables + laid.tables


def _chart(figure: JSONDict, currency: Currency) -> JSONDict | None:
    """A figure as it is drawn on screen, and in words what it shows."""
    from reports.render.draw.told import drawn
    from reports.render.glyphs import drawable

    picture = drawn(drawable(figure), currency)
    if picture is None:
        return None
    names = ", ".join(one["name"] for one in figure["series"][:12])
    of = f" ({figure['of']})" if figure.get("of") else ""
    alt = clean(f"{figure['title']}: {figure['name']}{of}. {names}.")
    remark = breakable(figure["note"] or "")
    return svg(picture, title=f"{figure['title']}{of}", alt=alt, remark=remark)


def _told_table(table: JSONDict) -> JSONDict:
    heads = table["columns"][1:] or [""]
    return {
        "title": breakable(table["title"]),
        "heads": [breakable(head) for head in heads],
        "rows": [
            [breakable(text) for text in (row["head"], *row["cells"])] for row in table["rows"]
        ],
        "note": breakable(table["note"] or ""),
    }


def _untold(twin: Sequence[JSONDict], tables: Sequence[JSONDict]) -> Sequence[JSONDict]:
    """The columns of a figure's numbers that no table of the same rows has."""
    heads = twin[0]["values"] if twin else []
    alike = (table for table in tables if [row["head"] for row in table["rows"]] == heads)
    told = {label for table in alike for label in table["columns"][1:]}
    return [*twin[:1], *(one for one in twin[1:] if one["label"] not in told)]


def _twin(title: str, twin: Sequence[JSONDict], currency: Currency) -> list[JSONDict]:
    """The numbers of a figure as tables: the columns that fit a page, the others below them."""
    first, *columns = twin
    return [
        {
            "title": breakable(title),
            "heads": [breakable(one["label"]) for one in part],
            "rows": [
                [_twin_cell(one["values"][at], one["unit"], currency) for one in (first, *part)]
                for at in range(len(first["values"]))
            ],
            "note": "",
        }
        for start in range(0, len(columns), COLUMNS)
        if (part := columns[start : start + COLUMNS])
    ]


def _twin_cell(value: float | str | None, unit: str, currency: Currency) -> str:
    return breakable(value if isinstance(value, str) else quantity(value, unit, currency))


def _bars(figure: JSONDict, currency: Currency) -> list[JSONDict]:
    """A chart of bars as tables: the series that fit a page, the others below them."""
    unit, series = figure["along"]["unit"], figure["series"]
    return [
        {
            "title": breakable(figure["title"]),
            "heads": [breakable(one["name"]) for one in series[start : start + COLUMNS]],
            "rows": [
                [
                    breakable(row),
                    *(
                        breakable(quantity(one["values"][at], unit, currency))
                        for one in series[start : start + COLUMNS]
                    ),
                ]
                for at, row in enumerate(figure["rows"])
            ],
            "note": "",
        }
        for start in range(0, len(series), COLUMNS)
    ]


def _lay(laid: Laid, value: Any, schema: JSONDict, root: JSONDict, trail: Trail) -> None:
    schema = resolved(schema, value, root)
    if isinstance(value, Mapping):
        for key, inner, shape in _fields(value, schema):
            title = shape.get("title") or key.replace("_", " ").capitalize()
            _lay(laid, inner, shape, root, (*trail, title))
    elif is_parts(value):
        laid.tables += _tables(value, schema.get("items", {}), (root, laid.currency), trail)
    elif isinstance(value, list) and value and isinstance(value[0], list):
        across = max(len(row) for row in value)
        said = f"{len(value):,} × {across:,} values, in the run’s CSV"
        laid.facts.append({"label": _label(trail), "value": said})
    elif isinstance(value, list) and _is_numbers(value):
        laid.series.append(_series(value, _unit_of(schema, root), trail, laid.currency))
    elif value is not None and value != []:
        laid.facts.append({"label": _label(trail), "value": _said(value, schema, laid.currency)})


def _fields(value: Mapping[str, Any], schema: JSONDict) -> Iterator[tuple[str, Any, JSONDict]]:
    properties = schema.get("properties", {})
    for key, inner in value.items():
        yield str(key), inner, properties.get(key) or additional(schema)


def _is_numbers(value: list[Any]) -> bool:
    known = [one for one in value if one is not None]
    return bool(known) and all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in known
    )


def _unit_of(schema: JSONDict, root: JSONDict) -> str:
    """The unit of a list, which it or its items say."""
    items = schema.get("items") or {}
    unit: str = schema.get("unit") or resolved(items, 0.0, root).get("unit") or ""
    return unit


def _series(value: list[Any], unit: str, trail: Trail, currency: Currency) -> JSONDict:
    known = [float(one) for one in value if one is not None]
    ends = (known[0], known[-1], min(known), max(known))
    return {
        "label": _label(trail),
        "count": f"{len(value):,}",
        "cells": [breakable(quantity(one, unit, currency)) for one in ends],
    }


def _tables(
    items: list[Any], schema: JSONDict, within: tuple[JSONDict, Currency], trail: Trail
) -> list[JSONDict]:
    """A list of parts as tables: the columns that fit a page, the others below them."""
    root, currency = within
    rows = [_named(leaves_of(_short(item), schema, root, "")) for item in items[:ROWS]]
    names = _names(items[:ROWS])
    heads = list(dict.fromkeys(pointer for row in rows for pointer in row))
    titles = {pointer: " › ".join(leaf.trail) for row in rows for pointer, leaf in row.items()}
    more = len(items) - len(rows)
    note = f"The first {ROWS} of {len(items):,}; all of them are in the run’s CSV." if more else ""
    return [
        {
            "title": _label(trail) + (", continued" if start else ""),
            "heads": [breakable(titles[pointer]) for pointer in heads[start : start + COLUMNS]],
            "rows": [
                [
                    name,
                    *(
                        _cell(row.get(pointer), currency)
                        for pointer in heads[start : start + COLUMNS]
                    ),
                ]
                for name, row in zip(names, rows, strict=True)
            ],
            "note": note,
        }
        for start in range(0, max(len(heads), 1), COLUMNS)
    ]


def _short(item: Any) -> Any:
    """A part whose own long lists of parts are counted, not told one beside the other."""
    if not isinstance(item, Mapping):
        return item
    return {
        key: f"{len(value):,} rows, in the run’s CSV"
        if is_parts(value) and len(value) > ROWS
        else value
        for key, value in item.items()
    }


def _named(leaves: Sequence[Leaf]) -> dict[str, Leaf]:
    return {leaf.pointer: leaf for leaf in leaves if leaf.value is not None and leaf.trail}


def _names(items: Sequence[Any]) -> list[str]:
    """What each part is called: its name, else its place."""
    found = []
    for place, item in enumerate(items, start=1):
        texts = (item.get(key) for key in ("title", "name", "label", "letter", "kind"))
        name = next((text for text in texts if isinstance(text, str) and text), f"{place}")
        found.append(breakable(name))
    return found


def _cell(leaf: Leaf | None, currency: Currency) -> str:
    return missing() if leaf is None else _said(leaf.value, leaf.schema, currency)


def _said(value: Any, schema: JSONDict, currency: Currency) -> str:
    if value is None:
        return missing()
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, int | float):
        return breakable(quantity(value, schema.get("unit"), currency))
    if isinstance(value, list):
        return _listed(value, schema, currency)
    return breakable(str(value))


def _listed(value: list[Any], schema: JSONDict, currency: Currency) -> str:
    if not value:
        return missing()
    if _is_numbers(value):
        known = [float(one) for one in value if one is not None]
        unit = _unit_of(schema, {})
        ends = " to ".join(quantity(end, unit, currency) for end in (min(known), max(known)))
        return breakable(f"{len(value):,} values, {ends}")
    if len(value) > WORDS_LISTED or not all(isinstance(one, str) for one in value):
        return f"{len(value):,} values"
    return breakable(", ".join(value))


def _label(trail: Trail) -> str:
    return breakable(" › ".join(trail))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(result: JSONDict, name: str) -> list[str]:
    value = result.get(name)
    if isinstance(value, str):
        return [value]
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
