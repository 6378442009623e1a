"""Entries as a table that ``csv_entries`` reads back with every value, origin and range."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from catalogue.csv_entries import HEADS, NOT_SAID, OF_ALL, ORIGINS, marked
from catalogue.fields import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from catalogue.fixture_entries import ValueDict
    from catalogue.models import Entry

_RESERVED = frozenset({*HEADS, *OF_ALL, ORIGINS})


def table_of(entries: Iterable[Entry]) -> str:
    """Return the entries as CSV, one a line.

    A line says what most of its values come from; ``origins`` says, as JSON by field, what
    is otherwise of a value: its source, date, quality or note, and its range.
    """
    rows = list(entries)
    names = sorted({name for row in rows for name in row.values} - _RESERVED)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*HEADS, *names, *OF_ALL, ORIGINS])
    for row in rows:
        table.writerow(_line(row, names))
    return text.getvalue()


def _line(entry: Entry, names: list[str]) -> list[str]:
    values: Mapping[str, ValueDict] = entry.values
    cells = {name: _cell(name, held["value"]) for name, held in values.items()}
    said = Counter(_said(held) for held in values.values()).most_common(1)
    shared = dict(zip(OF_ALL, said[0][0], strict=True)) if said else {}
    read = {**NOT_SAID, **{name: text.strip() for name, text in shared.items() if text}}
    apart = {}
    for name, held in values.items():
        origin = {key: held.get(key) for key in read if held.get(key) != read[key]}
        if name in _RESERVED or cells[name] is None:
            origin["value"] = held["value"]
        if origin:
            apart[name] = origin
    heads = {"slug": entry.slug, "title": marked(entry.title)}
    return [
        *(heads[name] for name in HEADS),
        *(cells.get(name) or "" for name in names),
        *(marked(shared.get(name) or "") for name in OF_ALL),
        json.dumps(apart, ensure_ascii=False) if apart else "",
    ]


def _said(held: ValueDict) -> tuple[Any, ...]:
    return tuple(held.get(name) for name in OF_ALL)


def _cell(name: str, value: Any) -> str | None:
    """Return a value as a cell; None where a cell would not be read as the same."""
    if isinstance(value, list):
        return json.dumps(value)
    if unit_of(name) is not None:
        return repr(value)
    return marked(value) if value and value == value.strip() else None
